"""What players and companies do, as values. Recorded games are read into these; every one prints as one line.

The field's words: ``by`` is who acts. Source: formats/18xx-games-json section 4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from board.hexes import HexId
from rules.prices import Cell


class Actor(NamedTuple):
    """Who acts: ``kind`` is player, corporation, private, minor or system."""

    kind: str
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, kw_only=True)
class Action:
    """Anything done. ``id`` is the number in a recorded game."""

    by: Actor
    id: int | None = field(default=None, compare=False)

    @property
    def verb(self) -> str:
        """The recorded name of the action: ``lay_tile``."""
        return VERBS[type(self)]


@dataclass(frozen=True, kw_only=True)
class Bid(Action):
    private: str
    price: int


@dataclass(frozen=True, kw_only=True)
class Pass(Action):
    pass


@dataclass(frozen=True, kw_only=True)
class Par(Action):
    """``price`` is what a record says of the cell, where it says so."""

    corporation: str
    cell: Cell
    price: int | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True)
class BuyShares(Action):
    """``shares`` are certificate ids (``PRR_3``); ``percent`` smaller than their sum buys part of a president's
    certificate (0: not told, all of them); ``price`` is the price of each share where it is not the normal one."""

    shares: tuple[str, ...]
    percent: int
    price: int | None = None


@dataclass(frozen=True, kw_only=True)
class SellShares(Action):
    shares: tuple[str, ...]
    percent: int
    price: int | None = None


@dataclass(frozen=True, kw_only=True)
class LayTile(Action):
    hex: HexId
    tile: str
    copy: int
    rotation: int


@dataclass(frozen=True, kw_only=True)
class PlaceToken(Action):
    """``tile`` and ``part`` name the city as records do: what lies there now, and the number of the part on it.

    ``token_of``: the company whose token it is, where another one decides.
    """

    tile: str
    part: int
    slot: int | None = None
    token_of: str | None = None


@dataclass(frozen=True, kw_only=True)
class RemoveToken(Action):
    tile: str
    part: int
    slot: int | None = None


@dataclass(frozen=True)
class RecordedRoute:
    """One train's run as a record tells it: hexes of each hop, and where told the stops and the money."""

    train: str
    connections: tuple[tuple[str, ...], ...] = ()
    nodes: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    revenue: int | None = None
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class RunRoutes(Action):
    routes: tuple[RecordedRoute, ...] = ()
    extra_revenue: int = 0
    subsidy: int = 0


@dataclass(frozen=True, kw_only=True)
class Dividend(Action):
    """``kind`` is payout, withhold or half."""

    kind: str


@dataclass(frozen=True, kw_only=True)
class BuyTrain(Action):
    """``price`` is the full price paid; ``face`` the side bought; ``exchange`` the train traded in; ``shell`` the part
    of a system that takes it."""

    train: str
    price: int
    face: str | None = None
    exchange: str | None = None
    shell: str | None = None


@dataclass(frozen=True, kw_only=True)
class BuyPrivate(Action):
    private: str
    price: int


@dataclass(frozen=True, kw_only=True)
class DiscardTrain(Action):
    train: str


@dataclass(frozen=True, kw_only=True)
class Choose(Action):
    choice: str


@dataclass(frozen=True, kw_only=True)
class ChooseAbility(Action):
    choice: str


@dataclass(frozen=True, kw_only=True)
class Merge(Action):
    corporation: str


@dataclass(frozen=True, kw_only=True)
class FailedMerge(Action):
    corporations: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class SwapTrain(Action):
    train: str


@dataclass(frozen=True, kw_only=True)
class SpecialBuy(Action):
    what: str
    cost: int


@dataclass(frozen=True, kw_only=True)
class Convert(Action):
    pass


@dataclass(frozen=True, kw_only=True)
class Assign(Action):
    target: str
    target_kind: str


@dataclass(frozen=True, kw_only=True)
class Bankrupt(Action):
    pass


@dataclass(frozen=True, kw_only=True)
class EndGame(Action):
    pass


VERBS: dict[type[Action], str] = {
    Bid: "bid",
    Pass: "pass",
    Par: "par",
    BuyShares: "buy_shares",
    SellShares: "sell_shares",
    LayTile: "lay_tile",
    PlaceToken: "place_token",
    RemoveToken: "remove_token",
    RunRoutes: "run_routes",
    Dividend: "dividend",
    BuyTrain: "buy_train",
    BuyPrivate: "buy_company",
    DiscardTrain: "discard_train",
    Choose: "choose",
    ChooseAbility: "choose_ability",
    Merge: "merge",
    FailedMerge: "failed_merge",
    SwapTrain: "swap_train",
    SpecialBuy: "special_buy",
    Convert: "convert",
    Assign: "assign",
    Bankrupt: "bankrupt",
    EndGame: "end_game",
}
