"""What a route set earns, as a linear expression to be maximised: stop values and every shape of bonus.

Amounts that add are bounded from above only, since the solver pushes them up; what reduces revenue is stated both ways.
Each method is one shape; the order does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from board.hexes import HexId
from bonuses.terms import Distance, Highest, Joint, MostStops, OnTrack, Reach, Touch
from routing.constraint.data import ModelData
from routing.constraint.distance import distance_parts
from routing.constraint.route_sets import RouteSets
from routing.constraint.variables import RouteVariables, Variables

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar
    from ortools.sat.python.cp_model_helper import Literal


class Revenue:
    """Builds the objective: a list of amounts (money) and literals."""

    def __init__(self, model: CpModel, data: ModelData, variables: Variables) -> None:
        self._model, self._data, self._variables = model, data, variables
        self._literals: list[Literal] = []
        self._amounts: list[int] = []
        self._counted = {route.train.place: self._counting(route) for route in variables.routes}

    def maximise(self) -> None:
        """State the objective."""
        self._stop_values()
        for term in self._data.problem.terms:
            match term:
                case Touch():
                    self._touch(term)
                case OnTrack():
                    self._on_track(term)
                case Highest():
                    self._highest(term)
                case Distance():
                    self._distance(term)
                case Joint():
                    self._joint(term)
                case Reach():
                    self._reach(term)
                case MostStops():
                    self._most_stops(term)
        self._model.maximize(
            sum(amount * literal for amount, literal in zip(self._amounts, self._literals, strict=True))
        )

    def _earn(self, amount: int, literal: Literal) -> None:
        if amount:
            self._amounts.append(amount)
            self._literals.append(literal)

    def _new(self, name: str) -> IntVar:
        return self._model.new_bool_var(name)

    # Stops.

    def _stop_values(self) -> None:
        """The counted stops at their value, multiplied for doubling trains. Source: COMMON section 9, "Revenue"."""
        for route in self._variables.routes:
            paying = self._where_condition_is_met(route, self._counted[route.train.place])
            if self._data.problem.rules.hex_pays_once:
                paying = self._once_a_hex(paying)
            for node, pays in paying.items():
                self._earn(self._data.values[node] * route.train.type.multiplier, pays)

    def _counting(self, route: RouteVariables) -> dict[int, Literal]:
        """For each node the literal of being counted; all visited ones of paying kinds unless there is a choice."""
        train, data = route.train, self._data
        counted: dict[int, Literal] = {
            node: visit for node, visit in route.visits.items() if data.kinds[node] in train.paying
        }
        if train.pay_limits:
            counted = self._chosen(route, counted)
        return counted

    def _where_condition_is_met(self, route: RouteVariables, counted: dict[int, Literal]) -> dict[int, Literal]:
        """Some stops pay only on a route that also visits one of others. Source: 1833NE section 3, P6."""
        paying = dict(counted)
        for stop, partners in self._data.problem.rules.pays_only_with.items():
            for node in self._data.nodes_of((stop,)):
                if node in counted:
                    paying[node] = self._new(f"pays {node}")
                    self._model.add_implication(paying[node], counted[node])
                    self._model.add_bool_or(*route.visited(self._data.nodes_of(partners)), paying[node].negated())
        return paying

    def _chosen(self, route: RouteVariables, visited: dict[int, Literal]) -> dict[int, Literal]:
        """A train that counts fewer stops than it visits counts one with an own token among them."""
        data = self._data
        counted: dict[int, Literal] = {node: self._new(f"counts {node}") for node in visited}
        for node, literal in counted.items():
            self._model.add_implication(literal, visited[node])
        for kinds, room in route.train.pay_limits:
            self._model.add(sum(literal for node, literal in counted.items() if data.kinds[node] in kinds) <= room)
        if route.train.type.counts_fewer_than_it_visits:
            own = [node for node in sorted(data.token_nodes) if node in counted]
            for node in own:
                self._model.add_bool_or(visited[node].negated(), *(counted[node] for node in own))
        return counted

    def _once_a_hex(self, counted: dict[int, Literal]) -> dict[int, Literal]:
        """Of several stops of a route on one hex one pays. Source: 18GB section 8."""
        by_hex: dict[HexId, list[int]] = {}
        for node in counted:
            by_hex.setdefault(self._data.hexes[node], []).append(node)
        paying = dict(counted)
        for nodes in by_hex.values():
            if len(nodes) > 1:
                for node in nodes:
                    paying[node] = self._new(f"pays {node}")
                    self._model.add_implication(paying[node], counted[node])
                self._model.add_at_most_one(paying[node] for node in nodes)
        return paying

    # Bonuses of one route.

    def _touch(self, term: Touch) -> None:
        """For each route that visits, or counts, a stop of every group."""
        for route in self._variables.routes:
            groups = [route.visited(self._data.nodes_of(group)) for group in term.groups]
            if term.counted:
                counted = self._counted[route.train.place]
                nodes = (sorted(self._data.nodes_of(group)) for group in term.groups)
                groups = [[counted[node] for node in group if node in counted] for group in nodes]
            self._earn(term.amount, self._all_of(route, groups, term.amount))

    def _on_track(self, term: OnTrack) -> None:
        """For each route that runs over one of the pieces."""
        links = [
            number
            for number, link in enumerate(self._data.network.links)
            if not term.pieces.isdisjoint(link.leg.pieces)
        ]
        for route in self._variables.routes:
            self._earn(term.amount, self._all_of(route, [route.used(links)], term.amount))

    def _all_of(self, route: RouteVariables, groups: Sequence[Sequence[Literal]], amount: int) -> Literal:
        """A literal that holds if the train runs and one of every group holds (for a loss: if and only if)."""
        earned = self._new("bonus")
        self._model.add_implication(earned, route.idle.negated())
        for group in groups:
            self._model.add_bool_or(*group, earned.negated())
        if amount < 0:
            met = []
            for group in groups:
                met.append(self._new("met"))
                for literal in group:
                    self._model.add_implication(literal, met[-1])
            self._model.add_bool_or(earned, route.idle, *(literal.negated() for literal in met))
        return earned

    def _highest(self, term: Highest) -> None:
        """For each route that visits a trigger the largest of the values among its stops."""
        worth = {
            node: value for stop, value in term.values.items() for node in self._data.nodes_of((stop,)) if value > 0
        }
        for route in self._variables.routes:
            triggers = route.visited(self._data.nodes_of(term.trigger))
            if not triggers:
                continue
            copied = {node: self._new(f"copies {node}") for node in worth if node in route.visits}
            for node, literal in copied.items():
                self._model.add_implication(literal, route.visits[node])
                self._earn(worth[node], literal)
            self._model.add(sum(copied.values()) <= 1)
            self._model.add(sum(copied.values()) <= sum(triggers))

    def _distance(self, term: Distance) -> None:
        """For each route of one of the trains the straight-line distance between its outermost stops among
        ``stops``."""
        for route in self._variables.routes:
            if route.train.type.name in term.trains:
                for amount, literal in distance_parts(self._model, self._data, route, term):
                    self._earn(amount, literal)

    # Bonuses of several routes.

    def _joint(self, term: Joint) -> None:
        """Connected sets of routes, each of which earns each axis once. Source: 18GB section 8, "Compass"."""
        routes = self._variables.routes
        sets = RouteSets(self._model, routes, self._data.nodes_of(term.apart), whole=term.once_per_connected_group)
        for axis in term.axes:
            touching = [[self._touches(route, side) for route in routes] for side in (axis.one, axis.other)]
            for leader in range(len(routes)):
                earned = self._new(f"axis {axis.label} {leader}")
                for side in touching:
                    present = []
                    for member in range(leader, len(routes)):
                        here = self._new("there")
                        self._model.add_implication(here, sets.in_set[member, leader])
                        self._model.add_implication(here, side[member])
                        present.append(here)
                    self._model.add_bool_or(*present, earned.negated())
                self._earn(axis.amount, earned)

    def _touches(self, route: RouteVariables, hexes: frozenset[HexId]) -> IntVar:
        """A literal that holds only if the route runs through one of *hexes*."""
        links = [number for number in route.train.links if not hexes.isdisjoint(self._data.link_hexes[number])]
        touches = self._new("touches")
        self._model.add_bool_or(*route.used(links), touches.negated())
        return touches

    def _most_stops(self, term: MostStops) -> None:
        """For one route, whichever the solver chooses, an amount for each of the stops that it visits."""
        earning = []
        for route in self._variables.routes:
            visits = route.visited(self._data.nodes_of(term.stops))
            earning.append(self._new("most stops"))
            number = self._model.new_int_var(0, len(visits), "stops")
            self._model.add(number <= sum(visits))
            self._model.add(number <= len(visits) * earning[-1])
            self._earn(term.per_stop, number)
        self._model.add_at_most_one(earning)

    def _reach(self, term: Reach) -> None:
        """For each route that visits the one place and is prolonged to the other, and does not visit both."""
        if term.amount <= 0:
            return
        for route in self._variables.routes:
            for here, there in ((term.one, term.other), (term.other, term.one)):
                earned = self._new("reach")
                arrives = [
                    extension.sink[node]
                    for extension in self._variables.extensions_of(route)
                    for node in sorted(self._data.nodes_of(there))
                ]
                self._model.add_bool_or(*route.visited(self._data.nodes_of(here)), earned.negated())
                self._model.add_bool_or(*arrives, earned.negated())
                for visit in route.visited(self._data.nodes_of(there)):
                    self._model.add_at_most_one(visit, earned)
                self._earn(term.amount, earned)
