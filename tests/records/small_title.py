"""A title of four hexes, enough to read positions against."""

from __future__ import annotations

from collections.abc import Iterable

from board.catalogue import Catalogue, TileStock
from board.edition import Edition, MarkerShape
from board.errors import Fault, InputError
from board.hexes import HexId, Layout
from board.map import GameMap, MapHex
from board.phases import Phase
from board.tiles import Tile
from board.trains import ANY_STOP, Row, TrainType


def _printed(name: str, colour: str, text: str) -> MapHex:
    return MapHex(HexId.parse(name), Tile.parse(name, colour, text), name="" if colour == "white" else f"Place {name}")


_PRINTS = (
    _printed("B1", "white", "city 0"),
    _printed("B3", "white", ""),
    _printed("B5", "gray", "city 20 slots=2; track 1-c0"),
    _printed("B7", "white", "town 0"),
)
_TILES = (
    Tile.parse("57", "yellow", "city 20; track 1-c0"),
    Tile.parse("9", "yellow", "track 1-4"),
)


def edition(title: str, options: Iterable[str], players: int | None) -> Edition:
    """What :data:`records.positions.EditionLookup` asks for; knows the title ``small`` and the option ``long``."""
    if title != "small":
        raise InputError(Fault("unknown-title", f"there is no title {title!r}", "title"))
    if unknown := frozenset(options) - {"long"}:
        raise InputError(Fault("unknown-option", f"no option {min(unknown)!r}", "options"))
    return Edition(
        title="small",
        scenario="",
        options=frozenset(options),
        players=players,
        map=GameMap(Layout.POINTY, {printed.id: printed for printed in _PRINTS}),
        tiles=Catalogue({tile.id: TileStock(tile, 1) for tile in _TILES}),
        phases={"2": Phase("2", ("yellow",))},
        trains={"2": TrainType("2", (Row(ANY_STOP, 2, 2),))},
        companies=frozenset({"A", "B"}),
        privates=frozenset({"P"}),
        markers={"coal": MarkerShape.COMPANIES, "laid": MarkerShape.HEX_TO_NAMES},
    )


def sample() -> dict[str, object]:
    """A whole position of the small title, with every key; a new object each time."""
    return {
        "title": "small",
        "game": "by hand",
        "action": 12,
        "options": ["long"],
        "players": 3,
        "phase": "2",
        "operator": "A",
        "trains": ["2", "2"],
        "tiles": {"B1": ["57", 3], "B3": ["9", 3]},
        "tokens": {"B1": {"c0": ["A"]}, "B5": {"c0": [None, "B"]}},
        "owners": {"A": "P0", "B": "P1"},
        "privates": {"P": {"owner": "P0", "open": False}},
        "markers": {"coal": ["B"], "laid": {"B3": ["x"]}},
        "claimed": [
            {
                "train": "2",
                "stops": ["B1.c0", "B5.c0"],
                "connections": [["B1", "B3", "B5"]],
                "revenue": 40,
                "note": "there and back",
            }
        ],
        "claimed_revenue": 40,
        "known_best": {"revenue": 40, "timed_out": False, "seconds": 0.25},
    }
