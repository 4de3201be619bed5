"""Choose one candidate for each train so that no track is used twice and the total is highest; prove it.

Three stages, each only as far as needed:

1. A first answer: trains one after the other take their best free candidate, then each train in turn is chosen anew.
2. Prices on track. Every piece of track that two trains could want gets a price; each train then chooses by value less
   prices. The sum of these best choices and all prices bounds every legal set from above (Lagrangian relaxation), and a
   candidate whose own bound does not beat the answer in hand is dropped for good.
3. Branch and bound over what is left, train after train in falling order of value less prices. The last train is
   chosen exactly for all candidates at once, joint bonuses included.

Joint bonuses enter the bound as credits (:meth:`routing.joint.JointValue.credit`).
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from routing.candidates import Candidates
from routing.joint import JointValue
from routing.track_bits import Words

_ROUNDING: Final = 1e-6
_MOST_PRICE_ROUNDS: Final = 200
_DENSE_ENOUGH: Final = 40_000_000

Choice = tuple[int, ...]
"""For each train the row of its candidate, -1 where it stays idle."""


@dataclass
class Selection:
    """What the search found: the best choices in falling order of revenue (money), and a bound on all others."""

    choices: list[tuple[int, Choice]]
    bound: int
    explored: int


@dataclass
class Train:
    """One train of the company with its candidates. Trains with the same ``kind`` are interchangeable; ``must_run``
    forbids idleness (a pinned route)."""

    kind: int
    candidates: Candidates
    must_run: bool = False


class OutOfTimeError(Exception):
    """The deadline passed; what was found so far stands with its bound."""


def choose(trains: Sequence[Train], joint: JointValue, *, top: int = 1, deadline: float | None = None) -> Selection:
    """The ``top`` best choices. ``deadline`` is a reading of :func:`time.perf_counter`; past it the best found so far
    is returned with the bound that then holds."""
    return _Chooser(trains, joint, top, deadline).run()


@dataclass
class _Pool:
    """The candidates of one train that may still be in a better answer; ``row`` numbers them as the caller does."""

    train: int
    kind: int
    must_run: bool
    row: NDArray[np.int64]
    value: NDArray[np.float64]
    worth: NDArray[np.float64]
    track: list[Words]
    axes: NDArray[np.uint8]
    stops: list[Words]

    def __len__(self) -> int:
        return len(self.row)

    def taken(self, rows: NDArray[np.bool_] | NDArray[np.int64] | slice) -> _Pool:
        return _Pool(
            self.train,
            self.kind,
            self.must_run,
            self.row[rows],
            self.value[rows],
            self.worth[rows],
            [word[rows] for word in self.track],
            self.axes[rows],
            [word[rows] for word in self.stops],
        )

    def free_of(self, taken: Sequence[np.uint64]) -> NDArray[np.bool_]:
        free = np.ones(len(self.row), dtype=bool)
        for word, used in zip(self.track, taken, strict=True):
            if used:
                free &= (word & used) == 0
        return free

    def best(self) -> float:
        """The largest worth, idleness (0) included where allowed."""
        if not len(self.row):
            return -math.inf if self.must_run else 0.0
        most = float(self.worth.max())
        return most if self.must_run else max(0.0, most)


@dataclass
class _Chosen:
    """Routes chosen on the way down the tree."""

    rows: list[tuple[int, int]] = field(default_factory=list)
    value: float = 0.0
    axes: tuple[int, ...] = ()
    stops: tuple[tuple[int, ...], ...] = ()
    meets: tuple[int, ...] = ()


class _Chooser:
    def __init__(self, trains: Sequence[Train], joint: JointValue, top: int, deadline: float | None) -> None:
        self._joint, self._top, self._deadline = joint, top, deadline
        self._count = len(trains)
        self._pools = [self._pool(place, train) for place, train in enumerate(trains)]
        self._grain = self._common_divisor()
        self._found: list[tuple[int, Choice]] = []
        self._seen: set[tuple[tuple[int, int], ...]] = set()
        self._kinds = [train.kind for train in trains]
        self._shares = [0.5] * len(joint.amounts)
        self._explored = 0

    def _pool(self, place: int, train: Train) -> _Pool:
        candidates = train.candidates
        value = candidates.value.astype(np.float64)
        rows = np.arange(len(candidates), dtype=np.int64)
        worth = value + self._joint.credit(candidates.axes, [0.5] * len(self._joint.amounts))
        return _Pool(
            place, train.kind, train.must_run, rows, value, worth, candidates.track, candidates.axes, candidates.stops
        )

    def _common_divisor(self) -> int:
        """All totals are multiples of this, so an answer must be beaten by at least so much. Money."""
        values = [np.unique(pool.value.astype(np.int64)) for pool in self._pools]
        amounts = [int(number) for column in values for number in column] + list(self._joint.amounts)
        return math.gcd(*amounts) or 1

    # --- what has been found -----------------------------------------------------------------------------------------

    @property
    def _to_beat(self) -> float:
        """A total must reach this to matter. Money."""
        if len(self._found) < self._top:
            return 0.0 if self._found or self._top > 1 else -1.0
        return float(self._found[0][0] + self._grain)

    def _offer(self, revenue: int, chosen: Sequence[tuple[int, int]]) -> None:
        key = tuple(sorted((self._kinds[train], row) for train, row in chosen))
        if key in self._seen:
            return
        choice = [-1] * self._count
        for train, row in chosen:
            choice[train] = row
        self._seen.add(key)
        heapq.heappush(self._found, (revenue, tuple(choice)))
        if len(self._found) > self._top:
            heapq.heappop(self._found)

    def run(self) -> Selection:
        bound = math.inf
        try:
            self._first_answers()
            bound = self._priced_bound()
            if bound >= self._to_beat:
                self._branch()
            finished = True
        except OutOfTimeError:
            finished = False
        choices = sorted(self._found, key=lambda item: (-item[0], item[1]))
        best = choices[0][0] if choices else 0
        if finished:
            return Selection(choices, best, self._explored)
        simple = sum(pool.best() for pool in self._pools)
        return Selection(choices, max(best, math.floor(min(bound, simple) + _ROUNDING)), self._explored)

    def _check_time(self) -> None:
        if self._deadline is not None and time.perf_counter() > self._deadline:
            raise OutOfTimeError

    # --- stage 1: a first answer -------------------------------------------------------------------------------------

    def _first_answers(self) -> None:
        orders = {tuple(range(self._count)), tuple(reversed(range(self._count)))}
        by_best = sorted(range(self._count), key=lambda place: -self._pools[place].best())
        orders.add(tuple(by_best))
        for order in sorted(orders):
            self._greedy(order, [pool.worth for pool in self._pools])

    def _greedy(self, order: Sequence[int], worths: Sequence[NDArray[np.float64]]) -> None:
        words = len(self._pools[0].track) if self._pools else 0
        chosen: dict[int, int] = {}
        taken = [np.uint64(0)] * words
        for place in order:
            self._check_time()
            pool = self._pools[place]
            free = np.flatnonzero(pool.free_of(taken))
            if len(free) and (pool.must_run or worths[place][free].max() > 0):
                at = int(free[np.argmax(worths[place][free])])
                chosen[place] = at
                taken = [used | word[at] for used, word in zip(taken, pool.track, strict=True)]
            elif pool.must_run:
                return
        self._improve(chosen)

    def _improve(self, chosen: dict[int, int]) -> None:
        """Choose each train anew, the others fixed, until nothing changes; offer the outcome."""
        best = self._exact(chosen)
        self._offer(best, [(place, int(self._pools[place].row[at])) for place, at in chosen.items()])
        improved = True
        while improved:
            improved = False
            for place, pool in enumerate(self._pools):
                self._check_time()
                others = {other: at for other, at in chosen.items() if other != place}
                taken = [np.uint64(0)] * len(pool.track)
                for other, at in others.items():
                    taken = [used | word[at] for used, word in zip(taken, self._pools[other].track, strict=True)]
                free = np.flatnonzero(pool.free_of(taken))
                if not len(free):
                    continue
                totals = self._totals(self._chosen(others), pool.taken(free))
                at = int(np.argmax(totals))
                if totals[at] > best:
                    best, improved = int(totals[at]), True
                    chosen = {**others, place: int(free[at])}
                    self._offer(best, [(other, int(self._pools[other].row[row])) for other, row in chosen.items()])

    def _chosen(self, chosen: dict[int, int]) -> _Chosen:
        picked = _Chosen()
        for place, at in sorted(chosen.items()):
            picked = self._with(picked, self._pools[place], at)
        return picked

    def _exact(self, chosen: dict[int, int]) -> int:
        picked = self._chosen(chosen)
        return int(picked.value) + self._joint.total(picked.axes, picked.meets)

    def _with(self, picked: _Chosen, pool: _Pool, at: int) -> _Chosen:
        stops = tuple(int(word[at]) for word in pool.stops)
        meeting = 0
        for place, others in enumerate(picked.stops):
            if any(mine & theirs for mine, theirs in zip(stops, others, strict=True)):
                meeting |= 1 << place
        number = len(picked.stops)
        meets = tuple(met | (1 << number if meeting >> place & 1 else 0) for place, met in enumerate(picked.meets))
        return _Chosen(
            [*picked.rows, (pool.train, int(pool.row[at]))],
            picked.value + float(pool.value[at]),
            (*picked.axes, int(pool.axes[at])),
            (*picked.stops, stops),
            (*meets, meeting),
        )

    def _totals(self, picked: _Chosen, pool: _Pool) -> NDArray[np.float64]:
        """The exact total for each candidate of *pool* beside the routes already chosen. Money."""
        totals = pool.value + picked.value
        if not self._joint:
            return totals
        keys = pool.axes.astype(np.int64)
        shift = 2 * len(self._joint.amounts)
        for place, others in enumerate(picked.stops):
            meets = np.zeros(len(pool), dtype=bool)
            for mine, theirs in zip(pool.stops, others, strict=True):
                if theirs:
                    meets |= (mine & np.uint64(theirs)) != 0
            keys |= meets.astype(np.int64) << (shift + place)
        different, inverse = np.unique(keys, return_inverse=True)
        table = np.array([self._joint_total(picked, int(key), shift) for key in different], dtype=np.float64)
        return totals + table[inverse]

    def _joint_total(self, picked: _Chosen, key: int, shift: int) -> int:
        axes, meeting, number = key & ((1 << shift) - 1), key >> shift, len(picked.axes)
        meets = tuple(met | (1 << number if meeting >> place & 1 else 0) for place, met in enumerate(picked.meets))
        return self._joint.total((*picked.axes, axes), (*meets, meeting))

    # --- stage 2: prices on track ------------------------------------------------------------------------------------

    def _priced_bound(self) -> float:
        """Lower the bound by prices on track, dropping candidates on the way; afterwards ``worth`` is value less
        prices and ``_paid`` the sum of all prices."""
        self._paid = 0.0
        bound = self._drop()
        if bound < self._to_beat or self._count < 2:
            return bound
        if sum(len(pool) for pool in self._pools) > 64:
            bound = min(bound, _Prices(self).lower())
        return bound

    def _drop(self) -> float:
        """Drop every candidate that cannot be in a better answer; returns the bound on all answers. Money."""
        bests = [pool.best() for pool in self._pools]
        bound = self._paid + sum(bests)
        for place, pool in enumerate(self._pools):
            needed = self._to_beat - _ROUNDING - (bound - bests[place])
            keep = pool.worth >= needed
            if not keep.all():
                self._pools[place] = pool.taken(keep)
        return bound

    # --- stage 3: branch and bound -----------------------------------------------------------------------------------

    def _branch(self) -> None:
        first_of_kind: dict[int, _Pool] = {}
        for place, pool in enumerate(self._pools):
            if pool.kind not in first_of_kind:
                first_of_kind[pool.kind] = pool.taken(np.argsort(-pool.worth, kind="stable"))
            self._pools[place] = replace(first_of_kind[pool.kind], train=pool.train)
        order = sorted(range(self._count), key=lambda place: (len(self._pools[place]), self._pools[place].kind))
        pools = [self._pools[place] for place in order]
        self._descend(_Chosen(), self._paid, pools)

    def _descend(self, picked: _Chosen, worth: float, pools: list[_Pool]) -> None:
        """Choose for the first of *pools* and go on; ``worth`` is that of the routes already chosen plus all prices."""
        self._explored += 1
        self._check_time()
        pool, rest = pools[0], pools[1:]
        if not rest:
            self._choose_last(picked, worth, pool)
            return
        others = sum(other.best() for other in rest)
        for at in range(len(pool)):
            if worth + float(pool.worth[at]) + others < self._to_beat - _ROUNDING:
                break
            taken = [word[at] for word in pool.track]
            needed = self._to_beat - _ROUNDING - worth - float(pool.worth[at])
            narrowed = self._narrowed(rest, pool, at, taken, needed)
            if narrowed is not None:
                self._descend(self._with(picked, pool, at), worth + float(pool.worth[at]), narrowed)
        if not pool.must_run and worth + others >= self._to_beat - _ROUNDING:
            self._descend(picked, worth, [self._idle_too(other, pool) for other in rest])

    def _narrowed(
        self, rest: list[_Pool], pool: _Pool, at: int, taken: Sequence[np.uint64], needed: float
    ) -> list[_Pool] | None:
        """What the other trains can still run beside candidate *at*; None where that cannot reach what is needed."""
        left = []
        for other in rest:
            later = other.taken(slice(at + 1, None)) if other.kind == pool.kind else other
            left.append(later.taken(later.free_of(taken)))
        bests = [other.best() for other in left]
        total = sum(bests)
        if total < needed:
            return None
        for place, other in enumerate(left):
            keep = other.worth >= needed - (total - bests[place])
            left[place] = other.taken(keep)
        return left

    @staticmethod
    def _idle_too(other: _Pool, idle: _Pool) -> _Pool:
        """Of interchangeable trains the later ones stay idle first."""
        if other.kind != idle.kind or other.must_run:
            return other
        return other.taken(slice(0, 0))

    def _choose_last(self, picked: _Chosen, worth: float, pool: _Pool) -> None:
        if not pool.must_run:
            revenue = int(picked.value) + self._joint.total(picked.axes, picked.meets)
            if revenue >= self._to_beat:
                self._offer(revenue, picked.rows)
        near = np.flatnonzero(pool.worth >= self._to_beat - _ROUNDING - worth)
        if not len(near):
            return
        near_pool = pool.taken(near)
        totals = self._totals(picked, near_pool)
        for at in self._best_of(totals):
            if totals[at] < self._to_beat:
                break
            self._offer(int(totals[at]), [*picked.rows, (near_pool.train, int(near_pool.row[at]))])

    def _best_of(self, totals: NDArray[np.float64]) -> Iterator[int]:
        if self._top == 1:
            yield int(np.argmax(totals))
            return
        for at in np.argsort(-totals, kind="stable")[: self._top]:
            yield int(at)


class _Prices:
    """Subgradient steps on the prices of track and on the shares of joint bonuses."""

    def __init__(self, chooser: _Chooser) -> None:
        self._chooser = chooser
        self._load()

    def _load(self) -> None:
        pools = self._chooser._pools
        self._uses = [_as_rows(pool.track) for pool in pools]

    def lower(self) -> float:
        chooser = self._chooser
        if not chooser._pools or sum(matrix.size for matrix in self._uses) > _DENSE_ENOUGH:
            return math.inf
        prices = np.zeros(self._uses[0].shape[1], dtype=np.float32)
        shares = np.full(len(chooser._joint.amounts), 0.5)
        best_bound, best_prices, best_shares, scale, stalled = math.inf, prices.copy(), shares.copy(), 1.0, 0
        for turn in range(_MOST_PRICE_ROUNDS):
            chooser._check_time()
            self._apply(prices, shares)
            bests = [pool.best() for pool in chooser._pools]
            bound = chooser._paid + sum(bests)
            if bound < best_bound - 0.01:
                best_bound, best_prices, best_shares, stalled = bound, prices.copy(), shares.copy(), 0
            else:
                stalled += 1
                if stalled >= 5:
                    scale, stalled = scale / 2, 0
                    prices, shares = best_prices.copy(), best_shares.copy()
                    if scale < 0.02:
                        break
                    continue
            if best_bound < chooser._to_beat:
                break
            used, ends = self._demand()
            slope = used - 1.0
            slope[(prices <= 0) & (slope < 0)] = 0.0
            tilt = (
                np.array([one - other for one, other in ends]) * np.array(chooser._joint.amounts)
                if len(shares)
                else shares
            )
            length = float(slope @ slope) + (float(tilt @ tilt) if len(shares) else 0.0)
            if length < 1e-9:
                break
            goal = max(chooser._to_beat - chooser._grain, 0.0)
            step = scale * max(bound - goal, 0.5) / length
            prices = _exact(np.maximum(prices + step * slope, 0.0)).astype(np.float32)
            if len(shares):
                shares = _exact(np.clip(shares - step * tilt, 0.0, 1.0))
            if turn % 10 == 9:
                self._drop()
                self._greedy()
        self._apply(best_prices, best_shares)
        self._greedy()
        self._drop()
        return best_bound

    def _apply(self, prices: NDArray[np.float32], shares: NDArray[np.float64]) -> None:
        chooser = self._chooser
        chooser._paid = float(prices.astype(np.float64).sum())
        for pool, uses in zip(chooser._pools, self._uses, strict=True):
            credit = chooser._joint.credit(pool.axes, list(shares))
            pool.worth = pool.value + credit - (uses @ prices).astype(np.float64)

    def _demand(self) -> tuple[NDArray[np.float64], list[tuple[int, int]]]:
        """How often the best choices use each piece of track, and touch each end of each axis."""
        chooser = self._chooser
        used = np.zeros(self._uses[0].shape[1], dtype=np.float64)
        ends = [[0, 0] for _ in chooser._joint.amounts]
        for pool, uses in zip(chooser._pools, self._uses, strict=True):
            if len(pool) and (pool.must_run or pool.worth.max() > 0):
                at = int(np.argmax(pool.worth))
                used += uses[at]
                for place, end in enumerate(ends):
                    end[0] += int(pool.axes[at]) >> 2 * place & 1
                    end[1] += int(pool.axes[at]) >> 2 * place + 1 & 1
        return used, [(one, other) for one, other in ends]

    def _drop(self) -> None:
        before = [len(pool) for pool in self._chooser._pools]
        self._chooser._drop()
        if [len(pool) for pool in self._chooser._pools] != before:
            self._load()

    def _greedy(self) -> None:
        """Look for a better answer by what the prices say."""
        chooser = self._chooser
        order = sorted(range(chooser._count), key=lambda place: -chooser._pools[place].best())
        chooser._greedy(order, [pool.worth for pool in chooser._pools])


def _exact(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounded to sixty-fourths, so that sums up to some hundred thousand are exact even in single precision."""
    return np.round(numbers * 64.0) / 64.0


def _as_rows(words: Sequence[Words]) -> NDArray[np.float32]:
    """Bits as a matrix of 0 and 1, a row for each candidate."""
    if not words:
        return np.zeros((0, 0), dtype=np.float32)
    packed = np.stack(words, axis=1).astype("<u8").view(np.uint8).reshape(len(words[0]), 8 * len(words))
    return np.unpackbits(packed, axis=1, bitorder="little").astype(np.float32)
