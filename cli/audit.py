"""``trackage audit``: every run of games, positions and claim files beside the best run and the rules."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import islice
from typing import BinaryIO, Final

from analysis.as_json import audited_to_json, faults_to_json
from analysis.audit import AuditedRun, Sum, Totals, audited_game, audited_position
from analysis.claim_files import audited_claims
from analysis.games import opening, problems_of
from board.errors import TrackageError
from cli.errors import COMPLAINT, DONE, report
from cli.inputs import edition_of
from cli.screen import columns, hanging, progress, say, styled
from cli.written import write_json
from records.games_18xx import LIMITS as GAME_LIMITS
from records.games_18xx import game_from
from records.positions import PositionRecord, Rejected, read_positions
from records.reading import STDIN, documents, read_bytes
from routing.problem import RouteProblem
from rules.actions import RunRoutes
from titles.registry import get_title

#: Seconds for the best of each run where the caller does not tell.
TIME_LIMIT: Final = 60.0


class Form(StrEnum):
    """How an audit is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    CSV = "csv"


class Kind(StrEnum):
    """What a source holds."""

    GAME = "game"
    POSITIONS = "positions"
    CLAIMS = "claims"


def run(
    sources: Sequence[str],
    *,
    form: Form = Form.TEXT,
    strict: bool = False,
    every: bool = False,
    time_limit: float = TIME_LIMIT,
    table: Mapping[str, object] | None = None,
) -> int:
    """Audit the sources in order; returns the exit status.

    With *strict* money left on the table is a complaint, and so is a best that is not proven; illegal runs and wrong
    amounts are one either way. *every* lists all runs in text and Markdown, not only those with a remark.
    """
    status = DONE
    totals = Totals()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if form is Form.CSV:
        writer.writerow(_HEADINGS)
    for source in sources:
        runs: list[AuditedRun] = []
        try:
            for audited in _audited(source, table, time_limit):
                if isinstance(audited, Rejected):
                    status = max(status, report(audited.error))
                    if form is Form.JSON:
                        write_json({"source": audited.source, "faults": faults_to_json(audited.error.faults)})
                    continue
                totals.add(audited)
                if _complains(audited, strict):
                    status = max(status, COMPLAINT)
                if form is Form.JSON:
                    write_json(audited_to_json(audited))
                elif form is Form.CSV:
                    writer.writerow(_cells(audited))
                else:
                    runs.append(audited)
        except TrackageError as error:
            status = max(status, report(error))
            if form is Form.JSON:
                write_json({"source": source, "faults": faults_to_json(error.faults)})
        if form in (Form.TEXT, Form.MARKDOWN) and runs:
            lines = _runs_as_text if form is Form.TEXT else _runs_as_markdown
            for line in lines(source, runs, every=every):
                say(line)
    if form in (Form.TEXT, Form.MARKDOWN) and totals.all.runs:
        for line in _sums_as_text(totals) if form is Form.TEXT else _sums_as_markdown(totals):
            say(line)
    return status


def _complains(run: AuditedRun, strict: bool) -> bool:
    return not run.legal or run.differs or (strict and (run.shortfall > 0 or not run.best.proven))


# --- sources -------------------------------------------------------------------------------------------------------


def _audited(source: str, table: Mapping[str, object] | None, time_limit: float) -> Iterator[AuditedRun | Rejected]:
    data = read_bytes(source, limits=GAME_LIMITS) if source == STDIN else None

    def again() -> BinaryIO | None:
        return None if data is None else io.BytesIO(data)

    def problem(record: PositionRecord) -> RouteProblem:
        return get_title(record.position.edition.title).problem(record.position, table)

    kind = kind_of(source, again())
    if kind is Kind.GAME:
        document = next(iter(documents(source, stdin=again(), limits=GAME_LIMITS)))
        game = game_from(document.value, where=document.place.rpartition(":")[0] or document.place)
        number = sum(isinstance(action, RunRoutes) for entry in game.actions for action in entry.actions)
        runs = audited_game(game, opening(game), problems_of(game.title), time_limit=time_limit)
        yield from progress(runs, "runs", number)
    elif kind is Kind.CLAIMS:
        claims = audited_claims(source, edition_of, problem, stdin=again(), time_limit=time_limit)
        yield from progress(claims, "claims")
    else:
        for entry in progress(read_positions([source], edition_of, stdin=again()), "positions"):
            if isinstance(entry, Rejected):
                yield entry
                continue
            try:
                yield audited_position(entry, problem(entry), time_limit=time_limit)
            except TrackageError as error:
                yield Rejected(entry.source, error.at(entry.source))


def kind_of(source: str, stdin: BinaryIO | None) -> Kind:
    """What the source holds, by its ending or else its first JSON value; unreadable ones are left to the reader of
    positions."""
    if source.casefold().endswith((".csv", ".tsv")):
        return Kind.CLAIMS
    if stdin is not None:
        head = stdin.read(1 << 12).lstrip()
        stdin.seek(0)
        if head and not head.startswith((b"{", b"[")) and b"stops" in head.split(b"\n", 1)[0]:
            return Kind.CLAIMS
    with suppress(TrackageError):
        for document in islice(documents(source, stdin=stdin, limits=GAME_LIMITS), 1):
            value = document.value
            if isinstance(value, list):
                return Kind.CLAIMS
            if isinstance(value, Mapping) and "actions" in value and "tiles" not in value:
                return Kind.GAME
            if isinstance(value, Mapping) and "stops" in value and "tiles" not in value:
                return Kind.CLAIMS
    return Kind.POSITIONS


# --- rows ----------------------------------------------------------------------------------------------------------

_HEADINGS: Final = (
    "title", "game", "action", "company", "player", "phase", "trains", "claimed", "by_the_rules", "best", "proven",
    "shortfall", "legal", "remarks",
)  # fmt: skip


def _cells(run: AuditedRun) -> list[object]:
    position = run.position
    return [
        position.edition.title, position.game, position.action, _company(run), run.player, position.phase.name,
        " ".join(position.trains), run.claimed if run.stored else "", run.revenue, run.best.revenue,
        "yes" if run.best.proven else "no", run.shortfall, "yes" if run.legal else "no", "; ".join(_remarks(run)),
    ]  # fmt: skip


def _company(run: AuditedRun) -> str:
    return f"{run.position.operator} ({run.mark})" if run.mark else run.position.operator


def _remarks(run: AuditedRun) -> Iterator[str]:
    """What is to be said of a run beside its figures."""
    if not run.routes and not run.stored and run.best.revenue:
        yield "nothing is claimed"
    if not run.legal:
        yield "not legal"
    yield from (str(fault) for fault in run.faults)
    yield from run.differences
    yield from run.notes
    if not run.best.proven:
        yield f"best not proven: at most {run.best.bound}"


def _worth_telling(run: AuditedRun) -> bool:
    return run.shortfall > 0 or not run.legal or run.differs or not run.best.proven


def _where(run: AuditedRun) -> str:
    """The action of a game, else the line of the file."""
    if run.position.action is not None:
        return str(run.position.action)
    return f"line {run.source.rpartition(':')[2]}"


def _short_row(run: AuditedRun) -> list[str]:
    return [
        _where(run), _company(run), run.player, run.position.phase.name, ", ".join(run.position.trains) or "none",
        str(run.claimed), str(run.best.revenue), str(run.shortfall), "; ".join(_remarks(run)),
    ]  # fmt: skip


_SHORT_HEADINGS: Final = ["action", "company", "player", "phase", "trains", "claimed", "best", "left", ""]


def _title_line(source: str, runs: Sequence[AuditedRun]) -> str:
    titles = ", ".join(dict.fromkeys(run.position.edition.title for run in runs))
    return f"{titles} · {source} · {len(runs)} run{'s' if len(runs) != 1 else ''}"


def _runs_as_text(source: str, runs: Sequence[AuditedRun], *, every: bool) -> Iterator[str]:
    yield styled(_title_line(source, runs), "bold")
    shown = [run for run in runs if every or _worth_telling(run)]
    if shown:
        lines = columns([_SHORT_HEADINGS, *(_short_row(run) for run in shown)], right=(0, 5, 6, 7))
        yield from (f"  {line}" for line in lines)
    if len(shown) < len(runs):
        rest = len(runs) - len(shown)
        yield f"  {rest} {'other ' if shown else ''}run{'s are' if rest != 1 else ' is'} the best, legal and as told"
    yield ""


_SUM_HEADINGS: Final = ["runs", "claimed", "best", "left", "short", "illegal", "differ"]


def _sum_row(one: Sum) -> list[str]:
    return [str(part) for part in (one.runs, one.claimed, one.best, one.shortfall, one.short, one.illegal, one.differ)]


def _sums_as_text(totals: Totals) -> Iterator[str]:
    rows = [["", *_SUM_HEADINGS, ""], ["in all", *_sum_row(totals.all), ""]]
    for kind, sums in totals.tables().items():
        if sums and not (len(sums) == 1 and kind != "mark"):
            rows.append([f"by {kind}", *[""] * 8])
            rows += [[f"  {name}", *_sum_row(one), ""] for name, one in sums.items()]
    yield from columns(rows, right=range(1, 8))
    yield from _verdict(totals)


def _verdict(totals: Totals) -> Iterator[str]:
    """What the audit found, in a sentence that can be read out."""
    found = totals.all
    parts = [
        f"{found.shortfall} left on the table in {found.short} of {found.runs} runs" if found.shortfall
        else "no money was left on the table",
        f"{found.illegal} {'was' if found.illegal == 1 else 'were'} not legal" if found.illegal else "all were legal",
        f"{found.differ} amount{'s differ' if found.differ != 1 else ' differs'} from the rules" if found.differ
        else "every amount is what the rules give",
    ]  # fmt: skip
    if found.unproven:
        parts.append(f"{found.unproven} of the bests could not be proven in the time given")
    yield from hanging("; ".join(parts), 2)


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


def _markdown(headings: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[int]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"| {' | '.join('---:' if place in right else '---' for place in range(len(headings)))} |"
    for row in rows:
        yield f"| {' | '.join(_cell(cell) for cell in row)} |"


def _runs_as_markdown(source: str, runs: Sequence[AuditedRun], *, every: bool) -> Iterator[str]:
    yield f"## {_cell(_title_line(source, runs))}"
    yield ""
    shown = [run for run in runs if every or _worth_telling(run)]
    if shown:
        yield from _markdown([*_SHORT_HEADINGS[:-1], "remarks"], [_short_row(run) for run in shown], (0, 5, 6, 7))
    else:
        yield "Every run is the best, legal and as told."
    yield ""


def _sums_as_markdown(totals: Totals) -> Iterator[str]:
    yield "## Totals"
    yield ""
    rows = [["in all", *_sum_row(totals.all)]]
    for kind, sums in totals.tables().items():
        rows += [[f"{kind}: {name}", *_sum_row(one)] for name, one in sums.items()]
    yield from _markdown(["", *_SUM_HEADINGS], rows, range(1, 8))
    yield ""
    yield f"{' '.join(line.strip() for line in _verdict(totals))}."
