"""Loads what the rules of a whole game need from the title's files: companies, chart, trains, and its choices.

The files are those that :mod:`titles.load` reads for the board; ``docs/title_data.md`` describes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from board.edition import Edition
from board.hexes import HexId
from rules.facts import (
    Ability,
    CorporationFacts,
    GameFacts,
    Home,
    PrivateFacts,
    Settings,
    TileAction,
    TrainFace,
    TrainFacts,
)
from rules.prices import Market, PriceCell
from titles.data_check import FaultList, Table
from titles.load import load_edition, open_table, read_toml

_CELL: Final = re.compile(r"([0-9]+)([a-z]*)")


@lru_cache(maxsize=32)
def load_game_facts(package: str, options: frozenset[str], players: int) -> GameFacts:
    """The facts for these options and number of players. Raises :class:`InputError` with all faults of the files."""
    edition = load_edition(package, options, players)
    faults = FaultList()
    setup = open_table(package, "setup.toml", faults)
    companies = open_table(package, "companies.toml", faults)
    market_file = open_table(package, "market.toml", faults)
    trains_file = open_table(package, "trains.toml", faults)
    scenario = dict(setup.tables("scenarios")).get(edition.scenario)
    facts = GameFacts(
        title=edition.title,
        edition=edition,
        market=_market(market_file),
        corporations={
            name: _corporation(name, table, minor=False)
            for name, table in companies.tables("corporations")
            if name in edition.companies
        },
        minors={
            name: _corporation(name, table, minor=True)
            for name, table in companies.tables("minors")
            if name in edition.companies
        },
        privates={
            name: _private(name, table) for name, table in companies.tables("privates") if name in edition.privates
        },
        trains=_trains(trains_file, edition),
        settings=_settings(setup, scenario, players),
        par_prices={key: market_file.table("par").integers(key) for key in market_file.table("par")},
        flags=_plain(read_toml(package, "setup.toml").get("flags")),
        setup={
            **{
                key: value
                for key, value in read_toml(package, "setup.toml").items()
                if key not in ("flags", "scenarios")
            },
            "scenario": _plain(_plain(read_toml(package, "setup.toml").get("scenarios")).get(edition.scenario)),
        },
        currency=setup.text("currency", "$"),
    )
    faults.stop_if_any()
    return facts


def _plain(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _market(table: Table) -> Market:
    letters, effects = table.table("letters"), table.table("effects")
    kinds = {letter: letters.text(letter) for letter in letters}
    rows: list[tuple[PriceCell | None, ...]] = []
    for place, line in enumerate(table.texts("rows")):
        row: list[PriceCell | None] = []
        for word in line.split():
            match = _CELL.fullmatch(word)
            if word == ".":
                row.append(None)
            elif match is None or any(letter not in kinds for letter in match[2]):
                table.fault(f"rows[{place}]", f'{word!r} is not a cell, as 100p or "."')
                row.append(None)
            else:
                row.append(PriceCell(int(match[1]), frozenset(kinds[letter] for letter in match[2])))
        rows.append(tuple(row))
    rim = table.table("rim")
    return Market(
        rows=tuple(rows),
        rim={side: rim.text(side) for side in ("right", "left", "up", "down")},
        effects={kind: frozenset(effects.texts(kind)) for kind in effects},
    )


def _home(table: Table, key: str, text: str) -> Home:
    hex_text, _, city = text.partition(".")
    try:
        return Home(HexId.parse(hex_text), city or None)
    except ValueError:
        table.fault(key, f"{text!r} is not a home, as E16 or E16.c0")
        return Home(HexId("A1"))


def _corporation(name: str, table: Table, *, minor: bool) -> CorporationFacts:
    return CorporationFacts(
        name=name,
        full_name=table.text("name", name),
        token_prices=table.integers("tokens"),
        homes=tuple(_home(table, f"homes[{place}]", text) for place, text in enumerate(table.texts("homes"))),
        shares=table.integers("shares"),
        float_percent=table.number("float_percent", 60),
        holding_limit=table.number("max_percent_per_player", 60),
        ipo_at_market_price=table.text("shares_sold_from_treasury_at", "par_price") == "market_price",
        kind=table.text("kind", ""),
        minor=minor,
        abilities=_abilities(table),
        details=_rest(table, "abilities"),
    )


def _private(name: str, table: Table) -> PrivateFacts:
    prices = table.integers("purchase_price")
    if len(prices) not in (0, 2):
        table.fault("purchase_price", "expected the least and the most price, as [10, 40]")
        prices = ()
    return PrivateFacts(
        name=name,
        full_name=table.text("name", name),
        value=table.number("value", 0),
        income=table.number("income", 0),
        least_price=prices[0] if prices else None,
        most_price=prices[1] if prices else None,
        blocks=frozenset(table.hexes("blocks")),
        abilities=_abilities(table),
        details=_rest(table, "abilities"),
    )


def _rest(table: Table, *known: str) -> dict[str, object]:
    """Everything that the table says, as it says it, for rules that only one title has."""
    return {key: table.raw(key) for key in table if key not in known}


def _abilities(table: Table) -> tuple[Ability, ...]:
    found = []
    for one in table.list_of_tables("abilities"):
        hexes = one.raw("hexes")
        uses = one.raw("uses")
        when = one.raw("when")
        corporations = one.raw("corporations")
        single = one.text("corporation", "")
        found.append(
            Ability(
                kind=one.text("kind"),
                held_by=one.text("held_by", ""),
                when=frozenset(one.texts("when")) if not isinstance(when, str) else frozenset({when}),
                hexes=frozenset(one.hexes("hexes")) if isinstance(hexes, (list, tuple)) else None,
                tiles=one.texts("tiles"),
                uses=uses if isinstance(uses, int) else None,
                cost=one.number("cost", 0),
                free=one.flag("free"),
                discount=one.number("discount", 0),
                must_be_reachable=one.flag("must_be_reachable") if "must_be_reachable" in one else False,
                normal_upgrade_rules=one.text("tile_step_rules", "normal_upgrade_rules")
                != "only_colour_and_track_must_fit",
                uses_a_normal_tile_action=one.flag("uses_a_normal_tile_action"),
                corporations=(single,)
                if single
                else (one.texts("corporations") if isinstance(corporations, (list, tuple)) else ()),
                shares=tuple(
                    (company, kind or "ordinary")
                    for company, _, kind in (text.partition(" ") for text in one.texts("shares"))
                ),
                details=_rest(one),
            )
        )
    return tuple(found)


def _trains(table: Table, edition: Edition) -> dict[str, TrainFacts]:
    """The cards; a second face (``card``) joins the card that it is printed on."""
    cards: dict[str, TrainFacts] = {}
    faces: dict[str, list[TrainFace]] = {}
    for name, facts in table.tables("trains"):
        card = facts.text("card", "") or name
        faces.setdefault(card, []).append(TrainFace(name, facts.number("price", 0)))
        if card == name:
            trade_in = facts.numbers("trade_in")
            cards[name] = TrainFacts(
                name=name,
                faces=(),
                count=edition.train_counts.get(name),
                rusts_on=facts.text("rusts_on", "") or None,
                obsolete_on=facts.text("obsolete_on", "") or None,
                available_on=facts.text("available_on", "") or None,
                trade_in=trade_in,
                events=facts.texts("events"),
                details=_rest(facts),
            )
    return {
        name: TrainFacts(
            name, tuple(faces[name]), card.count, card.rusts_on, card.obsolete_on, card.available_on,
            card.trade_in, card.events, card.details,
        )
        for name, card in cards.items()
    }  # fmt: skip


def _amount(setup: Table, key: str, scenario: Table | None, players: int) -> int | None:
    """A number for the number of players, for the scenario, for all, or None for ``"unlimited"``."""
    if scenario is not None and key in scenario:
        return scenario.number(key)
    if setup.is_table(key):
        return setup.table(key).number(str(players), 0)
    return setup.count(key) if key in setup else None


def _settings(setup: Table, scenario: Table | None, players: int) -> Settings:
    flags = setup.table("flags")
    actions = tuple(
        TileAction(
            yellow=_permission(one, "yellow"),
            upgrade=_permission(one, "upgrade"),
            cost=one.number("cost", 0),
            fresh_hex=one.flag("not_on_a_hex_built_on_this_turn"),
        )
        for one in setup.list_of_tables("tile_actions")
    )
    ends = setup.table("end_of_game")
    limits = setup.table("certificate_limit") if setup.is_table("certificate_limit") else None
    by_companies = limits.table(str(players)) if limits is not None and limits.is_table(str(players)) else None
    limit = None if by_companies is not None else _amount(setup, "certificate_limit", scenario, players)
    return Settings(
        bank=_amount(setup, "bank", scenario, players),
        cash=_amount(setup, "cash", scenario, players) or 0,
        certificate_limit=99 if limit is None else limit,
        certificate_limits={int(left): by_companies.number(left) for left in by_companies} if by_companies else {},
        privates_count_as_certificates=flags.flag("certificate_limit_counts_privates"),
        bid_increment=flags.number("bid_increment", 5),
        bids_in_multiples=flags.flag("bids_in_multiples_of_increment"),
        only_leading_bids_commit=flags.flag("only_highest_bid_commits_cash"),
        incremental=flags.text("capitalisation", "full") == "incremental",
        sell_in_blocks=flags.flag("one_sale_per_corporation_per_turn"),
        earliest_sale=flags.text("earliest_sale", "first"),
        sale_movement=flags.text("price_effect_of_a_sale", "down_share"),
        sell_after_purchase=flags.text("stock_turn_order_of_actions", "sell_buy_sell") == "sell_buy_sell",
        sold_out_rises=flags.flag("sold_out_raises_price"),
        pool_drop=flags.text("price_effect_of_market_shares_at_end_of_stock_round", "none"),
        next_order=flags.text("order_of_next_stock_round", "after_last_to_act"),
        pool_limit=flags.number("market_share_limit_percent", 50),
        president_may_sell_out=flags.flag("president_certificate_may_go_to_market"),
        many_purchases_from_pool_only=flags.flag("multiple_purchase_only_from_market"),
        must_sell_above_holding_limit=flags.flag("above_the_holding_limit_must_be_sold"),
        reservations_always_block=flags.text("whole_hex_reservation_blocks_others", "never") == "always",
        track_rule=flags.text("track_lay_restriction", "permissive"),
        home_token_at=flags.text("home_token_placed_at", "operate"),
        owner_settles_tokens=flags.text("who_chooses_when_a_tile_makes_a_token_ambiguous", "current_operator")
        == "owner",
        tile_actions=actions or (TileAction(),),
        minimum_tile_cost=flags.number("minimum_cost_of_a_tile", 0),
        discards_to_pool=flags.text("discarded_trains", "discard") == "discard",
        must_own_train=flags.text("must_own_a_train", "route"),
        emergency_from_others=flags.text("emergency_purchase_from_other_corporations", "value"),
        emergency_cheapest_only=flags.flag("emergency_purchase_must_be_cheapest"),
        bankruptcy_allowed=flags.flag("bankruptcy_allowed"),
        obsolete_count=flags.flag("obsolete_trains_count_for_limit"),
        fixed_colours=frozenset(flags.texts("hex_colours_without_free_passage")),
        end_of_game={reason: ends.text(reason) for reason in ends},
    )


def _permission(table: Table, key: str) -> bool | str:
    value = table.raw(key)
    return value if isinstance(value, str) else table.flag(key)
