"""Compares the position before each run of a recorded game with the recorded one (``../shared/positions``).

Run for one game: ``python -m tests.replays.positions 1830/26855``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping

from board.position import Position
from records.games_18xx import read_game
from rules import engine
from rules.actions import RunRoutes
from tests.replays.checkpoints import GAMES, SHARED, games, opening

POSITIONS = SHARED / "positions"


def shown(position: Position) -> dict[str, object]:
    """The position in plain values, as its file has them."""
    return {
        "phase": position.phase.name,
        "operator": position.operator,
        "trains": sorted(position.trains),
        "tiles": {hex_id: list(one) for hex_id, one in position.tiles.items()},
        "tokens": {
            hex_id: {city: list(tokens) for city, tokens in cities.items() if tokens}
            for hex_id, cities in position.tokens.items()
            if any(cities.values())
        },
        "owners": dict(position.owners),
        "privates": {name: {"owner": one.owner, "open": one.open} for name, one in position.privates.items()},
        "markers": _plain(position.markers),
    }


def _plain(markers: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in markers.items():
        if not value:
            continue
        if isinstance(value, Mapping):
            found[key] = {name: sorted(names) for name, names in value.items()}
        else:
            found[key] = sorted(value) if isinstance(value, (list, tuple)) else value
    return found


def position_differences(name: str) -> Iterator[str]:
    """What differs from the recorded positions, run by run; every recorded position must be met."""
    lines = [json.loads(text) for text in (POSITIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    recorded = {line["action"]: line for line in lines}
    game = read_game(GAMES / f"{name}.json")
    state = opening(game)
    for entry in game.actions:
        for action in entry.actions:
            if isinstance(action, RunRoutes) and entry.id in recorded:
                line = recorded.pop(entry.id)
                have = shown(state.position(line["operator"]))
                for key, value in have.items():
                    want = line.get(key, {})
                    if key == "trains":
                        want = sorted(want)
                    if key == "markers":
                        want = _plain(want)
                    if want != value:
                        yield f"{name} action {entry.id} {line['operator']}: {key} is {value}, recorded {want}"
            state = engine.apply(state, action)
    if recorded:
        yield f"{name}: no run met for the positions of actions {sorted(recorded)}"


def main(arguments: list[str]) -> int:
    if not GAMES.is_dir():
        print(f"there are no recorded games in {GAMES}: put a folder shared beside the checkout", file=sys.stderr)
        return 2
    bad = 0
    for name in arguments or [one for title in ("1830", "1846", "1894", "18GB", "1828") for one in games(title)]:
        found = list(position_differences(name))
        for text in found[:10]:
            print(text)
        bad += bool(found)
        print(f"{name}: {'differs' if found else 'agrees'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
