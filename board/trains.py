"""Trains: which stops a route may visit, which it counts, and what it multiplies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class StopKind(Enum):
    """The three kinds of revenue centre."""

    CITY = "city"
    TOWN = "town"
    OFF_BOARD = "offboard"

    # members are single objects; the hash of Enum is a call of Python for each
    __hash__ = object.__hash__


ANY_STOP = frozenset(StopKind)


@dataclass(frozen=True, slots=True)
class Row:
    """One allowance of a train: stops of ``kinds``, at most ``visit`` visited and ``pay`` counted (None: no limit)."""

    kinds: frozenset[StopKind]
    visit: int | None
    pay: int | None
    multiplier: int = 1


@dataclass(frozen=True, slots=True)
class TrainType:
    """A kind of train as the rules of its title print it.

    Every visited stop takes a place in one row; stops that fit fewer rows are placed first. The counted stops are a
    largest subset within the ``pay`` allowances that holds an own token where the train counts fewer stops than it
    visits; among these the best-paying one. Source: COMMON section 9, "Train types".

    ``distance_bonus`` marks trains that earn money for the distance between their ends (18GB X-trains).
    """

    name: str
    rows: tuple[Row, ...]

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def multiplier(self) -> int:
        return self.rows[0].multiplier

    @property
    def counts_fewer_than_it_visits(self) -> bool:
        """Whether a choice of counted stops exists (N/M trains): then one counted stop must hold an own token."""
        return any(row.pay is not None and row.pay not in (0, row.visit) for row in self.rows)

    def can_visit(self, cities: int, towns: int, off_boards: int) -> bool:
        """Whether a route with that many stops of each kind is within the range of this train."""
        counts = {StopKind.CITY: cities, StopKind.TOWN: towns, StopKind.OFF_BOARD: off_boards}
        return _fits(counts, [(row.kinds, row.visit) for row in self.rows])

    def pays_for(self, kind: StopKind) -> bool:
        """Whether a stop of *kind* can count at all (towns of an E- or X-train cannot)."""
        return any(kind in row.kinds and row.pay != 0 for row in self.rows)


def _fits(counts: dict[StopKind, int], rows: list[tuple[frozenset[StopKind], int | None]]) -> bool:
    """Hall's condition: every set of kinds must fit the rows that take any of them."""
    kinds = [kind for kind, count in counts.items() if count]
    for choice in range(1, 1 << len(kinds)):
        chosen = frozenset(kind for bit, kind in enumerate(kinds) if choice >> bit & 1)
        room = 0
        for row_kinds, places in rows:
            if row_kinds & chosen:
                if places is None:
                    break
                room += places
        else:
            if sum(counts[kind] for kind in chosen) > room:
                return False
    return True
