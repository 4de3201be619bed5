"""Positions of a recorded game: at a run, or of the company that is on turn after an action."""

from __future__ import annotations

from dataclasses import replace

from board.errors import Fault, InputError
from records.games_18xx import RecordedGame
from records.positions import PositionRecord
from records.replay import Carried
from records.runs import ProblemOf, RunCheck, check_run
from routing.checker import credited
from rules.actions import RunRoutes
from rules.state import State


def position_at(game: RecordedGame, carried: Carried, problem_of: ProblemOf) -> PositionRecord:
    """The position of the run that an entry is, with what was run, or else of the company on turn after it.

    Raises :class:`InputError` where no company is on turn there.
    """
    for action in carried.entry.actions:
        if isinstance(action, RunRoutes):
            return position_of_run(game, carried, check_run(carried.before, action, problem_of))
    return position_after(game, carried.after, carried.entry.id)


def position_after(game: RecordedGame, state: State, action: int | None) -> PositionRecord:
    """The position of the company that is on turn. Raises :class:`InputError` where none is."""
    company = state.operator
    if company is None:
        message = "no company is on turn there; name an action of an operating round"
        raise InputError(Fault("no-operator", message, f"{game.place}: --to" if game.place else ""))
    return PositionRecord(replace(state.position(company.name), game=game.id, action=action))


def position_of_run(game: RecordedGame, carried: Carried, check: RunCheck) -> PositionRecord:
    """The position of a run with what was run, as the rules value it where they allow it."""
    position = replace(check.position, game=game.id, action=carried.entry.id)
    claimed, total = check.claimed, check.stored
    if check.verdict is not None and check.verdict.legal:
        paid = credited(check.verdict)
        claimed = tuple(replace(claim, revenue=amount) for claim, amount in zip(claimed, paid, strict=True))
        total = check.verdict.revenue
    notes: tuple[str, ...] = ()
    for action in carried.entry.actions:
        if isinstance(action, RunRoutes) and action.by.name == check.company:
            notes = tuple(route.note for route in action.routes)
    return PositionRecord(position, claimed, notes if len(notes) == len(claimed) else (), total)
