"""Branch and bound over few candidates: who excludes whom is known beforehand, as one integer of bits for each.

A set of candidates is an integer; its lowest bits are its best candidates, because candidates are numbered in falling
order of worth. So the bound of a node is read off, and going down is one conjunction.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from routing.pools import Pool

#: Beyond this number the table of exclusions costs more than it saves.
MOST_PACKED: Final = 3000
#: Pairs of candidates that are compared together, which stay in the cache.
_TOGETHER: Final = 1 << 17
_ROUNDING: Final = 1e-6

Picks = tuple[tuple[int, int], ...]
"""Chosen candidates: the place of their pool and their row in it."""


@dataclass(frozen=True)
class Ask:
    """What the search needs to know: the total to beat, a bound on what routes of given standings earn together, the
    credits for standings that are part of worth (all money), and what to do with a choice that may reach the total."""

    to_beat: Callable[[], float]
    most_together: Callable[[tuple[int, ...]], int]
    credit: Callable[[NDArray[np.uint8]], NDArray[np.float64]]
    visit: Callable[[Picks], None]
    check_time: Callable[[], None]


class _Path(NamedTuple):
    """Candidates chosen on the way down: their worth with all prices, the same without credits, what they earn by
    themselves, and how they stand for joint bonuses."""

    picks: Picks
    worth: float
    net: float
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
        self._net: list[float] = []
        self._standing: list[int] = []
        for pool in pools:
            self._start.append(len(self._worth))
            self._worth += pool.worth.tolist()
            self._value += pool.value.tolist()
            self._net += (pool.worth - ask.credit(pool.axes)).tolist()
            self._standing += pool.axes.tolist()
        self._of_pool = [((1 << len(pool)) - 1) << start for pool, start in zip(pools, self._start, strict=True)]
        # interchangeable trains choose in falling order of worth, so that no set is met twice
        self._beside = [
            free & ~(of_pool & ((2 << candidate) - 1))
            for start, pool, of_pool in zip(self._start, pools, self._of_pool, strict=True)
            for candidate, free in enumerate(_free_of(pools, start, len(pool)), start)
        ]
        self._classes = [_classes(pool.axes, start) for pool, start in zip(pools, self._start, strict=True)]
        self._with_bonuses = any(self._standing)
        self._waiting = [self._kinds_from(place) for place in range(len(trains) + 1)]
        self._alike = [trains[place + 1 :].count(kind) for place, kind in enumerate(trains)]
        self._needed = -math.inf

    def _kinds_from(self, place: int) -> list[tuple[int, int, bool]]:
        """The pools of the trains from *place* on as sets of candidates, each with the number of trains and whether
        they must run."""
        left = Counter(self._trains[place:])
        return [(self._of_pool[kind], number, self._pools[kind].must_run) for kind, number in left.items()]

    def search(self, worth: float, value: float, standings: tuple[int, ...]) -> None:
        """Visit every choice that may reach the total to beat.

        *worth*, *value* (money) and *standings* are those of the routes chosen before.
        """
        self._needed = self._ask.to_beat() - _ROUNDING
        net = worth - float(self._ask.credit(np.array(standings, dtype=np.uint8)).sum())
        self._down(0, (1 << len(self._worth)) - 1, _Path((), worth, net, value, standings))

    def _down(self, place: int, left: int, path: _Path) -> None:
        """Choose for the train at *place* and those after it among the candidates *left*."""
        self.explored += 1
        if self.explored % 256 == 0:
            self._ask.check_time()
        kind = self._trains[place]
        if place == len(self._trains) - 1:
            self._choose_last(kind, left, path)
            return
        if place == len(self._trains) - 2:
            self._choose_pair(kind, left, path)
            return
        own, alike = left & self._of_pool[kind], self._alike[place]
        others, rest = self._most(place + 1, left), self._most(place + 1 + alike, left)
        while own:
            lowest = own & -own
            own ^= lowest
            candidate = lowest.bit_length() - 1
            worth = self._worth[candidate]
            reached = path.worth + worth
            # interchangeable trains that choose after this one are worth no more
            if reached + min(others, rest + alike * max(worth, 0.0)) < self._needed:
                break
            free = left & self._beside[candidate]
            if reached + self._most(place + 1, free) >= self._needed:
                self._down(place + 1, free, self._with(path, kind, candidate))
        if not self._pools[kind].must_run:
            self._idle(place, left, path)

    def _with(self, path: _Path, kind: int, candidate: int) -> _Path:
        return _Path(
            (*path.picks, (kind, candidate - self._start[kind])),
            path.worth + self._worth[candidate],
            path.net + self._net[candidate],
            path.value + self._value[candidate],
            (*path.standings, self._standing[candidate]),
        )

    def _choose_pair(self, kind: int, left: int, path: _Path) -> None:
        """Choose for the last train but one; most of the search is spent here."""
        place, last = len(self._trains) - 1, self._trains[-1]
        worths, beside = self._worth, self._beside
        own, partners = left & self._of_pool[kind], left & self._of_pool[last]
        none = -math.inf if self._pools[last].must_run else 0.0
        others = max(none, worths[(partners & -partners).bit_length() - 1]) if partners else none
        needed = self._needed - path.worth
        while own:
            lowest = own & -own
            own ^= lowest
            candidate = lowest.bit_length() - 1
            worth = worths[candidate]
            if worth + (max(worth, none) if kind == last and worth < others else others) < needed:
                break
            free = partners & beside[candidate]
            partner = max(none, worths[(free & -free).bit_length() - 1]) if free else none
            if worth + partner >= needed:
                chosen = self._with(path, kind, candidate)
                if self._may_reach(place, free, chosen):
                    self._down(place, free, chosen)
                    needed = self._needed - path.worth
        if not self._pools[kind].must_run:
            self._idle(place - 1, left, path)

    def _choose_last(self, kind: int, left: int, path: _Path) -> None:
        """Every candidate for the last train that may reach the total, by how it stands beside the others."""
        for standing, of_class in self._classes[kind]:
            own, standings = left & of_class, (*path.standings, standing)
            together = self._ask.most_together(standings)
            while own:
                lowest = own & -own
                own ^= lowest
                candidate = lowest.bit_length() - 1
                if path.net + self._net[candidate] + together < self._needed:
                    break
                if path.value + self._value[candidate] + together >= self._needed:
                    self._visit((*path.picks, (kind, candidate - self._start[kind])))
        if not self._pools[kind].must_run:
            self._idle(len(self._trains) - 1, left, path)

    def _visit(self, picks: Picks) -> None:
        self._ask.visit(picks)
        self._needed = self._ask.to_beat() - _ROUNDING

    def _idle(self, place: int, left: int, path: _Path) -> None:
        """This train stays idle, and with it the interchangeable ones after it."""
        kind = self._trains[place]
        while place < len(self._trains) and self._trains[place] == kind:
            place += 1
        if place == len(self._trains):
            if path.value + self._ask.most_together(path.standings) >= self._needed:
                self._visit(path.picks)
        elif path.worth + self._most(place, left) >= self._needed:
            self._down(place, left & ~self._of_pool[kind], path)

    def _may_reach(self, place: int, left: int, path: _Path) -> bool:
        """Whether the total is within reach if the last train takes the best of some standing: what all routes then
        earn together is known, which is less than their credits."""
        if not self._with_bonuses:
            return True
        most, needed = self._ask.most_together, self._needed - path.net
        options = self._options(self._trains[place], left)
        return any(net + most((*path.standings, standing)) >= needed for net, standing in options)

    def _options(self, kind: int, left: int) -> list[tuple[float, int]]:
        """The best candidate of each standing among those *left*, without credits; and idleness."""
        options = [] if self._pools[kind].must_run else [(0.0, 0)]
        for standing, of_class in self._classes[kind]:
            own = left & of_class
            if own:
                options.append((self._net[(own & -own).bit_length() - 1], standing))
        return options

    def _most(self, place: int, left: int) -> float:
        """The trains from *place* on earn at most this: each pool's best candidates that are left."""
        total = 0.0
        for of_pool, number, must_run in self._waiting[place]:
            own = left & of_pool
            for _ in range(number):
                if not own:
                    if must_run:
                        return -math.inf
                    break
                lowest = own & -own
                best = self._worth[lowest.bit_length() - 1]
                if best <= 0 and not must_run:
                    break
                total += best
                own ^= lowest
        return total


def _classes(axes: NDArray[np.uint8], start: int) -> list[tuple[int, int]]:
    """The standings of the candidates from *start* on, each with the set of those that stand so."""
    found = []
    for standing in np.flatnonzero(np.bincount(axes)):  # numpy.unique would load numpy.ma
        octets = np.packbits(axes == standing, bitorder="little").tobytes()
        found.append((int(standing), int.from_bytes(octets, "little") << start))
    return found


def _free_of(pools: Sequence[Pool], start: int, number: int) -> Iterator[int]:
    """For each of *number* candidates from *start* on the candidates that share no track with it."""
    words = [np.concatenate([pool.track[word] for pool in pools]) for word in range(len(pools[0].track))]
    together = max(1, _TOGETHER // max(1, len(words[0])))
    for first in range(start, start + number, together):
        some = slice(first, min(first + together, start + number))
        apart = np.ones((some.stop - some.start, len(words[0])), dtype=bool)
        for word in words:
            apart &= (word[some, None] & word) == 0
        for row in np.packbits(apart, axis=1, bitorder="little"):
            yield int.from_bytes(row.tobytes(), "little")
