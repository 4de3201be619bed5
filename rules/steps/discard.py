"""Trains above the limit are given up. Source: COMMON section 11, "Train limit"."""

from __future__ import annotations

from collections.abc import Iterator

from rules.actions import Action, Actor, DiscardTrain
from rules.state import State
from rules.steps.base import NOTHING, Step


class DiscardTrains(Step):
    name = "discard_trains"
    title = "Trains above the limit"
    handles = frozenset({DiscardTrain})
    interrupts = True

    def actors(self, state: State) -> tuple[Actor, ...]:
        return tuple(state.actor(state.companies[name]) for name in state.game.crowded(state)[:1])

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        return self.handles if actor.name in state.game.crowded(state) else NOTHING

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for train in state.companies[actor.name].trains:
            if train not in state.obsolete:
                yield DiscardTrain(by=actor, train=train)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, DiscardTrain)
        company = state.companies[action.by.name]
        if action.train not in company.trains:
            raise state.violation(
                "no-such-train", f"{company.name} owns {', '.join(company.trains)}, not {action.train}"
            )
        return state.game.discard(state, company, action.train)
