"""Small hand-made boards for tests.

A board is a table from hexes to prints in tile notation; everything on it is printed, so no tile has to be laid::

    BOARD = {
        "A1": "city 20; track c0-4",
        "A3": "town 10; track 1-t0 t0-4",
        "A5": "city 30 slots=2; track 1-c0",
    }
    problem = make_problem(BOARD, trains="2 2+1", tokens={"A1.c0": "A", "A5.c0": "B -"})
    run = make_route(problem, "2+1", "A1.c0 A3.t0 A5.c0")

Layout is pointy unless told: in a row the next hex lies two numbers on, across side 4 (back across side 1); A1 meets B2
across side 5 and B0 across side 0. A print may begin with its colour (``yellow city 20; track 0-c0``); gray else.
Companies are A to E, the operator is A. Trains are named by what they do, see :func:`make_train`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from board.catalogue import Catalogue, TileStock
from board.edition import Edition, MarkerShape
from board.hexes import HexId, Layout, StopId
from board.map import Border, GameMap, MapHex
from board.phases import TILE_COLOURS, Phase
from board.position import Placement, Position, Tokens
from board.routes import ClaimedRoute, Leg, Route, TrackPiece
from board.tiles import Tile
from board.trains import ANY_STOP, Row, StopKind, TrainType
from bonuses.base import Bonus
from routing.chains import chains_between
from routing.problem import RouteProblem
from routing.route_rules import RouteRules

COMPANIES = ("A", "B", "C", "D", "E")
TRAINS = (
    "2", "3", "4", "5", "6", "7", "8", "D",
    "1+1", "2+1", "2+2", "3+1", "3+3", "4+2", "5+1", "5+2",
    "2/3", "2/4", "3/5", "4/6", "4/7", "6/9",
    "2X", "3X", "4X", "5X", "6X", "8E",
    "2+D", "3+D",
)  # fmt: skip
_COLOURS = ("white", "red", *TILE_COLOURS)
_CITY_LIKE = frozenset({StopKind.CITY, StopKind.OFF_BOARD})


def make_train(name: str) -> TrainType:
    """``3`` plain; ``3+2`` three stops and two towns; ``3/5`` counts 3 of 5; ``4X`` and ``8E`` pass towns; ``3+D`` has
    three cities and all towns doubled; ``D`` runs without limit."""
    town = frozenset({StopKind.TOWN})
    if name == "D":
        return TrainType(name, (Row(ANY_STOP, None, None),))
    if match := re.fullmatch(r"(\d+)\+D", name):
        number = int(match[1])
        return TrainType(name, (Row(_CITY_LIKE, number, number, 2), Row(town, None, None, 2)))
    match = re.fullmatch(r"(\d+)(?:([+/])(\d+)|([XE]))?", name)
    if match is None:
        raise ValueError(f"no train is named {name}")
    number, sign, more = int(match[1]), match[2], match[3]
    if match[4]:
        return TrainType(name, (Row(_CITY_LIKE, number, number), Row(town, None, 0)))
    if sign == "+":
        return TrainType(name, (Row(town, int(more), int(more)), Row(ANY_STOP, number, number)))
    return TrainType(name, (Row(ANY_STOP, int(more) if sign else number, number),))


def make_phases() -> dict[str, Phase]:
    """One phase for each tile colour, named after it; the first is ``yellow``."""
    return {colour: Phase(colour, TILE_COLOURS[: place + 1]) for place, colour in enumerate(TILE_COLOURS)}


def make_edition(
    hexes: Mapping[str, str],
    *,
    layout: Layout = Layout.POINTY,
    names: Mapping[str, str] | None = None,
    impassable: Iterable[tuple[str, int]] = (),
    tiles: Mapping[str, str] | None = None,
    trains: Iterable[str] = TRAINS,
    markers: Mapping[str, MarkerShape] | None = None,
    tokens_beside_slots: bool = False,
) -> Edition:
    """The edition ``test`` with these prints; ``tiles`` are further tiles that may be laid, unlimited, by id."""
    walls: dict[str, list[Border]] = {}
    for hex_id, side in impassable:
        walls.setdefault(hex_id, []).append(Border(side, "impassable"))
    printed = {
        HexId.parse(hex_id): MapHex(
            HexId(hex_id),
            _tile(hex_id, text, "gray"),
            name=(names or {}).get(hex_id, ""),
            borders=tuple(walls.get(hex_id, ())),
        )
        for hex_id, text in hexes.items()
    }
    stock = {tile_id: TileStock(_tile(tile_id, text, "yellow"), None) for tile_id, text in (tiles or {}).items()}
    return Edition(
        title="test",
        scenario="",
        options=frozenset(),
        players=None,
        map=GameMap(layout, printed),
        tiles=Catalogue(stock),
        phases=make_phases(),
        trains={name: make_train(name) for name in trains},
        companies=frozenset(COMPANIES),
        privates=frozenset({"P1", "P2"}),
        markers=dict(markers or {}),
        tokens_beside_slots=tokens_beside_slots,
    )


def _tile(tile_id: str, text: str, colour: str) -> Tile:
    first, _, rest = text.partition(" ")
    return Tile.parse(tile_id, first, rest) if first in _COLOURS else Tile.parse(tile_id, colour, text)


def make_tokens(tokens: Mapping[str, str]) -> Tokens:
    """Tokens by stop, companies in slot order, ``-`` for an empty slot: ``{"A5.c0": "B -"}``."""
    found: dict[HexId, dict[str, tuple[str | None, ...]]] = {}
    for stop, companies in tokens.items():
        city = StopId.parse(stop)
        found.setdefault(city.hex, {})[city.part] = tuple(None if name == "-" else name for name in companies.split())
    return found


def make_position(
    board: Mapping[str, str] | Edition,
    *,
    trains: str = "2",
    tokens: Mapping[str, str] | None = None,
    operator: str = "A",
    phase: str = "yellow",
    tiles: Mapping[str, tuple[str, int]] | None = None,
) -> Position:
    """A validated position; *board* is a table of prints or an edition made by :func:`make_edition`."""
    return Position.build(
        board if isinstance(board, Edition) else make_edition(board),
        phase=phase,
        operator=operator,
        trains=trains.split(),
        tiles={HexId(hex_id): Placement(*placement) for hex_id, placement in (tiles or {}).items()},
        tokens=make_tokens(tokens or {}),
    )


def make_problem(
    board: Mapping[str, str] | Edition,
    *,
    trains: str = "2",
    tokens: Mapping[str, str] | None = None,
    operator: str = "A",
    phase: str = "yellow",
    tiles: Mapping[str, tuple[str, int]] | None = None,
    rules: RouteRules | None = None,
    bonuses: Iterable[Bonus] = (),
    notices: Iterable[str] = (),
) -> RouteProblem:
    """A question to the search or to the checker."""
    position = make_position(board, trains=trains, tokens=tokens, operator=operator, phase=phase, tiles=tiles)
    return RouteProblem(position, rules or RouteRules(), tuple(bonuses), tuple(notices))


def stops(text: str) -> tuple[StopId, ...]:
    """Stops separated by blanks: ``stops("A1.c0 A3.t0")``."""
    return tuple(StopId.parse(word) for word in text.split())


def stop_set(text: str) -> frozenset[StopId]:
    return frozenset(stops(text))


def hex_set(text: str) -> frozenset[HexId]:
    """Hexes separated by blanks."""
    return frozenset(HexId.parse(word) for word in text.split())


def make_leg(position: Position, one: str, other: str, via: str | None = None, choice: int = 0) -> Leg:
    """The track between two stops; *via* tells the hexes it runs through (both ends included), *choice* which of
    several such chains, fewest pieces first."""
    found = [
        leg
        for leg in chains_between(position, StopId.parse(one), StopId.parse(other))
        if via is None or list(leg.hexes) == via.split()
    ]
    if not found:
        raise ValueError(f"no track from {one} to {other}" + (f" over {via}" if via else ""))
    return found[choice]


def make_route(
    problem: RouteProblem | Position,
    train: str,
    path: str,
    *,
    via: Sequence[str | None] = (),
    extensions: Sequence[str] = (),
) -> Route:
    """A route over the stops of *path* along the track that lies there, the shortest chain where there are several.

    ``via`` tells for each leg the hexes of its track (None: open). Each of ``extensions`` is a path from an end on.
    """
    position = problem.position if isinstance(problem, RouteProblem) else problem
    return Route(
        train,
        _legs(position, path, via),
        tuple(_legs(position, extension, ()) for extension in extensions),
    )


def _legs(position: Position, path: str, via: Sequence[str | None]) -> tuple[Leg, ...]:
    words = path.split()
    told = [*via, *[None] * len(words)]
    return tuple(
        make_leg(position, one, other, hexes) for one, other, hexes in zip(words, words[1:], told, strict=False)
    )


def make_claim(train: str, path: str, *connections: str, revenue: int | None = None) -> ClaimedRoute:
    """A claim over the stops of *path*; each connection tells the hexes of one leg (``""``: open)."""
    return ClaimedRoute(
        train, stops(path), tuple(tuple(HexId(word) for word in hexes.split()) for hexes in connections), revenue
    )


def piece(text: str) -> TrackPiece:
    """``piece("A3:1-4")``."""
    hex_id, _, track = text.partition(":")
    return TrackPiece(HexId(hex_id), Tile.parse("one piece", "gray", f"{_PARTS}; track {track}").track[0])


_PARTS = "city 0; city 0; town 0; town 0; offboard 0; offboard 0; junction; junction"


def line(*prints: str, row: str = "A") -> dict[str, str]:
    """Hexes in a row, each joined to the next: ``line("city 20", "town 10", "city 30")`` lies on A1, A3 and A5.

    A print is its parts only; the track from the first part to both neighbours is added (``""``: plain track).
    """
    board = {}
    for place, parts in enumerate(prints):
        colour, _, rest = parts.partition(" ")
        word = (rest if colour in _COLOURS else parts).split(" ")[0]
        part = {"city": "c0", "town": "t0", "offboard": "o0", "junction": "j0"}.get(word, "")
        sides = [side for side, there in ((1, place > 0), (4, place < len(prints) - 1)) if there]
        plain = "1-4" if len(sides) == 2 else ""
        track = " ".join(f"{side}-{part}" for side in sides) if part else plain
        board[f"{row}{2 * place + 1}"] = "; ".join(filter(None, (parts, f"track {track}" if track else "")))
    return board
