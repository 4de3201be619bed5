"""Operating rounds. Source: COMMON sections 5 and 6.3."""

from __future__ import annotations

from rules.actions import Action
from rules.rounds.base import RoundKind
from rules.state import OperatingRound, State, Turn


class OperatingRounds(RoundKind):
    """Companies take their turns in the order fixed at the start."""

    role = "operating"

    def begin(self, state: State, number: int) -> State:
        state = state.but(round=OperatingRound(kind=self.name, number=number))
        return self.begin_turns(state.game.before_operating_round(state))

    def begin_turns(self, state: State) -> State:
        """The order fixed, and the first turn; again where it changes before the first action (1828)."""
        return self._next_turn(state.with_round(order=state.game.operating_order(state), at=-1))

    def acted(self, state: State, action: Action) -> State:
        current = operating_round(state)
        if current.at_start:
            state = state.with_round(at_start=False)
        return state.game.after_action(state, action)

    def turn_over(self, state: State) -> State:
        current = operating_round(state)
        company = current.current
        if company is not None:
            state = state.game.after_operating_turn(state, company)
            if state.over:
                return state
        return self._next_turn(state)

    def _next_turn(self, state: State) -> State:
        current = operating_round(state)
        at = current.at + 1
        while at < len(current.order) and not state.game.may_operate(state, state.companies[current.order[at]]):
            at += 1
        state = state.with_round(at=at, turn=Turn())
        company = state.round.current
        if company is None:
            return state
        state = state.game.place_home_tokens(state, company)
        return state.game.before_operating_turn(state, company)

    def finished(self, state: State) -> bool:
        current = operating_round(state)
        return current.at >= len(current.order)

    def finish(self, state: State) -> State:
        return state.game.after_operating_round(state)


def operating_round(state: State) -> OperatingRound:
    assert isinstance(state.round, OperatingRound)
    return state.round


def reorder(state: State) -> State:
    """The order of the companies that have not acted, anew by price. Source: COMMON section 5."""
    current = operating_round(state)
    done = current.order[: current.at + 1]
    waiting = list(current.order[current.at + 1 :])
    waiting.sort(key=lambda name: state.game.operating_rank(state, state.companies[name]))
    return state.with_round(order=(*done, *waiting))
