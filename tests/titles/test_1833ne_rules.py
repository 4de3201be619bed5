"""1833NE, whole games of the standard game. Each test holds a sentence of the digest; its section is in the heading."""

from __future__ import annotations

from itertools import permutations

import pytest

from board.errors import InputError
from board.hexes import HexId, StopId
from rules import engine
from rules.actions import (
    Bankrupt,
    Bid,
    BuyPrivate,
    BuyTrain,
    ChooseAbility,
    DiscardTrain,
    Dividend,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    RunRoutes,
    SellShares,
    SpecialBuy,
)
from rules.policies.track import LayPlan
from rules.shares import IPO, POOL, moved
from rules.state import BANK, State, StockRound
from tests.titles.games_1833ne import (
    TITLE,
    after,
    bought,
    buying,
    corporation,
    holding,
    lay,
    legal,
    money,
    new,
    operating,
    owning,
    passed,
    player,
    price,
    priced,
    private,
    ran,
    refused,
    rules,
    sold,
    started,
    stock,
    supply,
    tiles,
    token,
    waiting,
)

NEW_HAVEN = SpecialBuy(by=corporation("HR"), what="New Haven", cost=40)


# --- set-up (section 1) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "cash"), [(3, 600), (4, 450), (5, 400)])
def test_cash_by_number_of_players(players: int, cash: int) -> None:
    state = new(players)
    assert {one.cash for one in state.players.values()} == {cash}
    assert state.bank == 10_000 - players * cash


@pytest.mark.parametrize(("takeover", "number"), [(False, 9), (True, 14)])
def test_nine_corporations_and_five_more_in_takeover(takeover: bool, number: int) -> None:
    assert len(new(3, ["takeover_game"] if takeover else []).companies) == number


@pytest.mark.parametrize(
    ("players", "closed", "limit"), [(3, 0, 24), (3, 1, 22), (4, 0, 18), (5, 0, 14), (5, 4, 8), (5, 6, 8)]
)
def test_certificate_limit_follows_the_corporations_still_in_the_game(players: int, closed: int, limit: int) -> None:
    state = new(players)
    for name in list(state.companies)[:closed]:
        state = rules(state).close_corporation(state, name)
    assert rules(state).certificate_limit(state, "1") == limit


@pytest.mark.parametrize(("players", "limit"), [(3, 35), (4, 26), (5, 21)])
def test_certificate_limit_with_fourteen_corporations(players: int, limit: int) -> None:
    state = new(players, ["takeover_game"])
    assert rules(state).certificate_limit(state, "1") == limit


def test_privates_of_players_count_as_certificates_those_of_corporations_do_not() -> None:
    state = started(stock(P1="1", P2="1"), "1", "HR")
    assert rules(state).certificates_of(state, "1") == 3
    state = state.handing_private("P1", "HR")
    assert rules(state).certificates_of(state, "1") == 2


def test_a_broken_bank_goes_on_paying() -> None:
    state = hr().pay(BANK, "1", 20_000)
    assert state.players["1"].cash == 20_600
    assert state.bank_broken
    assert not state.over
    assert state.pay(BANK, "2", 500).players["2"].cash == 1_100


# --- auction (section 2) -------------------------------------------------------------------------------------------


def bid(who: str, name: str, amount: int) -> Bid:
    return Bid(by=player(who), private=name, price=amount)


def test_first_bid_may_be_the_face_value_later_ones_are_5_higher() -> None:
    state = after(new(), bid("1", "P3", 50))
    assert "at least 55" in refused(state, bid("2", "P3", 54))
    state = after(state, bid("2", "P3", 55))
    assert state.players["2"].cash == 600


def test_the_cheapest_is_bought_at_face_another_is_bid_for_or_the_turn_passed() -> None:
    state = new()
    bids = {one.private: one.price for one in legal(state, Bid) if isinstance(one, Bid)}
    assert bids == {"P1": 15, "P2": 40, "P3": 50, "P4": 60, "P5": 70, "P6": 80}
    assert legal(state, Pass)
    state = after(state, bid("1", "P1", 15))
    assert state.privates["P1"].owner == "1"
    state = after(state, bid("2", "P4", 60))
    assert state.privates["P4"].owner is None


def test_after_a_purchase_bids_on_the_next_are_resolved() -> None:
    state = after(new(), bid("1", "P2", 40), bid("2", "P1", 15))
    assert state.privates["P2"].owner == "1"
    assert state.players["1"].cash == 560


def test_when_all_pass_bids_are_resolved_and_privates_pay_twice() -> None:
    state = after(new(), bid("1", "P3", 50), bid("2", "P3", 55), bid("3", "P5", 70))
    state = after(state, *(Pass(by=player(who)) for who in "123"))
    assert engine.acting(state) == (player("1"),)
    state = after(state, Pass(by=player("1")))
    assert (state.privates["P3"].owner, state.privates["P5"].owner) == ("2", "3")
    assert [state.players[who].cash for who in "123"] == [600, 600 - 55 + 20, 600 - 70 + 30]
    assert state.round.kind == "Auction"


def test_prices_never_fall() -> None:
    state = after(new(), *(Pass(by=player(who)) for who in "123123"))
    assert "15" in refused(state, bid("1", "P1", 10))
    assert state.privates["P1"].owner is None


def test_auction_is_over_when_everything_is_sold() -> None:
    state = new()
    for who, name, amount in zip("123123", ["P1", "P2", "P3", "P4", "P5", "P6"], [15, 40, 50, 60, 70, 80], strict=True):
        state = after(state, bid(who, name, amount))
    assert isinstance(state.round, StockRound)
    assert state.round.current == "1"


# --- privates (section 3) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "hexes"), [("P1", {"H23"}), ("P2", {"G20"}), ("P3", {"C4", "C6"})])
def test_private_blocks_until_a_corporation_buys_it(name: str, hexes: set[str]) -> None:
    state = stock()
    assert hexes <= rules(state).closed_hexes(state, "HR")
    state = state.handing_private(name, "HR")
    assert not hexes & rules(state).closed_hexes(state, "HR")


def hr(**owners: str) -> State:
    """Hartford of player 1 at 100 with 200; other privates are player 3's."""
    return started(stock(3, (), "I", **owners), "1", "HR")


def test_corporations_buy_privates_of_players_for_1_to_face_at_any_time_of_their_turn() -> None:
    state = operating(hr(), "HR")
    assert waiting(state) == "track_token_ferry"
    assert "1 to 50" in refused(state, BuyPrivate(by=corporation("HR"), private="P3", price=51))
    before = state.players["3"].cash
    state = after(state, BuyPrivate(by=corporation("HR"), private="P3", price=50))
    assert state.players["3"].cash == before + 50
    assert state.companies["HR"].cash == 150
    late = buying(owning(hr(), "HR", "2-0"), "HR")
    assert after(late, BuyPrivate(by=corporation("HR"), private="P1", price=1)).privates["P1"].owner == "HR"


def test_no_private_is_sold_in_phase_three() -> None:
    state = hr(P3="1")
    state = operating(rules(state).enter_phase(state, "III"), "HR")
    assert not legal(state, BuyPrivate)
    assert refused(state, BuyPrivate(by=corporation("HR"), private="P3", price=1))


def test_by_option_privates_come_from_the_president_alone() -> None:
    state = operating(started(stock(options=["ne_privates_from_president"], P1="1"), "1", "HR"), "HR")
    assert legal(state, BuyPrivate)
    assert "not for sale" in refused(state, BuyPrivate(by=corporation("HR"), private="P3", price=1))


def test_phase_three_removes_privates_of_players_and_p1_p2_and_turns_the_others() -> None:
    state = hr(P1="HR", P2="HR", P3="HR", P4="HR", P5="1", P6="HR")
    state = rules(state).enter_phase(state, "III")
    assert {name for name, one in state.privates.items() if one.closed} == {"P1", "P2", "P5"}
    assert [state.privates[name].income for name in ("P3", "P4", "P6")] == [0, 0, 0]
    state = rules(state).enter_phase(state, "IV")
    assert {name for name, one in state.privates.items() if not one.closed} == {"P6"}


def test_p2_lets_its_buyer_lay_lowell_free_in_the_same_round() -> None:
    state = operating(started(stock(), "1", "B&L"), "B&L", phase="II")
    state = after(state, BuyPrivate(by=corporation("B&L"), private="P2", price=40))
    cash = state.companies["B&L"].cash
    found = [one for one in legal(state, LayTile) if one.by == private("P2")]
    assert found
    state = after(state, found[0])
    assert state.companies["B&L"].cash == cash
    assert [(one.hex, one.extra) for one in state.round.turn.lays] == [("G20", False)]


def test_by_option_the_free_tile_on_lowell_is_an_extra_one() -> None:
    state = operating(started(stock(options=["ne_lowell_extra_lay"]), "1", "B&L"), "B&L", phase="II")
    state = after(state, BuyPrivate(by=corporation("B&L"), private="P2", price=40))
    found = [one for one in legal(state, LayTile) if one.by == private("P2")]
    assert after(state, found[0]).round.turn.lays[0].extra


def test_p2_is_free_in_no_later_round() -> None:
    state = started(stock(P2="B&L"), "1", "B&L")
    marked = state.privates["P2"].but(marks={"bought": (1, 2)})
    state = operating(state.with_private(marked), "B&L", phase="II")
    assert not [one for one in legal(state, LayTile) if one.by == private("P2")]


def test_boston_and_lowell_lays_no_track_in_phase_one_while_p2_is_unsold() -> None:
    state = operating(started(stock(), "1", "B&L"), "B&L")
    assert not legal(state, LayTile)
    assert legal(operating(started(stock(), "1", "B&L"), "B&L", phase="II"), LayTile)
    assert legal(operating(started(stock(P2="HR"), "1", "B&L"), "B&L"), LayTile)


def test_boston_and_lowell_runs_no_routes_until_boston_is_upgraded_while_p2_is_unsold() -> None:
    state = tiles(owning(started(stock(), "1", "B&L"), "B&L", "2-0"), G20="57 0")
    company = state.companies["B&L"]
    assert rules(state).has_route(state, company)
    assert not rules(state).can_run(state, company)
    assert rules(state).can_run(state.handing_private("P2", "HR"), company)
    third = rules(state).enter_phase(state, "III")
    assert not rules(third).can_run(third, third.companies["B&L"])
    assert TITLE.route_rules(third.position("B&L")).no_run
    upgraded = tiles(state, G22="N23 4")
    assert rules(upgraded).can_run(upgraded, upgraded.companies["B&L"])


def test_p3_lays_two_extra_free_tiles_joined_to_each_other_and_to_montreal() -> None:
    state = operating(hr(P3="HR"), "HR")
    found = [one for one in legal(state, LayTile) if one.by == private("P3")]
    assert {(str(one.hex), one.tile) for one in found if isinstance(one, LayTile)} <= {
        *(("C4", tile) for tile in ("3", "4", "58")), *(("C6", tile) for tile in ("7", "8", "9")),
    }  # fmt: skip
    state = after(state, lay(private("P3"), "C4", "58", 0))
    assert state.companies["HR"].cash == 200
    seconds = [one for one in legal(state, LayTile) if one.by == private("P3")]
    assert seconds
    state = after(state, seconds[0])
    assert [(str(one.hex), one.extra) for one in state.round.turn.lays] == [("C4", True), ("C6", True)]
    assert not [one for one in legal(state, LayTile) if one.by == private("P3")]
    assert [one for one in legal(state, LayTile) if one.by == corporation("HR")]


def test_second_tile_of_p3_follows_at_once_or_never() -> None:
    state = after(operating(hr(P3="HR"), "HR"), lay(private("P3"), "C4", "58", 0), passed("HR"))
    assert not [one for one in legal(state, LayTile) if one.by == private("P3")]
    assert refused(state, lay(private("P3"), "C6", "9", 0))


def test_p3_lays_nothing_for_boston_and_lowell_while_it_is_held_back() -> None:
    state = operating(started(stock(P3="B&L"), "1", "B&L"), "B&L")
    assert not legal(state, LayTile)


def test_p3_on_c4_must_join_montreal() -> None:
    state = operating(hr(P3="HR"), "HR")
    assert "must join B3" in refused(state, lay(private("P3"), "C4", "58", 3))
    assert "lays 3, 4, 58 on C4" in refused(state, lay(private("P3"), "C4", "N10", 0))


def test_p4_builds_and_runs_from_a6_as_if_it_had_a_token() -> None:
    state = hr(P4="HR")
    reach = rules(state).reach(state, "HR")
    assert StopId.of(HexId("A6"), "o0") in reach.stops
    assert HexId("B7") in reach.sides
    gone = rules(state).enter_phase(state, "IV")
    assert HexId("B7") not in rules(gone).reach(gone, "HR").sides


def test_p6_builds_from_a12_for_ever_and_nobody_else_may_go_there() -> None:
    state = rules(state := hr(P6="HR")).enter_phase(state, "IV")
    assert HexId("B11") in rules(state).reach(state, "HR").sides
    assert StopId.of(HexId("A12"), "o0") in rules(state).closed_stops(state, "RR")
    assert StopId.of(HexId("A12"), "o0") not in rules(state).closed_stops(state, "HR")


def test_p6_costs_40_for_the_bank_beside_its_price() -> None:
    state = operating(money(hr(), "HR", 110), "HR")
    assert "1 to 70" in refused(state, BuyPrivate(by=corporation("HR"), private="P6", price=80))
    bank = state.bank or 0
    state = after(state, BuyPrivate(by=corporation("HR"), private="P6", price=70))
    assert state.companies["HR"].cash == 0
    assert state.bank == bank + 40
    poor = operating(money(hr(), "HR", 40), "HR")
    assert "not for sale" in refused(poor, BuyPrivate(by=corporation("HR"), private="P6", price=1))


def test_privates_that_are_turned_over_pay_nothing_but_work() -> None:
    state = hr(P4="HR", P5="HR")
    state = rules(state).enter_phase(state, "III")
    cash = state.companies["HR"].cash
    state = rules(state).begin_round(state.but(set_length=2), "Operating", 1)
    assert state.companies["HR"].cash == cash
    assert StopId.of(HexId("A6"), "o0") in rules(state).reach(state, "HR").stops
    assert rules(state).luxury_choices(after_ferry(state), state.privates["P5"]) == ("New Haven",)


def after_ferry(state: State) -> State:
    return rules(state).sell_ferry(state, "HR", "New Haven")


def test_p5_doubles_one_ferry_for_good() -> None:
    state = operating(tiles(hr(P5="HR"), C26="57 0"), "HR")
    assert not legal(state, ChooseAbility)
    state = after(state, NEW_HAVEN, ChooseAbility(by=private("P5"), choice="New Haven"))
    assert state.position("HR").markers["luxury_ferry"] == "New Haven"
    assert not legal(state, ChooseAbility)
    assert refused(state, ChooseAbility(by=private("P5"), choice="New Haven"))


# --- corporations and stock rounds (sections 4 and 5) --------------------------------------------------------------


def test_start_pays_twice_the_price_and_floats_with_the_home_token() -> None:
    state = engine.start(stock())
    cell = next(one for one in rules(state).par_cells(state, "HR") if state.facts.market.price(one) == 150)
    state = after(state, Par(by=player("1"), corporation="HR", cell=cell))
    company = state.companies["HR"]
    assert (company.cash, company.floated, company.percent_of(IPO)) == (300, True, 80)
    assert state.table.tokens_in(HexId("C24"), "c0") == ("HR",)


def test_starting_prices_are_40_to_150() -> None:
    state = stock()
    prices = [state.facts.market.price(cell) for cell in rules(state).par_cells(state, "HR")]
    assert prices == [40, 50, 60, 70, 80, 90, 100, 112, 124, 137, 150]


def test_treasury_shares_cost_the_current_price_paid_to_the_corporation() -> None:
    state = engine.start(priced(hr(), "HR", 137))
    state = after(state, bought("HR", 1, by=player("1")))
    assert (state.players["1"].cash, state.companies["HR"].cash) == (600 - 137, 337)


def test_pool_shares_pay_the_bank() -> None:
    state = engine.start(holding(hr(), "HR", pool=20))
    state = after(state, bought("HR", 1, by=player("1")))
    assert (state.players["1"].cash, state.companies["HR"].cash) == (500, 200)


def test_nobody_holds_more_than_60_percent() -> None:
    state = engine.start(holding(hr(), "HR", p1=40))
    assert "60 %" in refused(state, bought("HR", 5, by=player("1")))


def test_before_a_corporation_operates_only_its_president_sells() -> None:
    state = engine.start(holding(hr(), "HR", p1=20, p2=20))
    assert legal(state, SellShares)
    state = after(state, Pass(by=player("1")))
    assert refused(state, sold("HR", 3, by=player("2")))
    ready = state.with_company(state.companies["HR"].but(operated=True))
    assert price(after(ready, sold("HR", 3, by=player("2"))), "HR") == 100


def test_sales_are_free_in_the_first_stock_round() -> None:
    state = engine.start(holding(hr(), "HR", p1=20))
    assert state.turn_number == 1
    assert legal(state, SellShares)


def test_presidents_certificate_is_never_sold_to_the_pool() -> None:
    state = engine.start(holding(hr(), "HR", p1=20, p2=10))
    assert refused(state, sold("HR", 0, by=player("1")))
    # With a successor who holds 20 % the ordinary shares go to the pool, and the certificate to the successor.
    state = after(engine.start(holding(hr(), "HR", p2=30)), SellShares(by=player("1"), shares=("HR_0",), percent=20))
    company = state.companies["HR"]
    assert company.president == "2"
    assert not any(one.president for one in company.held(POOL))
    assert company.percent_of(POOL) == 20


def test_one_certificate_is_bought_in_a_turn_after_the_sales() -> None:
    state = engine.start(holding(hr(), "HR", p1=10, pool=10))
    other = started(state, "2", "RR")
    state = after(engine.start(other), sold("HR", 1, by=player("1")), bought("RR", 1, by=player("1")))
    assert state.round.current == "2"


def test_president_sale_moves_one_step_for_a_bundle_of_any_size() -> None:
    state = engine.start(holding(hr(), "HR", p1=40))
    state = after(state, sold("HR", 1, 2, 3, 4, by=player("1")))
    assert (price(state, "HR"), state.players["1"].cash) == (90, 1000)


def test_pool_holds_at_most_half() -> None:
    state = engine.start(holding(hr(), "HR", p1=20, pool=40))
    assert "50 %" in refused(state, sold("HR", 1, 2, by=player("1")))


def test_one_bundle_of_a_corporation_a_turn_and_no_sale_after_the_purchase() -> None:
    state = engine.start(holding(hr(), "HR", p1=40))
    one = after(state, sold("HR", 1, by=player("1")))
    assert "block" in refused(one, sold("HR", 2, by=player("1")))
    state = after(engine.start(started(state, "2", "RR")), bought("RR", 1, by=player("1")))
    assert refused(state, sold("HR", 1, by=player("1")))


def test_end_of_round_pool_left_and_sold_out_right() -> None:
    state = holding(hr(), "HR", p1=40, p2=40)
    state = holding(started(state, "2", "RR"), "RR", pool=10)
    state = started(state, "3", "CV")
    state = rules(state).end_of_stock_round(state)
    assert [price(state, name) for name in ("HR", "RR", "CV")] == [112, 90, 100]


def test_next_stock_round_begins_left_of_the_last_one_to_act() -> None:
    state = engine.start(stock())
    state = after(state, Pass(by=player("1")), _start(state, "2", "HR"))
    for who in ("3", "1", "2"):
        state = after(state, Pass(by=player(who)))
    assert state.round.kind == "Operating"
    assert state.order[0] == "3"


def _start(state: State, who: str, company: str) -> Par:
    cell = next(one for one in rules(state).par_cells(state, company) if state.facts.market.price(one) == 100)
    return Par(by=player(who), corporation=company, cell=cell)


def test_price_of_0_closes_the_corporation() -> None:
    state = owning(priced(holding(hr(), "HR", p1=20), "HR", 10), "HR", "2-0")
    state = after(engine.start(state), sold("HR", 1, by=player("1")))
    company = state.companies["HR"]
    assert company.closed
    assert (company.cash, company.trains) == (0, ())
    assert not state.table.tokens_in(HexId("C24"), "c0")


def test_boston_and_worcester_pays_40_in_worcester_where_a_slot_is_kept_until_phase_four() -> None:
    state = tiles(started(stock(P2="HR"), "1", "B&W"), F23="58 2", E22="57 2")
    stop = StopId.parse("E22.c0")
    assert not rules(state).may_token(state, "HR", stop)
    played = operating(state, "B&W")
    played = after(played, token(played, corporation("B&W"), "E22.c0"))
    assert played.companies["B&W"].cash == 160
    fourth = rules(state).enter_phase(state, "IV")
    assert rules(fourth).may_token(fourth, "HR", stop)
    assert rules(fourth).price_in(fourth, fourth.companies["B&W"], stop) == 40


def test_second_station_costs_80_and_there_are_two() -> None:
    state = tiles(hr(), C26="57 0")
    state = operating(state, "HR")
    state = after(state, token(state, corporation("HR"), "C26.c0"))
    assert state.companies["HR"].cash == 120
    assert rules(state).next_token(state.companies["HR"]) is None


def test_boston_and_providence_has_a_slot_in_green_boston_until_phase_four() -> None:
    state = tiles(started(started(stock(), "1", "B&W"), "2", "B&L"), F23="58 2")
    place = HexId("G22")
    assert not any(kept.company == "B&P" for kept in state.table.kept.get(place, ()))
    plan = LayPlan("B&W", place, "N23", 0, 4)
    old = state.table.tile_at(place)
    state = rules(state).tile_laid(tiles(state, G22="N23 4"), plan, old)
    free = [city.id for city in state.table.tile_at(place).cities if rules(state).may_token(
        state, "B&P", StopId.of(place, city.id))]  # fmt: skip
    assert free
    assert not any(rules(state).may_token(state, "HR", StopId.of(place, city)) for city in ("c0", "c1"))
    state = rules(state).enter_phase(state, "IV")
    assert any(rules(state).may_token(state, "HR", StopId.of(place, city)) for city in ("c0", "c1"))


def sherbrooke(*companies: str) -> State:
    """The yellow tile in Sherbrooke has just been laid."""
    state = stock()
    for name in companies:
        state = started(state, "1", name)
    old = state.table.tile_at(HexId("F5"))
    return rules(state).tile_laid(tiles(state, F5="N11 0"), LayPlan("HR", HexId("F5"), "N11", 0, 0), old)


def test_shared_token_comes_free_with_the_yellow_tile_of_sherbrooke() -> None:
    state = sherbrooke("StL&A", "A&StL")
    assert state.table.tokens_in(HexId("F5"), "c0") == ("StL&A", "A&StL")
    assert [state.companies[name].cash for name in ("StL&A", "A&StL")] == [200, 200]
    part = state.table.tile_at(HexId("F5")).cities[0]
    blocked = {name: state.table.blocks(name, HexId("F5"), part) for name in ("StL&A", "A&StL", "HR")}
    assert blocked == {"StL&A": False, "A&StL": False, "HR": True}
    assert rules(state).next_token(state.companies["A&StL"]) == 1


def test_shared_token_is_the_others_when_one_closes() -> None:
    state = sherbrooke("StL&A", "A&StL")
    state = rules(state).close_corporation(state, "StL&A")
    assert state.table.tokens_in(HexId("F5"), "c0") == ("A&StL",)
    assert not rules(state).may_token(state, "HR", StopId.parse("F5.c0"))


def test_homes_are_kept_in_phase_four_unless_by_option() -> None:
    state = stock()
    state = rules(state).enter_phase(state, "IV")
    assert not rules(state).may_token(state, "HR", StopId.parse("C12.c0"))
    state = stock(options=["ne_homes_open_in_phase_4"])
    state = rules(state).enter_phase(state, "IV")
    assert rules(state).may_token(state, "HR", StopId.parse("C12.c0"))
    state = rules(started(state, "1", "HR")).put_token(started(state, "1", "HR"), "HR", StopId.parse("C12.c0"))
    assert "no free slot" in rules(state).may_start(state, "1", "RR")


# --- operating rounds (section 6) ----------------------------------------------------------------------------------


def test_two_operating_rounds_for_each_stock_round_the_first_by_rising_price() -> None:
    state = started(started(started(stock(), "1", "HR", 90), "2", "RR", 112), "3", "CV", 90)
    state = rules(state).begin_round(state.but(set_length=2), "Operating", 1)
    assert state.round.order == ("HR", "CV", "RR")
    state = rules(state).begin_round(state, "Operating", 2)
    assert state.round.order == ("RR", "HR", "CV")
    assert rules(state).operating_rounds(state) == 2


def test_issue_for_one_step_left_up_to_the_players_shares_less_the_pools() -> None:
    state = operating(holding(hr(), "HR", p1=20, pool=10), "HR")
    assert "3 at most" in refused(state, sold("HR", 5, 6, 7, 8))
    state = after(state, sold("HR", 5, 6, 7, worth=90))
    assert (state.companies["HR"].cash, price(state, "HR")) == (200 + 270, 100)
    assert "in this turn" in refused(state, sold("HR", 8))


def test_redeem_any_shares_of_the_pool_for_one_step_right() -> None:
    state = operating(money(holding(hr(), "HR", pool=30), "HR", 300), "HR")
    state = after(state, bought("HR", 1, 2, worth=112))
    assert (state.companies["HR"].cash, price(state, "HR")) == (300 - 224, 100)
    assert state.companies["HR"].percent_of(IPO) == 70


def test_issue_comes_first_by_option_until_the_dividend() -> None:
    for options, open_ in (([], False), (["ne_issue_until_dividend"], True)):
        state = tiles(holding(started(stock(options=options), "1", "HR"), "HR", p1=20), C26="57 0")
        before = operating(owning(state, "HR", "2-0"), "HR")
        assert legal(before, SellShares)
        for begun in (lay(corporation("HR"), "D23", "9", 1), token(before, corporation("HR"), "C26.c0"), NEW_HAVEN):
            assert bool(legal(after(before, begun), SellShares)) is open_
        ran_already = after(before, passed("HR"), ran("HR", 40))
        assert bool(legal(ran_already, SellShares)) is open_
    begun = after(operating(hr(), "HR"), lay(corporation("HR"), "C26", "57", 0))
    assert "before track" in refused(begun, sold("HR", 1))


def test_no_issue_after_the_dividend() -> None:
    state = buying(owning(holding(hr(), "HR", p1=20), "HR", "2-0"), "HR")
    assert refused(state, sold("HR", 5))


def test_one_yellow_and_a_second_yellow_or_an_upgrade_never_two_upgrades() -> None:
    state = tiles(hr(), C26="57 0", D25="8 0")
    state = operating(money(state, "HR", 500), "HR", phase="II")
    upgrades = [one for one in legal(state, LayTile) if isinstance(one, LayTile) and one.hex in state.table.laid]
    assert upgrades
    state = after(state, upgrades[0])
    assert not [one for one in legal(state, LayTile) if isinstance(one, LayTile) and one.hex in state.table.laid]
    assert legal(state, LayTile)


def test_track_station_and_ferry_come_in_any_order() -> None:
    state = tiles(money(hr(), "HR", 500), C26="57 0")
    state = operating(state, "HR")
    actions = (lay(corporation("HR"), "D23", "9", 1), token(state, corporation("HR"), "C26.c0"), NEW_HAVEN)
    ends = []
    for order in permutations(actions):
        end = after(state, *order)
        ends.append((end.companies["HR"].cash, end.table.stops_of("HR"), end.position("HR").markers["ferries"]))
    assert ends == [(500 - 60 - 80 - 40, *ends[0][1:])] * 6


def test_one_station_a_turn() -> None:
    state = tiles(money(started(stock(P2="HR"), "1", "B&W"), "B&W", 500), F23="58 2", E22="57 2", D21="57 2")
    state = operating(state, "B&W")
    state = after(state, token(state, corporation("B&W"), "E22.c0"))
    assert not legal(state, PlaceToken)


@pytest.mark.parametrize(
    ("hex_id", "tile", "rotation", "cost", "additive"),
    [("C26", "57", 0, 20, 20), ("D23", "9", 1, 60, 80), ("D25", "8", 0, 60, 80), ("B27", "58", 3, 20, 20)],
)
def test_lay_costs_20_or_the_terrain_if_that_is_more(
    hex_id: str, tile: str, rotation: int, cost: int, additive: int
) -> None:
    for options, amount in (([], cost), (["ne_tile_cost_additive"], additive)):
        state = stock(options=options)
        plan = LayPlan("HR", HexId(hex_id), tile, 0, rotation)
        assert rules(state).lay_cost(state, plan) == amount


def test_completed_sides_are_paid_beside() -> None:
    state = tiles(stock(), F15="58 1")
    plan = LayPlan("HR", HexId("E16"), "9", 0, 1)
    assert rules(state).lay_cost(state, plan) == 60 + 40


def test_permissive_track_is_an_option() -> None:
    assert rules(new()).facts.settings.track_rule == "semi_restrictive"
    assert rules(new(options=["ne_permissive_track"])).facts.settings.track_rule == "permissive"


def test_cape_cod_tile_goes_to_hyannis_alone() -> None:
    state = stock()
    for hex_id, fits in (("I26", True), ("H23", False)):
        old, tile = state.table.tile_at(HexId(hex_id)), state.facts.edition.tiles.tile("N10").rotated(0)
        reason = rules(state).upgrade_fault(state, LayPlan("HR", HexId(hex_id), "N10", 0, 0), old, tile)
        assert (not reason) == fits


def test_manchester_becomes_brown_by_the_tile_of_60() -> None:
    state = tiles(stock(), F17="N27 0")
    for tile, fits in (("N50", True), ("N51", False), ("N54", False)):
        new_tile = state.facts.edition.tiles.tile(tile).rotated(0)
        plan = LayPlan("HR", HexId("F17"), tile, 0, 0)
        assert (not rules(state).upgrade_fault(state, plan, state.table.tile_at(plan.hex), new_tile)) == fits


def test_position_holds_the_tile_of_60_on_manchester_and_no_other_without_its_label() -> None:
    state = started(stock(), "1", "HR")
    assert tiles(state, F17="N50 0").position("HR").tiles[HexId("F17")].tile == "N50"
    with pytest.raises(InputError, match="labelled Ma"):
        tiles(state, F17="N54 0").position("HR")


def test_sea_side_keeps_its_place() -> None:
    state = stock()
    old = state.table.tile_at(HexId("G22"))
    tile = state.facts.edition.tiles.tile("N23")
    assert [turn for turn in range(6) if not rules(state).track_fault(old, tile.rotated(turn))] == [4]


# --- ferries (section 7) -------------------------------------------------------------------------------------------


def ferrying() -> State:
    return operating(tiles(money(hr(), "HR", 500), C26="57 0"), "HR")


def test_ferry_costs_40_one_a_turn_and_needs_its_city() -> None:
    assert "no ferry" in refused(operating(hr(), "HR"), NEW_HAVEN)
    state = ferrying()
    assert "40" in refused(state, SpecialBuy(by=corporation("HR"), what="New Haven", cost=30))
    assert refused(state, SpecialBuy(by=corporation("HR"), what="Portland", cost=40))
    state = after(state, NEW_HAVEN)
    assert state.companies["HR"].cash == 460
    assert not legal(state, SpecialBuy)


def test_new_bonus_belongs_to_the_ferry_sold_last_and_last_to_the_last_of_all() -> None:
    state = ferrying()
    assert len(rules(state).ferry_names()) == 5
    for name in rules(state).ferry_names():
        state = rules(state).sell_ferry(state, "HR", name)
        assert state.marks["new_ferry"] == name
        assert bool(state.marks.get("last_ferry")) == (name == "Hyannis")
    assert state.companies["HR"].cash == 300


def test_ferries_are_sold_until_phase_four_which_removes_them() -> None:
    state = rules(state := after(ferrying(), NEW_HAVEN)).enter_phase(state, "III")
    assert state.position("HR").markers["ferries"] == {"HR": ("New Haven",)}
    state = rules(state).enter_phase(state, "IV")
    assert not state.position("HR").markers.get("ferries")
    assert not state.position("HR").markers.get("new_ferry")
    state = operating(tiles(hr(), C26="57 0"), "HR", phase="IV")
    assert not legal(state, SpecialBuy)


def test_ferries_of_a_closed_corporation_are_gone() -> None:
    state = after(ferrying(), NEW_HAVEN)
    state = rules(state).close_corporation(state, "HR")
    assert not state.marks["new_ferry"]
    assert "New Haven" in rules(state).sold_ferries(state)


def test_by_option_a_ferry_needs_no_way_to_its_city() -> None:
    state = operating(started(stock(options=["ne_ferries_unconnected"]), "1", "HR"), "HR")
    offered = {one.what for one in legal(state, SpecialBuy) if isinstance(one, SpecialBuy)}
    assert offered == set(rules(state).ferry_names())


def test_by_option_only_the_ferry_of_new_haven_is_for_sale() -> None:
    assert rules(new(options=["ne_known_ferry_only"])).ferry_names() == ("New Haven",)


# --- dividends (section 10) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "paid", "now"),
    [
        (100, 0, 90), (100, 49, 90), (100, 50, 100), (100, 99, 100), (100, 100, 112), (100, 200, 124),
        (150, 450, 180), (165, 495, 212), (137, 68, 124), (137, 69, 137), (730, 800, 730),
    ],
)  # fmt: skip
def test_price_moves_by_what_is_paid_against_it(before: int, paid: int, now: int) -> None:
    state = priced(hr(), "HR", before)
    cell = rules(state).price_after_dividend(state, state.companies["HR"], "payout", paid)
    assert cell is not None
    assert state.facts.market.price(cell) == now


def running() -> State:
    state = tiles(owning(holding(hr(), "HR", p1=20, p2=10, pool=10), "HR", "2-0"), C26="57 0")
    return after(operating(state, "HR"), passed("HR"), ran("HR", 70))


@pytest.mark.parametrize(
    ("kind", "first", "second", "treasury"), [("payout", 28, 7, 28), ("half", 16, 4, 46), ("withhold", 0, 0, 70)]
)
def test_full_half_or_nothing(kind: str, first: int, second: int, treasury: int) -> None:
    state = running()
    cash = {who: state.cash_of(who) for who in ("1", "2", "HR")}
    state = after(state, Dividend(by=corporation("HR"), kind=kind))
    found = [state.cash_of(who) - cash[who] for who in ("1", "2", "HR")]
    assert found == [first, second, treasury]


def test_corporation_that_did_not_run_falls_one_step() -> None:
    state = operating(owning(hr(), "HR", "2-0"), "HR")
    assert price(after(state, passed("HR")), "HR") == 90


# --- trains and phases (section 11) --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "amount", "phase"),
    [
        ("3/5", 180, "II"), ("2+2", 140, "II"), ("4/7", 320, "III"), ("3+3", 230, "III"),
        ("6/9", 750, "IV"), ("5+3", 640, "IV"), ("7+3", 1000, "V"),
    ],
)  # fmt: skip
def test_either_face_of_the_first_card_starts_its_phase(face: str, amount: int, phase: str) -> None:
    state = hr()
    card = rules(state).kind_of_face(face).name
    order = list(state.facts.edition.phases)
    before = order[order.index(phase) - 1]
    state = buying(money(supply(state, card), "HR", 1000), "HR", phase=before)
    state = after(state, BuyTrain(by=corporation("HR"), train=f"{card}-0", price=amount, face=face))
    assert state.phase_name == phase
    assert state.face_of(f"{card}-0") == face


@pytest.mark.parametrize(
    ("phase", "limit", "takeover"), [("I", 3, 3), ("II", 3, 3), ("III", 3, 2), ("IV", 2, 1), ("V", 2, 1)]
)
def test_train_limit_by_phase(phase: str, limit: int, takeover: int) -> None:
    for options, most in (([], limit), (["takeover_game"], takeover)):
        state = stock(options=options, phase=phase)
        assert rules(state).train_limit(state, state.companies["HR"]) == most


@pytest.mark.parametrize(
    ("phase", "old", "gone"), [("III", {"2-0"}, set()), ("IV", {"3/5-0"}, {"2-0"}), ("V", {"4/7-0"}, {"2-0", "3/5-0"})]
)
def test_trains_become_obsolete_and_are_removed_by_phase(phase: str, old: set[str], gone: set[str]) -> None:
    state = owning(hr(), "HR", "2-0=2+1", "3/5-0", "4/7-0")
    for name in ("II", "III", "IV", "V"):
        state = rules(state).enter_phase(state, name)
        if name == phase:
            break
    trains = set(state.companies["HR"].trains)
    assert not trains & gone
    assert old <= state.obsolete
    assert not any(one.startswith("2-") for one in state.depot.upcoming)


def test_obsolete_trains_run_once_more_do_not_count_and_are_not_traded() -> None:
    state = tiles(owning(hr(), "HR", "2-0"), C26="57 0")
    state = rules(state).enter_phase(rules(state).enter_phase(state, "II"), "III")
    assert rules(state).trains_counted(state, state.companies["HR"]) == 0
    state = started(state, "2", "RR")
    assert not any(offer.train == "2-0" for offer in rules(state).company_offers(state, state.companies["RR"]))
    state = after(operating(state, "HR"), passed("HR"))
    assert rules(state).runnable(state, state.companies["HR"]) == ("2-0",)
    state = after(state, ran("HR", 40), Dividend(by=corporation("HR"), kind="withhold"))
    assert state.companies["HR"].trains == ()


def test_obsolete_trains_in_the_pool_are_for_nobody() -> None:
    state = started(owning(hr(), "HR", "2-0", "3/5-0"), "2", "RR")
    state = rules(state).discard(state, state.companies["HR"], "2-0")
    assert state.depot.pool == ("2-0",)
    third = rules(state).enter_phase(rules(state).enter_phase(state, "II"), "III")
    assert third.depot.pool == ()


def test_discards_go_to_the_pool_and_keep_the_face() -> None:
    state = buying(owning(started(hr(), "2", "RR"), "HR", "4/7-0=3+3"), "HR", phase="IV")
    state = rules(state).discard(state, state.companies["HR"], "4/7-0")
    assert state.depot.pool == ("4/7-0",)
    offers = [one for one in rules(state).bank_offers(state, state.companies["RR"]) if one.train == "4/7-0"]
    assert [(one.face, one.price) for one in offers] == [("3+3", 230)]


def test_by_option_discards_leave_the_game() -> None:
    state = owning(started(stock(options=["ne_discards_removed"]), "1", "HR"), "HR", "4/7-0")
    state = rules(state).discard(state, state.companies["HR"], "4/7-0")
    assert state.depot.pool == ()


def test_trains_above_the_limit_are_discarded_at_once() -> None:
    state = started(owning(hr(), "HR", "4/7-0", "4/7-1", "4/7-2"), "2", "RR")
    state = buying(money(supply(state, "6/9"), "RR", 800), "RR", phase="III")
    state = after(state, BuyTrain(by=corporation("RR"), train="6/9-0", price=640, face="5+3"))
    assert waiting(state) == "discard_trains"
    state = after(state, DiscardTrain(by=corporation("HR"), train="4/7-1"))
    assert state.companies["HR"].trains == ("4/7-0", "4/7-2")


def test_7_plus_3_has_no_practical_limit() -> None:
    state = supply(hr(), "7+3")
    for number in range(20):
        state = rules(state).taken_from_depot(state, f"7+3-{number}")
    assert rules(state).on_sale(state) == ("7+3-20",)


# --- forced purchase and bankruptcy (section 12) -------------------------------------------------------------------


def short(treasury: int, cash: int = 0, **held: int) -> State:
    """Hartford at 100 without a train; the president has so much, 3/5 and 2+2 are on sale."""
    state = supply(holding(hr(P1="2", P2="2", P3="2", P4="2", P5="2", P6="2"), "HR", **held), "3/5")
    return buying(money(money(state, "HR", treasury), "1", cash), "HR", phase="II")


def test_corporation_without_a_train_must_buy_one_route_or_not() -> None:
    state = short(200)
    assert "cannot pass" in refused(state, passed("HR"))


def test_emergency_issue_comes_before_the_president() -> None:
    state = short(0, 500, p1=10)
    assert waiting(state) == "trains"
    assert price(state, "HR") == 90
    issues = [one for one in legal(state, SellShares) if one.by == corporation("HR")]
    assert [(len(one.shares), one.price) for one in issues if isinstance(one, SellShares)] == [(3, 50)]
    assert refused(state, BuyTrain(by=corporation("HR"), train="3/5-0", price=140, face="2+2"))
    state = after(state, issues[0])
    assert (price(state, "HR"), state.companies["HR"].cash) == (60, 150)
    state = after(state, BuyTrain(by=corporation("HR"), train="3/5-0", price=140, face="2+2"))
    assert state.players["1"].cash == 500


def test_emergency_issue_is_no_larger_than_needed_and_made_once_a_turn() -> None:
    state = short(0, 500, p1=40)
    company = state.companies["HR"]
    found = [(one.number, one.money) for one in rules(state).emergency_issues(state, company)]
    # At 90: 70, 2 × 60, 3 × 50, 4 × 40; the cheaper face costs 140.
    assert found == [(3, 150), (4, 160)]
    state = after(state, sold("HR", 5, 6, 7))
    assert not [one for one in legal(state, SellShares) if one.by == corporation("HR")]
    assert refused(state, sold("HR", 8))


def test_no_train_of_another_corporation_after_an_emergency_issue() -> None:
    state = owning(started(supply(holding(hr(), "HR", p1=40), "3/5"), "2", "RR"), "RR", "3/5-0")
    state = buying(money(state, "HR", 0), "HR", phase="II")
    state = after(money(engine.start(state), "HR", 1), sold("HR", 5, 6, 7))
    assert not [one for one in legal(state, BuyTrain) if isinstance(one, BuyTrain) and one.train == "3/5-0"]


def test_president_does_not_close_the_operating_corporation_by_a_sale() -> None:
    state = supply(holding(hr(P1="2", P2="2", P3="2", P4="2", P5="2", P6="2"), "HR", p1=20, p2=10, pool=30), "3/5")
    state = priced(state, "HR", 20)
    state = buying(money(money(state, "HR", 0), "1", 0), "HR", phase="II")
    assert price(state, "HR") == 10
    assert not [one for one in legal(state, SellShares) if one.by == player("1")]


def test_no_emergency_issue_below_20() -> None:
    state = priced(short(0, 500, p1=40), "HR", 40)
    issues = rules(state).emergency_issues(state, state.companies["HR"])
    assert [(one.number, one.money) for one in issues] == [(2, 20)]


def test_presidents_money_only_if_no_face_can_be_paid() -> None:
    state = short(150, 500)
    assert "treasury" in refused(state, BuyTrain(by=corporation("HR"), train="3/5-0", price=180, face="3/5"))
    state = after(state, BuyTrain(by=corporation("HR"), train="3/5-0", price=140, face="2+2"))
    assert state.players["1"].cash == 500


def test_president_pays_what_is_missing_after_the_issue() -> None:
    state = short(0, 500)
    issue = next(one for one in legal(state, SellShares) if one.by == corporation("HR"))
    state = after(state, issue)
    cash = state.companies["HR"].cash
    state = after(state, BuyTrain(by=corporation("HR"), train="3/5-0", price=180, face="3/5"))
    assert state.players["1"].cash == 500 - (180 - cash)


def test_president_sells_no_more_than_is_needed_and_keeps_the_presidency() -> None:
    state = supply(hr(P1="2", P2="2", P3="2", P4="2", P5="2", P6="2"), "3/5")
    state = holding(started(state, "2", "RR"), "RR", p1=30)
    state = state.with_company(state.companies["RR"].but(operated=True, president="2"))
    state = buying(money(money(state, "HR", 0), "1", 0), "HR", phase="II")
    state = after(state, next(one for one in legal(state, SellShares) if one.by == corporation("HR")))
    sales = [one for one in legal(state, SellShares) if one.by == player("1")]
    assert {one.shares[0].partition("_")[0] for one in sales if isinstance(one, SellShares)} == {"RR"}
    assert all(len(one.shares) <= 1 for one in sales if isinstance(one, SellShares))


def short_stock() -> State:
    return supply(holding(hr(P1="2", P2="2", P3="2", P4="2", P5="2", P6="2"), "HR", p2=10), "3/5")


def test_no_train_of_another_corporation_with_the_presidents_money() -> None:
    state = owning(started(short_stock(), "2", "RR"), "RR", "3/5-0")
    state = buying(money(money(state, "HR", 0), "1", 500), "HR", phase="II")
    assert refused(state, BuyTrain(by=corporation("HR"), train="3/5-0", price=100))


def broke(*options: str) -> State:
    """Player 1 has nothing and presides over Hartford, which needs a train; player 2 holds 20 % of it."""
    state = started(stock(options=options, P1="1"), "1", "HR")
    state = holding(supply(state, "6/9"), "HR", p1=10, p2=20)
    return buying(money(money(state, "HR", 0), "1", 5), "HR", phase="III")


def test_corporation_of_a_bankrupt_player_issues_what_it_can() -> None:
    state = broke()
    most = rules(state).emergency_issues(state, state.companies["HR"])[-1]
    before = state.companies["HR"].percent_of(POOL)
    state = after(state, Bankrupt(by=corporation("HR")))
    # What was issued, and the three shares of the player, less the president's certificate that went to player 2 for
    # two ordinary shares.
    assert state.companies["HR"].percent_of(POOL) == before + 10 * most.number + 30
    assert state.round.turn.marks["emergency_issued"]


def test_bankrupt_player_is_out_and_the_game_goes_on() -> None:
    state = broke()
    state = after(state, Bankrupt(by=corporation("HR")))
    assert not state.over
    assert state.players["1"].bankrupt
    assert (state.players["1"].cash, state.value_of("1")) == (0, 0)
    assert state.privates["P1"].closed
    assert state.companies["HR"].president == "2"
    assert state.companies["HR"].cash > 0
    assert waiting(state) == "trains"
    assert "cannot pass" in refused(state, passed("HR"))


def test_corporation_has_the_money_that_was_raised_by_option_the_price_of_what_is_left_too() -> None:
    found, left = [], 0
    for options in ((), ("ne_bankrupt_shares_pay",)):
        state = after(broke(*options), Bankrupt(by=corporation("HR")))
        found.append(state.companies["HR"].cash)
        left = price(state, "HR")
    # The two shares of the president's certificate and the third, which may not be sold for the train.
    assert found[1] - found[0] == 3 * left
    # Player 1 had 5; the rest came from the issue.
    assert found[0] > 5


def test_what_a_bankrupt_player_leaves_goes_to_the_pool_above_its_limit_and_moves_no_price() -> None:
    state = holding(started(broke(), "3", "RR"), "RR", p3=30, pool=50)
    held = state.companies["RR"]
    extra = [one for one in held.held("3") if not one.president][:2]
    state = state.with_company(held.but(holdings=moved(held.holdings, extra, "3", "1")))
    before, pool = price(state, "RR"), state.companies["RR"].percent_of(POOL)
    state = after(engine.start(money(state, "RR", 0)), Bankrupt(by=corporation("HR")))
    assert state.companies["RR"].percent_of(POOL) == pool + 20 > 50
    assert price(state, "RR") == before
    assert state.companies["HR"].percent_of("1") == 0


def test_without_a_possible_president_receivership_buys_the_cheapest_face_it_can_pay() -> None:
    state = holding(supply(hr(P1="1"), "6/9"), "HR", p1=10)
    state = buying(money(money(state, "HR", 0), "1", 5), "HR", phase="III")
    state = after(state, Bankrupt(by=corporation("HR")))
    company = state.companies["HR"]
    assert (company.president, company.receivership) == (None, True)
    state = operating(money(state, "HR", 700), "HR", phase="III")
    assert state.face_of(state.companies["HR"].trains[0]) == "5+3"
    assert state.companies["HR"].cash == 60


def test_receivership_runs_and_withholds_and_does_nothing_else() -> None:
    state = holding(tiles(owning(hr(), "HR", "2-0"), C26="57 0"), "HR", p2=10)
    found = state.companies["HR"]
    certificate = next(one for one in found.held("1") if one.president)
    found = found.but(holdings=moved(found.holdings, (certificate,), "1", POOL), president=None, receivership=True)
    state = operating(state.with_company(found), "HR", phase="II")
    assert waiting(state) == "routes"
    assert not legal(state, BuyPrivate)
    state = after(state, ran("HR", 40))
    assert state.companies["HR"].cash == 240
    assert price(state, "HR") == 90


def test_last_solvent_player_ends_the_game_at_once() -> None:
    state = broke()
    state = state.with_player(state.players["3"].but(bankrupt=True, cash=0))
    state = after(engine.start(state), Bankrupt(by=corporation("HR")))
    assert state.over == "one_solvent_player"


def test_closing_of_all_corporations_ends_the_game_whatever_privates_there_are() -> None:
    state = priced(holding(hr(P1="1"), "HR", p1=20), "HR", 10)
    for name in state.companies:
        if name != "HR":
            state = rules(state).close_corporation(state, name)
    state = after(engine.start(state), sold("HR", 1, by=player("1")))
    assert state.over == "all_closed"
    assert not state.privates["P1"].closed


# --- end and score (section 13) ------------------------------------------------------------------------------------


def test_broken_bank_ends_the_game_after_the_second_operating_round() -> None:
    state = owning(hr(), "HR", "2-0")
    state = operating(state.pay(BANK, "1", (state.bank or 0) + 1), "HR", number=1)
    assert state.bank_broken
    while not state.over and state.round.number == 1:
        state = after(state, next(one for one in engine.legal_actions(state) if isinstance(one, (Pass, RunRoutes))))
    assert not state.over
    while not state.over:
        state = after(state, next(one for one in engine.legal_actions(state) if isinstance(one, (Pass, RunRoutes))))
    assert state.over == "bank"


def test_score_is_cash_and_shares_and_privates_only_before_phase_three() -> None:
    state = money(hr(P6="1"), "1", 30)
    assert state.value_of("1") == 30 + 200 + 80
    state = rules(state).enter_phase(state, "III")
    assert state.value_of("1") == 30 + 200
    assert money(state, "HR", 5000).value_of("1") == 230
