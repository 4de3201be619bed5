"""The search as a whole: what people reported of others, pins, runner-ups, limits, and that order does not matter."""

from __future__ import annotations

import time
from random import Random

import pytest

from board.errors import InputError, RuleViolation
from board.hexes import HexId, Layout
from board.position import Position
from board.routes import RouteSet
from bonuses.at_stop import PlaceBonus
from bonuses.over_routes import JointBonus
from bonuses.terms import Axis
from routing.checker import check
from routing.problem import RouteProblem
from routing.result import Status
from routing.solve import METHODS, Method, solve
from tests.boards import hex_set, line, make_edition, make_problem, make_route, stop_set
from tests.strategies import random_problem

SEARCHES: tuple[Method, ...] = ("enumerate", "constraint")

#: X in the middle; to the left one hop to a 30, to the right a 20 and a 30.
TWO_LINES = line("city 30", "city 20", "city 20", "city 30")
IN_X = {"A3.c0": "A"}


def with_grid(trains: str, side: int) -> RouteProblem:
    """A wide board of cities with track to all six sides: more trails than anything could list."""
    hexes = {
        f"{chr(ord('A') + row)}{2 * column + 1 + row % 2}": "city 20 slots=2; track 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0"
        for row in range(side)
        for column in range(side)
    }
    return make_problem(make_edition(hexes), trains=trains, tokens={"C5.c0": "A"})


@pytest.mark.parametrize("method", SEARCHES)
class TestReported:
    def test_shorter_trains_do_not_take_the_only_line_of_a_longer_one(self, method: Method) -> None:
        """F06: trains 2, 2, 3; the best is 50 + 70, and the second 2 is named as idle."""
        result = solve(make_problem(TWO_LINES, trains="2 2 3", tokens=IN_X), method=method)
        assert (result.revenue, result.status) == (120, Status.PROVEN)
        assert result.idle == ("2",)
        assert sorted(route.train for route in result.routes) == ["2", "3"]

    def test_one_call_routes_all_trains(self, method: Method) -> None:
        """F07: four trains, four lines from one city."""
        star = {
            "B4": "city 10; track 0-c0 1-c0 3-c0 4-c0",
            "C3": "city 40; track 3-c0",
            "B2": "city 30; track 4-c0",
            "A5": "city 20; track 0-c0",
            "B6": "city 10; track 1-c0",
        }
        result = solve(make_problem(star, trains="2 2 2 2", tokens={"B4.c0": "A"}), method=method)
        assert (result.revenue, len(result.routes), result.idle) == (140, 4, ())

    def test_a_bonus_earned_together_is_paid_once(self, method: Method) -> None:
        """F08: either train alone would bring the joint bonus; a set earns it once."""
        board = line("offboard 10", "city 20", "city 20", "offboard 10")
        joint = JointBonus((Axis("EW", hex_set("A1"), hex_set("A7"), 50),), stop_set("A1.o0 A7.o0"), "test")
        both = solve(make_problem(board, trains="3 3", tokens=IN_X, bonuses=[joint]), method=method)
        assert both.revenue == (10 + 20) + (20 + 20 + 10) + 50
        assert [item.amount for item in both.verdict.bonuses] == [50]

    def test_the_best_pair_is_not_made_of_best_singles(self, method: Method) -> None:
        """F09: the long train alone runs 50 + 20 + 50 over both sides of its only token and leaves the other train
        nothing; the best pair holds neither of the best single routes."""
        board = line("city 50", "city 20", "city 50", "city 10")
        alone = solve(make_problem(board, trains="3", tokens=IN_X), method=method)
        result = solve(make_problem(board, trains="3 2", tokens=IN_X), method=method)
        assert (alone.revenue, result.revenue) == (120, (20 + 50 + 10) + (50 + 20))
        assert result.status is Status.PROVEN


@pytest.mark.parametrize("seed", range(60))
class TestEverywhere:
    def test_unpinned_is_never_below_pinned(self, seed: int) -> None:
        """F13, over random pins: routes of the best set and of its runner-ups, one or several."""
        rng = Random(seed)
        problem = random_problem(rng)
        best = solve(problem, top=3)
        for verdict in (best.verdict, *best.runner_ups):
            routes = tuple(scored.route for scored in verdict.routes)
            pins: RouteSet = tuple(route for route in routes if rng.randrange(2))
            if not pins or not check(problem, pins).legal:
                continue
            pinned = solve(problem, pins=pins)
            assert pinned.revenue <= best.revenue
            assert pinned.price_of_pins == best.revenue - pinned.revenue
            assert all(any(route.pieces == kept.pieces for route in pinned.routes) for kept in pins)
            assert pinned.revenue >= verdict.revenue

    def test_order_of_trains_and_tokens_changes_nothing(self, seed: int) -> None:
        problem = random_problem(Random(seed))
        position = problem.position
        turned = position.with_changes(
            trains=position.trains[::-1], tokens=dict(reversed(list(position.tokens.items())))
        )
        again = RouteProblem(turned, problem.rules, problem.bonuses[::-1])
        assert solve(again).revenue == solve(problem).revenue

    def test_the_same_answer_each_time(self, seed: int) -> None:
        first, second = (solve(random_problem(Random(seed))) for _ in range(2))
        assert first.routes == second.routes

    def test_runner_ups_fall_differ_and_lead_with_ties(self, seed: int) -> None:
        problem = random_problem(Random(seed))
        result = solve(problem, top=5)
        verdicts = (result.verdict, *result.runner_ups)
        assert [verdict.revenue for verdict in verdicts] == sorted((v.revenue for v in verdicts), reverse=True)
        tracks = [
            sorted((s.route.train, sorted(map(str, s.route.pieces))) for s in verdict.routes) for verdict in verdicts
        ]
        assert len({str(track) for track in tracks}) == len(tracks)
        assert result.revenue == solve(problem).revenue

    def test_an_avoided_route_is_not_run(self, seed: int) -> None:
        problem = random_problem(Random(seed))
        best = solve(problem)
        for route in best.routes[:1]:
            for method in SEARCHES:
                other = solve(problem, method=method, avoid=(route,))
                assert other.revenue <= best.revenue
                assert all(
                    run.train != route.train or frozenset(run.pieces) != frozenset(route.pieces) for run in other.routes
                )

    def test_an_excluded_hex_is_not_touched(self, seed: int) -> None:
        problem = random_problem(Random(seed))
        best = solve(problem)
        hexes = {hex_id for route in best.routes for hex_id in route.hexes}
        for hex_id in sorted(hexes)[:2]:
            other, second = (solve(problem, method=method, without=frozenset({hex_id})) for method in SEARCHES)
            assert other.revenue == second.revenue <= best.revenue
            assert all(hex_id not in route.hexes for route in other.routes)


def turned(position: Position) -> Position:
    """The same board turned by half a circle."""
    edition = position.edition
    xs = [edition.map.layout.coordinates(hex_id) for hex_id in edition.map.hexes]
    across, down = (max(axis) + min(axis) for axis in zip(*xs, strict=True))

    def place(hex_id: HexId) -> HexId:
        x, y = edition.map.layout.coordinates(hex_id)
        found = edition.map.layout.hex_at(across - x, down - y)
        assert found is not None
        return found

    prints = {place(printed.id): f"gray {printed.tile.rotated(3).notation}".strip() for printed in edition.map}
    tokens = {
        f"{place(hex_id)}.{city}": " ".join(name or "-" for name in names)
        for hex_id, cities in position.tokens.items()
        for city, names in cities.items()
    }
    return make_problem(make_edition(prints, layout=edition.map.layout), trains="3 2", tokens=tokens).position


@pytest.mark.parametrize("layout", Layout)
def test_turning_the_board_changes_nothing(layout: Layout) -> None:
    board = {
        "B4": "city 20 slots=2; track 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0",
        "C3": "town 10; track 3-t0 2-t0 4-t0",
        "B2": "city 30; track 4-c0 5-c0 0-c0",
        "A5": "city 40; track 0-c0 5-c0",
        "B6": "offboard 50; track 1-o0 2-o0",
        "C5": "track 1-4 2-5",
    }
    problem = make_problem(make_edition(board, layout=layout), trains="3 2", tokens={"B4.c0": "A"})
    assert solve(problem).revenue == solve(RouteProblem(turned(problem.position), problem.rules)).revenue > 0


class TestLimits:
    @pytest.mark.parametrize("method", METHODS)
    def test_a_time_limit_is_kept_and_the_best_found_comes_with_a_bound(self, method: Method) -> None:
        """F75, on a net that nothing can list: 49 cities joined on all sides, a train without limit."""
        problem = with_grid("D 6", 7)
        start = time.monotonic()
        result = solve(problem, method=method, time_limit=1.0)
        assert time.monotonic() - start < 10, "a bound on hanging, not a measurement"
        assert result.status is Status.FEASIBLE or result.bound == result.revenue
        assert result.bound >= result.revenue > 0
        assert check(problem, result.routes).legal

    def test_no_train_no_network_no_permission(self) -> None:
        for problem in (
            make_problem(TWO_LINES, trains="", tokens=IN_X),
            make_problem(TWO_LINES, trains="2"),
            make_problem({"A1": "city 20"}, trains="2", tokens={"A1.c0": "A"}),
        ):
            for method in METHODS:
                result = solve(problem, method=method)
                assert (result.revenue, result.bound, result.status) == (0, 0, Status.NO_ROUTE)
                assert result.idle == problem.position.trains


class TestPins:
    def test_a_pinned_route_stays_and_its_price_is_told(self) -> None:
        problem = make_problem(TWO_LINES, trains="2 3", tokens=IN_X)
        result = solve(problem, pins=(make_route(problem, "3", "A1.c0 A3.c0 A5.c0"),))
        assert (result.revenue, result.price_of_pins) == (70, 50)
        assert result.idle == ("2",)

    def test_an_illegal_pin_is_refused_with_its_fault(self) -> None:
        problem = make_problem(TWO_LINES, trains="3", tokens=IN_X)
        with pytest.raises(RuleViolation, match="pin"):
            solve(problem, pins=(make_route(problem, "3", "A5.c0 A7.c0"),))

    def test_more_pins_than_trains(self) -> None:
        problem = make_problem(TWO_LINES, trains="2", tokens=IN_X)
        pins = (make_route(problem, "2", "A1.c0 A3.c0"), make_route(problem, "2", "A3.c0 A5.c0"))
        with pytest.raises(InputError, match="2 routes are pinned"):
            solve(problem, pins=pins)

    def test_pins_share_joint_bonuses(self) -> None:
        board = line("offboard 10", "city 20", "city 20", "offboard 10")
        joint = JointBonus((Axis("EW", hex_set("A1"), hex_set("A7"), 50),), stop_set("A1.o0 A7.o0"), "test")
        problem = make_problem(board, trains="2 3", tokens=IN_X, bonuses=[joint])
        for method in SEARCHES:
            result = solve(problem, method=method, pins=(make_route(problem, "2", "A1.o0 A3.c0"),))
            assert result.revenue == 30 + 50 + 50

    def test_an_unknown_method(self) -> None:
        with pytest.raises(InputError, match="not a method"):
            solve(make_problem(TWO_LINES, tokens=IN_X), method="guess")  # type: ignore[arg-type]


def test_a_bonus_that_nothing_can_list_goes_to_the_constraint_model() -> None:
    """Two joint bonuses are beyond the enumeration: auto changes the method, and says which it took."""
    board = line("offboard 10", "city 20", "city 20", "offboard 10")
    apart = stop_set("A1.o0 A7.o0")
    bonuses = [JointBonus((Axis(name, hex_set("A1"), hex_set("A7"), 50),), apart, "test") for name in ("EW", "NS")]
    problem = make_problem(
        board, trains="4", tokens=IN_X, bonuses=[*bonuses, PlaceBonus("P", (stop_set("A3.c0"),), 10, "t")]
    )
    result = solve(problem)
    assert (result.revenue, result.method) == (60 + 50 + 50 + 10, "constraint")
    with pytest.raises(InputError, match="not exact"):
        solve(problem, method="enumerate")


class TestTrainsOfAnyLength:
    """Where a train of any length has more trails than are listed, auto goes over a graph of states."""

    @staticmethod
    def problem() -> RouteProblem:
        cross = {"A1": "city 20; track 2-c0 0-c0", "A3": "city 30 slots=2; track 0-c0 3-c0 1-c0 2-c0 4-c0 5-c0"}
        return make_problem(
            {**line("city 20", "city 30", "town 10", "city 40", "city 10"), **cross}, trains="D 2", tokens=IN_X
        )

    def test_the_answer_is_that_of_the_list(self, monkeypatch: pytest.MonkeyPatch) -> None:
        listed = solve(self.problem())
        monkeypatch.setattr("routing.solve._MANY", 0)
        monkeypatch.setattr("routing.solve._BEAM", 1)
        found = solve(self.problem())
        assert (listed.method, found.method) == ("enumerate", "long trains")
        assert (found.revenue, found.bound, found.status) == (listed.revenue, listed.revenue, Status.PROVEN)

    def test_a_route_to_avoid_is_avoided(self, monkeypatch: pytest.MonkeyPatch) -> None:
        best = solve(self.problem())
        listed = solve(self.problem(), avoid=(best.routes[0],))
        monkeypatch.setattr("routing.solve._MANY", 0)
        monkeypatch.setattr("routing.solve._BEAM", 1)
        found = solve(self.problem(), avoid=(best.routes[0],))
        assert best.routes[0] not in found.routes
        assert (found.revenue, found.bound, found.method) == (listed.revenue, listed.revenue, "long trains")

    def test_runner_ups_and_pins_are_listed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        best = solve(self.problem())
        monkeypatch.setattr("routing.solve._MANY", 0)
        assert solve(self.problem(), top=2).method == "enumerate"
        pinned = solve(self.problem(), pins=best.routes[:1])
        assert (pinned.revenue, pinned.method) == (best.revenue, "enumerate")
