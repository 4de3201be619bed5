"""What a set of routes earns together, from what each route stands for (its axes) and which routes meet.

The search's own account of :class:`bonuses.terms.Joint`, on small integers so that it can be tabulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from bonuses.terms import Joint

Standing = int
"""Two bits for each axis: the route touches its one end, its other end."""


class JointValue:
    """Values standings and meetings of routes; remembers what it has computed."""

    def __init__(self, term: Joint | None) -> None:
        self._term = term
        self._amounts = tuple(axis.amount for axis in term.axes) if term else ()
        self.total = lru_cache(maxsize=None)(self._total)
        self.most = lru_cache(maxsize=None)(self._most)

    def __bool__(self) -> bool:
        return any(self._amounts)

    @property
    def amounts(self) -> tuple[int, ...]:
        return self._amounts

    def credit(self, axes: NDArray[np.uint8], shares: Sequence[float]) -> NDArray[np.float64]:
        """For each standing an amount such that any set of routes earns at most the sum of its credits.

        A set that earns an axis holds a route at its one end and a route at its other end (perhaps the same one); give
        the first a share of the amount and the second the rest.
        """
        credit = np.zeros(len(axes), dtype=np.float64)
        for place, (amount, share) in enumerate(zip(self._amounts, shares, strict=True)):
            credit += np.where(axes >> (2 * place) & 1, amount * share, 0.0)
            credit += np.where(axes >> (2 * place + 1) & 1, amount * (1.0 - share), 0.0)
        return credit

    def _most(self, standings: tuple[Standing, ...]) -> int:
        """A bound on :meth:`total` whoever meets whom: each earning set needs a route at either end. Money."""
        return sum(
            amount
            * min(
                sum(standing >> 2 * place & 1 for standing in standings), sum(s >> 2 * place + 1 & 1 for s in standings)
            )
            for place, amount in enumerate(self._amounts)
        )

    def alone(self, axes: Standing) -> int:
        """What a set with these standings taken together earns. Money."""
        return sum(amount for place, amount in enumerate(self._amounts) if axes >> 2 * place & 3 == 3)

    def _total(self, standings: tuple[Standing, ...], meets: tuple[int, ...]) -> int:
        """What the routes earn (money). ``meets[i]`` has a bit for each route that shares a joining stop with i."""
        everyone = (1 << len(standings)) - 1
        if self._term is not None and self._term.once_per_connected_group:
            return sum(self.alone(self._touched(part, standings)) for part in _wholes(everyone, meets))

        @cache
        def best(left: int) -> int:
            if not left:
                return 0
            lowest = left & -left
            rest, most, part = left ^ lowest, 0, left ^ lowest
            while True:
                chosen = lowest | part
                if _hangs_together(chosen, meets):
                    most = max(most, self.alone(self._touched(chosen, standings)) + best(left & ~chosen))
                if not part:
                    return most
                part = (part - 1) & rest

        return best(everyone)

    @staticmethod
    def _touched(part: int, standings: Sequence[Standing]) -> Standing:
        touched = 0
        for place, standing in enumerate(standings):
            if part >> place & 1:
                touched |= standing
        return touched


def _hangs_together(part: int, meets: Sequence[int]) -> bool:
    return _spread(part & -part, part, meets) == part


def _spread(start: int, within: int, meets: Sequence[int]) -> int:
    reached, fresh = start, start
    while fresh:
        place = (fresh & -fresh).bit_length() - 1
        fresh &= fresh - 1
        more = meets[place] & within & ~reached
        reached |= more
        fresh |= more
    return reached


def _wholes(everyone: int, meets: Sequence[int]) -> list[int]:
    wholes, left = [], everyone
    while left:
        part = _spread(left & -left, left, meets)
        wholes.append(part)
        left &= ~part
    return wholes
