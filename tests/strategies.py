"""Generated boards, rules and bonuses for property tests.

:func:`random_problem` builds one from any :class:`random.Random`; :func:`problems` is the same as a hypothesis strategy
that shrinks. The boards are small enough for :mod:`routing.oracle`, and odd enough to hold every kind of place: two
cities on a hex, towns, off-boards with several entries and groups, terminals, junctions, parallel and merging track,
track inside a hex, impassable hexsides, full cities. Tiles are turned so that their track mostly meets, and bonuses
mostly concern stops that the operator reaches, so that a fair share of the boards is about what it says it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from board.hexes import HexId, Layout, StopId, opposite
from board.network import build_network
from board.position import Position
from board.routes import TrackPiece
from board.tiles import Tile
from board.trains import StopKind
from bonuses.at_stop import PlaceBonus, TrackBonus
from bonuses.base import Bonus
from bonuses.by_extension import InterconnectionBonus
from bonuses.of_route import DistanceBonus, HighestStopBonus
from bonuses.over_routes import JointBonus, MostStopsBonus
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
    *["town {}; track 0-t0 2-t0 t0-4"] * 2,
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
#: What lies in the middle of most boards.
CENTRES = (
    "city {} slots=2; track 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0",
    "city {}; track 0-c0 1-c0 3-c0 4-c0",
    "city {}; city {}; track 0-c0 1-c0 2-c0 3-c1 4-c1 5-c1",
    "city {}; city {}; track 0-c0 1-c0 c0-c1 3-c1 4-c1 5-c0",
)

#: A cluster of seven hexes around B4, or ten with those to the right of it. The same names meet in both layouts.
CLUSTER = ("B4", "A3", "A5", "B6", "C5", "C3", "B2")
WIDE = (*CLUSTER, "A7", "B8", "C7")

RUN_TRAINS = (
    "2", "3", "4", "D", "1+1", "2+1", "2+2", "3+1", "2/3", "2/4", "3/5", "2X", "3X", "4X", "3E", "2+D",
)  # fmt: skip
_CHOOSING_TRAINS = ("2/3", "2/4", "3/5")
_DISTANCE_TRAINS = frozenset({"2", "3", "2+1", "2/4", "2X", "3X", "4X", "3E"})


def random_board(rng: Random, hexes: Sequence[str] = CLUSTER, layout: Layout = Layout.POINTY) -> dict[str, str]:
    """A print for each hex with values of 10 to 60, mostly turned so that its track meets that of the hexes before."""
    tiles: dict[str, Tile] = {}
    for place, hex_id in enumerate(hexes):
        prints = CENTRES if place == 0 and rng.randrange(5) else PRINTS
        text = prints[rng.randrange(len(prints))]
        text = text.format(*(10 * rng.randint(1, 6) for _ in range(text.count("{}"))))
        first = rng.randrange(6)
        turned = [Tile.parse(hex_id, "gray", text).rotated(first + turns) for turns in range(6)]
        if rng.randrange(5):
            tiles[hex_id] = max(turned, key=lambda tile: _meeting(tiles, layout, HexId(hex_id), tile))
        else:
            tiles[hex_id] = turned[0]
    return {hex_id: tile.notation for hex_id, tile in tiles.items()}


def _meeting(tiles: dict[str, Tile], layout: Layout, hex_id: HexId, tile: Tile) -> int:
    """How many sides of *tile* meet track on the hexes that lie, less those that miss it."""
    met = 0
    for side in range(6):
        other = tiles.get(str(layout.neighbour(hex_id, side)))
        if other is not None and (side in tile.sides or opposite(side) in other.sides):
            met += 1 if side in tile.sides and opposite(side) in other.sides else -1
    return met


def random_position(rng: Random, *, hexes: Sequence[str] = CLUSTER, trains: str | None = None) -> Position:
    """A board with one own token at least where there is any city, and some cities full of others' tokens."""
    layout = (Layout.POINTY, Layout.FLAT)[rng.randrange(2)]
    walls = [(hexes[rng.randrange(len(hexes))], rng.randrange(6))] if rng.randrange(4) == 0 else []
    edition = make_edition(random_board(rng, hexes, layout), layout=layout, impassable=walls, trains=RUN_TRAINS)
    cities = [
        (f"{hex_id}.{city.id}", city.slots)
        for hex_id, printed in edition.map.hexes.items()
        for city in printed.tile.cities
    ]
    tokens = {}
    for place, (city, slots) in enumerate(cities):
        drawn = rng.randrange(7)
        if place == 0 or drawn == 0:
            tokens[city] = " ".join((["A"], ["B", "A"], ["-", "A"])[rng.randrange(3)][-slots:])
        elif drawn in (1, 2):
            tokens[city] = " ".join(["B", "C"][:slots])
        elif drawn == 3:
            tokens[city] = "- B" if slots == 2 else "C"
    if trains is None:
        trains = " ".join(random_trains(rng))
    return make_position(edition, trains=trains, tokens=tokens, phase=("yellow", "brown")[rng.randrange(2)])


def random_trains(rng: Random) -> list[str]:
    """One to three trains, often two of a kind."""
    drawn = []
    for _ in range((1, 1, 2, 2, 2, 3)[rng.randrange(6)]):
        kinds = RUN_TRAINS if rng.randrange(5) else _CHOOSING_TRAINS
        drawn.append(kinds[rng.randrange(len(kinds))])
    if len(drawn) > 1 and rng.randrange(3) == 0:
        drawn[1] = drawn[0]
    if len(drawn) == 3:
        drawn[2] = ("2", "1+1", "2X")[rng.randrange(3)]
    return drawn


def random_rules(rng: Random, position: Position) -> RouteRules:
    """Mostly the plain rules; now and then one special rule of some title."""
    near, _ = _reached(position)
    some = frozenset(_drawn(rng, near, 2))
    others = frozenset(position.stops) - frozenset(position.own_tokens)
    off_boards = frozenset(stop for stop, part in position.stops.items() if part.kind is StopKind.OFF_BOARD)
    return (
        RouteRules(),
        RouteRules(),
        RouteRules(),
        RouteRules(hex_pays_once=True),
        RouteRules(closed=dict.fromkeys(some & others, "it is closed")),
        RouteRules(groups=dict.fromkeys(some | frozenset(_drawn(rng, near, 1)), ("H",))),
        RouteRules(as_token=off_boards | some if rng.randrange(2) else some),
        RouteRules(must_visit=(MustVisit(some, "it is the home"),)),
        RouteRules(token_required=False, must_visit=(MustVisit(some, "tile laid"),)),
        RouteRules(
            pays_only_with={stop: frozenset(_drawn(rng, near, 2)) for stop in _drawn(rng, near, 3)},
            hex_pays_once=rng.randrange(4) == 0,
        ),
    )[rng.randrange(10)]


def random_bonus(rng: Random, position: Position, *, extensions: bool = True) -> Bonus:
    """One bonus of any shape over stops and track of the board, mostly of the part that the operator reaches."""
    near, far = _reached(position)

    def some(most: int) -> frozenset[StopId]:
        return frozenset(_drawn(rng, near if rng.randrange(5) else far, rng.randint(1, most)))

    amount = 10 * rng.randint(1, 6)
    off_boards = frozenset(stop for stop, part in position.stops.items() if part.kind is StopKind.OFF_BOARD)
    no_towns = frozenset(stop for stop, part in position.stops.items() if part.kind is not StopKind.TOWN)
    shape = rng.randrange(12 if extensions else 10)
    if shape == 0:
        return PlaceBonus("place", (some(2),), amount, "test")
    if shape == 1:
        return PlaceBonus("pair", (some(2), some(2)), amount, "test")
    if shape == 2:
        return TrackBonus("crossing", frozenset(_pieces(rng, position)), amount, "test")
    if shape == 3:
        return HighestStopBonus("copy", some(2), {stop: 10 * rng.randint(0, 6) for stop in some(3) | some(3)}, "test")
    if shape == 4:
        trains = _DISTANCE_TRAINS | frozenset(position.trains)
        measured = no_towns if rng.randrange(3) else frozenset(position.stops) - some(2)
        return DistanceBonus("distance", trains, 10 * rng.randint(1, 3), measured, position.edition.map.layout, "test")
    if shape in (5, 6):
        north, south, east, west = (frozenset(stop.hex for stop in some(2)) for _ in range(4))
        axes = (Axis("NS", north, south, amount), Axis("EW", east, west, amount + 10))
        return JointBonus(axes, off_boards, "test", once_per_connected_group=rng.randrange(3) == 0)
    if shape == 7:
        return PlaceBonus("counted place", (some(2),), amount, "test", counted=True)
    if shape == 8:
        return PlaceBonus("counted pair", (some(2), some(2)), amount, "test", counted=True)
    if shape == 9:
        chosen = frozenset(position.stops) if rng.randrange(3) else no_towns - some(1)
        return MostStopsBonus("longest", 10 * rng.randint(1, 3), chosen, "test")
    return InterconnectionBonus("beyond", some(3), frozenset(_drawn(rng, far, 3)), amount, "test")


def _reached(position: Position) -> tuple[Sequence[StopId], Sequence[StopId]]:
    """The stops that the operator reaches, and those that it would reach through full cities."""
    everything = sorted(position.stops, key=lambda stop: stop.sort_key) or [StopId("A1.c0")]
    near = build_network(position, position.own_tokens)
    far = build_network(position, position.own_tokens, through_blocked=True)
    return near.stops or everything, far.stops or everything


def _drawn(rng: Random, stops: Sequence[StopId], number: int) -> Sequence[StopId]:
    return [stops[rng.randrange(len(stops))] for _ in range(number)]


def _pieces(rng: Random, position: Position) -> Sequence[TrackPiece]:
    """A few pieces of track, of which the operator reaches most."""
    network = build_network(position, position.own_tokens)
    pieces = [piece for link in network.links for piece in link.leg.pieces]
    if not pieces or rng.randrange(5) == 0:
        pieces += [TrackPiece(hex_id, track) for hex_id, tile in position.layout_of.items() for track in tile.track]
    if not pieces:
        return [TrackPiece(HexId("A1"), Tile.parse("", "gray", "track 0-3").track[0])]
    return [pieces[rng.randrange(len(pieces))] for _ in range(rng.randint(1, 3))]


def random_problem(
    rng: Random, *, hexes: Sequence[str] = CLUSTER, trains: str | None = None, extensions: bool = False
) -> RouteProblem:
    """A whole question; ``extensions`` lets interconnection bonuses in, which make the oracle's work much longer.

    As in every title, there is one joint bonus at the most.
    """
    position = random_position(rng, hexes=hexes, trains=trains)
    rules = random_rules(rng, position)
    number = (0, 1, 1, 1, 2, 2, 3)[rng.randrange(7)]
    bonuses: list[Bonus] = []
    for _ in range(number):
        bonus = random_bonus(rng, position, extensions=extensions)
        if not (isinstance(bonus, JointBonus) and any(isinstance(other, JointBonus) for other in bonuses)):
            bonuses.append(bonus)
    return RouteProblem(position, rules, tuple(bonuses))


def problems(*, hexes: Sequence[str] = CLUSTER, extensions: bool = False) -> st.SearchStrategy[RouteProblem]:
    """:func:`random_problem` as a strategy."""
    return st.randoms(use_true_random=False).map(lambda rng: random_problem(rng, hexes=hexes, extensions=extensions))
