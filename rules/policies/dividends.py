"""What a title decides about dividends: kinds, who receives, how the price moves. Source: COMMON section 10."""

from __future__ import annotations

from rules.facts import GameFacts
from rules.prices import Cell
from rules.shares import POOL
from rules.state import BANK, Company, State


class DividendRules:
    facts: GameFacts

    def dividend_kinds(self, state: State, company: Company) -> tuple[str, ...]:
        """The choices that the company has for its revenue."""
        return ("payout", "withhold")

    def automatic_dividend(self, state: State, company: Company) -> str:
        """The kind of dividend of a company that has no choice (a minor, a company without a president); empty for
        one that chooses."""
        return ""

    def kept_of(self, state: State, company: Company, kind: str, revenue: int) -> int:
        """What goes to the treasury before shares are paid."""
        if kind == "payout":
            return 0
        if kind == "half":
            return revenue // 2 // company.total_shares * company.total_shares
        return revenue

    def receives_for(self, company: Company, holder: str) -> str | None:
        """Who is paid for the shares of a holder that is no player: the pool's pay the company, the IPO's nobody."""
        return company.name if holder in (POOL, company.name) else None

    def shares_paid(self, state: State, company: Company, paid: int) -> dict[str, int]:
        """What each party receives of a payout: shares × per share, rounded up."""
        amounts: dict[str, int] = {}
        total = company.total_shares
        for holder in company.holdings:
            party = holder if holder in state.players else self.receives_for(company, holder)
            if party is not None:
                shares = company.percent_of(holder) // company.unit
                amounts[party] = amounts.get(party, 0) + -(-shares * paid // total)
        return amounts

    def dividend_amounts(self, state: State, company: Company, kind: str, revenue: int) -> dict[str, int]:
        """What each player and treasury receives of *revenue* if it is used in this way."""
        kept = self.kept_of(state, company, kind, revenue)
        amounts = self.shares_paid(state, company, revenue - kept) if revenue > kept else {}
        if kept:
            amounts[company.name] = amounts.get(company.name, 0) + kept
        return {party: amount for party, amount in amounts.items() if amount}

    def pay_dividend(self, state: State, company: Company, kind: str, revenue: int) -> State:
        for party, amount in self.dividend_amounts(state, company, kind, revenue).items():
            state = state.pay(BANK, party, amount)
        return state

    def price_after_dividend(self, state: State, company: Company, kind: str, revenue: int) -> Cell | None:
        """The cell of the price marker after the dividend step; None for a company without a price."""
        if company.price is None:
            return None
        paid = revenue - self.kept_of(state, company, kind, revenue)
        return self.facts.market.step(company.price, "right" if paid > 0 else "left")

    def after_dividend(self, state: State, company: str) -> State:
        """Whatever follows the dividend step of a company (a private that closes)."""
        return state
