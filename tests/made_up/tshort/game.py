"""The rules of whole games of Shortline: the usual ones, but that revenue may also be paid by half."""

from __future__ import annotations

from rules.game import Game
from rules.prices import Cell
from rules.rounds.base import RoundKind
from rules.rounds.opening import OpeningRound
from rules.rounds.operating import OperatingRounds
from rules.rounds.stock import StockRounds
from rules.state import Company, State
from rules.steps.discard import DiscardTrains
from rules.steps.dividend import PayDividend
from rules.steps.privates import BuyPrivates
from rules.steps.routes import Run
from rules.steps.stock_turn import StockTurn
from rules.steps.tokens import PendingTokens, PlaceOneToken
from rules.steps.track import LayTrack
from rules.steps.trains import BuyTrains, GoBankrupt
from rules.steps.waterfall import WaterfallAuction


class GameShort(Game):
    """Shortline."""

    def rounds(self) -> tuple[RoundKind, ...]:
        return (
            OpeningRound("Auction", (WaterfallAuction(),)),
            StockRounds("Stock", (DiscardTrains(), StockTurn())),
            OperatingRounds(
                "Operating",
                (
                    GoBankrupt(),
                    BuyPrivates(blocks=False),
                    PendingTokens(),
                    LayTrack(),
                    PlaceOneToken(),
                    Run(),
                    PayDividend(),
                    DiscardTrains(),
                    BuyTrains(),
                    BuyPrivates(),
                ),
            ),
        )

    def opening(self) -> State:
        """Source: option long_bank."""
        state = super().opening()
        return state.but(bank=(state.bank or 0) + 2500) if "long_bank" in self.options else state

    def dividend_kinds(self, state: State, company: Company) -> tuple[str, ...]:
        return ("payout", "half", "withhold")

    def price_after_dividend(self, state: State, company: Company, kind: str, revenue: int) -> Cell | None:
        """Half a dividend leaves the price as it is."""
        if kind == "half" and revenue:
            return company.price
        return super().price_after_dividend(state, company, kind, revenue)
