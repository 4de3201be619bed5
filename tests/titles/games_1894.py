"""Moments of whole games of 1894 for tests, built on the worked example."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import cast

from board.errors import RuleViolation
from board.hexes import HexId, StopId
from records.games_18xx import read_game
from rules import engine, trade
from rules.actions import Action, Actor, LayTile, Pass, PlaceToken, RecordedRoute, RunRoutes
from rules.policies.track import LayPlan
from rules.shares import IPO, Bundle, moved
from rules.state import OperatingRound, State, StockRound
from titles.registry import get_title
from titles.t1894.game import Game1894

WORKED = Path(__file__).parents[1] / "worked" / "1894.json"
#: The seed of the worked example: Est starts, SAC is removed.
EST_AND_GLG = 472674735
#: Actions of the worked example before the first stock round and before the first operating round.
STOCK, OPERATING = 15, 32


def new(players: int = 4, seed: int = EST_AND_GLG, options: Iterable[str] = ()) -> State:
    """A game before its first action; players are 1, 2, …"""
    seats = [str(seat) for seat in range(1, players + 1)]
    return engine.start(get_title("1894").game(seats, seed=seed, options=options).opening())


@lru_cache(maxsize=32)
def worked(number: int, options: tuple[str, ...] = ()) -> State:
    """The worked example after so many actions."""
    record = read_game(WORKED)
    state = new(4, record.seed, options)
    for entry in record.actions[:number]:
        for action in entry.actions:
            state = engine.apply(state, action)
    return state


def rules(state: State) -> Game1894:
    return cast(Game1894, state.game)


def corporation(name: str) -> Actor:
    return Actor("corporation", name)


def player(name: str) -> Actor:
    return Actor("player", name)


def private(name: str) -> Actor:
    return Actor("private", name)


def stop(text: str) -> StopId:
    return StopId.parse(text)


# --- making a moment -----------------------------------------------------------------------------------------------


def started(state: State, name: str, president: str, *, price: int = 67, cash: int = 500, percent: int = 60) -> State:
    """A corporation started and floated, so many percent of it with its president."""
    cell = next(cell for cell in state.facts.market.of_kind(("par",)) if state.facts.market.price(cell) == price)
    state = state.game.set_par(state, name, cell)
    company = state.companies[name]
    held = company.percent_of(president)
    for certificate in company.held(IPO):
        if held < percent:
            held += certificate.percent
            bundle = Bundle(name, IPO, (certificate,), certificate.percent)
            state = trade.transfer(state, bundle, president)
    return state.with_company(state.companies[name].but(cash=cash, floated=True))


def priced(state: State, name: str, price: int, *, gray: bool | None = None) -> State:
    """The price marker on the first cell of that price (in the gray zone, or outside it)."""
    market = state.facts.market
    cell = next(
        cell
        for cell, printed in market.printed.items()
        if printed.price == price and gray in (None, market.allows(cell, "extra_step_when_sold_out"))
    )
    return state.with_company(state.companies[name].but(price=cell))


def shares(state: State, name: str, number: int, old: str, new: str) -> State:
    """So many ordinary shares handed over, no money, no change of president."""
    company = state.companies[name]
    given = [one for one in company.held(old) if not one.president][:number]
    assert len(given) == number
    return state.with_company(company.but(holdings=moved(company.holdings, given, old, new)))


def built(state: State, tiles: Mapping[str, tuple[str, int]]) -> State:
    """Tiles on the map, one after another, with what the rules carry over."""
    for text, (tile, rotation) in tiles.items():
        plan = plan_of(state, "", text, tile, rotation)
        new = state.facts.edition.tiles.tile(tile).rotated(rotation)
        cities = state.game.city_map(state.table.tile_at(plan.hex), new)
        state = state.game.moved_tokens(state.game.after_lay(state, plan), plan.hex, cities)
    return state


def plan_of(state: State, company: str, hex_id: str, tile: str, rotation: int) -> LayPlan:
    """A lay to ask the rules about; the next free copy."""
    return LayPlan(company, HexId(hex_id), tile, state.table.free_copy(tile) or 0, rotation)


def tokened(state: State, *tokens: tuple[str, str]) -> State:
    """Tokens put where the pairs of company and city say."""
    for name, city in tokens:
        state = state.game.put_token(state, name, stop(city))
    return state


def turn(
    state: State, name: str, *, phase: str = "", number: int = 1, cash: int | None = None, trains: Iterable[str] = ()
) -> State:
    """The operating turn of a corporation, brought to the first step that waits."""
    company = state.companies[name]
    company = company.but(cash=company.cash if cash is None else cash, trains=tuple(trains) or company.trains)
    state = state.with_company(company).but(
        round=OperatingRound(kind="Operating", number=number, order=(name,), at=0),
        phase_name=phase or state.phase_name,
        pending=(),
    )
    return engine.start(state)


def stock(state: State, *order: str, turn_number: int = 2) -> State:
    """A stock round in which the players act in this order."""
    state = state.but(round=StockRound(kind="Stock", order=order), order=order, turn_number=turn_number, pending=())
    return engine.start(state)


# --- playing -------------------------------------------------------------------------------------------------------


def waiting(state: State) -> str:
    step = engine.waiting_step(state)
    return step.name if step is not None else ""


def passed(state: State, *steps: str) -> State:
    """Passes by whoever is asked, and runs that earn nothing, until one of these steps waits."""
    for _ in range(20):
        if waiting(state) in steps:
            return state
        step = engine.waiting_step(state)
        assert step is not None
        (actor,) = step.actors(state)[:1]
        if step.name == "routes":
            (train,) = state.game.runnable(state, state.companies[actor.name])[:1]
            state = engine.apply(state, RunRoutes(by=actor, routes=(RecordedRoute(train, revenue=0),)))
        else:
            state = engine.apply(state, Pass(by=actor))
    raise AssertionError(f"none of {steps} waits")


def lay(state: State, by: Actor, hex_id: str, tile: str, rotation: int) -> LayTile:
    copy = state.table.free_copy(tile)
    assert copy is not None
    return LayTile(by=by, hex=HexId(hex_id), tile=tile, copy=copy, rotation=rotation)


def token(state: State, by: Actor, city: str) -> PlaceToken:
    tile, part = state.table.record_of(stop(city))
    return PlaceToken(by=by, tile=tile, part=part)


def refusal(state: State, action: Action) -> str:
    """Code and message of the refusal; empty where the action is accepted."""
    try:
        engine.apply(state, action)
    except RuleViolation as error:
        return "; ".join(f"{fault.code}: {fault.message}" for fault in error.faults)
    return ""


def offered(state: State, kind: type[Action]) -> list[Action]:
    return [action for action in engine.legal_actions(state) if type(action) is kind]
