"""The revenue of one route as named items: which visited stops count, what each adds, and why the others do not.

This is the checker's own reading of the rules; the search has another. Source: COMMON section 9, "Train types".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from typing import Final

from board.hexes import HexId, StopId
from board.routes import Leg, RevenueItem, Route
from board.trains import ANY_STOP, Row, StopKind, TrainType
from bonuses.base import Run
from routing.problem import RouteProblem

#: A route that is longer than its train allows is counted as if it visited no more than so many of its dearest stops.
_MOST_OF_A_LONG_ROUTE: Final = 12

Room = tuple[frozenset[StopKind], int | None]
"""The kinds of stop that one row of a train takes, and how many of them (None: any number)."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A visited stop that adds nothing to the revenue, and why, for people."""

    stop: StopId
    reason: str


@dataclass(frozen=True, slots=True)
class TokenRule:
    """What the rule costs that a train which chooses among its stops must count one with an own token.

    ``stop`` is counted only for its token. The counted stops pay ``pays``, bonuses that depend on them included;
    without the rule others would pay ``without`` (money). Source: COMMON section 9, "Train types"; 1833NE section 9.
    """

    stop: StopId
    without: int
    pays: int


@dataclass(frozen=True, slots=True)
class Count:
    """The count of one route. ``counted`` and ``parts`` are in travel order, one part for each counted stop (money,
    multiplied where the train multiplies)."""

    counted: tuple[StopId, ...]
    parts: tuple[RevenueItem, ...]
    skipped: tuple[Skipped, ...]
    token_rule: TokenRule | None = None

    @property
    def total(self) -> int:
        return sum(part.amount for part in self.parts)


def count(problem: RouteProblem, train: TrainType, visited: Sequence[StopId]) -> Count:
    """The counted stops of a route that visits *visited*, in travel order.

    An illegal route is counted as far as it goes: a stop that does not exist or that was visited before adds nothing,
    and a route beyond the range of a train that counts all it visits is not cut down to a shorter one.
    """
    position = problem.position
    there = [stop for stop in dict.fromkeys(visited) if stop in position.stops]
    visit = _Visit(problem, train, tuple(there))
    payable = [stop for stop in there if _can_pay(train, position.stops[stop].kind)]
    chosen, rule = _chosen(visit, payable)
    payers = visit.payers([stop for stop in there if stop in chosen])
    parts, skipped = [], []
    for stop in dict.fromkeys(visited):
        if stop not in position.stops:
            skipped.append(Skipped(stop, "there is no such stop"))
            continue
        name = position.edition.map.name_of(stop)
        if stop in chosen:
            amount = visit.value(stop) * train.multiplier if stop in payers else 0
            parts.append(RevenueItem(name, amount, stop))
            if stop not in payers:
                skipped.append(Skipped(stop, f"of several stops in {name} only one pays"))
            elif not visit.pays(stop):
                partners = sorted(problem.rules.pays_only_with[stop], key=lambda other: other.sort_key)
                with_one = " or ".join(dict.fromkeys(position.edition.map.name_of(other) for other in partners))
                skipped.append(Skipped(stop, f"{name} pays only on a route that also visits {with_one}"))
            elif not amount:
                skipped.append(Skipped(stop, f"{name} pays nothing in phase {position.phase.name}"))
        elif stop in payable:
            skipped.append(Skipped(stop, f"a {train.name} counts {len(chosen)} of the stops that it visits"))
        else:
            skipped.append(Skipped(stop, f"a {train.name} passes towns without counting them"))
    return Count(tuple(stop for stop in there if stop in chosen), tuple(parts), tuple(skipped), rule)


def _can_pay(train: TrainType, kind: StopKind | None) -> bool:
    return any(kind in row.kinds and row.pay != 0 for row in train.rows)


@dataclass(frozen=True)
class _Visit:
    """The stops that a route visits, each once, and what they are worth together."""

    problem: RouteProblem
    train: TrainType
    stops: tuple[StopId, ...]

    def pays(self, stop: StopId) -> bool:
        """Whether the route meets the condition under which *stop* pays. Source: 1833NE section 3, P6."""
        partners = self.problem.rules.pays_only_with.get(stop)
        return partners is None or not partners.isdisjoint(self.stops)

    def value(self, stop: StopId) -> int:
        """What *stop* pays on this route, before multiplication. Money."""
        return self._values[stop]

    def payers(self, counted: Sequence[StopId]) -> frozenset[StopId]:
        """The stops of *counted* that pay: all, or the dearest (then the first) of each hex where a hex pays once.

        Source: 18GB section 8, "Two stops of one route on the same hex pay once".
        """
        if not self.problem.rules.hex_pays_once:
            return frozenset(counted)
        best: dict[HexId, StopId] = {}
        for stop in counted:
            other = best.get(stop.hex)
            if other is None or self.value(stop) > self.value(other):
                best[stop.hex] = stop
        return frozenset(best.values())

    def worth(self, counted: Sequence[StopId]) -> int:
        """What *counted* pay together, with the bonuses that depend on them. Money."""
        worth = sum(self.value(stop) for stop in self.payers(counted)) * self.train.multiplier
        if self.problem.counted_bonuses:
            run = Run(self.train, self._route, self._values, frozenset(counted))
            worth += sum(item.amount for bonus in self.problem.counted_bonuses for item in bonus.items((run,)))
        return worth

    @cached_property
    def _route(self) -> Route:
        """The stops as a route: bonuses of counted stops do not ask about its track."""
        return Route(self.train.name, tuple(Leg(one, other, ()) for one, other in pairwise(self.stops)))

    @cached_property
    def _values(self) -> dict[StopId, int]:
        position = self.problem.position
        return {stop: position.value(stop) if self.pays(stop) else 0 for stop in self.stops}


def _chosen(visit: _Visit, payable: Sequence[StopId]) -> tuple[frozenset[StopId], TokenRule | None]:
    """Of the largest subsets within the pay allowances that hold an own token, the best-paying one; among equals the
    one with the dearest stops, then the first by name."""
    problem, train = visit.problem, visit.train
    kinds = Counter(_kind(problem, stop) for stop in payable)
    number = most_paid(train, kinds)
    if number == len(payable) or not train.counts_fewer_than_it_visits:
        return frozenset(payable), None
    by_value = sorted(payable, key=lambda stop: (-visit.value(stop), stop.sort_key))
    if len(by_value) > _MOST_OF_A_LONG_ROUTE and not within_range(train, kinds):
        by_value = by_value[:_MOST_OF_A_LONG_ROUTE]
        number = most_paid(train, Counter(_kind(problem, stop) for stop in by_value))
    subsets = [
        subset
        for subset in combinations(by_value, number)
        if most_paid(train, Counter(_kind(problem, stop) for stop in subset)) == number
    ]
    best = max(subsets, key=visit.worth)
    with_token = [subset for subset in subsets if not problem.token_stops.isdisjoint(subset)]
    if not with_token:
        return frozenset(best), None
    right = max(with_token, key=visit.worth)
    if visit.worth(right) == visit.worth(best):
        return frozenset(right), None
    owed = next(stop for stop in right if stop in problem.token_stops)
    return frozenset(right), TokenRule(owed, visit.worth(best), visit.worth(right))


def _kind(problem: RouteProblem, stop: StopId) -> StopKind:
    kind = problem.position.stops[stop].kind
    assert kind is not None  # junctions are no stops
    return kind


def most_paid(train: TrainType, kinds: Counter[StopKind]) -> int:
    """How many of the stops, given by kind, the train can count at once."""
    return _most_placed(_numbers(kinds), tuple((row.kinds, row.pay) for row in train.rows))


def within_range(train: TrainType, kinds: Counter[StopKind]) -> bool:
    """Whether every visited stop, given by kind, finds a place in a row of the train."""
    return _most_placed(_numbers(kinds), tuple((row.kinds, row.visit) for row in train.rows)) == kinds.total()


def _numbers(kinds: Counter[StopKind]) -> tuple[tuple[StopKind, int], ...]:
    return tuple((kind, kinds[kind]) for kind in StopKind if kinds[kind])


@lru_cache(maxsize=4096)
def _most_placed(numbers: tuple[tuple[StopKind, int], ...], rooms: tuple[Room, ...]) -> int:
    """The most stops that find a place, every way of sharing the first kind out among the rows tried."""
    if not numbers:
        return 0
    (kind, number), *rest = numbers
    most = 0
    for shares in _shares(kind, number, rooms):
        left = tuple(
            (kinds, None if room is None else room - share) for (kinds, room), share in zip(rooms, shares, strict=True)
        )
        most = max(most, sum(shares) + _most_placed(tuple(rest), left))
    return most


def _shares(kind: StopKind, number: int, rooms: tuple[Room, ...]) -> Iterable[tuple[int, ...]]:
    """Every way to put up to *number* stops of a kind into the rows that take it."""
    if not rooms:
        yield ()
        return
    kinds, room = rooms[0]
    most = 0 if kind not in kinds else number if room is None else min(number, room)
    least = most if room is None else 0
    for share in range(least, most + 1):
        for others in _shares(kind, number - share, rooms[1:]):
            yield (share, *others)


def range_of(train: TrainType) -> str:
    """What the train may visit: ``4 stops and 2 towns``, ``6 cities or off-boards and any number of towns``."""
    return " and ".join(
        f"{row.visit} {_names(row.kinds, row.visit)}"
        if row.visit is not None
        else f"any number of {_names(row.kinds, None)}"
        for row in sorted(train.rows, key=lambda row: -len(row.kinds))
    )


def range_used(train: TrainType, kinds: Counter[StopKind]) -> str:
    """Which part of its range a route used, row by row: ``5 of 6 cities or off-boards, 2 towns free``.

    Stops that fit fewer rows are placed first, each in the row that takes the fewest kinds and still has room.
    """
    return _range_used(train, _numbers(kinds))


@lru_cache(maxsize=4096)
def _range_used(train: TrainType, numbers: tuple[tuple[StopKind, int], ...]) -> str:
    rows = sorted(train.rows, key=lambda row: len(row.kinds))
    used = [0] * len(rows)
    kinds = Counter(dict(numbers))
    for kind in sorted(kinds.elements(), key=lambda kind: (sum(kind in row.kinds for row in rows), kind.value)):
        open_rows = [place for place, row in enumerate(rows) if kind in row.kinds]
        with_room = [place for place in open_rows if (room := rows[place].visit) is None or used[place] < room]
        if open_rows:
            used[(with_room or open_rows)[0]] += 1
    return ", ".join(_row_used(row, used[place]) for place, row in reversed(tuple(enumerate(rows))))


def _row_used(row: Row, used: int) -> str:
    if row.visit is None:
        return f"{used} {_names(row.kinds, used)}{' free' if row.pay == 0 or len(row.kinds) < len(ANY_STOP) else ''}"
    counted = f" visited, {min(used, row.pay)} counted" if row.pay is not None and row.pay != row.visit else ""
    return f"{used} of {row.visit} {_names(row.kinds, row.visit)}{counted}"


def _names(kinds: frozenset[StopKind], number: int | None) -> str:
    plural = number != 1
    if kinds == ANY_STOP:
        return "stops" if plural else "stop"
    words = {
        StopKind.CITY: ("city", "cities"),
        StopKind.TOWN: ("town", "towns"),
        StopKind.OFF_BOARD: ("off-board", "off-boards"),
    }
    return " or ".join(words[kind][plural] for kind in StopKind if kind in kinds)


def visited_in_words(kinds: Counter[StopKind]) -> str:
    """``3 cities, 1 town``."""
    return ", ".join(f"{kinds[kind]} {_names(frozenset({kind}), kinds[kind])}" for kind in StopKind if kinds[kind])
