"""Recorded runs put to the checker: the stops of a run found again from its hexes, and its revenue recomputed.

Source: formats/18xx-games-json section 6. A record tells a run by the hexes of each hop; the stops follow from the
signatures of the nodes where those are told, else from the track that lies there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from board.errors import Fault, TrackageError
from board.hexes import HexId, StopId
from board.position import Position
from board.routes import ClaimedRoute
from routing.chains import chains_from
from routing.checker import Verdict, credited
from routing.claims import check_claim
from routing.problem import RouteProblem
from rules.actions import RecordedRoute, RunRoutes
from rules.game import Scorer
from rules.state import State

#: Adds what only the title knows to a position: route rules and bonuses.
ProblemOf = Callable[[Position], RouteProblem]
#: Assignments of stops to one run that are looked at.
_MOST_TRIED = 2_000
#: Chains of track from one stop that are looked at.
_MOST_CHAINS = 20_000


@dataclass(frozen=True)
class RunCheck:
    """A recorded run beside what the rules give for it.

    ``stored`` is what the record says (None: nothing), ``revenue`` what the board gives, ``verdict`` the whole account
    (None where the run cannot be placed on the map, which ``faults`` explain).
    """

    company: str
    stored: int | None
    revenue: int
    position: Position
    claimed: tuple[ClaimedRoute, ...] = ()
    verdict: Verdict | None = None
    faults: tuple[Fault, ...] = ()

    @property
    def differs(self) -> bool:
        return self.stored is not None and self.stored != self.revenue

    def __str__(self) -> str:
        stored = "nothing" if self.stored is None else str(self.stored)
        text = f"{self.company} ran for {stored} in the record; the rules give {self.revenue}"
        return f"{text} ({'; '.join(str(fault) for fault in self.faults)})" if self.faults else text


def stored_revenue(action: RunRoutes) -> int | None:
    """What the record says the routes earn; None where it does not tell for all of them."""
    told = [route.revenue for route in action.routes]
    known = [amount for amount in told if amount is not None]
    return sum(known) if len(known) == len(told) else None


def check_run(state: State, action: RunRoutes, problem_of: ProblemOf) -> RunCheck:
    """The run judged on the position that the game has reached. Never raises for what the record says."""
    company = action.by.name
    stored = stored_revenue(action)
    position = state.position(company)
    try:
        claims = tuple(claimed_route(position, route, state.face_of(route.train)) for route in action.routes)
        verdict = check_claim(problem_of(position), claims)
    except TrackageError as error:
        return RunCheck(company, stored, 0, position, faults=error.faults)
    paid = credited(verdict)
    faults = tuple(
        Fault("revenue", f"route {number} ({claim.train}): {claim.revenue} in the record, {amount} by the rules")
        for number, (claim, amount) in enumerate(zip(claims, paid, strict=True), start=1)
        if claim.revenue is not None and claim.revenue != amount
    )
    faults = (*faults, *(fault for fault in verdict.all_faults if verdict.revenue != stored))
    return RunCheck(company, stored, verdict.revenue, position, claims, verdict, faults)


def scorer(problem_of: ProblemOf) -> Scorer:
    """Works out what routes earn in games whose records do not tell."""

    def score(state: State, company: str, action: RunRoutes) -> int:
        return check_run(state, action, problem_of).revenue

    return score


def claimed_route(position: Position, route: RecordedRoute, train: str) -> ClaimedRoute:
    """The run as a claim: its stops in travel order. Raises :class:`InputError` for text that names no hex."""
    hops = tuple(tuple(HexId.parse(_hex_text(name)) for name in hop if name != "local") for hop in route.connections)
    hops = tuple(hop for hop in hops if hop)
    if not hops:
        return ClaimedRoute(train, (), (), route.revenue)
    if route.connections[0][0] == "local":
        stops = position.stops_on(hops[0][0])[:1]
        return ClaimedRoute(train, stops, (), route.revenue)
    told, track = _signatures(position, route.nodes), _Track(position)
    guess: tuple[StopId, ...] = ()
    for places, ordered in _orders(hops):
        found = _assigned(track, places, ordered, told)
        if found is not None:
            return ClaimedRoute(train, found, hops, route.revenue)
        guess = guess or _guess(position, places, told)
    # No track runs as told, or the hops do not join: the checker says where it is missing.
    return ClaimedRoute(
        train, guess or _guess(position, (hops[0][0], *(hop[-1] for hop in hops)), told), hops, route.revenue
    )


def _hex_text(name: str) -> str:
    """``G4`` of ``G4`` and of ``G4 0.1``, a hop between two stops of one tile."""
    return re.split(r"\s", name, maxsplit=1)[0]


def _signatures(position: Position, nodes: Sequence[str]) -> Mapping[HexId, tuple[StopId, ...]]:
    """The stops that are told, by hex: ``E11-1`` is the part with the number 1 on E11."""
    found: dict[HexId, tuple[StopId, ...]] = {}
    for node in nodes:
        name, _, number = node.rpartition("-")
        if not number.isdecimal() or name not in position.layout_of:
            continue
        hex_id = HexId(name)
        for part in position.layout_of[hex_id].parts:
            if part.seq == int(number) and (stop := StopId.of(hex_id, part.id)) in position.stops:
                found[hex_id] = (*found.get(hex_id, ()), stop)
    return found


def _orders(
    hops: tuple[tuple[HexId, ...], ...],
) -> Iterator[tuple[tuple[HexId, ...], tuple[tuple[HexId, ...], ...]]]:
    """The hexes of the stops in the order of the list, with the hops turned to run along; as written first."""
    for first in dict.fromkeys((hops[0], hops[0][::-1])):
        places, ordered = [first[0], first[-1]], [first]
        for hop in hops[1:]:
            if hop[0] == places[-1]:
                ordered.append(hop)
            elif hop[-1] == places[-1]:
                ordered.append(hop[::-1])
            else:
                break
            places.append(ordered[-1][-1])
        else:
            yield tuple(places), tuple(ordered)


def _candidates(position: Position, hex_id: HexId, told: Mapping[HexId, tuple[StopId, ...]]) -> tuple[StopId, ...]:
    """The stops of a hex, those that the record tells before the others."""
    if hex_id not in position.layout_of:
        return ()
    first = told.get(hex_id, ())
    return (*first, *(stop for stop in position.stops_on(hex_id) if stop not in first))


def _assigned(
    track: _Track,
    places: tuple[HexId, ...],
    hops: tuple[tuple[HexId, ...], ...],
    told: Mapping[HexId, tuple[StopId, ...]],
) -> tuple[StopId, ...] | None:
    """Stops on these hexes that track joins as told, no stop twice; those of the record are preferred."""
    tried = 0
    chosen: list[StopId] = []

    def descend() -> bool:
        nonlocal tried
        place = len(chosen)
        if place == len(places):
            return True
        for stop in _candidates(track.position, places[place], told):
            tried += 1
            if tried > _MOST_TRIED:
                return False
            if stop in chosen or (place and not track.joins(chosen[-1], stop, hops[place - 1])):
                continue
            chosen.append(stop)
            if descend():
                return True
            chosen.pop()
        return False

    return tuple(chosen) if descend() else None


class _Track:
    """The chains of track that lead away from stops of a position, each listed once."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._legs: dict[StopId, frozenset[tuple[StopId, tuple[HexId, ...]]]] = {}

    def joins(self, one: StopId, other: StopId, hop: tuple[HexId, ...]) -> bool:
        """Whether track joins the two stops over just the hexes of the hop."""
        found = self._legs.get(one)
        if found is None:
            legs = islice(chains_from(self.position, one), _MOST_CHAINS)
            found = self._legs[one] = frozenset((leg.end, leg.hexes) for leg in legs)
        return (other, hop) in found


def _guess(position: Position, places: Sequence[HexId], told: Mapping[HexId, tuple[StopId, ...]]) -> tuple[StopId, ...]:
    """Stops for a run that no track carries: the checker then names the hex where it is missing."""
    found: list[StopId] = []
    for hex_id in places:
        options = _candidates(position, hex_id, told) or (StopId.of(hex_id, "c0"),)
        found.append(next((stop for stop in options if stop not in found), options[0]))
    return tuple(found)
