"""The tiles of a title: which there are, how many, and what may replace what."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from board.phases import TILE_COLOURS
from board.tiles import Tile


@dataclass(frozen=True, slots=True)
class TileStock:
    """A tile and the number of copies in the box (None: unlimited)."""

    tile: Tile
    count: int | None


@dataclass(frozen=True)
class Catalogue:
    """All tiles of a title by id."""

    stock: Mapping[str, TileStock]
    source: str = ""

    def __contains__(self, tile_id: object) -> bool:
        return tile_id in self.stock

    def tile(self, tile_id: str) -> Tile:
        return self.stock[tile_id].tile

    def count(self, tile_id: str) -> int | None:
        return self.stock[tile_id].count


@dataclass(frozen=True, slots=True)
class StandardTile:
    """A tile of the genre's common numbering, not read yet."""

    colour: str
    notation: str

    def tile(self, tile_id: str, label: str = "") -> Tile:
        """The tile; *label*, where given, replaces the usual one (1828 calls Baltimore's 53 Ba)."""
        tile = Tile.parse(tile_id, self.colour, self.notation)
        return replace(tile, label=label) if label else tile


@lru_cache(maxsize=1)
def standard_tiles() -> Mapping[str, StandardTile]:
    """The standard tiles by number, from ``board/standard_tiles.toml``. Titles say which of them they have."""
    data = tomllib.loads(files("board").joinpath("standard_tiles.toml").read_text(encoding="utf-8"))
    return {
        tile_id: StandardTile(colour, notation)
        for colour in TILE_COLOURS
        for tile_id, notation in data.get(colour, {}).items()
    }
