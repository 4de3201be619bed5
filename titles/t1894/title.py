"""1894: ferries to London, the London bonus, Luxembourg, the Netherlands, and Paris once a route.

Marker of a position: ``ferry``, the companies that own a ferry marker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from board.hexes import HexId, StopId
from board.position import Position
from bonuses.at_stop import PlaceBonus
from bonuses.base import Bonus
from bonuses.of_route import HighestStopBonus
from routing.route_rules import RouteRules
from titles.data_check import FaultList
from titles.load import DataTitle, open_table

if TYPE_CHECKING:
    from rules.game import Game


@dataclass(frozen=True, slots=True)
class _Places:
    """The hexes with rules of their own, and what the Netherlands pay (F). Source: 1894 section 7."""

    london: HexId
    london_bonus: HexId
    london_private: str
    luxembourg: HexId
    paris: HexId
    netherlands: HexId
    netherlands_others: tuple[HexId, ...]
    netherlands_amount: int


@lru_cache(maxsize=1)
def _places() -> _Places:
    faults = FaultList()
    table = open_table("t1894", "bonuses.toml", faults)
    london, luxembourg = table.table("london"), table.table("luxembourg")
    netherlands, paris = table.table("netherlands"), table.table("paris")
    places = _Places(
        london=london.hex("hex"),
        london_bonus=london.hex("bonus_hex"),
        london_private=london.text("private"),
        luxembourg=luxembourg.hex("hex"),
        paris=paris.hex("hex"),
        netherlands=netherlands.hex("hex"),
        netherlands_others=netherlands.hexes("others"),
        netherlands_amount=netherlands.number("amount"),
    )
    for part in (london, luxembourg, netherlands, paris, table):
        part.close()
    faults.stop_if_any()
    return places


class Title1894(DataTitle):
    """1894. Source: digest 1894 section 7."""

    def game_rules(self) -> type[Game]:
        from titles.t1894.game import Game1894

        return Game1894

    def route_rules(self, position: Position) -> RouteRules:
        """London is closed without a ferry, its bonus box is no stop of a run, and Paris is visited once."""
        places = _places()
        closed = {
            stop: f"{position.edition.map.name_of(places.london_bonus)} holds a token and is no stop of a run"
            for stop in position.stops_on(places.london_bonus)
        }
        if position.operator not in position.marker_names("ferry"):
            closed |= {
                stop: f"{position.edition.map.name_of(places.london)} needs a ferry marker (ferry), and "
                f"{position.operator} has none"
                for stop in position.stops_on(places.london)
            }
        return RouteRules(
            closed=closed,
            groups=dict.fromkeys(position.stops_on(places.paris), ("Paris",)),
            source="1894 section 7",
        )

    def bonuses(self, position: Position, table: Mapping[str, object] | None = None) -> tuple[Bonus, ...]:
        places = _places()
        values = {stop: value for stop in position.stops if (value := position.value(stop))}
        london = frozenset(position.stops_on(places.london))
        others = frozenset(stop for hex_id in places.netherlands_others for stop in position.stops_on(hex_id))
        found: list[Bonus] = [
            HighestStopBonus(
                "Luxembourg", frozenset(position.stops_on(places.luxembourg)), values, "1894 section 7, Luxembourg"
            ),
            PlaceBonus(
                "Netherlands",
                (frozenset(position.stops_on(places.netherlands)), others),
                places.netherlands_amount,
                "1894 section 7, Netherlands",
            ),
        ]
        if _has_london_bonus(position):
            # The bonus is the highest of the *other* stops: London itself is left out, Luxembourg is worth 0.
            elsewhere: Mapping[StopId, int] = {stop: value for stop, value in values.items() if stop not in london}
            found.append(HighestStopBonus("London bonus", london, elsewhere, "1894 section 7, London bonus"))
        return tuple(found)


def _has_london_bonus(position: Position) -> bool:
    """The corporation whose token stands in the bonus box; by option the one that owns London shipping. Source: 1894
    section 7, London bonus; differences, point 7."""
    if "london_bonus_with_private" in position.edition.options:
        private = position.privates.get(_places().london_private)
        return private is not None and private.open and private.owner == position.operator
    return any(stop.hex == _places().london_bonus for stop in position.own_tokens)


TITLE = Title1894("t1894")
