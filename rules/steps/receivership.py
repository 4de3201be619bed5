"""Stock turns where a corporation may be without a president. Source: 1846 sections 6 and 16."""

from __future__ import annotations

from collections.abc import Iterator

from rules import trade
from rules.actions import BuyShares
from rules.shares import POOL, Bundle
from rules.state import Company, State
from rules.steps.stock_turn import StockTurn


class StockTurnWithReceivership(StockTurn):
    """The president's certificate of a corporation in receivership lies in the pool. A player with one share may take
    it for the price of one share, giving the ordinary share to the pool; others cannot buy it."""

    def candidates(self, state: State, company: Company) -> Iterator[Bundle]:
        for bundle in super().candidates(state, company):
            yield self.adjusted(state, bundle)

    def adjusted(self, state: State, bundle: Bundle) -> Bundle:
        """The president's certificate in the pool counts as one share."""
        if bundle.president is None or bundle.owner != POOL:
            return bundle
        return Bundle(bundle.company, POOL, bundle.certificates, state.companies[bundle.company].unit)

    def buy_fault(self, state: State, player: str, bundle: Bundle) -> str:
        company = state.companies[bundle.company]
        if bundle.president is not None and bundle.owner == POOL:
            after = company.percent_of(player) + bundle.percent
            if len(bundle.certificates) > 1 or after < company.president_percent:
                return f"the president's certificate of {company.name} needs a share to be given for it"
        return super().buy_fault(state, player, bundle)

    def buy(self, state: State, action: BuyShares) -> State:
        bundle = self.adjusted(state, trade.bundle_of(state, action.shares, action.percent))
        if fault := self.buy_fault(state, action.by.name, bundle):
            raise state.violation("illegal-purchase", fault)
        state = trade.buy(state, action.by.name, bundle)
        company = state.companies[bundle.company]
        if company.president is not None and company.receivership:
            state = state.with_company(company.but(receivership=False))
        return state
