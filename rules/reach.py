"""What a company can reach over track. Source: COMMON section 7, "Reachable".

Track is explored from stop to stop, once for all companies: a *way* holds everything between a stop and the next ones.
A lay changes only the ways that come to its hex; a company then goes from way to way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

from board.hexes import SIDES, HexId, StopId
from board.map import GameMap
from board.tiles import Part, Passage, Tile, Track

_ALL_SIDES: Final = 0b111111
#: The sides that a number of six bits names.
_SIDES_OF: Final = tuple(frozenset(side for side in SIDES if bits >> side & 1) for bits in range(_ALL_SIDES + 1))
_EVERY_SIDE: Final = _SIDES_OF[_ALL_SIDES]

IsEnd = Callable[[StopId, Part], bool]
"""Whether the company may go to a stop but not on from it."""


@dataclass(frozen=True)
class Reach:
    """What a company reaches by unblocked track from its tokens.

    ``bits`` are sides of hexes, six bits for each hex in the order of ``places``; ``stops`` the revenue centres reached
    (blocked cities included, as ends); ``route``: two connected stops exist, one of them an own token. ``roots`` and
    ``closed``: where the company starts, and stops that do not exist for it.
    """

    bits: int
    stops: frozenset[StopId]
    route: bool
    roots: tuple[StopId, ...] = field(repr=False, compare=False)
    closed: frozenset[StopId] = field(repr=False, compare=False)
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
    """Track from a stop (or from a hexside) over one of its pieces: the sides of hexes that it uses or comes to, as in
    :class:`Reach`, and the stops where it ends, each with its last piece."""

    piece: Track
    bits: int
    ends: tuple[tuple[StopId, Track], ...]


_Pending = tuple[StopId | None, Way]
"""A way to follow, with the stop from which it leads."""


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
        self,
        game_map: GameMap,
        layout: Mapping[HexId, Tile],
        before: Mapping[StopId, Departures] | None = None,
        changed: int = 0,
    ) -> None:
        """``before``: what is known of another layout, which differs in the hexes with the sides ``changed``."""
        self._map, self._layout = game_map, layout
        self._known: dict[StopId, Departures] = {}
        self._before = before or {}
        self._changed = changed

    def leaving(self, stop: StopId) -> Departures:
        """The ways from the stop, one for each piece of track that touches it."""
        found = self._known.get(stop)
        if found is None:
            found = self._before.get(stop)
            if found is None or found.bits & self._changed:
                found = self._departures(stop, found)
            self._known[stop] = found
        return found

    def _departures(self, stop: StopId, before: Departures | None) -> Departures:
        """The ways from a stop, where they stand those of another layout."""
        hex_id, tile = stop.hex, self._layout[stop.hex]
        part = tile.part(stop.part)
        assert part is not None
        bits = self.sides_of(hex_id)
        standing = before.ways if before is not None and not bits & self._changed else ()
        still = {id(way.piece): way for way in standing if not way.bits & self._changed}
        ways = tuple(
            still.get(id(passage.piece)) or self._explored(hex_id, passage)
            for passage in tile.passages.get(part.id, ())
        )
        onward = tuple(way for way in ways if not way.piece.terminal)
        for way in ways:
            bits |= way.bits
        return Departures(part, ways, onward, bits)

    def sides_of(self, hex_id: HexId) -> int:
        """All sides of the hex, as bits."""
        return _ALL_SIDES << 6 * self._map.places[hex_id]

    def with_tile(self, hex_id: HexId, layout: Mapping[HexId, Tile]) -> Ways:
        """The ways of a layout that differs in one hex."""
        standing = {stop: found for stop, found in self._before.items() if not found.bits & self._changed}
        return Ways(self._map, layout, {**standing, **self._known}, self.sides_of(hex_id))

    def without(self, hex_id: HexId) -> Ways:
        """The ways of the layout if no track lay in the hex."""
        tile = self._layout[hex_id]
        if not tile.track:
            return self
        return self.with_tile(hex_id, {**self._layout, hex_id: Tile(tile.id, tile.colour)})

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

    def across(self, hex_id: HexId, side: int) -> Iterator[Way]:
        """The ways on from where track arrives that leaves the hex over the side."""
        other = self._map.neighbour(hex_id, side)
        if other is not None:
            for passage in self._layout[other].passages.get((side + 3) % 6, ()):
                yield self._explored(other, passage)

    def among(self, bits: int, hex_id: HexId) -> frozenset[int]:
        """The sides of the hex that are among those of *bits*."""
        return _SIDES_OF[bits >> 6 * self._map.places[hex_id] & _ALL_SIDES]

    def reach(self, roots: tuple[StopId, ...], closed: frozenset[StopId], is_end: IsEnd) -> Reach:
        """What can be reached from the roots; ``closed`` stops do not exist."""
        starts = tuple(root for root in roots if root not in closed)
        ways: list[_Pending] = [(root, way) for root in starts for way in self.leaving(root).ways]
        bits, stops, route = self.follow(ways, starts, closed, is_end)
        for root in starts:
            bits |= self.sides_of(root.hex)
        return Reach(bits, stops.union(starts), route, roots, closed, self._map.places)

    def follow(
        self,
        ways: list[_Pending],
        roots: tuple[StopId, ...],
        closed: frozenset[StopId],
        is_end: IsEnd,
    ) -> tuple[int, frozenset[StopId], bool]:
        """Where the ways lead, each with the stop from which it comes: sides as bits, stops, and whether one of them is
        another than the stop before it. All ways from the roots are among those given."""
        bits, route = 0, False
        stops: set[StopId] = set()
        came_by: CameBy = dict.fromkeys(roots)
        while ways:
            start, way = ways.pop()
            bits |= way.bits
            for stop, piece in way.ends:
                if stop in closed:
                    continue
                stops.add(stop)
                route = route or stop != start
                if leads_on(came_by, stop, piece):
                    departures = self.leaving(stop)
                    onward = () if is_end(stop, departures.part) else departures.onward
                    ways += [(stop, on) for on in _opened(came_by, stop, piece, onward)]
        return bits, frozenset(stops), route


CameBy = dict[StopId, Track | None]
"""The piece by which each stop was reached first; None once every way on is taken."""

_Leading = TypeVar("_Leading", Way, Passage)


def leads_on(came_by: CameBy, stop: StopId, piece: Track) -> bool:
    """Whether who comes to a stop over the piece may find ways on that have not been taken."""
    return not piece.terminal and came_by.get(stop, ...) not in (None, piece)


def _opened(came_by: CameBy, stop: StopId, piece: Track, ways: tuple[_Leading, ...]) -> list[_Leading]:
    """The ways on that coming over the piece opens: all but the piece itself; over a second one, that by which the stop
    was reached first."""
    if stop not in came_by:
        came_by[stop] = piece
        return [way for way in ways if way.piece is not piece]
    first, came_by[stop] = came_by[stop], None
    return [way for way in ways if way.piece is first]


class Around:
    """The board around one hex as a company reaches it: over which sides track comes to the hex, and over which it
    comes back if it leaves the hex over a side. So any tile can be looked at in the hex without following all track."""

    def __init__(self, ways: Ways, hex_id: HexId, reach: Reach, is_end: IsEnd) -> None:
        """``reach``: what the company reaches now; tokens in the hex itself are told with each tile."""
        self.reach = reach
        self._ways, self._hex, self._is_end = ways.without(hex_id), hex_id, is_end
        roots = tuple(root for root in reach.roots if root.hex != hex_id)
        if self._ways is not ways or len(roots) < len(reach.roots):
            reach = self._ways.reach(roots, reach.closed, is_end)
        self._arriving = reach.sides_of(hex_id)
        self._back: dict[int, frozenset[int]] = {}

    def back(self, side: int) -> frozenset[int]:
        """The sides over which track that leaves the hex over this side comes back to it."""
        found = self._back.get(side)
        if found is None:
            ways: list[_Pending] = [(None, way) for way in self._ways.across(self._hex, side)]
            bits, _, _ = self._ways.follow(ways, (), self.reach.closed, self._is_end)
            found = self._back[side] = self._ways.among(bits, self._hex)
        return found

    def within(
        self, tile: Tile, roots: tuple[StopId, ...], closed: frozenset[StopId], is_end: IsEnd
    ) -> Iterator[tuple[frozenset[int], frozenset[StopId]]]:
        """The sides and stops of the hex that the company reaches if the tile lies there with these tokens of its own:
        at first what track that comes to the hex reaches in it, then more with each way out and back."""
        passages = tile.passages
        roots = tuple(root for root in roots if root not in closed)
        entered, left = self._arriving, frozenset[int]()
        stops, came_by = set(roots), CameBy.fromkeys(roots)
        pending = [passage for root in roots for passage in passages.get(root.part, ())]
        pending += [passage for side in entered for passage in passages.get(side, ())]
        while True:
            out: set[int] = set()
            while pending:
                passage = pending.pop()
                out.update(passage.sides)
                for part_id, piece in passage.stops:
                    stop, part = StopId.of(self._hex, part_id), tile.part(part_id)
                    assert part is not None
                    if stop in closed:
                        continue
                    stops.add(stop)
                    if leads_on(came_by, stop, piece):
                        onward = () if is_end(stop, part) else tile.onward(part_id)
                        pending += _opened(came_by, stop, piece, onward)
            yield _EVERY_SIDE if roots else entered | left | out, frozenset(stops)
            fresh = frozenset(back for side in out - left for back in self.back(side)) - entered
            if not fresh:
                return
            entered, left = entered | fresh, left | out
            pending = [passage for side in fresh for passage in passages.get(side, ())]
