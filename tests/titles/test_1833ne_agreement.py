"""Both methods and the oracle agree on positions of a whole game of 1833NE, interconnections included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

import pytest

from board.errors import LimitExceeded
from board.position import Position
from records.games_18xx import read_game
from routing.oracle import best_runs
from routing.solve import solve
from rules import engine
from rules.actions import RunRoutes
from titles.registry import get_title

TITLE = get_title("1833NE")
GAME = Path(__file__).parents[1] / "worked" / "1833NE_standard.json"
#: Runs that are looked at: every so many of the first of a game.
FIRST, EVERY = 36, 4
#: Questions to the checker after which the oracle gives a position up.
MOST_CHECKS: Final = 2_000
#: Interconnections between near places, which short trains of early phases can earn. The amounts are made up.
TABLE: Final[dict[str, object]] = {
    "format": "trackage-bonus-table-1",
    "title": "1833NE",
    "interconnection": [
        {"places": ["Montreal", "C8"], "amount": 30},
        {"places": ["Montreal", "Ogdensburg RR"], "amount": 40},
        {"places": ["Boston", "F19"], "amount": 25},
        {"places": ["Hartford", "E26"], "amount": 35},
        {"places": ["Portland", "J11"], "amount": 15},
    ],
}


@lru_cache(maxsize=1)
def positions() -> tuple[Position, ...]:
    """Positions of early runs of the game."""
    return tuple(_runs())[::EVERY]


def _runs() -> Iterator[Position]:
    game = read_game(GAME)
    state = engine.start(TITLE.game(game.seats, options=game.options, names=game.names, seed=game.seed).opening())
    found = 0
    for entry in game.actions:
        for action in entry.actions:
            if isinstance(action, RunRoutes):
                found += 1
                yield state.position(action.by.name)
            if found == FIRST:
                return
            state = engine.apply(state, action)


@pytest.mark.parametrize("table", [None, TABLE], ids=["known bonuses", "with interconnections"])
def test_methods_and_oracle_agree(table: dict[str, object] | None) -> None:
    compared = earned = 0
    for position in positions():
        problem = TITLE.problem(position, table)
        results = [solve(problem, method=method) for method in ("enumerate", "constraint")]  # type: ignore[arg-type]
        assert all(result.proven for result in results), position
        assert results[0].revenue == results[1].revenue, position
        earned += any("interconnection" in item.label for item in results[0].verdict.bonuses)
        try:
            assert best_runs(problem, most_checks=MOST_CHECKS).revenue == results[0].revenue, position
            compared += 1
        except LimitExceeded:
            continue
    assert compared >= len(positions()) / 2
    assert bool(earned) is (table is not None)
