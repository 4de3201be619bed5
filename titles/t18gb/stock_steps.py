"""A player's turn of a stock round of 18GB. Source: digest 18GB section 5."""

from __future__ import annotations

from collections.abc import Iterator

from board.errors import Fault
from rules import trade
from rules.actions import (
    Action,
    Actor,
    BuyShares,
    Choose,
    Par,
)
from rules.shares import IPO, POOL, Bundle
from rules.state import Company, State, StockRound
from rules.steps.stock_turn import StockTurn
from titles.t18gb.facts import (
    CONVERSION_DROP,
    CONVERT,
    MOST_FROM_IPO,
    rules_of,
)


def stock_sales(state: State, player: str) -> frozenset[str]:
    """The companies whose shares the player sold in this stock round."""
    return state.round.sold.get(player, frozenset()) if isinstance(state.round, StockRound) else frozenset()


class StockTurn18GB(StockTurn):
    """Sell, then buy; or convert a company and buy shares of it. Source: 18GB section 5."""

    handles = StockTurn.handles | {Choose}

    def further_offers(self, state: State, player: str) -> Iterator[type[Action]]:
        if next(self.convertible(state, player), None) is not None:
            yield Choose

    def convertible(self, state: State, player: str) -> Iterator[str]:
        """The companies that the player may convert: before anything else in the turn."""
        if not state.round.turn.acts:
            for name, company in state.companies.items():
                if rules_of(state).may_convert(state, player, company):
                    yield name

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        if Choose in self.offers(state, actor):
            for name in self.convertible(state, actor.name):
                yield Choose(by=actor, choice=f"{CONVERT}{name}")
        yield from super().legal(state, actor)

    def apply(self, state: State, action: Action) -> State:
        marks = state.round.turn.marks
        if "directed" not in marks:
            directed = frozenset(name for name, one in state.companies.items() if one.president == action.by.name)
            state = state.with_turn(marks={**marks, "directed": directed})
        if isinstance(action, Choose):
            return self.acted(self.convert(state, action), action)
        return super().apply(state, action)

    def convert(self, state: State, action: Choose) -> State:
        names = {f"{CONVERT}{name}": name for name in self.convertible(state, action.by.name)}
        name = names.get(action.choice)
        if name is None:
            raise state.violation("unknown-choice", f"the choices are {', '.join(names)}, not {action.choice!r}")
        state = rules_of(state).converted(state, name, CONVERSION_DROP)
        return state.with_turn(marks={**state.round.turn.marks, "converted": name})

    # --- buying ------------------------------------------------------------------------------------------------

    def buy_fault(self, state: State, player: str, bundle: Bundle) -> str:
        game, company = rules_of(state), state.companies[bundle.company]
        converted = game.converted_now(state)
        if converted is not None and converted != company.name:
            return f"after its conversion only shares of {converted} may be bought in this turn"
        if bundle.owner == IPO and not game.may_hold(state, player, company, bundle.percent, IPO):
            return f"the IPO sells nobody more than {MOST_FROM_IPO} % of {company.name}"
        if bundle.president is None or bundle.owner != POOL:
            return super().buy_fault(state, player, bundle)
        if reason := game.may_buy_now(state, player, company, POOL):
            return reason
        if reason := self.purchase_fault(state, player, company, POOL):
            return reason
        if len(company.held(player)) != 1:
            return f"the director's certificate of {company.name} goes to a player with exactly one certificate of it"
        if (cost := game.cost_of(state, player, bundle)) > state.players[player].cash:
            return f"the director's certificate of {company.name} costs {cost}"
        return ""

    def can_buy_any(self, state: State, player: str) -> bool:
        """The turn also waits for purchases that only the 60 % of the IPO, a conversion or LB forbid: recorded games
        pass there."""
        return any(
            self.affordable(state, player, company, source)
            for company in state.companies.values()
            if company.started and not company.closed
            for source in (IPO, POOL)
        ) or any(
            bundle.president is not None and not self.buy_fault(state, player, bundle)
            for company in state.companies.values()
            if company.receivership
            for bundle in self.candidates(state, company)
        )

    def affordable(self, state: State, player: str, company: Company, source: str) -> bool:
        """Time, money and the certificate limit would allow an ordinary share from there."""
        return (
            any(not one.president for one in company.held(source))
            and company.name not in stock_sales(state, player)
            and not self.purchase_fault(state, player, company, source)
            and self.room_for(state, player, company)
            and state.game.unit_price(state, company, source) <= state.players[player].cash
        )

    def buy(self, state: State, action: BuyShares) -> State:
        bundle = trade.bundle_of(state, action.shares, action.percent)
        if bundle.president is None:
            return super().buy(state, action)
        if fault := self.buy_fault(state, action.by.name, bundle):
            raise state.violation("illegal-purchase", fault)
        return rules_of(state).takes_over(state, action.by.name, bundle)

    def start_fault(self, state: State, player: str, company: str, cost: int) -> str:
        converted = rules_of(state).converted_now(state)
        if converted is not None:
            return f"after its conversion only shares of {converted} may be bought in this turn"
        return super().start_fault(state, player, company, cost)

    def accepts(self, state: State, action: Action) -> bool:
        """A record may start a company of tier 2 early; see :meth:`start`."""
        if state.lenient and isinstance(action, Par) and action.by.name == state.round.current:
            return not self.must_sell(state, action.by.name)
        return super().accepts(state, action)

    def start(self, state: State, action: Par) -> State:
        """The recording site does not hold tiers against a recorded start; where one is read it is noted."""
        company = state.companies.get(action.corporation)
        if state.lenient and company is not None and (reason := rules_of(state).tier_fault(state, company.name)):
            state = state.but(notices=(*state.notices, Fault("tier-2", reason)))
            state = state.with_company(company.with_mark("tier", 1))
        return super().start(state, action)

    def sale_time_fault(self, state: State, player: str, company: Company) -> str:
        if rules_of(state).converted_now(state) is not None:
            return "no sale after a conversion"
        return super().sale_time_fault(state, player, company)
