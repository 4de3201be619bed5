"""Moments of games of 1828 for tests, written short.

state = stock(companies={"GT": Holding(Cell(3, 1), {"1": 6}), "IC": Holding(Cell(6, 0), {"1": 3, "2": 4})})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from board.hexes import HexId, StopId
from board.position import Placement
from rules import engine
from rules.actions import Action, Actor
from rules.prices import Cell
from rules.shares import IPO, POOL, Certificate, issue
from rules.state import State
from rules.table import Laid
from titles.registry import get_title
from titles.t1828.policies import Rules1828, rules_of


@dataclass(frozen=True)
class Holding:
    """A corporation that has been started: where its price is, how many shares each holder has (the first player
    named presides; what is not named lies in the IPO), and what it owns."""

    cell: Cell
    shares: Mapping[str, int]
    cash: int = 0
    trains: tuple[str, ...] = ()
    floated: bool = True
    operated: bool = True
    coal: bool = False
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setup:
    """Everything else: how many play, cash of each, owners of privates, tiles that lie on the map."""

    players: int = 3
    cash: Mapping[str, int] = field(default_factory=dict)
    privates: Mapping[str, str] = field(default_factory=dict)
    tiles: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    phase: str = "Green"
    options: tuple[str, ...] = ()


def new_game(players: int = 3, *, seed: int = 2, options: Iterable[str] = ()) -> Rules1828:
    seats = [str(seat + 1) for seat in range(players)]
    game = get_title("1828").game(seats, options=options, names={seat: f"Player {seat}" for seat in seats}, seed=seed)
    assert isinstance(game, Rules1828)
    return game


def auction(players: int = 3, *, seed: int = 2, options: Iterable[str] = ()) -> State:
    return engine.start(new_game(players, seed=seed, options=options).opening())


def board(companies: Mapping[str, Holding], setup: Setup) -> State:
    """The game with its privates given away and its corporations under way, in no particular round yet."""
    state = new_game(setup.players, options=setup.options).opening()
    table = state.table
    for hex_id, (tile, rotation) in setup.tiles.items():
        copy = table.free_copy(tile)
        assert copy is not None
        table = table.with_tile(HexId(hex_id), Laid(tile, copy, rotation), _same_cities(state, hex_id))
    state = state.but(table=table, phase_name=setup.phase, turn_number=3)
    for player, cash in setup.cash.items():
        state = state.with_player(state.players[player].but(cash=cash))
    for name, private in state.privates.items():
        owner = setup.privates.get(name)
        state = state.with_private(private.but(owner=owner, closed=owner is None))
    rules = rules_of(state)
    if "C&P" in setup.privates:
        state = rules.after_private_bought(state, "C&P", setup.privates["C&P"])
        state = state.with_private(state.privates["C&P"].but(income=0))
    else:
        state = rules.close_minor(state)
    for name, holding in companies.items():
        state = _started(state, name, holding)
    return state


def _same_cities(state: State, hex_id: str) -> dict[str, str]:
    return {part.id: part.id for part in state.table.tile_at(HexId(hex_id)).cities}


def _started(state: State, name: str, holding: Holding) -> State:
    company = state.companies[name]
    certificates = list(issue((20, *[10] * 8)))
    held: dict[str, tuple[Certificate, ...]] = {}
    for place, (holder, number) in enumerate(holding.shares.items()):
        taken = [certificates.pop(0)] if not place else []
        taken += [certificates.pop(0) for _ in range(number - 2 * (not place))]
        held[POOL if holder == "pool" else holder] = tuple(taken)
    if certificates:
        held[IPO] = tuple(certificates)
    price = state.facts.market.price(holding.cell)
    marks = {"coal": True} if holding.coal else {}
    company = company.but(
        holdings=held, president=next(iter(holding.shares)), par=price, cash=holding.cash, trains=holding.trains,
        floated=holding.floated, operated=holding.operated, marks=marks,
    )  # fmt: skip
    state = state.with_company(company).moving_price(name, holding.cell)
    depot = state.depot
    state = state.but(depot=depot.but(upcoming=tuple(one for one in depot.upcoming if one not in holding.trains)))
    if holding.operated:
        state = state.game.place_home_tokens(state, name)
        state = state.but(pending=())
    for stop in holding.tokens:
        state = state.game.put_token(state, name, StopId.parse(stop))
    return state


def stock(companies: Mapping[str, Holding], setup: Setup | None = None) -> State:
    """A stock round that begins with player 1."""
    state = board(companies, setup or Setup())
    return engine.start(state.game.begin_round(state, "Stock", 1))


def operating(companies: Mapping[str, Holding], setup: Setup | None = None) -> State:
    """An operating round that begins now, with two rounds in the set."""
    state = board(companies, setup or Setup()).but(set_length=2)
    return engine.start(state.game.begin_round(state, "Operating", 1))


def done(state: State, *actions: Action) -> State:
    for action in actions:
        state = engine.apply(state, action)
    return state


def player(name: str) -> Actor:
    return Actor("player", name)


def corporation(name: str) -> Actor:
    return Actor("system" if "-" in name else "corporation", name)


def private(name: str) -> Actor:
    return Actor("private", name)


def step_waiting(state: State) -> str:
    step = engine.waiting_step(state)
    return step.title if step is not None else ""


def placement(state: State, hex_id: str) -> Placement | None:
    return state.table.placements().get(HexId(hex_id))


def shares_of(state: State, name: str) -> dict[str, int]:
    """Shares by holder."""
    company = state.companies[name]
    return {holder: company.percent_of(holder) // company.unit for holder in company.holdings if company.held(holder)}
