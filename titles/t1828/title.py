"""1828: the coalfields behind a marker, systems of two companies, and the minor Cobourg & Peterborough.

Markers of a position: ``coal``, the companies and systems that own a coal marker; ``laid_this_turn``, the hexes in
which the minor laid or upgraded a tile this turn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from board.hexes import HexId, StopId, opposite
from board.position import Position
from board.trains import StopKind
from routing.route_rules import MustVisit, RouteRules
from titles.data_check import FaultList
from titles.load import DataTitle, open_table

if TYPE_CHECKING:
    from rules.game import Game


class _Facts(NamedTuple):
    """The hex of the coalfields and the name of the minor. Source: 1828 sections 5 and 8."""

    coalfields: HexId
    minor: str


@lru_cache(maxsize=1)
def _facts() -> _Facts:
    faults = FaultList()
    setup = open_table("t1828", "setup.toml", faults)
    facts = _Facts(setup.table("coal").hex("hex"), setup.table("minor").text("name"))
    faults.stop_if_any()
    return facts


class Title1828(DataTitle):
    """1828. Source: digest 1828 sections 5, 6 and 8."""

    def game_rules(self) -> type[Game]:
        from titles.t1828.game import Game1828

        return Game1828

    def route_rules(self, position: Position) -> RouteRules:
        coalfields, minor = _facts()
        closed: dict[StopId, str] = {}
        if position.operator not in position.marker_names("coal"):
            closed = {
                stop: f"{position.edition.map.name_of(coalfields)} needs a coal marker (coal), and "
                f"{position.operator} has none"
                for stop in position.stops_on(coalfields)
            }
        if position.operator == minor:
            return _minor_rules(position, closed)
        return RouteRules(closed=closed, source="1828 sections 5 and 6")


def _minor_rules(position: Position, closed: dict[StopId, str]) -> RouteRules:
    """The minor runs only after laying a tile, and its route has to do with that tile. Source: 1828 section 8."""
    laid = tuple(HexId(name) for name in position.marker_names("laid_this_turn"))
    reached = frozenset(stop for hex_id in laid for stop in _stops_of_lay(position, hex_id))
    places = ", ".join(laid)
    no_run = ""
    if not laid:
        no_run = f"{position.operator} laid no tile this turn (laid_this_turn), so it may not run"
    elif not reached:
        no_run = f"the track that {position.operator} laid in {places} leads to no stop, so it may not run"
    return RouteRules(
        as_token=frozenset(
            stop for hex_id in laid for stop in position.stops_on(hex_id) if position.stops[stop].kind is StopKind.CITY
        ),
        token_required=False,
        closed=closed,
        must_visit=(MustVisit(reached, f"the route of {position.operator} has to do with the tile laid in {places}"),)
        if reached
        else (),
        no_run=no_run,
        source="1828 section 8",
    )


def _stops_of_lay(position: Position, hex_id: HexId) -> frozenset[StopId]:
    """The stops on the tile in *hex_id*; of a plain tile all stops to which its track leads over any of its sides."""
    stops = position.stops_on(hex_id)
    if stops:
        return frozenset(stops)
    found: set[StopId] = set()
    seen: set[tuple[HexId, int]] = set()
    pending = [(hex_id, side) for side in position.tile_at(hex_id).sides]
    while pending:
        here, side = pending.pop()
        other = position.edition.map.neighbour(here, side)
        if other is None or (here, side) in seen:
            continue
        seen.add((here, side))
        entered = opposite(side)
        for piece in position.tile_at(other).track_at.get(entered, ()):
            end = piece.other_end(entered)
            if isinstance(end, int):
                pending.append((other, end))
            elif not end.startswith("j"):
                found.add(StopId.of(other, end))
            else:
                pending += [
                    (other, further)
                    for joined in position.tile_at(other).track_at[end]
                    if isinstance(further := joined.other_end(end), int) and further != entered
                ]
    return frozenset(found)


TITLE = Title1828("t1828")
