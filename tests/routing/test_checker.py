"""Verdicts: parts, bonuses of one and of several routes, and what must not matter."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from board.hexes import StopId
from board.routes import ClaimedRoute, Leg, Route
from board.trains import TrainType
from bonuses.at_stop import PlaceBonus
from bonuses.base import BonusItem, KnownBonus, Run
from bonuses.over_routes import JointBonus
from bonuses.terms import Axis, Term
from routing.checker import check, credited
from routing.claims import check_claim
from routing.oracle import trails
from routing.problem import RouteProblem
from tests.boards import hex_set, line, make_edition, make_position, make_problem, make_route, piece, stop_set
from tests.routing.helpers import everything, judge, sum_of
from tests.strategies import problems

#: 18GB in small: north A1, south A9; the routes meet in A5. West C1, east C9 is an off-board where routes do not join.
NORTH_SOUTH = {
    "A1": "city 20; track 4-c0",
    "A3": "city 20; track 1-c0 4-c0",
    "A5": "city 30 slots=2; track 1-c0 4-c0 0-c0 5-c0",
    "A7": "city 20; track 1-c0 4-c0",
    "A9": "city 20; track 1-c0",
    "B4": "city 10; track 3-c0",
    "B6": "offboard 40; track 2-o0",
}
AXIS = Axis("NS", hex_set("A1"), hex_set("A9"), 30)


def north_south(
    trains: str, apart: str = "B6.o0", *, once: bool = False, axes: tuple[Axis, ...] = (AXIS,)
) -> RouteProblem:
    bonus = JointBonus(axes, stop_set(apart), "18GB section 8, Compass", once)
    tokens = {"A1.c0": "A", "A3.c0": "A", "A5.c0": "A", "A7.c0": "A", "A9.c0": "A"}
    return make_problem(NORTH_SOUTH, trains=trains, tokens=tokens, bonuses=[bonus])


class TestBonusesOfOneRoute:
    def test_they_stand_with_the_route_and_with_the_set(self) -> None:
        bonus = PlaceBonus("Liverpool", (stop_set("A3.c0"),), 30, "test")
        problem = make_problem(
            line("city 20", "city 40", "city 50"), trains="2 2", tokens={"A3.c0": "A"}, bonuses=[bonus]
        )
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A3.c0"), make_route(problem, "2", "A3.c0 A5.c0"))
        assert [scored.revenue for scored in verdict.routes] == [90, 120]
        assert [scored.bonuses[0].label for scored in verdict.routes] == ["Liverpool", "Liverpool"]
        assert [item.routes for item in verdict.bonuses] == [(0,), (1,)]
        assert verdict.revenue == 210

    def test_parts_sum_to_the_route_and_routes_to_the_set(self) -> None:
        bonus = PlaceBonus("Liverpool", (stop_set("A3.c0"),), 30, "test")
        problem = make_problem(line("city 20", "city 40"), trains="2", tokens={"A3.c0": "A"}, bonuses=[bonus])
        scored = judge(problem, make_route(problem, "2", "A1.c0 A3.c0")).routes[0]
        assert sum_of(scored) == scored.revenue

    def test_they_concern_visited_stops_counted_or_not(self) -> None:
        """F22: a private's or a ferry's bonus is paid for a stop that the train visits without counting it."""
        bonus = PlaceBonus("ferry", (stop_set("A5.c0"),), 20, "test")
        board = line("city 30", "city 40", "city 10", "city 50")
        problem = make_problem(board, trains="3/5", tokens={"A1.c0": "A"}, bonuses=[bonus])
        scored = judge(problem, make_route(problem, "3/5", "A1.c0 A3.c0 A5.c0 A7.c0")).routes[0]
        assert "A5.c0" not in scored.counted
        assert scored.revenue == 30 + 40 + 50 + 20


class TestJointBonuses:
    """F03: a bonus that several routes earn together is told of the set; an off-board does not join routes."""

    def test_two_routes_that_meet_in_a_city(self) -> None:
        problem = north_south("3 3")
        routes = make_route(problem, "3", "A1.c0 A3.c0 A5.c0"), make_route(problem, "3", "A5.c0 A7.c0 A9.c0")
        verdict = judge(problem, *routes)
        assert verdict.bonuses == (BonusItem("NS", 30, (0, 1)),)
        assert [scored.revenue for scored in verdict.routes] == [70, 70]
        assert [scored.bonuses for scored in verdict.routes] == [(), ()]
        assert verdict.revenue == 170
        assert credited(verdict) == (100, 70)
        assert credited(check(problem, routes[::-1])) == (100, 70)

    def test_a_bonus_of_one_route_is_no_joint_one(self) -> None:
        problem = north_south("5 2")
        verdict = judge(
            problem, make_route(problem, "2", "A5.c0 B4.c0"), make_route(problem, "5", "A1.c0 A3.c0 A5.c0 A7.c0 A9.c0")
        )
        assert verdict.bonuses[0].routes == (1,)
        assert credited(verdict) == (40, 140)

    def test_a_chain_of_three_routes_in_any_order(self) -> None:
        problem = north_south("2 3 2")
        routes = (
            make_route(problem, "2", "A1.c0 A3.c0"),
            make_route(problem, "3", "A3.c0 A5.c0 A7.c0"),
            make_route(problem, "2", "A7.c0 A9.c0"),
        )
        verdict = judge(problem, *routes)
        assert verdict.bonuses == (BonusItem("NS", 30, (0, 1, 2)),)

    def test_two_routes_that_meet_off_the_board_only(self) -> None:
        board = line("city 20", "offboard 40", "city 30")
        bonus = JointBonus((Axis("EW", hex_set("A1"), hex_set("A5"), 30),), stop_set("A3.o0"), "test")
        problem = make_problem(board, trains="2 2", tokens={"A1.c0": "A", "A5.c0": "A"}, bonuses=[bonus])
        routes = make_route(problem, "2", "A1.c0 A3.o0"), make_route(problem, "2", "A5.c0 A3.o0")
        assert judge(problem, *routes).bonuses == ()

    def test_the_off_board_itself_may_be_a_direction(self) -> None:
        axis = Axis("NE", hex_set("A1"), hex_set("B6"), 20)
        problem = north_south("4", axes=(axis,))
        assert judge(problem, make_route(problem, "4", "A1.c0 A3.c0 A5.c0 B6.o0")).revenue == 20 + 20 + 30 + 40 + 20

    def test_each_set_earns_the_bonus_once(self) -> None:
        """Two routes that each join both directions earn it twice, although they share a stop."""
        board = {**NORTH_SOUTH, "A1": "city 20; track 4-c0 5-c0", "A9": "city 20; track 1-c0 0-c0"}
        board |= {"B2": "track 2-4", "B4": "track 1-4", "B6": "track 1-4", "B8": "track 1-3"}
        tokens = {"A1.c0": "A", "A3.c0": "A", "A5.c0": "A"}
        for once, times in ((False, 2), (True, 1)):
            bonus = JointBonus((AXIS,), frozenset(), "test", once)
            problem = make_problem(board, trains="5 2", tokens=tokens, bonuses=[bonus])
            routes = (
                make_route(problem, "5", "A1.c0 A3.c0 A5.c0 A7.c0 A9.c0"),
                make_route(problem, "2", "A1.c0 A9.c0"),
            )
            assert sum(item.amount for item in judge(problem, *routes).bonuses) == 30 * times

    def test_hexes_between_the_stops_count_as_reached(self) -> None:
        """18GB section 8: every hex with track of the route counts, not only stops."""
        board = line("city 20", "", "city 30")
        bonus = JointBonus((Axis("NS", hex_set("A1"), hex_set("A3"), 30),), frozenset(), "test")
        problem = make_problem(board, trains="2", tokens={"A1.c0": "A"}, bonuses=[bonus])
        assert judge(problem, make_route(problem, "2", "A1.c0 A5.c0")).revenue == 80


class _Undisclosed(KnownBonus):
    source = "test"

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        return ()

    def at_most(self, trains: Sequence[TrainType]) -> int:
        return 0

    def terms(self) -> tuple[Term, ...]:
        return ()

    def unknown(self, runs: Sequence[Run]) -> tuple[str, ...]:
        return tuple("the value of Boston-Albany is not known" for run in runs if StopId("A1.c0") in run.stops)


class TestNotices:
    def test_what_is_not_known_is_said_once(self) -> None:
        problem = make_problem(
            line("city 20", "city 40", "city 10"),
            trains="2 2",
            tokens={"A1.c0": "A", "A3.c0": "A"},
            bonuses=[_Undisclosed()],
            notices=["the bonus table is not complete"],
        )
        first, second = make_route(problem, "2", "A1.c0 A3.c0"), make_route(problem, "2", "A3.c0 A5.c0")
        assert check(problem, (first, second)).notices == (
            "the value of Boston-Albany is not known",
            "the bonus table is not complete",
        )
        assert check(problem, (second,)).notices == ("the bonus table is not complete",)


class TestWhatDoesNotMatter:
    """On generated boards, for arbitrary sets of trails, legal or not."""

    @settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
    @given(problem=problems(), rng=st.randoms(use_true_random=False))
    def test_order_and_direction(self, problem: RouteProblem, rng: Random) -> None:
        found = list(islice(trails(problem.position), 200))
        if not found:
            return
        routes = [
            Route(rng.choice(problem.position.trains), found[rng.randrange(len(found))])
            for _ in range(rng.randint(1, 3))
        ]
        judge(problem, *routes)

    @settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
    @given(problem=problems(), rng=st.randoms(use_true_random=False))
    def test_adding_a_route_never_mends_a_set(self, problem: RouteProblem, rng: Random) -> None:
        found = list(islice(trails(problem.position), 200))
        if not found:
            return
        routes = tuple(Route(train, found[rng.randrange(len(found))]) for train in problem.position.trains)
        for number in range(len(routes)):
            if not check(problem, routes[:number]).legal:
                assert not check(problem, routes[: number + 1]).legal

    @settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
    @given(problem=problems(extensions=True), rng=st.randoms(use_true_random=False))
    def test_parts_sum_to_the_total(self, problem: RouteProblem, rng: Random) -> None:
        """F17: every total equals the sum of its parts, and nothing is negative."""
        found = list(islice(trails(problem.position), 200))
        routes = tuple(Route(train, found[rng.randrange(len(found))]) for train in problem.position.trains if found)
        verdict = check(problem, routes)
        assert sum(item.amount for item in everything(verdict)) == verdict.revenue == sum(credited(verdict))
        assert all(item.amount >= 0 for item in everything(verdict))
        for scored in verdict.routes:
            assert sum_of(scored) == scored.revenue
            assert {part.where for part in scored.parts} == set(scored.counted)
            assert set(scored.stops) == set(scored.counted) | {skipped.stop for skipped in scored.skipped}


class TestAnything:
    """Whatever is said of routes, the checker answers with faults and never breaks."""

    STOPS = ("A1.c0", "A3.c0", "B4.c0", "B4.t0", "B4.o0", "B4.j0", "C5.c1", "Z9.c0", "a2.t0", "A3", "nowhere", "")
    TRACK = ("0-3", "1-4", "2-c0", "0-c0!", "1-t0", "4-o0", "j0-3", "c0-c1", "0-j0!", "2-5~")

    @settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
    @given(problem=problems(extensions=True), rng=st.randoms(use_true_random=False))
    def test_garbage(self, problem: RouteProblem, rng: Random) -> None:
        hexes = ["Q1", *problem.position.layout_of]

        def leg() -> Leg:
            pieces = tuple(piece(f"{rng.choice(hexes)}:{rng.choice(self.TRACK)}") for _ in range(rng.randrange(4)))
            return Leg(StopId(rng.choice(self.STOPS)), StopId(rng.choice(self.STOPS)), pieces)

        def some_legs() -> tuple[Leg, ...]:
            return tuple(leg() for _ in range(rng.randrange(4)))

        routes = tuple(
            Route(
                rng.choice(["2", "D", "3/5", "rocket", ""]),
                some_legs(),
                tuple(some_legs() for _ in range(rng.randrange(2))),
            )
            for _ in range(rng.randint(1, 3))
        )
        verdict = check(problem, routes)
        assert not verdict.legal
        assert all(fault.code and fault.message for fault in verdict.all_faults)
        claims = [
            ClaimedRoute(route.train, route.stops, tuple(other.hexes for other in route.legs)[: rng.randrange(4)])
            for route in routes
        ]
        check_claim(problem, claims)


class TestLayouts:
    @pytest.mark.parametrize("turns", range(6))
    def test_turning_a_tile_with_its_neighbours_changes_nothing(self, turns: int) -> None:
        """The same star, turned: each arm meets the middle across the next side."""
        arms = ("C3", "B2", "A3", "A5", "B6", "C5")  # the neighbours of B4 across sides 0 to 5
        one, other = turns, (turns + 2) % 6
        board = {
            "B4": f"city 20; track {one}-c0 {other}-c0",
            arms[one]: f"city 30; track {(one + 3) % 6}-c0",
            arms[other]: f"town 10; track {(other + 3) % 6}-t0",
        }
        problem = make_problem(make_edition(board), trains="3", tokens={"B4.c0": "A"})
        assert judge(problem, make_route(problem, "3", f"{arms[one]}.c0 B4.c0 {arms[other]}.t0")).revenue == 60

    def test_a_tile_is_read_as_it_lies(self) -> None:
        edition = make_edition(
            {"A1": "city 20; track 4-c0", "A3": "white city 0", "A5": "city 30; track 1-c0"},
            tiles={"57": "city 20; track 0-c0 3-c0"},
        )
        position = make_position(edition, trains="3", tokens={"A1.c0": "A"}, tiles={"A3": ("57", 1)})
        problem = RouteProblem(position, make_problem(edition).rules)
        assert judge(problem, make_route(problem, "3", "A1.c0 A3.c0 A5.c0")).revenue == 70


def test_the_checker_shares_no_module_with_the_search() -> None:
    """What the checker loads holds none of the search's modules, directly or by way of others."""
    program = "import sys, routing.checker; print(*(name for name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    allowed = {"routing.checker", "routing.legality", "routing.scoring", "routing.problem", "routing.route_rules"}
    assert {name for name in loaded if name.startswith("routing.")} == allowed
    assert "board.network" not in loaded
