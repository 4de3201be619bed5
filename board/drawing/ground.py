"""The map without routes: hexes, track, stops, borders, texts, each as a layer over all hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from board.drawing import tokens, values
from board.drawing.geometry import Curve, Line, corner, corners, pair, polygon, side_direction, side_middle
from board.drawing.palette import BORDERS, EDGE, IMPASSABLE, TRACK
from board.drawing.shape import PlacedPart
from board.drawing.svg import INK, group, hover, lines_of, tag, width_of, words
from board.drawing.view import COST_SIZE, NAME_LEADING, HexView, PlacedValue
from board.hexes import HexId, Layout, opposite
from board.map import Border
from board.tiles import Track
from board.trains import StopKind

TRACK_WIDTH: Final = 5.2
_FAINT: Final = "#6b665c"


def translation(view: HexView) -> str:
    return f"translate({pair(view.centre)})"


def hexes(views: Sequence[HexView]) -> str:
    """The ground: one group for each hex, with what a reader wants to know on hovering."""
    return group((_ground(view) for view in views), class_="hexes")


def _ground(view: HexView) -> str:
    layout = view.position.edition.map.layout
    return tag(
        "g",
        hover(_description(view)),
        tag("polygon", points=polygon(corners(layout)), fill=view.fill, stroke=EDGE, stroke_width=0.9),
        class_=f"hex {view.tile.colour}",
        data_hex=view.id,
        data_tile=view.position.tiles[view.id].tile if view.id in view.position.tiles else None,
        transform=translation(view),
    )


def _description(view: HexView) -> str:
    """``E16 Scranton: tile 57, rotation 2; label B; 80 to build (water)``."""
    printed, tile = view.printed, view.tile
    facts = []
    placement = view.position.tiles.get(view.id)
    if placement is not None:
        facts.append(f"tile {placement.tile}, rotation {placement.rotation}")
    if tile.label:
        facts.append(f"label {tile.label}")
    if tile.cost:
        facts.append(f"{tile.cost} to build" + (f" ({', '.join(tile.terrain)})" if tile.terrain else ""))
    facts += [f"{kept.company} has a place reserved ({kept.reason})" for kept in printed.reservations]
    facts += [f"closed by {private}" for private in printed.blocked_by]
    facts += [str(marker.get("kind", "")).replace("_", " ") for marker in printed.markers]
    name = f"{view.id} {printed.name}" if printed.name else str(view.id)
    return f"{name}: {'; '.join(facts)}" if facts else name


def track(views: Iterable[HexView]) -> str:
    """All track as it lies."""
    return group((_track_of(view) for view in views), class_="track", pointer_events="none")


def _track_of(view: HexView) -> str:
    pieces = [(piece, curve) for piece in view.tile.track if (curve := view.shape.curve(piece.a, piece.b)) is not None]
    parts = [_piece(view, piece, curve) for piece, curve in pieces]
    return group(parts, data_hex=view.id, transform=translation(view), fill="none", stroke=TRACK)


def _piece(view: HexView, piece: Track, curve: Curve) -> str:
    """One piece: black with a light rim where it may cross another; a wedge where it ends in an off-board area."""
    end = piece.b
    part = view.shape.parts[end].part if isinstance(end, str) else None
    if part is not None and isinstance(piece.a, int) and (piece.terminal or part.kind is StopKind.OFF_BOARD):
        return _wedge(curve, view.position.edition.map.layout, piece.a)
    path = f"M{pair(curve.start)}{curve.command}"
    crossing = ""
    if any(_cross(piece, other) for other in view.tile.track):
        middle = curve.part(0.22, 0.78)
        crossing = tag(
            "path", d=f"M{pair(middle.start)}{middle.command}", stroke=view.fill, stroke_width=TRACK_WIDTH + 3
        )
    rail = tag("path", d=path, stroke_width=TRACK_WIDTH)
    return crossing + rail + (tag("path", d=path, stroke="#dfe9f5", stroke_width=2) if piece.dual else "")


def _cross(piece: Track, other: Track) -> bool:
    """Whether two pieces between sides must cross: the ends of one lie on both sides of the other."""
    ends = (piece.a, piece.b, other.a, other.b)
    if not all(isinstance(end, int) for end in ends) or len(set(ends)) < 4:
        return False
    return (min(piece[:2]) < other.a < max(piece[:2])) != (min(piece[:2]) < other.b < max(piece[:2]))  # type: ignore


def _wedge(curve: Curve, layout: Layout, side: int) -> str:
    """Track that leads out of the game: a spike from the rim inwards."""
    across = side_direction(layout, side) * 1j * (TRACK_WIDTH / 2 + 2)
    tip = curve.at(min(1.0, 24 / max(24.0, abs(curve.end - curve.start))))
    return tag("polygon", points=polygon((curve.start - across, curve.start + across, tip)), fill=TRACK, stroke="none")


def stops(
    views: Iterable[HexView],
    colours: Mapping[str, str],
    rings: Mapping[str, str],
    visits: Mapping[str, str],
) -> str:
    """Cities, towns and off-board areas with tokens and values. ``rings`` and ``visits`` hold, by stop, markup that
    goes below it and a sentence about who visits it."""
    return group(
        (_stop(view, placed, colours, rings, visits) for view in views for placed in view.shape.parts.values()),
        class_="stops",
    )


def _stop(
    view: HexView,
    placed: PlacedPart,
    colours: Mapping[str, str],
    rings: Mapping[str, str],
    visits: Mapping[str, str],
) -> str:
    part = placed.part
    if part.kind is None:
        return ""
    stop = view.stop(part.id)
    present = view.position.tokens_in(stop)
    if part.kind is StopKind.CITY:
        picture = tokens.city(
            placed,
            present,
            view.notes.beside.get(part.id, ()),
            view.reserved_for(part.id),
            colours=colours,
            operator=view.position.operator,
        )  # fmt: skip
    elif part.kind is StopKind.TOWN:
        picture = tokens.town(placed)
    else:
        picture = ""
    amount = view.position.value(stop)
    title = f"{stop} {view.printed.name}".strip() + f": {part.kind.value}, pays {amount}"
    holders = [company for company in present if company is not None]
    title += f"; tokens: {', '.join(holders)}" if holders else ""
    title += f"; {visits[stop]}" if stop in visits else ""
    ring = rings.get(stop, "")
    if part.kind is StopKind.OFF_BOARD:
        shown = bool(part.revenue.fixed or part.revenue.by_colour or part.revenue.by_phase)
        picture = tag(
            "circle", cx=placed.at.real, cy=placed.at.imag, r=9 if shown else 3.4, pointer_events="all",
            fill="none" if shown else TRACK,
        )  # fmt: skip
    return tag(
        "g", hover(title), ring, picture, class_=f"stop {part.kind.value}", data_stop=stop, data_hex=view.id,
        data_value=amount, transform=translation(view),
    )  # fmt: skip


def texts(views: Iterable[HexView]) -> str:
    """Values, names, labels, costs, markers and the names of the hexes themselves."""
    return group((_texts_of(view) for view in views), class_="texts", pointer_events="none")


def _texts_of(view: HexView) -> str:
    notes, halo = view.notes, view.fill
    parts = [_value(view, placed) for placed in notes.values]
    if notes.cost is not None:
        parts.append(_cost(notes.cost.at, notes.cost.texts[0], view.tile.terrain, halo))
    parts += [_mark(mark.at, mark.texts[0], mark.size) for mark in notes.marks]
    if notes.name is not None:
        name = notes.name
        parts.append(
            tag(
                "g",
                lines_of(name.texts, name.at, name.size, name.size * NAME_LEADING, halo=halo, fill="#26231e"),
                class_="name",
            )
        )
    if notes.label is not None:
        label = notes.label
        parts.append(words(label.texts[0], label.at, label.size, bold=True, halo=halo, class_="label"))
    place = notes.coordinate
    parts.append(words(place.texts[0], place.at, place.size, fill=_FAINT, halo=halo, class_="coordinate"))
    return group(parts, data_hex=view.id, transform=translation(view))


def _value(view: HexView, placed: PlacedValue) -> str:
    return values.value(placed.revenue, view.position.phase, placed.at)


def _mark(at: complex, text: str, size: float) -> str:
    half = max(5.5, width_of(text, size, bold=True) / 2 + 2.5)
    return tag(
        "g",
        tag(
            "rect", x=at.real - half, y=at.imag - 5.5, width=half * 2, height=11, rx=5.5, fill="#ffffff",
            stroke=_FAINT, stroke_width=0.8,
        ),
        words(text, at, size, bold=True, fill="#3a3733"),
        class_="mark",
    )  # fmt: skip


def _cost(at: complex, text: str, terrain: Sequence[str], halo: str) -> str:
    if not terrain:
        return words(text, at, COST_SIZE, halo=halo, class_="cost")
    wide = width_of(text, COST_SIZE)
    left = at.real - (wide + 10.5) / 2
    icon = _icon(terrain[0], complex(left + 4.5, at.imag))
    return tag("g", icon, words(text, complex(left + 10.5 + wide / 2, at.imag), COST_SIZE, halo=halo), class_="cost")


def _icon(terrain: str, at: complex) -> str:
    """Waves, a mountain, or a lozenge for terrain of another kind."""
    if terrain in ("water", "river", "lake", "sea"):
        waves = "".join(f"M{pair(at + complex(-4.5, dy))}q2.25 -2.6 4.5 0t4.5 0" for dy in (-1.6, 2.2))
        return tag("path", d=waves, fill="none", stroke=BORDERS["water"], stroke_width=1.5)
    if terrain in ("mountain", "hill"):
        return tag("polygon", points=polygon((at + 3.6j - 5, at - 4.4j, at + 3.6j + 5)), fill=BORDERS["mountain"])
    return tag("polygon", points=polygon((at - 4, at - 4j, at + 4, at + 4j)), fill="#5b6b3a")


def borders(views: Mapping[HexId, HexView]) -> str:
    """Marks on hexsides, each drawn once: impassable ones thick, those with a cost in the colour of the terrain."""
    drawn: set[tuple[HexId, int]] = set()
    parts = []
    for view in views.values():
        for border in view.printed.borders:
            other = view.position.edition.map.layout.neighbour(view.id, border.side)
            key = (view.id, border.side)
            if key in drawn or (other is not None and (other, opposite(border.side)) in drawn):
                continue
            drawn.add(key)
            neighbour = views.get(other) if other is not None else None
            parts.append(_border(view, neighbour, border))
    return group(parts, class_="borders", pointer_events="none")


def _border(view: HexView, neighbour: HexView | None, border: Border) -> str:
    layout = view.position.edition.map.layout
    side = Line(corner(layout, border.side), corner(layout, border.side + 1))
    if border.kind == "same_area":
        middle = side.part(0.04, 0.96)
        line = tag("path", d=f"M{pair(middle.start)}{middle.command}", stroke=view.fill, stroke_width=2.6)
    elif border.kind == "impassable":
        line = tag("path", d=f"M{pair(side.start)}{side.command}", stroke=IMPASSABLE, stroke_width=6)
    elif border.kind == "province":
        line = tag(
            "path", d=f"M{pair(side.start)}{side.command}", stroke="#a8452c", stroke_width=1.8, stroke_dasharray="6 3"
        )
    else:
        line = _costly(view, neighbour, border, side.part(0.06, 0.94))
    return group(
        [line], class_=f"border {border.kind}", data_hex=view.id, data_side=border.side, transform=translation(view)
    )


def _costly(view: HexView, neighbour: HexView | None, border: Border, side: Line) -> str:
    """A hexside with a cost; the amount is left out once track crosses it."""
    colour = BORDERS.get(border.kind, "#5b6b3a")
    line = tag(
        "path", d=f"M{pair(side.start)}{side.command}", stroke=colour, stroke_width=4, stroke_linecap="round",
        stroke_dasharray="0.1 6.4" if border.kind == "mountain" else None,
    )  # fmt: skip
    crossed = border.side in view.tile.sides and neighbour is not None and opposite(border.side) in neighbour.tile.sides
    if crossed or not border.cost:
        return line
    at, text = side_middle(view.position.edition.map.layout, border.side), str(border.cost)
    half = width_of(text, 6.6, bold=True) / 2 + 2
    return (
        line
        + tag("rect", x=at.real - half, y=at.imag - 4.4, width=half * 2, height=8.8, rx=2, fill=colour)
        + words(text, at, 6.6, bold=True, fill="#ffffff")
    )


def highlights(views: Mapping[HexId, HexView], chosen: Collection[HexId]) -> str:
    """A bright rim round the hexes to look at."""
    parts = []
    for hex_id in sorted((hex_id for hex_id in chosen if hex_id in views), key=lambda hex_id: hex_id.sort_key):
        view = views[hex_id]
        points = polygon([point * 0.95 for point in corners(view.position.edition.map.layout)])
        parts.append(
            tag(
                "g",
                tag("polygon", points=points, stroke=INK, stroke_width=6, stroke_linejoin="round"),
                tag("polygon", points=points, stroke="#ffe14d", stroke_width=3.2, stroke_linejoin="round"),
                class_="highlight", data_hex=hex_id, transform=translation(view),
            )
        )  # fmt: skip
    return group(parts, class_="highlights", fill="none", pointer_events="none")
