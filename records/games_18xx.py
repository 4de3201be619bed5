"""Recorded games of 18xx.games: the JSON export read into values and written back.

Source: formats/18xx-games-json. Reading checks sizes first, then shapes; what cannot be read is refused with the
action's id, who, what and why. Undo and redo are worked off exactly as the site does (section 3.1).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from board.errors import Fault, InputError
from records.actions_18xx import (
    ACTOR_KINDS,
    MalformedActionError,
    is_without_effect,
    read_action,
    write_action,
)
from records.reading import Limits, documents, shortened, unsound
from rules.actions import Action, Actor
from rules.prices import Cell
from rules.randomness import seed_of

#: Bounds of what is read. A long game of six players has some 3,000 actions, undone ones included.
LIMITS: Final = Limits(
    file_bytes=32 << 20,
    document_bytes=32 << 20,
    depth=24,
    digits=18,
    text=20_000,
    entries=20_000,
    documents=1,
    what="recorded game",
)
#: More actions than any game has.
MOST_ACTIONS: Final = 20_000
#: More players than sit at any table.
MOST_PLAYERS: Final = 32
#: Free text of people and of the site, which says nothing about the game.
_REMARKS: Final = re.compile(r"(\.|^)(message|description|user_settings|user|reason|revenue_str|note)\b")


@dataclass(frozen=True)
class RecordedAction:
    """One kept entry of the action list. ``action`` is None for entries without effect (messages, logs, programs).

    ``automatic`` are the actions that follow it by themselves; ``place`` names it for faults. An entry that cannot be
    read holds its ``faults``: it ends a replay, and the game can still be used up to there.
    """

    id: int | None
    type: str
    who: str
    place: str
    action: Action | None
    automatic: tuple[Action, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything to carry out, in order."""
        return (*(() if self.action is None else (self.action,)), *self.automatic)


@dataclass(frozen=True)
class RecordedGame:
    """A recorded game: title as the record calls it, players in seat order, options, seed, and the kept actions.

    ``players`` are pairs of the id that the rules use and the name. ``ids`` says how the record writes the id of each
    player; ``result`` is the final score by the id of the rules.
    """

    title: str
    id: str
    players: tuple[tuple[str, str], ...]
    options: tuple[str, ...]
    seed: int
    actions: tuple[RecordedAction, ...]
    result: Mapping[str, int] = field(default_factory=dict)
    end_reason: str = ""
    finished: bool = False
    ids: Mapping[str, int | str] = field(default_factory=dict)
    source: Mapping[str, object] = field(default_factory=dict, repr=False, compare=False)
    place: str = field(default="", compare=False)

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(player for player, _ in self.players)

    @property
    def names(self) -> dict[str, str]:
        return dict(self.players)

    def _repr_html_(self) -> str:
        """Players and result, for notebooks."""
        options = f" · {', '.join(self.options)}" if self.options else ""
        ended = f", ended by {self.end_reason}" if self.end_reason else ""
        head = f"{self.title} · game {self.id}{options} · {len(self.actions)} actions{ended}"
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{self.result.get(player, '')}</td></tr>" for player, name in self.players
        )
        return f"<table><caption>{escape(head)}</caption><tr><th>player</th><th>result</th></tr>{rows}</table>"

    def shown_id(self, player: str) -> str:
        """The id of a player as the record writes it, as text."""
        return str(self.ids.get(player, player))


def read_game(source: str | Path, *, stdin: BinaryIO | None = None) -> RecordedGame:
    """The game in a file. Raises :class:`InputError` or :class:`LimitExceeded`, with the place of every fault.

    Single actions that cannot be read are no error here; they carry their faults (:class:`RecordedAction`).
    """
    first, *others = islice(documents(source, stdin=stdin, limits=LIMITS), 2)
    where = first.place.rpartition(":")[0] or first.place
    if first.error is None and _is_position(first.value):
        return game_from(first.value, where=where)
    for document in (first, *others):
        if document.error is not None:
            raise document.error
    return game_from(first.value, where=where)


def _is_position(value: object) -> bool:
    return isinstance(value, Mapping) and "actions" not in value and not {"tiles", "operator"}.isdisjoint(value)


def game_from(value: object, *, where: str = "") -> RecordedGame:
    """The game that a JSON value describes."""
    return _Reader(value, where).game()


def game_to_json(game: RecordedGame, price: Callable[[Cell], int]) -> dict[str, object]:
    """The game as a JSON value of the recorded-game format; *price* tells what a cell of the title's chart says.

    What stands after undo and redo is written, messages and other entries without effect are not.
    """

    def entity(actor: Actor) -> object:
        return game.ids.get(actor.name, actor.name) if actor.kind == "player" else actor.name

    actions: list[dict[str, object]] = []
    for number, entry in enumerate(game.actions, start=1):
        if entry.faults:
            raise InputError(fault.at(game.place or "game") for fault in entry.faults)
        if not entry.actions:
            continue
        first, *others = entry.actions
        written = write_action(first, price, entity)
        written["id"] = number if entry.id is None else entry.id
        if others:
            written["auto_actions"] = [write_action(one, price, entity) for one in others]
        actions.append(written)
    value: dict[str, object] = {
        "id": game.id,
        "title": game.title,
        "players": [{"id": game.ids.get(player, player), "name": name} for player, name in game.players],
        "settings": {"seed": game.seed, "optional_rules": list(game.options)},
        "status": "finished" if game.finished else "active",
        "actions": actions,
    }
    if game.result:
        value["result"] = {game.shown_id(player): score for player, score in game.result.items()}
    if game.end_reason:
        value["game_end_reason"] = game.end_reason
    return value


def game_text(game: RecordedGame, price: Callable[[Cell], int]) -> str:
    """The game as the text of a file: one action a line, so that two games can be compared line by line."""
    value = game_to_json(game, price)
    actions = value.pop("actions")
    assert isinstance(actions, list)
    head = ",\n".join(f"  {json.dumps(key)}: {json.dumps(inner)}" for key, inner in value.items())
    lines = ",\n".join(f"    {json.dumps(action)}" for action in actions)
    listed = f"[\n{lines}\n  ]" if actions else "[]"
    return f'{{\n{head},\n  "actions": {listed}\n}}\n'


class _Reader:
    def __init__(self, value: object, where: str) -> None:
        self._where = where
        if not isinstance(value, Mapping):
            raise self._error("not-a-game", "a recorded game is a JSON object with title, players and actions")
        self._value: Mapping[str, object] = value
        self._by_id: dict[str, str] = {}
        self._by_name: dict[str, str | None] = {}
        self._ids: dict[str, int | str] = {}
        self._unsound: dict[int, list[Fault]] = {}

    def _error(self, code: str, message: str, place: str = "") -> InputError:
        where = ": ".join(part for part in (self._where, place) if part)
        return InputError(Fault(code, message, where))

    def game(self) -> RecordedGame:
        title = self._value.get("title")
        if _is_position(self._value):
            message = "is a position, no recorded game; best, score, what-if, audit and show take positions"
            raise self._error("not-a-game", message)
        if not isinstance(title, str) or not title:
            raise self._error("no-title", "a recorded game names its title", "title")
        raw = self._value.get("actions", [])
        if not isinstance(raw, list):
            raise self._error("bad-actions", "actions are a list", "actions")
        if len(raw) > MOST_ACTIONS:
            raise self._error("too-many-actions", f"{len(raw):,} actions; at most {MOST_ACTIONS:,} are read", "actions")
        self._check_sound()
        players = self._players()
        settings = self._value.get("settings")
        if settings is None:
            settings = {}
        if not isinstance(settings, Mapping):
            raise self._error("bad-settings", "settings are an object", "settings")
        options = settings.get("optional_rules")
        if options is None:
            options = ()
        if not isinstance(options, (list, tuple)) or not all(isinstance(option, str) for option in options):
            raise self._error("bad-settings", "optional_rules are a list of names", "settings.optional_rules")
        entries = [self._entry(one, place) for place, one in enumerate(raw)]
        self._check_ids(entries)
        game_id = self._value.get("id")
        if game_id is not None and (not isinstance(game_id, (int, str)) or isinstance(game_id, bool)):
            raise self._error("bad-id", f"the id of a game is a number or text, not {shortened(game_id)}", "id")
        return RecordedGame(
            title=title,
            id="" if game_id is None else str(game_id),
            players=players,
            options=tuple(options),
            seed=seed_of(settings.get("seed"), "" if game_id is None else game_id),
            actions=tuple(self._action(one, place) for one, place in self._kept(entries)),
            result=self._result(),
            end_reason=self._end_reason(),
            finished=self._value.get("status") == "finished",
            ids=self._ids,
            source=self._value,
            place=self._where,
        )

    def _check_sound(self) -> None:
        """Refuses keys written twice, numbers that are none, text that cannot be printed; remarks of people may hold
        any text. What is wrong inside an action is kept for that action."""
        faults = []
        for fault in unsound(self._value, LIMITS):
            if fault.code in ("unprintable-text", "text-too-long") and _REMARKS.search(fault.where):
                continue
            match = re.match(r"actions\[([0-9]+)\]\.?", fault.where)
            if match is None:
                faults.append(fault)
            else:
                inside = Fault(fault.code, fault.message, fault.where[match.end() :])
                self._unsound.setdefault(int(match[1]), []).append(inside)
        if faults:
            where = self._where
            listed = faults[:20]
            if len(faults) > len(listed):
                listed.append(Fault("too-many-faults", f"{len(faults) - 20:,} further faults are not listed"))
            raise InputError(fault.at(where) if where else fault for fault in listed)

    def _end_reason(self) -> str:
        reason = self._value.get("game_end_reason")
        if reason is None:
            return ""
        if not isinstance(reason, str):
            raise self._error("bad-end", f"the reason of the end is a word, not {shortened(reason)}", "game_end_reason")
        return reason

    # --- players -----------------------------------------------------------------------------------------------

    def _players(self) -> tuple[tuple[str, str], ...]:
        """Ids and names in seat order. In old and in hot-seat games the id is a text or missing (then the name)."""
        raw = self._value.get("players")
        if not isinstance(raw, list) or not raw:
            raise self._error("no-players", "players are a list in seat order", "players")
        if len(raw) > MOST_PLAYERS:
            raise self._error("too-many-players", f"{len(raw)} players; at most {MOST_PLAYERS}", "players")
        found: list[tuple[str, str]] = []
        for place, one in enumerate(raw):
            name = one.get("name") if isinstance(one, Mapping) else one
            number = one.get("id") if isinstance(one, Mapping) else one
            if number is None:
                number = name
            if name is None and number is not None and not isinstance(number, bool):
                name = str(number)
            if (
                not isinstance(name, str)
                or not isinstance(number, (int, str))
                or isinstance(number, bool)
                or not str(number)
            ):
                raise self._error("bad-player", "a player is an object with id and name", f"players[{place}]")
            if str(number) in self._by_id:
                raise self._error("player-twice", f"two players have the id {number}", f"players[{place}]")
            # Ids that are no numbers are marked off from names of companies, which a player may have chosen too.
            player = str(number) if re.fullmatch(r"-?[0-9]+", str(number)) else f"@{number}"
            self._by_id[str(number)] = player
            self._by_name[name] = None if name in self._by_name else player
            self._ids[player] = number
            found.append((player, name))
        return tuple(found)

    def _player(self, text: str) -> str | None:
        """The player with this id, or of this name where the name is one player's alone (older records)."""
        return self._by_id.get(text) or self._by_name.get(text)

    def _result(self) -> dict[str, int]:
        raw = self._value.get("result")
        if raw is None:
            return {}
        if isinstance(raw, list) and not raw:
            return {}
        if not isinstance(raw, Mapping):
            raise self._error("bad-result", "the result is an object from player to score", "result")
        found = {}
        for key, score in raw.items():
            player = self._player(str(key))
            if player is None:
                raise self._error("unknown-player", f"nobody has the id {shortened(key)}", "result")
            if not isinstance(score, (int, float)) or isinstance(score, bool) or score != int(score):
                raise self._error(
                    "bad-result", f"the score of {key} is {shortened(score)}, not a whole number", "result"
                )
            found[player] = int(score)
        return found

    # --- undo and redo -----------------------------------------------------------------------------------------

    def _entry(self, value: object, place: int) -> Mapping[str, object]:
        if not isinstance(value, Mapping):
            raise self._error("bad-action", f"an action is an object, not {shortened(value)}", f"actions[{place}]")
        number = value.get("id")
        if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
            raise self._error("bad-action", f"the id {shortened(number)} is not a number", f"actions[{place}]")
        if not isinstance(value.get("type"), str):
            raise self._error("bad-action", f"{_who(value)}: an action names its type", _place_of(value, place))
        return value

    def _check_ids(self, entries: Sequence[Mapping[str, object]]) -> None:
        """Ids rise from action to action. Source: formats/18xx-games-json section 3."""
        last: int | None = None
        for place, entry in enumerate(entries):
            number = entry.get("id")
            if isinstance(number, int):
                if last is not None and number <= last:
                    raise self._error(
                        "bad-action", f"the id {number} comes after {last}; ids rise from action to action",
                        f"actions[{place}]",
                    )  # fmt: skip
                last = number

    def _kept(self, entries: Sequence[Mapping[str, object]]) -> Iterator[tuple[Mapping[str, object], int]]:
        """What still stands after undo and redo. Source: formats/18xx-games-json section 3.1.

        Works on places in the list: *kept* those that stand, in order, without messages; *undone* the groups taken out.
        """
        kept: list[int] = []
        messages: list[int] = []
        undone: list[list[int]] = []
        numbers = [(entry["id"], place) for place, entry in enumerate(entries) if isinstance(entry.get("id"), int)]
        for place, entry in enumerate(entries):
            kind = entry["type"]
            if kind == "message":
                messages.append(place)
            elif kind == "undo":
                start = self._undo_start(entry, numbers, kept, place)
                first = bisect_left(kept, start)
                undone.append(kept[first:])
                del kept[first:]
            elif kind == "redo":
                if not undone:
                    raise self._error(
                        "nothing-to-redo", f"{_who(entry)}: redo without an undo before it", _place_of(entry, place)
                    )
                kept += undone.pop()
            else:
                kept.append(place)
                undone.clear()
        return ((entries[place], place) for place in sorted((*kept, *messages)))

    def _undo_start(
        self,
        entry: Mapping[str, object],
        numbers: Sequence[tuple[object, int]],
        kept: Sequence[int],
        place: int,
    ) -> int:
        """The place from which an undo takes everything out: behind the action that it names, or the last one kept.

        An action that is no longer in the file (deleted messages leave gaps) stands for the last one before it.
        """
        number = entry.get("action_id")
        if number is None:
            return kept[-1] if kept else 0
        own = entry.get("id")
        if (
            not isinstance(number, int)
            or isinstance(number, bool)
            or number < 0
            or (isinstance(own, int) and number >= own)
        ):
            raise self._error(
                "unknown-action",
                f"{_who(entry)}: undo to action {shortened(number)}, which is not before it",
                _place_of(entry, place),
            )
        at = bisect_right(numbers, number, key=lambda one: one[0])  # type: ignore[arg-type, return-value]
        return numbers[at - 1][1] + 1 if at else 0

    # --- actions -----------------------------------------------------------------------------------------------

    def _action(self, entry: Mapping[str, object], place: int) -> RecordedAction:
        where = _place_of(entry, place)
        kind = str(entry["type"])
        raw = entry.get("id")
        number = raw if isinstance(raw, int) else None
        if place in self._unsound:
            faults = tuple(fault.at(f"{where}: {_who(entry)}") for fault in self._unsound[place][:5])
            return RecordedAction(number, kind, _entity(entry), where, None, faults=faults)
        automatic: list[Action] = []
        further = entry.get("auto_actions")
        try:
            if further is not None and not isinstance(further, list):
                raise MalformedActionError("auto_actions are a list")
            action = self._read(entry, number)
            for at, one in enumerate(further or ()):
                if not isinstance(one, Mapping):
                    raise MalformedActionError(f"auto_actions[{at}]: an action is an object, not {shortened(one)}")
                try:
                    found = self._read(one, None)
                except MalformedActionError as error:
                    raise MalformedActionError(f"auto_actions[{at}], {_who(one)}: {error}") from None
                if found is not None:
                    automatic.append(found)
        except MalformedActionError as error:
            fault = Fault("bad-action", f"{_who(entry)}: {error}", where)
            return RecordedAction(number, kind, _entity(entry), where, None, faults=(fault,))
        return RecordedAction(number, kind, _entity(entry), where, action, tuple(automatic))

    def _read(self, entry: Mapping[str, object], number: int | None) -> Action | None:
        if is_without_effect(entry.get("type")):
            return None
        return read_action(entry, self._actor(entry), number)

    def _actor(self, entry: Mapping[str, object]) -> Actor:
        kind, entity = entry.get("entity_type"), entry.get("entity")
        if not isinstance(kind, str) or kind not in ACTOR_KINDS:
            raise MalformedActionError(
                f"entity_type is {shortened(kind)}; it should be one of {', '.join(ACTOR_KINDS)}"
            )
        if not isinstance(entity, (int, str)) or isinstance(entity, bool):
            raise MalformedActionError(f"entity is {shortened(entity)}; it should name who acts")
        if kind == "player":
            player = self._player(str(entity))
            if player is None:
                raise MalformedActionError(f"there is no player {shortened(entity)}")
            return Actor("player", player)
        return Actor(ACTOR_KINDS[kind], str(entity))


def _entity(entry: Mapping[str, object]) -> str:
    """Who acts, as the record says it."""
    entity = entry.get("entity")
    return str(entity) if isinstance(entity, (int, str)) else ""


def _who(entry: Mapping[str, object]) -> str:
    """``PRR lay_tile``."""
    kind = entry.get("type")
    words = [_entity(entry), kind if isinstance(kind, str) else ""]
    return " ".join(word if len(word) <= 40 else shortened(word) for word in words if word) or "nobody"


def _place_of(entry: Mapping[str, object], place: int) -> str:
    number = entry.get("id")
    return f"action {number}" if isinstance(number, int) and not isinstance(number, bool) else f"actions[{place}]"


__all__ = [
    "LIMITS", "MOST_ACTIONS", "RecordedAction", "RecordedGame", "game_from", "game_text", "game_to_json", "read_game",
]  # fmt: skip
