"""The smallest change that makes an illegal claim legal: stops named or left out, another train, or a train idle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise, product
from typing import Final

from analysis.tracks import stop_text
from board.errors import TrackageError
from board.hexes import StopId
from board.position import Position
from board.routes import ClaimedRoute
from board.trains import StopKind
from routing.chains import chains_from
from routing.claims import check_claim
from routing.problem import RouteProblem

#: Changes that are tried for one claim, and stops of all that are tried: long claims get fewer trials.
MOST_TRIALS: Final = 200
MOST_STOPS: Final = 10_000
#: Stops that are added between two of a claim, and ways between them that are tried.
MOST_ADDED: Final = 4
MOST_WAYS: Final = 5
#: Gaps of one route that are filled.
MOST_GAPS: Final = 4
#: Chains of track from one stop that are followed for stops that were not named.
MOST_CHAINS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Repair:
    """A change after which the claim is legal and earns ``revenue`` (money).

    The stops ``left_out`` are taken out of the route at place ``route`` of the claim. With a ``train`` the route is run
    by that train instead, and the route at place ``swapped`` (None: the train was idle) by the train that it had. The
    stops ``added`` lie on its way and were not named: for each gap the place of the stop before it, and its stops. An
    ``unextended`` route is not prolonged where the claim says so. Where there is none of all this, that route is not
    run at all.
    """

    route: int
    left_out: tuple[StopId, ...]
    revenue: int
    train: str = ""
    swapped: int | None = None
    added: tuple[tuple[int, tuple[StopId, ...]], ...] = ()
    unextended: bool = False

    def applied(self, claimed: Sequence[ClaimedRoute]) -> tuple[ClaimedRoute, ...]:
        """The claim after the change, without amounts and with the track left open where a stop was left out."""
        routes = [replace(claim, revenue=None, extensions=()) for claim in claimed]
        if self.added:
            claim = claimed[self.route]
            gaps = dict(self.added)
            fuller = tuple(one for place, stop in enumerate(claim.stops) for one in (stop, *gaps.get(place, ())))
            routes[self.route] = ClaimedRoute(claim.train, fuller)
        elif self.unextended:
            pass
        elif self.left_out:
            claim = claimed[self.route]
            stops = tuple(stop for stop in claim.stops if stop not in self.left_out)
            routes[self.route] = ClaimedRoute(claim.train, stops)
        elif self.train:
            if self.swapped is not None:
                routes[self.swapped] = replace(routes[self.swapped], train=claimed[self.route].train)
            routes[self.route] = replace(routes[self.route], train=self.train)
        else:
            del routes[self.route]
        return tuple(routes)


def told(repair: Repair, claimed: Sequence[ClaimedRoute], position: Position) -> str:
    """``legal if G26 is left out of route 2 (4+2): 210``."""

    def named(stops: Sequence[StopId]) -> str:
        return " and ".join(stop_text(stop, position) for stop in stops)

    claim = claimed[repair.route]
    route = f"route {repair.route + 1} ({claim.train})"
    if repair.added:
        gaps = (f"{named(stops)} after {stop_text(claim.stops[after], position)}" for after, stops in repair.added)
        change = f"if {route} also names {', '.join(gaps)}"
    elif repair.unextended:
        change = f"if {route} is not prolonged so"
    elif repair.train and repair.swapped is None:
        change = f"if {route} is run by the {repair.train}, which is idle"
    elif repair.train and repair.swapped is not None:
        change = f"if {route} and route {repair.swapped + 1} swap their trains"
    elif repair.left_out:
        change = f"if {named(repair.left_out)} {'is' if len(repair.left_out) == 1 else 'are'} left out of {route}"
    else:
        change = f"without {route}"
    return f"legal {change}: {repair.revenue}"


def best_repair(problem: RouteProblem, claimed: Sequence[ClaimedRoute]) -> Repair | None:
    """Of the single changes that make *claimed* legal the one that leaves most, fewer stops left out among equals.

    Stops on the way that a route did not name may be added, two routes may swap their trains, a route may take an idle
    train, a stop may be left out anywhere, or several at one end; failing all that, a train may stay idle. None where
    no single change that is tried helps.
    """
    extended = [place for place, claim in enumerate(claimed) if claim.extensions]
    claimed = [replace(claim, extensions=()) for claim in claimed]  # which extensions a route may have is found again
    if extended and (repair := _tried(problem, tuple(claimed), Repair(extended[0], (), 0, unextended=True))):
        return repair
    trials = min(MOST_TRIALS, MOST_STOPS // max(1, sum(len(claim.stops) for claim in claimed)))
    without_a_stop = chain(_other_trains(problem, claimed), _shorter(claimed))
    for changes in (_fuller(problem, claimed), without_a_stop, _without_a_route(claimed)):
        found = [
            repair for repair in (_tried(problem, *change) for change in islice(changes, trials)) if repair is not None
        ]
        if found:
            return max(found, key=lambda repair: (repair.revenue, -len(repair.left_out), -repair.route))
    return None


_Change = tuple[tuple[ClaimedRoute, ...], Repair]


def _fuller(problem: RouteProblem, claimed: Sequence[ClaimedRoute]) -> Iterator[_Change]:
    """Between stops of a route that no track joins, the stops on the way: in every gap of the route at once."""
    around: dict[StopId, tuple[StopId, ...]] = {}

    def next_to(stop: StopId) -> tuple[StopId, ...]:
        if stop not in around:
            legs = islice(chains_from(problem.position, stop), MOST_CHAINS)
            around[stop] = tuple(dict.fromkeys(leg.end for leg in legs))
        return around[stop]

    def between(one: StopId, other: StopId, claim: ClaimedRoute) -> list[tuple[StopId, ...]]:
        """Ways of at most :data:`MOST_ADDED` stops that the claim does not name; of few cities first, then of few
        stops."""
        found: list[tuple[StopId, ...]] = []
        ways: list[tuple[StopId, ...]] = [()]
        for _ in range(MOST_ADDED):
            ways = [
                (*way, stop) for way in ways for stop in next_to(way[-1] if way else one)
                if stop not in way and stop not in claim.stops
            ][:MOST_CHAINS]  # fmt: skip
            found += [way for way in ways if other in next_to(way[-1])]
        kinds = problem.position.stops
        found.sort(key=lambda way: (sum(kinds[stop].kind is not StopKind.TOWN for stop in way), len(way)))
        return found[:MOST_WAYS]

    for place, claim in enumerate(claimed):
        gaps = [after for after, (one, other) in enumerate(pairwise(claim.stops)) if other not in next_to(one)]
        if len(gaps) > MOST_GAPS:
            continue
        ways = [between(claim.stops[after], claim.stops[after + 1], claim) for after in gaps]
        ranks = sorted(product(*(range(len(found)) for found in ways)), key=sum) if gaps else ()
        for rank in ranks:
            chosen = [found[number] for found, number in zip(ways, rank, strict=True)]
            added = [stop for way in chosen for stop in way]
            if len(set(added)) == len(added):
                repair = Repair(place, (), 0, added=tuple(zip(gaps, chosen, strict=True)))
                yield repair.applied(claimed), repair


def _other_trains(problem: RouteProblem, claimed: Sequence[ClaimedRoute]) -> Iterator[_Change]:
    left = Counter(problem.position.trains)
    left.subtract(claim.train for claim in claimed)
    for place, claim in enumerate(claimed):
        for train in dict.fromkeys(problem.position.trains):
            if left[train] > 0 and train != claim.train:
                repair = Repair(place, (), 0, train)
                yield repair.applied(claimed), repair
        for other in range(place + 1, len(claimed)):
            if claimed[other].train != claim.train:
                repair = Repair(place, (), 0, claimed[other].train, other)
                yield repair.applied(claimed), repair


def _shorter(claimed: Sequence[ClaimedRoute]) -> Iterator[_Change]:
    for place, claim in enumerate(claimed):
        stops, number = claim.stops, len(claim.stops)
        for left in range(number - 2):
            for kept, told in (
                (slice(0, number - 1 - left), slice(0, number - 2 - left)),
                (slice(left + 1, number), slice(left + 1, number)),
            ):
                cut = replace(
                    claim, stops=stops[kept], connections=claim.connections[told], revenue=None, extensions=()
                )
                out = tuple(stop for stop in stops if stop not in stops[kept])
                yield _with(claimed, place, cut), Repair(place, out, 0)
        for inner in range(1, number - 1):
            connections = claim.connections
            if len(connections) > inner:
                connections = (*connections[: inner - 1], (), *connections[inner + 1 :])
            cut = replace(
                claim, stops=(*stops[:inner], *stops[inner + 1 :]), connections=connections, revenue=None, extensions=()
            )
            yield _with(claimed, place, cut), Repair(place, (stops[inner],), 0)


def _without_a_route(claimed: Sequence[ClaimedRoute]) -> Iterator[_Change]:
    if len(claimed) > 1:
        for place in range(len(claimed)):
            yield (*claimed[:place], *claimed[place + 1 :]), Repair(place, (), 0)


def _with(claimed: Sequence[ClaimedRoute], place: int, claim: ClaimedRoute) -> tuple[ClaimedRoute, ...]:
    return (*claimed[:place], claim, *claimed[place + 1 :])


def _tried(problem: RouteProblem, claimed: tuple[ClaimedRoute, ...], repair: Repair) -> Repair | None:
    try:
        verdict = check_claim(problem, claimed)
    except TrackageError:
        return None
    return replace(repair, revenue=verdict.revenue) if verdict.legal else None
