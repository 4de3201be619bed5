"""Facts of whole games of 1833NE beside those of every title: ferries, corporations of free home, kept slots.

Source: ``setup.toml``, ``companies.toml``, ``map.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from board.hexes import HexId
from rules.facts import GameFacts
from titles.data_check import FaultList
from titles.load import open_table

#: Options of the title. What each means: ``setup.toml`` and ``SOURCES.md``.
TAKEOVER: Final = "takeover_game"
ADDITIVE_COST: Final = "ne_tile_cost_additive"
PERMISSIVE: Final = "ne_permissive_track"
FROM_PRESIDENT: Final = "ne_privates_from_president"
KNOWN_FERRY: Final = "ne_known_ferry_only"
DISCARDS_GONE: Final = "ne_discards_removed"
HOMES_OPEN: Final = "ne_homes_open_in_phase_4"
LOWELL_EXTRA: Final = "ne_lowell_extra_lay"
ISSUE_LATE: Final = "ne_issue_until_dividend"
FERRY_ANYWHERE: Final = "ne_ferries_unconnected"
LEFT_SHARES_PAY: Final = "ne_bankrupt_shares_pay"
HOME_BY_PRESIDENT: Final = "ne_free_home_president_pays"
CARDS_KEPT: Final = "ne_takeover_keeps_cards"
RISING: Final = "ne_takeover_rising_order"
MORE_ATTEMPTS: Final = "ne_takeover_more_attempts"
PRESIDENT_PAYS: Final = "ne_takeover_president_pays"
SHARE_FOR_SHARE: Final = "ne_takeover_share_for_share"
OBSOLETE_LOST: Final = "ne_takeover_obsolete_lost"
UNUSED_LOST: Final = "ne_takeover_unused_tokens_lost"

#: The moment of P2's lay.
ON_PURCHASE: Final = "operating_round_of_purchase"
#: Reason of the reservations in Sherbrooke, whose token two corporations share.
SHARED: Final = "shared_token"


@dataclass(frozen=True)
class Facts1833NE:
    """``ferries``: names in the order of the box, with the hex of the city that each serves. ``late_*``: what a
    corporation of free home pays for its home token, on a gray hex or one without track and elsewhere, and the lowest
    price at which it may be started there."""

    ferry_price: int
    ferries: Mapping[str, HexId]
    known_ferries: frozenset[str]
    late_price_bare: int
    late_price: int
    late_lowest: int


@lru_cache(maxsize=1)
def facts_1833ne() -> Facts1833NE:
    """Raises :class:`InputError` where the files are broken."""
    faults = FaultList()
    setup, companies = open_table("t1833ne", "setup.toml", faults), open_table("t1833ne", "companies.toml", faults)
    ferries = setup.table("ferries")
    markers = tuple(ferries.list_of_tables("markers"))
    late = companies.table("takeover_corporations")
    prices = late.numbers("home_token_price")
    found = Facts1833NE(
        ferry_price=ferries.number("price"),
        ferries={one.text("name"): one.hex("city") for one in markers},
        known_ferries=frozenset(one.text("name") for one in markers if one.flag("known")),
        late_price_bare=prices["gray_hex_or_no_track"],
        late_price=prices["otherwise"],
        late_lowest=late.number("lowest_price_where_120"),
    )
    faults.stop_if_any()
    return found


def facts_for(facts: GameFacts, options: frozenset[str]) -> GameFacts:
    """The facts as the options change them: readings of the rules, and the corporations of free home."""
    settings = facts.settings
    if PERMISSIVE in options:
        settings = replace(settings, track_rule="permissive")
    if DISCARDS_GONE in options:
        settings = replace(settings, discards_to_pool=False)
    corporations = dict(facts.corporations)
    pattern = next(iter(corporations.values()))
    for name in sorted(facts.edition.companies):
        if name not in corporations:
            corporations[name] = replace(pattern, name=name, full_name=name, homes=(), abilities=(), details={})
    privates = {
        name: replace(
            one,
            abilities=tuple(
                replace(ability, uses_a_normal_tile_action=False)
                if LOWELL_EXTRA in options and ON_PURCHASE in ability.when
                else ability
                for ability in one.abilities
            ),
        )
        for name, one in facts.privates.items()
    }
    return replace(facts, settings=settings, corporations=corporations, privates=privates)
