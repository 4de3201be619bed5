"""Which stops count and what they pay. Source: COMMON section 9, "Train types"."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board.hexes import StopId
from board.trains import StopKind
from routing.checker import ScoredRoute, check
from routing.problem import RouteProblem
from routing.route_rules import RouteRules
from routing.scoring import count, most_paid, range_of, range_used, within_range
from tests.boards import TRAINS, line, make_problem, make_route, make_train
from tests.routing.helpers import judge


def scored(train: str, prints: list[str], own: int | None = 0, phase: str = "yellow") -> ScoredRoute:
    """A route over all stops of a line; *own* is the place of the city with the own token."""
    problem = line_problem(train, prints, own, phase)
    in_order: list[StopId] = sorted(problem.position.stops, key=lambda stop: stop.sort_key)
    path = " ".join(in_order)
    return judge(problem, make_route(problem, train, path)).routes[0]


def line_problem(train: str, prints: list[str], own: int | None = 0, phase: str = "yellow") -> RouteProblem:
    tokens = {} if own is None else {f"A{2 * own + 1}.c0": "A"}
    return make_problem(line(*prints), trains=train, tokens=tokens, phase=phase)


def cities(*values: int) -> list[str]:
    return [f"city {value}" for value in values]


def amounts(route: ScoredRoute) -> list[int]:
    return [part.amount for part in route.parts]


class TestPlainTrains:
    def test_all_visited_stops_count(self) -> None:
        route = scored("4", ["city 20", "town 10", "offboard 30"])
        assert (amounts(route), route.revenue, route.skipped) == ([20, 10, 30], 60, ())

    def test_values_follow_the_phase(self) -> None:
        prints = ["city 20", "offboard yellow=30,brown=50"]
        assert scored("2", prints).revenue == 50
        assert scored("2", prints, phase="brown").revenue == 70
        assert scored("2", prints, phase="brown").values == (20, 50)

    @pytest.mark.parametrize("train", ["2+1", "3+1"])
    def test_plus_trains_count_all_too(self, train: str) -> None:
        assert scored(train, ["city 20", "town 10", "city 30"]).revenue == 60

    def test_a_stop_that_pays_nothing_is_named(self) -> None:
        """F41: stops that pay 0 stand in the breakdown, with the reason."""
        route = scored("2", ["city 20", "offboard brown=50"])
        assert amounts(route) == [20, 0]
        assert [(skipped.stop, skipped.reason) for skipped in route.skipped] == [
            ("A3.o0", "A3 pays nothing in phase yellow")
        ]


class TestExpressTrains:
    """Towns are passed and not counted (18GB 4X to 6X, 1828 8E)."""

    @pytest.mark.parametrize("train", ["2X", "8E"])
    def test_towns_do_not_count(self, train: str) -> None:
        route = scored(train, ["city 20", "town 10", "city 30"])
        assert route.revenue == 50
        assert route.counted == ("A1.c0", "A5.c0")
        assert [skipped.reason for skipped in route.skipped] == [f"a {train} passes towns without counting them"]
        assert route.token_rule is None


class TestDoublingTrains:
    """1828 3+D: the doubled value replaces the printed one."""

    def test_every_stop_is_shown_doubled(self) -> None:
        route = scored("3+D", ["city 20", "town 10", "city 30", "offboard 40"])
        assert amounts(route) == [40, 20, 60, 80]
        assert route.revenue == 200
        assert route.values == (20, 10, 30, 40)


class TestTokenRule:
    """F19: a train that counts fewer stops than it visits counts one with an own token."""

    @pytest.mark.parametrize(
        ("train", "values", "own", "right", "without"),
        [
            ("3/5", (50, 30, 50, 40), 1, 130, 140),  # Cleveland – Toledo – Detroit – Holland
            ("3/5", (60, 60, 40, 60), 2, 160, 180),
            ("3/5", (70, 10, 60, 50, 40), 1, 140, 180),
            ("2/4", (10, 20, 30, 40), 0, 50, 70),
            ("2/3", (10, 20, 30), 1, 50, 50),
            ("2/3", (10, 20, 30), 2, 50, 50),
        ],
    )
    def test_the_token_counts(self, train: str, values: tuple[int, ...], own: int, right: int, without: int) -> None:
        route = scored(train, cities(*values), own)
        assert route.revenue == right
        token = StopId(f"A{2 * own + 1}.c0")
        assert token in route.counted or right == without
        if right == without:
            assert route.token_rule is None
            assert route.explanation == ""
        else:
            assert route.token_rule is not None
            assert (route.token_rule.stop, route.token_rule.without) == (token, without)
            assert route.explanation == (
                f"{token.hex} is counted because it holds an own token; "
                f"without that rule the stops would pay {without} instead of {right}"
            )

    def test_skipped_stops_say_why(self) -> None:
        route = scored("3/5", cities(50, 30, 50, 40), 1)
        assert [(skipped.stop, skipped.reason) for skipped in route.skipped] == [
            ("A7.c0", "a 3/5 counts 3 of the stops that it visits")
        ]

    def test_the_dearest_of_several_own_tokens(self) -> None:
        problem = make_problem(line(*cities(10, 20, 30, 40)), trains="2/4", tokens={"A1.c0": "A", "A3.c0": "A"})
        route = judge(problem, make_route(problem, "2/4", "A1.c0 A3.c0 A5.c0 A7.c0")).routes[0]
        assert route.counted == ("A3.c0", "A7.c0")

    def test_what_counts_as_token_counts_here_too(self) -> None:
        rules = RouteRules(as_token=frozenset({StopId("A1.o0")}))
        problem = make_problem(line("offboard 10", "city 20", "city 30"), trains="2/3", rules=rules)
        route = judge(problem, make_route(problem, "2/3", "A1.o0 A3.c0 A5.c0")).routes[0]
        assert route.counted == ("A1.o0", "A5.c0")

    def test_no_token_is_counted_where_none_is_required(self) -> None:
        problem = make_problem(line(*cities(10, 20, 30)), trains="2/3", rules=RouteRules(token_required=False))
        route = judge(problem, make_route(problem, "2/3", "A1.c0 A3.c0 A5.c0")).routes[0]
        assert (route.revenue, route.token_rule) == (50, None)

    def test_a_train_that_counts_all_has_no_choice(self) -> None:
        assert scored("3/5", cities(10, 20, 30)).token_rule is None
        assert scored("3", cities(10, 20, 30)).token_rule is None


class TestFreeChoice:
    """F20: the counted stops are chosen freely, ends included."""

    def test_an_end_may_be_left_out(self) -> None:
        assert scored("3/5", cities(20, 40, 40), 1).revenue == 100
        assert scored("3/5", cities(20, 40, 40, 30), 1).revenue == 110
        assert scored("3/5", cities(20, 40, 40, 30), 1).counted == ("A3.c0", "A5.c0", "A7.c0")

    @given(
        train=st.sampled_from([name for name in TRAINS if name not in ("1+1",)]),
        prints=st.lists(st.tuples(st.sampled_from(["city", "town"]), st.integers(0, 9)), min_size=2, max_size=9),
        own=st.integers(0, 8),
    )
    def test_a_further_stop_within_range_never_costs_anything(
        self, train: str, prints: list[tuple[str, int]], own: int
    ) -> None:
        places = [f"{kind} {10 * value}" for kind, value in prints]
        own %= len(places)
        places[own] = places[own].replace("town", "city")
        problem = line_problem(train, places, own)
        path = sorted(problem.position.stops, key=lambda stop: stop.sort_key)
        for shorter, longer in pairwise(range(2, len(path) + 1)):
            routes = [make_route(problem, train, " ".join(path[:number])) for number in (shorter, longer)]
            before, after = (check(problem, (route,)) for route in routes)
            if after.legal and before.legal:
                assert after.revenue >= before.revenue


class TestBestSubset:
    """The counted stops against every subset, tried one by one."""

    @given(
        train=st.sampled_from(["2/3", "2/4", "3/5", "4/6", "2", "3", "2+1", "3+3", "2X", "3+D"]),
        stops=st.lists(st.tuples(st.sampled_from("cto"), st.integers(0, 6), st.booleans()), min_size=2, max_size=6),
    )
    def test_it_is_a_best_one_of_the_largest(self, train: str, stops: list[tuple[str, int, bool]]) -> None:
        words = {"c": "city", "t": "town", "o": "offboard"}
        board = {
            f"A{2 * place + 1}": f"{words[kind]} {10 * value}; track 1-{kind}0"
            for place, (kind, value, _) in enumerate(stops)
        }
        visited = [StopId(f"A{2 * place + 1}.{kind}0") for place, (kind, _, _) in enumerate(stops)]
        own = [stop for stop, (kind, _, token) in zip(visited, stops, strict=True) if kind == "c" and token]
        problem = make_problem(board, trains=train, tokens=dict.fromkeys(own, "A"))
        train_type = problem.position.edition.trains[train]
        kinds = {stop: problem.position.stops[stop].kind for stop in visited}
        if not within_range(train_type, Counter(kind for kind in kinds.values() if kind)):
            return

        def fits(chosen: tuple[StopId, ...]) -> bool:
            pool = Counter(kind for stop in chosen if (kind := kinds[stop]))
            return most_paid(train_type, pool) == len(chosen)

        subsets = [subset for size in range(len(visited) + 1) for subset in combinations(visited, size) if fits(subset)]
        largest = max(len(subset) for subset in subsets)
        large = [subset for subset in subsets if len(subset) == largest]
        allowed = [subset for subset in large if set(own) & set(subset)] or large
        best = max(sum(problem.position.value(stop) for stop in subset) for subset in allowed)
        found = count(problem, train_type, visited)
        assert tuple(found.counted) in large
        assert found.total == best * train_type.multiplier


class TestHexPaysOnce:
    """F01, 18GB section 8: of several stops of a route on one hex one pays; the others show as counted with 0."""

    BOARD: ClassVar[dict[str, str]] = {
        "A1": "city 20; track 4-c0",
        "A3": "city 30; city 30; track 1-c0 c0-c1 c1-4",
        "A5": "city 40; track 1-c0",
    }

    def test_the_further_stop_counts_with_0(self) -> None:
        problem = make_problem(self.BOARD, trains="4", tokens={"A1.c0": "A"}, rules=RouteRules(hex_pays_once=True))
        route = judge(problem, make_route(problem, "4", "A1.c0 A3.c0 A3.c1 A5.c0")).routes[0]
        assert [(part.where, part.amount) for part in route.parts] == [
            ("A1.c0", 20),
            ("A3.c0", 30),
            ("A3.c1", 0),
            ("A5.c0", 40),
        ]
        assert len(route.counted) == 4
        assert [(skipped.stop, skipped.reason) for skipped in route.skipped] == [
            ("A3.c1", "of several stops in A3 only one pays")
        ]
        assert route.range_used == "4 of 4 stops"

    def test_elsewhere_both_pay(self) -> None:
        problem = make_problem(self.BOARD, trains="4", tokens={"A1.c0": "A"})
        assert judge(problem, make_route(problem, "4", "A1.c0 A3.c0 A3.c1 A5.c0")).revenue == 120

    def test_two_routes_each_get_the_hex(self) -> None:
        problem = make_problem(
            self.BOARD, trains="2 2", tokens={"A1.c0": "A", "A5.c0": "A"}, rules=RouteRules(hex_pays_once=True)
        )
        routes = make_route(problem, "2", "A1.c0 A3.c0"), make_route(problem, "2", "A3.c1 A5.c0")
        assert judge(problem, *routes).revenue == 20 + 30 + 30 + 40

    def test_out_and_back_is_worse_than_it_looks(self) -> None:
        """The board of F01: a 4+2 gains nothing by running through both cities of Bristol."""
        problem = make_problem(self.BOARD, trains="3", tokens={"A1.c0": "A"}, rules=RouteRules(hex_pays_once=True))
        assert judge(problem, make_route(problem, "3", "A1.c0 A3.c0 A3.c1")).revenue == 50


class TestIllegalRoutesAreScoredAsFarAsPossible:
    def test_a_route_beyond_its_range_is_not_cut_down(self) -> None:
        """F26: illegal, not valued as a shorter route."""
        problem = line_problem("4X", cities(10, 20, 30, 40, 50))
        verdict = check(problem, (make_route(problem, "4X", "A1.c0 A3.c0 A5.c0 A7.c0 A9.c0"),))
        assert (verdict.legal, verdict.revenue) == (False, 150)

    def test_a_stop_visited_twice_pays_once(self) -> None:
        problem = line_problem("3", cities(10, 20))
        assert check(problem, (make_route(problem, "3", "A1.c0 A3.c0 A1.c0"),)).revenue == 30

    def test_a_stop_that_does_not_exist_pays_nothing(self) -> None:
        problem = line_problem("3", cities(10, 20))
        found = count(problem, make_train("3"), [StopId("A1.c0"), StopId("A9.c0")])
        assert (found.total, [skipped.reason for skipped in found.skipped]) == (10, ["there is no such stop"])


class TestWords:
    """F25: visited, counted and free stops are told apart."""

    @pytest.mark.parametrize(
        ("train", "words"),
        [
            ("2", "2 stops"),
            ("D", "any number of stops"),
            ("2+1", "2 stops and 1 town"),
            ("3/5", "5 stops"),
            ("8E", "8 cities or off-boards and any number of towns"),
            ("3+D", "3 cities or off-boards and any number of towns"),
        ],
    )
    def test_the_range_of_a_train(self, train: str, words: str) -> None:
        assert range_of(make_train(train)) == words

    @pytest.mark.parametrize(
        ("train", "cities", "towns", "words"),
        [
            ("5", 3, 2, "5 of 5 stops"),
            ("D", 4, 3, "7 stops"),
            ("5+1", 5, 1, "5 of 5 stops, 1 of 1 town"),
            ("2+1", 1, 2, "2 of 2 stops, 1 of 1 town"),
            ("3/5", 4, 0, "4 of 5 stops visited, 3 counted"),
            ("3/5", 2, 0, "2 of 5 stops visited, 2 counted"),
            ("5X", 5, 2, "5 of 5 cities or off-boards, 2 towns free"),
            ("8E", 3, 1, "3 of 8 cities or off-boards, 1 town free"),
            ("3+D", 2, 4, "2 of 3 cities or off-boards, 4 towns free"),
        ],
    )
    def test_what_a_route_uses_of_it(self, train: str, cities: int, towns: int, words: str) -> None:
        kinds = Counter({StopKind.CITY: cities, StopKind.TOWN: towns})
        assert range_used(make_train(train), kinds) == words


class TestPlaces:
    """Places in rows against Hall's condition, which the board's own train type uses."""

    @given(
        train=st.sampled_from(TRAINS),
        numbers=st.tuples(*[st.integers(0, 9)] * 3),
    )
    def test_both_readings_agree(self, train: str, numbers: tuple[int, int, int]) -> None:
        kinds = Counter(dict(zip((StopKind.CITY, StopKind.TOWN, StopKind.OFF_BOARD), numbers, strict=True)))
        assert within_range(make_train(train), kinds) == make_train(train).can_visit(*numbers)
