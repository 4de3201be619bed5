"""Wrong claims made from right ones, each with the code under which it has to be refused.

The generator follows track over the raw tiles with a walker of its own and counts ranges, blocking cities and amounts
from the facts of the position. It shares nothing with the checker, the claims or the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from board.hexes import HexId, StopId, opposite
from board.position import Position
from board.routes import ClaimedRoute
from board.tiles import End
from board.trains import StopKind

#: Chains of track from one stop that are followed; a board with more gives no mutants there.
MOST_CHAINS: Final = 2_000
KINDS: Final = ("swapped stop", "track reused", "blocked city", "too long", "bonus twice", "wrong total")


@dataclass(frozen=True)
class Mutant:
    """A wrong claim: what was done to it, its routes and total (money), and the code that must be among its faults."""

    kind: str
    claimed: tuple[ClaimedRoute, ...]
    total: int | None
    code: str


def bare(claimed: Sequence[ClaimedRoute]) -> tuple[ClaimedRoute, ...]:
    """The claim by its stops alone."""
    return tuple(ClaimedRoute(claim.train, claim.stops) for claim in claimed)


class Board:
    """The track of a position as the generator sees it: for each stop how many chains lead to which others."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._chains: dict[StopId, dict[StopId, int] | None] = {}

    def next_to(self, stop: StopId) -> dict[StopId, int]:
        """Stops to which track leads without a stop between, with the number of chains; empty where there are too
        many."""
        if stop not in self._chains:
            found: dict[StopId, int] = {}
            number = 0
            for end in self._walk(stop):
                number += 1
                if number > MOST_CHAINS:
                    found = {}
                    break
                found[end] = found.get(end, 0) + 1
            self._chains[stop] = found if number <= MOST_CHAINS else None
        return self._chains[stop] or {}

    def is_known(self, stop: StopId) -> bool:
        """Whether all chains of the stop were followed."""
        self.next_to(stop)
        return self._chains[stop] is not None

    def _walk(self, stop: StopId) -> Iterator[StopId]:
        stack: list[tuple[HexId, End, frozenset[tuple[HexId, object]]]] = []
        stack.append((stop.hex, stop.part, frozenset()))
        while stack:
            hex_id, at, seen = stack.pop()
            for place, piece in enumerate(self.position.layout_of[hex_id].track):
                if at not in (piece.a, piece.b) or (hex_id, place) in seen:
                    continue
                end = piece.b if piece.a == at else piece.a
                used = seen | {(hex_id, place)}
                if isinstance(end, int):
                    beyond = self.position.edition.map.neighbour(hex_id, end)
                    crossing = (hex_id, f"side {end}")
                    if beyond is None or crossing in seen or (beyond, f"side {opposite(end)}") in seen:
                        continue
                    used |= {crossing, (beyond, f"side {opposite(end)}")}
                    stack.append((beyond, opposite(end), used))
                elif end.startswith("j"):
                    if (hex_id, end) not in seen:
                        stack.append((hex_id, end, used | {(hex_id, end)}))
                else:
                    yield StopId.of(hex_id, end)

    def is_full(self, stop: StopId) -> bool:
        """Whether the city is full of tokens of others. Source: COMMON section 8."""
        part, tokens = self.position.stops[stop], self.position.tokens_in(stop)
        held = [token for token in tokens if token is not None]
        return (
            part.kind is StopKind.CITY
            and part.slots > 0
            and len(held) >= part.slots
            and self.position.operator not in held
        )

    def most_stops(self, train: str) -> tuple[int | None, frozenset[StopKind]]:
        """How many stops of which kinds the train may visit in all; None: no limit. Rows without limit take the stops
        of their kinds out of the count."""
        rows = self.position.edition.trains[train].rows
        free = frozenset(kind for row in rows if row.visit is None for kind in row.kinds)
        counted = frozenset(StopKind) - free
        visits = [row.visit for row in rows if row.visit is not None and row.kinds & counted]
        return (sum(visits) if counted else None), counted


def mutants(
    position: Position, claimed: Sequence[ClaimedRoute], total: int | None, bonuses: Sequence[int], random: Random
) -> Iterator[Mutant]:
    """One mutant of each kind that the position allows. *claimed* are legal routes with the right amounts, *total* is
    their sum, *bonuses* amounts (money) that the first route earns beyond its stops."""
    board = Board(position)
    makers = (_swapped, _reused, _blocked, _too_long)
    for kind, make in zip(KINDS, makers, strict=False):
        found = list(make(board, bare(claimed)))
        if found:
            code, routes = random.choice(found)
            yield Mutant(kind, routes, None, code)
    if total is not None and claimed:
        bonus = next((amount for amount in bonuses if amount > 0), None)
        if bonus is not None:
            first = replace(claimed[0], connections=(), revenue=(claimed[0].revenue or 0) + bonus)
            others = tuple(replace(claim, connections=()) for claim in claimed[1:])
            yield Mutant("bonus twice", (first, *others), None, "bonus-twice")
        yield Mutant("wrong total", bare(claimed), total + random.choice((-10, -5, 5, 1, -1)), "wrong-total")


def bonus_of(position: Position, claim: ClaimedRoute) -> int:
    """What a route earns beyond its stops (money), where the train counts each stop that it visits once; else 0."""
    rows = position.edition.trains[claim.train].rows
    plain = all(row.multiplier == 1 and row.pay == row.visit for row in rows)
    if not plain or claim.revenue is None or len({stop.hex for stop in claim.stops}) < len(claim.stops):
        return 0
    return claim.revenue - sum(position.value(stop) for stop in claim.stops)


_Made = Iterator[tuple[str, tuple[ClaimedRoute, ...]]]


def _with(claimed: tuple[ClaimedRoute, ...], place: int, stops: tuple[StopId, ...]) -> tuple[ClaimedRoute, ...]:
    changed = replace(claimed[place], stops=stops)
    return (*claimed[:place], changed, *claimed[place + 1 :])


def _swapped(board: Board, claimed: tuple[ClaimedRoute, ...]) -> _Made:
    """A stop exchanged for one to which no track leads from its neighbour."""
    others = sorted(board.position.stops)
    for place, claim in enumerate(claimed):
        for at in range(1, len(claim.stops)):
            before = claim.stops[at - 1]
            if not board.is_known(before):
                continue
            for other in others[:: max(1, len(others) // 6)]:
                if other not in claim.stops and other not in board.next_to(before):
                    yield "no-track", _with(claimed, place, (*claim.stops[:at], other, *claim.stops[at + 1 :]))


def _reused(board: Board, claimed: tuple[ClaimedRoute, ...]) -> _Made:
    """Another route of the set runs between two stops of the first that a single chain of track joins."""
    for place, claim in enumerate(claimed):
        for one, other in zip(claim.stops, claim.stops[1:], strict=False):
            if board.is_known(one) and board.next_to(one).get(other) == 1:
                for second in range(len(claimed)):
                    if second != place:
                        yield "track-twice", _with(claimed, second, (one, other))


def _blocked(board: Board, claimed: tuple[ClaimedRoute, ...]) -> _Made:
    """A route that ends in a city full of other tokens runs on to the next stop behind it."""
    for place, claim in enumerate(claimed):
        for stops in (claim.stops, claim.stops[::-1]):
            if stops and board.is_full(stops[-1]):
                for beyond in board.next_to(stops[-1]):
                    if beyond not in stops:
                        yield "runs-through-blocked", _with(claimed, place, (*stops, beyond))
            for at in range(1, len(stops)):  # or turns aside into one
                for full in board.next_to(stops[at - 1]):
                    if full not in stops and board.is_full(full):
                        for beyond in board.next_to(full):
                            if beyond not in stops[:at]:
                                yield "runs-through-blocked", _with(claimed, place, (*stops[:at], full, beyond))


def _too_long(board: Board, claimed: tuple[ClaimedRoute, ...]) -> _Made:
    """A route goes on from stop to stop until its train has no place left for another one."""
    for place, claim in enumerate(claimed):
        most, kinds = board.most_stops(claim.train)
        if most is None:
            continue
        for start in (claim.stops, claim.stops[::-1]):
            stops = start
            while sum(board.position.stops[stop].kind in kinds for stop in stops) <= most:
                onward = [stop for stop in board.next_to(stops[-1]) if stop not in stops] if stops else []
                if not onward:
                    break
                stops = (*stops, min(onward))
            else:
                yield "too-long", _with(claimed, place, stops)
