"""Branch and bound over few candidates: who excludes whom is known beforehand, as one integer of bits for each.

A set of candidates is an integer; its lowest bits are its best candidates, because candidates are numbered in falling
order of worth. So the bound of a node is read off, and going down is one conjunction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from routing.pools import Pool

#: Beyond this number the table of exclusions costs more than it saves.
MOST_PACKED: Final = 3000

Picks = tuple[tuple[int, int], ...]
"""Chosen candidates: the place of their pool and their row in it."""


@dataclass(frozen=True)
class Ask:
    """What the search needs to know: the total to beat, a bound on what routes of given standings earn together (both
    money), and what to do with a choice that may reach it."""

    to_beat: Callable[[], float]
    most_together: Callable[[tuple[int, ...]], int]
    visit: Callable[[Picks], None]
    check_time: Callable[[], None]


class _Path(NamedTuple):
    """Candidates chosen on the way down, with what they earn by themselves and how they stand for joint bonuses."""

    picks: Picks
    value: float
    standings: tuple[int, ...]


class Packed:
    """The candidates of some pools, each pool sorted by falling worth, for trains that still choose.

    ``trains`` names for each such train the place of its pool; trains of one pool stand together.
    """

    def __init__(self, pools: Sequence[Pool], trains: Sequence[int], ask: Ask) -> None:
        self._pools, self._trains, self._ask = pools, trains, ask
        self.explored = 0
        self._start: list[int] = []
        self._worth: list[float] = []
        self._value: list[float] = []
        self._standing: list[int] = []
        for pool in pools:
            self._start.append(len(self._worth))
            self._worth += pool.worth.tolist()
            self._value += pool.value.tolist()
            self._standing += pool.axes.tolist()
        self._of_pool = [((1 << len(pool)) - 1) << start for pool, start in zip(pools, self._start, strict=True)]
        self._free_of = _free_of(pools)

    def search(self, worth: float, value: float, standings: tuple[int, ...]) -> None:
        """Visit every choice that may reach the total to beat.

        *worth*, *value* (money) and *standings* are those of the routes chosen before.
        """
        self._down(0, (1 << len(self._worth)) - 1, worth, _Path((), value, standings))

    def _down(self, place: int, left: int, worth: float, path: _Path) -> None:
        self.explored += 1
        if self.explored % 256 == 0:
            self._ask.check_time()
        kind = self._trains[place]
        pool, last = self._pools[kind], place == len(self._trains) - 1
        others = 0.0 if last else self._most(place + 1, left)
        for candidate in _bits(left & self._of_pool[kind]):
            reached = worth + self._worth[candidate]
            if reached + others < self._ask.to_beat() - 1e-6:
                break
            chosen = _Path(
                (*path.picks, (kind, candidate - self._start[kind])),
                path.value + self._value[candidate],
                (*path.standings, self._standing[candidate]),
            )
            if last:
                self._arrive(chosen)
                continue
            free = left & self._free_of[candidate]
            # interchangeable trains choose in falling order of worth, so that no set is met twice
            free &= ~(self._of_pool[kind] & ((2 << candidate) - 1))
            if reached + self._most(place + 1, free) >= self._ask.to_beat() - 1e-6:
                self._down(place + 1, free, reached, chosen)
        if not pool.must_run:
            self._idle(place, left, worth, path)

    def _arrive(self, path: _Path) -> None:
        if path.value + self._ask.most_together(path.standings) >= self._ask.to_beat():
            self._ask.visit(path.picks)

    def _idle(self, place: int, left: int, worth: float, path: _Path) -> None:
        """This train stays idle, and with it the interchangeable ones after it."""
        kind = self._trains[place]
        while place < len(self._trains) and self._trains[place] == kind:
            place += 1
        if place == len(self._trains):
            if worth >= self._ask.to_beat() - 1e-6:
                self._arrive(path)
        elif worth + self._most(place, left) >= self._ask.to_beat() - 1e-6:
            self._down(place, left & ~self._of_pool[kind], worth, path)

    def _most(self, place: int, left: int) -> float:
        """The trains from *place* on earn at most this: each pool's best candidates that are left."""
        total = 0.0
        while place < len(self._trains):
            kind = self._trains[place]
            own = left & self._of_pool[kind]
            while place < len(self._trains) and self._trains[place] == kind:
                if own:
                    best = self._worth[(own & -own).bit_length() - 1]
                    if best > 0 or self._pools[kind].must_run:
                        total += best
                    own &= own - 1
                elif self._pools[kind].must_run:
                    return float("-inf")
                place += 1
        return total


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def _free_of(pools: Sequence[Pool]) -> list[int]:
    """For each candidate the candidates that share no track with it."""
    words = [np.concatenate([pool.track[word] for pool in pools]) for word in range(len(pools[0].track))]
    free = []
    for candidate in range(len(words[0])):
        apart = np.ones(len(words[0]), dtype=bool)
        for word in words:
            if word[candidate]:
                apart &= (word & word[candidate]) == 0
        free.append(int.from_bytes(np.packbits(apart, bitorder="little").tobytes(), "little"))
    return free
