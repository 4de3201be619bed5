"""The worked example of 1828 as a recorded game: every printed figure of its table. What the example leaves to other
players is in the record as well. Source: worked examples, 1828."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from analysis.games import problems_of
from records.games_18xx import read_game
from records.replay import Carried, replay
from rules import engine
from rules.state import State
from titles.registry import get_title


class Row(NamedTuple):
    """A row of the table: the last action of the step, and G1's cash, treasury, price and trains of GT after it."""

    step: int
    action: int
    cash: int
    treasury: int | None
    price: int | None
    trains: int


TABLE = (
    Row(3, 19, 445, None, 79, 0),
    Row(4, 26, 287, 790, 79, 0),
    Row(6, 29, 287, 790, 79, 0),
    Row(7, 30, 327, 790, 79, 0),
    Row(8, 32, 327, 710, 79, 0),
    Row(9, 33, 327, 710, 76, 0),
    Row(10, 35, 327, 550, 76, 2),
    Row(11, 40, 248, 550, 76, 2),
    Row(12, 47, 248, 550, 76, 2),
    Row(13, 49, 248, 550, 76, 2),
    Row(14, 50, 302, 550, 79, 2),
    Row(15, 51, 302, 470, 79, 3),
    Row(16, 52, 302, 470, 79, 3),
)


@pytest.fixture(scope="module")
def opening() -> State:
    game = read_game(Path(__file__).with_name("1828.json"))
    title = get_title(game.title)
    return engine.start(title.game(game.seats, options=game.options, names=game.names, seed=game.seed).opening())


@pytest.fixture(scope="module")
def played(opening: State) -> dict[int, Carried]:
    game = read_game(Path(__file__).with_name("1828.json"))
    return {one.entry.id: one for one in replay(game, opening, problems_of(game.title)) if one.entry.id is not None}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"step-{row.step}")
def test_every_row_of_the_table(played: dict[int, Carried], row: Row) -> None:
    state = played[row.action].after
    company = state.companies["GT"]
    assert state.players["1"].cash == row.cash
    assert company.cash == (row.treasury or 0)
    assert state.price_of(company) == (row.price or 0)
    assert [state.face_of(train) for train in company.trains] == ["2"] * row.trains
    assert state.phase_name == "Yellow"


def test_step_1_three_of_eight_founders_are_removed(opening: State) -> None:
    founders = [private for private in opening.privates.values() if private.value == 250]
    assert sum(private.closed for private in founders) == 3
    assert not opening.privates["GT"].closed
    assert opening.players["1"].cash == 700


def test_step_2_a_bid_ties_up_its_money(played: dict[int, Carried]) -> None:
    """The printed 445 is what is left beside the bid."""
    state = played[1].after
    assert state.players["1"].cash == 700
    assert state.kind.steps[1].committed(state, "1") == 255  # type: ignore[attr-defined]


def test_steps_4_and_5_the_sixth_share_floats_the_company(played: dict[int, Carried]) -> None:
    state = played[26].after
    company = state.companies["GT"]
    assert (company.percent_of("1"), company.percent_of("3")) == (50, 10)
    assert company.floated
    assert not played[24].after.companies["GT"].floated


def test_step_7_income_and_home_token(played: dict[int, Carried]) -> None:
    state = played[31].after
    assert state.table.stops_of("GT") == ("D4.c0",)
    assert played[30].after.privates["GT"].income == 40


def test_step_10_the_private_closes_with_the_first_train(played: dict[int, Carried]) -> None:
    assert not played[33].after.privates["GT"].closed
    assert played[34].after.privates["GT"].closed


def test_step_11_sixty_percent(played: dict[int, Carried]) -> None:
    assert played[40].after.companies["GT"].percent_of("1") == 60


def test_steps_13_and_14_the_runs_by_the_rules_and_what_they_pay(played: dict[int, Carried]) -> None:
    (run,) = played[49].runs
    assert (run.stored, run.revenue) == (90, 90)
    assert [claim.revenue for claim in run.claimed] == [50, 40]
    before, after = played[50].before, played[50].after
    assert after.players["3"].cash - before.players["3"].cash == 9


def test_nothing_differs_from_the_record(played: dict[int, Carried]) -> None:
    assert not [notice for one in played.values() for notice in one.notices]
    assert not [run for one in played.values() for run in one.runs if run.differs]
