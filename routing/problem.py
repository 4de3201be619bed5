"""The question put to a search or a checker: a position with the rules and bonuses that its title adds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from board.hexes import StopId
from board.position import Position
from bonuses.base import Bonus
from bonuses.terms import Term, Touch
from routing.route_rules import RouteRules


@dataclass(frozen=True)
class RouteProblem:
    """Best runs of ``position.operator`` under ``rules`` and ``bonuses``.

    ``notices`` are sentences for people about what the answer cannot know (a bonus table that is not complete).
    """

    position: Position
    rules: RouteRules
    bonuses: tuple[Bonus, ...] = ()
    notices: tuple[str, ...] = ()

    @cached_property
    def token_stops(self) -> frozenset[StopId]:
        """Stops that count as holding an own token."""
        return (frozenset(self.position.own_tokens) | self.rules.as_token) - frozenset(self.rules.closed)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        return tuple(term for bonus in self.bonuses for term in bonus.terms())

    @cached_property
    def counted_bonuses(self) -> tuple[Bonus, ...]:
        """The bonuses that depend on which stops a train counts."""
        return tuple(
            bonus for bonus in self.bonuses if any(isinstance(term, Touch) and term.counted for term in bonus.terms())
        )

    def groups(self, stop: StopId) -> tuple[str, ...]:
        """Names of which a route may visit one stop each."""
        return (*self.position.groups(stop), *self.rules.groups.get(stop, ()))

    def with_trains(self, trains: tuple[str, ...]) -> RouteProblem:
        return replace(self, position=self.position.with_changes(trains=trains))
