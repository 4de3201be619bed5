"""Random legal runs: for each train a walk from a token, cut back until the checker takes it. For random games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from board.hexes import HexId, StopId, opposite
from board.position import Position
from board.routes import Leg, Route, TrackPiece
from board.tiles import End
from routing.checker import check, credited
from routing.problem import RouteProblem
from rules.actions import RecordedRoute

#: Pieces of track between two stops that a walk follows at most.
_LONGEST: Final = 30


def random_runs(
    problem: RouteProblem, trains: Sequence[tuple[str, str]], chance: random.Random, walks: int = 3
) -> tuple[RecordedRoute, ...]:
    """Legal runs for some of the trains (pairs of id and name), as a record tells them, with their revenue: for each
    train the best of a few walks; few find the first, many a good one."""
    chosen: list[tuple[str, Route]] = []
    tokens = sorted(problem.token_stops)
    if not tokens or problem.rules.no_run:
        return ()
    for train, name in trains:
        best: tuple[int, Route] | None = None
        for tried in range(walks):
            found = _legal(problem, [one for _, one in chosen], _walk(problem.position, name, tokens, chance))
            if found is not None and (best is None or found[0] > best[0]):
                best = found
            if best is not None and tried >= walks // 3:
                break
        if best is not None:
            chosen.append((train, best[1]))
    verdict = check(problem, tuple(route for _, route in chosen))
    paid = credited(verdict)
    if sum(paid) <= 0 or min(paid) < 0:
        return ()
    return tuple(
        _recorded(problem.position, train, route, amount) for (train, route), amount in zip(chosen, paid, strict=True)
    )


def _legal(problem: RouteProblem, others: list[Route], route: Route) -> tuple[int, Route] | None:
    """The route, shorter where it must be, with its revenue, if it is legal beside the others and earns something."""
    while route.legs:
        verdict = check(problem, (*others, route))
        if verdict.legal:
            revenue = verdict.routes[-1].revenue
            return (revenue, route) if revenue > 0 else None
        route = Route(route.train, route.legs[:-1])
    return None


def _walk(position: Position, train: str, tokens: Sequence[StopId], chance: random.Random) -> Route:
    """A walk from a token in up to two directions, over no hexside and no stop twice."""
    kind = position.edition.trains[train]
    most = min(8, sum(99 if row.visit is None else row.visit for row in kind.rows))
    stops = [chance.choice(tokens)]
    crossed: set[tuple[HexId, End]] = set()
    legs: list[Leg] = []
    for _ in range(2):
        while len(stops) < most:
            here = stops[-1]
            if len(stops) > 1 and position.blocks(here):
                break
            leg = _step(position, here, crossed, chance)
            if leg is None or leg.end in stops:
                break
            stops.append(leg.end)
            legs.append(leg)
        stops.reverse()
        legs = [leg.reversed() for leg in reversed(legs)]
    return Route(train, tuple(legs))


def _step(position: Position, start: StopId, crossed: set[tuple[HexId, End]], chance: random.Random) -> Leg | None:
    """Track from a stop to the next one, each fork taken by chance."""
    hex_id, end = start.hex, start.part
    pieces: list[TrackPiece] = []
    at: End = end
    for _ in range(_LONGEST):
        ahead = [
            piece
            for piece in position.layout_of[hex_id].track
            if at in (piece.a, piece.b) and (not pieces or pieces[-1] != (hex_id, piece))
        ]
        if not ahead:
            return None
        piece = chance.choice(ahead)
        pieces.append(TrackPiece(hex_id, piece))
        at = piece.other_end(at)
        if isinstance(at, int):
            beyond = position.edition.map.neighbour(hex_id, at)
            if beyond is None or (hex_id, at) in crossed:
                return None
            crossed |= {(hex_id, at), (beyond, opposite(at))}
            hex_id, at = beyond, opposite(at)
        elif not at.startswith("j"):
            return Leg(start, StopId.of(hex_id, at), tuple(pieces))
    return None


def _recorded(position: Position, train: str, route: Route, revenue: int) -> RecordedRoute:
    nodes = []
    for stop in route.stops:
        part = position.layout_of[stop.hex].part(stop.part)
        assert part is not None
        nodes.append(f"{stop.hex}-{part.seq}")
    return RecordedRoute(
        train=train,
        connections=tuple(tuple(str(hex_id) for hex_id in leg.hexes) for leg in route.legs),
        nodes=tuple(nodes),
        hexes=tuple(str(stop.hex) for stop in route.stops),
        revenue=revenue,
        note="-".join(str(stop.hex) for stop in route.stops),
    )
