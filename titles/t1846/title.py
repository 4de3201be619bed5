"""1846: east-west bonuses, ports, Meat Packing, Boomtown, the mail.

Markers of a position: ``assigned``, the markers (``SC``, ``MPC``, ``BT``) that lie on each hex; ``assigned_companies``,
the markers that each company may use. A marker earns money where it stands in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from board.hexes import HexId, StopId
from board.position import Position
from board.trains import StopKind
from bonuses.at_stop import PlaceBonus
from bonuses.base import Bonus
from bonuses.over_routes import MostStopsBonus
from routing.route_rules import RouteRules
from titles.data_check import FaultList, Table
from titles.load import DataTitle, open_table

if TYPE_CHECKING:
    from rules.game import Game


@dataclass(frozen=True, slots=True)
class _Marker:
    """A private's marker: ``amount`` (money) for each ``symbol`` printed on the hex where it lies."""

    name: str
    symbol: str
    amount: int
    counted: bool


@dataclass(frozen=True, slots=True)
class _Facts:
    """What ``bonuses.toml`` says. Source: 1846 section 12."""

    east: str
    west: str
    printed: str
    east_west_counted: bool
    markers: Mapping[str, _Marker]
    markers_until: str
    mail_private: str
    mail_name: str
    mail_amount: int


@lru_cache(maxsize=1)
def _facts() -> _Facts:
    faults = FaultList()
    table = open_table("t1846", "bonuses.toml", faults)
    east_west, markers, mail = table.table("east_west"), table.table("markers"), table.table("mail")
    if mail.text("stops") != "visited":
        mail.fault("stops", "the mail is paid for visited stops")
    until = markers.text("until")
    facts = _Facts(
        east=east_west.text("east"),
        west=east_west.text("west"),
        printed=east_west.text("printed"),
        east_west_counted=_counted(east_west),
        markers={name: _marker(markers.table(name)) for name in markers if name != "until"},
        markers_until=until,
        mail_private=mail.text("private"),
        mail_name=mail.text("name"),
        mail_amount=mail.number("amount"),
    )
    for part in (east_west, mail, table):
        part.close()
    faults.stop_if_any()
    return facts


def _marker(table: Table) -> _Marker:
    marker = _Marker(table.text("name"), table.text("symbol"), table.number("amount"), _counted(table))
    table.close()
    return marker


def _counted(table: Table) -> bool:
    stops = table.text("stops")
    if stops not in ("visited", "counted"):
        table.fault("stops", "is neither visited nor counted")
    return stops == "counted"


class Title1846(DataTitle):
    """1846. Source: digest 1846 section 12."""

    def game_rules(self) -> type[Game]:
        from titles.t1846.game import Game1846

        return Game1846

    def route_rules(self, position: Position) -> RouteRules:
        return RouteRules(source="1846 section 12")

    def bonuses(self, position: Position, table: Mapping[str, object] | None = None) -> tuple[Bonus, ...]:
        return (*_east_west(position), *_markers(position), *_mail(position))

    def notices(self, position: Position, table: Mapping[str, object] | None = None) -> tuple[str, ...]:
        """Markers of the operator that earn nothing where they lie."""
        found = []
        for hex_id, name in _assigned(position):
            marker, place = _facts().markers.get(name), position.edition.map.name_of(hex_id)
            if marker is None:
                known = ", ".join(_facts().markers)
                found.append(f"There is no marker {name!r}, so it earns nothing in {place}; the markers are {known}.")
            elif _markers_are_gone(position):
                found.append(f"{name} earns nothing in {place}: markers are removed in phase {_facts().markers_until}.")
            elif not _symbols(position, hex_id, marker.symbol):
                found.append(f"{name} earns nothing in {place}, where the map does not print its symbol.")
        return tuple(found)


def _east_west(position: Position) -> Iterator[Bonus]:
    """Both printed numbers for a route between an eastern and a western off-board. Source: 1846 section 12, 4."""
    facts = _facts()
    east: dict[int, set[StopId]] = {}
    west: dict[int, set[StopId]] = {}
    for printed in position.edition.map:
        number = next((marker["value"] for marker in printed.markers if marker.get("kind") == facts.printed), None)
        if isinstance(number, int):
            for stop in position.stops_on(printed.id):
                if facts.east in position.groups(stop):
                    east.setdefault(number, set()).add(stop)
                elif printed.tile.label == facts.west:
                    west.setdefault(number, set()).add(stop)
    for one, eastern in sorted(east.items()):
        for other, western in sorted(west.items()):
            yield PlaceBonus(
                "East-West",
                (frozenset(eastern), frozenset(western)),
                one + other,
                "1846 section 12, east-west",
                counted=facts.east_west_counted,
            )


def _markers(position: Position) -> Iterator[Bonus]:
    """What the markers of the operator add where they lie. Source: 1846 section 12, 5."""
    for hex_id, name in _assigned(position):
        marker = _facts().markers.get(name)
        if marker is not None and not _markers_are_gone(position):
            amount = marker.amount * _symbols(position, hex_id, marker.symbol)
            stops = frozenset(position.stops_on(hex_id))
            yield PlaceBonus(marker.name, (stops,), amount, f"1846 section 12, {name}", counted=marker.counted)


def _assigned(position: Position) -> Iterator[tuple[HexId, str]]:
    """The hexes with markers that the operator may use, and the markers."""
    assigned, companies = (position.markers.get(key, {}) for key in ("assigned", "assigned_companies"))
    if isinstance(assigned, Mapping) and isinstance(companies, Mapping):
        own = companies.get(position.operator, ())
        for hex_id, names in assigned.items():
            for name in names:
                if name in own:
                    yield HexId(hex_id), name


def _markers_are_gone(position: Position) -> bool:
    order = list(position.edition.phases)
    return order.index(position.phase.name) >= order.index(_facts().markers_until)


def _symbols(position: Position, hex_id: HexId, kind: str) -> int:
    """How often the symbol is printed on the hex."""
    printed = position.edition.map.hexes[hex_id].markers
    counts = (marker.get("count", 1) for marker in printed if marker.get("kind") == kind)
    return sum(count for count in counts if isinstance(count, int))


def _mail(position: Position) -> Iterator[Bonus]:
    """Money for each visited stop of one route, for the owner of the mail. Source: 1846 section 12, 6."""
    facts = _facts()
    state = position.privates.get(facts.mail_private)
    if state is not None and state.open and state.owner == position.operator:
        stops = frozenset(stop for stop, part in position.stops.items() if part.kind is not StopKind.TOWN)
        yield MostStopsBonus(facts.mail_name, facts.mail_amount, stops, "1846 section 12, mail")


TITLE = Title1846("t1846")
