"""Makes states of 1830 to try a rule on: companies started and held as told, money as told, any round."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

from board.errors import RuleViolation
from board.hexes import HexId, StopId
from rules import engine, trade
from rules.actions import Action, Actor, LayTile
from rules.facts import Settings
from rules.game import Game
from rules.prices import Cell
from rules.shares import IPO, Bundle
from rules.state import BANK, State
from titles.registry import get_title

A, B, C = "1", "2", "3"


def game(players: int = 3, options: Iterable[str] = (), **settings: object) -> Game:
    """1830, with some of its settings changed."""
    seats = [str(seat) for seat in range(1, players + 1)]
    found = get_title("1830").game(
        seats, options=options, names=dict(zip(seats, ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo"], strict=False))
    )
    if settings:
        changed = dataclasses.replace(found.facts.settings, **settings)  # type: ignore[arg-type]
        assert isinstance(changed, Settings)
        found.facts = dataclasses.replace(found.facts, settings=changed)
    return found


def opening(players: int = 3, **settings: object) -> State:
    return engine.start(game(players, **settings).opening())


def sold_privates(state: State) -> State:
    """Every private with the last player, for nothing; the shares that come with them stay where they are."""
    for name in state.privates:
        state = state.handing_private(name, state.order[-1])
    return state


def stock_round(state: State, turn: int = 2) -> State:
    """The beginning of a stock round."""
    state = sold_privates(state).but(turn_number=turn, pending=())
    return engine.start(state.game.begin_round(state, "Stock", 1))


def operating_round(state: State, turn: int = 2) -> State:
    """The beginning of an operating round, incomes apart."""
    state = state.but(turn_number=turn, set_length=2, pending=(), privates={})
    return engine.start(state.game.begin_round(state, "Operating", 1))


def with_company(
    state: State,
    name: str,
    held: Mapping[str, int],
    *,
    par: int = 67,
    cell: Cell | None = None,
    cash: int | None = None,
) -> State:
    """The company started; *held* are percentages by holder (POOL too), the first player presiding."""
    start = next(one for one in state.game.par_cells(state, name) if state.facts.market.price(one) == par)
    state = state.game.set_par(state, name, start)
    for holder, percent in held.items():
        left = percent
        for certificate in state.companies[name].held(IPO):
            if certificate.percent <= left and (not certificate.president or holder == next(iter(held))):
                bundle = Bundle(name, IPO, (certificate,), certificate.percent)
                state = trade.transfer(state, bundle, holder, president_may_change=False)
                left -= certificate.percent
        assert left == 0, f"{percent} % of {name} cannot be made up"
    if cell is not None:
        state = state.moving_price(name, cell)
    if cash is not None:
        state = money(state, **{name: cash})
    return state


def money(state: State, **amounts: int) -> State:
    """Cash of players (``p1``) and companies as told; the bank has the rest."""
    for party, amount in amounts.items():
        name = party.removeprefix("p") if party.removeprefix("p") in state.players else party
        state = state.pay(BANK, name, amount - state.cash_of(name))
    return state


def with_tile(state: State, hex_id: str, tile: str, rotation: int) -> State:
    """A tile laid, without asking."""
    from rules.policies.track import LayPlan

    copy = state.table.free_copy(tile)
    assert copy is not None
    return state.game.after_lay(state, LayPlan("PRR", HexId(hex_id), tile, copy, rotation))


def with_token(state: State, company: str, stop: str) -> State:
    return state.game.put_token(state, company, StopId(stop))


def with_trains(state: State, company: str, *trains: str) -> State:
    """The company owns these trains, which are no longer in the supply."""
    for train in trains:
        state = state.but(depot=state.depot.but(upcoming=tuple(one for one in state.depot.upcoming if one != train)))
    return state.with_company(state.companies[company].but(trains=trains))


def only_trains(state: State, *kinds: str) -> State:
    """The supply holds these kinds only; phases follow when they are bought."""
    upcoming = tuple(one for one in state.depot.upcoming if one.rpartition("-")[0] in kinds)
    return state.but(depot=state.depot.but(upcoming=upcoming))


def refusal(state: State, action: Action) -> str:
    """What is said to an action that is refused."""
    try:
        engine.apply(state, action)
    except RuleViolation as error:
        return str(error)
    raise AssertionError(f"{action} was accepted")


def player(name: str) -> Actor:
    return Actor("player", name)


def company(name: str) -> Actor:
    return Actor("corporation", name)


def lay(name: str, hex_id: str, tile: str, rotation: int, copy: int = 0) -> LayTile:
    return LayTile(by=company(name), hex=HexId(hex_id), tile=tile, copy=copy, rotation=rotation)
