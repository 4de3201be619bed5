"""Recorded games of 18xx.games: the JSON export read into values and written back.

Source: formats/18xx-games-json. Reading checks sizes first, then shapes; what cannot be read is refused with the
action's id, who, what and why. Undo and redo are worked off exactly as the site does (section 3.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from board.errors import Fault, InputError
from board.hexes import HexId
from records.reading import Limits, documents
from rules import actions as act
from rules.actions import Action, Actor
from rules.prices import Cell
from rules.randomness import seed_of

#: Bounds of what is read. A long game of six players has some 3,000 actions.
LIMITS: Final = Limits(
    file_bytes=32 << 20, document_bytes=32 << 20, depth=24, digits=18, text=20_000, entries=60_000, documents=1
)
#: More actions than any game has, auto-actions included.
MOST_ACTIONS: Final = 60_000
_KINDS: Final = {
    "player": "player",
    "corporation": "corporation",
    "company": "private",
    "minor": "minor",
    "system": "system",
}
_KIND_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


@dataclass(frozen=True)
class RecordedAction:
    """One kept entry of the action list. ``action`` is None for entries without effect (messages, logs, programs).

    ``automatic`` are the actions that follow it by themselves; ``place`` names it for faults.
    """

    id: int | None
    type: str
    who: str
    place: str
    action: Action | None
    automatic: tuple[Action, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything to carry out, in order."""
        return (*(() if self.action is None else (self.action,)), *self.automatic)


@dataclass(frozen=True)
class RecordedGame:
    """A recorded game: title as the record calls it, players in seat order, options, seed, and the kept actions.

    ``ids``: player id in the record to the id that the rules use. ``result``: final score by player id of the rules.
    """

    title: str
    id: str
    players: tuple[tuple[str, str], ...]
    options: tuple[str, ...]
    seed: int
    actions: tuple[RecordedAction, ...]
    result: Mapping[str, int] = field(default_factory=dict)
    end_reason: str = ""
    source: Mapping[str, object] = field(default_factory=dict, repr=False)

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(player for player, _ in self.players)

    @property
    def names(self) -> dict[str, str]:
        return dict(self.players)


def read_game(source: str | Path, *, stdin: BinaryIO | None = None) -> RecordedGame:
    """The game in a file. Raises :class:`InputError` or :class:`LimitExceeded`, with the place of every fault."""
    for document in documents(source, stdin=stdin, limits=LIMITS):
        if document.error is not None:
            raise document.error
        return game_from(document.value, where=document.place.partition(":")[0])
    raise InputError(Fault("empty-file", "holds no game", str(source)))


def game_from(value: object, *, where: str = "") -> RecordedGame:
    """The game that a JSON value describes."""
    return _Reader(value, where).game()


class _MalformedError(Exception):
    """A value of the wrong shape inside one action."""


class _Reader:
    def __init__(self, value: object, where: str) -> None:
        self._where = where
        if not isinstance(value, Mapping):
            raise self._error("not-a-game", "a recorded game is a JSON object with title, players and actions")
        self._value: Mapping[str, object] = value
        self._by_id: dict[str, str] = {}
        self._by_name: dict[str, str] = {}

    def _error(self, code: str, message: str, place: str = "") -> InputError:
        where = ": ".join(part for part in (self._where, place) if part)
        return InputError(Fault(code, message, where))

    def game(self) -> RecordedGame:
        title = self._value.get("title")
        if not isinstance(title, str) or not title:
            raise self._error("no-title", "a recorded game names its title", "title")
        players = self._players()
        settings = self._value.get("settings", {})
        if not isinstance(settings, Mapping):
            raise self._error("bad-settings", "settings are an object", "settings")
        options = settings.get("optional_rules") or ()
        if not isinstance(options, (list, tuple)) or not all(isinstance(option, str) for option in options):
            raise self._error("bad-settings", "optional_rules are a list of names", "settings.optional_rules")
        raw = self._value.get("actions", [])
        if not isinstance(raw, list):
            raise self._error("bad-actions", "actions are a list", "actions")
        if len(raw) > MOST_ACTIONS:
            raise self._error("too-many-actions", f"{len(raw):,} actions; at most {MOST_ACTIONS:,} are read", "actions")
        entries = [self._entry(one, place) for place, one in enumerate(raw)]
        game_id = self._value.get("id", "")
        return RecordedGame(
            title=title,
            id=str(game_id),
            players=players,
            options=tuple(options),
            seed=seed_of(settings.get("seed"), game_id),
            actions=tuple(self._action(one, place) for one, place in self._kept(entries)),
            result=self._result(),
            end_reason=str(self._value.get("game_end_reason") or ""),
            source=self._value,
        )

    # --- players -----------------------------------------------------------------------------------------------

    def _players(self) -> tuple[tuple[str, str], ...]:
        raw = self._value.get("players")
        if not isinstance(raw, list) or not raw:
            raise self._error("no-players", "players are a list in seat order", "players")
        if len(raw) > 32:
            raise self._error("too-many-players", f"{len(raw)} players", "players")
        found: list[tuple[str, str]] = []
        for place, one in enumerate(raw):
            name = one.get("name") if isinstance(one, Mapping) else one
            number = one.get("id", name) if isinstance(one, Mapping) else one
            if number is None:
                number = name
            if name is None:
                name = str(number)
            if not isinstance(name, str) or not isinstance(number, (int, str)) or isinstance(number, bool):
                raise self._error("bad-player", "a player is an object with id and name", f"players[{place}]")
            player = str(number)
            if player in self._by_id:
                raise self._error("player-twice", f"two players have the id {player}", f"players[{place}]")
            # Ids of players are marked off from names of companies, which a player may have chosen too.
            self._by_id[player] = player
            self._by_name.setdefault(name, player)
            found.append((player, name))
        return tuple(found)

    def _result(self) -> dict[str, int]:
        raw = self._value.get("result") or {}
        if not isinstance(raw, Mapping):
            raise self._error("bad-result", "the result is an object from player to score", "result")
        found = {}
        for key, score in raw.items():
            player = self._by_id.get(key) or self._by_name.get(key)
            if player is None:
                raise self._error("unknown-player", f"nobody has the id {key!r}", "result")
            if not isinstance(score, int) or isinstance(score, bool):
                raise self._error("bad-result", f"the score of {key} is {score!r}, not a whole number", "result")
            found[player] = score
        return found

    # --- undo and redo -----------------------------------------------------------------------------------------

    def _entry(self, value: object, place: int) -> Mapping[str, object]:
        if not isinstance(value, Mapping) or not isinstance(value.get("type"), str):
            raise self._error("bad-action", "an action is an object with a type", f"actions[{place}]")
        number = value.get("id")
        if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
            raise self._error("bad-action", f"the id {number!r} is not a number", f"actions[{place}]")
        return value

    def _kept(self, entries: Sequence[Mapping[str, object]]) -> Iterator[tuple[Mapping[str, object], int]]:
        """What still stands after undo and redo. Source: formats/18xx-games-json section 3.1."""
        kept: list[Mapping[str, object] | None] = []
        undone: list[list[tuple[int, Mapping[str, object]]]] = []
        index: dict[int, int] = {}
        for place, entry in enumerate(entries):
            number = entry.get("id")
            if isinstance(number, int):
                index[number] = place
            kept.append(None)
            kind = entry["type"]
            if kind == "message":
                kept[place] = entry
            elif kind == "undo":
                start = self._undo_start(entry, index, kept, place)
                group = [
                    (at, old)
                    for at, old in enumerate(kept[start:place], start)
                    if old is not None and old["type"] != "message"
                ]
                for at, _ in group:
                    kept[at] = None
                undone.append(group)
            elif kind == "redo":
                if not undone:
                    raise self._error("nothing-to-redo", "redo without an undo before it", _place_of(entry, place))
                for at, old in undone.pop():
                    kept[at] = old
            else:
                kept[place] = entry
                undone.clear()
        return ((entry, place) for place, entry in enumerate(kept) if entry is not None)

    def _undo_start(
        self,
        entry: Mapping[str, object],
        index: Mapping[int, int],
        kept: Sequence[Mapping[str, object] | None],
        place: int,
    ) -> int:
        number = entry.get("action_id")
        if number is None:
            for at in range(place - 1, -1, -1):
                old = kept[at]
                if old is not None and old["type"] != "message":
                    return at
            return 0
        if number == 0:
            return 0
        if not isinstance(number, int) or number not in index:
            raise self._error(
                "unknown-action", f"undo to action {number!r}, which is not there", _place_of(entry, place)
            )
        return index[number] + 1

    # --- actions -----------------------------------------------------------------------------------------------

    def _action(self, entry: Mapping[str, object], place: int) -> RecordedAction:
        where = _place_of(entry, place)
        kind = str(entry["type"])
        number = entry.get("id")
        who = str(entry.get("entity", ""))
        automatic: list[Action] = []
        further = entry.get("auto_actions") or []
        if not isinstance(further, list):
            raise self._error("bad-action", "auto_actions are a list", where)
        try:
            action = self._read(entry, number if isinstance(number, int) else None)
            for one in further:
                if not isinstance(one, Mapping):
                    raise _MalformedError("an automatic action is an object")
                found = self._read(one, None)
                if found is not None:
                    automatic.append(found)
        except _MalformedError as error:
            raise self._error("bad-action", f"{who} {kind}: {error}", where) from None
        return RecordedAction(number if isinstance(number, int) else None, kind, who, where, action, tuple(automatic))

    def _actor(self, entry: Mapping[str, object]) -> Actor:
        kind, entity = entry.get("entity_type"), entry.get("entity")
        if kind not in _KINDS or entity is None or isinstance(entity, (bool, Mapping, list)):
            raise _MalformedError(f"nobody is known who acts ({kind!r} {entity!r})")
        if kind == "player":
            player = self._by_id.get(str(entity)) or self._by_name.get(str(entity))
            if player is None:
                raise _MalformedError(f"there is no player {entity!r}")
            return Actor("player", player)
        return Actor(_KINDS[str(kind)], str(entity))

    def _read(self, entry: Mapping[str, object], number: int | None) -> Action | None:
        kind = entry.get("type")
        if kind in ("message", "log") or (isinstance(kind, str) and kind.startswith("program_")):
            return None
        read = _READERS.get(kind) if isinstance(kind, str) else None
        if read is None:
            raise _MalformedError(f"actions of type {kind!r} are not known")
        return read(_Fields(entry, self._actor(entry), number))


@dataclass(frozen=True)
class _Fields:
    """The fields of one action, each read with a check of its shape."""

    entry: Mapping[str, object]
    by: Actor
    id: int | None

    def text(self, key: str) -> str:
        value = self.entry.get(key)
        if isinstance(value, str) and value:
            return value
        raise _MalformedError(f"{key} is missing or no text")

    def maybe_text(self, key: str) -> str | None:
        value = self.entry.get(key)
        if value is None or (isinstance(value, str) and value):
            return value
        raise _MalformedError(f"{key} is no text")

    def number(self, key: str, default: int | None = None) -> int:
        value = self.entry.get(key, default)
        if value is None and default is not None:
            return default
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 10**9:
            return value
        raise _MalformedError(f"{key} is missing or no number")

    def maybe_number(self, key: str) -> int | None:
        value = self.entry.get(key)
        if value is None or value is False:
            return None
        return self.number(key)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.entry.get(key)
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        raise _MalformedError(f"{key} is missing or no list of names")

    def hex(self, key: str) -> HexId:
        try:
            return HexId.parse(self.text(key))
        except InputError as error:
            raise _MalformedError(error.faults[0].message) from None


def _copy(text: str, what: str) -> tuple[str, int]:
    match = re.fullmatch(r"(.+)-([0-9]{1,6})", text)
    if match is None:
        raise _MalformedError(f"{text!r} is no {what}; expected a name, a hyphen and a number")
    return match[1], int(match[2])


def _lay(fields: _Fields) -> Action:
    tile, copy = _copy(fields.text("tile"), "tile")
    return act.LayTile(
        by=fields.by, id=fields.id, hex=fields.hex("hex"), tile=tile, copy=copy, rotation=fields.number("rotation")
    )


def _token(fields: _Fields) -> Action:
    tile, part = _copy(fields.text("city"), "city")
    return act.PlaceToken(
        by=fields.by,
        id=fields.id,
        tile=tile,
        part=part,
        slot=fields.maybe_number("slot"),
        token_of=fields.maybe_text("tokener"),
    )


def _remove_token(fields: _Fields) -> Action:
    tile, part = _copy(fields.text("city"), "city")
    return act.RemoveToken(by=fields.by, id=fields.id, tile=tile, part=part, slot=fields.maybe_number("slot"))


def _par(fields: _Fields) -> Action:
    text = fields.text("share_price")
    match = re.fullmatch(r"[0-9]{1,6},([0-9]{1,3}),([0-9]{1,3})", text)
    if match is None:
        raise _MalformedError(f"share_price {text!r} is not price,row,column")
    cell = Cell(int(match[1]), int(match[2]))
    return act.Par(by=fields.by, id=fields.id, corporation=fields.text("corporation"), cell=cell)


def _shares(kind: type[act.BuyShares] | type[act.SellShares]) -> Callable[[_Fields], Action]:
    def read(fields: _Fields) -> Action:
        return kind(
            by=fields.by,
            id=fields.id,
            shares=fields.texts("shares"),
            percent=fields.number("percent"),
            price=fields.maybe_number("share_price"),
        )

    return read


def _routes(fields: _Fields) -> Action:
    value = fields.entry.get("routes")
    if not isinstance(value, list):
        raise _MalformedError("routes are a list")
    found = []
    for one in value:
        if not isinstance(one, Mapping) or not isinstance(one.get("train"), str):
            raise _MalformedError("a route is an object with a train")
        hops = one.get("connections") or []
        if not isinstance(hops, list) or not all(
            isinstance(hop, list) and all(isinstance(name, str) for name in hop) for hop in hops
        ):
            raise _MalformedError("connections are lists of hexes")
        revenue = one.get("revenue")
        if revenue is not None and (not isinstance(revenue, int) or isinstance(revenue, bool) or abs(revenue) > 10**9):
            raise _MalformedError(f"the revenue {revenue!r} is no number")
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
    raise _MalformedError("a list of names is expected")


def _buy_train(fields: _Fields) -> Action:
    return act.BuyTrain(
        by=fields.by,
        id=fields.id,
        train=fields.text("train"),
        price=fields.number("price"),
        face=fields.maybe_text("variant"),
        exchange=fields.maybe_text("exchange"),
        shell=fields.maybe_text("shell"),
    )


_READERS: Final[Mapping[str, Callable[[_Fields], Action]]] = {
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


def _place_of(entry: Mapping[str, object], place: int) -> str:
    number = entry.get("id")
    return f"action {number}" if isinstance(number, int) else f"actions[{place}]"
