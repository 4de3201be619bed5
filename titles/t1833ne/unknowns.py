"""What 1833NE's bonuses cannot tell: sentences about amounts that nobody has supplied.

These earn nothing; they only say where a run touches a bonus that exists, or may exist, on the printed table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from board.hexes import HexId, StopId
from board.trains import TrainType
from bonuses.base import BonusItem, Run
from bonuses.terms import Term
from titles.t1833ne.bonus_table import Pair


class Earnless:
    """A bonus without amounts, for what :meth:`unknown` says."""

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        return ()

    def at_most(self, trains: Sequence[TrainType]) -> int:
        return 0

    def terms(self) -> tuple[Term, ...]:
        return ()


@dataclass(frozen=True)
class OpenPairs(Earnless):
    """Direct connections between ``places`` (hex to its name and stops) whose amount in ``phase`` is not known.
    ``certain`` are those that are known to earn something."""

    pairs: tuple[Pair, ...]
    certain: frozenset[Pair]
    places: Mapping[HexId, tuple[str, frozenset[StopId]]]
    phase: str
    source: str

    def unknown(self, runs: Sequence[Run]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for run in runs:
            visited = {hex_id for hex_id, (_, stops) in self.places.items() if stops.intersection(run.stops)}
            for pair in self.pairs:
                if pair <= visited:
                    found[self._sentence(pair)] = None
        return tuple(found)

    def _sentence(self, pair: Pair) -> str:
        names = " and ".join(name for hex_id, (name, _) in self.places.items() if hex_id in pair)
        if pair in self.certain:
            return f"What joining {names} earns in phase {self.phase} is not known, so nothing is counted for it."
        return (
            f"Whether joining {names} earns a bonus in phase {self.phase} is not known, so nothing is counted for it."
        )


@dataclass(frozen=True)
class OpenAtPlaces(Earnless):
    """A sentence for any run that visits a stop of every group of ``groups``; for any run at all without groups.
    ``without``: it does not apply to runs that visit one of these."""

    sentence: str
    groups: tuple[frozenset[StopId], ...]
    source: str
    without: frozenset[StopId] = frozenset()
    only_extended: bool = False

    def unknown(self, runs: Sequence[Run]) -> tuple[str, ...]:
        if any(self._applies(run) for run in runs):
            return (self.sentence,)
        return ()

    def _applies(self, run: Run) -> bool:
        return (
            all(group.intersection(run.stops) for group in self.groups)
            and not self.without.intersection(run.stops)
            and (bool(run.route.extensions) or not self.only_extended)
        )
