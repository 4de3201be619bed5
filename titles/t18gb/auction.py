"""The auction that opens 18GB. Source: digest 18GB section 2."""

from __future__ import annotations

from collections.abc import Iterator

from rules.actions import (
    Action,
    Actor,
    Bid,
    Pass,
)
from rules.state import State
from rules.steps.waterfall import WaterfallAuction, auction
from titles.t18gb.facts import (
    REDUCTION,
    rules_of,
)


class SimultaneousAuction(WaterfallAuction):
    """All privates are on offer at once. Source: 18GB section 2."""

    name = "simultaneous_auction"
    title = "Auction of all privates"

    def may_purchase(self, state: State, private: str) -> bool:
        """Nothing is bought outright."""
        return False

    def least_bid(self, state: State, private: str) -> int:
        bids = auction(state).bids.get(private, ())
        if not bids:
            return self.price(state, private)
        return max(price for _, price in bids) + state.facts.settings.bid_increment

    def leader(self, state: State, private: str) -> tuple[str, int] | None:
        bids = auction(state).bids.get(private, ())
        return max(bids, key=lambda bid: bid[1]) if bids else None

    def pass_fault(self, state: State, player: str) -> str:
        """Why the player may not pass (empty: may). Who cannot bid any more may always pass."""
        unsold = self.unsold(state)
        leaders = [self.leader(state, private) for private in unsold]
        if all(leaders) or auction(state).prices:
            return ""
        needed = rules_of(state).scenario.get("bids_to_pass", 1)
        assert isinstance(needed, int)
        if sum(one is not None and one[0] == player for one in leaders) >= needed:
            return ""
        if all(self.bid_fault(state, player, one, self.least_bid(state, one)) for one in unsold):
            return ""
        return (
            f"passing needs {needed} leading bid{'s' if needed != 1 else ''}, a bid on every private, or a price "
            "that has fallen"
        )

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for private in self.unsold(state):
            price = self.least_bid(state, private)
            if not self.bid_fault(state, actor.name, private, price):
                yield Bid(by=actor, private=private, price=price)
        if not self.pass_fault(state, actor.name):
            yield Pass(by=actor)

    def pass_turn(self, state: State, action: Action) -> State:
        if fault := self.pass_fault(state, action.by.name):
            raise state.violation("no-pass", fault)
        return super().pass_turn(state, action)

    def all_passed(self, state: State) -> State:
        """Leaders get their privates; the others become cheaper, and for nothing the next player must take them."""
        for private in self.in_box_order(state):
            leader = self.leader(state, private)
            if leader is not None:
                state = self.sell(state, private, *leader)
        for private in self.in_box_order(state):
            price = max(0, self.price(state, private) - REDUCTION)
            state = state.with_round(prices={**auction(state).prices, private: price})
            if price == 0:
                player = self.current_player(state)
                state = self.next_player(self.with_bid(state, private, player, 0))
        return state

    def in_box_order(self, state: State) -> tuple[str, ...]:
        unsold = self.unsold(state)
        return tuple(name for name in state.facts.privates if name in unsold)
