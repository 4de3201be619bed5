"""1846, whole games: draft, treasury shares, minors, markers, emergency issues, receivership. Source: digest 1846."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from board.hexes import HexId, StopId
from board.tiles import Tile
from rules import engine
from rules.actions import (
    Action,
    Actor,
    Assign,
    Bankrupt,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DiscardTrain,
    Dividend,
    LayTile,
    Par,
    Pass,
    RunRoutes,
    SellShares,
)
from rules.policies.track import LayPlan
from rules.prices import Cell
from rules.shares import IPO, POOL
from rules.state import State, StockRound
from tests.titles.games_1846 import (
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
from titles.t1846.draft import draft

# --- set-up and draft (sections 1 and 2) ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "option", "removed", "deck"),
    [
        (3, "", "LSL O&I LM TBC SC BT PRR ERIE", "MPC, Pass 2, C&WI, BIG4, Pass 1, MS, MC, MAIL, Pass 3"),
        (3, "first_ed", "LSL O&I TBC MPC PRR C&O", "Pass 1, SC, C&WI, Pass 2, BIG4, Pass 3, MS, MC, MAIL"),
        (3, "second_ed_co", "LSL MC O&I TBC MPC SC PRR ERIE", "BT, Pass 2, C&WI, LM, BIG4, Pass 1, MS, MAIL, Pass 3"),
        (4, "", "MC O&I TBC MPC ERIE", "Pass 4, BT, Pass 2, SC, C&WI, LM, BIG4, Pass 1, MS, MAIL, LSL, Pass 3"),
        (5, "", "MC SC", "MPC, Pass 4, BT, Pass 2, TBC, C&WI, LM, BIG4, Pass 1, MS, Pass 5, O&I, MAIL, LSL, Pass 3"),
        (5, "first_ed", "", "MPC, Pass 1, Pass 4, SC, TBC, C&WI, Pass 2, BIG4, Pass 3, MS, MC, O&I, MAIL, LSL, Pass 5"),
    ],
)
def test_draws_of_the_set_up(players: int, option: str, removed: str, deck: str) -> None:
    state = new(players, 42, [option] if option else [])
    cards = [card.replace("(", "").replace(")", "") for card in draft(state).deck]
    assert ", ".join(cards) == deck
    missing = {"BT", "LM"} if option == "first_ed" else set()
    gone = {name for name in state.facts.privates if name not in state.privates} - missing
    gone |= {name for name, one in state.companies.items() if one.closed}
    assert gone == set(removed.split())
    assert not missing & state.privates.keys()


@pytest.mark.parametrize(("players", "bank"), [(3, 6500), (4, 7500), (5, 9000)])
def test_money_of_the_set_up(players: int, bank: int) -> None:
    state = new(players)
    assert [one.cash for one in state.players.values()] == [400] * players
    assert state.bank == bank - 400 * players


@pytest.mark.parametrize(
    ("players", "closed", "limit"),
    [(3, 0, 14), (3, 1, 11), (4, 0, 12), (4, 1, 10), (4, 3, 8), (5, 0, 11), (5, 1, 10), (5, 2, 8), (5, 6, 6)],
)
def test_certificate_limit_follows_the_corporations_in_play(players: int, closed: int, limit: int) -> None:
    state = new(players)
    left = [name for name, one in state.companies.items() if one.kind == "corporation" and not one.closed]
    for name in left[:closed]:
        state = rules(state).close_corporation(state, name)
    assert rules(state).certificate_limit(state, "1") == limit


def test_removed_corporations_leave_their_home_token_and_no_reservation() -> None:
    state = new(3, 42)
    assert state.table.tokens_in(HexId("F20"), "c0") == ("PRR",)
    assert state.table.tokens_in(HexId("E21"), "c0") == ("ERIE",)
    assert not state.table.kept.get(HexId("E11"))
    assert {kept.company for kept in state.table.kept[HexId("D20")]} == {"NYC"}


def test_minors_have_train_and_token_before_the_draft() -> None:
    state = new(5)
    assert [state.companies[name].trains for name in ("MS", "BIG4")] == [("2-0",), ("2-1",)]
    assert state.table.tokens_in(HexId("C15"), "c0") == ("MS",)
    assert state.table.tokens_in(HexId("G9"), "c0") == ("BIG4",)
    assert state.depot.upcoming[0] == "2-2"


def test_draft_goes_backwards_and_shows_players_and_two_cards() -> None:
    state = new(3, 42)
    assert engine.acting(state) == (player("3"),)
    assert [getattr(one, "private", "") for one in legal(state, Bid)] == list(draft(state).deck[:5])
    assert "not among" not in refused(state, Bid(by=player("2"), private="MPC", price=60))
    assert "MS is not among" in refused(state, Bid(by=player("3"), private="MS", price=140))
    state = after(state, Bid(by=player("3"), private="MPC", price=0))
    assert state.players["3"].cash == 400
    assert engine.acting(state) == (player("2"),)
    assert len(draft(state).deck) == 8
    assert draft(state).deck[:4] == ("MS", "MC", "MAIL", "Pass (3)")
    assert set(draft(state).deck[4:]) == {"Pass (2)", "C&WI", "BIG4", "Pass (1)"}


def draft_of(cards: Iterable[str], state: State) -> State:
    """The draft with these cards left."""
    return engine.start(state.with_round(deck=tuple(cards)))


def test_draft_ends_when_only_pass_cards_are_left_and_everybody_pays() -> None:
    state = draft_of(["MS", "Pass (1)"], new(3, 42))
    state = after(state, Bid(by=player("3"), private="MS", price=140))
    assert isinstance(state.round, StockRound)
    assert state.round.current == "1"
    assert state.players["3"].cash == 400 - 140
    assert state.value_of("3") == 400 - 80
    assert (state.companies["MS"].cash, state.companies["MS"].president) == (60, "3")


def test_open_last_card_falls_by_10_and_is_taken_at_its_floor() -> None:
    state = draft_of(["MAIL"], new(3, 42))
    state = after(state, Pass(by=player("3")), Pass(by=player("2")))
    state = after(state, Bid(by=player("1"), private="MAIL", price=60))
    assert state.players["1"].cash == 400 - 60
    state = draft_of(["BIG4"], new(3, 42))
    for name in ("3", "2", "1"):
        state = after(state, Pass(by=player(name)))
    state = after(state, Pass(by=player("3")))
    assert isinstance(state.round, StockRound)
    assert state.players["2"].cash == 400 - 60
    assert state.privates["BIG4"].owner == "2"


# --- stock round (sections 5 and 6) --------------------------------------------------------------------------------


def test_starting_pays_twice_par_to_the_treasury_and_places_the_home_token() -> None:
    state = engine.start(drafted())
    cell = Cell(0, 10)
    state = after(state, Par(by=player("1"), corporation="NYC", cell=cell))
    assert (state.players["1"].cash, state.companies["NYC"].cash) == (200, 200)
    assert state.companies["NYC"].floated
    assert state.table.tokens_in(HexId("D20"), "c0") == ("NYC",)
    assert state.companies["NYC"].percent_of(IPO) == 80


def test_illinois_central_is_paid_its_par_price_once_more() -> None:
    state = started(drafted(), "1", "IC", 60)
    assert state.companies["IC"].cash == 180


def test_treasury_shares_pay_the_corporation_at_the_current_price() -> None:
    state = engine.start(priced(started(drafted(), "2", "NYC", 60), "NYC", 80))
    state = after(state, bought("NYC", 1, by=player("1")))
    assert (state.players["1"].cash, state.companies["NYC"].cash) == (320, 200)


def test_only_a_president_moves_the_price_by_selling_and_may_sell_before_the_first_operation() -> None:
    state = holding(started(drafted(), "1", "NYC", 60), "NYC", p1=20, p2=20)
    other = engine.start(state.with_round(at=1))
    assert "before it has operated" in rules(other).may_sell_now(other, "2", other.companies["NYC"])
    refused(other, sold("NYC", 3, by=player("2")))
    state = after(engine.start(state), sold("NYC", 1, 2, by=player("1")))
    assert price(state, "NYC") == 50
    assert state.players["1"].cash == 400 + 120
    operated = state.with_company(state.companies["NYC"].but(operated=True)).with_round(at=1)
    state = after(engine.start(operated.with_turn(acts=(), done=frozenset())), sold("NYC", 3, by=player("2")))
    assert price(state, "NYC") == 50


def test_end_of_the_stock_round_moves_sold_out_right_and_pool_left() -> None:
    state = holding(started(drafted(), "1", "NYC", 60), "NYC", p1=40, p2=40)
    state = holding(started(state, "2", "GT", 60), "GT", p1=10, pool=20)
    state = rules(state).end_of_stock_round(state)
    assert (price(state, "NYC"), price(state, "GT")) == (70, 50)


def test_first_operating_round_goes_by_rising_price() -> None:
    state = started(started(started(drafted(), "1", "NYC", 90), "2", "GT", 60), "3", "IC", 60)
    state = rules(state).begin_round(state.but(turn_number=1), "Operating", 1)
    assert state.round.order == ("GT", "IC", "NYC")
    state = rules(state).begin_round(state, "Operating", 2)
    assert state.round.order == ("NYC", "GT", "IC")


# --- issue, redemption, dividends (sections 8 and 13) --------------------------------------------------------------


def with_train() -> State:
    """NYC of player 1 at 60, with a run from Erie to Cleveland, and shares with players 1 and 2."""
    state = holding(started(drafted(), "1", "NYC", 60), "NYC", p1=10, p2=10)
    return owning(tiles(state, D18="8 4", E17="292 1"), "NYC", "2-2")


def test_issue_pays_one_step_left_and_moves_no_price() -> None:
    state = operating(with_train(), "NYC")
    assert "may issue 4 at most" in refused(state, sold("NYC", 3, 4, 5, 6, 7))
    assert "50, not 60" in refused(state, sold("NYC", 3, worth=60))
    state = after(state, sold("NYC", 3, 4, worth=50))
    assert state.companies["NYC"].cash == 120 + 100
    assert price(state, "NYC") == 60
    assert state.companies["NYC"].percent_of(POOL) == 20
    assert "has issued or redeemed" in refused(state, sold("NYC", 5))


def test_redemption_pays_one_step_right() -> None:
    state = operating(holding(with_train(), "NYC", pool=20), "NYC")
    assert "may redeem 1 at most" in refused(state, bought("NYC", 3, 4))
    state = after(state, bought("NYC", 3, worth=70))
    assert state.companies["NYC"].cash == 50
    assert price(state, "NYC") == 60
    assert state.companies["NYC"].percent_of(POOL) == 10


def test_no_issue_after_the_dividend() -> None:
    state = after(operating(with_train(), "NYC"), passed("NYC"), ran_train("NYC", "2-2", 40))
    assert legal(state, SellShares)
    state = after(state, Dividend(by=corporation("NYC"), kind="payout"))
    assert "before the dividend" in refused(state, sold("NYC", 3))


@pytest.mark.parametrize(
    ("kind", "revenue", "received", "after_it"),
    [
        ("payout", 70, (42, 21, 7), 70),
        ("half", 70, (30 + 24, 12, 4), 60),
        ("withhold", 70, (70, 0, 0), 50),
        ("half", 50, (20 + 18, 9, 3), 60),
        ("payout", 20, (12, 6, 2), 50),
    ],
)
def test_dividends(kind: str, revenue: int, received: tuple[int, int, int], after_it: int) -> None:
    """NYC at 60: six shares in its treasury, three with player 1, one with player 2."""
    before = after(operating(with_train(), "NYC"), passed("NYC"), ran_train("NYC", "2-2", revenue))
    state = after(before, Dividend(by=corporation("NYC"), kind=kind))
    assert tuple(state.cash_of(who) - before.cash_of(who) for who in ("NYC", "1", "2")) == received
    assert price(state, "NYC") == after_it


@pytest.mark.parametrize(
    ("before", "paid", "now"),
    [
        (60, 29, 50), (60, 30, 60), (60, 59, 60), (60, 60, 70), (60, 120, 80), (60, 180, 80), (150, 450, 180),
        (165, 495, 212), (165, 490, 195), (137, 67, 124), (137, 68, 137), (550, 1650, 550), (510, 1530, 550),
    ],
)  # fmt: skip
def test_price_moves_by_the_amount_paid_against_it(before: int, paid: int, now: int) -> None:
    state = priced(with_train(), "NYC", before)
    cell = rules(state).price_after_dividend(state, state.companies["NYC"], "payout", paid)
    assert cell is not None
    assert state.facts.market.price(cell) == now


# --- minors and privates (sections 3 and 4) ------------------------------------------------------------------------


def test_minor_halves_its_revenue_with_its_owner() -> None:
    state = operating(tiles(drafted(MS="2"), B16="6 4"), "MS")
    assert waiting(state) == "track_and_token"
    state = after(state, Pass(by=Actor("minor", "MS")), ran_train("MS", "2-0", 50, "minor"))
    assert (state.companies["MS"].cash, state.players["2"].cash) == (85, 425)


def test_minor_bought_brings_money_token_and_a_train_that_has_run() -> None:
    state = operating(owning(started(drafted(MS="2"), "1", "GT", 100), "GT", "2-2"), "GT")
    state = after(state, BuyPrivate(by=corporation("GT"), private="MS", price=60))
    company = state.companies["GT"]
    assert (company.cash, state.players["2"].cash) == (200 - 60 + 60, 460)
    assert company.trains == ("2-2", "2-0")
    assert state.table.tokens_in(HexId("C15"), "c0") == ("GT",)
    assert len(company.tokens) == 4
    assert rules(state).runnable(state, company) == ("2-2",)
    assert state.companies["MS"].closed
    assert state.privates["MS"].owner == "GT"


def test_minor_needs_room_for_its_train() -> None:
    state = owning(started(drafted(MS="2"), "1", "GT", 100), "GT", "2-2", "2-3", "2-4", "2-5")
    state = operating(state, "GT")
    refused(state, BuyPrivate(by=corporation("GT"), private="MS", price=1))
    assert rules(state).price_range(state, state.companies["GT"], state.privates["MS"]) is None


def test_price_of_a_private_is_at_most_its_face() -> None:
    state = operating(started(drafted(MAIL="2"), "1", "GT", 100), "GT")
    assert "1 to 80" in refused(state, BuyPrivate(by=corporation("GT"), private="MAIL", price=81))
    state = after(state, BuyPrivate(by=corporation("GT"), private="MAIL", price=80))
    assert state.players["2"].cash == 480


def test_phase_three_closes_minors_then_privates_but_the_mail_of_a_corporation() -> None:
    state = started(drafted(MS="2", MAIL="1", MC="3"), "1", "NYC", 60)
    state = state.handing_private("MAIL", "NYC")
    state = phase_three(owning(state, "NYC", "2-2"))
    assert state.phase_name == "III"
    assert state.companies["MS"].closed
    assert not state.table.tokens.get(HexId("C15"))
    assert [name for name, one in state.privates.items() if not one.closed] == ["MAIL"]
    assert "2-2" in state.obsolete
    mail = rules(drafted(MAIL="1")).close_all_privates(drafted(MAIL="1"))
    assert mail.privates["MAIL"].closed


def test_phase_four_ends_reservations_and_markers() -> None:
    state = drafted(MPC="1")
    state = rules(state).assign(rules(state).assign(state, "MPC", "D6", to_hex=True), "MPC", "NYC", to_hex=False)
    assert rules(state).markers(state, "NYC")
    for event in state.facts.trains["6"].events:
        state = rules(state).event(state, event, "6")
    assert not rules(state).markers(state, "NYC")
    kept = {kept.company for hex_id in ("E11", "H12", "I5", "D20") for kept in state.table.kept.get(HexId(hex_id), ())}
    assert kept == {"NYC"}


def test_steamboat_of_a_player_moves_both_markers_before_the_first_operator() -> None:
    state = drafted(SC="2", MS="1")
    state = started(state, "1", "NYC", 60)
    state = engine.start(rules(state).begin_round(state, "Operating", 1))
    assert engine.acting(state) == (private("SC"),)
    state = after(state, Assign(by=private("SC"), target="B8", target_kind="hex"))
    assert engine.acting(state) == (private("SC"),)
    assert "has moved this marker" in refused(state, Assign(by=private("SC"), target="C5", target_kind="hex"))
    state = after(state, Assign(by=private("SC"), target="MS", target_kind="minor"))
    assert engine.acting(state) == (Actor("minor", "MS"),)
    assert rules(state).markers(state, "MS") == {"assigned": {"B8": ("SC",)}, "assigned_companies": {"MS": ("SC",)}}
    again = engine.start(rules(state).begin_round(state, "Operating", 2))
    assert "one of C5, D14, G19, I1" in refused(again, Assign(by=private("SC"), target="B8", target_kind="hex"))
    assert engine.acting(after(again, Pass(by=private("SC")))) == (Actor("minor", "MS"),)


def test_steamboat_of_a_corporation_moves_once_a_round_while_it_builds_or_runs() -> None:
    state = owning(started(drafted(SC="2"), "1", "NYC", 60), "NYC", "2-2")
    state = operating(tiles(state, D18="8 4", E17="292 1"), "NYC")
    state = after(state, BuyPrivate(by=corporation("NYC"), private="SC", price=1))
    assert rules(state).company_of_marker(state, "SC") == "NYC"
    state = after(state, Assign(by=private("SC"), target="D14", target_kind="hex"))
    assert rules(state).hex_of_marker(state, "SC") == "D14"
    assert not legal(state, Assign)
    later = after(state, passed("NYC"), ran_train("NYC", "2-2", 50), Dividend(by=corporation("NYC"), kind="payout"))
    later = later.with_round(marks={"begun": True})
    assert not legal(later, Assign)


def test_boomtown_marks_cincinnati_once() -> None:
    state = operating(started(drafted(4, (), BT="2"), "1", "NYC", 60), "NYC")
    state = after(state, BuyPrivate(by=corporation("NYC"), private="BT", price=40))
    state = after(state, Assign(by=private("BT"), target="H12", target_kind="hex"))
    assert rules(state).markers(state, "NYC")["assigned"] == {"H12": ("BT",)}
    assert not legal(state, Assign)


# --- track (sections 9 and 10) -------------------------------------------------------------------------------------


def test_two_tile_actions_at_most_one_upgrade_for_20_at_least() -> None:
    state = operating(owning(money(started(drafted(), "1", "NYC", 100), "NYC", 500), "NYC", "2-2"), "NYC", phase="II")
    state = after(state, lay(corporation("NYC"), "D18", "8", 4))
    assert state.companies["NYC"].cash == 480
    state = after(state, lay(corporation("NYC"), "D20", "14", 0))
    assert state.companies["NYC"].cash == 460
    assert not legal(state, LayTile)


def test_second_upgrade_of_a_turn_is_refused() -> None:
    state = tiles(drafted(), D18="8 4", E17="292 1")
    state = operating(owning(money(started(state, "1", "NYC", 100), "NYC", 500), "NYC", "2-2"), "NYC", phase="II")
    state = after(state, lay(corporation("NYC"), "E17", "294", 0))
    assert "no upgrade is left" in refused(state, lay(corporation("NYC"), "D20", "14", 0))


def cost(state: State, company: str, hex_id: str, tile: str, rotation: int) -> int:
    return rules(state).lay_cost(state, LayPlan(company, HexId(hex_id), tile, 0, rotation))


@pytest.mark.parametrize(
    ("hex_id", "tile", "rotation", "amount", "with_tunnels"),
    [
        ("D18", "9", 1, 20, 20),
        ("H14", "9", 1, 60, 40),
        ("H16", "9", 1, 40, 20),
        ("G17", "9", 1, 40 + 20, 20 + 20),
        # The print of Detroit is water; its side to Windsor is a mountain.
        ("C15", "294", 0, 40 + 60, 40 + 40),
        ("B16", "6", 5, 20, 20),
        ("B16", "5", 4, 20 + 40, 20 + 20),
    ],
)
def test_cost_of_terrain_and_sides(hex_id: str, tile: str, rotation: int, amount: int, with_tunnels: int) -> None:
    state = started(tiles(drafted(TBC="1"), G19="14 1"), "1", "NYC", 60)
    assert cost(state, "NYC", hex_id, tile, rotation) == amount
    assert cost(state.handing_private("TBC", "NYC"), "NYC", hex_id, tile, rotation) == with_tunnels


def test_illinois_central_builds_its_hexes_for_20_less() -> None:
    state = started(started(drafted(), "1", "NYC", 60), "1", "IC", 60)
    assert cost(state, "IC", "H6", "9", 0) == 0
    assert cost(state, "NYC", "H6", "9", 0) == 20
    joined = tiles(state, J6="9 1")
    assert cost(joined, "IC", "J4", "9", 1) == 40
    assert cost(state, "IC", "G7", "57", 0) == 20


def test_hexes_of_a_private_are_closed_until_a_corporation_owns_it() -> None:
    state = started(tiles(drafted(OandI="2"), G19="14 1", F18="8 5"), "1", "B&O", 60)
    plan = LayPlan("B&O", HexId("F16"), "9", 0, 1)
    assert [fault.code for fault in rules(state).lay_faults(state, plan)] == ["hex-closed"]
    state = state.handing_private("O&I", "B&O")
    assert not list(rules(state).lay_faults(state, plan))


def test_two_extra_tiles_join_each_other_in_succession() -> None:
    state = operating(started(drafted(MC="1"), "1", "NYC", 60).handing_private("MC", "NYC"), "NYC")
    state = after(state, lay(private("MC"), "B10", "9", 1))
    assert state.companies["NYC"].cash == 120
    assert "must join each other" in refused(state, lay(private("MC"), "B12", "8", 0))
    both = after(state, lay(private("MC"), "B12", "9", 1, copy=1))
    assert not [one for one in legal(both, LayTile) if one.by == private("MC")]
    # Two tile actions of the corporation are left.
    assert [one.hex for one in both.round.turn.lays] == ["B10", "B12"]
    assert all(one.extra for one in both.round.turn.lays)


@pytest.mark.parametrize("between", [Pass(by=private("MC")), lay(corporation("NYC"), "D18", "8", 4)])
def test_second_extra_tile_is_forfeited_by_any_other_action(between: Action) -> None:
    state = operating(started(drafted(MC="1"), "1", "NYC", 60).handing_private("MC", "NYC"), "NYC")
    state = after(state, lay(private("MC"), "B10", "9", 1), between)
    refused(state, lay(private("MC"), "B12", "9", 1, copy=1))


def test_lake_shore_line_upgrades_a_yellow_tile_to_green_for_nothing() -> None:
    state = started(tiles(drafted(LSL="1"), E17="292 1"), "1", "GT", 60).handing_private("LSL", "GT")
    yellow = operating(state, "GT")
    assert "not available" in refused(yellow, lay(private("LSL"), "E17", "294", 0))
    state = operating(state, "GT", phase="II")
    assert "white becomes yellow" in refused(state, lay(private("LSL"), "D14", "14", 0))
    state = after(state, lay(private("LSL"), "E17", "294", 0))
    assert state.companies["GT"].cash == 120
    assert not [one for one in legal(state, LayTile) if one.by == private("LSL")]


def little_miami() -> State:
    state = started(drafted(4, (), LM="1"), "1", "NYC", 60).handing_private("LM", "NYC")
    return operating(owning(state, "NYC", "2-2"), "NYC")


def test_little_miami_joins_its_cities_by_two_tiles() -> None:
    state = little_miami()
    assert "would not be joined" in refused(state, lay(private("LM"), "G13", "57", 1))
    state = after(state, lay(private("LM"), "G13", "57", 0))
    assert state.companies["NYC"].cash == 120
    # What has been begun must be finished before anything else.
    assert "LM" in refused(state, passed("NYC"))
    assert "would not be joined" in refused(state, lay(private("LM"), "H12", "291", 0))
    state = after(state, lay(private("LM"), "H12", "293", 0))
    # The side towards I11 carries no track yet, so the water is not due.
    assert state.companies["NYC"].cash == 120
    assert waiting(state) == "track_and_token"


def test_little_miami_pays_completed_sides_and_may_need_one_tile_only() -> None:
    state = little_miami()
    state = engine.start(tiles(state, G13="57 0", I11="9 0"))
    state = after(state, lay(private("LM"), "H12", "293", 0))
    assert state.companies["NYC"].cash == 120 - 40
    assert waiting(state) == "track_and_token"
    assert "LM" not in {one.by.name for one in legal(after(state, passed("NYC")), LayTile)}


def test_little_miami_is_void_once_track_joins_the_cities() -> None:
    state = engine.start(tiles(little_miami(), G13="57 0", H12="293 0"))
    assert not [one for one in legal(state, LayTile) if one.by == private("LM")]


def test_chicago_is_not_turned() -> None:
    state = operating(started(drafted(), "1", "NYC", 60), "NYC", phase="II")
    plans = [LayPlan("NYC", HexId("D6"), "298", 0, rotation) for rotation in range(6)]
    table = state.table
    faults = [rules(state).track_fault(table.tile_at(HexId("D6")), _turned(state, plan)) for plan in plans]
    assert [not fault for fault in faults] == [True, False, False, False, False, False]


def _turned(state: State, plan: LayPlan) -> Tile:
    return state.facts.edition.tiles.tile(plan.tile).rotated(plan.rotation)


# --- tokens (section 11) -------------------------------------------------------------------------------------------


def test_pennsylvania_takes_fort_wayne_for_60_or_connected_for_40() -> None:
    state = money(started(drafted(), "1", "PRR", 60), "PRR", 200)
    assert rules(state).price_in(state, state.companies["PRR"], StopId("E11.c0")) == 60
    far = operating(state, "PRR")
    far = after(far, token(corporation("PRR"), "E11-1-0"))
    assert far.companies["PRR"].cash == 140
    near = tiles(state, E11="57 2", F12="8 2", F14="9 1", F16="9 1", F18="9 1")
    assert rules(near).price_in(near, near.companies["PRR"], StopId("E11.c0")) == 40


def test_reserved_slots_are_kept_until_phase_four() -> None:
    state = tiles(started(drafted(), "1", "NYC", 60), E11="57 1")
    assert not rules(state).may_token(state, "NYC", StopId("E11.c0"))
    green = tiles(state, E11="14 1")
    assert rules(green).may_token(green, "NYC", StopId("E11.c0"))
    four = rules(state).event(state, "remove_reservations", "6")
    assert rules(four).may_token(four, "NYC", StopId("E11.c0"))


def chicago() -> State:
    """B&O with a token in Huntington's reach has C&WI."""
    state = tiles(drafted(CandWI="1"), D6="298 0")
    return money(started(state, "1", "NYC", 60), "NYC", 300)


def test_chicago_and_western_indiana_keeps_its_slot_until_it_is_sold() -> None:
    state = chicago()
    assert not rules(state).may_token(state, "NYC", StopId("D6.c3"))
    state = operating(owning(state, "NYC", "2-2"), "NYC", phase="II")
    state = after(state, BuyPrivate(by=corporation("NYC"), private="C&WI", price=60))
    assert rules(state).may_token(state, "NYC", StopId("D6.c3"))


def test_token_of_chicago_and_western_indiana_is_additional_and_free() -> None:
    state = operating(owning(chicago().handing_private("C&WI", "NYC"), "NYC", "2-2"), "NYC", phase="II")
    state = state.but(table=state.table.without_reservations("C&WI"))
    state = after(engine.start(state), token(private("C&WI"), "298-0-3"))
    assert state.companies["NYC"].cash == 300
    assert len(state.companies["NYC"].tokens) == 5
    assert not state.round.turn.tokened
    assert rules(state).extra_token(state, "NYC") is None


def test_normal_token_in_its_city_uses_it_and_counts_as_the_token_of_the_turn() -> None:
    state = started(chicago(), "2", "PRR", 60).handing_private("C&WI", "PRR")
    state = state.but(table=state.table.without_reservations("C&WI"))
    state = tiles(state, E7="8 2", E9="9 1", E11="57 1")
    state = rules(state).put_token(state, "PRR", StopId("E11.c0"))
    state = operating(owning(state, "PRR", "2-2"), "PRR", phase="II")
    state = after(state, token(corporation("PRR"), "298-0-3"))
    assert state.companies["PRR"].cash == 120
    assert len(state.companies["PRR"].tokens) == 6
    assert state.round.turn.tokened


# --- trains (section 14) -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "amount"), [("4", 180), ("3/5", 160)])
def test_either_face_of_a_card_begins_the_phase(face: str, amount: int) -> None:
    state = buying(supply(nyc(), "4"))
    state = after(state, BuyTrain(by=corporation("NYC"), train="4-0", price=amount, face=face))
    assert state.phase_name == "II"
    assert state.companies["NYC"].cash == 1000 - amount
    assert state.face_of("4-0") == face


def test_face_follows_from_the_price_where_it_is_not_told() -> None:
    state = after(buying(supply(nyc(), "4")), BuyTrain(by=corporation("NYC"), train="4-0", price=160))
    assert state.face_of("4-0") == "3/5"


def test_discards_are_sold_again_with_either_face() -> None:
    state = owning(supply(nyc(), "4"), "NYC", "4-0=3/5", "4-1", "4-2")
    state = phase_three(state)
    assert engine.acting(state) == (corporation("NYC"),)
    state = after(state, DiscardTrain(by=corporation("NYC"), train="4-0"))
    assert "4-0" in state.depot.pool
    offers = rules(state).bank_offers(state, state.companies["NYC"])
    assert {offer.face for offer in offers if offer.train == "4-0"} == {"4", "3/5"}


def test_obsolete_trains_leave_after_the_dividend() -> None:
    state = owning(nyc(), "NYC", "2-2", "2-3")
    state = phase_three(state)
    assert state.obsolete == {"2-2", "2-3"}
    assert state.companies["NYC"].trains == ("2-2", "2-3", "5-0")
    state = operating(money(state, "NYC", 600), "NYC", number=2)
    assert to_trains(state, "NYC").companies["NYC"].trains == ("5-0",)


def test_trains_of_minors_and_of_receivership_are_not_for_sale() -> None:
    state = owning(started(started(drafted(MS="2"), "1", "NYC", 60), "2", "GT", 60), "GT", "2-2")
    buyer = state.companies["NYC"]
    assert [offer.train for offer in rules(state).company_offers(state, buyer)] == ["2-2"]
    state = state.with_company(state.companies["GT"].but(receivership=True, president=None))
    assert not list(rules(state).company_offers(state, buyer))


# --- forced purchase (section 15) ----------------------------------------------------------------------------------


def test_forced_purchase_cannot_be_passed() -> None:
    state = forced(500, 60)
    assert price(state, "NYC") == 60
    assert refused(state, passed("NYC"))
    assert {getattr(one, "price", 0) for one in legal(state, BuyTrain)} == {450, 500}


def test_emergency_issue_pays_less_for_each_further_share_and_moves_the_price() -> None:
    state = forced(300, 100)
    issues = rules(state).emergency_issues(state, state.companies["NYC"])
    # Four of six treasury shares at most: 80, 2 × 70, 3 × 60, 4 × 50.
    assert [tuple(one) for one in issues] == [(3, 180), (4, 200)]
    assert "3 or 4 shares" in refused(state, sold("NYC", 5, 6))
    state = after(state, sold("NYC", 5, 6, 7, worth=60))
    assert state.companies["NYC"].cash == 480
    assert price(state, "NYC") == 70
    assert not legal(state, SellShares)
    # 500 is beyond the treasury, which pays 450: only the cheaper face may be bought.
    assert [getattr(one, "price", 0) for one in legal(state, BuyTrain)] == [450]


def test_face_that_did_not_need_the_last_share_is_barred() -> None:
    state = forced(320, 100)
    assert [tuple(one) for one in rules(state).emergency_issues(state, state.companies["NYC"])] == [(2, 140), (3, 180)]
    three = after(state, sold("NYC", 5, 6, 7))
    assert three.companies["NYC"].cash == 500
    assert "without the last share" in refused(
        three, BuyTrain(by=corporation("NYC"), train="5-0", price=450, face="4/6")
    )
    assert after(three, BuyTrain(by=corporation("NYC"), train="5-0", price=500, face="5")).phase_name == "III"


def test_largest_issue_alone_where_none_reaches_the_cheaper_face() -> None:
    state = forced(100, 60)
    # 40, 2 × 30, 3 × 20, 4 × 10.
    assert [tuple(one) for one in rules(state).emergency_issues(state, state.companies["NYC"])] == [(4, 40)]
    # Nothing is worth issuing for nothing.
    low = forced(100, 20)
    assert not rules(low).emergency_issues(low, low.companies["NYC"])


def test_president_pays_only_after_the_issue() -> None:
    state = forced(100, 60, president=400)
    assert "the treasury of NYC holds 100" in refused(
        state, BuyTrain(by=corporation("NYC"), train="5-0", price=450, face="4/6")
    )
    state = after(state, sold("NYC", 5, 6, 7, 8))
    state = after(state, BuyTrain(by=corporation("NYC"), train="5-0", price=500, face="5"))
    assert (state.companies["NYC"].cash, state.players["1"].cash) == (0, 400 - 360)


def rich_president(state: State) -> State:
    """Player 1 also presides over GT, at 60, with 50 %; player 2 holds 20 % of it."""
    state = holding(started(state, "1", "GT", 60), "GT", p1=30, p2=20)
    return state.with_company(state.companies["GT"].but(operated=True))


def test_president_sells_no_more_than_is_needed_and_one_bundle_of_each() -> None:
    state = forced(100, 60, president=280)
    state = engine.start(rich_president(state))
    assert waiting(state) == "trains"
    refused(state, sold("GT", 1, by=player("1")))
    state = after(state, sold("NYC", 5, 6, 7, 8))
    # 140 and 280 of 500: one share of GT at 60 gives 480, two 540.
    assert "no more may be sold" in refused(state, sold("GT", 1, 2, 3, by=player("1")))
    state = after(state, sold("GT", 1, by=player("1")))
    assert price(state, "GT") == 50
    refused(state, sold("GT", 2, by=player("1")))
    state = after(state, BuyTrain(by=corporation("NYC"), train="5-0", price=450, face="4/6"))
    assert state.players["1"].cash == 280 + 60 - 310


def test_president_keeps_the_presidency_of_the_operating_corporation() -> None:
    state = forced(100, 60, president=200)
    state = after(state, sold("NYC", 5, 6, 7, 8))
    assert not [one for one in legal(state, SellShares) if "NYC_" in str(one)]


def test_no_train_of_another_corporation_after_an_emergency_issue() -> None:
    state = engine.start(owning(rich_president(forced(100, 60, president=400, first="4")), "GT", "4-0"))
    assert [one for one in legal(state, BuyTrain) if "4-0" in str(one)]
    state = after(state, sold("NYC", 5, 6))
    assert legal(state, BuyTrain)
    assert not [one for one in legal(state, BuyTrain) if "4-0" in str(one)]


# --- bankruptcy, receivership, closing, end (sections 16 to 18) ----------------------------------------------------


def broke() -> State:
    """Player 1 cannot raise the money for NYC's train; player 2 holds 10 % of NYC, and GT is player 1's as well."""
    state = holding(supply(nyc(), "5"), "NYC", p1=10, p2=10)
    state = holding(started(state, "1", "GT", 60), "GT", p1=10, p2=20)
    for name in ("NYC", "GT"):
        state = state.with_company(state.companies[name].but(operated=True))
    return buying(money(state, "1", 10), treasury=20, phase="II")


def test_bankrupt_player_is_out_and_the_game_goes_on() -> None:
    state = broke()
    assert legal(state, Bankrupt)
    state = after(state, Bankrupt(by=corporation("NYC")))
    assert not state.over
    assert state.players["1"].bankrupt
    assert state.value_of("1") == 0
    assert state.players["1"].cash == 0
    # GT has a holder of 20 %, NYC has none.
    assert (state.companies["GT"].president, state.companies["GT"].receivership) == ("2", False)
    assert (state.companies["NYC"].president, state.companies["NYC"].receivership) == (None, True)
    assert any(one.president for one in state.companies["NYC"].held(POOL))


def test_bankruptcy_needs_a_purchase_that_cannot_be_paid() -> None:
    state = money(broke(), "1", 800)
    assert "can raise" in refused(engine.start(state), Bankrupt(by=corporation("NYC")))
    early = operating(money(owning(nyc(), "NYC", "2-2"), "NYC", 0), "NYC")
    assert refused(early, Bankrupt(by=corporation("NYC")))


def test_last_solvent_player_ends_the_game() -> None:
    state = broke()
    for name in ("3", "4", "5"):
        state = state.with_player(state.players[name].but(bankrupt=True))
    state = after(engine.start(state), Bankrupt(by=corporation("NYC")))
    assert state.over == "bankrupt"


def test_minors_and_privates_of_a_bankrupt_player_close() -> None:
    state = holding(supply(started(drafted(MS="1", MAIL="1"), "1", "NYC", 60), "5"), "NYC", p1=10, p2=10)
    state = buying(money(state, "1", 10), treasury=20, phase="II")
    state = after(state, Bankrupt(by=corporation("NYC")))
    assert state.companies["MS"].closed
    assert state.privates["MAIL"].closed


def test_receivership_without_a_train_falls_two_steps_and_buys_the_cheapest_face() -> None:
    state = supply(receivership(470), "5")
    state = operating(state, "NYC", phase="II")
    found = state.companies["NYC"]
    assert (price(state, "NYC"), found.trains, found.cash) == (40, ("5-0",), 20)
    assert state.face_of("5-0") == "4/6"
    assert state.phase_name == "III"


def test_receivership_falls_one_step_by_option() -> None:
    state = new(5, 42, ["first_ed", "r46_single_drop"])
    found = started(state, "1", "NYC", 60).companies["NYC"].but(receivership=True)
    assert rules(state).steps_down(state, found) == 1


def test_receivership_runs_and_withholds_and_does_nothing_else() -> None:
    state = tiles(receivership(300, "2-2"), D18="8 4", E17="292 1")
    state = operating(state, "NYC", "GT")
    assert waiting(state) == "routes"
    assert {type(one) for one in engine.legal_actions(state)} <= {RunRoutes}
    state = after(state, ran_train("NYC", "2-2", 60))
    assert state.companies["NYC"].cash == 360
    assert price(state, "NYC") == 50


def test_shares_of_receivership_are_bought_but_not_sold() -> None:
    state = engine.start(receivership().with_round(at=1))
    refused(state, sold("NYC", 1, by=player("2")))
    assert not rules(state).sellable(state, "2", state.companies["NYC"])
    assert "NYC" in {one.shares[0].rpartition("_")[0] for one in legal(state, BuyShares) if isinstance(one, BuyShares)}


def test_first_to_hold_20_percent_leaves_receivership() -> None:
    state = engine.start(receivership().with_round(at=1))
    state = after(state, bought("NYC", 2, by=player("2")))
    found = state.companies["NYC"]
    assert (found.president, found.receivership) == ("2", False)
    assert [one.number for one in found.held("2")] == [0]
    assert found.percent_of(POOL) == 30


def test_presidents_certificate_costs_one_share_and_a_share() -> None:
    state = engine.start(receivership())
    certificate = BuyShares(by=player("1"), shares=("NYC_0",), percent=20)
    assert "needs a share" in refused(state, certificate)
    state = engine.start(receivership().with_round(at=1))
    state = after(state, BuyShares(by=player("2"), shares=("NYC_0",), percent=20))
    found = state.companies["NYC"]
    assert state.players["2"].cash == 400 - 60
    assert (found.president, found.receivership, found.percent_of("2")) == ("2", False, 20)
    assert found.percent_of(POOL) == 30


def test_price_of_0_closes_the_corporation_and_ends_its_turn() -> None:
    state = holding(priced(nyc(), "NYC", 10), "NYC", p2=20)
    state = money(owning(state, "NYC", "2-2"), "NYC", 50)
    state = started(state, "2", "GT", 60)
    limit = rules(state).certificate_limit(state, "1")
    bank = state.bank
    state = operating(state, "NYC", "GT")
    while waiting(state) == "track_and_token":
        state = after(state, passed("NYC"))
    state = after(state, RunRoutes(by=corporation("NYC")))
    found = state.companies["NYC"]
    assert found.closed
    assert not found.holdings
    assert not state.table.tokens.get(HexId("D20"))
    assert state.bank == (bank or 0) + 50
    assert "2-2" not in (*state.depot.pool, *state.depot.upcoming)
    assert rules(state).certificate_limit(state, "1") < limit
    assert state.operator is not None
    assert state.operator.name == "GT"


def test_sale_to_0_in_a_stock_round_closes_at_once() -> None:
    state = engine.start(holding(priced(nyc(), "NYC", 10), "NYC", p1=10))
    state = after(state, sold("NYC", 1, by=player("1")))
    assert state.companies["NYC"].closed
    assert state.players["1"].cash == 410


def test_game_ends_when_everything_has_closed() -> None:
    state = holding(priced(nyc(), "NYC", 10), "NYC", p1=10)
    for name in ("PRR", "B&O", "C&O", "ERIE", "GT", "IC"):
        state = rules(state).close_corporation(state, name)
    state = after(engine.start(state), sold("NYC", 1, by=player("1")))
    assert state.over == "all_closed"


def test_broken_bank_ends_the_game_after_the_set() -> None:
    state = with_train().but(bank=10)
    state = after(operating(state, "NYC", number=1), passed("NYC"), ran_train("NYC", "2-2", 60))
    state = after(state, Dividend(by=corporation("NYC"), kind="payout"))
    assert state.bank_broken
    assert not state.over
    while not state.over:
        action = RunRoutes(by=corporation("NYC")) if waiting(state) == "routes" else passed("NYC")
        assert state.round.kind == "Operating"
        state = after(state, action)
    assert state.over == "bank"
    assert state.round.number == 2


# --- which steps wait (section 7) ----------------------------------------------------------------------------------


def test_track_step_waits_for_money_that_an_issue_would_bring() -> None:
    state = holding(started(drafted(), "1", "NYC", 60), "NYC", p2=20)
    assert waiting(operating(money(state, "NYC", 0), "NYC")) == "track_and_token"
    alone = started(drafted(), "1", "NYC", 60)
    assert (
        waiting(operating(money(owning(priced(alone, "NYC", 10), "NYC", "2-2"), "NYC", 0), "NYC")) != "track_and_token"
    )


def test_last_private_step_waits_for_privates_of_players_and_unused_rights() -> None:
    state = owning(money(nyc(), "NYC", 5), "NYC", "2-2")
    game = rules(state)
    assert not game.might_buy_privates(operating(state, "NYC"), state.companies["NYC"])
    other = owning(money(started(drafted(MAIL="1"), "1", "NYC", 60), "NYC", 5), "NYC", "2-2")
    assert rules(other).might_buy_privates(operating(other, "NYC"), other.companies["NYC"])
    assert not rules(other).might_buy_privates(operating(other, "NYC", phase="III"), other.companies["NYC"])
