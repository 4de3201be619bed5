"""1833NE: ferries, direct connections, interconnections, and the exits of P4 and P6.

Markers of a position:

- ``ferries``: for a company the names of its ferries, as the bonus table calls them (``{"HR": ["New Haven"]}``);
- ``new_ferry``: the ferry that was bought last and carries the New bonus;
- ``last_ferry``: the ferry that carries the Last bonus;
- ``luxury_ferry``: the ferry that P5 doubles.

The token that StL&A and A&StL share in Sherbrooke is written as both names in the one slot: it is a token of both.
A private of this title counts as gone once the position says that it is not open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from board.hexes import HexId, StopId
from board.position import Position
from board.trains import StopKind
from bonuses.at_stop import PlaceBonus
from bonuses.base import Bonus
from bonuses.by_extension import InterconnectionBonus
from routing.route_rules import RouteRules
from titles.data_check import FaultList
from titles.load import DataTitle, open_table
from titles.t1833ne.bonus_table import Amounts, BonusTable, Ferry, full_table, known_table
from titles.t1833ne.unknowns import OpenAtPlaces, OpenPairs

if TYPE_CHECKING:
    from rules.game import Game

#: The option that doubles the pair's own bonuses alone. Source: SOURCES.md, "Readings".
PAIR_ONLY: Final = "ne_ogdensburg_pair_only"


@dataclass(frozen=True, slots=True)
class _Private:
    """What a private does for runs of its corporation. ``until``: the phase in which it leaves the game.

    ``token``: the exit that serves as a token; ``doubles``: two hexes whose connection counts twice in ``phases``;
    ``exclusive``: the exit that is open to its corporation alone, and pays only on routes that visit ``partner``.
    Source: 1833NE section 3.
    """

    until: str
    token: HexId | None = None
    doubles: tuple[HexId, ...] = ()
    phases: frozenset[str] = frozenset()
    exclusive: HexId | None = None
    partner: HexId | None = None


@dataclass(frozen=True, slots=True)
class _Facts:
    """Privates by name; the private that holds back ``held_back`` until it is sold or ``held_back_hex`` upgraded; the
    private that doubles a ferry."""

    privates: Mapping[str, _Private]
    holding_private: str
    held_back: str
    held_back_hex: HexId
    luxury_private: str


@lru_cache(maxsize=1)
def _facts() -> _Facts:
    faults = FaultList()
    table = open_table("t1833ne", "companies.toml", faults)
    privates: dict[str, _Private] = {}
    held_back, holding, luxury, held_back_hex = "", "", "", HexId("G22")
    for name, private in table.tables("privates"):
        found = _Private(private.text("removed_in_phase", ""))
        for ability in private.list_of_tables("abilities"):
            kind = ability.text("kind")
            if kind == "acts_as_token":
                found = replace(found, token=ability.hexes("hexes")[0])
            elif kind == "doubles_bonus":
                phases = frozenset(ability.texts("phases"))
                found = replace(found, doubles=ability.hexes("route"), phases=phases)
            elif kind == "exclusive_access":
                found = replace(found, exclusive=ability.hexes("hexes")[0], partner=ability.hex("partner"))
            elif kind == "restricts_corporation":
                holding, held_back, held_back_hex = name, ability.text("corporation"), ability.hex("until_upgraded")
            elif kind == "doubles_ferry":
                luxury = name
        privates[name] = found
    faults.stop_if_any()
    return _Facts(privates, holding, held_back, held_back_hex, luxury)


class Title1833NE(DataTitle):
    """1833NE. Source: digest 1833NE sections 3, 7 and 9."""

    takes_bonus_table = True

    def game_rules(self) -> type[Game]:
        from titles.t1833ne.game import Game1833NE

        return Game1833NE

    def route_rules(self, position: Position) -> RouteRules:
        """The exits of P4 and P6 as tokens, D&H for the owner of P6 alone and worth something with Montreal only, no
        stops at the sea, the Lowell rule."""
        closed = {
            stop: f"the sea side of {position.edition.map.name_of(stop)} belongs to ferries and is no stop of a run"
            for hex_id in sorted(known_table().sea)
            for stop in position.stops_on(hex_id)
            if position.stops[stop].kind is StopKind.OFF_BOARD
        }
        as_token: set[StopId] = set()
        only_with: dict[StopId, frozenset[StopId]] = {}
        for name, private in _facts().privates.items():
            owned = _serves(position, name)
            if owned and private.token is not None:
                as_token.update(position.stops_on(private.token))
            if owned and private.exclusive is not None and private.partner is not None:
                partners = _stops(position, private.partner)
                only_with.update(dict.fromkeys(position.stops_on(private.exclusive), partners))
            if not owned and private.exclusive is not None:
                exit_name = position.edition.map.name_of(private.exclusive)
                reason = f"only the corporation that owns {name} may run to {exit_name}"
                closed.update(dict.fromkeys(position.stops_on(private.exclusive), reason))
        return RouteRules(
            as_token=frozenset(as_token),
            closed=closed,
            pays_only_with=only_with,
            no_run=_held_back(position),
            source="1833NE sections 3 and 9",
        )

    def bonuses(self, position: Position, table: Mapping[str, object] | None = None) -> tuple[Bonus, ...]:
        known = full_table(table, position.edition)
        return (*_connections(position, known), *_ferries(position, known))

    def notices(self, position: Position, table: Mapping[str, object] | None = None) -> tuple[str, ...]:
        """What the bonus table leaves open, whatever the runs are."""
        known = full_table(table, position.edition)
        found = []
        if "interconnection" not in known.complete:
            names = [_pair_name(position, pair) for pair in known.interconnection]
            counted = f"only {', '.join(names)} are counted" if names else "none is counted"
            found.append(f"Which interconnection bonuses are printed is not known in full: {counted}.")
        facts = _facts()
        if position.operator == facts.held_back and facts.holding_private not in position.privates:
            found.append(
                f"The position does not say who owns {facts.holding_private}; it is taken as sold to a corporation, so "
                f"{position.operator} may run."
            )
        return tuple(found)


def _serves(position: Position, private: str) -> bool:
    """Whether the operator owns the private and it is still in the game."""
    state = position.privates.get(private)
    until = _facts().privates[private].until
    order = list(position.edition.phases)
    return (
        state is not None
        and state.open
        and state.owner == position.operator
        and (not until or order.index(position.phase.name) < order.index(until))
    )


def _held_back(position: Position) -> str:
    """Why Boston & Lowell may not run; empty where it may. Source: 1833NE section 3, P2."""
    facts = _facts()
    state = position.privates.get(facts.holding_private)
    if (
        position.operator != facts.held_back
        or state is None
        or position.edition.knows_company(state.owner)
        or facts.held_back_hex in position.tiles
    ):
        return ""
    return (
        f"{position.operator} may not run until a corporation has bought {facts.holding_private} or "
        f"{position.edition.map.name_of(facts.held_back_hex)} has been upgraded"
    )


def _stops(position: Position, hex_id: HexId) -> frozenset[StopId]:
    """The stops of a place; the sea side of a city is not one."""
    sea = known_table().sea
    return frozenset(
        stop
        for stop in position.stops_on(hex_id)
        if hex_id not in sea or position.stops[stop].kind is not StopKind.OFF_BOARD
    )


def _place_name(position: Position, hex_id: HexId) -> str:
    return position.edition.map.names.get(hex_id, hex_id)


def _pair_name(position: Position, pair: Iterable[HexId]) -> str:
    order = known_table().places
    ranked = sorted(pair, key=lambda hex_id: (order.index(hex_id) if hex_id in order else len(order), hex_id.sort_key))
    return "-".join(_place_name(position, hex_id) for hex_id in ranked)


def _connections(position: Position, known: BonusTable) -> Iterator[Bonus]:
    """Direct connections and interconnections, P4's doubling, and what is open. Source: 1833NE section 9."""
    phase = position.phase.name
    doubled = next(
        (
            private.doubles
            for name, private in _facts().privates.items()
            if private.doubles and phase in private.phases and _serves(position, name)
        ),
        (),
    )
    pair_only = PAIR_ONLY in position.edition.options
    twice = frozenset(doubled)
    ends = tuple(_stops(position, hex_id) for hex_id in doubled)
    for pair, amounts in known.direct.items():
        amount = amounts.get(phase, 0)
        if not amount:
            continue
        label = _pair_name(position, pair)
        groups = tuple(_stops(position, hex_id) for hex_id in sorted(pair))
        yield PlaceBonus(label, groups, amount, "1833NE section 9, direct connection")
        if doubled and (pair == twice or not pair_only):
            # Every connection bonus of a route that joins the two ends counts once more.
            all_groups = tuple(dict.fromkeys((*ends, *groups)))
            yield PlaceBonus(f"{label} doubled", all_groups, amount, "1833NE section 3, P4")
    for pair, amounts in known.interconnection.items():
        amount = amounts.get(phase, 0)
        if not amount:
            continue
        label = f"{_pair_name(position, pair)} interconnection"
        one, other = (_stops(position, hex_id) for hex_id in sorted(pair))
        yield InterconnectionBonus(label, one, other, amount, "1833NE section 9, interconnection")
        if doubled and pair == twice:
            yield InterconnectionBonus(f"{label} doubled", one, other, amount, "1833NE section 3, P4")
    if doubled and not pair_only:
        yield OpenAtPlaces(
            f"An interconnection of a route that joins {_pair_name(position, doubled)} is counted once; whether it "
            "counts twice is not known.",
            ends,
            "1833NE section 3, P4",
            only_extended=True,
        )
    yield _open_pairs(position, known)
    yield from _open_interconnections(position, known)


def _open_pairs(position: Position, known: BonusTable) -> OpenPairs:
    certain = known.exists | frozenset(known_table().direct)
    places = {hex_id: (_place_name(position, hex_id), _stops(position, hex_id)) for hex_id in known.places}
    phase = position.phase.name
    return OpenPairs(known.open_pairs(phase), certain, places, phase, "1833NE, Not known from our sources")


def _open_interconnections(position: Position, known: BonusTable) -> Iterator[OpenAtPlaces]:
    """Interconnections that the table names without an amount for the phase."""
    phase = position.phase.name
    for pair, amounts in known.interconnection.items():
        if phase not in amounts:
            for here, there in (tuple(sorted(pair)), tuple(sorted(pair))[::-1]):
                yield OpenAtPlaces(
                    f"What the interconnection {_pair_name(position, pair)} earns in phase {phase} is not known, so "
                    "nothing is counted for it.",
                    (_stops(position, here),),
                    "1833NE, Not known from our sources",
                    without=_stops(position, there),
                )


def _ferries(position: Position, known: BonusTable) -> Iterator[Bonus]:
    """What the operator's ferries add to routes that reach their cities. Source: 1833NE section 7."""
    owned = position.markers.get("ferries", {})
    names = owned.get(position.operator, ()) if isinstance(owned, Mapping) else ()
    if position.phase.name not in known.ferry_phases:
        return
    for name in names:
        ferry = known.ferries.get(name)
        if ferry is None:
            yield OpenAtPlaces(
                f"Which city the ferry {name} serves, and what it adds, is not known, so nothing is counted for it.",
                (),
                "1833NE section 7",
            )
        else:
            yield from _ferry(position, known, ferry)


def _ferry(position: Position, known: BonusTable, ferry: Ferry) -> Iterator[Bonus]:
    """One ferry with its New and Last bonus, all doubled by P5 where it is the luxury ferry."""
    phase, city = position.phase.name, _stops(position, ferry.city)
    luxury = position.markers.get("luxury_ferry") == ferry.name and _serves(position, _facts().luxury_private)
    parts: list[tuple[str, Amounts]] = [(f"ferry {ferry.name}", ferry.amount)]
    if position.markers.get("new_ferry") == ferry.name:
        parts.append(("New", ferry.new))
    if position.markers.get("last_ferry") == ferry.name:
        parts.append(("Last", ferry.last))
    for label, amounts in parts:
        if phase in amounts:
            yield PlaceBonus(label, (city,), amounts[phase], "1833NE section 7")
            if luxury:
                yield PlaceBonus(f"{label} doubled", (city,), amounts[phase], "1833NE section 3, P5")
        elif "ferry" not in known.complete:
            what = label if label.startswith("ferry") else f"{label} bonus of the ferry {ferry.name}"
            yield OpenAtPlaces(
                f"What the {what} adds in phase {phase} is not known, so nothing is counted for it.",
                (city,),
                "1833NE section 7",
            )
    if ferry.links_to is not None:
        beyond = frozenset(
            stop for hex_id in known.places if hex_id != ferry.links_to for stop in _stops(position, hex_id)
        )
        yield OpenAtPlaces(
            f"The ferry {ferry.name} carries interconnections on to {_place_name(position, ferry.links_to)}; what that "
            "earns is not known, so nothing is counted for it.",
            (city, beyond),
            "1833NE section 7",
            without=_stops(position, ferry.links_to),
        )


TITLE = Title1833NE("t1833ne")
