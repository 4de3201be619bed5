"""Moments of whole games of 1833NE for tests, written short."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import pytest

from board.errors import RuleViolation
from board.hexes import HexId, StopId
from rules import engine, trade
from rules.actions import Action, Actor, BuyShares, LayTile, Pass, PlaceToken, RecordedRoute, RunRoutes, SellShares
from rules.shares import IPO, POOL, Bundle, moved
from rules.state import OperatingRound, State
from rules.table import Laid
from titles.registry import get_title
from titles.t1833ne.game import Game1833NE

TITLE = get_title("1833NE")


def new(players: int = 3, options: Iterable[str] = ()) -> State:
    """A game before its first action; players are 1, 2, …"""
    seats = [str(seat) for seat in range(1, players + 1)]
    return engine.start(TITLE.game(seats, seed=1, options=options).opening())


def rules(state: State) -> Game1833NE:
    return cast(Game1833NE, state.game)


def stock(players: int = 3, options: Iterable[str] = (), phase: str = "I", **owners: str) -> State:
    """The first stock round, where these own these privates and player 3 all others."""
    state = new(players, options)
    for name in state.facts.privates:
        state = state.handing_private(name, owners.get(name, "3"))
    return rules(state).begin_round(state.but(phase_name=phase), "Stock", 1)


def started(state: State, player: str, company: str, price: int = 100) -> State:
    """The corporation started by the player, whose money is as before."""
    cell = next(one for one in rules(state).par_cells(state, company) if state.facts.market.price(one) == price)
    cost = rules(state).start_cost(state, company, cell)
    state = money(state, player, state.players[player].cash + cost)
    state = rules(state).set_par(state, company, cell)
    certificate = next(one for one in state.companies[company].held(IPO) if one.president)
    state = trade.buy(state, player, Bundle(company, IPO, (certificate,), certificate.percent), price=cost)
    return rules(state).after_start(state, player, company)


def holding(state: State, company: str, **percents: int) -> State:
    """Ordinary shares of the treasury given to ``p1``, ``p2``, … or the ``pool``; the presidency stays."""
    for who, percent in percents.items():
        holder = POOL if who == "pool" else who[1:]
        found = state.companies[company]
        given = [one for one in found.held(IPO) if not one.president][: percent // found.unit]
        state = state.with_company(found.but(holdings=moved(found.holdings, given, IPO, holder)))
    return state


def money(state: State, who: str, cash: int) -> State:
    if who in state.players:
        return state.with_player(state.players[who].but(cash=cash))
    return state.with_company(state.companies[who].but(cash=cash))


def priced(state: State, company: str, price: int) -> State:
    market = state.facts.market
    cell = next(cell for cell in market.printed if market.price(cell) == price)
    return state.with_company(state.companies[company].but(price=cell))


def owning(state: State, company: str, *trains: str) -> State:
    """Trains taken from the bank by the corporation; ``2-0=2+1`` names the face."""
    for text in trains:
        train, _, face = text.partition("=")
        state = rules(state).taken_from_depot(state, train)
        found = state.companies[company]
        state = state.with_company(found.but(trains=(*found.trains, train)))
        if face:
            state = state.but(faces={**state.faces, train: face})
    return state


def supply(state: State, first: str) -> State:
    """Only cards from the kind called *first* on are left."""
    kinds = list(state.facts.trains)
    left = kinds[kinds.index(first) :]
    upcoming = tuple(one for one in state.depot.upcoming if one.rpartition("-")[0] in left)
    return state.but(depot=state.depot.but(upcoming=upcoming))


def tiles(state: State, **laid: str) -> State:
    """Tiles on the map, as ``E22="57 2"``."""
    for name, text in laid.items():
        tile_id, rotation = text.split()
        hex_id = HexId(name)
        old = state.table.tile_at(hex_id)
        new_tile = state.facts.edition.tiles.tile(tile_id).rotated(int(rotation))
        copy = state.table.free_copy(tile_id)
        assert copy is not None
        cities = rules(state).city_map(old, new_tile)
        state = state.but(table=state.table.with_tile(hex_id, Laid(tile_id, copy, int(rotation)), cities))
        state = rules(state).moved_tokens(state, hex_id, cities)
    return state


def operating(state: State, *order: str, number: int = 1, turn: int = 2, phase: str = "") -> State:
    """The operating turn of the first of these companies."""
    current = OperatingRound(kind="Operating", number=number, order=order, at_start=False)
    state = state.but(round=current, turn_number=turn, set_length=2, phase_name=phase or state.phase_name)
    return engine.start(state)


def buying(state: State, company: str, phase: str = "") -> State:
    """The same, brought to the step in which trains are bought."""
    state = operating(state, company, phase=phase)
    while waiting(state) == "track_token_ferry":
        state = engine.apply(state, passed(company))
    return state


def after(state: State, *actions: Action) -> State:
    for action in actions:
        state = engine.apply(state, action)
    return state


def refused(state: State, action: Action) -> str:
    with pytest.raises(RuleViolation) as caught:
        engine.apply(state, action)
    return "; ".join(fault.message for fault in caught.value.faults)


def corporation(name: str) -> Actor:
    return Actor("corporation", name)


def player(name: str) -> Actor:
    return Actor("player", name)


def private(name: str) -> Actor:
    return Actor("private", name)


def passed(name: str) -> Pass:
    return Pass(by=corporation(name))


def ran(company: str, *revenues: int) -> RunRoutes:
    routes = tuple(RecordedRoute(f"2-{number}", revenue=amount) for number, amount in enumerate(revenues))
    return RunRoutes(by=corporation(company), routes=routes)


def price(state: State, company: str) -> int:
    return state.price_of(state.companies[company])


def waiting(state: State) -> str:
    step = engine.waiting_step(state)
    return step.name if step is not None else ""


def legal(state: State, kind: type[Action]) -> list[Action]:
    return [action for action in engine.legal_actions(state) if type(action) is kind]


def sold(company: str, *numbers: int, by: Actor | None = None, worth: int | None = None) -> SellShares:
    ids = tuple(f"{company}_{number}" for number in numbers)
    return SellShares(by=by or corporation(company), shares=ids, percent=10 * len(ids), price=worth)


def bought(company: str, *numbers: int, by: Actor | None = None, worth: int | None = None) -> BuyShares:
    ids = tuple(f"{company}_{number}" for number in numbers)
    return BuyShares(by=by or corporation(company), shares=ids, percent=10 * len(ids), price=worth)


def lay(by: Actor, hex_id: str, tile: str, rotation: int, copy: int = 0) -> LayTile:
    return LayTile(by=by, hex=HexId(hex_id), tile=tile, copy=copy, rotation=rotation)


def token(state: State, by: Actor, city: str) -> PlaceToken:
    tile, part = state.table.record_of(StopId.parse(city))
    return PlaceToken(by=by, tile=tile, part=part)
