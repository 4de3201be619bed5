"""The constraint model against optima counted by hand, one board for each rule and for each shape of bonus."""

from __future__ import annotations

import time

import pytest

from board.errors import InputError
from board.hexes import HexId, Layout
from board.routes import RouteSet
from bonuses.at_stop import PlaceBonus, TrackBonus
from bonuses.by_extension import InterconnectionBonus
from bonuses.of_route import DistanceBonus, HighestStopBonus
from bonuses.over_routes import JointBonus, MostStopsBonus
from bonuses.terms import Axis
from routing.answer import Answer
from routing.checker import check
from routing.constraint.data import ModelData
from routing.constraint.model import ConstraintModel, Solution
from routing.constraint_model import solve_by_constraints
from routing.explore import explore
from routing.problem import RouteProblem
from routing.route_rules import MustVisit, RouteRules
from tests.boards import line, make_edition, make_problem, make_route, piece, stop_set

#: A1 - A3 - A5 - A7.
FOUR = line("city 20", "town 10", "city 30", "city 40")
#: Two ways from A1 to A3: straight, and over B2.
TWO_WAYS = {
    "A1": "city 20; track 4-c0 5-c0",
    "A3": "city 30; track 1-c0 0-c0",
    "B2": "track 2-3",
}
#: A star: the middle A5 joins A3, A7, B4 and B6.
STAR = {
    "A3": "city 20; track 4-c0",
    "A5": "city 10 slots=2; track 0-c0 1-c0 4-c0 5-c0",
    "A7": "city 30; track 1-c0",
    "B4": "city 40; track 3-c0",
    "B6": "city 50; track 2-c0",
}


def best(problem: RouteProblem) -> int:
    """The optimum, which has to be proven, legal and worth what the model says."""
    answer = solve_by_constraints(problem)
    return _sound(problem, answer).revenue


def _sound(problem: RouteProblem, answer: Answer) -> Answer:
    verdict = check(problem, answer.routes)
    assert verdict.legal, [str(fault) for fault in verdict.faults]
    assert verdict.revenue == answer.revenue == answer.bound
    assert answer.proven
    return answer


def hex_set(text: str) -> frozenset[HexId]:
    return frozenset(HexId(word) for word in text.split())


def stops_of(routes: RouteSet) -> list[str]:
    return [f"{route.train}: {' '.join(stop.removesuffix('.c0') for stop in route.stops)}" for route in routes]


class TestTrains:
    @pytest.mark.parametrize(
        ("trains", "revenue"),
        [
            ("2", 20 + 10),
            ("3", 20 + 10 + 30),
            ("D", 20 + 10 + 30 + 40),
            ("1+1", 20 + 10),
            ("2+1", 20 + 10 + 30),
            ("2/3", 20 + 30),
            ("2/4", 20 + 40),
            ("3/5", 20 + 30 + 40),
            ("2X", 20 + 30),
            ("8E", 20 + 30 + 40),
            ("2+D", 2 * (20 + 10 + 30)),
            ("2 3", 20 + 10 + 30),
        ],
    )
    def test_range_and_count(self, trains: str, revenue: int) -> None:
        assert best(make_problem(FOUR, trains=trains, tokens={"A1.c0": "A"})) == revenue

    def test_a_second_train_runs_the_other_way(self) -> None:
        problem = make_problem(FOUR, trains="2 2", tokens={"A5.c0": "A"})
        assert best(problem) == (30 + 40) + (10 + 30)

    def test_no_train_may_run_without_own_token(self) -> None:
        problem = make_problem(FOUR, trains="2 D", tokens={"A5.c0": "B"})
        assert solve_by_constraints(problem) == Answer((), 0, 0, proven=True)

    def test_a_train_that_counts_fewer_counts_its_token(self) -> None:
        board = line("city 60", "city 10", "city 50")
        assert best(make_problem(board, trains="2/3", tokens={"A3.c0": "A"})) == 60 + 10
        assert best(make_problem(board, trains="2/3", tokens={"A5.c0": "A"})) == 60 + 50

    def test_plus_train_lets_a_second_town_fill_a_city_place(self) -> None:
        board = line("city 20", "town 10", "town 10", "city 90")
        assert best(make_problem(board, trains="2+1", tokens={"A1.c0": "A"})) == 20 + 10 + 10
        assert best(make_problem(board, trains="2+2", tokens={"A1.c0": "A"})) == 20 + 10 + 10 + 90


class TestTrack:
    def test_each_of_two_links_serves_one_train(self) -> None:
        assert best(make_problem(TWO_WAYS, trains="2 2", tokens={"A1.c0": "A"})) == 2 * (20 + 30)
        assert best(make_problem(TWO_WAYS, trains="2 2 2", tokens={"A1.c0": "A"})) == 2 * (20 + 30)

    def test_merging_track_serves_one_train(self) -> None:
        board = {
            "A1": "city 20; track 4-c0",
            "A3": "track 1-4 1-5",
            "A5": "city 30; track 1-c0",
            "B4": "city 40; track 2-c0",
        }
        assert best(make_problem(board, trains="2 2", tokens={"A1.c0": "A"})) == 20 + 40

    def test_no_stop_twice(self) -> None:
        board = {**TWO_WAYS, "A5": "city 90; track 1-c0"}
        assert best(make_problem(board, trains="D", tokens={"A1.c0": "A"})) == 20 + 30

    def test_ends_only_at_terminal_track(self) -> None:
        board = line("city 20", "city 30", "city 40")
        board["A3"] = "city 30; track 1-c0 4-c0!"
        assert best(make_problem(board, trains="3", tokens={"A1.c0": "A"})) == 20 + 30
        assert best(make_problem(board, trains="3", tokens={"A5.c0": "A"})) == 40 + 30

    def test_a_full_city_is_an_end(self) -> None:
        board = line("city 20", "city 30", "city 40")
        tokens = {"A1.c0": "A", "A3.c0": "B"}
        assert best(make_problem(board, trains="3", tokens=tokens)) == 20 + 30
        board = line("city 20", "city 30 slots=2", "city 40")
        assert best(make_problem(board, trains="3", tokens=tokens)) == 20 + 30 + 40

    def test_an_off_board_area_is_an_end(self) -> None:
        board = line("city 20", "offboard 30", "city 40")
        assert best(make_problem(board, trains="3", tokens={"A1.c0": "A"})) == 20 + 30
        board = line("city 20", "offboard 30 through", "city 40")
        assert best(make_problem(board, trains="3", tokens={"A1.c0": "A"})) == 20 + 30 + 40

    def test_two_cities_of_a_hex_are_two_stops(self) -> None:
        board = {
            "A1": "city 20; track 4-c0",
            "A3": "city 30; city 30; track 1-c0 c0-c1 4-c1",
            "A5": "city 40; track 1-c0",
        }
        problem = make_problem(board, trains="D", tokens={"A1.c0": "A"})
        assert best(problem) == 20 + 30 + 30 + 40
        once = make_problem(board, trains="D", tokens={"A1.c0": "A"}, rules=RouteRules(hex_pays_once=True))
        assert best(once) == 20 + 30 + 40
        range_three = make_problem(board, trains="3", tokens={"A1.c0": "A"}, rules=RouteRules(hex_pays_once=True))
        assert best(range_three) == 20 + 30


class TestRules:
    def test_one_stop_of_a_group(self) -> None:
        board = line("offboard 30 group=Canada", "city 20", "offboard 40 group=Canada")
        assert best(make_problem(board, trains="3", tokens={"A3.c0": "A"})) == 20 + 40

    def test_groups_that_the_title_adds(self) -> None:
        rules = RouteRules(groups=dict.fromkeys(stop_set("A5.c0 A7.c0"), ("Paris",)))
        assert best(make_problem(FOUR, trains="D", tokens={"A1.c0": "A"}, rules=rules)) == 20 + 10 + 30

    def test_closed_stops_are_not_there(self) -> None:
        rules = RouteRules(closed=dict.fromkeys(stop_set("A5.c0"), "no ferry"))
        assert best(make_problem(FOUR, trains="D", tokens={"A1.c0": "A"}, rules=rules)) == 20 + 10

    def test_a_stop_that_counts_as_token(self) -> None:
        rules = RouteRules(as_token=stop_set("A7.c0"))
        assert best(make_problem(FOUR, trains="2", tokens={"A1.c0": "A"}, rules=rules)) == 40 + 30

    def test_every_route_visits_one_of_the_stops(self) -> None:
        rules = RouteRules(must_visit=(MustVisit(stop_set("A3.t0"), "home"),))
        assert best(make_problem(FOUR, trains="2 2", tokens={"A5.c0": "A"}, rules=rules)) == 30 + 10

    def test_conditions_add_up(self) -> None:
        both = (MustVisit(stop_set("A1.c0"), "home"), MustVisit(stop_set("A7.c0"), "goal"))
        rules = RouteRules(must_visit=both)
        assert best(make_problem(FOUR, trains="3", tokens={"A5.c0": "A"}, rules=rules)) == 0
        assert best(make_problem(FOUR, trains="4", tokens={"A5.c0": "A"}, rules=rules)) == 100

    def test_no_token_needed_where_the_rules_say_so(self) -> None:
        rules = RouteRules(token_required=False, must_visit=(MustVisit(stop_set("A1.c0 A7.c0"), "tile laid"),))
        assert best(make_problem(FOUR, trains="2", rules=rules)) == 40 + 30

    def test_a_stop_that_pays_only_with_another(self) -> None:
        rules = RouteRules(pays_only_with={stop: stop_set("A3.t0") for stop in stop_set("A7.c0")})
        assert best(make_problem(FOUR, trains="2", tokens={"A5.c0": "A"}, rules=rules)) == 30 + 10
        assert best(make_problem(FOUR, trains="D", tokens={"A5.c0": "A"}, rules=rules)) == 20 + 10 + 30 + 40

    def test_no_run(self) -> None:
        problem = make_problem(FOUR, trains="2", tokens={"A1.c0": "A"}, rules=RouteRules(no_run="the train is new"))
        assert solve_by_constraints(problem) == Answer((), 0, 0, proven=True)


class TestBonusesOfOneRoute:
    def test_a_place(self) -> None:
        bonus = PlaceBonus("port", (stop_set("A3.t0"),), 50, "test")
        assert best(make_problem(FOUR, trains="2", tokens={"A5.c0": "A"}, bonuses=[bonus])) == 30 + 10 + 50

    def test_a_pair_of_places_for_each_route(self) -> None:
        bonus = PlaceBonus("pair", (stop_set("A3.c0 A7.c0"), stop_set("B4.c0")), 30, "test")
        problem = make_problem(STAR, trains="3 3", tokens={"A5.c0": "A"}, bonuses=[bonus])
        assert best(problem) == (30 + 10 + 40) + 30 + (20 + 10 + 50)

    def test_a_loss_is_avoided_or_taken(self) -> None:
        toll = PlaceBonus("toll", (stop_set("A5.c0"), stop_set("A7.c0")), -50, "test")
        assert best(make_problem(FOUR, trains="2", tokens={"A5.c0": "A"}, bonuses=[toll])) == 30 + 10
        toll = PlaceBonus("toll", (stop_set("A5.c0"), stop_set("A7.c0")), -10, "test")
        assert (
            solve_by_constraints(make_problem(FOUR, trains="2", tokens={"A5.c0": "A"}, bonuses=[toll])).revenue
            == 30 + 40 - 10
        )

    def test_a_counted_place(self) -> None:
        bonus = PlaceBonus("port", (stop_set("A3.t0"),), 15, "test", counted=True)
        assert best(make_problem(FOUR, trains="2/3", tokens={"A1.c0": "A"}, bonuses=[bonus])) == 20 + 30
        bonus = PlaceBonus("port", (stop_set("A3.t0"),), 15, "test")
        assert best(make_problem(FOUR, trains="2/3", tokens={"A1.c0": "A"}, bonuses=[bonus])) == 20 + 30 + 15

    def test_track_decides_between_two_links(self) -> None:
        bonus = TrackBonus("crossing", frozenset({piece("B2:2-3")}), 40, "test")
        problem = make_problem(TWO_WAYS, trains="2", tokens={"A1.c0": "A"}, bonuses=[bonus])
        answer = _sound(problem, solve_by_constraints(problem))
        assert answer.revenue == 20 + 30 + 40
        assert answer.routes[0].hexes == ("A1", "B2", "A3")

    def test_the_highest_other_stop(self) -> None:
        values = {stop: 90 if stop == "A7.c0" else 60 for stop in stop_set("A5.c0 A7.c0")}
        bonus = HighestStopBonus("copy", stop_set("A3.t0"), values, "test")
        assert best(make_problem(FOUR, trains="3", tokens={"A5.c0": "A"}, bonuses=[bonus])) == 10 + 30 + 40 + 90
        assert best(make_problem(FOUR, trains="3", tokens={"A1.c0": "A"}, bonuses=[bonus])) == 20 + 10 + 30 + 60
        assert best(make_problem(FOUR, trains="2", tokens={"A7.c0": "A"}, bonuses=[bonus])) == 30 + 40

    @pytest.mark.parametrize("layout", list(Layout))
    def test_distance_between_the_outermost_stops(self, layout: Layout) -> None:
        along, back = (0, 3) if layout is Layout.FLAT else (4, 1)
        board = {
            "A1": f"town 10; track {along}-t0",
            "A3": f"city 10; track {back}-c0 {along}-c0",
            "A5": f"city 10; track {back}-c0 5-c0",
            "B6": "city 10; track 2-c0",
        }
        edition = make_edition(board, layout=layout)
        no_towns = stop_set("A3.c0 A5.c0 B6.c0")
        bonus = DistanceBonus("X", frozenset({"4X"}), 10, no_towns, layout, "test")
        tokens = {"A5.c0": "A"}
        assert best(make_problem(edition, trains="4X", tokens=tokens, bonuses=[bonus])) == 30 + 10 * 2
        assert best(make_problem(edition, trains="4", tokens=tokens, bonuses=[bonus])) == 40

    def test_distance_is_not_that_of_stops_in_between(self) -> None:
        board = {
            "B2": "city 10; track 3-c0 0-c0",
            "A3": "city 10; track 0-c0 4-c0",
            "A5": "city 10; track 1-c0",
            "C1": "city 10; track 3-c0 4-c0",
            "C3": "city 10; track 1-c0",
        }
        # A5 - A3 - B2 - C1 - C3: from end to end two hexes, A5 to C1 three.
        stops = stop_set("A5.c0 A3.c0 B2.c0 C1.c0 C3.c0")
        bonus = DistanceBonus("X", frozenset({"5X", "4X"}), 10, stops, Layout.POINTY, "test")
        assert best(make_problem(board, trains="5X", tokens={"B2.c0": "A"}, bonuses=[bonus])) == 50 + 20
        assert best(make_problem(board, trains="4X", tokens={"B2.c0": "A"}, bonuses=[bonus])) == 40 + 30


class TestJointBonuses:
    NORTH_SOUTH = Axis("NS", hex_set("A3"), hex_set("B6"), 100)

    def problem(
        self, trains: str, *axes: Axis, apart: str = "", whole: bool = False, tokens: str = "A5.c0"
    ) -> RouteProblem:
        bonus = JointBonus(axes or (self.NORTH_SOUTH,), stop_set(apart), "test", once_per_connected_group=whole)
        return make_problem(STAR, trains=trains, tokens={tokens: "A"}, bonuses=[bonus])

    def test_one_route_reaches_both(self) -> None:
        assert best(self.problem("3")) == 20 + 10 + 50 + 100

    def test_two_routes_reach_both_together(self) -> None:
        assert best(self.problem("2 2")) == (20 + 10) + (10 + 50) + 100

    def test_routes_without_common_stop_do_not(self) -> None:
        assert best(self.problem("2 2", apart="A5.c0")) == (40 + 10) + (10 + 50)

    def test_each_set_earns_once(self) -> None:
        axes = (self.NORTH_SOUTH, Axis("EW", hex_set("A7"), hex_set("B4"), 50))
        whole = 20 + 10 + 50 + 30 + 10 + 40
        assert best(self.problem("3 3", *axes)) == whole + 100 + 50
        same = Axis("NS", hex_set("A3 A7"), hex_set("B6 B4"), 100)
        assert best(self.problem("3 3", same)) == whole + 100 + 100
        assert best(self.problem("3 3", same, whole=True)) == whole + 100

    def test_the_hexes_that_a_route_runs_through_count(self) -> None:
        board = line("city 20", "", "city 30")
        axis = Axis("NS", hex_set("A1"), hex_set("A3"), 40)
        bonus = JointBonus((axis,), frozenset(), "test")
        assert best(make_problem(board, trains="2", tokens={"A1.c0": "A"}, bonuses=[bonus])) == 20 + 30 + 40

    def test_a_set_hangs_together_over_a_third_route(self) -> None:
        board = line("city 20", "city 30", "city 40", "city 50")
        bonus = JointBonus((Axis("NS", hex_set("A1"), hex_set("A7"), 100),), frozenset(), "test")
        tokens = {"A3.c0": "A", "A5.c0": "A"}
        assert best(make_problem(board, trains="2 2 2", tokens=tokens, bonuses=[bonus])) == 50 + 70 + 90 + 100
        assert best(make_problem(board, trains="2 2", tokens=tokens, bonuses=[bonus])) == 70 + 90


class TestMostStops:
    def test_one_route_earns_for_all_its_stops(self) -> None:
        bonus = MostStopsBonus("mail", 20, stop_set("A1.c0 A3.t0 A5.c0 A7.c0"), "test")
        problem = make_problem(FOUR, trains="2 3", tokens={"A5.c0": "A"}, bonuses=[bonus])
        assert best(problem) == (20 + 10 + 30) + 3 * 20 + (30 + 40)


class TestExtensions:
    BOARD = line("city 20", "city 30", "city 40", "city 50", "city 60")
    TOKENS = {"A1.c0": "A", "A5.c0": "B"}  # noqa: RUF012

    def bonus(self, one: str, other: str, amount: int = 100) -> InterconnectionBonus:
        return InterconnectionBonus("beyond", stop_set(one), stop_set(other), amount, "test")

    def test_beyond_a_blocking_city(self) -> None:
        problem = make_problem(self.BOARD, trains="2", tokens=self.TOKENS, bonuses=[self.bonus("A1.c0", "A7.c0")])
        answer = _sound(problem, solve_by_constraints(problem))
        assert answer.revenue == 20 + 30 + 100
        (extension,) = answer.routes[0].extensions
        assert [extension[0].start, *(leg.end for leg in extension)] == ["A3.c0", "A5.c0", "A7.c0"]

    def test_not_for_a_route_that_visits_both(self) -> None:
        problem = make_problem(self.BOARD, trains="3", tokens=self.TOKENS, bonuses=[self.bonus("A1.c0", "A5.c0")])
        assert best(problem) == 20 + 30 + 100
        problem = make_problem(self.BOARD, trains="3", tokens=self.TOKENS, bonuses=[self.bonus("A1.c0", "A5.c0", 30)])
        assert best(problem) == 20 + 30 + 40

    def test_not_over_track_of_another_train(self) -> None:
        board = line("city 20", "city 30", "city 40")
        bonus = self.bonus("A1.c0", "A5.c0", 50)
        problem = make_problem(board, trains="2 2", tokens={"A3.c0": "A"}, bonuses=[bonus])
        assert best(problem) == 20 + 30 + 30 + 40
        alone = make_problem(board, trains="2", tokens={"A3.c0": "A"}, bonuses=[bonus])
        assert best(alone) == 30 + 40 + 50

    def test_one_extension_serves_several_bonuses(self) -> None:
        bonuses = [self.bonus("A1.c0", "A7.c0", 40), self.bonus("A7.c0", "A3.c0", 50)]
        problem = make_problem(self.BOARD, trains="2", tokens=self.TOKENS, bonuses=bonuses)
        assert best(problem) == 20 + 30 + 40 + 50

    def test_one_from_each_end(self) -> None:
        bonuses = [self.bonus("A5.c0", "A1.c0", 40), self.bonus("A5.c0", "A9.c0", 50)]
        problem = make_problem(self.BOARD, trains="2", tokens={"A5.c0": "A"}, bonuses=bonuses)
        answer = _sound(problem, solve_by_constraints(problem))
        assert answer.revenue == 40 + 50 + 40 + 50
        assert len(answer.routes[0].extensions) == 2

    def test_not_through_an_off_board_area_nor_from_one(self) -> None:
        board = line("city 20", "city 30", "offboard 40", "city 50")
        bonus = self.bonus("A3.c0", "A7.c0")
        assert best(make_problem(board, trains="2", tokens={"A1.c0": "A"}, bonuses=[bonus])) == 20 + 30
        assert best(make_problem(board, trains="2", tokens={"A3.c0": "A"}, bonuses=[bonus])) == 30 + 40

    def test_not_over_terminal_track(self) -> None:
        board = {**self.BOARD, "A5": "city 40; track 1-c0! 4-c0"}
        problem = make_problem(board, trains="2", tokens=self.TOKENS, bonuses=[self.bonus("A1.c0", "A7.c0")])
        assert best(problem) == 20 + 30
        problem = make_problem(board, trains="2", tokens=self.TOKENS, bonuses=[self.bonus("A1.c0", "A5.c0")])
        assert best(problem) == 20 + 30 + 100

    def test_only_what_earns_is_told(self) -> None:
        ring = {
            "A3": "city 10; track 0-c0 5-c0",
            "B2": "city 10; track 3-c0 4-c0",
            "B4": "city 10; track 2-c0 1-c0",
        }
        problem = make_problem(ring, trains="2", tokens={"A3.c0": "A"}, bonuses=[self.bonus("A3.c0", "B4.c0 B2.c0")])
        assert best(problem) == 20
        problem = make_problem(ring, trains="2", tokens={"A3.c0": "A"}, bonuses=[self.bonus("A3.c0", "B4.c0")])
        answer = _sound(problem, solve_by_constraints(problem))
        assert answer.revenue == 20 + 100
        assert len(answer.routes[0].extensions) == 1


class TestWhatTheCallerAsksFor:
    def problem(self, trains: str = "2 3") -> RouteProblem:
        return make_problem(STAR, trains=trains, tokens={"A5.c0": "A"})

    def test_pins_are_kept(self) -> None:
        problem = self.problem()
        pin = make_route(problem, "3", "A3.c0 A5.c0 B4.c0")
        answer = _sound(problem, solve_by_constraints(problem, pins=(pin,)))
        assert answer.revenue == (20 + 10 + 40) + (10 + 50)
        assert "3: A3 A5 B4" in stops_of(answer.routes)

    def test_all_trains_pinned(self) -> None:
        problem = self.problem("2 2")
        pins = (make_route(problem, "2", "A3.c0 A5.c0"), make_route(problem, "2", "A7.c0 A5.c0"))
        assert solve_by_constraints(problem, pins=pins).revenue == 30 + 40

    def test_pins_that_share_track_are_refused(self) -> None:
        problem = self.problem()
        pins = (make_route(problem, "3", "A3.c0 A5.c0 B4.c0"), make_route(problem, "2", "A3.c0 A5.c0"))
        with pytest.raises(InputError, match="cannot run together"):
            solve_by_constraints(problem, pins=pins)

    def test_pins_without_train_are_refused(self) -> None:
        problem = self.problem("2")
        with pytest.raises(InputError, match="cannot run together"):
            solve_by_constraints(problem, pins=(make_route(problem, "3", "A3.c0 A5.c0 B4.c0"),))

    def test_routes_to_avoid(self) -> None:
        problem = self.problem("3")
        avoid: RouteSet = ()
        found = []
        for _ in range(3):
            answer = _sound(problem, solve_by_constraints(problem, avoid=avoid))
            found.append(answer.revenue)
            avoid += answer.routes
        assert found == [50 + 10 + 40, 50 + 10 + 30, 40 + 10 + 30]

    def test_hexes_to_do_without(self) -> None:
        assert solve_by_constraints(self.problem("3"), without=frozenset({HexId("B6")})).revenue == 40 + 10 + 30

    def test_a_hint_changes_nothing(self) -> None:
        problem = self.problem()
        poor = (make_route(problem, "2", "A3.c0 A5.c0"),)
        assert solve_by_constraints(problem, hint=poor).revenue == best(problem)
        assert solve_by_constraints(problem, hint=solve_by_constraints(problem).routes).revenue == best(problem)

    def test_a_hint_of_another_board_is_ignored(self) -> None:
        other = make_problem(FOUR, trains="2", tokens={"A5.c0": "A"})
        hint = (make_route(other, "2", "A5.c0 A7.c0"),)
        problem = self.problem()
        assert solve_by_constraints(problem, hint=hint).revenue == best(problem)

    def test_what_is_known_when_time_is_over_is_no_bound(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def no_time(model: ConstraintModel, seconds: float | None, workers: int) -> Solution | None:
            return None if seconds is not None else solve(model, seconds, workers)

        solve = ConstraintModel.solve
        monkeypatch.setattr(ConstraintModel, "solve", no_time)
        problem = self.problem("3 3")
        hint = (make_route(problem, "3", "A3.c0 A5.c0 B4.c0"),)
        answer = solve_by_constraints(problem, hint=hint, time_limit=1.0)
        assert (answer.routes, answer.revenue, answer.proven) == (hint, 70, False)
        assert answer.bound >= 160
        assert solve_by_constraints(problem, time_limit=1.0).revenue == 0

    def test_a_hint_is_taken_for_trains_in_any_order(self) -> None:
        problem = self.problem("2 3 2 2")
        paths = ("B6.c0 A5.c0", "A5.c0 A3.c0", "A7.c0 A5.c0")
        hint = tuple(make_route(problem, "2", path) for path in paths)
        assert _sound(problem, solve_by_constraints(problem, hint=hint[:2])).revenue == best(problem)
        assert _sound(problem, solve_by_constraints(problem, hint=hint[::-1])).revenue == best(problem)

    def test_out_of_time_the_hint_stands(self) -> None:
        problem = self.problem("3 3")
        hint = (make_route(problem, "3", "A3.c0 A5.c0 B4.c0"), make_route(problem, "3", "A7.c0 A5.c0 B6.c0"))
        start = time.perf_counter()
        answer = solve_by_constraints(problem, hint=hint, time_limit=0.0)
        assert time.perf_counter() - start < 2
        assert answer.revenue >= 70 + 90
        assert answer.bound >= 160
        assert check(problem, answer.routes).revenue == answer.revenue


class TestWhatAModelLeavesOut:
    def nodes(self, trains: str, tokens: str = "A1.c0") -> list[str]:
        problem = make_problem(FOUR, trains=trains, tokens={tokens: "A"})
        data = ModelData(problem, explore(problem))
        return [data.network.stops[node] for node in data.trains[0].nodes]

    def test_stops_beyond_the_range(self) -> None:
        assert self.nodes("2") == ["A1.c0", "A3.t0"]
        assert self.nodes("3") == ["A1.c0", "A3.t0", "A5.c0"]
        assert self.nodes("D") == ["A1.c0", "A3.t0", "A5.c0", "A7.c0"]

    def test_towns_that_a_train_passes_free_do_not_shorten_it(self) -> None:
        assert self.nodes("2X") == ["A1.c0", "A3.t0", "A5.c0"]

    def test_the_range_of_each_kind_of_stop(self) -> None:
        assert self.nodes("1+1") == ["A1.c0", "A3.t0"]
        assert self.nodes("2+1") == ["A1.c0", "A3.t0", "A5.c0"]

    def test_trains_without_any_track(self) -> None:
        problem = make_problem({"A1": "city 20"}, trains="2 3", tokens={"A1.c0": "A"})
        assert ModelData(problem, explore(problem)).trains == ()
        assert solve_by_constraints(problem) == Answer((), 0, 0, proven=True)
