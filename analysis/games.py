"""Recorded games with the rules of their titles: what replays, audits and batches start from."""

from __future__ import annotations

from board.errors import InputError
from board.position import Position
from records.games_18xx import RecordedGame
from records.runs import ProblemOf, scorer
from routing.problem import RouteProblem
from rules import engine
from rules.state import State
from titles.registry import get_title


def problems_of(title: str) -> ProblemOf:
    """Adds the title's route rules and bonuses to a position."""
    found = get_title(title)

    def problem(position: Position) -> RouteProblem:
        return found.problem(position)

    return problem


def opening(game: RecordedGame) -> State:
    """The state before the first action, brought to the first moment at which somebody is asked; read leniently.

    Options that are not for this number of players are ignored, as the recording site does (formats/18xx-games-json
    section 2). Raises :class:`InputError` for a title, options or a number of players that there are no rules for.
    """
    where = game.place or "game"
    try:
        title = get_title(game.title)
    except InputError as error:
        raise error.at(where) from None
    options = set(game.options)
    while True:
        try:
            rules = title.game(
                game.seats, options=options, names=game.names, seed=game.seed, scorer=scorer(problems_of(game.title))
            )
            break
        except InputError as error:
            unfit = {
                option
                for fault in error.faults
                if fault.code == "option-does-not-fit"
                for option in options
                if option in fault.message
            }
            if not unfit:
                raise error.at(where) from None
            options -= unfit
    return engine.start(rules.opening()).but(lenient=True)
