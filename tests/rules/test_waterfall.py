"""The standard private auction. Source: COMMON section 6.1."""

from __future__ import annotations

from rules import engine
from rules.actions import Bid, Par, Pass
from rules.prices import Cell
from rules.shares import POOL
from rules.state import State
from tests.rules.states import A, B, C, money, opening, player, refusal


def bid(state: State, who: str, private: str, price: int) -> State:
    return engine.apply(state, Bid(by=player(who), private=private, price=price))


def passing(state: State, *who: str) -> State:
    for one in who:
        state = engine.apply(state, Pass(by=player(one)))
    return state


def asked(state: State) -> list[str]:
    return [actor.name for actor in engine.acting(state)]


def test_the_cheapest_is_bought_and_others_are_bid_on() -> None:
    state = opening()
    assert "SV can be bought for 20, not 25" in refusal(state, Bid(by=player(A), private="SV", price=25))
    assert "at least 45" in refusal(state, Bid(by=player(A), private="CS", price=44))
    state = bid(state, A, "SV", 20)
    assert state.privates["SV"].owner == A
    assert asked(state) == [B]


def test_bids_tie_money_up() -> None:
    state = bid(opening(), A, "BO", 700)
    state = passing(state, B, C)
    assert "Ann has 100 left beside other bids" in refusal(state, Bid(by=player(A), private="CA", price=165))
    # Raising one's own bid needs the difference only.
    assert bid(state, A, "BO", 705).round.bids["BO"][-1] == (A, 705)  # type: ignore[attr-defined]


def test_a_lone_bidder_gets_the_next_cheapest_at_once() -> None:
    state = bid(opening(), A, "CS", 45)
    state = bid(state, B, "SV", 20)
    assert state.privates["CS"].owner == A
    assert state.players[A].cash == 800 - 45
    assert asked(state) == [C]


def test_several_bidders_contest_it_the_lowest_first() -> None:
    state = bid(opening(), A, "CS", 45)
    state = bid(state, B, "CS", 50)
    state = bid(state, C, "SV", 20)
    assert asked(state) == [A]
    assert "only CS is being auctioned" in refusal(state, Bid(by=player(A), private="DH", price=75))
    assert "at least 55" in refusal(state, Bid(by=player(A), private="CS", price=50))
    state = bid(state, A, "CS", 55)
    assert asked(state) == [B]
    state = passing(state, B)
    assert state.privates["CS"].owner == A
    assert state.players[A].cash == 800 - 55
    # A contest does not move the turn: it goes on after the one who bought SV.
    assert asked(state) == [A]


def test_all_passing_lowers_the_first_private_or_pays_incomes() -> None:
    state = passing(opening(), A, B, C)
    assert bid(state, A, "SV", 15).privates["SV"].owner == A
    state = bid(opening(), A, "SV", 20)
    cash = state.players[A].cash
    state = passing(state, B, C, A)
    assert state.players[A].cash == cash + 5


def test_at_zero_it_must_be_taken() -> None:
    state = opening()
    for _ in range(4):
        state = passing(state, *[asked(state)[0]])
        state = passing(state, *[asked(state)[0]])
        state = passing(state, *[asked(state)[0]])
    assert state.privates["SV"].owner is not None
    assert sum(one.cash for one in state.players.values()) == 3 * 800


def test_certificates_come_with_privates_and_the_par_price_is_asked_for() -> None:
    state = money(opening(), p1=2000)
    for name, price in (("BO", 225), ("CA", 165), ("MH", 115), ("DH", 75), ("CS", 45)):
        while asked(state) != [A]:
            state = passing(state, *asked(state))
        state = bid(state, A, name, price)
    while asked(state) != [B]:
        state = passing(state, *asked(state))
    state = bid(state, B, "SV", 20)
    assert {private.owner for name, private in state.privates.items() if name != "SV"} == {A}
    assert state.companies["PRR"].percent_of(A) == 10
    assert asked(state) == [A]
    assert "may be started at" in refusal(state, Par(by=player(A), corporation="B&O", cell=Cell(0, 0)))
    assert "the par price of B&O is due first" in refusal(state, Par(by=player(A), corporation="PRR", cell=Cell(0, 6)))
    state = engine.apply(state, Par(by=player(A), corporation="B&O", cell=Cell(0, 6)))
    assert (state.companies["B&O"].president, state.companies["B&O"].par) == (A, 100)
    assert state.round.kind == "Stock"
    assert state.companies["B&O"].percent_of(POOL) == 0


def test_what_is_not_for_sale() -> None:
    state = opening()
    assert "XYZ is not for sale" in refusal(state, Bid(by=player(A), private="XYZ", price=20))
    assert "Bob cannot bid now; Ann may bid or pass" in refusal(state, Bid(by=player(B), private="SV", price=20))
