"""Claims typed carelessly: understood in the claimant's favour, refused with what was meant perhaps, or asked back."""

from __future__ import annotations

from functools import lru_cache

import pytest

from analysis.claim_text import read_claim
from board.errors import InputError
from cli.inputs import edition_of
from records.positions import load_positions
from routing.claims import check_claim
from routing.problem import RouteProblem
from tests.boards import line, make_problem
from tests.cli.calling import ERIE, trackage
from titles.registry import get_title


@lru_cache
def erie() -> RouteProblem:
    (record,) = load_positions([ERIE], edition_of)
    return get_title("1830").problem(record.position)


@pytest.mark.parametrize(
    ("text", "routes", "total", "revenue"),
    [
        ("4: E11-D14-E19-G19; 5: E11-D10-E7-E5-F4 = 380", "4 5", 380, 380),
        ("e11-d14-e19-g19; e11-d10-e7-e5-f4 = 380", "4 5", 380, 380),
        ("E11-Rochester-Albany = 110", "5", None, 110),
        ("5: dunkirk – hamilton – london", "5", None, 110),
        ("E11 to D14 to E19 for 110", "5", None, 110),
        ("4 E11-D14", "4", None, 70),
        ("4 train E11 -> D14", "4", None, 70),
        ("detroit-london-hamilton-Buffalo; rochester-buffalo", "5 4", None, 230),
        ("e11,d14,e19,g19 = $190", "5", None, 190),
        ("New York - Albany - Rochester - Dunkirk & Buffalo = 190", "5", None, 190),
        ("5-train: E11-D10-E7; 4-train: E11-D14", "5 4", None, 180),
        ("5T: E11-D10-E7, 4T: E11-D14", "5 4", None, 180),
        ("E11 (Buffalo) - D14 (Rochester) = 70", "5", None, 70),
        ("5: E11-D14=70; 4: E11-D10=100", "5 4", None, 170),
        ("E11 D14 E19", "5", None, 110),
        ("E11-D14\nE11-D10\ntotal 170", "5 4", 170, 170),
        ("5: E11.C1-D14", "5", None, 70),
        ("E11 Dunkirk & Buffalo 50 – D14 Rochester 20", "5", None, 70),
        ("buffalo rochester albany 110", "5", None, 110),
        ("5: new york albany rochester buffalo", "5", None, 190),
        ("Buffalo, Rochester, Albany, 110", "5", None, 110),
        ("Buffalo-Rochester-Albany: 110", "5", None, 110),
        ("Buffalo-Rochester-Albany (110)", "5", None, 110),
        ("Buffalo – Rochester – Albany 110 $.", "5", None, 110),
        ("buffalo > rochester > albany makes £110", "5", None, 110),
        ("Buff…Roch…Alb", "5", None, 110),
        ("5: E11=50, D14=20, E19=40", "5", None, 110),
        ("E11=50-D14=20", "5", None, 70),
        ("Buffalo 50 - Rochester 20 - Albany 40", "5", None, 110),
        ("1) Buffalo-Rochester 70\n2) Buffalo-Toronto 100", "5 4", None, 170),
        ("Route 1: Buffalo-Rochester; Route 2: Buffalo-Toronto; total = 170", "5 4", 170, 170),
        ("Buffalo-Rochester = 70 and Buffalo-Toronto = 100", "5 4", None, 170),
        ("5: buffalo rochester 70 / 4: buffalo hamilton 100", "5 4", None, 170),
        ("ERIE: 5: Buffalo-Rochester", "5", None, 70),
        ("Erie: Buffalo-Rochester", "5", None, 70),
        ("Buffalo; Rochester; Albany", "5", None, 110),
        ("train 4: Büffalo–Róchester", "4", None, 70),
        ("4-Zug: Buffalo – Rochester", "4", None, 70),
        ("Buffalo - Rochester - Albany via Rochester", "5", None, 110),
    ],
)
def test_careless_claims_are_understood(text: str, routes: str, total: int | None, revenue: int) -> None:
    claim = read_claim(erie(), text)
    assert [route.train for route in claim.routes] == routes.split()
    assert claim.total == total
    verdict = check_claim(erie(), claim.routes)
    assert (verdict.legal, verdict.revenue) == (True, revenue)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("buffalo-rochster", "did you mean Rochester?"),
        ("4: E11", "at least two stops"),
        ("total 380", "no route is claimed"),
        ("", "no route is claimed"),
        ("9: E11-D14", "1830 has no train '9'"),
        ("E11-Z9", "no place 'Z9'"),
        ("5: E11.c7-D14", "its stops are"),
        ("Buffalo-NYC", "did you mean New York & Newark?"),
        ("Buffalo-RR", "1830 has no place 'RR'"),
        ("Buffalo-Rochester Kodak Works", "did you mean Rochester?"),
        ("bufalo-rotschester-albani", "did you mean Albany or Lansing?"),
        ("bufalo-rotschester-albani", "did you mean Rochester"),
        ("detriot london", "did you mean London or Detroit & Windsor?"),
    ],
)
def test_what_cannot_be_understood_is_answered(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_claim(erie(), text)
    assert said in str(caught.value)


def test_the_choice_is_told() -> None:
    assert read_claim(erie(), "E11-D14").notes == ("route 1 is understood as run by the 5",)
    assert read_claim(erie(), "5: E11.c1-D14").notes == ()


def test_an_ambiguous_hex_is_asked_back() -> None:
    """A1 joins either city of a hex; they pay differently, so the claimed amount decides, or a question."""
    board = {
        "A1": "city 20; track 4-c0 5-c0",
        "A3": "city 30; city 50; track 1-c0 0-c1",
        "B2": "track 2-3",
    }
    problem = make_problem(board, trains="3", tokens={"A1.c0": "A"})
    with pytest.raises(InputError) as caught:
        read_claim(problem, "3: A1-A3")
    assert "which is meant: 3: A1.c0-A3.c0 (earns 50), or 3: A1.c0-A3.c1 (earns 70)?" in str(caught.value)
    for amount, stop in ((50, "A3.c0"), (70, "A3.c1")):
        assert read_claim(problem, f"3: A1-A3 = {amount}").routes[0].stops[1] == stop
    assert check_claim(problem, read_claim(problem, "3: A1.c0-A3.c1").routes).legal


def test_only_one_reading_is_legal() -> None:
    board = {**line("city 20", "city 30"), "A3": "city 30; city 50; track 1-c0"}
    problem = make_problem(board, trains="3", tokens={"A1.c0": "A"})
    assert read_claim(problem, "A1-A3").routes[0].stops[1] == "A3.c0"


def test_trains_are_given_out_so_that_the_claim_is_legal() -> None:
    problem = make_problem(
        line("city 20", "city 30", "city 40", "city 50"), trains="2 3", tokens={"A1.c0": "A", "A5.c0": "A"}
    )
    claim = read_claim(problem, "A1-A3; A3-A5-A7")
    assert [route.train for route in claim.routes] == ["2", "3"]
    assert check_claim(problem, claim.routes).legal


def test_more_routes_than_trains_are_judged() -> None:
    problem = make_problem(line("city 20", "city 30", "city 40"), trains="2", tokens={"A3.c0": "A"})
    claim = read_claim(problem, "A1-A3; A3-A5")
    verdict = check_claim(problem, claim.routes)
    assert "train-twice" in {fault.code for fault in verdict.all_faults}


def test_no_train_at_all() -> None:
    problem = make_problem(line("city 20", "city 30"), trains="", tokens={"A1.c0": "A"})
    verdict = check_claim(problem, read_claim(problem, "A1-A3").routes)
    assert not verdict.legal


def test_score_says_how_a_claim_was_understood() -> None:
    called = trackage("score", ERIE, "--route", "E11-D14-E19 = 110", "--json").object
    assert called["understood"] == ["route 1 is understood as run by the 5"]
    assert (called["legal"], called["claimed_revenue"], called["best"]["revenue"]) == (True, 110, 380)


def test_score_gives_wrong_amounts_codes() -> None:
    wrong = trackage("score", ERIE, "--route", "5: E11-D14 = 80", "--json").object["differences"]
    assert [fault["code"] for fault in wrong] == ["wrong-revenue", "wrong-total"]
    assert "claimed 80, right 70 (-10)" in wrong[0]["message"]
