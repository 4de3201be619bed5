"""1833NE: connections, interconnections, ferries, the exits of P4 and P6, the Lowell rule, the bonus table.

Source: digest 1833NE sections 3, 7 and 9; the worked example of the rules summary.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from board.errors import InputError
from board.hexes import StopId
from board.position import Position
from routing.oracle import best_runs
from routing.scoring import count
from routing.solve import solve
from tests.boards import stop_set, stops
from tests.titles.turns import bonus_items, earned, pretended, run, turn
from titles.registry import get_title

TITLE = get_title("1833NE")
EXAMPLE = Path(__file__).parents[2] / "docs" / "example_bonus_table.toml"


def position(phase: str = "II", operator: str = "HR", trains: str = "2", **given: object) -> Position:
    return turn("1833NE", phase, operator, trains, **given)  # type: ignore[arg-type]


def sentences(at: Position, train: str, *paths: str, table: Mapping[str, object] | None = None) -> tuple[str, ...]:
    """What the bonuses cannot tell about the runs."""
    runs = pretended(at, train, *paths)
    return tuple(sentence for bonus in TITLE.bonuses(at, table) for sentence in bonus.unknown(runs))


def table(**sections: object) -> dict[str, object]:
    return {"format": "trackage-bonus-table-1", "title": "1833NE", **sections}


# --- trains and map --------------------------------------------------------------------------------------------------


def test_both_faces_of_every_card_can_run() -> None:
    edition = TITLE.edition()
    assert list(edition.trains) == ["2", "2+1", "3/5", "2+2", "4/7", "3+3", "6/9", "5+3", "7+3"]
    assert [edition.trains[name].counts_fewer_than_it_visits for name in ("2", "3/5", "3+3", "6/9")] == [
        False, True, False, True,
    ]  # fmt: skip
    assert edition.trains["4/7"].can_visit(7, 0, 0)
    assert not edition.trains["4/7"].can_visit(5, 2, 1)
    assert edition.trains["7+3"].can_visit(7, 3, 0)


def test_the_takeover_game_has_more_cards_fewer_trains_and_five_more_corporations() -> None:
    standard, takeover = TITLE.edition(), TITLE.edition(["takeover_game"])
    assert (standard.train_counts["6/9"], takeover.train_counts["6/9"]) == (3, 5)
    assert takeover.train_counts["5+3"] == 5
    assert (standard.phases["IV"].train_limit, takeover.phases["IV"].train_limit) == (2, 1)
    assert len(takeover.companies - standard.companies) == 5


def test_troy_may_be_passed_and_other_exits_may_not() -> None:
    at = position()
    assert not at.ends_route(StopId("B17.o0"))
    assert all(at.ends_route(StopId(f"{hex_id}.o0")) for hex_id in ("A6", "A12", "A20", "A24", "A28", "G2", "J11"))


def test_the_sea_side_is_no_stop() -> None:
    closed = TITLE.route_rules(position(tiles={"I14": ("N24", 0)})).closed
    assert {"C28.o0", "E28.o0", "G22.o0", "I14.o0"} <= set(closed)


def test_the_shared_token_stands_in_sherbrooke_for_both() -> None:
    for operator in ("StL&A", "A&StL"):
        at = position(operator=operator, tiles={"F5": ("N11", 0)}, tokens={"F5.c0": "StL&A A&StL"})
        assert at.own_tokens == (StopId("F5.c0"),)
        assert not at.blocks(StopId("F5.c0"))
    assert position(tiles={"F5": ("N11", 0)}, tokens={"F5.c0": "StL&A A&StL"}).blocks(StopId("F5.c0"))


# --- the worked example ----------------------------------------------------------------------------------------------


def new_haven(phase: str = "II", **given: object) -> Position:
    """Hartford joined to New Haven, where its ferry leaves."""
    return position(
        phase, tiles={"C26": ("57", 0)}, tokens={"C24.c0": "HR"},
        **{"markers": {"ferries": {"HR": ["New Haven"]}, "new_ferry": "New Haven"}} | given,
    )  # fmt: skip


def test_the_new_haven_ferry_of_the_example() -> None:
    """20 + 20 + 20 for the ferry + 20 for the newest ferry = 80, and nothing about the run is open."""
    verdict = run(new_haven(), ("2", "C24.c0 C26.c0"))
    assert verdict.legal
    assert bonus_items(verdict) == [("ferry New Haven", 20), ("New", 20)]
    assert verdict.revenue == 80
    assert not sentences(new_haven(), "2", "C24.c0 C26.c0")


def test_the_runs_of_boston_and_worcester_in_the_example() -> None:
    at = position(
        "I", "B&W", "2+1 2+1",
        tiles={"F23": ("58", 2), "E22": ("57", 2), "D21": ("57", 2)},
        tokens={"G22.c0": "B&W", "E22.c0": "B&W"},
    )  # fmt: skip
    verdict = run(at, ("2+1", "G22.c0 F23.t0 E22.c0"), ("2+1", "E22.c0 D21.c0"))
    assert verdict.legal
    assert [scored.revenue for scored in verdict.routes] == [60, 40]


# --- ferries ---------------------------------------------------------------------------------------------------------


def test_a_ferry_serves_its_company_and_its_city_only() -> None:
    at = new_haven()
    assert earned(TITLE.bonuses(at), pretended(at, "2", "C24.c0 E22.c0")) == {}
    other = new_haven(markers={"ferries": {"B&P": ["New Haven"]}, "new_ferry": "New Haven"})
    assert earned(TITLE.bonuses(other), pretended(other, "2", "C24.c0 C26.c0")) == {}


def test_the_newest_ferry_may_be_another() -> None:
    at = new_haven(markers={"ferries": {"HR": ["New Haven"]}, "new_ferry": "Norwich"})
    assert earned(TITLE.bonuses(at), pretended(at, "2", "C24.c0 C26.c0")) == {"ferry New Haven": 20}


@pytest.mark.parametrize(("owner", "open_", "doubled"), [("HR", True, True), ("P1", True, False), ("HR", False, False)])
def test_p5_doubles_a_ferry_with_its_new_bonus(owner: str, open_: bool, doubled: bool) -> None:
    at = new_haven(
        privates={"P5": (owner, open_)},
        markers={"ferries": {"HR": ["New Haven"]}, "new_ferry": "New Haven", "luxury_ferry": "New Haven"},
    )
    total = sum(earned(TITLE.bonuses(at), pretended(at, "2", "C24.c0 C26.c0")).values())
    assert total == (80 if doubled else 40)


@pytest.mark.parametrize("phase", ["IV", "V"])
def test_ferries_are_gone_from_phase_four_on(phase: str) -> None:
    at = new_haven(phase)
    assert earned(TITLE.bonuses(at), pretended(at, "2", "C24.c0 C26.c0")) == {}
    assert not sentences(at, "2", "C24.c0 C26.c0")


def test_a_ferry_that_nobody_described_is_reported() -> None:
    at = new_haven(markers={"ferries": {"HR": ["Hyannis"]}})
    (sentence,) = sentences(at, "2", "C24.c0 C26.c0")
    assert "ferry Hyannis" in sentence


def test_the_last_bonus_is_reported_where_a_run_reaches_it() -> None:
    at = new_haven(markers={"ferries": {"HR": ["New Haven"]}, "last_ferry": "New Haven"})
    (sentence,) = sentences(at, "2", "C24.c0 C26.c0")
    assert "Last bonus of the ferry New Haven" in sentence
    assert not sentences(at, "2", "C24.c0 E22.c0")


def test_a_ferry_carries_interconnections_of_unknown_amount() -> None:
    (sentence,) = sentences(new_haven(), "2", "C26.c0 A28.o0")
    assert "Boston" in sentence
    assert not any("carries" in text for text in sentences(new_haven(), "2+1", "C26.c0 A28.o0 G22.c0"))


# --- connections -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "amount"), [("I", 150), ("II", 150), ("III", 200), ("IV", 200)])
def test_boston_and_montreal(phase: str, amount: int) -> None:
    at = position(phase)
    runs = pretended(at, "3/5", "G22.c0 E22.c0 B3.c1", "G22.c1 F17.c0")
    assert earned(TITLE.bonuses(at), runs) == {"Boston-Montreal": amount}
    assert not sentences(at, "3/5", "G22.c0 E22.c0 B3.c1")


def test_a_connection_needs_visited_stops_only() -> None:
    """F22: a 3/5 that visits both places and counts neither earns the bonus."""
    at = position("I")
    (all_counted,) = pretended(at, "3/5", "G22.c0 E22.c0 E20.c0 D21.c0 B3.c1")
    few = replace(all_counted, counted=stop_set("E22.c0 E20.c0 D21.c0"))
    assert earned(TITLE.bonuses(at), (few,)) == {"Boston-Montreal": 150}


def test_boston_and_montreal_in_phase_five_is_reported() -> None:
    at = position("V")
    assert earned(TITLE.bonuses(at), pretended(at, "7+3", "G22.c0 B3.c0")) == {}
    assert sentences(at, "7+3", "G22.c0 B3.c0") == (
        "What joining Boston and Montreal earns in phase V is not known, so nothing is counted for it.",
    )


@pytest.mark.parametrize("other", ["A20", "A28"])
def test_bonuses_that_are_known_to_exist_are_reported(other: str) -> None:
    at = position("I")
    assert earned(TITLE.bonuses(at), pretended(at, "3/5", f"G22.c0 {other}.o0")) == {}
    assert "What joining Boston" in sentences(at, "3/5", f"G22.c0 {other}.o0")[0]


def test_other_pairs_may_exist_and_ordinary_runs_touch_nothing() -> None:
    at = position("I")
    assert sentences(at, "2", "G22.c0 I14.c0") == (
        "Whether joining Boston and Portland earns a bonus in phase I is not known, so nothing is counted for it.",
    )
    assert not sentences(at, "2", "G22.c0 E22.c0")


def test_a_table_makes_a_pair_known() -> None:
    given = table(direct=[{"places": ["Boston", "Portland"], "amount": {"I": 70, "III": 0}}])
    runs = "G22.c0 I14.c0"
    for phase, amount in (("I", {"Boston-Portland": 70}), ("III", {})):
        at = position(phase)
        assert earned(TITLE.bonuses(at, given), pretended(at, "2", runs)) == amount
        assert not sentences(at, "2", runs, table=given)
    assert sentences(position("II"), "2", runs, table=given)
    given["complete"] = ["direct"]
    assert not sentences(position("II"), "2", runs, table=given)


def test_an_extension_earns_an_interconnection() -> None:
    at = position(
        "I", "B&W", "2+1",
        tiles={"F23": ("58", 2), "E22": ("57", 2), "D21": ("57", 2)}, tokens={"G22.c0": "B&W"},
    )  # fmt: skip
    given = table(interconnection=[{"places": ["Boston", "Springfield"], "amount": 30}])
    route = ("2+1", "G22.c0 F23.t0 E22.c0")
    verdict = run(at, route, table=given, extensions=("E22.c0 D21.c0",))
    assert verdict.legal
    assert bonus_items(verdict) == [("Boston-Springfield interconnection", 30)]
    assert run(at, route, table=given).revenue == 60


def test_the_notice_names_the_interconnections_that_count() -> None:
    at = position()
    assert "none is counted" in TITLE.notices(at)[0]
    given = table(interconnection=[{"places": ["Portland", "Troy"], "amount": 7}])
    assert "only Portland-Troy are counted" in TITLE.notices(at, given)[0]
    given["complete"] = ["interconnection"]
    assert not TITLE.notices(at, given)


# --- P4, P6, P2 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "owner", "open_", "serves"),
    [("I", "RR", True, True), ("III", "RR", True, True), ("IV", "RR", True, False), ("I", "P0", True, False),
     ("I", "CV", True, False), ("II", "RR", False, False)],
)  # fmt: skip
def test_ogdensburg_is_a_token_of_its_corporation(phase: str, owner: str, open_: bool, serves: bool) -> None:
    at = position(phase, "RR", privates={"P4": (owner, open_)})
    assert TITLE.route_rules(at).as_token == (stop_set("A6.o0") if serves else frozenset())


def test_ogdensburg_doubles_the_bonuses_of_routes_to_boston() -> None:
    given = table(direct=[{"places": ["Ogdensburg RR", "Boston"], "amount": 10}], complete=["direct"])
    through, beside = "A6.o0 B3.c0 G22.c0", "B3.c0 G22.c0"
    for options, extra in (((), 150), (("ne_ogdensburg_pair_only",), 0)):
        at = position("I", "RR", privates={"P4": ("RR", True)}, options=options)
        found = earned(TITLE.bonuses(at, given), pretended(at, "3/5", through))
        assert found.pop("Boston-Montreal doubled", 0) == extra
        assert found == {"Boston-Montreal": 150, "Boston-Ogdensburg RR": 10, "Boston-Ogdensburg RR doubled": 10}
        assert earned(TITLE.bonuses(at, given), pretended(at, "3/5", beside)) == {"Boston-Montreal": 150}
    at = position("IV", "RR", privates={"P4": ("RR", True)})
    assert earned(TITLE.bonuses(at, given), pretended(at, "3/5", through)) == {
        "Boston-Montreal": 200,
        "Boston-Ogdensburg RR": 10,
    }


def d_and_h(phase: str = "I", owner: str = "RR") -> Position:
    return position(phase, "RR", "2+1 3/5", privates={"P6": (owner, True)})


def test_d_and_h_is_open_to_its_corporation_alone() -> None:
    assert not any(stop.hex == "A12" for stop in TITLE.route_rules(d_and_h()).closed)
    assert TITLE.route_rules(d_and_h("V")).as_token == stop_set("A12.o0")
    for owner in ("P0", "CV"):
        rules = TITLE.route_rules(d_and_h(owner=owner))
        assert "P6" in rules.closed[StopId("A12.o0")]
        assert not rules.as_token
    assert StopId("A12.o0") in TITLE.route_rules(position()).closed


@pytest.mark.parametrize(("phase", "amount"), [("I", 40), ("II", 40), ("III", 70), ("IV", 70), ("V", 80)])
def test_d_and_h_pays_with_montreal_only(phase: str, amount: int) -> None:
    problem = TITLE.problem(d_and_h(phase))
    assert problem.rules.pays_only_with == {StopId("A12.o0"): stop_set("B3.c0 B3.c1")}
    for path, paid in (("A12.o0 B11.t0 B3.c0", amount), ("A12.o0 B11.t0 C8.c0", 0)):
        (first, *_) = count(problem, problem.position.edition.trains["2+1"], stops(path)).parts
        assert (first.where, first.amount) == ("A12.o0", paid)
    assert not TITLE.route_rules(d_and_h(phase, owner="CV")).pays_only_with


def montreal(trains: str) -> Position:
    """Track from D&H (40) over Westport (20), Montreal (50) and St. Jean (10) to St. Albans (20)."""
    tiles = {
        "B9": ("9", 0), "B5": ("9", 0), "B3": ("N25", 0), "C4": ("58", 0), "C6": ("9", 0), "C8": ("57", 0),
    }  # fmt: skip
    return position("II", "RR", trains, tiles=tiles, privates={"P6": ("RR", True)})


def test_a_run_from_d_and_h_to_montreal_needs_no_other_token() -> None:
    at = montreal("2+1")
    verdict = run(at, ("2+1", "A12.o0 B11.t0 B3.c0"))
    assert verdict.legal
    assert bonus_items(verdict) == []
    assert verdict.revenue == 40 + 20 + 50
    short = run(at, ("2+1", "A12.o0 B11.t0"))
    assert short.revenue == 20
    (skipped,) = short.routes[0].skipped
    assert skipped.reason == "D&H RR (A12) pays only on a route that also visits Montreal (B3)"


def test_a_train_that_chooses_counts_d_and_h_like_any_other_stop() -> None:
    """A 3/5 from D&H counts three stops; the exit holds the only token, with Montreal it is worth a place as well."""
    problem = TITLE.problem(d_and_h())
    train = problem.position.edition.trains["3/5"]
    with_montreal = count(problem, train, stops("A12.o0 B11.t0 B3.c0 E20.c0 F25.c0"))
    assert set(with_montreal.counted) == stop_set("A12.o0 B3.c0 B11.t0")
    assert with_montreal.total == 40 + 30 + 20
    without = count(problem, train, stops("A12.o0 B11.t0 E20.c0 F25.c0"))
    assert StopId("A12.o0") in without.counted
    assert without.total == 20 + 20
    assert without.token_rule is not None
    assert without.token_rule.without == 60


def test_d_and_h_is_searched_as_it_is_scored() -> None:
    for trains, revenue in (("2+1", 110), ("3/5", 110), ("2+2", 120), ("3+3", 140), ("2+1 3/5", 110)):
        problem = TITLE.problem(montreal(trains))
        best = best_runs(problem)
        assert best.revenue == revenue
        for method in ("enumerate", "constraint"):
            answer = solve(problem, method=method)  # type: ignore[arg-type]
            assert (answer.revenue, answer.proven) == (best.revenue, True)


@pytest.mark.parametrize(
    ("owner", "boston", "held"), [("P0", False, True), ("CV", False, False), ("B&L", False, False), ("P0", True, False)]
)
def test_the_lowell_rule(owner: str, boston: bool, held: bool) -> None:
    at = position(
        "II",
        "B&L",
        tiles={"G22": ("N23", 0)} if boston else {},
        tokens={"G22.c1": "B&L"},
        privates={"P2": (owner, True)},
    )
    assert bool(TITLE.route_rules(at).no_run) is held
    assert not TITLE.route_rules(position("II", "B&P", privates={"P2": (owner, True)})).no_run


def test_a_position_that_is_silent_about_p2_is_answered_with_a_notice() -> None:
    at = position("II", "B&L", tokens={"G22.c1": "B&L"})
    assert not TITLE.route_rules(at).no_run
    assert any("P2" in notice for notice in TITLE.notices(at))


# --- the table file --------------------------------------------------------------------------------------------------


def test_the_example_file_is_a_table() -> None:
    given = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    at = position("V")
    found = earned(TITLE.bonuses(at, given), pretended(at, "7+3", "G22.c0 B3.c0 A20.o0"))
    assert found == {"Boston-Montreal": 21, "Boston-Albany": 5}
    at = position("II", markers={"ferries": {"HR": ["Norwich"]}, "new_ferry": "Norwich", "last_ferry": "Norwich"})
    assert earned(TITLE.bonuses(at, given), pretended(at, "2", "C24.c0 E26.c0")) == {
        "ferry Norwich": 3, "New": 8, "Last": 4,
    }  # fmt: skip
    assert not sentences(at, "2", "G22.c0 J11.o0", table=given)


def test_a_table_overrules_what_is_on_file_phase_by_phase() -> None:
    given = table(direct=[{"places": ["G22", "B3"], "amount": {"I": 1}}])
    for phase, amount in (("I", 1), ("II", 150)):
        at = position(phase)
        assert earned(TITLE.bonuses(at, given), pretended(at, "2", "G22.c0 B3.c0")) == {"Boston-Montreal": amount}


def test_every_fault_of_a_table_is_listed() -> None:
    given: dict[str, object] = {
        "format": "something",
        "title": "1830",
        "complete": ["direct", "all"],
        "extra": 1,
        "direct": [
            {"places": ["Boston", "Atlantis"], "amount": 10},
            {"places": ["Boston", "Concord"], "amount": 10},
            {"places": ["Boston", "Boston"], "amount": 10},
            {"places": ["Boston", "Montreal"], "amount": {"VI": 10}},
            {"places": ["B3", "G22"], "amount": -5},
            {"places": ["Boston"], "amount": 10, "colour": "red"},
            {"places": ["Boston", "Albany"]},
            {"places": ["Boston", "Troy"], "amount": 10**12},
            {"places": ["Boston", "D5"], "amount": 1},
            7,
        ],
        "ferry": [{"name": "A", "city": "C26", "amount": "much"}, {"name": "A", "city": "Z9"}, {"city": "C26"}],
        "interconnection": {"places": ["Boston", "Albany"]},
    }
    with pytest.raises(InputError) as caught:
        TITLE.bonuses(position(), given)
    places = [fault.where for fault in caught.value.faults]
    assert all(place.startswith("bonus table: ") for place in places)
    assert {fault.code for fault in caught.value.faults} == {"bad-bonus-table"}
    text = str(caught.value)
    for expected in (
        "format", "title", "complete", "extra: unknown key", "'Atlantis' is neither",
        "several hexes are called 'Concord'",
        "not a pair of two places", "there is no phase 'VI'", "-5", "stand in direct twice", "colour: unknown key",
        "direct[6].amount: missing", "more than 9999", "there is no stop on D5", "7 is not a table", "'much'", "Z9",
        "ferry[2].name: missing", "list of tables",
    ):  # fmt: skip
        assert expected in text, expected


def test_titles_without_a_table_refuse_one() -> None:
    with pytest.raises(InputError, match="no bonus table"):
        get_title("1830").problem(turn("1830", "2", "PRR", "2"), {})
