"""Prices on track: a Lagrangian bound on what the trains can earn together.

Every piece of track that two trains could want gets a price; each train then chooses its candidate of highest worth,
value less prices. The sum of these best worths and of all prices bounds every legal set from above. Prices rise where
the free choices of the trains clash and fall where nobody wants the track (subgradient steps); the shares by which
joint bonuses are credited to routes move in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from routing.joint import JointValue
from routing.pools import Pool, bound_of, drop_hopeless
from routing.track_bits import WORD, bits_apart

_ROUNDS: Final = 30
_STEPS_A_ROUND: Final = 24
#: Candidates of a kind of train on which steps are made between two full counts.
_NEAR: Final = 1200
#: Beyond so many candidates times bits the prices cost more than they save.
_TOO_DENSE: Final = 60_000_000


@dataclass
class Goal:
    """What the search has and wants: ``in_hand`` is the best total so far, ``to_beat`` the total that would be better,
    ``try_worths`` looks for a better answer by the worths of the pools (all money). With ``few`` candidates left there
    is nothing more to gain from prices."""

    few: float
    in_hand: Callable[[], float]
    to_beat: Callable[[], float]
    try_worths: Callable[[], None]
    check_time: Callable[[], None]


@dataclass
class _Tariff:
    """Prices of track bits, and for each axis the share credited to routes at its one end."""

    prices: NDArray[np.float32]
    shares: NDArray[np.float64]
    paid: float = field(init=False)

    def __post_init__(self) -> None:
        self.paid = float(self.prices.astype(np.float64).sum())


def lower_bound_by_prices(pools: list[Pool], joint: JointValue, goal: Goal) -> tuple[float, float, list[float]]:
    """Find good prices, dropping hopeless candidates from *pools* on the way and setting their worth.

    Returns the lowest bound seen, the sum of the prices in force (both money) and the shares in force by which routes
    at the one end of each axis are credited.
    """
    return _Pricing(pools, joint, goal).run()


class _Pricing:
    def __init__(self, pools: list[Pool], joint: JointValue, goal: Goal) -> None:
        self._pools, self._joint, self._goal = pools, joint, goal
        self._uses = [bits_apart(pool.track, WORD * len(pool.track)) for pool in pools]

    def run(self) -> tuple[float, float, list[float]]:
        bits = len(self._uses[0])
        tariff = best = _Tariff(np.zeros(bits, dtype=np.float32), np.full(len(self._joint.amounts), 0.5))
        lowest, scale = math.inf, 1.0
        if sum(uses.size for uses in self._uses) > _TOO_DENSE:
            return bound_of(self._pools, 0.0), 0.0, tariff.shares.tolist()
        for _ in range(_ROUNDS):
            self._goal.check_time()
            self._set_worths(tariff)
            bound = bound_of(self._pools, tariff.paid)
            gained = lowest - bound
            if bound < lowest:
                lowest, best = bound, tariff
            if lowest < self._goal.to_beat():
                break
            self._drop(tariff.paid)
            self._goal.try_worths()
            if sum(map(len, self._pools)) <= self._goal.few:
                break
            if gained < 0.02 * max(lowest - self._goal.in_hand(), 1.0):
                scale /= 2
                if scale < 0.03:
                    break
            tariff = self._stepped(best if bound > lowest else tariff, scale)
        self._set_worths(best)
        self._goal.try_worths()
        self._drop(best.paid)
        return lowest, best.paid, best.shares.tolist()

    def _set_worths(self, tariff: _Tariff) -> None:
        for pool, uses in zip(self._pools, self._uses, strict=True):
            credit = self._joint.credit(pool.axes, list(tariff.shares))
            pool.worth = pool.value + credit - _total(tariff.prices, uses)

    def _drop(self, paid: float) -> None:
        before = [len(pool) for pool in self._pools]
        kept = [pool.worth for pool in self._pools]
        needed = self._goal.to_beat() - 1e-6
        bound = bound_of(self._pools, paid)
        if drop_hopeless(self._pools, paid, needed):
            for place, (pool, worth) in enumerate(zip(self._pools, kept, strict=True)):
                if len(pool) != before[place]:
                    best = float(worth.max()) if pool.must_run else max(0.0, float(worth.max()))
                    self._uses[place] = self._uses[place][:, worth >= needed - (bound - best)]

    def _stepped(self, tariff: _Tariff, scale: float) -> _Tariff:
        """Prices after some steps that look only at the candidates of highest worth."""
        near = [_top(pool.worth, _NEAR) for pool in self._pools]
        uses = [
            columns.take(chosen, axis=1).astype(np.float32) for columns, chosen in zip(self._uses, near, strict=True)
        ]
        pools = [pool.taken(chosen) for pool, chosen in zip(self._pools, near, strict=True)]
        amounts = np.maximum(np.array(self._joint.amounts, dtype=np.float64), 1.0)
        for _ in range(_STEPS_A_ROUND):
            for pool, columns in zip(pools, uses, strict=True):
                credit = self._joint.credit(pool.axes, list(tariff.shares))
                pool.worth = pool.value + credit - (tariff.prices @ columns).astype(np.float64)
            bound = bound_of(pools, tariff.paid)
            wanted, tilt = _demand(pools, uses, len(amounts))
            slope = wanted - 1.0
            slope[(tariff.prices <= 0) & (slope < 0)] = 0.0
            length = float(slope @ slope) + float(tilt @ tilt)
            if length < 1e-9:
                break
            step = scale * max(bound - self._goal.in_hand(), 0.5) / length
            prices = _exact(np.maximum(tariff.prices + step * slope, 0.0)).astype(np.float32)
            tariff = _Tariff(prices, _exact(np.clip(tariff.shares - step * tilt / amounts, 0.0, 1.0)))
        return tariff


def _demand(
    pools: Sequence[Pool], uses: Sequence[NDArray[np.float32]], axes: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How often the best choices use each piece of track, and by how much they touch each axis more at its one end."""
    wanted, tilt = np.zeros(len(uses[0]), dtype=np.float64), np.zeros(axes, dtype=np.float64)
    for pool, columns in zip(pools, uses, strict=True):
        if not len(pool):
            continue
        at = int(np.argmax(pool.worth))
        if pool.must_run or pool.worth[at] > 0:
            wanted += columns[:, at] * len(pool.trains)
            for axis in range(axes):
                touched = int(pool.axes[at]) >> 2 * axis & 3
                tilt[axis] += ((touched & 1) - (touched >> 1)) * len(pool.trains)
    return wanted, tilt


def _top(worth: NDArray[np.float64], number: int) -> NDArray[np.int64]:
    if len(worth) <= number:
        return np.arange(len(worth))
    return np.sort(np.argpartition(-worth, number)[:number])


def _exact(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounded to sixty-fourths, so that sums up to some hundred thousand are exact even in single precision."""
    return np.round(numbers * 64.0) / 64.0


def _total(prices: NDArray[np.float32], uses: NDArray[np.bool_]) -> NDArray[np.float64]:
    """What each candidate pays: few pieces of track have a price."""
    total = np.zeros(uses.shape[1], dtype=np.float32)
    for bit in np.flatnonzero(prices):
        total += uses[bit] * prices[bit]
    return total.astype(np.float64)
