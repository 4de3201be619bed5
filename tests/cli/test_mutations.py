"""Five hundred broken copies of our own positions: a plain refusal or an answer, quickly, and never a traceback."""

from __future__ import annotations

import copy
import json
import random
import time
from typing import Any

import pytest

from tests.cli.calling import EXAMPLES, trackage

SEED = 18301846
BATCHES, EACH = 20, 25
_VALUES: list[Any] = [
    None, True, False, 0, -1, 7, 10**12, 1.5, "", "x", "E11", "E11.c1", "é\u202e\x00", "\ud800", [], {}, [[]], [None],
    {"": {}}, ["57", 0], {"c0": ["ERIE"]}, "9" * 400, [0] * 1200, {"E11": {"c1": ["ERIE"] * 50}},
]  # fmt: skip
_RAW = [
    "NaN",
    "-Infinity",
    "1e999",
    "9" * 5000,
    "[" * 200 + "]" * 200,
    '"\\',
    "tru",
    "{",
    ",",
    '"a": 1, "a": 2',
    "\x00",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside *value*."""
    found = [path] if path else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        found += places(one, (*path, key))
    return found


def mutated(value: dict[str, Any], chance: random.Random) -> bytes:
    """The position as JSON with one to three things broken."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        path = chance.choice(places(value))
        inside: Any = value
        for key in path[:-1]:
            inside = inside[key]
        change = chance.randrange(5)
        if change == 0:
            del inside[path[-1]]
        elif change == 1 and isinstance(inside, dict):
            inside[chance.choice([f"{path[-1]}x", "", "Z1", "E11", "x" * 300])] = inside.pop(path[-1])
        elif change == 2 and isinstance(inside, list):
            inside.append(copy.deepcopy(chance.choice(inside)))
        elif change == 3 and isinstance(inside[path[-1]], str | int):
            strings = [step[-1] for step in places(value) if isinstance(step[-1], str)]
            inside[path[-1]] = chance.choice(strings)
        else:
            inside[path[-1]] = chance.choice(_VALUES)
        if not places(value):
            break
    data = json.dumps(value).encode()
    kind = chance.randrange(10)
    if kind == 0:
        return data[: chance.randrange(len(data))]
    if kind == 1:
        start = chance.randrange(len(data))
        return data[:start] + chance.choice(_RAW).encode() + data[start + chance.randrange(3) :]
    if kind == 2:
        start = chance.randrange(len(data))
        return data[:start] + bytes([chance.randrange(256)]) + data[start:]
    return data


@pytest.mark.parametrize("batch", range(BATCHES))
def test_mutated_positions(batch: int) -> None:
    chance = random.Random(SEED + batch)
    samples = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(EXAMPLES.glob("*.json"))]
    for number in range(EACH):
        data = mutated(chance.choice(samples), chance)
        command = chance.choice([["best", "-", "--time-limit", "5"], ["score", "-"], ["best", "-", "--json"]])
        start = time.perf_counter()
        called = trackage(*command, stdin=data)
        context = f"batch {batch}, number {number}, {command}: {data[:3000]!r}"
        assert called.status in (0, 1, 2), f"{called.err} {context}"
        assert time.perf_counter() - start < 15, context
        assert "Traceback" not in called.err
        assert (called.status == 2) == bool(called.complaints), context
        assert all(line.startswith("trackage: standard input") for line in called.complaints), context
