"""Generated boards, rules and bonuses for property tests.

:func:`random_problem` builds one from any :class:`random.Random`; :func:`problems` is the same as a hypothesis strategy
that shrinks. The boards are small enough for :mod:`routing.oracle`, and odd enough to hold every kind of place: two
cities on a hex, towns, off-boards with several entries and groups, terminals, junctions, parallel and merging track,
track inside a hex, impassable hexsides, full cities.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from board.hexes import HexId, Layout, StopId
from board.position import Position
from board.routes import TrackPiece
from board.tiles import Tile
from board.trains import StopKind
from bonuses.at_stop import PlaceBonus, TrackBonus
from bonuses.base import Bonus
from bonuses.by_extension import InterconnectionBonus
from bonuses.of_route import DistanceBonus, HighestStopBonus
from bonuses.over_routes import JointBonus
from bonuses.terms import Axis
from routing.problem import RouteProblem
from routing.route_rules import MustVisit, RouteRules
from tests.boards import make_edition, make_position

#: Prints by how often they are drawn; ``{}`` takes a value.
PRINTS = (
    *["city {}; track 0-c0 2-c0 4-c0"] * 3,
    *["city {} slots=2; track 1-c0 2-c0 4-c0 5-c0"] * 2,
    *["city {}; track 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0"] * 3,
    *["town {}; track 1-t0 t0-4"] * 2,
    "town {}; track 0-t0 2-t0 t0-4",
    "town {}; track 1-t0 t0-4; town {}; track 0-t1 t1-3",
    "city {}; city {}; track 1-c0 2-c0 4-c1 5-c1",
    "city {}; city {}; track 0-c0 1-c0 2-c0 0-c1 3-c1 4-c1",
    "city {}; town {}; track 1-c0 0-c0 c0-t0 t0-4",
    "city {}; city {}; track 1-c0 c0-c1 c1-4 2-c0 c1-5",
    "offboard {}; track 0-o0 1-o0 2-o0 4-o0",
    "offboard yellow={},brown={} group=G; track 0-o0 1-o0 4-o0",
    "offboard {} through; track 0-o0 1-o0 3-o0 4-o0",
    "city {} group=G; track 1-c0! 4-c0! 5-c0",
    "junction; track 1-j0 3-j0 4-j0; city {}; track 0-c0 5-c0",
    "track 1-4 0-3 2-5",
    "track 1-4 1-5",
    "track 1-4 0-3 0-2",
    "",
)

#: A cluster of seven hexes around B4, or twelve with those to the right of it.
CLUSTER = ("A3", "A5", "B2", "B4", "B6", "C3", "C5")
WIDE = (*CLUSTER, "A7", "B8", "C7")


def random_board(rng: Random, hexes: Sequence[str] = CLUSTER) -> dict[str, str]:
    """A print for each hex, turned at random, with values of 10 to 60."""
    board = {}
    for hex_id in hexes:
        text = PRINTS[rng.randrange(len(PRINTS))]
        text = text.format(*(10 * rng.randint(1, 6) for _ in range(text.count("{}"))))
        board[hex_id] = Tile.parse(hex_id, "gray", text).rotated(rng.randrange(6)).notation
    return board


def random_position(rng: Random, *, hexes: Sequence[str] = CLUSTER, trains: str | None = None) -> Position:
    """A board with one own token at least where there is any city, and some cities full of others' tokens."""
    walls = [(hexes[rng.randrange(len(hexes))], rng.randrange(6))] if rng.randrange(3) == 0 else []
    edition = make_edition(random_board(rng, hexes), impassable=walls)
    cities = [
        (f"{hex_id}.{city.id}", city.slots)
        for hex_id, printed in edition.map.hexes.items()
        for city in printed.tile.cities
    ]
    tokens = {}
    for place, (city, slots) in enumerate(cities):
        drawn = rng.randrange(6)
        if place == 0 or drawn == 0:
            tokens[city] = "A" if rng.randrange(2) else " ".join(["B", "A"][2 - slots :]) if slots <= 2 else "A"
        elif drawn in (1, 2):
            tokens[city] = " ".join(["B", "C"][:slots])
        elif drawn == 3:
            tokens[city] = "- B" if slots == 2 else "C"
    if trains is None:
        drawn_trains = [RUN_TRAINS[rng.randrange(len(RUN_TRAINS))] for _ in range(rng.randint(1, 2))]
        trains = " ".join(drawn_trains)
    return make_position(edition, trains=trains, tokens=tokens, phase=("yellow", "brown")[rng.randrange(2)])


RUN_TRAINS = ("2", "3", "4", "D", "1+1", "2+1", "2+2", "2/3", "2/4", "3/5", "2X", "3X", "2+D")


def random_rules(rng: Random, position: Position) -> RouteRules:
    """Mostly the plain rules; now and then one special rule of some title."""
    all_stops = sorted(position.stops)
    if not all_stops:
        return RouteRules()
    some = frozenset(all_stops[rng.randrange(len(all_stops))] for _ in range(2))
    off_boards = frozenset(stop for stop in some if position.stops[stop].kind is StopKind.OFF_BOARD)
    return (
        RouteRules(),
        RouteRules(),
        RouteRules(hex_pays_once=True),
        RouteRules(closed=dict.fromkeys(some, "it is closed")),
        RouteRules(groups=dict.fromkeys(some, ("H",))),
        RouteRules(as_token=off_boards),
        RouteRules(token_required=False, must_visit=(MustVisit(some, "tile laid"),)),
    )[rng.randrange(7)]


def random_bonus(rng: Random, position: Position) -> Bonus:
    """One bonus of any shape over the stops and the track of the board."""
    all_stops = sorted(position.stops) or [StopId("A1.c0")]

    def some(most: int) -> frozenset[StopId]:
        return frozenset(all_stops[rng.randrange(len(all_stops))] for _ in range(rng.randint(1, most)))

    amount = 10 * rng.randint(1, 6)
    pieces = [
        TrackPiece(HexId(hex_id), track) for hex_id, tile in position.layout_of.items() for track in tile.track
    ] or [TrackPiece(HexId("A1"), Tile.parse("", "gray", "track 0-3").track[0])]
    off_boards = frozenset(stop for stop, part in position.stops.items() if part.kind is StopKind.OFF_BOARD)
    no_towns = frozenset(stop for stop, part in position.stops.items() if part.kind is not StopKind.TOWN)
    shape = rng.randrange(7)
    if shape == 0:
        return PlaceBonus("place", (some(2),), amount, "test")
    if shape == 1:
        return PlaceBonus("pair", (some(2), some(2)), amount, "test")
    if shape == 2:
        return TrackBonus("crossing", frozenset(pieces[rng.randrange(len(pieces))] for _ in range(2)), amount, "test")
    if shape == 3:
        return HighestStopBonus("copy", some(2), {stop: position.value(stop) for stop in some(4)}, "test")
    if shape == 4:
        return DistanceBonus("distance", frozenset(RUN_TRAINS[5:]), 10, no_towns, Layout.POINTY, "test")
    if shape == 5:
        axes = (Axis("NS", some(2), some(2), amount), Axis("EW", some(2), some(2), amount + 10))
        return JointBonus(axes, off_boards, "test", once_per_connected_group=rng.randrange(4) == 0)
    return InterconnectionBonus("beyond", some(2), some(2), amount, "test")


def random_problem(
    rng: Random, *, hexes: Sequence[str] = CLUSTER, trains: str | None = None, extensions: bool = False
) -> RouteProblem:
    """A whole question; ``extensions`` lets interconnection bonuses in, which make the oracle's work much longer."""
    position = random_position(rng, hexes=hexes, trains=trains)
    bonuses = tuple(random_bonus(rng, position) for _ in range(rng.randrange(3)))
    if not extensions:
        bonuses = tuple(bonus for bonus in bonuses if not isinstance(bonus, InterconnectionBonus))
    return RouteProblem(position, random_rules(rng, position), bonuses)


def problems(*, hexes: Sequence[str] = CLUSTER, extensions: bool = False) -> st.SearchStrategy[RouteProblem]:
    """:func:`random_problem` as a strategy."""
    return st.randoms(use_true_random=False).map(lambda rng: random_problem(rng, hexes=hexes, extensions=extensions))
