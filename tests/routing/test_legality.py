"""Every rule of COMMON section 9, and every fault code, each on a board made for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

import pytest

from board.hexes import HexId, StopId
from board.position import BLOCK
from board.routes import Leg, Route, TrackPiece
from bonuses.by_extension import InterconnectionBonus
from routing import legality
from routing.checker import check
from routing.problem import RouteProblem
from routing.route_rules import MustVisit, RouteRules
from tests.boards import line, make_edition, make_leg, make_problem, make_route, piece, stop_set
from tests.routing.helpers import codes, judge

#: City 20 – town 10 – city 30 – off-board 40 in a row, own token in the first city.
ROW = line("city 20", "town 10", "city 30 slots=2", "red offboard 40")
#: Roads from A3 and A5 merge in B4 and lead to C3; A7 hangs on A5.
MERGE = {
    "A3": "city 20; track 5-c0",
    "A5": "city 30; track 0-c0 4-c0",
    "A7": "city 40; track 1-c0",
    "B4": "track 0-2 0-3",
    "C3": "city 50; track 3-c0",
}
#: Two separate roads cross in B4.
CROSSING = {**MERGE, "B4": "track 0-3 2-5", "C5": "city 60; track 2-c0"}


def row(trains: str = "4", **rules: Any) -> RouteProblem:
    return make_problem(ROW, trains=trains, tokens={"A1.c0": "A"}, rules=RouteRules(**rules))


class TestExistence:
    def test_a_route_over_track_that_lies_is_legal(self) -> None:
        problem = row()
        verdict = judge(problem, make_route(problem, "4", "A1.c0 A3.t0 A5.c0 A7.o0"))
        assert verdict.legal
        assert verdict.revenue == 100

    def test_no_route_at_all_is_legal_and_earns_nothing(self) -> None:
        verdict = check(row(), ())
        assert verdict.legal
        assert (verdict.revenue, verdict.routes) == (0, ())

    def test_a_train_has_to_be_owned(self) -> None:
        problem = row("2 3")
        verdict = judge(problem, make_route(problem, "4", "A1.c0 A3.t0"))
        assert codes(verdict) == ["train-not-owned"]
        assert verdict.routes[0].faults[0].message == "A has no train 4; its trains are 2, 3"
        assert verdict.revenue == 30  # scored all the same

    def test_a_train_that_does_not_exist_earns_nothing(self) -> None:
        problem = row()
        legs = make_route(problem, "4", "A1.c0 A3.t0").legs
        verdict = judge(problem, Route("rocket", legs), Route("4", legs))
        assert codes(verdict)[1:] == ["train-not-owned"]
        assert [scored.revenue for scored in verdict.routes] == [0, 30]

    def test_each_train_runs_once(self) -> None:
        board = line("city 20", "town 10", "city 30")
        problem = make_problem(board, trains="2 3", tokens={"A1.c0": "A", "A5.c0": "A"})
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A3.t0"), make_route(problem, "2", "A5.c0 A3.t0"))
        assert codes(verdict) == ["train-twice"]
        assert verdict.faults[0].message == "2 routes are run by a 2; A has 1"
        assert not verdict.routes[0].faults

    def test_two_trains_of_a_kind_run_two_routes(self) -> None:
        board = line("city 20", "town 10", "city 30")
        problem = make_problem(board, trains="2 2", tokens={"A1.c0": "A", "A5.c0": "A"})
        assert judge(problem, make_route(problem, "2", "A1.c0 A3.t0"), make_route(problem, "2", "A5.c0 A3.t0")).legal

    def test_a_hex_off_the_map(self) -> None:
        leg = Leg(StopId("A1.c0"), StopId("Z9.c0"), (piece("A1:4-c0"), piece("Z9:1-c0")))
        verdict = judge(row(), Route("4", (leg,)))
        assert "off-map" in codes(verdict)
        assert "the map of test has no hex Z9" in verdict.routes[0].faults[0].message

    def test_a_stop_that_the_tile_does_not_have(self) -> None:
        leg = Leg(StopId("A1.c0"), StopId("A3.c0"), (piece("A1:4-c0"), piece("A3:1-t0")))
        fault = check(row(), (Route("4", (leg,)),)).routes[0].faults[0]
        assert (fault.code, fault.message) == ("no-such-stop", "there is no stop A3.c0; the stops of A3 are: A3.t0")

    @pytest.mark.parametrize(
        ("pieces", "message"),
        [
            ((), "no track joins A1.c0 and A3.t0"),
            (("A1:4-c0", "A3:2-t0"), "A3 has no track 2-t0"),
            (("A1:4-c0", "A3:4-t0"), "the track 4-t0 of A3 does not join what comes before it"),
            (("A1:4-c0", "A5:1-c0"), "the track 1-c0 of A5 does not join what comes before it"),
            (("A1:4-c0",), "the track from A1.c0 does not lead to A3.t0"),
            (("A1:4-c0", "A3:1-t0", "A3:4-t0"), "the track runs through A3.t0, which the route does not name"),
        ],
    )
    def test_track_has_to_lie_and_to_join(self, pieces: tuple[str, ...], message: str) -> None:
        leg = Leg(StopId("A1.c0"), StopId("A3.t0"), tuple(piece(text) for text in pieces))
        faults = check(row(), (Route("4", (leg,)),)).routes[0].faults
        assert message in [fault.message for fault in faults]
        assert {fault.code for fault in faults} <= {"no-track", "unnamed-stop"}
        assert all(fault.where == "route 1 (4), leg 1 (A1-A3)" for fault in faults)

    def test_a_hex_without_a_tile(self) -> None:
        problem = make_problem({**ROW, "B2": ""}, trains="4", tokens={"A1.c0": "A"})
        leg = Leg(StopId("A1.c0"), StopId("A3.t0"), (piece("A1:4-c0"), piece("B2:2-3"), piece("A3:1-t0")))
        assert "no track on B2" in [fault.message for fault in check(problem, (Route("4", (leg,)),)).all_faults]

    def test_an_impassable_hexside_lets_no_track_through(self) -> None:
        edition = make_edition(ROW, impassable=[("A3", 1)])
        problem = make_problem(edition, trains="4", tokens={"A1.c0": "A"})
        leg = Leg(StopId("A1.c0"), StopId("A3.t0"), (piece("A1:4-c0"), piece("A3:1-t0")))
        assert codes(judge(problem, Route("4", (leg,)))) == ["no-track"]

    def test_legs_follow_each_other(self) -> None:
        problem = row()
        legs = (make_leg(problem.position, "A1.c0", "A3.t0"), make_leg(problem.position, "A5.c0", "A7.o0"))
        faults = check(problem, (Route("4", legs),)).routes[0].faults
        assert [fault.message for fault in faults] == ["it starts at A5.c0, the leg before ends at A3.t0"]

    def test_terminals_and_closed_stops_may_lie_on_one_hex_with_other_track(self) -> None:
        board = line("city 20", "", "city 30") | {"A3": "city 40; track 0-c0! 1-4"}
        problem = make_problem(
            board, trains="2", tokens={"A1.c0": "A"}, rules=RouteRules(closed={StopId("A3.c0"): "closed"})
        )
        assert judge(problem, make_route(problem, "2", "A1.c0 A5.c0")).legal


class TestTwoStops:
    def test_a_route_without_a_leg(self) -> None:
        assert codes(check(row(), (Route("4", ()),))) == ["too-few-stops"]

    def test_from_an_off_board_back_to_itself(self) -> None:
        """F33: an off-board area with two entries is one stop."""
        board = {
            "A1": "city 20; track 4-c0",
            "A3": "offboard 40; track 1-o0 4-o0 5-o0",
            "A5": "track 0-1",
            "B4": "track 2-3",
        }
        problem = make_problem(board, trains="3", tokens={"A1.c0": "A"})
        loop = make_leg(problem.position, "A3.o0", "A3.o0")
        verdict = judge(problem, Route("3", (loop,)))
        assert {"too-few-stops", "stop-twice", "no-own-token"} == set(codes(verdict))
        verdict = judge(problem, Route("3", (make_leg(problem.position, "A1.c0", "A3.o0"), loop)))
        assert {"stop-twice", "runs-through-off-board"} == set(codes(verdict))


class TestOwnToken:
    """F40: a route visits a city with an own token."""

    def test_a_route_without_own_token(self) -> None:
        problem = row()
        verdict = judge(problem, make_route(problem, "4", "A3.t0 A5.c0"))
        assert codes(verdict) == ["no-own-token"]
        assert verdict.routes[0].faults[0].message == "no stop of the route holds a token of A; it has tokens in A1"

    def test_the_token_may_stand_anywhere_on_the_route(self) -> None:
        board = line("city 20", "city 10", "city 30")
        for city in ("A1.c0", "A3.c0", "A5.c0"):
            problem = make_problem(board, trains="3", tokens={city: "A"})
            assert judge(problem, make_route(problem, "3", "A1.c0 A3.c0 A5.c0")).legal

    def test_the_token_stands_in_the_other_city_of_the_hex(self) -> None:
        board = {"A1": "city 20; track 4-c0", "A3": "city 30; city 40; track 1-c0 4-c1", "A5": "city 10; track 1-c0"}
        problem = make_problem(board, trains="2", tokens={"A3.c1": "A"})
        assert codes(judge(problem, make_route(problem, "2", "A1.c0 A3.c0"))) == ["no-own-token"]
        assert judge(problem, make_route(problem, "2", "A3.c1 A5.c0")).legal

    def test_a_stop_may_count_as_token(self) -> None:
        """1833NE section 3: P4 and P6 let a corporation run from an exit as if it had a token there."""
        problem = row(as_token=stop_set("A7.o0"))
        assert judge(problem, make_route(problem, "4", "A5.c0 A7.o0")).legal

    def test_no_token_is_asked_of_a_minor(self) -> None:
        """1828 section 8: Cobourg & Peterborough needs no token."""
        problem = row(token_required=False)
        assert judge(problem, make_route(problem, "4", "A3.t0 A5.c0")).legal

    def test_a_company_without_any_token(self) -> None:
        problem = make_problem(ROW, trains="4")
        assert (
            "it has no token on the map"
            in check(problem, (make_route(problem, "4", "A1.c0 A3.t0"),)).all_faults[0].message
        )


class TestGroups:
    BOARD: ClassVar[dict[str, str]] = line("offboard 30 group=Canada", "city 20", "city 50 group=Canada", "city 10")

    def test_of_a_printed_group_one_stop(self) -> None:
        problem = make_problem(self.BOARD, trains="4", tokens={"A3.c0": "A"})
        verdict = judge(problem, make_route(problem, "4", "A1.o0 A3.c0 A5.c0"))
        assert codes(verdict) == ["group-twice"]
        assert "Canada" in verdict.routes[0].faults[0].message

    def test_two_routes_may_each_visit_the_group(self) -> None:
        problem = make_problem(self.BOARD, trains="2 2", tokens={"A3.c0": "A"})
        assert judge(problem, make_route(problem, "2", "A1.o0 A3.c0"), make_route(problem, "2", "A3.c0 A5.c0")).legal

    def test_a_group_of_the_title(self) -> None:
        """1894 section 7: a route may visit only one of the two Paris cities."""
        board = {
            "A1": "city 20; track 4-c0",
            "A3": "city 30; city 40; track 1-c0 c0-c1 c1-4",
            "A5": "city 1; track 1-c0",
        }
        paris = {StopId("A3.c0"): ("Paris",), StopId("A3.c1"): ("Paris",)}
        problem = make_problem(board, trains="4", tokens={"A3.c0": "A"}, rules=RouteRules(groups=paris))
        route = make_route(problem, "4", "A1.c0 A3.c0 A3.c1")
        assert codes(judge(problem, route)) == ["group-twice"]
        assert judge(make_problem(board, trains="4", tokens={"A3.c0": "A"}), route).legal

    def test_the_group_of_a_hex_passes_to_tiles_laid_there(self) -> None:
        edition = make_edition(
            {
                "A1": "offboard 30 group=Canada; track 4-o0",
                "A3": "white city 20 group=Canada",
                "A5": "city 9; track 1-c0",
            },
            tiles={"57": "city 20; track 1-c0 c0-4"},
        )
        problem = make_problem(edition, trains="3", tokens={"A3.c0": "A"}, tiles={"A3": ("57", 0)})
        assert codes(judge(problem, make_route(problem, "3", "A1.o0 A3.c0 A5.c0"))) == ["group-twice"]


class TestTerminals:
    """F34: a route may end in a terminal city, not run on, whoever's home it is."""

    BOARD: ClassVar[dict[str, str]] = {
        "A1": "city 20; track 4-c0",
        "A3": "city 40; track 1-c0! 4-c0!",
        "A5": "city 30; track 1-c0",
    }

    def test_a_route_ends_there(self) -> None:
        problem = make_problem(self.BOARD, trains="3", tokens={"A3.c0": "A"})
        assert judge(problem, make_route(problem, "3", "A1.c0 A3.c0")).legal

    @pytest.mark.parametrize("owner", ["A", "B", "-"])
    def test_a_route_does_not_run_on(self, owner: str) -> None:
        problem = make_problem(self.BOARD, trains="3", tokens={"A3.c0": owner, "A1.c0": "A"})
        verdict = judge(problem, make_route(problem, "3", "A1.c0 A3.c0 A5.c0"))
        assert set(codes(verdict)) - {"runs-through-blocked"} == {"runs-through-terminal"}
        messages = [fault.message for fault in verdict.routes[0].faults if fault.code == "runs-through-terminal"]
        assert messages == ["track ends in A3: a route may end there, not pass through"]

    def test_one_terminal_piece_is_enough(self) -> None:
        board = {**self.BOARD, "A3": "city 40; track 1-c0 4-c0!"}
        problem = make_problem(board, trains="3", tokens={"A3.c0": "A"})
        assert codes(judge(problem, make_route(problem, "3", "A1.c0 A3.c0 A5.c0"))) == ["runs-through-terminal"]

    def test_terminal_track_through_a_junction(self) -> None:
        board = {**self.BOARD, "A3": "junction; track 1-j0! j0-4"}
        problem = make_problem(board, trains="3", tokens={"A1.c0": "A"})
        assert codes(judge(problem, make_route(problem, "3", "A1.c0 A5.c0"))) == ["runs-through-terminal"]


class TestClosedStops:
    """F43, F44: without the marker a closed stop may not even be touched; with it, it is a stop like others."""

    RULES: ClassVar[dict[str, Any]] = {
        "closed": {StopId("A5.c0"): "the coalfields need a coal marker (coal), and A has none"}
    }

    @pytest.mark.parametrize("path", ["A1.c0 A3.t0 A5.c0", "A1.c0 A3.t0 A5.c0 A7.o0"])
    def test_neither_as_an_end_nor_on_the_way(self, path: str) -> None:
        problem = row(**self.RULES)
        verdict = judge(problem, make_route(problem, "4", path))
        assert codes(verdict) == ["closed-stop"]
        assert "coal marker" in verdict.routes[0].faults[0].message
        assert judge(row(), make_route(problem, "4", path)).legal

    def test_an_own_token_in_a_closed_stop_does_not_count(self) -> None:
        problem = make_problem(ROW, trains="4", tokens={"A5.c0": "A"}, rules=RouteRules(**self.RULES))
        assert set(codes(judge(problem, make_route(problem, "4", "A3.t0 A5.c0")))) == {"no-own-token", "closed-stop"}


class TestMustVisit:
    RULES: ClassVar[dict[str, Any]] = {
        "must_visit": (MustVisit(stop_set("A5.c0 A7.o0"), "the route has to do with the tile laid in A5"),)
    }

    def test_one_of_the_stops_is_enough(self) -> None:
        problem = row(**self.RULES)
        assert judge(problem, make_route(problem, "4", "A1.c0 A3.t0 A5.c0")).legal

    def test_none_of_them(self) -> None:
        problem = row(**self.RULES)
        verdict = judge(problem, make_route(problem, "4", "A1.c0 A3.t0"))
        assert codes(verdict) == ["must-visit"]
        assert verdict.routes[0].faults[0].message == "the route has to do with the tile laid in A5"

    def test_each_route_is_asked(self) -> None:
        board = line("city 20", "town 10", "city 30", "city 40")
        problem = make_problem(board, trains="2 2", tokens={"A1.c0": "A", "A5.c0": "A"}, rules=RouteRules(**self.RULES))
        routes = make_route(problem, "2", "A1.c0 A3.t0"), make_route(problem, "2", "A5.c0 A7.c0")
        assert codes(judge(problem, *routes)) == ["must-visit"]


class TestMayNotRun:
    def test_a_reason_of_the_title(self) -> None:
        problem = row(no_run="A laid no tile this turn")
        verdict = judge(problem, make_route(problem, "4", "A1.c0 A3.t0"))
        assert codes(verdict) == ["may-not-run"]
        assert verdict.faults[0].message == "A laid no tile this turn"

    def test_staying_idle_is_always_legal(self) -> None:
        assert check(row(no_run="A laid no tile this turn"), ()).legal


class TestStopTwice:
    """F39: no stop twice, towns that cost no range included."""

    RING: ClassVar[dict[str, str]] = {
        "A1": "city 20; track 4-c0 5-c0",
        "A3": "town 10; track 1-t0 0-t0 4-t0",
        "B2": "town 10; track 2-t0 3-t0 4-t0",
        "A5": "city 30; track 1-c0",
        "B4": "city 50; track 1-c0",
    }

    @pytest.mark.parametrize("train", ["D", "4X", "8E", "3+D", "5+2"])
    def test_a_small_loop(self, train: str) -> None:
        problem = make_problem(self.RING, trains=train, tokens={"A1.c0": "A"})
        verdict = judge(problem, make_route(problem, train, "A5.c0 A3.t0 A1.c0 B2.t0 A3.t0"))
        assert codes(verdict) == ["stop-twice"]
        assert verdict.routes[0].faults[0].message == "A3 is visited twice"

    def test_two_routes_may_share_a_stop(self) -> None:
        problem = make_problem(self.RING, trains="2 2", tokens={"A1.c0": "A"})
        assert judge(problem, make_route(problem, "2", "A1.c0 A3.t0"), make_route(problem, "2", "A1.c0 B2.t0")).legal

    def test_two_cities_of_one_hex_are_two_stops(self) -> None:
        board = {
            "A1": "city 20; track 4-c0",
            "A3": "city 30; city 40; track 1-c0 5-c0 0-c1 4-c1",
            "B2": "track 3-4",
            "B4": "track 1-2",
            "A5": "city 10; track 1-c0",
        }
        problem = make_problem(board, trains="4", tokens={"A1.c0": "A"})
        assert judge(problem, make_route(problem, "4", "A1.c0 A3.c0 A3.c1 A5.c0")).legal


class TestRange:
    """F26, F40: a route within the range of its train, or illegal; never valued as a shorter one."""

    BOARD: ClassVar[dict[str, str]] = line(
        "city 10", "town 20", "city 30", "city 40", "town 50", "city 60", "offboard 70"
    )
    PATH = "A1.c0 A3.t0 A5.c0 A7.c0 A9.t0 A11.c0 A13.o0"

    def judged(self, train: str, stops: int) -> list[str]:
        problem = make_problem(self.BOARD, trains=train, tokens={"A1.c0": "A"})
        path = " ".join(self.PATH.split()[:stops])
        return codes(judge(problem, make_route(problem, train, path)))

    @pytest.mark.parametrize(
        ("train", "longest"),
        [
            ("2", 2),
            ("3", 3),
            ("6", 6),
            ("7", 7),
            ("D", 7),
            ("1+1", 2),
            ("2+1", 3),
            ("2+2", 3),  # two cities and one of two towns; the next stop is a third city
            ("3+1", 4),
            ("3+3", 5),
            ("4+2", 6),
            ("5+2", 7),
            ("2/3", 3),
            ("2/4", 4),
            ("3/5", 5),
            ("2X", 3),
            ("3X", 5),
            ("4X", 6),
            ("5X", 7),
            ("8E", 7),
            ("2+D", 3),
            ("3+D", 5),
        ],
    )
    def test_exactly_so_far(self, train: str, longest: int) -> None:
        for stops in range(2, 8):
            assert self.judged(train, stops) == ([] if stops <= longest else ["too-long"])

    @pytest.mark.parametrize(
        ("train", "message"),
        [
            ("2", "a 2 may visit 2 stops; this route visits 4 cities, 2 towns, 1 off-board"),
            ("3+1", "a 3+1 may visit 3 stops and 1 town; this route visits 4 cities, 2 towns, 1 off-board"),
            (
                "4X",
                "a 4X may visit 4 cities or off-boards and any number of towns; "
                "this route visits 4 cities, 2 towns, 1 off-board",
            ),
        ],
    )
    def test_the_message_holds_the_range_and_what_is_visited(self, train: str, message: str) -> None:
        problem = make_problem(self.BOARD, trains=train, tokens={"A1.c0": "A"})
        assert check(problem, (make_route(problem, train, self.PATH),)).all_faults[0].message == message

    @pytest.mark.parametrize("train", ["3X", "4X", "8E", "3+D"])
    def test_towns_cost_no_range(self, train: str) -> None:
        board = line("city 10", *["town 10"] * 6, "city 10")
        problem = make_problem(board, trains=train, tokens={"A1.c0": "A"})
        path = "A1.c0 A3.t0 A5.t0 A7.t0 A9.t0 A11.t0 A13.t0 A15.c0"
        assert judge(problem, make_route(problem, train, path)).legal

    def test_a_second_town_may_fill_the_place_of_a_city(self) -> None:
        """18GB, "Where the sources differ" 11: the first number of a plus train takes stops of any kind."""
        problem = make_problem(line("city 10", "town 10", "town 10"), trains="2+1", tokens={"A1.c0": "A"})
        assert judge(problem, make_route(problem, "2+1", "A1.c0 A3.t0 A5.t0")).legal

    def test_a_city_does_not_fill_the_place_of_a_town(self) -> None:
        problem = make_problem(line("city 10", "city 10", "city 10"), trains="2+1", tokens={"A1.c0": "A"})
        assert codes(judge(problem, make_route(problem, "2+1", "A1.c0 A3.c0 A5.c0"))) == ["too-long"]


class TestTrackTwice:
    """F30, F12: track is used once, over all routes of the turn; what conflicts is track, not the hex."""

    def test_one_route_over_two_curves_that_merge(self) -> None:
        problem = make_problem(MERGE, trains="3", tokens={"C3.c0": "A"})
        verdict = judge(problem, make_route(problem, "3", "A3.c0 C3.c0 A5.c0"))
        assert codes(verdict) == ["track-twice"]
        fault = verdict.routes[0].faults[0]
        assert fault.message == "the hexside between B4 and C3 is used twice: by leg 1 (A3-C3) and leg 2 (C3-A5)"
        assert fault.where == "route 1 (3), leg 2 (C3-A5)"

    def test_two_routes_over_two_curves_that_merge(self) -> None:
        problem = make_problem(MERGE, trains="2 3", tokens={"C3.c0": "A"})
        verdict = judge(problem, make_route(problem, "2", "C3.c0 A3.c0"), make_route(problem, "3", "C3.c0 A5.c0 A7.c0"))
        assert codes(verdict) == ["track-twice"]
        assert verdict.faults[0].message == (
            "the hexside between B4 and C3 is used twice: "
            "by route 1 (2), leg 1 (C3-A3) and by route 2 (3), leg 1 (C3-A5)"
        )
        assert verdict.faults[0].where == "routes 1 and 2"
        assert all(not scored.faults for scored in verdict.routes)

    def test_two_roads_of_one_tile_serve_two_routes(self) -> None:
        problem = make_problem(CROSSING, trains="2 2", tokens={"C3.c0": "A", "C5.c0": "A"})
        verdict = judge(problem, make_route(problem, "2", "C3.c0 A5.c0"), make_route(problem, "2", "C5.c0 A3.c0"))
        assert verdict.legal
        assert verdict.revenue == 50 + 30 + 60 + 20

    def test_two_roads_of_one_tile_serve_one_route_twice(self) -> None:
        board = {**CROSSING, "A5": "city 30; track 0-c0 4-c0", "A7": "track 0-1", "B6": "track 0-3"}
        board["C5"] = "city 60; track 2-c0 3-c0"
        problem = make_problem(board, trains="4", tokens={"C3.c0": "A"})
        assert judge(problem, make_route(problem, "4", "C3.c0 A5.c0 C5.c0 A3.c0")).legal

    def test_a_leg_that_runs_back_over_its_own_hexside(self) -> None:
        board = {
            "A1": "city 20; track 4-c0 5-c0",
            "A3": "track 1-0 4-0",
            "B2": "track 3-4 2-3",
            "A5": "city 10; track 1-c0",
        }
        problem = make_problem(board, trains="2", tokens={"A1.c0": "A"})
        there = (piece("A1:4-c0"), piece("A3:0-1"), piece("B2:3-4"))
        leg = Leg(StopId("A1.c0"), StopId("A5.c0"), (*there, piece("B2:2-3"), piece("A3:0-4"), piece("A5:1-c0")))
        assert "no-track" in codes(check(problem, (Route("2", (leg,)),)))

    def test_the_same_line_in_both_directions(self) -> None:
        problem = make_problem(line("city 20", "", "city 30"), trains="2 2", tokens={"A1.c0": "A"})
        route = make_route(problem, "2", "A1.c0 A5.c0")
        verdict = judge(problem, route, route)
        assert codes(verdict) == ["track-twice"]
        assert "the hexsides between A1 and A3, between A3 and A5 are used twice" in verdict.faults[0].message

    def test_track_between_two_stops_of_a_hex(self) -> None:
        board = {
            "A1": "city 20; city 30; track c0-c1 4-c0 5-c1",
            "A3": "city 10; track 1-c0",
            "B2": "city 10; track 2-c0",
        }
        problem = make_problem(board, trains="3 3", tokens={"A1.c0": "A", "A1.c1": "A"})
        verdict = judge(
            problem, make_route(problem, "3", "A3.c0 A1.c0 A1.c1"), make_route(problem, "3", "B2.c0 A1.c1 A1.c0")
        )
        assert codes(verdict) == ["track-twice"]
        assert "the track c0-c1 in A1 is used twice" in verdict.faults[0].message

    def test_a_junction(self) -> None:
        board = {
            "A1": "city 10; track 4-c0",
            "A3": "junction; track 1-j0 4-j0 0-j0 5-j0",
            "A5": "city 20; track 1-c0",
            "B2": "city 30; track 3-c0",
            "B4": "city 40; track 2-c0",
        }
        problem = make_problem(board, trains="2 2", tokens={"A1.c0": "A", "B2.c0": "A"})
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A5.c0"), make_route(problem, "2", "B2.c0 B4.c0"))
        assert codes(verdict) == ["track-twice"]
        assert "the junction in A3 is used twice" in verdict.faults[0].message

    def test_two_links_between_the_same_stops(self) -> None:
        board = {"A1": "city 10; track 4-c0 5-c0", "A3": "city 20; track 1-c0 0-c0", "B2": "track 2-3"}
        problem = make_problem(board, trains="2 2", tokens={"A1.c0": "A"})
        assert judge(
            problem,
            make_route(problem, "2", "A1.c0 A3.c0", via=["A1 A3"]),
            make_route(problem, "2", "A1.c0 A3.c0", via=["A1 B2 A3"]),
        ).legal


class TestBlocking:
    """COMMON section 8: a city full of others' tokens ends a route."""

    def problem(self, slots: int, tokens: str) -> RouteProblem:
        board = line("city 20", f"city 30 slots={slots}", "city 40")
        return make_problem(
            make_edition(board, tokens_beside_slots=True), trains="3", tokens={"A1.c0": "A", "A3.c0": tokens}
        )

    @pytest.mark.parametrize(
        ("slots", "tokens", "blocks"),
        [
            (1, "B", True),
            (1, "-", False),
            (1, BLOCK, True),
            (2, "B", False),
            (2, "- B", False),
            (2, "B C", True),
            (2, "B A", False),
            (2, f"{BLOCK} B", True),
            (1, "B C", True),  # a token beside the slots, 1894 section 6
            (1, "B A", False),
            (0, "-", False),
        ],
    )
    def test_passing_and_ending(self, slots: int, tokens: str, blocks: bool) -> None:
        problem = self.problem(slots, tokens)
        through = judge(problem, make_route(problem, "3", "A1.c0 A3.c0 A5.c0"))
        assert codes(through) == (["runs-through-blocked"] if blocks else [])
        assert judge(problem, make_route(problem, "3", "A1.c0 A3.c0")).legal

    def test_the_message_names_whose_tokens_they_are(self) -> None:
        problem = self.problem(2, "B C")
        message = check(problem, (make_route(problem, "3", "A1.c0 A3.c0 A5.c0"),)).all_faults[0].message
        assert message == ("A3 is full of other companies' tokens (B, C): a route may end there, not pass through")

    def test_both_ends_may_block(self) -> None:
        board = line("city 20", "city 30", "city 40")
        problem = make_problem(board, trains="3", tokens={"A1.c0": "B", "A3.c0": "A", "A5.c0": "C"})
        assert judge(problem, make_route(problem, "3", "A1.c0 A3.c0 A5.c0")).legal

    def test_a_full_city_blocks_only_itself(self) -> None:
        board = {
            "A1": "city 20; track 4-c0",
            "A3": "city 30; city 40; track 1-c0 4-c0 5-c1",
            "A5": "city 10; track 1-c0",
        }
        problem = make_problem(board, trains="3", tokens={"A1.c0": "A", "A3.c1": "B"})
        assert judge(problem, make_route(problem, "3", "A1.c0 A3.c0 A5.c0")).legal

    def test_an_off_board_is_an_end(self) -> None:
        board = line("city 20", "offboard 30", "city 40")
        problem = make_problem(board, trains="3", tokens={"A1.c0": "A"})
        verdict = judge(problem, make_route(problem, "3", "A1.c0 A3.o0 A5.c0"))
        assert codes(verdict) == ["runs-through-off-board"]
        assert judge(problem, make_route(problem, "3", "A1.c0 A3.o0")).legal

    def test_a_passable_off_board(self) -> None:
        board = line("city 20", "offboard 30 through", "city 40")
        problem = make_problem(board, trains="3", tokens={"A1.c0": "A"})
        assert judge(problem, make_route(problem, "3", "A1.c0 A3.o0 A5.c0")).legal


class TestExtensions:
    """1833NE section 9: a route may be prolonged from an end, even through full cities, to earn a bonus."""

    #: A1 own, A3, A5 full of others' tokens, A7, and the partner A9; a second line A1 – B2 – C3.
    BOARD: ClassVar[dict[str, str]] = {
        **line("city 20", "city 30", "city 40", "city 50", "city 60"),
        "A1": "city 20; track 4-c0 5-c0",
        "B2": "city 10; track 2-c0 5-c0",
        "C3": "offboard 70; track 2-o0 4-o0",
        "C5": "city 10; track 1-c0",
    }

    def problem(self, trains: str = "2 2", far: str = "A9.c0", **rules: Any) -> RouteProblem:
        bonus = InterconnectionBonus("Boston-Montreal", stop_set("A1.c0"), stop_set(far), 100, "test")
        return make_problem(
            self.BOARD,
            trains=trains,
            tokens={"A1.c0": "A", "A5.c0": "B", "A7.c0": "C", "B2.c0": "B"},
            bonuses=[bonus],
            rules=RouteRules(**rules),
        )

    def test_through_full_cities_to_the_partner(self) -> None:
        problem = self.problem()
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A3.c0", extensions=["A3.c0 A5.c0 A7.c0 A9.c0"]))
        assert verdict.legal
        assert verdict.revenue == 50 + 100
        assert [part.where for part in verdict.routes[0].parts] == ["A1.c0", "A3.c0"]
        assert verdict.bonuses[0].routes == (0,)

    def test_from_either_end(self) -> None:
        problem = self.problem(far="C3.o0")
        assert judge(problem, make_route(problem, "2", "A1.c0 A3.c0", extensions=["A1.c0 B2.c0 C3.o0"])).legal

    def test_not_from_the_middle_nor_from_elsewhere(self) -> None:
        problem = self.problem("3")
        for path, extension in (
            ("A1.c0 A3.c0 A5.c0", "A3.c0 A5.c0 A7.c0 A9.c0"),
            ("A1.c0 A3.c0", "A5.c0 A7.c0 A9.c0"),
        ):
            verdict = judge(problem, make_route(problem, "3", path, extensions=[extension]))
            assert "extension-start" in codes(verdict)

    def test_one_extension_from_each_end(self) -> None:
        problem = self.problem()
        extension = "A3.c0 A5.c0 A7.c0 A9.c0"
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A3.c0", extensions=[extension, extension]))
        assert {"extension-start", "track-twice"} <= set(codes(verdict))

    def test_an_extension_without_track(self) -> None:
        problem = self.problem()
        route = make_route(problem, "2", "A1.c0 A3.c0")
        assert "extension-start" in codes(check(problem, (Route("2", route.legs, ((),)),)))

    def test_it_leads_to_a_partner(self) -> None:
        problem = self.problem()
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A3.c0", extensions=["A3.c0 A5.c0 A7.c0"]))
        assert codes(verdict) == ["extension-without-bonus"]
        assert "A7, which is no partner" in verdict.routes[0].faults[0].message

    def test_a_route_that_visits_both_places_needs_no_extension(self) -> None:
        problem = self.problem("2", far="A3.c0 A5.c0")
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A3.c0", extensions=["A3.c0 A5.c0"]))
        assert codes(verdict) == ["extension-without-bonus"]
        assert verdict.revenue == 50

    def test_not_through_an_off_board(self) -> None:
        problem = self.problem(far="C5.c0")
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A3.c0", extensions=["A1.c0 B2.c0 C3.o0 C5.c0"]))
        assert codes(verdict) == ["runs-through-off-board"]

    def test_not_on_from_an_off_board_end(self) -> None:
        problem = self.problem("3", far="C5.c0")
        verdict = judge(problem, make_route(problem, "3", "A3.c0 A1.c0 B2.c0 C3.o0", extensions=["C3.o0 C5.c0"]))
        assert "runs-through-off-board" in codes(verdict)

    def test_not_on_from_terminal_track(self) -> None:
        board = {**self.BOARD, "A3": "city 30; track 1-c0! 4-c0"}
        bonus = InterconnectionBonus("B", stop_set("A1.c0"), stop_set("A9.c0"), 100, "test")
        problem = make_problem(board, trains="2", tokens={"A1.c0": "A"}, bonuses=[bonus])
        route = make_route(problem, "2", "A1.c0 A3.c0", extensions=["A3.c0 A5.c0 A7.c0 A9.c0"])
        assert codes(judge(problem, route)) == ["runs-through-terminal"]

    def test_no_closed_stop(self) -> None:
        problem = self.problem(closed={StopId("A7.c0"): "closed"})
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A3.c0", extensions=["A3.c0 A5.c0 A7.c0 A9.c0"]))
        assert codes(verdict) == ["closed-stop"]

    def test_no_stop_of_its_own_route(self) -> None:
        board = {
            "A1": "city 20; track 4-c0 5-c0",
            "A3": "city 30; track 1-c0 0-c0",
            "B2": "city 10; track 2-c0 3-c0",
        }
        bonus = InterconnectionBonus("B", stop_set("A3.c0"), stop_set("B2.c0"), 100, "test")
        problem = make_problem(board, trains="3", tokens={"A1.c0": "A"}, bonuses=[bonus])
        verdict = judge(problem, make_route(problem, "3", "B2.c0 A1.c0 A3.c0", extensions=["A3.c0 B2.c0"]))
        assert "stop-twice" in codes(verdict)

    def test_no_track_of_any_route_of_the_company(self) -> None:
        problem = self.problem("2 2")
        long = make_route(problem, "2", "A1.c0 A3.c0", extensions=["A3.c0 A5.c0 A7.c0 A9.c0"])
        other = make_route(problem, "2", "A3.c0 A5.c0")
        verdict = judge(problem, long, other)
        assert sorted(codes(verdict)) == ["no-own-token", "track-twice"]
        assert "extension 1, leg 1 (A3-A5)" in verdict.faults[0].message

    def test_no_track_of_another_extension(self) -> None:
        board = {**self.BOARD, "A3": "city 30; track 0-c0 1-c0 4-c0", "B2": "city 10; track 2-c0 3-c0 5-c0"}
        bonus = InterconnectionBonus("B", stop_set("A1.c0"), stop_set("A9.c0"), 100, "test")
        problem = make_problem(board, trains="2 3", tokens={"A1.c0": "A"}, bonuses=[bonus])
        extension = "A3.c0 A5.c0 A7.c0 A9.c0"
        verdict = judge(
            problem,
            make_route(problem, "2", "A1.c0 A3.c0", extensions=[extension]),
            make_route(problem, "3", "A1.c0 B2.c0 A3.c0", extensions=[extension]),
        )
        assert set(codes(verdict)) == {"track-twice"}

    def test_other_routes_may_share_stops_with_it(self) -> None:
        board = {**self.BOARD, "A5": "city 40; track 1-c0 4-c0 5-c0", "B6": "city 80; track 2-c0"}
        bonus = InterconnectionBonus("B", stop_set("A1.c0"), stop_set("A9.c0"), 100, "test")
        problem = make_problem(board, trains="2 2", tokens={"A1.c0": "A", "A5.c0": "A"}, bonuses=[bonus])
        assert judge(
            problem,
            make_route(problem, "2", "A1.c0 A3.c0", extensions=["A3.c0 A5.c0 A7.c0 A9.c0"]),
            make_route(problem, "2", "A5.c0 B6.c0"),
        ).legal


class TestFaultsAreListed:
    """Every code of the rules stands in docs/faults.md, with a sentence, and is tested here."""

    SOURCE = Path(legality.__file__).read_text()
    CODES: ClassVar[set[str]] = set(re.findall(r'(?:fault\(|Fault\(|append\(\()\s*"([a-z-]+)"', SOURCE))

    def test_the_table_is_complete(self) -> None:
        table = (Path(__file__).parents[2] / "docs" / "faults.md").read_text()
        assert not self.CODES - set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE))

    def test_each_code_has_a_test(self) -> None:
        assert len(self.CODES) == 20
        tests = Path(__file__).read_text()
        assert all(f'"{code}"' in tests for code in self.CODES)

    def test_all_problems_are_told_at_once(self) -> None:
        problem = make_problem(
            line("city 20", "city 30", "city 40", "city 50"), trains="2", tokens={"A3.c0": "B", "A5.c0": "C"}
        )
        verdict = judge(problem, make_route(problem, "2", "A1.c0 A3.c0 A5.c0 A7.c0"))
        assert codes(verdict) == ["no-own-token", "too-long", "runs-through-blocked", "runs-through-blocked"]

    def test_places_are_named_as_printed(self) -> None:
        edition = make_edition(line("city 20", "city 30", "city 40"), names={"A3": "Boston"})
        problem = make_problem(edition, trains="3", tokens={"A1.c0": "A", "A3.c0": "B"})
        verdict = check(problem, (make_route(problem, "3", "A1.c0 A3.c0 A5.c0"),))
        assert verdict.all_faults[0].message.startswith("Boston (A3) is full")


def test_pieces_of_a_test_are_what_they_say() -> None:
    assert piece("A3:1-4") == TrackPiece(
        HexId("A3"), make_problem(line("", "", "")).position.tile_at(HexId("A3")).track[0]
    )
