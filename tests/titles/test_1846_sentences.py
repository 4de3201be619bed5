"""1846, whole games: sentences of the digest that no other test holds. The section is in the heading."""

from __future__ import annotations

import pytest

from board.hexes import HexId, StopId, opposite
from rules import engine
from rules.actions import (
    Actor,
    Assign,
    Bankrupt,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DiscardTrain,
    Dividend,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    RunRoutes,
    SellShares,
)
from rules.policies.track import LayPlan
from rules.shares import IPO, POOL
from rules.state import OperatingRound, State
from tests.titles.games_1846 import (
    TITLE,
    after,
    bought,
    buying,
    corporation,
    drafted,
    forced,
    holding,
    lay,
    legal,
    money,
    new,
    nyc,
    operating,
    owning,
    passed,
    phase_three,
    player,
    price,
    priced,
    private,
    ran_train,
    receivership,
    refused,
    rules,
    sold,
    started,
    supply,
    tiles,
    to_trains,
    token,
    waiting,
)

# --- set-up (section 1) --------------------------------------------------------------------------------------------


def test_every_certificate_private_and_minor_counts_one() -> None:
    state = holding(started(drafted(MS="1", MAIL="1"), "1", "NYC", 60), "NYC", p1=20)
    assert rules(state).certificates_of(state, "1") == 1 + 2 + 2


def test_certificate_limit_does_not_change_with_a_bankruptcy() -> None:
    state = new(4)
    before = rules(state).certificate_limit(state, "1")
    state = state.with_player(state.players["2"].but(bankrupt=True))
    assert rules(state).certificate_limit(state, "1") == before


def test_hexes_of_a_removed_private_are_not_blocked() -> None:
    state = new(3, 42, ["second_ed_co"])
    assert not {"MC", "O&I"} & state.privates.keys()
    assert not {HexId(one) for one in ("B10", "B12", "F14", "F16")} & rules(state).closed_hexes(state, "NYC")


# --- privates (section 3) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "face", "income"),
    [
        ("C&WI", 60, 10), ("MAIL", 80, 0), ("TBC", 60, 20), ("MPC", 60, 15), ("SC", 40, 10), ("LSL", 40, 15),
        ("MC", 40, 15), ("O&I", 40, 15), ("BT", 40, 10), ("LM", 40, 15),
    ],
)  # fmt: skip
def test_face_and_income_of_the_privates(name: str, face: int, income: int) -> None:
    facts = TITLE.game(["1", "2", "3"], seed=1).facts.privates[name]
    assert (facts.value, facts.income) == (face, income)


def test_incomes_come_at_the_start_of_each_operating_round_to_player_or_corporation() -> None:
    state = started(drafted(MC="2", OandI="1"), "1", "NYC", 60).handing_private("O&I", "NYC")
    cash = state.players["2"].cash, state.companies["NYC"].cash
    for number in (1, 2):
        state = rules(state).begin_round(state.but(turn_number=2, set_length=2), "Operating", number)
    assert (state.players["2"].cash, state.companies["NYC"].cash) == (cash[0] + 30, cash[1] + 30)


def test_corporations_buy_from_any_player_but_minors_and_receivership_do_not() -> None:
    state = started(drafted(MAIL="3", MS="2"), "1", "NYC", 60)
    assert legal(operating(owning(state, "NYC", "2-2"), "NYC"), BuyPrivate)
    minor = operating(state, "MS")
    assert not legal(minor, BuyPrivate)
    assert refused(minor, BuyPrivate(by=Actor("minor", "MS"), private="MAIL", price=1))
    closed = state.with_company(state.companies["NYC"].but(receivership=True))
    assert rules(closed).price_range(closed, closed.companies["NYC"], closed.privates["MAIL"]) is None


def test_no_private_of_another_corporation_is_bought() -> None:
    state = started(started(drafted(MAIL="3"), "1", "NYC", 60), "2", "GT", 60).handing_private("MAIL", "GT")
    state = operating(owning(state, "NYC", "2-2"), "NYC")
    assert not legal(state, BuyPrivate)


def test_after_an_emergency_issue_no_private_is_bought_until_there_is_a_train() -> None:
    state = forced(300, 100)
    state = state.with_private(state.privates["MAIL"].but(closed=False)).handing_private("MAIL", "3")
    state = engine.start(state)
    assert legal(state, BuyPrivate)
    state = after(state, sold("NYC", 5, 6, 7))
    assert not legal(state, BuyPrivate)


def test_meat_packing_marks_st_louis_or_chicago_once() -> None:
    for place in ("I1", "D6"):
        state = operating(owning(started(drafted(MPC="2"), "1", "NYC", 60), "NYC", "2-2"), "NYC")
        state = after(state, BuyPrivate(by=corporation("NYC"), private="MPC", price=1))
        assert {one.target for one in legal(state, Assign) if isinstance(one, Assign)} == {"I1", "D6"}
        state = after(state, Assign(by=private("MPC"), target=place, target_kind="hex"))
        assert rules(state).markers(state, "NYC") == {
            "assigned": {place: ("MPC",)},
            "assigned_companies": {"NYC": ("MPC",)},
        }
        assert not legal(state, Assign)


def test_markers_stay_through_phase_three_but_those_of_a_steamboat_that_a_player_owns() -> None:
    def steamboat(owner: str) -> State:
        state = owning(started(drafted(SC="1", MPC="2"), "1", "NYC", 60), "NYC", "2-2")
        state = state.handing_private("MPC", "NYC").handing_private("SC", owner)
        for name, place in (("SC", "D14"), ("MPC", "D6")):
            state = rules(state).assign(rules(state).assign(state, name, place, to_hex=True), name, "NYC", to_hex=False)
        state = rules(state).close_all_privates(state)
        assert state.privates["SC"].closed
        assert state.privates["MPC"].closed
        return state

    assert rules(kept := steamboat("NYC")).markers(kept, "NYC")["assigned"] == {"D14": ("SC",), "D6": ("MPC",)}
    assert rules(lost := steamboat("1")).markers(lost, "NYC")["assigned"] == {"D6": ("MPC",)}


def test_steamboat_may_be_moved_in_the_round_of_its_purchase_though_the_player_has_moved_it() -> None:
    state = owning(started(drafted(SC="2"), "1", "NYC", 60), "NYC", "2-2")
    state = tiles(state, D18="8 4", E17="292 1")
    state = engine.start(rules(state).begin_round(state, "Operating", 1))
    state = after(state, Assign(by=private("SC"), target="B8", target_kind="hex"), Pass(by=private("SC")))
    state = after(state, BuyPrivate(by=corporation("NYC"), private="SC", price=1))
    state = after(state, Assign(by=private("SC"), target="D14", target_kind="hex"))
    assert rules(state).hex_of_marker(state, "SC") == "D14"


# --- minors (section 4) --------------------------------------------------------------------------------------------


def test_minors_come_first_and_only_lay_and_run() -> None:
    state = started(drafted(MS="2", BIG4="1"), "1", "NYC", 60)
    state = rules(state).begin_round(state, "Operating", 1)
    assert state.round.order == ("MS", "BIG4", "NYC")
    state = operating(tiles(state, B16="6 4"), "MS")
    kinds = set()
    while state.operator is not None and state.operator.name == "MS" and waiting(state):
        kinds |= {type(one) for one in engine.legal_actions(state)}
        done = legal(state, Pass) or [ran_train("MS", "2-0", 50, "minor")]
        state = after(state, done[0])
    assert kinds == {LayTile, Pass, RunRoutes}


def test_minor_without_revenue_pays_nothing() -> None:
    state = operating(drafted(MS="2"), "MS")
    state = after(state, Pass(by=Actor("minor", "MS")))
    assert (state.companies["MS"].cash, state.players["2"].cash) == (60, 400)


def test_token_of_a_minor_is_removed_where_its_buyer_has_one_and_its_marker_is_lost() -> None:
    state = owning(tiles(started(drafted(MS="2", SC="3"), "1", "GT", 100), C15="294 0"), "GT", "2-2")
    state = rules(state).put_token(state, "GT", StopId("C15.c0"))
    state = rules(state).assign(state, "SC", "MS", to_hex=False)
    state = operating(state, "GT", phase="II")
    state = after(state, BuyPrivate(by=corporation("GT"), private="MS", price=1))
    assert [one for one in state.table.tokens_in(HexId("C15"), "c0") if one] == ["GT"]
    assert rules(state).company_of_marker(state, "SC") is None


def test_minor_that_closes_in_phase_three_leaves_nothing() -> None:
    state = drafted(MS="2")
    bank, cash = state.bank or 0, state.players["2"].cash
    state = rules(state).close_minor(state, "MS")
    assert state.bank == bank + 60
    assert state.players["2"].cash == cash
    assert not state.table.tokens.get(HexId("C15"))
    assert "2-0" not in (*state.depot.upcoming, *state.depot.pool)


# --- corporations and stock rounds (sections 5 and 6) --------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "home", "tokens"),
    [
        ("PRR", "F20", 5), ("NYC", "D20", 4), ("B&O", "G19", 4), ("C&O", "I15", 4), ("ERIE", "E21", 4),
        ("GT", "B16", 3), ("IC", "K3", 4),
    ],
)  # fmt: skip
def test_home_and_tokens_of_each_corporation(name: str, home: str, tokens: int) -> None:
    state = started(drafted(), "1", name, 60)
    assert [stop.hex for stop in state.table.stops_of(name)] == [HexId(home)]
    prices = [one.price for one in state.companies[name].tokens]
    assert prices == [0, *[80] * (tokens - 1)]
    assert [one.percent for one in new(5).companies[name].held(IPO)] == [20, *[10] * 8]


def test_baltimore_and_ohio_takes_cincinnati_for_100_or_connected_for_40() -> None:
    state = tiles(money(started(drafted(), "1", "B&O", 60), "B&O", 200), H12="291 0")
    assert rules(state).price_in(state, state.companies["B&O"], StopId("H12.c0")) == 100
    state = tiles(state, H14="9 1", H16="9 1", G17="8 0")
    joined = StopId("H12.c0") in rules(state).reach(state, "B&O").stops
    assert rules(state).price_in(state, state.companies["B&O"], StopId("H12.c0")) == (40 if joined else 100)


@pytest.mark.parametrize(("name", "city"), [("ERIE", "D20.c0"), ("IC", "I5.c0")])
def test_erie_and_illinois_central_need_a_connection_for_their_places(name: str, city: str) -> None:
    state = started(drafted(), "1", name, 60)
    assert rules(state).price_in(state, state.companies[name], StopId.parse(city)) == 40
    assert StopId.parse(city) not in rules(state).token_stops(state, name)


def test_starting_prices_are_40_to_150() -> None:
    state = drafted()
    prices = [state.facts.market.price(cell) for cell in rules(state).par_cells(state, "NYC")]
    assert prices == [40, 50, 60, 70, 80, 90, 100, 112, 124, 137, 150]


def test_no_share_is_bought_back_in_the_round_in_which_it_was_sold() -> None:
    state = engine.start(holding(nyc(), "NYC", p1=20))
    state = after(state, sold("NYC", 1, by=player("1")))
    assert "NYC" not in {
        one.shares[0].partition("_")[0] for one in legal(state, BuyShares) if isinstance(one, BuyShares)
    }


def test_one_bundle_of_a_corporation_a_turn_and_the_sale_before_the_purchase() -> None:
    state = engine.start(holding(started(nyc(), "2", "GT", 60), "NYC", p1=20))
    sale = after(state, sold("NYC", 1, by=player("1")))
    assert refused(sale, sold("NYC", 2, by=player("1")))
    purchase = after(state, bought("GT", 1, by=player("1")))
    assert refused(purchase, sold("NYC", 1, by=player("1")))


def test_pool_holds_half_and_a_player_60_percent() -> None:
    state = engine.start(holding(nyc(), "NYC", p1=20, pool=40))
    assert "50 %" in refused(state, sold("NYC", 1, 2, by=player("1")))
    state = engine.start(holding(nyc(), "NYC", p1=40))
    assert "60 %" in refused(state, bought("NYC", 5, by=player("1")))


def test_player_above_the_certificate_limit_sells_first() -> None:
    state = holding(started(nyc(), "2", "GT", 60), "NYC", p1=40)
    state = state.with_company(state.companies["NYC"].but(operated=True))
    for name in ("PRR", "B&O", "C&O", "ERIE"):
        state = rules(state).close_corporation(state, name)
    state = holding(state, "GT", p1=20)
    state = engine.start(state)
    assert rules(state).certificates_of(state, "1") == 7 > rules(state).certificate_limit(state, "1")
    assert {type(one) for one in engine.legal_actions(state)} == {SellShares}


def test_half_of_the_presidents_certificate_is_sold_only_where_another_can_preside() -> None:
    state = engine.start(nyc())
    assert not legal(state, SellShares)
    state = engine.start(holding(nyc(), "NYC", p2=20))
    state = after(state, SellShares(by=player("1"), shares=("NYC_0",), percent=10))
    found = state.companies["NYC"]
    assert (found.president, found.percent_of("1"), found.percent_of(POOL)) == ("2", 10, 10)


def test_player_without_a_legal_action_passes_by_itself() -> None:
    state = engine.start(money(drafted(), "1", 0))
    assert state.round.current == "2"


# --- operating rounds (sections 7 to 11) ---------------------------------------------------------------------------


def test_two_operating_rounds_for_each_stock_round() -> None:
    assert {phase.operating_rounds for phase in TITLE.edition((), 3).phases.values()} == {2}


def test_issue_at_price_10_brings_nothing() -> None:
    state = operating(owning(priced(holding(nyc(), "NYC", p1=10), "NYC", 10), "NYC", "2-2"), "NYC")
    cash = state.companies["NYC"].cash
    state = after(state, sold("NYC", 5))
    assert state.companies["NYC"].cash == cash
    assert state.companies["NYC"].percent_of(POOL) == 10


def test_redemption_at_the_end_of_the_row_costs_550() -> None:
    state = operating(money(priced(holding(nyc(), "NYC", pool=10), "NYC", 550), "NYC", 600), "NYC")
    assert after(state, bought("NYC", 1)).companies["NYC"].cash == 50


def test_both_tile_actions_may_fall_on_one_hex() -> None:
    state = operating(owning(money(started(drafted(), "1", "NYC", 100), "NYC", 500), "NYC", "2-2"), "NYC", phase="II")
    state = tiles(state, D18="8 4")
    state = after(engine.start(state), lay(corporation("NYC"), "E17", "292", 1))
    green = [one for one in legal(state, LayTile) if isinstance(one, LayTile) and one.hex == "E17"]
    assert green
    assert len(after(state, green[0]).round.turn.lays) == 2


def test_upgrade_needs_new_track_that_the_builder_reaches() -> None:
    state = owning(tiles(started(drafted(), "1", "NYC", 100), D18="8 4"), "NYC", "2-2")
    state = operating(state, "NYC", phase="II")
    # Tile 16 adds track between two other sides, 28 a curve from the side by which New York Central comes.
    for tile, rotation, useless in (("16", 3, True), ("28", 0, False)):
        plan = LayPlan("NYC", HexId("D18"), tile, 0, rotation)
        assert ("not-connected" in {fault.code for fault in rules(state).lay_faults(state, plan)}) is useless


def test_no_track_may_point_to_the_water_of_d16() -> None:
    state = operating(owning(money(tiles(nyc(), D18="8 4"), "NYC", 500), "NYC", "2-2"), "NYC")
    neighbours = state.facts.edition.map.neighbour
    for side in range(6):
        beside = neighbours(HexId("D16"), side)
        if beside is None or not state.facts.edition.map.hexes[beside].may_be_built_on:
            continue
        for tile in ("7", "8", "9", "57"):
            for rotation in range(6):
                plan = LayPlan("NYC", beside, tile, 0, rotation)
                if opposite(side) in state.facts.edition.tiles.tile(tile).rotated(rotation).sides:
                    assert list(rules(state).lay_faults(state, plan)), (beside, tile, rotation)


def test_one_token_a_turn() -> None:
    state = tiles(money(started(drafted(), "1", "NYC", 60), "NYC", 500), D18="8 4", E17="294 0", E15="8 2", D14="14 2")
    state = operating(owning(state, "NYC", "2-2"), "NYC", phase="II")
    first = legal(state, PlaceToken)
    assert len(first) > 1
    state = after(state, first[0])
    assert state.companies["NYC"].cash == 420
    assert not legal(state, PlaceToken)


def test_one_token_in_chicago() -> None:
    state = started(tiles(drafted(), D6="298 0"), "1", "NYC", 60)
    assert rules(state).may_token(state, "NYC", StopId("D6.c0"))
    state = rules(state).put_token(state, "NYC", StopId("D6.c1"))
    assert not any(rules(state).may_token(state, "NYC", StopId(f"D6.c{city}")) for city in range(4))


# --- trains (sections 14 and 15) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "limit", "colours"),
    [
        ("I", 4, "yellow"),
        ("II", 4, "yellow green"),
        ("III", 3, "yellow green brown"),
        ("IV", 2, "yellow green brown gray"),
    ],
)
def test_limit_and_colours_of_each_phase(phase: str, limit: int, colours: str) -> None:
    found = TITLE.edition((), 3).phases[phase]
    state = nyc().but(phase_name=phase)
    assert rules(state).train_limit(state, state.companies["NYC"]) == limit
    assert list(found.tile_colours) == colours.split()


def test_excess_trains_are_discarded_in_the_order_of_the_box() -> None:
    state = supply(started(started(nyc(), "2", "GT", 60), "3", "PRR", 60), "4")
    state = owning(state, "GT", "4-0", "4-1", "4-2", "4-3")
    state = phase_three(owning(state, "PRR", "4-4", "4-5", "5-1", "5-2"))
    assert engine.acting(state) == (corporation("PRR"),)
    state = after(state, DiscardTrain(by=corporation("PRR"), train="5-1"))
    assert engine.acting(state) == (corporation("GT"),)


def test_obsolete_trains_do_not_count_are_not_sold_and_leave_the_pool() -> None:
    state = owning(started(nyc(), "2", "GT", 60), "GT", "2-2", "2-3")
    state = rules(state).discard(state, state.companies["GT"], "2-3")
    assert state.depot.pool == ("2-3",)
    state = phase_three(owning(state, "NYC", "2-4"))
    assert state.depot.pool == ()
    assert rules(state).trains_counted(state, state.companies["GT"]) == 0
    assert "2-2" not in {offer.train for offer in rules(state).company_offers(state, state.companies["NYC"])}


def test_obsolete_trains_that_are_left_rust_in_phase_four() -> None:
    state = owning(supply(started(nyc(), "2", "GT", 60), "2"), "GT", "2-2", "4-0")
    state = state.but(obsolete=frozenset({"2-2"}), phase_name="III")
    state = buying(supply(state, "6"), phase="III")
    state = after(state, BuyTrain(by=corporation("NYC"), train="6-0", price=800, face="6"))
    assert state.companies["GT"].trains == ("4-0",)
    assert "4-0" in state.obsolete


def test_last_train_of_another_corporation_is_bought_for_1_or_more_and_keeps_its_face() -> None:
    state = owning(started(nyc(), "2", "GT", 60), "GT", "4-0=3/5")
    state = buying(owning(state, "NYC", "2-2"), treasury=100, phase="II")
    assert refused(state, BuyTrain(by=corporation("NYC"), train="4-0", price=0))
    state = after(state, BuyTrain(by=corporation("NYC"), train="4-0", price=1))
    assert state.companies["GT"].trains == ()
    assert state.face_of("4-0") == "3/5"


def test_several_trains_are_bought_in_a_turn_of_phase_one() -> None:
    state = buying(nyc())
    for train in ("2-2", "2-3", "2-4"):
        state = after(state, BuyTrain(by=corporation("NYC"), train=train, price=80))
    assert len(state.companies["NYC"].trains) == 3


def test_minor_bought_for_its_train_satisfies_the_duty() -> None:
    state = buying(supply(started(drafted(MS="2"), "1", "NYC", 60), "4"), treasury=50, phase="I")
    assert refused(state, passed("NYC"))
    state = after(state, BuyPrivate(by=corporation("NYC"), private="MS", price=1))
    assert state.companies["NYC"].trains == ("2-0",)
    assert waiting(state) != "trains" or legal(state, Pass)


# --- bankruptcy, closing, end (sections 16 to 18) ------------------------------------------------------------------


def test_bankrupt_player_sells_with_price_movement_and_leaves_the_rest_without() -> None:
    state = holding(supply(nyc(), "5"), "NYC", p1=10, p2=10)
    state = holding(started(state, "1", "GT", 60), "GT", p1=40, p2=20)
    for name in ("NYC", "GT"):
        state = state.with_company(state.companies[name].but(operated=True))
    state = buying(money(state, "1", 10), treasury=20, phase="II")
    sale = after(state, Bankrupt(by=corporation("NYC")))
    # Half of GT is sold with a fall of one step; what is left beside goes to the pool without.
    assert price(sale, "GT") == 50
    assert sale.companies["GT"].percent_of(POOL) == 60
    assert price(sale, "NYC") < price(state, "NYC")


def test_privates_of_a_closing_corporation_close_and_it_is_not_started_again() -> None:
    state = started(drafted(MAIL="1"), "1", "NYC", 60).handing_private("MAIL", "NYC")
    state = rules(state).close_corporation(state, "NYC")
    assert state.privates["MAIL"].closed
    assert "NYC" not in {one.corporation for one in legal(engine.start(state), Par) if isinstance(one, Par)}


def test_receivership_issues_nothing_and_sells_no_train() -> None:
    state = started(receivership(300, "2-2"), "2", "GT", 60)
    assert rules(state).most_issued(state, state.companies["NYC"]) >= 0
    assert not rules(state).may_issue(operating(state, "NYC"), state.companies["NYC"])
    assert "2-2" not in {offer.train for offer in rules(state).company_offers(state, state.companies["GT"])}


def test_game_is_stopped_at_turn_100() -> None:
    state = to_trains(operating(owning(nyc(), "NYC", "2-2"), "NYC", number=2, turn=100), "NYC")
    while not state.over and isinstance(state.round, OperatingRound):
        state = after(state, passed("NYC"))
    assert state.over == "dnf"


def test_score_counts_cash_shares_and_privates_and_nothing_for_the_bankrupt() -> None:
    state = money(holding(started(drafted(MS="1", BIG4="1", MAIL="1"), "1", "NYC", 60), "NYC", p1=10), "1", 25)
    assert state.value_of("1") == 25 + 3 * 60 + 60 + 40 + 80
    assert money(state, "NYC", 900).value_of("1") == state.value_of("1")


def test_half_dividend_is_rounded_down_to_tens_for_the_treasury() -> None:
    state = tiles(owning(holding(nyc(), "NYC", p1=10), "NYC", "2-2"), D18="8 4", E17="292 1")
    state = after(operating(state, "NYC"), passed("NYC"), ran_train("NYC", "2-2", 50))
    before = state.players["1"].cash
    state = after(state, Dividend(by=corporation("NYC"), kind="half"))
    assert state.players["1"].cash == before + 9


def test_token_of_the_home_is_used_first_and_others_cost_80() -> None:
    state = nyc()
    assert rules(state).token_price(state, state.companies["NYC"]) == 80


def test_special_price_is_used_up_by_its_token() -> None:
    state = money(started(drafted(), "1", "PRR", 60), "PRR", 300)
    state = after(operating(state, "PRR"), token(corporation("PRR"), "E11-1-0"))
    assert not [one for one in rules(state).special_tokens(state.companies["PRR"]) if one.uses is not None]
