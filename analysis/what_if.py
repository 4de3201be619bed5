"""What if? The best revenue after each lay, upgrade, token and train purchase that is open to a company.

What is open, and what it costs, is for the steps of the rules engine to say; each change is carried out by its step on
a copy of the state, and the runs are solved anew on the board that results. Steps that come later in the turn are asked
as if the turn had come so far. Of a purchase from another company the least price is told.

A search is spared only where it would get the very question of one that has been answered: the same stops with the same
values and tokens, joined by the same track, under the same rules and bonuses.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Final

from board.errors import Fault, InputError, RuleViolation
from board.hexes import HexId, StopId
from board.position import Position
from records.runs import ProblemOf
from routing.explore import explore
from routing.problem import RouteProblem
from routing.solve import solve
from rules.actions import Action, BuyTrain, LayTile, PlaceToken
from rules.game import Game
from rules.state import OperatingRound, State
from rules.steps.base import Step
from rules.steps.tokens import city_of

#: Kinds of changes.
LAY, UPGRADE, TOKEN, TRAIN = "lay", "upgrade", "token", "train"
KINDS: Final = (LAY, UPGRADE, TOKEN, TRAIN)
#: Changes of one position below which no further process is started.
_WORTH_A_PROCESS: Final = 48
#: Seconds for one search.
SEARCH_SECONDS: Final = 10.0

#: The board as a company would run on it in a state.
PositionOf = Callable[[State, str], Position]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that the company may do now: the action, and the step that carries it out.

    ``cost`` is money out of the treasury (of a purchase the price). ``where`` is the hex or city; ``train`` the kind of
    train. ``by`` is the private that allows it, empty for the company itself; ``seller`` who sells a train (empty: the
    bank).
    """

    kind: str
    action: Action
    step: Step
    cost: int
    where: HexId | StopId | None = None
    train: str = ""
    by: str = ""
    seller: str = ""

    @property
    def hex(self) -> HexId | None:
        return self.where.hex if isinstance(self.where, StopId) else self.where

    @property
    def tile(self) -> tuple[str, int] | None:
        """Tile and rotation of a lay."""
        return (self.action.tile, self.action.rotation) if isinstance(self.action, LayTile) else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a change brings: the best revenue after it (money), the gain over the best before, whether the search proved
    it, and the harm to others: company to the money that its best loses."""

    change: Change
    revenue: int
    gain: int
    proven: bool
    harms: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """All outcomes, the largest gain first, the cheaper first among equals. ``before`` is the best revenue of
    ``company`` (money) on the board as it is; ``builder`` is the company whose turn it is."""

    company: str
    builder: str
    before: int
    proven: bool
    outcomes: tuple[Outcome, ...]
    seconds: float


def positions_of_state(state: State, company: str) -> Position:
    """The board of the state itself."""
    return state.position(company)


def changes_open(state: State) -> tuple[Change, ...]:
    """Every lay, upgrade, token and train purchase open to the company on turn. Raises :class:`InputError` where no
    company is on turn."""
    company = state.operator
    if company is None or not isinstance(state.round, OperatingRound):
        raise InputError(
            Fault("no-operating-turn", "no company is on turn; name an action within an operating round with --at")
        )
    found: dict[object, Change] = {}
    for step in state.kind.steps:
        if step.key in state.round.turn.done:
            continue
        for actor in step.actors(state):
            of_private = actor.kind == "private"
            if (actor.name != company.name and not of_private) or not step.open_to(state, actor):
                continue
            for action in step.legal(state, actor):
                change = _change(state, step, action, actor.name if of_private else "")
                if change is not None:
                    key = (change.kind, change.where, change.tile, change.train, change.by, change.seller)
                    if key not in found or change.cost < found[key].cost:
                        found[key] = change
    return tuple(found.values())


def _change(state: State, step: Step, action: Action, by: str) -> Change | None:
    company = state.operator
    assert company is not None
    if isinstance(action, BuyTrain):
        owner = state.owner_of_train(action.train) or ""
        face = action.face or state.face_of(action.train)
        return Change(TRAIN, action, step, action.price, None, face, by, owner)
    if not isinstance(action, (LayTile, PlaceToken)):
        return None
    try:
        after = carried_out(state, step, action)
    except RuleViolation:
        return None
    cost = company.cash - after.companies[company.name].cash
    if isinstance(action, PlaceToken):
        return Change(TOKEN, action, step, cost, city_of(state, action), "", by)
    upgrade = action.hex in state.table.laid or state.table.tile_at(action.hex).colour != "white"
    return Change(UPGRADE if upgrade else LAY, action, step, cost, action.hex, "", by)


def carried_out(state: State, step: Step, action: Action) -> State:
    """The state right after the action, before anything else of the turn. Raises :class:`RuleViolation` where it is
    refused."""
    return step.apply(state.but(notices=(), events=(), cause=f"{action.verb} by {action.by}"), action)


def what_if(
    state: State,
    problem_of: ProblemOf,
    *,
    company: str | None = None,
    changes: Sequence[Change] | None = None,
    position_of: PositionOf = positions_of_state,
    harms: bool = True,
    jobs: int | None = None,
) -> WhatIf:
    """The outcomes of *changes* (all that are open unless told) for *company* (the one on turn unless told).

    With *harms* also what other companies with trains lose. *jobs* is the number of processes (those of the machine, at
    most 2, unless told). Raises :class:`InputError` where no company is on turn or there is no such company.
    """
    start = time.perf_counter()
    state = state.but(lenient=False)
    if changes is None:
        changes = changes_open(state)
    builder = state.operator
    assert builder is not None
    name = builder.name if company is None else company
    if name not in state.companies:
        known = ", ".join(one for one in state.companies if state.companies[one].trains)
        raise InputError(Fault("unknown-company", f"there is no company {name!r}; with trains there are {known}"))
    work = _Work(state, problem_of, position_of, name, harms)
    outcomes = _all(work, changes, min(2, os.cpu_count() or 1) if jobs is None else jobs)
    outcomes.sort(key=lambda one: (-one.gain, one.change.cost, KINDS.index(one.change.kind), _order(one.change)))
    revenue, proven = work.before[name]
    return WhatIf(name, builder.name, revenue, proven, tuple(outcomes), time.perf_counter() - start)


def _order(change: Change) -> tuple[object, ...]:
    hex_id = change.hex
    place = hex_id.sort_key if hex_id is not None else ()
    return (str(place), str(change.where), change.tile or ("", 0), change.train, change.seller)


class _Work:
    """One position's question, from which each outcome is worked out by itself."""

    def __init__(self, state: State, problem_of: ProblemOf, position_of: PositionOf, company: str, harms: bool) -> None:
        self.state, self._problem_of, self._position_of, self.company = state, problem_of, position_of, company
        others = [
            name for name, one in state.companies.items() if harms and name != company and one.trains and not one.closed
        ]
        self._first: dict[str, Position] = {}
        self._asked: dict[str, RouteProblem] = {}
        self._known: dict[tuple[object, ...], tuple[int, bool]] = {}
        self.before = {name: self._best(state, name) for name in (company, *others)}

    def _best(self, state: State, name: str) -> tuple[int, bool]:
        """Revenue (money) and whether it is proven."""
        problem = self._problem_of(self._position(state, name))
        first = self._asked.setdefault(name, problem)
        if problem.rules != first.rules or problem.bonuses != first.bonuses:
            result = solve(problem, time_limit=SEARCH_SECONDS)
            return result.revenue, result.proven
        key = (name, *_question(problem))
        if key not in self._known:
            result = solve(problem, time_limit=SEARCH_SECONDS)
            self._known[key] = result.revenue, result.proven
        return self._known[key]

    def _position(self, state: State, name: str) -> Position:
        """The board of a changed state. One that differs in tiles and tokens alone needs no second look at the rest."""
        first, start = self._first.get(name), self.state
        if first is None:
            first = self._first[name] = self._position_of(state, name)
            return first
        same = (
            type(state.game).position is Game.position
            and self._position_of is positions_of_state
            and state.privates is start.privates
            and state.phase_name == start.phase_name
            and state.companies[name].trains == start.companies[name].trains
        )
        if not same:
            return self._position_of(state, name)
        tiles, tokens = state.table.placements(), state.table.tokens
        return replace(first, tiles=tiles, tokens=tokens, markers=state.game.markers(state, name))

    def outcome(self, change: Change) -> Outcome | None:
        """None where the engine refuses the change after all."""
        try:
            after = carried_out(self.state, change.step, change.action)
        except RuleViolation:
            return None
        revenue, proven = self._after(change, after, self.company)
        harms = {}
        for name, (before, _) in self.before.items():
            if name != self.company and _may_harm(self.state, change):
                lost = before - self._after(change, after, name)[0]
                if lost > 0:
                    harms[name] = lost
        gain = revenue - self.before[self.company][0]
        return Outcome(change, revenue, gain, proven, harms)

    def _after(self, change: Change, after: State, name: str) -> tuple[int, bool]:
        if not self._may_matter(change, after, name):
            return self.before[name]
        return self._best(after, name)

    def _may_matter(self, change: Change, after: State, name: str) -> bool:
        """Whether the change can alter what the company earns: it lies within its reach, or trains or phase change."""
        company, then = self.state.companies[name], after.companies[name]
        if change.kind == TRAIN or after.phase_name != self.state.phase_name or company.trains != then.trains:
            return True
        if name == self.state.round.current:
            return True
        reach = self.state.game.reach(self.state, name)
        if isinstance(change.where, StopId):
            return change.where in reach.stops
        return change.where is not None and reach.comes_to(change.where)


def _question(problem: RouteProblem) -> tuple[object, ...]:
    """All that a search looks at beside rules and bonuses; equal questions have equal answers."""
    position, network = problem.position, explore(problem)
    stops = tuple(
        (stop, position.stops[stop], position.value(stop), position.ends_route(stop), stop in problem.token_stops)
        for stop in sorted(network.stops)
    )
    return position.trains, position.phase.name, stops, frozenset(network.links)


def _may_harm(state: State, change: Change) -> bool:
    """Whether others can lose by the change. New track and upgrades of plain track leave all routes as they were, for
    upgrades keep the old track (COMMON section 7, point 3); cities may be joined or change their value."""
    if change.kind == LAY:
        return False
    return (
        change.kind != UPGRADE
        or change.hex is None
        or any(part.kind is not None for part in state.table.tile_at(change.hex).parts)
    )


#: What the processes of a pool work on; they are forked with it, for a state does not travel.
_shared: list[tuple[_Work, Sequence[Change]]] = []


def _one(place: int) -> tuple[int, int, bool, Mapping[str, int]] | None:
    work, changes = _shared[-1]
    outcome = work.outcome(changes[place])
    return None if outcome is None else (outcome.revenue, outcome.gain, outcome.proven, outcome.harms)


def _all(work: _Work, changes: Sequence[Change], jobs: int) -> list[Outcome]:
    if jobs < 2 or len(changes) < _WORTH_A_PROCESS or "fork" not in multiprocessing.get_all_start_methods():
        found = (work.outcome(change) for change in changes)
        return [outcome for outcome in found if outcome is not None]
    _shared.append((work, changes))
    try:
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
            answers = list(pool.map(_one, range(len(changes)), chunksize=max(1, len(changes) // (8 * jobs))))
    finally:
        _shared.pop()
    return [Outcome(change, *answer) for change, answer in zip(changes, answers, strict=True) if answer is not None]


def chosen(changes: Sequence[Change], names: Sequence[str]) -> tuple[Change, ...]:
    """The changes that any of *names* names: a kind, a hex, a city, a tile (``57``, ``57/2`` with its rotation), or a
    train. Raises :class:`InputError` for a name that names none, but for a kind of which nothing is open."""
    unknown = [name for name in names if name not in KINDS and not any(_is_named(change, name) for change in changes)]
    if unknown:
        kinds = ", ".join(KINDS)
        raise InputError(
            Fault("nothing-open", f"nothing open now is {name!r}; name a kind ({kinds}), a hex, a tile or a train")
            for name in unknown
        )
    return tuple(change for change in changes if not names or any(_is_named(change, name) for name in names))


def _is_named(change: Change, name: str) -> bool:
    tile = change.tile
    names = {change.kind, str(change.hex), str(change.where), change.train, change.by}
    if tile is not None:
        names |= {tile[0], f"{tile[0]}/{tile[1]}", f"{change.hex}:{tile[0]}", f"{change.hex}:{tile[0]}/{tile[1]}"}
    return name.casefold() in {one.casefold() for one in names if one and one != "None"}
