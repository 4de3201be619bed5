"""Forced trains where shares are issued before the president pays, and bankruptcies that the game outlives.

Source: 1846 sections 15 and 16, 1833NE section 12.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules import trade
from rules.actions import Action, Actor, BuyTrain, Pass, SellShares
from rules.shares import IPO, POOL, Bundle
from rules.state import BANK, Company, State
from rules.steps.base import NOTHING
from rules.steps.issue import first_shares, treasury_game
from rules.steps.trains import BuyTrains, GoBankrupt


class BuyTrainsAfterIssue(BuyTrains):
    """Treasury, emergency issue, president's cash, president's shares, in this order. In receivership the cheapest
    train is bought as soon as it can be paid."""

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = state.operator
        if company is None:
            return ()
        found = [state.actor(company)]
        if company.president is not None and self.president_must_sell(state, company):
            found.append(Actor("player", company.president))
        return tuple(found)

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or not treasury_game(state).decides(company):
            return NOTHING
        if actor == Actor("player", company.president or ""):
            return frozenset({SellShares}) if self.president_may_sell(state, company) else NOTHING
        if actor.name != company.name:
            return NOTHING
        if state.game.must_buy_train(state, company):
            found: set[type[Action]] = {BuyTrain}
            if treasury_game(state).emergency_issues(state, company):
                found.add(SellShares)
            return frozenset(found)
        return frozenset({BuyTrain, Pass}) if self.can_buy(state, company) else NOTHING

    def can_buy(self, state: State, company: Company) -> bool:
        """Room, and an offer that the money in sight could pay; any other corporation's train counts as 1, also where
        it may not be bought now. Source: 1846 section 7."""
        game = state.game
        if not game.has_room(state, company):
            return False
        money = self.money_in_sight(state, company)
        if any(offer.price <= money for offer in game.bank_offers(state, company)):
            return True
        return money >= 1 and any(
            train not in state.obsolete
            for other in state.companies.values()
            if other.name != company.name and other.kind != "minor" and not other.closed
            for train in other.trains
        )

    def money_in_sight(self, state: State, company: Company) -> int:
        """The money that decides whether the step waits (1846: a minor for sale may add to it)."""
        return treasury_game(state).spendable(state, company)

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        company = state.operator
        if company is not None and actor.kind == "corporation":
            for issue in treasury_game(state).emergency_issues(state, company):
                if state.game.must_buy_train(state, company):
                    shares, percent = first_shares(company, issue.number, IPO)
                    yield SellShares(by=actor, shares=shares, percent=percent, price=issue.money // issue.number)
        yield from super().legal(state, actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, SellShares) and action.by.kind == "corporation":
            return self.issue(state, action).did(action)
        return super().apply(state, action)

    def skip(self, state: State) -> State:
        """In receivership the cheapest face is bought if the treasury can pay it. Source: 1846 section 16."""
        company = state.operator
        if company is None or company.closed or not company.receivership or company.trains:
            return state
        cheapest = state.game.cheapest_bank_train(state)
        if cheapest is None or cheapest[1] > company.cash or not state.game.has_room(state, company):
            return state
        face = min(state.game.faces_for_sale(state, cheapest[0]), key=lambda one: one.price)
        action = BuyTrain(by=state.actor(company), train=cheapest[0], price=face.price, face=face.name)
        return self.buy(state, company, action).did(action)

    # --- issuing -----------------------------------------------------------------------------------------------

    def issue(self, state: State, action: SellShares) -> State:
        """The emergency issue. What it brings beyond the next smaller one must be needed. Source: 1846 section 15.2
        and 5."""
        game, company = treasury_game(state), state.companies[action.by.name]
        allowed = game.emergency_issues(state, company)
        bundle = trade.bundle_of(state, action.shares, action.percent)
        if bundle.company != company.name or bundle.owner != IPO:
            raise state.violation("wrong-shares", f"{company.name} issues shares of its treasury")
        place = next((place for place, one in enumerate(allowed) if one.number == trade.units(state, bundle)), None)
        if place is None:
            numbers = " or ".join(str(one.number) for one in allowed)
            raise state.violation("wrong-issue", f"{company.name} issues {numbers} shares for a train")
        issue = allowed[place]
        if action.price not in (None, issue.money // issue.number):
            raise state.violation("wrong-price", f"a share is paid {issue.money // issue.number}, not {action.price}")
        last = issue.money - (allowed[place - 1].money if place else 0)
        return game.issue_in_emergency(state, bundle, issue).with_turn(last_sale=last)

    # --- buying ------------------------------------------------------------------------------------------------

    def purchase_fault(self, state: State, company: Company, action: BuyTrain) -> str:
        if reason := super().purchase_fault(state, company, action):
            return reason
        if self.seller_of(state, action.train) == BANK:
            return self.raised_too_much(state, company, action)
        return ""

    def raised_too_much(self, state: State, company: Company, action: BuyTrain) -> str:
        """After money was raised a face is barred that did not need the last share, unless the money pays for the
        cheaper face only. Source: 1846 section 15.3 and 5."""
        last = state.round.turn.last_sale
        if last is None:
            return ""
        money = company.cash
        if state.round.turn.marks.get("president_sold") and company.president is not None:
            money += state.players[company.president].cash
        prices = sorted(face.price for face in state.game.faces_for_sale(state, action.train))
        if action.price == prices[0] and len(prices) > 1 and money < prices[1]:
            return ""
        if action.price <= money - last:
            return f"{action.price} could have been paid without the last share that was sold"
        return ""

    def buy(self, state: State, company: Company, action: BuyTrain) -> State:
        marks = {key: value for key, value in state.round.turn.marks.items() if key != "president_sold"}
        return super().buy(state.with_turn(marks=marks), company, action)

    # --- president's shares ------------------------------------------------------------------------------------

    def needed(self, state: State, company: Company) -> int:
        """Money may be raised for the dearest face on offer. Source: 1846 section 15.4."""
        return treasury_game(state).dearest_on_sale(state)

    def president_must_sell(self, state: State, company: Company) -> bool:
        """Where a purchase is forced and treasury and president cannot pay. Source: 1846 section 15.4."""
        return state.game.president_helps(state, company) and self.can_sell_any(state, company)

    def president_may_sell(self, state: State, company: Company) -> bool:
        """Also without need in a record, as the recording site does not test it. Source: 1846, "Where the sources
        differ", point 1."""
        if state.lenient and company.president is not None:
            return self.can_sell_any(state, company)
        return self.president_must_sell(state, company)

    def emergency_fault(self, state: State, company: Company, bundle: Bundle, *, all_of_it: bool = False) -> str:
        """Source: 1846 section 15.4."""
        sold = state.companies[bundle.company]
        if reason := state.game.may_sell_now(state, bundle.owner, sold):
            return reason
        marks = state.round.turn.marks.get("emergency_sold")
        if isinstance(marks, frozenset) and bundle.company in marks:
            return f"shares of {bundle.company} have been sold in this turn"
        if bundle.company == company.name and sold.price is not None:
            market = state.facts.market
            if market.allows(market.step(sold.price, "left"), "closes"):
                return f"the sale would close {bundle.company}"
        return super().emergency_fault(state, company, bundle, all_of_it=all_of_it)

    def sell(self, state: State, action: SellShares) -> State:
        """Source: 1846 section 15.4. The order of those still to act is made anew (section 7)."""
        state = super().sell(state, action)
        marks = state.round.turn.marks
        sold = marks.get("emergency_sold")
        names = sold if isinstance(sold, frozenset) else frozenset[str]()
        company = action.shares[0].rpartition("_")[0]
        changed = {**marks, "emergency_sold": names | {company}, "president_sold": True}
        return state.with_turn(marks=changed)


class GoBankruptAndOut(GoBankrupt):
    """The player is out, the game goes on unless only one is left. Source: 1846 section 16, 1833NE section 12."""

    def __init__(self, trains: type[BuyTrainsAfterIssue] = BuyTrainsAfterIssue) -> None:
        super().__init__(trains)

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name or company.president is None:
            return NOTHING
        return NOTHING if self.not_due(state, company) or not self.cannot_pay(state, company) else self.handles

    def not_due(self, state: State, company: Company) -> str:
        """Why nothing forces the purchase now. A record may hold bankruptcies without need, as the recording site
        tests the money alone. Source: 1846, "Where the sources differ", point 2."""
        game = treasury_game(state)
        if not game.decides(company) or game.emergency_faces(state) is None:
            return f"nothing forces {company.name} to buy a train"
        if state.lenient:
            return ""
        if not game.must_buy_train(state, company) or game.before_dividend(state):
            return f"nothing forces {company.name} to buy a train now"
        return ""

    def why_not(self, state: State, action: Action) -> str:
        company = state.operator
        if company is None or action.by.name != company.name or company.president is None:
            return ""
        if reason := self.not_due(state, company):
            return reason
        who = state.called(company.president)
        return f"{who} can raise the train's {self.cheapest(state)}: all together brings {self.money(state, company)}"

    def cheapest(self, state: State) -> int:
        faces = treasury_game(state).emergency_faces(state)
        return faces[0] if faces is not None else 0

    def cannot_pay(self, state: State, company: Company) -> bool:
        """Treasury, largest issue, president's cash and everything that may be sold stay below the cheaper face."""
        return self.money(state, company) < self.cheapest(state)

    def money(self, state: State, company: Company) -> int:
        assert company.president is not None
        after = self.sell_everything(self.issue_most(state, company), company)
        return after.players[company.president].cash + after.companies[company.name].cash

    def issue_most(self, state: State, company: Company) -> State:
        """The largest emergency issue that is still allowed. Source: 1846 section 16, point 1."""
        game = treasury_game(state)
        issues = game.emergency_issues(state, company)
        if not issues:
            return state
        ids, _ = first_shares(company, issues[-1].number, IPO)
        return game.issue_in_emergency(state, trade.bundle_of(state, ids), issues[-1])

    def sell_everything(self, state: State, company: Company) -> State:
        """The dearest bundle of each corporation that may be sold, in operating order. Source: 1846 section 16,
        point 2."""
        player = company.president
        assert player is not None
        names = [name for name, one in state.companies.items() if player in one.holdings and one.price is not None]
        names.sort(key=lambda name: state.game.operating_rank(state, state.companies[name]))
        for name in names:
            bundles = [
                bundle
                for bundle in state.game.bundles(state, player, state.companies[name])
                if not self.trains.emergency_fault(state, state.companies[company.name], bundle, all_of_it=True)
            ]
            if bundles:
                state = trade.sell(state, max(bundles, key=lambda bundle: state.game.sale_value(state, bundle)))
        return state

    def apply(self, state: State, action: Action) -> State:
        company = state.operator
        assert company is not None
        player = company.president
        assert player is not None
        text = (
            f"{state.called(player)} is bankrupt: all together brings {self.money(state, company)}, the train of "
            f"{company.name} costs {self.cheapest(state)}"
        )
        state = self.issue_most(state, company).noting("emergency", player, text)
        state = self.sell_everything(state, company)
        state = self.give_up_shares(state, player)
        state = state.game.leave_privates(state, player)
        state = state.pay(player, company.name, state.players[player].cash)
        state = state.with_player(state.players[player].but(bankrupt=True))
        marks = {key: value for key, value in state.round.turn.marks.items() if key != "president_sold"}
        state = state.with_turn(last_sale=None, marks=marks)
        if not treasury_game(state).before_dividend(state):
            state = self.trains.skip(state)
        if sum(not one.bankrupt for one in state.players.values()) <= 1:
            state = state.game.trigger_end(state, "bankrupt")
        return state

    def pays_for_what_is_left(self, state: State) -> bool:
        """Whether the bank pays for shares that are given up (1833NE differs)."""
        return True

    def give_up_shares(self, state: State, player: str) -> State:
        """All that is left to the pool at the present price, above its limit too; no price moves. Source: 1846
        section 16, point 3."""
        for name in tuple(state.companies):
            company = state.companies[name]
            held = company.held(player)
            if held:
                bundle = Bundle(name, player, held, sum(one.percent for one in held))
                if self.pays_for_what_is_left(state):
                    state = state.pay(BANK, player, state.price_of(company) * bundle.percent // company.unit)
                state = trade.transfer(state, bundle, POOL)
        return state
