"""``trackage best``: the best set of runs of each position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from analysis.as_json import faults_to_json, limits_to_json
from analysis.best_runs import Wishes, answer, result_to_json
from analysis.limits import TIME_LIMIT, Limits, limits_of
from analysis.tracks import route_text
from board.errors import TrackageError
from board.position import Position
from cli.drawings import write_maps
from cli.errors import DONE, report
from cli.inputs import positions_in
from cli.screen import counted, hanging, say, styled
from cli.verdicts import heading, verdict_lines
from cli.written import write_json
from records.positions import PositionRecord, Rejected
from routing.checker import Verdict
from routing.problem import RouteProblem
from routing.result import Result, Status
from routing.solve import DEFAULT_TIME_LIMIT
from titles.registry import get_title


def run(
    sources: Sequence[str], wishes: Wishes, *, as_json: bool = False, explain: bool = False, maps: Sequence[Path] = ()
) -> int:
    """Answer every position of the files; returns the exit status."""
    status = DONE
    number = 0
    for entry in counted(positions_in(sources), "position"):
        try:
            if isinstance(entry, Rejected):
                raise entry.error
            number += 1
            problem = get_title(entry.position.edition.title).problem(entry.position, wishes.table)
            result = answer(problem, wishes)
            limits = _limits(result, problem, wishes) if explain else None
            if maps:
                write_maps(maps, entry.position, number, result.verdict, result)
        except TrackageError as error:
            status = max(status, report(error if isinstance(entry, Rejected) else error.at(entry.source)))
            if as_json:
                write_json({"source": entry.source, "faults": faults_to_json(error.faults)})
            continue
        if as_json:
            value = result_to_json(result, entry, problem)
            if limits is not None:
                value["limits"] = limits_to_json(limits)
            write_json(value)
        else:
            for line in result_lines(result, entry, problem, explain=explain, limits=limits):
                say(line)
        if _cut_short(result, wishes):
            raise KeyboardInterrupt
    return status


def _limits(result: Result, problem: RouteProblem, wishes: Wishes) -> Limits | None:
    """What keeps the best from earning more; None where routes or hexes are fixed or forbidden by wish."""
    if wishes.pins or wishes.avoid or wishes.without:
        return None
    title = get_title(problem.position.edition.title)
    limit = TIME_LIMIT if wishes.time_limit is None else wishes.time_limit
    return limits_of(problem, result, lambda position: title.problem(position, wishes.table), time_limit=limit)


def _cut_short(result: Result, wishes: Wishes) -> bool:
    """Whether Ctrl-C ended the search.

    The solver of the constraint model takes the signal for itself and hands back the best set so far; that is shown,
    and the command ends all the same.
    """
    limit = DEFAULT_TIME_LIMIT if wishes.time_limit is None else wishes.time_limit
    return result.status is Status.FEASIBLE and result.method == "constraint" and result.seconds < limit - 0.5


def result_lines(
    result: Result,
    record: PositionRecord,
    problem: RouteProblem,
    *,
    explain: bool = False,
    limits: Limits | None = None,
) -> Iterator[str]:
    """The answer for people."""
    position = record.position
    yield styled(heading(position, record.source), "bold")
    yield from verdict_lines(result.verdict, position, explain=explain)
    yield from _wrapped(_certainty(result, problem))
    trains = len(position.trains)
    if trains:
        idle = f"; idle: {', '.join(result.idle)}" if result.idle else ""
        yield f"  {trains - len(result.idle)} of {trains} trains run{idle}"
    for route in result.pinned:
        yield from _wrapped(f"pinned: {route_text(route, position)}")
    if result.price_of_pins is not None:
        yield from _wrapped(_price(result))
    for sentence in result.verdict.notices:
        yield from _wrapped(f"note: {sentence}")
    for place, other in enumerate(result.runner_ups, start=2):
        yield from _runner_up(place, other, result, position, explain=explain)
    if explain:
        yield from _explanation(result, problem)
        if limits is not None:
            yield from _limit_lines(limits)
    yield ""


def _wrapped(text: str) -> Iterator[str]:
    first, *others = hanging(text, 4)
    yield f"  {first}"
    yield from others


def _certainty(result: Result, problem: RouteProblem) -> str:
    method = f"{result.method}, {result.seconds:.2f} s"
    if problem.rules.no_run:
        return f"no run: {problem.rules.no_run}"
    if result.status is Status.NO_ROUTE:
        return f"proven: no train can run a route that earns anything ({method})"
    if result.status is Status.PROVEN:
        return f"{styled('proven optimal', 'green')}: no legal set of runs earns more ({method})"
    return (
        f"{styled('not proven', 'yellow')}: the search ran into its limit; no legal set of runs earns more than "
        f"{result.bound} ({method})"
    )


def _price(result: Result) -> str:
    price = result.price_of_pins or 0
    if price <= 0:
        return "the pins cost nothing: no set without them earns more"
    return f"the pins cost {price}: without them the best is {result.revenue + price}"


def _runner_up(place: int, other: Verdict, result: Result, position: Position, *, explain: bool) -> Iterator[str]:
    less = result.revenue - other.revenue
    yield f"  {place}. {'a tie with the best' if not less else f'{less} less than the best'}"
    used = {piece.hex for scored in other.routes for piece in scored.route.pieces}
    free = sorted(
        {hex_id for route in result.routes for hex_id in route.hexes} - used, key=lambda hex_id: hex_id.sort_key
    )
    yield from (f"  {line}" for line in verdict_lines(other, position, explain=explain))
    before = [result.routes, *([scored.route for scored in one.routes] for one in result.runner_ups[: place - 2])]
    stops = sorted((scored.train, min(scored.stops, scored.stops[::-1])) for scored in other.routes)
    if any(sorted((one.train, min(one.stops, one.stops[::-1])) for one in routes) == stops for routes in before):
        texts = (route_text(scored.route, position) for scored in other.routes)
        yield from (f"  {line}" for line in _wrapped(f"over other track: {'; '.join(texts)}"))
    if free:
        yield from (f"  {line}" for line in _wrapped(f"leaves free: {' '.join(free)}"))


def _explanation(result: Result, problem: RouteProblem) -> Iterator[str]:
    """Where the figures come from: rules, bonuses, and what the routes could not use."""
    position = problem.position
    yield from _wrapped(f"rules: {problem.rules.source or position.edition.title}")
    for source in dict.fromkeys(bonus.source for bonus in problem.bonuses):
        yield from _wrapped(f"bonus: {source}")
    for stop, reason in sorted(problem.rules.closed.items()):
        yield from _wrapped(f"closed: {position.edition.map.name_of(stop)}, {reason}")
    for condition in problem.rules.must_visit:
        yield from _wrapped(f"condition: {condition.reason}")
    from routing.explore import explore

    network = explore(problem)
    blocking = [stop for stop in network.stops if position.blocks(stop)]
    if blocking:
        names = ", ".join(f"{stop} ({', '.join(filter(None, position.tokens_in(stop)))})" for stop in blocking)
        yield from _wrapped(f"routes end at, and do not run through: {names}")
    yield from _wrapped(
        f"within reach: {len(network.stops)} stops, {len(network.links)} pieces of track; "
        f"{result.explored:,} steps of search"
    )


def _limit_lines(limits: Limits) -> Iterator[str]:
    """What lifting each limit would add, the dearest first."""
    if limits.found:
        yield "  why not more? Each of these alone would add:"
        width = max(len(str(limit.gain)) for limit in limits.found)
        for limit in limits.found:
            least = "" if limit.exact else " (at least)"
            yield from _wrapped(f"  +{limit.gain:<{width}}  {limit.what}{least}: {limit.kind}")
    elif limits.tried:
        yield from _wrapped(
            "why not more? Neither longer trains, open cities, free track nor a token more would add anything"
        )
    if limits.left:
        yield from _wrapped(f"{limits.left} more limits were not looked at for lack of time")
