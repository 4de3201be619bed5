"""Facts of a title that the rules of play need, as typed records. Titles fill them from their data files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from board.edition import Edition
from board.hexes import HexId
from rules.prices import Market


class Home(NamedTuple):
    """Where a company starts: a hex, and the city of it (None: chosen when the token is placed)."""

    hex: HexId
    city: str | None = None


@dataclass(frozen=True)
class Ability:
    """Something that the owner of a private (or a company) may do, or that holds for it.

    ``kind`` says what; ``held_by`` who must own the private (``player``, ``corporation``, empty: either); ``when``
    lists moments (empty: whenever the kind says). ``hexes`` None means any hex. ``uses`` None means no limit.
    ``details`` holds whatever else the title file says.
    """

    kind: str
    held_by: str = ""
    when: frozenset[str] = frozenset()
    hexes: frozenset[HexId] | None = None
    tiles: tuple[str, ...] = ()
    uses: int | None = None
    cost: int = 0
    free: bool = False
    discount: int = 0
    must_be_reachable: bool = True
    normal_upgrade_rules: bool = True
    uses_a_normal_tile_action: bool = False
    corporations: tuple[str, ...] = ()
    shares: tuple[tuple[str, str], ...] = ()
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class PrivateFacts:
    """A private company: face value, income, what corporations may pay for it, the hexes it closes, its abilities."""

    name: str
    full_name: str
    value: int
    income: int
    least_price: int | None = None
    most_price: int | None = None
    blocks: frozenset[HexId] = frozenset()
    abilities: tuple[Ability, ...] = ()
    details: Mapping[str, object] = field(default_factory=dict)

    def ability(self, kind: str) -> Ability | None:
        return next((ability for ability in self.abilities if ability.kind == kind), None)


@dataclass(frozen=True)
class CorporationFacts:
    """A company with shares, or a minor (no shares): home, token prices, certificates in percent, how it floats."""

    name: str
    full_name: str
    token_prices: tuple[int, ...]
    homes: tuple[Home, ...]
    shares: tuple[int, ...] = ()
    float_percent: int = 60
    holding_limit: int = 60
    ipo_at_market_price: bool = False
    kind: str = ""
    minor: bool = False
    abilities: tuple[Ability, ...] = ()
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class TrainFace:
    """One side of a train card: its name and price."""

    name: str
    price: int


@dataclass(frozen=True)
class TrainFacts:
    """A kind of train card. ``count`` None: unlimited. ``faces``: the sides that may be bought, the base first.

    ``trade_in``: name of the train given back to the price then due. ``available_on``: on sale from the phase that
    this train brings, before its turn comes. ``rusts_on`` and ``obsolete_on``: the first train bought of that name.
    """

    name: str
    faces: tuple[TrainFace, ...]
    count: int | None
    rusts_on: str | None = None
    obsolete_on: str | None = None
    available_on: str | None = None
    trade_in: Mapping[str, int] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def price(self) -> int:
        return self.faces[0].price

    @property
    def cheapest(self) -> int:
        return min(face.price for face in self.faces)


@dataclass(frozen=True)
class TileAction:
    """One lay of an operating turn. ``yellow`` and ``upgrade``: whether it is allowed (``if_no_upgrade_yet``: unless
    something was upgraded in the turn); ``fresh_hex``: not where a tile was laid in the turn."""

    yellow: bool | str = True
    upgrade: bool | str = True
    cost: int = 0
    fresh_hex: bool = False


@dataclass(frozen=True)
class Settings:
    """The choices of a title under plain names; defaults are those of most titles. Source of each: the title digest."""

    bank: int | None = None
    cash: int = 0
    certificate_limit: int = 99
    certificate_limits: Mapping[int, int] = field(default_factory=dict)
    privates_count_as_certificates: bool = True
    bid_increment: int = 5
    bids_in_multiples: bool = False
    only_leading_bids_commit: bool = False
    incremental: bool = False
    sell_in_blocks: bool = False
    earliest_sale: str = "first"
    sale_movement: str = "down_share"
    sell_after_purchase: bool = True
    sold_out_rises: bool = True
    pool_drop: str = "none"
    next_order: str = "after_last_to_act"
    pool_limit: int = 50
    president_may_sell_out: bool = False
    many_purchases_from_pool_only: bool = True
    must_sell_above_holding_limit: bool = False
    reservations_always_block: bool = False
    track_rule: str = "permissive"
    home_token_at: str = "operate"
    owner_settles_tokens: bool = False
    tile_actions: tuple[TileAction, ...] = (TileAction(),)
    minimum_tile_cost: int = 0
    discards_to_pool: bool = True
    must_own_train: str = "route"
    emergency_from_others: str = "value"
    emergency_cheapest_only: bool = True
    bankruptcy_allowed: bool = True
    obsolete_count: bool = False
    fixed_colours: frozenset[str] = frozenset({"blue", "gray", "red"})
    end_of_game: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GameFacts:
    """Everything fixed of one game: title, options, number of players, and what lies in the box."""

    title: str
    edition: Edition
    market: Market
    corporations: Mapping[str, CorporationFacts]
    privates: Mapping[str, PrivateFacts]
    trains: Mapping[str, TrainFacts]
    settings: Settings
    par_prices: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    minors: Mapping[str, CorporationFacts] = field(default_factory=dict)
    flags: Mapping[str, object] = field(default_factory=dict)
    setup: Mapping[str, object] = field(default_factory=dict)
    currency: str = "$"
