"""Five accounts of the same question agree on generated boards: the oracle, the enumeration with each of its two
growers, the graph of states for trains of any length, and the constraint model; and the checker pays every answer what
its method says.

A sample runs with all tests. The full set, some minutes on one core, is one command::

    TRACKAGE_BOARDS=2000 python -m pytest tests/property/test_agreement.py
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from time import perf_counter
from typing import Final

import pytest

from board.errors import LimitExceeded
from board.trains import StopKind
from bonuses.at_stop import PlaceBonus
from bonuses.base import Bonus
from bonuses.over_routes import JointBonus
from routing import trails
from routing.answer import Answer
from routing.checker import Verdict, check
from routing.constraint_model import solve_by_constraints
from routing.enumeration import Wishes, cannot_value, search_by_enumeration
from routing.long_trains import search_long_trains, serves
from routing.oracle import best_runs
from routing.problem import RouteProblem
from routing.solve import solve
from tests.strategies import random_problem

BOARDS: Final = int(os.environ.get("TRACKAGE_BOARDS", "150"))
BATCHES: Final = 10
#: Questions to the checker after which the oracle gives a board up.
MOST_CHECKS: Final = 15_000 if BOARDS > 150 else 4_000

#: Of the boards with a bonus of the shape, the share on which the best runs earn it, at least.
SHAPES: Final = {
    "place": 0.5,
    "pair": 0.3,
    "counted place": 0.5,
    "counted pair": 0.3,
    "track": 0.5,
    "highest": 0.4,
    "distance": 0.4,
    "joint": 0.4,
    "joint, connected wholes": 0.2,
    "most stops": 0.6,
    "interconnection": 0.2,
}


def shape(bonus: Bonus) -> str:
    if isinstance(bonus, PlaceBonus):
        return f"{'counted ' if bonus.counted else ''}{'place' if len(bonus.groups) == 1 else 'pair'}"
    if isinstance(bonus, JointBonus):
        return "joint, connected wholes" if bonus.once_per_connected_group else "joint"
    return {
        "TrackBonus": "track",
        "HighestStopBonus": "highest",
        "DistanceBonus": "distance",
        "MostStopsBonus": "most stops",
        "InterconnectionBonus": "interconnection",
    }[type(bonus).__name__]


@contextmanager
def growing_by(few: int) -> Iterator[None]:
    """Trails beyond *few* are grown by arrays, up to it by plain Python."""
    usual = trails._FEW_TRAILS
    trails._FEW_TRAILS = few  # type: ignore[misc]
    try:
        yield
    finally:
        trails._FEW_TRAILS = usual  # type: ignore[misc]


@dataclass(frozen=True)
class Board:
    """A generated question and what each method answers."""

    seed: int

    @cached_property
    def problem(self) -> RouteProblem:
        return random_problem(Random(self.seed), extensions=self.seed % 3 == 0)

    @cached_property
    def answers(self) -> dict[str, Answer]:
        found = {"constraint": solve_by_constraints(self.problem)}
        if not cannot_value(self.problem.terms):
            for name, few in (("python", 800), ("arrays", 0)):
                with growing_by(few):
                    found[name] = search_by_enumeration(self.problem)[0]
        if serves(self.problem, Wishes()):
            nothing = Answer((), 0, 0, proven=False)
            answer = search_long_trains(self.problem, Wishes(), nothing, deadline=perf_counter() + 600)
            assert answer is not None, f"board {self.seed}"
            found["long trains"] = answer
        return found

    @cached_property
    def oracle(self) -> Verdict | None:
        """The oracle's verdict; None where it gives up."""
        try:
            return best_runs(self.problem, most_checks=MOST_CHECKS)
        except LimitExceeded:
            return None

    @cached_property
    def verdict(self) -> Verdict:
        return check(self.problem, self.answers["constraint"].routes)

    def earns(self, bonus: Bonus) -> bool:
        """Whether the best runs earn the bonus."""
        labels = {term.label for term in bonus.axes} if isinstance(bonus, JointBonus) else {getattr(bonus, "label", "")}
        return any(item.label.startswith(tuple(labels)) for item in self.verdict.bonuses)


@lru_cache(maxsize=BOARDS)
def board(seed: int) -> Board:
    return Board(seed)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_all_methods_find_what_the_oracle_finds(batch: int) -> None:
    compared = 0
    for seed in range(batch, BOARDS, BATCHES):
        one = board(seed)
        revenue = one.oracle.revenue if one.oracle is not None else one.verdict.revenue
        compared += one.oracle is not None
        for method, answer in one.answers.items():
            verdict = check(one.problem, answer.routes)
            assert verdict.legal, f"board {seed}, {method}: {[str(fault) for fault in verdict.all_faults]}"
            assert answer.proven, f"board {seed}, {method}"
            assert (answer.revenue, answer.bound, verdict.revenue) == (revenue,) * 3, f"board {seed}, {method}"
    assert compared > 0.8 * BOARDS / BATCHES


def test_some_boards_have_trains_of_any_length() -> None:
    served = [number for number in range(BOARDS) if "long trains" in board(number).answers]
    assert len(served) >= BOARDS / 25


def test_both_growers_find_the_same_trails() -> None:
    for seed in range(BOARDS):
        answers = board(seed).answers
        if "arrays" in answers:
            assert answers["arrays"].routes == answers["python"].routes, f"board {seed}"


def test_the_next_best_sets_are_different_and_in_falling_order() -> None:
    """Runner-ups are sets of other routes, each worth what the checker says."""
    listed = 0
    for seed in range(0, BOARDS, 2):
        problem = board(seed).problem
        if cannot_value(problem.terms):
            continue
        answers = search_by_enumeration(problem, Wishes(top=6))
        revenues = [check(problem, answer.routes).revenue for answer in answers]
        assert revenues == [answer.revenue for answer in answers] == sorted(revenues, reverse=True), f"board {seed}"
        assert revenues[0] == board(seed).verdict.revenue, f"board {seed}"
        sets = {
            frozenset((route.train, route.pieces, route.extensions) for route in answer.routes) for answer in answers
        }
        assert len(sets) == len(answers), f"board {seed}"
        listed += len(answers)
    assert listed > BOARDS


def test_pins_and_forbidden_routes_agree() -> None:
    """With a route kept, or one that may not be run, both methods agree and no answer beats the free one."""
    for seed in range(0, BOARDS, 4):
        one = board(seed)
        if not one.verdict.revenue or cannot_value(one.problem.terms):
            continue
        route = one.answers["constraint"].routes[0]
        for wishes in ({"pins": (route,)}, {"avoid": (route,)}):
            results = [solve(one.problem, method=method, **wishes) for method in ("enumerate", "constraint")]  # type: ignore[arg-type]
            assert results[0].revenue == results[1].revenue <= one.verdict.revenue, f"board {seed}, {wishes}"


@pytest.mark.parametrize("wanted", SHAPES)
def test_every_shape_of_bonus_is_there_and_pays(wanted: str) -> None:
    paid = [
        board(seed).earns(bonus)
        for seed in range(BOARDS)
        for bonus in board(seed).problem.bonuses
        if shape(bonus) == wanted
    ]
    assert len(paid) >= BOARDS / 60
    assert sum(paid) >= SHAPES[wanted] * len(paid)


def test_the_choice_of_counted_stops_matters() -> None:
    """Some trains leave a visited stop out, and some leave out a dearer one for the sake of a bonus or a token."""
    left_out = Counter(_choice(board(seed)) for seed in range(BOARDS))
    assert left_out["leaves out"] + left_out["leaves out the dearer"] >= BOARDS / 15
    assert left_out["leaves out the dearer"] >= BOARDS / 50


def _choice(one: Board) -> str:
    found = ""
    for scored in one.verdict.routes:
        train = one.problem.position.edition.trains[scored.train]
        if not train.counts_fewer_than_it_visits:
            continue
        values = dict(zip(scored.stops, scored.values, strict=True))
        counted, others = (
            [value for stop, value in values.items() if (stop in scored.counted) == wanted] for wanted in (True, False)
        )
        if others and min(counted) < max(others):
            return "leaves out the dearer"
        found = "leaves out" if others else found
    return found


def test_every_kind_of_stop_is_counted_and_left_out() -> None:
    kinds = Counter(
        (one.problem.position.stops[stop].kind, stop in scored.counted)
        for one in map(board, range(BOARDS))
        for scored in one.verdict.routes
        for stop in scored.stops
    )
    assert all(kinds[kind, counted] for kind in StopKind for counted in (True, False))
