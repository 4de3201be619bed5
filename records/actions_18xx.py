"""Actions of recorded games: the JSON fields of each kind read into :mod:`rules.actions` and written back.

Source: formats/18xx-games-json sections 3 and 4. Every kind has its reader and its writer side by side; a test writes
and reads every kind with every field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from board.errors import InputError
from board.hexes import HexId
from records.reading import shortened
from rules import actions as act
from rules.actions import VERBS, Action, Actor
from rules.prices import Cell

#: Kinds of actors: the name in a record to that of the rules.
ACTOR_KINDS: Final = {
    "player": "player",
    "corporation": "corporation",
    "company": "private",
    "minor": "minor",
    "system": "system",
}
_RECORDED_KINDS: Final = {kind: name for name, kind in ACTOR_KINDS.items()}
#: Entries that change nothing in the game. ``program_…`` are intentions of players.
WITHOUT_EFFECT: Final = ("message", "log")


class MalformedActionError(Exception):
    """A value of the wrong shape inside one action."""


def is_without_effect(kind: object) -> bool:
    return kind in WITHOUT_EFFECT or (isinstance(kind, str) and kind.startswith("program_"))


def read_action(entry: Mapping[str, object], by: Actor, number: int | None) -> Action:
    """The action of an entry that has an effect. Raises :class:`MalformedActionError`."""
    kind = entry.get("type")
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise MalformedActionError(f"actions of type {shortened(kind)} are not known")
    return read(Fields(entry, by, number))


def write_action(action: Action, price: Callable[[Cell], int], entity: Callable[[Actor], object]) -> dict[str, object]:
    """The action as a record has it, without id. *price* tells what a cell of the chart says, *entity* how the record
    calls who acts."""
    return {
        "type": VERBS[type(action)],
        "entity": entity(action.by),
        "entity_type": _RECORDED_KINDS[action.by.kind],
        **_WRITERS.get(type(action), _nothing)(action, price),
    }


@dataclass(frozen=True)
class Fields:
    """The fields of one action, each read with a check of its shape."""

    entry: Mapping[str, object]
    by: Actor
    id: int | None

    def text(self, key: str) -> str:
        value = self.entry.get(key)
        if isinstance(value, str) and value:
            return value
        raise MalformedActionError(f"{key} is missing or no text")

    def maybe_text(self, key: str) -> str | None:
        value = self.entry.get(key)
        if value is None or (isinstance(value, str) and value):
            return value
        raise MalformedActionError(f"{key} is no text")

    def number(self, key: str, default: int | None = None) -> int:
        value = self.entry.get(key, default)
        if value is None and default is not None:
            return default
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 10**9:
            return value
        raise MalformedActionError(f"{key} is missing or no number")

    def percent(self, key: str) -> int:
        """0 where it is not told, as in older records: then all of the certificates are meant."""
        value = self.maybe_number(key)
        if value is None:
            return 0
        if 0 < value <= 100:
            return value
        raise MalformedActionError(f"{key} is {value}; it should be 1 to 100")

    def maybe_number(self, key: str) -> int | None:
        value = self.entry.get(key)
        if value is None or value is False:
            return None
        return self.number(key)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.entry.get(key)
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        raise MalformedActionError(f"{key} is missing or no list of names")

    def hex(self, key: str) -> HexId:
        try:
            return HexId.parse(self.text(key))
        except InputError as error:
            raise MalformedActionError(error.faults[0].message) from None


def _copy(text: str, what: str) -> tuple[str, int]:
    match = re.fullmatch(r"(.+)-([0-9]{1,6})", text)
    if match is None:
        raise MalformedActionError(f"{text!r} is no {what}; expected a name, a hyphen and a number")
    return match[1], int(match[2])


def _lay(fields: Fields) -> Action:
    tile, copy = _copy(fields.text("tile"), "tile")
    return act.LayTile(
        by=fields.by, id=fields.id, hex=fields.hex("hex"), tile=tile, copy=copy, rotation=fields.number("rotation")
    )


def _token(fields: Fields) -> Action:
    tile, part = _copy(fields.text("city"), "city")
    return act.PlaceToken(
        by=fields.by,
        id=fields.id,
        tile=tile,
        part=part,
        slot=fields.maybe_number("slot"),
        token_of=fields.maybe_text("tokener"),
    )


def _remove_token(fields: Fields) -> Action:
    tile, part = _copy(fields.text("city"), "city")
    return act.RemoveToken(by=fields.by, id=fields.id, tile=tile, part=part, slot=fields.maybe_number("slot"))


def _par(fields: Fields) -> Action:
    text = fields.text("share_price")
    match = re.fullmatch(r"([0-9]{1,6}),([0-9]{1,3}),([0-9]{1,3})", text)
    if match is None:
        raise MalformedActionError(f"share_price {text!r} is not price,row,column")
    cell = Cell(int(match[2]), int(match[3]))
    return act.Par(by=fields.by, id=fields.id, corporation=fields.text("corporation"), cell=cell, price=int(match[1]))


def _shares(kind: type[act.BuyShares] | type[act.SellShares]) -> Callable[[Fields], Action]:
    def read(fields: Fields) -> Action:
        return kind(
            by=fields.by,
            id=fields.id,
            shares=fields.texts("shares"),
            percent=fields.percent("percent"),
            price=fields.maybe_number("share_price"),
        )

    return read


def _routes(fields: Fields) -> Action:
    value = fields.entry.get("routes")
    if not isinstance(value, list):
        raise MalformedActionError("routes are a list")
    found = []
    for one in value:
        if not isinstance(one, Mapping) or not isinstance(one.get("train"), str):
            raise MalformedActionError("a route is an object with a train")
        hops = one.get("connections") or []
        if not isinstance(hops, list) or not all(
            isinstance(hop, list) and all(isinstance(name, str) for name in hop) for hop in hops
        ):
            raise MalformedActionError("connections are lists of hexes")
        revenue = one.get("revenue")
        if revenue is not None and (not isinstance(revenue, int) or isinstance(revenue, bool) or abs(revenue) > 10**9):
            raise MalformedActionError(f"the revenue {revenue!r} is no number")
        found.append(
            act.RecordedRoute(
                train=str(one["train"]),
                connections=tuple(tuple(hop) for hop in hops),
                nodes=_names(one.get("nodes")),
                hexes=_names(one.get("hexes")),
                revenue=revenue,
                note=str(one.get("revenue_str") or ""),
            )
        )
    return act.RunRoutes(
        by=fields.by,
        id=fields.id,
        routes=tuple(found),
        extra_revenue=fields.number("extra_revenue", 0),
        subsidy=fields.number("subsidy", 0),
    )


def _names(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    raise MalformedActionError("a list of names is expected")


def _buy_train(fields: Fields) -> Action:
    return act.BuyTrain(
        by=fields.by,
        id=fields.id,
        train=fields.text("train"),
        price=fields.number("price"),
        face=fields.maybe_text("variant"),
        exchange=fields.maybe_text("exchange"),
        shell=fields.maybe_text("shell"),
    )


_READERS: Final[Mapping[str, Callable[[Fields], Action]]] = {
    "bid": lambda f: act.Bid(by=f.by, id=f.id, private=f.text("company"), price=f.number("price", 0)),
    "pass": lambda f: act.Pass(by=f.by, id=f.id),
    "par": _par,
    "buy_shares": _shares(act.BuyShares),
    "sell_shares": _shares(act.SellShares),
    "lay_tile": _lay,
    "place_token": _token,
    "remove_token": _remove_token,
    "run_routes": _routes,
    "dividend": lambda f: act.Dividend(by=f.by, id=f.id, kind=f.text("kind")),
    "buy_train": _buy_train,
    "buy_company": lambda f: act.BuyPrivate(by=f.by, id=f.id, private=f.text("company"), price=f.number("price")),
    "discard_train": lambda f: act.DiscardTrain(by=f.by, id=f.id, train=f.text("train")),
    "choose": lambda f: act.Choose(by=f.by, id=f.id, choice=f.text("choice")),
    "choose_ability": lambda f: act.ChooseAbility(by=f.by, id=f.id, choice=f.text("choice")),
    "merge": lambda f: act.Merge(by=f.by, id=f.id, corporation=f.text("corporation")),
    "failed_merge": lambda f: act.FailedMerge(by=f.by, id=f.id, corporations=f.texts("corporations")),
    "swap_train": lambda f: act.SwapTrain(by=f.by, id=f.id, train=f.text("train")),
    "special_buy": lambda f: act.SpecialBuy(by=f.by, id=f.id, what=f.text("description"), cost=f.number("cost")),
    "convert": lambda f: act.Convert(by=f.by, id=f.id),
    "assign": lambda f: act.Assign(by=f.by, id=f.id, target=f.text("target"), target_kind=f.text("target_type")),
    "bankrupt": lambda f: act.Bankrupt(by=f.by, id=f.id),
    "end_game": lambda f: act.EndGame(by=f.by, id=f.id),
}


# --- writing -------------------------------------------------------------------------------------------------------


def _nothing(action: Action, price: Callable[[Cell], int]) -> dict[str, object]:
    return {}


def _write_shares(action: act.BuyShares | act.SellShares, price: Callable[[Cell], int]) -> dict[str, object]:
    found: dict[str, object] = {"shares": list(action.shares)}
    if action.percent:
        found["percent"] = action.percent
    if action.price is not None:
        found["share_price"] = action.price
    return found


def _write_city(action: act.PlaceToken | act.RemoveToken, price: Callable[[Cell], int]) -> dict[str, object]:
    found: dict[str, object] = {"city": f"{action.tile}-{action.part}"}
    if action.slot is not None:
        found["slot"] = action.slot
    if isinstance(action, act.PlaceToken) and action.token_of is not None:
        found["tokener"] = action.token_of
    return found


def _write_routes(action: act.RunRoutes, price: Callable[[Cell], int]) -> dict[str, object]:
    found: dict[str, object] = {"routes": [_write_route(route) for route in action.routes]}
    if action.extra_revenue:
        found["extra_revenue"] = action.extra_revenue
    if action.subsidy:
        found["subsidy"] = action.subsidy
    return found


def _write_route(route: act.RecordedRoute) -> dict[str, object]:
    found: dict[str, object] = {"train": route.train, "connections": [list(hop) for hop in route.connections]}
    if route.hexes:
        found["hexes"] = list(route.hexes)
    if route.revenue is not None:
        found["revenue"] = route.revenue
    if route.note:
        found["revenue_str"] = route.note
    if route.nodes:
        found["nodes"] = list(route.nodes)
    return found


def _write_train(action: act.BuyTrain, price: Callable[[Cell], int]) -> dict[str, object]:
    further = {"variant": action.face, "exchange": action.exchange, "shell": action.shell}
    return {
        "train": action.train,
        "price": action.price,
        **{key: value for key, value in further.items() if value is not None},
    }


#: What each kind of action has beside type and entity. Kinds that are not listed have nothing.
_WRITERS: Final[Mapping[type[Action], Callable[[Any, Callable[[Cell], int]], dict[str, object]]]] = {
    act.Bid: lambda one, price: {"company": one.private, "price": one.price},
    act.Par: lambda one, price: {
        "corporation": one.corporation,
        "share_price": f"{price(one.cell)},{one.cell.row},{one.cell.column}",
    },
    act.BuyShares: _write_shares,
    act.SellShares: _write_shares,
    act.LayTile: lambda one, price: {
        "hex": str(one.hex),
        "tile": f"{one.tile}-{one.copy}",
        "rotation": one.rotation,
    },
    act.PlaceToken: _write_city,
    act.RemoveToken: _write_city,
    act.RunRoutes: _write_routes,
    act.Dividend: lambda one, price: {"kind": one.kind},
    act.BuyTrain: _write_train,
    act.BuyPrivate: lambda one, price: {"company": one.private, "price": one.price},
    act.DiscardTrain: lambda one, price: {"train": one.train},
    act.Choose: lambda one, price: {"choice": one.choice},
    act.ChooseAbility: lambda one, price: {"choice": one.choice},
    act.Merge: lambda one, price: {"corporation": one.corporation},
    act.FailedMerge: lambda one, price: {"corporations": list(one.corporations)},
    act.SwapTrain: lambda one, price: {"train": one.train},
    act.SpecialBuy: lambda one, price: {"description": one.what, "cost": one.cost},
    act.Assign: lambda one, price: {"target": one.target, "target_type": one.target_kind},
}
