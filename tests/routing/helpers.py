"""What the tests of the checker share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from board.routes import RevenueItem, Route
from bonuses.base import BonusItem
from routing.checker import ScoredRoute, Verdict, check
from routing.problem import RouteProblem


def codes(verdict: Verdict) -> list[str]:
    """All fault codes, those of the set first."""
    return [fault.code for fault in verdict.all_faults]


def told_otherwise(routes: tuple[Route, ...]) -> Iterator[tuple[Route, ...]]:
    """The same routes in every order and every combination of directions."""
    for order in permutations(routes):
        for turned in product((False, True), repeat=len(order)):
            yield tuple(route.reversed() if back else route for route, back in zip(order, turned, strict=True))


def judge(problem: RouteProblem, *routes: Route) -> Verdict:
    """The verdict, after making sure that it does not depend on the order and the direction of the routes and that all
    parts sum to the total."""
    verdict = check(problem, routes)
    for told in told_otherwise(routes):
        other = check(problem, told)
        assert (other.legal, other.revenue, set(codes(other))) == (
            verdict.legal,
            verdict.revenue,
            set(codes(verdict)),
        )
        assert sum(item.amount for item in everything(other)) == other.revenue
    return verdict


def everything(verdict: Verdict) -> Iterator[RevenueItem | BonusItem]:
    """All parts of all routes and all bonuses."""
    for scored in verdict.routes:
        yield from scored.parts
    yield from verdict.bonuses


def sum_of(scored: ScoredRoute) -> int:
    """What the parts of a route and its own bonuses add up to."""
    return sum(part.amount for part in scored.parts) + sum(item.amount for item in scored.bonuses)
