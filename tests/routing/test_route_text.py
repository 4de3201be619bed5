"""Routes as people write them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from board.errors import InputError
from board.routes import Route
from routing.claims import parse_route, resolve
from routing.oracle import trails
from routing.problem import RouteProblem
from tests.boards import make_edition, make_problem
from tests.strategies import problems

BOARD = {
    "A1": "city 20; track 4-c0 5-c0",
    "A3": "track 1-4",
    "A5": "city 30; city 10; track 1-c0 0-c0 4-c0 5-c1",
    "A7": "offboard 40; track 1-o0 0-o0",
    "B2": "track 2-4",
    "B4": "track 1-3",
    "B6": "town 10; track 2-t0 3-t0",
    "a2": "city 5",
}
NAMES = {
    "A1": "Liège-Guillemins",
    "A5": "Newark & New York",
    "A7": "Great Britain",
    "B6": "St. Albans/Burlington",
    "a2": "Vega",
}
PROBLEM = make_problem(make_edition(BOARD, names=NAMES), trains="2 3+1")


class TestStops:
    @pytest.mark.parametrize(
        "text",
        [
            "3+1: A1.c0-A5.c0-A7.o0",
            "3+1:A1-A5.c0-A7",
            "  3+1 :  A1 - A5.c0 - A7 ",
            "3+1: a1-a5.c0-a7",
            "3+1: A1–A5.c0—A7",
            "3+1: A1 -> A5.c0 -> A7",
            "3+1: Liège-Guillemins-A5.c0-Great Britain",
            "3+1: liege-guillemins - A5.c0 - GREATBRITAIN",
        ],
    )
    def test_many_ways_to_say_it(self, text: str) -> None:
        claim = parse_route(PROBLEM, text)
        assert (claim.train, claim.stops, claim.connections) == ("3+1", ("A1.c0", "A5.c0", "A7.o0"), ())

    def test_a_part_of_a_name(self) -> None:
        assert parse_route(PROBLEM, "2: Burlington-A7").stops == ("B6.t0", "A7.o0")
        assert parse_route(PROBLEM, "2: St Albans/Burlington-A7").stops == ("B6.t0", "A7.o0")

    def test_small_letters_are_hexes_of_their_own(self) -> None:
        assert parse_route(PROBLEM, "2: a2-A1").stops == ("a2.c0", "A1.c0")

    @pytest.mark.parametrize(
        ("text", "code", "words"),
        [
            ("A1-A5.c0", "malformed-route", "TRAIN: STOP-STOP"),
            ("", "malformed-route", "TRAIN: STOP-STOP"),
            ("2:", "malformed-route", "TRAIN: STOP-STOP"),
            ("2: A1", "malformed-route", "at least two stops"),
            ("3+2: A1-A7", "unknown-train", "did you mean"),
            ("2: A1-A5", "ambiguous-stop", "'A5' names 2 stops: A5.c0, A5.c1; name one"),
            ("2: A1-New York", "ambiguous-stop", "names 2 stops"),
            ("2: A1-A5.c2", "unknown-stop", "Newark & New York (A5): its stops are A5.c0, A5.c1"),
            ("2: A1-A3", "unknown-stop", "A3: it has no stop"),
            ("2: A1-Great Britian", "unknown-stop", "did you mean Great Britain?"),
            ("2: A1-Q77", "unknown-stop", "has no place 'Q77'"),
            ("2: A1--A7", "unknown-stop", "has no place ''"),
            ("2: A1-A7 via Z5", "unknown-hex", "has no hex 'Z5'"),
            ("2: A1-A5.c0 via B6", "no-such-track", "no track of this route runs through B6"),
            ("2: A1-A5.c0 via A3 B4", "no-such-track", "A3 and B4 in order"),
            ("2: A1 via A3-A5.c0", "malformed-route", "via stands after the stop"),
            ("2: A1-A5.c0 via B6-A7", "no-such-track", "no track from A1.c0 to A5.c0 runs through B6"),
        ],
    )
    def test_what_is_wrong_and_what_would_be_right(self, text: str, code: str, words: str) -> None:
        with pytest.raises(InputError) as caught:
            parse_route(PROBLEM, text)
        (fault,) = caught.value.faults
        assert fault.code == code
        assert words in fault.message


class TestVia:
    @pytest.mark.parametrize(
        ("text", "hexes"),
        [
            ("2: A1-A5.c0", ("A1", "A3", "A5")),
            ("2: A1-A5.c0 via A3", ("A1", "A3", "A5")),
            ("2: A1-A5.c0 via B2", ("A1", "B2", "B4", "A5")),
            ("2: A1-A5.c0 via b4 B2", ("A1", "B2", "B4", "A5")),
            ("2: A1-A5.c0 via B2, B4", ("A1", "B2", "B4", "A5")),
            ("2: A1-A5.c0 via A1 B2 B4 A5", ("A1", "B2", "B4", "A5")),
            ("3+1: A1-A5.c0-A7 via B4", ("A1", "B2", "B4", "A5", "A7")),
            ("3+1: A7-A5.c0-A1 via B2 B4", ("A7", "A5", "B4", "B2", "A1")),
            ("3+1: A1-A5.c0 via B4-A7", ("A1", "B2", "B4", "A5", "A7")),
            ("3+1: A1-A5.c0 via A1 B2 B4 A5 - A7", ("A1", "B2", "B4", "A5", "A7")),
        ],
    )
    def test_it_chooses_among_parallel_track(self, text: str, hexes: tuple[str, ...]) -> None:
        assert resolve(PROBLEM, [parse_route(PROBLEM, text)])[0].hexes == hexes


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems(), rng=st.randoms(use_true_random=False))
def test_a_route_written_out_leg_by_leg_is_read_back(problem: RouteProblem, rng: Random) -> None:
    found = list(trails(problem.position))[:200]
    assume(found)
    route = Route(problem.position.trains[0], found[rng.randrange(len(found))])
    pieces = [route.stops[0]]
    for leg in route.legs:
        pieces.append(f"{leg.end} via {' '.join(leg.hexes)}")  # type: ignore[arg-type]
    claim = parse_route(problem, f"{route.train}: {'-'.join(pieces)}")
    assert claim.stops == route.stops
    (resolved,) = resolve(problem, [claim])
    assert all(set(leg.hexes) <= set(other.hexes) for leg, other in zip(route.legs, resolved.legs, strict=True))
