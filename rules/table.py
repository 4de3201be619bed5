"""What lies on the map during a game: tiles with their copies, tokens, reservations; and what a company can reach.

Source: COMMON sections 7 and 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple, Self

from board.edition import Edition
from board.hexes import HexId, StopId
from board.map import MapHex
from board.position import Placement, Tokens
from board.tiles import Part, Tile
from board.trains import StopKind
from rules.reach import Around, Reach, Ways
from rules.record import Record


class Laid(NamedTuple):
    """A tile on the map: its id, which copy of it, and the clockwise turns in sixths."""

    tile: str
    copy: int
    rotation: int


class Kept(NamedTuple):
    """A reserved place: for whom, the city (None: any city of the hex), and the slot in it."""

    company: str
    city: str | None
    slot: int = 0


_NOTHING: Final[Mapping[str, tuple[str | None, ...]]] = {}

_Question = tuple[str, frozenset[StopId], tuple[StopId, ...] | None]
"""Whose reach, without which stops, from where (None: from its tokens)."""


@dataclass
class Memo:
    """What has been worked out about a table."""

    ways: Ways | None = None
    reach: dict[_Question, Reach] = field(default_factory=dict)
    around: dict[tuple[str, HexId], Around] = field(default_factory=dict)
    laid: dict[object, Table] = field(default_factory=dict)
    copies: Mapping[str, frozenset[int]] | None = None


@dataclass(frozen=True)
class Table(Record):
    """Tiles, tokens and reservations. ``layout`` is what lies on each hex, in its rotation."""

    edition: Edition = field(repr=False)
    layout: Mapping[HexId, Tile] = field(repr=False)
    laid: Mapping[HexId, Laid] = field(default_factory=dict)
    tokens: Tokens = field(default_factory=dict)
    kept: Mapping[HexId, tuple[Kept, ...]] = field(default_factory=dict)
    memo: Memo = field(default_factory=Memo, repr=False, compare=False)

    @classmethod
    def opening(cls, edition: Edition) -> Table:
        """The printed map with its reservations."""
        layout = {printed.id: printed.tile for printed in edition.map}
        kept: dict[HexId, tuple[Kept, ...]] = {}
        for printed in edition.map:
            if printed.reservations:
                slots: dict[str | None, int] = {}
                places = []
                for reservation in printed.reservations:
                    slot = slots.get(reservation.city, 0)
                    slots[reservation.city] = slot + 1
                    places.append(Kept(reservation.company, reservation.city, slot))
                kept[printed.id] = tuple(places)
        return cls(edition, layout, {}, {}, kept)

    def but(self, **changes: Any) -> Self:
        return super().but(**{"memo": Memo(), **changes})

    def _still(self, hex_id: HexId, *companies: str) -> dict[_Question, Reach]:
        """What stays true of reach when something changes in one hex: that of companies that do not come there, but for
        those named, whose own tokens change."""
        return {
            (company, closed, roots): found
            for (company, closed, roots), found in self.memo.reach.items()
            if company not in companies
            and not found.comes_to(hex_id)
            and not any(stop.hex == hex_id for stop in closed)
        }

    # --- reading -----------------------------------------------------------------------------------------------

    def tile_at(self, hex_id: HexId) -> Tile:
        return self.layout[hex_id]

    def part(self, stop: StopId) -> Part | None:
        tile = self.layout.get(stop.hex)
        return tile.part(stop.part) if tile is not None else None

    def tokens_in(self, hex_id: HexId, city: str) -> tuple[str | None, ...]:
        return self.tokens.get(hex_id, _NOTHING).get(city, ())

    def has_token_on(self, hex_id: HexId, company: str) -> bool:
        return any(company in tokens for tokens in self.tokens.get(hex_id, _NOTHING).values())

    def stops_of(self, company: str) -> tuple[StopId, ...]:
        """The cities with a token of the company."""
        return tuple(stop for hex_id in self.tokens for stop in self.stops_in(hex_id, company))

    def stops_in(self, hex_id: HexId, company: str) -> tuple[StopId, ...]:
        """The cities of a hex with a token of the company."""
        cities = self.tokens.get(hex_id, _NOTHING)
        return tuple(StopId.of(hex_id, city) for city, tokens in cities.items() if company in tokens)

    def placements(self) -> dict[HexId, Placement]:
        return {hex_id: Placement(laid.tile, laid.rotation) for hex_id, laid in self.laid.items()}

    def copies_laid(self, tile_id: str) -> frozenset[int]:
        if self.memo.copies is None:
            copies: dict[str, set[int]] = {}
            for laid in self.laid.values():
                copies.setdefault(laid.tile, set()).add(laid.copy)
            self.memo.copies = {tile: frozenset(numbers) for tile, numbers in copies.items()}
        return self.memo.copies.get(tile_id, frozenset())

    def free_copy(self, tile_id: str) -> int | None:
        """The lowest copy of the tile in the supply; None when none is left. Source: COMMON section 7, point 2."""
        if tile_id not in self.edition.tiles:
            return None
        used = self.copies_laid(tile_id)
        count = self.edition.tiles.count(tile_id)
        if count is not None and len(used) >= count:
            return None
        return next(copy for copy in range(len(used) + 1) if copy not in used)

    def hex_of_record(self, tile: str) -> HexId | None:
        """The hex on which the tile that records call *tile* (``57-0``, ``E11-0``, ``city-3``) lies now."""
        name, dash, copy = tile.rpartition("-")
        if dash and copy.isdecimal() and name in self.edition.tiles:
            number = int(copy)
            for hex_id, laid in self.laid.items():
                if laid.copy == number and laid.tile == name:
                    return hex_id
        for printed in self.edition.map:
            if _record(printed) == tile:
                return printed.id if printed.id not in self.laid else None
        return None

    def city_of_record(self, tile: str, number: int) -> StopId | None:
        """The city that records name by its tile and its number among the parts."""
        hex_id = self.hex_of_record(tile)
        if hex_id is None:
            return None
        part = next((part for part in self.layout[hex_id].cities if part.seq == number), None)
        return StopId.of(hex_id, part.id) if part is not None else None

    def record_of(self, stop: StopId) -> tuple[str, int]:
        """How records name the city: tile with copy, and the part's number."""
        laid = self.laid.get(stop.hex)
        part = self.part(stop)
        name = f"{laid.tile}-{laid.copy}" if laid is not None else _record(self.edition.map.hexes[stop.hex])
        return name, part.seq if part is not None else 0

    # --- slots -------------------------------------------------------------------------------------------------

    def free_slot(self, company: str, stop: StopId) -> int | None:
        """The slot that a token of the company would take: its reserved one, else the first that is neither filled
        nor reserved. Source: COMMON section 8."""
        part = self.part(stop)
        if part is None or part.kind is not StopKind.CITY:
            return None
        tokens = self.tokens_in(stop.hex, part.id)
        reserved = {kept.slot: kept.company for kept in self.kept.get(stop.hex, ()) if kept.city == part.id}
        for slot, owner in reserved.items():
            if owner == company and (slot >= len(tokens) or tokens[slot] is None):
                return slot
        for slot in range(part.slots):
            if slot not in reserved and (slot >= len(tokens) or tokens[slot] is None):
                return slot
        return None

    def hex_reservation_blocks(self, company: str, hex_id: HexId, *, always: bool) -> bool:
        """Whether a reservation of the hex as a whole keeps the company out: always, or only from the last free
        slots. Source: COMMON section 8, "Reservation"."""
        waiting = [kept.company for kept in self.kept.get(hex_id, ()) if kept.city is None]
        if not waiting or company in waiting:
            return False
        if always:
            return True
        free = 0
        for part in self.layout[hex_id].cities:
            tokens = self.tokens_in(hex_id, part.id)
            filled = sum(token is not None for token in tokens)
            reserved = sum(
                kept.city == part.id and (kept.slot >= len(tokens) or tokens[kept.slot] is None)
                for kept in self.kept.get(hex_id, ())
            )
            free += max(0, part.slots - filled - reserved)
        return free <= len(waiting)

    def can_take_token(self, company: str, stop: StopId, *, always_block: bool) -> bool:
        """Whether the city has room for the company and the company no token in the hex. Source: COMMON section 8."""
        return (
            not self.has_token_on(stop.hex, company)
            and self.free_slot(company, stop) is not None
            and not self.hex_reservation_blocks(company, stop.hex, always=always_block)
        )

    # --- changing ----------------------------------------------------------------------------------------------

    def with_tile(self, hex_id: HexId, laid: Laid, cities: Mapping[str, str]) -> Table:
        """The tile laid; *cities* says which city of it follows which of the old one. Tokens and reservations move
        with their cities (a city that is not named loses them)."""
        key = (hex_id, laid, tuple(cities.items()))
        known = self.memo.laid.get(key)
        if known is not None:  # a lay is looked at before it is carried out
            return known
        tile = self.edition.tiles.tile(laid.tile).rotated(laid.rotation)
        layout = {**self.layout, hex_id: tile}
        changes: dict[str, Any] = {
            "layout": layout,
            "laid": {**self.laid, hex_id: laid},
            "memo": Memo(self.ways.with_tile(hex_id, layout), self._still(hex_id)),
        }
        if hex_id in self.tokens:
            moved: dict[str, tuple[str | None, ...]] = {}
            # In the order of the old tile's cities, so that joined cities fill their slots in that order.
            for city in sorted(self.tokens[hex_id], key=lambda one: (len(one), one)):
                tokens = self.tokens[hex_id][city]
                if city in cities:
                    moved[cities[city]] = _joined(moved.get(cities[city], ()), tokens)
            changes["tokens"] = {**self.tokens, hex_id: moved}
        if hex_id in self.kept:
            kept_there = tuple(
                kept if kept.city is None else kept._replace(city=cities[kept.city])
                for kept in self.kept[hex_id]
                if kept.city is None or kept.city in cities
            )
            changes["kept"] = {**self.kept, hex_id: kept_there}
        if hex_id in self.tokens:
            reserved = changes.get("kept", {}).get(hex_id, ())
            for city, tokens in moved.items():
                moved[city] = _closed_up(tokens, frozenset(kept.slot for kept in reserved if kept.city == city))
        found = self.memo.laid[key] = self.but(**changes)
        return found

    def with_token(self, company: str, stop: StopId, slot: int | None) -> Table:
        """The token put; slot None sets it beside the slots (1894). Frees the place reserved for the company there."""
        hex_id, city = stop.hex, stop.part
        tokens = list(self.tokens_in(hex_id, city))
        if slot is None:
            tokens.append(company)
        else:
            while len(tokens) <= slot:
                tokens.append(None)
            tokens[slot] = company
        changes: dict[str, Any] = {
            "tokens": {**self.tokens, hex_id: {**self.tokens.get(hex_id, _NOTHING), city: tuple(tokens)}},
            "memo": Memo(self.ways, self._still(hex_id, company)),
        }
        kept = self.kept.get(hex_id, ())
        if any(place.company == company and place.city in (None, city) for place in kept):
            left = tuple(place for place in kept if not (place.company == company and place.city in (None, city)))
            changes["kept"] = {**self.kept, hex_id: left}
        return self.but(**changes)

    def without_token(self, company: str, stop: StopId) -> Table:
        """The token taken off the map; its slot is empty."""
        hex_id, city = stop.hex, stop.part
        tokens = [None if token == company else token for token in self.tokens_in(hex_id, city)]
        while tokens and tokens[-1] is None:
            tokens.pop()
        cities = {**self.tokens.get(hex_id, _NOTHING), city: tuple(tokens)}
        if not tokens:
            del cities[city]
        changed = {**self.tokens, hex_id: cities}
        if not cities:
            del changed[hex_id]
        return self.but(tokens=changed, memo=Memo(self.ways, self._still(hex_id, company)))

    def replacing_token(self, old: str, new: str, stop: StopId) -> Table:
        """The token of *old* exchanged for one of *new* in the same slot (mergers, blocking tokens)."""
        tokens = tuple(new if token == old else token for token in self.tokens_in(stop.hex, stop.part))
        changed = {**self.tokens, stop.hex: {**self.tokens[stop.hex], stop.part: tokens}}
        return self.but(tokens=changed, memo=Memo(self.ways, self._still(stop.hex, old, new)))

    def with_reservation(self, hex_id: HexId, kept: Kept) -> Table:
        return self._reserving({**self.kept, hex_id: (*self.kept.get(hex_id, ()), kept)})

    def without_reservations(self, company: str, hex_id: HexId | None = None) -> Table:
        """No place is reserved for the company any more (on that hex, or anywhere)."""
        changed = {
            place: tuple(kept for kept in reserved if kept.company != company or hex_id not in (None, place))
            for place, reserved in self.kept.items()
        }
        return self._reserving({place: reserved for place, reserved in changed.items() if reserved})

    def _reserving(self, kept: Mapping[HexId, tuple[Kept, ...]]) -> Table:
        """Other reservations, which block nobody's track."""
        return self.but(kept=kept, memo=Memo(self.ways, dict(self.memo.reach)))

    # --- reach -------------------------------------------------------------------------------------------------

    def blocks(self, company: str, hex_id: HexId, part: Part) -> bool:
        """Whether the company may not run or build through the city: every slot is filled and none by its own token.
        Source: COMMON section 8."""
        if part.kind is not StopKind.CITY or part.slots == 0:
            return False
        tokens = self.tokens_in(hex_id, part.id)
        return len(tokens) - tokens.count(None) >= part.slots and company not in tokens

    def reach(
        self, company: str, *, closed: frozenset[StopId] = frozenset(), roots: tuple[StopId, ...] | None = None
    ) -> Reach:
        """Follow track from the company's tokens (or from *roots*), not through blocking cities, off-board areas or
        terminal track, and not into *closed* stops. Source: COMMON section 7, "Reachable"."""
        key = (company, closed, roots)
        found = self.memo.reach.get(key)
        if found is None:
            starts = self.stops_of(company) if roots is None else roots
            found = self.memo.reach[key] = self.ways.reach(starts, closed, partial(self.is_end, company))
        return found

    @property
    def ways(self) -> Ways:
        """The track of the layout from stop to stop, for all companies."""
        if self.memo.ways is None:
            self.memo.ways = Ways(self.edition.map, self.layout)
        return self.memo.ways

    def around(self, company: str, hex_id: HexId, reach: Reach) -> Around:
        """The board around a hex for the company that has this reach."""
        key = (company, hex_id)
        found = self.memo.around.get(key)
        if found is None or found.reach != reach:
            found = self.memo.around[key] = Around(self.ways, hex_id, reach, partial(self.is_end, company))
        return found

    def is_end(self, company: str, stop: StopId, part: Part) -> bool:
        """Whether the company goes to the stop but not on from it: a city that is full of others, an off-board area."""
        if part.kind is StopKind.OFF_BOARD:
            return not part.through
        return self.blocks(company, stop.hex, part)


def _record(printed: MapHex) -> str:
    """How records name a hex on which no tile lies: as the map tells, else by the hex."""
    return printed.record or f"{printed.id}-0"


def _joined(one: tuple[str | None, ...], other: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """The tokens of two cities that become one, in slot order."""
    if not one:
        return other
    return tuple(token for token in (*one, *other) if token is not None)


def _closed_up(tokens: tuple[str | None, ...], reserved: frozenset[int]) -> tuple[str | None, ...]:
    """The tokens of a city that gets a new tile move up into empty slots before them that nobody has reserved."""
    if None not in tokens:
        return tokens
    placed: dict[int, str] = {}
    for token in tokens:
        if token is not None:
            slots = range(len(tokens) + len(reserved))
            slot = next(slot for slot in slots if slot not in placed and slot not in reserved)
            placed[slot] = token
    return tuple(placed.get(slot) for slot in range(max(placed, default=-1) + 1))
