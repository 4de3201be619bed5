"""The best runs of an operating turn: choose a method, search, and let the checker score the answer."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

from board.errors import Fault, InputError, RuleViolation, SolverError
from board.hexes import HexId
from board.routes import RouteSet
from routing.answer import Answer
from routing.bounds import loose_bound
from routing.checker import Verdict, check
from routing.enumeration import Wishes, cannot_value, search_by_enumeration
from routing.long_trains import search_long_trains, serves
from routing.problem import RouteProblem
from routing.result import Result, Status
from routing.trails import TooManyTrailsError

Method = Literal["auto", "enumerate", "constraint"]
METHODS: Final[tuple[Method, ...]] = ("auto", "enumerate", "constraint")

#: Seconds that a search may take where the caller sets no limit. Recorded positions need a hundredth of it.
DEFAULT_TIME_LIMIT: Final = 60.0
#: Trails beyond this number are not listed where :mod:`routing.long_trains` can do without.
_MANY: Final = 200_000
#: Trails of each length that are looked at for a first answer where a network has too many to list, and for how long.
_BEAM: Final = 3000
_FIRST_LOOK_SECONDS: Final = 1.0


def solve(
    problem: RouteProblem,
    *,
    method: Method = "auto",
    time_limit: float | None = None,
    pins: RouteSet = (),
    avoid: RouteSet = (),
    without: frozenset[HexId] = frozenset(),
    top: int = 1,
) -> Result:
    """The best set of routes of the position's operator, scored by the checker.

    ``time_limit`` is in seconds (default :data:`DEFAULT_TIME_LIMIT`); past it the best set found is returned with a
    bound. ``pins`` are routes that are kept, ``avoid`` routes that may not be run, ``without`` hexes that no route may
    touch; ``top`` asks for that many best sets.

    Raises :class:`RuleViolation` for pins that are not legal together, :class:`InputError` for a train pinned more
    often than owned or an unknown method, :class:`SolverError` where the checker refuses our own answer.
    """
    if method not in METHODS:
        raise InputError(
            Fault("unknown-method", f"{method!r} is not a method; there are {', '.join(METHODS)}", "method")
        )
    start = time.perf_counter()
    deadline = start + (DEFAULT_TIME_LIMIT if time_limit is None else max(0.0, time_limit))
    _check_pins(problem, pins)
    wishes = Wishes(pins, avoid, without, top)
    answers, used = _search(problem, wishes, method, deadline)
    verdicts = [_scored(problem, answer) for answer in answers]
    best, bound = verdicts[0], answers[0].bound
    status = Status.FEASIBLE
    if answers[0].proven:
        status = Status.PROVEN if best.revenue > 0 else Status.NO_ROUTE
    price = None
    if pins:
        free, _ = _search(problem, Wishes((), avoid, without), method, deadline)
        price = free[0].revenue - answers[0].revenue
    return Result(
        verdict=best,
        bound=bound,
        status=status,
        method=used,
        seconds=time.perf_counter() - start,
        idle=_idle(problem, best),
        runner_ups=tuple(verdicts[1:]),
        pinned=pins,
        price_of_pins=price,
        explored=answers[0].explored,
    )


def _check_pins(problem: RouteProblem, pins: RouteSet) -> None:
    owned = Counter(problem.position.trains)
    for train, number in Counter(route.train for route in pins).items():
        if number > owned[train]:
            message = f"{number} routes are pinned for {owned[train]} of {problem.position.operator}'s trains {train!r}"
            raise InputError(Fault("pin-without-train", message, "pin"))
    if pins:
        verdict = check(problem, pins)
        faults = [*verdict.faults, *(fault for scored in verdict.routes for fault in scored.faults)]
        if not verdict.legal:
            raise RuleViolation(fault.at("pin") for fault in dict.fromkeys(faults))


def _search(problem: RouteProblem, wishes: Wishes, method: Method, deadline: float) -> tuple[Sequence[Answer], str]:
    unable = cannot_value(problem.terms)
    if method == "constraint" or (method == "auto" and unable):
        answer = _by_constraints(problem, wishes, (), deadline)
        if not answer.proven and not unable:
            answer = _better(answer, _first_look(problem, wishes))
        return (answer,), "constraint"
    # what cannot be listed in half of the time is better left to the other methods
    now = time.perf_counter()
    half = now + (deadline - now) / 2
    first: Answer | None = None
    if method == "auto" and serves(problem, wishes):
        try:
            return search_by_enumeration(problem, wishes, deadline=deadline, listed_by=half, most=_MANY), "enumerate"
        except TooManyTrailsError:
            first = _first_look(problem, wishes)
        if not first.proven:
            first = search_long_trains(problem, wishes, first, deadline) or first
        if first.proven:
            return (first,), "long trains"
    try:
        return search_by_enumeration(problem, wishes, deadline=deadline, listed_by=half), "enumerate"
    except TooManyTrailsError:
        first = first or _first_look(problem, wishes)
    if method == "enumerate" or first.proven:
        return (first,), "enumerate"
    return (_better(_by_constraints(problem, wishes, first.routes, deadline), first),), "constraint"


def _first_look(problem: RouteProblem, wishes: Wishes) -> Answer:
    """The best set among promising trails of a network that has too many, with a bound that costs nothing."""
    now = time.perf_counter()
    half, deadline = now + _FIRST_LOOK_SECONDS / 2, now + _FIRST_LOOK_SECONDS
    found = search_by_enumeration(problem, wishes, deadline=deadline, listed_by=half, beam=_BEAM)[0]
    tracks = [frozenset(route.pieces) for route in found.routes]
    if any(frozenset(pin.pieces) not in tracks for pin in wishes.pins):
        found = Answer(wishes.pins, check(problem, wishes.pins).revenue, 0, proven=False)
    bound = max(loose_bound(problem), found.revenue)
    return Answer(found.routes, found.revenue, bound, found.revenue == bound, found.explored)


def _better(one: Answer, other: Answer) -> Answer:
    """The better routes with the lower bound."""
    best, bound = max(one, other, key=lambda answer: answer.revenue), min(one.bound, other.bound)
    proven = one.proven or other.proven or best.revenue == bound
    return Answer(best.routes, best.revenue, bound, proven, one.explored + other.explored)


def _by_constraints(problem: RouteProblem, wishes: Wishes, hint: RouteSet, deadline: float) -> Answer:
    # OR-Tools takes a third of a second to load and most positions do not need it.
    from routing.constraint_model import solve_by_constraints

    return solve_by_constraints(
        problem,
        time_limit=max(0.05, deadline - time.perf_counter()),
        hint=hint,
        pins=wishes.pins,
        avoid=wishes.avoid,
        without=wishes.without,
    )


def _scored(problem: RouteProblem, answer: Answer) -> Verdict:
    """What the checker says of an answer. Source of every figure that is shown."""
    verdict = check(problem, answer.routes)
    if not verdict.legal or verdict.revenue != answer.revenue:
        faults = "; ".join(str(fault) for fault in (*verdict.faults, *(f for r in verdict.routes for f in r.faults)))
        message = (
            f"the search found {answer.revenue} and the checker says {verdict.revenue}"
            f"{f' ({faults})' if faults else ''}; please report this position"
        )
        raise SolverError(Fault("search-and-checker-differ", message, problem.position.operator))
    return verdict


def _idle(problem: RouteProblem, verdict: Verdict) -> tuple[str, ...]:
    left = Counter(problem.position.trains)
    left.subtract(scored.route.train for scored in verdict.routes)
    return tuple(train for train, number in left.items() for _ in range(number))
