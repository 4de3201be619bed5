"""The checker: is a route set legal, and what does it earn? For claims and for every answer of the search.

It shares no module with the search: legality and revenue are found again from the tiles, the map and the position, and
from the exact items of the bonuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from board.errors import Fault
from board.hexes import StopId
from board.routes import RevenueItem, Route, RouteSet
from bonuses.base import BonusItem, Run
from routing.legality import Trace, extension_without_bonus, route_faults, set_faults
from routing.problem import RouteProblem
from routing.scoring import Count, Skipped, TokenRule, count, range_used


@dataclass(frozen=True, slots=True)
class ScoredRoute:
    """One route as the checker sees it.

    ``stops`` and their printed ``values`` in the phase (money, before multiplication) stand in travel order.
    ``counted`` are the stops that count, ``skipped`` those that add nothing, each with the reason. ``parts`` pay stop
    by stop, a doubled stop at its doubled value; ``bonuses`` are those that this route earns by itself; ``revenue`` is
    the sum of both. ``range_used`` tells in words what the route takes of the train's range. ``token_rule`` is set
    where a stop counts only because it holds an own token.
    """

    route: Route
    train: str
    stops: tuple[StopId, ...]
    values: tuple[int, ...]
    counted: tuple[StopId, ...]
    skipped: tuple[Skipped, ...]
    parts: tuple[RevenueItem, ...]
    bonuses: tuple[BonusItem, ...]
    revenue: int
    faults: tuple[Fault, ...]
    range_used: str = ""
    token_rule: TokenRule | None = None

    @property
    def explanation(self) -> str:
        """What the token rule of trains that choose among their stops did here, in one sentence; empty otherwise."""
        if self.token_rule is None:
            return ""
        name = next(part.label for part in self.parts if part.where == self.token_rule.stop)
        bonuses = "" if self.token_rule.pays == sum(part.amount for part in self.parts) else " with their bonuses"
        return (
            f"{name} is counted because it holds an own token; without that rule the stops{bonuses} would pay "
            f"{self.token_rule.without} instead of {self.token_rule.pays}"
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a route set is legal, and its revenue as named items.

    ``revenue`` (money) is the sum of all ``parts`` of the routes and of all ``bonuses``, also for an illegal set as far
    as it can be scored. A bonus that several routes earn together stands in ``bonuses`` with all their places and with
    no single route. ``faults`` concern the set; those of one route stand with it. ``notices`` are sentences about what
    the verdict cannot know.
    """

    legal: bool
    revenue: int
    routes: tuple[ScoredRoute, ...]
    bonuses: tuple[BonusItem, ...]
    faults: tuple[Fault, ...]
    notices: tuple[str, ...]

    @property
    def all_faults(self) -> tuple[Fault, ...]:
        """The faults of the set, then those of the routes."""
        return (*self.faults, *(fault for scored in self.routes for fault in scored.faults))


def check(problem: RouteProblem, routes: RouteSet) -> Verdict:
    """The verdict on *routes*. Neither their order nor the direction of a route changes it, places apart."""
    traces = [Trace(problem, route, number) for number, route in enumerate(routes)]
    counts = [_count(problem, trace) for trace in traces]
    runs, places = _runs(problem, traces, counts)
    bonuses = tuple(
        BonusItem(item.label, item.amount, tuple(places[place] for place in item.routes), item.where)
        for bonus in problem.bonuses
        for item in bonus.items(runs)
    )
    faults = [list(route_faults(trace)) for trace in traces]
    for place, number in enumerate(places):
        if traces[number].route.extensions:
            faults[number] += extension_without_bonus(problem, runs, place, traces[number])
    scored = tuple(
        _scored(trace, counted, [item for item in bonuses if item.routes == (trace.number,)], faults[trace.number])
        for trace, counted in zip(traces, counts, strict=True)
    )
    together = set_faults(problem, traces)
    unknown = (sentence for bonus in problem.bonuses for sentence in bonus.unknown(runs))
    return Verdict(
        legal=not together and not any(faults),
        revenue=sum(counted.total for counted in counts) + sum(item.amount for item in bonuses),
        routes=scored,
        bonuses=bonuses,
        faults=together,
        notices=tuple(dict.fromkeys((*unknown, *problem.notices))),
    )


def _count(problem: RouteProblem, trace: Trace) -> Count:
    train = problem.position.edition.trains.get(trace.route.train)
    return count(problem, train, trace.stops) if train is not None else Count((), (), ())


def _runs(
    problem: RouteProblem, traces: Sequence[Trace], counts: Sequence[Count]
) -> tuple[tuple[Run, ...], tuple[int, ...]]:
    """The routes as bonuses see them, with their places in the set; routes of trains that do not exist stay out."""
    runs, places = [], []
    for trace, counted in zip(traces, counts, strict=True):
        train = problem.position.edition.trains.get(trace.route.train)
        if train is not None and trace.stops:
            values = {stop: problem.position.value(stop) for stop in trace.known_stops}
            runs.append(Run(train, trace.route, values, frozenset(counted.counted)))
            places.append(trace.number)
    return tuple(runs), tuple(places)


def _scored(trace: Trace, counted: Count, bonuses: Sequence[BonusItem], faults: Sequence[Fault]) -> ScoredRoute:
    position = trace.problem.position
    train = position.edition.trains.get(trace.route.train)
    return ScoredRoute(
        route=trace.route,
        train=trace.route.train,
        stops=trace.stops,
        values=tuple(position.value(stop) if stop in position.stops else 0 for stop in trace.stops),
        counted=counted.counted,
        skipped=counted.skipped,
        parts=counted.parts,
        bonuses=tuple(bonuses),
        revenue=counted.total + sum(item.amount for item in bonuses),
        faults=tuple(faults),
        range_used=range_used(train, trace.visits) if train is not None else "",
        token_rule=counted.token_rule,
    )


def credited(verdict: Verdict) -> tuple[int, ...]:
    """The revenue of each route with every joint bonus credited to the first route of the set that earns it, as
    recorded games and position files write it. Money; sums to the revenue of the verdict."""
    amounts = [scored.revenue for scored in verdict.routes]
    for item in verdict.bonuses:
        if len(item.routes) > 1:
            amounts[min(item.routes)] += item.amount
    return tuple(amounts)
