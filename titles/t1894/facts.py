"""What only the rules of 1894 read from the files of the title: starting shares, late homes, ferries, splits, Paris."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from board.hexes import HexId
from titles.data_check import FaultList
from titles.load import open_table


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of the set-up: the names in the order of their numbers. Source: 1894 section 1."""

    names: tuple[str, ...]
    purpose: str
    privates: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Split:
    """What a green city becomes: one of these tiles, on the same sides, not in this phase. Source: 1894 section 6."""

    tiles: frozenset[str]
    same_exits: bool
    not_in_phase: str


@dataclass(frozen=True, slots=True)
class Ferry:
    """Source: 1894 section 7, "Ferry"."""

    markers: int
    price: int
    price_for_owner: int
    private: str
    london: HexId
    bonus_box: HexId
    what: str


@dataclass(frozen=True, slots=True)
class Facts1894:
    draws: tuple[Draw, ...]
    always_starts: tuple[str, ...]
    free_percent: int
    pool_percent_of_three: int
    last_of_ipo: frozenset[str]
    late_homes: Mapping[str, tuple[HexId, ...]]
    redeem_first: int
    redeem_later: int
    reissue_price: int
    ferry: Ferry
    splits: Mapping[str, Split]
    two_cities: HexId
    kept_city: str
    kept_company: str
    par_of_all: frozenset[int]
    par_of_starters: frozenset[int]
    equal_token_price: int


@lru_cache(maxsize=1)
def facts_1894() -> Facts1894:
    """Raises :class:`InputError` with all faults of the files."""
    faults = FaultList()
    setup = open_table("t1894", "setup.toml", faults)
    tiles = open_table("t1894", "tiles.toml", faults)
    places = open_table("t1894", "bonuses.toml", faults)
    market = open_table("t1894", "market.toml", faults)
    starting, redeeming, ferry = setup.table("starting_shares"), setup.table("redeeming"), setup.table("ferry")
    homes, par = setup.table("late_homes"), market.table("par")
    splits: dict[str, Split] = {}
    paris, kept_city, kept_company = HexId("A0"), "", ""
    for rule in tiles.list_of_tables("restrictions"):
        if "tile" in rule:
            splits[rule.text("tile")] = Split(
                frozenset(rule.texts("only")), rule.flag("same_exits"), rule.text("not_in_phase", "")
            )
        else:
            paris, kept_city, kept_company = rule.hex("hex"), rule.text("keeps_city"), rule.text("keeps_company")
    found = Facts1894(
        draws=tuple(
            Draw(
                one.texts("names"),
                one.text("purpose"),
                {name: one.table("privates").text(name) for name in one.table("privates")},
            )
            for one in setup.list_of_tables("draws")
        ),
        always_starts=tuple(name for name in starting.texts("corporations") if name != "drawn"),
        free_percent=starting.number("percent_each_player"),
        pool_percent_of_three=starting.number("percent_to_pool_with_3_players"),
        last_of_ipo=frozenset(starting.texts("privates_with_the_last_of_the_ipo")),
        late_homes={company: homes.hexes(company) for company in homes},
        redeem_first=redeeming.number("shares_in_first_round"),
        redeem_later=redeeming.number("shares_later"),
        reissue_price=redeeming.number("reissue_price"),
        ferry=Ferry(
            markers=ferry.number("markers"),
            price=ferry.number("price"),
            price_for_owner=ferry.number("price_for_owner_of_LS"),
            private=ferry.text("private"),
            london=ferry.hex("reaches"),
            bonus_box=places.table("london").hex("bonus_hex"),
            what=ferry.text("recorded_as"),
        ),
        splits=splits,
        two_cities=paris,
        kept_city=kept_city,
        kept_company=kept_company,
        par_of_all=frozenset(par.integers("always")),
        par_of_starters=frozenset((*par.integers("always"), *par.integers("only_starting_corporations"))),
        equal_token_price=setup.number("first_token_price_of_the_summary"),
    )
    faults.stop_if_any()
    return found
