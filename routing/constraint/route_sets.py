"""Partitions of the routes into sets that hang together, for bonuses that routes earn jointly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from routing.constraint.variables import RouteVariables

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar


class RouteSets:
    """A partition of the routes into sets that hang together by common stops.

    A set is named by its first route (``in_set[member, leader]``). Connectedness: every member but the leader hangs on
    another member with which it shares a stop, one level further from the leader. With ``whole``, routes that share a
    stop are in the same set.
    """

    def __init__(self, model: CpModel, routes: Sequence[RouteVariables], apart: frozenset[int], *, whole: bool) -> None:
        self._model, self._routes, self._apart = model, routes, apart
        everyone = range(len(routes))
        self.in_set: dict[tuple[int, int], IntVar] = {
            (member, leader): model.new_bool_var(f"set {member} {leader}")
            for leader in everyone
            for member in range(leader, len(routes))
        }
        for member in everyone:
            model.add_exactly_one(self.in_set[member, leader] for leader in range(member + 1))
            for leader in range(member):
                model.add_implication(self.in_set[member, leader], self.in_set[leader, leader])
        self._hang_together()
        if whole:
            for one, other in combinations(everyone, 2):
                self._keep_together(one, other)

    def _hang_together(self) -> None:
        everyone = range(len(self._routes))
        level = [self._model.new_int_var(0, len(everyone) - 1, f"level {member}") for member in everyone]
        parent = {
            (member, other): self._model.new_bool_var(f"parent {member} {other}")
            for member in everyone
            for other in everyone
            if member != other
        }
        for member in everyone:
            others = [other for other in everyone if other != member]
            self._model.add_exactly_one(self.in_set[member, member], *(parent[member, other] for other in others))
            for other in others:
                hangs = parent[member, other]
                self._model.add(level[member] >= level[other] + 1).only_enforce_if(hangs)
                for leader in range(member + 1):
                    ours = self.in_set[member, leader].negated()
                    theirs = (self.in_set[other, leader],) if leader <= other else ()
                    self._model.add_bool_or(hangs.negated(), ours, *theirs)
        for one, other in combinations(everyone, 2):
            common = []
            for node in self._common(one, other):
                common.append(self._model.new_bool_var(f"common {node}"))
                self._model.add_implication(common[-1], self._routes[one].visits[node])
                self._model.add_implication(common[-1], self._routes[other].visits[node])
            self._model.add(parent[one, other] + parent[other, one] <= sum(common))
            self._model.add_at_most_one(parent[one, other], parent[other, one])

    def _keep_together(self, one: int, other: int) -> None:
        """Two routes that share a stop are in the same set; *one* comes before *other*."""
        together = self._model.new_bool_var(f"together {one} {other}")
        for node in self._common(one, other):
            visits = (self._routes[route].visits[node] for route in (one, other))
            self._model.add_bool_or(together, *(visit.negated() for visit in visits))
        for leader in range(one + 1):
            self._model.add(self.in_set[one, leader] == self.in_set[other, leader]).only_enforce_if(together)

    def _common(self, one: int, other: int) -> list[int]:
        nodes = self._routes[other].visits
        return [node for node in self._routes[one].visits if node in nodes and node not in self._apart]
