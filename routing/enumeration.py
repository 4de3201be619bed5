"""Search by enumeration: all trails, what each is worth to each train, and the best set of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from board.errors import Fault, InputError
from board.hexes import HexId, StopId
from board.network import Network
from board.routes import Route, RouteSet, TrackPiece
from bonuses.terms import Distance, Joint, OnTrack, Reach, Term
from routing.answer import Answer
from routing.branch_and_bound import Selection, Trains, choose
from routing.candidates import Candidates, Valuer
from routing.explore import explore
from routing.extensions import Extended, extend_trails
from routing.joint import JointValue
from routing.problem import RouteProblem
from routing.track_bits import Watched
from routing.trails import MOST_TRAILS, TooManyTrailsError, Trails, enumerate_trails


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the asker wants kept, forbidden or listed beside the best set.

    ``pins`` are legal routes that their trains keep; ``avoid`` are routes (train and track) that may not be run;
    ``without`` are hexes that no route may touch; ``top`` is the number of best sets to list.
    """

    pins: RouteSet = ()
    avoid: RouteSet = ()
    without: frozenset[HexId] = frozenset()
    top: int = 1


def search_by_enumeration(
    problem: RouteProblem,
    wishes: Wishes | None = None,
    *,
    deadline: float | None = None,
    listed_by: float | None = None,
    most: int = MOST_TRAILS,
    beam: int | None = None,
) -> tuple[Answer, ...]:
    """The best route sets, best first; at least one (which may be empty).

    ``deadline`` is a reading of :func:`time.perf_counter`; past it the best set found is returned with a bound. Raises
    :class:`routing.trails.TooManyTrailsError` where the network has more than *most* trails or not all are known at
    ``listed_by``; with *beam* only so many trails of each length are looked at, and the answer is unproven. Raises
    :class:`InputError` (``method-not-exact``) for bonuses that it cannot value exactly.
    """
    if unable := cannot_value(problem.terms):
        raise InputError(Fault("method-not-exact", f"enumerate is not exact here: {unable}; use constraint", "method"))
    wishes = wishes or Wishes()
    network = explore(problem, without=wishes.without)
    if not network.links or not problem.position.trains:
        return (Answer((), 0, 0, proven=True),)
    try:
        return _Enumeration(problem, network, wishes, listed_by, most, beam=beam).answers(deadline)
    except TooManyTrailsError:
        if beam is None:
            raise
        return (Answer(wishes.pins, 0, 0, proven=False),)


class _Enumeration:
    def __init__(
        self,
        problem: RouteProblem,
        network: Network,
        wishes: Wishes,
        listed_by: float | None,
        most: int,
        *,
        beam: int | None,
    ) -> None:
        self._wishes = wishes
        terms = problem.terms
        self._trails = enumerate_trails(
            problem,
            network,
            watched=_watched(terms),
            far_stops=_far_stops(terms, problem.position.trains),
            deadline=listed_by,
            most=most,
            beam=beam,
        )
        reach = [term for term in terms if isinstance(term, Reach)]
        self._extended: Extended | None = None
        if reach:
            self._extended = extend_trails(self._trails, reach, deadline=listed_by, most=most)
        self._valuer = Valuer(self._trails, self._extended)
        self._joint = JointValue(self._valuer.joint)
        self._trains = self._with_candidates(problem)

    def _with_candidates(self, problem: RouteProblem) -> list[Trains]:
        """The trains by kind; a pinned train stands alone and has no choice but its extension."""
        pins = list(self._wishes.pins)
        places: dict[str, list[int]] = {}
        trains: list[Trains] = []
        for place, name in enumerate(problem.position.trains):
            pin = next((route for route in pins if route.train == name), None)
            if pin is None:
                places.setdefault(name, []).append(place)
                continue
            pins.remove(pin)
            own = self._valuer.candidates(problem.position.edition.trains[name])
            pinned = own.taken(np.isin(own.trail, self._same_track(own, pin)))
            trains.append(Trains((place,), pinned, must_run=True))
        for name, at in places.items():
            candidates = self._allowed(self._valuer.candidates(problem.position.edition.trains[name]))
            trains.append(Trains(tuple(at), candidates))
        return trains

    def _allowed(self, candidates: Candidates) -> Candidates:
        for route in self._wishes.avoid:
            if route.train == candidates.train.name:
                candidates = candidates.taken(~np.isin(candidates.trail, self._same_track(candidates, route)))
        return candidates

    def _same_track(self, candidates: Candidates, route: Route) -> list[int]:
        """The trails among *candidates* that run over exactly the track of *route*."""
        trails, pieces = self._trails, frozenset(route.pieces)
        rows = np.unique(candidates.trail)
        same = np.ones(len(rows), dtype=bool)
        for stop in route.stops:
            same &= trails.visits((stop,))[rows]
        return [int(row) for row in rows[same] if pieces == _pieces(trails, int(row))]

    def answers(self, deadline: float | None) -> tuple[Answer, ...]:
        selection = choose(self._trains, self._joint, top=self._wishes.top, deadline=deadline)
        found = []
        for revenue, choice in selection.choices:
            proven = selection.bound <= selection.choices[0][0]
            found.append(Answer(self._routes(choice), revenue, selection.bound, proven, self._steps(selection)))
        return tuple(found) or (Answer((), 0, selection.bound, selection.bound <= 0, self._steps(selection)),)

    def _steps(self, selection: Selection) -> int:
        return selection.explored + len(self._trails)

    def _routes(self, choice: tuple[int, ...]) -> RouteSet:
        routes = []
        candidates_of = {place: some.candidates for some in self._trains for place in some.places}
        for place, row in enumerate(choice):
            if row < 0:
                continue
            candidates = candidates_of[place]
            legs = self._trails.legs_of(int(candidates.trail[row]))
            prolonged = int(candidates.extended[row])
            extensions = self._extended.extensions_of(prolonged) if self._extended and prolonged >= 0 else ()
            routes.append(Route(candidates.train.name, legs, extensions))
        return tuple(routes)


def _watched(terms: Sequence[Term]) -> Iterator[Watched]:
    for term in terms:
        if isinstance(term, OnTrack):
            yield term.pieces
        elif isinstance(term, Joint):
            for axis in term.axes:
                yield from (axis.one, axis.other)


def _far_stops(terms: Sequence[Term], trains: Sequence[str]) -> frozenset[StopId]:
    """The stops that count for a distance bonus of one of the trains."""
    earning = (term.stops for term in terms if isinstance(term, Distance) and not term.trains.isdisjoint(trains))
    return frozenset[StopId]().union(*earning)


def cannot_value(terms: Sequence[Term]) -> str:
    """Why the enumeration cannot value these terms exactly; empty where it can."""
    if sum(isinstance(term, Joint) for term in terms) > 1:
        return "there is more than one joint bonus"
    if len({term.stops for term in terms if isinstance(term, Distance)}) > 1:
        return "distance bonuses measure between different stops"
    return ""


def _pieces(trails: Trails, row: int) -> frozenset[TrackPiece]:
    return frozenset(piece for leg in trails.legs_of(row) for piece in leg.pieces)
