"""Trails prolonged beyond the train's range to earn an interconnection bonus.

From either end of a trail the extension runs over track that the trail does not use, past the trail's own stops and
even through blocking cities, but not through off-board areas, to the partner of a place that the trail visits.
Source: 1833NE section 9, "Interconnection bonus".
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from board.hexes import StopId
from board.routes import Leg
from bonuses.terms import Reach
from routing.track_bits import Ints, Words, columns
from routing.trails import TooManyTrailsError, Trails


@dataclass
class Extended:
    """Prolonged trails, one row each: the ``trail``, the words of ``track`` with the extensions, and the stops where
    the extension from the right and from the left end arrives (-1: none). ``growth_*`` rebuild the track."""

    trails: Trails
    trail: NDArray[np.int64]
    track: list[Words]
    right_goal: Ints
    left_goal: Ints
    right_growth: Ints
    left_growth: Ints
    growth_parent: Ints
    growth_step: Ints

    def __len__(self) -> int:
        return len(self.trail)

    def worth(self, terms: Sequence[Reach]) -> NDArray[np.int64]:
        """What the extensions of each row earn. Money."""
        total = np.zeros(len(self), dtype=np.int64)
        for term in terms:
            one, other = self._visits(term.one), self._visits(term.other)
            reached = (one & self._arrives(term.other)) | (other & self._arrives(term.one))
            total += np.where(reached & ~(one & other), term.amount, 0)
        return total

    def _visits(self, stops: frozenset[StopId]) -> NDArray[np.bool_]:
        return self.trails.visits(stops)[self.trail]

    def _arrives(self, stops: frozenset[StopId]) -> NDArray[np.bool_]:
        nodes = [node for stop, node in self.trails.network.index.items() if stop in stops]
        return np.isin(self.right_goal, nodes) | np.isin(self.left_goal, nodes)

    def extensions_of(self, row: int) -> tuple[tuple[Leg, ...], ...]:
        """The extensions of a row, each from an end of the trail outwards."""
        trail = int(self.trail[row])
        found = []
        ends = ((self.right_growth, self.trails.right_end), (self.left_growth, self.trails.left_end))
        for growth, end in ends:
            if growth[row] >= 0:
                found.append(self._legs(int(growth[row]), int(end[trail])))
        return tuple(found)

    def _legs(self, growth: int, here: int) -> tuple[Leg, ...]:
        steps: list[int] = []
        while growth >= 0:
            steps.append(int(self.growth_step[growth]))
            growth = int(self.growth_parent[growth])
        legs = []
        for step in reversed(steps):
            legs.append(self.trails.network.links[self.trails.moves.all[step].link].leg_from(here))
            here = int(self.trails.moves.target[step])
        return tuple(legs)


@dataclass
class _Front:
    """Extensions in growth; ``growth`` numbers each, ``seen`` are the stops that it may not touch again."""

    trail: NDArray[np.int64]
    end: Ints
    track: list[Words]
    seen: list[Words]
    growth: Ints
    right_goal: Ints
    right_growth: Ints


def extend_trails(trails: Trails, terms: Sequence[Reach], *, deadline: float | None, most: int) -> Extended:
    """Every way to prolong the trails to a partner; :class:`TooManyTrailsError` beyond *most* or the deadline."""
    return _Extender(trails, terms, deadline, most).run()


class _Extender:
    def __init__(self, trails: Trails, terms: Sequence[Reach], deadline: float | None, most: int) -> None:
        self._trails, self._terms = trails, terms
        self._deadline, self._most = deadline, most
        network, position = trails.network, trails.problem.position
        self._passable = np.array(
            [not network.ends[node] or position.blocks(stop) for node, stop in enumerate(network.stops)], dtype=bool
        )
        track = [trails.plan.track_of[move.link] for move in trails.moves.all]
        stops = [trails.plan.stop_bit[move.target] for move in trails.moves.all]
        self._words, self._track_words = trails.plan.words, trails.plan.track_words
        self._step_track = columns(track, self._words)
        self._step_stop = columns(stops, self._words)
        self._wanted = self._goals()
        self._parents: list[Ints] = []
        self._steps: list[Ints] = []
        self._grown = 0

    def _goals(self) -> NDArray[np.bool_]:
        """For each trail and stop whether an extension that arrives there earns something."""
        trails = self._trails
        wanted = np.zeros((len(trails), len(trails.network.stops)), dtype=bool)
        for term in self._terms:
            one, other = trails.visits(term.one), trails.visits(term.other)
            for stop, node in trails.network.index.items():
                if stop in term.other:
                    wanted[:, node] |= one & ~other
                if stop in term.one:
                    wanted[:, node] |= other & ~one
        return wanted

    def run(self) -> Extended:
        trails = self._trails
        rows = np.flatnonzero((trails.parent >= 0) & self._wanted.any(axis=1))
        none = np.full(len(rows), -1, dtype=np.int32)
        words = [word[rows] for word in trails.words]
        base = _Front(rows, trails.right_end[rows], words[: self._track_words], words, none, none, none)
        right = self._grow(base, trails.right_open)
        both = _joined([base, *(self._arrived(front) for front in right)])
        both.end = trails.left_end[both.trail]
        both.seen = [word[both.trail] for word in trails.words]
        both.growth = np.full(len(both.trail), -1, dtype=np.int32)
        left = self._grow(both, trails.left_open)
        only_right = _joined([self._arrived(front) for front in right]) if right else both
        arrived = [(front, False) for front in ([only_right] if right else [])]
        arrived += [(self._arrived(front, keep=True), True) for front in left]
        return self._finished(arrived)

    def _grow(self, start: _Front, is_open: NDArray[np.bool_]) -> list[_Front]:
        keep = is_open[start.trail] & self._passable[start.end]
        front, found = self._extended(_taken(start, keep)), []
        while len(front.trail):
            found.append(front)
            goes_on = self._passable[front.end] & self._trails.moves.arrives_free[self._steps[-1]]
            front = self._extended(_taken(front, goes_on))
        return found

    def _extended(self, front: _Front) -> _Front:
        moves = self._trails.moves
        count = moves.count[front.end]
        rows = np.repeat(np.arange(len(front.end)), count)
        step = moves.first[front.end][rows] + np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        if self._grown + len(rows) > self._most or (
            self._deadline is not None and time.perf_counter() > self._deadline
        ):
            raise TooManyTrailsError
        free = moves.leaves_free[step].copy()
        for have, forbid in zip(front.track, self._step_track, strict=False):
            free &= (have[rows] & forbid[step]) == 0
        for have, forbid in zip(front.seen, self._step_stop, strict=True):
            free &= (have[rows] & forbid[step]) == 0
        rows, step = rows[free], step[free]
        grown = _Front(
            front.trail[rows],
            moves.target[step],
            [have[rows] | put[step] for have, put in zip(front.track, self._step_track, strict=False)],
            [have[rows] | put[step] for have, put in zip(front.seen, self._step_stop, strict=True)],
            np.arange(self._grown, self._grown + len(rows), dtype=np.int32),
            front.right_goal[rows],
            front.right_growth[rows],
        )
        self._parents.append(front.growth[rows])
        self._steps.append(step.astype(np.int32))
        self._grown += len(rows)
        return grown

    def _arrived(self, front: _Front, *, keep: bool = False) -> _Front:
        """The extensions that have reached a partner; noted as the right one unless *keep*."""
        rows = np.flatnonzero(self._wanted[front.trail, front.end])
        arrived = _taken(front, rows)
        if not keep:
            arrived.right_goal, arrived.right_growth = arrived.end, arrived.growth
        return arrived

    def _finished(self, arrived: Sequence[tuple[_Front, bool]]) -> Extended:
        fronts = [front for front, _ in arrived]
        if not fronts:
            empty = np.zeros(0, dtype=np.int32)
            fronts = [_taken(_joined([self._empty()]), np.zeros(0, dtype=np.int64))]
            arrived = [(fronts[0], False)]
            self._parents, self._steps = [empty], [empty]
        whole = _joined(fronts)
        is_left = np.concatenate([np.full(len(front.trail), left) for front, left in arrived])
        return Extended(
            self._trails,
            whole.trail,
            whole.track,
            whole.right_goal,
            np.where(is_left, whole.end, -1).astype(np.int32),
            whole.right_growth,
            np.where(is_left, whole.growth, -1).astype(np.int32),
            np.concatenate(self._parents),
            np.concatenate(self._steps),
        )

    def _empty(self) -> _Front:
        none, words = np.zeros(0, dtype=np.int32), [np.zeros(0, dtype=np.uint64)] * self._words
        return _Front(np.zeros(0, dtype=np.int64), none, words[: self._track_words], words, none, none, none)


def _taken(front: _Front, rows: NDArray[np.bool_] | NDArray[np.int64]) -> _Front:
    return _Front(
        front.trail[rows],
        front.end[rows],
        [word[rows] for word in front.track],
        [word[rows] for word in front.seen],
        front.growth[rows],
        front.right_goal[rows],
        front.right_growth[rows],
    )


def _joined(fronts: Sequence[_Front]) -> _Front:
    return _Front(
        np.concatenate([front.trail for front in fronts]),
        np.concatenate([front.end for front in fronts]),
        [np.concatenate(words) for words in zip(*(front.track for front in fronts), strict=True)],
        [np.concatenate(words) for words in zip(*(front.seen for front in fronts), strict=True)],
        np.concatenate([front.growth for front in fronts]),
        np.concatenate([front.right_goal for front in fronts]),
        np.concatenate([front.right_growth for front in fronts]),
    )
