"""Extensions of claimed routes: where a bonus can be earned beyond the range of a train, the ways to prolong its route.

A claim names the stops that its train visits. Whether the route can be prolonged to the partner of a place on it is for
the rules to say, and resolved in the claimant's favour. Walks the raw track as claims do, and shares nothing with the
search. Source: 1833NE section 9, "Interconnection bonus".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from board.hexes import StopId
from board.routes import Leg, Route, RouteSet, TrackPiece
from bonuses.terms import Reach
from routing.chains import chains_from
from routing.legality import Resource, is_end_off_board, walk
from routing.problem import RouteProblem

#: Bounds on work: chains that are followed from one end of a route; extensions of one end among which to choose; steps
#: of the choice.
MOST_FOLLOWED: Final = 5_000
MOST_EXTENSIONS: Final = 40
MOST_STEPS: Final = 5_000


@dataclass(frozen=True, slots=True)
class _Extension:
    """A way to prolong the route at place ``route``, the track that it uses, and the places in the list of terms that
    it earns."""

    route: int
    legs: tuple[Leg, ...]
    uses: frozenset[Resource]
    earns: frozenset[int]


def may_be_prolonged(problem: RouteProblem) -> bool:
    """Whether the title pays for extensions here."""
    return any(isinstance(term, Reach) and term.amount > 0 for term in problem.terms)


def prolonged(problem: RouteProblem, routes: RouteSet, closed: Sequence[bool] = ()) -> RouteSet:
    """The routes with the extensions that earn most together, within a bound on the choices that are looked at.

    Routes whose entry in *closed* is true stay as they are. Track of the routes is not used again, nor is that of other
    extensions.
    """
    terms = [term for term in problem.terms if isinstance(term, Reach) and term.amount > 0]
    if not terms:
        return routes
    used = frozenset(
        use
        for route in routes
        for leg in (*route.legs, *(leg for extension in route.extensions for leg in extension))
        for use in walk(problem.position, leg).uses
    )
    slots: list[list[_Extension]] = []
    for number, route in enumerate(routes):
        if number < len(closed) and closed[number]:
            continue
        wanted = _wanted(terms, route)
        if wanted and route.legs and all(leg.pieces for leg in route.legs):
            for chain in (route.legs, route.reversed().legs):
                ways = _Ways(problem, number, route, wanted, used).after(chain)
                slots.append(list(islice(ways, MOST_EXTENSIONS)))
    slots = [slot for slot in slots if slot]
    chosen = _Choice(terms, slots).best if slots else ()
    return tuple(
        replace(route, extensions=(*route.extensions, *(one.legs for one in chosen if one.route == number)))
        for number, route in enumerate(routes)
    )


def _wanted(terms: Sequence[Reach], route: Route) -> dict[StopId, frozenset[int]]:
    """The stops that an extension of the route may lead to, each with the terms that it would earn."""
    visited = frozenset(route.stops)
    found: dict[StopId, set[int]] = {}
    for place, term in enumerate(terms):
        if not (term.one & visited and term.other & visited):
            partners = (term.other if term.one & visited else frozenset()) | (
                term.one if term.other & visited else frozenset()
            )
            for stop in partners:
                found.setdefault(stop, set()).add(place)
    return {stop: frozenset(places) for stop, places in found.items()}


@dataclass(frozen=True, slots=True)
class _Ways:
    """The ways to prolong the route at place ``number`` to the stops ``wanted`` without the track ``used``."""

    problem: RouteProblem
    number: int
    route: Route
    wanted: Mapping[StopId, frozenset[int]]
    used: frozenset[Resource]

    def after(self, chain: Sequence[Leg]) -> Iterator[_Extension]:
        """Extensions from the last stop of *chain* (the legs of the route in one direction), those of few legs
        first."""
        position, closed = self.problem.position, self.problem.rules.closed
        start, last = chain[-1].end, chain[-1]
        if is_end_off_board(position, start) or _terminal(last.pieces[-1:]):
            return
        pending: list[tuple[tuple[Leg, ...], frozenset[Resource]]] = [((), frozenset())]
        followed = 0
        while pending:
            following: list[tuple[tuple[Leg, ...], frozenset[Resource]]] = []
            for legs, taken in pending:
                here = legs[-1].end if legs else start
                before = {*self.route.stops, *(leg.end for leg in legs)}
                for leg in chains_from(position, here):
                    followed += 1
                    if followed > MOST_FOLLOWED:
                        return
                    uses = walk(position, leg).uses
                    if leg.end in before or leg.end in closed or _terminal(leg.pieces[: max(1, len(leg.pieces) - 1)]):
                        continue
                    if len(set(uses)) < len(uses) or not (self.used | taken).isdisjoint(uses):
                        continue
                    longer = (*legs, leg), taken | set(uses)
                    if leg.end in self.wanted:
                        yield _Extension(self.number, *longer, self.wanted[leg.end])
                    if not is_end_off_board(position, leg.end) and not _terminal(leg.pieces[-1:]):
                        following.append(longer)
            pending = following


def _terminal(pieces: Sequence[TrackPiece]) -> bool:
    return any(piece.track.terminal for piece in pieces)


class _Choice:
    """At most one extension of each slot (an end of a route), no track twice, such that most money is earned."""

    def __init__(self, terms: Sequence[Reach], slots: Sequence[Sequence[_Extension]]) -> None:
        self._terms, self._slots, self._steps, self._most = terms, slots, 0, 0
        self.best: tuple[_Extension, ...] = ()
        self._descend(0, (), frozenset())

    def _descend(self, slot: int, chosen: tuple[_Extension, ...], taken: frozenset[Resource]) -> None:
        self._steps += 1
        earned = {(one.route, place) for one in chosen for place in one.earns}
        money = sum(self._terms[place].amount for _, place in earned)
        if money > self._most:
            self._most, self.best = money, chosen
        if slot == len(self._slots) or self._steps > MOST_STEPS:
            return
        for one in self._slots[slot]:
            new = {(one.route, place) for place in one.earns} - earned
            if new and taken.isdisjoint(one.uses):
                self._descend(slot + 1, (*chosen, one), taken | one.uses)
        self._descend(slot + 1, chosen, taken)
