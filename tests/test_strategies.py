"""The generated boards are about what they should be about: every rule bites and every bonus pays in a fair share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random

import pytest

from board.routes import Route
from board.trains import StopKind
from bonuses.base import Run
from bonuses.over_routes import JointBonus
from routing.answer import Answer
from routing.constraint_model import solve_by_constraints
from routing.problem import RouteProblem
from routing.route_rules import RouteRules
from tests.strategies import RUN_TRAINS, random_problem

BOARDS = 400


@dataclass(frozen=True)
class Solved:
    """A generated question and its answer."""

    problem: RouteProblem
    answer: Answer

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        position = self.problem.position
        return tuple(
            Run(
                position.edition.trains[route.train],
                route,
                {stop: position.value(stop) for stop in route.stops},
                frozenset(route.stops),
            )
            for route in self.answer.routes
        )


@lru_cache(maxsize=1)
def solved() -> tuple[Solved, ...]:
    problems = [random_problem(Random(seed), extensions=seed % 2 == 1) for seed in range(BOARDS)]
    return tuple(Solved(problem, solve_by_constraints(problem)) for problem in problems)


def test_most_boards_have_routes_for_several_trains() -> None:
    running = Counter(min(len(one.answer.routes), 2) for one in solved())
    assert running[0] < BOARDS / 8
    assert running[2] > BOARDS / 3


@pytest.mark.parametrize(
    ("shape", "share"),
    [
        ("PlaceBonus", 0.5),
        ("TrackBonus", 0.5),
        ("HighestStopBonus", 0.4),
        ("DistanceBonus", 0.5),
        ("JointBonus", 0.5),
        ("InterconnectionBonus", 0.2),
    ],
)
def test_every_shape_of_bonus_pays(shape: str, share: float) -> None:
    paid = [
        any(item.amount for item in bonus.items(one.runs))
        for one in solved()
        for bonus in one.problem.bonuses
        if type(bonus).__name__ == shape
    ]
    assert len(paid) > BOARDS / 12
    assert sum(paid) >= share * len(paid)


def test_joint_bonuses_are_earned_by_several_routes() -> None:
    together = [
        any(len(item.routes) > 1 for item in bonus.items(one.runs))
        for one in solved()
        for bonus in one.problem.bonuses
        if isinstance(bonus, JointBonus)
    ]
    assert sum(together) > len(together) / 10


@pytest.mark.parametrize("rule", ["hex_pays_once", "closed", "groups", "as_token", "must_visit"])
def test_every_special_rule_matters_now_and_then(rule: str) -> None:
    plain = RouteRules()
    under = [one for one in solved() if getattr(one.problem.rules, rule) != getattr(plain, rule)]
    assert len(under) > BOARDS / 20
    differs = [one.answer.revenue != solve_by_constraints(replace(one.problem, rules=plain)).revenue for one in under]
    assert sum(differs) >= max(2, len(under) / 10)


def test_every_kind_of_train_runs() -> None:
    ran = Counter(route.train for one in solved() for route in one.answer.routes)
    assert all(ran[train] >= 5 for train in RUN_TRAINS)


def test_every_kind_of_place_is_met() -> None:
    met = Counter(place for one in solved() for route in one.answer.routes for place in _places(one.problem, route))
    for place in ("town", "off-board", "runs through off-board", "two stops of a hex", "full city"):
        assert met[place] >= 10, place
    for place in ("terminal track", "junction", "track inside a hex", "group", "extension past a full city"):
        assert met[place] >= 3, place


def _places(problem: RouteProblem, route: Route) -> Iterator[str]:
    position = problem.position
    kinds = [position.stops[stop].kind for stop in route.stops]
    if StopKind.TOWN in kinds:
        yield "town"
    if StopKind.OFF_BOARD in kinds:
        yield "off-board"
    if StopKind.OFF_BOARD in kinds[1:-1]:
        yield "runs through off-board"
    if len({stop.hex for stop in route.stops}) < len(route.stops):
        yield "two stops of a hex"
    if any(position.blocks(stop) for stop in route.stops):
        yield "full city"
    if any(problem.groups(stop) for stop in route.stops):
        yield "group"
    if any(piece.track.terminal for piece in route.pieces):
        yield "terminal track"
    ends = [(piece.track.a, piece.track.b) for piece in route.pieces]
    if any("j0" in pair for pair in ends):
        yield "junction"
    if any(isinstance(a, str) and isinstance(b, str) and "j0" not in (a, b) for a, b in ends):
        yield "track inside a hex"
    passed = [leg.start for extension in route.extensions for leg in extension]
    if any(position.blocks(stop) for stop in passed):
        yield "extension past a full city"
