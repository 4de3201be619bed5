"""The smallest change that makes an illegal claim legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from analysis import repair as repairs
from analysis.repair import Repair, best_repair, told
from board.hexes import StopId
from board.routes import ClaimedRoute
from cli.inputs import edition_of
from records.positions import load_positions
from routing.checker import Verdict
from routing.claims import check_claim
from routing.problem import RouteProblem
from tests.boards import line, make_problem
from tests.cli.calling import ERIE
from titles.registry import get_title


def erie() -> RouteProblem:
    (record,) = load_positions([ERIE], edition_of)
    return get_title("1830").problem(record.position)


def claim(train: str, *stops: str) -> ClaimedRoute:
    return ClaimedRoute(train, tuple(StopId.parse(stop) for stop in stops))


def test_one_stop_too_many_at_an_end() -> None:
    claimed = [claim("4", "D10.c1", "E11.c1", "D14.c0", "E19.c0", "G19.c1")]
    assert not check_claim(erie(), claimed).legal
    repair = best_repair(erie(), claimed)
    assert repair == Repair(0, (), 240, "5")  # the 5 is idle and reaches so far


def test_stops_on_the_way_that_were_not_named() -> None:
    claimed = [claim("5", "E11.c1", "E5.c0")]
    repair = best_repair(erie(), claimed)
    assert repair is not None
    assert repair.added == ((0, (StopId("D10.c1"), StopId("E7.t0"))),)
    verdict = check_claim(erie(), repair.applied(claimed))
    assert (verdict.legal, verdict.revenue) == (True, repair.revenue)


def test_stops_that_were_not_named_in_several_gaps() -> None:
    claimed = [claim("5", "F4.c0", "D10.c1", "E11.c1", "E19.c0")]
    assert len(check_claim(erie(), claimed).all_faults) > 1
    repair = best_repair(erie(), [replace(claimed[0], stops=claimed[0].stops[1:])])
    assert repair is not None
    assert repair.added == ((1, (StopId("D14.c0"),)),)
    five = [claim("5", "F4.c0", "D10.c1", "D14.c0")]
    repair = best_repair(erie(), five)
    assert repair is None  # six stops are too many for the 5


def test_towns_that_a_train_passes_need_not_be_few() -> None:
    """A claim that names the cities alone is filled with the towns on the way in every gap."""
    board = line("city 20", "town 10", "town 10", "city 30", "town 10", "city 40")
    problem = make_problem(board, trains="3X", tokens={"A1.c0": "A"})
    claimed = [claim("3X", "A1.c0", "A7.c0", "A11.c0")]
    repair = best_repair(problem, claimed)
    assert repair is not None
    assert repair.added == ((0, (StopId("A3.t0"), StopId("A5.t0"))), (1, (StopId("A9.t0"),)))
    verdict = check_claim(problem, repair.applied(claimed))
    assert (verdict.legal, verdict.revenue) == (True, repair.revenue)
    said = told(repair, claimed, problem.position)
    assert said == "legal if route 1 (3X) also names A3 and A5 after A1, A9 after A7: 90"


def test_an_extension_that_earns_nothing_is_not_run() -> None:
    board = line("city 20", "city 30", "city 40")
    problem = make_problem(board, trains="2", tokens={"A1.c0": "A"})
    claimed = [replace(claim("2", "A1.c0", "A3.c0"), extensions=((StopId("A3.c0"), StopId("A5.c0")),))]
    assert not check_claim(problem, claimed).legal
    repair = best_repair(problem, claimed)
    assert repair == Repair(0, (), 50, unextended=True)
    assert check_claim(problem, repair.applied(claimed)).legal
    assert told(repair, claimed, problem.position) == "legal if route 1 (2) is not prolonged so: 50"


def test_two_routes_swap_their_trains() -> None:
    claimed = [claim("4", "E11.c1", "D10.c1", "E7.t0", "E5.c0", "F4.c0"), claim("5", "E11.c1", "D14.c0", "E19.c0")]
    assert best_repair(erie(), claimed) == Repair(0, (), 300, "5", 1)


def test_a_stop_too_many_for_every_train() -> None:
    claimed = [claim("5", "E5.c0", "E7.t0", "D10.c1", "E11.c1", "D14.c0", "E19.c0")]
    repair = best_repair(erie(), claimed)
    assert repair is not None
    assert repair.left_out
    verdict = check_claim(erie(), repair.applied(claimed))
    assert (verdict.legal, verdict.revenue) == (True, repair.revenue)


def test_a_blocked_city_cannot_be_run_through() -> None:
    claimed = [claim("5", "D10.c1", "E7.t0", "E5.c0", "F4.c0", "F2.o0")]
    repair = best_repair(erie(), claimed)
    assert repair is None  # no token either: leaving out Chicago is not enough
    claimed = [claim("5", "E11.c1", "D14.c0", "E19.c0", "E23.c0", "F24.t0")]
    assert best_repair(erie(), claimed) == Repair(0, (StopId("F24.t0"),), 160)


def test_one_of_two_routes_stays_idle() -> None:
    claimed = [claim("4", "E11.c1", "D14.c0"), claim("5", "E11.c1", "D14.c0")]
    assert best_repair(erie(), claimed) == Repair(0, (), 70)


def test_every_repair_is_legal() -> None:
    claimed = [
        claim("4", "E11.c1", "D14.c0", "E19.c0", "G19.c1"),
        claim("5", "E11.c1", "D14.c0", "E19.c0", "E23.c0"),
    ]
    repair = best_repair(erie(), claimed)
    assert repair is not None
    verdict = check_claim(erie(), repair.applied(claimed))
    assert (verdict.legal, verdict.revenue) == (True, repair.revenue)


def test_the_stops_that_are_tried_for_a_repair_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    claimed = [claim("5", *["E11.c1", "D14.c0"] * 100)]
    tried: list[int] = []

    def counting(problem: RouteProblem, claimed: Sequence[ClaimedRoute]) -> Verdict:
        tried.append(sum(len(route.stops) for route in claimed))
        return check_claim(problem, claimed)

    monkeypatch.setattr(repairs, "check_claim", counting)
    assert best_repair(erie(), claimed) is None
    assert 0 < sum(tried) <= 2 * repairs.MOST_STOPS
