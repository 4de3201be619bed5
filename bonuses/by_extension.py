"""Bonuses by an extension beyond the route: 1833NE's interconnections.

A route may be prolonged from either end beyond the train's range, over track that no route of the company uses and
even through blocking cities, to reach the partner of a place that it visits. The stops of the extension count for
nothing. Source: 1833NE section 9, "Interconnection bonus".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from board.hexes import StopId
from board.trains import TrainType
from bonuses.base import BonusItem, KnownBonus, Run
from bonuses.terms import Reach, Term


@dataclass(frozen=True)
class InterconnectionBonus(KnownBonus):
    """``amount`` for each route that visits a stop of ``one`` and whose extension ends at a stop of ``other``, or the
    other way round. A route that visits both places has the direct connection and earns nothing here. The checker of
    routes says whether an extension is legal."""

    label: str
    one: frozenset[StopId]
    other: frozenset[StopId]
    amount: int
    source: str

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        found = []
        for place, run in enumerate(runs):
            visited = frozenset(run.stops)
            if self.one & visited and self.other & visited:
                continue
            ends = {extension[-1].end for extension in run.route.extensions if extension}
            reached = (self.other & ends if self.one & visited else frozenset()) or (
                self.one & ends if self.other & visited else frozenset()
            )
            if reached and self.amount:
                found.append(BonusItem(self.label, self.amount, (place,), str(min(reached))))
        return tuple(found)

    def at_most(self, trains: Sequence[TrainType]) -> int:
        return max(0, self.amount) * len(trains)

    def terms(self) -> tuple[Term, ...]:
        return (Reach(self.one, self.other, self.amount),) if self.amount else ()
