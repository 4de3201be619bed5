"""The rules of whole games of 1828. Source: digest 1828; what it does not name is as in COMMON."""

from __future__ import annotations

from rules.rounds.base import RoundKind
from rules.rounds.opening import OpeningRound
from rules.rounds.operating import OperatingRounds
from rules.rounds.stock import StockRounds
from rules.steps.pending_par import PendingPar
from rules.steps.privates import BuyPrivates
from rules.steps.routes import Run
from rules.steps.tokens import DistantToken, PendingTokens
from rules.steps.track import LayTrack
from titles.t1828.auction import RowAuction
from titles.t1828.merger_steps import AcknowledgeFailure, ChooseInMerger, RemoveSystemToken, SelectPartner
from titles.t1828.policies import Rules1828
from titles.t1828.steps import (
    Bankruptcy1828,
    BuyCoalMarker,
    BuyTrains1828,
    DiscardOfShell,
    ExchangeMohawk,
    LayByPrivate1828,
    LayBySold,
    ParAfterExchange,
    PayDividend1828,
    StockTurn1828,
    SwapTrains,
    Token1828,
    TokenOfSold,
)


class Game1828(Rules1828):
    """1828."""

    def rounds(self) -> tuple[RoundKind, ...]:
        """Source: 1828 sections 2 to 4."""
        return (
            OpeningRound("Auction", (PendingPar(), RowAuction())),
            StockRounds(
                "Stock",
                (
                    DiscardOfShell(),
                    RemoveSystemToken(),
                    SelectPartner(),
                    ChooseInMerger(),
                    AcknowledgeFailure(),
                    ParAfterExchange(),
                    ExchangeMohawk(),
                    StockTurn1828(),
                ),
            ),
            OperatingRounds(
                "Operating",
                (
                    Bankruptcy1828(),
                    ParAfterExchange(),
                    ExchangeMohawk(),
                    DiscardOfShell(),
                    PendingTokens(),
                    LayBySold(),
                    TokenOfSold(),
                    LayByPrivate1828(),
                    DistantToken(),
                    BuyCoalMarker(),
                    BuyPrivates(blocks=False),
                    LayTrack(),
                    Token1828(),
                    Run(),
                    PayDividend1828(),
                    SwapTrains(),
                    BuyTrains1828(),
                    BuyPrivates(),
                ),
            ),
        )
