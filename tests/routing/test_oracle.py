"""The oracle on boards whose routes and best runs were counted by hand."""

from __future__ import annotations

import pytest

from board.errors import LimitExceeded
from bonuses.by_extension import InterconnectionBonus
from routing.checker import check
from routing.oracle import best_runs, trails
from tests.boards import line, make_position, make_problem, stop_set


class TestTrails:
    """Each trail once, from one of its two ends."""

    @pytest.mark.parametrize("length", range(1, 7))
    def test_a_line(self, length: int) -> None:
        """n stops in a row: every stretch of two and more, n (n - 1) / 2."""
        position = make_position(line(*["city 10"] * length))
        assert sum(1 for _ in trails(position)) == length * (length - 1) // 2

    def test_a_ring_of_three(self) -> None:
        """Three links; from each of the three stops one way round over two links."""
        ring = {"A1": "city 1; track 4-c0 5-c0", "A3": "city 1; track 1-c0 0-c0", "B2": "city 1; track 2-c0 3-c0"}
        assert sum(1 for _ in trails(make_position(ring))) == 3 + 3

    def test_two_links_between_two_stops(self) -> None:
        board = {"A1": "city 1; track 4-c0 5-c0", "A3": "city 1; track 1-c0 0-c0", "B2": "track 2-3"}
        assert sum(1 for _ in trails(make_position(board))) == 2

    def test_track_that_merges(self) -> None:
        """A3 and A5 to C3 over one hexside: each alone, not one after the other."""
        board = {
            "A3": "city 1; track 5-c0",
            "A5": "city 1; track 0-c0",
            "B4": "track 0-2 0-3",
            "C3": "city 1; track 3-c0",
        }
        assert sum(1 for _ in trails(make_position(board))) == 2

    def test_a_star_of_four_arms(self) -> None:
        """Four single links, and the six pairs of them through the middle."""
        board = {
            "B4": "city 1; track 1-c0 2-c0 3-c0 4-c0",
            "B2": "city 1; track 4-c0",
            "A3": "city 1; track 5-c0",
            "A5": "city 1; track 0-c0",
            "B6": "city 1; track 1-c0",
        }
        assert sum(1 for _ in trails(make_position(board))) == 4 + 6


class TestBestRuns:
    def test_only_one_line(self) -> None:
        problem = make_problem(line("city 10", "city 20", "city 30", "city 40"), trains="3", tokens={"A1.c0": "A"})
        verdict = best_runs(problem)
        assert (verdict.legal, verdict.revenue) == (True, 60)

    def test_nothing_to_run(self) -> None:
        assert best_runs(make_problem(line("city 10", "city 20"), trains="2")).revenue == 0
        assert best_runs(make_problem(line("city 10", "city 20"), trains="", tokens={"A1.c0": "A"})).revenue == 0
        assert best_runs(make_problem({"A1": "city 10"}, trains="2", tokens={"A1.c0": "A"})).routes == ()

    def test_a_shorter_train_stays_idle(self) -> None:
        """F06: trains 2, 2, 3; from X a line to a 30 and a line over a 20 to a 30: 50 + 70, a 2 stays idle."""
        problem = make_problem(line("city 30", "city 20", "city 20", "city 30"), trains="2 2 3", tokens={"A3.c0": "A"})
        verdict = best_runs(problem)
        assert verdict.revenue == 120
        assert sorted(scored.train for scored in verdict.routes) == ["2", "3"]

    def test_the_best_pair_need_not_hold_the_best_route(self) -> None:
        """F09: the long train alone takes 20 + 30 + 40 + 50 = 140; together the best pair leaves some of that to the
        doubling train."""
        board = line("city 20", "city 30", "city 40", "city 50")
        tokens = {"A3.c0": "A", "A5.c0": "A"}
        alone = best_runs(make_problem(board, trains="4", tokens=tokens)).revenue
        doubled = best_runs(make_problem(board, trains="2+D", tokens=tokens)).revenue
        pair = best_runs(make_problem(board, trains="4 2+D", tokens=tokens)).revenue
        assert (alone, doubled) == (140, 180)
        assert pair == 180 + 90  # 2 x (40 + 50) and 20 + 30 + 40
        assert pair < alone + doubled

    def test_an_own_token_opens_the_way(self) -> None:
        board = line("city 10", "city 20", "city 90")
        blocked = make_problem(board, trains="3", tokens={"A1.c0": "A", "A3.c0": "B"})
        passable = make_problem(board, trains="3", tokens={"A1.c0": "A", "A3.c0": "A"})
        assert (best_runs(blocked).revenue, best_runs(passable).revenue) == (30, 120)

    def test_extensions_are_found(self) -> None:
        board = line("city 20", "city 30", "city 40", "city 50")
        bonus = InterconnectionBonus("Boston-Montreal", stop_set("A1.c0"), stop_set("A7.c0"), 100, "test")
        problem = make_problem(board, trains="2", tokens={"A1.c0": "A", "A5.c0": "B"}, bonuses=[bonus])
        verdict = best_runs(problem)
        assert verdict.revenue == 50 + 100
        assert verdict.routes[0].route.extensions

    def test_the_answer_stands_up_to_the_checker(self) -> None:
        problem = make_problem(line("city 10", "town 20", "city 30"), trains="1+1 2", tokens={"A1.c0": "A"})
        verdict = best_runs(problem)
        assert check(problem, tuple(scored.route for scored in verdict.routes)) == verdict

    def test_a_large_board_is_refused(self) -> None:
        problem = make_problem(line(*["city 10"] * 8), trains="D D D", tokens={"A1.c0": "A"})
        with pytest.raises(LimitExceeded, match="small boards"):
            best_runs(problem, most_checks=20)
