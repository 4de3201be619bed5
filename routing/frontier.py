"""All trails of a network as paths through a graph of states, for trains that may visit any number of stops.

The links are decided one after the other: a trail takes a link or leaves it. What matters for the rest is little: of
the stops between decided and undecided links (the *frontier*) which are still free, which are an end of a piece of
the trail and of which piece, and which track and groups that undecided links share are used up. Trails that agree in
this are one state. A network with more trails than anybody can list has few states where its frontier is narrow, as
on hex maps it is.

The graph does not depend on what stops pay or track costs. So it is built once, and the best trail under any prices,
or all trails near it, are found by walking over its states instead of over trails.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from board.network import Network
from routing.track_bits import BitPlan

#: Stops that may be in the frontier at once; the state of each takes four bits.
_WIDEST: Final = 14
#: States of all layers together. One takes some 20 bytes.
_MOST_STATES: Final = 4_000_000
#: Codes of a stop in the frontier: its own place (free), the place of the other end of its piece, or one of these:
#: inside the trail; an end of a piece whose other end is an end of the whole trail.
_INSIDE: Final = 14
_LAST_PIECE: Final = 15
#: What a decision leads to where it does not lead to a state: nothing legal, a whole trail.
_NOWHERE: Final = -1
_WHOLE: Final = -2
_MOST_ONCE: Final = 62
_ROOT: Final = np.uint64(1)


class TooWideError(Exception):
    """The network has too many states, or they were not all known in time."""


@dataclass(frozen=True)
class _Layer:
    """The decision on ``link``, which joins the stops ``a`` and ``b``.

    For each state ``skip`` is where leaving the link leads. ``rows`` are the states that may take it, ``take`` is where
    that leads, ``fresh_a`` and ``fresh_b`` tell whether it visits a stop anew.
    """

    link: int
    a: int
    b: int
    skip: NDArray[np.int32]
    rows: NDArray[np.int32]
    take: NDArray[np.int32]
    fresh_a: NDArray[np.bool_]
    fresh_b: NDArray[np.bool_]


@dataclass(frozen=True)
class Tariff:
    """What a trail earns and pays by its parts: ``pay`` for each stop, ``price`` for each link (money)."""

    pay: NDArray[np.float64]
    price: NDArray[np.float64]

    def gain(self, layer: _Layer) -> NDArray[np.float64]:
        """For each row of the layer what taking the link is worth."""
        gain = layer.fresh_a * self.pay[layer.a] + layer.fresh_b * self.pay[layer.b]
        worth: NDArray[np.float64] = gain - self.price[layer.link]
        return worth


class TrailGraph:
    """Every trail of at least one link that visits a root of the network, each once.

    A trail visits no stop twice, no two stops of a group, uses no track twice, and ends where it must. Other conditions
    of the title and of trains are left to the caller.
    """

    def __init__(self, network: Network, plan: BitPlan, *, deadline: float | None = None) -> None:
        """*deadline* is a reading of :func:`time.perf_counter`. Raises :class:`TooWideError`."""
        self._network = network
        self._layers = _Builder(network, plan, deadline).layers()

    @property
    def states(self) -> int:
        """The number of states."""
        return sum(len(layer.skip) for layer in self._layers)

    def best(self, tariff: Tariff) -> tuple[float, tuple[int, ...]]:
        """The largest worth of a trail (money), and its links; minus infinity where there is none."""
        ahead = self._ahead(tariff)
        worth, state = float(ahead[0][0]), 0
        links: list[int] = []
        for layer, here, after in zip(self._layers, ahead, ahead[1:], strict=False):
            if worth == -np.inf:
                break
            to = int(layer.skip[state])
            if after[to] != here[state]:
                links.append(layer.link)
                to = int(layer.take[np.searchsorted(layer.rows, state)])
            if to == _WHOLE:
                break
            state = to
        return worth, tuple(links)

    def near(self, tariff: Tariff, needed: float, most: int) -> list[tuple[int, ...]] | None:
        """The links of every trail that is worth at least *needed* (money); None where there are more than *most*."""
        ahead = self._ahead(tariff)
        words = -(-len(self._network.links) // 64)
        state, worth = np.zeros(1, dtype=np.int32), np.zeros(1)
        used = np.zeros((1, words), dtype=np.uint64)
        found: list[NDArray[np.uint64]] = []
        number = 0
        for layer, after in zip(self._layers, ahead[1:], strict=True):
            may = np.flatnonzero(np.isin(state, layer.rows))
            place = np.searchsorted(layer.rows, state[may])
            to = np.concatenate([layer.skip[state], layer.take[place]])
            worth = np.concatenate([worth, worth[may] + tariff.gain(layer)[place]])
            taken = used[may]
            taken[:, layer.link // 64] |= np.uint64(1 << layer.link % 64)
            used = np.concatenate([used, taken])
            kept = worth + after[to] >= needed
            whole = np.flatnonzero(kept & (to == _WHOLE))
            found.append(used[whole])
            go_on = np.flatnonzero(kept & (to >= 0))
            number += len(whole)
            if number + len(go_on) > most:
                return None
            state, worth, used = to[go_on], worth[go_on], used[go_on]
        return [_links(row) for part in found for row in part.tolist()]

    def _ahead(self, tariff: Tariff) -> list[NDArray[np.float64]]:
        """For each layer and state the most that the rest of a trail can be worth. Two more entries stand for the
        negative places of states: a whole trail, nowhere."""
        none = np.array([0.0, -np.inf])
        ahead = [none]
        for layer in reversed(self._layers):
            after = ahead[-1]
            worth = after[layer.skip]
            worth[layer.rows] = np.maximum(worth[layer.rows], after[layer.take] + tariff.gain(layer))
            ahead.append(np.concatenate([worth, none]))
        return ahead[::-1]


def _links(words: Sequence[int]) -> tuple[int, ...]:
    links = []
    for place, word in enumerate(words):
        while word:
            lowest = word & -word
            links.append(64 * place + lowest.bit_length() - 1)
            word ^= lowest  # noqa: PLW2901
    return tuple(links)


# --- building ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Step:
    """A decision as the builder needs it: the link, the places of its stops in the frontier, the bits of what it
    uses up (track; the groups of a stop that is visited anew), the places that leave the frontier after it, and the
    bits that nothing later asks for."""

    link: int
    places: tuple[int, int]
    track: int
    groups: tuple[int, int]
    leaving: tuple[int, ...]
    forgotten: int


class _Builder:
    def __init__(self, network: Network, plan: BitPlan, deadline: float | None) -> None:
        self._network, self._plan, self._deadline = network, plan, deadline
        self._width = 0

    def layers(self) -> list[_Layer]:
        steps = self._steps(_order(self._network, self._plan))
        states = _States.start(self._width)
        layers: list[_Layer] = []
        number = 0
        for step in steps:
            number += len(states)
            if number > _MOST_STATES or (self._deadline is not None and time.perf_counter() > self._deadline):
                raise TooWideError
            layer, states = self._decided(step, states)
            layers.append(layer)
        # a trail that has not begun when all is decided is none
        return [*layers[:-1], *(replace(layer, skip=np.minimum(layer.skip, _NOWHERE)) for layer in layers[-1:])]

    def _steps(self, order: Sequence[int]) -> list[_Step]:
        """Assign places in the frontier and bits, each anew when it has become free."""
        network, plan = self._network, self._plan
        ends = [(network.links[link].a, network.links[link].b) for link in order]
        stops = _Lives((at, end) for at, pair in enumerate(ends) for end in pair)
        once = _Lives(
            (at, bit)
            for at, link in enumerate(order)
            for bit in _bits(plan.track_of[link] | plan.group_bits[ends[at][0]] | plan.group_bits[ends[at][1]])
        )
        steps = []
        for at, (link, pair) in enumerate(zip(order, ends, strict=True)):
            first, second = stops.place(at, pair[0]), stops.place(at, pair[1])
            self._width = max(self._width, first + 1, second + 1)
            asked = (plan.track_of[link], plan.group_bits[pair[0]], plan.group_bits[pair[1]])
            track, *groups = (sum(2 << once.place(at, bit) for bit in _bits(bits) if once.lasts(bit)) for bits in asked)
            leaving = tuple(stops.release(at, pair))
            bits = _bits(asked[0] | asked[1] | asked[2])
            forgotten = sum(2 << place for place in once.release(at, (bit for bit in bits if once.lasts(bit))))
            steps.append(_Step(link, (first, second), track, (groups[0], groups[1]), leaving, forgotten))
        if self._width > _WIDEST or once.most > _MOST_ONCE:
            raise TooWideError
        return steps

    def _decided(self, step: _Step, states: _States) -> tuple[_Layer, _States]:
        """The layer of one decision and the states after it."""
        network = self._network
        link = network.links[step.link]
        a, b = step.places
        codes_a, codes_b = states.code(a), states.code(b)
        ends = (network.ends[link.a] or link.terminal_a, network.ends[link.b] or link.terminal_b)
        may = states.free_of(step.track) & (codes_a != _INSIDE) & (codes_b != _INSIDE) & (codes_a != b)
        for place, codes, end, groups in zip((a, b), (codes_a, codes_b), ends, step.groups, strict=True):
            if end:
                may &= codes == place
            if groups:
                may &= (codes != place) | states.free_of(groups)
        if self._plan.group_bits[link.a] & self._plan.group_bits[link.b]:
            # both stops are of one group
            may[:] = False
        rows = np.flatnonzero(may)
        taking = states.taken(rows)
        fresh = [taking.code(place) == place for place in (a, b)]
        taking.bits |= np.uint64(step.track)
        for is_fresh, groups in zip(fresh, step.groups, strict=True):
            taking.bits[is_fresh] |= np.uint64(groups)
        if link.a in network.roots or link.b in network.roots:
            taking.bits |= _ROOT
        joined_whole = taking.join((a, b), fresh, ends)
        after = _States.of(states, taking)
        whole = np.concatenate([np.zeros(len(states), dtype=np.int8), joined_whole])
        for place in step.leaving:
            whole += after.leave(place)
        after.bits &= ~np.uint64(step.forgotten)
        target, following = after.merged(whole)
        skip, take = target[: len(states)], target[len(states) :]
        layer = _Layer(step.link, link.a, link.b, skip, rows.astype(np.int32), take, fresh[0], fresh[1])
        return layer, following


class _Lives:
    """When things come up first and last in a list of events, and places for them, reused after the last."""

    def __init__(self, events: Iterable[tuple[int, int]]) -> None:
        self._first: dict[int, int] = {}
        self._last: dict[int, int] = {}
        for at, thing in events:
            self._first.setdefault(thing, at)
            self._last[thing] = at
        self._places: dict[int, int] = {}
        self._free: list[int] = []
        self.most = 0

    def lasts(self, thing: int) -> bool:
        """Whether a thing comes up at more than one time."""
        return self._first[thing] != self._last[thing]

    def place(self, at: int, thing: int) -> int:
        """The place of a thing; a free one where it comes up first."""
        if thing not in self._places:
            assert self._first[thing] == at
            if not self._free:
                self._free.append(self.most)
                self.most += 1
            self._places[thing] = self._free.pop()
        return self._places[thing]

    def release(self, at: int, things: Iterable[int]) -> list[int]:
        """The places of those things that come up for the last time."""
        leaving = [self._places.pop(thing) for thing in things if self._last[thing] == at]
        self._free += leaving
        return leaving


@dataclass
class _States:
    """States of one layer: ``pieces`` holds four bits for each place of the frontier, ``bits`` what is used up."""

    width: int
    pieces: NDArray[np.uint64]
    bits: NDArray[np.uint64]

    @classmethod
    def start(cls, width: int) -> _States:
        free = sum(place << 4 * place for place in range(width))
        return cls(width, np.array([free], dtype=np.uint64), np.zeros(1, dtype=np.uint64))

    @classmethod
    def of(cls, one: _States, other: _States) -> _States:
        pieces = np.concatenate([one.pieces, other.pieces])
        return cls(one.width, pieces, np.concatenate([one.bits, other.bits]))

    def __len__(self) -> int:
        return len(self.pieces)

    def taken(self, rows: NDArray[np.int64]) -> _States:
        return _States(self.width, self.pieces[rows], self.bits[rows])

    def code(self, place: int) -> NDArray[np.int64]:
        return (self.pieces >> np.uint64(4 * place) & np.uint64(15)).astype(np.int64)

    def free_of(self, bits: int) -> NDArray[np.bool_]:
        free: NDArray[np.bool_] = (self.bits & np.uint64(bits)) == 0
        return free

    def _put(self, rows: NDArray[np.int64], places: NDArray[np.int64], codes: NDArray[np.int64]) -> None:
        shift = (4 * places).astype(np.uint64)
        self.pieces[rows] = self.pieces[rows] & ~(np.uint64(15) << shift) | codes.astype(np.uint64) << shift

    def join(
        self, places: tuple[int, int], fresh: Sequence[NDArray[np.bool_]], ends: tuple[bool, bool]
    ) -> NDArray[np.bool_]:
        """Lay a link between two places; tells where the trail is whole thereby (if nothing else lies)."""
        everywhere = np.arange(len(self))
        far = [np.where(is_fresh, place, self.code(place)) for place, is_fresh in zip(places, fresh, strict=True)]
        for place, end, beyond in zip(places, ends, far, strict=True):
            self._put(everywhere, np.full(len(self), place), np.full(len(self), _INSIDE))
            if end:
                beyond[:] = _LAST_PIECE
        for one, other in (far, far[::-1]):
            rows = np.flatnonzero(one < _INSIDE)
            self._put(rows, one[rows], other[rows])
        whole: NDArray[np.bool_] = (far[0] == _LAST_PIECE) & (far[1] == _LAST_PIECE)
        return whole

    def leave(self, place: int) -> NDArray[np.bool_]:
        """A stop leaves the frontier; an end of a piece there is an end of the trail. Tells where it is whole."""
        codes = self.code(place)
        rows = np.flatnonzero((codes < _INSIDE) & (codes != place))
        self._put(rows, codes[rows], np.full(len(rows), _LAST_PIECE))
        everywhere = np.arange(len(self))
        self._put(everywhere, np.full(len(self), place), np.full(len(self), place))
        whole: NDArray[np.bool_] = codes == _LAST_PIECE
        return whole

    def merged(self, whole: NDArray[np.int8]) -> tuple[NDArray[np.int32], _States]:
        """For each state the number of the merged state it goes on as, ``_WHOLE`` or ``_NOWHERE``; those states.

        *whole* is the number of trails that became whole in each: one may, with nothing else there.
        """
        pieces, last_pieces = np.zeros(len(self), dtype=np.int8), np.zeros(len(self), dtype=np.int8)
        for place in range(self.width):
            codes = self.code(place)
            last_pieces += codes == _LAST_PIECE
            pieces += (codes != place) & (codes != _INSIDE)
        target = np.full(len(self), _NOWHERE, dtype=np.int32)
        target[(whole == 1) & (pieces == 0) & ((self.bits & _ROOT) != 0)] = _WHOLE
        going = np.flatnonzero((whole == 0) & (last_pieces <= 2))
        order = going[np.lexsort((self.bits[going], self.pieces[going]))]
        fresh = np.ones(len(order), dtype=bool)
        fresh[1:] = (self.pieces[order[1:]] != self.pieces[order[:-1]]) | (
            self.bits[order[1:]] != self.bits[order[:-1]]
        )
        target[order] = np.cumsum(fresh) - 1
        return target, self.taken(order[fresh])


def _bits(number: int) -> list[int]:
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return found


def _order(network: Network, plan: BitPlan) -> list[int]:
    """The links in an order that keeps the frontier narrow: from several starts, each time the link that widens it
    least; the order with the fewest expected states is taken."""
    users: dict[int, int] = {}
    once: list[list[int]] = []
    for link, bits in zip(network.links, plan.track_of, strict=True):
        once.append(_bits(bits | plan.group_bits[link.a] | plan.group_bits[link.b]))
        for bit in once[-1]:
            users[bit] = users.get(bit, 0) + 1
    orders = (_order_from(network, once, users, start) for start in range(len(network.stops)))
    return min(orders)[1]


def _order_from(
    network: Network, once: Sequence[Sequence[int]], users: dict[int, int], start: int
) -> tuple[float, list[int]]:
    """The order from one stop on, behind a guess at its number of states."""
    left, stops_left = dict(users), [len(links) for links in network.links_at]
    order: list[int] = []
    undecided = set(range(len(network.links)))
    waiting = set(network.links_at[start])
    guess, width = 0.0, 0.0

    def widens(link: int) -> tuple[float, int]:
        """By how much the frontier grows, and the link itself."""
        grows = 0.0
        for stop in (network.links[link].a, network.links[link].b):
            remaining = stops_left[stop]
            grows += (remaining > 1) - (remaining < len(network.links_at[stop]))
        for bit in once[link]:
            if users[bit] > 1:
                grows += 0.7 * ((left[bit] > 1) - (left[bit] < users[bit]))
        return grows, link

    while undecided:
        grows, link = min(widens(one) for one in (waiting or undecided))
        order.append(link)
        undecided.discard(link)
        waiting.discard(link)
        for stop in (network.links[link].a, network.links[link].b):
            stops_left[stop] -= 1
            waiting |= undecided.intersection(network.links_at[stop])
        for bit in once[link]:
            left[bit] -= 1
        width += grows
        guess += 2.0**width
    return guess, order
