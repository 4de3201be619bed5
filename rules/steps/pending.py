"""Decisions that are pending and interrupt whatever else goes on."""

from __future__ import annotations

from typing import ClassVar

from rules.actions import Action, Actor
from rules.state import Pending, State
from rules.steps.base import NOTHING, Step


class PendingStep(Step):
    """Asks for a pending decision as soon as there is one. ``awaits``: its kind, as in :class:`rules.state.Pending`."""

    interrupts = True
    awaits: ClassVar[str] = ""

    def pending(self, state: State) -> Pending | None:
        """The decision that is asked for now."""
        return next((one for one in state.pending if one.kind == self.awaits), None)

    def actors(self, state: State) -> tuple[Actor, ...]:
        pending = self.pending(state)
        return (pending.who,) if pending is not None else ()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        pending = self.pending(state)
        return self.handles if pending is not None and actor == pending.who else NOTHING

    def without(self, state: State, pending: Pending) -> State:
        """The state once the decision is made."""
        return state.but(pending=tuple(one for one in state.pending if one is not pending))
