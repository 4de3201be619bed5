"""What each trail is worth to each train: the candidates from which a route set is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from board.hexes import StopId
from board.trains import StopKind, TrainType
from bonuses.terms import Distance, Highest, Joint, OnTrack, Reach, Touch
from routing.extensions import Extended
from routing.track_bits import Ints, Words, to_words
from routing.trails import Trails


@dataclass
class Candidates:
    """Routes that one kind of train may run, one row each, best first after :meth:`sorted`.

    ``trail`` indexes the trails, ``extended`` the prolonged trails (-1: none). ``value`` is what the route earns by
    itself, bonuses of one route and extensions included (money). ``track`` are the words of track that it uses up.
    ``axes`` has two bits for each axis of the joint bonus (touches the one end, the other end), ``stops`` the words of
    the stops by which it joins other routes.
    """

    train: TrainType
    trail: Ints
    extended: Ints
    value: Ints
    track: list[Words]
    axes: NDArray[np.uint8]
    stops: list[Words]

    def __len__(self) -> int:
        return len(self.trail)

    def taken(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Candidates:
        return Candidates(
            self.train,
            self.trail[rows],
            self.extended[rows],
            self.value[rows],
            [word[rows] for word in self.track],
            self.axes[rows],
            [word[rows] for word in self.stops],
        )

    def sorted_by(self, worth: NDArray[np.float64]) -> tuple[Candidates, NDArray[np.float64]]:
        order = np.argsort(-worth, kind="stable")
        return self.taken(order), worth[order]

    def without_twins(self, worth: NDArray[np.float64]) -> Candidates:
        """Of candidates that use the same track and stand the same for joint bonuses only the best stays."""
        if len(self) < 2:
            return self
        keys = [*self.track, *self.stops, self.axes.astype(np.uint64)]
        order = np.lexsort((np.arange(len(self)), -worth, *keys))
        fresh = np.zeros(len(self), dtype=bool)
        fresh[0] = True
        for key in keys:
            column = key[order]
            fresh[1:] |= column[1:] != column[:-1]
        return self.taken(np.sort(order[fresh]))


class Valuer:
    """Values all trails for each kind of train under the problem's terms."""

    def __init__(self, trails: Trails, extended: Extended | None = None) -> None:
        self._trails = trails
        self._problem = trails.problem
        self._terms = trails.problem.terms
        self._extended = extended
        self._long_enough = trails.parent >= 0
        self._legal = self._long_enough & self._meets_conditions()

    def _meets_conditions(self) -> NDArray[np.bool_]:
        met = np.ones(len(self._trails), dtype=bool)
        for condition in self._problem.rules.must_visit:
            met &= self._trails.visits(condition.stops)
        return met

    @cached_property
    def joint(self) -> Joint | None:
        """The joint bonus of the problem, if it has one."""
        return next((term for term in self._terms if isinstance(term, Joint)), None)

    def candidates(self, train: TrainType) -> Candidates:
        """Every route that *train* may run and that earns something, or that may help others to a joint bonus."""
        trails = self._trails
        rows = np.flatnonzero(self._legal & trails.kind_table.allowed(train)[trails.kinds])
        value = self._stop_values(train, rows) + self._route_bonuses(train, rows)
        track = [word[rows] for word in trails.track]
        extended = np.full(len(rows), -1, dtype=np.int32)
        if self._extended is not None and len(self._extended):
            rows, value, track, extended = self._with_extensions(rows, value, track, extended)
        axes, stops = self._standing(rows)
        found = Candidates(train, rows.astype(np.int32), extended, value.astype(np.int32), track, axes, stops)
        return found if self.joint else found.taken(found.value > 0)

    # --- stop values ---------------------------------------------------------------------------------------------

    def _stop_values(self, train: TrainType, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        trails = self._trails
        chooses = train.counts_fewer_than_it_visits
        if self._uneven_hexes or (chooses and (len(train.rows) > 1 or trails.moves.hex_pays_once)):
            return np.array([_counted_by_trial(trails, train, int(row)) for row in rows], dtype=np.int64)
        if chooses:
            return self._best_counted(train, rows)
        value = np.zeros(len(rows), dtype=np.int64)
        if train.pays_for(StopKind.CITY) or train.pays_for(StopKind.OFF_BOARD):
            value += trails.value[rows]
        if train.pays_for(StopKind.TOWN):
            value += trails.town_value[rows]
        return value * train.multiplier

    @cached_property
    def _uneven_hexes(self) -> bool:
        """Whether it matters which stop of a hex pays, where only one does. On no tile of the titles it does."""
        worth: dict[str, set[tuple[StopKind | None, int]]] = {}
        if self._trails.moves.hex_pays_once:
            for stop in self._trails.network.stops:
                kind = self._problem.position.stops[stop].kind
                worth.setdefault(stop.hex, set()).add((kind, self._problem.position.value(stop)))
        return any(len(kinds) > 1 for kinds in worth.values())

    def _best_counted(self, train: TrainType, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """N/M trains: the best N of the visited stops, one of them with an own token. Source: 1833NE section 9."""
        trails, row = self._trails, train.rows[0]
        places = row.pay if row.pay is not None else len(trails.network.stops)
        position, tokens = self._problem.position, self._problem.token_stops
        order = sorted(range(len(trails.network.stops)), key=lambda node: -position.value(trails.network.stops[node]))
        counted = np.zeros(len(rows), dtype=np.int64)
        total = np.zeros(len(rows), dtype=np.int64)
        last = np.zeros(len(rows), dtype=np.int64)
        with_token = np.zeros(len(rows), dtype=bool)
        best_token = np.full(len(rows), -1, dtype=np.int64)
        for node in order:
            stop = trails.network.stops[node]
            worth = position.value(stop)
            word, bit = _one_bit(trails.plan.stop_bit[node], trails.plan.words)
            visited = (trails.words[word][rows] & bit) != 0
            if stop in tokens:
                best_token = np.where(visited & (best_token < 0), worth, best_token)
            counts = visited & (counted < places)
            if stop in tokens:
                with_token |= counts
            total += np.where(counts, worth, 0)
            last = np.where(counts, worth, last)
            counted += counts
        swapped = total - last + np.maximum(best_token, 0)
        return np.where(with_token | (best_token < 0), total, swapped) * train.multiplier

    # --- bonuses of one route ------------------------------------------------------------------------------------

    def _route_bonuses(self, train: TrainType, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        total = np.zeros(len(rows), dtype=np.int64)
        for term in self._terms:
            if isinstance(term, Touch):
                met = np.ones(len(rows), dtype=bool)
                for group in term.groups:
                    met &= self._visits(group)[rows]
                total += np.where(met, term.amount, 0)
            elif isinstance(term, OnTrack):
                total += np.where(self._trails.runs_over(term.pieces)[rows], term.amount, 0)
            elif isinstance(term, Highest):
                total += self._highest(term, rows)
            elif isinstance(term, Distance) and train.name in term.trains:
                total += self._distance(term, rows)
        return total

    def _visits(self, stops: frozenset[StopId]) -> NDArray[np.bool_]:
        return self._trails.visits(stops)

    def _highest(self, term: Highest, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        triggered = self._visits(term.trigger)[rows]
        best = np.zeros(len(rows), dtype=np.int64)
        if not triggered.any():
            return best
        by_value: dict[int, set[StopId]] = {}
        for stop, value in term.values.items():
            if value > 0 and stop in self._trails.network.index:
                by_value.setdefault(value, set()).add(stop)
        for value in sorted(by_value):
            best = np.where(self._visits(frozenset(by_value[value]))[rows], value, best)
        return np.where(triggered, best, 0)

    def _distance(self, term: Distance, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        stops = self._trails.network.stops
        table = np.array(
            [[term.layout.distance(one.hex, other.hex) * term.per_hex for other in stops] for one in stops],
            dtype=np.int64,
        )
        low, high = self._trails.low[rows], self._trails.high[rows]
        return np.where((low >= 0) & (high >= 0), table[low, high], 0)

    # --- bonuses over several routes, and beyond the route ----------------------------------------------------------

    def _standing(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.uint8], list[Words]]:
        axes = np.zeros(len(rows), dtype=np.uint8)
        if self.joint is None:
            return axes, []
        for place, axis in enumerate(self.joint.axes):
            axes |= np.where(self._trails.runs_over(axis.one)[rows], np.uint8(1 << 2 * place), np.uint8(0))
            axes |= np.where(self._trails.runs_over(axis.other)[rows], np.uint8(2 << 2 * place), np.uint8(0))
        joining = 0
        for stop, node in self._trails.network.index.items():
            if stop not in self.joint.apart:
                joining |= self._trails.plan.stop_bit[node]
        parts = to_words(joining, self._trails.plan.words)
        return axes, [self._trails.words[word][rows] & np.uint64(part) for word, part in enumerate(parts) if part]

    def _with_extensions(
        self, rows: NDArray[np.int64], value: NDArray[np.int64], track: list[Words], extended: Ints
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Words], Ints]:
        assert self._extended is not None
        prolonged = self._extended
        place = np.full(len(self._trails), -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        worth = prolonged.worth([term for term in self._terms if isinstance(term, Reach)])
        usable = np.flatnonzero((place[prolonged.trail] >= 0) & (worth > 0))
        base = place[prolonged.trail[usable]]
        return (
            np.concatenate([rows, rows[base]]),
            np.concatenate([value, value[base] + worth[usable]]),
            [np.concatenate([word, more[usable]]) for word, more in zip(track, prolonged.track, strict=True)],
            np.concatenate([extended, usable.astype(np.int32)]),
        )


def _one_bit(bits: int, words: int) -> tuple[int, np.uint64]:
    return next((word, np.uint64(part)) for word, part in enumerate(to_words(bits, words)) if part)


def _counted_by_trial(trails: Trails, train: TrainType, row: int) -> int:
    """The best counted stops by trying all choices, for trains and maps where no shortcut is exact."""
    position, tokens = trails.problem.position, trails.problem.token_stops
    legs = trails.legs_of(row)
    stops = (legs[0].start, *(leg.end for leg in legs))
    kinds = [kind for stop in stops if (kind := position.stops[stop].kind) is not None]
    with_token = any(stop in tokens for stop in stops)
    for size in range(len(stops), 0, -1):
        best = -1
        for chosen in combinations(range(len(stops)), size):
            if with_token and not any(stops[place] in tokens for place in chosen):
                continue
            if pays(train, [kinds[place] for place in chosen]):
                best = max(best, _paid(trails, [stops[place] for place in chosen], train))
        if best >= 0:
            return best
    return 0


def _paid(trails: Trails, stops: Sequence[StopId], train: TrainType) -> int:
    values: dict[str, int] = {}
    for stop in stops:
        key = str(stop.hex) if trails.problem.rules.hex_pays_once else str(stop)
        values[key] = max(values.get(key, 0), trails.problem.position.value(stop))
    return sum(values.values()) * train.multiplier


def pays(train: TrainType, kinds: Sequence[StopKind]) -> bool:
    """Whether stops of these kinds fit the places that the train pays for."""
    paying = TrainType(
        train.name,
        tuple(type(row)(row.kinds, row.pay, row.pay, row.multiplier) for row in train.rows if row.pay != 0),
    )
    return paying.can_visit(kinds.count(StopKind.CITY), kinds.count(StopKind.TOWN), kinds.count(StopKind.OFF_BOARD))
