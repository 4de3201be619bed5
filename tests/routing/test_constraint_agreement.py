"""The constraint model against the oracle on generated boards, and against the enumeration where wishes are made."""

from __future__ import annotations

from random import Random

import pytest

from board.errors import LimitExceeded
from routing.checker import check
from routing.constraint_model import solve_by_constraints
from routing.enumeration import Wishes, cannot_value, search_by_enumeration
from routing.oracle import best_runs
from tests.strategies import random_problem

#: Boards in one test; the oracle is asked about those that it can answer soon.
BATCH = 25
MOST_CHECKS = 2_000


@pytest.mark.parametrize("batch", range(10))
def test_the_model_finds_what_the_oracle_finds(batch: int) -> None:
    compared = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        problem = random_problem(Random(seed), extensions=batch % 2 == 1)
        answer = solve_by_constraints(problem)
        verdict = check(problem, answer.routes)
        assert verdict.legal, f"board {seed}: {[str(fault) for fault in verdict.faults]}"
        assert verdict.revenue == answer.revenue == answer.bound, f"board {seed}"
        assert answer.proven, f"board {seed}"
        try:
            assert answer.revenue == best_runs(problem, most_checks=MOST_CHECKS).revenue, f"board {seed}"
        except LimitExceeded:
            continue
        compared += 1
    assert compared > BATCH // 2


def test_pins_avoided_routes_and_missing_hexes_are_what_the_enumeration_makes_of_them() -> None:
    for seed in range(60):
        rng = Random(seed)
        problem = random_problem(rng, extensions=seed % 2 == 1)
        routes = solve_by_constraints(problem).routes
        if not routes or cannot_value(problem.terms):
            continue
        drawn = routes[rng.randrange(len(routes))]
        hexes = sorted(drawn.hexes)
        for wishes in (
            Wishes(pins=(drawn,)),
            Wishes(avoid=(drawn,)),
            Wishes(avoid=routes),
            Wishes(without=frozenset({hexes[rng.randrange(len(hexes))]})),
        ):
            answer = solve_by_constraints(problem, pins=wishes.pins, avoid=wishes.avoid, without=wishes.without)
            expected = search_by_enumeration(problem, wishes)[0]
            assert answer.revenue == expected.revenue, f"board {seed}: {wishes}"
            assert answer.proven
            assert not wishes.without.intersection(hex_id for route in answer.routes for hex_id in route.hexes)
