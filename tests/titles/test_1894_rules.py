"""The exceptional rules of whole games of 1894, by moments of play. Source: digest 1894; field cases F68, F72, F73."""

from __future__ import annotations

from itertools import product

import pytest

from board.hexes import HexId
from rules import engine
from rules.actions import (
    Bankrupt,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    Choose,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    SellShares,
    SpecialBuy,
)
from rules.facts import Home
from rules.prices import Cell
from rules.shares import IPO, POOL
from rules.state import State
from rules.steps.trains import BuyTrains
from rules.table import Kept
from tests.titles.games_1894 import (
    EST_AND_GLG,
    OPERATING,
    STOCK,
    built,
    corporation,
    lay,
    new,
    offered,
    passed,
    plan_of,
    player,
    priced,
    private,
    refusal,
    rules,
    shares,
    started,
    stock,
    stop,
    token,
    tokened,
    turn,
    waiting,
    worked,
)
from tests.titles.turns import turn as position
from titles.registry import get_title
from titles.t1894.facts import facts_1894
from titles.t1894.steps import displaced

FRENCH = {"PLM": "PLMMS", "Ouest": "OMMS", "Nord": "NMS", "Est": "EMS", "CFOR": "CMS"}


def seed_of(company: str) -> int:
    """A seed that draws this French starting corporation."""
    return next(seed for seed in range(200) if new(3, seed).marks["drawn"] == company)


class TestSetUp:
    """Section 1."""

    @pytest.mark.parametrize("company", FRENCH)
    def test_one_french_corporation_starts_and_one_teleport_private_stays(self, company: str) -> None:
        state = new(3, seed_of(company))
        assert {name for name in state.privates if name in FRENCH.values()} == {FRENCH[company]}
        assert len(state.privates.keys() & {"GLG", "SAC"}) == 1
        assert len(state.privates) == 8

    @pytest.mark.parametrize("players", [3, 4])
    def test_free_shares_come_from_the_end_of_the_ipo(self, players: int) -> None:
        state = new(players)
        for name in ("Est", "Belge"):
            company = state.companies[name]
            held = [company.held(str(seat))[0].number for seat in range(1, players + 1)]
            assert held == [8, 7, 6, 5][:players]
            assert [one.number for one in company.held(POOL)] == ([5] if players == 3 else [])
            assert not company.floated
        assert {player.cash for player in state.players.values()} == {570 if players == 3 else 480}

    def test_limits(self) -> None:
        assert [new(number).facts.settings.certificate_limit for number in (3, 4)] == [18, 14]


class TestAuction:
    """Section 2."""

    def test_lrc_falls_by_five_while_nobody_buys(self) -> None:
        state = new()
        for seat in "1234":
            state = engine.apply(state, Pass(by=player(seat)))
        bids = {one.private: one.price for one in offered(state, Bid) if isinstance(one, Bid)}
        assert (bids["LRC"], bids["AR"]) == (15, 30)

    @pytest.mark.parametrize("players", [3, 4])
    def test_major_shareholding_sets_par_floats_and_pays_ten_times_par(self, players: int) -> None:
        state = new(players)
        state = state.game.grant_shares(state, "BMS", "1")
        pars = {state.facts.market.price(one.cell) for one in offered(state, Par) if isinstance(one, Par)}
        assert pars == {67, 80, 95, 100}
        (par,) = [one for one in offered(state, Par) if isinstance(one, Par) and one.cell == Cell(3, 5)]
        state = engine.apply(state, par)
        belge = state.companies["Belge"]
        assert (belge.cash, belge.floated, belge.president, belge.percent_of("1")) == (1000, True, "1", 30)
        assert belge.percent_of(IPO) == 40

    def test_nord_share_of_the_minor_shareholding_is_the_last_one_and_moves_no_president(self) -> None:
        state = new(4, seed_of("Nord"))
        last = state.companies["Nord"].held(IPO)[-1]
        state = state.game.grant_shares(state, "NMinorS", "2")
        assert state.companies["Nord"].held("2")[-1] == last
        assert state.companies["Nord"].president is None
        # Once Nord has a president, more shares by this private do not unseat him.
        state = started(state, "Nord", "1", percent=30)
        state = shares(state, "Nord", 1, IPO, "2")
        state = state.game.grant_shares(state, "NMinorS", "2")
        assert state.companies["Nord"].percent_of("2") == 40
        assert state.companies["Nord"].president == "1"

    def test_major_shareholding_is_not_for_sale_to_corporations(self) -> None:
        state = turn(worked(OPERATING), "Est", phase="Green", cash=1000)
        assert state.privates["EMS"].owner == "2"
        assert "EMS" not in {one.private for one in offered(state, BuyPrivate) if isinstance(one, BuyPrivate)}
        action = BuyPrivate(by=corporation("Est"), private="EMS", price=180)
        assert "not for sale" in refusal(state, action)

    def test_major_shareholding_stays_with_its_buyer_and_closes_with_the_first_dividend(self) -> None:
        state = worked(OPERATING)
        assert state.privates["BMS"].owner == "1"
        state = passed(state, "trains")
        assert state.privates["BMS"].closed
        assert not state.privates["EMS"].closed


class TestPrivates:
    """Section 2."""

    def test_income_of_sqg_follows_saint_quentin(self) -> None:
        state = worked(OPERATING)
        incomes = [state.game.income_of(state, state.privates["SQG"])]
        for tile in ("57", "14", "X16"):
            state = built(state, {"G10": (tile, 0)})
            incomes.append(state.game.income_of(state, state.privates["SQG"]))
        assert incomes == [0, 0, 70, 100]

    def test_sqg_stays_in_red_and_closes_in_purple(self) -> None:
        state = worked(OPERATING)
        state = state.game.event(state, "close_privates", "6")
        assert [name for name, one in state.privates.items() if not one.closed] == ["SQG"]
        state = state.game.enter_phase(state, "Purple")
        assert state.privates["SQG"].closed

    @pytest.mark.parametrize("phase", ["Yellow", "Green", "Blue", "Brown", "Red", "Gray"])
    def test_corporations_buy_in_green_blue_and_brown_only(self, phase: str) -> None:
        state = turn(worked(OPERATING), "Belge", phase=phase)
        assert bool(offered(state, BuyPrivate)) == (phase in ("Green", "Blue", "Brown"))

    def test_income_of_ar_doubles_in_a_corporation(self) -> None:
        state = turn(worked(OPERATING), "Belge", phase="Green")
        assert state.game.income_of(state, state.privates["AR"]) == 5
        assert "13 to 50" in refusal(state, BuyPrivate(by=corporation("Belge"), private="AR", price=12))
        state = engine.apply(state, BuyPrivate(by=corporation("Belge"), private="AR", price=13))
        assert state.game.income_of(state, state.privates["AR"]) == 10

    def test_lrc_lays_one_extra_yellow_tile_for_60_and_terrain(self) -> None:
        state = tokened(worked(OPERATING), ("Est", "I10.c0")).handing_private("LRC", "Est")
        state = turn(state, "Est", cash=500)
        assert "does not reach" in refusal(state, lay(state, private("LRC"), "G10", "57", 0))
        after = engine.apply(state, lay(state, private("LRC"), "H11", "9", 0))
        assert after.companies["Est"].cash == 500 - 60 - 40
        after = engine.apply(after, lay(after, corporation("Est"), "H9", "57", 2))
        after = engine.apply(after, lay(after, corporation("Est"), "I12", "9", 1))
        assert refusal(after, lay(after, private("LRC"), "I14", "9", 1))

    def test_an_unused_lrc_keeps_the_track_step_open(self) -> None:
        state = tokened(worked(OPERATING), ("Est", "I10.c0")).handing_private("LRC", "Est")
        state = turn(state, "Est", cash=500)
        state = engine.apply(state, lay(state, corporation("Est"), "H9", "57", 2))
        state = engine.apply(state, lay(state, corporation("Est"), "I12", "9", 1))
        assert waiting(state) == "track"
        assert {one.by for one in offered(state, LayTile)} == {private("LRC")}
        assert waiting(engine.apply(state, Pass(by=corporation("Est")))) != "track"

    def test_glg_builds_unconnected_as_a_tile_action_and_tokens_free(self) -> None:
        state = turn(worked(OPERATING).handing_private("GLG", "Belge"), "Belge", cash=300)
        state = engine.apply(state, lay(state, private("GLG"), "H17", "57", 0))
        assert waiting(state) == "distant_token"
        state = engine.apply(state, token(state, private("GLG"), "H17.c0"))
        assert state.companies["Belge"].cash == 300
        assert state.table.has_token_on(HexId("H17"), "Belge")
        # One of two tile actions is used, and the token of the turn; the private works once.
        assert not [one for one in offered(state, LayTile) if one.by == private("GLG")]
        state = engine.apply(state, lay(state, corporation("Belge"), "E16", "57", 0))
        assert waiting(state) not in ("track", "token")

    def test_glg_upgrades_to_green_and_its_token_may_be_declined(self) -> None:
        state = built(worked(OPERATING), {"H17": ("57", 0)}).handing_private("GLG", "Belge")
        state = turn(state, "Belge", phase="Green")
        tiles = {one.tile for one in offered(state, LayTile) if isinstance(one, LayTile) and one.by == private("GLG")}
        assert tiles == {"14", "15", "619"}
        state = engine.apply(state, next(one for one in offered(state, LayTile) if one.by == private("GLG")))
        state = engine.apply(state, Pass(by=private("GLG")))
        assert not state.table.has_token_on(HexId("H17"), "Belge")
        # The upgrade of the turn is used.
        assert all(
            state.table.tile_at(one.hex).colour == "white"
            for one in offered(state, LayTile)
            if isinstance(one, LayTile)
        )

    def test_players_private_closes_its_hex(self) -> None:
        state = built(worked(OPERATING), {"H15": ("9", 1)})
        state = tokened(state, ("Nord", "G14.c0"))
        assert HexId("H17") in rules(state).closed_hexes(state, "Nord")
        assert HexId("D17") not in rules(state).closed_hexes(state, "Nord")


class TestStockRound:
    """Section 3."""

    def test_no_sale_in_the_first_stock_round(self) -> None:
        assert not offered(worked(STOCK), SellShares)

    def test_par_of_other_corporations(self) -> None:
        state = worked(STOCK)
        pars = {
            (one.corporation, state.facts.market.price(one.cell)) for one in offered(state, Par) if isinstance(one, Par)
        }
        assert {price for _, price in pars} == {67, 80, 95}
        assert {name for name, _ in pars} == {"Ouest", "Nord", "AG", "CFOR", "PLM"}

    def rich(self, gray: bool) -> State:
        """Player 1 is president of AG with 60 %; the rest is in the pool and with player 2."""
        state = started(worked(OPERATING), "AG", "1")
        state = shares(state, "AG", 3, IPO, POOL)
        state = shares(state, "AG", 1, IPO, "2")
        state = priced(state, "AG", 50 if gray else 75, gray=gray)
        for seat in "12":
            state = state.with_player(state.players[seat].but(cash=1000))
        return stock(state, "1", "2")

    def buying(self, state: State) -> list[str]:
        return [
            share
            for one in offered(state, BuyShares)
            if isinstance(one, BuyShares)
            for share in one.shares
            if share.startswith("AG")
        ]

    def test_holding_limit_except_in_the_gray_zone(self) -> None:
        assert not self.buying(self.rich(gray=False))
        assert self.buying(self.rich(gray=True))

    def test_president_buys_two_in_the_gray_zone(self) -> None:
        state = self.rich(gray=True)
        for _ in range(2):
            share = self.buying(state)[0]
            state = engine.apply(state, BuyShares(by=player("1"), shares=(share,), percent=10))
        assert not self.buying(state)

    def test_others_buy_one(self) -> None:
        state = passed(self.rich(gray=True), "stock_turn")
        state = engine.apply(state, Pass(by=player("1")))
        share = self.buying(state)[0]
        state = engine.apply(state, BuyShares(by=player("2"), shares=(share,), percent=10))
        assert state.round.current != "2" or not self.buying(state)

    def test_not_in_the_turn_of_the_start(self) -> None:
        state = stock(worked(OPERATING).with_player(worked(OPERATING).players["1"].but(cash=1000)), "1", "2")
        cell = next(cell for cell in state.game.par_cells(state, "AG") if state.facts.market.price(cell) == 67)
        state = engine.apply(state, Par(by=player("1"), corporation="AG", cell=cell))
        state = priced(state, "AG", 50, gray=True)
        assert not self.buying(state)

    def test_gray_shares_do_not_count_as_certificates(self) -> None:
        numbers = [rules(state).certificates_of(state, "1") for state in (self.rich(gray=False), self.rich(gray=True))]
        assert numbers[0] - numbers[1] == 5

    @pytest.mark.parametrize(
        ("percent", "redeemed", "gray", "steps"),
        [
            (60, 0, False, 1),
            (60, 2, False, 2),
            (60, 0, True, 2),
            (60, 2, True, 3),
            (80, 0, False, 2),
            (50, 2, False, 1),
        ],
    )
    def test_sold_out(self, percent: int, redeemed: int, gray: bool, steps: int) -> None:
        """Players and redeemed shares make 100 %; steps for the gray zone and for eight shares of president and
        corporation."""
        state = started(worked(OPERATING), "AG", "1", percent=percent)
        state = shares(state, "AG", redeemed, IPO, "AG")
        rest = len(state.companies["AG"].held(IPO))
        state = shares(state, "AG", rest - 1, IPO, "2")
        state = priced(state, "AG", 30 if gray else 64, gray=gray)
        before = state.companies["AG"].price
        assert before is not None
        # One share in the IPO, or in the pool: not sold out.
        for place in (IPO, POOL):
            elsewhere = shares(state, "AG", 1, IPO, place) if place != IPO else state
            assert state.game.end_of_stock_round(elsewhere).companies["AG"].price == before
        state = shares(state, "AG", 1, IPO, "3")
        after = state.game.end_of_stock_round(state).companies["AG"].price
        assert after == Cell(before.row - steps, before.column)

    def test_nothing_moves_in_the_top_row(self) -> None:
        state = started(worked(OPERATING), "AG", "1", percent=100)
        state = state.with_company(state.companies["AG"].but(price=Cell(0, 3)))
        assert state.game.end_of_stock_round(state).companies["AG"].price == Cell(0, 3)

    def test_450_ends_the_game_after_all_movements(self) -> None:
        state = worked(OPERATING)
        for name, cell in (("AG", Cell(1, 13)), ("CFOR", Cell(5, 3))):
            state = started(state, name, "1", percent=100)
            state = state.with_company(state.companies[name].but(price=cell))
        # 415 is in the last column; 450 lies above it.
        state = state.game.end_of_stock_round(stock(state, "1"))
        assert state.companies["CFOR"].price == Cell(3, 3)
        assert state.companies["AG"].price == Cell(0, 13)
        assert state.game.check_end(state, round_over=True).over == "stock_market"

    def test_first_to_pass_starts_the_next_round(self) -> None:
        state = stock(worked(OPERATING), "3", "1", "2", "4")
        for seat in "312":
            state = engine.apply(state, Pass(by=player(seat)))
        state = engine.apply(state, Pass(by=player("4")))
        assert state.order == ("3", "1", "2", "4")


class TestLateCorporations:
    """Sections 1 and 3."""

    def moment(self, company: str = "LF", options: tuple[str, ...] = (), **tiles: tuple[str, int]) -> State:
        state = worked(OPERATING, options).but(phase_name="Brown")
        state = built(state.game.event(state, "late_corporations_open", "5+1"), tiles)
        return stock(state.with_player(state.players["1"].but(cash=2000)), "1", "2")

    def begun(self, state: State, company: str = "LF") -> State:
        cell = next(cell for cell in state.game.par_cells(state, company) if state.facts.market.price(cell) == 67)
        return engine.apply(state, Par(by=player("1"), corporation=company, cell=cell))

    def test_not_before_the_first_5_1(self) -> None:
        state = stock(worked(OPERATING), "1", "2")
        assert not {"LF", "LB"} & {one.corporation for one in offered(state, Par) if isinstance(one, Par)}
        cell = state.game.par_cells(state, "LF")[0]
        assert "Brown phase" in refusal(state, Par(by=player("1"), corporation="LF", cell=cell))
        state = self.moment()
        assert {"LF", "LB"} <= {one.corporation for one in offered(state, Par) if isinstance(one, Par)}

    def test_homes_without_track_and_without_reservation_first(self) -> None:
        state = self.begun(self.moment(B9=("57", 0)))
        assert waiting(state) == "late_home"
        choices = {one.choice for one in offered(state, Choose) if isinstance(one, Choose)}
        # B3, D3, D9, E6 and I10 are reserved; B9 has track; Versailles is printed yellow.
        assert choices == {
            "Dunkerque (B11)", "Lille (D11)", "Évreux (E2)", "Arras (E10)", "Paris (G6)", "Saint-Quentin (G10)",
            "Soissons (H9)",
        }  # fmt: skip
        assert "wrong-home" in refusal(state, Choose(by=player("1"), choice="Calais (B9)"))
        belgian = self.begun(self.moment("LB"), "LB")
        choices = {one.choice for one in offered(belgian, Choose) if isinstance(one, Choose)}
        assert choices == {"Brugge (C14)", "Antwerpen (D17)", "Bruxelles (F15)", "Liège (H17)"}

    def test_home_with_track_by_option(self) -> None:
        state = self.begun(self.moment("LF", ("late_home_with_track",), B9=("57", 0)))
        choices = {one.choice for one in offered(state, Choose) if isinstance(one, Choose)}
        assert {"Calais (B9)", "Versailles (G4)", "Lille (D11)"} <= choices

    @pytest.mark.parametrize(("hex_id", "city"), [("G6", "c1"), ("D11", "c0"), ("E10", "c0")])
    def test_the_slot_is_reserved_and_taken_with_the_first_turn(self, hex_id: str, city: str) -> None:
        state = self.begun(self.moment())
        (choice,) = [
            one for one in offered(state, Choose) if isinstance(one, Choose) and one.choice.endswith(f"({hex_id})")
        ]
        state = engine.apply(state, choice)
        assert Kept("LF", city) in state.table.kept[HexId(hex_id)]
        assert not rules(state).may_token(state, "Nord", stop(f"{hex_id}.{city}"))
        state = state.game.place_home_tokens(state, "LF")
        assert state.table.tokens_in(HexId(hex_id), city) == ("LF",)

    def test_home_in_a_split_city(self) -> None:
        """The only city with room, or the hex as a whole where both have."""
        state = built(self.moment(E10=("57", 0)), {"E10": ("14", 0)})
        state = built(state, {"E10": ("X16", 0)})
        both = rules(state).with_late_home(state, "LF", HexId("E10"))
        assert both.table.kept[HexId("E10")] == (Kept("LF", None),)
        assert both.companies["LF"].marks["home"] == Home(HexId("E10"), None)
        # The reservation settles in the last city with room.
        settled = tokened(both, ("Nord", "E10.c0"))
        assert settled.table.kept[HexId("E10")] == (Kept("LF", "c1"),)
        assert not rules(settled).may_token(settled, "AG", stop("E10.c1"))
        one = rules(state).with_late_home(tokened(state, ("Nord", "E10.c0")), "LF", HexId("E10"))
        assert one.table.kept[HexId("E10")] == (Kept("LF", "c1"),)
        # With both free the owner chooses.
        asked = both.game.place_home_tokens(both, "LF")
        assert [pending.kind for pending in asked.pending] == ["token"]


class TestRedeeming:
    """Section 5."""

    def moment(self, number: int = 1, cash: int = 500, pool: int = 3, redeemed: int = 0) -> State:
        state = tokened(started(worked(OPERATING), "AG", "4", cash=cash), ("AG", "D15.c0"))
        state = shares(state, "AG", pool, IPO, POOL)
        state = shares(state, "AG", redeemed, IPO, "AG")
        return turn(state, "AG", number=number)

    def redeeming(self, state: State) -> set[int]:
        return {one.percent for one in offered(state, BuyShares) if isinstance(one, BuyShares)}

    def test_two_shares_in_the_first_round_of_a_set_one_later(self) -> None:
        assert self.redeeming(self.moment(1)) == {10, 20}
        assert self.redeeming(self.moment(2)) == {10}
        assert "10 %" in refusal(self.moment(2), BuyShares(by=corporation("AG"), shares=("AG_5", "AG_6"), percent=20))

    def test_the_treasury_must_cover_it(self) -> None:
        assert self.redeeming(self.moment(cash=100)) == {10}
        assert waiting(self.moment(cash=66)) == "track"

    def test_redeemed_shares_are_set_aside(self) -> None:
        state = self.moment()
        before = state.companies["AG"].price
        state = engine.apply(state, BuyShares(by=corporation("AG"), shares=("AG_5", "AG_6"), percent=20))
        company = state.companies["AG"]
        assert (company.cash, company.percent_of("AG"), company.percent_of(POOL)) == (500 - 134, 20, 10)
        assert company.price == before
        assert waiting(state) == "track"
        # Not buyable, and paid like the IPO's.
        round_ = stock(state, "1", "2")
        assert "does not sell" in refusal(round_, BuyShares(by=player("1"), shares=("AG_5",), percent=10))
        amounts = state.game.dividend_amounts(state, company, "payout", 100)
        assert amounts == {"4": 60, "AG": 30}

    def test_starting_corporations_never_do(self) -> None:
        for name in ("Belge", "Est"):
            state = shares(worked(OPERATING), name, 2, IPO, POOL)
            assert waiting(turn(state, name, cash=900)) != "redeem_or_reissue"

    @pytest.mark.parametrize(("redeemed", "possible"), [(1, False), (2, False), (3, True)])
    def test_reissue_needs_more_redeemed_than_ipo_shares(self, redeemed: int, possible: bool) -> None:
        state = self.moment(pool=4 - redeemed if redeemed > 2 else 0, redeemed=redeemed, cash=10)
        assert bool(offered(state, SellShares)) == possible

    def test_reissue(self) -> None:
        """All at once for 100 each; they are IPO shares again at 100; no price moves; one action a turn."""
        state = self.moment(pool=1, redeemed=3)
        (action,) = offered(state, SellShares)
        part = SellShares(by=corporation("AG"), shares=("AG_6",), percent=10, price=100)
        assert "all its redeemed shares" in refusal(state, part)
        before = state.companies["AG"].price
        state = engine.apply(state, action)
        company = state.companies["AG"]
        assert (company.cash, company.par, company.percent_of(IPO), company.price) == (800, 100, 30, before)
        assert waiting(state) == "track"
        assert rules(state).unit_price(state, company, IPO) == 100


class TestTrack:
    """Sections 4 and 6."""

    def test_two_yellow_or_one_and_an_upgrade(self) -> None:
        state = built(worked(OPERATING), {"E16": ("57", 0), "F15": ("X2", 3)})
        state = turn(state, "Belge", phase="Green")
        green = engine.apply(state, lay(state, corporation("Belge"), "E16", "15", 0))
        assert "no upgrade is left" in refusal(green, lay(green, corporation("Belge"), "F15", "X6", 1))
        assert not refusal(green, lay(green, corporation("Belge"), "D17", "57", 0))
        yellow = engine.apply(state, lay(state, corporation("Belge"), "D17", "57", 0))
        assert "was built on" in refusal(yellow, lay(yellow, corporation("Belge"), "D17", "15", 0))
        assert not refusal(yellow, lay(yellow, corporation("Belge"), "E16", "15", 0))

    @pytest.mark.parametrize("order", [("B9.c0", "E6.c0"), ("E6.c0", "B9.c0")])
    def test_a_town_is_left_over_the_track_by_which_it_was_reached_first(self, order: tuple[str, str]) -> None:
        """The town of C6 lies between two tokens: from Calais track leads over it to B5, C4 and on to Rouen, from
        Amiens over C4 the other way, without Rouen."""
        tiles = {
            "B9": ("57", 1), "B7": ("8", 4), "C6": ("632", 2), "C4": ("47", 2), "D5": ("9", 2), "E6": ("57", 2),
        }  # fmt: skip
        state = built(started(worked(OPERATING), "Ouest", "4"), tiles)
        state = tokened(state, *(("Ouest", city) for city in order))
        assert stop("C6.t0") in state.game.reach(state, "Ouest").stops
        assert state.game.reach(state, "Ouest").sides[HexId("D3")] == {3}


class TestSplitCities:
    """Section 6; field cases F68 and F72."""

    def moment(self, green: str, *tokens: str, builder: str = "AG", phase: str = "Brown") -> State:
        """The green tile in Arras with tokens of these corporations; AG may have no other."""
        state = built(started(worked(OPERATING), "AG", "4"), {"E10": ("57", 0)})
        state = built(state, {"E10": (green, 0)})
        return turn(tokened(state, *((name, "E10.c0") for name in tokens)), builder, phase=phase)

    @pytest.mark.parametrize("green", ["14", "15", "619"])
    def test_every_tile_of_the_list_on_exactly_the_same_sides(self, green: str) -> None:
        """Also for a corporation whose only token is in that city (F68)."""
        state = self.moment(green, "AG")
        old = state.table.tile_at(HexId("E10"))
        tiles = state.facts.edition.tiles
        expected = {
            (tile, rotation)
            for tile in facts_1894().splits[green].tiles
            for rotation in range(6)
            if tiles.tile(tile).rotated(rotation).sides == old.sides
        }
        found = {
            (one.tile, one.rotation)
            for one in offered(state, LayTile)
            if isinstance(one, LayTile) and one.hex == HexId("E10")
        }
        assert found == expected
        assert {tile for tile, _ in found} == facts_1894().splits[green].tiles

    def test_other_split_tiles_and_sides_are_refused(self) -> None:
        state = self.moment("14", "AG")
        assert "becomes one of" in refusal(state, lay(state, corporation("AG"), "E10", "X19", 0))
        assert "exactly its sides" in refusal(state, lay(state, corporation("AG"), "E10", "X16", 1))

    def test_not_in_purple(self) -> None:
        state = self.moment("14", "AG", phase="Purple")
        assert "stay green" in refusal(state, lay(state, corporation("AG"), "E10", "X16", 0))
        assert not [one for one in offered(state, LayTile) if isinstance(one, LayTile) and one.hex == HexId("E10")]

    def test_builder_needs_a_token_or_a_side(self) -> None:
        state = self.moment("14", "Nord", builder="Belge")
        assert "does not reach" in refusal(state, lay(state, corporation("Belge"), "E10", "X16", 0))

    @pytest.mark.parametrize("city", ["c0", "c1"])
    def test_builder_places_at_once_the_other_at_the_end_of_the_turn(self, city: str) -> None:
        state = self.moment("14", "AG", "Nord")
        state = engine.apply(state, lay(state, corporation("AG"), "E10", "X16", 0))
        assert waiting(state) == "home_token"
        assert len(offered(state, PlaceToken)) == 2
        state = engine.apply(state, token(state, corporation("AG"), f"E10.{city}"))
        assert state.companies["AG"].cash == 500
        assert [one.at for one in state.companies["Nord"].tokens] == [None] * 4
        # It is the token of no turn, and the reach is that of the new city.
        assert not state.round.turn.tokened
        sides = state.table.tile_at(HexId("E10")).sides_of(city)
        assert state.game.reach(state, "AG").stops == {stop(f"E10.{city}")}
        assert sides
        state = passed(state, "displaced_tokens")
        assert displaced(state) == {"Nord": (HexId("E10"), 0)}
        # Also beside a token that stands there.
        assert {one.by for one in offered(state, PlaceToken)} == {corporation("Nord")}
        beside = engine.apply(state, token(state, corporation("Nord"), f"E10.{city}"))
        assert beside.table.tokens_in(HexId("E10"), city) == ("AG", "Nord")
        other = "c1" if city == "c0" else "c0"
        apart = engine.apply(state, token(state, corporation("Nord"), f"E10.{other}"))
        assert apart.table.tokens_in(HexId("E10"), other) == ("Nord",)
        assert apart.companies["Nord"].tokens[0].at == stop(f"E10.{other}")
        assert apart.companies["Nord"].cash == state.companies["Nord"].cash

    def test_two_displaced_tokens_go_back_in_operating_order(self) -> None:
        state = self.moment("14", "Nord", "Est")
        state = state.with_company(state.companies["Est"].but(price=Cell(1, 4)))
        state = tokened(built(state, {"D11": ("X3", 0)}), ("AG", "D11.c0"))
        state = turn(state, "AG", phase="Brown", trains=("2-6",))
        state = engine.apply(state, lay(state, corporation("AG"), "E10", "X16", 0))
        assert waiting(state) == "track"
        state = passed(state, "token")
        assert not offered(state, PlaceToken)
        assert "go back first" in refusal(state, token(state, corporation("AG"), "E10.c0"))
        state = passed(state, "displaced_tokens")
        assert "wrong-action" in refusal(state, token(state, corporation("Nord"), "E10.c0"))
        state = engine.apply(state, token(state, corporation("Est"), "E10.c0"))
        state = engine.apply(state, token(state, corporation("Nord"), "E10.c0"))
        assert state.table.tokens_in(HexId("E10"), "c0") == ("Est", "Nord")

    def test_one_displaced_token_leaves_room_for_the_token_of_the_turn(self) -> None:
        state = tokened(built(self.moment("14", "Nord"), {"D11": ("X3", 0)}), ("AG", "D11.c0"))
        state = turn(state, "AG", phase="Brown")
        state = passed(engine.apply(state, lay(state, corporation("AG"), "E10", "X16", 0)), "token")
        state = engine.apply(state, token(state, corporation("AG"), "E10.c0"))
        assert state.companies["AG"].cash == 500 - 40

    def test_a_reservation_becomes_one_of_the_hex(self) -> None:
        """Gent is reserved for AG: with one token waiting nobody else may go there; then AG's place settles."""
        state = built(worked(OPERATING), {"E16": ("57", 2), "D15": ("57", 2)})
        state = tokened(built(state, {"D15": ("14", 1)}), ("Nord", "D15.c0"))
        state = turn(state, "Belge", phase="Brown", cash=500, trains=("2-6",))
        state = engine.apply(state, lay(state, corporation("Belge"), "D15", "X16", 1))
        assert state.table.kept[HexId("D15")] == (Kept("AG", None),)
        assert waiting(state) == "track"
        state = passed(state, "token")
        assert "go back first" in refusal(state, token(state, corporation("Belge"), "D15.c1"))
        state = passed(state, "displaced_tokens")
        state = engine.apply(state, token(state, corporation("Nord"), "D15.c1"))
        assert state.table.kept[HexId("D15")] == (Kept("AG", "c0"),)
        assert not rules(state).may_token(state, "Belge", stop("D15.c0"))
        assert rules(state).home_stops(state, "AG", HexId("D15"), "c0") == (stop("D15.c0"),)


class TestParis:
    """Section 6; field case F72."""

    @pytest.mark.parametrize(("rotation", "flip"), list(product(range(6), (0, 3))))
    def test_brown_keeps_the_city_with_the_token_of_plm(self, rotation: int, flip: int) -> None:
        state = tokened(built(worked(OPERATING), {"G6": ("X1", rotation)}), ("PLM", "G6.c0"))
        state = built(state, {"G6": ("X5", (rotation + flip) % 6)})
        assert state.table.tokens_in(HexId("G6"), "c1" if flip else "c0") == ("PLM",)
        for tile in ("X10", "X12"):
            legal = [turns for turns in range(6) if not self.fault(state, tile, turns)]
            assert legal == [rotation]
        brown = built(state, {"G6": ("X10", rotation)})
        assert brown.table.tokens_in(HexId("G6"), "c0") == ("PLM",)

    @pytest.mark.parametrize(("green", "brown"), [("X4", "X9"), ("X4", "X11"), ("X5", "X10"), ("X5", "X12")])
    @pytest.mark.parametrize("rotation", range(6))
    def test_the_place_kept_for_plm_is_in_its_city_on_every_tile(self, rotation: int, green: str, brown: str) -> None:
        state = built(worked(OPERATING), {"G6": ("X1", rotation)})
        greens = [turns for turns in range(6) if not self.fault(state, green, turns)]
        assert greens == sorted({rotation, (rotation + 3) % 6}) if green == "X5" else [rotation]
        for turns in greens:
            laid = built(state, {"G6": (green, turns)})
            assert laid.table.kept[HexId("G6")] == (Kept("PLM", "c0"),)
            assert [one for one in range(6) if not self.fault(laid, brown, one)] == [turns]

    def fault(self, state: State, tile: str, rotation: int) -> str:
        plan = plan_of(state, "PLM", "G6", tile, rotation)
        fresh = state.facts.edition.tiles.tile(tile).rotated(rotation)
        return state.game.upgrade_fault(state, plan, state.table.tile_at(plan.hex), fresh)

    def test_the_first_tile_asks_nobody(self) -> None:
        state = tokened(started(worked(OPERATING), "PLM", "4"), ("PLM", "G6.c0"))
        state = turn(state, "PLM")
        state = engine.apply(state, lay(state, corporation("PLM"), "G6", "X1", 0))
        assert not state.pending
        assert state.companies["PLM"].tokens[0].at == stop("G6.c0")

    def test_another_home_in_paris_goes_to_the_other_city(self) -> None:
        state = rules(worked(OPERATING)).with_late_home(worked(OPERATING), "LF", HexId("G6"))
        for tile, rotation in (("X1", 0), ("X5", 3), ("X10", 3)):
            state = built(state, {"G6": (tile, rotation)})
            assert {kept.company: kept.city for kept in state.table.kept[HexId("G6")]} == {"PLM": "c0", "LF": "c1"}


class TestLondon:
    """Section 7."""

    def moment(self, *, ferry: bool = False, cash: int = 500, token_at: str = "B9.c0") -> State:
        """AG in Calais, one hexside from London; Dunkerque lies beyond."""
        state = built(started(worked(OPERATING), "AG", "4"), {"B9": ("57", 0), "B11": ("57", 2)})
        state = tokened(state, ("AG", token_at))
        if ferry:
            state = state.with_company(state.companies["AG"].with_mark("ferry", True))
        return turn(state, "AG", cash=cash)

    def test_closed_without_a_ferry(self) -> None:
        without, ferry = self.moment(), self.moment(ferry=True)
        assert without.game.reach(without, "AG").stops == {stop("B9.c0")}
        beyond = {stop("A8.t0"), stop("A10.c0"), stop("B11.c0")}
        assert ferry.game.reach(ferry, "AG").stops == {stop("B9.c0"), *beyond}
        assert not without.game.has_route(without, without.companies["AG"])
        assert ferry.game.has_route(ferry, ferry.companies["AG"])

    def test_ferry_costs_80_or_40(self) -> None:
        state = self.moment()
        (action,) = offered(state, SpecialBuy)
        assert action == SpecialBuy(by=corporation("AG"), what="Ferry marker", cost=80)
        after = engine.apply(state, action)
        assert after.companies["AG"].cash == 420
        assert after.game.markers(after, "AG") == {"ferry": ("AG",)}
        assert "one is the limit" in refusal(after, action)
        owner = state.handing_private("LS", "AG")
        (action,) = offered(owner, SpecialBuy)
        assert isinstance(action, SpecialBuy)
        assert action.cost == 40
        assert "not 80" in refusal(owner, SpecialBuy(by=corporation("AG"), what="Ferry marker", cost=80))

    def test_ferry_needs_reach_money_and_a_marker(self) -> None:
        action = SpecialBuy(by=corporation("AG"), what="Ferry marker", cost=80)
        assert "does not reach London" in refusal(self.moment(token_at="D15.c0"), action)
        assert "a ferry costs 80" in refusal(self.moment(cash=79), action)
        state = self.moment()
        for name in ("Nord", "Est", "PLM", "Belge"):
            state = state.with_company(state.companies[name].with_mark("ferry", True))
        assert "all 4 ferries are sold" in refusal(state, action)

    def test_never_tokened(self) -> None:
        state = passed(self.moment(ferry=True), "token")
        assert stop("A10.c0") not in state.game.token_stops(state, "AG")
        assert "never holds a token" in refusal(state, token(state, corporation("AG"), "A10.c0"))
        # The step asks where London alone is within reach, and a pass is all that it takes.
        alone = passed(self.moment(), "token")
        assert [type(one) for one in engine.legal_actions(alone) if one.by == corporation("AG")].count(PlaceToken) == 0

    def test_shipping_token_is_free_extra_and_single(self) -> None:
        state = self.moment().handing_private("LS", "AG")
        action = token(state, private("LS"), "A12.c0")
        assert action in offered(state, PlaceToken)
        after = engine.apply(state, action)
        assert after.companies["AG"].cash == 500
        assert not after.round.turn.tokened
        assert [one.at for one in after.companies["AG"].tokens][:2] == [stop("B9.c0"), stop("A12.c0")]
        assert not [one for one in offered(after, PlaceToken) if one.by == private("LS")]
        assert "A12" in str(sorted(after.table.tokens))

    def test_shipping_keeps_the_last_step_open(self) -> None:
        state = passed(self.moment().handing_private("LS", "AG"), "trains")
        state = engine.apply(state, Pass(by=corporation("AG")))
        assert waiting(state) == "buy_privates"

    def test_bonus_belongs_to_the_token_or_by_option_to_the_private(self) -> None:
        option = ("london_bonus_with_private",)
        for options, tokens, owner, open_, expected in (
            ((), "Nord", "AG", True, True),
            ((), "AG", "Nord", True, False),
            (option, "AG", "Nord", True, True),
            (option, "AG", "Nord", False, False),
            (option, "Nord", "AG", True, False),
        ):
            at = position(
                "1894", "Green", "Nord", "4", tiles={"B9": ("57", 0), "F15": ("X2", 3)},
                tokens={"B9.c0": "Nord", "A12.c0": tokens}, players=4, options=options, markers={"ferry": ["Nord"]},
                privates={"LS": (owner, open_)},
            )  # fmt: skip
            found = get_title("1894").bonuses(at)
            assert any(getattr(bonus, "label", "") == "London bonus" for bonus in found) == expected


class TestDividends:
    """Section 8."""

    def test_ipo_and_redeemed_shares_pay_the_treasury_the_pool_nobody(self) -> None:
        state = started(worked(OPERATING), "AG", "1")
        state = shares(shares(state, "AG", 1, IPO, POOL), "AG", 1, IPO, "AG")
        company = state.companies["AG"]
        assert state.game.dividend_amounts(state, company, "payout", 200) == {"1": 120, "AG": 60}

    @pytest.mark.parametrize(
        ("kind", "revenue", "step"), [("payout", 50, 1), ("withhold", 50, -1), ("withhold", 0, -1)]
    )
    def test_price_right_or_left(self, kind: str, revenue: int, step: int) -> None:
        state = worked(OPERATING)
        company = state.companies["Belge"]
        assert company.price == Cell(3, 5)
        assert state.game.price_after_dividend(state, company, kind, revenue) == Cell(3, 5 + step)

    @pytest.mark.parametrize(("options", "column"), [((), 1), (("gray_extra_on_dividend",), 2)])
    def test_gray_zone_rises_once_or_by_option_twice(self, options: tuple[str, ...], column: int) -> None:
        state = worked(OPERATING, options)
        company = state.companies["Belge"].but(price=Cell(7, 0))
        assert state.game.price_after_dividend(state, company, "payout", 50) == Cell(7, column)
        assert state.game.price_after_dividend(state, company, "withhold", 50) == Cell(8, 0)
        free = company.but(price=Cell(7, 3))
        assert state.game.price_after_dividend(state, free, "payout", 50) == Cell(7, 4)


class TestTrains:
    """Section 9."""

    def moment(self, *trains: str, cash: int = 1000, phase: str = "Green") -> State:
        """Belge with these trains and a route; the 3-trains are on sale."""
        state = built(worked(61), {})
        depot = tuple(one for one in state.depot.upcoming if one not in trains)
        state = turn(state.but(depot=state.depot.but(upcoming=depot)), "Belge", cash=cash, phase=phase, trains=trains)
        return passed(state, "trains")

    def test_exchange_once_a_turn_even_at_the_limit(self) -> None:
        state = self.moment("2-0", "2-1", "3-0", "3-1")
        exchanges = [one for one in offered(state, BuyTrain) if isinstance(one, BuyTrain) and one.exchange]
        assert {(one.train, one.exchange, one.price) for one in exchanges} == {("3-2", "2-0", 80), ("3-2", "2-1", 80)}
        state = engine.apply(state, exchanges[0])
        belge = state.companies["Belge"]
        assert belge.cash == 920
        assert "2-0" not in (*belge.trains, *state.depot.pool, *state.depot.upcoming)
        assert not [one for one in offered(state, BuyTrain) if isinstance(one, BuyTrain) and one.exchange]

    @pytest.mark.parametrize(
        ("old", "new", "price"),
        [("2", "3", 80), ("3", "4", 240), ("4", "5+1", 250), ("5+1", "6", 400), ("6", "7", 400), ("5+1", "D", 600),
         ("6", "D", 500), ("7", "D", 450)],
    )  # fmt: skip
    def test_exchange_prices(self, old: str, new: str, price: int) -> None:
        assert worked(OPERATING).facts.trains[new].trade_in[old] == price

    def test_discards_leave_the_game(self) -> None:
        state = worked(OPERATING)
        state = state.with_company(state.companies["Belge"].but(trains=("4-0", "4-1", "4-2", "4-3")))
        state = state.game.discard(state.but(phase_name="Blue"), state.companies["Belge"], "4-0")
        assert state.depot.pool == ()


class TestEmergency:
    """Section 10."""

    def moment(self, cash: int, treasury: int, *, shares_left: bool = True) -> State:
        """Est without a train, with a route, and its president player 2."""
        state = tokened(built(worked(OPERATING), {"H9": ("57", 2)}), ("Est", "I10.c0"))
        state = state.with_player(state.players["2"].but(cash=cash))
        if not shares_left:
            state = shares(shares(state, "Belge", 1, "2", "3"), "Est", 1, "2", "4")
        return passed(turn(state, "Est", cash=treasury), "trains")

    def test_president_adds_what_is_missing(self) -> None:
        state = self.moment(200, 30)
        assert not offered(state, Pass)
        (action,) = [one for one in offered(state, BuyTrain) if isinstance(one, BuyTrain)]
        assert action.price == 80
        state = engine.apply(state, action)
        assert state.players["2"].cash == 150
        assert state.companies["Est"].cash == 0

    def test_president_sells_no_more_than_needed(self) -> None:
        state = self.moment(0, 30)
        sales = [one for one in offered(state, SellShares) if isinstance(one, SellShares)]
        # Single shares are enough; the president's certificate of Est stays.
        assert {(one.shares[0].partition("_")[0], one.percent) for one in sales} == {("Belge", 10), ("Est", 10)}
        state = engine.apply(state, sales[0])
        assert not offered(state, SellShares)
        assert offered(state, BuyTrain)

    def test_bankruptcy_ends_the_game(self) -> None:
        state = self.moment(0, 30, shares_left=False)
        (action,) = offered(state, Bankrupt)
        assert engine.apply(state, action).over == "bankrupt"
        assert "can raise" in refusal(self.moment(200, 30), action)

    def test_without_a_route_nothing_is_forced(self) -> None:
        state = tokened(worked(OPERATING), ("Est", "I10.c0"))
        state = turn(state, "Est", cash=500)
        state = passed(state, "trains")
        assert offered(state, Pass)
        assert isinstance(engine.waiting_step(state), BuyTrains)


class TestEnd:
    """Section 11."""

    def test_last_set_has_no_track_and_no_tokens(self) -> None:
        state = worked(OPERATING)
        state = state.game.event(state, "announce_last_set", "D")
        assert state.ending.last_turn == state.turn_number + 1
        assert waiting(turn(state, "Belge")) == "track"
        last = state.but(turn_number=state.turn_number + 1)
        assert waiting(turn(last, "Belge")) == "trains"

    def test_the_game_ends_with_the_last_set(self) -> None:
        state = worked(OPERATING)
        state = state.game.event(state, "announce_last_set", "D").but(turn_number=2, set_length=3)
        for number, over in ((1, ""), (2, ""), (3, "final_phase")):
            state_then = state.with_round(number=number)
            assert state.game.check_end(state_then, round_over=True).over == over

    def test_450_ends_at_once(self) -> None:
        state = worked(OPERATING)
        state = state.game.moving_price(state, "Belge", Cell(0, 13))
        assert state.game.check_end(state).over == "stock_market"

    def test_score(self) -> None:
        """Cash, shares at their price, privates at face value."""
        state = worked(OPERATING)
        assert state.value_of("1") == 240 + 4 * 100 + 67 + 200


class TestOptions:
    """Readings of the summary, off by default."""

    def test_first_token_of_corporations_with_two_homes(self) -> None:
        for options, price in (((), 100), (("first_token_40",), 40)):
            company = new(4, EST_AND_GLG, options).companies
            assert [one.price for one in company["Ouest"].tokens] == [0, 0, price, 100, 100]
            assert [one.price for one in company["AG"].tokens] == [0, 40, 100, 100, 100]

    def test_major_shareholding_closes_before_the_home_token(self) -> None:
        assert not worked(OPERATING).privates["BMS"].closed
        state = worked(OPERATING, ("major_shareholding_closes_at_start",))
        assert state.privates["BMS"].closed
        assert state.players["1"].cash == worked(OPERATING).players["1"].cash

    def test_every_option_is_explained(self) -> None:
        assert set(get_title("1894").info.options) == {
            "gray_extra_on_dividend", "major_shareholding_closes_at_start", "first_token_40",
            "london_bonus_with_private", "late_home_with_track",
        }  # fmt: skip


def test_phase_facts_are_told() -> None:
    """F73: no splits in purple, SQG closes there only, the other privates in red."""
    phases = worked(OPERATING).facts.edition.phases
    assert any("SQG closes" in effect for effect in phases["Purple"].effects)
    assert any("stay green" in effect for effect in phases["Purple"].effects)
    assert any("but SQG close" in effect for effect in phases["Red"].effects)
