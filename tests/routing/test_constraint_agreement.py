"""The constraint model against the oracle on generated boards."""

from __future__ import annotations

from random import Random

import pytest

from board.errors import LimitExceeded
from routing.checker import check
from routing.constraint_model import solve_by_constraints
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
