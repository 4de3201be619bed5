"""What a company can reach over track. Source: COMMON section 7, "Reachable".

Track is explored from stop to stop, once for all companies: a *way* holds everything between a stop and the next ones.
A lay changes only the ways that come to its hex; a company then goes from way to way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from board.hexes import SIDES, HexId, StopId
from board.map import GameMap
from board.tiles import Part, Passage, Tile, Track

_ALL_SIDES: Final = 0b111111
#: The sides that a number of six bits names.
_SIDES_OF: Final = tuple(frozenset(side for side in SIDES if bits >> side & 1) for bits in range(_ALL_SIDES + 1))


@dataclass(frozen=True)
class Reach:
    """What a company reaches by unblocked track from its tokens.

    ``bits`` are sides of hexes, six bits for each hex in the order of ``places``; ``stops`` the revenue centres reached
    (blocked cities included, as ends); ``route``: two connected stops exist, one of them an own token.
    """

    bits: int
    stops: frozenset[StopId]
    route: bool
    places: Mapping[HexId, int] = field(repr=False, compare=False)

    @cached_property
    def sides(self) -> Mapping[HexId, frozenset[int]]:
        """For each hex the sides at which its track can be joined or is used."""
        return {hex_id: self.sides_of(hex_id) for hex_id in self.places if self.comes_to(hex_id)}

    def sides_of(self, hex_id: HexId) -> frozenset[int]:
        """The sides of one hex; none where the company does not come."""
        return _SIDES_OF[self.bits >> 6 * self.places[hex_id] & _ALL_SIDES]

    def comes_to(self, hex_id: HexId) -> bool:
        return bool(self.bits >> 6 * self.places[hex_id] & _ALL_SIDES)


class Way(NamedTuple):
    """Track from a stop over one of its pieces: the sides of hexes that it uses or comes to, as in :class:`Reach`, and
    the stops where it ends, each with its last piece."""

    piece: Track
    bits: int
    ends: tuple[tuple[StopId, Track], ...]


class Departures(NamedTuple):
    """All ways from a stop, those that may be taken by who has come to it over track (terminal track leads nowhere),
    and every side where a new tile would change them."""

    part: Part
    ways: tuple[Way, ...]
    onward: tuple[Way, ...]
    bits: int


class Ways:
    """The ways of a layout, each explored when first asked for."""

    def __init__(
        self, game_map: GameMap, layout: Mapping[HexId, Tile], known: dict[StopId, Departures] | None = None
    ) -> None:
        self._map, self._layout = game_map, layout
        self._known = {} if known is None else known

    def leaving(self, stop: StopId) -> Departures:
        """The ways from the stop, one for each piece of track that touches it."""
        found = self._known.get(stop)
        if found is None:
            hex_id, tile = stop.hex, self._layout[stop.hex]
            part = tile.part(stop.part)
            assert part is not None
            ways = tuple(self._explored(hex_id, passage) for passage in tile.passages.get(part.id, ()))
            onward = tuple(way for way in ways if not way.piece.terminal)
            bits = _ALL_SIDES << 6 * self._map.places[hex_id]
            for way in ways:
                bits |= way.bits
            found = self._known[stop] = Departures(part, ways, onward, bits)
        return found

    def with_tile(self, hex_id: HexId, layout: Mapping[HexId, Tile]) -> Ways:
        """The ways of a layout that differs in one hex."""
        there = _ALL_SIDES << 6 * self._map.places[hex_id]
        still = {stop: departures for stop, departures in self._known.items() if not departures.bits & there}
        return Ways(self._map, layout, still)

    def _explored(self, start: HexId, first: Passage) -> Way:
        layout, places, neighbour = self._layout, self._map.places, self._map.neighbour
        bits = 0
        ends: dict[tuple[StopId, Track], None] = {}
        entered: set[tuple[HexId, int]] = set()
        pending: list[tuple[HexId, Passage]] = [(start, first)]
        while pending:
            hex_id, passage = pending.pop()
            for part_id, piece in passage.stops:
                ends[StopId.of(hex_id, part_id), piece] = None
            for side in passage.sides:
                bits |= 1 << 6 * places[hex_id] + side
                other = neighbour(hex_id, side)
                if other is None:
                    continue
                across = (side + 3) % 6
                bits |= 1 << 6 * places[other] + across
                if (other, across) not in entered:
                    entered.add((other, across))
                    pending += [(other, ahead) for ahead in layout[other].passages.get(across, ())]
        return Way(first.piece, bits, tuple(ends))

    def reach(
        self, roots: Iterable[StopId], closed: frozenset[StopId], is_end: Callable[[StopId, Part], bool]
    ) -> Reach:
        """What can be reached from the roots. ``closed`` stops do not exist, those that are an end are not left; the
        track over which a stop was reached is no way on from it."""
        bits, route = 0, False
        # The piece by which a stop was reached; None once all ways on are taken.
        came_by: dict[StopId, Track | None] = {}
        pending: list[tuple[StopId, Way]] = []
        stops: set[StopId] = set()
        for root in roots:
            if root not in closed:
                stops.add(root)
                came_by[root] = None
                bits |= _ALL_SIDES << 6 * self._map.places[root.hex]
                pending += [(root, way) for way in self.leaving(root).ways]
        while pending:
            start, way = pending.pop()
            bits |= way.bits
            for stop, piece in way.ends:
                if stop in closed:
                    continue
                stops.add(stop)
                route = route or stop != start
                if piece.terminal:
                    continue
                if stop not in came_by:
                    departures = self.leaving(stop)
                    if is_end(stop, departures.part):
                        came_by[stop] = None
                    else:
                        came_by[stop] = piece
                        pending += [(stop, on) for on in departures.onward if on.piece is not piece]
                elif (first := came_by[stop]) is not None and first is not piece:
                    came_by[stop] = None
                    pending += [(stop, on) for on in self.leaving(stop).onward if on.piece is first]
        return Reach(bits, frozenset(stops), route, self._map.places)
