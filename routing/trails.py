"""Every route that some train may run, enumerated level by level as columns.

A trail is grown from a *root*, a stop of which every route must visit one (a city with an own token): first an arm to
the right, link by link, then an arm to the left. Each trail is met once: the left arm must leave the root by a lower
numbered link than the right one, and a trail from the k-th root avoids the roots before it. What a trail uses up is a
row of bits (:mod:`routing.track_bits`).

Two growers give the same rows in the same order: plain Python, which is quicker for the few hundred trails of a usual
position, and arrays, which extend and test a whole level by a few operations.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from board.hexes import StopId
from board.network import Network
from board.routes import Leg
from board.trains import StopKind
from routing.problem import RouteProblem
from routing.track_bits import (
    BitPlan,
    Bits,
    Ints,
    KindTable,
    Moves,
    Watched,
    Words,
    columns,
    plan_bits,
    stop_worth,
    table_of_moves,
    to_words,
)

#: Trails beyond this number are left to the constraint model. A trail takes about 100 bytes.
MOST_TRAILS: Final = 1_500_000
#: Up to this number plain Python is quicker than arrays.
_FEW_TRAILS: Final = 500


class TooManyTrailsError(Exception):
    """The network outgrew the budget of the enumeration; the caller changes to another method."""


@dataclass
class Trails:
    """The enumerated trails, one row each. ``parent`` and ``step`` rebuild the track; ``left`` tells the arm.

    ``kinds`` is the packed number of visited cities, towns and off-boards; ``value`` sums cities and off-boards and
    ``town_value`` towns (money, each hex once where the title says so, stops whose pay depends on the route left
    out); ``low`` and ``high`` are the outermost stops that count for distance (-1: none), ``right_end`` and
    ``left_end`` the ends; ``right_open`` and ``left_open`` tell whether track may lead on there (the trail does not end
    on a terminal piece). A row without parent is a root alone.
    """

    problem: RouteProblem
    network: Network
    plan: BitPlan
    moves: Moves
    kind_table: KindTable = field(repr=False)
    parent: Ints
    step: Ints
    left: NDArray[np.bool_]
    words: list[Words]
    kinds: Ints
    value: Ints
    town_value: Ints
    low: Ints
    high: Ints
    right_end: Ints
    left_end: Ints
    right_open: NDArray[np.bool_]
    left_open: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def track(self) -> list[Words]:
        """The words that hold track bits."""
        return self.words[: self.plan.track_words]

    def has(self, bits: Bits) -> NDArray[np.bool_]:
        """Which trails carry any of *bits*."""
        found = np.zeros(len(self), dtype=bool)
        for word, part in enumerate(to_words(bits, self.plan.words)):
            if part:
                found |= (self.words[word] & np.uint64(part)) != 0
        return found

    def runs_over(self, places: Watched) -> NDArray[np.bool_]:
        """Which trails run over any of the watched *places*."""
        return self.has(self.plan.mark_of[places])

    def visits(self, stops: Iterable[StopId]) -> NDArray[np.bool_]:
        """Which trails visit any of *stops*."""
        bits = 0
        for stop in stops:
            node = self.network.index.get(stop)
            bits |= self.plan.stop_bit[node] if node is not None else 0
        return self.has(bits)

    def legs_of(self, trail: int) -> tuple[Leg, ...]:
        """The track of a trail from its left end to its right end."""
        steps: list[tuple[int, bool]] = []
        while self.parent[trail] >= 0:
            steps.append((int(self.step[trail]), bool(self.left[trail])))
            trail = int(self.parent[trail])
        root = int(self.right_end[trail])
        here = {False: root, True: root}
        arms: dict[bool, list[Leg]] = {False: [], True: []}
        for step, left in reversed(steps):
            move = self.moves.all[step]
            arms[left].append(self.network.links[move.link].leg_from(here[left]))
            here[left] = move.target
        return (*(leg.reversed() for leg in reversed(arms[True])), *arms[False])


def enumerate_trails(
    problem: RouteProblem,
    network: Network,
    *,
    watched: Iterable[Watched] = (),
    far_stops: frozenset[StopId] = frozenset(),
    deadline: float | None = None,
    most: int = MOST_TRAILS,
    beam: int | None = None,
) -> Trails:
    """All trails of at least two stops that one of the position's trains may visit.

    ``watched`` are track and hexes that bonuses ask for, ``far_stops`` the stops that count for a distance bonus.
    ``deadline`` is a reading of :func:`time.perf_counter`. Raises :class:`TooManyTrailsError` beyond *most* or the
    deadline; with *beam* only so many trails of each length are kept, the most valuable ones, and nothing is raised.
    """
    plan = plan_bits(problem, network, watched)
    kinds = KindTable(problem, network)
    tables = [kinds.allowed(train) for train in set(problem.position.train_types)]
    allowed = tables[0] if len(tables) == 1 else np.logical_or.reduce(tables)
    moves = table_of_moves(problem, network, plan, kinds, far_stops)
    roots = _roots(problem, network, plan, kinds, far_stops)
    grown = _grow_few(roots, network, moves, allowed.tolist()) if most >= _FEW_TRAILS else None
    if grown is None:
        grown = _Grower(network, plan, moves, allowed, deadline, most, beam).grow(roots)
    return Trails(problem, network, plan, moves, kinds, *grown)


Rows = tuple[
    Ints,
    Ints,
    NDArray[np.bool_],
    list[Words],
    Ints,
    Ints,
    Ints,
    Ints,
    Ints,
    Ints,
    Ints,
    NDArray[np.bool_],
    NDArray[np.bool_],
]
"""The columns of :class:`Trails` from ``parent`` on."""


@dataclass(frozen=True)
class _Roots:
    """The stops that trails grow from, one place each in all lists."""

    nodes: list[int]
    bits: list[Bits]
    kinds: list[int]
    value: list[int]
    town_value: list[int]
    far: list[int]


def _roots(
    problem: RouteProblem, network: Network, plan: BitPlan, kinds: KindTable, far_stops: frozenset[StopId]
) -> _Roots:
    position, bits, banned = problem.position, [], 0
    for node in network.roots:
        bits.append(plan.stop_bit[node] | plan.group_bits[node] | plan.hex_bit[node] | banned)
        banned |= plan.ban_of[node]
    stops = [network.stops[node] for node in network.roots]
    towns = [position.stops[stop].kind is StopKind.TOWN for stop in stops]
    values = [stop_worth(problem, stop) for stop in stops]
    return _Roots(
        list(network.roots),
        bits,
        [kinds.increment[node] for node in network.roots],
        [0 if town else value for town, value in zip(towns, values, strict=True)],
        [value if town else 0 for town, value in zip(towns, values, strict=True)],
        [node if stop in far_stops else -1 for node, stop in zip(network.roots, stops, strict=True)],
    )


# --- plain Python, for few trails -------------------------------------------------------------------------------------


class _Row:
    """A trail in growth."""

    __slots__ = (
        "first_link",
        "high",
        "kinds",
        "left",
        "left_end",
        "left_open",
        "low",
        "mask",
        "parent",
        "right_end",
        "right_open",
        "root",
        "step",
        "town_value",
        "value",
    )

    def __init__(self, root: int, mask: Bits, kinds: int, revenue: tuple[int, int], far: int) -> None:
        self.root, self.mask, self.kinds, (self.value, self.town_value) = root, mask, kinds, revenue
        self.low = self.high = far
        self.right_end = self.left_end = root
        self.right_open = self.left_open = True
        self.parent = self.step = self.first_link = -1
        self.left = False


def _grow_few(roots: _Roots, network: Network, moves: Moves, allowed: list[bool]) -> Rows | None:
    """All trails, or None where there are more than a few."""
    rows = [
        _Row(node, bits, kinds, (value, town_value), far)
        for node, bits, kinds, value, town_value, far in zip(
            roots.nodes, roots.bits, roots.kinds, roots.value, roots.town_value, roots.far, strict=True
        )
    ]
    front: list[int] = list(range(len(rows)))
    for left in (False, True):
        while front:
            fresh: list[int] = []
            for place in front:
                fresh += _extend(rows, place, moves, allowed, left=left)
            if len(rows) > _FEW_TRAILS:
                return None
            front = fresh
        if not left:
            front = [
                place
                for place, row in enumerate(rows)
                if row.parent >= 0 and row.left_open and not network.ends[row.root]
            ]
    return (
        np.array([row.parent for row in rows], dtype=np.int32),
        np.array([row.step for row in rows], dtype=np.int32),
        np.array([row.left for row in rows], dtype=bool),
        columns([row.mask for row in rows], moves.words),
        np.array([row.kinds for row in rows], dtype=np.int32),
        np.array([row.value for row in rows], dtype=np.int32),
        np.array([row.town_value for row in rows], dtype=np.int32),
        np.array([row.low for row in rows], dtype=np.int32),
        np.array([row.high for row in rows], dtype=np.int32),
        np.array([row.right_end for row in rows], dtype=np.int32),
        np.array([row.left_end for row in rows], dtype=np.int32),
        np.array([row.right_open for row in rows], dtype=bool),
        np.array([row.left_open for row in rows], dtype=bool),
    )


def _extend(rows: list[_Row], place: int, moves: Moves, allowed: list[bool], *, left: bool) -> list[int]:
    """Append every trail that is a link longer than the one at *place*; returns the places of those that may go on."""
    row = rows[place]
    mask, kinds, starts = row.mask, row.kinds, row.first_link < 0
    second_arm = left and not row.left
    fresh: list[int] = []
    for move in moves.at[row.left_end if left else row.right_end]:
        if mask & move.forbid or not allowed[kinds + move.kinds] or not (starts or move.leaves_free):
            continue
        if second_arm and move.link >= row.first_link:
            continue
        paid = mask & move.hexes
        grown = _Row(row.root, mask | move.put, kinds + move.kinds, (row.value, row.town_value), row.low)
        grown.high, grown.parent, grown.step, grown.left = row.high, place, move.number, left
        if not paid:
            grown.value += move.value
            grown.town_value += move.town_value
        if left:
            grown.first_link, grown.right_end, grown.right_open = row.first_link, row.right_end, row.right_open
            grown.left_end, grown.left_open = move.target, move.arrives_free
        else:
            grown.first_link = move.link if starts else row.first_link
            grown.right_end, grown.right_open = move.target, move.arrives_free
            grown.left_open = move.leaves_free if starts else row.left_open
        if move.far >= 0:
            if left or grown.low < 0:
                grown.low = move.far
            if not left or grown.high < 0:
                grown.high = move.far
        if move.runs_on:
            fresh.append(len(rows))
        rows.append(grown)
    return fresh


# --- arrays, for many -------------------------------------------------------------------------------------------------


@dataclass
class _Level:
    """One level of trails as columns, with those columns that only growing needs."""

    index: Ints
    end: Ints
    root: Ints
    first_link: Ints
    words: list[Words]
    kinds: Ints
    value: Ints
    town_value: Ints
    low: Ints
    high: Ints
    right_end: Ints
    left_end: Ints
    parent: Ints
    step: Ints
    right_open: NDArray[np.bool_]
    left_open: NDArray[np.bool_]
    runs_on: NDArray[np.bool_]
    left: bool

    def taken(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> _Level:
        return _Level(
            self.index[rows],
            self.end[rows],
            self.root[rows],
            self.first_link[rows],
            [word[rows] for word in self.words],
            self.kinds[rows],
            self.value[rows],
            self.town_value[rows],
            self.low[rows],
            self.high[rows],
            self.right_end[rows],
            self.left_end[rows],
            self.parent[rows],
            self.step[rows],
            self.right_open[rows],
            self.left_open[rows],
            self.runs_on[rows],
            self.left,
        )


@dataclass
class _Grower:
    network: Network
    plan: BitPlan
    moves: Moves
    allowed: NDArray[np.bool_]
    deadline: float | None
    most: int
    beam: int | None

    def grow(self, start: _Roots) -> Rows:
        roots = self._roots(start)
        levels, right = [roots], []
        try:
            for level in self._arm(self._extended(roots, left=False, total=len(roots.index)), left=False):
                right.append(level)
                levels.append(level)
            if right:
                both = _joined(right)
                both = both.taken(both.left_open & ~np.array(self.network.ends)[both.root])
                both.end = both.root
                total = sum(len(level.index) for level in levels)
                first = self._extended(both, left=True, total=total, below_first_link=True)
                levels.extend(self._arm(first, left=True))
        except TooManyTrailsError:
            if self.beam is None:
                raise
        return _columns_of(levels)

    def _arm(self, level: _Level, *, left: bool) -> Iterator[_Level]:
        """The level and all that follow from it by growing the same arm."""
        while len(level.index):
            yield level
            total = int(level.index[-1]) + 1
            level = self._extended(level.taken(level.runs_on), left=left, total=total)

    def _roots(self, start: _Roots) -> _Level:
        number = len(start.nodes)
        end, minus = np.array(start.nodes, dtype=np.int32), np.full(number, -1, dtype=np.int32)
        far, yes = np.array(start.far, dtype=np.int32), np.ones(number, dtype=bool)
        return _Level(
            np.arange(number, dtype=np.int32),
            end,
            end,
            minus,
            columns(start.bits, self.plan.words),
            np.array(start.kinds, dtype=np.int32),
            np.array(start.value, dtype=np.int32),
            np.array(start.town_value, dtype=np.int32),
            far,
            far,
            end,
            end,
            minus,
            minus,
            yes,
            yes,
            yes,
            False,
        )

    def _extended(self, level: _Level, *, left: bool, total: int, below_first_link: bool = False) -> _Level:
        """The next level: every trail prolonged by every link that is free, allowed and leads on."""
        moves = self.moves
        count = moves.count[level.end]
        rows = np.repeat(np.arange(len(level.end)), count)
        step = moves.first[level.end][rows] + np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        late = self.deadline is not None and time.perf_counter() > self.deadline
        if late or (self.beam is None and total + len(rows) > 2 * self.most):
            raise TooManyTrailsError
        kinds = level.kinds[rows] + moves.kinds[step]
        free = self.allowed[kinds]
        for have, forbid in zip(level.words, moves.forbid, strict=True):
            free &= (have[rows] & forbid[step]) == 0
        starts = level.first_link[rows] < 0
        free &= starts | moves.leaves_free[step]
        if below_first_link:
            free &= moves.link[step] < level.first_link[rows]
        rows, step, kinds = rows[free], step[free], kinds[free]
        if self.beam is None and total + len(rows) > self.most:
            raise TooManyTrailsError
        value, town_value = moves.value[step], moves.town_value[step]
        if moves.hexes:
            paid = np.zeros(len(rows), dtype=bool)
            for have, hexes in zip(level.words, moves.hexes, strict=True):
                paid |= (have[rows] & hexes[step]) != 0
            value, town_value = np.where(paid, 0, value), np.where(paid, 0, town_value)
        if self.beam is not None and len(rows) > self.beam:
            worth = level.value[rows] + level.town_value[rows] + value + town_value
            best = np.sort(np.argpartition(-worth, self.beam)[: self.beam])
            rows, step, kinds, value, town_value = rows[best], step[best], kinds[best], value[best], town_value[best]
            starts = starts[free][best]
        else:
            starts = starts[free]
        target, far = moves.target[step], moves.far[step]
        low, high = level.low[rows], level.high[rows]
        if left:
            high = np.where((high < 0) & (far >= 0), far, high)
            low = np.where(far >= 0, far, low)
        else:
            low = np.where((low < 0) & (far >= 0), far, low)
            high = np.where(far >= 0, far, high)
        arrives_free = moves.arrives_free[step]
        return _Level(
            np.arange(total, total + len(rows), dtype=np.int32),
            target,
            level.root[rows],
            np.where(starts, moves.link[step], level.first_link[rows]).astype(np.int32),
            [have[rows] | put[step] for have, put in zip(level.words, moves.put, strict=True)],
            kinds.astype(np.int32),
            level.value[rows] + value,
            level.town_value[rows] + town_value,
            low,
            high,
            level.right_end[rows] if left else target,
            target if left else level.left_end[rows],
            level.index[rows],
            step.astype(np.int32),
            level.right_open[rows] if left else arrives_free,
            arrives_free if left else level.left_open[rows] & (~starts | moves.leaves_free[step]),
            moves.runs_on[step],
            left,
        )


def _columns_of(levels: Sequence[_Level]) -> Rows:
    whole = _joined(levels)
    return (
        whole.parent,
        whole.step,
        np.concatenate([np.full(len(level.index), level.left) for level in levels]),
        whole.words,
        whole.kinds,
        whole.value,
        whole.town_value,
        whole.low,
        whole.high,
        whole.right_end,
        whole.left_end,
        whole.right_open,
        whole.left_open,
    )


def _joined(levels: Sequence[_Level]) -> _Level:
    def column(read: Callable[[_Level], NDArray[np.int32]]) -> Ints:
        return np.concatenate([read(level) for level in levels])

    return _Level(
        column(lambda level: level.index),
        column(lambda level: level.end),
        column(lambda level: level.root),
        column(lambda level: level.first_link),
        [np.concatenate([level.words[word] for level in levels]) for word in range(len(levels[0].words))],
        column(lambda level: level.kinds),
        column(lambda level: level.value),
        column(lambda level: level.town_value),
        column(lambda level: level.low),
        column(lambda level: level.high),
        column(lambda level: level.right_end),
        column(lambda level: level.left_end),
        column(lambda level: level.parent),
        column(lambda level: level.step),
        np.concatenate([level.right_open for level in levels]),
        np.concatenate([level.left_open for level in levels]),
        np.concatenate([level.runs_on for level in levels]),
        False,
    )
