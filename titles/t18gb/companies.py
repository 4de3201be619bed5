"""Companies of 18GB: conversion, starting, shares, presidency, insolvency. Source: digest 18GB sections 4, 5 and 9."""

from __future__ import annotations

from rules import trade
from rules.game import Game
from rules.prices import Cell
from rules.shares import IPO, POOL, Bundle, Certificate, moved
from rules.state import BANK, Company, State, Token
from titles.t18gb.facts import (
    FIFTH,
    MOST_FROM_IPO,
    ONLY_UNSTARTED_CHANGE,
    OPENED,
    OPENER,
    SCORE_WITHOUT_PRIVATES,
    TENTH,
)


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(one for one in value if isinstance(one, int)) if isinstance(value, (list, tuple)) else ()


class Companies18GB(Game):
    """What is exceptional about companies and their shares."""

    # --- kinds of company --------------------------------------------------------------------------------------------

    def converted(self, state: State, name: str, drop: int) -> State:
        """A 5-share company becomes a 10-share company. Source: 18GB sections 5, 9 and 10.

        Of a company that has floated the new shares go to the pool, the price falls and the bank pays five times the
        new price; of another one they join the IPO.
        """
        company, facts = state.companies[name], state.facts_of(name)
        holdings = {
            holder: tuple(one._replace(percent=one.percent // 2) for one in certificates)
            for holder, certificates in company.holdings.items()
        }
        number = sum(len(certificates) for certificates in holdings.values())
        percents = _numbers(facts.details.get("shares_after_conversion"))
        fresh = tuple(Certificate(place, percents[place]) for place in range(number, len(percents)))
        target = POOL if company.floated else IPO
        holdings[target] = (*holdings.get(target, ()), *fresh)
        tokens = tuple(Token(price) for price in _numbers(facts.details.get("tokens_added_on_conversion")))
        state = state.with_company(company.but(holdings=holdings, unit=TENTH, tokens=(*company.tokens, *tokens)))
        if not company.floated or company.price is None:
            return state
        cell = self.facts.market.move(company.price, "left", drop)
        state = self.moving_price(state.because(f"{name} becomes a 10-share company"), name, cell)
        return state.pay(BANK, name, len(fresh) * state.price_of(state.companies[name]))

    def may_convert(self, state: State, player: str, company: Company) -> bool:
        """Whether the player may convert it as the start of a stock turn. Source: 18GB section 5."""
        return (
            company.president == player
            and company.unit == FIFTH
            and company.floated
            and company.operated
            and not company.closed
        )

    def may_convert_in_emergency(self, state: State, company: Company) -> bool:
        """A 5-share company without a train that cannot pay for the cheapest one. Source: 18GB section 9."""
        cheapest = self.cheapest_bank_train(state)
        return (
            company.unit == FIFTH and not company.trains and cheapest is not None and company.cash < cheapest[1]
        )  # fmt: skip

    def converted_now(self, state: State) -> str | None:
        """The company converted in this turn."""
        found = state.round.turn.marks.get("converted")
        return found if isinstance(found, str) else None

    def train_limit(self, state: State, company: Company) -> int:
        limit = state.phase.train_limit
        if isinstance(limit, dict):
            return limit["5-share" if company.unit == FIFTH else "10-share"]
        return super().train_limit(state, company)

    def event(self, state: State, name: str, train: str) -> State:
        """What happens to companies that have not floated. Source: 18GB sections 4 and 10."""
        if name == "unfloated_need_60_percent":
            for company in state.companies.values():
                if not company.floated:
                    state = state.with_company(company.but(float_percent=60))
        elif name == "unfloated_become_10_share":
            for company in tuple(state.companies.values()):
                if self.concerned(company) and company.unit == FIFTH:
                    state = self.converted(state.with_company(company.but(float_percent=60)), company.name, 0)
        elif name == "remove_unfloated":
            for company in tuple(state.companies.values()):
                if self.concerned(company):
                    state = self.removed(state, company, train)
        else:
            return super().event(state, name, train)
        return state

    def concerned(self, company: Company) -> bool:
        """Whether the events for companies that have not floated concern it: by option only those not started.
        Source: 18GB, "Where the sources differ" 17."""
        if company.closed or company.floated:
            return False
        return not company.started or ONLY_UNSTARTED_CHANGE not in self.options

    def removed(self, state: State, company: Company, train: str) -> State:
        """The company out of the game, and a train of this kind with it; its home token stays and blocks."""
        state = state.with_company(company.but(closed=True, holdings={}, president=None, receivership=False))
        last = next((one for one in reversed(state.depot.upcoming) if one.rpartition("-")[0] == train), None)
        return self.taken_from_depot(state, last) if last is not None else state

    # --- starting and floating ---------------------------------------------------------------------------------------

    def may_start(self, state: State, player: str, company: str) -> str:
        """Tier 2 waits for the second stock round; LNWR belongs to the owner of LB. Source: 18GB sections 1 and 3."""
        if reason := super().may_start(state, player, company):
            return reason
        return self.tier_fault(state, company) or self.opener_fault(state, player, company)

    def tier_fault(self, state: State, company: str) -> str:
        """Why the tier of the company stands in the way of starting it. Source: 18GB section 1."""
        if state.companies[company].marks.get("tier") == 2 and state.turn_number < 2:
            return f"{company} is of tier 2 and may be started from the second stock round"
        return ""

    def opener_fault(self, state: State, player: str, company: str) -> str:
        """Why LB stands in the way of starting the company or buying shares of it. Source: 18GB section 3, LB."""
        opened, opener = state.companies.get(OPENED), state.privates.get(OPENER)
        if opened is None or opener is None or opened.started or opened.closed or opener.owner is None:
            return ""
        if company == OPENED and opener.owner != player:
            return f"only {state.called(opener.owner)}, who owns {OPENER}, may start {OPENED}"
        if company != OPENED and opener.owner == player:
            return f"who owns {OPENER} starts {OPENED} before buying shares of another company"
        return ""

    def on_float(self, state: State, company: str) -> State:
        """A 10-share company puts the rest of the IPO into the pool. Source: 18GB section 4."""
        state = super().on_float(state, company)
        found = state.companies[company]
        if found.unit == TENTH and found.held(IPO):
            holdings = moved(found.holdings, found.held(IPO), IPO, POOL)
            state = state.with_company(found.but(holdings=holdings))
        return state

    def moving_price(self, state: State, company: str, cell: Cell) -> State:
        """There is no fixed IPO price: the price of the IPO moves with the marker. Source: 18GB section 4."""
        state = super().moving_price(state, company, cell)
        found = state.companies[company]
        if found.started:
            state = state.with_company(found.but(par=state.price_of(found)))
        return state

    # --- shares ------------------------------------------------------------------------------------------------------

    def may_hold(self, state: State, player: str, company: Company, more: int, source: str) -> bool:
        """60 % from the IPO, without limit from the pool. Source: 18GB section 4."""
        return source != IPO or company.percent_of(player) + more <= MOST_FROM_IPO

    def several_purchases(self, state: State, player: str, company: Company, source: str) -> int:
        """Two for who was director when the turn began. Source: 18GB section 5."""
        directed = state.round.turn.marks.get("directed")
        if isinstance(directed, frozenset) and company.name not in directed:
            return 1
        return super().several_purchases(state, player, company, source)

    def may_buy_now(self, state: State, player: str, company: Company, source: str) -> str:
        return super().may_buy_now(state, player, company, source) or self.opener_fault(state, player, company.name)

    def cost_of(self, state: State, buyer: str, bundle: Bundle) -> int:
        """The director's certificate from the pool costs one share: another one is given for it. Source: 18GB 5."""
        company = state.companies[bundle.company]
        if bundle.president is not None and bundle.owner == POOL:
            return self.unit_price(state, company, POOL)
        return super().cost_of(state, buyer, bundle)

    def sale_value(self, state: State, bundle: Bundle) -> int:
        """Half price, rounded down for each share, without a train. Source: 18GB section 5, "Half value"."""
        company = state.companies[bundle.company]
        if company.trains:
            return super().sale_value(state, bundle)
        return state.price_of(company) // 2 * (bundle.percent // company.unit)

    def holding_value(self, state: State, player: str, company: Company) -> int:
        """Half price, rounded down for each certificate, without a train. Source: 18GB section 11."""
        if company.trains:
            return super().holding_value(state, player, company)
        price = state.price_of(company)
        return sum(price * one.percent // company.unit // 2 for one in company.held(player))

    def value_of(self, state: State, player: str) -> int:
        """Open privates count at their face value; by option they do not. Source: 18GB section 11."""
        value = super().value_of(state, player)
        if SCORE_WITHOUT_PRIVATES in self.options:
            value -= sum(private.value for private in state.privates_of(player))
        return value

    def after_sale(self, state: State, bundle: Bundle, was_president: bool) -> State:
        """With gray tiles only sales by the director lower the price. Source: 18GB section 5."""
        if "only_president_sales_lower_the_price" in state.phase.status and not was_president:
            return state
        return super().after_sale(state, bundle, was_president)

    def may_give_up_presidency(self, state: State, bundle: Bundle) -> bool:
        """The whole director's certificate always; part of it if change can be given, from ordinary shares in the pool
        or by another player with more than 10 %. Source: 18GB section 5."""
        if not bundle.surplus:
            return True
        company = state.companies[bundle.company]
        needed = bundle.surplus // company.unit
        if sum(not one.president for one in company.held(POOL)) >= needed:
            return True
        others = [player for player in state.players if player != bundle.owner]
        if any(company.percent_of(player) >= company.president_percent for player in others):
            return True
        change = sum(not one.president for one in bundle.certificates)
        return change >= needed and any(company.percent_of(player) > 10 for player in others)

    def settle_presidency(self, state: State, bundle: Bundle, to: str, before: str | None) -> State:
        """As usual; the director's certificate in the pool and nobody to take it is receivership, which ends when
        a player holds enough. Source: 18GB section 5."""
        company = state.companies[bundle.company]
        held = {player: company.percent_of(player) for player in state.players}
        if bundle.surplus and bundle.owner in held:
            held[bundle.owner] += bundle.surplus
        most = max(held.values())
        if bundle.president is not None and to == POOL and most < company.president_percent:
            return self.no_president(state, bundle, to, before or "")
        if company.receivership and before is None:
            if to in held and held[to] == most >= company.president_percent:
                return trade.pass_presidency(state, bundle, to, POOL, to)
            return state
        return super().settle_presidency(state, bundle, to, before)

    def no_president(self, state: State, bundle: Bundle, to: str, before: str) -> State:
        """Receivership; without a train and the money for one the company is insolvent at once. Source: 18GB 9."""
        company = state.companies[bundle.company]
        if to != POOL or bundle.president is None:
            return state
        state = state.with_company(company.but(president=None, receivership=True))
        return self.insolvent_at_once(state, company.name)

    def takes_over(self, state: State, player: str, bundle: Bundle) -> State:
        """The director's certificate bought from the pool by a player with one certificate, who pays for one share and
        gives that certificate. Source: 18GB section 5."""
        given = state.companies[bundle.company].held(player)
        state = trade.buy(state, player, bundle)
        company = state.companies[bundle.company]
        holdings = moved(company.holdings, given, player, POOL)
        return state.with_company(company.but(holdings=holdings, president=player, receivership=False))

    # --- insolvency --------------------------------------------------------------------------------------------------

    def insolvent(self, company: Company) -> bool:
        """Whether the company ended its last turn without a train. Source: 18GB section 9."""
        return bool(company.marks.get("insolvent"))

    def insolvent_at_once(self, state: State, name: str) -> State:
        """A company in receivership without a train and without the money for one. Source: 18GB section 9."""
        company, cheapest = state.companies[name], self.cheapest_bank_train(state)
        if company.receivership and company.floated and not company.trains and cheapest and company.cash < cheapest[1]:
            return state.with_company(company.with_mark("insolvent", True))
        return state

    def before_operating_turn(self, state: State, company: str) -> State:
        return self.insolvent_at_once(state, company)

    def after_operating_turn(self, state: State, company: str) -> State:
        """Insolvent is who ends a turn without a train. Source: 18GB section 9."""
        found = state.companies[company]
        if self.insolvent(found) != (not found.trains):
            state = state.with_company(found.with_mark("insolvent", not found.trains))
        return state

    def may_lay_track(self, state: State, company: Company) -> bool:
        return not self.insolvent(company) and not company.receivership

    def may_place_tokens(self, state: State, company: Company) -> bool:
        """Not while insolvent or in receivership, and not with the last trains. Source: 18GB section 6."""
        return self.may_lay_track(state, company) and not state.marks.get("no_more_tokens")

    def runnable(self, state: State, company: Company) -> tuple[str, ...]:
        """An insolvent company runs the cheapest train of the bank, if there is one. Source: 18GB section 9."""
        if not company.trains and self.insolvent(company):
            cheapest = self.cheapest_bank_train(state)
            return (cheapest[0],) if cheapest is not None else ()
        return super().runnable(state, company)
