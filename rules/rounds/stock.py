"""Stock rounds. Source: COMMON section 6.2."""

from __future__ import annotations

from rules.actions import Action
from rules.rounds.base import RoundKind
from rules.state import State, StockRound, Turn


class StockRounds(RoundKind):
    """Players take turns until all have passed in succession."""

    role = "stock"

    def begin(self, state: State, number: int) -> State:
        order = tuple(player for player in state.order if not state.players[player].bankrupt)
        return state.game.before_stock_round(state.but(round=StockRound(kind=self.name, number=number, order=order)))

    def acted(self, state: State, action: Action) -> State:
        return state

    def turn_over(self, state: State) -> State:
        """A player who did nothing has passed; one who acted has not. Source: COMMON section 6.2."""
        current = stock_round(state)
        player = current.order[current.at]
        passed = tuple(one for one in current.passed if one != player)
        if not current.turn.acts:
            passed = current.passed if player in current.passed else (*passed, player)
        return state.with_round(passed=passed, turn=Turn(), at=(current.at + 1) % len(current.order))

    def finished(self, state: State) -> bool:
        current = stock_round(state)
        return len(current.passed) >= len(current.order)

    def finish(self, state: State) -> State:
        return state.game.end_of_stock_round(state)


def stock_round(state: State) -> StockRound:
    assert isinstance(state.round, StockRound)
    return state.round
