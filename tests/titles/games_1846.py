"""Moments of whole games of 1846 for tests, written short."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import pytest

from board.errors import RuleViolation
from board.hexes import HexId
from rules import engine, trade
from rules.actions import (
    Action,
    Actor,
    BuyShares,
    BuyTrain,
    LayTile,
    Pass,
    PlaceToken,
    RecordedRoute,
    RunRoutes,
    SellShares,
)
from rules.prices import Cell
from rules.shares import IPO, POOL, Bundle, moved
from rules.state import OperatingRound, State
from rules.table import Laid
from titles.registry import get_title
from titles.t1846.game import Game1846

TITLE = get_title("1846")


def new(players: int = 3, seed: int = 42, options: Iterable[str] = ()) -> State:
    """A game before its first action; players are 1, 2, …"""
    seats = [str(seat) for seat in range(1, players + 1)]
    return engine.start(TITLE.game(seats, seed=seed, options=options).opening())


def drafted(players: int = 5, options: Iterable[str] = ("first_ed",), **owners: str) -> State:
    """The first stock round, where these players own these privates (``MS="1"``, ``OandI="2"``) and nobody anything
    else. With five players of the first edition nothing is removed; BT and LM are there with four of the second."""
    state = new(players, 42, options)
    for name in state.privates:
        state = state.with_private(state.privates[name].but(closed=True))
    for name, owner in owners.items():
        private = name.replace("and", "&") if name.replace("and", "&") in state.facts.privates else name
        known = state.privates.get(private)
        assert known is not None, f"{private} is not in the game"
        state = state.with_private(known.but(closed=False)).handing_private(private, owner)
        state = rules(state).open_minor(state, private, owner)
    for minor in state.facts.minors:
        if minor not in owners:
            state = rules(state).close_minor(state, minor)
    return rules(state).begin_round(state, "Stock", 1)


def rules(state: State) -> Game1846:
    return cast(Game1846, state.game)


def started(state: State, player: str, company: str, price: int) -> State:
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
    """Trains taken from the bank by the corporation; ``4-0=3/5`` names the face."""
    for text in trains:
        train, _, face = text.partition("=")
        state = rules(state).taken_from_depot(state, train)
        found = state.companies[company]
        state = state.with_company(found.but(trains=(*found.trains, train)))
        if face:
            state = state.but(faces={**state.faces, train: face})
    return state


def tiles(state: State, **laid: str) -> State:
    """Tiles on the map, as ``E17="294 0"``."""
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
    current = OperatingRound(kind="Operating", number=number, order=order, at_start=False, marks={"begun": True})
    state = state.but(round=current, turn_number=turn, set_length=2, phase_name=phase or state.phase_name)
    return engine.start(state)


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


def ran(company: str, *revenues: int, kind: str = "corporation") -> RunRoutes:
    routes = tuple(RecordedRoute(f"2-{number}", revenue=amount) for number, amount in enumerate(revenues))
    return RunRoutes(by=Actor(kind, company), routes=routes)


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


def token(by: Actor, city: str) -> PlaceToken:
    tile, _, part = city.rpartition("-")
    return PlaceToken(by=by, tile=tile, part=int(part))


def ran_train(company: str, train: str, revenue: int, kind: str = "corporation") -> RunRoutes:
    return RunRoutes(by=Actor(kind, company), routes=(RecordedRoute(train, revenue=revenue),))


def to_trains(state: State, company: str) -> State:
    """Past track, token and an idle run."""
    while waiting(state) in ("track_and_token", "routes"):
        idle = RunRoutes(by=corporation(company))
        state = after(state, idle if waiting(state) == "routes" else passed(company))
    assert waiting(state) == "trains", waiting(state)
    return state


def phase_three(state: State, buyer: str = "NYC") -> State:
    """The buyer takes the first 5 in its turn."""
    left = tuple(train for train in state.depot.upcoming if train[0] not in "24")
    state = money(state.but(depot=state.depot.but(upcoming=left)), buyer, 1000)
    state = operating(state, buyer, phase="II")
    state = to_trains(state, buyer)
    return after(state, BuyTrain(by=corporation(buyer), train="5-0", price=450, face="4/6"))


def buying(state: State, company: str = "NYC", treasury: int = 1000, phase: str = "") -> State:
    """The train step of the company."""
    state = operating(money(state, company, treasury), company, phase=phase)
    return to_trains(state, company)


def nyc() -> State:
    return started(drafted(), "1", "NYC", 60)


def supply(state: State, first: str) -> State:
    """The bank's trains from this kind on."""
    kinds = list(state.facts.trains)
    left = tuple(train for train in state.depot.upcoming if kinds.index(train.rpartition("-")[0]) >= kinds.index(first))
    return state.but(depot=state.depot.but(upcoming=left))


def forced(treasury: int, price_now: int, *, pool: int = 0, president: int = 0, first: str = "5") -> State:
    """NYC of player 1 without a train: the president's certificate and one share, player 2 three shares."""
    state = holding(supply(nyc(), first), "NYC", p1=10, p2=30, pool=pool)
    state = money(priced(state, "NYC", price_now), "1", president)
    state = state.with_company(state.companies["NYC"].but(operated=True))
    # Not running costs a step; the price is as asked when the train is bought.
    up = state.facts.market.step(cast(Cell, state.companies["NYC"].price), "right")
    state = state.with_company(state.companies["NYC"].but(price=up))
    return buying(state, treasury=treasury, phase="II")


def receivership(treasury: int = 0, *trains: str) -> State:
    """NYC at 60 without a president; the president's certificate and two shares lie in the pool."""
    state = holding(owning(nyc(), "NYC", *trains), "NYC", p2=10, pool=20)
    found = state.companies["NYC"]
    certificate = next(one for one in found.held("1") if one.president)
    found = found.but(holdings=moved(found.holdings, (certificate,), "1", POOL), president=None, receivership=True)
    return money(state.with_company(found), "NYC", treasury)
