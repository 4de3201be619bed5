"""The auction of the privates in rows of equal face value. Source: 1828 section 2."""

from __future__ import annotations

from rules.state import State
from rules.steps.waterfall import WaterfallAuction, auction
from titles.t1828.policies import rules_of


class RowAuction(WaterfallAuction):
    """A private of the cheapest row is bought or settled only when all others of its row have bids, or when all
    players have passed. By option the front private is settled regardless of its row (``lone_bid_wins``)."""

    def row_has_bids(self, state: State, private: str) -> bool:
        """Whether every other private of the row has a bid."""
        if "lone_bid_wins" in state.game.options:
            return True
        value, bids = state.private_facts(private).value, auction(state).bids
        return all(
            bids.get(other)
            for other in self.unsold(state)
            if other != private and state.private_facts(other).value == value
        )

    def may_purchase(self, state: State, private: str) -> bool:
        if "lone_bid_wins" in state.game.options:
            return super().may_purchase(state, private)
        first = self.unsold(state)[0]
        in_row = state.private_facts(first).value == state.private_facts(private).value
        return in_row and not auction(state).bids.get(private) and self.row_has_bids(state, private)

    def with_bid(self, state: State, private: str, player: str, price: int) -> State:
        """On a founder private a higher bid takes the place of the one before."""
        if rules_of(state).is_founder(private):
            return state.with_round(bids={**auction(state).bids, private: ((player, price),)})
        return super().with_bid(state, private, player, price)

    def all_passed(self, state: State) -> State:
        """Every private with bids is settled, then all owned ones pay."""
        return self.resolve(state.with_round(marks={**state.round.marks, "settling": True}))

    def resolve(self, state: State) -> State:
        if state.round.marks.get("settling"):
            return self.settle(state)
        while unsold := self.unsold(state):
            first = unsold[0]
            bids = auction(state).bids.get(first, ())
            if not bids or not self.row_has_bids(state, first):
                break
            if len(bids) > 1:
                return state.with_round(contested=first)
            state = self.sell(state, first, *bids[0])
        return state.with_round(contested=None)

    def settle(self, state: State) -> State:
        """One bid: sold; several: an auction among the bidders, after which settling goes on."""
        for private in self.unsold(state):
            bids = auction(state).bids.get(private, ())
            if len(bids) > 1:
                return state.with_round(contested=private)
            if bids:
                state = self.sell(state, private, *bids[0])
        state = state.with_round(contested=None, passed=frozenset(), marks={**state.round.marks, "settling": False})
        return state.game.pay_incomes(state)

    def sell(self, state: State, private: str, player: str, price: int) -> State:
        return rules_of(state).after_private_bought(super().sell(state, private, player, price), private, player)
