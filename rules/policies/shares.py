"""What a title decides about shares: prices, limits, starting, floating, presidency, movement of prices."""

from __future__ import annotations

from collections.abc import Iterator

from rules import trade
from rules.facts import GameFacts
from rules.prices import Cell
from rules.shares import IPO, POOL, Bundle, Certificate
from rules.state import BANK, Company, State, StockRound


class ShareRules:
    """Defaults of most titles, driven by :class:`rules.facts.Settings`; a title overrides what differs."""

    facts: GameFacts
    seats: tuple[str, ...]

    # --- starting ----------------------------------------------------------------------------------------------

    def par_cells(self, state: State, company: str) -> tuple[Cell, ...]:
        """The cells at which the company may be started now."""
        kinds = self.par_kinds(state)
        wanted = self.par_values(state, company)
        return tuple(
            cell
            for cell in self.facts.market.of_kind(kinds)
            if wanted is None or self.facts.market.price(cell) in wanted
        )

    def par_kinds(self, state: State) -> tuple[str, ...]:
        """Kinds of cell that are par prices now."""
        return ("par",)

    def par_values(self, state: State, company: str) -> frozenset[int] | None:
        """The par prices open to this company; None: all printed ones."""
        return None

    def may_start(self, state: State, player: str, company: str) -> str:
        """Why the player may not start the company (empty: may), money and certificates apart."""
        found = state.companies[company]
        if found.started or found.closed or found.kind != "corporation":
            return f"{company} has been started already"
        if company in self.owed_starts(state):
            return f"the certificate of the president of {company} belongs to the buyer of a private"
        return ""

    def owed_starts(self, state: State) -> frozenset[str]:
        """Companies whose president's certificate comes with a private that is still unsold."""
        return frozenset(
            company
            for name, private in state.privates.items()
            if private.owner is None and not private.closed
            for ability in self.facts.privates[name].abilities
            if ability.kind == "grants_shares"
            for company, kind in ability.shares
            if kind == "president"
        )

    def start_cost(self, state: State, company: str, cell: Cell) -> int:
        """Par times the president's certificate in shares. Source: COMMON section 6.2."""
        found = state.companies[company]
        return self.facts.market.price(cell) * found.president_percent // found.unit

    def set_par(self, state: State, company: str, cell: Cell) -> State:
        """The marker put on its par price."""
        found = state.companies[company].but(par=self.facts.market.price(cell))
        return state.with_company(found).because("started").moving_price(company, cell)

    def after_start(self, state: State, player: str, company: str) -> State:
        """Whatever the start of a company brings beyond its certificate."""
        return state

    # --- floating ----------------------------------------------------------------------------------------------

    def check_float(self, state: State, company: str) -> State:
        """Float the company if enough has left the IPO. Source: COMMON section 2."""
        found = state.companies[company]
        if found.floated or not found.started or 100 - found.percent_of(IPO) < found.float_percent:
            return state
        return self.on_float(state.with_company(found.but(floated=True)), company)

    def on_float(self, state: State, company: str) -> State:
        """The capital paid in. Source: COMMON section 2, "Full capitalisation"."""
        if not self.facts.settings.incremental:
            state = state.pay(BANK, company, self.capital(state, company))
        return state

    def capital(self, state: State, company: str) -> int:
        found = state.companies[company]
        return found.total_shares * (found.par or 0)

    # --- prices and payments -----------------------------------------------------------------------------------

    def unit_price(self, state: State, company: Company, source: str) -> int:
        """What one share costs, from the IPO or elsewhere."""
        if source == IPO and not state.facts_of(company.name).ipo_at_market_price:
            return company.par or 0
        return state.price_of(company)

    def cost_of(self, state: State, buyer: str, bundle: Bundle) -> int:
        company = state.companies[bundle.company]
        return self.unit_price(state, company, bundle.owner) * bundle.percent // company.unit

    def paid_for(self, state: State, company: Company, source: str) -> str:
        """Who receives the money for a share: the treasury for its own stock under incremental capitalisation."""
        return company.name if self.facts.settings.incremental and source == IPO else BANK

    def sale_value(self, state: State, bundle: Bundle) -> int:
        company = state.companies[bundle.company]
        return state.price_of(company) * bundle.percent // company.unit

    def after_sale(self, state: State, bundle: Bundle, was_president: bool) -> State:
        """The movement of the price after a sale."""
        movement = self.facts.settings.sale_movement
        company = state.companies[bundle.company]
        if company.price is None:
            return state
        market = self.facts.market
        if movement == "down_share":
            cell = market.move(company.price, "down", bundle.percent // company.unit)
        elif movement == "left_block_pres":
            cell = market.move(company.price, "left") if was_president else company.price
        else:
            cell = company.price
        return self.moving_price(state, company.name, cell)

    def moving_price(self, state: State, company: str, cell: Cell) -> State:
        """The marker moved; the end of the game noted where the cell says so."""
        state = state.moving_price(company, cell)
        if "end_of_game" in self.facts.market.kinds(cell):
            state = state.game.trigger_end(state, "stock_market")
        return state

    # --- presidency --------------------------------------------------------------------------------------------

    def settle_presidency(self, state: State, bundle: Bundle, to: str, before: str | None) -> State:
        """A new president if somebody holds more than the present one. Source: COMMON section 3."""
        company = state.companies[bundle.company]
        if before is None:
            return state
        held = {player: company.percent_of(player) for player in state.players}
        if bundle.surplus:
            if bundle.owner in held:
                held[bundle.owner] += bundle.surplus
            if to in held:
                held[to] -= bundle.surplus
        most = max(held.values())
        if held.get(before, 0) == most:
            return state
        least = company.president_percent
        seats = state.seats_from(before)
        new = next((player for player in seats if held[player] == most and held[player] >= least), None)
        if new is None:
            return self.no_president(state, bundle, to, before)
        return trade.pass_presidency(state, bundle, to, before, new)

    def no_president(self, state: State, bundle: Bundle, to: str, before: str) -> State:
        """Nobody qualifies as president: nothing changes (titles with receivership override)."""
        return state

    # --- limits ------------------------------------------------------------------------------------------------

    def certificate_limit(self, state: State, player: str) -> int:
        """One number, or by the corporations still in the game: that of the smallest listed number not below them."""
        limits = self.facts.settings.certificate_limits
        if not limits:
            return self.facts.settings.certificate_limit
        left = sum(not company.closed for company in state.companies.values() if company.kind == "corporation")
        return limits[min((number for number in limits if number >= left), default=max(limits))]

    def certificates_of(self, state: State, player: str) -> int:
        """How many certificates count against the limit. Source: COMMON section 2, "Certificate limit"."""
        key = ("certificates", player)
        known: int | None = state.memo.get(key)
        if known is not None:
            return known
        number = sum(
            len(company.held(player))
            for company in state.companies.values()
            if player in company.holdings and self.counts_as_certificates(state, company)
        )
        if self.facts.settings.privates_count_as_certificates:
            number += len(state.privates_of(player))
        state.memo[key] = number
        return number

    def counts_as_certificates(self, state: State, company: Company) -> bool:
        return company.price is None or not self.facts.market.allows(company.price, "no_certificate_limit")

    def no_holding_limit(self, state: State, company: Company) -> bool:
        return company.price is not None and self.facts.market.allows(company.price, "no_holding_limit")

    def may_hold(self, state: State, player: str, company: Company, more: int, source: str) -> bool:
        """Whether the holding may grow by *more* percent. Source: COMMON section 6.2, "Holding limit"."""
        limit = state.facts_of(company.name).holding_limit
        return company.percent_of(player) + more <= limit or self.no_holding_limit(state, company)

    def above_holding_limit(self, state: State, player: str) -> bool:
        """Whether the player must sell down a holding. Source: title digest."""
        return self.facts.settings.must_sell_above_holding_limit and any(
            not self.may_hold(state, player, company, 0, POOL)
            for company in state.companies.values()
            if player in company.holdings
        )

    def pool_limit(self, state: State, company: Company) -> int:
        """Most percent of the company that the pool may hold."""
        return self.facts.settings.pool_limit

    def several_purchases(self, state: State, player: str, company: Company, source: str) -> int:
        """How many certificates of the company the player may buy in one turn, from this source."""
        if company.price is None:
            return 1
        market = self.facts.market
        if market.allows(company.price, "many_purchases"):
            return 99
        if source == POOL and market.allows(company.price, "many_purchases_from_pool"):
            return 99
        if company.president == player and market.allows(company.price, "president_buys_two"):
            return 2
        return 1

    # --- buying and selling ------------------------------------------------------------------------------------

    def may_sell_now(self, state: State, player: str, company: Company) -> str:
        """Why the player may not sell shares of the company at this time (empty: may)."""
        earliest = self.facts.settings.earliest_sale
        if earliest == "first" and isinstance(state.round, StockRound) and state.turn_number == 1:
            return "no shares may be sold in the first stock round"
        if earliest == "p_any_operate" and company.president != player and not company.operated:
            return f"only its president may sell shares of {company.name} before it has operated"
        return ""

    def may_buy_now(self, state: State, player: str, company: Company, source: str) -> str:
        """Why the player may not buy a share of the company at this time (empty: may)."""
        if isinstance(state.round, StockRound) and company.name in state.round.sold.get(player, ()):
            return f"{state.called(player)} sold shares of {company.name} in this round"
        return ""

    def bundles(self, state: State, owner: str, company: Company) -> Iterator[Bundle]:
        """Every bundle of the company that the owner could form, small ones first: ordinary shares in order, then the
        president's certificate, whole or (where change can be given) in part."""
        held = company.held(owner)
        ordinary = sorted((one for one in held if not one.president), key=lambda one: (one.percent, one.number))
        president = next((one for one in held if one.president), None)
        for number in range(1, len(ordinary) + 1):
            yield self._bundle(company, owner, ordinary[:number])
        if president is not None:
            for kept in range(president.percent // company.unit - 1, 0, -1):
                certificates = [*ordinary, president]
                total = sum(one.percent for one in certificates)
                yield Bundle(company.name, owner, tuple(certificates), total - kept * company.unit)
            yield self._bundle(company, owner, [*ordinary, president])

    def _bundle(self, company: Company, owner: str, certificates: list[Certificate]) -> Bundle:
        return Bundle(company.name, owner, tuple(certificates), sum(one.percent for one in certificates))

    def sale_fault(self, state: State, bundle: Bundle) -> str:
        """Why the bundle may not be sold to the pool, time apart (empty: may). Source: COMMON sections 3.4 and 6.2."""
        company = state.companies[bundle.company]
        if company.percent_of(POOL) + bundle.percent > self.pool_limit(state, company):
            return (
                f"the pool would hold {company.percent_of(POOL) + bundle.percent} % of {company.name}; "
                f"at most {self.pool_limit(state, company)} % is allowed"
            )
        if bundle.president is not None and not self.may_give_up_presidency(state, bundle):
            return f"nobody else holds the {company.president_percent} % of {company.name} that a president needs"
        return ""

    def may_give_up_presidency(self, state: State, bundle: Bundle) -> bool:
        """Whether a bundle with (part of) the president's certificate may be sold. Source: COMMON section 3.4."""
        company = state.companies[bundle.company]
        return any(
            company.percent_of(player) >= company.president_percent
            for player in state.players
            if player != bundle.owner
        )

    def sellable(self, state: State, owner: str, company: Company) -> tuple[Bundle, ...]:
        """The bundles that the owner may sell to the pool, time apart."""
        if company.price is None or not company.held(owner):
            return ()
        return tuple(bundle for bundle in self.bundles(state, owner, company) if not self.sale_fault(state, bundle))

    # --- end of a stock round ----------------------------------------------------------------------------------

    def end_of_stock_round(self, state: State) -> State:
        """Prices move, company by company in operating order. Source: COMMON section 6.2."""
        for company in state.game.operating_order(state):
            state = self.price_at_end_of_stock_round(state, company)
        return state

    def price_at_end_of_stock_round(self, state: State, name: str) -> State:
        company = state.companies[name]
        if company.price is None:
            return state
        settings, market = self.facts.settings, self.facts.market
        if settings.sold_out_rises and self.sold_out(state, company):
            state = state.because("sold out at the end of the stock round: players hold all of it")
            return self.moving_price(state, name, market.move(company.price, "up", self.sold_out_steps(state, company)))
        if company.percent_of(POOL):
            state = state.because(f"{company.percent_of(POOL)} % in the pool at the end of the stock round")
            if settings.pool_drop == "down_block":
                return self.moving_price(state, name, market.step(company.price, "down"))
            if settings.pool_drop == "left_block":
                return self.moving_price(state, name, market.step(company.price, "left"))
        return state

    def sold_out(self, state: State, company: Company) -> bool:
        """Whether players hold all of it."""
        return sum(company.percent_of(player) for player in state.players) == 100

    def sold_out_steps(self, state: State, company: Company) -> int:
        return 1

    def next_players(self, state: State) -> tuple[str, ...]:
        """The order of players for the next stock round. Source: COMMON section 6.2, "Next order"."""
        order = state.order
        if isinstance(state.round, StockRound) and self.facts.settings.next_order == "first_to_pass":
            return state.round.passed or order
        here = state.round.current
        if here is None or here not in order:
            return order
        place = order.index(here)
        return (*order[place:], *order[:place])
