"""The whole picture: map, tokens and routes of a position as one SVG."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, Literal

from board.drawing import ground
from board.drawing.geometry import RADIUS, corners, number
from board.drawing.legend import Block, Summary, default_title, heading, legend, route_text
from board.drawing.lines import RouteLines, RouteNote
from board.drawing.palette import company_colours
from board.drawing.svg import FONTS, INK, clean, group, shortened, tag
from board.drawing.view import HexView, marker_text
from board.edition import MarkerShape
from board.hexes import HexId
from board.position import Position
from board.routes import RouteSet
from board.tiles import Part
from board.trains import StopKind

MARGIN: Final = 16.0
_GAP: Final = 20.0
_BESIDE: Final = 360.0
_TALL: Final = 1.15

LegendPlace = Literal["auto", "below", "right", "none"]


def draw_map(
    position: Position,
    routes: RouteSet = (),
    *,
    title: str = "",
    captions: Sequence[str] = (),
    notes: Sequence[RouteNote] = (),
    summary: Summary | None = None,
    highlight: Collection[HexId] = (),
    colours: Mapping[str, str] | None = None,
    legend_at: LegendPlace = "auto",
) -> str:
    """The position as an SVG picture, with *routes* drawn over its track.

    *title* is the heading (by default title, phase and operator; a single space for none), *captions* are sentences
    below the legend. *notes* say for each route what it earns and which stops it does not count, *summary* the total
    and how sure it is. *highlight* are hexes to point out. *colours* maps companies to hexadecimal colours of their
    tokens, where these are not to be the title's own. The legend stands below a wide map and to the right of a tall
    one unless *legend_at* says otherwise.

    The same arguments give the same text. Names and captions may hold anything: all of it is escaped.
    """
    views = _views(position)
    padded = tuple(notes[place] if place < len(notes) else RouteNote() for place in range(len(routes)))
    lines = RouteLines(views, routes, padded)
    discs = company_colours(position.edition.companies, {**position.edition.colours, **(colours or {})})
    layers = _layers(views, lines, highlight, discs)
    heading_text = title or default_title(position)
    summary = summary or Summary()
    left, top, right, bottom = _extent(views.values())
    wide, tall = right - left, bottom - top
    beside = legend_at == "right" or (legend_at == "auto" and tall > wide * _TALL)
    words = (
        legend(position, routes, padded, summary=summary, captions=captions, width=_BESIDE if beside else wide)
        if legend_at != "none"
        else Block("", 0)
    )
    head = heading(heading_text.strip(), wide + (_BESIDE + _GAP if beside and words.markup else 0))
    return _assemble(
        position,
        (left, top, wide, tall),
        layers,
        head,
        words,
        beside=beside,
        description=_description(position, routes, padded, summary=summary, title=heading_text),
    )


def _layers(
    views: Mapping[HexId, HexView], lines: RouteLines, highlight: Collection[HexId], discs: Mapping[str, str]
) -> str:
    every = list(views.values())
    return "".join(
        (
            ground.hexes(every),
            ground.track(every),
            ground.borders(views),
            lines.lines(),
            ground.stops(every, discs, lines.rings(), lines.visits()),
            ground.texts(every),
            ground.highlights(views, highlight),
        )
    )


def _assemble(
    position: Position,
    extent: tuple[float, float, float, float],
    layers: str,
    head: Block,
    words: Block,
    *,
    beside: bool,
    description: str,
) -> str:
    left, top, wide, tall = extent
    above = head.height + (12 if head.markup else 0)
    width, height = wide, above + tall
    parts = [_shift(head.markup, 0, 0), _shift(group([layers], class_="map"), -left, above - top)]
    if words.markup and beside:
        parts.append(_shift(words.markup, wide + _GAP, above))
        width, height = wide + _GAP + _BESIDE, max(height, above + words.height)
    elif words.markup:
        parts.append(_shift(words.markup, 0, height + _GAP))
        height += _GAP + words.height
    width, height = width + 2 * MARGIN, height + 2 * MARGIN
    page = tag("rect", class_="page", width=width, height=height, fill="#ffffff")
    return tag(
        "svg",
        f"<title>{clean(shortened(description.partition(chr(10))[0], 300))}</title>",
        f"<desc>{clean(description)}</desc>",
        page,
        tag("g", *parts, transform=f"translate({number(MARGIN)} {number(MARGIN)})"),
        xmlns="http://www.w3.org/2000/svg",
        class_="trackage-map",
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        aria_label=shortened(description.partition("\n")[0], 300),
        data_title=position.edition.title,
        data_layout=position.edition.map.layout.value,
        font_family=FONTS,
        fill=INK,
    )


def _shift(markup: str, x: float, y: float) -> str:
    return tag("g", markup, transform=f"translate({number(x)} {number(y)})") if markup else ""


def _extent(views: Collection[HexView]) -> tuple[float, float, float, float]:
    if not views:
        return (-RADIUS, -RADIUS, RADIUS, RADIUS)
    rim = corners(next(iter(views)).position.edition.map.layout)
    width, height = max(point.real for point in rim), max(point.imag for point in rim)
    across = [view.centre.real for view in views]
    down = [view.centre.imag for view in views]
    return min(across) - width - 2, min(down) - height - 2, max(across) + width + 2, max(down) + height + 2


def _description(position: Position, routes: RouteSet, notes: Sequence[RouteNote], summary: Summary, title: str) -> str:
    """The picture in words: a heading, then a line for each route."""
    lines = [title.strip() or default_title(position)]
    for route, note in zip(routes, notes, strict=True):
        earned = f" earns {note.revenue}" if note.revenue is not None else ""
        lines.append(f"Train {route.train}{earned}: {route_text(position, route, note)}")
    if summary.total is not None:
        proof = {True: ", proven", False: ", not proven", None: ""}[summary.proven]
        lines.append(f"Total {summary.total}{proof}")
    return "\n".join(lines)


def _views(position: Position) -> dict[HexId, HexView]:
    """All hexes in the order of their names."""
    layout, hidden, marks = position.layout_of, _hidden(position), dict(_marks(position))
    return {
        printed.id: HexView(
            position, printed, layout[printed.id], hidden.get(printed.id, frozenset()), marks.get(printed.id, ())
        )
        for printed in sorted(position.edition.map, key=lambda printed: printed.id.sort_key)
    }


def _marks(position: Position) -> Iterator[tuple[HexId, tuple[str, ...]]]:
    """Printed markers, privates that close a hex now, and markers that lie there in this position."""
    edition = position.edition
    for printed in edition.map:
        texts = [marker_text(marker) for marker in printed.markers]
        if printed.id not in position.tiles:
            texts += [f"×{private}" for private in printed.blocked_by if _closes(position, private)]
        for key, value in sorted(position.markers.items()):
            shape = edition.markers.get(key)
            if shape is MarkerShape.HEX_TO_NAMES and isinstance(value, Mapping):
                texts += [str(name) for name in value.get(printed.id, ())]
        if texts:
            yield printed.id, tuple(text for text in texts if text)


def _closes(position: Position, private: str) -> bool:
    """Whether a player owns the open private; a company that owns it opens its hexes."""
    state = position.privates.get(private)
    return state is not None and state.open and not position.edition.knows_company(state.owner)


def _hidden(position: Position) -> dict[HexId, frozenset[str]]:
    """Off-board parts whose value is printed on a named hex of the same area."""
    found: dict[HexId, frozenset[str]] = {}
    for area in _areas(position):
        shown = {part.revenue for hex_id in area if _named(position, hex_id) for part in _off_boards(position, hex_id)}
        first: set[object] = set()
        for hex_id in area:
            parts = _off_boards(position, hex_id)
            if not _named(position, hex_id):
                found[hex_id] = frozenset(part.id for part in parts if part.revenue in shown | first)
                first |= {part.revenue for part in parts}
    return found


def _named(position: Position, hex_id: HexId) -> bool:
    return bool(position.edition.map.hexes[hex_id].name)


def _off_boards(position: Position, hex_id: HexId) -> tuple[Part, ...]:
    return tuple(part for part in position.tile_at(hex_id).parts if part.kind is StopKind.OFF_BOARD)


def _areas(position: Position) -> Iterator[list[HexId]]:
    """Sets of several hexes that are prints of one area."""
    game_map = position.edition.map
    joined: dict[HexId, set[HexId]] = {}
    for printed in game_map:
        for border in printed.borders:
            other = game_map.layout.neighbour(printed.id, border.side)
            if border.kind == "same_area" and other is not None and other in game_map:
                joined.setdefault(printed.id, set()).add(other)
                joined.setdefault(other, set()).add(printed.id)
    seen: set[HexId] = set()
    for start in sorted(joined, key=lambda hex_id: hex_id.sort_key):
        if start in seen:
            continue
        area, pending = [], [start]
        seen.add(start)
        while pending:
            here = pending.pop()
            area.append(here)
            pending += [there for there in sorted(joined[here]) if there not in seen]
            seen.update(joined[here])
        yield sorted(area, key=lambda hex_id: hex_id.sort_key)
