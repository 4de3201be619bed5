"""The rules of whole games of 1830. Source: digest 1830; what it does not name is as in COMMON."""

from __future__ import annotations

from rules.game import Game
from rules.rounds.base import RoundKind
from rules.rounds.opening import OpeningRound
from rules.rounds.operating import OperatingRounds
from rules.rounds.stock import StockRounds
from rules.shares import POOL
from rules.state import Company, State
from rules.steps.discard import DiscardTrains
from rules.steps.dividend import PayDividend
from rules.steps.pending_par import PendingPar
from rules.steps.privates import BuyPrivates, ExchangePrivate
from rules.steps.routes import Run
from rules.steps.stock_turn import StockTurn
from rules.steps.tokens import DistantToken, PendingTokens, PlaceOneToken
from rules.steps.track import LayByPrivate, LayTrack
from rules.steps.trains import BuyTrains, GoBankrupt
from rules.steps.waterfall import WaterfallAuction


class Game1830(Game):
    """1830."""

    def rounds(self) -> tuple[RoundKind, ...]:
        """Source: digest 1830, "Operating round"."""
        return (
            OpeningRound("Auction", (PendingPar(), WaterfallAuction())),
            StockRounds("Stock", (DiscardTrains(), ExchangePrivate(), StockTurn())),
            OperatingRounds(
                "Operating",
                (
                    GoBankrupt(),
                    ExchangePrivate(),
                    LayByPrivate(),
                    DistantToken(),
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

    def several_purchases(self, state: State, player: str, company: Company, source: str) -> int:
        """Brown cells: any number in a turn from the pool, by option also from the IPO. Source: digest 1830, "Stock
        round"."""
        if "multiple_brown_from_ipo" in self.options:
            source = POOL
        return super().several_purchases(state, player, company, source)
