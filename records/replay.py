"""Plays a recorded game by the rules, entry by entry, and says what differs from what was recorded.

What the rules refuse ends the replay with the action's id, who, what, why and what would be legal. Revenue is worked
out again and compared; the game goes on with the stored one, so that the rest stays valid.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import islice
from typing import Final

from board.errors import Fault, InputError, RuleViolation
from records.games_18xx import RecordedAction, RecordedGame
from records.runs import ProblemOf, RunCheck, check_run
from rules import engine
from rules.actions import Action, Par, RunRoutes
from rules.state import Event, State
from rules.wording import describe

#: Legal actions that a refusal lists, and those that are looked at to find the nearest ones.
_SHOWN: Final = 6
_LOOKED_AT: Final = 2_000


@dataclass(frozen=True)
class Carried:
    """A recorded entry that has been carried out, with its automatic actions.

    ``events`` say why prices moved and how an emergency was met; ``notices`` are faults that a record may have;
    ``runs`` hold each run beside what the rules give.
    """

    entry: RecordedAction
    before: State
    after: State
    events: tuple[Event, ...] = ()
    notices: tuple[Fault, ...] = ()
    runs: tuple[RunCheck, ...] = ()


def replay(game: RecordedGame, opening: State, problem_of: ProblemOf | None = None) -> Iterator[Carried]:
    """Every kept entry of the game in order, carried out from *opening*; entries without effect are passed over.

    *problem_of* adds a title's route rules to a position; without it revenue is not worked out again. Raises
    :class:`RuleViolation` for what is against the rules, :class:`InputError` for an entry that cannot be read: the
    entries before it have been given, and their states stand.
    """
    state, last = opening, ""
    for entry in game.actions:
        if entry.faults:
            raise InputError(
                Fault(fault.code, f"{fault.message}{_usable(last)}", fault.where).at(game.place or "game")
                for fault in entry.faults
            )
        if not entry.actions:
            continue
        before = state
        events: list[Event] = []
        notices: list[Fault] = []
        runs: list[RunCheck] = []
        for action in entry.actions:
            if problem_of is not None and isinstance(action, RunRoutes) and action.by.name in state.companies:
                runs.append(check_run(state, action, problem_of))
            try:
                _check_told(state, action)
                state = engine.apply(state, action)
            except RuleViolation as error:
                raise _explained(state, action, entry, error, last).at(game.place or "game") from None
            events += state.events
            notices += state.notices
        last = entry.place.removeprefix("action ") if entry.id is not None else ""
        yield Carried(entry, before, state, tuple(events), tuple(notices), tuple(runs))


def _check_told(state: State, action: Action) -> None:
    """Refuses what contradicts itself: a par price that is not that of its cell."""
    if isinstance(action, Par) and action.price is not None:
        printed = state.facts.market.at(action.cell)
        if printed is None or printed.price != action.price:
            says = "there is no such cell" if printed is None else f"that cell says {printed.price}"
            row, column = action.cell
            raise state.violation("wrong-par", f"the par price is {action.price} in row {row}, column {column}; {says}")


def _explained(state: State, action: Action, entry: RecordedAction, error: RuleViolation, last: str) -> RuleViolation:
    """The refusal with who, what and what would be legal here, and how far the game can still be used."""
    who, what = state.called(action.by.name), f"{action.verb} ({describe(state, action)})"
    known = {"player": state.players, "private": state.privates}.get(action.by.kind, state.companies)
    faults = error.faults
    if action.by.name not in known and not state.over:
        faults = (Fault("unknown-entity", f"there is no {action.by.kind} {action.by.name} in this game"),)
    legal = _nearest(state, action)
    hint = f"; legal here: {legal}" if legal else ""
    return RuleViolation(
        Fault(
            fault.code,
            f"{who} {what}: {fault.message}{hint + _usable(last) if fault is faults[-1] else ''}",
            entry.place,
        )
        for fault in faults
    )


def _usable(last: str) -> str:
    return f"; the game can be used up to the action before: --to {last}" if last else ""


def _nearest(state: State, action: Action) -> str:
    """The legal actions of the same kind and actor, those most like *action* first, in words."""
    same = [
        one
        for one in islice(engine.legal_actions(state), _LOOKED_AT)
        if type(one) is type(action) and one.by == action.by
    ]
    names = [one.name for one in fields(action) if one.name not in ("by", "id")]
    same.sort(key=lambda one: -sum(getattr(one, name) == getattr(action, name) for name in names))
    texts = [describe(state, one) for one in same[:_SHOWN]]
    if len(same) > _SHOWN:
        texts.append(f"and {len(same) - _SHOWN} more")
    return ", ".join(texts)


@dataclass(frozen=True)
class Difference:
    """Something in which a replay is not what was recorded: ``kind`` is revenue, notice, score, end or
    incomplete."""

    kind: str
    message: str
    action: int | None = None

    def __str__(self) -> str:
        return f"action {self.action}: {self.message}" if self.action is not None else self.message


def differences_of(carried: Carried) -> Iterator[Difference]:
    """What differs in one entry."""
    for run in carried.runs:
        if run.differs:
            yield Difference("revenue", str(run), carried.entry.id)
    for notice in carried.notices:
        yield Difference("notice", f"against the rules, and played on: {notice}", carried.entry.id)


def differences_at_end(game: RecordedGame, state: State) -> Iterator[Difference]:
    """How scores and end differ, as far as the record tells them.

    Where it tells an end that its actions do not come to, it is not complete; scores are then not compared.
    """
    if not state.over and (game.end_reason or (game.finished and game.result)):
        reason = f" by {game.end_reason}" if game.end_reason else ""
        last = next((entry.id for entry in reversed(game.actions) if entry.id is not None), None)
        after = f"after action {last}, the last one," if last is not None else "without an action"
        result = ", ".join(f"{game.names.get(player, player)} {score}" for player, score in game.result.items())
        told = f"; the result that is told ({result}) is not compared" if result else ""
        yield Difference(
            "incomplete", f"the record is not complete: it tells of an end{reason}, and {after} the game goes on{told}"
        )
        return
    scores = state.game.scores(state)
    for player, recorded in game.result.items():
        if scores.get(player) != recorded:
            name = game.names.get(player, player)
            yield Difference("score", f"{name} has {scores.get(player)} at the end; recorded are {recorded}")
    if game.end_reason and state.over != game.end_reason:
        ended = f"ended by {state.over}" if state.over else "has not ended"
        yield Difference("end", f"the game {ended}; recorded is {game.end_reason}")
