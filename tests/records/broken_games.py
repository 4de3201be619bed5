"""Broken copies of recorded games, for the reader and the replay: the same seed gives the same copy."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

#: What is put where something else belongs.
VALUES: list[Any] = [
    None, True, False, 0, -1, 7, 10**12, 10**30, 1.5, 1e300, "", "x", "PRR", "1", "E11", "57-0", "\ud800",
    "é\u202e\x00", [], {}, [[]], [None], {"": {}}, [{}], "9" * 400, [0] * 300, "PRR_0", ["PRR_0", "PRR_0"], "player",
    "corporation",
]  # fmt: skip
RAW = [
    "NaN",
    "-Infinity",
    "1e999",
    "9" * 5000,
    "[" * 200 + "]" * 200,
    '"\\',
    "tru",
    "{",
    ",",
    '"id": 1, "id": 2',
    "\x00",
]
#: Actions that no game of these offers where they are put.
STRANGE: list[dict[str, Any]] = [
    {"type": "pass", "entity": 99, "entity_type": "player"},
    {"type": "pass", "entity": "nobody", "entity_type": "corporation"},
    {"type": "bid", "entity": 1, "entity_type": "player", "company": "SV", "price": 10**8},
    {"type": "buy_shares", "entity": 1, "entity_type": "player", "shares": ["PRR_0"], "percent": 20},
    {"type": "buy_shares", "entity": 1, "entity_type": "player", "shares": [], "percent": 20},
    {"type": "buy_shares", "entity": "SV", "entity_type": "company", "shares": ["NYC_1"], "percent": 10},
    {"type": "sell_shares", "entity": 2, "entity_type": "player", "shares": ["XYZ_1"], "percent": 10},
    {"type": "par", "entity": 1, "entity_type": "player", "corporation": "PRR", "share_price": "999,0,0"},
    {"type": "par", "entity": 1, "entity_type": "player", "corporation": "???", "share_price": "100,0,6"},
    {"type": "lay_tile", "entity": "PRR", "entity_type": "corporation", "hex": "Z99", "tile": "57-0", "rotation": 0},
    {"type": "lay_tile", "entity": "PRR", "entity_type": "corporation", "hex": "E11", "tile": "57-9", "rotation": 9},
    {"type": "lay_tile", "entity": "CS", "entity_type": "company", "hex": "B20", "tile": "58-0", "rotation": 0},
    {"type": "place_token", "entity": "PRR", "entity_type": "corporation", "city": "57-0-3", "slot": 10**6},
    {"type": "run_routes", "entity": "PRR", "entity_type": "corporation", "routes": []},
    {"type": "run_routes", "entity": "PRR", "entity_type": "corporation",
     "routes": [{"train": "2-0", "connections": [["E11", "F18"], ["Q0"]], "revenue": 5}]},
    {"type": "run_routes", "entity": "PRR", "entity_type": "corporation",
     "routes": [{"train": "77", "connections": [[]], "nodes": ["E11-0", "?"]}]},
    {"type": "dividend", "entity": "PRR", "entity_type": "corporation", "kind": "everything"},
    {"type": "buy_train", "entity": "PRR", "entity_type": "corporation", "train": "9-0", "price": 1},
    {"type": "buy_train", "entity": "PRR", "entity_type": "corporation", "train": "2-0", "price": -5},
    {"type": "buy_company", "entity": "PRR", "entity_type": "corporation", "company": "SV", "price": 40},
    {"type": "discard_train", "entity": "PRR", "entity_type": "corporation", "train": "2-0"},
    {"type": "choose", "entity": 1, "entity_type": "player", "choice": "Exchange ($-40)"},
    {"type": "choose_ability", "entity": "SV", "entity_type": "company", "choice": "close"},
    {"type": "merge", "entity": "PRR", "entity_type": "corporation", "corporation": "NYC"},
    {"type": "swap_train", "entity": "PRR", "entity_type": "corporation", "train": "2-0"},
    {"type": "special_buy", "entity": "PRR", "entity_type": "corporation", "description": "Coal Marker", "cost": 120},
    {"type": "convert", "entity": "PRR", "entity_type": "corporation"},
    {"type": "assign", "entity": "SV", "entity_type": "company", "target": "E11", "target_type": "hex"},
    {"type": "bankrupt", "entity": "PRR", "entity_type": "corporation"},
    {"type": "end_game", "entity": 1, "entity_type": "player"},
    {"type": "undo", "entity": 1, "entity_type": "player"},
    {"type": "undo", "entity": 1, "entity_type": "player", "action_id": 0},
    {"type": "undo", "entity": 1, "entity_type": "player", "action_id": 10**9},
    {"type": "redo", "entity": 1, "entity_type": "player"},
    {"type": "message", "entity": 1, "entity_type": "player", "message": "hello \u200d\x07"},
    {"type": "program_share_pass", "entity": 1, "entity_type": "player"},
    {"type": "fly", "entity": 1, "entity_type": "player"},
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside *value*."""
    found = [path] if path else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        found += places(one, (*path, key))
    return found


def broken(value: dict[str, Any], chance: random.Random) -> bytes:
    """The game as JSON with one to three things broken."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        _break(value, chance)
    data = json.dumps(value).encode()
    kind = chance.randrange(10)
    start = chance.randrange(len(data))
    if kind == 0:
        return data[:start]
    if kind == 1:
        return data[:start] + chance.choice(RAW).encode() + data[start + chance.randrange(3) :]
    if kind == 2:
        return data[:start] + bytes([chance.randrange(256)]) + data[start:]
    return data


def _break(value: dict[str, Any], chance: random.Random) -> None:
    actions = value.get("actions")
    kind = chance.randrange(8)
    if kind <= 2 and isinstance(actions, list) and actions:
        place = chance.randrange(len(actions))
        if kind == 0:
            strange = copy.deepcopy(chance.choice(STRANGE))
            actions.insert(place, strange)
        elif kind == 1:
            del actions[place]
        else:
            actions.insert(place, copy.deepcopy(chance.choice(actions)))
            if isinstance(actions[place], dict) and chance.random() < 0.7:
                actions[place].pop("id", None)
        return
    paths = places(value)
    if not paths:
        return
    path = chance.choice(paths)
    if kind == 3:  # near the top, where there is less
        path = chance.choice([one for one in paths if len(one) <= 3 and one[0] != "actions"] or paths)
    inside: Any = value
    for key in path[:-1]:
        inside = inside[key]
    if kind == 4:
        del inside[path[-1]]
    elif kind == 5 and isinstance(inside, dict):
        inside[chance.choice([f"{path[-1]}x", "", "type", "id", "x" * 300])] = inside.pop(path[-1])
    elif kind == 6 and isinstance(inside[path[-1]], (str, int)):
        inside[path[-1]] = chance.choice([*map(str, range(12)), "PRR", "NYC", "2-0", "3-1", "57-1"])
    else:
        inside[path[-1]] = copy.deepcopy(chance.choice(VALUES))
