"""Search on networks with more trails than can be listed, for companies with trains that may visit any number of stops.

What short trains can run is listed; what a long train can run is a graph of states (:mod:`routing.frontier`). Prices
on track (a Lagrangian bound, as in :mod:`routing.prices`) tell what any set earns at most, because the best trail of a
long train under prices is found exactly. A trail that is in a better set than the one in hand must be near that best
one; these few are listed, and the choice among them and the routes of the short trains is exact.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from board.network import Network
from board.routes import Route, RouteSet
from board.trains import TrainType
from bonuses.terms import Distance, Highest, Joint, MostStops, OnTrack, Reach, Term, Touch
from routing.answer import Answer
from routing.branch_and_bound import Trains, choose
from routing.candidates import Candidates, Valuer
from routing.enumeration import Wishes, _far_stops, _pieces, _watched, cannot_value
from routing.explore import explore
from routing.frontier import Tariff, TooWideError, TrailGraph
from routing.joint import JointValue
from routing.problem import RouteProblem
from routing.track_bits import Words, plan_bits, to_words
from routing.trails import TooManyTrailsError, Trails, enumerate_trails, trails_along

#: Trails of a long train that are listed at most: first few, for a better set in hand, then as many as are near.
_MOST_NEAR: Final = (500, 20_000)
#: Routes of short trains that are listed at most.
_MOST_SHORT: Final = 300_000
_STEPS: Final = 400
#: After so many steps without a lower bound steps become shorter.
_PATIENCE: Final = 10
_SHORTEST: Final = 0.01


def is_long(train: TrainType) -> bool:
    """Whether a train may visit any number of stops and counts whatever it can of them."""
    return all(row.visit is None and row.pay in (None, 0) for row in train.rows)


def serves(problem: RouteProblem, wishes: Wishes) -> bool:
    """Whether this way of searching applies: there is a long train, and nothing is asked that needs all its routes."""
    if wishes.pins or wishes.top > 1 or cannot_value(problem.terms):
        return False
    beyond_range = any(isinstance(term, Reach) for term in problem.terms)
    return any(map(is_long, problem.position.train_types)) and not beyond_range


def search_long_trains(problem: RouteProblem, wishes: Wishes, first: Answer, deadline: float) -> Answer | None:
    """The best route set, from the legal set *first* on, where this way of searching :func:`serves`; None where the
    network has too many states or the short trains have too many routes.

    *deadline* is a reading of :func:`time.perf_counter`; past it the best set found is returned with its bound.
    """
    network = explore(problem, without=wishes.without)
    try:
        return _Search(problem, network, wishes, deadline).run(first)
    except (TooWideError, TooManyTrailsError):
        return None


@dataclass
class _Kind:
    """Interchangeable trains and what is known of their routes: ``pay`` of each stop, ``bonus`` that a route may earn
    at most besides (both money)."""

    train: TrainType
    places: tuple[int, ...]
    pay: NDArray[np.float64]
    bonus: float


@dataclass
class _Listed:
    """Short trains with all their routes, and for each route which bits of track it uses."""

    trains: Trains
    worth: NDArray[np.float64]
    uses: NDArray[np.float64]


@dataclass
class _Bound:
    """A bound on every set (money), with what each kind of long train and the prices have in it."""

    total: float
    long: list[float]
    price: NDArray[np.float64]


class _Search:
    def __init__(self, problem: RouteProblem, network: Network, wishes: Wishes, deadline: float) -> None:
        self._problem, self._network, self._wishes, self._deadline = problem, network, wishes, deadline
        self._watched = tuple(_watched(problem.terms))
        self._far = _far_stops(problem.terms, problem.position.trains)
        self._plan = plan_bits(problem, network, self._watched)
        self._joint = JointValue(next((term for term in problem.terms if isinstance(term, Joint)), None))
        places: dict[TrainType, list[int]] = {}
        for place, train in enumerate(problem.position.train_types):
            places.setdefault(train, []).append(place)
        self._trails: dict[str, Trails] = {}
        self._short = self._listed({train: at for train, at in places.items() if not is_long(train)})
        self._long = [
            _Kind(train, tuple(at), self._pay(train), self._most_bonus(train))
            for train, at in places.items()
            if is_long(train)
        ]
        self._graph = TrailGraph(network, self._plan, deadline=deadline)
        words = zip(*(to_words(bits, self._plan.track_words) for bits in self._plan.track_of), strict=True)
        self._bits = _as_rows([np.array(word, dtype=np.uint64) for word in words])
        self._explored = self._graph.states

    # --- what the trains may run --------------------------------------------------------------------------------------

    def _listed(self, places: dict[TrainType, list[int]]) -> list[_Listed]:
        if not places:
            return []
        trails = enumerate_trails(
            self._problem,
            self._network,
            watched=self._watched,
            far_stops=self._far,
            deadline=self._deadline,
            most=_MOST_SHORT,
            trains=places,
        )
        valuer = Valuer(trails)
        listed = []
        for train, at in places.items():
            candidates = self._allowed(valuer.candidates(train), trails)
            self._trails[train.name] = trails
            worth = candidates.value + self._joint.credit(candidates.axes, [0.5] * len(self._joint.amounts))
            listed.append(_Listed(Trains(tuple(at), candidates), worth, _as_rows(candidates.track)))
        return listed

    def _allowed(self, candidates: Candidates, trails: Trails) -> Candidates:
        """Without the routes that the asker wants avoided."""
        avoided = [frozenset(one.pieces) for one in self._wishes.avoid if one.train == candidates.train.name]
        if not avoided:
            return candidates
        return candidates.taken(np.array([_pieces(trails, int(row)) not in avoided for row in candidates.trail]))

    def _pay(self, train: TrainType) -> NDArray[np.float64]:
        position = self._problem.position
        pay = []
        for stop in self._network.stops:
            kind = position.stops[stop].kind
            pays = kind is not None and train.pays_for(kind)
            pay.append(position.value(stop) * train.multiplier if pays else 0)
        return np.array(pay, dtype=np.float64)

    def _most_bonus(self, train: TrainType) -> float:
        return float(sum(self._joint.amounts)) + sum(_most_of(term, train) for term in self._problem.terms)

    # --- prices -------------------------------------------------------------------------------------------------------

    def run(self, first: Answer) -> Answer:
        """Bound, list what is near, choose; again with a better set in hand while that leaves less to list."""
        best, bound, proven = first, self._bound(first.revenue), False
        for most in _MOST_NEAR:
            improved = True
            while improved and not proven and bound.total >= best.revenue + 1 and time.perf_counter() < self._deadline:
                tracks, complete = self._near(bound, best, most)
                found = self._choose(tracks, bound, best)
                improved = found.revenue > best.revenue
                proven = complete and found.proven
                best = found if improved else best
        highest = best.revenue if proven else max(best.revenue, math.floor(bound.total + 1e-6))
        return Answer(best.routes, best.revenue, highest, best.revenue == highest, self._explored)

    def _bound(self, in_hand: int) -> _Bound:
        """The lowest bound that prices find (subgradient steps)."""
        prices = np.zeros(self._bits.shape[1])
        lowest, scale, patience = _Bound(math.inf, [], prices), 1.0, 0
        for _ in range(_STEPS):
            bound, wanted = self._free_choice(prices)
            patience += 1
            if bound.total < lowest.total:
                patience = 0 if lowest.total - bound.total > 0.01 * (lowest.total - in_hand) else patience
                lowest = bound
            slope = wanted - 1.0
            slope[(prices <= 0) & (slope < 0)] = 0.0
            length = float(slope @ slope)
            if lowest.total < in_hand + 1 or length < 1e-9 or time.perf_counter() > self._deadline:
                break
            if patience >= _PATIENCE:
                scale, patience, prices = scale / 2, 0, lowest.price
                if scale < _SHORTEST:
                    break
            step = scale * max(bound.total - in_hand, 0.5) / length
            prices = np.round(np.maximum(prices + step * slope, 0.0) * 64.0) / 64.0  # so that sums are exact
        return lowest

    def _free_choice(self, prices: NDArray[np.float64]) -> tuple[_Bound, NDArray[np.float64]]:
        """The bound under these prices, and how often each bit of track is wanted where every train chooses freely."""
        total, wanted = float(prices.sum()), np.zeros(len(prices))
        for listed in self._short:
            if len(listed.worth):
                worth = listed.worth - listed.uses @ prices
                at = int(np.argmax(worth))
                if worth[at] > 0:
                    total += float(worth[at]) * len(listed.trains.places)
                    wanted += listed.uses[at] * len(listed.trains.places)
        long = []
        for kind in self._long:
            alone, links = self._graph.best(self._tariff(kind, prices))
            long.append(max(0.0, alone + kind.bonus))
            total += long[-1] * len(kind.places)
            if long[-1] > 0 and links:
                wanted += self._bits[list(links)].sum(axis=0) * len(kind.places)
        return _Bound(total, long, prices), wanted

    def _tariff(self, kind: _Kind, prices: NDArray[np.float64]) -> Tariff:
        return Tariff(kind.pay, self._bits @ prices)

    # --- what is near -------------------------------------------------------------------------------------------------

    def _near(self, bound: _Bound, best: Answer, limit: int) -> tuple[list[list[tuple[int, ...]]], bool]:
        """For each kind of long train the trails that may be in a better set, those nearest to its best one where they
        are more than *limit*; and whether these are all of them."""
        complete, tracks = True, []
        for kind, worth in zip(self._long, bound.long, strict=True):
            needed = best.revenue + 1 - (bound.total - worth) - kind.bonus
            most = worth - kind.bonus
            near = self._graph.near(self._tariff(kind, bound.price), needed, limit)
            while near is None and most - needed > 1:
                complete, needed = False, (most + needed) / 2
                near = self._graph.near(self._tariff(kind, bound.price), needed, limit)
            in_hand = [_links_of(self._network, route) for route in best.routes if route.train == kind.train.name]
            tracks.append(list(dict.fromkeys([*(near or []), *in_hand])))
        return tracks, complete

    def _choose(self, tracks: Sequence[Sequence[tuple[int, ...]]], bound: _Bound, best: Answer) -> Answer:
        """The best set of these trails and the routes of short trains; proven means that none of them is better."""
        trains: list[Trains] = []
        for listed in self._short:
            # a set that is better than the one in hand holds no route that falls short by more than the bound leaves
            worth = listed.worth - listed.uses @ bound.price
            needed = best.revenue + 1 - (bound.total - max(0.0, float(worth.max(initial=0.0))))
            candidates = listed.trains.candidates.taken(worth >= needed)
            trains.append(Trains(listed.trains.places, candidates))
        for kind, links in zip(self._long, tracks, strict=True):
            trails = trails_along(
                self._problem, self._network, links, (kind.train,), watched=self._watched, far_stops=self._far
            )
            self._trails[kind.train.name] = trails
            self._explored += len(trails)
            trains.append(Trains(kind.places, self._allowed(Valuer(trails).candidates(kind.train), trails)))
        selection = choose(trains, self._joint, deadline=self._deadline)
        self._explored += selection.explored
        if not selection.choices:
            return Answer((), 0, selection.bound, selection.bound <= best.revenue)
        revenue, choice = selection.choices[0]
        return Answer(
            self._routes(trains, choice), revenue, selection.bound, selection.bound <= max(revenue, best.revenue)
        )

    def _routes(self, trains: Sequence[Trains], choice: Sequence[int]) -> RouteSet:
        candidates_of = {place: some.candidates for some in trains for place in some.places}
        routes = []
        for place, row in enumerate(choice):
            if row >= 0:
                candidates = candidates_of[place]
                trails = self._trails[candidates.train.name]
                routes.append(Route(candidates.train.name, trails.legs_of(int(candidates.trail[row]))))
        return tuple(routes)


def _most_of(term: Term, train: TrainType) -> int:
    """What one route of the train earns by a term at most. Money."""
    if isinstance(term, Touch | OnTrack):
        return max(0, term.amount)
    if isinstance(term, Highest):
        return max((0, *term.values.values()))
    if isinstance(term, Distance) and train.name in term.trains:
        far = (term.layout.distance(one.hex, other.hex) for one, other in combinations(sorted(term.stops), 2))
        return term.per_hex * max(far, default=0)
    if isinstance(term, MostStops):
        return term.per_stop * len(term.stops)
    return 0


def _links_of(network: Network, route: Route) -> tuple[int, ...]:
    """The links of the network over which a route runs."""
    legs = {frozenset(leg.pieces) for leg in route.legs}
    return tuple(number for number, link in enumerate(network.links) if frozenset(link.leg.pieces) in legs)


def _as_rows(words: Sequence[Words]) -> NDArray[np.float64]:
    """Bits as a matrix of 0 and 1, a row for each candidate."""
    octets = np.stack(words, axis=1).astype("<u8").view(np.uint8).reshape(len(words[0]), 8 * len(words))
    return np.unpackbits(octets, axis=1, bitorder="little").astype(np.float64)
