"""Best runs by a constraint model: one circuit a train over the contracted network, solved by CP-SAT.

This method never lists routes. It serves networks whose enumeration outgrows its budget, and it is the second opinion
that the enumeration is tested against.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from board.errors import Fault, InputError
from board.hexes import HexId
from board.routes import RouteSet, TrackPiece
from routing.answer import Answer
from routing.bounds import loose_bound
from routing.constraint.data import ModelData
from routing.explore import explore
from routing.problem import RouteProblem

if TYPE_CHECKING:
    from routing.constraint.model import Solution

#: Seconds that the solver gets at least, so that it finds something.
_LEAST: Final = 0.02


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
    pinned = _assigned(data, pins)
    if len(pinned) < len(pins):
        raise _impossible(pins)
    if not data.trains:
        return Answer((), 0, 0, proven=True)
    # The solver takes long to load; small commands do without it.
    from routing.constraint.model import ConstraintModel

    banned = [(route.train, links) for route in avoid if (links := _links_of(data, route.pieces))]
    known: Solution | None = None
    for given in (_assigned(data, hint, pinned), pinned):
        if given and known is None:
            known = ConstraintModel(data, fixed=given, avoid=banned, others_idle=True).solve(None, workers)
    if pins and known is None:
        raise _impossible(pins)
    if known is not None and len(pinned) == len(data.trains):
        return known.answer
    model = ConstraintModel(data, fixed=pinned, avoid=banned)
    if known is not None:
        model.start_from(known)
    seconds = None if deadline is None else max(_LEAST, deadline - time.perf_counter())
    best = model.solve(seconds, workers) or known
    if best is None:
        return Answer((), 0, loose_bound(problem), proven=False)
    return best.answer


def _assigned(
    data: ModelData, routes: RouteSet, taken: Mapping[int, frozenset[int]] | None = None
) -> dict[int, frozenset[int]]:
    """A train of the right name for each of the *routes*, as its place in the position with the links of the route.

    Trains *taken* keep what they have. Routes that no train of the name is left for, or whose track is not there, are
    left out.
    """
    given = dict(taken or {})
    for route in routes:
        links = _links_of(data, route.pieces)
        place = next(
            (
                train.place
                for train in data.trains
                if train.type.name == route.train and train.place not in given and links <= set(train.links)
            ),
            None,
        )
        if links and place is not None and links not in given.values():
            given[place] = links
    return given


def _links_of(data: ModelData, pieces: Sequence[TrackPiece]) -> frozenset[int]:
    """The links that together are exactly this track; none where there are no such links."""
    track = frozenset(pieces)
    links = frozenset(number for number, link in enumerate(data.network.links) if track.issuperset(link.leg.pieces))
    covered = {piece for number in links for piece in data.network.links[number].leg.pieces}
    return links if covered == track else frozenset()


def _impossible(pins: RouteSet) -> InputError:
    routes = "; ".join(f"{route.train}: {' '.join(route.stops)}" for route in pins)
    return InputError(Fault("pinned-route", f"the pinned routes cannot run together on this board ({routes})", "pins"))
