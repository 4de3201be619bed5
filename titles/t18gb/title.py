"""18GB: compass bonuses over connected routes, estuary crossings, distance of X-trains, privates' stop bonuses.

A private's bonus needs the position to say who owns it and that it is closed (``privates``), and who presides over
the operating company (``owners``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from board.hexes import HexId
from board.position import Position
from board.routes import TrackPiece
from board.trains import StopKind
from bonuses.at_stop import PlaceBonus, TrackBonus
from bonuses.base import Bonus
from bonuses.of_route import DistanceBonus
from bonuses.over_routes import JointBonus
from bonuses.terms import Axis
from routing.route_rules import RouteRules
from titles.data_check import FaultList
from titles.load import DataTitle, open_table

if TYPE_CHECKING:
    from rules.game import Game

#: The option that joins all connected routes into one set. Source: 18GB, "Where the sources differ" 9.
ONCE_PER_GROUP: Final = "gb_compass_once_per_connected_group"


@dataclass(frozen=True, slots=True)
class _Compass:
    """An axis: the names of its two directions, and the hex on which its amount is printed."""

    one: str
    other: str
    printed_on: HexId


@dataclass(frozen=True, slots=True)
class _Facts:
    """Amounts (£) and places. ``directions``: scenario, then direction, to hexes. Source: 18GB sections 3 and 8."""

    compass: Mapping[str, _Compass]
    directions: Mapping[str, Mapping[str, tuple[HexId, ...]]]
    estuary: Mapping[str, tuple[str, int]]
    express: frozenset[str]
    per_hex: int
    privates: Mapping[str, tuple[HexId, int]]


@lru_cache(maxsize=1)
def _facts() -> _Facts:
    faults = FaultList()
    table = open_table("t18gb", "bonuses.toml", faults)
    setup = open_table("t18gb", "setup.toml", faults)
    distance = table.table("distance")
    facts = _Facts(
        compass={
            name: _Compass(axis.text("one"), axis.text("other"), axis.hex("printed_on"))
            for name, axis in table.tables("compass")
        },
        directions={
            name: {direction: compass.hexes(direction) for direction in compass}
            for name, compass in ((name, scenario.table("compass")) for name, scenario in setup.tables("scenarios"))
        },
        estuary={name: (tile.text("label"), tile.number("amount")) for name, tile in table.tables("estuary")},
        express=frozenset(distance.texts("trains")),
        per_hex=distance.number("amount"),
        privates={name: (private.hex("hex"), private.number("amount")) for name, private in table.tables("privates")},
    )
    table.close()
    faults.stop_if_any()
    return facts


class Title18GB(DataTitle):
    """18GB. Source: digest 18GB sections 3 and 8."""

    def game_rules(self) -> type[Game]:
        from titles.t18gb.game import Game18GB

        return Game18GB

    def route_rules(self, position: Position) -> RouteRules:
        """Two stops of a route on one hex pay once."""
        return RouteRules(hex_pays_once=True, source="18GB section 8")

    def bonuses(self, position: Position, table: Mapping[str, object] | None = None) -> tuple[Bonus, ...]:
        return (_compass(position), *_estuaries(position), _distance(position), *_private_bonuses(position))


def _compass(position: Position) -> JointBonus:
    """North-south and east-west over sets of connected routes. Source: 18GB section 8, "Compass"."""
    facts = _facts()
    directions = facts.directions[position.edition.scenario]
    axes = tuple(
        Axis(
            name,
            frozenset(directions[compass.one]),
            frozenset(directions[compass.other]),
            sum(position.value(stop) for stop in position.stops_on(compass.printed_on)),
        )
        for name, compass in facts.compass.items()
    )
    off_boards = frozenset(stop for stop, part in position.stops.items() if part.kind is StopKind.OFF_BOARD)
    return JointBonus(axes, off_boards, "18GB section 8, Compass", ONCE_PER_GROUP in position.edition.options)


def _estuaries(position: Position) -> Iterator[TrackBonus]:
    """Money for the special track of the Forth and Severn tiles, as they lie. Source: 18GB section 8, "Estuary"."""
    for hex_id, (tile_id, _) in position.tiles.items():
        if tile_id in _facts().estuary:
            label, amount = _facts().estuary[tile_id]
            pieces = frozenset(TrackPiece(hex_id, piece) for piece in position.tile_at(hex_id).track if piece.dual)
            yield TrackBonus(label, pieces, amount, "18GB section 8, Estuary")


def _distance(position: Position) -> DistanceBonus:
    """Money for the distance between the ends of an X-train's route; towns alone on their hex are no ends.

    Source: 18GB section 8, "X bonus".
    """
    facts = _facts()
    ends = frozenset(
        stop
        for stop in position.stops
        if any(part.kind in (StopKind.CITY, StopKind.OFF_BOARD) for part in position.tile_at(stop.hex).parts)
    )
    return DistanceBonus(
        "distance", facts.express, facts.per_hex, ends, position.edition.map.layout, "18GB section 8, X bonus"
    )


def _private_bonuses(position: Position) -> Iterator[PlaceBonus]:
    """Money for stops of closed privates whose owner leads the operating company. Source: 18GB section 3."""
    leader = position.owners.get(position.operator)
    for name, (hex_id, amount) in _facts().privates.items():
        state = position.privates.get(name)
        stops = position.stops_on(hex_id) if hex_id in position.edition.map else ()
        if state is not None and not state.open and leader is not None and state.owner == leader and stops:
            yield PlaceBonus(name, (frozenset(stops),), amount, f"18GB section 3, {name}")


TITLE = Title18GB("t18gb")
