"""Trains, phases, emergencies, bankruptcy and the end of a game. Source: COMMON sections 11 and 12, digest 1830."""

from __future__ import annotations

import pytest

from rules import engine
from rules.actions import Bankrupt, BuyTrain, DiscardTrain, EndGame, Pass, SellShares
from rules.prices import Cell
from rules.shares import POOL
from rules.state import BANK, State
from tests.rules.states import (
    A,
    B,
    C,
    company,
    money,
    only_trains,
    opening,
    operating_round,
    player,
    refusal,
    stock_round,
    with_company,
    with_tile,
    with_trains,
)


def buying(*kinds: str, cash: int, phase: str = "2", held: dict[str, int] | None = None, **amounts: int) -> State:
    """B&O, which has a route, comes to buy trains; the supply holds *kinds*."""
    state = with_company(opening(), "B&O", held or {A: 60, B: 20}, par=67, cash=cash)
    state = with_tile(only_trains(state, *kinds).but(phase_name=phase), "J14", "57", 0)
    state = operating_round(money(state, **amounts))
    while (step := engine.waiting_step(state)) is not None and step.name != "trains":
        state = engine.apply(state, Pass(by=company("B&O")))
    return state


def buy(train: str, price: int, **further: str) -> BuyTrain:
    return BuyTrain(by=company("B&O"), train=train, price=price, **further)  # type: ignore[arg-type]


class TestBuying:
    def test_the_first_kind_is_on_sale_at_its_price(self) -> None:
        state = buying("2", "3", cash=500)
        assert "costs [80], not 70" in refusal(state, buy("2-0", 70))
        assert "train 3-0 is not for sale" in refusal(state, buy("3-0", 180))
        state = engine.apply(state, buy("2-0", 80))
        assert state.companies["B&O"].trains == ("2-0",)
        assert state.companies["B&O"].cash == 420

    def test_a_phase_begins_with_its_train_and_old_ones_rust(self) -> None:
        state = buying("4", "5", cash=1000, phase="3")
        state = with_trains(with_company(state, "NYC", {B: 60}), "NYC", "2-0", "3-0")
        state = engine.apply(state, buy("4-0", 300))
        assert state.phase_name == "4"
        assert state.companies["NYC"].trains == ("3-0",)

    def test_the_diesel_is_there_from_the_first_six_and_cheaper_for_an_old_train(self) -> None:
        state = buying("6", "D", cash=3000, phase="5")
        assert "D-0 is not for sale" in refusal(state, buy("D-0", 1100))
        state = with_trains(engine.apply(state, buy("6-0", 630)), "B&O", "6-0", "5-0")
        assert "cannot be exchanged" in refusal(state, buy("D-0", 700, exchange="5-0"))
        state = engine.apply(state, buy("D-0", 800, exchange="5-0"))
        assert state.companies["B&O"].trains == ("6-0", "D-0")
        assert state.depot.pool == ("5-0",)
        assert "D-1" in state.game.on_sale(state)

    def test_trains_of_other_companies_cost_at_least_one(self) -> None:
        state = buying("2", "3", cash=500)
        state = with_trains(with_company(state, "NYC", {B: 60}, cash=0), "NYC", "2-1")
        assert "at least 1" in refusal(state, buy("2-1", 0))
        state = engine.apply(state, buy("2-1", 7))
        assert state.companies["NYC"].cash == 7

    def test_there_must_be_room(self) -> None:
        state = with_trains(buying("5", "6", cash=2000, phase="5"), "B&O", "3-0", "4-0")
        assert "no room for another train" in refusal(state, buy("5-0", 450))

    def test_above_the_limit_everybody_discards_before_play_goes_on(self) -> None:
        state = buying("5", "6", cash=2000, phase="4")
        state = with_trains(with_company(state, "NYC", {B: 60}), "NYC", "3-0", "4-0", "4-1")
        state = engine.apply(state, buy("5-0", 450))
        assert [actor.name for actor in engine.acting(state)] == ["NYC"]
        assert "NYC may discard_train" in refusal(state, Pass(by=company("B&O")))
        assert "NYC owns 3-0, 4-0, 4-1, not 5-0" in refusal(state, DiscardTrain(by=company("NYC"), train="5-0"))
        state = engine.apply(state, DiscardTrain(by=company("NYC"), train="4-0"))
        assert state.depot.pool == ("4-0",)
        assert "4-0" in state.game.on_sale(state)

    def test_discards_out_of_the_game_are_not_for_sale(self) -> None:
        """Source: field case F51."""
        state = with_trains(with_company(opening(discards_to_pool=False), "NYC", {B: 60}), "NYC", "3-0")
        state = state.game.discard(state, state.companies["NYC"], "3-0")
        assert state.depot.pool == ()
        assert "3-0" not in state.game.on_sale(state)

    def test_a_train_that_ran_does_not_run_again_in_the_round(self) -> None:
        """Source: field case F37."""
        state = with_trains(buying("2", "3", cash=500), "B&O", "2-0", "2-1").with_round(ran=frozenset({"2-1"}))
        assert state.game.runnable(state, state.companies["B&O"]) == ("2-0",)
        assert state.position("B&O").trains == ("2",)


class TestForced:
    def test_without_a_train_but_with_a_route_there_is_no_pass(self) -> None:
        state = buying("2", "3", cash=500)
        assert "B&O may buy_train" in refusal(state, Pass(by=company("B&O")))

    def test_without_a_route_nothing_is_due(self) -> None:
        state = with_company(opening(), "PRR", {A: 60}, cash=0)
        state = operating_round(only_trains(state, "6"))
        assert not state.game.must_buy_train(state, state.companies["PRR"])

    def test_the_treasury_is_spent_and_the_president_adds_what_is_missing(self) -> None:
        state = buying("5", cash=100, phase="5", p1=400)
        after = engine.apply(state, buy("5-0", 450))
        assert (after.companies["B&O"].cash, after.players[A].cash) == (0, 50)
        assert [event.text for event in after.events if event.kind == "emergency"] == [
            "the treasury of B&O pays 100 of 450 for 5-0",
            "Ann adds 350",
        ]

    def test_only_the_cheapest_bank_train_and_others_up_to_face_value(self) -> None:
        state = buying("6", "D", cash=100, phase="6", p1=1500)
        assert "the president helps to buy the cheapest train only" in refusal(state, buy("D-0", 1100))
        state = with_trains(with_company(state, "NYC", {B: 60}), "NYC", "5-0")
        assert "at most its face value 450" in refusal(state, buy("5-0", 451))
        after = engine.apply(state, buy("5-0", 450))
        assert after.companies["NYC"].cash == state.companies["NYC"].cash + 450

    def test_no_more_is_sold_than_is_needed(self) -> None:
        state = with_company(buying("5", cash=100, phase="5", p1=300), "NYC", {B: 30, A: 30}, cell=Cell(1, 7))
        one = SellShares(by=player(A), shares=("NYC_2",), percent=10)
        two = SellShares(by=player(A), shares=("NYC_2", "NYC_3"), percent=20)
        assert "no more may be sold than is needed" in refusal(state, two)
        state = engine.apply(state, one)
        assert state.companies["NYC"].price == Cell(2, 7)
        assert "cannot sell_shares" in refusal(state, SellShares(by=player(A), shares=("NYC_3",), percent=10))
        state = engine.apply(state, buy("5-0", 450))
        assert state.players[A].cash == 50

    def test_the_presidency_of_the_buyer_stays(self) -> None:
        state = buying("5", cash=100, phase="5", p1=0, held={A: 40, B: 40})
        assert not any(
            isinstance(one, SellShares) and one.shares[0].startswith("B&O") for one in engine.legal_actions(state)
        )

    def test_another_presidency_may_go(self) -> None:
        state = with_company(buying("5", cash=100, phase="5", p1=0), "NYC", {A: 40, B: 30}, cell=Cell(0, 10))
        state = engine.apply(state, SellShares(by=player(A), shares=("NYC_1", "NYC_2"), percent=20))
        assert state.companies["NYC"].president == B

    def test_after_a_sale_another_companys_train_must_need_it(self) -> None:
        state = with_company(buying("5", cash=100, phase="5", p1=150), "NYC", {B: 30, A: 30}, cell=Cell(0, 10))
        state = with_trains(state, "NYC", "4-0")
        state = engine.apply(state, SellShares(by=player(A), shares=("NYC_2",), percent=10))
        assert "must make the last sale of shares necessary" in refusal(state, buy("4-0", 250))
        assert engine.apply(state, buy("4-0", 300)).companies["B&O"].trains == ("4-0",)


class TestBankruptcy:
    def test_only_who_cannot_raise_the_money_is_bankrupt(self) -> None:
        state = with_company(buying("5", cash=100, phase="5", p1=300), "NYC", {B: 30, A: 30}, cell=Cell(1, 7))
        assert "Ann can raise the train's 450: treasury, cash and sellable shares bring" in refusal(
            state, Bankrupt(by=company("B&O"))
        )
        rich = buying("5", cash=500, phase="5")
        assert "nothing forces Ann to pay" in refusal(rich, Bankrupt(by=company("B&O")))

    def test_everything_is_sold_and_the_game_ends(self) -> None:
        state = with_company(buying("5", cash=100, phase="5", p1=30, held={A: 40, B: 40}), "NYC", {B: 30, A: 20})
        state = engine.apply(state, Bankrupt(by=company("B&O")))
        assert state.over == "bankrupt"
        assert state.players[A].cash == 0
        assert state.players[A].bankrupt
        assert state.companies["NYC"].percent_of(POOL) == 20
        assert "the game is over (bankrupt)" in refusal(state, Pass(by=company("B&O")))


class TestEnd:
    def test_the_bank_breaks_and_the_set_is_played_out(self) -> None:
        state = buying("2", "3", cash=500)
        assert state.set_length == 2
        state = state.pay(BANK, C, (state.bank or 0) + 1)
        assert state.bank == -1
        state = engine.apply(state, buy("2-0", 80))
        assert dict(state.ending.triggers) == {"bank": "full_or"}
        rounds = set()
        while not state.over:
            rounds.add((state.round.kind, state.round.number))
            legal = list(engine.legal_actions(state))
            state = engine.apply(state, next((one for one in legal if isinstance(one, Pass)), legal[0]))
        assert state.over == "bank"
        assert rounds == {("Operating", 1), ("Operating", 2)}

    @pytest.mark.parametrize(
        ("timing", "round_over", "number", "ends"),
        [
            ("immediate", False, 1, True),
            ("current_round", False, 1, False),
            ("current_round", True, 1, True),
            ("current_or", True, 1, True),
            ("full_or", True, 1, False),
            ("full_or", True, 2, True),
            ("one_more_full_or_set", True, 2, False),
        ],
    )
    def test_timings(self, timing: str, round_over: bool, number: int, ends: bool) -> None:
        state = operating_round(with_company(opening(end_of_game={"bank": timing}), "PRR", {A: 60}))
        state = state.game.trigger_end(state.with_round(number=number), "bank")
        assert bool(state.game.check_end(state, round_over=round_over).over) == ends

    def test_one_more_full_set_is_the_next_one(self) -> None:
        state = operating_round(
            with_company(opening(end_of_game={"bank": "one_more_full_or_set"}), "PRR", {A: 60}), turn=4
        )
        state = state.game.trigger_end(state, "bank").but(turn_number=5).with_round(number=2)
        assert state.game.check_end(state, round_over=True).over == "bank"

    def test_a_stock_round_does_not_end_a_set(self) -> None:
        state = stock_round(opening(end_of_game={"bank": "full_or"}))
        state = state.game.trigger_end(state, "bank")
        assert not state.game.check_end(state, round_over=True).over

    def test_by_agreement_at_any_time(self) -> None:
        state = engine.apply(opening(), EndGame(by=player(A)))
        assert state.over == "manually_ended"

    def test_scores_are_cash_shares_and_privates(self) -> None:
        state = with_company(opening(), "PRR", {A: 30, B: 20}, cell=Cell(0, 6)).handing_private("CA", A)
        assert state.game.scores(state) == {A: 800 + 300 + 160, B: 800 + 200, C: 800}
