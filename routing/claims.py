"""Routes given by their stops: find track that makes them legal together, and judge them.

A claim names stops and perhaps the hexes of the track between them, in either direction. Whatever it leaves open is
resolved in the claimant's favour: if some choice of track makes all claimed routes legal together, such a choice is
taken, and of those the one that pays most, extensions beyond a train's range included; else one with the fewest faults,
so that the verdict names the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise, product
from typing import Final

from board.errors import Fault, LimitExceeded
from board.hexes import HexId, StopId, opposite
from board.position import Position
from board.routes import ClaimedRoute, Leg, Route, RouteSet
from board.tiles import End
from bonuses.terms import Joint, OnTrack
from routing.chains import chains_from, shortest_first
from routing.checker import Verdict, check
from routing.legality import Resource, Trace, walk
from routing.problem import RouteProblem
from routing.prolonging import may_be_prolonged, prolonged
from routing.route_text import parse_route

__all__ = ["check_claim", "parse_route", "resolve"]

#: Bounds on work: legs of a claim, far more than any map has track for; chains of one leg; steps of the choice among
#: them; legs with a choice beyond which the first choice is not gone back on; choices that differ in what they pay.
MOST_LEGS: Final = 500
MOST_CHAINS: Final = 20_000
MOST_STEPS: Final = 2_000
MOST_TO_CHOOSE: Final = 60
MOST_PAYING_CHOICES: Final = 256


def check_claim(problem: RouteProblem, claimed: Sequence[ClaimedRoute]) -> Verdict:
    """The verdict on claimed routes; a leg without track is told by the first hex where the track is missing."""
    routes = resolve(problem, claimed)
    verdict = check(problem, routes)
    scored = list(verdict.routes)
    for number, (claim, route) in enumerate(zip(claimed, routes, strict=True)):
        trace = Trace(problem, route, number)
        for step, told in zip(trace.legs, _told(claim), strict=True):
            if not step.leg.pieces and told:
                right = trace.fault(*_missing_track(trace, step.leg, told), step.label)
                faults = tuple(
                    right if (fault.code, fault.where) == ("no-track", right.where) else fault
                    for fault in scored[number].faults
                )
                scored[number] = replace(scored[number], faults=faults)
    return replace(verdict, routes=tuple(scored))


def resolve(problem: RouteProblem, claimed: Sequence[ClaimedRoute]) -> RouteSet:
    """Routes along track that lies on the board, one for each claim; a leg for which there is none stays empty.

    Raises :class:`LimitExceeded` where the stops of one leg are joined by more track than this program looks at, or the
    routes have more legs.
    """
    legs = sum(len(claim.stops) - 1 + sum(map(len, claim.extensions)) for claim in claimed)
    if legs > MOST_LEGS:
        message = f"the claimed routes have {legs} legs; {MOST_LEGS} are looked at"
        raise LimitExceeded(Fault("too-long-claim", message, "claimed"))
    slots = [
        _Slot(number, place, len(claim.stops) - 2, _legs(problem.position, one, other, told))
        for number, claim in enumerate(claimed)
        for place, ((one, other), told) in enumerate(zip(pairwise(claim.stops), _told(claim), strict=True))
    ]
    slots += [
        _Slot(number, 0, 0, _legs(problem.position, one, other, ()), extension)
        for number, claim in enumerate(claimed)
        for extension, stops in enumerate(claim.extensions)
        for one, other in pairwise(stops)
    ]
    choices = _Choices(problem, slots)
    cost, best = choices.cheapest([range(len(slot.legs)) for slot in slots])
    if cost == 0:
        best = _best_paying(problem, claimed, choices, best)
    return _routes(problem, claimed, slots, best)


def _told(claim: ClaimedRoute) -> tuple[tuple[HexId, ...], ...]:
    """For each leg the hexes told, empty where the track is open; the list may run from either end of the route."""
    legs = tuple(pairwise(claim.stops))
    told = (*claim.connections, *[()] * len(legs))[: len(legs)]
    if len(claim.connections) == len(legs) and not _fit(legs, told) and _fit(legs, told[::-1]):
        return told[::-1]
    return told


def _fit(legs: Sequence[tuple[StopId, StopId]], told: Sequence[tuple[HexId, ...]]) -> bool:
    """Whether every told connection that has ends begins and ends at its leg's stops."""
    return all(
        not hexes or {hexes[0], hexes[-1]} == {one.hex, other.hex}
        for (one, other), hexes in zip(legs, told, strict=True)
    )


def _legs(position: Position, one: StopId, other: StopId, told: tuple[HexId, ...]) -> tuple[Leg, ...]:
    """The chains between two stops that agree with the hexes told; one without pieces where there is none."""
    chains = tuple(islice(chains_from(position, one), MOST_CHAINS + 1))
    if len(chains) > MOST_CHAINS:
        raise LimitExceeded(Fault("too-much-track", f"more than {MOST_CHAINS} ways lead away from {one}", one))
    found = shortest_first(leg for leg in chains if leg.end == other and _agrees(leg, told))
    return found or (Leg(one, other, ()),)


def _agrees(leg: Leg, told: tuple[HexId, ...]) -> bool:
    """Whether the leg runs as told: all its hexes in either direction, or some of those between its ends."""
    if not told:
        return True
    if {told[0], told[-1]} == {leg.start.hex, leg.end.hex}:
        return told in (leg.hexes, leg.hexes[::-1])
    return set(told) <= set(leg.hexes)


@dataclass(frozen=True)
class _Slot:
    """A leg of a claimed route with the chains among which to choose: ``route`` and ``place`` of ``last`` + 1 legs.
    One of an ``extension`` of the route (None: of the route itself) may hold terminal track at its ends; the checker
    looks closer."""

    route: int
    place: int
    last: int
    legs: tuple[Leg, ...]
    extension: int | None = None

    def runs_over_terminal(self, leg: Leg) -> bool:
        """Whether a terminal piece of the chain would not lie at an end of the route."""
        last_piece = len(leg.pieces) - 1
        return any(
            piece.terminal
            and (
                number not in (0, last_piece)
                or (number == 0 and self.place > 0)
                or (number == last_piece and self.place < self.last)
            )
            for number, (_, piece) in enumerate(leg.pieces)
        )


class _Choices:
    """The choice of one chain for each leg. Its cost is the number of chains that share track with others before them
    or run over terminal track; it is 0 just where the choice is legal as far as track goes."""

    def __init__(self, problem: RouteProblem, slots: Sequence[_Slot]) -> None:
        self._problem, self.slots = problem, slots
        bits: dict[Resource, int] = {}
        self._masks: list[list[int]] = []
        for slot in slots:
            uses = [walk(problem.position, leg).uses for leg in slot.legs]
            self._masks.append([sum({1 << bits.setdefault(use, len(bits)) for use in chain}) for chain in uses])
        self._own = [[int(slot.runs_over_terminal(leg)) for leg in slot.legs] for slot in slots]

    @cached_property
    def marks(self) -> tuple[tuple[frozenset[object], ...], ...]:
        """For each chain what a bonus may pay for: the pieces and hexes on it that some bonus names; each chain by
        itself where routes may be prolonged."""
        pieces = {piece for term in self._problem.terms if isinstance(term, OnTrack) for piece in term.pieces}
        hexes = {
            hex_id
            for term in self._problem.terms
            if isinstance(term, Joint)
            for axis in term.axes
            for hex_id in axis.one | axis.other
        }
        each = may_be_prolonged(self._problem)  # any track may stand in the way of an extension
        return tuple(
            tuple(
                frozenset((pieces & set(leg.pieces)) | (hexes & set(leg.hexes)) | ({place} if each else set()))
                for place, leg in enumerate(slot.legs)
            )
            for slot in self.slots
        )

    def cheapest(self, allowed: Sequence[Sequence[int]], below: int | None = None) -> tuple[int, tuple[int, ...]]:
        """The least cost over the allowed chains of each leg, and a choice that has it; nothing chosen where no choice
        costs less than *below*. Within the bound on steps the cost is exact; a choice of cost 0 is usually found first,
        shorter chains before longer ones."""
        seen, cost, chosen = 0, 0, {}
        for slot, chains in enumerate(allowed):
            if len(chains) == 1:
                (chosen[slot],) = chains
                cost += self._price(slot, chains[0], seen)
                seen |= self._masks[slot][chains[0]]
        self._allowed, self._steps = allowed, 0
        self._best: tuple[int, tuple[int, ...]] = (2 * len(self.slots) + 1 if below is None else below, ())
        left = frozenset(slot for slot in range(len(self.slots)) if slot not in chosen)
        self._descend(seen, cost, chosen, left)
        return self._best

    def _price(self, slot: int, chain: int, seen: int) -> int:
        return self._own[slot][chain] + bool(self._masks[slot][chain] & seen)

    def _descend(self, seen: int, cost: int, chosen: dict[int, int], left: frozenset[int]) -> None:
        """Choose for the legs *left*, the one with the fewest free chains next. *seen* is the track in use."""
        self._steps += 1
        if not left:
            if cost < self._best[0]:
                self._best = cost, tuple(chosen[slot] for slot in range(len(self.slots)))
            return
        prices = {slot: [self._price(slot, chain, seen) for chain in self._allowed[slot]] for slot in left}
        if cost + sum(min(price) for price in prices.values()) >= self._best[0]:
            return
        slot = min(left, key=lambda slot: (prices[slot].count(0), len(prices[slot]), slot))
        for price, chain in sorted(zip(prices[slot], self._allowed[slot], strict=True)):
            self._descend(seen | self._masks[slot][chain], cost + price, {**chosen, slot: chain}, left - {slot})
            if self._best[0] == 0 or self._steps > MOST_STEPS or len(left) > MOST_TO_CHOOSE:
                return


def _best_paying(
    problem: RouteProblem, claimed: Sequence[ClaimedRoute], choices: _Choices, first: tuple[int, ...]
) -> tuple[int, ...]:
    """Among the legal choices of track one that pays most. Only the marks of chains matter to a bonus, so one choice
    for each combination of marks is tried, those with most marks first, up to a bound."""
    slots = choices.slots
    by_mark: list[dict[frozenset[object], list[int]]] = []
    for marks in choices.marks:
        groups: dict[frozenset[object], list[int]] = {}
        for chain, mark in enumerate(marks):
            groups.setdefault(mark, []).append(chain)
        by_mark.append(groups)
    if all(len(groups) == 1 for groups in by_mark):
        return first
    best, revenue = first, check(problem, _routes(problem, claimed, slots, first)).revenue
    richest_first = [[groups[mark] for mark in sorted(groups, key=len, reverse=True)] for groups in by_mark]
    for allowed in islice(product(*richest_first), MOST_PAYING_CHOICES):
        _, chosen = choices.cheapest(allowed, below=1)
        if chosen and (paid := check(problem, _routes(problem, claimed, slots, chosen)).revenue) > revenue:
            best, revenue = chosen, paid
    return best


def _routes(
    problem: RouteProblem, claimed: Sequence[ClaimedRoute], slots: Sequence[_Slot], chosen: Sequence[int]
) -> RouteSet:
    """The routes over the chosen chains; those whose extensions are left open are prolonged where that pays."""
    legs: list[list[Leg]] = [[] for _ in claimed]
    extensions: list[list[list[Leg]]] = [[[] for _ in claim.extensions] for claim in claimed]
    for slot, chain in zip(slots, chosen, strict=True):
        into = legs[slot.route] if slot.extension is None else extensions[slot.route][slot.extension]
        into.append(slot.legs[chain])
    routes = tuple(
        Route(claim.train, tuple(run), tuple(map(tuple, beyond)))
        for claim, run, beyond in zip(claimed, legs, extensions, strict=True)
    )
    return prolonged(problem, routes, [bool(claim.extensions) for claim in claimed])


def _missing_track(trace: Trace, leg: Leg, told: tuple[HexId, ...]) -> tuple[str, str]:
    """What is wrong with the track of a claimed leg, as code and sentence: the first hex that is not there, without
    track, that does not join, or where the track runs through a stop that the route does not name."""
    position, game_map = trace.problem.position, trace.problem.position.edition.map
    if told[0] != leg.start.hex:
        told = told[::-1]
    for hex_id in told:
        if hex_id not in position.layout_of:
            return "off-map", f"the map of {position.edition.title} has no hex {hex_id}"
        if not position.layout_of[hex_id].track:
            return "no-track", f"no track on {hex_id}"
    if (told[0], told[-1]) == (leg.start.hex, leg.end.hex):
        for one, other in pairwise(told):
            if not any(game_map.neighbour(one, side) == other for side in range(6)):
                return "no-track", f"no track crosses from {one} to {other}: they do not touch"
        ends: set[End] = {leg.start.part}
        for here, following in pairwise(told):
            before, ends = ends, set(_onwards(position, here, ends, following))
            if not ends:
                through = _stops_between(position, here, before, following)
                if through:
                    names = " or ".join(trace.city(stop) for stop in through)
                    return "unnamed-stop", f"the track runs through {names}, which the route does not name"
                return "no-track", f"no track leads on from {here} to {following}"
    return "no-track", f"no track joins {leg.start} and {leg.end} over {' '.join(told)}"


def _stops_between(position: Position, here: HexId, ends: set[End], following: HexId) -> tuple[StopId, ...]:
    """The stops of *here* through any of which track runs from *ends* to hex *following*."""
    return tuple(
        stop
        for stop in position.stops_on(here)
        if stop.part not in ends
        and any(stop.part in _within(position, here, {end}) for end in ends)
        and any(True for _ in _onwards(position, here, {stop.part}, following))
    )


def _within(position: Position, here: HexId, ends: set[End]) -> set[End]:
    """What track within *here* leads to from *ends*, through junctions."""
    reached, pending = set(ends), list(ends)
    while pending:
        end = pending.pop()
        for piece in position.layout_of[here].track:
            if end in (piece.a, piece.b) and (other := piece.other_end(end)) not in reached:
                reached.add(other)
                if isinstance(other, str) and other.startswith("j"):
                    pending.append(other)
    return reached - ends


def _onwards(position: Position, here: HexId, ends: set[End], following: HexId) -> Iterator[End]:
    """The sides of hex *following* at which track arrives that starts in *here* at one of *ends*."""
    for end in _within(position, here, ends):
        if isinstance(end, int) and position.edition.map.neighbour(here, end) == following:
            yield opposite(end)
