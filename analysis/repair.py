"""The smallest change that makes an illegal claim legal: a stop left out, or a train left idle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from board.errors import TrackageError
from board.hexes import StopId
from board.routes import ClaimedRoute
from routing.claims import check_claim
from routing.problem import RouteProblem

#: Changes that are tried for one claim.
MOST_TRIALS: Final = 200


@dataclass(frozen=True, slots=True)
class Repair:
    """A change after which the claim is legal and earns ``revenue`` (money).

    The stops ``left_out`` are taken out of the route at place ``route`` of the claim; where there are none, that route
    is not run at all.
    """

    route: int
    left_out: tuple[StopId, ...]
    revenue: int


def best_repair(problem: RouteProblem, claimed: Sequence[ClaimedRoute]) -> Repair | None:
    """Of the single changes that make *claimed* legal the one that leaves most, fewer stops left out among equals.

    A stop may be left out anywhere, or several at one end; failing that, a train may stay idle. None where no single
    change helps.
    """
    for changes in (_shorter(claimed), _without_a_route(claimed)):
        found = [
            repair
            for repair in (_tried(problem, *change) for change in islice(changes, MOST_TRIALS))
            if repair is not None
        ]
        if found:
            return max(found, key=lambda repair: (repair.revenue, -len(repair.left_out), -repair.route))
    return None


_Change = tuple[tuple[ClaimedRoute, ...], int, tuple[StopId, ...]]


def _shorter(claimed: Sequence[ClaimedRoute]) -> Iterator[_Change]:
    for place, claim in enumerate(claimed):
        stops, number = claim.stops, len(claim.stops)
        for left in range(number - 2):
            for kept, told in (
                (slice(0, number - 1 - left), slice(0, number - 2 - left)),
                (slice(left + 1, number), slice(left + 1, number)),
            ):
                cut = replace(claim, stops=stops[kept], connections=claim.connections[told], revenue=None)
                out = tuple(stop for stop in stops if stop not in stops[kept])
                yield _with(claimed, place, cut), place, out
        for inner in range(1, number - 1):
            connections = claim.connections
            if len(connections) > inner:
                connections = (*connections[: inner - 1], (), *connections[inner + 1 :])
            cut = replace(claim, stops=(*stops[:inner], *stops[inner + 1 :]), connections=connections, revenue=None)
            yield _with(claimed, place, cut), place, (stops[inner],)


def _without_a_route(claimed: Sequence[ClaimedRoute]) -> Iterator[_Change]:
    if len(claimed) > 1:
        for place in range(len(claimed)):
            yield (*claimed[:place], *claimed[place + 1 :]), place, ()


def _with(claimed: Sequence[ClaimedRoute], place: int, claim: ClaimedRoute) -> tuple[ClaimedRoute, ...]:
    return (*claimed[:place], claim, *claimed[place + 1 :])


def _tried(
    problem: RouteProblem, claimed: tuple[ClaimedRoute, ...], place: int, left_out: tuple[StopId, ...]
) -> Repair | None:
    try:
        verdict = check_claim(problem, claimed)
    except TrackageError:
        return None
    return Repair(place, left_out, verdict.revenue) if verdict.legal else None
