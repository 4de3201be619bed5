"""All problems of a route set: one small function a rule, in rule order.

Works on the raw tiles, the map and the position alone: it finds for itself which pieces meet, which hexsides they cross
and which cities are full, and shares nothing with the search. Source: COMMON sections 8 and 9; 1833NE section 9 for
extensions. The codes are listed in ``docs/faults.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from board.errors import Fault
from board.hexes import HexId, StopId, opposite
from board.position import BLOCK, Position
from board.routes import Leg, Route
from board.tiles import End
from board.trains import StopKind
from bonuses.base import Bonus, Run
from routing.problem import RouteProblem
from routing.scoring import range_of, visited_in_words, within_range

Resource = tuple[HexId, End, HexId, End]
"""What track uses up: a hexside (hex and side, from both hexes), a junction (hex and part, twice), or a piece of track
between two stops of one hex (hex and part of both ends)."""


@dataclass(frozen=True)
class Walk:
    """A leg followed piece by piece: the resources that it uses, in travel order, and what is wrong with its track.

    ``breaks`` are pairs of a fault code and a sentence.
    """

    leg: Leg
    label: str
    uses: tuple[Resource, ...]
    breaks: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Trace:
    """A route followed over the board: what the rules ask about it, found out once."""

    problem: RouteProblem
    route: Route
    number: int

    @cached_property
    def place(self) -> str:
        return f"route {self.number + 1} ({self.route.train})"

    @cached_property
    def stops(self) -> tuple[StopId, ...]:
        return self.route.stops

    @cached_property
    def known_stops(self) -> tuple[StopId, ...]:
        return tuple(stop for stop in self.stops if stop in self.problem.position.stops)

    @cached_property
    def ends(self) -> tuple[StopId, ...]:
        return (self.stops[0], self.stops[-1]) if self.stops else ()

    @cached_property
    def legs(self) -> tuple[Walk, ...]:
        return tuple(
            walk(self.problem.position, leg, f"leg {place} ({leg.start.hex}-{leg.end.hex})")
            for place, leg in enumerate(self.route.legs, 1)
        )

    @cached_property
    def extensions(self) -> tuple[tuple[Walk, ...], ...]:
        return tuple(
            tuple(
                walk(self.problem.position, leg, f"extension {number}, leg {place} ({leg.start.hex}-{leg.end.hex})")
                for place, leg in enumerate(legs, 1)
            )
            for number, legs in enumerate(self.route.extensions, 1)
        )

    @cached_property
    def walks(self) -> tuple[Walk, ...]:
        """Legs of the route, then of its extensions."""
        return (*self.legs, *(step for extension in self.extensions for step in extension))

    @cached_property
    def visits(self) -> Counter[StopKind]:
        kinds = (self.problem.position.stops[stop].kind for stop in self.known_stops)
        return Counter(kind for kind in kinds if kind is not None)

    def fault(self, code: str, message: str, part: str = "") -> Fault:
        return Fault(code, message, f"{self.place}, {part}" if part else self.place)

    def name(self, place: HexId | StopId) -> str:
        return self.problem.position.edition.map.name_of(place)

    def city(self, stop: StopId) -> str:
        """The stop's hex with its name; with the part where the hex has several stops."""
        tile = self.problem.position.layout_of.get(stop.hex)
        several = tile is not None and sum(part.kind is not None for part in tile.parts) > 1
        return f"{self.name(stop)} {stop.part}" if several else self.name(stop)


def walk(position: Position, leg: Leg, label: str = "") -> Walk:
    """Follow the pieces of *leg* from its start to its end."""
    uses: list[Resource] = []
    breaks: list[tuple[str, str]] = []
    at: tuple[HexId, End] | None = (leg.start.hex, leg.start.part)  # where the next piece begins; None after a break
    if not leg.pieces:
        breaks.append(("no-track", f"no track joins {leg.start} and {leg.end}"))
        at = None
    for place, (hex_id, piece) in enumerate(leg.pieces):
        tile = position.layout_of.get(hex_id)
        if tile is None:  # off the map, which its own rule tells
            at = None
            continue
        if not tile.track:
            breaks.append(("no-track", f"no track on {hex_id}"))
        elif piece not in tile.track:
            breaks.append(("no-track", f"{hex_id} has no track {piece}"))
        if at is not None and at not in ((hex_id, piece.a), (hex_id, piece.b)):
            breaks.append(("no-track", f"the track {piece} of {hex_id} does not join what comes before it"))
            at = None
        end = piece.other_end(at[1] if at is not None else piece.a)
        at = (hex_id, end)
        if _is_stop(piece.a) and _is_stop(piece.b):
            uses.append((hex_id, piece.a, hex_id, piece.b))
        if place == len(leg.pieces) - 1:
            break
        if isinstance(end, int):
            beyond = position.edition.map.neighbour(hex_id, end)
            if beyond is None:
                breaks.append(("no-track", f"no track crosses side {end} of {hex_id}"))
                at = None
                continue
            at = (beyond, opposite(end))
            uses.append((hex_id, end, *at) if hex_id < beyond else (*at, hex_id, end))
        elif _is_stop(end):
            breaks.append(("unnamed-stop", f"the track runs through {hex_id}.{end}, which the route does not name"))
        else:
            uses.append((hex_id, end, hex_id, end))
    if at is not None and at != (leg.end.hex, leg.end.part):
        breaks.append(("no-track", f"the track from {leg.start} does not lead to {leg.end}"))
    return Walk(leg, label, tuple(uses), tuple(breaks))


def _is_stop(end: End) -> bool:
    return isinstance(end, str) and not end.startswith("j")


# Each rule takes a route and yields its faults.


def train_not_owned(trace: Trace) -> Iterator[Fault]:
    """A company runs the trains that it owns (or leases)."""
    position = trace.problem.position
    if trace.route.train not in position.trains:
        has = f"its trains are {', '.join(position.trains)}" if position.trains else "it has no train"
        yield trace.fault("train-not-owned", f"{position.operator} has no train {trace.route.train}; {has}")


def off_map(trace: Trace) -> Iterator[Fault]:
    """A route lies on the map."""
    hexes = [piece.hex for step in trace.walks for piece in step.leg.pieces]
    ends = [stop.hex for step in trace.walks for stop in (step.leg.start, step.leg.end)]
    position = trace.problem.position
    for hex_id in dict.fromkeys((*hexes, *ends)):
        if hex_id not in position.layout_of:
            yield trace.fault("off-map", f"the map of {position.edition.title} has no hex {hex_id}")


def no_such_stop(trace: Trace) -> Iterator[Fault]:
    """The stops of a route are parts of the tiles that lie on the board."""
    position = trace.problem.position
    named = (stop for step in trace.walks for stop in (step.leg.start, step.leg.end))
    for stop in dict.fromkeys(named):
        tile = position.layout_of.get(stop.hex)
        if tile is not None and stop not in position.stops:
            has = ", ".join(f"{stop.hex}.{part.id}" for part in tile.parts if part.kind is not None) or "none"
            yield trace.fault("no-such-stop", f"there is no stop {stop}; the stops of {stop.hex} are: {has}")


def no_track(trace: Trace) -> Iterator[Fault]:
    """A route is a chain of track pieces that lie on the board and meet."""
    for step in trace.walks:
        for code, message in step.breaks:
            yield trace.fault(code, message, step.label)
    for chain in (trace.legs, *trace.extensions):
        for before, after in pairwise(chain):
            if before.leg.end != after.leg.start:
                yield trace.fault(
                    "no-track", f"it starts at {after.leg.start}, the leg before ends at {before.leg.end}", after.label
                )


def too_few_stops(trace: Trace) -> Iterator[Fault]:
    """Check 1: a route visits at least two stops."""
    if len(set(trace.stops)) < 2:
        yield trace.fault("too-few-stops", "a route visits at least two stops")


def no_own_token(trace: Trace) -> Iterator[Fault]:
    """Check 2: a route visits a city with an own token, or what counts as one."""
    problem = trace.problem
    if problem.rules.token_required and trace.stops and problem.token_stops.isdisjoint(trace.stops):
        has = ", ".join(trace.city(stop) for stop in sorted(problem.token_stops, key=lambda stop: stop.sort_key))
        yield trace.fault(
            "no-own-token",
            f"no stop of the route holds a token of {problem.position.operator}; "
            + (f"it has tokens in {has}" if has else "it has no token on the map"),
        )


def group_twice(trace: Trace) -> Iterator[Fault]:
    """Check 3: of the stops that share a group name a route visits one."""
    members: dict[str, list[StopId]] = {}
    for stop in dict.fromkeys(trace.known_stops):
        for group in trace.problem.groups(stop):
            members.setdefault(group, []).append(stop)
    for group, stops in members.items():
        if len(stops) > 1:
            places = " and ".join(trace.city(stop) for stop in stops)
            yield trace.fault("group-twice", f"a route may visit {group} once; this one visits {places}")


def runs_through_terminal(trace: Trace) -> Iterator[Fault]:
    """Check 4: terminal track only at the ends of a route."""
    told: set[HexId] = set()
    for place, hex_id in _terminals_inside(trace.route.legs):
        if hex_id not in told:
            told.add(hex_id)
            yield trace.fault(
                "runs-through-terminal",
                f"track ends in {trace.name(hex_id)}: a route may end there, not pass through",
                trace.legs[place].label,
            )


def _terminals_inside(legs: Sequence[Leg]) -> Iterator[tuple[int, HexId]]:
    """The terminal pieces that do not lie at an end of the chain of *legs*: the place of the leg, and the hex."""
    for place, leg in enumerate(legs):
        for number, (hex_id, piece) in enumerate(leg.pieces):
            at_start, at_end = number == 0, number == len(leg.pieces) - 1
            inside = not (at_start or at_end) or (at_start and place > 0) or (at_end and place < len(legs) - 1)
            if piece.terminal and inside:
                yield place, hex_id


def closed_stop(trace: Trace) -> Iterator[Fault]:
    """Check 5, stops that the title closes to the operator (1894 London, 1828 coalfields): not even to be touched."""
    closed = trace.problem.rules.closed
    if closed:
        touched = (stop for step in trace.walks for stop in (step.leg.start, step.leg.end))
        for stop in dict.fromkeys(touched):
            if stop in closed:
                named = trace.name(stop) in closed[stop]
                yield trace.fault("closed-stop", closed[stop] if named else f"{trace.name(stop)}: {closed[stop]}")


def must_visit(trace: Trace) -> Iterator[Fault]:
    """Check 5, stops of which the title asks every route to visit one (1828 Cobourg & Peterborough)."""
    for condition in trace.problem.rules.must_visit:
        if condition.stops.isdisjoint(trace.stops):
            yield trace.fault("must-visit", condition.reason)


def stop_twice(trace: Trace) -> Iterator[Fault]:
    """Check 6: no stop twice, neither on the route nor by its extensions; two cities of one hex are two stops."""
    for stop, times in Counter(trace.stops).items():
        if times > 1:
            yield trace.fault("stop-twice", f"{trace.city(stop)} is visited {_times(times)}")
    for extension in trace.extensions:
        for stop, times in Counter(step.leg.end for step in extension).items():
            if stop in trace.stops or times > 1:
                yield trace.fault(
                    "stop-twice",
                    f"the extension comes to {trace.city(stop)}, which was visited before",
                    extension[0].label,
                )


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def too_long(trace: Trace) -> Iterator[Fault]:
    """Check 7: the range of the train."""
    train = trace.problem.position.edition.trains.get(trace.route.train)
    if train is not None and not within_range(train, trace.visits):
        yield trace.fault(
            "too-long",
            f"a {train.name} may visit {range_of(train)}; this route visits {visited_in_words(trace.visits)}",
        )


def track_twice(trace: Trace) -> Iterator[Fault]:
    """Check 8 within one route and its extensions: no hexside, junction or inner piece of track twice."""
    for (first, second), resources in _clashes((trace,)).items():
        both = f"{first.label} and {second.label}" if first.label != second.label else f"{first.label} itself"
        yield trace.fault("track-twice", f"{_names(resources)} used twice: by {both}", second.label)


def _clashes(traces: Sequence[Trace]) -> dict[tuple[_Use, _Use], list[Resource]]:
    """What is used twice, by the first leg that uses it and each later one."""
    first: dict[Resource, _Use] = {}
    clashes: dict[tuple[_Use, _Use], list[Resource]] = {}
    for trace in traces:
        for step in trace.walks:
            use = _Use(trace.number, trace.place, step.label)
            for resource in step.uses:
                if resource in first:
                    clashes.setdefault((first[resource], use), []).append(resource)
                else:
                    first[resource] = use
    return clashes


class _Use(NamedTuple):
    number: int
    place: str
    label: str


def _names(resources: Sequence[Resource]) -> str:
    """``the hexside between F15 and G16 is``, ``the hexsides between F15 and G16, between G16 and H17 are``."""
    hexsides = [f"between {one} and {other}" for one, end, other, _ in resources if isinstance(end, int)]
    inner = [
        f"the junction in {hex_id}" if end == other else f"the track {end}-{other} in {hex_id}"
        for hex_id, end, _, other in resources
        if isinstance(end, str)
    ]
    named = [*([f"the hexside{'s' * (len(hexsides) > 1)} {', '.join(hexsides)}"] if hexsides else []), *inner]
    return f"{', '.join(named)} {'is' if len(resources) == 1 else 'are'}"


def runs_through(trace: Trace) -> Iterator[Fault]:
    """Check 9: between its ends a route passes no off-board area and no city full of others' tokens."""
    for stop in dict.fromkeys(trace.stops[1:-1]):
        if is_end_off_board(trace.problem.position, stop):
            yield trace.fault(
                "runs-through-off-board",
                f"{trace.city(stop)} is off the board: a route may end there, not pass through",
            )
        elif companies := blocking_companies(trace.problem.position, stop):
            yield trace.fault(
                "runs-through-blocked",
                f"{trace.city(stop)} is full of other companies' tokens ({', '.join(companies)}): "
                "a route may end there, not pass through",
            )


def is_end_off_board(position: Position, stop: StopId) -> bool:
    part = position.stops.get(stop)
    return part is not None and part.kind is StopKind.OFF_BOARD and not part.through


def blocking_companies(position: Position, stop: StopId) -> tuple[str, ...]:
    """The companies whose tokens fill every slot of the city and keep the operator from passing; empty where it may.

    Source: COMMON section 8. A city without slots takes no tokens and blocks nobody.
    """
    part = position.stops.get(stop)
    if part is None or part.kind is not StopKind.CITY or part.slots == 0:
        return ()
    tokens = [token for token in position.tokens.get(stop.hex, {}).get(stop.part, ()) if token is not None]
    if len(tokens) < part.slots or position.operator in tokens:
        return ()
    return tuple("a blocking token" if token == BLOCK else token for token in tokens)


def extension_start(trace: Trace) -> Iterator[Fault]:
    """An extension prolongs the route from one of its ends, one extension from each; it does not run through an
    off-board area or over terminal track. Full cities do not stop it. Source: 1833NE section 9."""
    position = trace.problem.position
    starts: list[StopId] = []
    for extension in trace.extensions:
        if not extension:
            yield trace.fault("extension-start", "an extension without track")
            continue
        start, label = extension[0].leg.start, extension[0].label
        if start not in trace.ends:
            yield trace.fault("extension-start", f"an extension starts at an end of the route, not at {start}", label)
        elif start in starts:
            yield trace.fault("extension-start", f"two extensions start at {trace.city(start)}", label)
        starts.append(start)
        for stop in (start, *(step.leg.end for step in extension[:-1])):
            if is_end_off_board(position, stop):
                yield trace.fault(
                    "runs-through-off-board",
                    f"{trace.city(stop)} is off the board: an extension may end there only",
                    label,
                )
        if start in trace.ends:
            before = trace.route.legs[-1] if start == trace.ends[-1] else trace.route.legs[0].reversed()
            for place, hex_id in _terminals_inside((before, *(step.leg for step in extension))):
                if place or hex_id == start.hex:
                    yield trace.fault(
                        "runs-through-terminal",
                        f"track ends in {trace.name(hex_id)}: an extension may end there, not pass through",
                        label,
                    )


#: The rules of one route in the order of COMMON section 9; existence first, extensions last.
RULES: Final = (
    train_not_owned,
    off_map,
    no_such_stop,
    no_track,
    too_few_stops,
    no_own_token,
    group_twice,
    runs_through_terminal,
    closed_stop,
    must_visit,
    stop_twice,
    too_long,
    track_twice,
    runs_through,
    extension_start,
)


def route_faults(trace: Trace) -> tuple[Fault, ...]:
    """Everything that is wrong with one route by itself."""
    return tuple(fault for rule in RULES for fault in rule(trace))


def set_faults(problem: RouteProblem, traces: Sequence[Trace]) -> tuple[Fault, ...]:
    """Everything that is wrong with the routes together."""
    return (*may_not_run(problem, traces), *train_twice(problem, traces), *track_of_two_routes(traces))


def may_not_run(problem: RouteProblem, traces: Sequence[Trace]) -> Iterator[Fault]:
    """Check 5: a title may keep the operator from running this turn."""
    if problem.rules.no_run and traces:
        yield Fault("may-not-run", problem.rules.no_run, problem.position.operator)


def train_twice(problem: RouteProblem, traces: Sequence[Trace]) -> Iterator[Fault]:
    """Each train runs one route."""
    owned = Counter(problem.position.trains)
    for train, number in Counter(trace.route.train for trace in traces).items():
        if number > owned[train] > 0:
            yield Fault(
                "train-twice",
                f"{number} routes are run by a {train}; {problem.position.operator} has {owned[train]}",
                _routes(trace.number for trace in traces if trace.route.train == train),
            )


def track_of_two_routes(traces: Sequence[Trace]) -> Iterator[Fault]:
    """Check 8 over all routes that the operator runs this turn, extensions included."""
    for (first, second), resources in _clashes(traces).items():
        if first.number != second.number:
            yield Fault(
                "track-twice",
                f"{_names(resources)} used twice: "
                f"by {first.place}, {first.label} and by {second.place}, {second.label}",
                _routes((first.number, second.number)),
            )


def _routes(numbers: Iterable[int]) -> str:
    """``routes 1 and 3``."""
    return "routes " + " and ".join(str(number + 1) for number in numbers)


def extension_without_bonus(problem: RouteProblem, runs: Sequence[Run], place: int, trace: Trace) -> Iterator[Fault]:
    """An extension leads to the partner of a place that the route visits, so that it earns an interconnection bonus.

    Asked of the bonuses themselves: each extension has to add to what they pay.
    """
    route = trace.route
    before = 0
    for number in range(len(route.extensions) + 1):
        shorter = Route(route.train, route.legs, route.extensions[:number])
        run = runs[place]
        tried = [*runs]
        tried[place] = Run(run.train, shorter, run.values, run.counted)
        earned = total(problem.bonuses, tried)
        if number and earned <= before:
            last = route.extensions[number - 1]
            end = trace.city(last[-1].end) if last else "nowhere"
            yield trace.fault(
                "extension-without-bonus",
                f"the extension leads to {end}, which is no partner of a place on the route",
                f"extension {number}",
            )
        before = earned


def total(bonuses: Iterable[Bonus], runs: Sequence[Run]) -> int:
    """What the bonuses pay together. Money."""
    return sum(item.amount for bonus in bonuses for item in bonus.items(runs))
