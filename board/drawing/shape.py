"""Where the parts of a tile lie and how its track runs: everything about a tile's look that its notation leaves open.

Each part has candidate spots, the best-looking first: a lone city in the middle, a city of several on the axis of its
side, a town halfway along its track. Parts are placed one after the other and then moved about until none of them can
do better: spots that overlap another part, foreign track or the rim cost more than spots that look a little odd.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from board.drawing.geometry import APOTHEM, RADIUS, Curve, Line, between_sides, from_side, samples, side_direction
from board.hexes import SIDES, Layout
from board.tiles import End, Part, Tile
from board.trains import StopKind

SLOT: Final = 11.6
"""Radius of a token slot."""
TOWN: Final = 5.0
"""Radius of a town's dot; half the length of its bar is a little more."""
_OFF_BOARD: Final = 13.0
_JUNCTION: Final = 3.0
_TRACK: Final = 4.5
_APART: Final = 6.0
_SWEEPS: Final = 3


class Spot(NamedTuple):
    """A place for a part. ``heading`` is the direction of its row of slots, or of the track under a town's bar;
    ``along`` names the two sides whose curve it lies on, and how far along; ``cost`` is how odd it looks."""

    at: complex
    heading: complex
    along: tuple[int, int, float] | None
    cost: float


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """A part with its place. ``slots`` are the centres of its token slots; ``bar``: a town drawn as a bar."""

    part: Part
    at: complex
    heading: complex
    slots: tuple[complex, ...]
    bar: bool

    @property
    def rings(self) -> tuple[tuple[complex, float], ...]:
        """Circles (centre, radius) that cover it."""
        return _rings(self.part, self.at, self.heading)


@dataclass(frozen=True, slots=True)
class TileShape:
    """The look of a tile: placed parts, and the curve of each piece of track from its end ``a`` to its end ``b``."""

    parts: Mapping[str, PlacedPart]
    curves: Mapping[tuple[End, End], Curve]

    def curve(self, start: End, end: End) -> Curve | None:
        """The track between two ends in that direction; None where the tile has none."""
        if (start, end) in self.curves:
            return self.curves[start, end]
        found = self.curves.get((end, start))
        return found.part(1, 0) if found is not None else None


@lru_cache(maxsize=1024)
def shape_of(tile: Tile, layout: Layout) -> TileShape:
    return _Arrangement(tile, layout).shape()


def slot_centres(count: int, at: complex, heading: complex) -> tuple[complex, ...]:
    """Where the slots of a city lie: a row of two, a triangle, or two rows."""
    step, down = heading * SLOT, heading * 1j * SLOT
    if count <= 1:
        return (at,)
    if count == 2:
        return (at - step, at + step)
    if count == 3:
        return (at - step + down / math.sqrt(3), at - down * 2 / math.sqrt(3), at + step + down / math.sqrt(3))
    above, below = (count + 1) // 2, count // 2
    return (
        *(at - down + step * (2 * place - above + 1) for place in range(above)),
        *(at + down + step * (2 * place - below + 1) for place in range(below)),
    )


def _rings(part: Part, at: complex, heading: complex) -> tuple[tuple[complex, float], ...]:
    if part.kind is StopKind.CITY:
        return tuple((centre, SLOT + 1) for centre in slot_centres(part.slots, at, heading))
    if part.kind is StopKind.TOWN:
        return ((at, TOWN + 1),)
    return ((at, _OFF_BOARD if part.kind is StopKind.OFF_BOARD else _JUNCTION),)


class _Arrangement:
    """Finds the spots of one tile's parts."""

    def __init__(self, tile: Tile, layout: Layout) -> None:
        self._tile, self._layout = tile, layout
        self._exits = {part.id: sorted(tile.sides_of(part.id)) for part in tile.parts}
        self._fixed: dict[tuple[End, End], Curve] = {
            (piece.a, piece.b): between_sides(layout, piece.a, piece.b)
            for piece in tile.track
            if isinstance(piece.a, int) and isinstance(piece.b, int)
        }
        self._rim = [side_direction(layout, side) for side in SIDES]
        self._chosen: dict[str, Spot] = {}

    def shape(self) -> TileShape:
        self._choose()
        parts = {part.id: self._placed(part) for part in self._tile.parts}
        curves: dict[tuple[End, End], Curve] = dict(self._fixed)
        for piece in self._tile.track:
            if isinstance(piece.b, str):
                spot = self._chosen[piece.b]
                curves[piece.a, piece.b] = (
                    self._curve(piece.a, spot) if isinstance(piece.a, int) else Line(self._chosen[piece.a].at, spot.at)
                )
        return TileShape(parts, curves)

    def _placed(self, part: Part) -> PlacedPart:
        spot = self._chosen[part.id]
        slots = slot_centres(part.slots, spot.at, spot.heading) if part.kind is StopKind.CITY else ()
        return PlacedPart(part, spot.at, spot.heading, slots, part.kind is StopKind.TOWN and spot.along is not None)

    def _curve(self, side: int, spot: Spot) -> Curve:
        if spot.along is not None:
            one, other, share = spot.along
            whole = between_sides(self._layout, one, other)
            return whole.part(0 if side == one else 1, share)
        return from_side(self._layout, side, spot.at)

    def _choose(self) -> None:
        spots = {part.id: list(self._spots(part)) for part in self._tile.parts}
        self._chosen = {part_id: options[0] for part_id, options in spots.items()}
        spots = {part_id: sorted(options, key=lambda spot: spot.cost) for part_id, options in spots.items()}
        if len(spots) == 1 and not self._fixed:
            return
        for _ in range(_SWEEPS):
            before = dict(self._chosen)
            for part in self._tile.parts:
                self._chosen[part.id] = self._best(part, spots[part.id])
            if before == self._chosen:
                return

    def _best(self, part: Part, spots: Sequence[Spot]) -> Spot:
        """The cheapest of *spots*, which are sorted by how odd they look."""
        obstacles = list(self._obstacles(part))
        best, least = spots[0], math.inf
        for spot in spots:
            if spot.cost >= least:
                break
            cost = self._cost(part, spot, obstacles, least)
            if cost < least:
                best, least = spot, cost
        return best

    def _obstacles(self, part: Part) -> Iterator[tuple[complex, float]]:
        """Circles that the part should keep clear of: the other parts and all track but its own."""
        for other in self._tile.parts:
            if other.id != part.id:
                spot = self._chosen[other.id]
                for centre, radius in _rings(other, spot.at, spot.heading):
                    yield centre, radius + _APART
                for side in self._exits[other.id]:
                    yield from ((point, _TRACK) for point in samples(self._curve(side, spot), 5))
        for curve in self._fixed.values():
            yield from ((point, _TRACK) for point in samples(curve, 9))

    def _cost(self, part: Part, spot: Spot, obstacles: Sequence[tuple[complex, float]], enough: float) -> float:
        """What the spot costs; stops counting at *enough*."""
        cost = spot.cost
        for centre, radius in _rings(part, spot.at, spot.heading):
            for other, reach in obstacles:
                cost += max(0.0, radius + reach - abs(centre - other))
            for outwards in self._rim:
                cost += 4 * max(0.0, (centre * outwards.conjugate()).real + radius + 1 - APOTHEM)
        if spot.along is None and spot.at and cost < enough:
            cost += sum(self._crossing(side, spot, obstacles) for side in self._exits[part.id])
        return cost

    def _crossing(self, side: int, spot: Spot, obstacles: Sequence[tuple[complex, float]]) -> float:
        """How much the part's own track would run into other things on its way from the rim."""
        points = list(samples(self._curve(side, spot), 6))[2:]
        return sum(
            0.15 * max(0.0, _TRACK + reach - abs(point - other)) for point in points for other, reach in obstacles
        )

    def _spots(self, part: Part) -> Iterator[Spot]:
        exits = self._exits[part.id]
        alone = sum(other.kind is not None for other in self._tile.parts) <= 1
        if part.kind is StopKind.OFF_BOARD or part.kind is None:
            yield from self._inner_spots(exits, alone or part.kind is None)
        elif len(exits) == 2 and (part.kind is StopKind.TOWN or not alone):
            yield from self._spots_along(exits)
        elif len(exits) == 1 and not alone:
            yield from self._spots_on_axis(exits[0])
        elif not exits and not alone:
            yield self._spot_of_unbuilt(part)
        yield Spot(0j, 1 + 0j, None, 0.0 if alone or len(exits) > 2 else 6.0)
        yield from self._ring(exits)

    def _spots_along(self, exits: Sequence[int]) -> Iterator[Spot]:
        curve = between_sides(self._layout, exits[0], exits[1])
        for share in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
            heading = curve.at(share + 0.01) - curve.at(share - 0.01)
            at = curve.at(share)
            yield Spot(at, heading / abs(heading), (exits[0], exits[1], share), abs(share - 0.5) * 8)

    def _spots_on_axis(self, side: int) -> Iterator[Spot]:
        outwards = side_direction(self._layout, side)
        for share, cost in ((0.5, 0.0), (0.44, 0.6), (0.56, 0.6), (0.36, 1.2), (0.6, 1.2), (0.25, 2.0)):
            yield Spot(outwards * RADIUS * share, _upright(outwards * 1j), None, cost)

    def _spot_of_unbuilt(self, part: Part) -> Spot:
        """Cities and towns without track stand evenly round the middle, two of them side by side."""
        others = [other.id for other in self._tile.parts if not self._exits[other.id] and other.kind is not None]
        first = 180 if len(others) == 2 else 210
        direction = cmath.rect(1, math.radians(first + 360 * others.index(part.id) / len(others)))
        share = 0.5 if len(others) > 1 else 0.4
        return Spot(direction * RADIUS * share, _upright(direction * 1j), None, 0.0)

    def _inner_spots(self, exits: Sequence[int], central: bool) -> Iterator[Spot]:
        if central:
            yield Spot(0j, 1 + 0j, None, 0.0)
        middle = sum(side_direction(self._layout, side) for side in exits) if exits else 0j
        if abs(middle) > 0.1:
            yield Spot(middle / abs(middle) * RADIUS * 0.4, 1 + 0j, None, 1.0)

    def _ring(self, exits: Sequence[int]) -> Iterator[Spot]:
        """All round the middle, rather towards the part's own sides."""
        middle = sum(side_direction(self._layout, side) for side in exits) if exits else 0j
        for share, extra in ((0.45, 4.0), (0.55, 5.0)):
            for step in range(12):
                direction = side_direction(self._layout, 0) * cmath.rect(1, math.pi / 6 * step)
                away = 1 - (direction * middle.conjugate()).real / abs(middle) if abs(middle) > 0.1 else 0.0
                yield Spot(direction * RADIUS * share, _upright(direction * 1j), None, extra + away * 2)


def _upright(heading: complex) -> complex:
    """The same line, read from left to right."""
    return -heading if heading.real < -1e-9 else heading
