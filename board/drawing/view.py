"""One hex as it is to be drawn: what lies there, where its parts are, and where its texts find room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from board.drawing import values
from board.drawing.geometry import centre_of, samples
from board.drawing.labels import Room, corner_places, middle_places, name_places, near
from board.drawing.palette import TILE, UNKNOWN_TILE
from board.drawing.shape import SLOT, PlacedPart, TileShape, shape_of
from board.drawing.svg import fitted, width_of, wrapped
from board.hexes import HexId, Layout, StopId
from board.map import MapHex
from board.position import Position
from board.tiles import Revenue, Tile
from board.trains import StopKind

NAME_SIZE: Final = 8.8
NAME_LEADING: Final = 1.05
LABEL_SIZE: Final = 13.0
COST_SIZE: Final = 8.6
HEX_SIZE: Final = 7.0
MARK_SIZE: Final = 6.8
_NAME_WIDTH: Final = 64.0
#: Widths of lines and sizes in which a name is tried, and what choosing them costs.
_NAME_FORMS: Final = (
    (64.0, NAME_SIZE, 0.0),
    (84.0, NAME_SIZE, 0.7),
    (40.0, 7.6, 2.0),
    (64.0, 6.8, 2.8),
    (30.0, 6.8, 3.6),
)
#: Above this cost another arrangement is tried.
_TIGHT: Final = 3.0
_LONGEST_NAME: Final = 48
_TRACK_REACH: Final = 4.0


class Placed(NamedTuple):
    """Texts with their place and size; what it means depends on where it stands in :class:`Annotations`."""

    at: complex
    texts: tuple[str, ...]
    size: float


class PlacedValue(NamedTuple):
    """A value and the parts that pay it."""

    at: complex
    revenue: Revenue
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Annotations:
    """Everything written in a hex, in hex coordinates; ``beside``: by city, where tokens beyond its slots stand."""

    values: tuple[PlacedValue, ...]
    name: Placed | None
    label: Placed | None
    cost: Placed | None
    marks: tuple[Placed, ...]
    coordinate: Placed
    beside: Mapping[str, tuple[complex, ...]]


@dataclass(frozen=True)
class HexView:
    """A hex of a position. ``hidden`` are off-board parts whose value stands on another hex of the same area;
    ``marks`` are short texts for the markers that lie there."""

    position: Position
    printed: MapHex
    tile: Tile
    hidden: frozenset[str] = frozenset()
    marks: tuple[str, ...] = ()

    @property
    def id(self) -> HexId:
        return self.printed.id

    @cached_property
    def centre(self) -> complex:
        return centre_of(self.position.edition.map.layout, self.printed.id)

    @property
    def fill(self) -> str:
        return TILE.get(self.tile.colour, UNKNOWN_TILE)

    @cached_property
    def shape(self) -> TileShape:
        return shape_of(self.tile, self.position.edition.map.layout)

    def stop(self, part_id: str) -> StopId:
        return StopId.of(self.printed.id, part_id)

    @cached_property
    def notes(self) -> Annotations:
        """Where texts and surplus tokens go."""
        surplus = []
        for placed in self.shape.parts.values():
            held = self.position.tokens_in(self.stop(placed.part.id))[len(placed.slots) :]
            number = sum(company is not None for company in held)
            if number and placed.slots:
                surplus.append((placed.part.id, number))
        layout = self.position.edition.map.layout
        return annotate(
            self.tile,
            layout,
            name=self.printed.name,
            coordinate=str(self.id),
            marks=self.marks,
            hidden=self.hidden,
            surplus=tuple(surplus),
        )

    def reserved_for(self, part_id: str) -> tuple[str, ...]:
        """The companies for which slots of the city are kept and who are not on the hex yet."""
        cities = self.tile.cities
        present = {company for tokens in self.position.tokens.get(self.id, {}).values() for company in tokens}
        return tuple(
            kept.company
            for kept in self.printed.reservations
            if kept.company not in present
            and (kept.city == part_id or (len(cities) == 1 and (kept.city is None or kept.city not in self._city_ids)))
        )

    @property
    def _city_ids(self) -> frozenset[str]:
        return frozenset(city.id for city in self.tile.cities)


@lru_cache(maxsize=4096)
def annotate(
    tile: Tile,
    layout: Layout,
    *,
    name: str,
    coordinate: str,
    marks: tuple[str, ...] = (),
    hidden: frozenset[str] = frozenset(),
    surplus: tuple[tuple[str, int], ...] = (),
) -> Annotations:
    """Where the texts of a hex go, and the tokens (number by city) for which there is no slot."""
    found = _Annotator(tile, layout, name=name, coordinate=coordinate, marks=marks, hidden=hidden, surplus=surplus)
    return found.annotations()


class _Annotator:
    """Finds room for the texts of one hex, the most important first."""

    def __init__(
        self,
        tile: Tile,
        layout: Layout,
        *,
        name: str,
        coordinate: str,
        marks: tuple[str, ...],
        hidden: frozenset[str],
        surplus: tuple[tuple[str, int], ...],
    ) -> None:
        self._tile, self._layout, self._name, self._coordinate = tile, layout, name, coordinate
        self._marks, self._hidden, self._surplus = marks, hidden, surplus
        self._shape = shape_of(tile, layout)
        self._room = Room(layout, self._obstacles())

    def annotations(self) -> Annotations:
        """Values before the name; where that is too tight, the other way round if it fits better."""
        first, cost = self._attempt(name_first=False)
        if cost < _TIGHT:
            return first
        self._room = self._room.copy()
        second, other_cost = self._attempt(name_first=True)
        return second if other_cost < cost else first

    def _attempt(self, *, name_first: bool) -> tuple[Annotations, float]:
        beside = self._beside()
        name = self._place_name() if name_first else None
        stop_values = tuple(self._place_values())
        if not name_first:
            name = self._place_name()
        label, cost, marks = self._place_label(), self._place_cost(), tuple(self._place_marks())
        found = Annotations(stop_values, name, label, cost, marks, self._place_coordinate(), beside)
        return found, self._room.cost

    def _obstacles(self) -> Iterator[tuple[complex, float]]:
        shape = self._shape
        for curve in shape.curves.values():
            length = abs(curve.end - curve.start)
            yield from ((point, _TRACK_REACH) for point in samples(curve, max(3, round(length / 7))))
        for placed in shape.parts.values():
            if placed.part.kind is not None and placed.part.kind is not StopKind.OFF_BOARD:
                yield from ((centre, radius + 1.8) for centre, radius in placed.rings)

    def _beside(self) -> dict[str, tuple[complex, ...]]:
        """Tokens for which a city has no slot stand next to it (1894, after a split)."""
        found = {}
        for city, number in self._surplus:
            placed = self._shape.parts[city]
            reach = round(max(abs(centre - placed.at) for centre in placed.slots) + 2 * SLOT + 1, 1)
            found[city] = tuple(
                self._room.place(near(reach), SLOT * 0.85, SLOT * 0.85, placed.at) for _ in range(number)
            )
        return found

    def _place_values(self) -> Iterator[PlacedValue]:
        """One value for all parts of a kind that pay alike, as printed on tiles; each off-board area its own."""
        alike: dict[tuple[StopKind, Revenue], list[PlacedPart]] = {}
        for placed in self._shape.parts.values():
            part = placed.part
            if part.kind is None or part.id in self._hidden or not (part.revenue.fixed or values.varies(part.revenue)):
                continue
            if part.kind is StopKind.OFF_BOARD:
                width, height = values.half_size(part.revenue)
                self._room.occupy(placed.at, width, height)
                yield PlacedValue(placed.at, part.revenue, (part.id,))
            else:
                alike.setdefault((part.kind, part.revenue), []).append(placed)
        for (_, revenue), group in alike.items():
            yield self._value_near(revenue, group)

    def _value_near(self, revenue: Revenue, group: list[PlacedPart]) -> PlacedValue:
        width, height = values.half_size(revenue)
        first = group[0]
        reach = max(abs(centre - first.at) + radius for centre, radius in first.rings)
        wide = 0.0 if values.varies(revenue) else values.DISC
        at = self._room.place(near(round(reach + max(wide, height) + 2, 1)), width, height, first.at)
        return PlacedValue(at, revenue, tuple(placed.part.id for placed in group))

    def _place_name(self) -> Placed | None:
        """The name in the form that fits best: large in up to two lines, then in one, then smaller."""
        name = self._name[:_LONGEST_NAME]
        if not name.strip():
            return None
        off_board = any(part.kind is StopKind.OFF_BOARD for part in self._tile.parts)
        places = name_places(self._layout, above=off_board)
        best: tuple[float, Placed, float, float] | None = None
        for width, size, extra in _NAME_FORMS:
            placed, half_width, half_height = _set_name(name, width, size)
            at, cost = self._room.find(places, half_width, half_height)
            cost += extra
            if best is None or cost < best[0]:
                best = cost, placed._replace(at=at), half_width, half_height
            if cost < _TIGHT:
                break
        assert best is not None
        self._room.cost += best[0]
        self._room.occupy(best[1].at, best[2], best[3])
        return best[1]

    def _place_label(self) -> Placed | None:
        if not self._tile.label:
            return None
        text, size = fitted(self._tile.label, 40, LABEL_SIZE, 8, bold=True)
        at = self._room.place(
            corner_places(self._layout, 180), width_of(text, size, bold=True) / 2 + 0.5, size * 0.38 + 0.5
        )
        return Placed(at, (text,), size)

    def _place_cost(self) -> Placed | None:
        tile = self._tile
        if not tile.cost:
            return None
        text = str(tile.cost)
        half_width = (width_of(text, COST_SIZE) + 10.5 * min(1, len(tile.terrain))) / 2 + 0.5
        return Placed(self._room.place(middle_places(self._layout), half_width, 5), (text,), COST_SIZE)

    def _place_marks(self) -> Iterator[Placed]:
        for text in self._marks:
            short, size = fitted(text, 34, MARK_SIZE, 5, bold=True)
            half_width = max(5.5, width_of(short, size, bold=True) / 2 + 2.5)
            yield Placed(self._room.place(corner_places(self._layout, 0), half_width, 5.5), (short,), size)

    def _place_coordinate(self) -> Placed:
        text = self._coordinate
        at = self._room.place(corner_places(self._layout, -120), width_of(text, HEX_SIZE) / 2 + 0.5, HEX_SIZE * 0.42)
        return Placed(at, (text,), HEX_SIZE)


def _set_name(name: str, width: float, size: float) -> tuple[Placed, float, float]:
    """The name in lines, not placed yet; half its width and height."""
    lines = wrapped(name, width, size)
    lines = [*lines[:2], " ".join(lines[2:])] if len(lines) > 3 else lines
    fits = [fitted(line, _NAME_WIDTH + 14, size, 5.6) for line in lines]
    size = min(fit for _, fit in fits)
    texts = tuple(text for text, _ in fits)
    half_width = max(width_of(text, size) for text in texts) / 2 + 0.5
    return Placed(0j, texts, size), half_width, size * NAME_LEADING * len(texts) / 2 - 0.6


def marker_text(marker: Mapping[str, object]) -> str:
    """A few letters for a printed marker: its point or its kind, with the amount it brings."""
    point = marker.get("point")
    if point:
        return str(point)
    parts = [part for part in str(marker.get("kind", "")).split("_") if part not in ("marker", "bonus")]
    text = " ".join(parts)
    if len(text) > 8:
        text = "".join(part[:1].upper() for part in parts)
    amount = marker.get("value")
    return f"{text} {amount}" if amount is not None else text
