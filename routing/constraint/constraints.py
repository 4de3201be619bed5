"""The rules of routes as constraints, one method a rule. The order of the methods does not matter.

Sources: COMMON section 9 unless a method says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from routing.constraint.data import ModelData
from routing.constraint.variables import ExtensionVariables, RouteVariables, Variables

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, LinearExprT


class RouteConstraints:
    """Everything that makes a set of routes legal, and what tells apart route sets that are the same."""

    def __init__(self, model: CpModel, data: ModelData, variables: Variables, *, free: Collection[int] = ()) -> None:
        self._model, self._data, self._variables = model, data, variables
        self._free = frozenset(free)
        """Places of the trains whose routes are not given beforehand; only these may be exchanged."""

    def add(self) -> None:
        """Add every rule to the model."""
        for_each_route: tuple[Callable[[RouteVariables], None], ...] = (
            self._chain_of_stops,
            self._one_link_an_arc,
            self._at_least_two_stops,
            self._one_direction,
            self._own_token,
            self._must_visit,
            self._one_stop_of_a_group,
            self._terminal_track_at_the_ends,
            self._range,
            self._not_through_closed_ends,
        )
        for route in self._variables.routes:
            for rule in for_each_route:
                rule(route)
        for extension in self._variables.extensions:
            self._extension_is_a_trail(extension)
            self._extension_leaves_an_end(extension)
            self._extension_passes_no_own_stop(extension)
            self._extension_keeps_to_open_track(extension)
        self._track_once()
        self._same_trains_in_order()

    # One route.

    def _chain_of_stops(self, route: RouteVariables) -> None:
        """A route is a chain of stops, none visited twice; an idle train visits none. Checks 6 and 9."""
        number = {node: place for place, node in enumerate(route.train.nodes, start=1)}
        self._model.add_circuit(
            [
                (0, 0, route.idle),
                *((0, number[node], start) for node, start in route.start.items()),
                *((number[node], 0, end) for node, end in route.end.items()),
                *((number[node], number[node], skip) for node, skip in route.skips.items()),
                *((number[a], number[b], arc) for (a, b), arc in route.arcs.items()),
            ]
        )
        for skip in route.skips.values():
            self._model.add_implication(route.idle, skip)

    def _one_link_an_arc(self, route: RouteVariables) -> None:
        """From one stop to the next a route takes one of the links between them."""
        for (a, b), links in route.links_between.items():
            if len(links) > 1:
                self._model.add(sum(route.used(links)) == route.arcs[a, b] + route.arcs[b, a])

    def _at_least_two_stops(self, route: RouteVariables) -> None:
        """A route has at least two stops. Check 1."""
        for node in route.train.nodes:
            self._model.add_at_most_one(route.start[node], route.end[node])

    def _one_direction(self, route: RouteVariables) -> None:
        """A route and its reverse are one: it begins at the stop of lower number.

        Where the distance between its ends is measured, it runs in one of three directions instead.
        """
        if self._data.told_by_distance(route.train):
            return
        nodes = route.train.nodes
        for place in range(len(nodes)):
            ends = [route.end[node] for node in nodes[: place + 1]]
            starts = [route.start[node] for node in nodes[:place]]
            self._model.add(sum(ends) <= sum(starts))

    def _own_token(self, route: RouteVariables) -> None:
        """A route visits a stop from which the network was explored: one with an own token where the rules require
        it (check 2), else one of those that every route must visit."""
        self._model.add_bool_or(route.idle, *route.visited(self._data.network.roots))

    def _must_visit(self, route: RouteVariables) -> None:
        """A route meets the title's conditions, each by at least one stop. Check 5."""
        for condition in self._data.problem.rules.must_visit:
            self._model.add_bool_or(route.idle, *route.visited(self._data.nodes_of(condition.stops)))

    def _one_stop_of_a_group(self, route: RouteVariables) -> None:
        """Of stops that share a group a route visits at most one. Check 3."""
        for members in self._data.groups.values():
            self._model.add_at_most_one(route.visited(members))

    def _terminal_track_at_the_ends(self, route: RouteVariables) -> None:
        """A route that enters a stop by terminal track ends there. Check 4."""
        for (a, b), links in route.links_between.items():
            for number in links:
                link = self._data.network.links[number]
                for node, terminal in ((a, link.terminal_a), (b, link.terminal_b)):
                    if terminal:
                        for use in route.uses[number]:
                            self._model.add_bool_or(use.negated(), route.start[node], route.end[node])

    def _range(self, route: RouteVariables) -> None:
        """The visited stops are within the range of the train. Check 7."""
        for kinds, room in route.train.visit_limits:
            visits = [visit for node, visit in route.visits.items() if self._data.kinds[node] in kinds]
            if len(visits) > room:
                self._model.add(sum(visits) <= room)

    def _not_through_closed_ends(self, route: RouteVariables) -> None:
        """No route runs through an off-board area or a city that blocks the company. Check 9."""
        for node in route.train.nodes:
            if self._data.network.ends[node]:
                self._model.add_at_most_one(route.arcs_at[node])

    # Extensions. Source: 1833NE section 9, "Interconnection bonus".

    def _extension_is_a_trail(self, extension: ExtensionVariables) -> None:
        """An extension runs on from stop to stop until it arrives; it passes each stop at most once."""
        self._model.add_exactly_one(extension.on.negated(), *extension.source.values())
        self._model.add_exactly_one(extension.on.negated(), *extension.sink.values())
        for node in range(len(self._data.network.stops)):
            into, out = extension.arriving(self._data, node), extension.leaving(self._data, node)
            if node in extension.source:
                into = [*into, extension.source[node]]
            if node in extension.sink:
                out = [*out, extension.sink[node]]
            self._model.add_at_most_one(into)
            self._model.add(sum(into) == sum(out))

    def _extension_leaves_an_end(self, extension: ExtensionVariables) -> None:
        """An extension begins at an end of its route that the route reached by track on which it can run on."""
        network = self._data.network
        for node, source in extension.source.items():
            self._model.add_implication(source, extension.ends[node])
            for number in network.links_at[node]:
                if self._terminal(number, node):
                    self._model.add_at_most_one(source, *extension.route.uses.get(number, ()))

    def _extension_passes_no_own_stop(self, extension: ExtensionVariables) -> None:
        """An extension does not touch the stops of its route, but for the one at which it begins."""
        for node, visit in extension.route.visits.items():
            self._model.add_at_most_one(visit, *extension.arriving(self._data, node))
            if node in extension.sink:
                self._model.add_at_most_one(visit, extension.sink[node])

    def _extension_keeps_to_open_track(self, extension: ExtensionVariables) -> None:
        """An extension may run through blocking cities, but not through off-board areas or over terminal track."""
        network, position = self._data.network, self._data.problem.position
        for node, stop in enumerate(network.stops):
            passable = not network.ends[node] or position.blocks(stop)
            for number in network.links_at[node]:
                if not passable or self._terminal(number, node):
                    self._model.add(extension.flows[number, node] == 0)
                    arrives = extension.flows[number, network.links[number].other(node)]
                    for flow in extension.leaving(self._data, node):
                        self._model.add_at_most_one(arrives, flow)

    def _terminal(self, number: int, node: int) -> bool:
        link = self._data.network.links[number]
        return link.terminal_a if node == link.a else link.terminal_b

    # All routes together.

    def _track_once(self) -> None:
        """No track serves twice, in one route or in several, extensions included. Check 8."""
        shared = self._data.network.shared
        alone = set(range(len(self._data.network.links))).difference(*shared.values())
        for links in (*shared.values(), *((number,) for number in sorted(alone))):
            users = [literal for number in links for literal in self._variables.used(number)]
            if len(users) > 1:
                self._model.add_at_most_one(users)

    def _same_trains_in_order(self) -> None:
        """Trains of one kind are interchangeable: they begin at stops of rising number, idle ones last."""
        free = [route for route in self._variables.routes if route.train.place in self._free]
        free.sort(key=lambda route: route.train.type.name)
        for _, same in groupby(free, key=lambda route: route.train.type.name):
            for one, other in pairwise(same):
                self._model.add(self._beginning(one) <= self._beginning(other))

    def _beginning(self, route: RouteVariables) -> LinearExprT:
        """The number of the first stop among those of the train; one more than the last for an idle train."""
        first = sum(number * start for number, start in enumerate(route.start.values()))
        return first + len(route.start) * route.idle

    # What the caller asks for.

    def fix(self, route: RouteVariables, links: Collection[int]) -> None:
        """The route runs over exactly these links."""
        for number in route.train.links:
            self._model.add(sum(route.uses[number]) == int(number in links))

    def forbid(self, route: RouteVariables, links: Collection[int]) -> None:
        """The route does not run over exactly these links."""
        others = [number for number in route.train.links if number not in links]
        self._model.add(sum(route.used(sorted(links))) - sum(route.used(others)) <= len(links) - 1)
