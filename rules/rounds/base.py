"""Rounds: ordered steps, and how turns follow one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rules.actions import Action

if TYPE_CHECKING:
    from rules.state import State
    from rules.steps.base import Step


class RoundKind:
    """A kind of round of a title: its name, its steps in order, and the rule by which turns follow one another.

    ``role`` is opening, stock or operating, and decides which round follows.
    """

    role: str = ""

    def __init__(self, name: str, steps: Sequence[Step]) -> None:
        self.name = name
        self.steps = tuple(steps)
        for place, step in enumerate(self.steps):
            step.key = f"{place}:{step.name}"

    def begin(self, state: State, number: int) -> State:
        """The state at the start of the round, before anybody is asked."""
        raise NotImplementedError

    def acted(self, state: State, action: Action) -> State:
        """Called after a step has carried out an action."""
        return state

    def turn_over(self, state: State) -> State:
        """No step of the turn waits: the next turn begins, or the round is marked as finished."""
        raise NotImplementedError

    def finished(self, state: State) -> bool:
        raise NotImplementedError

    def finish(self, state: State) -> State:
        """What happens when the round is over, before the next begins."""
        return state
