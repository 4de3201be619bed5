"""Which stops a train counts that counts fewer than it visits, and what they earn.

The best N of M visited stops, one of them with an own token, with the bonuses that depend on which stops count. Source:
COMMON section 9, "Train types"; 1833NE section 9; 1846 section 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from board.hexes import StopId
from board.trains import StopKind, TrainType
from bonuses.terms import Touch
from routing.problem import RouteProblem
from routing.track_bits import to_words
from routing.trails import Trails

#: Trails whose stops are counted together, which bounds memory.
_TOGETHER: Final = 1 << 16


@dataclass(frozen=True)
class _Column:
    """A stop with what it pays (money), and whether it holds an own token; only on routes that visit one of
    ``partners``, or none of them with ``without``."""

    stop: StopId
    worth: int
    token: bool
    partners: frozenset[StopId] | None = None
    without: bool = False


class CountedStops:
    """Counts the stops of all trails at once, for trains with one row."""

    def __init__(self, trails: Trails) -> None:
        self._trails = trails
        self._problem = trails.problem
        self._terms = [term for term in trails.problem.terms if isinstance(term, Touch) and term.counted]

    @cached_property
    def conditional(self) -> dict[StopId, frozenset[StopId]]:
        """The stops of the network that pay only on routes which also visit one of others, with these."""
        index = self._trails.network.index
        return {stop: others for stop, others in self._problem.rules.pays_only_with.items() if stop in index}

    def best(self, train: TrainType, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each of the trails *rows* what the counted stops earn. Money."""
        parts = [self._best(train, rows[start : start + _TOGETHER]) for start in range(0, len(rows), _TOGETHER)]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    def _best(self, train: TrainType, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        row = train.rows[0]
        places = row.pay if row.pay is not None else len(self._trails.network.stops)
        stops = self._trails.visited_stops(rows)
        table = self._table(stops, rows)
        worth, token = self._worth[:, None], self._token
        counts = table & (np.cumsum(table, axis=0, dtype=np.int32) <= places)
        total = np.where(counts, worth, 0).sum(axis=0)
        best_token = np.where(table[token], worth[token], -1).max(axis=0, initial=-1)
        # where only stops without an own token count, the dearest own token takes the place of the cheapest of them
        lacking = (best_token >= 0) & ~counts[token].any(axis=0)
        if lacking.any():
            cheapest = np.where(counts, worth, worth.max()).min(axis=0)
            total = np.where(lacking, total - cheapest + best_token, total)
        value: NDArray[np.int64] = total * train.multiplier
        if self._terms:
            self._raise_by_counted_bonuses(value, places, train.multiplier, stops, table)
        return value

    def _table(self, stops: NDArray[np.bool_], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """For each column of :attr:`_by_value` and each trail whether it visits the stop under that condition."""
        table = stops[self._node]
        for place, column in enumerate(self._by_value):
            if column.partners is not None:
                table[place] &= self._trails.visits(column.partners)[rows] != column.without
        return table

    @cached_property
    def _by_value(self) -> list[_Column]:
        """The stops of the network, the dearest first; one whose pay depends on the route stands there twice."""
        columns = []
        for stop in self._trails.network.stops:
            worth, token = self._problem.position.value(stop), stop in self._problem.token_stops
            partners = self.conditional.get(stop)
            if partners is None:
                columns.append(_Column(stop, worth, token))
            else:
                columns += [_Column(stop, worth, token, partners), _Column(stop, 0, token, partners, without=True)]
        return sorted(columns, key=lambda column: -column.worth)

    @cached_property
    def _worth(self) -> NDArray[np.int64]:
        return np.array([column.worth for column in self._by_value], dtype=np.int64)

    @cached_property
    def _token(self) -> NDArray[np.bool_]:
        return np.array([column.token for column in self._by_value], dtype=bool)

    @cached_property
    def _node(self) -> NDArray[np.int64]:
        index = self._trails.network.index
        return np.array([index[column.stop] for column in self._by_value], dtype=np.int64)

    def _raise_by_counted_bonuses(
        self,
        value: NDArray[np.int64],
        places: int,
        multiplier: int,
        stops: NDArray[np.bool_],
        visited: NDArray[np.bool_],
    ) -> None:
        """Raise *value* to what the stops earn where some are counted for a bonus.

        The best counted stops earn the bonuses of those among them that bonuses name: for every choice of such stops
        they are counted, and the best of the others beside them.
        """
        for forced, amount, at in self._forced(places, stops):
            table, worth, token = visited[:, at], self._worth, self._token
            is_forced = np.isin(self._node, list(forced))
            total = (worth[is_forced, None] * table[is_forced]).sum(axis=0)
            rest, worth, of_token = table[~is_forced], worth[~is_forced], token[~is_forced]
            counts = rest & (np.cumsum(rest, axis=0, dtype=np.int64) <= places - len(forced))
            total += (worth[:, None] * counts).sum(axis=0)
            possible = np.ones(len(at), dtype=bool)
            if not (token & is_forced).any():
                lacking = np.logical_and(rest[of_token].any(axis=0), ~counts[of_token].any(axis=0))
                if places == len(forced):
                    possible = ~lacking
                elif lacking.any():
                    # the dearest own token takes the place of the cheapest stop that is not counted for a bonus
                    cheapest = np.where(counts, worth[:, None], worth.max()).min(axis=0)
                    dearest = np.where(rest[of_token], worth[of_token][:, None], 0).max(axis=0)
                    total = np.where(lacking, total - cheapest + dearest, total)
            value[at] = np.where(possible, np.maximum(value[at], total * multiplier + amount), value[at])

    def _forced(self, places: int, stops: NDArray[np.bool_]) -> Iterator[tuple[frozenset[int], int, NDArray[np.int64]]]:
        """Every choice of stops (nodes) that together earn bonuses of counted stops, one stop of each group, with the
        amount (money) and the places of those trails that visit all of them (*stops*: a row for each node)."""
        pending: list[tuple[int, frozenset[int], int, NDArray[np.int64]]] = [
            (0, frozenset(), 0, np.arange(stops.shape[1]))
        ]
        while pending:
            number, forced, amount, at = pending.pop()
            if number == len(self._terms):
                if forced:
                    yield forced, amount, at
                continue
            pending.append((number + 1, forced, amount, at))
            for chosen in product(*self._groups[number]):
                more = forced | frozenset(chosen)
                if len(more) <= places:
                    still = at
                    for node in more - forced:
                        still = still[stops[node].take(still)]
                    if len(still):
                        pending.append((number + 1, more, amount + self._terms[number].amount, still))

    @cached_property
    def _groups(self) -> list[list[list[int]]]:
        """For each term the nodes of each of its groups."""
        index = self._trails.network.index
        return [
            [[index[stop] for stop in sorted(group) if stop in index] for group in term.groups] for term in self._terms
        ]


def bit_of(trails: Trails, stop: StopId) -> tuple[int, np.uint64]:
    """The word and the bit that say whether a trail visits *stop*."""
    bits = trails.plan.stop_bit[trails.network.index[stop]]
    return next((word, np.uint64(part)) for word, part in enumerate(to_words(bits, trails.plan.words)) if part)


def best_by_trial(trails: Trails, train: TrainType, row: int) -> int:
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
