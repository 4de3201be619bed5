"""Every route that some train may run, enumerated level by level as numpy columns.

A trail is grown from a *root*, a stop of which every route must visit one (a city with an own token): first an arm to
the right, link by link, then an arm to the left. Each trail is met once: the left arm must leave the root by a lower
numbered link than the right one, and a trail from the k-th root avoids the roots before it. What a trail uses up is a
row of bits over 64-bit words, so that a whole level is extended and tested by a few array operations.

Bits: one for each stop and each group (visited once), one for each bundle of track that links share, and bits that
carry no conflict but are needed to value a trail (hexes with several stops, pieces of track with a bonus).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from board.hexes import HexId, StopId
from board.network import Network
from board.routes import Leg, TrackPiece
from board.trains import StopKind, TrainType
from routing.problem import RouteProblem

Bits = int
Words = NDArray[np.uint64]
Ints = NDArray[np.int32]

#: Trails beyond this number are left to the constraint model. A trail takes about 100 bytes.
MOST_TRAILS: Final = 1_500_000
_WORD: Final = 64
_LOW: Final = (1 << _WORD) - 1


class TooManyTrailsError(Exception):
    """The network outgrew the budget of the enumeration; the caller changes to another method."""


@dataclass
class BitPlan:
    """Which bit stands for what. Track bits come first, on whole words of their own."""

    track_of: list[Bits]
    track_words: int
    stop_bit: list[Bits]
    entered: list[Bits]
    ban_of: dict[int, Bits]
    group_bits: list[Bits]
    hex_bit: list[Bits]
    piece_bit: dict[TrackPiece, Bits]
    words: int


def plan_bits(problem: RouteProblem, network: Network, pieces: Iterable[TrackPiece]) -> BitPlan:
    """Assign bits for the network: track, stops and groups, bans of earlier roots, hexes, pieces with a bonus."""
    track_of = _track_bits(network)
    track_width = max((bits.bit_length() for bits in track_of), default=0)
    track_words = max(1, -(-track_width // _WORD))
    next_bit = track_words * _WORD

    def fresh() -> Bits:
        nonlocal next_bit
        next_bit += 1
        return 1 << (next_bit - 1)

    stop_bit = [fresh() for _ in network.stops]
    names: dict[str, Bits] = {}
    group_bits = [0] * len(network.stops)
    for node, stop in enumerate(network.stops):
        for name in problem.groups(stop):
            if name not in names:
                names[name] = fresh()
            group_bits[node] |= names[name]
    ban_of = {root: fresh() for root in network.roots}
    by_hex: dict[HexId, list[int]] = {}
    for node, stop in enumerate(network.stops):
        by_hex.setdefault(stop.hex, []).append(node)
    hex_bit = [0] * len(network.stops)
    if problem.rules.hex_pays_once:
        for nodes in by_hex.values():
            if len(nodes) > 1:
                bit = fresh()
                for node in nodes:
                    hex_bit[node] = bit
    piece_bit = {piece: fresh() for piece in sorted(set(pieces))}
    entered = [stop_bit[node] | group_bits[node] | ban_of.get(node, 0) for node in range(len(network.stops))]
    return BitPlan(
        track_of, track_words, stop_bit, entered, ban_of, group_bits, hex_bit, piece_bit, -(-next_bit // _WORD)
    )


def _track_bits(network: Network) -> list[Bits]:
    """For each link the bits of the track that it uses up.

    A resource that only one link uses needs no bit beyond the link's own, and of resources whose users are all users
    of another one only the larger is kept.
    """
    users = {frozenset(links) for links in network.shared.values()}
    largest = [links for links in users if not any(links < other for other in users)]
    bits = [0] * len(network.links)
    for number, links in enumerate(sorted(largest, key=sorted)):
        for link in links:
            bits[link] |= 1 << number
    fresh = len(largest)
    for link, used in enumerate(bits):
        if not used:
            bits[link] = 1 << fresh
            fresh += 1
    return bits


def to_words(bits: Bits, words: int) -> tuple[int, ...]:
    return tuple(bits >> (_WORD * word) & _LOW for word in range(words))


@dataclass
class Steps:
    """All moves along a link from one stop to the next, in order of the stop left; columns of equal length."""

    first: NDArray[np.int64]
    count: NDArray[np.int64]
    link: Ints
    target: Ints
    forbid: list[Words]
    put: list[Words]
    kinds: Ints
    value: Ints
    town_value: Ints
    hex_words: list[Words]
    runs_on: NDArray[np.bool_]
    leaves_free: NDArray[np.bool_]
    arrives_free: NDArray[np.bool_]
    far: Ints


@dataclass
class Trails:
    """The enumerated trails, one row each. ``parent`` and ``step`` rebuild the track; ``left`` tells the arm.

    ``kinds`` is the packed number of visited cities, towns and off-boards; ``value`` sums cities and off-boards and
    ``town_value`` towns (money, each hex once where the title says so); ``low`` and ``high`` are the outermost stops
    that count for distance, ``right_end`` and ``left_end`` the ends; ``right_open`` and ``left_open`` tell whether track
    may lead on there (the trail does not end on a terminal piece).
    """

    problem: RouteProblem
    network: Network
    plan: BitPlan
    steps: Steps
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
    kind_table: KindTable = field(repr=False)

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

    def visits(self, stops: Iterable[StopId]) -> NDArray[np.bool_]:
        """Which trails visit any of *stops*."""
        bits = 0
        for stop in stops:
            node = self.network.index.get(stop)
            bits |= self.plan.stop_bit[node] if node is not None else 0
        return self.has(bits)

    def links_of(self, trail: int) -> list[tuple[int, int, bool]]:
        """(link, stop reached, on the left arm?) from the root outwards."""
        moves: list[tuple[int, int, bool]] = []
        while self.parent[trail] >= 0:
            step = self.step[trail]
            moves.append((int(self.steps.link[step]), int(self.steps.target[step]), bool(self.left[trail])))
            trail = int(self.parent[trail])
        return moves[::-1]

    def legs_of(self, trail: int) -> tuple[Leg, ...]:
        """The track of a trail from its left end to its right end."""
        root = trail
        while self.parent[root] >= 0:
            root = int(self.parent[root])
        here = {False: int(self.right_end[root]), True: int(self.right_end[root])}
        arms: dict[bool, list[Leg]] = {False: [], True: []}
        for link, target, left in self.links_of(trail):
            arms[left].append(self.network.links[link].leg_from(here[left]))
            here[left] = target
        return (*(leg.reversed() for leg in reversed(arms[True])), *arms[False])


class KindTable:
    """Packs numbers of cities, towns and off-boards into one integer and knows which a train may visit.

    There is room for one stop more than the network has of each kind: a step back is counted before it is refused.
    """

    def __init__(self, problem: RouteProblem, network: Network) -> None:
        kinds = [problem.position.stops[stop].kind for stop in network.stops]
        self.shape = tuple(kinds.count(kind) + 2 for kind in (StopKind.CITY, StopKind.TOWN, StopKind.OFF_BOARD))
        _, towns, off_boards = self.shape
        unit = {StopKind.CITY: towns * off_boards, StopKind.TOWN: off_boards, StopKind.OFF_BOARD: 1}
        self.increment = [unit[kind] for kind in kinds if kind is not None]

    def allowed(self, train: TrainType) -> NDArray[np.bool_]:
        """For each packed number whether *train* may visit so many."""
        cities, towns, off_boards = self.shape
        most_towns = towns - 1
        table = np.zeros(self.shape, dtype=bool)
        for city in range(cities):
            for off_board in range(off_boards):
                town = most_towns
                while town >= 0 and not train.can_visit(city, town, off_board):
                    town -= 1
                if town < 0:
                    break
                table[city, : town + 1, off_board] = True
        return table.reshape(-1)


def enumerate_trails(
    problem: RouteProblem,
    network: Network,
    *,
    pieces: Iterable[TrackPiece] = (),
    far_stops: frozenset[StopId] = frozenset(),
    deadline: float | None = None,
    most: int = MOST_TRAILS,
    partial: bool = False,
) -> Trails:
    """All trails of at least two stops that one of the position's trains may visit.

    ``pieces`` are pieces of track with a bonus, ``far_stops`` the stops that count for a distance bonus. ``deadline``
    is a reading of :func:`time.perf_counter`. Raises :class:`TooManyTrailsError` beyond *most* or the deadline; with
    *partial* the trails found by then (the shortest ones) are returned instead.
    """
    plan = plan_bits(problem, network, pieces)
    kind_table = KindTable(problem, network)
    allowed = np.logical_or.reduce([kind_table.allowed(train) for train in set(problem.position.train_types)])
    steps = _steps(problem, network, plan, kind_table, far_stops)
    grower = _Grower(problem, network, plan, steps, allowed, deadline, most, partial)
    return grower.grow(kind_table, far_stops)


def _steps(
    problem: RouteProblem, network: Network, plan: BitPlan, kind_table: KindTable, far_stops: frozenset[StopId]
) -> Steps:
    position = problem.position
    moves: list[tuple[int, int, int]] = []
    for node in range(len(network.stops)):
        moves += [(node, number, network.links[number].other(node)) for number in network.links_at[node]]
    count = np.bincount([node for node, _, _ in moves], minlength=len(network.stops)).astype(np.int64)
    first = np.concatenate([[0], np.cumsum(count)[:-1]]).astype(np.int64)
    forbid, put, hexes, kinds, value, town_value, leaves_free, arrives_free, far = [], [], [], [], [], [], [], [], []
    for node, number, target in moves:
        link, stop = network.links[number], network.stops[target]
        pays, kind = position.value(stop), position.stops[stop].kind
        carried = 0
        if plan.piece_bit:
            for piece in link.leg.pieces:
                carried |= plan.piece_bit.get(piece, 0)
        forbid.append(plan.track_of[number] | plan.entered[target])
        put.append(
            plan.track_of[number] | plan.stop_bit[target] | plan.group_bits[target] | plan.hex_bit[target] | carried
        )
        hexes.append(plan.hex_bit[target])
        kinds.append(kind_table.increment[target])
        value.append(0 if kind is StopKind.TOWN else pays)
        town_value.append(pays if kind is StopKind.TOWN else 0)
        arrives_free.append(not (link.terminal_b if target == link.b else link.terminal_a))
        leaves_free.append(not (link.terminal_b if node == link.b else link.terminal_a))
        far.append(target if stop in far_stops else -1)
    return Steps(
        first,
        count,
        np.array([number for _, number, _ in moves], dtype=np.int32),
        np.array([target for _, _, target in moves], dtype=np.int32),
        _columns(forbid, plan.words),
        _columns(put, plan.words),
        np.array(kinds, dtype=np.int32),
        np.array(value, dtype=np.int32),
        np.array(town_value, dtype=np.int32),
        _columns(hexes, plan.words) if any(hexes) else [],
        np.array(arrives_free, dtype=bool) & ~np.array([network.ends[target] for _, _, target in moves], dtype=bool),
        np.array(leaves_free, dtype=bool),
        np.array(arrives_free, dtype=bool),
        np.array(far, dtype=np.int32),
    )


def _columns(rows: Sequence[Bits], words: int) -> list[Words]:
    return [np.array([bits >> (_WORD * word) & _LOW for bits in rows], dtype=np.uint64) for word in range(words)]


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
    problem: RouteProblem
    network: Network
    plan: BitPlan
    steps: Steps
    allowed: NDArray[np.bool_]
    deadline: float | None
    most: int
    partial: bool

    def grow(self, kind_table: KindTable, far_stops: frozenset[StopId]) -> Trails:
        roots = self._roots(kind_table, far_stops)
        levels, right = [roots], []
        try:
            for level in self._arm(self._extended(roots, left=False, total=len(roots.index)), left=False):
                right.append(level)
                levels.append(level)
            if right:
                start = _joined(right)
                start = start.taken(start.left_open & ~np.array(self.network.ends)[start.root])
                start.end = start.root
                total = sum(len(level.index) for level in levels)
                first = self._extended(start, left=True, total=total, below_first_link=True)
                levels.extend(self._arm(first, left=True))
        except TooManyTrailsError:
            if not self.partial:
                raise
        return self._finished(levels, kind_table)

    def _arm(self, level: _Level, *, left: bool) -> Iterator[_Level]:
        """The level and all that follow from it by growing the same arm."""
        while len(level.index):
            yield level
            total = int(level.index[-1]) + 1
            level = self._extended(level.taken(level.runs_on), left=left, total=total)

    def _roots(self, kind_table: KindTable, far_stops: frozenset[StopId]) -> _Level:
        nodes = list(self.network.roots)
        position = self.problem.position
        bits = []
        banned = 0
        for node in nodes:
            entered = self.plan.stop_bit[node] | self.plan.group_bits[node] | self.plan.hex_bit[node]
            bits.append(entered | banned)
            banned |= self.plan.ban_of[node]
        stops = [self.network.stops[node] for node in nodes]
        is_town = [position.stops[stop].kind is StopKind.TOWN for stop in stops]
        values = [position.value(stop) for stop in stops]
        far = np.array(
            [node if stop in far_stops else -1 for node, stop in zip(nodes, stops, strict=True)], dtype=np.int32
        )
        end = np.array(nodes, dtype=np.int32)
        minus = np.full(len(nodes), -1, dtype=np.int32)
        return _Level(
            np.arange(len(nodes), dtype=np.int32),
            end,
            end,
            minus,
            _columns(bits, self.plan.words),
            np.array([kind_table.increment[node] for node in nodes], dtype=np.int32),
            np.array([0 if town else value for town, value in zip(is_town, values, strict=True)], dtype=np.int32),
            np.array([value if town else 0 for town, value in zip(is_town, values, strict=True)], dtype=np.int32),
            far,
            far,
            end,
            end,
            minus,
            minus,
            np.ones(len(nodes), dtype=bool),
            np.ones(len(nodes), dtype=bool),
            np.ones(len(nodes), dtype=bool),
            False,
        )

    def _extended(self, level: _Level, *, left: bool, total: int, below_first_link: bool = False) -> _Level:
        """The next level: every trail prolonged by every link that is free, allowed and leads on."""
        steps = self.steps
        count = steps.count[level.end]
        rows = np.repeat(np.arange(len(level.end)), count)
        offset = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        step = steps.first[level.end][rows] + offset
        if total + len(rows) > 2 * self.most or (self.deadline is not None and time.perf_counter() > self.deadline):
            raise TooManyTrailsError
        kinds = level.kinds[rows] + steps.kinds[step]
        free = self.allowed[kinds]
        for have, forbid in zip(level.words, steps.forbid, strict=True):
            free &= (have[rows] & forbid[step]) == 0
        starts = level.first_link[rows] < 0
        free &= starts | steps.leaves_free[step]
        if below_first_link:
            free &= steps.link[step] < level.first_link[rows]
        rows, step, kinds = rows[free], step[free], kinds[free]
        if total + len(rows) > self.most:
            raise TooManyTrailsError
        value, town_value = steps.value[step], steps.town_value[step]
        if steps.hex_words:
            paid = np.zeros(len(rows), dtype=bool)
            for have, hexes in zip(level.words, steps.hex_words, strict=True):
                paid |= (have[rows] & hexes[step]) != 0
            value, town_value = np.where(paid, 0, value), np.where(paid, 0, town_value)
        target, far = steps.target[step], steps.far[step]
        low, high = level.low[rows], level.high[rows]
        if left:
            high = np.where((high < 0) & (far >= 0), far, high)
            low = np.where(far >= 0, far, low)
        else:
            low = np.where((low < 0) & (far >= 0), far, low)
            high = np.where(far >= 0, far, high)
        link = steps.link[step]
        starts = starts[free]
        return _Level(
            np.arange(total, total + len(rows), dtype=np.int32),
            target,
            level.root[rows],
            np.where(starts, link, level.first_link[rows]).astype(np.int32),
            [have[rows] | put[step] for have, put in zip(level.words, steps.put, strict=True)],
            kinds.astype(np.int32),
            level.value[rows] + value,
            level.town_value[rows] + town_value,
            low,
            high,
            level.right_end[rows] if left else target,
            target if left else level.left_end[rows],
            level.index[rows],
            step.astype(np.int32),
            level.right_open[rows] if left else steps.arrives_free[step],
            steps.arrives_free[step] if left else level.left_open[rows] & (~starts | steps.leaves_free[step]),
            steps.runs_on[step],
            left,
        )

    def _finished(self, levels: list[_Level], kind_table: KindTable) -> Trails:
        whole = _joined(levels)
        left = np.concatenate([np.full(len(level.index), level.left) for level in levels])
        return Trails(
            self.problem,
            self.network,
            self.plan,
            self.steps,
            whole.parent,
            whole.step,
            left,
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
            kind_table,
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
