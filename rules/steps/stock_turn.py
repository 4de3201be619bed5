"""A player's turn of a stock round: sell, buy one certificate, start a company. Source: COMMON section 6.2."""

from __future__ import annotations

from collections.abc import Iterator

from board.errors import RuleViolation
from rules import trade
from rules.actions import Action, Actor, BuyPrivate, BuyShares, Par, Pass, SellShares
from rules.rounds.stock import stock_round
from rules.shares import IPO, POOL, Bundle, Certificate, certificate_id
from rules.state import Company, Private, State
from rules.steps.base import Step

#: Actions that use up the one purchase of a turn.
PURCHASES: tuple[type[Action], ...] = (BuyShares, Par, BuyPrivate)


class StockTurn(Step):
    """Titles subclass it for what the turn's purchase may be instead (mergers, conversions)."""

    name = "stock_turn"
    title = "Stock turn"
    handles = frozenset({BuyShares, SellShares, Par, BuyPrivate, Pass})

    def actors(self, state: State) -> tuple[Actor, ...]:
        current = state.round.current
        return (Actor("player", current),) if current is not None else ()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        found = frozenset(self.choices(state, actor))
        return found | {Pass} if found and not self.must_sell(state, actor.name) else found

    def asks(self, state: State, actor: Actor) -> bool:
        return next(self.choices(state, actor), None) is not None

    def accepts(self, state: State, action: Action) -> bool:
        if isinstance(action, Pass):
            return self.asks(state, action.by) and not self.must_sell(state, action.by.name)
        return type(action) in self.choices(state, action.by)

    def choices(self, state: State, actor: Actor) -> Iterator[type[Action]]:
        """The offers but for passing, one after the other: often the first says enough."""
        player = actor.name
        if actor.kind != "player" or player != state.round.current:
            return
        if self.must_sell(state, player):
            yield SellShares
            return
        if self.can_buy_any(state, player):
            yield BuyShares
        if self.can_sell_any(state, player):
            yield SellShares
        if self.can_start_any(state, player):
            yield Par
        if next(self.private_offers(state, player), None) is not None:
            yield BuyPrivate
        yield from self.further_offers(state, player)

    def why_not(self, state: State, action: Action) -> str:
        """Why nothing of this kind is open to the player on turn. Source: COMMON section 6.2."""
        player = action.by.name
        if action.by.kind != "player" or player != state.round.current:
            return ""
        if self.must_sell(state, player):
            return f"{state.called(player)} is above a limit and must sell first"
        try:
            if isinstance(action, (BuyShares, SellShares)):
                bundle = trade.bundle_of(state, action.shares, action.percent)
                if isinstance(action, BuyShares):
                    return self.buy_fault(state, player, bundle)
                company = state.companies[bundle.company]
                return self.sale_time_fault(state, player, company) or state.game.sale_fault(state, bundle)
        except RuleViolation as error:
            return error.faults[0].message
        if (
            isinstance(action, Par)
            and action.corporation in state.companies
            and action.cell in state.game.par_cells(state, action.corporation)
        ):
            cost = state.game.start_cost(state, action.corporation, action.cell)
            return self.start_fault(state, player, action.corporation, cost)
        return ""

    def further_offers(self, state: State, player: str) -> Iterator[type[Action]]:
        """Kinds of action that the title adds to the turn."""
        return iter(())

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        offers = self.offers(state, actor)
        player = actor.name
        if Pass in offers:
            yield Pass(by=actor)
        if BuyShares in offers:
            for bundle in self.buyable(state, player):
                yield BuyShares(by=actor, shares=_ids(bundle), percent=bundle.percent)
        if Par in offers:
            for name in state.companies:
                for cell in state.game.par_cells(state, name):
                    if not self.start_fault(state, player, name, state.game.start_cost(state, name, cell)):
                        yield Par(by=actor, corporation=name, cell=cell)
        if BuyPrivate in offers:
            for private in self.private_offers(state, player):
                yield BuyPrivate(by=actor, private=private.name, price=1)
        if SellShares in offers:
            for company in state.companies.values():
                if not self.sale_time_fault(state, player, company):
                    for bundle in state.game.sellable(state, player, company):
                        yield SellShares(by=actor, shares=_ids(bundle), percent=bundle.percent)

    # --- limits ------------------------------------------------------------------------------------------------

    def purchases(self, state: State) -> tuple[Action, ...]:
        return tuple(act for act in state.round.turn.acts if isinstance(act, PURCHASES))

    def must_sell(self, state: State, player: str) -> bool:
        """Above the certificate limit (or, where the title says so, 60 %) a player must sell first and may do nothing
        else. Source: COMMON section 6.2."""
        game = state.game
        if game.certificates_of(state, player) <= game.certificate_limit(
            state, player
        ) and not game.above_holding_limit(state, player):
            return False
        return self.can_sell_any(state, player)

    def room_for(self, state: State, player: str, company: Company) -> bool:
        """Whether the certificate limit leaves room for one certificate of the company."""
        game = state.game
        return not game.counts_as_certificates(state, company) or (
            game.certificates_of(state, player) < game.certificate_limit(state, player)
        )

    # --- buying ------------------------------------------------------------------------------------------------

    def buy_fault(self, state: State, player: str, bundle: Bundle) -> str:
        """Why the player may not buy these certificates now (empty: may)."""
        game, company = state.game, state.companies[bundle.company]
        if company.closed or not company.started:
            return f"{company.name} has not been started"
        if bundle.owner not in (IPO, POOL):
            return f"{bundle.owner} does not sell shares of {company.name}"
        if reason := game.may_buy_now(state, player, company, bundle.owner):
            return reason
        if reason := self.purchase_fault(state, player, company, bundle.owner):
            return reason
        if not game.may_hold(state, player, company, bundle.percent, bundle.owner):
            return f"more than {state.facts_of(company.name).holding_limit} % of {company.name} may not be held"
        if not self.room_for(state, player, company):
            return (
                f"{state.called(player)} has reached the certificate limit of {game.certificate_limit(state, player)}"
            )
        cost = game.cost_of(state, player, bundle)
        if cost > state.players[player].cash:
            buyer = state.players[player]
            return f"{bundle.percent} % of {company.name} cost {cost}; {buyer.name} has {buyer.cash}"
        return ""

    def purchase_fault(self, state: State, player: str, company: Company, source: str) -> str:
        """Why another purchase is not possible in this turn: one is the rule. Source: COMMON section 6.2."""
        earlier = self.purchases(state)
        if not earlier:
            return ""
        bought = [act for act in earlier if isinstance(act, BuyShares)]
        same = all(share.rpartition("_")[0] == company.name for act in bought for share in act.shares)
        most = state.game.several_purchases(state, player, company, source)
        if same and len(bought) == len(earlier) and len(bought) < most:
            return ""
        return "one purchase a turn is allowed"

    def candidates(self, state: State, company: Company) -> Iterator[Bundle]:
        """One bundle for each different certificate that could be bought."""
        for source in (IPO, POOL):
            seen: set[tuple[int, bool]] = set()
            for certificate in company.held(source):
                if (certificate.percent, certificate.president) not in seen:
                    seen.add((certificate.percent, certificate.president))
                    yield _single(company, source, certificate)

    def buyable(self, state: State, player: str) -> Iterator[Bundle]:
        for company in state.companies.values():
            if company.started and not company.closed:
                for bundle in self.candidates(state, company):
                    if not self.buy_fault(state, player, bundle):
                        yield bundle

    def can_buy_any(self, state: State, player: str) -> bool:
        return next(self.buyable(state, player), None) is not None

    # --- starting ----------------------------------------------------------------------------------------------

    def start_fault(self, state: State, player: str, company: str, cost: int) -> str:
        """Why the player may not start the company for *cost* now (empty: may)."""
        if reason := state.game.may_start(state, player, company):
            return reason
        if self.purchases(state):
            return "one purchase a turn is allowed"
        if company in stock_round(state).sold.get(player, ()):
            return f"{state.called(player)} sold shares of {company} in this round"
        found = state.companies[company]
        if not self.room_for(state, player, found):
            limit = state.game.certificate_limit(state, player)
            return f"{state.called(player)} has reached the certificate limit of {limit}"
        if cost > state.players[player].cash:
            return f"starting {company} costs {cost}; {state.called(player)} has {state.players[player].cash}"
        return ""

    def can_start_any(self, state: State, player: str) -> bool:
        if self.purchases(state):
            return False
        for name, company in state.companies.items():
            if company.started or company.closed:
                continue
            cells = state.game.par_cells(state, name)
            if cells:
                cost = min(state.game.start_cost(state, name, cell) for cell in cells)
                if not self.start_fault(state, player, name, cost):
                    return True
        return False

    # --- selling -----------------------------------------------------------------------------------------------

    def sale_time_fault(self, state: State, player: str, company: Company) -> str:
        """Why shares of the company may not be sold at this moment of the turn (empty: may)."""
        settings = state.facts.settings
        if not settings.sell_after_purchase and self.purchases(state):
            return "no sale after a purchase"
        if settings.sell_in_blocks and any(
            isinstance(act, SellShares) and act.shares[0].rpartition("_")[0] == company.name
            for act in state.round.turn.acts
        ):
            return f"shares of {company.name} sold in one turn are sold in one block"
        return state.game.may_sell_now(state, player, company)

    def can_sell_any(self, state: State, player: str) -> bool:
        return any(
            player in company.holdings
            and not self.sale_time_fault(state, player, company)
            and any(not state.game.sale_fault(state, bundle) for bundle in state.game.bundles(state, player, company))
            for company in state.companies.values()
            if company.price is not None
        )

    # --- privates of other players -----------------------------------------------------------------------------

    def private_offers(self, state: State, player: str) -> Iterator[Private]:
        """Privates of other players that may be bought as the turn's purchase (1830)."""
        if (
            "players_may_trade_privates" not in state.phase.status
            or state.turn_number < 2
            or self.purchases(state)
            or state.players[player].cash <= 0
        ):
            return
        for private in state.privates.values():
            if private.owner in state.players and private.owner != player and not private.closed:
                yield private

    # --- acting ------------------------------------------------------------------------------------------------

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state.done(self.key)
        if isinstance(action, BuyShares):
            state = self.buy(state, action)
        elif isinstance(action, Par):
            state = self.start(state, action)
        elif isinstance(action, SellShares):
            state = self.sell(state, action)
        elif isinstance(action, BuyPrivate):
            state = self.buy_private(state, action)
        return self.acted(state, action)

    def acted(self, state: State, action: Action) -> State:
        """Notes that the player did something."""
        current = stock_round(state)
        if action.by.name in current.passed:
            state = state.with_round(passed=tuple(one for one in current.passed if one != action.by.name))
        return state.did(action)

    def buy(self, state: State, action: BuyShares) -> State:
        bundle = trade.bundle_of(state, action.shares, action.percent)
        if fault := self.buy_fault(state, action.by.name, bundle):
            raise state.violation("illegal-purchase", fault)
        return trade.buy(state, action.by.name, bundle)

    def start(self, state: State, action: Par) -> State:
        company = state.companies.get(action.corporation)
        if company is None or action.cell not in state.game.par_cells(state, action.corporation):
            prices = (
                sorted({state.facts.market.price(cell) for cell in state.game.par_cells(state, action.corporation)})
                if company is not None
                else []
            )
            raise state.violation("wrong-par", f"{action.corporation} may be started at {prices}")
        cost = state.game.start_cost(state, action.corporation, action.cell)
        if fault := self.start_fault(state, action.by.name, action.corporation, cost):
            raise state.violation("illegal-start", fault)
        state = state.game.set_par(state, action.corporation, action.cell)
        company = state.companies[action.corporation]
        president = next(one for one in company.held(IPO) if one.president)
        state = trade.buy(state, action.by.name, _single(company, IPO, president), price=cost)
        return state.game.after_start(state, action.by.name, action.corporation)

    def sell(self, state: State, action: SellShares) -> State:
        bundle = trade.bundle_of(state, action.shares, action.percent)
        company, player = state.companies[bundle.company], action.by.name
        if bundle.owner != player:
            raise state.violation("not-the-owner", f"{state.called(player)} does not own {', '.join(action.shares)}")
        fault = self.sale_time_fault(state, player, company) or state.game.sale_fault(state, bundle)
        if fault:
            raise state.violation("illegal-sale", fault)
        state = trade.sell(state, bundle)
        current = stock_round(state)
        sold = current.sold.get(player, frozenset()) | {company.name}
        return state.with_round(sold={**current.sold, player: sold})

    def buy_private(self, state: State, action: BuyPrivate) -> State:
        player = action.by.name
        private = next((one for one in self.private_offers(state, player) if one.name == action.private), None)
        if private is None or private.owner is None:
            raise state.violation("not-for-sale", f"{action.private} is not for sale to {state.called(player)} now")
        if action.price < 0:
            raise state.violation("wrong-price", f"a price is not {action.price}")
        state = state.pay(player, private.owner, action.price).handing_private(private.name, player)
        return state.game.after_private_sold(state, private.name, private.owner, player)


def _ids(bundle: Bundle) -> tuple[str, ...]:
    return tuple(certificate_id(bundle.company, one) for one in bundle.certificates)


def _single(company: Company, source: str, certificate: Certificate) -> Bundle:
    return Bundle(company.name, source, (certificate,), certificate.percent)
