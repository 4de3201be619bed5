"""``trackage score``: is what is claimed legal, and what does it earn?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from analysis.as_json import claimed_total, faults_to_json, set_to_json, verdict_to_json
from analysis.claim_text import read_claim
from analysis.differences import differences
from analysis.repair import Repair, best_repair, told
from analysis.tracks import route_text
from board.errors import Fault, InputError, TrackageError
from cli.drawings import write_maps
from cli.errors import COMPLAINT, DONE, report
from cli.inputs import positions_in
from cli.screen import counted, hanging, say, styled
from cli.verdicts import fault_lines, heading, verdict_lines
from cli.written import write_json
from records.positions import PositionRecord, Rejected
from routing.checker import Verdict
from routing.claims import check_claim
from routing.problem import RouteProblem
from routing.result import Result
from routing.solve import solve
from titles.registry import get_title

#: Seconds for the best legal runs that are told beside a claim.
BEST_SECONDS: Final = 20.0


def run(
    sources: Sequence[str],
    *,
    routes: Sequence[str] = (),
    table: Mapping[str, object] | None = None,
    as_json: bool = False,
    maps: Sequence[Path] = (),
) -> int:
    """Judge the claim of every position of the files; returns the exit status.

    *routes* as text take the place of those that the files claim.
    """
    status = DONE
    number = 0
    for entry in counted(positions_in(sources), "position"):
        try:
            if isinstance(entry, Rejected):
                raise entry.error
            number += 1
            problem = get_title(entry.position.edition.title).problem(entry.position, table)
            record, understood = _with_routes(entry, problem, routes)
            verdict = check_claim(problem, record.claimed)
            best = solve(problem, time_limit=BEST_SECONDS) if routes or not verdict.legal else None
            if maps:
                write_maps(maps, record.position, number, verdict)
        except TrackageError as error:
            status = max(status, report(error if isinstance(entry, Rejected) else error.at(entry.source)))
            if as_json:
                write_json({"source": entry.source, "faults": faults_to_json(error.faults)})
            continue
        wrong = differences(record.claimed, claimed_total(record), verdict)
        if not verdict.legal or wrong:
            status = max(status, COMPLAINT)
        if as_json:
            value = verdict_to_json(verdict, record, problem)
            if understood:
                value["understood"] = list(understood)
            if best is not None:
                value["best"] = {"revenue": best.revenue, "proven": best.proven, **set_to_json(best.verdict)}
            write_json(value)
        else:
            repair = None if verdict.legal else best_repair(problem, record.claimed)
            for line in _lines(verdict, record, wrong, repair, understood):
                say(line)
            if best is not None:
                for line in _possible(best, verdict, record):
                    say(line)
            say()
    return status


def _with_routes(
    entry: PositionRecord, problem: RouteProblem, texts: Sequence[str]
) -> tuple[PositionRecord, tuple[str, ...]]:
    """The record with the claim that is to be judged, and what was chosen where its text left something open."""
    if texts:
        try:
            claim = read_claim(problem, ";".join(texts))
        except InputError as error:
            raise error.at("--route") from None
        record = PositionRecord(entry.position, claim.routes, claimed_revenue=claim.total, source=entry.source)
        return record, claim.notes
    if not entry.claimed and entry.claimed_revenue is None:
        raise InputError(Fault("nothing-claimed", "claims no routes; name some with --route, or under the key claimed"))
    return entry, ()


def _possible(best: Result, verdict: Verdict, record: PositionRecord) -> Iterator[str]:
    """What the best legal runs are, where the claim is not as good."""
    sure = "proven" if best.proven else f"not proven; no set earns more than {best.bound}"
    if verdict.legal and verdict.revenue >= best.revenue:
        yield f"  no legal set of runs earns more ({sure})"
        return
    more = f", {best.revenue - verdict.revenue} more" if verdict.legal else ""
    yield f"  best legal runs: {best.revenue}{more} ({sure})"
    for route in best.routes:
        first, *others = hanging(route_text(route, record.position), 6)
        yield f"    {first}"
        yield from others


def _lines(
    verdict: Verdict,
    record: PositionRecord,
    wrong: Sequence[Fault],
    repair: Repair | None,
    understood: Sequence[str] = (),
) -> Iterator[str]:
    """The verdict for people."""
    position = record.position
    yield styled(heading(position, record.source), "bold")
    yield from verdict_lines(verdict, position)
    faults = verdict.all_faults
    if verdict.legal:
        yield f"  {styled('legal', 'green')}" + ("" if wrong or claimed_total(record) is None else ", as claimed")
    else:
        yield f"  {styled('not legal', 'red')}: {len(faults)} fault{'s' if len(faults) > 1 else ''}"
    yield from fault_lines(faults)
    if repair is not None:
        first, *others = hanging(told(repair, record.claimed, position), 4)
        yield f"  {first}"
        yield from others
    for fault in wrong:
        yield f"  {styled(str(fault), 'yellow')}"
    for sentence in (*understood, *verdict.notices):
        first, *others = hanging(f"note: {sentence}", 4)
        yield f"  {first}"
        yield from others
