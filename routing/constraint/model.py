"""The model as a whole: put together, solved, and read back as routes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import floor
from typing import Final

from ortools.sat.python import cp_model

from board.errors import Fault, SolverError
from board.routes import Leg, Route, RouteSet
from bonuses.terms import Reach
from routing.constraint.constraints import RouteConstraints
from routing.constraint.data import ModelData
from routing.constraint.objective import Revenue
from routing.constraint.variables import ExtensionVariables, RouteVariables, Variables

#: Models of so many variables are solved sooner than simplified.
_SMALL: Final = 250
#: What several workers do: those that lean on cuts first.
_SUBSOLVERS: Final = ("max_lp", "lb_tree_search", "objective_lb_search_max_lp", "reduced_costs")
_ROUNDING: Final = 1e-6
"""The solver reports integer bounds as floating-point numbers."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What the solver found: ``routes`` earn ``revenue``, and nothing earns more than ``bound`` (money).

    ``begins`` and ``links`` say of each running train, by its place, with which node its route begins and over which
    links it runs. ``values`` are the values of all variables of the model, for a start from here.
    """

    routes: RouteSet
    revenue: int
    bound: int
    proven: bool
    explored: int
    begins: Mapping[int, int]
    links: Mapping[int, frozenset[int]]
    values: tuple[int, ...]


class ConstraintModel:
    """All trains of a problem in one model.

    ``fixed`` maps places of trains to the links that their routes have (none: the train is idle). Links to ``avoid``
    are those of whole routes, with the name of the train.
    """

    def __init__(
        self,
        data: ModelData,
        *,
        fixed: Mapping[int, frozenset[int]] | None = None,
        avoid: Collection[tuple[str, frozenset[int]]] = (),
    ) -> None:
        self._data = data
        self._model = cp_model.CpModel()
        self._variables = Variables(self._model, data)
        fixed = fixed or {}
        free = [train.place for train in data.trains if train.place not in fixed]
        constraints = RouteConstraints(self._model, data, self._variables, free=free)
        constraints.add()
        for route in self._variables.routes:
            if route.train.place in fixed:
                constraints.fix(route, fixed[route.train.place])
            for name, links in avoid:
                if name == route.train.type.name:
                    constraints.forbid(route, links)
        Revenue(self._model, data, self._variables).maximise()

    def start_from(self, solution: Solution) -> None:
        """Begin the search at *solution*, which is one of the same data."""
        for number, value in enumerate(solution.values):
            self._model.add_hint(self._model.get_int_var_from_proto_index(number), value)

    def solve(self, seconds: float | None, workers: int) -> Solution | None:
        """The best solution within the time; None where none was found or none exists."""
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        if seconds is not None:
            parameters.max_time_in_seconds = seconds
        parameters.random_seed = 0
        # Cuts of the circuits decide: without them hard positions take ten times as long.
        parameters.linearization_level = 2
        parameters.cp_model_presolve = len(self._model.proto.variables) > _SMALL
        parameters.num_workers = workers
        if workers > 1:
            parameters.subsolvers.extend(_SUBSOLVERS)
        status = solver.solve(self._model)
        if status == cp_model.MODEL_INVALID:
            raise SolverError(Fault("malformed-model", self._model.validate()))
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        revenue, proven = round(solver.objective_value), status == cp_model.OPTIMAL
        running = [route for route in self._variables.routes if not solver.boolean_value(route.idle)]
        return Solution(
            routes=tuple(self._route(solver, route) for route in running),
            revenue=revenue,
            bound=revenue if proven else max(revenue, floor(solver.best_objective_bound + _ROUNDING)),
            proven=proven,
            explored=solver.num_branches,
            begins={route.train.place: _true(solver, route.start) for route in running},
            links={
                route.train.place: frozenset(
                    link for link, uses in route.uses.items() if any(solver.boolean_value(use) for use in uses)
                )
                for route in running
            },
            values=tuple(solver.response_proto.solution),
        )

    def _route(self, solver: cp_model.CpSolver, route: RouteVariables) -> Route:
        """The route of a train with those extensions that earn something."""
        extensions = [
            self._extension(solver, extension)
            for extension in self._variables.extensions_of(route)
            if solver.boolean_value(extension.on)
        ]
        found = Route(route.train.type.name, self._legs(solver, route), tuple(extensions))
        for extension in extensions:
            shorter = replace(found, extensions=tuple(kept for kept in found.extensions if kept is not extension))
            if self._reached(shorter) == self._reached(found):
                found = shorter
        return found

    def _reached(self, route: Route) -> int:
        """What the extensions of *route* earn. Money."""
        visited, arrived = frozenset(route.stops), frozenset(legs[-1].end for legs in route.extensions)
        return sum(
            term.amount
            for term in self._data.problem.terms
            if isinstance(term, Reach)
            for one, other in ((term.one, term.other), (term.other, term.one))
            if visited & one and arrived & other and not visited & other
        )

    def _legs(self, solver: cp_model.CpSolver, route: RouteVariables) -> tuple[Leg, ...]:
        after = {a: b for (a, b), arc in route.arcs.items() if solver.boolean_value(arc)}
        here = _true(solver, route.start)
        legs = []
        while here in after:
            there = after[here]
            number = next(
                number
                for number in route.links_between[min(here, there), max(here, there)]
                if any(solver.boolean_value(literal) for literal in route.uses[number])
            )
            legs.append(self._data.network.links[number].leg_from(here))
            here = there
        return tuple(legs)

    def _extension(self, solver: cp_model.CpSolver, extension: ExtensionVariables) -> tuple[Leg, ...]:
        onward = {node: number for (number, node), flow in extension.flows.items() if solver.boolean_value(flow)}
        here = _true(solver, extension.source)
        legs = []
        goal = _true(solver, extension.sink)
        while here != goal:
            link = self._data.network.links[onward[here]]
            legs.append(link.leg_from(here))
            here = link.other(here)
        return tuple(legs)


def _true(solver: cp_model.CpSolver, literals: Mapping[int, cp_model.IntVar]) -> int:
    """The node whose literal holds."""
    return next(node for node, literal in literals.items() if solver.boolean_value(literal))
