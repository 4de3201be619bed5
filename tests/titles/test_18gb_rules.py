"""18GB: the exceptional rules of whole games. Source: digest 18GB; field cases F60, F61, F64, F66, F67."""

from __future__ import annotations

from itertools import combinations

import pytest

from board.hexes import HexId
from rules import engine
from rules.actions import BuyShares, BuyTrain, Choose, ChooseAbility, Convert, Dividend, LayTile, Par, Pass, PlaceToken
from rules.policies.track import LayPlan
from rules.prices import Cell
from rules.state import AuctionRound, State
from tests.titles.games_18gb import (
    IPO,
    POOL,
    SCENARIOS,
    bid,
    built,
    buy,
    cash,
    close,
    convert,
    corporation,
    do,
    in_receivership,
    lay,
    new,
    offered,
    owning,
    par,
    passed,
    phase,
    player,
    private,
    refusal,
    rules,
    run,
    sell,
    shares,
    started,
    stock,
    stop,
    token,
    train,
    turn,
    waiting,
)
from tests.titles.turns import run as run_of
from tests.titles.turns import turn as position_of


def price(state: State, name: str) -> int:
    return state.price_of(state.companies[name])


# --- 1. set-up -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "numbers"),
    [
        ("2NS", (375, 19, 6, 3, 6)),
        ("2EW", (375, 19, 6, 3, 6)),
        ("3", (330, 14, 7, 3, 6)),
        ("4Std", (330, 14, 9, 4, 8)),
        ("4Alt", (330, 14, 9, 4, 8)),
        ("5", (320, 14, 12, 6, 9)),
        ("6", (305, 12, 12, 6, 9)),
    ],
)
def test_set_up_of_each_scenario(scenario: str, numbers: tuple[int, int, int, int, int]) -> None:
    """Cash, certificate limit, corporations, those of tier 2, privates; home tokens lie in city 0 from the start."""
    options, players = SCENARIOS[scenario]
    state = new(players, 7, options)
    second = [name for name, company in state.companies.items() if company.marks.get("tier") == 2]
    assert numbers == (
        state.players["1"].cash,
        rules(state).certificate_limit(state, "1"),
        len(state.companies),
        len(second),
        len(state.privates),
    )
    assert "LNWR" in state.companies
    assert "LNWR" not in second
    for name in state.companies:
        home = state.facts_of(name).homes[0].hex
        assert state.table.tokens[home] == {"c0": (name,)}
    kept = {one.company for places in state.table.kept.values() for one in places}
    assert kept == {"GN", "MC"} & set(state.privates)


@pytest.mark.parametrize(
    ("scenario", "seed", "drawn", "second"),
    [
        ("3", 1, "GWR", "MR NBR NER"),
        ("3", 2, "GSWR", "CR GSWR NBR"),
        ("3", 42, "MSLR", "LYR MR NBR"),
        ("2NS", 42, "", "LYR NBR NER"),
        ("2EW", 12345, "", "GWR LSWR SWR"),
        ("4Std", 2, "", "CR GWR LSWR SWR"),
    ],
)
def test_draws_follow_the_seed(scenario: str, seed: int, drawn: str, second: str) -> None:
    options, players = SCENARIOS[scenario]
    state = new(players, seed, options)
    assert [name for name, one in state.companies.items() if one.marks.get("tier") == 2] == second.split()
    assert set(drawn.split()) <= state.companies.keys()
    assert len({"GSWR", "GWR", "MSLR"} & state.companies.keys()) == 1 or scenario != "3"


def test_tier_2_waits_for_the_second_stock_round() -> None:
    state = stock(new(), "1", "2", "3", "4", turn_number=1)
    assert "GWR is of tier 2" in refusal(state, par(state, "1", "GWR", 70))
    assert not refusal(state, par(state, "1", "MR", 70))
    assert {act.corporation for act in offered(state, Par) if isinstance(act, Par)} == {
        "LNWR",
        "LYR",
        "MR",
        "NBR",
        "NER",
    }
    later = stock(new(), "1", "2", "3", "4")
    assert not refusal(later, par(later, "1", "GWR", 70))


def test_a_record_may_start_tier_2_early_and_it_is_noted() -> None:
    """The recording site does not hold tiers against a start that it reads."""
    state = stock(new(), "1", "2", "3", "4", turn_number=1).but(lenient=True)
    state = do(state, par(state, "1", "GWR", 70))
    assert [fault.code for fault in state.notices] == ["tier-2"]
    assert state.companies["GWR"].floated


# --- 2. auction ----------------------------------------------------------------------------------------------------


def test_bids() -> None:
    """The price at first, then 5 more in multiples of 5; only leading bids tie up cash."""
    state = new()
    assert "at least 45" in refusal(state, bid("1", "LM", 40))
    assert "steps of 5" in refusal(state, bid("1", "LM", 48))
    state = do(state, bid("1", "LM", 300))
    assert "at least 305" in refusal(state, bid("2", "LM", 300))
    state = do(state, bid("2", "LB", 40), bid("3", "AF", 30), bid("4", "SD", 35))
    assert "30 left" in refusal(state, bid("1", "GN", 70))
    assert not refusal(state, bid("1", "LM", 310)), "raising one's own bid needs the difference"
    state = do(state, bid("1", "LS", 30))
    spent = do(state, bid("2", "LB", 45), bid("3", "AF", 35), bid("4", "SD", 40))
    assert "0 left" in refusal(spent, bid("1", "GN", 70))
    freed = do(cash(state, p2=345), bid("2", "LM", 305), bid("3", "AF", 35), bid("4", "SD", 40))
    assert not refusal(freed, bid("1", "GN", 300)), "a bid that has been raised over ties up nothing"


def test_passing_needs_a_leading_bid() -> None:
    """Or a bid on every private, or a reduced price. Two leading bids with two players."""
    state = new()
    assert "passing needs 1 leading bid" in refusal(state, Pass(by=player("1")))
    state = do(state, bid("1", "LB", 40))
    assert "passing needs 1" in refusal(state, Pass(by=player("2")))
    state = do(state, bid("2", "AF", 30), bid("3", "GN", 70), bid("4", "SD", 35))
    assert not refusal(state, Pass(by=player("1")))
    two = do(new(2), bid("1", "LB", 40), bid("2", "AF", 30))
    assert "passing needs 2 leading bids" in refusal(two, Pass(by=player("1")))
    two = do(two, bid("1", "GN", 70), bid("2", "SD", 35), bid("1", "LM", 45), bid("2", "LS", 30))
    two = do(two, bid("1", "AF", 35), bid("2", "SD", 40), bid("1", "LS", 35))
    assert not refusal(two, Pass(by=player("2"))), "every private has a bid"


def test_privates_without_a_bid_become_cheaper_until_somebody_has_to_take_them() -> None:
    state = do(new(), bid("1", "LB", 40), bid("2", "AF", 30), bid("3", "GN", 70), bid("4", "SD", 35))
    state = do(state, *(Pass(by=player(one)) for one in "1234"))
    assert {name: one.owner for name, one in state.privates.items() if one.owner} == {
        "LB": "1", "AF": "2", "GN": "3", "SD": "4",
    }  # fmt: skip
    assert [state.players[one].cash for one in "1234"] == [290, 300, 260, 295]
    assert "at least 35" in refusal(state, bid("1", "LM", 30))
    state = do(state, bid("1", "LM", 35), *(Pass(by=player(one)) for one in "234"), Pass(by=player("1")))
    assert state.privates["LM"].owner == "1"
    state = do(state, *(Pass(by=player(one)) for one in "2341"))
    # LS and CH (30) have fallen to 0 together: the next two players have to take them unless somebody overbids.
    assert isinstance(state.round, AuctionRound)
    assert {name: state.round.bids[name] for name in ("LS", "CH")} == {"LS": (("2", 0),), "CH": (("3", 0),)}
    state = do(state, bid("4", "LS", 5), *(Pass(by=player(one)) for one in "1234"))
    assert (state.privates["LS"].owner, state.privates["CH"].owner) == ("4", "3")
    assert state.players["3"].cash == 260


def test_who_has_least_money_starts_the_first_stock_round() -> None:
    """Among equals who has more privates, then the seats."""
    state = owning(new(), {"LB": "3", "AF": "4", "SD": "4"})
    state = cash(state, p1=100, p2=90, p3=90, p4=90)
    assert rules(state).order_after_opening(state) == ("4", "3", "2", "1")


# --- 3. privates ---------------------------------------------------------------------------------------------------


def test_closing_a_private_pays_once_more_and_starts_its_ability() -> None:
    state = owning(new(), {"LM": "1"})
    first = stock(state, turn_number=1)
    assert "stock rounds from the second on" in refusal(first, close("LM"))
    assert not offered(first, ChooseAbility)
    later = stock(state)
    assert offered(later, ChooseAbility) == [close("LM")]
    closed = do(later, close("LM"))
    assert closed.players["1"].cash == 330 + 15
    assert (closed.privates["LM"].income, closed.privates["LM"].value) == (0, 0)
    assert closed.value_of("1") == 345
    assert closed.round.current == later.round.current, "closing is no turn"
    assert "has been closed already" in refusal(closed, close("LM"))
    assert not rules(closed).pay_incomes(closed).players["1"].cash > 345
    assert closed.position("MR").privates["LM"].open is False


def test_owners_close_in_anybody_s_turn_of_an_operating_round() -> None:
    state = turn(owning(started(new(), "MR", "2"), {"LM": "1", "TV": "4"}), "MR")
    assert offered(state, ChooseAbility) == [close("LM"), close("TV")]
    assert do(state, close("TV")).players["4"].cash == 330 + 25


def test_open_privates_block_until_the_blue_phase() -> None:
    """Then a tile on the hex closes the private, with the last income; everybody is blocked, its owner too."""
    state = owning(started(new(), "MR", "1"), {"LS": "1"})
    state = built(state, {"H19": ("G39", 5)})
    leicester = lay(state, corporation("MR"), "H21", "G18", 0)
    assert "hex-closed" in refusal(turn(state, "MR"), leicester)
    assert "hex-closed" in refusal(turn(phase(state, "3+1"), "MR"), leicester)
    assert not refusal(do(turn(state, "MR"), close("LS")), leicester)
    blue = turn(phase(state, "4+2"), "MR")
    built_on = do(blue, leicester)
    assert rules(built_on).is_used_up(built_on.privates["LS"])
    assert built_on.players["1"].cash == blue.players["1"].cash + 10
    always = owning(started(new(options=["gb_open_privates_always_block"]), "MR", "1"), {"LS": "1"})
    always = turn(phase(built(always, {"H19": ("G39", 5)}), "4+2"), "MR")
    assert "hex-closed" in refusal(always, leicester)


def test_lb_and_lnwr() -> None:
    """While LNWR is not started only the owner of LB may start it, who buys nothing else, LB open or closed."""
    state = stock(started(owning(new(), {"LB": "2"}), "MR", "1"), "2", "1", "3", "4")
    assert "starts LNWR before buying" in refusal(state, par(state, "2", "NER", 70))
    assert "starts LNWR before buying" in refusal(state, buy("2", "MR_1"))
    assert {act.corporation for act in offered(state, Par) if isinstance(act, Par)} == {"LNWR"}
    assert "starts LNWR before buying" in refusal(do(state, close("LB")), buy("2", "MR_1"))
    other = do(state, Pass(by=player("2")))
    assert "only 2, who owns LB, may start LNWR" in refusal(other, par(other, "1", "LNWR", 70))
    state = do(state, par(state, "2", "LNWR", 70))
    assert state.companies["LNWR"].president == "2"
    state = stock(state, "2")
    assert not refusal(state, buy("2", "MR_1"))


def test_an_extra_lay_of_af_or_ls_counts_neither_as_tile_action_nor_as_city() -> None:
    state = owning(started(new(), "MR", "1"), {"LS": "1"}, closed=["LS"])
    state = turn(built(state, {"H19": ("G39", 5)}), "MR")
    extra = lay(state, private("LS"), "H21", "G18", 0)
    assert extra in offered(state, LayTile)
    state = do(state, extra)
    assert state.companies["MR"].cash == 500
    state = do(state, lay(state, corporation("MR"), "I20", "3", 2))
    assert rules(state).next_tile_action(state, state.companies["MR"]) is not None
    assert "used up" in refusal(state, lay(state, private("LS"), "H21", "G19", 0))


def test_lays_by_privates_have_to_be_reached() -> None:
    state = turn(owning(started(new(), "MR", "1"), {"AF": "1"}, closed=["AF"]), "MR")
    perth = lay(state, private("AF"), "I2", "G40", 3)
    assert "not-connected" in refusal(state, perth)
    state = turn(rules(state).put_token(state, "MR", stop("I2.c0")), "MR")
    assert not refusal(state, perth)
    assert "lays G39" in refusal(state, lay(state, private("AF"), "I2", "G18", 0))
    assert "builds on I2" in refusal(state, lay(state, private("AF"), "J3", "G40", 0))


def test_abilities_serve_companies_of_the_owner_alone() -> None:
    state = turn(owning(started(new(), "MR", "2"), {"LS": "1"}, closed=["LS"]), "MR")
    assert "serves companies led by 1" in refusal(state, lay(state, private("LS"), "H21", "G18", 0))


def test_severn_tile_with_taff_vale() -> None:
    """Without the 50, once, as one of the two tile actions; the blue hex takes this tile in one rotation."""
    state = owning(started(new(), "GWR", "1"), {"TV": "1"}, closed=["TV"])
    state = built(state, {"D23": ("G18", 2)})
    early = turn(phase(state, "3+1"), "GWR")
    assert "blue tiles are not available" in refusal(early, lay(early, private("TV"), "C22", "G33", 0))
    state = turn(phase(state, "4+2"), "GWR")
    assert "rotation 0" in refusal(state, lay(state, private("TV"), "C22", "G33", 1))
    assert do(state, lay(state, corporation("GWR"), "C22", "G33", 0)).companies["GWR"].cash == 450
    free = do(state, lay(state, private("TV"), "C22", "G33", 0))
    assert free.companies["GWR"].cash == 500
    assert len([one for one in free.round.turn.lays if not one.extra]) == 1


def york(connected: bool) -> State:
    """NER's turn, its director owns GN; York has a tile where it is connected."""
    state = owning(started(new(), "NER", "1"), {"GN": "1"})
    tiles = {"J13": ("G41", 1), **({"I14": ("G41", 1)} if connected else {})}
    return turn(built(state, tiles), "NER")


def test_token_in_york_only_after_gn_has_been_closed() -> None:
    """Field case F64: also not in a later step of the turn."""
    state = york(True)
    place = token(state, private("GN"), "I14.c0")
    assert "GN has not been closed" in refusal(state, place)
    assert "GN has not been closed" in refusal(passed(state, "trains"), place)
    assert place in offered(do(state, close("GN")), PlaceToken)


@pytest.mark.parametrize(("connected", "cost"), [(True, 0), (False, 50)])
def test_token_in_york_is_additional_and_the_token_of_the_turn(connected: bool, cost: int) -> None:
    state = do(york(connected), close("GN"))
    before = state.companies["NER"].tokens
    state = do(state, token(state, private("GN"), "I14.c0"))
    company = state.companies["NER"]
    assert company.cash == 500 - cost
    assert company.tokens[:-1] == before
    assert company.tokens[-1].at == stop("I14.c0")
    assert state.round.turn.tokened
    assert not state.table.kept.get(HexId("I14"))
    assert not offered(state, PlaceToken)


def test_york_is_kept_for_gn_until_the_blue_phase() -> None:
    state = turn(built(started(new(), "NER", "1"), {"J13": ("G41", 1), "I14": ("G41", 1)}), "NER")
    assert "may lay_tile or pass" in refusal(state, token(state, corporation("NER"), "I14.c0"))
    state = turn(phase(state, "4+2"), "NER")
    assert do(state, token(state, corporation("NER"), "I14.c0")).companies["NER"].cash == 450


def test_green_york_before_green_tiles_after_the_token_of_gn() -> None:
    state = do(york(False), close("GN"))
    green = lay(state, corporation("NER"), "I14", "G36", 1)
    assert "green tiles are not available" in refusal(state, green)
    state = do(state, token(state, private("GN"), "I14.c0"))
    assert green in offered(state, LayTile)
    assert not refusal(state, green)


# --- 4. starting and floating --------------------------------------------------------------------------------------


def test_floating_and_capital() -> None:
    """40 % float at once and bring 5 × par; from the first 3+1 60 % are needed."""
    state = stock(new(), "1", "2", "3", "4")
    floated = do(state, par(state, "1", "MR", 90))
    assert (floated.companies["MR"].floated, floated.companies["MR"].cash) == (True, 450)
    assert floated.players["1"].cash == 330 - 180
    state = rules(state).event(state, "unfloated_need_60_percent", "3+1")
    state = do(cash(state, p1=900), par(state, "1", "MR", 90))
    assert not state.companies["MR"].floated
    state = do(state, *(Pass(by=player(one)) for one in "234"), buy("1", "MR_1"))
    assert (state.companies["MR"].floated, state.companies["MR"].cash) == (True, 450)


def test_first_5_2_makes_ten_share_companies_of_all_that_have_not_floated() -> None:
    """Started ones too; at 60 % they float with 10 × par and the rest of the IPO goes to the pool."""
    state = rules(new()).event(new(), "unfloated_need_60_percent", "3+1")
    state = stock(started(cash(state, p1=2000), "LYR", "2"), "1", "2", "3", "4")
    state = do(state, par(state, "1", "MR", 80))
    state = rules(state).event(state, "unfloated_become_10_share", "5+2")
    company = state.companies["MR"]
    assert (company.percent_of("1"), company.percent_of(IPO), company.float_percent) == (20, 80, 60)
    assert [token.price for token in company.tokens] == [0, 50, 50, 50]
    assert state.companies["LYR"].unit == 20
    assert state.companies["NER"].percent_of(IPO) == 100
    assert state.companies["NER"].held(IPO)[0].percent == 20
    for place in range(1, 5):
        state = do(stock(state, "1", "2"), buy("1", f"MR_{place}"))
    company = state.companies["MR"]
    assert (company.floated, company.cash, company.percent_of("1")) == (True, 800, 60)
    assert (company.percent_of(IPO), company.percent_of(POOL)) == (0, 40)


def test_only_unstarted_companies_change_by_option() -> None:
    """ "Where the sources differ" 17."""
    for options, unit, closed in (((), 10, True), (("gb_only_unstarted_change",), 20, False)):
        state = rules(new()).event(new(options=options), "unfloated_need_60_percent", "3+1")
        state = do(stock(state, "1", "2"), par(state, "1", "MR", 80))
        assert rules(state).event(state, "unfloated_become_10_share", "5+2").companies["MR"].unit == unit
        state = rules(state).event(state, "remove_unfloated", "6X")
        assert state.companies["MR"].closed is closed
        assert state.companies["NER"].closed


def test_first_6x_removes_companies_that_have_not_floated() -> None:
    """With one 6X for each; the home token stays and blocks."""
    state = started(new(), "MR", "1")
    count = sum(one.startswith("6X") for one in state.depot.upcoming)
    state = rules(state).event(state, "remove_unfloated", "6X")
    gone = [name for name, company in state.companies.items() if company.closed]
    assert len(gone) == 8
    assert "MR" not in gone
    assert sum(one.startswith("6X") for one in state.depot.upcoming) == max(0, count - 8)
    assert state.table.tokens[HexId("D25")] == {"c0": ("LSWR",)}
    assert state.table.blocks("MR", HexId("D25"), state.table.tile_at(HexId("D25")).cities[0])


def test_ipo_sells_at_the_current_price_up_to_60_percent_the_pool_without_limit() -> None:
    state = started(cash(new(), p1=2000), "MR", "1", price=90, percent=60)
    state = stock(state, "1", "2")
    assert "more than 60 %" in refusal(state, buy("1", "MR_2"))
    state = stock(shares(started(cash(new(), p1=2000), "MR", "1", price=90, percent=60), "MR", 1, IPO, POOL), "1", "2")
    state = do(state, buy("1", "MR_2"))
    assert state.companies["MR"].percent_of("1") == 80
    assert state.players["1"].cash == 1910
    state = started(cash(new(), p2=500), "MR", "1", price=90)
    state = rules(state).moving_price(state, "MR", Cell(0, 8))
    assert do(stock(state, "2", "1"), buy("2", "MR_1")).players["2"].cash == 400


# --- 5. stock round ------------------------------------------------------------------------------------------------


def test_shares_of_a_company_without_a_train_sell_for_half() -> None:
    """Rounded down for each share; they score half, rounded down for each certificate. Each share sold is a step."""
    state = stock(started(new(), "MR", "1", price=75, percent=80), "1", "2")
    assert state.value_of("1") == 330 + 75 + 37 + 37
    sold = do(state, sell("1", "MR_1", "MR_2"))
    assert sold.players["1"].cash == 330 + 37 + 37
    assert price(sold, "MR") == 65
    state = stock(started(new(), "MR", "1", price=75, percent=80, trains=["2+1-3"]), "1", "2")
    assert state.value_of("1") == 330 + 4 * 75
    assert do(state, sell("1", "MR_1", "MR_2")).players["1"].cash == 330 + 150


def test_one_bundle_a_company_and_turn_and_sales_before_the_purchase() -> None:
    state = shares(started(started(new(), "MR", "1", percent=80), "LYR", "2"), "LYR", 1, IPO, "1")
    state = do(stock(state, "1", "2"), sell("1", "MR_1"))
    assert "in one block" in refusal(state, sell("1", "MR_2"))
    state = do(state, buy("1", "LYR_2"))
    assert state.round.current == "2", "nothing is sold after a purchase: the turn is over"


def test_gray_phase_only_the_director_s_sales_lower_the_price() -> None:
    state = shares(started(new(), "MR", "1", percent=60, trains=["6X-3"]), "MR", 1, IPO, "2")
    state = phase(state, "6X")
    assert price(do(stock(state, "2", "1"), sell("2", "MR_2")), "MR") == 80
    assert price(do(stock(state, "1", "2"), sell("1", "MR_1")), "MR") == 75


def test_director_s_certificate_into_the_pool_is_receivership() -> None:
    state = stock(shares(started(new(), "MR", "1"), "MR", 1, IPO, "2"), "1", "2")
    state = do(state, sell("1", "MR_0"))
    company = state.companies["MR"]
    assert (company.president, company.receivership) == (None, True)
    assert company.percent_of(POOL) == 40


def test_director_s_certificate_goes_to_another_player_with_enough() -> None:
    state = shares(started(new(), "MR", "1"), "MR", 2, IPO, "2")
    state = do(stock(state, "1", "2"), sell("1", "MR_0"))
    company = state.companies["MR"]
    assert (company.president, company.receivership) == ("2", False)
    assert (company.percent_of("2"), company.percent_of(POOL)) == (40, 40)


def test_part_of_the_director_s_certificate() -> None:
    """Possible where the pool can give change, or another player can become director."""
    state = started(new(), "MR", "1")
    assert "nobody else" in refusal(stock(state, "1", "2"), sell("1", "MR_0", percent=20))
    change = do(stock(shares(state, "MR", 1, IPO, POOL), "1", "2"), sell("1", "MR_0", percent=20))
    company = change.companies["MR"]
    assert (company.receivership, company.percent_of("1"), company.percent_of(POOL)) == (True, 20, 40)
    other = do(stock(shares(state, "MR", 2, IPO, "2"), "1", "2"), sell("1", "MR_0", percent=20))
    company = other.companies["MR"]
    assert (company.president, company.percent_of("1"), company.percent_of("2")) == ("2", 20, 40)
    assert sum(len(held) for held in company.holdings.values()) == 4


def test_director_s_certificate_from_the_pool() -> None:
    """By a player with exactly one certificate, who pays for one share and gives that certificate."""
    state = shares(in_receivership(new(), "MR"), "MR", 1, IPO, "2")
    paid = price(state, "MR")
    assert "exactly one certificate" in refusal(stock(state, "3", "2"), buy("3", "MR_0"))
    state = stock(state, "2", "1")
    assert any(act.shares == ("MR_0",) for act in offered(state, BuyShares) if isinstance(act, BuyShares))
    state = do(state, buy("2", "MR_0"))
    company = state.companies["MR"]
    assert (company.president, company.receivership) == ("2", False)
    assert (company.percent_of("2"), company.percent_of(POOL)) == (40, 20)
    assert state.players["2"].cash == 330 - paid


def test_receivership_ends_when_a_player_holds_enough() -> None:
    """A second ordinary share makes the holding that of a director, who takes the certificate from the pool."""
    state = shares(in_receivership(new(), "MR"), "MR", 1, IPO, "2")
    state = do(stock(state, "2", "1"), buy("2", "MR_2"))
    company = state.companies["MR"]
    assert (company.president, company.receivership) == ("2", False)
    assert [one.president for one in company.held("2")] == [True]
    assert company.percent_of(POOL) == 40


@pytest.mark.parametrize(("cell", "number"), [(50, 2), (65, 2), (70, 1)])
def test_director_buys_two_shares_at_low_prices(cell: int, number: int) -> None:
    state = started(cash(new(), p1=900), "MR", "1", price=cell)
    state = do(stock(shares(state, "MR", 2, IPO, POOL), "1", "2"), buy("1", "MR_1"))
    assert (state.round.current == "1") is (number == 2)
    if number == 2:
        assert do(state, buy("1", "MR_2")).round.current == "2"


def test_who_becomes_director_in_the_turn_buys_one_share() -> None:
    state = shares(shares(started(cash(new(), p2=900), "MR", "1", price=60), "MR", 2, IPO, "2"), "MR", 1, IPO, POOL)
    state = do(stock(state, "2", "1"), buy("2", "MR_3"))
    assert state.companies["MR"].president == "2"
    assert state.round.current == "1"


def test_conversion_in_a_stock_round() -> None:
    """Instead of the turn's start; two steps down, 5 × the new price; then only its shares, and no sale."""
    state = started(started(cash(new(), p1=900), "MR", "1", price=90, percent=60, treasury=10), "LYR", "1")
    state = stock(state, "1", "2")
    assert convert("1", "MR") in offered(state, Choose)
    assert "unknown-choice" in refusal(state, convert("1", "GWR"))
    after = do(state, convert("1", "MR"))
    company = after.companies["MR"]
    assert (price(after, "MR"), company.cash) == (75, 10 + 5 * 75)
    assert [one.percent for one in company.held("1")] == [20, 10]
    assert (company.percent_of(IPO), company.percent_of(POOL)) == (20, 50)
    assert [one.number for one in company.held(POOL)] == [4, 5, 6, 7, 8]
    assert [one.price for one in company.tokens] == [0, 50, 50, 50]
    assert rules(after).train_limit(after, company) == 4
    assert "only shares of MR" in refusal(after, buy("1", "LYR_1"))
    assert "after its conversion only shares of MR may be bought" in refusal(after, par(after, "1", "NER", 70))
    assert "SellShares" not in {type(act).__name__ for act in engine.legal_actions(after)}
    assert not offered(after, Choose)
    assert not refusal(after, buy("1", "MR_4"))
    sold = do(state, sell("1", "MR_1"))
    assert not offered(sold, Choose)
    fresh = stock(started(new(), "MR", "1", operated=False), "1", "2")
    assert not offered(fresh, Choose)


def test_tokens_that_a_conversion_brings() -> None:
    """Two at 50; one for NBR."""
    for name, prices in (("CR", [0, 0, 50, 50]), ("LYR", [0, 50, 50]), ("NBR", [0, 50, 50])):
        state = rules(new()).converted(started(new(), name, "1"), name, 2)
        assert [one.price for one in state.companies[name].tokens] == prices


def test_who_passes_first_starts_the_next_stock_round() -> None:
    state = stock(started(new(), "MR", "1"), "1", "2", "3", "4")
    state = do(state, buy("1", "MR_1"), *(Pass(by=player(one)) for one in "2341"))
    assert state.order == ("2", "3", "4", "1")
    assert price(state, "MR") == 80


# --- 6. operating turn ---------------------------------------------------------------------------------------------


def test_two_tile_actions_one_of_them_on_a_city() -> None:
    state = turn(started(new(), "MR", "1"), "MR")
    state = do(state, lay(state, corporation("MR"), "H19", "G39", 5))
    assert "one-city" in refusal(state, lay(state, corporation("MR"), "H21", "G18", 0))
    state = do(state, lay(state, corporation("MR"), "I20", "3", 2))
    assert rules(state).next_tile_action(state, state.companies["MR"]) is None


def test_export_if_nobody_bought_from_the_bank() -> None:
    """A train bought from another company does not prevent it; one from the bank does."""
    state = started(new(), "MR", "1", treasury=100, trains=["2+1-4"])
    state = started(state, "LYR", "2", treasury=0, trains=["2+1-5", "2+1-6"])
    idle = passed(turn(state, "MR"), "trains")
    exported = do(idle, Pass(by=corporation("MR")))
    assert exported.depot.upcoming[0] == "2+1-1"
    traded = do(idle, train("MR", "2+1-5", 100))
    assert passed(traded, "track_and_token").depot.upcoming[0] == "2+1-1"
    bought = do(idle, train("MR", "2+1-0", 80), Pass(by=corporation("MR")))
    assert bought.depot.upcoming[0] == "2+1-1"


def left(state: State, number: int) -> State:
    """So many trains left in the bank, at the end of an operating round that MR idles through."""
    state = phase(started(state, "MR", "1", treasury=0, trains=["5+2-1"]), "6X").with_mark(
        "faces_out", frozenset({"6X"})
    )
    return turn(state.but(depot=state.depot.but(upcoming=state.depot.upcoming[-number:])), "MR")


def test_last_trains() -> None:
    """Field case F66: the last export ends the game at once; with one or two trains left no token is placed."""
    over = passed_round(left(new(), 1))
    assert over.over == "final_train"
    two = passed_round(left(new(), 3))
    assert not two.over
    assert len(two.depot.upcoming) == 2
    assert not rules(two).may_place_tokens(two, two.companies["MR"])
    three = passed_round(left(new(), 4))
    assert rules(three).may_place_tokens(three, three.companies["MR"])
    assert passed_round(left(new(options=["gb_ends_with_last_train_on_sale"]), 2)).over == "final_train"


def passed_round(state: State) -> State:
    number = state.round.number
    while not state.over and state.round.number == number and state.round.kind == "Operating":
        step = engine.waiting_step(state)
        assert step is not None
        state = do(state, Pass(by=step.actors(state)[0]))
    return state


def test_export_brings_the_phase() -> None:
    """Trains above the limit that it lowers are given up after the dividend of whoever comes next."""
    state = started(new(), "MR", "1", treasury=0, trains=["3+1-1", "3+1-2", "3+1-3"])
    state = turn(state.but(depot=state.depot.but(upcoming=("4+2-0", "4+2-1", "5+2-0", "4X-0"))), "MR")
    state = passed_round(state)
    assert state.phase_name == "4+2"
    assert waiting(state) == "track_and_token"
    assert waiting(passed(state, "discard_trains")) == "discard_trains"


# --- 7. track ------------------------------------------------------------------------------------------------------

#: Every tile with all that may replace it. Source: field case F61 and the tile manifest of the title.
SUCCESSORS = {
    "G02": "G04 G05 G08 G09 G10", "G03": "G05 G06 G11", "G18": "G21 G22 G27", "G19": "G21 G24 G25 G26 G28",
    "G39": "G36 G37 G38", "G40": "G36 G37 G38", "G41": "G36 G37 G38", "3": "87 88 204", "4": "87 88 204",
    "58": "87 88 204", "7": "18 21 22 26 27 28 29", "8": "16 17 19 21 22 23 24 25 28 29", "9": "18 19 20 23 24 26 27",
    "G04": "G13 G15", "G05": "G14", "G06": "G14", "G08": "G13 G14", "G09": "G13 G14", "G10": "G14 G15", "G11": "G14",
    "G21": "G30", "G22": "G30", "G24": "G30", "G25": "G30", "G26": "G30", "G27": "G30", "G28": "G30", "G36": "G34",
    "G37": "G34", "G38": "G34", "16": "43", "17": "47", "18": "43", "19": "45 46", "20": "44 47", "21": "46",
    "22": "45", "23": "41 43 45 47", "24": "42 43 46 47", "25": "40 45 46", "26": "42 44 45", "27": "41 44 46",
    "28": "43 46", "29": "43 45", "87": "911", "88": "911", "204": "911", "G13": "", "G14": "", "G15": "",
    "G30": "G31", "G34": "G35", "40": "", "41": "", "42": "", "43": "", "44": "", "45": "", "46": "", "47": "",
    "911": "912", "G31": "", "G35": "", "912": "",
}  # fmt: skip


@pytest.mark.parametrize("old", SUCCESSORS)
def test_successors_keep_each_city_s_own_connections(old: str) -> None:
    """Field case F61: exactly the tiles with some rotation in which no city loses a side."""
    state = new(5)
    tiles = state.facts.edition.tiles
    assert set(SUCCESSORS) == set(tiles.stock) - {"G32", "G33"}
    found = [
        one
        for one in tiles.stock
        if any(
            not rules(state).upgrade_fault(
                state, LayPlan("MR", HexId("H21"), one, 0, rotation), tiles.tile(old), tiles.tile(one).rotated(rotation)
            )
            for rotation in range(6)
        )
    ]
    assert sorted(found) == sorted(SUCCESSORS[old].split())


def test_hills_cost_50_for_each_marked_side_of_the_hex_that_is_laid() -> None:
    """Paid from either side; sides that the track already crosses cost nothing again."""
    plan = LayPlan("MR", HexId("D17"), "9", 0, 1)
    state = new()
    assert rules(state).lay_cost(state, plan) == 100
    assert rules(state).lay_cost(state, LayPlan("MR", HexId("D17"), "9", 0, 0)) == 0
    assert rules(state).lay_cost(state, LayPlan("MR", HexId("E16"), "9", 0, 1)) == 50
    laid = built(state, {"D17": ("9", 1)})
    assert rules(laid).lay_cost(laid, LayPlan("MR", HexId("E16"), "9", 0, 1)) == 50
    assert rules(laid).lay_cost(laid, LayPlan("MR", HexId("D17"), "20", 0, 0)) == 0


def test_hills_by_section_by_option() -> None:
    """ "Where the sources differ" 7: one section of track over two marked sides costs 50, two sections 50 each."""
    state = new(options=["gb_hills_by_section"])
    assert rules(state).lay_cost(state, LayPlan("MR", HexId("D17"), "9", 0, 1)) == 50
    assert rules(state).lay_cost(state, LayPlan("MR", HexId("G12"), "3", 0, 5)) == 100


def test_home_token_of_a_two_city_hex_finds_its_city() -> None:
    """The connected one if its own company lays the tile, else the other one."""
    own = started(new(), "CR", "1")
    own = do(turn(own, "CR"), lay(own, corporation("CR"), "G4", "G02", 2))
    token_at = own.companies["CR"].tokens[0].at
    assert token_at == stop("G4.c0")
    assert own.table.tile_at(HexId("G4")).sides_of("c0")
    other = built(started(new(), "MR", "1"), {"H19": ("G41", 1), "G20": ("9", 1)})
    other = do(turn(other, "MR"), lay(other, corporation("MR"), "F21", "G03", 1))
    assert other.companies["LNWR"].tokens[0].at == stop("F21.c1")
    assert other.table.tokens[HexId("F21")] == {"c1": ("LNWR",)}
    assert not other.table.tile_at(HexId("F21")).sides_of("c1")


def test_early_green_at_home() -> None:
    """MR and four more, instead of yellow; others wait for green."""
    state = turn(started(new(), "MR", "1"), "MR")
    assert not refusal(state, lay(state, corporation("MR"), "H19", "G36", 0))
    assert {act.tile for act in offered(state, LayTile) if isinstance(act, LayTile)} >= {"G36", "G37", "G38", "G39"}
    yellow = turn(built(state, {"H19": ("G41", 0)}), "MR")
    assert "green tiles are not available" in refusal(yellow, lay(yellow, corporation("MR"), "H19", "G36", 0))
    other = turn(started(new(), "LSWR", "1"), "LSWR")
    assert "green tiles are not available" in refusal(other, lay(other, corporation("LSWR"), "D25", "G36", 0))


def test_forth_tile() -> None:
    state = built(started(new(), "NBR", "1"), {"I6": ("G18", 0)})
    early = turn(phase(state, "3+1"), "NBR")
    assert "blue tiles are not available" in refusal(early, lay(early, corporation("NBR"), "I4", "G32", 0))
    state = turn(phase(state, "4+2"), "NBR")
    assert "rotation 0" in refusal(state, lay(state, corporation("NBR"), "I4", "G32", 3))
    assert do(state, lay(state, corporation("NBR"), "I4", "G32", 0)).companies["NBR"].cash == 450


def test_upgrade_by_a_company_that_reaches_the_new_track_only() -> None:
    """Field case F67: Preston joined at a new side; a tile without track there is refused with the reason."""
    state = built(started(new(), "LYR", "1"), {"G14": ("G19", 0), "H15": ("G02", 2)})
    state = turn(phase(state, "3+1"), "LYR")
    assert 2 in state.table.tile_at(HexId("H15")).sides
    assert not refusal(state, lay(state, corporation("LYR"), "G14", "G28", 4))
    assert "LYR does not reach it" in refusal(state, lay(state, corporation("LYR"), "G14", "G24", 0))


# --- 9. dividends and trains ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "revenue", "after"),
    [
        ("payout", 0, 75), ("withhold", 500, 75), ("payout", 10, 90), ("payout", 150, 90), ("payout", 160, 100),
        ("payout", 240, 115), ("payout", 320, 130), ("payout", 900, 130),
    ],
)  # fmt: skip
def test_price_after_the_dividend(kind: str, revenue: int, after: int) -> None:
    """The whole payout is held against the price of one share."""
    state = started(new(), "MR", "1")
    cell = rules(state).price_after_dividend(state, state.companies["MR"], kind, revenue)
    assert cell is not None
    assert state.facts.market.price(cell) == after


def test_ipo_shares_pay_the_company_and_pool_shares_nobody() -> None:
    state = shares(started(new(), "MR", "1"), "MR", 1, IPO, POOL)
    paid = rules(state).dividend_amounts(state, state.companies["MR"], "payout", 100)
    assert paid == {"1": 40, "MR": 40}


def test_trains_of_other_companies() -> None:
    """1 to 2 × face; not from receivership; not the last one by a company with a train."""
    state = started(started(new(), "MR", "1"), "LYR", "2", trains=["2+1-5", "2+1-6"])
    state = passed(turn(state, "MR"), "trains")
    assert "costs 1 to 160, not 161" in refusal(state, train("MR", "2+1-5", 161))
    assert not refusal(state, train("MR", "2+1-5", 160))
    assert "costs 1 to 160" in refusal(state, train("MR", "2+1-5", 0))
    state = do(state, train("MR", "2+1-5", 1))
    assert "may not sell" in refusal(state, train("MR", "2+1-6", 1))
    state = started(in_receivership(new(), "LYR", trains=["2+1-5", "2+1-6"]), "MR", "1")
    assert "may not sell" in refusal(passed(turn(state, "MR"), "trains"), train("MR", "2+1-5", 1))


def test_when_a_train_must_be_bought() -> None:
    """Without a train, if the treasury covers the dearest on offer; else it may be declined."""
    state = phase(started(new(), "MR", "1", treasury=650), "5X")
    assert {state.train_facts(one).price for one in rules(state).on_sale(state)} == {650, 700}
    assert offered(passed(turn(state, "MR"), "trains"), Pass)
    rich = passed(turn(cash(state, MR=700), "MR"), "trains")
    assert not offered(rich, Pass)
    assert "may buy_train" in refusal(rich, Pass(by=corporation("MR")))
    owner = started(new(), "MR", "1", treasury=700, trains=["2+1-5"])
    assert offered(passed(turn(owner, "MR"), "trains"), Pass)


def test_no_player_adds_money() -> None:
    state = emergency(treasury=79)
    assert "the treasury of MR holds 79" in refusal(state, train("MR", "2+1-0", 80))


def test_which_trains_are_on_sale() -> None:
    """5X from phase 4X on, 6X from phase 5X on."""
    for name, kinds in (("5+2", "5+2"), ("4X", "4X 5X"), ("5X", "5X 6X")):
        state = phase(new(), name)
        assert [one.rpartition("-")[0] for one in rules(state).on_sale(state)] == kinds.split()


@pytest.mark.parametrize(
    ("name", "five", "ten"), [("2+1", 3, 4), ("3+1", 3, 4), ("4+2", 2, 3), ("5+2", 2, 3), ("4X", 2, 2), ("6X", 2, 2)]
)
def test_train_limits(name: str, five: int, ten: int) -> None:
    state = phase(started(new(), "MR", "1"), name)
    assert rules(state).train_limit(state, state.companies["MR"]) == five
    state = rules(state).converted(state, "MR", 2)
    assert rules(state).train_limit(state, state.companies["MR"]) == ten


def emergency(*, options: tuple[str, ...] = (), treasury: int = 50) -> State:
    """MR (80, 60 % with its director) without a train and the money for one, at its train step."""
    state = started(new(options=options), "MR", "1", percent=60, treasury=treasury)
    state = started(state, "LYR", "2", trains=["2+1-5", "2+1-6"])
    return passed(turn(state, "MR"), "trains")


def test_emergency_conversion() -> None:
    """Three steps down; then the bank's train is due, and its director may buy two shares at 60."""
    state = emergency()
    assert {type(act) for act in engine.legal_actions(state)} >= {Convert, Pass, BuyTrain}
    state = do(state, Convert(by=corporation("MR")))
    assert (price(state, "MR"), state.companies["MR"].cash) == (60, 50 + 5 * 60)
    assert state.companies["MR"].percent_of(POOL) == 50
    assert not offered(state, Pass)
    assert "may not sell" in refusal(state, train("MR", "2+1-5", 1))
    state = do(state, train("MR", "2+1-0", 80))
    assert not refusal(state, train("MR", "2+1-5", 1)), "after that other companies may sell"
    state = do(state, Pass(by=corporation("MR")))
    assert waiting(state) == "converted_share"
    assert "a share of MR may be bought" in refusal(state, buy("1", "LYR_1"))
    state = do(state, buy("1", "MR_4"), buy("1", "MR_5"))
    assert state.companies["MR"].percent_of("1") == 50
    assert waiting(state) != "converted_share"


def test_emergency_conversion_is_the_director_s_choice() -> None:
    """Also to decline it, which is insolvency; by option it is due ("Where the sources differ" 5)."""
    state = do(emergency(), Pass(by=corporation("MR")))
    assert rules(state).insolvent(state.companies["MR"])
    due = emergency(options=("gb_emergency_conversion_due",))
    assert not offered(due, Pass)
    assert offered(due, Convert)


def test_no_emergency_conversion_with_enough_money_or_ten_shares() -> None:
    assert not offered(emergency(treasury=80), Convert)
    state = rules(new()).converted(started(new(), "MR", "1"), "MR", 2)
    state = passed(turn(started_lyr(cash(state, MR=10)), "MR"), "trains")
    assert not offered(state, Convert)


def started_lyr(state: State) -> State:
    return started(state, "LYR", "2", trains=["2+1-5", "2+1-6"])


def insolvent(state: State, name: str = "MR") -> State:
    return state.with_company(state.companies[name].with_mark("insolvent", True))


def test_insolvent_company_leases_and_withholds() -> None:
    """No track, no tokens; the cheapest bank train; the price falls; a train at the end of a turn ends it."""
    state = built(insolvent(started(new(), "MR", "1", treasury=0)), {"H19": ("G39", 5), "I20": ("3", 2)})
    state = turn(state, "MR")
    assert waiting(state) == "routes"
    assert rules(state).trains_to_run(state, state.companies["MR"]) == ("2+1",)
    state = do(state, run("MR", 200, "2+1-0"))
    assert (price(state, "MR"), state.companies["MR"].cash) == (75, 200)
    assert waiting(state) == "trains", "nobody is asked for the dividend"
    assert state.depot.upcoming[0] == "2+1-0"
    paid = do(state, train("MR", "2+1-0", 80), Pass(by=corporation("MR")))
    assert not rules(paid).insolvent(paid.companies["MR"])


def test_lease_with_an_empty_bank() -> None:
    """Field case F60: no lease, no run, no crash."""
    state = built(insolvent(started(new(), "MR", "1", treasury=0)), {"H19": ("G39", 5), "I20": ("3", 2)})
    state = turn(state.but(depot=state.depot.but(upcoming=())), "MR")
    assert rules(state).runnable(state, state.companies["MR"]) == ()
    assert state.position("MR").trains == ()
    assert "wrong-train" in refusal(state, run("MR", 100, "2+1-0"))
    state = do(state, run("MR", 0))
    assert price(state, "MR") == 75
    assert state.over == "final_train"


def test_receivership_turn() -> None:
    """No track, nothing paid out, any player runs; without a train the bank buys the dearest below the treasury."""
    state = turn(phase(in_receivership(new(), "MR", treasury=651), "4X"), "MR", number=2)
    assert state.companies["MR"].trains == ("5X-0",)
    state = turn(phase(in_receivership(new(), "MR", treasury=650), "4X"), "MR", number=2)
    assert state.companies["MR"].trains == ("4X-0",)
    state = turn(in_receivership(new(), "MR", treasury=300, trains=["2+1-4"]), "MR", number=2)
    assert (state.companies["MR"].trains, state.companies["MR"].cash) == (("2+1-4",), 300)
    net = built(in_receivership(new(), "MR", trains=["2+1-4"]), {"H19": ("G39", 5), "I20": ("3", 2)})
    state = turn(net, "MR")
    assert waiting(state) == "routes"
    before = price(state, "MR")
    state = do(state, run("MR", 30, "2+1-4"))
    assert state.companies["MR"].cash == 530
    assert price(state, "MR") < before


def test_receivership_without_money_converts_and_buys() -> None:
    """Insolvent at once; after withholding three steps down, then the dearest train below the new treasury."""
    state = in_receivership(new(), "MR", treasury=10)
    assert rules(state).insolvent(state.companies["MR"])
    assert price(state, "MR") == 70
    state = turn(state, "MR", number=2)
    company = state.companies["MR"]
    assert (price(state, "MR"), company.unit) == (50, 10)
    assert (company.cash, company.trains) == (10 + 5 * 50 - 80, ("2+1-0",))
    assert not rules(state).insolvent(company)
    assert not rules(in_receivership(new(), "MR", treasury=80)).insolvent(company)


# --- 10 and 11. phases, end, score ---------------------------------------------------------------------------------


def test_old_trains_rust_at_once_or_run_once_more() -> None:
    """By option they become obsolete: they go after the next run ("Where the sources differ" 2)."""
    for options, kept in (((), ()), (("gb_obsolete_once_more",), ("2+1-4",))):
        state = started(started(new(options=options), "MR", "1", treasury=400, trains=["3+1-4"]), "LYR", "2")
        state = state.with_company(state.companies["LYR"].but(trains=("2+1-4",)))
        upcoming = tuple(one for one in state.depot.upcoming if one[0] not in "23")
        state = passed(turn(state.but(depot=state.depot.but(upcoming=upcoming)), "MR"), "trains")
        state = do(state, train("MR", "4+2-0", 300))
        assert state.companies["LYR"].trains == kept
        assert rules(state).trains_counted(state, state.companies["LYR"]) == 0
        assert state.phase_name == "4+2"
        later = turn(cash(state, LYR=0), "LYR")
        assert rules(later).runnable(later, later.companies["LYR"]) == kept
        assert passed(later, "trains").companies["LYR"].trains == ()


def test_prices_that_end_the_game() -> None:
    """350 and 380: the operating round is played to its end."""
    state = started(new(), "MR", "1", price=320, trains=["2+1-4"], treasury=0)
    state = turn(built(state, {"H19": ("G39", 5), "I20": ("3", 2)}), "MR")
    state = do(passed(state, "routes"), run("MR", 30, "2+1-4"))
    state = do(state, Dividend(by=corporation("MR"), kind="payout"))
    assert price(state, "MR") == 350
    assert passed_round(state).over == "stock_market"


def test_score() -> None:
    """Cash, shares (half without a train), open privates; by option without them."""
    for options, worth in (((), 45), (("gb_score_without_privates",), 0)):
        state = owning(
            started(new(options=options), "MR", "1", price=75, percent=60), {"LM": "1", "LB": "1"}, closed=["LB"]
        )
        assert state.game.scores(state)["1"] == 330 + 10 + 75 + 37 + worth


def test_plus_trains_by_kind_by_option() -> None:
    """ "Where the sources differ" 11: the first number counts cities and off-board areas alone."""
    plain, by_kind = (new(options=options).facts.edition.trains for options in ((), ("gb_plus_trains_by_kind",)))
    for name in ("2+1", "3+1", "4+2", "5+2"):
        assert [len(row.kinds) for row in plain[name].rows] == [1, 3]
        assert [len(row.kinds) for row in by_kind[name].rows] == [1, 2]
        assert [row.visit for row in plain[name].rows] == [row.visit for row in by_kind[name].rows]
    assert plain["4X"] == by_kind["4X"]


@pytest.mark.parametrize(("options", "legal"), [((), True), (("gb_plus_trains_by_kind",), False)])
def test_two_towns_on_the_run_of_a_2_1(options: tuple[str, ...], legal: bool) -> None:
    """The second town takes the place of a city, but for the option."""
    position = position_of(
        "18GB", "2+1", "MR", "2+1", players=4, options=options,
        tiles={"H19": ("G39", 5), "I20": ("58", 0), "I22": ("58", 3)}, tokens={"H19.c0": "MR"},
    )  # fmt: skip
    assert run_of(position, ("2+1", "H19.c0 I20.t0")).legal
    assert run_of(position, ("2+1", "H19.c0 I20.t0 I22.t0")).legal is legal


def test_options_of_the_printed_word_are_off_by_default_and_known() -> None:
    assert not new().game.options
    names = [
        "gb_obsolete_once_more", "gb_emergency_conversion_due", "gb_hills_by_section", "gb_plus_trains_by_kind",
        "gb_ends_with_last_train_on_sale", "gb_open_privates_always_block", "gb_score_without_privates",
        "gb_only_unstarted_change", "gb_compass_once_per_connected_group",
    ]  # fmt: skip
    for pair in combinations(names, 2):
        assert new(options=pair).game.options == frozenset(pair)


def test_a_city_reached_again_is_left_over_the_track_by_which_it_was_reached_first() -> None:
    """MR reaches Sheffield by I18 and straight; from there the second arm of I18 leads on to J19."""
    state = built(started(new(), "MR", "1"), {"H19": ("G39", 3), "I18": ("26", 2), "H17": ("G25", 3)})
    reach = rules(state).reach(state, "MR")
    assert stop("H17.c1") in reach.stops
    assert HexId("J19") in reach.sides
