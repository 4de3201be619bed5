"""Routes between text and track: every way that a route given by stops may run, and the shortest text for one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from math import prod

from board.errors import Fault, InputError, LimitExceeded
from board.hexes import HexId, StopId
from board.position import Position
from board.routes import ClaimedRoute, Leg, Route, RouteSet
from routing.chains import chains_between
from routing.claims import parse_route
from routing.problem import RouteProblem

#: More ways than this to lay one route over the map are not listed.
MOST_WAYS = 2000


def parse_routes(problem: RouteProblem, texts: Sequence[str], option: str) -> tuple[ClaimedRoute, ...]:
    """The routes written as *texts*. Raises :class:`InputError` with the faults of all of them."""
    claims: list[ClaimedRoute] = []
    faults: list[Fault] = []
    for text in texts:
        try:
            claims.append(parse_route(problem, text))
        except InputError as error:
            faults += (fault.at(option) for fault in error.faults)
    if faults:
        raise InputError(faults)
    return tuple(claims)


def ways(problem: RouteProblem, claim: ClaimedRoute, option: str) -> RouteSet:
    """Every route over the stops of *claim*, along the track that it names where it names some.

    Raises :class:`InputError` (``no-track``) where no track joins two of its stops, :class:`LimitExceeded` for more
    than :data:`MOST_WAYS` ways.
    """
    legs: list[list[Leg]] = []
    faults: list[Fault] = []
    for place, (start, end) in enumerate(pairwise(claim.stops)):
        told = claim.connections[place] if place < len(claim.connections) else ()
        found = [leg for leg in chains_between(problem.position, start, end) if _runs_over(leg, told)]
        if not found:
            over = f" over {' '.join(told)}" if told else ""
            faults.append(Fault("no-track", f"no track joins {start} and {end}{over}", option))
        legs.append(found)
    if faults:
        raise InputError(faults)
    number = prod(len(found) for found in legs)
    if number > MOST_WAYS:
        message = f"the route may run in {number:,} ways; name its track with via HEX HEX"
        raise LimitExceeded(Fault("too-many", message, option))
    return tuple(Route(claim.train, chosen) for chosen in product(*legs))


def _runs_over(leg: Leg, told: Sequence[HexId]) -> bool:
    """Whether the leg runs through the hexes told: all of its own in either direction, or some of those between."""
    if told and {told[0], told[-1]} == {leg.start.hex, leg.end.hex}:
        return tuple(told) in (leg.hexes, leg.hexes[::-1])
    return set(told) <= set(leg.hexes)


def stop_text(stop: StopId, position: Position) -> str:
    """The stop as short as it can be told: its hex, with the part where the hex has several stops."""
    return str(stop.hex) if position.stops_on(stop.hex) == (stop,) else str(stop)


def route_text(route: Route, position: Position) -> str:
    """The route as ``--pin`` reads it, with the hexes on the way to a stop where other track leads there as well."""
    pieces = [stop_text(stop, position) for stop in route.stops]
    for place, leg in enumerate(route.legs, start=1):
        via = [hex_id for hex_id in leg.hexes if hex_id not in (leg.start.hex, leg.end.hex)]
        if via and len(chains_between(position, leg.start, leg.end)) > 1:
            pieces[place] += f" via {' '.join(via)}"
    return f"{route.train}: {'-'.join(pieces)}"
