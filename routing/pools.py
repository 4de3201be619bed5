"""The candidates of interchangeable trains that may still be in a better answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from routing.candidates import Candidates
from routing.track_bits import Words


@dataclass
class Pool:
    """Candidates of the trains at the places ``trains`` of the company, one row each.

    ``row`` numbers the candidates as the caller does. ``value`` is what a route earns by itself (money), ``worth`` is
    that with its credit for joint bonuses and less the prices of its track. ``must_run`` forbids idleness.
    """

    trains: tuple[int, ...]
    must_run: bool
    row: NDArray[np.int64]
    value: NDArray[np.float64]
    worth: NDArray[np.float64]
    track: list[Words]
    axes: NDArray[np.uint8]
    stops: list[Words]

    @classmethod
    def of(cls, trains: tuple[int, ...], candidates: Candidates, *, must_run: bool) -> Pool:
        value = candidates.value.astype(np.float64)
        rows = np.arange(len(candidates), dtype=np.int64)
        return cls(trains, must_run, rows, value, value, candidates.track, candidates.axes, candidates.stops)

    def __len__(self) -> int:
        return len(self.row)

    def taken(self, rows: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Pool:
        return Pool(
            self.trains,
            self.must_run,
            self.row[rows],
            self.value[rows],
            self.worth[rows],
            [word[rows] for word in self.track],
            self.axes[rows],
            [word[rows] for word in self.stops],
        )

    def without_twins(self) -> Pool:
        """Of candidates that use the same track and stand the same for joint bonuses only the best stays."""
        if len(self) < 2:
            return self
        keys: list[NDArray[np.generic]] = [*self.track, *self.stops, self.axes]
        order = np.lexsort((np.arange(len(self)), -self.value, *keys))
        fresh = np.zeros(len(self), dtype=bool)
        fresh[0] = True
        for key in keys:
            column = key[order]
            fresh[1:] |= column[1:] != column[:-1]
        return self.taken(np.sort(order[fresh]))

    def free_of(self, taken: Sequence[np.uint64]) -> NDArray[np.bool_]:
        """Which candidates use none of the track *taken*."""
        free: NDArray[np.bool_] | None = None
        for word, used in zip(self.track, taken, strict=True):
            if used:
                clear = (word & used) == 0
                free = clear if free is None else free & clear
        return np.ones(len(self.row), dtype=bool) if free is None else free

    def best(self) -> float:
        """The largest worth, idleness (0) included where allowed."""
        if not len(self.row):
            return -math.inf if self.must_run else 0.0
        most = float(self.worth.max())
        return most if self.must_run else max(0.0, most)


def bound_of(pools: Sequence[Pool], paid: float) -> float:
    """No choice from the pools earns more: every train its best, and all that was paid in prices. Money."""
    return paid + sum(pool.best() * len(pool.trains) for pool in pools)


def drop_hopeless(pools: list[Pool], paid: float, needed: float) -> bool:
    """Drop, in place, every candidate that is in no choice worth *needed* (money); tells whether any was."""
    bound = bound_of(pools, paid)
    dropped = False
    for place, pool in enumerate(pools):
        keep = pool.worth >= needed - (bound - pool.best())
        if not keep.all():
            pools[place] = pool.taken(keep)
            dropped = True
    return dropped
