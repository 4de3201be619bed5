"""Best runs by a constraint model: one circuit a train over the contracted network, solved by CP-SAT.

This method never lists routes. It serves networks whose enumeration outgrows its budget, and it is the second opinion
that the enumeration is tested against.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from board.errors import Fault, InputError
from board.hexes import HexId
from board.routes import RouteSet, TrackPiece
from routing.answer import Answer
from routing.bounds import loose_bound
from routing.constraint.data import ModelData, TrainData
from routing.explore import explore
from routing.problem import RouteProblem

if TYPE_CHECKING:
    from routing.constraint.model import Solution

Given = Mapping[int, frozenset[int]]
"""Routes by the place of their train, as the links over which they run."""

#: Seconds that the solver gets at least, so that it finds something.
_LEAST: Final = 0.02
#: With so many trains the solver finds its first good set late; it is given one.
_MANY: Final = 3


def solve_by_constraints(
    problem: RouteProblem,
    *,
    time_limit: float | None = None,
    hint: RouteSet = (),
    pins: RouteSet = (),
    avoid: RouteSet = (),
    without: frozenset[HexId] = frozenset(),
    workers: int = 1,
) -> Answer:
    """The best route set, by one exact model.

    *time_limit* is in seconds; when it is over, the answer is the best set found so far, at worst *hint*, with a bound
    that is not proven tight. *hint* is a legal set to start from. *pins* are routes that are kept as they are, each for
    a train of its name; their track is taken and bonuses are earned together. Routes to *avoid* are not run by their
    train over exactly their track; no route touches the hexes *without*.
    Raises :class:`InputError` (``pinned-route``) where the pins cannot run together.
    """
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    data = ModelData(problem, explore(problem, without=without))
    if not data.trains and not pins:
        return Answer((), 0, 0, proven=True)
    return _Search(data, avoid, deadline, workers).best(pins, hint)


class _Search:
    """The runs of the solver that lead to an answer: over known routes, one train after another, over everything."""

    def __init__(self, data: ModelData, avoid: RouteSet, deadline: float | None, workers: int) -> None:
        self._data, self._deadline, self._workers = data, deadline, workers
        links = [(route.train, _links_of(data, route.pieces)) for route in avoid]
        self._avoid = [(train, whole) for train, whole in links if whole]

    def best(self, pins: RouteSet, hint: RouteSet) -> Answer:
        pinned = self._assigned(pins, {})
        known = self._known(pinned, pinned) if pins else None
        if len(pinned) < len(pins) or (pins and known is None):
            raise _impossible(pins)
        if known is not None and len(pinned) == len(self._data.trains):
            return Answer(known.routes, known.revenue, known.revenue, proven=True, explored=known.explored)
        start = self._assigned(hint, pinned)
        if start == pinned and len(self._data.trains) - len(pinned) >= _MANY:
            start = self._one_by_one(pinned)
        if start != pinned:
            known = self._known(start, pinned) or known
        found = self._solved(self._data, pinned, known, self._left())
        if found is not None:
            return Answer(found.routes, found.revenue, found.bound, found.proven, found.explored)
        bound = loose_bound(self._data.problem)
        return Answer(known.routes, known.revenue, bound, proven=False) if known else Answer((), 0, bound, proven=False)

    def _known(self, given: Given, pinned: Given) -> Solution | None:
        """What these routes earn together; None where they are not legal. Trains of a kind are exchanged so that the
        model for everything admits the solution."""
        everywhere = dict.fromkeys((train.place for train in self._data.trains), frozenset[int]())
        solution = self._solved(self._data, {**everywhere, **given})
        if solution is None:
            return None
        ordered = {place: given[place] for place in pinned}
        for _, same in groupby(sorted(self._data.trains, key=_kind), key=_kind):
            places = [train.place for train in same if train.place not in pinned]
            routes = sorted((place for place in places if place in given), key=lambda place: solution.begins[place])
            ordered.update(zip(places, (given[place] for place in routes), strict=False))
        return solution if ordered == given else self._solved(self._data, {**everywhere, **ordered})

    def _one_by_one(self, given: Given) -> Given:
        """A route for each train in turn, those of the widest range first, over the track that is left.

        A third of the time goes into it at the most.
        """
        start, left = time.perf_counter(), self._left()
        trains = sorted(self._data.trains, key=lambda train: -len(train.links))
        trains = [train for train in trains if train.place not in given]
        for place, train in enumerate(trains):
            seconds = None
            if left is not None:
                seconds = (left / 3 - (time.perf_counter() - start)) / (len(trains) - place)
                if seconds < _LEAST:
                    break
            solution = self._solved(self._data.only((*given, train.place)), given, seconds=seconds)
            if solution is not None and train.place in solution.links:
                given = {**given, train.place: solution.links[train.place]}
        return given

    def _solved(
        self, data: ModelData, fixed: Given, known: Solution | None = None, seconds: float | None = None
    ) -> Solution | None:
        # The solver takes long to load; small commands do without it.
        from routing.constraint.model import ConstraintModel

        model = ConstraintModel(data, fixed=fixed, avoid=self._avoid)
        if known is not None:
            model.start_from(known)
        return model.solve(seconds, self._workers)

    def _left(self) -> float | None:
        """Seconds until the deadline; a little even past it, so that something is found."""
        return None if self._deadline is None else max(_LEAST, self._deadline - time.perf_counter())

    def _assigned(self, routes: RouteSet, taken: Given) -> Given:
        """A train of the right name for each of the *routes*. Trains *taken* keep what they have; routes that no train
        of the name is left for, or whose track is not there, are left out."""
        given = dict(taken)
        for route in routes:
            links = _links_of(self._data, route.pieces)
            places = [
                train.place
                for train in self._data.trains
                if train.type.name == route.train and train.place not in given and links.issubset(train.links)
            ]
            if links and places and links not in given.values():
                given[places[0]] = links
        return given


def _kind(train: TrainData) -> str:
    return train.type.name


def _links_of(data: ModelData, pieces: Sequence[TrackPiece]) -> frozenset[int]:
    """The links that together are exactly this track; none where there are no such links."""
    track = frozenset(pieces)
    links = frozenset(number for number, link in enumerate(data.network.links) if track.issuperset(link.leg.pieces))
    covered = {piece for number in links for piece in data.network.links[number].leg.pieces}
    return links if covered == track else frozenset()


def _impossible(pins: RouteSet) -> InputError:
    routes = "; ".join(f"{route.train}: {' '.join(route.stops)}" for route in pins)
    return InputError(Fault("pinned-route", f"the pinned routes cannot run together on this board ({routes})", "pins"))
