"""Claims: track left open is resolved in the claimant's favour, missing track is named."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from board.errors import LimitExceeded
from board.hexes import StopId
from board.routes import ClaimedRoute, Route
from bonuses.at_stop import TrackBonus
from bonuses.by_extension import InterconnectionBonus
from bonuses.over_routes import JointBonus
from bonuses.terms import Axis
from routing import claims
from routing.checker import check, credited
from routing.claims import check_claim, resolve
from routing.oracle import trails
from routing.problem import RouteProblem
from routing.route_rules import RouteRules
from routing.solve import solve
from tests.boards import hex_set, line, make_claim, make_edition, make_problem, piece, stop_set
from tests.routing.helpers import codes
from tests.strategies import problems

#: Three links between A1 and A5: straight over A3, and below over B2 and B4; A9 hangs behind.
PARALLEL = {
    "A1": "city 20 slots=2; track 4-c0 5-c0 0-c0",
    "A3": "track 1-4",
    "A5": "city 30 slots=2; track 1-c0 0-c0 4-c0",
    "A7": "city 40; track 1-c0",
    "B2": "track 2-4",
    "B4": "track 1-3",
}


def parallel(trains: str = "2 2", **more: Any) -> RouteProblem:
    return make_problem(PARALLEL, trains=trains, tokens={"A1.c0": "A"}, **more)


class TestToldTrack:
    def test_a_claim_without_connections(self) -> None:
        verdict = check_claim(parallel(), [make_claim("2", "A1.c0 A5.c0")])
        assert (verdict.legal, verdict.revenue) == (True, 50)

    def test_the_shortest_track_is_taken(self) -> None:
        assert resolve(parallel(), [make_claim("2", "A1.c0 A5.c0")])[0].hexes == ("A1", "A3", "A5")

    @pytest.mark.parametrize("told", ["A1 B2 B4 A5", "A5 B4 B2 A1", "B2", "B4 B2"])
    def test_told_hexes_in_either_direction_or_some_between_the_ends(self, told: str) -> None:
        assert resolve(parallel(), [make_claim("2", "A1.c0 A5.c0", told)])[0].hexes == ("A1", "B2", "B4", "A5")

    @pytest.mark.parametrize(
        ("path", "connections"),
        [
            ("A1.c0 A5.c0 A7.c0", ("A1 B2 B4 A5", "A5 A7")),
            ("A1.c0 A5.c0 A7.c0", ("A5 B4 B2 A1", "A7 A5")),
            ("A7.c0 A5.c0 A1.c0", ("A5 A7", "A1 B2 B4 A5")),
            ("A1.c0 A5.c0 A7.c0", ("A5 A7", "A1 B2 B4 A5")),  # the list runs from the other end
            ("A1.c0 A5.c0 A7.c0", ("A1 B2 B4 A5",)),  # shorter than the legs
            ("A1.c0 A5.c0 A7.c0", ("A1 B2 B4 A5", "")),
            ("A7.c0 A5.c0 A1.c0", ("", "A1 B2 B4 A5")),
        ],
    )
    def test_direction_and_order_of_what_is_told_do_not_matter(self, path: str, connections: tuple[str, ...]) -> None:
        route = resolve(parallel("3"), [make_claim("3", path, *connections)])[0]
        assert set(route.hexes) == {"A1", "B2", "B4", "A5", "A7"}
        assert check_claim(parallel("3"), [make_claim("3", path, *connections)]).legal

    def test_track_between_two_cities_of_a_hex(self) -> None:
        board = {"A1": "city 20; city 30; track c0-c1 4-c0 0-c1", "A3": "track 1-0", "B2": "track 3-2"}
        problem = make_problem(board, trains="2", tokens={"A1.c0": "A"})
        inside = resolve(problem, [make_claim("2", "A1.c0 A1.c1", "A1")])[0]
        assert inside.pieces == (piece("A1:c0-c1"),)

    def test_a_leg_that_begins_and_ends_in_one_hex(self) -> None:
        board = {
            "A1": "city 20; city 30; track 4-c0 5-c1",
            "A3": "track 1-0",
            "B2": "track 2-3",
        }
        problem = make_problem(board, trains="2", tokens={"A1.c0": "A"})
        verdict = check_claim(problem, [make_claim("2", "A1.c0 A1.c1", "A1 A3 B2 A1")])
        assert (verdict.legal, verdict.revenue) == (True, 50)


class TestChoice:
    def test_two_routes_get_different_track(self) -> None:
        verdict = check_claim(parallel(), [make_claim("2", "A1.c0 A5.c0"), make_claim("2", "A5.c0 A1.c0")])
        assert verdict.legal
        assert {len(scored.route.hexes) for scored in verdict.routes} == {3, 4}

    def test_a_short_link_is_left_to_the_route_that_needs_it(self) -> None:
        told = make_claim("2", "A1.c0 A5.c0", "A1 A3 A5")
        for claimed in ([make_claim("2", "A1.c0 A5.c0"), told], [told, make_claim("2", "A1.c0 A5.c0")]):
            assert check_claim(parallel(), claimed).legal

    def test_more_routes_than_links(self) -> None:
        verdict = check_claim(parallel("2 2 2"), [make_claim("2", "A1.c0 A5.c0")] * 3)
        assert set(codes(verdict)) == {"track-twice"}
        assert len(verdict.faults) == 1  # two of three routes are given track of their own

    def test_terminal_track_is_avoided(self) -> None:
        board = {**PARALLEL, "A5": "city 30; track 1-c0! 0-c0 4-c0"}
        problem = make_problem(board, trains="3", tokens={"A1.c0": "A"})
        verdict = check_claim(problem, [make_claim("3", "A1.c0 A5.c0 A7.c0")])
        assert verdict.legal
        assert "B2" in verdict.routes[0].route.hexes
        assert "A3" in check_claim(problem, [make_claim("3", "A1.c0 A5.c0")]).routes[0].route.hexes

    def test_many_legs_with_many_links_stay_quick(self) -> None:
        """Fifteen legs with three links each, three routes over each leg."""
        board = {}
        for place in range(16):
            board[f"A{4 * place + 1}"] = "city 10 slots=2; track 4-c0 1-c0 0-c0 5-c0 2-c0 3-c0"
        for place in range(15):
            x = 4 * place + 1
            board[f"A{x + 2}"] = "track 1-4"
            board[f"B{x + 1}"] = "track 2-4"
            board[f"B{x + 3}"] = "track 1-3"
        tokens = {f"A{4 * place + 1}.c0": "A" for place in range(16)}
        path = " ".join(f"A{4 * place + 1}.c0" for place in range(16))
        problem = make_problem(board, trains="D D D", tokens=tokens)
        assert check_claim(problem, [make_claim("D", path)] * 2).legal
        assert len(check_claim(problem, [make_claim("D", path)] * 3).faults) == 15


class TestClaimantsFavour:
    """Open track is resolved so that the claim pays most, among the legal choices."""

    def test_track_that_earns_a_bonus(self) -> None:
        bonus = TrackBonus("estuary", frozenset({piece("B2:2-4")}), 40, "test")
        verdict = check_claim(parallel(bonuses=[bonus]), [make_claim("2", "A1.c0 A5.c0")])
        assert verdict.revenue == 90
        told = make_claim("2", "A1.c0 A5.c0", "A1 A3 A5")
        assert check_claim(parallel(bonuses=[bonus]), [told]).revenue == 50

    def test_on_many_legs_at_once(self) -> None:
        board = {f"A{4 * place + 1}": "city 10; track 4-c0 1-c0 0-c0 5-c0" for place in range(16)}
        for x in range(1, 61, 4):
            board |= {f"A{x + 2}": "track 1-4", f"B{x + 1}": "track 2-4", f"B{x + 3}": "track 1-3"}
        bonuses = [TrackBonus("estuary", frozenset({piece(f"B{x + 1}:2-4")}), 10, "test") for x in range(1, 61, 4)]
        problem = make_problem(board, trains="D", tokens={"A1.c0": "A"}, bonuses=bonuses)
        path = " ".join(f"A{4 * place + 1}.c0" for place in range(16))
        assert check_claim(problem, [make_claim("D", path)]).revenue == 16 * 10 + 15 * 10

    def test_only_one_of_two_routes_can_have_it(self) -> None:
        bonus = TrackBonus("estuary", frozenset({piece("B2:2-4")}), 40, "test")
        verdict = check_claim(parallel(bonuses=[bonus]), [make_claim("2", "A1.c0 A5.c0")] * 2)
        assert (verdict.legal, verdict.revenue) == (True, 140)

    def test_hexes_that_earn_a_joint_bonus(self) -> None:
        bonus = JointBonus((Axis("NS", hex_set("B4"), hex_set("A1"), 30),), frozenset(), "test")
        verdict = check_claim(parallel(bonuses=[bonus]), [make_claim("2", "A1.c0 A5.c0")])
        assert (verdict.legal, verdict.revenue) == (True, 80)


class TestMissingTrack:
    """F36: a recorded hop over a hex without a tile is one fault that names the hex; other routes are scored."""

    BOARD: ClassVar[dict[str, str]] = {
        "A1": "city 20; track 4-c0 5-c0",
        "A3": "track 1-4",
        "A5": "",
        "A7": "city 30; track 1-c0",
        "B2": "city 40; track 2-c0",
        "A9": "city 10",
    }

    def problem(self) -> RouteProblem:
        return make_problem(self.BOARD, trains="2 2", tokens={"A1.c0": "A"})

    @pytest.mark.parametrize(
        ("path", "told", "message"),
        [
            ("A1.c0 A7.c0", "A1 A3 A5 A7", "no track on A5"),
            ("A7.c0 A1.c0", "A1 A3 A5 A7", "no track on A5"),
            ("A1.c0 A7.c0", "A7 A5 A3 A1", "no track on A5"),
            ("A1.c0 A7.c0", "A1 A3 A7", "no track crosses from A3 to A7: they do not touch"),
            ("B2.c0 A3.c0", "B2 A3", "no track leads on from B2 to A3"),
            ("A1.c0 A7.c0", "A3", "no track joins A1.c0 and A7.c0 over A3"),
            ("A1.c0 A7.c0", "", "no track joins A1.c0 and A7.c0"),
            ("A1.c0 A9.c0", "A1 A9", "no track on A9"),
        ],
    )
    def test_the_first_hex_without_track_is_named(self, path: str, told: str, message: str) -> None:
        verdict = check_claim(self.problem(), [make_claim("2", path, told), make_claim("2", "A1.c0 B2.c0")])
        faults = [fault for fault in verdict.routes[0].faults if fault.code == "no-track"]
        assert [fault.message for fault in faults] == [message]
        assert faults[0].where.startswith("route 1 (2), leg 1 (")
        assert verdict.routes[1].revenue == 60
        assert not verdict.routes[1].faults

    def test_a_hex_off_the_map_is_named(self) -> None:
        (fault,) = check_claim(self.problem(), [make_claim("2", "A1.c0 A7.c0", "A1 Z1 A7")]).all_faults
        assert (fault.code, fault.message) == ("off-map", "the map of test has no hex Z1")

    @pytest.mark.parametrize("told", ["A1 A3 A5 A7", "A7 A5 A3 A1"])
    def test_a_stop_on_the_way_that_is_not_named(self, told: str) -> None:
        board = line("city 20", "town 10", "town 10", "city 30")
        problem = make_problem(make_edition(board, names={"A3": "Ulm"}), trains="4", tokens={"A1.c0": "A"})
        (fault,) = check_claim(problem, [make_claim("4", "A1.c0 A7.c0", told)]).all_faults
        assert fault.code == "unnamed-stop"
        assert fault.message == "the track runs through Ulm (A3), which the route does not name"

    def test_the_rest_of_the_route_is_still_resolved(self) -> None:
        verdict = check_claim(self.problem(), [make_claim("2", "B2.c0 A1.c0 A7.c0", "", "A1 A3 A5 A7")])
        assert [fault.code for fault in verdict.all_faults] == ["no-track", "too-long"]
        assert verdict.revenue == 90

    def test_stops_that_do_not_exist(self) -> None:
        for path in ("A1.c0 A3.c0", "A1.c0 Z9.c0", "A1.c0 A1.c1"):
            verdict = check_claim(self.problem(), [make_claim("2", path)])
            assert {"no-such-stop", "off-map"} & set(codes(verdict))

    def test_a_claim_of_one_stop_or_none(self) -> None:
        for path in ("A1.c0", ""):
            assert codes(check_claim(self.problem(), [make_claim("2", path)])) == ["too-few-stops"]

    def test_nothing_claimed(self) -> None:
        assert check_claim(self.problem(), []).legal


class TestExtensions:
    """1833NE section 9: where a route can be prolonged to the partner of a place on it, the claim earns the bonus."""

    #: A1 own, A3, A5 full of others' tokens, A7; a second line A1 – B2 – C3, and one of no stop A3 – B4 – A5.
    BOARD: ClassVar[dict[str, str]] = {
        **line("city 20", "city 30", "city 40", "city 50"),
        "A1": "city 20; track 4-c0 5-c0",
        "A3": "city 30; track 1-c0 4-c0 5-c0",
        "B4": "track 2-3",
        "A5": "city 40; track 0-c0 1-c0 4-c0",
        "B2": "city 10; track 2-c0 5-c0",
        "C3": "offboard 70; track 2-o0",
    }

    def problem(
        self, *partners: tuple[str, str, int], trains: str = "2 2", own: tuple[str, ...] = ("A1.c0",), **rules: Any
    ) -> RouteProblem:
        bonuses = [InterconnectionBonus(f"{one}-{far}", stop_set(one), stop_set(far), pays, "test")
                   for one, far, pays in partners]  # fmt: skip
        tokens = {"A5.c0": "B"} | dict.fromkeys(own, "A")
        return make_problem(self.BOARD, trains=trains, tokens=tokens, bonuses=bonuses, rules=RouteRules(**rules))

    def test_a_bare_claim_is_prolonged(self) -> None:
        problem = self.problem(("A1.c0", "A7.c0", 100))
        for path in ("A1.c0 A3.c0", "A3.c0 A1.c0"):
            verdict = check_claim(problem, [make_claim("2", path)])
            assert (verdict.legal, verdict.revenue) == (True, 150)
            assert [leg.end for leg in verdict.routes[0].route.extensions[0]] == ["A5.c0", "A7.c0"]

    def test_both_ends(self) -> None:
        problem = self.problem(("A1.c0", "A7.c0", 100), ("A3.c0", "C3.o0", 40))
        verdict = check_claim(problem, [make_claim("2", "A1.c0 A3.c0")])
        assert (verdict.legal, verdict.revenue) == (True, 190)

    def test_each_track_serves_once(self) -> None:
        """Both routes want the one piece from A5 to A7; the dearer bonus has it."""
        problem = self.problem(("A1.c0", "A7.c0", 100), ("B2.c0", "A7.c0", 120))
        verdict = check_claim(problem, [make_claim("2", "A1.c0 A3.c0"), make_claim("2", "B2.c0 A1.c0")])
        assert (verdict.legal, verdict.revenue) == (True, 50 + 30 + 100)

    def test_an_extension_takes_the_track_that_routes_leave(self) -> None:
        """Two ways lead from A3 to A5: a route runs over one, the extension of the other route over the other."""
        problem = self.problem(("A1.c0", "A7.c0", 100), own=("A1.c0", "A3.c0"))
        for told in ("A3 A5", "A3 B4 A5", ""):
            verdict = check_claim(problem, [make_claim("2", "A1.c0 A3.c0"), make_claim("2", "A3.c0 A5.c0", told)])
            assert (verdict.legal, verdict.revenue) == (True, 50 + 70 + 100)

    def test_neither_through_closed_stops_nor_where_it_earns_nothing(self) -> None:
        closed = self.problem(("A1.c0", "A7.c0", 100), closed={StopId("A5.c0"): "closed"})
        nowhere = self.problem(("C3.o0", "A7.c0", 100))
        for problem in (closed, nowhere, self.problem(("A1.c0", "A3.c0", 100))):
            verdict = check_claim(problem, [make_claim("2", "A1.c0 A3.c0")])
            assert (verdict.legal, verdict.revenue) == (True, 50)

    @pytest.mark.parametrize(
        ("extension", "code"),
        [
            ("A3.c0 A5.c0 A7.c0", None),
            ("A3.c0 A5.c0", "extension-without-bonus"),
            ("A5.c0 A7.c0", "extension-start"),
            ("A1.c0 B2.c0 C3.o0", "extension-without-bonus"),
            ("A3.c0 A7.c0", "no-track"),
        ],
    )
    def test_a_claim_may_name_its_extension(self, extension: str, code: str | None) -> None:
        problem = self.problem(("A1.c0", "A7.c0", 100))
        claim = replace(make_claim("2", "A1.c0 A3.c0"), extensions=(tuple(StopId(stop) for stop in extension.split()),))
        found = codes(check_claim(problem, [claim]))
        assert (code in found) if code else not found

    def test_what_the_search_finds_is_accepted_as_bare_stops(self) -> None:
        """Random partners on random boards: the claim earns what the proven best does."""
        prolonged = 0
        for seed in range(150):
            problem = self.random_problem(Random(seed))
            best = solve(problem)
            verdict = check_claim(problem, [ClaimedRoute(route.train, route.stops) for route in best.routes])
            assert (verdict.legal, verdict.revenue) == (True, best.revenue), seed
            prolonged += any(route.extensions for route in best.routes)
        assert prolonged > 50

    def random_problem(self, random: Random) -> RouteProblem:
        stops = ("A1.c0", "A3.c0", "A5.c0", "A7.c0", "B2.c0", "C3.o0")
        partners = [(*random.sample(stops, 2), random.choice((10, 40, 100))) for _ in range(3)]
        return self.problem(*partners, trains=random.choice(("2", "3", "2 2", "3 2")))


class TestBounds:
    def test_a_maze_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(claims, "MOST_CHAINS", 2)
        with pytest.raises(LimitExceeded, match=r"more than 2 ways lead away from A1\.c0"):
            resolve(
                make_problem({**PARALLEL, "B0": "city 5; track 3-c0"}, trains="2"), [make_claim("2", "A1.c0 A5.c0")]
            )


class TestGeneratedBoards:
    """Trails told as claims come back as routes that are at least as good."""

    @settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
    @given(problem=problems(), rng=st.randoms(use_true_random=False))
    def test_a_legal_set_stays_legal_however_it_is_told(self, problem: RouteProblem, rng: Random) -> None:
        found = list(trails(problem.position))[:200]
        assume(found)
        routes = tuple(Route(train, found[rng.randrange(len(found))]) for train in problem.position.trains)
        verdict = check(problem, routes)
        told = [_claim(route, rng, full=True) for route in routes]
        same = check_claim(problem, told)
        assert (same.legal, same.revenue) == (verdict.legal, verdict.revenue) or _ambiguous(problem, routes)
        if verdict.legal:
            vague = [_claim(route, rng, full=False) for route in routes]
            for order in permutations(vague):
                best = check_claim(problem, order)
                assert best.legal
                assert best.revenue >= verdict.revenue


def _claim(route: Route, rng: Random, *, full: bool) -> ClaimedRoute:
    """The route as a claim, perhaps told backwards; parts of the track left open unless *full*."""
    hexes = [leg.hexes if full or rng.randrange(2) else () for leg in route.legs]
    hexes = [told[::-1] if rng.randrange(2) else told for told in hexes]
    if rng.randrange(2):
        return ClaimedRoute(route.train, route.stops[::-1], tuple(hexes[::-1]))
    return ClaimedRoute(route.train, route.stops, tuple(hexes))


def _ambiguous(problem: RouteProblem, routes: tuple[Route, ...]) -> bool:
    """Whether the hexes of some leg stand for several chains, or its two ends lie on one hex."""
    return any(
        sum(other.hexes == leg.hexes for other in claims._legs(problem.position, leg.start, leg.end, leg.hexes)) > 1
        for route in routes
        for leg in route.legs
    )


def test_joint_bonuses_are_credited_to_the_first_route() -> None:
    bonus = JointBonus((Axis("NS", hex_set("A1"), hex_set("A9"), 30),), frozenset(), "test")
    board = line("city 20", "city 20", "city 20", "city 20", "city 20")
    problem = make_problem(board, trains="3 3", tokens={"A5.c0": "A"}, bonuses=[bonus])
    verdict = check_claim(problem, [make_claim("3", "A9.c0 A7.c0 A5.c0"), make_claim("3", "A1.c0 A3.c0 A5.c0")])
    assert credited(verdict) == (90, 60)


def test_a_claim_of_more_legs_than_any_map_has_track_for_is_refused() -> None:
    problem = make_problem(line("city 20", "city 20"), trains="2", tokens={"A1.c0": "A"})
    there_and_back = make_claim("2", " ".join(["A1.c0", "A3.c0"] * 125))
    assert not check_claim(problem, [there_and_back]).legal
    with pytest.raises(LimitExceeded, match="legs") as refused:
        check_claim(problem, [there_and_back] * 3)
    assert [fault.code for fault in refused.value.faults] == ["too-long-claim"]
