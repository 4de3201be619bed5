"""The rules of whole games of 18GB. Source: digest 18GB; what it does not name is as in COMMON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from board.hexes import StopId
from rules.facts import GameFacts
from rules.policies.trains import Offer
from rules.prices import Cell
from rules.randomness import Draws
from rules.rounds.base import RoundKind
from rules.rounds.opening import OpeningRound
from rules.rounds.operating import OperatingRounds
from rules.rounds.stock import StockRounds
from rules.shares import IPO
from rules.state import BANK, Company, State
from rules.steps.discard import DiscardTrains
from titles.t18gb.auction import SimultaneousAuction
from titles.t18gb.companies import Companies18GB
from titles.t18gb.facts import (
    ENDS_WITH_LAST_TRAIN_ON_SALE,
    LAST_TRAINS,
    OBSOLETE_ONCE_MORE,
    OPENED,
)
from titles.t18gb.operating_steps import (
    BuyConvertedShare,
    BuyTrains18GB,
    PayDividend18GB,
    RunOrLease,
    TrackAndToken18GB,
)
from titles.t18gb.private_steps import CloseByOwner, LayByClosedPrivate, TokenByClosedPrivate
from titles.t18gb.stock_steps import StockTurn18GB
from titles.t18gb.track import Track18GB


def _names(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, (list, tuple)) else ()


class Game18GB(Track18GB, Companies18GB):
    """18GB."""

    @staticmethod
    def facts_under(facts: GameFacts, options: frozenset[str]) -> GameFacts:
        """With an option trains grow obsolete where they would rust."""
        if OBSOLETE_ONCE_MORE not in options:
            return facts
        trains = {
            name: replace(train, rusts_on=None, obsolete_on=train.rusts_on) for name, train in facts.trains.items()
        }
        return replace(facts, trains=trains)

    def rounds(self) -> tuple[RoundKind, ...]:
        """Source: 18GB section 6; excess trains of an earlier turn are given up after the dividend."""
        return (
            OpeningRound("Auction", (SimultaneousAuction(),)),
            StockRounds("Stock", (CloseByOwner(), DiscardTrains(), StockTurn18GB())),
            OperatingRounds(
                "Operating",
                (
                    CloseByOwner(),
                    LayByClosedPrivate(),
                    TokenByClosedPrivate(),
                    TrackAndToken18GB(),
                    RunOrLease(),
                    PayDividend18GB(),
                    DiscardTrains(),
                    BuyTrains18GB(),
                    BuyConvertedShare(),
                ),
            ),
        )

    # --- set-up ------------------------------------------------------------------------------------------------------

    @property
    def scenario(self) -> Mapping[str, object]:
        found = self.facts.setup["scenario"]
        assert isinstance(found, Mapping)
        return found

    def set_up(self, state: State, draws: Draws) -> State:
        """The drawn corporation, tiers, home tokens; nothing is kept for who is not in play. Source: 18GB section 1."""
        candidates = _names(self.scenario.get("one_drawn_from"))
        drawn = draws.shuffled(candidates)[:1]
        in_play = {*_names(self.scenario.get("corporations")), *drawn}
        names = [name for name in self.facts.corporations if name in in_play]
        state = state.but(companies={name: state.companies[name] for name in names})
        table = state.table
        kept = {one.company for places in table.kept.values() for one in places}
        for name in sorted(kept - {*names, *state.privates}):
            table = table.without_reservations(name)
        state = state.but(table=table)
        second = [name for name in draws.shuffled(names) if name != OPENED]
        number = self.scenario.get("tier_2_count")
        for name in second[: number if isinstance(number, int) else 0]:
            state = state.with_company(state.companies[name].with_mark("tier", 2))
        for name in names:
            for home in self.homes(state, name):
                state = self.put_token(state, name, StopId.of(home.hex, home.city or "c0"))
        return state

    def order_after_opening(self, state: State) -> tuple[str, ...]:
        """Who has least money starts; among equals who has more privates; then seats. Source: 18GB section 2."""
        return tuple(
            sorted(self.seats, key=lambda player: (state.players[player].cash, -len(state.privates_of(player))))
        )

    # --- dividends ---------------------------------------------------------------------------------------------------

    def dividend_kinds(self, state: State, company: Company) -> tuple[str, ...]:
        """Insolvent companies and those in receivership withhold. Source: 18GB section 9."""
        if self.insolvent(company) or company.receivership:
            return ("withhold",)
        return super().dividend_kinds(state, company)

    def receives_for(self, company: Company, holder: str) -> str | None:
        """The IPO's shares pay the company, the pool's nobody. Source: 18GB section 9."""
        return company.name if holder in (IPO, company.name) else None

    def price_after_dividend(self, state: State, company: Company, kind: str, revenue: int) -> Cell | None:
        """A step for each time that the payout covers the price, one to four. Source: 18GB section 9."""
        if company.price is None:
            return None
        paid = revenue - self.kept_of(state, company, kind, revenue)
        if paid <= 0:
            return self.facts.market.step(company.price, "left")
        return self.facts.market.move(company.price, "right", max(1, min(4, paid // state.price_of(company))))

    # --- trains ------------------------------------------------------------------------------------------------------

    def company_offers(self, state: State, company: Company) -> Iterator[Offer]:
        """None while a purchase from the bank is due after an emergency conversion. Source: 18GB section 9."""
        if self.converted_now(state) == company.name and self.must_buy_train(state, company):
            return iter(())
        return super().company_offers(state, company)

    def may_be_traded(self, state: State, buyer: Company, seller: Company, train: str) -> bool:
        """Not from receivership; not the last one of another company by a company with a train. Source: 18GB 9."""
        return not seller.receivership and (len(seller.trains) > 1 or not buyer.trains)

    def must_buy_train(self, state: State, company: Company) -> bool:
        """Without a train, and rich enough for the dearest that the bank offers. Source: 18GB section 9."""
        prices = [state.train_facts(train).price for train in self.on_sale(state)]
        return not company.trains and bool(prices) and company.cash >= max(prices)

    def president_helps(self, state: State, company: Company) -> bool:
        """No player ever adds money. Source: 18GB section 9."""
        return False

    def after_train_purchase(self, state: State, company: str, train: str, seller: str) -> State:
        """Notes that the bank sold a train in this round: nothing is exported then. Source: 18GB section 6."""
        if seller == BANK:
            state = state.with_round(marks={**state.round.marks, "bank_sold": True})
        return super().after_train_purchase(state, company, train, seller)

    def after_operating_round(self, state: State) -> State:
        """The export, the last tokens, the last train. Source: 18GB section 6."""
        if not state.round.marks.get("bank_sold") and state.depot.upcoming:
            train = state.depot.upcoming[0]
            state = self.taken_from_depot(state, train)
            state = self.bought_from_bank(state, state.face_of(train))
        left = len(state.depot.upcoming)
        if left <= (1 if ENDS_WITH_LAST_TRAIN_ON_SALE in self.options else 0):
            return self.trigger_end(state, "final_train")
        return state.with_mark("no_more_tokens", True) if left <= LAST_TRAINS else state
