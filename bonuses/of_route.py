"""Bonuses of a route as a whole: the highest other stop, and the distance between its ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from board.hexes import Layout, StopId
from board.trains import TrainType
from bonuses.base import BonusItem, KnownBonus, Run
from bonuses.terms import Distance, Highest, Term


@dataclass(frozen=True)
class HighestStopBonus(KnownBonus):
    """A route that visits one of ``trigger`` adds the largest of ``values`` among its visited stops.

    ``values`` holds the stops that may be copied at their value (money); stops without an entry count 0.
    """

    label: str
    trigger: frozenset[StopId]
    values: Mapping[StopId, int]
    source: str

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        found = []
        for place, run in enumerate(runs):
            if self.trigger.intersection(run.stops):
                copied = max(run.stops, key=lambda stop: self.values.get(stop, 0))
                if amount := self.values.get(copied, 0):
                    found.append(BonusItem(self.label, amount, (place,), str(copied)))
        return tuple(found)

    def at_most(self, trains: Sequence[TrainType]) -> int:
        return max(self.values.values(), default=0) * len(trains)

    def terms(self) -> tuple[Term, ...]:
        return (Highest(self.trigger, self.values),)


@dataclass(frozen=True)
class DistanceBonus(KnownBonus):
    """Money for the straight-line distance between the ends of a route (18GB's X-trains).

    The ends are the first and last visited stop among ``stops``. ``per_hex`` is money a hex.
    """

    label: str
    trains: frozenset[str]
    per_hex: int
    stops: frozenset[StopId]
    layout: Layout
    source: str

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        found = []
        for place, run in enumerate(runs):
            ends = [stop for stop in run.stops if stop in self.stops]
            if run.train.name in self.trains and len(ends) > 1:
                hexes = self.layout.distance(ends[0].hex, ends[-1].hex)
                if hexes:
                    found.append(
                        BonusItem(
                            f"{self.label} {hexes} hexes",
                            self.per_hex * hexes,
                            (place,),
                            f"{ends[0].hex}-{ends[-1].hex}",
                        )
                    )
        return tuple(found)

    def at_most(self, trains: Sequence[TrainType]) -> int:
        hexes = {stop.hex for stop in self.stops}
        longest = max((self.layout.distance(one, other) for one in hexes for other in hexes), default=0)
        return self.per_hex * longest * sum(train.name in self.trains for train in trains)

    def terms(self) -> tuple[Term, ...]:
        return (Distance(self.trains, self.per_hex, self.stops, self.layout),)
