"""What the constraint model is about, as plain numbers: nodes, links and what each train can do with them.

The only reasoning here leaves out what no route of a train can contain, so that short trains have small models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations
from typing import Final

from board.hexes import HexId, StopId
from board.network import Link, Network
from board.trains import Row, StopKind, TrainType
from bonuses.terms import Distance, Reach
from routing.problem import RouteProblem

_FAR: Final = 1 << 30

Limit = tuple[frozenset[StopKind], int]
"""At most so many stops of these kinds."""


@dataclass(frozen=True, slots=True)
class TrainData:
    """One train: its place in the position, its rules, and the nodes and links that a route of it can contain.

    ``visit_limits`` bound the visited stops. ``paying`` are the kinds that can count; ``pay_limits`` bound the counted
    stops where visiting does not bound them already (without any, all visited stops of paying kinds count).
    """

    place: int
    type: TrainType
    nodes: tuple[int, ...]
    links: tuple[int, ...]
    visit_limits: tuple[Limit, ...]
    paying: frozenset[StopKind]
    pay_limits: tuple[Limit, ...]


@dataclass(frozen=True)
class ModelData:
    """The problem over its contracted network. Nodes and links are numbered as in the network.

    Where ``places`` are given, there are no other trains than those at these places of the position.
    """

    problem: RouteProblem
    network: Network
    places: frozenset[int] | None = None

    @cached_property
    def kinds(self) -> tuple[StopKind, ...]:
        """The kind of each node."""
        stops = self.problem.position.stops
        return tuple(kind for stop in self.network.stops if (kind := stops[stop].kind) is not None)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """What each node pays in the phase. Money."""
        return tuple(self.problem.position.value(stop) for stop in self.network.stops)

    @cached_property
    def hexes(self) -> tuple[HexId, ...]:
        """The hex of each node."""
        return tuple(stop.hex for stop in self.network.stops)

    @cached_property
    def link_hexes(self) -> tuple[frozenset[HexId], ...]:
        """The hexes that each link runs through, those of its two stops included."""
        return tuple(link.hexes for link in self.network.links)

    @cached_property
    def token_nodes(self) -> frozenset[int]:
        return self.nodes_of(self.problem.token_stops)

    @cached_property
    def partners(self) -> frozenset[int]:
        """Where an extension that earns something may arrive; empty where no bonus asks for extensions."""
        terms = (term for term in self.problem.terms if isinstance(term, Reach) and term.amount > 0)
        return self.nodes_of(stop for term in terms for stop in term.one | term.other)

    def told_by_distance(self, train: TrainData) -> bool:
        """Whether a distance bonus tells the direction of the train's route, so that no other rule need do it."""
        terms = [term for term in self.problem.terms if isinstance(term, Distance) and train.type.name in term.trains]
        return len(terms) == 1

    @cached_property
    def groups(self) -> Mapping[str, tuple[int, ...]]:
        """The nodes of each group of which a route may visit one."""
        members: dict[str, list[int]] = {}
        for node, stop in enumerate(self.network.stops):
            for name in self.problem.groups(stop):
                members.setdefault(name, []).append(node)
        return {name: tuple(nodes) for name, nodes in members.items() if len(nodes) > 1}

    @cached_property
    def trains(self) -> tuple[TrainData, ...]:
        """The trains that can run at all, in the order of the position."""
        of_type = {train.name: train for train in self.problem.position.train_types}
        described = {name: self._describe(train) for name, train in of_type.items()}
        return tuple(
            TrainData(place, of_type[name], *described[name])
            for place, name in enumerate(self.problem.position.trains)
            if described[name][1] and (self.places is None or place in self.places)
        )

    def only(self, places: Iterable[int]) -> ModelData:
        """The same with fewer trains."""
        return replace(self, places=frozenset(places))

    def nodes_of(self, stops: Iterable[StopId]) -> frozenset[int]:
        """The nodes of those *stops* that the network has."""
        index = self.network.index
        return frozenset(index[stop] for stop in stops if stop in index)

    def _describe(
        self, train: TrainType
    ) -> tuple[tuple[int, ...], tuple[int, ...], tuple[Limit, ...], frozenset[StopKind], tuple[Limit, ...]]:
        present = sorted(set(self.kinds), key=lambda kind: kind.value)
        visit = {kinds: room for kinds in _subsets(present) if (room := _room(train.rows, kinds, "visit")) is not None}
        pay = {kinds: room for kinds in _subsets(present) if (room := _room(train.rows, kinds, "pay")) is not None}
        paying = frozenset(kind for kind in present if pay.get(frozenset({kind})) != 0)
        choice = {
            kinds: room
            for kinds, room in pay.items()
            if kinds <= paying and (kinds not in visit or visit[kinds] > room)
        }
        nodes, links = self._in_range(visit)
        return nodes, links, _needed(visit), paying, _needed(choice)

    def _in_range(self, visit: Mapping[frozenset[StopKind], int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The nodes and links near enough to a root for a train with these limits."""
        network = self.network
        links = list(range(len(network.links)))
        for kinds, room in (*visit.items(), (frozenset[StopKind](), 0)):
            cost = [int(kind in kinds) for kind in self.kinds]
            spent = self._cheapest(cost)
            links = [number for number in links if self._least(network.links[number], cost, spent) <= room]
        nodes = {node for number in links for node in (network.links[number].a, network.links[number].b)}
        return tuple(sorted(nodes)), tuple(links)

    def _least(self, link: Link, cost: list[int], spent: list[int]) -> int:
        """The least total cost of the stops on a way from a root that runs over *link*."""
        ahead = spent[link.a] + cost[link.b] if self._may_leave(link.a) else _FAR
        back = spent[link.b] + cost[link.a] if self._may_leave(link.b) else _FAR
        return min(ahead, back)

    def _may_leave(self, node: int) -> bool:
        """Whether the way from a root may lead on from *node*: it can be passed, or is itself a root."""
        return not self.network.ends[node] or node in self.network.roots

    def _cheapest(self, cost: list[int]) -> list[int]:
        """For each node the least total cost of the stops on a way from a root to it, both ends included."""
        network = self.network
        spent = [_FAR] * len(network.stops)
        heap = [(cost[root], root) for root in network.roots]
        for total, root in heap:
            spent[root] = total
        heap.sort()
        while heap:
            total, node = heappop(heap)
            if total > spent[node] or not self._may_leave(node):
                continue
            for number in network.links_at[node]:
                other = network.links[number].other(node)
                if total + cost[other] < spent[other]:
                    spent[other] = total + cost[other]
                    heappush(heap, (spent[other], other))
        return spent


def _subsets(kinds: list[StopKind]) -> Iterable[frozenset[StopKind]]:
    return (frozenset(chosen) for size in range(1, len(kinds) + 1) for chosen in combinations(kinds, size))


def _room(rows: tuple[Row, ...], kinds: frozenset[StopKind], of: str) -> int | None:
    """How many stops of *kinds* the rows take together (Hall's condition); None where one takes any number."""
    room = 0
    for row in rows:
        if row.kinds & kinds:
            places = row.visit if of == "visit" else row.pay
            if places is None:
                return None
            room += places
    return room


def _needed(limits: Mapping[frozenset[StopKind], int]) -> tuple[Limit, ...]:
    """The limits without those that a wider set with no more room implies."""
    return tuple(
        (kinds, room)
        for kinds, room in limits.items()
        if not any(kinds < wider and limits[wider] <= room for wider in limits)
    )
