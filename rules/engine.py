"""Carrying out actions: :func:`apply` gives the state after an action, or a refusal that says why and what would do."""

from __future__ import annotations

from collections.abc import Iterator

from board.errors import Fault, RuleViolation
from rules.actions import VERBS, Action, Actor, EndGame
from rules.state import State
from rules.steps.base import Step


def start(state: State) -> State:
    """The opening state brought to the first moment at which somebody is asked."""
    return _settle(state)


def apply(state: State, action: Action) -> State:
    """The state after *action* and everything that follows from it without a decision.

    Raises :class:`RuleViolation` naming the step, the rule that is broken, and what would be legal; the given state
    stays as it is.
    """
    if state.over:
        raise RuleViolation(Fault("game-over", f"the game is over ({state.over}); {action.verb} comes too late"))
    if isinstance(action, EndGame):
        return state.game.finish(state.but(notices=(), events=()), "manually_ended")
    step = _step_for(state, action)
    state = state.but(notices=(), events=(), cause=f"{action.verb} by {action.by}")
    try:
        after = step.apply(state, action)
    except RuleViolation as error:
        raise RuleViolation(
            Fault(fault.code, f"{step.title}: {fault.message}", fault.where) for fault in error.faults
        ) from None
    after = after.kind.acted(after, action)
    after = after.game.check_end(after)
    return _settle(after)


def _step_for(state: State, action: Action) -> Step:
    """The step that takes the action. Source: formats/18xx-games-json section 5."""
    for step in state.kind.steps:
        if step.key in state.round.turn.done:
            continue
        if type(action) in step.handles and step.accepts(state, action):
            return step
        if step.waits(state):
            raise _refusal(state, step, action)
    reason = _reason(state, action) or f"{state.called(action.by.name)} cannot {action.verb} now"
    raise RuleViolation(Fault("nothing-to-do", f"{reason}; no step waits"))


def _reason(state: State, action: Action) -> str:
    """Why the action is not open, where a step that handles its kind can say it."""
    for step in state.kind.steps:
        if type(action) in step.handles and (reason := step.why_not(state, action)):
            return f"{step.title}: {reason}"
    return ""


def _refusal(state: State, step: Step, action: Action) -> RuleViolation:
    """Who may do what instead, and why this cannot be done where that can be said."""
    who = " or ".join(state.called(actor.name) for actor in step.actors(state)) or "nobody"
    verbs = sorted({VERBS[kind] for actor in step.actors(state) for kind in step.open_to(state, actor)})
    reason = _reason(state, action) or f"{step.title}: {state.called(action.by.name)} cannot {action.verb} now"
    return RuleViolation(Fault("wrong-action", f"{reason}; {who} may {' or '.join(verbs) if verbs else 'do nothing'}"))


def _settle(state: State) -> State:
    """Skip steps that do not wait, end turns and rounds, until somebody is asked or the game is over."""
    while not state.over:
        state, waits = _skip(state)
        if waits or state.over:
            return state
        kind = state.kind
        state = kind.turn_over(state)
        if state.over:
            return state
        if kind.finished(state):
            state = kind.finish(state.because(f"end of the {kind.role} round"))
            state = state.game.check_end(state, round_over=True)
            if state.over:
                return state
            state = state.game.next_round(state)
            state = state.game.check_end(state)
    return state


def _skip(state: State) -> tuple[State, bool]:
    """Pass over steps in order until one waits. Source: formats/18xx-games-json section 5."""
    for step in state.kind.steps:
        if not step.blocks or step.key in state.round.turn.done:
            continue
        if step.waits(state):
            return state, True
        if not step.interrupts:
            state = step.skip(state).done(step.key)
            state = state.game.check_end(state)
            if state.over:
                return state, False
            if state.pending:
                return _skip(state)
    return state, any(step.blocks and step.interrupts and step.waits(state) for step in state.kind.steps)


def waiting_step(state: State) -> Step | None:
    """The step that waits for an action, if the steps before it are over."""
    for step in state.kind.steps:
        if not step.blocks or step.key in state.round.turn.done:
            continue
        if step.waits(state):
            return step
        if not step.interrupts:
            return None
    return None


def acting(state: State) -> tuple[Actor, ...]:
    """Who is asked now."""
    step = waiting_step(state) if not state.over else None
    return step.actors(state) if step is not None else ()


def legal_actions(state: State) -> Iterator[Action]:
    """What may be done now by whoever is to act, and the free actions that are possible beside it.

    Routes and prices between companies have too many choices to list: the steps give the least and the most.
    """
    if state.over:
        return
    for step in state.kind.steps:
        if step.key in state.round.turn.done:
            continue
        for actor in step.actors(state):
            if step.open_to(state, actor):
                yield from step.legal(state, actor)
        if step.waits(state):
            return
