"""1828: the exceptional rules of whole games and the field cases on them. Source: digest 1828."""

from __future__ import annotations

import pytest

from board.errors import InputError, RuleViolation
from board.hexes import HexId, StopId
from records.games_18xx import game_from
from records.replay import replay
from rules import engine
from rules.actions import (
    Action,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    Choose,
    DiscardTrain,
    Dividend,
    LayTile,
    Merge,
    Par,
    Pass,
    PlaceToken,
    RecordedRoute,
    RunRoutes,
    SellShares,
    SpecialBuy,
    SwapTrain,
)
from rules.policies.track import LayPlan
from rules.prices import Cell
from rules.shares import POOL
from rules.state import BANK, State
from tests.titles.games_1828 import (
    Holding,
    Setup,
    auction,
    corporation,
    done,
    new_game,
    operating,
    placement,
    player,
    private,
    step_waiting,
    stock,
)
from titles.registry import get_title
from titles.t1828.policies import rules_of

FOUNDERS = ("CPR", "GT", "IC", "MC", "MP", "NKP", "NW", "OSH")
AT_100, AT_79, AT_76 = Cell(3, 1), Cell(9, 5), Cell(6, 0)
IN_GRAY = Cell(8, 0)


def bid(name: str, what: str, price: int) -> Bid:
    return Bid(by=player(name), private=what, price=price)


def passing(name: str) -> Pass:
    return Pass(by=player(name))


def lay(company: str, hex_id: str, tile: str, rotation: int) -> LayTile:
    return LayTile(by=corporation(company), hex=HexId(hex_id), tile=tile, copy=0, rotation=rotation)


def choose(who: str, what: str) -> Choose:
    return Choose(by=player(who), choice=what)


def merge(one: str, other: str) -> Merge:
    return Merge(by=corporation(one), corporation=other)


def refused(state: State, action: Action, part: str) -> None:
    with pytest.raises(RuleViolation) as error:
        engine.apply(state, action)
    assert part in str(error.value)


# --- set-up ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "removed", "sixes"), [(3, 4, 3), (4, 3, 3), (5, 2, 4)])
def test_supply_and_founders_by_number_of_players(players: int, removed: int, sixes: int) -> None:
    """Field case F58: the 2 of the minor and the removed 6 are not in the depot."""
    state = auction(players)
    assert sum(state.privates[name].closed for name in FOUNDERS) == removed
    upcoming = state.depot.upcoming
    assert sum(train.startswith("2-") for train in upcoming) == 6
    assert "2-1" not in upcoming
    assert sum(train.startswith("6-") for train in upcoming) == sixes
    assert state.companies["C&P"].trains == ("2-1",)


def test_good_privates_are_never_all_removed_by_option() -> None:
    def removed(seed: int, *options: str) -> set[str]:
        state = auction(3, seed=seed, options=options)
        return {name for name in FOUNDERS if state.privates[name].closed}

    good = {"GT", "NW", "OSH"}
    bad = next(seed for seed in range(1, 200) if good <= removed(seed))
    assert not good <= removed(bad, "ensure_good_privates")


# --- auction ---------------------------------------------------------------------------------------------------------


def test_a_private_is_bought_when_the_rest_of_its_row_has_bids() -> None:
    state = auction()
    refused(state, bid("1", "SVN", 20), "at least 25")
    state = done(state, bid("1", "StCT", 25), bid("2", "SVN", 20))
    assert state.privates["SVN"].owner == "2"
    assert state.privates["StCT"].owner == "1"
    assert state.round.current == "3"


def test_a_bid_on_a_founder_takes_the_place_of_the_one_before() -> None:
    state = done(auction(4), bid("1", "GT", 255))
    refused(state, bid("2", "GT", 255), "at least 260")
    state = done(state, bid("2", "GT", 260))
    assert state.round.bids["GT"] == (("2", 260),)  # type: ignore[attr-defined]


def test_when_all_pass_every_bid_is_settled_and_the_owned_privates_pay() -> None:
    state = done(auction(), bid("1", "D&H", 85), bid("2", "D&H", 90), bid("3", "C&A", 165))
    state = done(state, passing("1"), passing("2"), passing("3"))
    assert engine.acting(state) == (player("1"),)
    assert step_waiting(state) == "Private auction"
    state = done(state, bid("1", "D&H", 95), passing("2"))
    assert (state.privates["D&H"].owner, state.privates["C&A"].owner) == ("1", "3")
    assert state.players["1"].cash == 800 - 95 + 15
    assert state.players["3"].cash == 800 - 165 + 25
    assert state.companies["PRR"].percent_of("3") == 10


def test_a_lone_bid_wins_by_option_without_bids_on_the_row() -> None:
    first = bid("1", "D&H", 85)
    by_rows = done(auction(), first, bid("2", "StCT", 25), bid("3", "SVN", 20), bid("1", "C&StL", 40))
    assert by_rows.privates["D&H"].owner is None
    state = done(auction(options=("lone_bid_wins",)), first, bid("2", "SVN", 20), bid("3", "StCT", 20))
    assert done(state, bid("1", "C&StL", 40)).privates["D&H"].owner == "1"


# --- stock rounds ----------------------------------------------------------------------------------------------------


def test_everything_but_the_certificate_of_the_president_may_lie_in_the_pool() -> None:
    """Field case F50."""
    state = stock({"GT": Holding(AT_100, {"1": 6, "pool": 4})})
    ids = [f"GT_{one.number}" for one in state.companies["GT"].held("1") if not one.president]
    after = done(state, SellShares(by=player("1"), shares=tuple(ids), percent=40))
    assert after.companies["GT"].percent_of(POOL) == 80
    refused(state, SellShares(by=player("1"), shares=("GT_0", *ids), percent=60), "at most 80 %")
    refused(after, SellShares(by=player("1"), shares=("GT_0",), percent=20), "at most 80 %")


@pytest.mark.parametrize(
    ("phase", "prices"),
    [
        ("Yellow", {67, 71, 79}),
        ("Green", {67, 71, 79, 86, 94}),
        ("Blue", {67, 71, 79, 86, 94, 105}),
        ("Brown", {67, 71, 79, 86, 94, 105, 120}),
        ("Purple", {67, 71, 79, 86, 94, 105, 120}),
    ],
)
def test_par_prices_open_with_the_phases(phase: str, prices: set[int]) -> None:
    game = new_game()
    cells = game.par_cells(game.opening().but(phase_name=phase), "PRR")
    assert {game.facts.market.price(cell) for cell in cells} == prices


def test_in_the_gray_zone_the_president_buys_two_and_holds_more_than_60_percent() -> None:
    def purchases(state: State) -> list[BuyShares]:
        return [action for action in engine.legal_actions(state) if isinstance(action, BuyShares)]

    state = stock({"GT": Holding(IN_GRAY, {"1": 6})})
    state = done(state, purchases(state)[0])
    state = done(state, purchases(state)[0])
    assert state.companies["GT"].percent_of("1") == 80
    assert not purchases(state)
    assert not purchases(stock({"GT": Holding(AT_100, {"1": 6})}))


@pytest.mark.parametrize(
    ("cell", "shares", "rows"),
    [(AT_100, {"1": 6, "2": 4}, 1), (AT_100, {"1": 8, "2": 2}, 2), (IN_GRAY, {"1": 6, "2": 4}, 2),
     (IN_GRAY, {"1": 9, "2": 1}, 3)],
)  # fmt: skip
def test_sold_out_corporations_rise_up_to_three_rows(cell: Cell, shares: dict[str, int], rows: int) -> None:
    companies = {"GT": Holding(cell, shares)}
    state = done(stock(companies), passing("1"), passing("2"), passing("3"))
    assert state.companies["GT"].price == Cell(cell.row - rows, cell.column)
    state = done(stock(companies, Setup(options=("sold_out_one_row",))), passing("1"), passing("2"), passing("3"))
    assert state.companies["GT"].price == Cell(cell.row - 1, cell.column)


def test_up_from_the_top_row_is_right_and_500_stays() -> None:
    market = new_game().facts.market
    assert market.step(Cell(0, 3), "up") == Cell(0, 4)
    assert market.step(Cell(0, 14), "up") == market.step(Cell(0, 14), "right") == Cell(0, 14)


def test_mohawk_is_exchanged_regardless_of_60_percent_in_place_of_a_purchase() -> None:
    state = stock({"GT": Holding(AT_100, {"1": 6})}, Setup(privates={"M&H": "1"}))
    action = BuyShares(by=private("M&H"), shares=("GT_5",), percent=10)
    after = done(state, action)
    assert after.companies["GT"].percent_of("1") == 70
    assert after.privates["M&H"].closed
    bought = done(state, Par(by=player("1"), corporation="PRR", cell=AT_79))
    refused(bought, action, "in its owner's own turn, in place of a purchase")
    refused(stock({"GT": Holding(AT_100, {"2": 6})}, Setup(privates={"M&H": "2"})), action, "owner's own turn")


def test_mohawk_for_a_president_certificate_pays_one_share() -> None:
    setup = Setup(privates={"M&H": "1"}, cash={"1": 80})
    state = done(stock({}, setup), BuyShares(by=private("M&H"), shares=("PRR_0",), percent=20))
    assert engine.acting(state) == (player("1"),)
    assert {action.verb for action in engine.legal_actions(state)} == {"par"}
    state = done(state, Par(by=player("1"), corporation="PRR", cell=AT_79))
    assert state.players["1"].cash == 1
    assert state.companies["PRR"].president == "1"
    poor = stock({"GT": Holding(AT_100, {"1": 6})}, Setup(privates={"M&H": "1"}, cash={"1": 66}))
    refused(poor, BuyShares(by=private("M&H"), shares=("PRR_0",), percent=20), "M&H cannot be exchanged for PRR_0")


def test_a_corporation_that_floats_by_mohawk_before_the_first_action_operates() -> None:
    companies = {
        "GT": Holding(AT_100, {"2": 6}, cash=500),
        "PRR": Holding(AT_76, {"1": 5}, floated=False, operated=False),
    }
    state = operating(companies, Setup(privates={"M&H": "1"}))
    assert state.round.order == ("GT",)
    exchange = BuyShares(by=private("M&H"), shares=("PRR_4",), percent=10)
    early = done(state, exchange)
    assert early.round.order == ("GT", "PRR")
    assert early.companies["PRR"].cash == 760
    late = done(state, Pass(by=corporation("GT")), exchange)
    assert late.round.order == ("GT",)
    assert late.companies["PRR"].floated


def test_unstarted_corporations_leave_in_the_last_phase_and_both_cities_of_e15_are_blocked() -> None:
    """Field case F47; the tile laid there later asks nobody for a city."""
    state = stock({"GT": Holding(AT_100, {"1": 6})}, Setup(phase="Purple"))
    assert state.companies["ERIE"].closed
    assert not state.companies["GT"].closed
    assert state.table.tokens[HexId("E15")] == {"c0": ("BLOCK",), "c1": ("BLOCK",)}
    assert state.table.tokens[HexId("G23")] == {"c1": ("BLOCK",)}
    assert state.table.tokens[HexId("K15")] == {"c0": ("BLOCK",)}
    after = laid_in_e15(state, "GT")
    assert not after.pending
    assert after.table.tokens[HexId("E15")] == {"c0": ("BLOCK",), "c1": ("BLOCK",)}


def laid_in_e15(state: State, company: str) -> State:
    """The first tile in E15, reach and money apart."""
    old = state.table.tile_at(HexId("E15"))
    plan = LayPlan(company, HexId("E15"), "59", 0, 0)
    return state.game.tile_laid(state.game.lay(state, plan), plan, old)


def test_the_owner_of_the_token_in_e15_chooses_its_city_with_the_first_tile() -> None:
    companies = {"GT": Holding(AT_100, {"1": 6}), "ERIE": Holding(AT_76, {"2": 6})}
    state = laid_in_e15(stock(companies), "GT")
    (pending,) = state.pending
    assert (pending.who, pending.hexes) == (corporation("ERIE"), ("E15",))


def test_in_other_phases_unstarted_corporations_stay() -> None:
    assert not stock({"GT": Holding(AT_100, {"1": 6})}, Setup(phase="Gray")).companies["ERIE"].closed


# --- track -----------------------------------------------------------------------------------------------------------


def test_an_upgrade_without_new_track_for_its_builder_is_legal() -> None:
    """Field case F52: B&M lays 16 in F22 and uses the curve that lay there."""
    companies = {"B&M": Holding(AT_100, {"1": 6}, cash=500, tokens=("F20.c0",))}
    state = operating(companies, Setup(tiles={"F20": ("57", 1), "F22": ("8", 1)}))
    after = done(state, lay("B&M", "F22", "16", 0))
    assert placement(after, "F22") is not None
    assert after.notices == ()


def test_a_system_lays_two_tiles_at_most_one_upgrade_not_twice_in_a_hex() -> None:
    state = system_round("GT", "IC", tiles={"D6": ("57", 1)})
    once = done(state, a_lay(state, "E5"))
    hexes = {action.hex for action in engine.legal_actions(once) if isinstance(action, LayTile)}
    assert {"D6", "J4"} <= hexes
    assert "E5" not in hexes
    upgraded = done(state, a_lay(state, "D6"))
    lays = [action for action in engine.legal_actions(upgraded) if isinstance(action, LayTile)]
    assert {"E5", "J4"} <= {action.hex for action in lays}
    assert all(upgraded.table.tile_at(action.hex).colour == "white" for action in lays)
    assert step_waiting(done(upgraded, lays[0])) != "Track"


def test_boston_lays_one_more_yellow_tile_for_40_but_not_after_an_upgrade() -> None:
    """B&M builds out of Boston, E27."""
    state = operating({"B&M": Holding(AT_100, {"1": 6}, cash=300)})
    once = done(state, a_lay(state, "C27"))
    assert step_waiting(once) == "Track"
    cash = once.companies["B&M"].cash
    extra = next(action for action in engine.legal_actions(once) if isinstance(action, LayTile))
    assert once.table.tile_at(extra.hex).colour == "white"
    twice = done(once, extra)
    assert cash - twice.companies["B&M"].cash == 40 + once.table.tile_at(extra.hex).cost
    assert step_waiting(twice) != "Track"
    upgraded = done(state, a_lay(state, "E27"))
    assert step_waiting(upgraded) != "Track"


def a_lay(state: State, hex_id: str) -> LayTile:
    """The first legal lay in the hex."""
    return next(
        action for action in engine.legal_actions(state) if isinstance(action, LayTile) and action.hex == hex_id
    )


def _legal(state: State, action: Action) -> bool:
    try:
        engine.apply(state, action)
    except RuleViolation:
        return False
    return True


def test_the_tunnel_takes_tile_4_alone_and_brings_a_marker() -> None:
    setup = Setup(tiles={"K15": ("57", 1)})
    state = operating({"C&O": Holding(AT_100, {"1": 6}, cash=200)}, setup)
    refused(state, lay("C&O", "K13", "58", 1), "only tile 4")
    after = done(state, lay("C&O", "K13", "4", 1))
    rules = rules_of(after)
    assert after.companies["C&O"].cash == 200 - 120
    assert rules.has_coal(after, "C&O")
    assert rules.coal_left(after) == 2
    second = done(operating({"C&O": Holding(AT_100, {"1": 6}, cash=200, coal=True)}, setup), lay("C&O", "K13", "4", 1))
    assert rules.coal_left(second) == 3


# --- coal ------------------------------------------------------------------------------------------------------------

TUNNEL = {"K15": ("57", 1), "K13": ("4", 1)}
BUY_COAL = SpecialBuy(by=corporation("C&O"), what="Coal Marker", cost=120)


def test_a_marker_bought_this_turn_opens_the_coalfields_at_once() -> None:
    """Field case F43."""
    state = operating(
        {"C&O": Holding(AT_100, {"1": 6}, cash=800, trains=("3+D-0", "3+D-1"))}, Setup(tiles=TUNNEL, phase="Brown")
    )
    before = state.game.reach(state, "C&O")
    assert StopId("K11.c0") not in before.stops
    assert StopId("J6.c0") not in before.stops
    after = done(state, BUY_COAL)
    assert after.companies["C&O"].cash == 680
    assert rules_of(after).coal_left(after) == 1
    assert StopId("K11.c0") in after.game.reach(after, "C&O").stops
    position = after.position("C&O")
    assert position.marker_names("coal") == ("C&O",)
    assert not get_title("1828").route_rules(position).closed
    assert StopId("K11.c0") not in after.game.token_stops(after, "C&O")


def test_one_marker_for_120_by_a_corporation_in_reach() -> None:
    rich = operating({"C&O": Holding(AT_100, {"1": 6}, cash=800)}, Setup(tiles=TUNNEL))
    refused(done(rich, BUY_COAL), BUY_COAL, "has a coal marker")
    refused(operating({"C&O": Holding(AT_100, {"1": 6}, cash=119)}, Setup(tiles=TUNNEL)), BUY_COAL, "costs 120")
    refused(operating({"C&O": Holding(AT_100, {"1": 6}, cash=800)}), BUY_COAL, "no track leads C&O")
    gone = rich.with_mark("coal_markers", 0)
    refused(gone, BUY_COAL, "no coal marker is left")


# --- privates --------------------------------------------------------------------------------------------------------


def test_erie_and_kalamazoo_lays_its_tile_when_sold_and_one_more_for_20() -> None:
    setup = Setup(privates={"E&K": "1"}, tiles={"D6": ("57", 1)})
    state = operating({"GT": Holding(AT_100, {"1": 6}, cash=500)}, setup)
    state = done(state, BuyPrivate(by=corporation("GT"), private="E&K", price=120))
    assert engine.acting(state) == (private("E&K"),)
    refused(state, Pass(by=corporation("GT")), "E&K")
    legal = list(engine.legal_actions(state))
    assert legal
    assert all(isinstance(action, LayTile) and action.hex == "E7" for action in legal)
    state = done(state, legal[0])
    assert step_waiting(state) == "Track"
    cash = state.companies["GT"].cash
    extra = next(
        action for action in engine.legal_actions(state)
        if isinstance(action, LayTile) and action.by == private("E&K") and action.tile == "9"
    )  # fmt: skip
    after = done(state, extra)
    assert cash - after.companies["GT"].cash == 20
    lays = [action for action in engine.legal_actions(after) if isinstance(action, LayTile)]
    assert lays
    assert all(after.table.tile_at(action.hex).colour == "white" for action in lays)
    assert not any(action.by == private("E&K") for action in lays)
    upgraded = done(state, next(one for one in engine.legal_actions(state) if is_upgrade(state, one)))
    refused(upgraded, extra, "E&K lays no tile after an upgrade")


def is_upgrade(state: State, action: Action) -> bool:
    return isinstance(action, LayTile) and state.table.tile_at(action.hex).colour == "yellow"


def test_champlain_lays_in_burlington_at_any_time_of_the_turn() -> None:
    companies = {"GT": Holding(AT_100, {"1": 6}, cash=500)}
    state = operating(companies, Setup(privates={"C&StL": "1"}))
    state = done(state, BuyPrivate(by=corporation("GT"), private="C&StL", price=40), Pass(by=corporation("GT")))
    action = LayTile(by=private("C&StL"), hex=HexId("B24"), tile="3", copy=0, rotation=5)
    after = done(state, action)
    assert placement(after, "B24") is not None
    assert after.companies["GT"].cash == state.companies["GT"].cash
    refused(after, action, "C&StL cannot lay_tile now")


def test_delaware_and_hudson_builds_in_scranton_for_120_and_sets_a_token() -> None:
    state = operating({"GT": Holding(AT_100, {"1": 6}, cash=500)}, Setup(privates={"D&H": "1"}))
    state = done(state, BuyPrivate(by=corporation("GT"), private="D&H", price=80))
    state = done(state, LayTile(by=private("D&H"), hex=HexId("F20"), tile="57", copy=0, rotation=1))
    assert state.companies["GT"].cash == 500 - 80 - 120
    state = done(state, PlaceToken(by=private("D&H"), tile="57-0", part=0))
    assert state.companies["GT"].cash == 300
    assert StopId("F20.c0") in state.table.stops_of("GT")
    assert state.round.turn.tokened
    assert step_waiting(state) not in ("Track", "Token")


@pytest.mark.parametrize(("player_cash", "private_name", "income"), [(500, "StCT", 10), (500, "C&P", 15)])
def test_incomes_change_with_the_sale(player_cash: int, private_name: str, income: int) -> None:
    """Field case F58: C&P pays 15 once a corporation owns it."""
    state = operating({"GT": Holding(AT_100, {"1": 6}, cash=player_cash)}, Setup(privates={private_name: "2"}))
    if private_name == "C&P":
        assert state.privates["C&P"].income == 0
        state = done(state, Pass(by=engine.acting(state)[0]))
    state = done(state, BuyPrivate(by=corporation("GT"), private=private_name, price=20))
    assert state.privates[private_name].income == income


def test_founder_privates_are_not_sold_and_close_with_the_first_train_of_a_system() -> None:
    state = system_round("GT", "IC", privates={"IC": "1", "GT": "2"}, cash=400, trains=())
    refused(state, BuyPrivate(by=corporation("GT-IC"), private="IC", price=200), "cannot buy_company now")
    state = to_step(state, "Buying trains")
    state = done(state, BuyTrain(by=corporation("GT-IC"), train=state.depot.upcoming[0], price=80, shell="IC"))
    assert state.privates["IC"].closed
    assert state.privates["GT"].closed


# --- the minor -------------------------------------------------------------------------------------------------------


def minor_round() -> State:
    companies = {"GT": Holding(AT_100, {"1": 6}, cash=300)}
    return operating(companies, Setup(privates={"C&P": "2"}, cash={"2": 100}))


def test_the_minor_runs_after_building_only_and_keeps_half_rounded_down() -> None:
    state = minor_round()
    minor = engine.acting(state)[0]
    assert minor.kind == "minor"
    assert state.round.order == ("C&P", "GT")
    idle = done(state, Pass(by=minor))
    assert idle.round.current == "GT"
    assert idle.players["2"].cash == 100
    state = done(state, LayTile(by=minor, hex=HexId("C17"), tile="9", copy=0, rotation=1))
    assert step_waiting(state) == "Routes"
    assert state.position("C&P").marker_names("laid_this_turn") == ("C17",)
    route = RecordedRoute("2-1", (("C15", "C17", "C19"),), ("C15-0", "C19-0"), ("C15", "C19"), 35)
    state = done(state, RunRoutes(by=minor, routes=(route,)))
    assert state.companies["C&P"].cash == 17
    assert state.players["2"].cash == 118
    assert state.round.current == "GT"


def test_the_buyer_of_the_minor_gets_its_money_and_its_place() -> None:
    state = done(minor_round(), Pass(by=engine.acting(minor_round())[0]))
    state = state.with_company(state.companies["C&P"].but(cash=45))
    state = done(state, BuyPrivate(by=corporation("GT"), private="C&P", price=100))
    assert state.companies["GT"].cash == 300 - 100 + 45
    assert state.companies["C&P"].closed
    placed = done(state, PlaceToken(by=private("C&P"), tile="C15-0", part=0))
    assert placed.table.tokens_in(HexId("C15"), "c0") == ("GT",)
    assert placed.companies["GT"].cash == 245
    assert placed.round.turn.tokened
    declined = done(state, Pass(by=private("C&P")))
    assert declined.table.tokens_in(HexId("C15"), "c0") == ("BLOCK",)


def test_without_a_token_to_place_a_blocking_token_takes_the_place() -> None:
    state = done(minor_round(), Pass(by=engine.acting(minor_round())[0])).with_turn(tokened=True)
    state = done(state, BuyPrivate(by=corporation("GT"), private="C&P", price=100))
    assert state.table.tokens_in(HexId("C15"), "c0") == ("BLOCK",)


def test_with_the_first_6_the_minor_closes() -> None:
    state = minor_round().but(phase_name="Brown")
    state = state.with_company(state.companies["C&P"].but(cash=30))
    state = state.game.bought_from_bank(state, "6")
    assert state.companies["C&P"].closed
    assert state.privates["C&P"].closed
    assert state.table.tokens_in(HexId("C15"), "c0") == ("BLOCK",)


def test_the_train_of_the_minor_never_rusts() -> None:
    state = minor_round().game.bought_from_bank(minor_round(), "5")
    assert state.companies["C&P"].trains == ("2-1",)
    assert not any(train.startswith("2-") for train in state.depot.upcoming)


# --- systems in operating rounds -------------------------------------------------------------------------------------


def system_round(
    one: str,
    other: str,
    *,
    tiles: dict[str, tuple[str, int]] | None = None,
    privates: dict[str, str] | None = None,
    cash: int = 500,
    trains: tuple[str, ...] = ("2-0",),
    options: tuple[str, ...] = (),
    phase: str = "Green",
    player_cash: int = 500,
) -> State:
    """An operating round of a system that player 1 has just made; its partner's shell is without trains."""
    companies = {
        one: Holding(AT_100, {"1": 6}, cash=cash, trains=trains),
        other: Holding(AT_76, {"1": 6}),
    }
    setup = Setup(tiles=tiles or {}, privates=privates or {}, options=options, phase=phase, cash={"1": player_cash})
    state = done(stock(companies, setup), choose("1", one), merge(one, other))
    state = done(state, passing("1"), passing("2"), passing("3"), passing("1"))
    assert state.round.current == f"{one}-{other}"
    return state


def to_step(state: State, title: str) -> State:
    """Pass, or run nothing, until the step waits."""
    while step_waiting(state) != title:
        actor = engine.acting(state)[0]
        nothing = RunRoutes(by=actor) if step_waiting(state) == "Routes" else Pass(by=actor)
        state = done(state, nothing)
    return state


def test_trains_move_between_shells_and_end_within_the_limit() -> None:
    state = to_step(system_round("GT", "IC", trains=("3-0", "3-1"), phase="Brown"), "Trains between shells")
    system = state.companies["GT-IC"]
    assert system.trains_in("GT") == ("3-0", "3-1")  # type: ignore[attr-defined]
    state = done(state, SwapTrain(by=corporation("GT-IC"), train="3-1"))
    assert state.companies["GT-IC"].trains_in("IC") == ("3-1",)  # type: ignore[attr-defined]
    assert step_waiting(done(state, Pass(by=corporation("GT-IC")))) == "Buying trains"


def test_a_shell_above_the_limit_must_be_emptied_before_swapping_ends() -> None:
    state = to_step(system_round("GT", "IC", trains=("3-0", "3-1")), "Trains between shells")
    state = state.but(phase_name="Red")
    state = done(state, SwapTrain(by=corporation("GT-IC"), train="3-1"))
    state = state.with_company(state.companies["GT-IC"].but(trains=("3-0", "3-1", "5-0", "5-1"),
        shell_of={"3-0": "GT", "3-1": "IC", "5-0": "GT", "5-1": "GT"}))  # fmt: skip
    refused(state, Pass(by=corporation("GT-IC")), "the shell GT holds more trains than the limit")
    refused(state, DiscardTrain(by=corporation("GT-IC"), train="3-0"), "may swap_train")
    assert step_waiting(done(state, SwapTrain(by=corporation("GT-IC"), train="5-1"))) == "Trains between shells"


def test_a_purchase_names_its_shell_and_the_limit_holds_for_each() -> None:
    state = to_step(system_round("GT", "IC"), "Buying trains")
    train = state.depot.upcoming[0]
    refused(state, BuyTrain(by=corporation("GT-IC"), train=train, price=80), "a shell of GT-IC: GT or IC")
    after = done(state, BuyTrain(by=corporation("GT-IC"), train=train, price=80, shell="IC"))
    assert after.companies["GT-IC"].trains_in("IC") == (train,)  # type: ignore[attr-defined]


def test_the_president_may_help_an_empty_shell_and_must_buy_after_selling_for_it() -> None:
    state = to_step(system_round("GT", "IC", cash=30, player_cash=10), "Buying trains")
    system = corporation("GT-IC")
    assert not state.game.must_buy_train(state, state.companies["GT-IC"])
    assert Pass(by=system) in list(engine.legal_actions(state))
    train = state.depot.upcoming[0]
    refused(state, BuyTrain(by=system, train=train, price=80, shell="IC"), "treasury and president have 40")
    refused(state, BuyTrain(by=system, train=train, price=80, shell="GT"), "empty shell")
    sale = next(action for action in engine.legal_actions(state) if isinstance(action, SellShares))
    sold = done(state, sale)
    refused(sold, Pass(by=system), "cannot pass now")
    bought = done(sold, BuyTrain(by=system, train=train, price=80, shell="IC"))
    assert bought.companies["GT-IC"].cash == 0


def test_each_shell_must_own_a_train_by_option() -> None:
    for options, forced in (((), False), (("force_train_per_shell",), True)):
        tiles = {"D6": ("57", 1)}
        state = to_step(system_round("GT", "IC", tiles=tiles, options=options), "Buying trains")
        assert state.game.must_buy_train(state, state.companies["GT-IC"]) is forced
        assert (Pass(by=corporation("GT-IC")) in list(engine.legal_actions(state))) is not forced


def test_the_treasury_share_of_a_system_draws_its_dividend() -> None:
    """Field case F58: that share is treasury and not IPO."""
    state = to_step(system_round("GT", "IC", cash=0), "Routes")
    system = state.companies["GT-IC"]
    assert system.percent_of("GT-IC") == 10
    assert "GT-IC_1" not in {share for action in buyable(state) for share in action.shares}
    amounts = state.game.dividend_amounts(state, system, "payout", 100)
    assert amounts == {"1": 50, "GT-IC": 10}


def buyable(state: State) -> list[BuyShares]:
    at_stock = engine.start(state.game.begin_round(state, "Stock", 1))
    return [action for action in engine.legal_actions(at_stock) if isinstance(action, BuyShares)]


# --- trains ----------------------------------------------------------------------------------------------------------


def test_discards_leave_the_game_and_no_purchase_sees_them() -> None:
    """Field case F51: a forced purchase sees the bank's trains and those of others only."""
    companies = {
        "GT": Holding(AT_100, {"1": 6}, cash=700, trains=("5-0", "5-1", "5-2")),
        "IC": Holding(AT_76, {"2": 6}, cash=300),
    }
    state = operating(companies, Setup(phase="Brown", cash={"2": 600}, tiles={"D6": ("57", 1)}))
    rusted = [train for train in state.depot.upcoming if train.partition("-")[0] in ("6", "8E", "D")]
    state = state.but(phase_name="Red", depot=state.depot.but(upcoming=tuple(rusted)))
    assert engine.acting(state) == (corporation("GT"),)
    state = done(state, DiscardTrain(by=corporation("GT"), train="5-2"))
    assert state.depot.pool == ()
    assert all("5-2" not in company.trains for company in state.companies.values())
    offers = [offer.train for offer in state.game.bank_offers(state, state.companies["IC"])]
    assert offers == ["6-0"]
    sellers = {offer.train for offer in state.game.company_offers(state, state.companies["IC"])}
    assert sellers == {"5-0", "5-1"}


# --- the end ---------------------------------------------------------------------------------------------------------


def test_after_the_first_diesel_one_more_set_of_four_rounds_is_played() -> None:
    """Field case F53."""
    state = operating({"GT": Holding(AT_100, {"1": 6}, cash=2000)}, Setup(phase="Gray"))
    state = state.game.bought_from_bank(state, "D")
    assert state.ending.last_turn == 4
    rounds = []
    while not state.over:
        if (state.round.kind, state.turn_number, state.round.number) not in rounds:
            rounds.append((state.round.kind, state.turn_number, state.round.number))
        actor = engine.acting(state)[0]
        if step_waiting(state) == "Routes":
            state = done(state, RunRoutes(by=actor))
        elif not _legal(state, Pass(by=actor)):
            buy = next(action for action in engine.legal_actions(state) if isinstance(action, BuyTrain))
            state = done(state, buy)
        else:
            state = done(state, Pass(by=actor))
    assert state.over == "final_phase"
    assert rounds == [
        ("Operating", 3, 1), ("Operating", 3, 2), ("Stock", 4, 1),
        ("Operating", 4, 1), ("Operating", 4, 2), ("Operating", 4, 3), ("Operating", 4, 4),
    ]  # fmt: skip


def test_at_500_the_round_is_played_to_its_end() -> None:
    companies = {"GT": Holding(Cell(0, 13), {"1": 6}, cash=500, trains=("3-0",)), "IC": Holding(AT_76, {"2": 6})}
    state = to_step(operating(companies, Setup(tiles={"D6": ("57", 1)})), "Routes")
    route = RecordedRoute("3-0", (("D4", "D6"),), ("D4-0", "D6-0"), ("D4", "D6"), 50)
    state = done(state, RunRoutes(by=corporation("GT"), routes=(route,)))
    state = done(state, Dividend(by=corporation("GT"), kind="payout"))
    assert state.price_of(state.companies["GT"]) == 500
    assert not state.over
    while not state.over:
        assert state.round.number == 1
        actor = engine.acting(state)[0]
        legal = list(engine.legal_actions(state))
        state = done(state, Pass(by=actor) if Pass(by=actor) in legal else legal[0])
    assert state.over == "stock_market"


def test_at_500_by_the_end_of_a_stock_round_the_game_is_over_at_once() -> None:
    state = stock({"GT": Holding(Cell(0, 13), {"1": 6, "2": 4})})
    assert done(state, passing("1"), passing("2"), passing("3")).over == "stock_market"


def test_money_of_the_minor_that_closes_goes_to_the_bank() -> None:
    state = minor_round()
    state = state.pay(BANK, "C&P", 30)
    assert rules_of(state).close_minor(state).companies["C&P"].cash == 0


# --- records ---------------------------------------------------------------------------------------------------------


def test_an_unknown_choice_is_one_fault_that_lists_the_choices() -> None:
    """Field case F57."""
    companies = {"GT": Holding(AT_100, {"1": 5}), "IC": Holding(AT_76, {"2": 4, "1": 4})}
    state = done(stock(companies), choose("1", "GT"), merge("GT", "IC"))
    refused(state, choose("1", "NYC ($88)"), "'GT ($100)', 'IC ($76)'")
    for text in ("IC", "IC ($76)", "IC ($59)"):
        assert done(state, choose("1", text)).companies["GT-IC"].percent_of("1") == 40


def test_automatic_actions_of_programmes_are_carried_out_with_their_entry() -> None:
    """Field case F57."""
    entries: list[dict[str, object]] = [
        {"type": "bid", "entity": 1, "entity_type": "player", "company": "StCT", "price": 25, "id": 1},
        {"type": "program_buy_shares", "entity": 2, "entity_type": "player", "corporation": "GT", "id": 2,
         "auto_actions": [{"type": "bid", "entity": 2, "entity_type": "player", "company": "SVN", "price": 20}]},
        {"type": "pass", "entity": 3, "entity_type": "player", "id": 3},
        {"type": "choose", "entity": 1, "entity_type": "player", "choice": "IC ($59)", "id": 4},
    ]  # fmt: skip
    value = {
        "title": "1828.Games", "id": 1, "players": [{"id": number, "name": f"P{number}"} for number in (1, 2, 3)],
        "settings": {"seed": 2, "optional_rules": []}, "actions": entries,
    }  # fmt: skip
    game = game_from(value)
    opening = engine.start(new_game().opening())
    states = []
    with pytest.raises((RuleViolation, InputError)) as error:
        states += [carried.after for carried in replay(game, opening)]
    assert "action 4" in str(error.value)
    assert "\n" not in str(error.value)
