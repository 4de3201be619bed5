"""Mergers of 1828: who may merge, what the system owns, and how shares are exchanged. Source: digest 1828 section 9."""

from __future__ import annotations

import random

import pytest

from board.errors import RuleViolation
from board.hexes import HexId, StopId
from rules import engine
from rules.actions import Action, Choose, FailedMerge, Merge, Par, Pass, RemoveToken, SellShares
from rules.prices import Cell
from rules.shares import IPO
from rules.state import State
from tests.titles.games_1828 import (
    Holding,
    Setup,
    corporation,
    done,
    new_game,
    player,
    shares_of,
    step_waiting,
    stock,
)
from titles.t1828.mergers import CHOICE, FAILED
from titles.t1828.policies import rules_of
from titles.t1828.systems import System, system_price

#: Prices 100 and 76: a system of both is worth 138 (at most 100 + 38).
AT_100, AT_76 = Cell(3, 1), Cell(6, 0)
RICH = Setup(cash={"1": 500, "2": 500, "3": 500})


def choose(who: str, what: str) -> Choose:
    return Choose(by=player(who), choice=what)


def begun(companies: dict[str, Holding], one: str = "GT", other: str = "IC", setup: Setup = RICH) -> State:
    """Player 1 merges *other* into *one*."""
    return done(stock(companies, setup), choose("1", one), Merge(by=corporation(one), corporation=other))


def pair(gt: dict[str, int], ic: dict[str, int], *, gt_at: Cell = AT_100, ic_at: Cell = AT_76) -> dict[str, Holding]:
    return {"GT": Holding(gt_at, gt), "IC": Holding(ic_at, ic)}


def choices(state: State) -> tuple[str, tuple[str, ...]]:
    """Who is asked, and for what."""
    (actor,) = engine.acting(state)
    return actor.name, tuple(action.choice for action in engine.legal_actions(state) if isinstance(action, Choose))


def refused(state: State, action: Action, part: str) -> None:
    with pytest.raises(RuleViolation) as error:
        engine.apply(state, action)
    assert part in str(error.value)


def cash(state: State) -> dict[str, int]:
    return {name: one.cash for name, one in state.players.items()}


# --- who may merge ---------------------------------------------------------------------------------------------------


def fault_of(companies: dict[str, Holding], who: str = "1", *options: str, sold: str = "") -> str:
    """Why *who* may not merge GT and IC; *sold*: a player who sold shares of IC in this round."""
    state = stock(companies, Setup(options=options))
    if sold:
        state = state.with_round(sold={sold: frozenset({"IC"})})
    return rules_of(state).merger_fault(state, who, "GT", "IC")


def test_six_shares_of_any_player_are_enough_if_the_actor_presides_over_one() -> None:
    """Player 2 holds six of the two; player 1 presides over IC."""
    companies = pair({"2": 4, "1": 2}, {"1": 3, "2": 2})
    assert fault_of(companies) == ""
    assert fault_of(companies, sold="2") == ""
    assert "presides over neither" in fault_of(companies, "3")


def test_five_shares_are_enough_without_a_sale() -> None:
    companies = pair({"1": 3, "2": 2}, {"1": 2, "2": 2})
    assert fault_of(companies) == ""
    assert fault_of(companies, sold="2") == ""
    assert "enough shares" in fault_of(companies, sold="1")
    assert "enough shares" in fault_of(pair({"1": 2, "2": 2}, {"1": 2, "2": 2}))


def test_by_option_the_actor_holds_the_shares() -> None:
    companies = pair({"2": 4, "1": 2}, {"1": 2, "2": 2})
    assert fault_of(companies) == ""
    assert "enough shares" in fault_of(companies, "1", "merger_needs_own_shares")


def test_both_have_operated_or_neither_and_one_has_floated() -> None:
    idle = Holding(AT_100, {"1": 6}, operated=False)
    never = Holding(AT_76, {"1": 5}, operated=False, floated=False)
    small = Holding(AT_100, {"1": 5}, operated=False, floated=False)
    assert "only one of GT and IC has operated" in fault_of({"GT": idle, "IC": Holding(AT_76, {"1": 6})})
    assert fault_of({"GT": idle, "IC": never}) == ""
    assert "both floated" in fault_of({"GT": idle, "IC": never}, "1", "merge_requires_both_floated")
    assert "neither GT nor IC has floated" in fault_of({"GT": small, "IC": never})
    assert "no corporation that has been started" in fault_of({"GT": idle})


def test_a_merger_takes_the_place_of_the_purchase() -> None:
    state = stock(pair({"1": 6}, {"1": 6}), RICH)
    bought = done(state, Par(by=player("1"), corporation="PRR", cell=Cell(9, 5)))
    refused(bought, choose("1", "GT"), "cannot choose")
    merged = done(state, choose("1", "GT"), Merge(by=corporation("GT"), corporation="IC"))
    refused(merged, Par(by=player("1"), corporation="PRR", cell=Cell(9, 5)), "one purchase a turn is allowed")
    assert SellShares in {type(action) for action in engine.legal_actions(merged)}
    refused(state, choose("1", "NYC"), "a merger may be begun with GT, IC")


def test_systems_do_not_merge_again() -> None:
    companies = {**pair({"1": 6}, {"1": 6}), "PRR": Holding(AT_76, {"1": 6})}
    state = begun(companies)
    assert not rules_of(state).may_merge(state, "1")


# --- what the system owns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "price"),
    [(Cell(3, 1), Cell(6, 0), 138), (Cell(9, 5), Cell(13, 7), 111), (Cell(6, 2), Cell(8, 5), 127),
     (Cell(1, 14), Cell(1, 13), 500), (Cell(0, 0), Cell(13, 0), 138)],
)  # fmt: skip
def test_price_of_a_system(one: Cell, other: Cell, price: int) -> None:
    """79 and 67: at most 112, in column 5 that is 111 of 167, 154, 133, 124, 111."""
    market = new_game().facts.market
    assert market.price(system_price(market, one, other)) == price == market.price(system_price(market, other, one))


def test_the_system_owns_what_both_owned() -> None:
    companies = {
        "GT": Holding(AT_100, {"1": 6}, cash=300, trains=("3-0",), coal=True, tokens=("D6.c0",)),
        "IC": Holding(AT_76, {"1": 6}, cash=50, trains=("3-1", "3-2"), coal=True),
    }
    setup = Setup(cash={"1": 500}, tiles={"D6": ("57", 1)})
    before = stock(companies, setup)
    state = begun(companies, setup=setup)
    system = state.companies["GT-IC"]
    assert isinstance(system, System)
    assert system.cash == 350
    assert (system.trains_in("GT"), system.trains_in("IC")) == (("3-0",), ("3-1", "3-2"))
    assert [token.at for token in system.tokens] == ["D4.c0", "J6.c0", "D6.c0", None, None, None, None]
    assert [token.price for token in system.tokens] == [0, 0, 100, 100, 100, 100, 100]
    assert set(state.table.stops_of("GT-IC")) == {"D4.c0", "J6.c0", "D6.c0"}
    rules = rules_of(state)
    assert rules.has_coal(state, "GT-IC")
    assert rules.coal_left(state) == rules.coal_left(before) + 1
    assert not system.operated
    assert state.companies["GT"].closed
    assert state.companies["IC"].closed


def test_of_two_tokens_in_one_city_the_dearer_becomes_a_blocking_token() -> None:
    tiles = {"D6": ("14", 0), "D8": ("57", 1)}
    companies = {
        "GT": Holding(AT_100, {"1": 6}, tokens=("D6.c0",)),
        "IC": Holding(AT_76, {"1": 6}, tokens=("D8.c0", "D6.c0")),
    }
    state = begun(companies, setup=Setup(tiles=tiles))
    assert state.table.tokens_in(HexId("D6"), "c0") == ("GT-IC", "BLOCK")
    tokens = state.companies["GT-IC"].tokens
    assert len(tokens) == 7
    assert sum(token.at is not None for token in tokens) == 4


def test_of_tokens_in_two_cities_of_a_hex_the_owner_removes_one() -> None:
    companies = {
        "GT": Holding(AT_100, {"1": 6}, tokens=("E9.c0",)),
        "IC": Holding(AT_76, {"1": 6}, tokens=("E9.c1",)),
    }
    state = begun(companies, setup=Setup(tiles={"E9": ("59", 0)}))
    assert engine.acting(state) == (corporation("GT-IC"),)
    assert len(list(engine.legal_actions(state))) == 2
    state = done(state, RemoveToken(by=corporation("GT-IC"), tile="59-0", part=1, slot=0))
    assert state.table.tokens[HexId("E9")] == {"c0": ("GT-IC",), "c1": ("BLOCK",)}
    assert len(state.companies["GT-IC"].tokens) == 6
    assert state.companies["GT"].closed


def test_homes_not_placed_before_follow_at_the_first_turn() -> None:
    companies = {
        "GT": Holding(AT_100, {"1": 6}, operated=False, cash=1000),
        "NYH": Holding(AT_76, {"1": 6}, operated=False, cash=760),
    }
    state = begun(companies, other="NYH")
    assert state.table.stops_of("GT-NYH") == ()
    while state.round.kind == "Stock":
        state = done(state, Pass(by=engine.acting(state)[0]))
    assert set(state.table.stops_of("GT-NYH")) == {StopId("D4.c0"), StopId("G23.c1")}


def test_a_system_with_a_partner_that_had_not_floated_gets_ten_times_its_price() -> None:
    idle = Holding(AT_100, {"1": 6}, operated=False, cash=1000)
    floats = begun({"GT": idle, "IC": Holding(AT_76, {"1": 6}, operated=False, floated=False)})
    assert floats.companies["GT-IC"].floated
    assert floats.companies["GT-IC"].cash == 1380
    waits = begun({"GT": idle, "IC": Holding(AT_76, {"1": 2}, operated=False, floated=False)})
    system = waits.companies["GT-IC"]
    assert shares_of(waits, "GT-IC") == {IPO: 6, "1": 3, "GT-IC": 1}
    assert (system.floated, system.cash) == (False, 0)


# --- the exchange of shares ------------------------------------------------------------------------------------------

SIX_AND_THREE = pair({"1": 6}, {"2": 4, "1": 3, "3": 3})


@pytest.mark.parametrize(("one", "other"), [("GT", "IC"), ("IC", "GT")])
@pytest.mark.parametrize(("kept", "price"), [("GT", 100), ("IC", 76)])
def test_the_player_says_which_odd_share_is_kept_and_the_answer_counts(
    one: str, other: str, kept: str, price: int
) -> None:
    """Field case F55: six shares of A and three of B, in both directions."""
    state = begun(pair({"1": 6}, {"1": 3}), one, other)
    prices = {"GT": 100, "IC": 76}
    assert choices(state) == ("1", tuple(f"{name} (${prices[name]})" for name in (one, other)))
    state = done(state, choose("1", f"{kept} (${price})"))
    assert shares_of(state, "-".join((one, other)))["1"] == 4
    assert choices(state) == ("1", (f"Exchange ($-{138 - price})", f"Sell (${price})"))


def test_a_single_share_is_exchanged_for_money_or_sold() -> None:
    """Player 1 keeps IC; player 3 pays 138 - 76, player 1 sells for 76."""
    state = done(begun(SIX_AND_THREE), choose("1", "IC ($76)"))
    assert shares_of(state, "GT-IC") == {IPO: 3, "1": 4, "2": 2, "3": 1}
    assert choices(state) == ("3", ("Exchange ($-62)", "Sell ($76)"))
    state = done(state, choose("3", "Exchange ($-62)"))
    assert choices(state) == ("1", ("Exchange ($-62)", "Sell ($76)"))
    state = done(state, choose("1", "Sell ($76)"))
    assert cash(state) == {"1": 576, "2": 500, "3": 438}
    assert shares_of(state, "GT-IC") == {IPO: 2, "1": 3, "2": 2, "3": 2, "GT-IC": 1}


def test_a_later_player_gives_a_share_for_the_difference_in_price() -> None:
    """Player 1 keeps GT; player 2 fetches it for an IC share, and player 1 receives 100 - 76."""
    state = done(begun(SIX_AND_THREE), choose("1", "GT ($100)"))
    assert cash(state)["1"] == 524
    assert state.companies["GT"].percent_of("1") == 0
    assert state.companies["IC"].percent_of("1") == 10
    assert shares_of(state, "GT-IC")["2"] == 2


@pytest.mark.parametrize(("money", "left", "after"), [(24, 10, 0), (23, 0, 123)])
def test_who_cannot_pay_the_difference_sells_the_share_received(money: int, left: int, after: int) -> None:
    """GT is cheaper here: player 1 owes 24 for the IC share that player 2 gives."""
    companies = pair({"1": 6}, {"2": 4, "1": 3, "3": 3}, gt_at=AT_76, ic_at=AT_100)
    setup = Setup(cash={"1": money, "2": 0, "3": 0})
    state = done(begun(companies, setup=setup), choose("1", "GT ($76)"))
    system = state.companies["GT-IC"]
    assert shares_of(state, "GT-IC")["2"] == 2
    if left:
        assert cash(state)["1"] == after + 100
    else:
        assert cash(state)["1"] == after
    assert system.president == "1"


def test_without_a_source_partner_shares_are_thrown_away_for_nothing() -> None:
    """Field case F55: player 3 keeps a GT share, has one left, and nobody has another to give for the certificate of
    the president of IC."""
    companies = pair({"1": 4, "2": 3, "3": 2, "pool": 1}, {"3": 5, "1": 1, "2": 4})
    state = begun(companies)
    for name in ("1", "2", "3"):
        assert choices(state)[0] == name
        state = done(state, choose(name, "GT ($100)"))
    assert state.companies["IC"].percent_of("3") == 0
    assert cash(state)["3"] == 500
    assert "3" not in shares_of(state, "GT-IC")


def test_who_sold_shares_in_the_round_must_sell_the_single_share() -> None:
    state = stock(SIX_AND_THREE, RICH)
    state = state.with_round(sold={"3": frozenset({"GT"})})
    state = done(state, choose("1", "GT"), Merge(by=corporation("GT"), corporation="IC"), choose("1", "IC ($76)"))
    assert cash(state)["3"] == 576
    state = done(state, choose("1", "Exchange ($-62)"))
    assert state.round.sold["3"] == {"GT", "IC", "GT-IC"}  # type: ignore[attr-defined]


def test_the_one_who_swaps_chooses_among_several_players() -> None:
    companies = pair({"2": 5, "3": 5}, {"1": 6, "2": 2})
    state = begun(companies)
    assert choices(state) == ("1", ("Player 2", "Player 3"))
    for text in ("Player 2", "Player 3"):
        assert step_waiting(done(state, choose("1", text))) in ("Exchange of shares", "Stock turn", "Failed merger")
    refused(state, choose("1", "Player 1"), "'Player 2', 'Player 3'")


def test_a_certificate_of_the_president_alone_is_two_shares() -> None:
    """Player 1 owns nothing but the certificate of the president of GT, and receives one share for it."""
    state = begun(pair({"1": 2, "2": 2, "3": 2}, {"2": 6, "3": 2}))
    assert shares_of(state, "GT-IC") == {IPO: 3, "1": 1, "2": 3, "3": 2, "GT-IC": 1}
    assert state.companies["GT-IC"].president == "2"


def test_a_merger_fails_where_the_president_would_hold_fewer_than_three_shares() -> None:
    """Player 2 holds five, gets two and sells the last one: the merger is taken back, the purchase is used up."""
    companies = pair({"1": 2, "2": 2}, {"2": 3, "3": 2})
    before = stock(companies, RICH)
    state = done(begun(companies), choose("2", "IC ($76)"), choose("2", "Sell ($76)"))
    failure = FailedMerge(by=player("1"), corporations=("GT", "IC"))
    assert list(engine.legal_actions(state)) == [failure]
    state = done(state, failure)
    assert cash(state) == cash(before)
    assert state.table.tokens == before.table.tokens
    assert "GT-IC" not in state.companies
    assert not any(isinstance(action, Choose | Par) for action in engine.legal_actions(state))


def test_a_recorded_failure_uses_up_the_purchase() -> None:
    state = done(stock(SIX_AND_THREE), FailedMerge(by=player("1"), corporations=("GT", "IC")))
    assert not any(isinstance(action, Choose) for action in engine.legal_actions(state))
    refused(stock(SIX_AND_THREE), FailedMerge(by=player("1"), corporations=("GT", "NYC")), "has been started")


def random_holdings(chance: random.Random, president: int) -> dict[str, int]:
    """Shares of three players and the pool, the named one with most."""
    while True:
        held = [chance.randint(0, 6) for _ in range(3)]
        pool = chance.randint(0, 4)
        if held[president] >= 2 and held[president] == max(held) and sum(held) + pool <= 10:
            others = {str(seat + 1): number for seat, number in enumerate(held) if seat != president and number}
            return {str(president + 1): held[president], **others, **({"pool": pool} if pool else {})}


@pytest.mark.parametrize("seed", range(40))
def test_no_old_share_is_left_and_the_system_is_whole(seed: int) -> None:
    """Field case F55, for holdings and answers by chance: ten system shares, the president with the certificate."""
    chance = random.Random(seed)
    cells = [AT_100, AT_76]
    chance.shuffle(cells)
    while True:
        gt, ic = random_holdings(chance, 0), random_holdings(chance, chance.randrange(3))
        companies = pair(gt, ic, gt_at=cells[0], ic_at=cells[1])
        setup = Setup(cash={name: chance.choice([0, 30, 500]) for name in ("1", "2", "3")})
        state = stock(companies, setup)
        if not rules_of(state).merger_fault(state, "1", "GT", "IC"):
            break
    state = begun(companies, setup=setup)
    while any(one.kind == CHOICE for one in state.pending):
        state = done(state, chance.choice(list(engine.legal_actions(state))))
    if any(one.kind == FAILED for one in state.pending):
        return
    system = state.companies["GT-IC"]
    assert sum(shares_of(state, "GT-IC").values()) == 10
    assert state.companies["GT"].holdings == state.companies["IC"].holdings == {}
    assert system.president is not None
    assert any(one.president for one in system.held(system.president))
    assert system.percent_of("GT-IC") == 10
    assert system.percent_of(system.president) == max(system.percent_of(name) for name in state.players)
