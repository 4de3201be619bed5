"""The standard private auction. Source: COMMON section 6.1."""

from __future__ import annotations

from collections.abc import Iterator

from rules.actions import Action, Actor, Bid, Pass
from rules.state import BANK, AuctionRound, State
from rules.steps.base import NOTHING, Step

_TURN: frozenset[type[Action]] = frozenset({Bid, Pass})


class WaterfallAuction(Step):
    """Buy the cheapest private, bid on another one, or pass. Titles with other auctions override the parts."""

    name = "waterfall_auction"
    title = "Private auction"
    handles = _TURN

    # --- reading -----------------------------------------------------------------------------------------------

    def unsold(self, state: State) -> tuple[str, ...]:
        """Privates still to be sold, in order of face value."""
        names = [name for name, private in state.privates.items() if private.owner is None and not private.closed]
        places = {name: place for place, name in enumerate(state.facts.privates)}
        return tuple(sorted(names, key=lambda name: (state.private_facts(name).value, places[name])))

    def price(self, state: State, private: str) -> int:
        """Face value less reductions."""
        return auction(state).prices.get(private, state.private_facts(private).value)

    def may_purchase(self, state: State, private: str) -> bool:
        """Whether it can be bought outright: the cheapest one, if nobody has bid on it."""
        return self.unsold(state)[0] == private and not auction(state).bids.get(private)

    def least_bid(self, state: State, private: str) -> int:
        current = auction(state)
        step = state.facts.settings.bid_increment
        bids = current.bids.get(private, ())
        if bids:
            return max(price for _, price in bids) + step
        if self.may_purchase(state, private):
            return self.price(state, private)
        return self.price(state, private) + step

    def committed(self, state: State, player: str, besides: str | None = None) -> int:
        """Money that the player's bids tie up. Source: COMMON section 6.1."""
        leading = state.facts.settings.only_leading_bids_commit
        total = 0
        for private, bids in auction(state).bids.items():
            if private != besides and bids:
                highest = max(price for _, price in bids)
                total += sum(price for bidder, price in bids if bidder == player and (not leading or price == highest))
        return total

    def current_player(self, state: State) -> str:
        """Who is asked: in a contest the lowest bidder, else the player on turn."""
        current = auction(state)
        if current.contested is not None:
            return min(current.bids[current.contested], key=lambda bid: bid[1])[0]
        return current.order[current.at]

    def actors(self, state: State) -> tuple[Actor, ...]:
        return (Actor("player", self.current_player(state)),)

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        if actor.kind != "player" or not self.unsold(state):
            return NOTHING
        return _TURN if actor.name == self.current_player(state) else NOTHING

    def waits(self, state: State) -> bool:
        return bool(self.unsold(state))

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        current = auction(state)
        for private in self.unsold(state):
            if current.contested in (None, private):
                price = self.least_bid(state, private)
                if not self.bid_fault(state, actor.name, private, price):
                    yield Bid(by=actor, private=private, price=price)
        yield Pass(by=actor)

    def bid_fault(self, state: State, player: str, private: str, price: int) -> str:
        current = auction(state)
        if private not in self.unsold(state):
            return f"{private} is not for sale"
        if current.contested not in (None, private):
            return f"only {current.contested} is being auctioned"
        if not current.contested and self.may_purchase(state, private):
            if price != self.price(state, private):
                return f"{private} can be bought for {self.price(state, private)}, not {price}"
        else:
            least = self.least_bid(state, private)
            step = state.facts.settings.bid_increment
            if price < least:
                return f"a bid on {private} must be at least {least}"
            if state.facts.settings.bids_in_multiples and (price - least) % step:
                return f"bids on {private} go up from {least} in steps of {step}"
        money = state.players[player].cash - self.committed(state, player, private)
        if price > money:
            return f"{state.players[player].name} has {money} left beside other bids, not {price}"
        return ""

    # --- acting ------------------------------------------------------------------------------------------------

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Bid):
            return self.bid(state, action)
        return self.drop_out(state, action.by.name) if auction(state).contested else self.pass_turn(state, action)

    def bid(self, state: State, action: Bid) -> State:
        player, current = action.by.name, auction(state)
        fault = self.bid_fault(state, player, action.private, action.price)
        if fault:
            raise state.violation("illegal-bid", fault)
        state = state.with_round(passed=current.passed - {player})
        if current.contested:
            return self.with_bid(state, action.private, player, action.price)
        if self.may_purchase(state, action.private):
            state = self.sell(state, action.private, player, action.price)
            state = self.next_player(state)
            return self.resolve(state)
        return self.next_player(self.with_bid(state, action.private, player, action.price))

    def with_bid(self, state: State, private: str, player: str, price: int) -> State:
        current = auction(state)
        others = tuple(bid for bid in current.bids.get(private, ()) if bid[0] != player)
        return state.with_round(bids={**current.bids, private: (*others, (player, price))})

    def drop_out(self, state: State, player: str) -> State:
        current = auction(state)
        assert current.contested is not None
        left = tuple(bid for bid in current.bids[current.contested] if bid[0] != player)
        return self.resolve(state.with_round(bids={**current.bids, current.contested: left}))

    def pass_turn(self, state: State, action: Action) -> State:
        current = auction(state)
        passed = current.passed | {action.by.name}
        state = state.with_round(passed=passed)
        state = self.next_player(state)
        if len(passed) == len(current.order):
            state = self.all_passed(state.with_round(passed=frozenset()))
        return state

    def all_passed(self, state: State) -> State:
        """The cheapest private of all falls in price while it is unsold; else incomes are paid. Source: COMMON 6.1."""
        cheapest = self.unsold(state)[0]
        if auction(state).ever_bought:
            return state.game.pay_incomes(state)
        price = self.price(state, cheapest) - state.facts.settings.bid_increment
        state = state.with_round(prices={**auction(state).prices, cheapest: max(0, price)})
        if price <= 0:
            player = self.current_player(state)
            state = self.sell(state, cheapest, player, 0)
            state = self.resolve(self.next_player(state))
        return state

    def sell(self, state: State, private: str, player: str, price: int) -> State:
        """The private handed over, with the shares that come with it."""
        bids = {name: one for name, one in auction(state).bids.items() if name != private}
        state = state.with_round(bids=bids, ever_bought=True, contested=None)
        state = state.pay(player, BANK, price).handing_private(private, player)
        return state.game.grant_shares(state, private, player)

    def resolve(self, state: State) -> State:
        """The cheapest private goes to a lone bidder; several bidders contest it. Source: COMMON section 6.1."""
        while unsold := self.unsold(state):
            first = unsold[0]
            bids = auction(state).bids.get(first, ())
            if len(bids) > 1:
                return state.with_round(contested=first)
            if not bids:
                break
            state = self.sell(state, first, *bids[0])
        return state.with_round(contested=None)

    def next_player(self, state: State) -> State:
        current = auction(state)
        return state.with_round(at=(current.at + 1) % len(current.order))


def auction(state: State) -> AuctionRound:
    assert isinstance(state.round, AuctionRound)
    return state.round
