"""A position: everything that decides the revenue of one operating turn, and nothing else.

Building one validates all of it; every fault is listed with its place. The written form is read by
``records.positions``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, NamedTuple

from board.edition import Edition, MarkerShape
from board.errors import Fault, InputError
from board.hexes import HexId, StopId, opposite
from board.map import MapHex
from board.phases import Phase
from board.tiles import Part, Tile
from board.trains import StopKind, TrainType

#: A blocking token: belongs to nobody and fills its slot (1828).
BLOCK: Final = "BLOCK"
#: More trains than any company may own under any title; a bound on work, not a rule.
MOST_TRAINS: Final = 12


class Placement(NamedTuple):
    """A tile on the map: its id and the clockwise turns in sixths."""

    tile: str
    rotation: int


class PrivateState(NamedTuple):
    """Who owns a private (player or company) and whether it is still open (18GB: closed privates use their ability)."""

    owner: str
    open: bool = True


Tokens = Mapping[HexId, Mapping[str, tuple[str | None, ...]]]


@dataclass(frozen=True)
class Position:
    """One operating turn at the moment the trains run.

    ``tokens``: hex to city to companies in slot order, None for an empty slot before an occupied one. ``owners``:
    company to the player who presides over it. ``markers``: title-specific. ``game`` and ``action`` name the source.
    Build with :meth:`build`, which validates.
    """

    edition: Edition
    phase: Phase
    operator: str
    trains: tuple[str, ...]
    tiles: Mapping[HexId, Placement]
    tokens: Tokens
    owners: Mapping[str, str] = field(default_factory=dict)
    privates: Mapping[str, PrivateState] = field(default_factory=dict)
    markers: Mapping[str, object] = field(default_factory=dict)
    game: str = ""
    action: int | None = None

    @classmethod
    def build(
        cls,
        edition: Edition,
        *,
        phase: str,
        operator: str,
        trains: Iterable[str],
        tiles: Mapping[HexId, Placement],
        tokens: Tokens,
        owners: Mapping[str, str] | None = None,
        privates: Mapping[str, PrivateState] | None = None,
        markers: Mapping[str, object] | None = None,
        game: str = "",
        action: int | None = None,
    ) -> Position:
        """The validated position. Raises :class:`InputError` with all faults, each with its place."""
        if phase not in edition.phases:
            known = ", ".join(edition.phases)
            unknown_phase = [
                Fault("unknown-phase", f"{edition.title} has no phase {phase!r}; its phases are {known}", "phase")
            ]
            any_phase = next(iter(edition.phases.values()))
        else:
            unknown_phase, any_phase = [], edition.phases[phase]
        position = cls(
            edition, any_phase, operator, tuple(trains), dict(tiles), tokens,
            dict(owners or {}), dict(privates or {}), dict(markers or {}), game, action,
        )  # fmt: skip
        faults = (*unknown_phase, *_faults(position))
        if faults:
            raise InputError(faults)
        return position

    def _repr_svg_(self) -> str:
        """The map with its tokens, for notebooks."""
        from board.drawing import draw_map

        return draw_map(self)

    @cached_property
    def layout_of(self) -> Mapping[HexId, Tile]:
        """What lies on each hex: the placed tile in its rotation, else the print."""
        tiles = {printed.id: printed.tile for printed in self.edition.map}
        for hex_id, (tile_id, rotation) in self.tiles.items():
            tiles[hex_id] = self.edition.tiles.tile(tile_id).rotated(rotation)
        return tiles

    def tile_at(self, hex_id: HexId) -> Tile:
        return self.layout_of[hex_id]

    def part(self, stop: StopId) -> Part | None:
        """The part that *stop* names on the tile that lies there; None where there is none."""
        tile = self.layout_of.get(stop.hex)
        return tile.part(stop.part) if tile is not None else None

    @cached_property
    def stops(self) -> Mapping[StopId, Part]:
        """Every stop on the map as it lies."""
        stops: dict[StopId, Part] = {}
        for hex_id, tile in self.layout_of.items():
            if tile.parts:
                stops.update(tile.stops_on(hex_id))
        return stops

    def stops_on(self, hex_id: HexId) -> tuple[StopId, ...]:
        """The stops of the tile that lies on the hex; none where the map has no such hex."""
        tile = self.layout_of.get(hex_id)
        return tuple(tile.stops_on(hex_id)) if tile else ()

    def marker_names(self, key: str) -> tuple[str, ...]:
        """A marker that is a list of names (companies, hexes); empty where the position says nothing of it."""
        names = self.markers.get(key, ())
        return tuple(names) if isinstance(names, (list, tuple)) else ()

    def value(self, stop: StopId) -> int:
        """What the stop pays in the current phase, before any bonus. Money."""
        return self.stops[stop].revenue.in_phase(self.phase)

    def groups(self, stop: StopId) -> tuple[str, ...]:
        """Names of which a route may visit one stop each; a printed group passes to every tile laid on the hex."""
        own = self.stops[stop].groups
        inherited = self.edition.map.printed_groups.get(stop.hex)
        if inherited is None or stop.hex not in self.tiles:
            return own
        return tuple(dict.fromkeys((*own, *inherited)))

    def tokens_in(self, stop: StopId) -> tuple[str | None, ...]:
        return self.tokens.get(stop.hex, {}).get(stop.part, ())

    @cached_property
    def own_tokens(self) -> tuple[StopId, ...]:
        """The cities that hold a token of the operator."""
        return tuple(
            StopId.of(hex_id, city)
            for hex_id, cities in self.tokens.items()
            for city, companies in cities.items()
            if self.operator in companies
        )

    def blocks(self, stop: StopId) -> bool:
        """Whether a route of the operator may end at, but not run through, this city: every slot is taken and none by
        its own token. Source: COMMON section 8."""
        part = self.stops[stop]
        if part.kind is not StopKind.CITY or part.slots == 0:
            return False
        tokens = self.tokens_in(stop)
        return len(tokens) - tokens.count(None) >= part.slots and self.operator not in tokens

    def ends_route(self, stop: StopId) -> bool:
        """Whether no route of the operator may run through the stop: a blocking city or an off-board area."""
        part = self.stops[stop]
        return (part.kind is StopKind.OFF_BOARD and not part.through) or self.blocks(stop)

    @property
    def train_types(self) -> tuple[TrainType, ...]:
        return tuple(self.edition.trains[name] for name in self.trains)

    def with_changes(
        self,
        *,
        operator: str | None = None,
        trains: Iterable[str] | None = None,
        tiles: Mapping[HexId, Placement] | None = None,
        tokens: Tokens | None = None,
    ) -> Position:
        """A validated copy with the given parts replaced. Raises :class:`InputError` as :meth:`build` does."""
        changed = replace(
            self,
            operator=self.operator if operator is None else operator,
            trains=self.trains if trains is None else tuple(trains),
            tiles=self.tiles if tiles is None else dict(tiles),
            tokens=self.tokens if tokens is None else tokens,
        )
        faults = tuple(_faults(changed))
        if faults:
            raise InputError(faults)
        return changed


def _faults(position: Position) -> Iterable[Fault]:
    yield from _wrong_names(position)
    wrong_tiles = {fault.where: fault for fault in _wrong_tiles(position)}
    yield from wrong_tiles.values()
    if not wrong_tiles:
        yield from _track_off_the_map(position)
        yield from _wrong_tokens(position)
    yield from _wrong_markers(position)


def _wrong_names(position: Position) -> Iterable[Fault]:
    edition = position.edition
    if not edition.knows_company(position.operator):
        yield Fault(
            "unknown-company",
            f"{edition.title} has no company {position.operator!r}; it has {_list(edition.companies)}",
            "operator",
        )
    for place, train in enumerate(position.trains):
        if train not in edition.trains:
            yield Fault(
                "unknown-train",
                f"{edition.title} has no train {train!r}; it has {', '.join(edition.trains)}",
                f"trains[{place}]",
            )
    if len(position.trains) > MOST_TRAINS:
        yield Fault(
            "too-many-trains", f"{len(position.trains)} trains; no company may own more than {MOST_TRAINS}", "trains"
        )
    for company in position.owners:
        if not edition.knows_company(company):
            yield Fault("unknown-company", f"{edition.title} has no company {company!r}", f"owners.{company}")
    for private in position.privates:
        if private not in edition.privates:
            yield Fault(
                "unknown-private",
                f"{edition.title} has no private {private!r}; it has {_list(edition.privates)}",
                f"privates.{private}",
            )


def _wrong_tiles(position: Position) -> Iterable[Fault]:
    edition = position.edition
    for hex_id, (tile_id, rotation) in position.tiles.items():
        where = f"tiles.{hex_id}"
        if hex_id not in edition.map:
            yield Fault("unknown-hex", f"the map of {edition.title} has no hex {hex_id}", where)
        elif tile_id not in edition.tiles:
            yield Fault("unknown-tile", f"{edition.title} has no tile {tile_id!r}", where)
        elif rotation not in range(6):
            yield Fault("bad-rotation", f"rotation {rotation} of tile {tile_id}; a rotation is 0 to 5", where)
        elif reason := _misfit(
            edition.map.hexes[hex_id],
            edition.tiles.tile(tile_id),
            any_label=edition.other_labels.get(tile_id) == hex_id,
        ):
            yield Fault(
                "tile-does-not-fit", f"tile {tile_id} cannot lie on {edition.map.name_of(hex_id)}: {reason}", where
            )
    used = Counter(tile_id for tile_id, _ in position.tiles.values())
    for tile_id, number in used.items():
        limit = edition.tiles.count(tile_id) if tile_id in edition.tiles else None
        if limit is not None and number > limit:
            hexes = ", ".join(hex_id for hex_id, placement in position.tiles.items() if placement.tile == tile_id)
            yield Fault(
                "too-many-tiles",
                f"tile {tile_id} lies {number} times ({hexes}); the box holds {limit}",
                f"tiles ({tile_id})",
            )


def _misfit(printed: MapHex, tile: Tile, *, any_label: bool) -> str:
    """Why *tile* contradicts the print; empty where it fits. Source: COMMON section 7, point 3."""
    if not printed.may_be_built_on and not (printed.tile.label and printed.tile.label == tile.label):
        return f"{printed.colour} hexes are fixed"
    if bool(tile.cities) != bool(printed.tile.cities):
        return (
            "the hex has a city and the tile has none"
            if printed.tile.cities
            else "the tile has a city and the hex has none"
        )
    if len(tile.towns) != len(printed.tile.towns):
        return f"the hex has {len(printed.tile.towns)} towns and the tile has {len(tile.towns)}"
    if printed.tile.label and printed.tile.label != tile.label and not any_label:
        return f"the hex is labelled {printed.tile.label} and the tile {tile.label or 'not at all'}"
    return ""


def _track_off_the_map(position: Position) -> Iterable[Fault]:
    game_map = position.edition.map
    for hex_id in position.tiles:
        for side in sorted(position.tile_at(hex_id).sides):
            other = game_map.neighbour(hex_id, side)
            if other is None:
                yield Fault(
                    "track-off-the-map",
                    f"the track on side {side} of {hex_id} leads off the map or into an impassable hexside",
                    f"tiles.{hex_id}",
                )
            elif (
                not game_map.hexes[other].may_be_built_on
                and game_map.hexes[other].colour != "blue"
                and opposite(side) not in position.tile_at(other).sides
                and other not in position.tiles
            ):
                yield Fault(
                    "track-into-a-fixed-hex",
                    f"the track on side {side} of {hex_id} runs into {game_map.name_of(other)}, which has none there",
                    f"tiles.{hex_id}",
                )


def _wrong_tokens(position: Position) -> Iterable[Fault]:
    edition = position.edition
    for hex_id, cities in position.tokens.items():
        if hex_id not in edition.map:
            yield Fault("unknown-hex", f"the map of {edition.title} has no hex {hex_id}", f"tokens.{hex_id}")
            continue
        for city, companies in cities.items():
            where = f"tokens.{hex_id}.{city}"
            part = position.tile_at(hex_id).part(city)
            if part is None or part.kind is not StopKind.CITY:
                have = ", ".join(city.id for city in position.tile_at(hex_id).cities) or "none"
                yield Fault("no-such-city", f"{hex_id} has no city {city!r}; its cities are: {have}", where)
                continue
            present = [company for company in companies if company is not None]
            if len(present) > part.slots and not edition.tokens_beside_slots:
                yield Fault(
                    "too-many-tokens",
                    f"{len(present)} tokens in {StopId.of(hex_id, city)}, which has {part.slots} slot(s)",
                    where,
                )
            for company, number in Counter(present).items():
                if company != BLOCK and not edition.knows_company(company):
                    yield Fault("unknown-company", f"{edition.title} has no company {company!r}", where)
                elif company != BLOCK and number > 1:
                    yield Fault("token-twice", f"{company} has {number} tokens in one city", where)


def _wrong_markers(position: Position) -> Iterable[Fault]:
    edition = position.edition
    for key, value in position.markers.items():
        where = f"markers.{key}"
        shape = edition.markers.get(key)
        if shape is None:
            known = f"; it has {', '.join(edition.markers)}" if edition.markers else ""
            yield Fault("unknown-marker", f"{edition.title} has no marker {key!r}{known}", where)
        elif not _has_shape(value, shape):
            yield Fault("malformed-marker", f"{key} must be {shape.value}", where)
        elif shape in (MarkerShape.COMPANIES, MarkerShape.COMPANY_TO_NAMES):
            for company in value:  # type: ignore[attr-defined]
                if not edition.knows_company(company):
                    yield Fault("unknown-company", f"{edition.title} has no company {company!r}", where)
        elif shape in (MarkerShape.HEXES, MarkerShape.HEX_TO_NAMES):
            for hex_id in value:  # type: ignore[attr-defined]
                if hex_id not in edition.map:
                    yield Fault("unknown-hex", f"the map of {edition.title} has no hex {hex_id!r}", where)


def _has_shape(value: object, shape: MarkerShape) -> bool:
    if shape is MarkerShape.NAME:
        return isinstance(value, str)
    if shape in (MarkerShape.COMPANIES, MarkerShape.HEXES):
        return isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value)
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
        for key, names in value.items()
    )


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
