"""The share-price chart and what moves a price. Source: COMMON section 4, digest 1830."""

from __future__ import annotations

import pytest

from rules import engine
from rules.actions import Dividend, Pass, RecordedRoute, RunRoutes, SellShares
from rules.evaluate import dividend_options
from rules.prices import LINE_RIM, Cell, Market, PriceCell
from rules.state import State
from tests.rules.states import (
    A,
    B,
    C,
    company,
    money,
    opening,
    operating_round,
    player,
    stock_round,
    with_company,
    with_tile,
    with_trains,
)

CHART = opening().facts.market


@pytest.mark.parametrize(
    ("cell", "direction", "there"),
    [
        ((0, 6), "right", (0, 7)),
        ((0, 18), "right", (0, 18)),  # no cell to the right, none above: it stays
        ((2, 15), "right", (1, 15)),  # the row ends: up
        ((4, 0), "left", (5, 0)),  # column 0: down
        ((10, 3), "left", (10, 3)),  # the lowest row, no cell to the left: it stays
        ((8, 1), "left", (9, 1)),  # a blank to the left: down, where that is a cell
        ((10, 6), "down", (10, 6)),
        ((7, 7), "down", (7, 7)),  # blank below: it stays
        ((0, 3), "up", (0, 3)),
        ((3, 3), "up", (2, 3)),
        ((3, 3), "down", (4, 3)),
    ],
)
def test_steps_on_the_chart(cell: tuple[int, int], direction: str, there: tuple[int, int]) -> None:
    expected = Cell(*there)
    if CHART.at(expected) is None:  # the printed corner decides
        expected = Cell(*cell)
    assert CHART.step(Cell(*cell), direction) == expected


def test_no_step_leaves_the_chart() -> None:
    for cell in CHART.printed:
        for direction in ("up", "down", "left", "right"):
            assert CHART.at(CHART.step(cell, direction)) is not None


def test_on_a_line_up_is_right_and_down_is_left() -> None:
    line = Market((tuple(PriceCell(price) for price in (10, 20, 30)),), LINE_RIM)
    assert line.step(Cell(0, 1), "up") == line.step(Cell(0, 1), "right") == Cell(0, 2)
    assert line.step(Cell(0, 1), "down") == line.step(Cell(0, 1), "left") == Cell(0, 0)
    assert line.step(Cell(0, 2), "up") == line.step(Cell(0, 2), "right") == Cell(0, 2)
    assert line.step(Cell(0, 0), "down") == Cell(0, 0)


def test_each_share_sold_moves_one_row_and_pays_the_price_before() -> None:
    state = stock_round(with_company(opening(), "PRR", {B: 60, A: 30}, par=100))
    cash = state.players[A].cash
    state = engine.apply(state, SellShares(by=player(A), shares=("PRR_5", "PRR_6", "PRR_7"), percent=30))
    assert state.players[A].cash == cash + 300
    assert state.companies["PRR"].price == Cell(3, 6)
    (sale, move) = state.events
    assert (sale.text, move.text) == ("Ann sold 3 shares of PRR for 300", "Ann sold 3 shares of PRR")
    assert (move.before, move.after) == (100, 76)


def test_a_marker_stands_behind_those_already_there() -> None:
    state = with_company(with_company(opening(), "PRR", {A: 60}), "NYC", {B: 60})
    assert operating_round(state).round.order == ("PRR", "NYC")
    state = state.moving_price("PRR", Cell(5, 7)).moving_price("PRR", state.companies["NYC"].price or Cell(0, 0))
    assert operating_round(state).round.order == ("NYC", "PRR")


def test_operating_order_is_by_price_then_column_then_row() -> None:
    state = opening()
    for name, cell in {"PRR": (0, 4), "NYC": (1, 5), "CPR": (2, 6), "B&O": (0, 5), "C&O": (3, 7)}.items():
        state = with_company(state, name, {A: 60}, cell=Cell(*cell))
    # 82 at columns 4, 5, 6 and 7, and 90.
    assert operating_round(state).round.order == ("B&O", "C&O", "CPR", "NYC", "PRR")


def test_sold_out_moves_up_and_the_top_row_stays() -> None:
    state = with_company(opening(), "PRR", {A: 60, B: 40}, cell=Cell(2, 6))
    state = with_company(state, "NYC", {B: 60, C: 40}, cell=Cell(0, 9))
    state = with_company(state, "CPR", {C: 60, A: 30, "POOL": 10}, cell=Cell(2, 7))
    state = money(stock_round(state), p1=0, p2=0, p3=0)
    while not state.over and state.kind.role == "stock":
        state = engine.apply(state, Pass(by=player(state.round.current or "")))
    assert state.companies["PRR"].price == Cell(1, 6)
    assert state.companies["NYC"].price == Cell(0, 9)
    assert state.companies["CPR"].price == Cell(2, 7)


def test_dividends_move_right_and_withholding_left() -> None:
    state = opening()
    state = with_company(state, "PRR", {A: 60, B: 20, "POOL": 10}, par=76, cash=500)
    options = {one.kind: one for one in dividend_options(state, "PRR", 100)}
    assert options["payout"].receives == {A: 60, B: 20, "PRR": 10}
    assert (options["payout"].price_before, options["payout"].price_after) == (76, 82)
    assert options["withhold"].receives == {"PRR": 100}
    assert options["withhold"].price_after == 71
    (nothing,) = dividend_options(state, "PRR", 0)
    assert (nothing.kind, nothing.receives, nothing.price_after) == ("withhold", {}, 71)


def running() -> State:
    """B&O is about to run a 2 from Baltimore to Washington."""
    state = with_company(opening(), "B&O", {A: 60, B: 30}, par=67, cash=200)
    state = with_trains(with_tile(state, "J14", "57", 0), "B&O", "2-0")
    state = operating_round(state)
    while RunRoutes not in {kind for actor in engine.acting(state) for kind in state_offers(state, actor)}:
        state = engine.apply(state, Pass(by=company("B&O")))
    return state


def state_offers(state: State, actor: object) -> frozenset[type]:
    step = engine.waiting_step(state)
    assert step is not None
    return step.offers(state, actor)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("kind", ["payout", "withhold"])
def test_what_is_evaluated_is_what_happens(kind: str) -> None:
    state = running()
    told = {one.kind: one for one in dividend_options(state, "B&O", 50)}[kind]
    route = RecordedRoute("2-0", (("I15", "J14"),), revenue=50)
    state = engine.apply(state, RunRoutes(by=company("B&O"), routes=(route,)))
    after = engine.apply(state, Dividend(by=company("B&O"), kind=kind))
    paid = {
        party: after.cash_of(party) - state.cash_of(party)
        for party in (*state.players, "B&O")
        if after.cash_of(party) != state.cash_of(party)
    }
    assert paid == dict(told.receives)
    assert after.price_of(after.companies["B&O"]) == told.price_after
