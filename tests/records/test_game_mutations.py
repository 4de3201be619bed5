"""Three hundred broken recorded games: a plain refusal or an answer, quickly, and never a traceback."""

from __future__ import annotations

import json
import random
import time
from functools import cache
from typing import Any

import pytest

from analysis.games import problems_of
from analysis.random_play import RandomPlayer, play, recorded
from records.games_18xx import MOST_ACTIONS, game_to_json
from tests.cli.calling import trackage
from tests.records.broken_games import broken
from tests.simulation.driver import new_game, playable

SEED = 18301894
BATCHES, EACH = 15, 20


@cache
def samples() -> tuple[dict[str, Any], ...]:
    """The beginning of a random game of each title."""
    found = []
    for title in playable():
        game = new_game(title, title.info.players[0], (), 5)
        actions, end = play(game, RandomPlayer(5, problems_of(title.info.name)), length=150)
        found.append(game_to_json(recorded(title.info.name, "5", game, actions, end), game.facts.market.price))
    return tuple(found)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_broken_games(batch: int) -> None:
    chance = random.Random(SEED + batch)
    for number in range(EACH):
        data = broken(chance.choice(samples()), chance)
        command = chance.choice([["replay", "-"], ["replay", "-", "--json"], ["replay", "-", "--ledger", "--json"]])
        start = time.perf_counter()
        called = trackage(*command, stdin=data)
        context = f"batch {batch}, number {number}, {command}: {called.err} {data[:1500]!r}"
        assert called.status in (0, 1, 2), context
        assert time.perf_counter() - start < 10, context
        assert "Traceback" not in called.err
        if called.status == 2:
            assert called.complaints, context
        assert all(line.startswith("trackage: standard input") for line in called.complaints), context


@pytest.mark.parametrize(
    "data",
    [
        b'{"title":"1830","players":[1,2],"actions":' + b"[" * 400_000,
        b'{"title":"1830","players":[1,2],"actions":' + b'{"a":' * 200_000,
        b'{"title":"1830","players":[1,2],"actions":[' + b"0," * 2_000_000 + b"0]}",
        b'{"title":"' + b"1830" * 2_000_000 + b'","players":[1,2],"actions":[]}',
        b'{"title":"1830","players":' + json.dumps(list(range(5000))).encode() + b',"actions":[]}',
        b'{"title":"1830","players":[1,2],"id":' + b"9" * 100_000 + b',"actions":[]}',
    ],
    ids=["lists", "objects", "entries", "text", "players", "digits"],
)
def test_what_is_too_much_is_refused_at_once(data: bytes) -> None:
    start = time.perf_counter()
    called = trackage("replay", "-", stdin=data)
    assert called.status == 2
    assert len(called.complaints) <= 21
    assert time.perf_counter() - start < 10


def test_undo_and_redo_without_end_take_no_time() -> None:
    passes = [{"type": "pass", "entity": 1, "entity_type": "player"}] * (MOST_ACTIONS // 2)
    again = [{"type": "undo", "action_id": 0}, {"type": "redo"}] * (MOST_ACTIONS // 4)
    for tail in (again, [{"type": "undo"}] * (MOST_ACTIONS // 2)):
        game = {"title": "1830", "players": [1, 2], "actions": [*passes, *tail]}
        start = time.perf_counter()
        assert trackage("replay", "-", stdin=json.dumps(game)).status == 2
        assert time.perf_counter() - start < 10
