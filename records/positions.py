"""Position files: read, checked and written. The form is described in ``docs/position_format.md``.

Reading never guesses. Every fault of a position is listed with file, line and the path inside the JSON value; what the
map, the tiles or the rules of the title refuse is added by :meth:`board.position.Position.build`.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from board.edition import Edition
from board.errors import Fault, InputError, TrackageError
from board.hexes import HexId, StopId
from board.position import Placement, Position, PrivateState
from board.routes import ClaimedRoute
from records.reading import LIMITS, Document, Limits, documents, joined, shortened, unsound

EditionLookup = Callable[[str, Iterable[str], int | None], Edition]
"""Finds the facts of a title by name, options and number of players; raises :class:`InputError` for unknown ones."""

_T = TypeVar("_T")

#: Faults listed for one position before the rest is only counted.
MOST_FAULTS: Final = 200


@dataclass(frozen=True, slots=True)
class KnownBest:
    """The best total that somebody else knows of, a lower bound of the optimum: money, whether their search ran out of
    time, and the seconds it took (None: not told)."""

    revenue: int
    timed_out: bool = False
    seconds: float | None = None


@dataclass(frozen=True)
class PositionRecord:
    """A position as it stands in a file, with what is claimed about it.

    ``claimed`` are the routes that were run, ``notes`` their remarks in the same order, ``claimed_revenue`` their total
    (money; None: not told). ``source`` is the place, ``file:line``.
    """

    position: Position
    claimed: tuple[ClaimedRoute, ...] = ()
    notes: tuple[str, ...] = ()
    claimed_revenue: int | None = None
    known_best: KnownBest | None = None
    source: str = ""

    @property
    def known_best_revenue(self) -> int | None:
        return self.known_best.revenue if self.known_best else None


def told_total(claimed: Iterable[ClaimedRoute], total: int | None = None) -> int | None:
    """What was claimed in all (money): the total where it is told, else the sum where every route tells its amount."""
    if total is not None:
        return total
    amounts = [claim.revenue for claim in claimed]
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if amounts and len(known) == len(amounts) else None


@dataclass(frozen=True, slots=True)
class Rejected:
    """An entry of a file that is not a position, and everything that is wrong with it."""

    source: str
    error: TrackageError


def read_positions(
    sources: Iterable[str | Path],
    lookup: EditionLookup,
    *,
    stdin: BinaryIO | None = None,
    limits: Limits = LIMITS,
) -> Iterator[PositionRecord | Rejected]:
    """The positions of the files in order; ``-`` is standard input. What is no position comes as :class:`Rejected`.

    One broken entry does not hide the others. Never raises for bad input.
    """
    editions = _remembered(lookup)
    for source in sources:
        for document in documents(source, stdin=stdin, limits=limits):
            yield _from_document(document, editions, limits)


def load_positions(
    sources: Iterable[str | Path], lookup: EditionLookup, *, stdin: BinaryIO | None = None, limits: Limits = LIMITS
) -> tuple[PositionRecord, ...]:
    """All positions of the files. Raises :class:`InputError` with the faults of all entries if any is wrong."""
    read = tuple(read_positions(sources, lookup, stdin=stdin, limits=limits))
    faults = [fault for entry in read if isinstance(entry, Rejected) for fault in entry.error.faults]
    if faults:
        raise InputError(faults)
    return tuple(entry for entry in read if isinstance(entry, PositionRecord))


def from_json(value: object, lookup: EditionLookup, *, source: str = "", limits: Limits = LIMITS) -> PositionRecord:
    """The position written as the JSON value *value*. Raises :class:`InputError` with every fault."""
    reader = _Reader(value, lookup, limits)
    record = reader.record(source)
    if record is None:
        listed = list(islice(reader.faults, MOST_FAULTS))
        if len(reader.faults) > MOST_FAULTS:
            listed.append(
                Fault("too-many-faults", f"{len(reader.faults) - MOST_FAULTS:,} further faults are not listed")
            )
        raise InputError(fault.at(source) if source else fault for fault in listed)
    return record


def to_json(record: PositionRecord) -> dict[str, object]:
    """The JSON value that :func:`from_json` reads back to an equal record. Keys that say nothing are left out."""
    position = record.position
    edition = position.edition
    value: dict[str, object] = {"title": edition.title}
    if position.game:
        value["game"] = position.game
    if position.action is not None:
        value["action"] = position.action
    value["options"] = sorted(edition.options)
    if edition.players is not None:
        value["players"] = edition.players
    value["phase"] = position.phase.name
    value["operator"] = position.operator
    value["trains"] = list(position.trains)
    value["tiles"] = {hex_id: [tile, rotation] for hex_id, (tile, rotation) in position.tiles.items()}
    value["tokens"] = {
        hex_id: {city: list(companies) for city, companies in cities.items()}
        for hex_id, cities in position.tokens.items()
    }
    if position.owners:
        value["owners"] = dict(position.owners)
    if position.privates:
        value["privates"] = {
            name: {"owner": state.owner, "open": state.open} for name, state in position.privates.items()
        }
    if position.markers:
        value["markers"] = {name: _plain(marker) for name, marker in position.markers.items()}
    if record.claimed:
        notes = (*record.notes, *("" for _ in record.claimed))
        value["claimed"] = [_claim_to_json(claim, note) for claim, note in zip(record.claimed, notes, strict=False)]
    if record.claimed_revenue is not None:
        value["claimed_revenue"] = record.claimed_revenue
    if record.known_best is not None:
        known: dict[str, object] = {"revenue": record.known_best.revenue, "timed_out": record.known_best.timed_out}
        if record.known_best.seconds is not None:
            known["seconds"] = record.known_best.seconds
        value["known_best"] = known
    return value


def write_positions(records: Iterable[PositionRecord]) -> Iterator[str]:
    """The records as JSON Lines, one text a line, without line ends."""
    for record in records:
        yield json.dumps(to_json(record), ensure_ascii=False, separators=(",", ":"))


def _claim_to_json(claim: ClaimedRoute, note: str) -> dict[str, object]:
    value: dict[str, object] = {"train": claim.train, "stops": list(claim.stops)}
    if claim.connections:
        value["connections"] = [list(hexes) for hexes in claim.connections]
    if claim.revenue is not None:
        value["revenue"] = claim.revenue
    if claim.extensions:
        value["extensions"] = [list(stops) for stops in claim.extensions]
    if note:
        value["note"] = note
    return value


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return list(value) if isinstance(value, (list, tuple)) else value


def _remembered(lookup: EditionLookup) -> EditionLookup:
    """The same lookup, asked once for each title, options and number of players."""
    known: dict[tuple[str, frozenset[str], int | None], Edition] = {}

    def remembered(title: str, options: Iterable[str], players: int | None) -> Edition:
        key = title, frozenset(options), players
        if key not in known:
            known[key] = lookup(*key)
        return known[key]

    return remembered


def _from_document(document: Document, lookup: EditionLookup, limits: Limits) -> PositionRecord | Rejected:
    if document.error is not None:
        return Rejected(document.place, document.error)
    try:
        return from_json(document.value, lookup, source=document.place, limits=limits)
    except TrackageError as error:
        return Rejected(document.place, error)


_REQUIRED: Final = ("title", "phase", "operator", "trains", "tiles", "tokens")
_OPTIONAL: Final = (
    "game", "action", "options", "players", "owners", "privates", "markers", "claimed", "claimed_revenue", "known_best",
)  # fmt: skip
_CLAIM_KEYS: Final = (("train", "stops"), ("connections", "revenue", "extensions", "note"))
_PRIVATE_KEYS: Final = (("owner",), ("open",))
_KNOWN_KEYS: Final = (("revenue",), ("timed_out", "seconds"))

_KINDS: Final[dict[type, str]] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


class _Reader:
    """Reads one position; collects every fault before it complains."""

    def __init__(self, value: object, lookup: EditionLookup, limits: Limits) -> None:
        self.faults: list[Fault] = list(unsound(value, limits))
        self._value = value
        self._lookup = lookup

    def record(self, source: str) -> PositionRecord | None:
        """The record, or None where there are faults."""
        sound = not any(fault.code in ("too-many", "text-too-long") for fault in self.faults)
        if not sound:
            return None
        if isinstance(self._value, dict) and "actions" in self._value and "settings" in self._value:
            self._fault("recorded-game", "is a recorded game; trackage replay FILE --position tells its positions", "")
            return None
        top = self._object(self._value, "", _REQUIRED, _OPTIONAL)
        if top is None:
            return None
        title = self._of(top, "", "title", str)
        edition = self._edition(title, self._names(top, "options"), self._count(top, "", "players"))
        phase, operator = self._of(top, "", "phase", str), self._of(top, "", "operator", str)
        trains, tiles, tokens = self._names(top, "trains"), self._tiles(top), self._tokens(top)
        owners, privates = self._owners(top), self._privates(top)
        markers = self._of(top, "", "markers", dict) or {}
        game = self._of(top, "", "game", str) or ""
        action = self._count(top, "", "action")
        claimed, notes = self._claims(top)
        claimed_revenue = self._count(top, "", "claimed_revenue")
        known_best = self._known_best(top)
        if edition is None:
            return None
        try:
            # Where the phase or the operator is missing, any one stands in: the rest is looked at all the same.
            position = Position.build(
                edition,
                phase=next(iter(edition.phases)) if phase is None else phase,
                operator=min(edition.companies, default="") if operator is None else operator,
                trains=trains,
                tiles=tiles,
                tokens=tokens,
                owners=owners,
                privates=privates,
                markers={name: _plain(marker) for name, marker in markers.items()},
                game=game,
                action=action,
            )
        except TrackageError as error:
            self.faults += error.faults
            return None
        if self.faults:
            return None
        return PositionRecord(position, claimed, notes, claimed_revenue, known_best, source)

    def _fault(self, code: str, message: str, where: str) -> None:
        self.faults.append(Fault(code, message, where))

    def _edition(self, title: str | None, options: tuple[str, ...], players: int | None) -> Edition | None:
        if title is None:
            return None
        try:
            return self._lookup(title, options, players)
        except TrackageError as error:
            self.faults += (fault if fault.where else fault.at("title") for fault in error.faults)
            return None

    def _is(self, value: object, kind: type, where: str) -> bool:
        """Whether *value* is of *kind*; true and false are no numbers. Notes a fault where it is not."""
        fits = isinstance(value, (int, float) if kind is float else kind)
        if fits and (kind is bool or not isinstance(value, bool)):
            return True
        if not any(fault.code == "bad-number" and fault.where == where for fault in self.faults):
            hint = ""
            if kind is str and isinstance(value, int) and not isinstance(value, bool):
                hint = f'; write "{value}"'
            elif not where and isinstance(value, list):
                hint = "; write several positions one to a line, without brackets around them"
            self._fault("wrong-type", f"must be {_KINDS[kind]}, not {shortened(value)}{hint}", where)
        return False

    def _object(
        self, value: object, where: str, required: tuple[str, ...], optional: tuple[str, ...]
    ) -> dict[str, object] | None:
        """The entries of an object after a look at its keys; an optional key that holds null counts as absent."""
        if not self._is(value, dict, where) or not isinstance(value, dict):
            return None
        for key in required:
            if key not in value:
                self._fault("missing-key", f"the key {key!r} is missing", where)
        known = (*required, *optional)
        for key in value:
            if key not in known:
                near = difflib.get_close_matches(key[:100], known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known keys are {', '.join(known)}"
                self._fault("unknown-key", f"there is no key {shortened(key)}; {hint}", where)
        return {key: inner for key, inner in value.items() if inner is not None or key not in optional}

    def _of(self, inside: dict[str, object], path: str, key: str, kind: type[_T]) -> _T | None:
        """The value of a key if it is there and of *kind*; None, with a fault, if it is of another kind."""
        if key not in inside:
            return None
        value = inside[key]
        return value if self._is(value, kind, joined(path, key)) else None  # type: ignore[return-value]

    def _count(self, inside: dict[str, object], path: str, key: str) -> int | None:
        """A whole number from 0 on."""
        value = self._of(inside, path, key, int)
        if value is not None and value < 0:
            self._fault("wrong-value", f"must not be negative, as {value} is", joined(path, key))
        return value

    def _entries(self, inside: dict[str, object], path: str, key: str) -> Iterator[tuple[str, object]]:
        """The entries of a list, each with its path."""
        for place, entry in enumerate(self._of(inside, path, key, list) or ()):
            yield f"{joined(path, key)}[{place}]", entry

    def _names(self, inside: dict[str, object], key: str) -> tuple[str, ...]:
        return tuple(str(name) for where, name in self._entries(inside, "", key) if self._is(name, str, where))

    def _hex(self, text: object, where: str) -> HexId | None:
        try:
            return HexId.parse(text) if self._is(text, str, where) else None  # type: ignore[arg-type]
        except InputError as error:
            self._fault(
                error.faults[0].code, f"{shortened(text)} is not a hex; a hex is a letter and a number, as E16", where
            )
            return None

    def _stop(self, text: object, where: str) -> StopId | None:
        try:
            return StopId.parse(text) if self._is(text, str, where) else None  # type: ignore[arg-type]
        except InputError as error:
            form = "a stop is written E16.c0 (c city, t town, o off-board)"
            self._fault(error.faults[0].code, f"{shortened(text)} is not a stop; {form}", where)
            return None

    def _tiles(self, top: dict[str, object]) -> dict[HexId, Placement]:
        found: dict[HexId, Placement] = {}
        for key, value in (self._of(top, "", "tiles", dict) or {}).items():
            where = joined("tiles", key)
            hex_id = self._hex(key, where)
            if not self._is(value, list, where):
                continue
            if len(value) != 2:
                self._fault(
                    "wrong-value", f'must be a tile and its rotation, as ["57", 1], not {shortened(value)}', where
                )
                continue
            tile_fits = self._is(value[0], str, f"{where}[0]")
            if self._is(value[1], int, f"{where}[1]") and tile_fits and hex_id is not None:
                found[hex_id] = Placement(value[0], value[1])
        return found

    def _tokens(self, top: dict[str, object]) -> dict[HexId, dict[str, tuple[str | None, ...]]]:
        found: dict[HexId, dict[str, tuple[str | None, ...]]] = {}
        for key, cities in (self._of(top, "", "tokens", dict) or {}).items():
            where = joined("tokens", key)
            hex_id = self._hex(key, where)
            if not self._is(cities, dict, where):
                continue
            slots = {
                city: tuple(
                    company if isinstance(company, str) else None
                    for path, company in self._entries(cities, where, city)
                    if company is None or self._is(company, str, path)
                )
                for city in cities
            }
            if hex_id is not None:
                found[hex_id] = slots
        return found

    def _owners(self, top: dict[str, object]) -> dict[str, str]:
        owners = self._of(top, "", "owners", dict) or {}
        return {name: owner for name, owner in owners.items() if self._is(owner, str, joined("owners", name))}

    def _privates(self, top: dict[str, object]) -> dict[str, PrivateState]:
        found: dict[str, PrivateState] = {}
        for name, value in (self._of(top, "", "privates", dict) or {}).items():
            where = joined("privates", name)
            state = self._object(value, where, *_PRIVATE_KEYS)
            if state is not None:
                is_open = self._of(state, where, "open", bool)
                owner = self._of(state, where, "owner", str)
                found[name] = PrivateState(owner or "", True if is_open is None else is_open)
        return found

    def _claims(self, top: dict[str, object]) -> tuple[tuple[ClaimedRoute, ...], tuple[str, ...]]:
        claims: list[ClaimedRoute] = []
        notes: list[str] = []
        for where, value in self._entries(top, "", "claimed"):
            claim = self._object(value, where, *_CLAIM_KEYS)
            if claim is None:
                continue
            stops = tuple(self._stop(stop, path) for path, stop in self._entries(claim, where, "stops"))
            connections = tuple(
                tuple(self._hex(hex_id, f"{path}[{place}]") for place, hex_id in enumerate(hexes))
                for path, hexes in self._entries(claim, where, "connections")
                if self._is(hexes, list, path) and isinstance(hexes, list)
            )
            if len(connections) > max(0, len(stops) - 1):
                legs = max(0, len(stops) - 1)
                self._fault(
                    "wrong-value", f"{len(connections)} connections between {legs + 1} stops", f"{where}.connections"
                )
            extensions = tuple(
                tuple(self._stop(stop, f"{path}[{place}]") for place, stop in enumerate(named))
                for path, named in self._entries(claim, where, "extensions")
                if self._is(named, list, path) and isinstance(named, list)
            )
            for place, named in enumerate(extensions):
                if len(named) < 2:
                    self._fault(
                        "wrong-value", "an extension is two stops or more, an end of the route first",
                        f"{where}.extensions[{place}]",
                    )  # fmt: skip
            claims.append(
                ClaimedRoute(
                    self._of(claim, where, "train", str) or "",
                    tuple(stop for stop in stops if stop is not None),
                    tuple(tuple(hex_id for hex_id in hexes if hex_id is not None) for hexes in connections),
                    self._count(claim, where, "revenue"),
                    tuple(tuple(stop for stop in named if stop is not None) for named in extensions),
                )
            )
            notes.append(self._of(claim, where, "note", str) or "")
        return tuple(claims), tuple(notes)

    def _known_best(self, top: dict[str, object]) -> KnownBest | None:
        value = self._of(top, "", "known_best", dict)
        known = self._object(value, "known_best", *_KNOWN_KEYS) if value is not None else None
        if known is None:
            return None
        revenue = self._count(known, "known_best", "revenue")
        timed_out = self._of(known, "known_best", "timed_out", bool)
        return KnownBest(revenue or 0, bool(timed_out), self._of(known, "known_best", "seconds", float))
