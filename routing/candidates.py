"""What each trail is worth to each train: the candidates from which a route set is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from board.hexes import Layout, StopId
from board.trains import StopKind, TrainType
from bonuses.terms import Distance, Highest, Joint, MostStops, OnTrack, Reach, Touch
from routing.counted import CountedStops, best_by_trial, bit_of
from routing.extensions import Extended
from routing.track_bits import Ints, Words, to_words
from routing.trails import Trails


@dataclass
class Candidates:
    """Routes that one kind of train may run, one row each, best first after :meth:`sorted`.

    ``trail`` indexes the trails, ``extended`` the prolonged trails (-1: none). ``value`` is what the route earns by
    itself, bonuses of one route and extensions included (money). ``track`` are the words of track that it uses up;
    a bonus that one route of a turn earns is a further row which uses up a bit of its own.
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

    @cached_property
    def routes(self) -> NDArray[np.int64]:
        """A number for the route of each row; rows that differ in a bonus of one route a turn have the same."""
        numbers = self.trail.astype(np.int64)
        numbers *= int(self.extended.max(initial=-1)) + 2
        numbers += self.extended
        numbers += 1
        return numbers

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


class Valuer:
    """Values all trails for each kind of train under the problem's terms."""

    def __init__(self, trails: Trails, extended: Extended | None = None) -> None:
        self._trails = trails
        self._problem = trails.problem
        self._terms = trails.problem.terms
        self._extended = extended
        self._counting = CountedStops(trails)
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
        if not self._may_gain:
            earning = value > 0
            rows, value = rows[earning], value[earning]
        track = [word[rows] for word in trails.track]
        extended = np.full(len(rows), -1, dtype=np.int32)
        if self._extended is not None and len(self._extended):
            rows, value, track, extended = self._with_extensions(rows, value, track, extended)
        rows, value, track, extended = self._once_a_turn(rows, value, track, extended)
        axes, stops = self._standing(rows)
        found = Candidates(train, rows.astype(np.int32), extended, value.astype(np.int32), track, axes, stops)
        return found if self.joint or not self._may_gain else found.taken(found.value > 0)

    @cached_property
    def _may_gain(self) -> bool:
        """Whether a route that earns nothing by its stops may do so with others, by an extension, or once a turn."""
        return any(isinstance(term, Joint | Reach | MostStops) for term in self._terms)

    # --- stop values ---------------------------------------------------------------------------------------------

    def _stop_values(self, train: TrainType, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        trails = self._trails
        chooses = train.counts_fewer_than_it_visits
        if self._uneven_hexes or (chooses and (len(train.rows) > 1 or trails.moves.hex_pays_once)):
            return np.array([best_by_trial(trails, train, int(row)) for row in rows], dtype=np.int64)
        if chooses:
            return self._counting.best(train, rows)
        value = np.zeros(len(rows), dtype=np.int64)
        if train.pays_for(StopKind.CITY) or train.pays_for(StopKind.OFF_BOARD):
            value += trails.value(rows)
        if train.pays_for(StopKind.TOWN):
            value += trails.town_value(rows)
        for stop, partners in self._counting.conditional.items():
            if train.pays_for(self._kind(stop)):
                pays = self._visits(frozenset({stop}))[rows] & self._visits(partners)[rows]
                value += np.where(pays, self._problem.position.value(stop), 0)
        return value * train.multiplier

    def _kind(self, stop: StopId) -> StopKind:
        kind = self._problem.position.stops[stop].kind
        assert kind is not None  # junctions are no stops
        return kind

    @cached_property
    def _uneven_hexes(self) -> bool:
        """Whether it matters which stop of a hex pays, where only one does. On no tile of the titles it does."""
        worth: dict[str, list[tuple[StopKind, int, bool]]] = {}
        if self._trails.moves.hex_pays_once:
            for stop in self._trails.network.stops:
                pays = (self._kind(stop), self._problem.position.value(stop), stop in self._counting.conditional)
                worth.setdefault(stop.hex, []).append(pays)
        return any(
            len(stops) > 1 and (len(set(stops)) > 1 or any(depends for *_, depends in stops))
            for stops in worth.values()
        )

    # --- bonuses of one route ------------------------------------------------------------------------------------

    def _route_bonuses(self, train: TrainType, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        total = np.zeros(len(rows), dtype=np.int64)
        for term in self._terms:
            if isinstance(term, Touch):
                if term.counted and train.counts_fewer_than_it_visits:
                    continue  # part of the choice of counted stops
                met = np.ones(len(rows), dtype=bool)
                for group in term.groups:
                    met &= self._visits(self._that_count(train, group) if term.counted else group)[rows]
                total += np.where(met, term.amount, 0)
            elif isinstance(term, OnTrack):
                total += np.where(self._trails.runs_over(term.pieces)[rows], term.amount, 0)
            elif isinstance(term, Highest):
                total += self._highest(term, rows)
            elif isinstance(term, Distance) and train.name in term.trains:
                total += self._distance(term, rows)
        return total

    def _that_count(self, train: TrainType, stops: frozenset[StopId]) -> frozenset[StopId]:
        """Those of *stops* that a train counts which counts whatever it can of what it visits."""
        index = self._trails.network.index
        return frozenset(stop for stop in stops if stop in index and train.pays_for(self._kind(stop)))

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
        if not len(self._trails.low):
            return np.zeros(len(rows), dtype=np.int64)
        stops = self._trails.network.stops
        places = np.array([term.layout.coordinates(stop.hex) for stop in stops], dtype=np.int64)
        apart = np.abs(places[:, None, :] - places[None, :, :])
        straight, slanted = apart[:, :, 0], apart[:, :, 1]
        if term.layout is Layout.POINTY:
            straight, slanted = slanted, straight
        # as board.hexes.Layout.distance, for all pairs at once
        table = term.per_hex * (straight + np.maximum(0, (slanted - straight) // 2))
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

    def _once_a_turn(
        self, rows: NDArray[np.int64], value: NDArray[np.int64], track: list[Words], extended: Ints
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Words], Ints]:
        """Further rows for routes that earn a bonus of one route a turn."""
        plan = self._trails.plan
        terms = [term for term in self._terms if isinstance(term, MostStops)]
        for term, once in zip(terms, plan.once, strict=True):
            number = np.zeros(len(rows), dtype=np.int64)
            for stop in term.stops:
                if stop in self._trails.network.index:
                    word, bit = bit_of(self._trails, stop)
                    number += (self._trails.words[word][rows] & bit) != 0
            at = np.flatnonzero(number)
            taken = [np.uint64(part) for part in to_words(once, plan.track_words)]
            rows = np.concatenate([rows, rows[at]])
            value = np.concatenate([value, value[at] + term.per_stop * number[at]])
            track = [np.concatenate([word, word[at] | part]) for word, part in zip(track, taken, strict=True)]
            extended = np.concatenate([extended, extended[at]])
        return rows, value, track, extended
