"""Choose one candidate for each train so that no track is used twice and the total is highest; prove it.

Three stages, each only as far as needed:

1. A first answer: trains one after the other take their best free candidate, then each train in turn is chosen anew.
2. Prices on track (:mod:`routing.prices`): a bound on every legal set; a candidate whose own bound does not beat the
   answer in hand is dropped for good.
3. Branch and bound over what is left, train after train in falling order of worth. The last train is chosen exactly
   for all candidates at once, joint bonuses included.

Joint bonuses enter the bound as credits (:meth:`routing.joint.JointValue.credit`).
"""

from __future__ import annotations

import heapq
import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from routing.candidates import Candidates
from routing.joint import JointValue
from routing.packing import MOST_PACKED, Ask, Packed, Picks
from routing.pools import Pool, bound_of, drop_hopeless
from routing.prices import Goal, lower_bound_by_prices

_ROUNDING: Final = 1e-6
_FEW_FOR_TWO: Final = 600
_FEW_FOR_MORE: Final = 64

Choice = tuple[int, ...]
"""For each train the row of its candidate, -1 where it stays idle."""


@dataclass
class Selection:
    """What the search found: the best choices in falling order of revenue (money), and a bound on all others."""

    choices: list[tuple[int, Choice]]
    bound: int
    explored: int


@dataclass
class Trains:
    """Interchangeable trains at these ``places`` of the company, with their candidates. ``must_run`` forbids idleness
    (a pinned route)."""

    places: tuple[int, ...]
    candidates: Candidates
    must_run: bool = False


class OutOfTimeError(Exception):
    """The deadline passed; what was found so far stands with its bound."""


def choose(trains: Sequence[Trains], joint: JointValue, *, top: int = 1, deadline: float | None = None) -> Selection:
    """The ``top`` best choices. ``deadline`` is a reading of :func:`time.perf_counter`; past it the best found so far
    is returned with the bound that then holds."""
    return _Chooser(trains, joint, top, deadline).run()


@dataclass(frozen=True)
class _Chosen:
    """Routes chosen so far: (pool, candidate row) each, their own value, and how they stand for joint bonuses."""

    rows: tuple[tuple[int, int], ...] = ()
    value: float = 0.0
    axes: tuple[int, ...] = ()
    stops: tuple[tuple[int, ...], ...] = ()
    meets: tuple[int, ...] = ()


@dataclass
class _Branch:
    """A pool on the way down the tree; ``kind`` is its number among the pools."""

    kind: int
    pool: Pool


class _Chooser:
    def __init__(self, trains: Sequence[Trains], joint: JointValue, top: int, deadline: float | None) -> None:
        self._joint, self._top, self._deadline = joint, top, deadline
        self._count = sum(len(some.places) for some in trains)
        self._pools = [Pool.of(some.places, some.candidates, must_run=some.must_run) for some in trains]
        self._shares = [0.5] * len(joint.amounts)
        for pool in self._pools:
            pool.worth = pool.value + joint.credit(pool.axes, self._shares)
        self._grain = self._common_divisor()
        self._routes = [some.candidates.routes for some in trains]
        self._found: list[tuple[int, tuple[tuple[int, int], ...]]] = []
        self._seen: dict[tuple[tuple[int, int], ...], int] = {}
        self._paid = 0.0
        self._explored = 0

    def _common_divisor(self) -> int:
        """All totals are multiples of this, so an answer must be beaten by at least so much. Money."""
        values = (int(np.gcd.reduce(pool.value.astype(np.int64))) for pool in self._pools if len(pool))
        return math.gcd(*values, *self._joint.amounts) or 1

    # --- what has been found -----------------------------------------------------------------------------------------

    def _to_beat(self) -> float:
        """A total must reach this to matter. Money."""
        if len(self._found) < self._top:
            return 0.0
        return float(self._found[0][0] + self._grain)

    def _in_hand(self) -> float:
        return float(self._found[0][0]) if len(self._found) >= self._top else 0.0

    def _offer(self, revenue: int, rows: Sequence[tuple[int, int]]) -> None:
        """Keep a choice if it is one of the best. Of choices of the same routes, which differ in who earns a bonus of
        one route a turn, the best one counts."""
        routes = self._same(rows)
        known = self._seen.get(routes, -1)
        if revenue <= known:
            return
        self._seen[routes] = revenue
        self._found = [item for item in self._found if self._same(item[1]) != routes] if known >= 0 else self._found
        heapq.heapify(self._found)
        heapq.heappush(self._found, (revenue, tuple(sorted(rows))))
        if len(self._found) > self._top:
            heapq.heappop(self._found)

    def _same(self, rows: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """The same for choices of the same routes."""
        return tuple(sorted((kind, int(self._routes[kind][row])) for kind, row in rows))

    def _choice(self, rows: Sequence[tuple[int, int]]) -> Choice:
        choice, used = [-1] * self._count, Counter[int]()
        for kind, row in rows:
            choice[self._pools[kind].trains[used[kind]]] = row
            used[kind] += 1
        return tuple(choice)

    def run(self) -> Selection:
        bound = bound_of(self._pools, 0.0)
        finished = False
        try:
            self._first_answers()
            drop_hopeless(self._pools, 0.0, self._to_beat() - _ROUNDING)
            if self._top == 1 and self._count > 1:
                self._pools = [pool.without_twins() for pool in self._pools]
            bound = bound_of(self._pools, 0.0)
            if bound >= self._to_beat() and sum(map(len, self._pools)) > self._few():
                goal = Goal(self._few(), self._in_hand, self._to_beat, self._try_worths, self._check_time)
                lower, self._paid, self._shares = lower_bound_by_prices(self._pools, self._joint, goal)
                bound = min(bound, lower)
            if bound >= self._to_beat():
                self._branch()
            finished = True
        except OutOfTimeError:
            pass
        found = sorted(self._found, key=lambda item: (-item[0], item[1]))
        best = found[0][0] if found else 0
        bound = best if finished else max(best, math.floor(bound + _ROUNDING))
        return Selection([(revenue, self._choice(rows)) for revenue, rows in found], int(bound), self._explored)

    def _few(self) -> float:
        """With no more candidates than this, branching at once is quicker than finding prices."""
        return {1: math.inf, 2: _FEW_FOR_TWO}.get(self._count, _FEW_FOR_MORE)

    def _check_time(self) -> None:
        if self._deadline is not None and time.perf_counter() > self._deadline:
            raise OutOfTimeError

    # --- stage 1: a first answer -------------------------------------------------------------------------------------

    def _first_answers(self) -> None:
        forwards = [kind for kind, pool in enumerate(self._pools) for _ in pool.trains]
        orders = {tuple(forwards), tuple(reversed(forwards)), self._by_best()}
        for order in sorted(orders):
            self._greedy(order)

    def _by_best(self) -> tuple[int, ...]:
        kinds = sorted(range(len(self._pools)), key=lambda kind: -self._pools[kind].best())
        return tuple(kind for kind in kinds for _ in self._pools[kind].trains)

    def _try_worths(self) -> None:
        """Look for a better answer by the worths as they are."""
        self._greedy(self._by_best())

    def _greedy(self, order: Sequence[int]) -> None:
        chosen: list[tuple[int, int]] = []
        taken = [np.uint64(0)] * len(self._pools[0].track)
        for kind in order:
            self._check_time()
            pool = self._pools[kind]
            free = np.flatnonzero(pool.free_of(taken))
            if len(free):
                at = int(free[np.argmax(pool.worth[free])])
                if pool.must_run or pool.worth[at] > 0:
                    chosen.append((kind, at))
                    taken = [used | word[at] for used, word in zip(taken, pool.track, strict=True)]
                    continue
            if pool.must_run:
                return
        self._improve(chosen, order)

    def _improve(self, chosen: list[tuple[int, int]], order: Sequence[int]) -> None:
        """Choose each train anew, the others fixed, until nothing changes; offer every step."""
        best = self._exact(chosen)
        self._offer_places(best, chosen)
        improved = True
        while improved:
            improved = False
            idle = Counter(order)
            idle.subtract(kind for kind, _ in chosen)
            turns: list[tuple[int, int | None]] = [*chosen, *((kind, None) for kind, number in idle.items() if number)]
            for kind, now in turns:
                self._check_time()
                others = [pick for pick in chosen if pick != (kind, now)]
                again = self._best_beside(kind, others)
                if again is not None and again[0] > best:
                    best, chosen, improved = again[0], [*others, (kind, again[1])], True
                    self._offer_places(best, chosen)
                    break

    def _best_beside(self, kind: int, others: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        """The best total with one more train of *kind* beside the others, and its candidate."""
        pool = self._pools[kind]
        taken = [np.uint64(0)] * len(pool.track)
        for other, at in others:
            taken = [used | word[at] for used, word in zip(taken, self._pools[other].track, strict=True)]
        free = np.flatnonzero(pool.free_of(taken))
        if not len(free):
            return None
        totals = self._totals(self._chosen(others), pool.taken(free))
        at = int(np.argmax(totals))
        return int(totals[at]), int(free[at])

    def _offer_places(self, revenue: int, chosen: Sequence[tuple[int, int]]) -> None:
        self._offer(revenue, [(kind, int(self._pools[kind].row[at])) for kind, at in chosen])

    def _chosen(self, chosen: Sequence[tuple[int, int]]) -> _Chosen:
        picked = _Chosen()
        for kind, at in chosen:
            picked = _with(picked, kind, self._pools[kind], at)
        return picked

    def _exact(self, chosen: Sequence[tuple[int, int]]) -> int:
        picked = self._chosen(chosen)
        return int(picked.value) + self._joint.total(picked.axes, picked.meets)

    def _totals(self, picked: _Chosen, pool: Pool) -> NDArray[np.float64]:
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
        # the keys are small: a few bits for the axes and one for each route chosen before
        number = np.bincount(keys)
        table = np.zeros(len(number), dtype=np.float64)
        for key in np.flatnonzero(number):
            table[key] = self._joint_total(picked, int(key), shift)
        return totals + table[keys]

    def _joint_total(self, picked: _Chosen, key: int, shift: int) -> int:
        axes, meeting = key & ((1 << shift) - 1), key >> shift
        return self._joint.total((*picked.axes, axes), _meeting(picked, meeting))

    # --- stage 3: branch and bound -----------------------------------------------------------------------------------

    def _branch(self) -> None:
        for kind, pool in enumerate(self._pools):
            self._pools[kind] = pool.taken(np.argsort(-pool.worth, kind="stable"))
        kinds = sorted(range(len(self._pools)), key=lambda kind: (len(self._pools[kind]), kind))
        branches = [_Branch(kind, self._pools[kind]) for kind in kinds for _ in self._pools[kind].trains]
        self._descend(_Chosen(), self._paid, branches)

    def _descend(self, picked: _Chosen, worth: float, branches: list[_Branch]) -> None:
        """Choose for the first branch and go on; ``worth`` is that of the routes chosen plus all prices."""
        self._explored += 1
        self._check_time()
        kind, pool, rest = branches[0].kind, branches[0].pool, branches[1:]
        pools = {branch.kind: branch.pool for branch in branches}
        if rest and sum(map(len, pools.values())) <= MOST_PACKED:
            self._search_packed(picked, worth, branches)
            return
        if not rest:
            self._choose_last(picked, worth, branches[0])
            return
        others = sum(other.pool.best() for other in rest)
        unlike = sum(other.pool.best() for other in rest if other.kind != kind)
        alike = sum(other.kind == kind for other in rest)
        for at in range(len(pool)):
            own = float(pool.worth[at])
            chosen = worth + own
            # interchangeable trains that choose after this one are worth no more
            if chosen + min(others, unlike + alike * max(own, 0.0)) < self._to_beat() - _ROUNDING:
                break
            narrowed = self._narrowed(rest, branches[0], at, self._to_beat() - _ROUNDING - chosen)
            if narrowed is not None:
                self._descend(_with(picked, kind, pool, at), chosen, narrowed)
        if not pool.must_run and worth + others >= self._to_beat() - _ROUNDING:
            # of interchangeable trains the last ones stay idle
            self._descend(picked, worth, [_idle_too(other, kind) for other in rest])

    def _search_packed(self, picked: _Chosen, worth: float, branches: list[_Branch]) -> None:
        """The rest of the tree where few candidates are left."""
        kinds = list(dict.fromkeys(branch.kind for branch in branches))
        pools = [next(branch.pool for branch in branches if branch.kind == kind) for kind in kinds]

        def visit(picks: Picks) -> None:
            chosen = picked
            for place, at in picks:
                chosen = _with(chosen, kinds[place], pools[place], at)
            revenue = int(chosen.value) + self._joint.total(chosen.axes, chosen.meets)
            if revenue >= self._to_beat():
                self._offer(revenue, chosen.rows)

        def credit(axes: NDArray[np.uint8]) -> NDArray[np.float64]:
            return self._joint.credit(axes, self._shares)

        ask = Ask(self._to_beat, self._joint.most, credit, visit, self._check_time)
        packed = Packed(pools, [kinds.index(branch.kind) for branch in branches], ask)
        packed.search(worth, picked.value, picked.axes)
        self._explored += packed.explored

    @staticmethod
    def _narrowed(rest: list[_Branch], branch: _Branch, at: int, needed: float) -> list[_Branch] | None:
        """What the other trains can still run beside candidate *at*; None where that cannot reach what is needed."""
        taken = [word[at] for word in branch.pool.track]
        left, known = [], (-1, branch.pool)
        for other in rest:
            if other.kind != known[0]:
                # interchangeable trains choose in falling order of worth, so that no set is met twice
                later = other.pool.taken(slice(at + 1, None)) if other.kind == branch.kind else other.pool
                known = (other.kind, later.taken(later.free_of(taken)))
            left.append(_Branch(*known))
        bests = [other.pool.best() for other in left]
        total = sum(bests)
        if total < needed:
            return None
        narrowed: list[_Branch] = []
        for other, best in zip(left, bests, strict=True):
            if narrowed and narrowed[-1].kind == other.kind:
                narrowed.append(narrowed[-1])
            else:
                narrowed.append(_Branch(other.kind, other.pool.taken(other.pool.worth >= needed - (total - best))))
        return narrowed

    def _choose_last(self, picked: _Chosen, worth: float, branch: _Branch) -> None:
        if not branch.pool.must_run:
            revenue = int(picked.value) + self._joint.total(picked.axes, picked.meets)
            if revenue >= self._to_beat():
                self._offer(revenue, picked.rows)
        near = np.flatnonzero(branch.pool.worth >= self._to_beat() - _ROUNDING - worth)
        if not len(near):
            return
        pool = branch.pool.taken(near)
        totals = self._totals(picked, pool)
        for at in self._best_of(totals, self._routes[branch.kind][pool.row]):
            if totals[at] < self._to_beat():
                break
            self._offer(int(totals[at]), (*picked.rows, (branch.kind, int(pool.row[at]))))

    def _best_of(self, totals: NDArray[np.float64], routes: NDArray[np.int64]) -> Iterator[int]:
        """The candidates of the highest totals, the best first, as many as there may be answers."""
        if self._top == 1:
            yield int(np.argmax(totals))
            return
        seen: set[int] = set()
        for at in np.argsort(-totals, kind="stable"):
            seen.add(int(routes[at]))
            if len(seen) > self._top:
                return
            yield int(at)


def _idle_too(other: _Branch, kind: int) -> _Branch:
    return _Branch(other.kind, other.pool.taken(slice(0, 0))) if other.kind == kind else other


def _with(picked: _Chosen, kind: int, pool: Pool, at: int) -> _Chosen:
    """The chosen routes and candidate *at* of *pool*."""
    stops = tuple(int(word[at]) for word in pool.stops)
    meeting = 0
    for place, others in enumerate(picked.stops):
        if any(mine & theirs for mine, theirs in zip(stops, others, strict=True)):
            meeting |= 1 << place
    return _Chosen(
        (*picked.rows, (kind, int(pool.row[at]))),
        picked.value + float(pool.value[at]),
        (*picked.axes, int(pool.axes[at])),
        (*picked.stops, stops),
        _meeting(picked, meeting),
    )


def _meeting(picked: _Chosen, meeting: int) -> tuple[int, ...]:
    """Who meets whom when one more route joins that meets the routes of *meeting*."""
    number = len(picked.meets)
    met = (bits | (1 << number if meeting >> place & 1 else 0) for place, bits in enumerate(picked.meets))
    return (*met, meeting)
