"""Bonuses of several routes together: 18GB's compass bonuses over sets of connected routes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from board.hexes import StopId
from board.trains import TrainType
from bonuses.base import BonusItem, KnownBonus, Run
from bonuses.terms import Axis, Joint, Term, hexes_of


@dataclass(frozen=True)
class JointBonus(KnownBonus):
    """Routes are parted into connected sets; each set whose hexes touch both directions of an axis earns it once.

    Two routes are joined by a stop that both visit, off-board areas (``apart``) not counting. The partition with the
    greatest total is used; among equals the one with most sets. ``once_per_connected_group`` is the older reading: all
    connected routes form one set, whatever it pays. Source: 18GB section 8, "Compass"; its difference 9.
    """

    axes: tuple[Axis, ...]
    apart: frozenset[StopId]
    source: str
    once_per_connected_group: bool = False

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        if not runs:
            return ()
        joined = self._joined(runs)
        reached = [frozenset(run.route.hexes) for run in runs]
        if self.once_per_connected_group:
            return self._earned(tuple(_components(frozenset(range(len(runs))), joined)), reached)
        parted = (
            self._earned(partition, reached)
            for partition in _partitions(tuple(range(len(runs))))
            if all(_connected(part, joined) for part in partition)
        )
        return max(parted, key=lambda items: sum(item.amount for item in items))

    def _joined(self, runs: Sequence[Run]) -> tuple[frozenset[int], ...]:
        """For each route the others that share a joining stop with it."""
        stops = [frozenset(run.stops) - self.apart for run in runs]
        return tuple(
            frozenset(other for other in range(len(runs)) if other != one and stops[one] & stops[other])
            for one in range(len(runs))
        )

    def _earned(self, partition: Sequence[frozenset[int]], reached: Sequence[frozenset[str]]) -> tuple[BonusItem, ...]:
        found = []
        for part in partition:
            hexes = frozenset().union(*(reached[place] for place in part))
            for axis in self.axes:
                if axis.amount and hexes_of(axis.one) & hexes and hexes_of(axis.other) & hexes:
                    found.append(BonusItem(axis.label, axis.amount, tuple(sorted(part))))
        return tuple(found)

    def at_most(self, trains: Sequence[TrainType]) -> int:
        return sum(axis.amount for axis in self.axes) * len(trains)

    def terms(self) -> tuple[Term, ...]:
        return (Joint(self.axes, self.apart, self.once_per_connected_group),)


def _partitions(places: tuple[int, ...]) -> Iterator[tuple[frozenset[int], ...]]:
    """Every way to part *places* into sets; the finest comes first, so that equals are parted most."""
    if not places:
        yield ()
        return
    first, rest = places[0], places[1:]
    for partition in _partitions(rest):
        yield (frozenset({first}), *partition)
        for number, part in enumerate(partition):
            yield (*partition[:number], part | {first}, *partition[number + 1 :])


def _connected(part: frozenset[int], joined: Sequence[frozenset[int]]) -> bool:
    return len(tuple(_components(part, joined))) == 1


def _components(part: frozenset[int], joined: Sequence[frozenset[int]]) -> Iterator[frozenset[int]]:
    left = set(part)
    while left:
        group, pending = set(), [min(left)]
        while pending:
            place = pending.pop()
            if place in left:
                left.discard(place)
                group.add(place)
                pending.extend(joined[place] & left)
        yield frozenset(group)
