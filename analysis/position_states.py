"""A state of the rules engine made from a position, so that lays, tokens and purchases can be asked for.

A position tells the board and the operator's trains, not money, shares, or the trains of others. So the treasury is
taken to be full, the bank to offer the trains from the current phase on, and other companies to own none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from board.errors import Fault, InputError
from board.hexes import HexId
from board.position import Position
from rules.facts import TrainFacts
from rules.game import Game
from rules.rounds.operating import OperatingRounds
from rules.state import Company, Depot, OperatingRound, Private, State, Token
from rules.table import Kept, Laid, Table
from titles.registry import get_title

#: The treasury of a company of which a position does not tell the money.
FULL_TREASURY: Final = 10_000


def state_of(position: Position) -> State:
    """The operating turn of the position's operator, with nothing done yet. Raises :class:`InputError` for a title of
    which whole games cannot be played, and for a company that only a game in progress has (1828's systems)."""
    edition = position.edition
    title = get_title(edition.title)
    number = edition.players or title.info.players[0]
    rules = title.game(tuple(f"P{place}" for place in range(number)), options=edition.options)
    opening = rules.opening()
    if position.operator not in opening.companies:
        message = f"{position.operator} stands in no position by itself; ask about the recorded game with --at"
        raise InputError(Fault("needs-the-game", message, "operator"))
    kind = next(name for name, one in rules.round_kinds.items() if isinstance(one, OperatingRounds))
    table = _table(opening, position)
    trains, faces = _trains(rules, position)
    companies = {name: _company(one, table, position, trains) for name, one in opening.companies.items()}
    privates = {name: _private(one, position) for name, one in opening.privates.items()}
    depot, out = _depot(rules, position, trains)
    return opening.but(
        companies=companies,
        privates=privates,
        table=table,
        depot=depot,
        phase_name=position.phase.name,
        faces=faces,
        pending=(),
        round=OperatingRound(kind=kind, order=(position.operator,), at_start=False),
        marks={**opening.marks, "faces_out": out},
    )


def position_after(before: Position, state: State, company: str) -> Position:
    """The board of *state* with what only the position knows: owners, privates and markers."""
    return replace(
        before,
        operator=company,
        phase=state.phase,
        trains=tuple(state.face_of(train) for train in state.companies[company].trains),
        tiles=state.table.placements(),
        tokens=state.table.tokens,
    )


def _table(opening: State, position: Position) -> Table:
    copies: dict[str, int] = {}
    laid: dict[HexId, Laid] = {}
    for hex_id, (tile, rotation) in position.tiles.items():
        laid[hex_id] = Laid(tile, copies.get(tile, 0), rotation)
        copies[tile] = laid[hex_id].copy + 1
    kept: dict[HexId, tuple[Kept, ...]] = {}
    for hex_id, places in opening.table.kept.items():
        cities = {city.id for city in position.tile_at(hex_id).cities}
        there = {token for tokens in position.tokens.get(hex_id, {}).values() for token in tokens}
        left = tuple(
            place if place.city is None or place.city in cities else place._replace(city=None)
            for place in places
            if place.company not in there
        )
        if left:
            kept[hex_id] = left
    return opening.table.but(layout=position.layout_of, laid=laid, tokens=position.tokens, kept=kept)


def _company(company: Company, table: Table, position: Position, trains: tuple[str, ...]) -> Company:
    stands = table.stops_of(company.name)
    operating = company.name == position.operator
    tokens = tuple(
        Token(token.price, stands[place] if place < len(stands) else None, used=place < len(stands))
        for place, token in enumerate(company.tokens)
    )
    there = bool(stands) or operating or company.name in position.owners
    owner = position.owners.get(company.name)
    return company.but(
        tokens=tokens,
        cash=FULL_TREASURY if operating else 0,
        president=owner or ("P0" if there else None),
        floated=there,
        operated=there,
        trains=trains if operating else (),
    )


def _private(private: Private, position: Position) -> Private:
    stands = position.privates.get(private.name)
    return private.but(owner=None, closed=True) if stands is None else private.but(owner=stands.owner, closed=False)


def _kind_of(rules: Game, face: str) -> TrainFacts:
    return next(
        kind for kind in rules.facts.trains.values() if kind.name == face or any(one.name == face for one in kind.faces)
    )


def _trains(rules: Game, position: Position) -> tuple[tuple[str, ...], dict[str, str]]:
    """Ids for the operator's trains, and the faces that are not the names of their cards."""
    numbers: dict[str, int] = {}
    ids, faces = [], {}
    for name in position.trains:
        kind = _kind_of(rules, name)
        train = f"{kind.name}-{numbers.get(kind.name, 0)}"
        numbers[kind.name] = numbers.get(kind.name, 0) + 1
        ids.append(train)
        if name != kind.name:
            faces[train] = name
    return tuple(ids), faces


def _depot(rules: Game, position: Position, owned: tuple[str, ...]) -> tuple[Depot, frozenset[str]]:
    """The trains from the current phase on, and the faces that have been out before."""
    phases = list(rules.facts.edition.phases.values())
    begun = phases[: phases.index(position.phase) + 1]
    kinds = list(rules.facts.trains)
    place = 0
    for phase in begun:
        if phase.starts_with is not None:
            place = max(place, kinds.index(_kind_of(rules, phase.starts_with).name))
    out = {one.name for name in kinds[: place + 1] for one in rules.facts.trains[name].faces}
    out |= set(position.trains)
    upcoming = tuple(
        train for train in rules.stock() if train not in owned and kinds.index(train.rpartition("-")[0]) >= place
    )
    return Depot(upcoming=upcoming), frozenset(out)
