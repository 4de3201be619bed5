"""1846: counted stops, east-west, ports, Meat Packing, Boomtown, the mail, Chicago; and its recorded positions.

Source: digest 1846 section 12; field cases F07, F19, F20, F22, F23, F25, F26, F36, F37.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest

from board.edition import Edition
from board.hexes import StopId
from board.position import Position
from records.positions import load_positions
from routing.claims import check_claim
from routing.explore import explore
from routing.oracle import best_runs
from routing.scoring import count
from routing.solve import METHODS, solve
from tests.boards import make_claim, stop_set, stops
from tests.titles.turns import bonus_items, codes, earned, pretended, run, turn
from titles.registry import get_title

TITLE = get_title("1846")
#: From Pittsburgh over Homewood, Cleveland, Toledo and Detroit to Port Huron, and from Detroit to Holland and Windsor.
LAKES: Mapping[str, tuple[str, int]] = {
    "F18": ("8", 2), "E17": ("294", 0), "E15": ("8", 2), "D14": ("14", 2), "C15": ("294", 0), "B16": ("6", 4),
    "C13": ("8", 2), "B12": ("8", 5), "B10": ("9", 1),
}  # fmt: skip
BROWN = {**LAKES, "E17": ("297", 3), "D14": ("611", 5)}
WEST_TO_EAST = "B8.o0 C15.c0 D14.c0 E17.c0"


def position(phase: str = "II", operator: str = "NYC", trains: str = "3/5", **given: object) -> Position:
    return turn("1846", phase, operator, trains, players=5, **given)  # type: ignore[arg-type]


def lakes(trains: str, own: str, phase: str = "II", *, operator: str = "NYC", **given: object) -> Position:
    """The operator's tokens stand in the cities *own*; Cleveland meets Homewood from brown on."""
    tiles = BROWN if phase in ("III", "IV") else LAKES
    return position(phase, operator, trains, tiles=tiles, tokens=dict.fromkeys(own.split(), operator), **given)


def best(at: Position) -> int:
    """The best revenue, on which both methods and the checker agree."""
    results = [solve(TITLE.problem(at), method=method) for method in METHODS]
    assert all(result.proven for result in results)
    assert len({result.revenue for result in results}) == 1
    return results[0].revenue


# --- trains ----------------------------------------------------------------------------------------------------------


def test_faces_and_numbers_of_the_cards() -> None:
    for players, numbers in ((3, [7, 4, 4, 3, 3, 9, 9]), (4, [8, 5, 5, 4, 4, 9, 9]), (5, [9, 6, 6, 5, 5, 9, 9])):
        edition = TITLE.edition((), players)
        assert list(edition.trains) == ["2", "4", "3/5", "5", "4/6", "6", "7/8"]
        assert [edition.train_counts[name] for name in edition.trains] == numbers
    chooses = [name for name, train in edition.trains.items() if train.counts_fewer_than_it_visits]
    assert chooses == ["3/5", "4/6", "7/8"]


@pytest.mark.parametrize(
    ("phase", "own", "path", "right", "without"),
    [
        ("II", "D14.c0", "E17.c0 D14.c0 C15.c0 B8.o0", 130, 140),
        ("III", "D14.c0", "E17.c0 D14.c0 C15.c0 C17.o0", 160, 170),
        ("III", "F20.c0", "F22.o0 F20.c0 E17.c0 D14.c0 C15.c0", 140, 180),
    ],
)
def test_a_counted_stop_holds_an_own_token(phase: str, own: str, path: str, right: int, without: int) -> None:
    """F19, the most frequent false alarm; the answer says which stop counts for its token, and what it costs."""
    at = lakes("3/5", own, phase)
    verdict = run(at, ("3/5", path))
    (scored,) = verdict.routes
    assert verdict.legal
    assert verdict.revenue == right
    assert StopId(own) in scored.counted
    assert scored.token_rule is not None
    assert (scored.token_rule.stop, scored.token_rule.without) == (own, without)
    assert f"would pay {without} instead of {right}" in scored.explanation
    assert TITLE.problem(at).token_stops == stop_set(own)


def test_ends_need_not_count() -> None:
    """F20: a route over 40, 50 and 20 pays 110; an end of 30 more pays 120, the 20 is left out."""
    at = lakes("3/5", "C15.c0")
    assert run(at, ("3/5", "B8.o0 C15.c0 B16.c0")).revenue == 110
    longer = run(at, ("3/5", "B8.o0 C15.c0 B16.c0 B18.o0"))
    assert (longer.legal, longer.revenue) == (True, 120)
    assert longer.routes[0].counted == stops("B8.o0 C15.c0 B18.o0")


@pytest.mark.parametrize("train", ["3/5", "4/6", "7/8"])
@pytest.mark.parametrize("own", ["F20.c0", "D14.c0", "C15.c0"])
def test_a_further_stop_never_lowers_the_revenue(train: str, own: str) -> None:
    """F20: within the range of the train, with all bonuses."""
    at = lakes(
        train, own, "III", privates={"MAIL": ("NYC", True)},
        markers={"assigned": {"D14": ["SC"]}, "assigned_companies": {"NYC": ["SC"]}},
    )  # fmt: skip
    line = ("F22.o0", "F20.c0", "E17.c0", "D14.c0", "C15.c0", "B16.c0")
    home, extended = line.index(own), 0
    for first in range(home + 1):
        revenues = [
            verdict.revenue
            for end in range(max(home + 1, first + 2), len(line) + 1)
            if (verdict := run(at, (train, " ".join(line[first:end])))).legal
        ]
        assert revenues == sorted(revenues)
        extended += len(revenues) - 1
    assert extended >= 3


def test_one_stop_too_many_is_refused_and_the_range_is_told() -> None:
    """F25, F26."""
    at = lakes("3/5 4/6", "D14.c0", "III")
    line = "F22.o0 F20.c0 E17.c0 D14.c0 C15.c0 B16.c0"
    assert codes(run(at, ("3/5", line))) == {"too-long"}
    verdict = run(at, ("4/6", line))
    assert verdict.legal
    assert verdict.routes[0].range_used == "6 of 6 cities or off-boards visited, 4 counted"
    assert len(verdict.routes[0].counted) == 4


def test_a_claim_over_the_whole_map_is_answered_at_once() -> None:
    """There are millions of ways to choose seven of all stops; a route beyond the range is not worth trying them."""
    at = lakes("7/8", "D14.c0", "III")
    start = perf_counter()
    counted = count(TITLE.problem(at), at.edition.trains["7/8"], tuple(at.stops))
    assert len(counted.counted) == 7
    assert perf_counter() - start < 2


def test_all_trains_are_routed_at_once() -> None:
    """F07: four trains, all of which can run."""
    result = solve(TITLE.problem(lakes("2 2 2 4", "E17.c0 D14.c0 C15.c0", "II")))
    assert result.proven
    assert len(result.routes) == 4
    assert not result.idle


def test_a_train_that_is_not_listed_may_not_run() -> None:
    """F37: a position lists the trains that may still run; a 2 that ran with its minor is not among them."""
    at = lakes("3/5", "D14.c0")
    assert codes(run(at, ("3/5", "E17.c0 D14.c0"), ("2", "D14.c0 C15.c0"))) == {"train-not-owned"}


def test_a_hop_over_an_empty_hex() -> None:
    """F36: one fault names the hex, the other route is scored."""
    tiles = {**LAKES, "F16": ("9", 1), "F14": ("8", 4), "G13": ("57", 0), "G19": ("14", 1)}
    del tiles["F18"]
    at = position("II", trains="2 2", tiles=tiles, tokens={"G13.c0": "NYC", "D14.c0": "NYC"})
    verdict = check_claim(
        TITLE.problem(at),
        [make_claim("2", "G19.c0 G13.c0", "G19 F18 F16 F14 G13"), make_claim("2", "D14.c0 C15.c0")],
    )
    assert [fault.message for fault in verdict.all_faults] == ["no track on F18"]
    assert verdict.routes[1].revenue == 80


# --- groups and Chicago ----------------------------------------------------------------------------------------------


def test_two_eastern_ends_are_one_too_many() -> None:
    at = lakes("4/6", "D14.c0", "III")
    assert codes(run(at, ("4/6", "F22.o0 F20.c0 E17.c0 D14.c0 C15.c0 C17.o0"))) == {"group-twice"}
    assert at.groups(StopId("C21.o0")) == at.groups(StopId("G21.o0")) == ("E",)


def chicago(*, green: bool = True) -> Position:
    """Own tokens in two cities of Chicago, whose south-east side leads to Fort Wayne (E11)."""
    tiles = {"E7": ("8", 2), "E9": ("9", 1), "E11": ("57", 1)} | ({"D6": ("298", 0)} if green else {})
    return position("II", trains="2 2", tiles=tiles, tokens={"D6.c3": "NYC", "D6.c2": "NYC"})


def test_chicago_is_visited_once_a_route() -> None:
    at = chicago()
    for part in range(4):
        assert at.groups(StopId(f"D6.c{part}")) == ("Chicago",)
    assert at.value(StopId("D6.c3")) == 40


def test_side_two_of_chicago_serves_one_route_a_turn() -> None:
    at = chicago()
    one, other = ("2", "C5.o0 D6.c3"), ("2", "C5.o0 D6.c2")
    assert run(at, one).revenue == run(at, other).revenue == 60
    assert codes(run(at, one, other)) == {"track-twice"}


def test_chicago_connections_is_out_of_reach_before_green() -> None:
    def reached(at: Position) -> set[str]:
        return {stop.hex for stop in explore(TITLE.problem(at)).stops}

    assert "C5" in reached(chicago())
    assert reached(chicago(green=False)) == {"D6", "E11"}


# --- bonuses ---------------------------------------------------------------------------------------------------------

EAST = {"B18": 20, "F22": 20, "G21": 20, "I17": 20, "C17": 30, "C21": 30, "D22": 30, "E23": 30, "H20": 30}
WEST = {"C5": 50, "I1": 20}


@pytest.mark.parametrize("phase", ["I", "II", "III", "IV"])
def test_east_west_pays_both_printed_numbers(phase: str) -> None:
    at = position(phase)
    for east, one in EAST.items():
        for west, other in WEST.items():
            runs = pretended(at, "6", f"{west}.o0 G9.c0 {east}.o0")
            assert earned(TITLE.bonuses(at), runs) == {"East-West": one + other}
        assert earned(TITLE.bonuses(at), pretended(at, "6", f"B8.o0 {east}.o0", f"J10.o0 {east}.o0")) == {}
    assert earned(TITLE.bonuses(at), pretended(at, "6", "C5.o0 D6.c0 I1.o0")) == {}


def chosen(at: Position, train: str, path: str) -> tuple[set[str], int]:
    """The stops that a train counts, whatever track lies there, and what they earn with their bonuses."""
    problem = TITLE.problem(at)
    counted = count(problem, at.edition.trains[train], stops(path))
    (all_counted,) = pretended(at, train, path)
    run_ = replace(all_counted, counted=frozenset(counted.counted))
    return {str(stop) for stop in counted.counted}, counted.total + sum(earned(problem.bonuses, (run_,)).values())


def test_east_west_needs_both_ends_counted() -> None:
    """F22: dearer stops are left out for the bonus where that pays; where a token takes a place the bonus may fail."""
    at = lakes("3/5", "D14.c0 E17.c0")
    # 20 + 20 + 50 (Cleveland, own) with 50 + 30 is more than 50 + 50 + 30
    assert chosen(at, "3/5", "C5.o0 C15.c0 D14.c0 E17.c0 E23.o0") == ({"C5.o0", "E17.c0", "E23.o0"}, 90 + 80)
    at = lakes("3/5", "D14.c0")
    assert chosen(at, "3/5", "C5.o0 C15.c0 D14.c0 E17.c0 E23.o0") == ({"C5.o0", "D14.c0", "E23.o0"}, 70 + 80)
    elsewhere = position(tiles={"G7": ("57", 0)}, tokens={"G7.c0": "NYC"})
    assert chosen(elsewhere, "4/6", "I1.o0 G7.c0 C15.c0 E21.c0 I17.o0")[1] == 50 + 20 + 40 + 20 + 40
    assert chosen(elsewhere, "3/5", "I1.o0 G7.c0 C15.c0 E23.o0")[1] == 50 + 20 + 20 + 50


def assigned(hex_id: str, marker: str, company: str = "NYC") -> dict[str, object]:
    return {"assigned": {hex_id: [marker]}, "assigned_companies": {company: [marker]}}


@pytest.mark.parametrize(
    ("marker", "hex_id", "amount"),
    [("SC", "B8", 40), ("SC", "G19", 40), ("SC", "C5", 20), ("SC", "D14", 20), ("SC", "I1", 20),
     ("MPC", "I1", 30), ("MPC", "D6", 30), ("BT", "H12", 20)],
)  # fmt: skip
def test_markers_pay_their_company_on_every_route(marker: str, hex_id: str, amount: int) -> None:
    for phase in ("I", "II", "III", "IV"):
        at = position(phase, markers=assigned(hex_id, marker))
        stop = at.stops_on(StopId(f"{hex_id}.c0").hex)[-1]
        (paid, *_) = [*earned(TITLE.bonuses(at), pretended(at, "4", f"{stop} G9.c0", f"{stop} C15.c0")).values(), 0]
        assert paid == (0 if phase == "IV" else 2 * amount)
        assert bool(TITLE.notices(at)) == (phase == "IV")
    foreign = position(markers=assigned(hex_id, marker, "B&O"))
    assert earned(TITLE.bonuses(foreign), pretended(foreign, "4", f"{stop} G9.c0")) == {}
    assert not TITLE.notices(foreign)


@pytest.mark.parametrize(
    "markers",
    [{"assigned": {"B8": ["SC"]}}, {"assigned_companies": {"NYC": ["SC"]}},
     {"assigned": {"B8": ["SC"]}, "assigned_companies": {"NYC": ["MPC"]}}],
)  # fmt: skip
def test_a_marker_needs_a_hex_and_a_company(markers: dict[str, object]) -> None:
    at = position(markers=markers)
    assert earned(TITLE.bonuses(at), pretended(at, "4", "B8.o0 C15.c0")) == {}


@pytest.mark.parametrize(("hex_id", "marker"), [("E17", "SC"), ("H12", "MPC"), ("B8", "BT"), ("B8", "XYZ")])
def test_a_marker_where_it_does_not_belong_is_reported(hex_id: str, marker: str) -> None:
    at = position(markers=assigned(hex_id, marker))
    stop = at.stops_on(StopId(f"{hex_id}.c0").hex)[0]
    assert earned(TITLE.bonuses(at), pretended(at, "4", f"{stop} C15.c0")) == {}
    (notice,) = TITLE.notices(at)
    assert marker in notice
    assert hex_id in notice


def test_a_marked_stop_must_be_counted() -> None:
    """Toledo (30) with its port is worth more than Holland (40); with two ports Holland is worth more than both."""
    plain = lakes("3/5", "C15.c0")
    assert run(plain, ("3/5", WEST_TO_EAST)).routes[0].counted == stops("B8.o0 C15.c0 E17.c0")
    one = lakes("3/5", "C15.c0", markers=assigned("D14", "SC"))
    verdict = run(one, ("3/5", WEST_TO_EAST))
    assert verdict.routes[0].counted == stops("C15.c0 D14.c0 E17.c0")
    assert (verdict.revenue, bonus_items(verdict)) == (50 + 30 + 50 + 20, [("Port", 20)])
    two = lakes("3/5", "D14.c0", markers=assigned("B8", "SC"))
    verdict = run(two, ("3/5", WEST_TO_EAST))
    assert (verdict.revenue, bonus_items(verdict)) == (40 + 50 + 30 + 40, [("Port", 40)])
    told = "without that rule the stops with their bonuses would pay 180 instead of 160"
    assert told in verdict.routes[0].explanation


# --- mail ------------------------------------------------------------------------------------------------------------


def with_mail(trains: str, own: str = "D14.c0", owner: str = "NYC", *, open_: bool = True) -> Position:
    return lakes(trains, own, "III", privates={"MAIL": (owner, open_)})


def test_mail_is_paid_for_visited_stops() -> None:
    """F22: six stops visited, four counted: 60."""
    verdict = run(with_mail("4/6"), ("4/6", "F22.o0 F20.c0 E17.c0 D14.c0 C15.c0 B16.c0"))
    assert verdict.legal
    assert bonus_items(verdict) == [("Mail 6 stops", 60)]
    assert verdict.revenue == 70 + 60 + 50 + 40 + 60


def test_mail_is_paid_once_on_the_longest_route() -> None:
    """F23."""
    verdict = run(with_mail("4/6 2", "D14.c0 C15.c0"), ("2", "C15.c0 B16.c0"), ("4/6", "E17.c0 D14.c0 C15.c0"))
    assert bonus_items(verdict) == [("Mail 3 stops", 30)]
    assert [sum(item.amount for item in scored.bonuses) for scored in verdict.routes] == [0, 30]


@pytest.mark.parametrize(
    ("owner", "open_", "paid"), [("NYC", True, 20), ("NYC", False, 0), ("B&O", True, 0), ("P0", True, 0)]
)
def test_mail_belongs_to_its_owner(owner: str, open_: bool, paid: int) -> None:
    at = with_mail("2", owner=owner, open_=open_)
    assert run(at, ("2", "D14.c0 C15.c0")).revenue == 40 + 50 + paid


def test_a_longer_run_pays_for_the_mail_alone() -> None:
    """A 4/6 that has counted its four best stops goes on to a fifth and sixth for 10 each."""
    result = solve(TITLE.problem(with_mail("4/6", "E17.c0 D14.c0")))
    assert len(result.routes[0].stops) == 6


# --- both methods, the oracle and the recorded positions -------------------------------------------------------------


@pytest.mark.parametrize("trains", ["2", "3/5", "2 3/5", "4/6", "3/5 4", "7/8"])
@pytest.mark.parametrize("own", ["D14.c0", "C15.c0", "F20.c0 B16.c0"])
def test_the_search_finds_what_the_oracle_finds(trains: str, own: str) -> None:
    at = lakes(
        trains, own, "III", privates={"MAIL": ("NYC", True)},
        markers={"assigned": {"D14": ["SC"]}, "assigned_companies": {"NYC": ["SC", "BT"]}},
    )  # fmt: skip
    assert best(at) == best_runs(TITLE.problem(at)).revenue


def test_every_bonus_says_whether_it_needs_counted_stops() -> None:
    """F22."""
    markers = {
        "assigned": {"B8": ["SC"], "D6": ["MPC"], "H12": ["BT"]},
        "assigned_companies": {"NYC": ["SC", "MPC", "BT"]},
    }
    at = position(privates={"MAIL": ("NYC", True)}, markers=markers)
    counted = {bonus.label: getattr(bonus, "counted", False) for bonus in TITLE.bonuses(at)}  # type: ignore[attr-defined]
    assert counted == {"East-West": True, "Port": True, "Meat Packing": True, "Boomtown": True, "Mail": False}


def _edition(title: str, options: Iterable[str], players: int | None) -> Edition:
    return get_title(title).edition(options, players)


def test_recorded_positions_are_solved(shared: Path) -> None:
    """All 177: proven, not below what was run or known; on a sample the constraint model agrees."""
    records = load_positions(sorted((shared / "positions" / "1846").glob("*.jsonl")), _edition)
    assert len(records) == 177
    for number, record in enumerate(records):
        problem = TITLE.problem(record.position)
        result = solve(problem, method="enumerate")
        known = record.known_best.revenue if record.known_best is not None else 0
        assert result.proven, record.source
        assert result.revenue >= max(record.claimed_revenue or 0, known), record.source
        assert not result.verdict.notices, record.source
        if number % 15 == 0:
            assert solve(problem, method="constraint").revenue == result.revenue, record.source
