"""1833NE Takeover: corporations of free home, takeovers accepted and refused. Source: digest 1833NE sections 4, 11,
14."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from board.hexes import HexId, StopId
from rules import engine
from rules.actions import Actor, Choose, DiscardTrain, Merge, Par, Pass, PlaceToken
from rules.shares import IPO, POOL
from rules.state import State
from tests.titles.games_1833ne import (
    after,
    corporation,
    holding,
    legal,
    money,
    operating,
    owning,
    passed,
    player,
    price,
    priced,
    refused,
    rules,
    started,
    stock,
    tiles,
    token,
    waiting,
)
from titles.t1833ne.takeover import ways_to_pay

TAKEOVER = ("takeover_game",)


# --- corporations of free home -------------------------------------------------------------------------------------


def par(state: State, who: str, company: str, amount: int) -> Par:
    cell = next(one for one in state.facts.market.printed if state.facts.market.price(one) == amount)
    return Par(by=player(who), corporation=company, cell=cell)


def test_further_corporations_start_from_phase_two_on() -> None:
    state = engine.start(stock(options=TAKEOVER))
    assert refused(state, par(state, "1", "T1", 100))
    assert "second phase" in rules(state).may_start(state, "1", "T1")
    state = engine.start(stock(options=TAKEOVER, phase="II"))
    state = after(state, par(state, "1", "T1", 100))
    assert waiting(state) == "free_home"
    assert engine.acting(state) == (corporation("T1"),)


def home_of(amount: int) -> State:
    """T1 has just been started at this price; Manchester has track, Springfield has none, New Bedford is gray."""
    state = engine.start(stock(options=TAKEOVER, phase="II"))
    return after(state, par(state, "1", "T1", amount))


@pytest.mark.parametrize(("city", "cost"), [("H25.c0", 80), ("D21.c0", 80), ("F17.c0", 120)])
def test_home_token_costs_80_on_gray_or_without_track_else_120(city: str, cost: int) -> None:
    state = home_of(100)
    state = after(state, token(state, corporation("T1"), city))
    assert state.companies["T1"].cash == 200 - cost
    assert StopId.parse(city) in state.table.stops_of("T1")
    assert engine.acting(state) == (player("2"),)


def test_home_for_120_needs_a_starting_price_of_60() -> None:
    state = home_of(50)
    assert "at least 60" in refused(state, token(state, corporation("T1"), "F17.c0"))
    cities = {state.table.city_of_record(one.tile, one.part) for one in legal(state, PlaceToken)
              if isinstance(one, PlaceToken)}  # fmt: skip
    assert StopId.parse("D21.c0") in cities
    assert StopId.parse("F17.c0") not in cities
    state = home_of(60)
    assert after(state, token(state, corporation("T1"), "F17.c0")).companies["T1"].cash == 0


@pytest.mark.parametrize("city", ["C12.c0", "E22.c0", "G22.c0", "F5.c0"])
def test_home_is_free_unreserved_and_no_home_of_another_corporation(city: str) -> None:
    state = home_of(100)
    assert "no free and unreserved" in refused(state, token(state, corporation("T1"), city))


def test_second_station_of_such_a_corporation_costs_80() -> None:
    state = home_of(100)
    state = after(state, token(state, corporation("T1"), "H25.c0"))
    assert rules(state).token_price(state, state.companies["T1"]) == 80


# --- takeovers -----------------------------------------------------------------------------------------------------


def joined(options: Iterable[str] = TAKEOVER, **percents: int) -> State:
    """B&W of player 1 at 80 and Hartford of player 2 at 30, joined by track, both with trains; phase II."""
    state = stock(options=options, phase="II")
    state = started(started(state, "1", "B&W", 80), "2", "HR", 40)
    state = tiles(priced(state, "HR", 30), F23="58 2", E22="6 5", D23="9 1")
    state = owning(owning(state, "B&W", "3/5-0"), "HR", "3/5-1=2+2")
    state = holding(state, "HR", **percents)
    return state.but(set_length=2, turn_number=2)


def takeovers(state: State) -> State:
    """The takeovers after the second operating round."""
    begun = rules(state).begin_round(state.but(pending=()), "Takeover", 1)
    return engine.start(begun)


TRY = Merge(by=corporation("B&W"), corporation="HR")


def chosen(name: str, choice: str) -> Choose:
    return Choose(by=corporation(name), choice=choice)


def test_takeovers_follow_the_second_operating_round_from_phase_two_on() -> None:
    for phase, kind in (("I", "Stock"), ("II", "Takeover")):
        state = operating(joined().but(phase_name=phase), "HR", number=2, phase=phase)
        assert rules(state).next_round(state).round.kind == kind
    first = operating(joined(), "HR", number=1, phase="II")
    assert rules(first).next_round(first).round.kind == "Operating"
    standard = operating(joined(options=()), "HR", number=2, phase="II")
    assert rules(standard).next_round(standard).round.kind == "Stock"
    over = rules(first).next_round(takeovers(joined()))
    assert (over.round.kind, over.turn_number) == ("Stock", 3)


def test_corporations_come_in_the_order_of_operating_and_may_pass() -> None:
    state = takeovers(money(joined(), "HR", 500))
    assert engine.acting(state) == (corporation("B&W"),)
    state = after(state, passed("B&W"))
    assert engine.acting(state) == (corporation("HR"),)
    state = after(state, passed("HR"))
    assert state.round.kind == "Stock"


def test_it_needs_a_train_that_is_not_obsolete() -> None:
    state = joined()
    state = state.but(obsolete=frozenset({"3/5-0"}))
    assert engine.acting(takeovers(money(state, "HR", 0))) != (corporation("B&W"),)


def test_it_needs_track_to_a_token_of_the_other() -> None:
    state = stock(options=TAKEOVER, phase="II")
    state = owning(started(started(state, "1", "B&W", 80), "2", "HR", 40), "B&W", "3/5-0")
    assert takeovers(state.but(set_length=2)).round.kind == "Stock"


def test_price_in_cash_is_the_present_price_of_all_outstanding_shares() -> None:
    state = takeovers(money(joined(p1=10, pool=10), "B&W", 120))
    state = after(state, TRY)
    assert waiting(state) == "takeover_payment"
    state = after(state, chosen("B&W", "cash"))
    assert engine.acting(state) == (corporation("HR"),)
    before = {who: state.players[who].cash for who in "12"}
    bank = state.bank or 0
    state = after(state, chosen("HR", "accept"))
    assert state.players["1"].cash == before["1"] + 30
    assert state.players["2"].cash == before["2"] + 60
    assert state.bank == bank + 30
    assert state.companies["B&W"].cash == 80  # what Hartford had
    assert state.companies["HR"].closed


def test_price_in_own_shares_is_the_fewest_that_are_worth_as_much() -> None:
    state = takeovers(money(joined(p1=10, pool=10), "B&W", 0))
    state = after(state, TRY, chosen("HR", "accept"))
    company = state.companies["B&W"]
    assert [company.percent_of(who) for who in ("1", "2", POOL, IPO)] == [30, 10, 10, 50]


def test_no_holding_grows_above_its_limit() -> None:
    state = holding(money(joined(p1=10), "B&W", 0), "B&W", p1=40)
    assert ways_to_pay(state, state.companies["B&W"], state.companies["HR"]) == ()
    assert engine.acting(takeovers(state)) != (corporation("B&W"),)


def test_the_other_may_refuse() -> None:
    state = takeovers(money(joined(), "B&W", 500))
    state = after(state, TRY, chosen("B&W", "cash"), chosen("HR", "refuse"))
    assert not state.companies["HR"].closed
    assert engine.acting(state) == (corporation("HR"),) or state.round.kind == "Stock"


@pytest.mark.parametrize("trains", ["none", "obsolete"])
def test_without_trains_or_with_obsolete_ones_only_it_may_not_refuse(trains: str) -> None:
    state = money(joined(), "B&W", 60)
    if trains == "none":
        state = state.with_company(state.companies["HR"].but(trains=()))
    else:
        state = state.but(obsolete=frozenset({"3/5-1"}))
    state = after(takeovers(state), TRY, chosen("B&W", "cash"))
    assert state.companies["HR"].closed


def test_a_president_of_both_is_not_asked() -> None:
    state = money(joined(), "B&W", 60)
    found = state.companies["HR"]
    holdings = {**found.holdings, "1": found.holdings["2"]}
    holdings.pop("2")
    state = state.with_company(found.but(holdings=holdings, president="1"))
    state = after(takeovers(state), TRY, chosen("B&W", "cash"))
    assert state.companies["HR"].closed


def test_acquirer_inherits_trains_treasury_ferries_privates_and_tokens() -> None:
    state = money(joined(), "B&W", 60).handing_private("P3", "HR")
    state = rules(state).put_token(state, "HR", StopId.parse("C26.c0"))
    state = state.with_company(state.companies["HR"].with_mark("ferries", ("New Haven",)))
    state = after(takeovers(state), TRY, chosen("B&W", "cash"), chosen("HR", "accept"))
    company = state.companies["B&W"]
    assert company.trains == ("3/5-0", "3/5-1")
    assert state.face_of("3/5-1") == "2+2"
    assert company.cash == 80
    assert rules(state).ferries_of(company) == ("New Haven",)
    assert state.privates["P3"].owner == "B&W"
    assert set(state.table.stops_of("B&W")) == {StopId.parse(one) for one in ("G22.c0", "C24.c0", "C26.c0")}
    assert not state.table.stops_of("HR")


def test_where_the_acquirer_has_a_token_the_others_is_removed() -> None:
    state = money(joined(), "B&W", 60)
    state = rules(state).put_token(state, "B&W", StopId.parse("E22.c0"))
    state = tiles(state, E22="15 4")
    city = StopId.parse("E22.c0")
    state = state.but(table=state.table.without_reservations("B&W"))
    state = rules(state).put_token(state, "HR", city)
    state = after(takeovers(state), TRY, chosen("B&W", "cash"), chosen("HR", "accept"))
    assert [one for one in state.table.tokens_in(city.hex, city.part) if one] == ["B&W"]


def test_unused_token_is_inherited() -> None:
    state = after(takeovers(money(joined(), "B&W", 60)), TRY, chosen("B&W", "cash"), chosen("HR", "accept"))
    unused = [one.price for one in state.companies["B&W"].tokens if not one.used]
    assert unused == [80, 80]


def test_train_limit_grows_and_certificate_limit_falls() -> None:
    state = takeovers(money(joined(), "B&W", 60))
    limit, most = rules(state).train_limit(state, state.companies["B&W"]), rules(state).certificate_limit(state, "1")
    state = after(state, TRY, chosen("B&W", "cash"), chosen("HR", "accept"))
    assert rules(state).train_limit(state, state.companies["B&W"]) == limit + 1
    assert (most, rules(state).certificate_limit(state, "1")) == (35, 33)


def test_trains_above_the_new_limit_are_discarded() -> None:
    state = owning(owning(joined(), "B&W", "4/7-0"), "HR", "4/7-1").but(phase_name="III")
    state = after(takeovers(money(state, "B&W", 60)), TRY, chosen("B&W", "cash"), chosen("HR", "accept"))
    assert waiting(state) == "discard_trains"
    state = after(state, DiscardTrain(by=corporation("B&W"), train="3/5-0"))
    assert state.depot.pool == ("3/5-0",)


def cards(state: State) -> int:
    return sum(one.startswith("6/9") for one in state.depot.upcoming)


@pytest.mark.parametrize(("option", "left"), [((), 4), (("ne_takeover_keeps_cards",), 5)])
def test_takeover_removes_a_card_of_phase_four_unless_by_option(option: tuple[str, ...], left: int) -> None:
    state = takeovers(money(joined((*TAKEOVER, *option)), "B&W", 60))
    assert cards(state) == 5
    state = after(state, TRY, chosen("B&W", "cash"), chosen("HR", "accept"))
    assert cards(state) == left


def test_no_more_cards_go_than_the_standard_game_lacks() -> None:
    state = takeovers(money(joined(), "B&W", 60)).with_mark("removed_cards", 2)
    assert cards(after(state, TRY, chosen("B&W", "cash"), chosen("HR", "accept"))) == 5


def test_shared_token_goes_on_to_the_acquirer() -> None:
    state = started(started(started(stock(options=TAKEOVER, phase="II"), "1", "CV"), "2", "StL&A"), "3", "A&StL")
    hex_id = HexId("F5")
    state = tiles(state, F5="N11 0")
    for name in ("StL&A", "A&StL"):
        state = rules(state)._share_token(state, name, hex_id)
    from titles.t1833ne.takeover import absorb

    state = absorb(money(state, "CV", 500), "CV", "StL&A", "cash")
    assert state.table.tokens_in(hex_id, "c0") == ("CV", "A&StL")
    state = absorb(money(state, "CV", 500), "CV", "A&StL", "cash")
    assert state.table.tokens_in(hex_id, "c0") == ("CV",)


# --- the other readings --------------------------------------------------------------------------------------------


def reading(option: str, **percents: int) -> State:
    return joined((*TAKEOVER, option), **percents)


@pytest.mark.parametrize(("option", "first"), [((), "B&W"), (("ne_takeover_rising_order",), "HR")])
def test_dearest_first_by_option_by_rising_price(option: tuple[str, ...], first: str) -> None:
    state = takeovers(money(money(joined((*TAKEOVER, *option)), "HR", 500), "B&W", 500))
    assert engine.acting(state) == (corporation(first),)
    assert state.round.order == (("B&W", "HR") if first == "B&W" else ("HR", "B&W"))


def three(*options: str) -> State:
    """B&W reaches Hartford, and Fitchburg in Worcester; both have trains, and it could pay either."""
    state = tiles(started(joined((*TAKEOVER, *options)), "3", "FRR", 40), E22="15 4")
    state = owning(state.but(table=state.table.without_reservations("B&W")), "FRR", "3/5-2")
    state = rules(state).put_token(state, "FRR", StopId.parse("E22.c0"))
    return takeovers(money(state, "B&W", 500))


def test_one_attempt_each_by_option_each_other_one_once() -> None:
    frr = Merge(by=corporation("B&W"), corporation="FRR")
    single = after(three(), TRY, chosen("B&W", "cash"), chosen("HR", "refuse"))
    assert corporation("B&W") not in engine.acting(single)
    state = after(three("ne_takeover_more_attempts"), TRY, chosen("B&W", "cash"), chosen("HR", "refuse"))
    assert engine.acting(state) == (corporation("B&W"),)
    assert [one.corporation for one in legal(state, Merge) if isinstance(one, Merge)] == ["FRR"]
    assert "FRR" in refused(state, TRY)
    assert corporation("B&W") not in engine.acting(after(state, passed("B&W")))
    state = after(state, frr, chosen("B&W", "cash"), chosen("FRR", "accept"))
    assert state.companies["FRR"].closed
    assert corporation("B&W") not in engine.acting(state)


def test_treasury_alone_pays_by_option_the_president_adds() -> None:
    state = money(money(joined(), "B&W", 20), "1", 100)
    assert "cash" not in ways_to_pay(state, state.companies["B&W"], state.companies["HR"])
    state = money(money(reading("ne_takeover_president_pays", pool=10), "B&W", 20), "1", 70)
    assert "cash" in ways_to_pay(state, state.companies["B&W"], state.companies["HR"])
    poor = money(state, "1", 69)
    assert "cash" not in ways_to_pay(poor, poor.companies["B&W"], poor.companies["HR"])
    cash, second = state.companies["HR"].cash, state.players["2"].cash
    state = after(takeovers(state), TRY, chosen("B&W", "cash"), chosen("HR", "accept"))
    assert (state.players["1"].cash, state.companies["B&W"].cash) == (0, cash)
    assert state.players["2"].cash == second + 60


def test_shares_of_equal_worth_by_option_one_for_one() -> None:
    for option, percents in (((), [10, 10]), (("ne_takeover_share_for_share",), [20, 10])):
        state = takeovers(money(joined((*TAKEOVER, *option), pool=10), "B&W", 0))
        state = after(state, TRY, chosen("HR", "accept"))
        assert [state.companies["B&W"].percent_of(who) for who in ("2", POOL)] == percents


def test_obsolete_trains_are_inherited_unless_by_option() -> None:
    for option, trains in (((), ("3/5-0", "3/5-1", "3/5-2")), (("ne_takeover_obsolete_lost",), ("3/5-0", "3/5-2"))):
        state = owning(joined((*TAKEOVER, *option)), "HR", "3/5-2").but(obsolete=frozenset({"3/5-1"}))
        state = after(takeovers(money(state, "B&W", 60)), TRY, chosen("B&W", "cash"), chosen("HR", "accept"))
        assert state.companies["B&W"].trains == trains


def test_unused_tokens_are_inherited_unless_by_option() -> None:
    for option, number in (((), 2), (("ne_takeover_unused_tokens_lost",), 1)):
        state = takeovers(money(joined((*TAKEOVER, *option)), "B&W", 60))
        state = after(state, TRY, chosen("B&W", "cash"), chosen("HR", "accept"))
        assert sum(not one.used for one in state.companies["B&W"].tokens) == number


def test_treasury_pays_a_free_home_by_option_the_president() -> None:
    options = (*TAKEOVER, "ne_free_home_president_pays")
    state = engine.start(money(stock(options=options, phase="II"), "1", 300))
    # 200 for the president's certificate at 100 leave 100: too little for a home of 120, enough for 80.
    assert "280" in refused(money(state, "1", 279), par(state, "1", "T1", 100))
    state = after(state, par(state, "1", "T1", 100))
    assert refused(state, token(state, corporation("T1"), "F17.c0"))
    state = after(state, token(state, corporation("T1"), "H25.c0"))
    assert (state.companies["T1"].cash, state.players["1"].cash) == (200, 20)


def test_refusals_say_who_may_be_absorbed() -> None:
    state = takeovers(money(joined(), "B&W", 500))
    assert "HR" in refused(state, Merge(by=corporation("B&W"), corporation="RR"))
    state = after(state, TRY)
    assert "cash" in refused(state, chosen("B&W", "gold"))
    assert refused(state, Pass(by=Actor("corporation", "B&W")))
    assert price(state, "HR") == 30
