"""The oracle: the best runs of a small board by trying everything. For tests only, and slow by design.

It walks every trail from every stop over the raw tiles, tries every trail for every train and every set of them, and
asks the checker. It knows no rule but two that keep the trails finite: no stop twice and no track twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from board.errors import Fault, LimitExceeded
from board.hexes import StopId
from board.position import Position
from board.routes import Leg, Route, RouteSet, TrackPiece
from bonuses.by_extension import InterconnectionBonus
from routing.chains import chains_from
from routing.checker import Verdict, check
from routing.legality import Resource, walk
from routing.problem import RouteProblem

#: How many route sets the oracle is willing to ask the checker about.
MOST_CHECKS: Final = 200_000


def best_runs(problem: RouteProblem, *, most_checks: int = MOST_CHECKS) -> Verdict:
    """The verdict on a best legal route set: every train of the position idle or on any trail.

    Raises :class:`LimitExceeded` (``board-too-large``) beyond *most_checks* questions to the checker.
    """
    asked = _Asked(problem, most_checks)
    trains = problem.position.trains
    alone = {train: tuple(asked.legal_routes(train)) for train in dict.fromkeys(trains)}
    best = check(problem, ())
    for routes in _sets(asked, [alone[train] for train in trains], ()):
        verdict = asked.check(routes)
        if verdict.legal and verdict.revenue > best.revenue:
            best = verdict
    return best


def _sets(asked: _Asked, choices: Sequence[Sequence[Route]], chosen: RouteSet) -> Iterator[RouteSet]:
    """Every set of at most one route for each train. A set that is illegal stays so when routes are added."""
    if not choices:
        yield chosen
        return
    yield from _sets(asked, choices[1:], chosen)
    for route in choices[0]:
        if not chosen or not asked.check((*chosen, route)).faults:
            yield from _sets(asked, choices[1:], (*chosen, route))


class _Asked:
    """The checker, and how often it was asked."""

    def __init__(self, problem: RouteProblem, most: int) -> None:
        self._problem, self._left = problem, most

    def check(self, routes: RouteSet) -> Verdict:
        self._left -= 1
        if self._left < 0:
            raise LimitExceeded(Fault("board-too-large", "the oracle is for small boards only"))
        return check(self._problem, routes)

    def legal_routes(self, train: str) -> Iterator[Route]:
        """Every route that the checker lets *train* run alone, with and without extensions."""
        prolonged = any(isinstance(bonus, InterconnectionBonus) for bonus in self._problem.bonuses)
        for legs in trails(self._problem.position):
            route = Route(train, legs)
            if self.check((route,)).legal:
                yield route
                if prolonged:
                    yield from self._prolonged(route)

    def _prolonged(self, route: Route) -> Iterator[Route]:
        """The route with a legal extension from its last stop, from its first, and from both."""
        ahead, behind = (
            [
                extension
                for extension in trails_from(self._problem.position, end, route.stops)
                if self.check((Route(route.train, route.legs, (extension,)),)).legal
            ]
            for end in (route.stops[-1], route.stops[0])
        )
        for extensions in [*((one,) for one in ahead), *((one,) for one in behind)]:
            yield Route(route.train, route.legs, extensions)
        for one in ahead:
            for other in behind:
                both = Route(route.train, route.legs, (one, other))
                if self.check((both,)).legal:
                    yield both


def trails(position: Position) -> Iterator[tuple[Leg, ...]]:
    """Every trail over the board, from each of its two ends once only."""
    seen: set[frozenset[TrackPiece]] = set()
    for start in position.stops:
        for legs in trails_from(position, start, ()):
            key = frozenset(piece for leg in legs for piece in leg.pieces)
            if key not in seen:
                seen.add(key)
                yield legs


def trails_from(position: Position, start: StopId, avoid: Sequence[StopId]) -> Iterator[tuple[Leg, ...]]:
    """Every trail of one leg and more from *start* that comes to no stop twice and to none of *avoid*."""
    yield from _longer(position, (), start, frozenset((start, *avoid)), frozenset())


def _longer(
    position: Position, legs: tuple[Leg, ...], here: StopId, visited: frozenset[StopId], used: frozenset[Resource]
) -> Iterator[tuple[Leg, ...]]:
    for leg in chains_from(position, here):
        uses = frozenset(walk(position, leg).uses)
        if leg.end not in visited and not uses & used:
            yield (*legs, leg)
            yield from _longer(position, (*legs, leg), leg.end, visited | {leg.end}, used | uses)
