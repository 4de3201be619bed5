"""The best runs of a position under wishes: routes kept or forbidden, hexes closed, runner-ups, a limit of time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from analysis.as_json import set_to_json
from analysis.claim_text import read_claim
from analysis.tracks import parse_routes, route_text, ways
from board.errors import Fault, InputError, RuleViolation
from board.hexes import HexId
from board.position import Position
from board.routes import RouteSet
from records.positions import PositionRecord
from routing.problem import RouteProblem
from routing.result import Result, Status
from routing.solve import DEFAULT_TIME_LIMIT, Method, solve

#: Ways to lay the track of pinned routes that are all tried; of more, the first legal one is taken.
MOST_PIN_WAYS = 40


@dataclass(frozen=True)
class Wishes:
    """What is asked for beside the position; routes and hexes still as text."""

    method: Method = "auto"
    time_limit: float | None = None
    top: int = 1
    pins: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    table: Mapping[str, object] | None = None


def answer(problem: RouteProblem, wishes: Wishes) -> Result:
    """The best runs under the wishes.

    Pinned routes whose track is left open are tried over every track on which they are legal together, and the best
    answer is kept. Raises :class:`InputError` for routes that the map does not have, :class:`RuleViolation` for pins
    that no choice of track makes legal, :class:`SolverError` for an answer that the checker refuses.
    """
    position = problem.position
    without = hexes_of(wishes.without, position)
    avoid = tuple(
        route for claim in parse_routes(problem, wishes.avoid, "--avoid") for route in ways(problem, claim, "--avoid")
    )
    limit = DEFAULT_TIME_LIMIT if wishes.time_limit is None else wishes.time_limit
    deadline = time.perf_counter() + limit
    results: list[Result] = []
    refused: RuleViolation | None = None
    for pins in _pin_sets(problem, wishes.pins, avoid, without):
        left = max(0.0, deadline - time.perf_counter())
        try:
            results.append(
                solve(
                    problem, method=wishes.method, time_limit=left, pins=pins, avoid=avoid, without=without,
                    top=wishes.top,
                )
            )  # fmt: skip
        except RuleViolation as error:
            refused = refused or error
    if not results:
        raise refused or InputError(())
    best = max(results, key=lambda result: result.revenue)
    bound = max(result.bound for result in results)
    seconds = sum(result.seconds for result in results)
    if bound > best.revenue:
        return replace(best, bound=bound, status=Status.FEASIBLE, seconds=seconds)
    return replace(best, seconds=seconds)


def _pin_sets(
    problem: RouteProblem, texts: Sequence[str], avoid: RouteSet, without: frozenset[HexId]
) -> Iterator[RouteSet]:
    """The pinned routes, with every choice of track where it is left open and that the other wishes allow."""
    if not texts:
        yield ()
        return
    try:
        claims = read_claim(problem, ";".join(texts)).routes
    except InputError as error:
        raise error.at("--pin") from None
    avoided = {(route.train, frozenset(route.pieces)) for route in avoid}
    choices: list[RouteSet] = []
    for claim in claims:
        found = ways(problem, claim, "--pin")
        here = tuple(route for route in found if without.isdisjoint(route.hexes))
        allowed = tuple(route for route in here if (route.train, frozenset(route.pieces)) not in avoided)
        if not allowed:
            told = route_text(found[0], problem.position)
            hexes = " and ".join(sorted(without.intersection(found[0].hexes)))
            why = f"runs through {hexes}, which --without forbids" if not here else "is one that --avoid forbids"
            raise InputError(Fault("pinned-route", f"the route {told} is pinned, and {why}", "--pin"))
        choices.append(allowed)
    if prod(len(found) for found in choices) <= MOST_PIN_WAYS:
        yield from product(*choices)
    else:
        from routing.claims import resolve

        yield resolve(problem, claims)


def result_to_json(result: Result, record: PositionRecord, problem: RouteProblem) -> dict[str, object]:
    """The answer for programs. ``routes[].revenue`` and ``bonuses[].amount`` sum to ``revenue``."""
    position = record.position
    value: dict[str, object] = {
        "title": position.edition.title,
        "game": position.game or None,
        "action": position.action,
        "operator": position.operator,
        "source": record.source,
        "revenue": result.revenue,
        "proven": result.proven,
        "bound": result.bound,
        "seconds": round(result.seconds, 6),
        "method": result.method,
        **set_to_json(result.verdict),
        "idle": list(result.idle),
        "notices": list(result.verdict.notices),
    }
    if problem.rules.no_run:
        value["no_run"] = problem.rules.no_run
    if result.pinned:
        value["pinned"] = [route_text(route, position) for route in result.pinned]
        value["price_of_pins"] = result.price_of_pins
    if result.runner_ups:
        value["runner_ups"] = [
            {"revenue": other.revenue, "less": result.revenue - other.revenue, **set_to_json(other)}
            for other in result.runner_ups
        ]
    return value


def hexes_of(texts: Sequence[str], position: Position) -> frozenset[HexId]:
    """The hexes named by ``--without``. Raises :class:`InputError` with all that the map does not have."""
    faults: list[Fault] = []
    found: set[HexId] = set()
    for text in texts:
        for word in text.replace(",", " ").split():
            try:
                hex_id = HexId.parse(word.upper())
            except InputError as error:
                faults += (fault.at("--without") for fault in error.faults)
                continue
            if hex_id not in position.edition.map:
                message = f"the map of {position.edition.title} has no hex {hex_id}"
                faults.append(Fault("unknown-hex", message, "--without"))
            found.add(hex_id)
    if faults:
        raise InputError(faults)
    return frozenset(found)
