"""The three accounts of a bonus agree: its items are exact, its terms are worth the same, its bound is never too low.

On generated boards and route sets, legal or not: a bonus does not ask about legality.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from board.hexes import HexId, Layout, StopId
from board.position import Position
from board.routes import Leg, Route, TrackPiece
from board.trains import StopKind
from bonuses.at_stop import PlaceBonus, TrackBonus
from bonuses.base import Bonus, Run
from bonuses.by_extension import InterconnectionBonus
from bonuses.of_route import DistanceBonus, HighestStopBonus
from bonuses.over_routes import JointBonus, MostStopsBonus
from bonuses.terms import Axis
from routing.chains import chains_from
from tests.boards import TRAINS, make_train, stop_set
from tests.bonuses.valuation import hexes_apart, worth
from tests.strategies import WIDE, random_position

#: A seed says everything about a case; hypothesis varies it and shows it when a case fails.
seeded = st.integers(0, 10**9).map(Random)

Draw = Callable[[Random, Position], Bonus]


def some_stops(rng: Random, position: Position, most: int = 3) -> frozenset[StopId]:
    stops = sorted(position.stops) or [StopId("A1.c0")]
    return frozenset(stops[rng.randrange(len(stops))] for _ in range(rng.randint(1, most)))


def some_hexes(rng: Random, position: Position) -> frozenset[HexId]:
    hexes = sorted(position.layout_of)
    return frozenset(hexes[rng.randrange(len(hexes))] for _ in range(rng.randint(1, 3)))


def place(rng: Random, position: Position) -> Bonus:
    groups = tuple(some_stops(rng, position) for _ in range(rng.randint(1, 3)))
    return PlaceBonus("place", groups, 10 * rng.randrange(5), "test", counted=bool(rng.randrange(2)))


def track(rng: Random, position: Position) -> Bonus:
    pieces = [TrackPiece(hex_id, piece) for hex_id, tile in position.layout_of.items() for piece in tile.track]
    chosen = frozenset(pieces[rng.randrange(len(pieces))] for _ in range(rng.randint(1, 4)) if pieces)
    return TrackBonus("track", chosen, 40, "test")


def highest(rng: Random, position: Position) -> Bonus:
    values = {stop: 10 * rng.randrange(6) for stop in some_stops(rng, position, 6)}
    return HighestStopBonus("highest", some_stops(rng, position), values, "test")


def distance(rng: Random, position: Position) -> Bonus:
    ends = frozenset(stop for stop, part in position.stops.items() if part.kind is not StopKind.TOWN)
    trains = frozenset(TRAINS[rng.randrange(len(TRAINS))] for _ in range(8))
    return DistanceBonus("distance", trains, 10, ends, position.edition.map.layout, "test")


def joint(rng: Random, position: Position) -> Bonus:
    axes = tuple(
        Axis(label, some_hexes(rng, position), some_hexes(rng, position), 10 * rng.randrange(4))
        for label in ("NS", "EW")
    )
    off_boards = frozenset(stop for stop, part in position.stops.items() if part.kind is StopKind.OFF_BOARD)
    return JointBonus(axes, off_boards, "test", once_per_connected_group=not rng.randrange(3))


def interconnection(rng: Random, position: Position) -> Bonus:
    one, other = some_stops(rng, position, 6), some_stops(rng, position, 6)
    return InterconnectionBonus("beyond", one, other - one, 10 * rng.randint(1, 5), "test")


def most_stops(rng: Random, position: Position) -> Bonus:
    chosen = frozenset(position.stops) if rng.randrange(2) else some_stops(rng, position, 6)
    return MostStopsBonus("longest", 10 * rng.randint(1, 3), chosen, "test")


SHAPES: tuple[Draw, ...] = (place, track, highest, distance, joint, interconnection, most_stops)


def random_trail(rng: Random, position: Position, start: StopId) -> tuple[Leg, ...]:
    """A walk from *start* that comes to no stop twice."""
    legs: list[Leg] = []
    visited = {start}
    for _ in range(rng.randint(1, 5)):
        onwards = [leg for leg in chains_from(position, legs[-1].end if legs else start) if leg.end not in visited]
        if not onwards:
            break
        legs.append(onwards[rng.randrange(len(onwards))])
        visited.add(legs[-1].end)
    return tuple(legs)


def random_runs(rng: Random, position: Position, most: int = 5) -> list[Run]:
    """Up to *most* trails for any trains, some prolonged at an end."""
    stops = sorted(position.stops)
    runs = []
    for _ in range(rng.randint(0, most) if stops else 0):
        legs = random_trail(rng, position, stops[rng.randrange(len(stops))])
        if legs:
            beyond = random_trail(rng, position, (legs[0].start, legs[-1].end)[rng.randrange(2)])
            extensions = (beyond,) if beyond and rng.randrange(3) else ()
            route = Route(TRAINS[rng.randrange(len(TRAINS))], legs, extensions)
            values = {stop: position.value(stop) for stop in route.stops}
            counted = frozenset(stop for stop in route.stops if rng.randrange(2))
            runs.append(Run(make_train(route.train), route, values, counted))
    return runs


def in_range(run: Run, position: Position) -> bool:
    kinds = [position.stops[stop].kind for stop in run.stops]
    return run.train.can_visit(*(kinds.count(kind) for kind in (StopKind.CITY, StopKind.TOWN, StopKind.OFF_BOARD)))


def paid(bonus: Bonus, runs: Sequence[Run]) -> int:
    return sum(item.amount for item in bonus.items(runs))


@pytest.mark.parametrize("shape", SHAPES)
class TestThreeAccounts:
    @settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
    @given(rng=seeded)
    def test_items_terms_and_bound(self, shape: Draw, rng: Random) -> None:
        position = random_position(rng, hexes=WIDE)
        bonus = shape(rng, position)
        runs = random_runs(rng, position)
        items = bonus.items(runs)
        amount = sum(item.amount for item in items)
        assert amount == sum(worth(term, runs) for term in bonus.terms())
        if not isinstance(bonus, MostStopsBonus) or all(in_range(run, position) for run in runs):
            assert amount <= bonus.at_most([run.train for run in runs])
        assert all(item.amount > 0 for item in items)
        assert all(item.routes and set(item.routes) <= set(range(len(runs))) for item in items)
        assert bonus.unknown(runs) == ()

    @settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
    @given(rng=seeded)
    def test_order_and_direction_do_not_matter(self, shape: Draw, rng: Random) -> None:
        position = random_position(rng, hexes=WIDE)
        bonus = shape(rng, position)
        runs = random_runs(rng, position)
        turned = [Run(run.train, run.route.reversed(), run.values, run.counted) for run in runs]
        rng.shuffle(turned)
        assert paid(bonus, turned) == paid(bonus, runs)

    def test_no_routes_earn_nothing(self, shape: Draw) -> None:
        rng = Random(1)
        position = random_position(rng)
        bonus = shape(rng, position)
        assert bonus.items([]) == ()
        assert bonus.at_most([]) == 0
        assert bonus.source


class TestJointSets:
    """The sets that share a joint bonus: connected, without a common route, and as small as may be."""

    @settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
    @given(rng=seeded)
    def test_no_set_holds_a_route_too_many(self, rng: Random) -> None:
        position = random_position(rng, hexes=WIDE)
        bonus = joint(rng, position)
        assert isinstance(bonus, JointBonus)
        runs = random_runs(rng, position)
        items = bonus.items(runs)
        sets = {item.routes for item in items}
        assert sum(len(routes) for routes in sets) == len({place for routes in sets for place in routes})
        if not bonus.once_per_connected_group:
            for routes in sets:
                earned = sum(item.amount for item in items if item.routes == routes)
                for left_out in routes:
                    fewer = [runs[place] for place in routes if place != left_out]
                    assert paid(bonus, fewer) < earned

    def test_many_routes_stay_quick(self) -> None:
        rng = Random(5)
        position = random_position(rng, hexes=WIDE)
        runs = [run for _ in range(40) for run in random_runs(rng, position)][:12]
        assert len(runs) == 12
        for _ in range(5):
            joint(rng, position).items(runs)


class TestPlaceBonus:
    def test_it_is_paid_once_a_route_wherever_the_stop_lies_on_it(self) -> None:
        pair = PlaceBonus(
            "pair", (frozenset({StopId("A1.c0"), StopId("A1.c1")}), frozenset({StopId("A9.c0")})), 50, "test"
        )
        route = _straight("A1.c0", "A1.c1", "A5.c0", "A9.c0")
        assert [(item.amount, item.where) for item in pair.items([route])] == [(50, "A1.c0")]
        assert pair.items([_straight("A1.c0", "A1.c1", "A5.c0")]) == ()

    def test_counted_stops_are_asked_for_by_name(self) -> None:
        """F22: the same bonus for visited stops and for counted ones, on a route that visits a stop and leaves it
        out."""
        route = _straight("A1.c0", "A5.c0", "A9.c0", counted="A1.c0 A9.c0")
        for place, counted, paid in (("A5.c0", False, 20), ("A5.c0", True, 0), ("A9.c0", True, 20)):
            bonus = PlaceBonus("port", (frozenset({StopId(place)}),), 20, "test", counted=counted)
            assert sum(item.amount for item in bonus.items([route])) == paid

    def test_a_loss_for_a_counted_stop_is_refused(self) -> None:
        with pytest.raises(ValueError, match="cannot be a loss"):
            PlaceBonus("port", (frozenset({StopId("A1.c0")}),), -10, "test", counted=True)


class TestMostStops:
    def test_one_route_is_paid_for_each_stop_that_it_visits(self) -> None:
        """F22, F23: visited stops, counted or not; once, for the longest route."""
        stops = [StopId(f"A{place}.c0") for place in range(1, 20)]
        mail = MostStopsBonus("mail", 10, frozenset(stops), "test")
        short, long = _straight(*stops[:3]), _straight(*stops[3:9], counted=" ".join(stops[3:7]))
        assert [(item.amount, item.routes) for item in mail.items([long, short])] == [(60, (0,))]
        assert [(item.amount, item.routes) for item in mail.items([short, long])] == [(60, (1,))]

    def test_among_equals_the_last_route_and_only_stops_of_the_bonus(self) -> None:
        mail = MostStopsBonus("mail", 10, frozenset({StopId("A1.c0"), StopId("A5.c0")}), "test")
        routes = [_straight("A1.c0", "A3.t0", "A5.c0"), _straight("A5.c0", "A1.c0"), _straight("A5.c0", "A7.c0")]
        assert [(item.amount, item.routes) for item in mail.items(routes)] == [(20, (1,))]
        assert mail.items(routes[:0]) == ()
        assert mail.items([_straight("A7.c0", "A9.c0")]) == ()

    def test_the_bound_knows_the_ranges(self) -> None:
        mail = MostStopsBonus("mail", 10, frozenset(StopId(f"A{place}.c0") for place in range(1, 8)), "test")
        for trains, bound in ((("2", "3/5"), 50), (("4X",), 70), (("D",), 70), ((), 0)):
            assert mail.at_most([make_train(name) for name in trains]) == bound

    def test_a_loss_is_refused(self) -> None:
        with pytest.raises(ValueError, match="cannot be a loss"):
            MostStopsBonus("mail", -10, frozenset(), "test")


class TestDistances:
    @pytest.mark.parametrize("layout", Layout)
    def test_the_formula_of_the_digest_against_cube_coordinates(self, layout: Layout) -> None:
        hexes = [HexId(f"{letter}{number}") for letter in "aABCDEF" for number in range(12)]
        parity = {hex_id: sum(layout.coordinates(hex_id)) % 2 for hex_id in hexes}
        for one in hexes:
            for other in hexes:
                if parity[one] == parity[other]:
                    assert layout.distance(one, other) == hexes_apart(layout, one, other)


def _straight(*stops: str, counted: str | None = None) -> Run:
    """A route over stops without track, enough for bonuses of stops; all count unless told."""
    names = [StopId(stop) for stop in stops]
    legs = tuple(Leg(one, other, ()) for one, other in pairwise(names))
    return Run(
        make_train("D"),
        Route("D", legs),
        dict.fromkeys(names, 10),
        frozenset(names) if counted is None else stop_set(counted),
    )
