"""The printed map: hexes, borders, names, what is reserved and marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from board.hexes import HexId, Layout, StopId, opposite
from board.tiles import Tile


@dataclass(frozen=True, slots=True)
class Border:
    """A mark on a hexside: ``impassable`` lets no track through; ``water`` and ``mountain`` carry a cost (money);
    ``province`` has no effect; ``same_area`` joins two prints of one off-board area (drawing only)."""

    side: int
    kind: str
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Reservation:
    """A token slot kept for somebody: a company at home, or a private's ability. ``city`` None: any city of the hex."""

    company: str
    reason: str
    city: str | None = None
    until: str | None = None
    since: str | None = None


@dataclass(frozen=True, slots=True)
class MapHex:
    """One printed hex. ``tile`` is its print, unrotated; ``record`` is its name in recorded games where it has cities;
    ``blocked_by`` are the privates that close it; ``markers`` are symbols that the rules of the title refer to."""

    id: HexId
    tile: Tile
    name: str = ""
    borders: tuple[Border, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    blocked_by: tuple[str, ...] = ()
    markers: tuple[Mapping[str, object], ...] = ()
    record: str = ""

    @property
    def colour(self) -> str:
        return self.tile.colour

    @property
    def may_be_built_on(self) -> bool:
        """Red, gray and blue prints are fixed unless a tile of the title names them.

        Source: COMMON section 1, "Tile".
        """
        return self.tile.colour in ("white", "yellow", "green", "brown")

    def border(self, side: int) -> Border | None:
        return next((border for border in self.borders if border.side == side), None)

    def impassable(self, side: int) -> bool:
        return any(border.side == side and border.kind == "impassable" for border in self.borders)


@dataclass(frozen=True)
class GameMap:
    """All printed hexes of a title's scenario."""

    layout: Layout
    hexes: Mapping[HexId, MapHex]
    source: str = ""
    name: str = ""
    explored: dict[StopId, tuple[Any, ...]] = field(default_factory=dict, repr=False, compare=False)
    """What :mod:`board.network` has found from a stop under given tiles; nobody else reads or writes it."""
    _neighbours: dict[tuple[HexId, int], HexId | None] = field(default_factory=dict, repr=False, compare=False)

    def __contains__(self, hex_id: object) -> bool:
        return hex_id in self.hexes

    def __iter__(self) -> Iterator[MapHex]:
        return iter(self.hexes.values())

    def neighbour(self, hex_id: HexId, side: int) -> HexId | None:
        """The hex of this map across *side*; None at the rim and across an impassable border (on either hex)."""
        key = (hex_id, side)
        try:
            return self._neighbours[key]
        except KeyError:
            other = self.layout.neighbour(hex_id, side)
            found = other if other in self.hexes else None
            if found is not None and (
                self.hexes[hex_id].impassable(side) or self.hexes[found].impassable(opposite(side))
            ):
                found = None
            self._neighbours[key] = found
            return found

    @cached_property
    def printed_groups(self) -> Mapping[HexId, tuple[str, ...]]:
        """The groups of the printed stops of a hex, where it has any."""
        groups = {
            hex_id: tuple(name for part in printed.tile.parts if part.kind is not None for name in part.groups)
            for hex_id, printed in self.hexes.items()
        }
        return {hex_id: names for hex_id, names in groups.items() if names}

    @cached_property
    def places(self) -> Mapping[HexId, int]:
        """The hexes numbered in the order of the map."""
        return {hex_id: place for place, hex_id in enumerate(self.hexes)}

    @cached_property
    def names(self) -> Mapping[HexId, str]:
        """Printed names of the hexes that have one."""
        return {hex_id: printed.name for hex_id, printed in self.hexes.items() if printed.name}

    def name_of(self, place: HexId | StopId) -> str:
        """``London (A10)`` where the hex is named, else the hex alone."""
        hex_id = place.hex if isinstance(place, StopId) else place
        name = self.names.get(hex_id)
        return f"{name} ({hex_id})" if name else str(hex_id)
