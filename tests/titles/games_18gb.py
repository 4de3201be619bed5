"""Moments of whole games of 18GB for tests, built on a fresh game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from board.errors import RuleViolation
from board.hexes import HexId, StopId
from rules import engine, trade
from rules.actions import (
    Action,
    Actor,
    Bid,
    BuyShares,
    BuyTrain,
    Choose,
    ChooseAbility,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    RecordedRoute,
    RunRoutes,
    SellShares,
)
from rules.shares import IPO, POOL, Bundle, moved
from rules.state import OperatingRound, State, StockRound
from rules.table import Laid
from titles.registry import get_title
from titles.t18gb.game import Game18GB

#: Options and number of players of each scenario.
SCENARIOS: Mapping[str, tuple[tuple[str, ...], int]] = {
    "2NS": ((), 2), "2EW": (("two_player_ew",), 2), "3": ((), 3), "4Std": ((), 4),
    "4Alt": (("four_player_alt",), 4), "5": ((), 5), "6": ((), 6),
}  # fmt: skip


def new(players: int = 4, seed: int = 2, options: Iterable[str] = ()) -> State:
    """A game before its first action; players are 1, 2, … With seed 2 and four players MR, LYR, NBR, NER are tier 1."""
    seats = [str(seat) for seat in range(1, players + 1)]
    return engine.start(get_title("18GB").game(seats, seed=seed, options=options).opening())


def rules(state: State) -> Game18GB:
    return cast(Game18GB, state.game)


def corporation(name: str) -> Actor:
    return Actor("corporation", name)


def player(name: str) -> Actor:
    return Actor("player", name)


def private(name: str) -> Actor:
    return Actor("private", name)


def stop(text: str) -> StopId:
    return StopId.parse(text)


# --- making a moment -----------------------------------------------------------------------------------------------


def owning(state: State, owners: Mapping[str, str], *, closed: Iterable[str] = ()) -> State:
    """Privates in the hands of players; *closed* ones have been closed by them."""
    for name, owner in owners.items():
        state = state.handing_private(name, owner)
    for name in closed:
        state = rules(state).close_by_owner(state, name)
    return state


def cash(state: State, **amounts: int) -> State:
    """Cash of players (p1=…) and treasuries (MR=…)."""
    for name, amount in amounts.items():
        if name.startswith("p"):
            state = state.with_player(state.players[name[1:]].but(cash=amount))
        else:
            state = state.with_company(state.companies[name].but(cash=amount))
    return state


def started(
    state: State, name: str, president: str, *, price: int = 80, percent: int = 40, treasury: int = 500,
    trains: Iterable[str] = (), operated: bool = True,
) -> State:  # fmt: skip
    """A corporation started and floated, so many percent of it with its director."""
    cell = next(cell for cell in state.facts.market.printed if state.facts.market.price(cell) == price)
    state = state.game.set_par(state, name, cell)
    company = state.companies[name]
    held = company.percent_of(president)
    for certificate in company.held(IPO):
        if held < percent:
            held += certificate.percent
            state = trade.transfer(state, Bundle(name, IPO, (certificate,), certificate.percent), president)
    company = state.companies[name]
    return state.with_company(company.but(cash=treasury, floated=True, operated=operated, trains=tuple(trains)))


def shares(state: State, name: str, number: int, old: str, new: str) -> State:
    """So many ordinary shares handed over, no money, no change of director."""
    company = state.companies[name]
    given = [one for one in company.held(old) if not one.president][:number]
    assert len(given) == number
    return state.with_company(company.but(holdings=moved(company.holdings, given, old, new)))


def in_receivership(state: State, name: str, *, treasury: int = 500, trains: Iterable[str] = ()) -> State:
    """A corporation whose director sold everything."""
    state = started(state, name, "1", treasury=treasury, trains=trains)
    company = state.companies[name]
    return trade.sell(state, Bundle(name, "1", company.held("1"), company.percent_of("1")))


def built(state: State, tiles: Mapping[str, tuple[str, int]]) -> State:
    """Tiles on the map, one after another, with what the rules carry over."""
    for text, (tile, rotation) in tiles.items():
        hex_id, table = HexId(text), state.table
        copy = table.free_copy(tile)
        assert copy is not None
        cities = state.game.city_map(table.tile_at(hex_id), table.edition.tiles.tile(tile).rotated(rotation))
        state = state.but(table=table.with_tile(hex_id, Laid(tile, copy, rotation), cities))
        state = state.game.moved_tokens(state, hex_id, cities)
    return state


def phase(state: State, name: str) -> State:
    """A later phase, with the trains before it gone from the bank."""
    names = list(state.facts.trains)
    upcoming = tuple(one for one in state.depot.upcoming if names.index(one.rpartition("-")[0]) >= names.index(name))
    for one in list(state.facts.edition.phases)[1 : names.index(name) + 1]:
        state = state.game.enter_phase(state, one)
    return state.but(depot=state.depot.but(upcoming=upcoming))


def turn(state: State, name: str, *, number: int = 1) -> State:
    """The operating turn of a corporation, brought to the first step that waits."""
    state = state.but(
        round=OperatingRound(kind="Operating", number=number, order=(name,), at=0), set_length=2, pending=()
    )
    return engine.start(state.game.before_operating_turn(state, name))


def stock(state: State, *order: str, turn_number: int = 2) -> State:
    """A stock round in which the players act in this order."""
    order = order or state.order
    state = state.but(round=StockRound(kind="Stock", order=order), order=order, turn_number=turn_number, pending=())
    return engine.start(state)


# --- playing -------------------------------------------------------------------------------------------------------


def waiting(state: State) -> str:
    step = engine.waiting_step(state)
    return step.name if step is not None else ""


def do(state: State, *actions: Action) -> State:
    for action in actions:
        state = engine.apply(state, action)
    return state


def passed(state: State, *steps: str) -> State:
    """Passes by whoever is asked until one of these steps waits."""
    for _ in range(20):
        if waiting(state) in steps:
            return state
        step = engine.waiting_step(state)
        assert step is not None
        state = engine.apply(state, Pass(by=step.actors(state)[0]))
    raise AssertionError(f"none of {steps} waits")


def bid(who: str, name: str, price: int) -> Bid:
    return Bid(by=player(who), private=name, price=price)


def close(name: str) -> ChooseAbility:
    return ChooseAbility(by=private(name), choice="close")


def convert(who: str, name: str) -> Choose:
    return Choose(by=player(who), choice=f"convert_{name}")


def par(state: State, who: str, name: str, price: int) -> Par:
    cell = next(cell for cell in state.facts.market.printed if state.facts.market.price(cell) == price)
    return Par(by=player(who), corporation=name, cell=cell)


def buy(who: str, *names: str, percent: int = 0) -> BuyShares:
    return BuyShares(by=player(who), shares=names, percent=percent)


def sell(who: str, *names: str, percent: int = 0) -> SellShares:
    return SellShares(by=player(who), shares=names, percent=percent)


def train(who: str, name: str, price: int) -> BuyTrain:
    return BuyTrain(by=corporation(who), train=name, price=price)


def lay(state: State, by: Actor, hex_id: str, tile: str, rotation: int) -> LayTile:
    copy = state.table.free_copy(tile)
    assert copy is not None
    return LayTile(by=by, hex=HexId(hex_id), tile=tile, copy=copy, rotation=rotation)


def token(state: State, by: Actor, city: str) -> PlaceToken:
    tile, part = state.table.record_of(stop(city))
    return PlaceToken(by=by, tile=tile, part=part)


def run(who: str, revenue: int, *trains: str) -> RunRoutes:
    """A run that tells its revenue, all with the first train."""
    routes = tuple(RecordedRoute(train=one, revenue=revenue if not place else 0) for place, one in enumerate(trains))
    return RunRoutes(by=corporation(who), routes=routes)


def refusal(state: State, action: Action) -> str:
    """Code and message of the refusal; empty where the action is accepted."""
    try:
        engine.apply(state, action)
    except RuleViolation as error:
        return "; ".join(f"{fault.code}: {fault.message}" for fault in error.faults)
    return ""


def offered(state: State, kind: type[Action]) -> list[Action]:
    return [action for action in engine.legal_actions(state) if type(action) is kind]


__all__ = [
    "IPO", "POOL", "SCENARIOS", "bid", "built", "buy", "cash", "close", "convert", "corporation", "do",
    "in_receivership", "lay", "new", "offered", "owning", "par", "passed", "phase", "player", "private", "refusal",
    "rules", "run", "sell", "shares", "started", "stock", "stop", "token", "train", "turn", "waiting",
]  # fmt: skip
