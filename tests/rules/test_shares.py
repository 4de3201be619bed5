"""Buying, selling, limits, floating and presidency. Source: COMMON sections 2, 3 and 6.2, digest 1830."""

from __future__ import annotations

import pytest

from rules import engine, trade
from rules.actions import BuyPrivate, BuyShares, Par, Pass, SellShares
from rules.prices import Cell
from rules.shares import POOL
from rules.state import State
from tests.rules.states import (
    A,
    B,
    C,
    money,
    opening,
    player,
    refusal,
    stock_round,
    with_company,
)

PAR_67 = Cell(5, 6)


def buy(state: State, who: str, *shares: str, percent: int | None = None) -> State:
    total = 10 * len(shares) if percent is None else percent
    return engine.apply(state, BuyShares(by=player(who), shares=shares, percent=total))


def sell(state: State, who: str, *shares: str, percent: int | None = None) -> State:
    total = 10 * len(shares) if percent is None else percent
    return engine.apply(state, SellShares(by=player(who), shares=shares, percent=total))


def held(state: State, name: str) -> dict[str, int]:
    return {holder: state.companies[name].percent_of(holder) for holder in state.companies[name].holdings}


class TestBuying:
    def test_the_ipo_costs_par_and_the_pool_the_price(self) -> None:
        state = with_company(opening(), "PRR", {A: 30, POOL: 20}, par=67, cell=Cell(0, 9))
        state = stock_round(state)
        after = buy(state, A, "PRR_4")
        assert state.players[A].cash - after.players[A].cash == 67
        after = buy(state, A, "PRR_2")
        assert state.players[A].cash - after.players[A].cash == 142

    def test_starting_costs_the_presidents_certificate(self) -> None:
        state = stock_round(opening())
        after = engine.apply(state, Par(by=player(A), corporation="PRR", cell=PAR_67))
        assert after.companies["PRR"].president == A
        assert after.companies["PRR"].par == 67
        assert state.players[A].cash - after.players[A].cash == 134
        assert "may be started at [67, 71, 76, 82, 90, 100]" in refusal(
            state, Par(by=player(A), corporation="PRR", cell=Cell(0, 0))
        )
        assert "may be started at []" in refusal(state, Par(by=player(A), corporation="XYZ", cell=PAR_67))

    def test_a_certificate_that_comes_with_an_unsold_private_is_not_for_sale(self) -> None:
        state = stock_round(opening())
        assert not state.game.may_start(state, A, "B&O")
        state = state.handing_private("BO", None)
        assert "belongs to the buyer of a private" in state.game.may_start(state, A, "B&O")

    def test_one_purchase_a_turn(self) -> None:
        state = buy(stock_round(with_company(opening(), "PRR", {A: 20, B: 20})), A, "PRR_3")
        assert "one purchase a turn" in refusal(state, BuyShares(by=player(A), shares=("PRR_4",), percent=10))

    def test_several_from_the_pool_in_brown_cells(self) -> None:
        brown = Cell(8, 1)
        state = stock_round(with_company(opening(), "PRR", {A: 20, POOL: 40}, cell=brown))
        state = buy(buy(buy(state, A, "PRR_1"), A, "PRR_2"), A, "PRR_3")
        assert held(state, "PRR")[A] == 50
        assert "one purchase a turn" in refusal(state, BuyShares(by=player(A), shares=("PRR_5",), percent=10))

    def test_the_holding_limit_and_where_it_is_lifted(self) -> None:
        state = stock_round(with_company(opening(), "PRR", {A: 60, POOL: 10}))
        again = BuyShares(by=player(A), shares=("PRR_5",), percent=10)
        assert "more than 60 %" in refusal(state, again)
        orange = stock_round(with_company(opening(), "PRR", {A: 60, POOL: 10}, cell=Cell(7, 3)))
        assert held(engine.apply(orange, again), "PRR")[A] == 70

    def test_the_certificate_limit_and_where_certificates_do_not_count(self) -> None:
        state = with_company(opening(certificate_limit=7), "PRR", {A: 60})
        state = stock_round(with_company(state, "NYC", {B: 20, A: 30}, cell=Cell(0, 9)))
        assert state.game.certificates_of(state, A) == 8
        # Over the limit: nothing but selling.
        assert "may sell_shares" in refusal(state, Pass(by=player(A)))
        state = sell(state, A, "NYC_1")
        assert state.game.certificates_of(state, A) == 7
        assert "has reached the certificate limit of 7" in refusal(
            state, Par(by=player(A), corporation="CPR", cell=PAR_67)
        )
        yellow = stock_round(with_company(opening(certificate_limit=1), "PRR", {A: 30}, cell=Cell(0, 0)))
        assert yellow.game.certificates_of(yellow, A) == 0

    def test_sold_means_not_bought_again_this_round(self) -> None:
        state = sell(stock_round(with_company(opening(), "PRR", {B: 40, A: 30})), A, "PRR_3")
        assert "Ann sold shares of PRR in this round" in refusal(
            state, BuyShares(by=player(A), shares=("PRR_3",), percent=10)
        )

    def test_money(self) -> None:
        state = money(stock_round(with_company(opening(), "PRR", {B: 40})), p1=66)
        assert "cost 67; Ann has 66" in refusal(state, BuyShares(by=player(A), shares=("PRR_5",), percent=10))

    def test_a_private_of_another_player(self) -> None:
        state = stock_round(opening())
        after = engine.apply(state, BuyPrivate(by=player(A), private="SV", price=33))
        assert after.privates["SV"].owner == A
        assert after.players[C].cash == state.players[C].cash + 33
        first = stock_round(opening(), turn=1)
        assert "BuyPrivate" not in {type(one).__name__ for one in engine.legal_actions(first)}

    @pytest.mark.parametrize("shares", [("PRR_99",), ("XYZ_1",), ("PRR",), ("",), ("PRR_-1",), ()])
    def test_certificates_that_are_not_there(self, shares: tuple[str, ...]) -> None:
        state = stock_round(with_company(opening(), "PRR", {A: 20}))
        assert refusal(state, BuyShares(by=player(A), shares=shares, percent=10))
        assert refusal(state, SellShares(by=player(A), shares=shares, percent=10))


class TestFloating:
    def test_a_company_floats_at_sixty_percent_with_ten_times_par(self) -> None:
        state = stock_round(with_company(opening(), "PRR", {A: 50}, par=100))
        assert not state.companies["PRR"].floated
        state = buy(state, A, "PRR_4")
        assert state.companies["PRR"].floated
        assert state.companies["PRR"].cash == 1000


class TestSelling:
    def test_nothing_is_sold_in_the_first_stock_round(self) -> None:
        state = stock_round(with_company(opening(), "PRR", {B: 40, A: 30}), turn=1)
        assert SellShares not in {type(one) for one in engine.legal_actions(state)}

    def test_the_pool_takes_half(self) -> None:
        state = stock_round(with_company(opening(), "PRR", {B: 30, A: 30, POOL: 30}))
        assert "at most 50 %" in refusal(
            state, SellShares(by=player(A), shares=("PRR_2", "PRR_3", "PRR_4"), percent=30)
        )
        assert held(sell(state, A, "PRR_2", "PRR_3"), "PRR")[POOL] == 50

    def test_the_presidents_certificate_needs_somebody_who_can_take_it(self) -> None:
        alone = stock_round(with_company(opening(), "PRR", {A: 40, B: 10}))
        assert "nobody else holds the 20 %" in refusal(
            alone, SellShares(by=player(A), shares=("PRR_1", "PRR_2", "PRR_0"), percent=40)
        )
        shared = stock_round(with_company(opening(), "PRR", {A: 40, B: 20}))
        after = sell(shared, A, "PRR_1", "PRR_2", "PRR_0", percent=40)
        assert after.companies["PRR"].president == B
        assert held(after, "PRR") == {"IPO": 40, POOL: 40, B: 20}

    def test_part_of_the_presidents_certificate(self) -> None:
        state = stock_round(with_company(opening(), "PRR", {A: 20, B: 20}))
        after = sell(state, A, "PRR_0", percent=10)
        assert after.companies["PRR"].president == B
        assert held(after, "PRR") == {"IPO": 60, POOL: 10, B: 20, A: 10}
        assert [one.president for one in after.companies["PRR"].held(B)] == [True]

    def test_somebody_elses_shares(self) -> None:
        state = stock_round(with_company(opening(), "PRR", {A: 40, B: 20}))
        assert "Ann does not own PRR_3" in refusal(state, SellShares(by=player(A), shares=("PRR_3",), percent=10))

    def test_above_sixty_percent_outside_the_zone_must_be_sold(self) -> None:
        state = stock_round(with_company(opening(), "PRR", {A: 70}, cell=Cell(0, 9)))
        assert {type(one) for one in engine.legal_actions(state) if one.by.kind == "player"} == {SellShares}
        assert "above a limit and must sell first" in refusal(
            state, BuyShares(by=player(A), shares=("PRR_7",), percent=10)
        )


class TestPresidency:
    def test_ties_keep_the_president(self) -> None:
        state = buy(stock_round(with_company(opening(), "PRR", {B: 30, A: 20})), A, "PRR_4")
        assert state.companies["PRR"].president == B

    def test_more_takes_over_and_the_certificates_are_exchanged(self) -> None:
        state = buy(stock_round(with_company(opening(), "PRR", {B: 30, A: 30})), A, "PRR_5")
        company = state.companies["PRR"]
        assert company.president == A
        assert held(state, "PRR") == {"IPO": 30, B: 30, A: 40, POOL: 0} or held(state, "PRR") == {
            "IPO": 30,
            B: 30,
            A: 40,
        }
        assert [one.percent for one in company.held(B)] == [10, 10, 10]
        assert sum(one.president for one in company.held(A)) == 1

    def test_the_next_to_the_left_takes_over_among_equals(self) -> None:
        state = with_company(opening(4), "PRR", {"4": 40, A: 20, "2": 20, C: 20})
        state = trade.sell(state, trade.bundle_of(state, ["PRR_0", "PRR_1", "PRR_2"], 30))
        assert state.companies["PRR"].president == A

    def test_who_holds_one_share_cannot_preside(self) -> None:
        state = with_company(opening(), "PRR", {A: 20, B: 10})
        state = trade.sell(state.but(), trade.bundle_of(state, ["PRR_1"], 10))
        assert state.companies["PRR"].president == A

    def test_certificates_are_conserved_by_every_sale(self) -> None:
        state = stock_round(with_company(opening(), "PRR", {A: 50, B: 30, C: 20}))
        for bundle in state.game.bundles(state, A, state.companies["PRR"]):
            if not state.game.sale_fault(state, bundle):
                after = trade.sell(state, bundle)
                numbers = [one.number for ones in after.companies["PRR"].holdings.values() for one in ones]
                assert sorted(numbers) == list(range(9))
                assert sum(held(after, "PRR").values()) == 100


class TestTurns:
    def test_a_round_ends_when_all_pass_in_succession(self) -> None:
        state = stock_round(with_company(opening(), "PRR", {A: 40, B: 30}))
        state = engine.apply(state, Pass(by=player(A)))
        state = buy(state, B, "PRR_6")
        for who in (C, A, B):
            assert state.kind.role == "stock"
            if state.round.current == who:
                state = engine.apply(state, Pass(by=player(who)))
        while state.kind.role == "stock":
            state = engine.apply(state, Pass(by=player(state.round.current or "")))
        # The player left of the last one who did something is first.
        assert state.order[0] == C

    def test_passing_after_acting_is_no_pass(self) -> None:
        state = sell(stock_round(with_company(opening(), "PRR", {B: 40, A: 30})), A, "PRR_3")
        state = engine.apply(state, Pass(by=player(A)))
        assert A not in getattr(state.round, "passed", ())
