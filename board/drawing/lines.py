"""Routes over the map: thick lines along the very pieces of track that a train uses, and rings at its stops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from board.drawing import values
from board.drawing.geometry import Curve, Line, beside, between_sides, pair
from board.drawing.palette import RouteStyle, route_style
from board.drawing.shape import PlacedPart
from board.drawing.svg import group, hover, tag
from board.drawing.tokens import FRAME, outline
from board.drawing.view import HexView
from board.hexes import HexId, StopId, opposite
from board.routes import Leg, RevenueItem, RouteSet, TrackPiece
from board.tiles import End
from board.trains import StopKind

WIDTH: Final = 7.6
_RIM: Final = 2.4
_RING: Final = 2.6


@dataclass(frozen=True, slots=True)
class RouteNote:
    """What the picture says about one route beside its track.

    ``revenue`` is what the route earns (money; None: not told). ``skipped`` are the stops that it visits and does not
    count. ``items`` are the amounts that the revenue consists of: those whose ``where`` is a stop stand beside that
    stop in the legend, the others follow.
    """

    revenue: int | None = None
    skipped: frozenset[StopId] = frozenset()
    items: tuple[RevenueItem, ...] = ()


class RouteLines:
    """The lines and rings of a set of routes."""

    def __init__(self, views: Mapping[HexId, HexView], routes: RouteSet, notes: Sequence[RouteNote]) -> None:
        self._views, self._routes, self._notes = views, routes, notes
        self._users: dict[TrackPiece, dict[int, bool]] = {}  # by piece the routes, and whether they run from a to b
        for place, route in enumerate(routes):
            for leg in route.legs:
                for piece, entered in _entered(leg):
                    self._users.setdefault(piece, {}).setdefault(place, entered == piece.track.a)

    def lines(self) -> str:
        """All routes, each a group; the last one lies on top."""
        return group((self._route(place) for place in range(len(self._routes))), class_="routes", fill="none")

    def _route(self, place: int) -> str:
        route, style = self._routes[place], route_style(place)
        legs = [self._path(leg, place) for leg in route.legs]
        parts = [*_strokes(legs, style, [_pieces(leg) for leg in route.legs])]
        for extension in route.extensions:
            parts += _dotted([self._path(leg, None) for leg in extension], style)
        return group(
            [hover(self._sentence(place)), *parts] if parts else [],
            class_="route", data_route=place, data_train=route.train,
            stroke_linejoin="round",
        )  # fmt: skip

    def _sentence(self, place: int) -> str:
        route, note = self._routes[place], self._notes[place]
        earned = f", earns {note.revenue}" if note.revenue is not None else ""
        return f"train {route.train}{earned}: {' – '.join(route.stops)}"

    def _path(self, leg: Leg, place: int | None) -> str:
        """The SVG path of a leg. Where several routes use a piece they run side by side."""
        commands: list[str] = []
        pen: complex | None = None
        for curve, piece, forwards in self._curves(leg):
            users = self._users.get(piece, {})
            if place is not None and len(users) > 1:
                shift = (list(users).index(place) - (len(users) - 1) / 2) * (WIDTH + 0.6)
                like_first = forwards == next(iter(users.values()))
                points = beside(curve, shift if like_first else -shift)
                commands.append(_join(pen, points[0]) + "".join(f"L{pair(point)}" for point in points[1:]))
                pen = points[-1]
            else:
                commands.append(_join(pen, curve.start) + curve.command)
                pen = curve.end
        return "".join(commands)

    def _curves(self, leg: Leg) -> Iterator[tuple[Curve, TrackPiece, bool]]:
        """The curve of each piece in the direction of travel, in map coordinates; whether that is from a to b."""
        for piece, entered in _entered(leg):
            view = self._views.get(piece.hex)
            if view is None:
                continue
            curve = _curve(view, entered, piece.track.other_end(entered))
            if curve is not None:
                yield curve.moved(view.centre), piece, entered == piece.track.a

    def rings(self) -> dict[str, str]:
        """By stop, the rings of the routes that visit it: dashed and thin where the stop is not counted."""
        found: dict[str, list[str]] = {}
        layers: Counter[StopId] = Counter()
        for place, route in enumerate(self._routes):
            for stop in dict.fromkeys(route.stops):
                view = self._views.get(stop.hex)
                placed = view.shape.parts.get(stop.part) if view is not None else None
                if view is None or placed is None:
                    continue
                counted = stop not in self._notes[place].skipped
                distance = 1.9 + layers[stop] * (_RING + 0.9)
                layers[stop] += 1
                found.setdefault(stop, []).append(_ring(view, placed, distance, place, counted=counted))
        return {stop: "".join(reversed(rings)) for stop, rings in found.items()}

    def visits(self) -> dict[str, str]:
        """By stop, a sentence about the routes that visit it."""
        found: dict[str, list[str]] = {}
        for place, route in enumerate(self._routes):
            for stop in dict.fromkeys(route.stops):
                counted = "counted" if stop not in self._notes[place].skipped else "not counted"
                found.setdefault(stop, []).append(f"visited by train {route.train} ({counted})")
        return {stop: "; ".join(sentences) for stop, sentences in found.items()}


def _join(pen: complex | None, start: complex) -> str:
    if pen is None:
        return f"M{pair(start)}"
    return f"L{pair(start)}" if abs(pen - start) > 0.05 else ""


def _entered(leg: Leg) -> Iterator[tuple[TrackPiece, End]]:
    """Each piece of a leg with the end by which the train comes in."""
    here: End = leg.start.part
    for piece in leg.pieces:
        entered = here if here in (piece.track.a, piece.track.b) else piece.track.a
        yield piece, entered
        leaving = piece.track.other_end(entered)
        here = opposite(leaving) if isinstance(leaving, int) else leaving


def _curve(view: HexView, start: End, end: End) -> Curve | None:
    """Track of the tile; where the tile has no such piece (a claim that is wrong), the line it would have."""
    found = view.shape.curve(start, end)
    if found is not None:
        return found
    if isinstance(start, int) and isinstance(end, int):
        return between_sides(view.position.edition.map.layout, start, end)
    return None


def _pieces(leg: Leg) -> str:
    return " ".join(map(str, leg.pieces))


def _strokes(paths: Sequence[str], style: RouteStyle, pieces: Sequence[str]) -> Iterator[str]:
    """A light rim, the line, and the pattern along its middle."""
    drawn = [(path, names) for path, names in zip(paths, pieces, strict=True) if path]
    if not drawn:
        return
    whole = "".join(path for path, _ in drawn)
    yield tag("path", class_="rim", d=whole, stroke="#ffffff", stroke_width=WIDTH + _RIM, stroke_linecap="round")
    for place, (path, names) in enumerate(drawn):
        yield tag(
            "path", class_="leg", data_leg=place, data_pieces=names, d=path, stroke=style.colour, stroke_width=WIDTH,
            stroke_linecap="round",
        )  # fmt: skip
    yield stripe(whole, style)


def stripe(path: str, style: RouteStyle) -> str:
    """The thin pattern that tells a route apart without colour."""
    if style.dashes is None:
        return ""
    return tag(
        "path", class_="stripe", d=path, stroke=style.stripe, stroke_width=2.2, stroke_linecap="round",
        stroke_dasharray=None if style.dashes == "none" else style.dashes,
    )  # fmt: skip


def _dotted(paths: Iterable[str], style: RouteStyle) -> list[str]:
    """An extension beyond the train's range."""
    whole = "".join(paths)
    if not whole:
        return []
    looks = {"stroke_linecap": "round", "stroke_dasharray": "0.1 8.4"}
    return [
        tag("path", class_="extension rim", d=whole, stroke="#ffffff", stroke_width=WIDTH + 0.8, **looks),
        tag("path", class_="extension", d=whole, stroke=style.colour, stroke_width=WIDTH - 1.6, **looks),
    ]


def _ring(view: HexView, placed: PlacedPart, distance: float, place: int, *, counted: bool) -> str:
    state = "counted" if counted else "skipped"
    looks = {"class_": f"ring {state}", "d": _ring_path(view, placed, distance), "fill": "none"}
    below = tag("path", **looks, stroke="#ffffff", stroke_width=_RING + 1.6)
    return below + tag(
        "path",
        **looks,
        data_route=place,
        stroke=route_style(place).colour,
        stroke_width=_RING if counted else _RING - 0.6,
        stroke_dasharray=None if counted else "2.2 3.4",
    )


def _ring_path(view: HexView, placed: PlacedPart, distance: float) -> str:
    if placed.part.kind is StopKind.CITY:
        return outline(placed.slots, FRAME + distance)
    if placed.part.kind is StopKind.TOWN:
        return outline((placed.at,), 8.4 + distance)
    if placed.part.id in view.hidden or not values.varies(placed.part.revenue):
        return outline((placed.at,), values.DISC + distance)
    width, height = values.half_size(placed.part.revenue)
    return _box(placed.at, width + distance, height + distance)


def _box(at: complex, half_width: float, half_height: float) -> str:
    corners = (
        at + complex(-half_width, -half_height), at + complex(half_width, -half_height),
        at + complex(half_width, half_height), at + complex(-half_width, half_height),
    )  # fmt: skip
    return f"M{'L'.join(pair(point) for point in corners)}Z"


def swatch(place: int, at: complex, length: float) -> str:
    """A piece of the route's line for the legend."""
    style = route_style(place)
    line = Line(at, at + length)
    path = f"M{pair(line.start)}{line.command}"
    return tag(
        "g",
        tag("path", d=path, stroke=style.colour, stroke_width=WIDTH, stroke_linecap="round"),
        stripe(path, style),
        fill="none",
    )
