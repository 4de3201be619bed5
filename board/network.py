"""The track graph: stops as nodes, one link for each distinct piece of track between two stops.

A link is contracted track: everything from one stop to the next. It knows the *resources* that it uses up: hexsides
(one resource seen from both hexes), junctions, and pieces that join two stops inside a tile. Two links conflict when
they share a resource. Source: COMMON section 9, check 8.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from board.errors import Fault, LimitExceeded
from board.hexes import HexId, StopId, opposite
from board.position import Position
from board.routes import Leg, TrackPiece
from board.tiles import End, Tile, Track

if TYPE_CHECKING:
    import networkx

#: Steps that may be taken from one stop to find the links that leave it; real maps need some hundred.
MOST_CHAINS: Final = 200_000
#: Chains from one stop that are kept for the next position, and layouts of the tiles around it that are kept.
_MOST_KEPT_CHAINS: Final = 64
_MOST_KEPT_LAYOUTS: Final = 6

Resource = tuple[HexId, int | str]
"""A hexside (hex and side), a junction (hex and part), or an inner piece of track (hex and its text)."""


class Link(NamedTuple):
    """Track between two stops. ``a`` and ``b`` index :attr:`Network.stops`, ``a < b``; the leg runs from a to b.

    ``hexes`` are those that it runs through. ``terminal_a`` (``terminal_b``): the piece at that end is terminal, so a
    route may end there but not run on.
    """

    a: int
    b: int
    leg: Leg
    resources: frozenset[Resource]
    hexes: frozenset[HexId]
    terminal_a: bool
    terminal_b: bool

    def other(self, node: int) -> int:
        return self.b if node == self.a else self.a

    def leg_from(self, node: int) -> Leg:
        return self.leg if node == self.a else self.leg.reversed()


@dataclass(frozen=True)
class Network:
    """The part of the track graph that the operator can reach, contracted to stops and links.

    ``ends[n]``: a route may end at stop n but not run through it. ``roots``: the stops from which the network was
    explored (cities with an own token and what counts as one).
    """

    stops: tuple[StopId, ...]
    links: tuple[Link, ...]
    ends: tuple[bool, ...]
    roots: tuple[int, ...]

    @cached_property
    def index(self) -> dict[StopId, int]:
        return {stop: node for node, stop in enumerate(self.stops)}

    @cached_property
    def links_at(self) -> tuple[tuple[int, ...], ...]:
        """For each stop the links that touch it."""
        found: list[list[int]] = [[] for _ in self.stops]
        for number, link in enumerate(self.links):
            found[link.a].append(number)
            found[link.b].append(number)
        return tuple(tuple(links) for links in found)

    @cached_property
    def shared(self) -> dict[Resource, tuple[int, ...]]:
        """The resources that more than one link uses, with those links."""
        users: dict[Resource, list[int]] = {}
        for number, link in enumerate(self.links):
            for resource in link.resources:
                users.setdefault(resource, []).append(number)
        return {resource: tuple(links) for resource, links in users.items() if len(links) > 1}

    @property
    def graph(self) -> networkx.MultiGraph[StopId]:
        """The same as a networkx graph: stops as nodes, links as edges keyed by their number."""
        import networkx

        graph: networkx.MultiGraph[StopId] = networkx.MultiGraph()
        for node, stop in enumerate(self.stops):
            graph.add_node(stop, ends=self.ends[node], root=node in self.roots)
        for number, link in enumerate(self.links):
            graph.add_edge(self.stops[link.a], self.stops[link.b], key=number, link=link)
        return graph


def build_network(
    position: Position,
    roots: Collection[StopId],
    *,
    closed: Collection[StopId] = (),
    through_blocked: bool = False,
) -> Network:
    """Explore the track from *roots* and contract it.

    ``closed`` stops do not exist for the operator: no route may even touch them. With ``through_blocked`` the
    exploration runs on through blocking cities (their ``ends`` flag stays set), which interconnection extensions need.
    """
    index: dict[StopId, int] = {}
    order: list[StopId] = []
    found: dict[frozenset[TrackPiece], Link] = {}
    queue: deque[StopId] = deque(stop for stop in dict.fromkeys(roots) if stop in position.stops and stop not in closed)
    root_stops = frozenset(queue)
    explored: set[StopId] = set()
    for stop in queue:
        index[stop] = len(order)
        order.append(stop)
    while queue:
        here = queue.popleft()
        if here not in root_stops and position.ends_route(here) and not (through_blocked and position.blocks(here)):
            continue
        for chain in _chains_from(position, here):
            there = chain.leg.end
            # what joins two explored stops was found from the first of them
            if there in explored or there in closed or there == here:
                continue
            if there not in index:
                index[there] = len(order)
                order.append(there)
                queue.append(there)
            if chain.pieces not in found:
                found[chain.pieces] = _link(chain, index[here], index[there])
        explored.add(here)
    ends = tuple(position.ends_route(stop) for stop in order)
    return Network(
        tuple(order), tuple(found.values()), ends, tuple(index[stop] for stop in root_stops_in_order(order, root_stops))
    )


def root_stops_in_order(order: list[StopId], roots: frozenset[StopId]) -> Iterator[StopId]:
    return (stop for stop in order if stop in roots)


class _Chain(NamedTuple):
    """Track from one stop to the next, with what a link needs to know of it."""

    leg: Leg
    pieces: frozenset[TrackPiece]
    resources: frozenset[Resource]
    hexes: frozenset[HexId]


def _link(chain: _Chain, here: int, there: int) -> Link:
    leg = chain.leg if here < there else chain.leg.reversed()
    first, last = leg.pieces[0].track.terminal, leg.pieces[-1].track.terminal
    return Link(min(here, there), max(here, there), leg, chain.resources, chain.hexes, first, last)


def _chains_from(position: Position, start: StopId) -> tuple[_Chain, ...]:
    """Every chain of track from *start* to another stop that uses no resource twice.

    From one position to the next few tiles change, so what was found is kept with the map, together with the tiles
    that decided it, and holds wherever the same tiles lie.
    """
    layout = position.layout_of
    explored = position.edition.map.explored
    known: tuple[tuple[tuple[HexId, ...], list[Tile], tuple[_Chain, ...]], ...] = explored.get(start, ())
    for hexes, tiles, chains in known:
        if [layout[hex_id] for hex_id in hexes] == tiles:
            return chains
    seen = {start.hex: layout[start.hex]}
    found = tuple(_walked(position, start, seen))
    if len(found) <= _MOST_KEPT_CHAINS:
        explored[start] = ((tuple(seen), list(seen.values()), found), *known[: _MOST_KEPT_LAYOUTS - 1])
    return found


def _walked(position: Position, start: StopId, seen: dict[HexId, Tile]) -> Iterator[_Chain]:
    """The chains, walked piece by piece; adds the tiles that were looked at to *seen*."""
    layout = position.layout_of
    game_map = position.edition.map
    start_hex = start.hex
    pending: list[tuple[HexId, End, Track, tuple[TrackPiece, ...], frozenset[Resource]]] = [
        (start_hex, start.part, piece, (), frozenset()) for piece in layout[start_hex].track_at.get(start.part, ())
    ]
    budget = MOST_CHAINS
    while pending:
        budget -= 1
        if not budget:
            message = f"the track from {game_map.name_of(start)} branches into more than {MOST_CHAINS:,} ways"
            raise LimitExceeded(Fault("too-much-track", message, str(start)))
        hex_id, entered, piece, pieces, used = pending.pop()
        end = piece.b if entered == piece.a else piece.a
        pieces = (*pieces, TrackPiece(hex_id, piece))
        if isinstance(end, int):
            other = game_map.neighbour(hex_id, end)
            if other is None:
                continue
            across = opposite(end)
            resource: Resource = (hex_id, end) if (hex_id, end) < (other, across) else (other, across)
            if resource in used:
                continue
            used = used | {resource}
            seen[other] = layout[other]
            pending += [(other, across, following, pieces, used) for following in seen[other].track_at.get(across, ())]
        elif end[0] == "j":
            resource = (hex_id, end)
            if resource in used or piece.terminal:
                continue
            used = used | {resource}
            pending += [
                (hex_id, end, following, pieces, used)
                for following in layout[hex_id].track_at[end]
                if following != piece and not following.terminal
            ]
        else:
            if isinstance(entered, str):
                used = used | {(hex_id, str(piece))}
            hexes = frozenset(piece.hex for piece in pieces)
            yield _Chain(Leg(start, StopId.of(hex_id, end), pieces), frozenset(pieces), used, hexes)
