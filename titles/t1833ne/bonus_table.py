"""The bonus table of 1833NE: what is known of the printed one, completed by what the user supplies.

The printed table is not known in full. ``bonuses.toml`` holds what the sources tell; a file given with
``--bonus-table`` adds to it and overrules it. Its form is described in ``docs/bonus_table.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Final

from board.edition import Edition
from board.errors import InputError
from board.hexes import HexId
from board.map import GameMap
from titles.data_check import FaultList, Table
from titles.load import open_table

FORMAT: Final = "trackage-bonus-table-1"
#: Sections that a table can declare complete.
SECTIONS: Final = ("direct", "interconnection", "ferry")
#: More than any bonus of an 18xx game; a bound on what is read, not a rule. Money.
MOST_MONEY: Final = 9999

Pair = frozenset[HexId]
"""Two places, each given by its hex."""

Amounts = Mapping[str, int]
"""Phase to money; a phase without an entry is not known."""


@dataclass(frozen=True)
class Ferry:
    """A ferry: the hex of its city, what it adds to a route that reaches the city, and what it adds further while it
    is the newest or the last (money by phase). ``links_to``: the place that interconnections reach over it."""

    name: str
    city: HexId
    amount: Amounts = field(default_factory=dict)
    new: Amounts = field(default_factory=dict)
    last: Amounts = field(default_factory=dict)
    links_to: HexId | None = None


@dataclass(frozen=True)
class BonusTable:
    """The bonuses that are known. ``exists``: pairs that have a bonus of unknown kind; ``places``: all hexes between
    which connection bonuses may lie; ``sea``: hexes whose off-board prints are no stops; ``complete``: sections in
    which nothing is missing."""

    direct: Mapping[Pair, Amounts]
    interconnection: Mapping[Pair, Amounts]
    ferries: Mapping[str, Ferry]
    exists: frozenset[Pair] = frozenset()
    places: tuple[HexId, ...] = ()
    sea: frozenset[HexId] = frozenset()
    ferry_phases: frozenset[str] = frozenset()
    complete: frozenset[str] = frozenset()

    def open_pairs(self, phase: str) -> tuple[Pair, ...]:
        """The pairs of places of which nobody has told what a direct connection earns in *phase*."""
        if "direct" in self.complete:
            return ()
        pairs = (frozenset(pair) for pair in combinations(self.places, 2))
        return tuple(pair for pair in pairs if phase not in self.direct.get(pair, {}))

    def completed_by(self, other: BonusTable) -> BonusTable:
        """This table with the entries of *other*, which overrules it entry by entry and phase by phase."""
        ferries = dict(self.ferries)
        for name, ferry in other.ferries.items():
            known = ferries.get(name)
            ferries[name] = ferry if known is None else _merged(known, ferry)
        return BonusTable(
            direct=_overruled(self.direct, other.direct),
            interconnection=_overruled(self.interconnection, other.interconnection),
            ferries=ferries,
            exists=self.exists,
            places=self.places,
            sea=self.sea,
            ferry_phases=self.ferry_phases,
            complete=self.complete | other.complete,
        )


def _merged(known: Ferry, given: Ferry) -> Ferry:
    return Ferry(
        given.name,
        given.city,
        {**known.amount, **given.amount},
        {**known.new, **given.new},
        {**known.last, **given.last},
        given.links_to or known.links_to,
    )


def _overruled(known: Mapping[Pair, Amounts], given: Mapping[Pair, Amounts]) -> Mapping[Pair, Amounts]:
    return {**known, **{pair: {**known.get(pair, {}), **amounts} for pair, amounts in given.items()}}


@lru_cache(maxsize=1)
def known_table() -> BonusTable:
    """What the sources tell. Raises :class:`InputError` where ``bonuses.toml`` is broken."""
    faults = FaultList()
    table = open_table("t1833ne", "bonuses.toml", faults)
    reader = _Reader(tuple(open_table("t1833ne", "trains.toml", faults).table("phases")), HexId.parse)
    known = BonusTable(
        direct=dict(reader.pairs(table, "direct")),
        interconnection=dict(reader.pairs(table, "interconnection")),
        ferries=dict(reader.ferries(table)),
        exists=frozenset(frozenset(pair.hexes("places")) for pair in table.list_of_tables("exists")),
        places=(*table.hexes("cities"), *table.hexes("exits")),
        sea=frozenset(table.hexes("sea")),
        ferry_phases=frozenset(table.texts("ferry_phases")),
    )
    table.close()
    faults.stop_if_any()
    return known


def full_table(given: Mapping[str, object] | None, edition: Edition) -> BonusTable:
    """What is known, completed by a table that the user gives (None: nothing).

    Raises :class:`InputError` with every fault of the given table: unknown keys, places, phases, sections, amounts that
    are none, pairs and ferries written twice.
    """
    if given is None:
        return known_table()
    faults = FaultList("bad-bonus-table")
    table = Table(given, "bonus table", faults)
    if table.text("format") != FORMAT:
        table.fault("format", f'expected "{FORMAT}"')
    if table.text("title") != edition.title:
        table.fault("title", f'expected "{edition.title}"')
    table.text("source", "")
    reader = _Reader(tuple(edition.phases), lambda text: _place(text, edition.map))
    complete = table.texts("complete")
    for section in complete:
        if section not in SECTIONS:
            table.fault("complete", f"{section!r} is not one of {', '.join(SECTIONS)}")
    added = BonusTable(
        direct=dict(reader.pairs(table, "direct")),
        interconnection=dict(reader.pairs(table, "interconnection")),
        ferries=dict(reader.ferries(table)),
        complete=frozenset(complete),
    )
    table.close()
    faults.stop_if_any()
    return known_table().completed_by(added)


def _place(text: str, game_map: GameMap) -> HexId:
    """The hex called *text*, by its own name (``G22``) or by that of its place (``Boston``), of places with stops."""
    named = [printed.id for printed in game_map if printed.name == text and printed.tile.parts]
    if len(named) == 1:
        return named[0]
    if named:
        raise ValueError(f"several hexes are called {text!r}: {', '.join(named)}; name the hex")
    try:
        hex_id = HexId.parse(text)
    except InputError:
        raise ValueError(f"{text!r} is neither a hex nor a place on the map") from None
    if hex_id not in game_map or not game_map.hexes[hex_id].tile.parts:
        raise ValueError(f"there is no stop on {hex_id}")
    return hex_id


class _Reader:
    """Reads the sections of a table; *place* finds a hex by text and raises ``ValueError`` where there is none."""

    def __init__(self, phases: tuple[str, ...], place: Callable[[str], HexId]) -> None:
        self._phases, self._place = phases, place

    def pairs(self, table: Table, section: str) -> Iterator[tuple[Pair, Amounts]]:
        seen: set[Pair] = set()
        for entry in table.list_of_tables(section):
            places = entry.texts("places")
            hexes = [hex_id for text in places if (hex_id := self._hex(entry, "places", text))]
            amounts = self._amounts(entry, "amount")
            if "amount" not in entry:
                entry.fault("amount", "missing")
            pair = frozenset(hexes)
            if len(places) != 2 or (len(hexes) == 2 and len(pair) != 2):
                entry.fault("places", f"{list(places)} is not a pair of two places")
            elif pair in seen:
                entry.fault("places", f"{' and '.join(places)} stand in {section} twice")
            elif len(pair) == 2:
                seen.add(pair)
                yield pair, amounts
            entry.text("source", "")
            entry.close()

    def ferries(self, table: Table) -> Iterator[tuple[str, Ferry]]:
        seen: set[str] = set()
        for entry in table.list_of_tables("ferry"):
            name = entry.text("name")
            city = self._hex(entry, "city", entry.text("city"))
            links_to = self._hex(entry, "links_to", entry.text("links_to", "")) if "links_to" in entry else None
            amount, new, last = (self._amounts(entry, key) for key in ("amount", "new", "last"))
            if not name.isprintable() or len(name) > 40:
                entry.fault("name", "is not a name of up to 40 printable characters")
            elif name in seen:
                entry.fault("name", f"the ferry {name!r} is written twice")
            elif city is not None:
                seen.add(name)
                yield name, Ferry(name, city, amount, new, last, links_to)
            entry.text("source", "")
            entry.close()

    def _hex(self, entry: Table, key: str, text: str) -> HexId | None:
        try:
            return self._place(text)
        except InputError as error:
            entry.fault(key, error.faults[0].message)
        except ValueError as error:
            entry.fault(key, str(error))
        return None

    def _amounts(self, entry: Table, key: str) -> Amounts:
        """Money for all phases, or by phase; a missing key tells nothing."""
        if key not in entry:
            return {}
        by_phase = entry.is_table(key)
        amounts = entry.numbers(key) if by_phase else dict.fromkeys(self._phases, entry.number(key))
        for phase in amounts:
            if phase not in self._phases:
                entry.fault(f"{key}.{phase}", f"there is no phase {phase!r}; phases are {', '.join(self._phases)}")
        if any(amount > MOST_MONEY for amount in amounts.values()):
            entry.fault(key, f"is more than {MOST_MONEY}")
        return amounts
