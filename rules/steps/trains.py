"""Buying trains, with the president's help where a purchase is forced. Source: COMMON section 11."""

from __future__ import annotations

from collections.abc import Iterator

from rules import trade
from rules.actions import Action, Actor, Bankrupt, BuyTrain, Pass, SellShares
from rules.rounds.operating import reorder
from rules.shares import Bundle, certificate_id
from rules.state import BANK, Company, State
from rules.steps.base import NOTHING, Step


class BuyTrains(Step):
    name = "trains"
    title = "Buying trains"
    handles = frozenset({BuyTrain, SellShares, Pass})

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = state.operator
        if company is None:
            return ()
        found = [state.actor(company)]
        if company.president is not None and state.game.president_helps(state, company):
            found.append(Actor("player", company.president))
        return tuple(found)

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or company.kind == "minor":
            return NOTHING
        if actor == Actor("player", company.president or ""):
            can = state.game.president_helps(state, company) and self.can_sell_any(state, company)
            return frozenset({SellShares}) if can else NOTHING
        if actor.name != company.name:
            return NOTHING
        if state.game.must_buy_train(state, company):
            return frozenset({BuyTrain})
        return frozenset({BuyTrain, Pass}) if self.can_buy(state, company) else NOTHING

    def can_buy(self, state: State, company: Company) -> bool:
        """Room and the cheapest offer is affordable, or an exchange is. Source: formats/18xx-games-json section 5."""
        game = state.game
        if game.has_room(state, company):
            if any(offer.price <= company.cash for offer in game.bank_offers(state, company)):
                return True
            if company.cash >= 1 and next(iter(game.company_offers(state, company)), None) is not None:
                return True
        return any(offer.price <= company.cash for offer in game.exchange_offers(state, company))

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        company = state.operator
        if company is None:
            return
        if actor.kind == "player":
            for bundle in self.emergency_bundles(state, company):
                ids = tuple(certificate_id(bundle.company, one) for one in bundle.certificates)
                yield SellShares(by=actor, shares=ids, percent=bundle.percent)
            return
        if Pass in self.offers(state, actor):
            yield Pass(by=actor)
        yield from self.purchases(state, actor, company)

    def purchases(self, state: State, actor: Actor, company: Company) -> Iterator[Action]:
        game = state.game
        offers = [*game.exchange_offers(state, company)]
        if game.has_room(state, company):
            offers += [*game.bank_offers(state, company), *game.company_offers(state, company)]
        for offer in offers:
            prices = {offer.price, company.cash} if offer.seller is not None and company.cash else {offer.price}
            for price in sorted(prices):
                action = BuyTrain(by=actor, train=offer.train, price=price, face=offer.face, exchange=offer.exchange)
                if not self.purchase_fault(state, company, action):
                    yield action

    def why_not(self, state: State, action: Action) -> str:
        """Why this train may not be bought, where no purchase is open at all."""
        company = state.operator
        if isinstance(action, BuyTrain) and company is not None and action.by.name == company.name:
            return self.purchase_fault(state, company, action)
        return ""

    # --- buying ------------------------------------------------------------------------------------------------

    def seller_of(self, state: State, train: str) -> str | None:
        """BANK, a company, or None where the train is not in play."""
        if train in state.game.on_sale(state):
            return BANK
        return state.owner_of_train(train)

    def purchase_fault(self, state: State, company: Company, action: BuyTrain) -> str:
        """Why the company may not buy this train at this price (empty: may)."""
        game, seller = state.game, self.seller_of(state, action.train)
        if seller is None or seller == company.name:
            return f"train {action.train} is not for sale"
        if action.exchange is None and not game.has_room(state, company):
            return f"{company.name} has no room for another train"
        if seller == BANK:
            offers = game.exchange_offers(state, company) if action.exchange else game.bank_offers(state, company)
            prices = {
                offer.price
                for offer in offers
                if offer.train == action.train
                and offer.exchange == action.exchange
                and action.face in (None, offer.face)
            }
            if action.price not in prices:
                if action.exchange:
                    return f"{action.exchange} cannot be exchanged for {action.train} at {action.price}"
                return f"train {action.train} costs {sorted(prices)}, not {action.price}"
        else:
            if not any(offer.train == action.train for offer in game.company_offers(state, company)):
                return f"{seller} may not sell {action.train} to {company.name}"
            if reason := self.trade_price_fault(state, company, action):
                return reason
        if action.price > company.cash:
            return self.help_fault(state, company, action, seller)
        return ""

    def trade_price_fault(self, state: State, company: Company, action: BuyTrain) -> str:
        return "" if action.price >= 1 else "a train costs at least 1"

    def help_fault(self, state: State, company: Company, action: BuyTrain, seller: str) -> str:
        """Why the president may not pay what is missing. Source: COMMON section 11, "Emergency money raising"."""
        game, settings = state.game, state.facts.settings
        if not game.president_helps(state, company):
            return f"{action.train} costs {action.price}; the treasury of {company.name} holds {company.cash}"
        cheapest = game.cheapest_bank_train(state)
        if seller == BANK:
            if settings.emergency_cheapest_only and cheapest and action.price > cheapest[1]:
                return f"the president helps to buy the cheapest train only, {cheapest[0]}"
        else:
            face = next(
                (one.price for one in state.train_facts(action.train).faces if one.name == state.face_of(action.train)),
                0,
            )
            if settings.emergency_from_others == "never":
                return "the president helps to buy from the bank only"
            if settings.emergency_from_others == "value" and action.price > face:
                return f"the president helps to buy {action.train} for at most its face value {face}"
        president, last = company.president, state.round.turn.last_sale
        money = company.cash + (state.players[president].cash if president is not None else 0)
        if seller != BANK and last is not None and action.price <= money - last:
            return "the price must make the last sale of shares necessary"
        if action.price > money:
            return f"{action.train} costs {action.price}; treasury and president have {money}"
        return ""

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state.done(self.key)
        if isinstance(action, SellShares):
            return self.sell(state, action)
        assert isinstance(action, BuyTrain)
        company = state.companies[action.by.name]
        if fault := self.purchase_fault(state, company, action):
            raise state.violation("illegal-purchase", fault)
        return self.buy(state, company, action).did(action)

    def buy(self, state: State, company: Company, action: BuyTrain) -> State:
        """Money and train change hands, then everything follows that the purchase brings."""
        seller = self.seller_of(state, action.train)
        assert seller is not None
        missing = action.price - company.cash
        if missing > 0:
            assert company.president is not None
            price = f"{action.price} for {action.train}"
            state = state.noting(
                "emergency", company.name, f"the treasury of {company.name} pays {company.cash} of {price}"
            )
            state = state.noting("emergency", company.president, f"{state.called(company.president)} adds {missing}")
            state = state.pay(company.president, company.name, missing)
        state = state.pay(company.name, seller, action.price)
        if seller == BANK:
            state = state.game.taken_from_depot(state, action.train)
            face = self.face_bought(state, action)
            if face != state.train_facts(action.train).name:
                state = state.but(faces={**state.faces, action.train: face})
        else:
            other = state.companies[seller]
            state = state.with_company(other.but(trains=tuple(one for one in other.trains if one != action.train)))
        if action.exchange is not None:
            state = state.game.discard(state, state.companies[company.name], action.exchange)
        state = self.receive(state, company.name, action)
        state = state.with_turn(bought=(*state.round.turn.bought, action.train), last_sale=None)
        if seller == BANK:
            state = state.game.bought_from_bank(state, state.face_of(action.train))
        return state.game.after_train_purchase(state, company.name, action.train, seller)

    def face_bought(self, state: State, action: BuyTrain) -> str:
        """The face that the action names, else the one that the price tells."""
        facts = state.train_facts(action.train)
        by_price = next((face.name for face in facts.faces if face.price == action.price), facts.name)
        return action.face or by_price

    def receive(self, state: State, name: str, action: BuyTrain) -> State:
        company = state.companies[name]
        return state.with_company(company.but(trains=(*company.trains, action.train)))

    # --- selling for the money ---------------------------------------------------------------------------------

    def needed(self, state: State, company: Company) -> int:
        """The money that the emergency asks for: the price of the cheapest bank train."""
        cheapest = state.game.cheapest_bank_train(state)
        return cheapest[1] if cheapest is not None else 0

    def emergency_fault(self, state: State, company: Company, bundle: Bundle, *, all_of_it: bool = False) -> str:
        """Why the president may not sell these shares for the train (empty: may). Source: COMMON section 11."""
        if reason := state.game.sale_fault(state, bundle):
            return reason
        if bundle.company == company.name:
            held = company.percent_of(bundle.owner) - bundle.percent
            if any(company.percent_of(player) > held for player in state.players if player != bundle.owner):
                return f"the presidency of {company.name} may not change"
        if not all_of_it:
            money = company.cash + state.players[bundle.owner].cash
            value = state.game.sale_value(state, bundle)
            if money + value - self.last_part(state, bundle) >= self.needed(state, company):
                return "no more may be sold than is needed"
        return ""

    def last_part(self, state: State, bundle: Bundle) -> int:
        """What the smallest certificate of the bundle brings: without it the sale would be the next smaller one."""
        sold = state.companies[bundle.company]
        smallest = sold.unit if bundle.surplus else min(one.percent for one in bundle.certificates)
        return state.price_of(sold) * smallest // sold.unit

    def emergency_bundles(self, state: State, company: Company) -> Iterator[Bundle]:
        president = company.president
        if president is None:
            return
        if company.cash + state.players[president].cash >= self.needed(state, company):
            return
        for other in state.companies.values():
            if other.price is not None and president in other.holdings:
                for bundle in state.game.bundles(state, president, other):
                    if not self.emergency_fault(state, company, bundle):
                        yield bundle

    def can_sell_any(self, state: State, company: Company) -> bool:
        return next(self.emergency_bundles(state, company), None) is not None

    def sell(self, state: State, action: SellShares) -> State:
        company = state.operator
        assert company is not None
        bundle = trade.bundle_of(state, action.shares, action.percent)
        if bundle.owner != action.by.name:
            raise state.violation("not-the-owner", f"{action.by} does not own {', '.join(action.shares)}")
        if fault := self.emergency_fault(state, company, bundle):
            raise state.violation("illegal-sale", fault)
        last = self.last_part(state, bundle)
        missing = self.needed(state, company) - company.cash - state.players[bundle.owner].cash
        text = (
            f"{company.name} must buy a train for {self.needed(state, company)}; treasury and president lack {missing}"
        )
        state = trade.sell(state.noting("emergency", bundle.owner, text), bundle)
        return reorder(state.with_turn(last_sale=last))


class GoBankrupt(Step):
    """The president cannot raise the money for a forced train. Source: COMMON section 11, "Bankruptcy"."""

    name = "bankruptcy"
    title = "Bankruptcy"
    handles = frozenset({Bankrupt})

    def __init__(self, trains: type[BuyTrains] = BuyTrains) -> None:
        super().__init__(blocks=False)
        self.trains = trains()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name or company.president is None:
            return NOTHING
        if not state.facts.settings.bankruptcy_allowed or not state.game.president_helps(state, company):
            return NOTHING
        return self.handles if self.cannot_pay(state, company) else NOTHING

    def cannot_pay(self, state: State, company: Company) -> bool:
        """Cash, all sellable shares and the treasury do not reach the cheapest bank train."""
        assert company.president is not None
        after = self.sell_everything(state, company)
        money = after.players[company.president].cash + after.companies[company.name].cash
        return money < self.trains.needed(state, company)

    def why_not(self, state: State, action: Action) -> str:
        """Which money would still buy the train. Source: COMMON section 11, "Bankruptcy"."""
        company = state.operator
        if company is None or action.by.name != company.name or company.president is None:
            return ""
        if not state.facts.settings.bankruptcy_allowed:
            return "this title has no bankruptcy"
        if not state.game.president_helps(state, company):
            return f"nothing forces {state.called(company.president)} to pay for a train of {company.name}"
        after = self.sell_everything(state, company)
        money = after.players[company.president].cash + company.cash
        need = self.trains.needed(state, company)
        who = state.called(company.president)
        return f"{who} can raise the train's {need}: treasury, cash and sellable shares bring {money}"

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        yield Bankrupt(by=actor)

    def sell_everything(self, state: State, company: Company) -> State:
        """Company by company in operating order, the dearest bundle that may be sold, until nothing is left."""
        player = company.president
        assert player is not None
        names = [name for name, one in state.companies.items() if player in one.holdings and one.price is not None]
        names.sort(key=lambda name: state.game.operating_rank(state, state.companies[name]))
        for name in names:
            while True:
                bundles = [
                    bundle
                    for bundle in state.game.bundles(state, player, state.companies[name])
                    if not self.trains.emergency_fault(state, state.companies[company.name], bundle, all_of_it=True)
                ]
                if not bundles:
                    break
                best = max(bundles, key=lambda bundle: state.game.sale_value(state, bundle))
                state = trade.sell(state, best)
        return state

    def apply(self, state: State, action: Action) -> State:
        company = state.operator
        assert company is not None
        player = company.president
        assert player is not None
        state = self.sell_everything(state, company)
        text = (
            f"{state.called(player)} is bankrupt: {state.players[player].cash + company.cash} in all, the train costs "
        )
        state = state.noting("emergency", player, f"{text}{self.trains.needed(state, company)}")
        state = state.pay(player, BANK, state.players[player].cash)
        state = state.with_player(state.players[player].but(bankrupt=True))
        return state.game.trigger_end(state, "bankrupt")
