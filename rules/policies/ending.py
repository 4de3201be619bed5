"""When the game ends and what it was worth. Source: COMMON section 12."""

from __future__ import annotations

from rules.facts import GameFacts
from rules.state import Company, OperatingRound, State

#: A game that has not ended by itself is stopped here. Source: COMMON section 12.
LAST_TURN = 100


class EndRules:
    """Triggers and timings are data; a title overrides what a trigger is."""

    facts: GameFacts

    def trigger_end(self, state: State, reason: str) -> State:
        """Note that *reason* has happened; the title's table says how far play goes on. Unknown reasons do nothing."""
        timing = self.facts.settings.end_of_game.get(reason)
        if timing is None or reason in state.ending.triggers:
            return state
        ending = state.ending.but(triggers={**state.ending.triggers, reason: timing})
        if timing == "one_more_full_or_set":
            ending = ending.but(last_turn=state.turn_number + 1)
        return state.but(ending=ending)

    def check_end(self, state: State, *, round_over: bool = False) -> State:
        """End the game if a trigger says so now; asked after every action and when a round is over."""
        if state.over:
            return state
        if state.bank_broken:
            state = self.trigger_end(state, "bank")
        for reason, timing in sorted(state.ending.triggers.items(), key=lambda item: _ORDER.index(item[1])):
            if self.ends_now(state, timing, round_over):
                return self.finish(state, reason)
        if round_over and state.turn_number >= LAST_TURN and self.last_of_set(state):
            return self.finish(state, "dnf")
        return state

    def ends_now(self, state: State, timing: str, round_over: bool) -> bool:
        if timing == "immediate":
            return True
        if not round_over:
            return False
        if timing == "current_round":
            return True
        if not isinstance(state.round, OperatingRound):
            return False
        if timing == "current_or":
            return True
        if timing == "full_or":
            return self.last_of_set(state)
        last = state.ending.last_turn
        return last is not None and state.turn_number >= last and self.last_of_set(state)

    def last_of_set(self, state: State) -> bool:
        return isinstance(state.round, OperatingRound) and state.round.number >= state.set_length

    def finish(self, state: State, reason: str) -> State:
        return state.but(over=reason)

    def value_of(self, state: State, player: str) -> int:
        """Cash, shares at current price, face value of privates. Source: COMMON section 12, "Score"."""
        return (
            state.players[player].cash
            + sum(
                self.holding_value(state, player, company)
                for company in state.companies.values()
                if player in company.holdings
            )
            + sum(private.value for private in state.privates_of(player))
        )

    def holding_value(self, state: State, player: str, company: Company) -> int:
        return state.price_of(company) * company.percent_of(player) // company.unit

    def scores(self, state: State) -> dict[str, int]:
        return {player: self.value_of(state, player) for player in state.players}


_ORDER = ("immediate", "current_round", "current_or", "full_or", "one_more_full_or_set")
