"""The rules of titles whose unsold shares lie in the treasuries of corporations: the money of 1846 and 1833NE.

A title's game subclasses :class:`TreasuryGame`. The unsold shares are those that the holder ``IPO`` has: they are the
treasury's, and money for them goes to the corporation. The steps that belong to this system are in
``rules.steps.issue``, ``rules.steps.emergency_issue`` and ``rules.steps.receivership``. Marks of a turn: ``issued``
and ``emergency_issued``, whether shares were issued or redeemed; ``emergency_sold``, the companies of which the
president sold shares for a train.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rules import trade
from rules.game import Game
from rules.policies.trains import Offer
from rules.prices import Cell
from rules.shares import IPO, POOL, Bundle
from rules.state import BANK, Company, OperatingRound, State
from rules.steps.dividend import PayDividend

#: From this price on a dividend of three times the price moves it three steps. Source: 1846 section 13.
TRIPLE_FROM: Final = 165


class Issue(NamedTuple):
    """Shares that a corporation may issue together: how many, and the money that they bring in all."""

    number: int
    money: int


class TreasuryGame(Game):
    """Source: digests 1846 (sections 6 to 8, 13 to 18) and 1833NE (sections 5, 6, 10, 12 and 13)."""

    # --- order -------------------------------------------------------------------------------------------------

    def operating_rank(self, state: State, company: Company) -> tuple[int, int, int, int, str]:
        """The very first operating round goes by rising price. Source: 1846 section 7, 1833NE section 6."""
        cell = company.price
        current = state.round
        if cell is not None and isinstance(current, OperatingRound) and state.turn_number == current.number == 1:
            return (self.facts.market.price(cell), cell.column, cell.row, company.arrival, company.name)
        return super().operating_rank(state, company)

    # --- starting ----------------------------------------------------------------------------------------------

    def on_float(self, state: State, company: str) -> State:
        """A corporation floats when it is started, with its home token. Source: 1846 section 5."""
        state = super().on_float(state, company)
        if self.facts.settings.home_token_at == "float":
            for home in self.homes(state, company):
                state = self.place_home_token(state, company, home)
        return state

    # --- issuing and redeeming ---------------------------------------------------------------------------------

    def decides(self, company: Company) -> bool:
        """Whether somebody decides for the corporation in its turn: not in receivership, and it is no minor."""
        return company.kind != "minor" and not company.receivership and not company.closed

    def before_dividend(self, state: State) -> bool:
        """Whether the dividend step of the turn is still to come."""
        return any(isinstance(step, PayDividend) and step.key not in state.round.turn.done for step in state.kind.steps)

    def may_issue(self, state: State, company: Company) -> bool:
        """Once a turn, before the dividend. Source: 1846 section 8."""
        return self.decides(company) and not state.round.turn.marks.get("issued") and self.before_dividend(state)

    def steps_from(self, company: Company, direction: str, steps: int = 1) -> int:
        """The price so many cells from the present one."""
        market = self.facts.market
        return market.price(market.move(company.price, direction, steps)) if company.price is not None else 0

    def issue_price(self, company: Company) -> int:
        """What the bank pays for each issued share: one step to the left. Source: 1846 section 8."""
        return self.steps_from(company, "left")

    def redeem_price(self, company: Company) -> int:
        """What the bank asks for each share bought back: one step to the right. Source: 1846 section 8."""
        return self.steps_from(company, "right")

    def most_issued(self, state: State, company: Company) -> int:
        """How many shares may be issued together: those with players less those in the pool. Source: 1846 section 8."""
        players = sum(company.percent_of(player) for player in state.players)
        treasury = company.percent_of(IPO)
        return max(0, min(players - company.percent_of(POOL), treasury)) // company.unit

    def most_redeemed(self, state: State, company: Company) -> int:
        """How many shares of the pool the treasury can pay for. Source: 1846 section 8."""
        return min(company.percent_of(POOL) // company.unit, company.cash // max(1, self.redeem_price(company)))

    def spendable(self, state: State, company: Company) -> int:
        """The treasury, with what the largest issue that is still open would bring. Source: 1846 section 7."""
        more = self.most_issued(state, company) * self.issue_price(company) if self.may_issue(state, company) else 0
        return company.cash + more

    def issue(self, state: State, bundle: Bundle, money: int) -> State:
        """Shares of the treasury to the pool; the bank pays the corporation. The price stays."""
        number = trade.units(state, bundle)
        text = f"{bundle.company} issued {number} share{'s' if number != 1 else ''} for {money}"
        state = state.pay(BANK, bundle.company, money).noting("sale", bundle.company, text)
        return trade.transfer(state, bundle, POOL)

    def redeem(self, state: State, bundle: Bundle, money: int) -> State:
        """Shares of the pool back to the treasury. The price stays."""
        return trade.transfer(state.pay(bundle.company, BANK, money), bundle, IPO)

    # --- emergency ---------------------------------------------------------------------------------------------

    def emergency_faces(self, state: State) -> tuple[int, int] | None:
        """The prices of the cheaper and the dearer face of the cheapest card on offer. Source: 1846 section 15."""
        cheapest = self.cheapest_bank_train(state)
        if cheapest is None:
            return None
        prices = [face.price for face in self.faces_for_sale(state, cheapest[0])]
        return min(prices), max(prices)

    def dearest_on_sale(self, state: State) -> int:
        """The highest price of any face on offer: what a president may raise money for. Source: 1846 section 15.4."""
        faces = [face.price for train in self.on_sale(state) for face in self.faces_for_sale(state, train)]
        return max(faces, default=0)

    def emergency_issues(self, state: State, company: Company) -> tuple[Issue, ...]:
        """The issues that a corporation without a train may make for one, by rising number. Source: 1846 section 15.2.

        Each of n shares pays the price n + 1 steps to the left. Where some lift the treasury to the cheaper face only
        those are allowed, up to the first that reaches the dearer one; else only the largest.
        """
        faces = self.emergency_faces(state)
        if (
            faces is None
            or company.trains
            or company.price is None
            or not self.decides(company)
            or state.round.turn.marks.get("emergency_issued")
            or company.cash >= faces[1]
        ):
            return ()
        possible = [
            Issue(number, number * self.steps_from(company, "left", number + 1))
            for number in range(1, self.most_issued(state, company) + 1)
        ]
        possible = [one for one in possible if one.money]
        reaching = [one for one in possible if company.cash + one.money >= faces[0]]
        if not reaching:
            return tuple(possible[-1:])
        for place, one in enumerate(reaching):
            if company.cash + one.money >= faces[1]:
                return tuple(reaching[: place + 1])
        return tuple(reaching)

    def issue_in_emergency(self, state: State, bundle: Bundle, issue: Issue) -> State:
        """The shares to the pool, the price as many steps to the left as shares. Source: 1846 section 15.2."""
        state = self.issue(state, bundle, issue.money)
        company = state.companies[bundle.company]
        assert company.price is not None
        state = state.because(f"emergency issue of {issue.number}")
        cell = self.facts.market.move(company.price, "left", issue.number)
        state = self.moving_price(state, bundle.company, cell)
        return state.with_turn(marks={**state.round.turn.marks, "emergency_issued": True})

    def must_buy_train(self, state: State, company: Company) -> bool:
        """In receivership nobody can be forced. Source: 1846 section 16."""
        return self.decides(company) and super().must_buy_train(state, company)

    def must_own_train_first(self, state: State, company: Company) -> bool:
        """After an emergency issue nothing is bought until there is a train. Source: 1846 section 3."""
        issued = bool(state.round.turn.marks.get("emergency_issued"))
        return issued and not any(train not in state.obsolete for train in company.trains)

    def president_helps(self, state: State, company: Company) -> bool:
        """Only if the treasury is short of the cheapest price after the issue that is due first. Source: 1846 section
        15.2 and 3."""
        return super().president_helps(state, company) and not self.emergency_issues(state, company)

    def raised_in_emergency(self, state: State) -> bool:
        """Whether shares were issued or sold for a train in this turn."""
        marks = state.round.turn.marks
        return bool(marks.get("emergency_issued") or marks.get("emergency_sold"))

    def may_be_traded(self, state: State, buyer: Company, seller: Company, train: str) -> bool:
        """Not from minors and corporations in receivership, and not after an emergency issue or sale in the turn.
        Source: 1846 section 14."""
        return (
            super().may_be_traded(state, buyer, seller, train)
            and not seller.receivership
            and not self.raised_in_emergency(state)
        )

    def company_offers(self, state: State, company: Company) -> Iterator[Offer]:
        return super().company_offers(state, company) if self.decides(company) else iter(())

    def discarded(self, state: State, train: str) -> State:
        """A card in the pool may be bought with either face again. Source: 1846 section 14."""
        faces = {one: face for one, face in state.faces.items() if one != train}
        return super().discarded(state.but(faces=faces), train)

    # --- dividends ---------------------------------------------------------------------------------------------

    def dividend_kinds(self, state: State, company: Company) -> tuple[str, ...]:
        return ("payout", "half", "withhold")

    def automatic_dividend(self, state: State, company: Company) -> str:
        """In receivership everything is withheld. Source: 1846 section 16."""
        return "withhold" if company.receivership else super().automatic_dividend(state, company)

    def receives_for(self, company: Company, holder: str) -> str | None:
        """Shares of the treasury pay the corporation, those of the pool nobody. Source: 1846 section 13."""
        return company.name if holder == IPO else None

    def price_after_dividend(self, state: State, company: Company, kind: str, revenue: int) -> Cell | None:
        """By the amount paid out against the price. Source: 1846 section 13, 1833NE section 10."""
        cell = company.price
        if cell is None:
            return None
        market, price = self.facts.market, state.price_of(company)
        paid = revenue - self.kept_of(state, company, kind, revenue)
        if paid >= 3 * price and price >= TRIPLE_FROM:
            return market.move(cell, "right", 3)
        if paid >= 2 * price:
            return market.move(cell, "right", 2)
        if paid >= price:
            return market.move(cell, "right")
        if paid >= price // 2:
            return cell
        return market.move(cell, "left", self.steps_down(state, company))

    def steps_down(self, state: State, company: Company) -> int:
        """How far the price falls without a sufficient dividend: in receivership without a train once more.
        Source: 1846 section 16."""
        return 2 if company.receivership and not company.trains else 1

    # --- receivership ------------------------------------------------------------------------------------------

    def settle_presidency(self, state: State, bundle: Bundle, to: str, before: str | None) -> State:
        """Also into receivership, where the president's certificate is left in the pool, and out of it, by whoever
        reaches its percentage first. Source: 1846 sections 6 and 16."""
        company = state.companies[bundle.company]
        if before is None:
            if company.receivership and to in state.players and company.percent_of(to) >= company.president_percent:
                return trade.pass_presidency(state, bundle, to, POOL, to)
            return state
        state = super().settle_presidency(state, bundle, to, before)
        company = state.companies[bundle.company]
        left = any(certificate.president for certificate in company.held(POOL))
        if left or company.receivership:
            company = company.but(president=None if left else company.president, receivership=left)
        return state.with_company(company)

    def sale_fault(self, state: State, bundle: Bundle) -> str:
        """Shares of a corporation in receivership cannot be sold. Source: 1846 section 6."""
        if state.companies[bundle.company].receivership:
            return f"{bundle.company} is in receivership; its shares cannot be sold"
        return super().sale_fault(state, bundle)

    # --- closing and end ---------------------------------------------------------------------------------------

    def check_end(self, state: State, *, round_over: bool = False) -> State:
        """A price of 0 closes the corporation at the end of the action. Source: 1846 sections 17 and 18."""
        if not state.over:
            for company in tuple(state.companies.values()):
                if company.price is not None and self.facts.market.allows(company.price, "closes"):
                    state = self.close_corporation(state, company.name)
            if self.all_closed(state):
                state = self.trigger_end(state, "all_closed")
        return super().check_end(state, round_over=round_over)

    def all_closed(self, state: State) -> bool:
        """Whether every corporation and private has closed."""
        return all(one.closed for one in state.companies.values()) and all(
            one.closed for one in state.privates.values()
        )

    def close_corporation(self, state: State, name: str) -> State:
        """Out of the game without payment, with tokens, reservations, trains and privates; the money goes to the bank.
        If it was operating its turn is over. Source: 1846 section 17."""
        state = self.lift_tokens(state, name)
        state = state.but(table=state.table.without_reservations(name))
        state = state.pay(name, BANK, state.companies[name].cash)
        for private in state.privates_of(name):
            state = self.close_private(state, private.name)
        state = state.with_company(
            state.companies[name].but(
                closed=True, floated=False, receivership=False, president=None, holdings={}, trains=(), price=None
            )
        ).noting("closing", name, f"{name} closes")
        operator = state.operator
        if operator is not None and operator.name == name:
            over = frozenset(step.key for step in state.kind.steps if not step.interrupts)
            state = state.with_turn(done=state.round.turn.done | over)
        return state

    def lift_tokens(self, state: State, name: str) -> State:
        """All tokens of a company off the map."""
        company = state.companies[name]
        for token in company.tokens:
            if token.at is not None:
                state = state.but(table=state.table.without_token(name, token.at))
        return state.with_company(company.but(tokens=tuple(token.but(at=None) for token in company.tokens)))
