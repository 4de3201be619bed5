"""Why not more? What limits the best runs, found by solving the question again with one limit lifted at a time.

A *relaxation* lifts one limit: a kind of train visits one stop (or one town) more; a city full of other companies'
tokens is opened; track may be used by several trains; the company has a token more in a city within reach. What the
best then earns more than before is what the limit costs. The gains of two relaxations do not add up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from board.hexes import HexId, StopId
from board.position import Position
from board.routes import RouteSet
from board.trains import Row, StopKind, TrainType
from routing.checker import check
from routing.explore import explore
from routing.problem import RouteProblem
from routing.result import Result
from routing.solve import solve

#: Kinds of limits.
LENGTH, BLOCKED, TRACK, TOKEN = "train length", "blocked city", "shared track", "token"
#: Seconds for all relaxations of one position where the caller does not tell.
TIME_LIMIT: Final = 20.0

#: Adds what only the title knows to a changed position.
Rebuild = Callable[[Position], RouteProblem]


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that costs money: ``kind`` of it, ``what`` lifting it means in words, the stops or hexes ``where`` it
    lies, the money that lifting it would add (``gain``), and whether that is exact (else it is the least)."""

    kind: str
    what: str
    where: tuple[str, ...]
    gain: int
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits that cost money, the dearest first. ``tried`` relaxations were solved; ``left`` were not for lack of
    time."""

    found: tuple[Limit, ...]
    tried: int
    left: int = 0


def limits_of(problem: RouteProblem, best: Result, rebuild: Rebuild, *, time_limit: float = TIME_LIMIT) -> Limits:
    """What keeps the best runs of the position from earning more. ``time_limit`` is in seconds for all of it."""
    deadline = time.perf_counter() + time_limit
    found: list[Limit] = []
    tried = left = 0
    if problem.rules.no_run or not problem.position.trains:
        return Limits((), 0)
    for kind, what, where, relaxed in _relaxations(problem, rebuild):
        remaining = deadline - time.perf_counter()
        if remaining <= 0:
            left += 1
            continue
        tried += 1
        result = solve(relaxed, time_limit=remaining)
        if result.revenue > best.revenue:
            found.append(Limit(kind, what, where, result.revenue - best.revenue, result.proven and best.proven))
    remaining = deadline - time.perf_counter()
    if len(problem.position.trains) > 1:
        if remaining > 0:
            tried += 1
            found += _shared_track(problem, best, remaining)
        else:
            left += 1
    return Limits(tuple(sorted(found, key=lambda one: (-one.gain, one.kind, one.what))), tried, left)


_Relaxation = tuple[str, str, tuple[str, ...], RouteProblem]


def _relaxations(problem: RouteProblem, rebuild: Rebuild) -> Iterator[_Relaxation]:
    position = problem.position
    for name in dict.fromkeys(position.trains):
        number = position.trains.count(name)
        subject = f"the {name}" if number == 1 else f"each of the {number} trains {name}"
        for longer, extra in _longer(position.edition.trains[name]):
            yield LENGTH, f"{subject} with one more {extra}", (name,), _with_train(problem, longer)
    reached = explore(problem).stops
    for stop in reached:
        if position.blocks(stop):
            yield BLOCKED, f"{_called(position, stop)} open to run through", (stop,), rebuild(_opened(position, stop))
        elif tokened := _tokened(position, stop):
            yield TOKEN, f"a token in {_called(position, stop)}", (stop,), rebuild(tokened)


def _longer(train: TrainType) -> Iterator[tuple[TrainType, str]]:
    """The train with one more in each of its limited allowances, and what there is one more of."""
    for place, row in enumerate(train.rows):
        if row.visit is None or row.pay == 0:
            continue
        more = Row(row.kinds, row.visit + 1, None if row.pay is None else row.pay + 1, row.multiplier)
        rows = (*train.rows[:place], more, *train.rows[place + 1 :])
        yield TrainType(train.name, rows), "town" if row.kinds == {StopKind.TOWN} else "stop"


def _with_train(problem: RouteProblem, train: TrainType) -> RouteProblem:
    """The question with another range for a kind of train. Bonuses know trains by their names alone."""
    edition = problem.position.edition
    changed = replace(edition, trains={**edition.trains, train.name: train})
    return replace(problem, position=replace(problem.position, edition=changed))


def _opened(position: Position, stop: StopId) -> Position:
    """The position with one slot of the city free."""
    tokens = list(position.tokens_in(stop))
    filled = [place for place, token in enumerate(tokens) if token is not None]
    slots = position.stops[stop].slots
    while len(filled) >= slots:
        tokens[filled.pop()] = None
    return _with_tokens(position, stop, tokens)


def _tokened(position: Position, stop: StopId) -> Position | None:
    """The position with a token of the operator in a free slot of the city; None where it has one or there is none."""
    part, tokens = position.stops[stop], list(position.tokens_in(stop))
    if part.kind is not StopKind.CITY or part.slots <= sum(token is not None for token in tokens):
        return None
    if any(position.operator in held for held in position.tokens.get(stop.hex, {}).values()):
        return None
    if None in tokens:
        tokens[tokens.index(None)] = position.operator
    else:
        tokens.append(position.operator)
    return _with_tokens(position, stop, tokens)


def _with_tokens(position: Position, stop: StopId, tokens: list[str | None]) -> Position:
    cities = {**position.tokens.get(stop.hex, {}), stop.part: tuple(tokens)}
    return position.with_changes(tokens={**position.tokens, stop.hex: cities})


def _shared_track(problem: RouteProblem, best: Result, seconds: float) -> list[Limit]:
    """What would be earned if trains did not share track: each train runs its own best, alone or beside the others of
    the best set. Joint bonuses of such a set are counted, but not searched for, so the gain may be the least."""
    deadline = time.perf_counter() + seconds
    alone: dict[str, RouteSet] = {}
    for train in dict.fromkeys(problem.position.trains):
        left = max(0.05, deadline - time.perf_counter())
        alone[train] = solve(problem.with_trains((train,)), time_limit=left).routes
    sets: list[RouteSet] = [tuple(route for train in problem.position.trains for route in alone[train])]
    for place, route in enumerate(best.routes):
        sets.append((*best.routes[:place], *alone[route.train], *best.routes[place + 1 :]))
    sets += [(*best.routes, *alone[train]) for train in dict.fromkeys(best.idle)]
    dearest = max(sets, key=lambda routes: check(problem, routes).revenue)
    gain = check(problem, dearest).revenue - best.revenue
    hexes = _used_twice(dearest)
    if gain <= 0 or not hexes:
        return []
    exact = not problem.bonuses and best.proven
    where = tuple(hexes)
    return [Limit(TRACK, f"track used by several trains ({', '.join(where)})", where, gain, exact)]


def _used_twice(routes: RouteSet) -> tuple[HexId, ...]:
    """The hexes in which several routes need the same track, or hexes that both run through."""
    found: dict[HexId, None] = {}
    for one, other in combinations(routes, 2):
        shared = set(one.pieces) & set(other.pieces)
        hexes = {piece.hex for piece in shared} or set(one.hexes) & set(other.hexes)
        found |= dict.fromkeys(hex_id for hex_id in one.hexes if hex_id in hexes)
    return tuple(found)


def _called(position: Position, stop: StopId) -> str:
    name = position.edition.map.names.get(stop.hex, "")
    place = str(stop.hex) if position.stops_on(stop.hex) == (stop,) else str(stop)
    return f"{place} {name}".strip()
