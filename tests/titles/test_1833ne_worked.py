"""The worked example of 1833NE, transcribed as a recorded game with the moves that it leaves to the others.

Every figure of the table holds, in the standard game and in Takeover, which plays the same up to the takeovers.
Followed are player J1, Boston & Worcester and Hartford.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from analysis.games import problems_of
from records.games_18xx import read_game
from records.runs import stored_revenue
from routing.solve import solve
from rules import engine
from rules.actions import RunRoutes
from rules.shares import IPO, POOL
from rules.state import State
from titles.registry import get_title

GAME = Path(__file__).parents[1] / "worked" / "1833NE.json"
BOTH = pytest.mark.parametrize("options", [(), ("takeover_game",)], ids=["standard", "takeover"])

#: Step of the table, last action that belongs to it, J1's cash, B&W's treasury, the prices of B&W and HR, HR's
#: treasury, the phase.
TABLE: tuple[tuple[int, int, int, int, int, int, int, str], ...] = (
    (1, 3, 400, 0, 0, 0, 0, "I"),
    (2, 9, 240, 160, 80, 0, 0, "I"),
    (3, 13, 160, 160, 80, 40, 80, "I"),
    (4, 29, 0, 160, 80, 40, 240, "I"),
    (5, 33, 160, 160, 80, 30, 240, "I"),
    (6, 38, 0, 320, 80, 30, 240, "I"),
    (8, 46, 10, 320, 80, 10, 125, "I"),
    (9, 49, 10, 460, 80, 10, 125, "I"),
    (10, 54, 10, 220, 70, 10, 125, "I"),
    (11, 84, 20, 180, 70, 10, 125, "I"),
    (12, 87, 60, 220, 80, 10, 125, "I"),
    (13, 88, 60, 40, 80, 10, 125, "II"),
    (14, 91, 60, 40, 80, 10, 5, "II"),
    (15, 93, 76, 40, 80, 30, 69, "II"),
    (16, 95, 126, 40, 80, 30, 19, "II"),
    (17, 96, 126, 40, 80, 30, 19, "II"),
)


@lru_cache(maxsize=2)
def states(options: tuple[str, ...] = ()) -> tuple[State, ...]:
    """The opening and the state after each action, all by the rules."""
    game = read_game(GAME)
    rules = get_title(game.title).game(game.seats, options=options, names=game.names, seed=game.seed)
    found = [engine.start(rules.opening())]
    for entry in game.actions:
        for action in entry.actions:
            found.append(engine.apply(found[-1], action))
    return tuple(found)


@BOTH
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"step {row[0]}")
def test_every_figure_of_the_table_holds(
    row: tuple[int, int, int, int, int, int, int, str], options: tuple[str, ...]
) -> None:
    _, after, *figures = row
    state = states(options)[after]
    bw, hr = state.companies["B&W"], state.companies["HR"]
    found = [state.players["1"].cash, bw.cash, state.price_of(bw), state.price_of(hr), hr.cash, state.phase_name]
    assert found == figures


@BOTH
def test_step_7_hartford_falls_because_of_its_shares_in_the_pool(options: tuple[str, ...]) -> None:
    """The end of the stock round, before the incomes of the operating round are seen."""
    state = states(options)[42]
    assert state.round.kind == "Operating"
    assert state.price_of(state.companies["HR"]) == 20
    assert state.price_of(state.companies["B&W"]) == 80
    assert state.companies["HR"].percent_of(POOL) == 40
    assert state.players["1"].cash == 10  # the income of P3, which the table notes with step 8


@BOTH
def test_the_first_operating_round_goes_by_rising_price_the_second_by_falling(options: tuple[str, ...]) -> None:
    assert states(options)[42].round.order == ("HR", "B&W", "CV", "B&P", "FRR")
    assert states(options)[84].round.order == ("FRR", "CV", "B&P", "B&W", "HR")


@BOTH
def test_step_12_runs_60_and_40_which_is_the_best(options: tuple[str, ...]) -> None:
    before = states(options)[85]
    run = next(act for act in states(options)[86].round.turn.acts if isinstance(act, RunRoutes))
    assert sorted(route.revenue or 0 for route in run.routes) == [40, 60]
    assert solve(problems_of("1833NE")(before.position("B&W"))).revenue == stored_revenue(run) == 100
    bw = states(options)[86].companies["B&W"]
    assert (bw.percent_of("1"), bw.percent_of(IPO), bw.percent_of(POOL)) == (40, 40, 20)


@BOTH
def test_step_15_runs_80_with_ferry_and_new_bonus(options: tuple[str, ...]) -> None:
    before = states(options)[91]
    position = before.position("HR")
    assert position.markers["ferries"] == {"HR": ("New Haven",)}
    assert position.markers["new_ferry"] == "New Haven"
    assert solve(problems_of("1833NE")(position)).revenue == states(options)[92].round.turn.revenue == 80


def test_the_last_step_leads_to_the_stock_round_or_to_takeovers() -> None:
    assert states()[-1].round.kind == "Stock"
    assert states(("takeover_game",))[-1].round.kind == "Takeover"


def test_the_owners_at_the_end() -> None:
    state = states()[-1]
    assert state.companies["B&W"].percent_of("1") == 40
    assert state.companies["HR"].percent_of("1") == 20
    assert state.privates["P3"].owner == "HR"
