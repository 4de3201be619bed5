"""Claim files: CSV or JSON with one row a run, judged like any other claim.

A row names a ``position`` (file, or ``FILE:LINE``) or a recorded ``game`` (file) with the ``action`` of the run, the
``company``, the ``train`` (may be left out), the ``stops`` joined by hyphens, and the ``revenue`` (money; may be left
out). Rows of the same turn are one claim. Files are looked for beside the claim file first.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from analysis.audit import AuditedRun, audited_position, mark_of
from analysis.claim_text import understood
from analysis.games import opening
from board.errors import Fault, InputError, TrackageError
from records.games_18xx import read_game
from records.positions import EditionLookup, PositionRecord, Rejected, load_positions
from records.reading import documents, read_bytes
from records.replay import replay
from routing.problem import RouteProblem
from rules.actions import RunRoutes
from rules.state import State

#: The columns of a claim file; ``game`` or ``position``, ``company`` and ``stops`` are needed.
COLUMNS: Final = ("position", "game", "action", "company", "train", "stops", "revenue")
#: More rows than anybody claims.
MOST_ROWS: Final = 50_000
#: Turns that a question lists.
_ASKED: Final = 12

_T = TypeVar("_T")
ProblemFor = Callable[[PositionRecord], RouteProblem]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One run as a row of the file claims it. ``file`` is the position file or game, ``place`` the row."""

    place: str
    is_game: bool
    file: str
    action: int | None
    company: str
    train: str | None
    stops: str
    revenue: int | None

    @property
    def turn(self) -> tuple[str, int | None, str]:
        return self.file, self.action, self.company


def audited_claims(
    source: str,
    lookup: EditionLookup,
    problem_for: ProblemFor,
    *,
    stdin: BinaryIO | None = None,
    time_limit: float = 60.0,
) -> Iterator[AuditedRun | Rejected]:
    """Each claimed turn of the file, in order of its first row; what cannot be read or placed comes as a rejection."""
    rows: dict[tuple[str, int | None, str], list[ClaimRow]] = {}
    for row in read_rows(source, stdin=stdin):
        if isinstance(row, Rejected):
            yield row
        else:
            rows.setdefault(row.turn, []).append(row)
    turns = _Turns(Path() if source == "-" else Path(source).parent, lookup)
    for turn in rows.values():
        try:
            yield _audited(turn, turns, problem_for, time_limit)
        except TrackageError as error:
            yield Rejected(turn[0].place, error.at(turn[0].place))


def _audited(rows: Sequence[ClaimRow], turns: _Turns, problem_for: ProblemFor, time_limit: float) -> AuditedRun:
    record, state = turns.of(rows[0])
    problem = problem_for(record)
    claim = understood(problem, [(row.stops, row.train, row.stops, row.revenue) for row in rows])
    claimed = PositionRecord(record.position, claim.routes, claimed_revenue=claim.total, source=rows[0].place)
    run = audited_position(claimed, problem, time_limit=time_limit)
    run = replace(run, notes=claim.notes)
    if state is None:
        return run
    company = state.companies[rows[0].company]
    player = state.called(company.president) if company.president is not None else ""
    return replace(run, player=player, mark=mark_of(state, company.name))


class _Turns:
    """Finds the position of a row; every file is read, and every game played, once."""

    def __init__(self, folder: Path, lookup: EditionLookup) -> None:
        self._folder, self._lookup = folder, lookup
        self._positions: dict[str, tuple[PositionRecord, ...]] = {}
        self._games: dict[str, tuple[tuple[int | None, str, State], ...]] = {}

    def of(self, row: ClaimRow) -> tuple[PositionRecord, State | None]:
        """The position of the row, with the state of the game where it is one's."""
        if row.is_game:
            runs = self._game(row.file)
            action, company, state = self._one(
                row, [one for one in runs if row.action in (None, one[0]) and one[1] == row.company],
                [f"action {one[0]}" for one in runs if one[1] == row.company],
                [one[1] for one in runs],
            )  # fmt: skip
            return PositionRecord(replace(state.position(company), action=action)), state
        file, line = row.file, ""
        if found := re.fullmatch(r"(.+):(\d+)", row.file):
            file, line = found[1], found[2]
        records = self._records(file)
        fitting = [
            record
            for record in records
            if record.position.operator == row.company
            and row.action in (None, record.position.action)
            and (not line or record.source.endswith(f":{line}"))
        ]
        of_company = [record for record in records if record.position.operator == row.company]
        known = [f"line {record.source.rpartition(':')[2]} (action {record.position.action})" for record in of_company]
        return self._one(row, fitting, known, [record.position.operator for record in records]), None

    def _one(self, row: ClaimRow, fitting: Sequence[_T], known: Sequence[str], companies: Sequence[str]) -> _T:
        if len(fitting) == 1:
            return fitting[0]
        listed = ", ".join(known[:_ASKED]) + (f" and {len(known) - _ASKED} more" if len(known) > _ASKED else "")
        if not known:
            others = f"runs of {', '.join(sorted(set(companies)))}" if companies else "no run at all"
            message = f"{row.file} has no run of {row.company!r}; it has {others}"
        elif not fitting:
            message = f"{row.file} has no run of {row.company} at action {row.action}; it has {listed}"
        else:
            message = f"{row.company} runs {len(fitting)} times in {row.file}; name the action: {listed}"
        raise InputError(Fault("which-position" if known else "no-position", message))

    def _path(self, name: str) -> Path:
        beside = self._folder / name
        return beside if beside.exists() else Path(name)

    def _records(self, name: str) -> tuple[PositionRecord, ...]:
        if name not in self._positions:
            self._positions[name] = load_positions([self._path(name)], self._lookup)
        return self._positions[name]

    def _game(self, name: str) -> tuple[tuple[int | None, str, State], ...]:
        if name not in self._games:
            game = read_game(self._path(name))
            found = []
            try:
                for carried in replay(game, opening(game)):
                    found += [
                        (carried.entry.id, action.by.name, carried.before)
                        for action in carried.entry.actions
                        if isinstance(action, RunRoutes) and action.by.name in carried.before.companies
                    ]
            except TrackageError:
                if not found:
                    raise
            self._games[name] = tuple(found)
        return self._games[name]


# --- rows ----------------------------------------------------------------------------------------------------------


def read_rows(source: str, *, stdin: BinaryIO | None = None) -> Iterator[ClaimRow | Rejected]:
    """The rows of a claim file: CSV (by comma, semicolon or tab, with a line of headings), a JSON array, or JSON
    Lines."""
    name = "standard input" if source == "-" else source
    try:
        data = read_bytes(source, stdin)
    except TrackageError as error:
        yield Rejected(name, error.at(name))
        return
    text = data.lstrip()
    if text.startswith((b"{", b"[")):
        entries: Iterator[tuple[str, object] | Rejected] = _json_entries(source, name, data)
    else:
        entries = _csv_entries(name, data)
    for number, entry in enumerate(entries):
        if number >= MOST_ROWS:
            yield Rejected(name, InputError(Fault("too-many", f"more than {MOST_ROWS:,} rows; split the file", name)))
            return
        yield entry if isinstance(entry, Rejected) else _row(*entry)


def _json_entries(source: str, name: str, data: bytes) -> Iterator[tuple[str, object] | Rejected]:
    for document in documents(source, stdin=io.BytesIO(data)):
        if document.error is not None:
            yield Rejected(document.place, document.error)
        elif isinstance(document.value, list):
            yield from ((f"{name}[{place}]", entry) for place, entry in enumerate(document.value))
        else:
            yield document.place, document.value


def _csv_entries(name: str, data: bytes) -> Iterator[tuple[str, object] | Rejected]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte 0x{data[error.start]:02x} is not UTF-8 text; save the table as CSV UTF-8"
        line = data.count(b"\n", 0, error.start) + 1
        yield Rejected(name, InputError(Fault("not-utf-8", message, f"{name}:{line}")))
        return
    line = 1
    try:
        first = text.split("\n", 1)[0]
        delimiter = max(",;\t", key=first.count)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        headings = [heading.strip().casefold() for heading in next(reader, [])]
        wrong = [heading for heading in headings if heading not in COLUMNS]
        if wrong or "stops" not in headings:
            said = f"there is no column {wrong[0]!r}" if wrong else "there is no column 'stops'"
            message = f"{said}; the first line names columns out of {', '.join(COLUMNS)}"
            yield Rejected(name, InputError(Fault("wrong-columns", message, f"{name}:1")))
            return
        line = reader.line_num + 1
        for cells in reader:
            line = reader.line_num + 1
            if any(cell.strip() for cell in cells):
                yield f"{name}:{reader.line_num}", dict(zip(headings, cells, strict=False))
    except csv.Error as error:
        message = f"the row that begins here is no CSV: {error}; a quotation mark is perhaps not closed"
        yield Rejected(name, InputError(Fault("malformed-csv", message, f"{name}:{line}")))


def _row(place: str, entry: object) -> ClaimRow | Rejected:
    faults: list[Fault] = []
    if not isinstance(entry, Mapping):
        return Rejected(place, InputError(Fault("not-a-claim", "a claim is an object or a row of a table", place)))
    unknown = [str(key) for key in entry if key not in COLUMNS]
    if unknown:
        faults.append(Fault("unknown-key", f"{unknown[0]!r} is not known; a claim has {', '.join(COLUMNS)}", place))
    stops = entry.get("stops")
    path = "-".join(str(stop) for stop in stops) if isinstance(stops, (list, tuple)) else _text(stops)
    file, is_game = _text(entry.get("position")), False
    if not file:
        file, is_game = _text(entry.get("game")), True
    company, train = _text(entry.get("company")), _text(entry.get("train"))
    for value, what in ((file, "game or position"), (company, "company"), (path, "stops")):
        if not value:
            faults.append(Fault("missing", f"{what} is missing", place))
    action, revenue = (_number(entry.get(key), key, place, faults) for key in ("action", "revenue"))
    if faults:
        return Rejected(place, InputError(faults))
    return ClaimRow(place, is_game, file, action, company, train or None, path, revenue)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _number(value: object, key: str, place: str, faults: list[Fault]) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**6:
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*[$£€]?\s*\d{1,6}\s*", value):
        return int(value.strip().strip("$£€"))
    if value is not None and value != "" and not (isinstance(value, str) and not value.strip()):
        faults.append(Fault("not-a-number", f"{key} is {value!r}; a whole number is meant", place))
    return None
