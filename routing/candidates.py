"""What each trail is worth to each train: the candidates from which a route set is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from board.hexes import Layout, StopId
from board.trains import StopKind, TrainType
from bonuses.terms import Distance, Highest, Joint, MostStops, OnTrack, Reach, Touch
from routing.extensions import Extended
from routing.problem import RouteProblem
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
        return self.trail.astype(np.int64) * (int(self.extended.max(initial=-1)) + 2) + self.extended + 1

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
        rows, value, track, extended = self._once_a_turn(rows, value, track, extended)
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
        for stop, partners in self._conditional.items():
            if train.pays_for(self._kind(stop)):
                pays = self._visits(frozenset({stop}))[rows] & self._visits(partners)[rows]
                value += np.where(pays, self._problem.position.value(stop), 0)
        return value * train.multiplier

    def _kind(self, stop: StopId) -> StopKind:
        kind = self._problem.position.stops[stop].kind
        assert kind is not None  # junctions are no stops
        return kind

    @cached_property
    def _conditional(self) -> dict[StopId, frozenset[StopId]]:
        """The stops of the network that pay only on routes which also visit one of others, with these."""
        index = self._trails.network.index
        return {stop: others for stop, others in self._problem.rules.pays_only_with.items() if stop in index}

    @cached_property
    def _uneven_hexes(self) -> bool:
        """Whether it matters which stop of a hex pays, where only one does. On no tile of the titles it does."""
        worth: dict[str, list[tuple[StopKind, int, bool]]] = {}
        if self._trails.moves.hex_pays_once:
            for stop in self._trails.network.stops:
                pays = (self._kind(stop), self._problem.position.value(stop), stop in self._conditional)
                worth.setdefault(stop.hex, []).append(pays)
        return any(
            len(stops) > 1 and (len(set(stops)) > 1 or any(depends for *_, depends in stops))
            for stops in worth.values()
        )

    def _best_counted(self, train: TrainType, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """N/M trains: the best N of the visited stops, one of them with an own token, with the bonuses that depend on
        which stops count. Source: 1833NE section 9; 1846 section 12."""
        row = train.rows[0]
        places = row.pay if row.pay is not None else len(self._trails.network.stops)
        counted = np.zeros(len(rows), dtype=np.int64)
        total = np.zeros(len(rows), dtype=np.int64)
        last = np.zeros(len(rows), dtype=np.int64)
        with_token = np.zeros(len(rows), dtype=bool)
        best_token = np.full(len(rows), -1, dtype=np.int64)
        for column in self._by_value:
            visited = self._visits_column(column, rows)
            if column.token:
                best_token = np.where(visited & (best_token < 0), column.worth, best_token)
            counts = visited & (counted < places)
            if column.token:
                with_token |= counts
            total += np.where(counts, column.worth, 0)
            last = np.where(counts, column.worth, last)
            counted += counts
        swapped = total - last + np.maximum(best_token, 0)
        value = np.where(with_token | (best_token < 0), total, swapped) * train.multiplier
        if any(isinstance(term, Touch) and term.counted for term in self._terms):
            self._raise_by_counted_bonuses(value, places, train.multiplier, rows)
        return value

    @cached_property
    def _by_value(self) -> list[_Column]:
        """The stops of the network, the dearest first; one whose pay depends on the route stands there twice."""
        columns = []
        for stop in self._trails.network.stops:
            worth, token = self._problem.position.value(stop), stop in self._problem.token_stops
            partners = self._conditional.get(stop)
            if partners is None:
                columns.append(_Column(stop, worth, token))
            else:
                columns += [_Column(stop, worth, token, partners), _Column(stop, 0, token, partners, without=True)]
        return sorted(columns, key=lambda column: -column.worth)

    def _visits_column(self, column: _Column, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        word, bit = self._bit_of(column.stop)
        visited: NDArray[np.bool_] = (self._trails.words[word][rows] & bit) != 0
        if column.partners is not None:
            visited &= self._visits(column.partners)[rows] != column.without
        return visited

    def _bit_of(self, stop: StopId) -> tuple[int, np.uint64]:
        plan = self._trails.plan
        return _one_bit(plan.stop_bit[self._trails.network.index[stop]], plan.words)

    def _raise_by_counted_bonuses(
        self, value: NDArray[np.int64], places: int, multiplier: int, rows: NDArray[np.int64]
    ) -> None:
        """Raise *value* to what the stops earn where some are counted for a bonus.

        The best counted stops earn the bonuses of those among them that bonuses name: for every choice of such stops
        they are counted, and the best of the others beside them.
        """
        columns = self._by_value
        for forced, amount, at in self._forced(places, rows):
            table = np.array([self._visits_column(column, rows[at]) for column in columns])
            worth = np.array([column.worth for column in columns], dtype=np.int64)
            token = np.array([column.token for column in columns], dtype=bool)
            is_forced = np.array([column.stop in forced for column in columns], dtype=bool)
            total = (worth[is_forced, None] * table[is_forced]).sum(axis=0)
            rest, worth, of_token = table[~is_forced], worth[~is_forced], token[~is_forced]
            counts = rest & (np.cumsum(rest, axis=0, dtype=np.int64) <= places - len(forced))
            total += (worth[:, None] * counts).sum(axis=0)
            possible = np.ones(len(at), dtype=bool)
            if not (token & is_forced).any():
                lacking = rest[of_token].any(axis=0) & ~counts[of_token].any(axis=0)
                if places == len(forced):
                    possible = ~lacking
                elif lacking.any():
                    # the dearest own token takes the place of the cheapest stop that is not counted for a bonus
                    cheapest = np.where(counts, worth[:, None], worth.max()).min(axis=0)
                    dearest = np.where(rest[of_token], worth[of_token][:, None], 0).max(axis=0)
                    total = np.where(lacking, total - cheapest + dearest, total)
            value[at] = np.where(possible, np.maximum(value[at], total * multiplier + amount), value[at])

    def _forced(
        self, places: int, rows: NDArray[np.int64]
    ) -> Iterator[tuple[frozenset[StopId], int, NDArray[np.int64]]]:
        """Every choice of stops that together earn bonuses of counted stops, one stop of each group, with the amount
        (money) and the places of those *rows* that visit all of them."""
        index = self._trails.network.index
        terms = [term for term in self._terms if isinstance(term, Touch) and term.counted]
        pending: list[tuple[int, frozenset[StopId], int, NDArray[np.int64]]] = [
            (0, frozenset(), 0, np.arange(len(rows)))
        ]
        while pending:
            number, forced, amount, at = pending.pop()
            if number == len(terms):
                if forced:
                    yield forced, amount, at
                continue
            pending.append((number + 1, forced, amount, at))
            for chosen in product(*(sorted(stop for stop in group if stop in index) for group in terms[number].groups)):
                more = forced | frozenset(chosen)
                if len(more) <= places:
                    still = at
                    for stop in more - forced:
                        word, bit = self._bit_of(stop)
                        still = still[(self._trails.words[word][rows[still]] & bit) != 0]
                    if len(still):
                        pending.append((number + 1, more, amount + terms[number].amount, still))

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
                    word, bit = self._bit_of(stop)
                    number += (self._trails.words[word][rows] & bit) != 0
            at = np.flatnonzero(number)
            taken = [np.uint64(part) for part in to_words(once, plan.track_words)]
            rows = np.concatenate([rows, rows[at]])
            value = np.concatenate([value, value[at] + term.per_stop * number[at]])
            track = [np.concatenate([word, word[at] | part]) for word, part in zip(track, taken, strict=True)]
            extended = np.concatenate([extended, extended[at]])
        return rows, value, track, extended


@dataclass(frozen=True)
class _Column:
    """A stop with what it pays (money), and whether it holds an own token; only on routes that visit one of
    ``partners``, or none of them with ``without``."""

    stop: StopId
    worth: int
    token: bool
    partners: frozenset[StopId] | None = None
    without: bool = False


def _one_bit(bits: int, words: int) -> tuple[int, np.uint64]:
    return next((word, np.uint64(part)) for word, part in enumerate(to_words(bits, words)) if part)


def _counted_by_trial(trails: Trails, train: TrainType, row: int) -> int:
    """The best counted stops by trying all choices, for trains and maps where no shortcut is exact."""
    problem = trails.problem
    legs = trails.legs_of(row)
    stops = (legs[0].start, *(leg.end for leg in legs))
    kinds = [kind for stop in stops if (kind := problem.position.stops[stop].kind) is not None]
    for size in range(len(stops), 0, -1):
        any_choice = with_token = -1
        for chosen in combinations(range(len(stops)), size):
            if pays(train, [kinds[place] for place in chosen]):
                counted = [stops[place] for place in chosen]
                worth = _paid(problem, counted, stops, train)
                any_choice = max(any_choice, worth)
                if not problem.token_stops.isdisjoint(counted):
                    with_token = max(with_token, worth)
        if any_choice >= 0:
            return with_token if with_token >= 0 and train.counts_fewer_than_it_visits else any_choice
    return 0


def _paid(problem: RouteProblem, counted: Sequence[StopId], visited: Sequence[StopId], train: TrainType) -> int:
    """What the counted stops pay; for a train that chooses them, with the bonuses that depend on them. Money."""
    values: dict[str, int] = {}
    for stop in counted:
        key = str(stop.hex) if problem.rules.hex_pays_once else str(stop)
        partners = problem.rules.pays_only_with.get(stop)
        if partners is None or not partners.isdisjoint(visited):
            values[key] = max(values.get(key, 0), problem.position.value(stop))
    bonuses = 0
    if train.counts_fewer_than_it_visits:
        bonuses = sum(
            term.amount
            for term in problem.terms
            if isinstance(term, Touch) and term.counted and all(not group.isdisjoint(counted) for group in term.groups)
        )
    return sum(values.values()) * train.multiplier + bonuses


def pays(train: TrainType, kinds: Sequence[StopKind]) -> bool:
    """Whether stops of these kinds fit the places that the train pays for."""
    paying = TrainType(
        train.name,
        tuple(type(row)(row.kinds, row.pay, row.pay, row.multiplier) for row in train.rows if row.pay != 0),
    )
    return paying.can_visit(kinds.count(StopKind.CITY), kinds.count(StopKind.TOWN), kinds.count(StopKind.OFF_BOARD))
