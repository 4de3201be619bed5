"""Compares a replay with the recorded state after every action (``../shared/checkpoints``).

Run for one game: ``python -m tests.replays.checkpoints 1830/26855`` prints the first differences; ``--all`` goes on.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from board.errors import TrackageError
from board.hexes import StopId
from records.games_18xx import RecordedGame, read_game
from records.runs import scorer
from rules import engine
from rules.shares import IPO, POOL
from rules.state import State, Token
from titles.registry import get_title

SHARED = Path(__file__).parents[3] / "shared"
GAMES = SHARED / "games"
CHECKPOINTS = SHARED / "checkpoints"


def games(title: str) -> tuple[str, ...]:
    """Names of the recorded games of a title, as ``1830/26855``."""
    return tuple(f"{title}/{path.stem}" for path in sorted((GAMES / title).glob("*.json")))


def flat(state: State) -> dict[str, object]:
    """The state as the table of paths that checkpoints use. Source: checkpoints/FORMAT.md."""
    found: dict[str, object] = {
        "round": state.round.kind,
        "turn": [state.turn_number, state.round.number],
        "phase": state.phase_name,
        "depot": [*state.depot.upcoming[:1], len(state.depot.upcoming)],
        "market_trains": list(state.depot.pool),
    }
    for name, player in state.players.items():
        at = f"players/{recorded_id(name)}"
        found[f"{at}/cash"] = player.cash
        found[f"{at}/value"] = state.value_of(name)
        found[f"{at}/companies"] = [private.name for private in state.privates_of(name)]
        shares = {one.name: one.percent_of(name) for one in state.companies.values() if one.held(name)}
        if not shares:
            found[f"{at}/shares"] = {}
        for company, percent in shares.items():
            found[f"{at}/shares/{company}"] = percent
    listed = [one for one in state.companies.values() if (one.started or one.kind == "minor") and not one.closed]
    if not listed:
        found["corps"] = {}
    for one in listed:
        at = f"corps/{one.name}"
        found[f"{at}/cash"] = one.cash
        price = state.price_of(one) if one.price is not None else None
        found[f"{at}/price"] = price
        found[f"{at}/par"] = price if state.facts_of(one.name).ipo_at_market_price else one.par
        found[f"{at}/pos"] = list(one.price) if one.price else None
        found[f"{at}/owner"] = recorded_id(one.president) or ("market" if one.receivership else "")
        found[f"{at}/floated"] = one.floated
        found[f"{at}/trains"] = list(one.trains)
        found[f"{at}/companies"] = [private.name for private in state.privates_of(one.name)]
        found[f"{at}/treasury"] = None if one.kind == "minor" else one.percent_of(IPO) + one.percent_of(one.name)
        found[f"{at}/pool"] = one.percent_of(POOL)
        found[f"{at}/tokens"] = [_token(state, token) for token in one.tokens]
    return found


def recorded_id(player: str | None) -> str:
    """The id as the record has it; the rules mark off those that are no numbers."""
    return (player or "").removeprefix("@")


def _token(state: State, token: Token) -> str | None:
    """``HEX-node index``; in the recording a city without track has no index yet."""
    if token.at is None:
        return None
    part = state.table.part(StopId(token.at))
    tile = state.table.tile_at(token.at.hex)
    if not tile.track:
        return f"{token.at.hex}-"
    return f"{token.at.hex}-{part.seq if part is not None else '?'}"


def opening(game: RecordedGame) -> State:
    """The state before the first action of the recorded game, read leniently as the site does."""
    title = get_title(game.title)
    rules = title.game(game.seats, options=game.options, names=game.names, seed=game.seed, scorer=scorer(title.problem))
    return engine.start(rules.opening()).but(lenient=True)


def differences(name: str) -> Iterator[str]:
    """What differs, action by action; a refused action ends the replay."""
    game = read_game(GAMES / f"{name}.json")
    lines = (CHECKPOINTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    expected: dict[str, object] = {}
    tiles: dict[str, object] = {}
    state = opening(game)
    entries = iter(game.actions)
    for text in lines:
        line = json.loads(text)
        for path in line.get("unset", ()):
            expected.pop(path, None)
        expected.update(line["set"])
        tiles.update(line.get("tiles", {}))
        where = f"{name} action {line['action']} ({line.get('type', 'start')} by {line.get('entity', '-')})"
        if line["action"]:
            entry = next(one for one in entries if one.id == line["action"])
            for action in entry.actions:
                try:
                    state = engine.apply(state, action)
                except TrackageError as error:
                    yield f"{where}: refused {action}: {error}"
                    return
        yield from _compare(where, expected, flat(state))
        laid = {str(hex_id): [f"{one.tile}-{one.copy}", one.rotation] for hex_id, one in state.table.laid.items()}
        yield from _compare(f"{where} tiles", tiles, laid)
    if game.result and state.game.scores(state) != dict(game.result):
        yield f"{name}: scores {state.game.scores(state)}, recorded {dict(game.result)}"
    if game.end_reason and state.over != game.end_reason:
        yield f"{name}: ended by {state.over or 'nothing'}, recorded {game.end_reason}"


def _compare(where: str, expected: Mapping[str, object], found: Mapping[str, object]) -> Iterator[str]:
    for path in sorted(expected.keys() | found.keys()):
        want, have = expected.get(path, "nothing"), found.get(path, "nothing")
        if want != have and not _same_tokens(path, want, have):
            yield f"{where}: {path} is {have!r}, recorded {want!r}"


def _same_tokens(path: str, want: object, have: object) -> bool:
    """A token in a city without track is recorded without the number of the city."""
    if not path.endswith("/tokens") or not isinstance(want, list) or not isinstance(have, list):
        return False
    return len(want) == len(have) and all(
        one == other
        or (isinstance(one, str) and isinstance(other, str) and one.endswith("-") and other.startswith(one))
        for one, other in zip(want, have, strict=True)
    )


def main(arguments: list[str]) -> int:
    if not GAMES.is_dir():
        print(f"there are no recorded games in {GAMES}: put a folder shared beside the checkout", file=sys.stderr)
        return 2
    every = "--all" in arguments
    names = [one for one in arguments if not one.startswith("--")]
    bad = 0
    for name in names or [one for title in ("1830", "1846", "1894", "18GB", "1828") for one in games(title)]:
        begun, count = time.perf_counter(), 0
        for text in differences(name):
            print(text)
            count += 1
            if not every and count >= 10:
                break
        bad += bool(count)
        print(f"{name}: {'differs' if count else 'agrees'} ({time.perf_counter() - begun:.2f} s)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
