"""How the enumeration writes down a network: one bit for whatever can be used or visited once, and a table of moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from board.hexes import HexId, StopId
from board.network import Network
from board.routes import TrackPiece
from board.trains import StopKind, TrainType
from bonuses.terms import MostStops
from routing.problem import RouteProblem

Bits = int
Words = NDArray[np.uint64]
Ints = NDArray[np.int32]
Watched = frozenset[TrackPiece] | frozenset[HexId]
"""Pieces of track or hexes; a bonus asks whether a route runs over one of them."""

WORD: Final = 64
_LOW: Final = (1 << WORD) - 1
_KINDS: Final = (StopKind.CITY, StopKind.TOWN, StopKind.OFF_BOARD)


@dataclass
class BitPlan:
    """Which bit stands for what. Track bits come first, on whole words of their own; among them one ``once`` for each
    bonus that at most one route of a turn earns, as if it were track of its own."""

    track_of: list[Bits]
    once: list[Bits]
    track_words: int
    stop_bit: list[Bits]
    entered: list[Bits]
    ban_of: dict[int, Bits]
    group_bits: list[Bits]
    hex_bit: list[Bits]
    mark_of: dict[Watched, Bits]
    words: int


def plan_bits(problem: RouteProblem, network: Network, watched: Iterable[Watched]) -> BitPlan:
    """Assign bits for the network: track, stops and groups, bans of earlier roots, hexes, watched places."""
    track_of = _track_bits(network)
    track_width = max((bits.bit_length() for bits in track_of), default=0)
    once = []
    for term in problem.terms:
        if isinstance(term, MostStops):
            once.append(1 << track_width)
            track_width += 1
    track_words = max(1, -(-track_width // WORD))
    next_bit = track_words * WORD

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
    mark_of = {places: fresh() for places in dict.fromkeys(watched)}
    entered = [stop_bit[node] | group_bits[node] | ban_of.get(node, 0) for node in range(len(network.stops))]
    words = -(-next_bit // WORD)
    return BitPlan(track_of, once, track_words, stop_bit, entered, ban_of, group_bits, hex_bit, mark_of, words)


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
    return tuple(bits >> (WORD * word) & _LOW for word in range(words))


class KindTable:
    """Packs numbers of cities, towns and off-boards into one integer and knows which a train may visit.

    There is room for one stop more than the network has of each kind: a step back is counted before it is refused.
    """

    def __init__(self, problem: RouteProblem, network: Network) -> None:
        kinds = [problem.position.stops[stop].kind for stop in network.stops]
        self._shape = tuple(kinds.count(kind) + 2 for kind in _KINDS)
        _, towns, off_boards = self._shape
        unit = {StopKind.CITY: towns * off_boards, StopKind.TOWN: off_boards, StopKind.OFF_BOARD: 1}
        self.increment = [unit[kind] for kind in kinds if kind is not None]

    def allowed(self, train: TrainType) -> NDArray[np.bool_]:
        """For each packed number whether *train* may visit so many."""
        return _allowed(self._shape, train)


@lru_cache(maxsize=1024)
def _allowed(shape: tuple[int, ...], train: TrainType) -> NDArray[np.bool_]:
    """Every set of kinds fits the rows that take any of them (as :meth:`board.trains.TrainType.can_visit` says)."""
    numbers = np.ogrid[: shape[0], : shape[1], : shape[2]]
    table = np.ones(shape, dtype=bool)
    for size in (1, 2, 3):
        for chosen in combinations(range(3), size):
            rows = [row for row in train.rows if any(_KINDS[kind] in row.kinds for kind in chosen)]
            if all(row.visit is not None for row in rows):
                table &= sum(numbers[kind] for kind in chosen) <= sum(row.visit or 0 for row in rows)
    return table.reshape(-1)


class Move(NamedTuple):
    """One way on from the stop ``source``: along ``link`` to ``target``.

    ``forbid`` are the bits that must be free and ``put`` those that are set; ``hexes`` is the bit of the target's hex
    where a hex pays once. ``kinds`` is added to the packed number of stops, ``pay`` to the packed revenue.
    ``leaves_free`` and ``arrives_free``: the track does not end the route at the stop left, at the target; ``runs_on``:
    a route may go on from the target. ``far`` is the target where it counts for a distance bonus, else -1.
    """

    number: int
    forbid: Bits
    put: Bits
    hexes: Bits
    kinds: int
    pay: int
    target: int
    far: int
    leaves_free: bool
    arrives_free: bool
    runs_on: bool
    link: int
    source: int


#: Revenue of cities and off-boards is packed below that of towns.
_MONEY_BITS: Final = 31
_MONEY: Final = (1 << _MONEY_BITS) - 1


def packed_pay(value: int, *, town: bool) -> int:
    """What a stop pays (money), packed so that the pay of cities and off-boards and that of towns add up apart."""
    return value << _MONEY_BITS if town else value


def value_of(pay: NDArray[np.int64]) -> NDArray[np.int64]:
    """What the cities and off-boards pay. Money."""
    return pay & _MONEY


def town_value_of(pay: NDArray[np.int64]) -> NDArray[np.int64]:
    """What the towns pay. Money."""
    return pay >> _MONEY_BITS


@dataclass(frozen=True)
class Moves:
    """All moves, by the stop left and there by link, and as columns."""

    all: list[Move]
    starts: list[int]
    words: int

    @cached_property
    def ahead(self) -> list[list[tuple[Bits, Move]]]:
        """For each stop the moves from it, each behind the bits that it needs."""
        pairs = [(move.forbid, move) for move in self.all]
        return [pairs[start:end] for start, end in pairwise((*self.starts, len(pairs)))]

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """For each stop the number of the first move from it."""
        return np.array(self.starts, dtype=np.int64)

    @cached_property
    def count(self) -> NDArray[np.int64]:
        """For each stop the number of moves from it."""
        return np.diff(self.first, append=len(self.all))

    @cached_property
    def source(self) -> NDArray[np.int64]:
        return np.array([move.source for move in self.all], dtype=np.int64)

    @cached_property
    def target(self) -> Ints:
        return np.array([move.target for move in self.all], dtype=np.int32)

    @cached_property
    def forbid(self) -> list[Words]:
        return columns([move.forbid for move in self.all], self.words)

    @cached_property
    def put(self) -> list[Words]:
        return columns([move.put for move in self.all], self.words)

    @cached_property
    def hexes(self) -> list[Words]:
        """Empty where no hex bit is in use."""
        return columns([move.hexes for move in self.all], self.words) if self.hex_pays_once else []

    @cached_property
    def hex_pays_once(self) -> bool:
        """Whether some stop may pay nothing because another one in its hex has paid."""
        return any(move.hexes for move in self.all)

    @cached_property
    def has_far(self) -> bool:
        """Whether some stop counts for a distance bonus."""
        return any(move.far >= 0 for move in self.all)

    @cached_property
    def kinds(self) -> Ints:
        return np.array([move.kinds for move in self.all], dtype=np.int32)

    @cached_property
    def pay(self) -> NDArray[np.int64]:
        return np.array([move.pay for move in self.all], dtype=np.int64)

    @cached_property
    def leaves_free(self) -> NDArray[np.bool_]:
        return np.array([move.leaves_free for move in self.all], dtype=bool)

    @cached_property
    def arrives_free(self) -> NDArray[np.bool_]:
        return np.array([move.arrives_free for move in self.all], dtype=bool)

    @cached_property
    def runs_on(self) -> NDArray[np.bool_]:
        return np.array([move.runs_on for move in self.all], dtype=bool)

    @cached_property
    def far(self) -> Ints:
        return np.array([move.far for move in self.all], dtype=np.int32)


def table_of_moves(
    problem: RouteProblem, network: Network, plan: BitPlan, kinds: KindTable, far_stops: frozenset[StopId]
) -> Moves:
    """Every link of the network in both directions."""
    pay = [stop_pay(problem, stop) for stop in network.stops]
    far = [node if stop in far_stops else -1 for node, stop in enumerate(network.stops)]
    entered = [
        stop | group | hex_bit
        for stop, group, hex_bit in zip(plan.stop_bit, plan.group_bits, plan.hex_bit, strict=True)
    ]
    carried = _carried(network, plan)
    moves: list[Move] = []
    starts: list[int] = []
    for node, links in enumerate(network.links_at):
        starts.append(len(moves))
        for number in links:
            link = network.links[number]
            if node == link.a:
                target, leaves_free, arrives_free = link.b, not link.terminal_a, not link.terminal_b
            else:
                target, leaves_free, arrives_free = link.a, not link.terminal_b, not link.terminal_a
            track = plan.track_of[number]
            moves.append(
                Move(
                    len(moves),
                    track | plan.entered[target],
                    track | entered[target] | carried[number],
                    plan.hex_bit[target],
                    kinds.increment[target],
                    pay[target],
                    target,
                    far[target],
                    leaves_free,
                    arrives_free,
                    arrives_free and not network.ends[target],
                    number,
                    node,
                )
            )
    return Moves(moves, starts, plan.words)


def _carried(network: Network, plan: BitPlan) -> list[Bits]:
    """For each link the bits of the watched places that it runs over."""
    carried = [0] * len(network.links)
    everywhere = frozenset[TrackPiece | HexId]().union(*plan.mark_of)
    for number, link in enumerate(network.links):
        met = everywhere.intersection(link.hexes) or everywhere.intersection(link.leg.pieces)
        if met:
            for places, bit in plan.mark_of.items():
                if not places.isdisjoint(link.hexes) or not places.isdisjoint(link.leg.pieces):
                    carried[number] |= bit
    return carried


def stop_pay(problem: RouteProblem, stop: StopId) -> int:
    """What *stop* pays on every route that visits it, packed; 0 where that depends on the route."""
    if stop in problem.rules.pays_only_with:
        return 0
    part = problem.position.stops[stop]
    return packed_pay(problem.position.value(stop), town=part.kind is StopKind.TOWN)


def columns(rows: Sequence[Bits], words: int) -> list[Words]:
    """Bits as columns of 64-bit words."""
    size = words * (WORD // 8)
    table = np.frombuffer(b"".join([bits.to_bytes(size, "little") for bits in rows]), dtype="<u8")
    return list(np.ascontiguousarray(table.reshape(len(rows), words).T))


def bits_apart(words: Sequence[Words], number: int) -> NDArray[np.bool_]:
    """The first *number* bits of some words, a row of truth values for each bit."""
    octets = np.stack(words, axis=1).astype("<u8", copy=False).view(np.uint8)
    found = np.empty((number, len(octets)), dtype=bool)
    for place, octet in enumerate(np.ascontiguousarray(octets.T)):
        for bit in range(8 * place, min(8 * place + 8, number)):
            np.not_equal(octet & np.uint8(1 << bit % 8), 0, out=found[bit])
    return found
