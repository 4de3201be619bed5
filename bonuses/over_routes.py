"""Bonuses of several routes together: for sets of connected routes (18GB's compass) and for the longest one (1846's
mail)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from board.hexes import HexId, StopId
from board.trains import TrainType
from bonuses.base import BonusItem, KnownBonus, Run
from bonuses.terms import Axis, Joint, MostStops, Term

Routes = int
"""A set of routes as a number: bit n stands for the route at place n."""


@dataclass(frozen=True)
class JointBonus(KnownBonus):
    """Routes are parted into connected sets; each set whose hexes touch both directions of an axis earns it once.

    Two routes are joined by a stop that both visit, off-board areas (``apart``) not counting. The partition with the
    greatest total is used; among equals one with most sets. ``once_per_connected_group`` is the older reading: all
    connected routes form one set, whatever it pays. Source: 18GB section 8, "Compass"; its difference 9.
    """

    axes: tuple[Axis, ...]
    apart: frozenset[StopId]
    source: str
    once_per_connected_group: bool = False

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        reached = [frozenset(run.route.hexes) for run in runs]
        if not self._earned(frozenset().union(*reached)):
            return ()
        joined = self._joined(runs)
        if self.once_per_connected_group:
            sets = _wholes(joined)
        else:
            sets = _best_packing(self._earning_sets(joined, reached), len(runs))
        found = []
        for routes in sorted(sets, key=_places):
            hexes = frozenset().union(*(reached[place] for place in _places(routes)))
            found += [BonusItem(axis.label, axis.amount, _places(routes)) for axis in self._earned(hexes)]
        return tuple(found)

    def _earned(self, hexes: frozenset[HexId]) -> tuple[Axis, ...]:
        """The axes of which *hexes* touch both directions."""
        return tuple(
            axis
            for axis in self.axes
            if axis.amount and not axis.one.isdisjoint(hexes) and not axis.other.isdisjoint(hexes)
        )

    def _joined(self, runs: Sequence[Run]) -> tuple[Routes, ...]:
        """For each route the others that share a joining stop with it."""
        stops = [frozenset(run.stops) - self.apart for run in runs]
        return tuple(
            sum(1 << other for other in range(len(runs)) if other != one and not stops[one].isdisjoint(stops[other]))
            for one in range(len(runs))
        )

    def _earning_sets(self, joined: Sequence[Routes], reached: Sequence[frozenset[HexId]]) -> Mapping[Routes, int]:
        """The connected sets that earn money, with the amount; those left out that hold a smaller one which earns as
        much."""
        earning: dict[Routes, int] = {}
        for routes in sorted(range(1, 1 << len(joined)), key=int.bit_count):
            hexes = frozenset().union(*(reached[place] for place in _places(routes)))
            amount = sum(axis.amount for axis in self._earned(hexes))
            within = max((earning[smaller] for smaller in earning if smaller & routes == smaller), default=0)
            if amount > within and _whole(routes, joined) == routes:
                earning[routes] = amount
        return earning

    def at_most(self, trains: Sequence[TrainType]) -> int:
        return sum(axis.amount for axis in self.axes) * len(trains)

    def terms(self) -> tuple[Term, ...]:
        return (Joint(self.axes, self.apart, self.once_per_connected_group),)


@dataclass(frozen=True)
class MostStopsBonus(KnownBonus):
    """Once a turn: the route that visits most of ``stops`` adds ``per_stop`` (money) for each of them that it visits,
    whether it counts the stop or not. Among equals the last route. Source: 1846 section 12, "Mail"."""

    label: str
    per_stop: int
    stops: frozenset[StopId]
    source: str

    def __post_init__(self) -> None:
        if self.per_stop < 0:
            raise ValueError(f"{self.label}: this bonus cannot be a loss")

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        visited = [len(self.stops.intersection(run.stops)) for run in runs]
        most = max(visited, default=0)
        if not most * self.per_stop:
            return ()
        place = max(place for place, number in enumerate(visited) if number == most)
        return (BonusItem(f"{self.label} {most} stops", most * self.per_stop, (place,)),)

    def at_most(self, trains: Sequence[TrainType]) -> int:
        return self.per_stop * max((min(_range(train), len(self.stops)) for train in trains), default=0)

    def terms(self) -> tuple[Term, ...]:
        return (MostStops(self.per_stop, self.stops),) if self.per_stop else ()


def _range(train: TrainType) -> int:
    """How many stops the train may visit at most."""
    places = 0
    for row in train.rows:
        if row.visit is None:
            return sys.maxsize
        places += row.visit
    return places


@lru_cache(maxsize=4096)
def _places(routes: Routes) -> tuple[int, ...]:
    return tuple(place for place in range(routes.bit_length()) if routes >> place & 1)


def _whole(routes: Routes, joined: Sequence[Routes]) -> Routes:
    """The routes of the set that hang together with its first one."""
    found, pending = 0, routes & -routes
    while pending:
        found |= pending
        neighbours = 0
        for place in _places(pending):
            neighbours |= joined[place]
        pending = neighbours & routes & ~found
    return found


def _wholes(joined: Sequence[Routes]) -> tuple[Routes, ...]:
    """All routes parted into connected wholes."""
    left, wholes = (1 << len(joined)) - 1, []
    while left:
        wholes.append(_whole(left, joined))
        left &= ~wholes[-1]
    return tuple(wholes)


def _best_packing(earning: Mapping[Routes, int], number: int) -> tuple[Routes, ...]:
    """Sets without a common route that earn most together, among equals those with fewest routes: every other route is
    a set of its own."""
    known: dict[Routes, tuple[int, int, tuple[Routes, ...]]] = {0: (0, 0, ())}

    def best(left: Routes) -> tuple[int, int, tuple[Routes, ...]]:
        if left not in known:
            first = left & -left
            choices = [best(left & ~first)]
            for routes, amount in earning.items():
                if routes & first and routes & left == routes:
                    total, merged, sets = best(left & ~routes)
                    choices.append((total + amount, merged + 1 - routes.bit_count(), (routes, *sets)))
            known[left] = max(choices, key=lambda choice: choice[:2])
        return known[left]

    return best((1 << number) - 1)[2]
