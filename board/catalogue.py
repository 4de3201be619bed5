"""The tiles of a title: which there are, how many, and what may replace what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
