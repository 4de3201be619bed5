"""Every route that some train may run, enumerated level by level as columns.

A trail is grown from a *root*, a stop of which every route must visit one (a city with an own token): first an arm to
the right, link by link, then an arm to the left. Each trail is met once: the left arm must leave the root by a lower
numbered link than the right one, and a trail from the k-th root avoids the roots before it. What a trail uses up is a
row of bits (:mod:`routing.track_bits`).

Growing begins in plain Python, which is quicker while a level has few trails, and goes on with arrays, which extend
and test a whole level by a few operations. Both give the same rows in the same order.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from board.hexes import StopId
from board.network import Network
from board.routes import Leg
from board.trains import TrainType
from routing.problem import RouteProblem
from routing.track_bits import (
    WORD,
    BitPlan,
    Bits,
    Ints,
    KindTable,
    Move,
    Moves,
    Watched,
    Words,
    bits_apart,
    columns,
    plan_bits,
    stop_pay,
    table_of_moves,
    to_words,
    town_value_of,
    value_of,
)

#: Trails beyond this number are left to the constraint model. A trail takes about 60 bytes.
MOST_TRAILS: Final = 1_500_000
#: Levels of up to so many trails are extended quicker in plain Python than by arrays.
_FEW_TRAILS: Final = 150
#: So many steps from trails are looked at together: enough for arrays to pay, few enough to stay in the cache.
_CHUNK: Final = 30_000


class TooManyTrailsError(Exception):
    """The network outgrew the budget of the enumeration; the caller changes to another method."""


@dataclass
class Trails:
    """The enumerated trails, one row each. ``parent`` and ``step`` (a number of a move) rebuild the track; the rows
    from ``first_left`` on have grown to the left from their parents, those before it to the right. The first rows are
    the roots alone, in the order of the network, without parent.

    ``kinds`` is the packed number of visited cities, towns and off-boards; ``pay`` packs what they pay (each hex once
    where the title says so, stops whose pay depends on the route left out); ``low`` and ``high`` are the outermost
    stops that count for distance (-1: none), both empty where no stop of the network does.
    """

    problem: RouteProblem
    network: Network
    plan: BitPlan
    moves: Moves
    kind_table: KindTable = field(repr=False)
    first_left: int
    parent: Ints
    step: Ints
    words: list[Words]
    kinds: Ints
    pay: NDArray[np.int64]
    low: Ints
    high: Ints

    def __len__(self) -> int:
        return len(self.parent)

    def value(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """What the cities and off-boards of the trails *rows* pay. Money."""
        return value_of(self.pay[rows])

    def town_value(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """What the towns of the trails *rows* pay. Money."""
        return town_value_of(self.pay[rows])

    @cached_property
    def track(self) -> list[Words]:
        """The words that hold track bits."""
        return self.words[: self.plan.track_words]

    def has(self, bits: Bits) -> NDArray[np.bool_]:
        """Which trails carry any of *bits*."""
        found: NDArray[np.bool_] | None = None
        for word, part in enumerate(to_words(bits, self.plan.words)):
            if part:
                carries = (self.words[word] & np.uint64(part)) != 0
                found = carries if found is None else found | carries
        return np.zeros(len(self), dtype=bool) if found is None else found

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

    def visited_stops(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """For each stop of the network (in its order) which of the trails *rows* visit it."""
        first, number = self.plan.track_words, len(self.network.stops)
        words = [word[rows] for word in self.words[first : first + -(-number // WORD)]]
        return bits_apart(words, number)

    def legs_of(self, trail: int) -> tuple[Leg, ...]:
        """The track of a trail from its left end to its right end."""
        arms: dict[bool, list[Leg]] = {False: [], True: []}
        while self.parent[trail] >= 0:
            move = self.moves.all[self.step[trail]]
            arms[trail >= self.first_left].append(self.network.links[move.link].leg_from(move.source))
            trail = int(self.parent[trail])
        return (*(leg.reversed() for leg in arms[True]), *reversed(arms[False]))

    # --- the two ends, for extensions --------------------------------------------------------------------------------

    @cached_property
    def _right_arm(self) -> NDArray[np.int64]:
        """For each trail the row of its right arm alone."""
        arm = np.arange(len(self))
        while (left := arm >= self.first_left).any():
            arm = np.where(left, self.parent[arm], arm)
        return arm

    @cached_property
    def _first_step(self) -> NDArray[np.int64]:
        """For each trail the first step of its right arm, -1 where it has none."""
        first, step = self._right_arm, self.step[self._right_arm].astype(np.int64)
        while (longer := self.parent[first] >= 0).any():
            first, step = np.where(longer, self.parent[first], first), np.where(longer, self.step[first], step)
        return step

    @cached_property
    def right_end(self) -> Ints:
        """The stop at the right end of each trail."""
        end = self.moves.target[self.step[self._right_arm]]
        end[: len(self.network.roots)] = self.network.roots
        return end

    @cached_property
    def left_end(self) -> Ints:
        """The stop at the left end of each trail."""
        end = self.moves.source[self._first_step].astype(np.int32)
        end[: len(self.network.roots)] = self.network.roots
        end[self.first_left :] = self.moves.target[self.step[self.first_left :]]
        return end

    @cached_property
    def right_open(self) -> NDArray[np.bool_]:
        """Whether track may lead on from the right end (the trail does not end on a terminal piece)."""
        is_open = self.moves.arrives_free[self.step[self._right_arm]]
        is_open[: len(self.network.roots)] = True
        return is_open

    @cached_property
    def left_open(self) -> NDArray[np.bool_]:
        """Whether track may lead on from the left end."""
        is_open = self.moves.leaves_free[self._first_step]
        is_open[: len(self.network.roots)] = True
        is_open[self.first_left :] = self.moves.arrives_free[self.step[self.first_left :]]
        return is_open


def enumerate_trails(
    problem: RouteProblem,
    network: Network,
    *,
    watched: Iterable[Watched] = (),
    far_stops: frozenset[StopId] = frozenset(),
    deadline: float | None = None,
    most: int = MOST_TRAILS,
    beam: int | None = None,
    trains: Iterable[TrainType] | None = None,
) -> Trails:
    """All trails of at least two stops that one of the *trains* (default: the position's) may visit.

    ``watched`` are track and hexes that bonuses ask for, ``far_stops`` the stops that count for a distance bonus.
    ``deadline`` is a reading of :func:`time.perf_counter`. Raises :class:`TooManyTrailsError` beyond *most* or the
    deadline; with *beam* only so many trails of each length are kept, the most valuable ones, and nothing is raised.
    """
    plan = plan_bits(problem, network, watched)
    kinds = KindTable(problem, network)
    allowed = _allowed(kinds, problem.position.train_types if trains is None else trains)
    moves = table_of_moves(problem, network, plan, kinds, far_stops)
    budget = _Budget(deadline, None if beam is not None else most)
    few = _Few(network, moves, allowed.tobytes(), budget)
    few.grow(_roots(problem, network, plan, kinds, far_stops))
    grown = few.rows_of(moves.words)
    if few.front:
        _Many(network, moves, allowed, budget, beam).grow(grown, few)
    return Trails(problem, network, plan, moves, kinds, few.first_left, *grown.columns())


def trails_along(
    problem: RouteProblem,
    network: Network,
    tracks: Iterable[Collection[int]],
    trains: Iterable[TrainType],
    *,
    watched: Iterable[Watched] = (),
    far_stops: frozenset[StopId] = frozenset(),
) -> Trails:
    """The trails that run over exactly one of the *tracks* (each the links of a trail that one of *trains* may run),
    and those from which they grow; rows as :func:`enumerate_trails` gives them."""
    plan = plan_bits(problem, network, watched)
    kinds = KindTable(problem, network)
    moves = table_of_moves(problem, network, plan, kinds, far_stops)
    few = _Few(network, moves, _allowed(kinds, trains).tobytes(), _Budget(None, None))
    few.grow_along(_roots(problem, network, plan, kinds, far_stops), [_arms(network, moves, track) for track in tracks])
    return Trails(problem, network, plan, moves, kinds, few.first_left, *few.rows_of(moves.words).columns())


def _allowed(kinds: KindTable, trains: Iterable[TrainType]) -> NDArray[np.bool_]:
    """For each packed number of stops whether one of the trains may visit so many."""
    tables = [kinds.allowed(train) for train in dict.fromkeys(trains)]
    return tables[0] if len(tables) == 1 else np.logical_or.reduce(tables)


class _Arms(NamedTuple):
    """How a trail grows: the place of its root among the roots, and the moves to the right and to the left."""

    root: int
    right: list[Move]
    left: list[Move]


def _arms(network: Network, moves: Moves, track: Collection[int]) -> _Arms:
    """The arms of the trail over these links, from the first root on it."""
    ahead: dict[int, list[Move]] = {}
    for link in track:
        for node in (network.links[link].a, network.links[link].b):
            move = next(move for _, move in moves.ahead[node] if move.link == link)
            ahead.setdefault(node, []).append(move)
    root = next(place for place, node in enumerate(network.roots) if node in ahead)
    arms: list[list[Move]] = []
    for first in sorted(ahead[network.roots[root]], key=lambda move: -move.number):
        arm = [first]
        while len(onward := ahead[arm[-1].target]) > 1:
            arm.append(onward[onward[0].link == arm[-1].link])
        arms.append(arm)
    return _Arms(root, arms[0], arms[1] if len(arms) > 1 else [])


@dataclass(frozen=True)
class _Budget:
    """``most`` trails (None: any number) until the ``deadline``."""

    deadline: float | None
    most: int | None

    def check(self, trails: int) -> None:
        if self.most is not None and trails > self.most:
            raise TooManyTrailsError

    def check_time(self) -> None:
        if self.deadline is not None and time.perf_counter() > self.deadline:
            raise TooManyTrailsError


_Row = tuple[Bits, int, int, int, int, int, int, int, int]
"""A trail in growth: bits, kinds, pay, first step, end, low, high, parent, step."""


def _roots(
    problem: RouteProblem, network: Network, plan: BitPlan, kinds: KindTable, far_stops: frozenset[StopId]
) -> list[_Row]:
    """The stops that trails grow from, as trails without steps."""
    rows, banned = [], 0
    for node in network.roots:
        bits = plan.stop_bit[node] | plan.group_bits[node] | plan.hex_bit[node] | banned
        banned |= plan.ban_of[node]
        stop = network.stops[node]
        far = node if stop in far_stops else -1
        rows.append((bits, kinds.increment[node], stop_pay(problem, stop), -1, node, far, far, -1, -1))
    return rows


# --- plain Python, for small levels -----------------------------------------------------------------------------------


class _Few:
    """Grows trails one by one until a level has too many.

    ``front`` then holds the rows that are to be extended next, to the left where ``left`` is set; it is empty where all
    trails are known. With ``turning`` they are the right arms from which left arms begin.
    """

    def __init__(self, network: Network, moves: Moves, allowed: bytes, budget: _Budget) -> None:
        self._network, self._moves, self._allowed, self._budget = network, moves, allowed, budget
        self.rows: list[_Row] = []
        self.front: list[int] = []
        self.left = self.turning = False
        self.first_left = 0

    def grow(self, roots: list[_Row]) -> None:
        self.rows = list(roots)
        ahead = self._moves.ahead
        self.front = []
        for place in range(len(roots)):
            self.front += self._extend(place, ahead[self.rows[place][4]], starts=True)
        self._arm()
        if not self.front:
            self.first_left = len(self.rows)
            self.front = self._that_turn()
            self.left = self.turning = True
            if len(self.front) <= _FEW_TRAILS:
                front, self.front, self.turning = self.front, [], False
                for place in front:
                    first = self._moves.all[self.rows[place][3]]
                    below = first.number - self._moves.starts[first.source]
                    self.front += self._extend(place, ahead[first.source][:below])
                self._arm()

    def grow_along(self, roots: list[_Row], trails: Sequence[_Arms]) -> None:
        """Grow these trails and no others."""
        self.rows = list(roots)
        grown = self._along([(arms.root, arms.right) for arms in trails], starts=True)
        self.first_left, self.left = len(self.rows), True
        self._along([(place, arms.left) for place, arms in zip(grown, trails, strict=True)], starts=False)

    def _along(self, arms: Sequence[tuple[int, list[Move]]], *, starts: bool) -> list[int]:
        """Grow arms from rows, sharing what begins alike; returns the rows of the whole arms."""
        at = [place for place, _ in arms]
        known: dict[tuple[int, int], int] = {}
        for step in range(max((len(moves) for _, moves in arms), default=0)):
            for number, (_, moves) in enumerate(arms):
                if step < len(moves):
                    key = (at[number], moves[step].number)
                    if key not in known:
                        known[key] = len(self.rows)
                        move = moves[step]
                        self._extend(at[number], [(move.forbid, move)], starts=starts and not step)
                        assert len(self.rows) > known[key]  # the track is that of a legal trail
                    at[number] = known[key]
        return at

    def _that_turn(self) -> list[int]:
        """The right arms that may go on to the left."""
        ends = self._network.ends
        turns = [move.leaves_free and not ends[move.source] for move in self._moves.all]
        return [place for place, row in enumerate(self.rows) if row[3] >= 0 and turns[row[3]]]

    def _arm(self) -> None:
        """Grow the same arm on until nothing is left or a level has too many."""
        ahead = self._moves.ahead
        while 0 < len(self.front) <= _FEW_TRAILS:
            front, self.front = self.front, []
            for place in front:
                self.front += self._extend(place, ahead[self.rows[place][4]])
            self._budget.check(len(self.rows))

    def _extend(self, place: int, ahead: list[tuple[Bits, Move]], *, starts: bool = False) -> list[int]:
        """Append every trail that is a step longer than the one at *place*; returns those that may go on."""
        rows, allowed, left = self.rows, self._allowed, self.left
        mask, kinds, pay, first, _, low, high, _, _ = rows[place]
        fresh: list[int] = []
        for needs, move in ahead:
            if mask & needs:
                continue
            number, _, put, hexes, more, paid, target, far, leaves_free, _, runs_on, _, _ = move
            more += kinds
            if not allowed[more] or not (leaves_free or starts):
                continue
            new_low, new_high = low, high
            if far >= 0:
                if left or low < 0:
                    new_low = far
                if not left or high < 0:
                    new_high = far
            if runs_on:
                fresh.append(len(rows))
            earned = pay if mask & hexes else pay + paid
            begun = number if starts else first
            rows.append((mask | put, more, earned, begun, target, new_low, new_high, place, number))
        return fresh

    def rows_of(self, words: int) -> _Grown:
        """All rows as columns."""
        bits, kinds, pay, first, _, low, high, parent, step = zip(*self.rows, strict=True)
        if not self._moves.has_far:
            low = high = ()
        return _Grown(
            [[word] for word in columns(bits, words)],
            [np.array(kinds, dtype=np.int32)],
            [np.array(pay, dtype=np.int64)],
            [np.array(first, dtype=np.int32)],
            [np.array(low, dtype=np.int32)],
            [np.array(high, dtype=np.int32)],
            [np.array(parent, dtype=np.int32)],
            [np.array(step, dtype=np.int32)],
        )


# --- arrays, for large levels -----------------------------------------------------------------------------------------


@dataclass
class _Grown:
    """Rows as columns, each in parts: the words of bits, the packed kinds and pay, the first step of the right arm, the
    outermost stops that count for distance, the parent and the step."""

    words: list[list[Words]]
    kinds: list[Ints]
    pay: list[NDArray[np.int64]]
    first: list[Ints]
    low: list[Ints]
    high: list[Ints]
    parent: list[Ints]
    step: list[Ints]

    def __len__(self) -> int:
        return sum(map(len, self.parent))

    def __iter__(self) -> Iterator[list[NDArray[Any]]]:
        yield from self.words
        yield from (self.kinds, self.pay, self.first, self.low, self.high, self.parent, self.step)

    def whole(self) -> _Grown:
        """The same rows in one part; the parts are given up one by one, so that memory does not double."""
        for column in self:
            if len(column) > 1:
                joined = np.concatenate(column)
                column.clear()
                column.append(joined)
        return self

    def extend(self, other: _Grown) -> None:
        for column, more in zip(self, other, strict=True):
            column.extend(more)

    def columns(self) -> tuple[Ints, Ints, list[Words], Ints, NDArray[np.int64], Ints, Ints]:
        """The columns of :class:`Trails` from ``parent`` on."""
        self.first = []
        self.whole()
        parent, step, kinds, pay = self.parent[0], self.step[0], self.kinds[0], self.pay[0]
        return parent, step, [word[0] for word in self.words], kinds, pay, self.low[0], self.high[0]


@dataclass
class _Many:
    """Extends whole levels by array operations."""

    network: Network
    moves: Moves
    allowed: NDArray[np.bool_]
    budget: _Budget
    beam: int | None

    def grow(self, grown: _Grown, few: _Few) -> None:
        """Go on where plain Python has left off; new rows are appended to *grown*."""
        try:
            front = np.array(few.front, dtype=np.int64)
            if not few.left:
                self._arm(grown, grown.whole(), front, 0, left=False)
                few.first_left = len(grown)
                front = self._that_turn(grown.whole().first[0])
            if few.left and not few.turning:
                self._arm(grown, grown.whole(), front, 0, left=True)
            elif len(front):
                first = grown.whole().first[0].take(front)
                start = self.moves.source.take(first)
                # the left arm leaves by a lower numbered link than the right one
                level = self._extended(grown, front, 0, start, first - self.moves.first.take(start), left=True)
                self._arm(grown, level, self._that_run_on(level), len(grown) - len(level), left=True)
        except TooManyTrailsError:
            if self.beam is None:
                raise

    def _that_turn(self, first: Ints) -> NDArray[np.int64]:
        """The right arms with these first steps that may go on to the left."""
        turns = self.moves.leaves_free & ~np.array(self.network.ends)[self.moves.source]
        return np.flatnonzero((first >= 0) & turns.take(first))

    def _that_run_on(self, level: _Grown) -> NDArray[np.int64]:
        return np.flatnonzero(self.moves.runs_on.take(level.step[0]))

    def _arm(self, grown: _Grown, level: _Grown, front: NDArray[np.int64], base: int, *, left: bool) -> None:
        """Grow the same arm on from the rows *front* of *level*, whose first row has the number *base*."""
        while len(front):
            end = self.moves.target.take(level.step[0].take(front))
            level = self._extended(level, front, base, end, self.moves.count.take(end), left=left, total=grown)
            base, front = len(grown) - len(level), self._that_run_on(level)

    def _extended(
        self,
        level: _Grown,
        front: NDArray[np.int64],
        base: int,
        start: NDArray[np.int64] | Ints,
        count: NDArray[np.int64],
        *,
        left: bool,
        total: _Grown | None = None,
    ) -> _Grown:
        """Every trail of the rows *front* of *level*, prolonged by each of the first *count* moves from its stop
        *start* that is free, allowed and leads on; appended to *total* (default *level*)."""
        total = level if total is None else total
        steps = np.cumsum(count)
        edges = [0, len(front)]
        if self.beam is None and len(steps) and steps[-1] > _CHUNK:
            edges[1:1] = np.searchsorted(steps, np.arange(_CHUNK, steps[-1], _CHUNK)).tolist()
        first = self.moves.first.take(start) - (steps - count)
        parts: _Grown | None = None
        for begin, end in pairwise(edges):
            self.budget.check_time()
            number = count[begin:end]
            rows = np.repeat(front[begin:end], number)
            done = int(steps[begin] - count[begin]) if begin < len(steps) else 0
            step = np.arange(done, done + len(rows)) + np.repeat(first[begin:end], number)
            part = self._free(level, rows, step, base, left=left)
            if parts is None:
                parts = part
            else:
                parts.extend(part)
            self.budget.check(len(total) + len(parts))
        assert parts is not None
        fresh = parts.whole()
        total.extend(fresh)
        return fresh

    def _free(
        self, level: _Grown, rows: NDArray[np.int64], step: NDArray[np.int64], base: int, *, left: bool
    ) -> _Grown:
        """The *rows* of *level* prolonged by one *step* each, where that is possible."""
        moves = self.moves
        kinds = level.kinds[0].take(rows) + moves.kinds.take(step)
        free = self.allowed.take(kinds) & moves.leaves_free.take(step)
        for have, forbid in zip(level.words, moves.forbid, strict=True):
            free &= (have[0].take(rows) & forbid.take(step)) == 0
        keep = np.flatnonzero(free)
        rows, step, kinds = rows.take(keep), step.take(keep), kinds.take(keep)
        earned = moves.pay.take(step)
        if moves.hexes:
            for have, hexes in zip(level.words, moves.hexes, strict=True):
                earned[(have[0].take(rows) & hexes.take(step)) != 0] = 0
        pay = level.pay[0].take(rows) + earned
        if self.beam is not None and len(rows) > self.beam:
            best = np.sort(np.argpartition(-(value_of(pay) + town_value_of(pay)), self.beam)[: self.beam])
            rows, step, kinds, pay = rows[best], step[best], kinds[best], pay[best]
        low, high = level.low[0], level.high[0]
        if len(low):
            low, high, far = low.take(rows), high.take(rows), moves.far.take(step)
            near, beyond = (high, low) if left else (low, high)
            near, beyond = np.where((near < 0) & (far >= 0), far, near), np.where(far >= 0, far, beyond)
            low, high = (beyond, near) if left else (near, beyond)
        return _Grown(
            [[have[0].take(rows) | put.take(step)] for have, put in zip(level.words, moves.put, strict=True)],
            [kinds],
            [pay],
            [level.first[0][:0] if left else level.first[0].take(rows)],
            [low],
            [high],
            [(rows + base).astype(np.int32)],
            [step.astype(np.int32)],
        )
