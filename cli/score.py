"""``trackage score``: is what is claimed legal, and what does it earn?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from analysis.as_json import claimed_total, faults_to_json, verdict_to_json
from analysis.repair import Repair, best_repair
from analysis.tracks import parse_routes, stop_text
from board.errors import Fault, InputError, TrackageError
from cli.drawings import write_maps
from cli.errors import COMPLAINT, DONE, report
from cli.inputs import positions_in
from cli.screen import counted, hanging, say, styled
from cli.verdicts import fault_lines, heading, verdict_lines
from cli.written import write_json
from records.positions import PositionRecord, Rejected
from routing.checker import Verdict, credited
from routing.claims import check_claim
from routing.problem import RouteProblem
from titles.registry import get_title


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
            record = _with_routes(entry, problem, routes)
            verdict = check_claim(problem, record.claimed)
            if maps:
                write_maps(maps, record.position, number, verdict)
        except TrackageError as error:
            status = max(status, report(error if isinstance(entry, Rejected) else error.at(entry.source)))
            if as_json:
                write_json({"source": entry.source, "faults": faults_to_json(error.faults)})
            continue
        differences = _differences(record, verdict)
        if not verdict.legal or differences:
            status = max(status, COMPLAINT)
        if as_json:
            write_json(verdict_to_json(verdict, record, problem))
        else:
            repair = None if verdict.legal else best_repair(problem, record.claimed)
            for line in _lines(verdict, record, differences, repair):
                say(line)
    return status


def _with_routes(entry: PositionRecord, problem: RouteProblem, texts: Sequence[str]) -> PositionRecord:
    if texts:
        claimed = parse_routes(problem, texts, "--route")
        return PositionRecord(entry.position, claimed, source=entry.source)
    if not entry.claimed and entry.claimed_revenue is None:
        raise InputError(Fault("nothing-claimed", "claims no routes; name some with --route, or under the key claimed"))
    return entry


def _differences(record: PositionRecord, verdict: Verdict) -> tuple[str, ...]:
    """One sentence for each amount that was claimed and is not what the rules give."""
    found = []
    for place, (claim, right) in enumerate(zip(record.claimed, credited(verdict), strict=True), start=1):
        if claim.revenue is not None and claim.revenue != right:
            found.append(
                f"route {place} ({claim.train}): claimed {claim.revenue}, right {_right(right, claim.revenue)}"
            )
    total = claimed_total(record)
    if total is not None and total != verdict.revenue:
        found.append(f"total: claimed {total}, right {_right(verdict.revenue, total)}")
    return tuple(found)


def _repair_text(repair: Repair, record: PositionRecord) -> str:
    """``legal if G26 is left out of route 2 (4+2): 210``."""
    route = f"route {repair.route + 1} ({record.claimed[repair.route].train})"
    if not repair.left_out:
        return f"legal without {route}: {repair.revenue}"
    names = " and ".join(stop_text(stop, record.position) for stop in repair.left_out)
    return f"legal if {names} {'is' if len(repair.left_out) == 1 else 'are'} left out of {route}: {repair.revenue}"


def _right(right: int, claimed: int) -> str:
    return f"{right} ({right - claimed:+d})"


def _lines(
    verdict: Verdict, record: PositionRecord, differences: Sequence[str], repair: Repair | None
) -> Iterator[str]:
    """The verdict for people."""
    position = record.position
    yield styled(heading(position, record.source), "bold")
    yield from verdict_lines(verdict, position)
    faults = verdict.all_faults
    if verdict.legal:
        yield f"  {styled('legal', 'green')}" + ("" if differences or claimed_total(record) is None else ", as claimed")
    else:
        yield f"  {styled('not legal', 'red')}: {len(faults)} fault{'s' if len(faults) > 1 else ''}"
    yield from fault_lines(faults)
    if repair is not None:
        yield f"  {_repair_text(repair, record)}"
    for sentence in differences:
        yield f"  {styled(sentence, 'yellow')}"
    for sentence in verdict.notices:
        first, *others = hanging(f"note: {sentence}", 4)
        yield f"  {first}"
        yield from others
    yield ""
