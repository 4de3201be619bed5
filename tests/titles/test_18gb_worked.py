"""The worked example of 18GB, transcribed as a recorded game with the moves that it leaves to the others.

Every figure of the table holds. Followed are player J1 and MR; seed 2 draws MR into tier 1. J2 to J4 take the other
privates and pass; the owner of LS closes it before MR builds in Leicester, as WORKED.md says it has to be.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from board.errors import RuleViolation
from board.hexes import HexId
from records.games_18xx import read_game
from records.runs import check_run
from routing.solve import solve
from rules import engine
from rules.actions import Action, Actor, Choose, LayTile, Pass, RunRoutes
from rules.shares import IPO, POOL
from rules.state import State
from titles.registry import get_title

GAME = Path(__file__).parents[1] / "worked" / "18GB.json"

#: Step of the table, last action that belongs to it, J1's cash, MR's treasury, its price, its trains.
TABLE: tuple[tuple[int, int, int, int, int, str], ...] = (
    (1, 0, 330, 0, 0, ""),
    (2, 15, 285, 0, 0, ""),
    (3, 19, 105, 450, 90, ""),
    (4, 23, 15, 450, 90, ""),
    (5, 26, 15, 450, 90, ""),
    (6, 27, 30, 450, 90, ""),
    (7, 28, 30, 450, 90, ""),
    (8, 29, 30, 450, 80, ""),
    (9, 30, 30, 370, 80, "2+1"),
    (10, 34, 45, 370, 80, "2+1"),
    (11, 35, 45, 370, 80, "2+1"),
    (12, 36, 69, 386, 90, "2+1"),
    (13, 37, 69, 306, 90, "2+1 2+1"),
    (14, 38, 69, 306, 90, "2+1 2+1"),
)
#: The action that ends the first stock round, the two lays in Derby and Lincoln, and the closing of LS.
END_OF_STOCK_ROUND, DERBY, LINCOLN, LS_CLOSED, LEICESTER, RUN = 27, 28, 29, 32, 33, 35


@lru_cache(maxsize=1)
def played() -> tuple[tuple[State, ...], tuple[Action, ...]]:
    """The opening and the state after each action, all by the rules; and the actions."""
    game = read_game(GAME)
    rules = get_title(game.title).game(game.seats, options=game.options, names=game.names, seed=game.seed)
    found, actions = [engine.start(rules.opening())], []
    for entry in game.actions:
        for action in entry.actions:
            found.append(engine.apply(found[-1], action))
            actions.append(action)
    return tuple(found), tuple(actions)


def after(number: int) -> State:
    return played()[0][number]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"step {row[0]}")
def test_every_figure_of_the_table_holds(row: tuple[int, int, int, int, int, str]) -> None:
    _, number, cash, treasury, price, trains = row
    state = after(number)
    company = state.companies["MR"]
    assert state.players["1"].cash == cash
    assert company.cash == treasury
    assert state.price_of(company) == price
    assert [state.face_of(train) for train in company.trains] == trains.split()
    assert state.phase_name == "2+1"


def test_two_tiers() -> None:
    """Step 1: four of nine are in tier 2; MR is not, and LNWR never is."""
    second = {name for name, company in after(0).companies.items() if company.marks.get("tier") == 2}
    assert len(after(0).companies) == 9
    assert len(second) == 4
    assert not second & {"MR", "LNWR"}


def test_start_and_second_share_of_mr() -> None:
    """Steps 3 and 4: 40 % for 180 float the company, 20 % more are the last that the IPO sells to J1."""
    company = after(19).companies["MR"]
    assert (company.floated, company.president, company.percent_of("1")) == (True, "1", 40)
    company = after(23).companies["MR"]
    assert (company.percent_of("1"), company.percent_of(IPO)) == (60, 40)


def test_incomes_and_the_end_of_the_stock_round() -> None:
    """Steps 5 and 6: nothing moves; LM pays 15."""
    assert after(END_OF_STOCK_ROUND - 1).price_of(after(END_OF_STOCK_ROUND - 1).companies["MR"]) == 90
    paid = after(END_OF_STOCK_ROUND).players["1"].cash - after(END_OF_STOCK_ROUND - 1).players["1"].cash
    assert paid == 15


def test_derby_and_lincoln() -> None:
    """Step 7: a city of 10 and a town of 10, without hills; a second city would be one too many."""
    state = after(LINCOLN)
    assert [stop.revenue.in_phase(state.phase) for stop in state.table.tile_at(HexId("H19")).cities] == [10]
    assert [stop.revenue.in_phase(state.phase) for stop in state.table.tile_at(HexId("I20")).towns] == [10]
    assert after(DERBY).companies["MR"].cash == 450
    second = LayTile(by=Actor("corporation", "MR"), hex=HexId("H21"), tile="G18", copy=0, rotation=0)
    with pytest.raises(RuleViolation, match="one tile action of a turn may be on a city"):
        engine.apply(after(DERBY), second)


def test_leicester_needs_ls_closed() -> None:
    """Step 10: the hex is blocked while LS is open; its owner may close it in the operating round and is paid."""
    before, closed = after(LS_CLOSED - 1), after(LS_CLOSED)
    lay = played()[1][LEICESTER - 1]
    with pytest.raises(RuleViolation, match="closed by a private"):
        engine.apply(before, lay)
    owner = before.privates["LS"].owner
    assert owner is not None
    assert closed.players[owner].cash == before.players[owner].cash + 10
    assert after(LEICESTER).table.tile_at(HexId("H21")).label == "OO"


def test_the_run_of_the_second_round() -> None:
    """Steps 11 and 12: 20 + 10 + 10, which is the best run; 24 for J1 and 16 for the treasury."""
    state, run = after(RUN - 1), played()[1][RUN - 1]
    assert isinstance(run, RunRoutes)
    problem = get_title("18GB").problem
    checked = check_run(state, run, problem)
    assert checked.verdict is not None
    assert checked.verdict.legal
    assert checked.revenue == 40
    assert solve(problem(state.position("MR"))).revenue == 40
    before, paid = after(RUN), after(RUN + 1)
    assert paid.players["1"].cash - before.players["1"].cash == 24
    assert paid.companies["MR"].cash - before.companies["MR"].cash == 16


def test_nothing_was_exported() -> None:
    """MR's purchases prevent an export in both rounds: two 2+1 are gone."""
    assert after(38).depot.upcoming[0] == "2+1-2"


def test_conversion_as_offered_before_the_second_stock_round() -> None:
    """Step 14, not executed in the example: 90 to 75, 5 × 75 for the treasury, two tokens more."""
    state = after(38)
    while state.round.current != "1":
        state = engine.apply(state, Pass(by=Actor("player", state.round.current or "")))
    choice = Choose(by=Actor("player", "1"), choice="convert_MR")
    assert choice in tuple(engine.legal_actions(state))
    state = engine.apply(state, choice)
    converted = state.companies["MR"]
    assert state.price_of(converted) == 75
    assert converted.cash == 306 + 375
    assert len(converted.tokens) == 4
    assert converted.percent_of(POOL) == 50
    assert converted.percent_of("1") == 30
