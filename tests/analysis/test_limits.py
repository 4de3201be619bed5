"""Why not more: 50 small boards with one limiting cause each, whose gain is known from how the board is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from analysis.limits import BLOCKED, LENGTH, TOKEN, TRACK, Limits, limits_of
from board.position import Position
from routing.problem import RouteProblem
from routing.solve import solve
from tests.boards import line, make_problem
from tests.cli.calling import ERIE, trackage


@dataclass(frozen=True)
class Case:
    """A board whose best is kept down by one thing: what, where, and what lifting it adds (money)."""

    name: str
    problem: RouteProblem
    kind: str
    where: tuple[str, ...]
    gain: int


def too_short() -> Iterator[Case]:
    """A line of falling values from the only token on: the next stop is out of reach of the train."""
    for number, values in [
        (2, (40, 30, 20)), (2, (90, 50, 10)), (3, (60, 50, 30, 20)), (3, (100, 20, 20, 10)), (4, (50, 40, 30, 20, 10)),
        (4, (90, 80, 70, 60, 50)), (5, (60, 50, 40, 30, 20, 10)), (2, (30, 20, 10, 10)), (3, (40, 30, 20, 10, 10)),
    ]:  # fmt: skip
        board = line(*(f"city {value}" for value in values))
        problem = make_problem(board, trains=str(number), tokens={"A1.c0": "A"})
        yield Case(f"{number} on {values}", problem, LENGTH, (str(number),), values[number])
    for train, values, gain in [
        ("2/3", (50, 40, 30, 20), 30), ("3/5", (60, 50, 40, 30, 20, 10), 30), ("3X", (40, 30, 20, 10), 10),
        ("3+D", (50, 40, 30, 20), 40), ("2/4", (30, 20, 10), 10),
    ]:  # fmt: skip
        problem = make_problem(line(*(f"city {value}" for value in values)), trains=train, tokens={"A1.c0": "A"})
        yield Case(f"{train} on {values}", problem, LENGTH, (train,), gain)


def blocked() -> Iterator[Case]:
    """A full city on the way: what lies behind it is the gain."""
    for number, before, full, behind in [
        (3, (20,), 30, (40,)), (3, (50,), 10, (10,)), (4, (20,), 30, (40, 50)), (4, (20, 20), 30, (70,)),
        (5, (20, 30), 30, (40, 10)), (5, (10,), 10, (10, 10, 10)), (6, (20, 20, 20), 30, (40, 60)),
        (8, (40,), 20, (20, 30, 40)), (3, (90,), 80, (70,)), (4, (30, 40), 50, (60,)), (6, (10, 10), 40, (20, 20, 20)),
    ]:  # fmt: skip
        values = (*before, full, *behind)
        tokens = {f"A{2 * place + 1}.c0": "A" for place in range(len(before))}
        place = f"A{2 * len(before) + 1}.c0"
        board = line(*(f"city {value}" for value in values))
        problem = make_problem(board, trains=str(number), tokens={**tokens, place: "B"})
        yield Case(f"{number} over {values}", problem, BLOCKED, (place,), sum(behind))
    board = line("city 20", "city 30 slots=2", "city 40")
    problem = make_problem(board, trains="3", tokens={"A1.c0": "A", "A3.c0": "B C"})
    yield Case("two slots, both taken", problem, BLOCKED, ("A3.c0",), 40)


def shared() -> Iterator[Case]:
    """Only one line of track leads from the token: further trains stay idle, or run what is left."""
    for trains, values in [
        ("2 2", (20, 30)), ("2 2", (40, 10)), ("3 3", (20, 30, 40)), ("2 3", (50, 60)), ("2 4", (10, 20)),
        ("4 4", (10, 20, 30, 40)), ("3 5", (30, 30, 30)), ("5 5", (20, 20, 20, 20)),
    ]:  # fmt: skip
        board = line(*(f"city {value}" for value in values))
        tokens = {f"A{2 * place + 1}.c0": "A" for place in range(len(values))}
        problem = make_problem(board, trains=trains, tokens=tokens)
        first, second = sorted((int(train) for train in trains.split()), reverse=True)
        if min(first, second) >= len(values):
            gain = sum(values) - max(values[1:-1], default=0)  # one line may be shared out between two trains
            where = tuple(f"A{2 * place + 1}" for place in range(len(values)))
            yield Case(f"{trains} on {values}", problem, TRACK, where, gain)
    for one, other in ((30, 20), (50, 40), (60, 10), (90, 80)):
        board = {
            "A1": "city 20; track 4-c0",
            "A3": "track 1-4 1-5",
            "A5": f"city {one}; track 1-c0",
            "B4": f"city {other}; track 2-c0",
        }
        tokens = {"A1.c0": "A", "A5.c0": "A", "B4.c0": "A"}
        problem = make_problem(board, trains="2 2", tokens=tokens)
        yield Case(f"a fork to {one} and {other}", problem, TRACK, ("A1", "A3", "A5"), 20 + one)


def no_token() -> Iterator[Case]:
    """Good stops lie beyond two stops that pay nothing, too far from the only token for any train of the company."""
    for own, near, one, other in [
        (20, 0, 50, 50), (20, 0, 40, 60), (10, 0, 90, 90), (30, 0, 70, 20), (40, 0, 50, 30), (60, 0, 80, 80),
        (20, 0, 30, 30), (50, 0, 60, 20), (10, 0, 20, 20), (30, 0, 60, 60), (20, 0, 100, 100), (70, 0, 90, 40),
    ]:  # fmt: skip
        board = line(f"city {own}", f"town {near}", f"town {near}", f"city {one}", f"city {other}")
        problem = make_problem(board, trains="2", tokens={"A1.c0": "A", "A9.c0": "B"})
        yield Case(f"{own} and far {one}, {other}", problem, TOKEN, ("A7.c0",), one + other - own)


CASES = (*too_short(), *blocked(), *shared(), *no_token())


def limits(problem: RouteProblem) -> Limits:
    def rebuild(position: Position) -> RouteProblem:
        return replace(problem, position=position)

    return limits_of(problem, solve(problem), rebuild)


def test_there_are_fifty_boards() -> None:
    assert len(CASES) >= 50
    assert {case.kind for case in CASES} == {LENGTH, BLOCKED, TRACK, TOKEN}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_one_cause_is_named_with_its_gain(case: Case) -> None:
    found = limits(case.problem).found
    assert [(limit.kind, limit.where, limit.gain, limit.exact) for limit in found] == [
        (case.kind, case.where, case.gain, True)
    ]


def test_nothing_limits_what_runs_everywhere() -> None:
    problem = make_problem(line("city 20", "city 30"), trains="3", tokens={"A1.c0": "A"})
    found = limits(problem)
    assert found.found == ()
    assert found.tried


def test_no_train_has_no_limits() -> None:
    problem = make_problem(line("city 20", "city 30"), trains="", tokens={"A1.c0": "A"})
    assert limits(problem).tried == 0


def test_several_causes_stand_in_order_of_gain() -> None:
    problem = make_problem(
        line("city 20", "city 30", "city 40", "city 50"), trains="2", tokens={"A1.c0": "A", "A5.c0": "B"}
    )
    gains = [limit.gain for limit in limits(problem).found]
    assert gains == sorted(gains, reverse=True)
    assert gains


def test_no_time_is_told() -> None:
    problem = CASES[0].problem
    found = limits_of(problem, solve(problem), lambda position: replace(problem, position=position), time_limit=0.0)
    assert (found.tried, found.found) == (0, ())
    assert found.left


def test_best_explains() -> None:
    called = trackage("best", ERIE, "--explain")
    assert "why not more? Each of these alone would add:" in called.out
    assert "+20  the 5 with one more stop: train length" in called.out
    limited = trackage("best", ERIE, "--explain", "--json").object["limits"]
    assert [limit["gain"] for limit in limited] == [50, 20, 10]
    assert {"kind": "train length", "what": "the 5 with one more stop", "where": ["5"], "gain": 20, "exact": True} in (
        limited
    )


def test_wishes_are_not_explained() -> None:
    assert "why not more" not in trackage("best", ERIE, "--explain", "--without", "E7").out
