"""Whole recorded games of 1833NE, standard and Takeover: they replay to the end that they tell, and in them together
every phase, every kind of exceptional event and every end occurs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from records.games_18xx import RecordedGame, read_game
from rules import engine
from rules.actions import (
    Action,
    BuyShares,
    Choose,
    LayTile,
    Merge,
    PlaceToken,
    SellShares,
)
from rules.state import State
from titles.registry import get_title

FOLDER = Path(__file__).parents[1] / "worked"
GAMES = tuple(sorted(path.name for path in FOLDER.glob("1833NE_*.json")))

#: What occurs in the games.
EVENTS = (
    "phase II", "phase III", "phase IV", "phase V", "obsolete", "privates removed", "ferry", "luxury ferry",
    "ferries removed", "lay of P3", "issue", "redeem", "emergency issue", "emergency sale", "bankrupt", "receivership",
    "closed", "free home", "takeover", "accept", "refuse", "discard",
)  # fmt: skip
ENDS = ("bank", "one_solvent_player")


def steps(game: RecordedGame) -> Iterator[tuple[State, Action, State]]:
    rules = get_title(game.title).game(game.seats, options=game.options, names=game.names, seed=game.seed)
    state = engine.start(rules.opening())
    for entry in game.actions:
        for action in entry.actions:
            after = engine.apply(state, action)
            yield state, action, after
            state = after


def events(before: State, action: Action, after: State) -> Iterator[str]:
    """What the action brought."""
    if before.phase_name != after.phase_name:
        yield f"phase {after.phase_name}"
        if any(one.closed and not before.privates[name].closed for name, one in after.privates.items()):
            yield "privates removed"
        if before.marks.get("new_ferry") and not after.marks.get("new_ferry"):
            yield "ferries removed"
        owned = [{train for one in state.companies.values() for train in one.trains} for state in (before, after)]
        if owned[0] - owned[1]:
            yield "removed"
    if after.obsolete - before.obsolete:
        yield "obsolete"
    operating = before.round.kind == "Operating"
    if isinstance(action, SellShares) and operating:
        kind = "issue" if action.by.kind == "corporation" else "sale"
        forced = action.by.kind == "player" or after.round.turn.marks.get("emergency_issued")
        yield f"emergency {kind}" if forced else kind
    if isinstance(action, BuyShares) and action.by.kind == "corporation":
        yield "redeem"
    if isinstance(action, LayTile) and action.by.name == "P3":
        yield "lay of P3"
    if isinstance(action, PlaceToken) and not operating:
        yield "free home"
    if isinstance(action, Merge):
        yield "takeover"
    if isinstance(action, Choose):
        yield action.choice
    named = {"special_buy": "ferry", "choose_ability": "luxury ferry", "bankrupt": "bankrupt"}
    named["discard_train"] = "discard"
    if action.verb in named:
        yield named[action.verb]
    for name, company in after.companies.items():
        if company.receivership and not before.companies[name].receivership:
            yield "receivership"
        if company.closed and not before.companies[name].closed and not isinstance(action, (Merge, Choose)):
            yield "closed"


@lru_cache(maxsize=8)
def played(name: str) -> tuple[frozenset[str], str, dict[str, int], dict[str, int]]:
    """The events of a game, its end, its scores and those recorded."""
    game = read_game(FOLDER / name)
    found: set[str] = set()
    end = None
    for before, action, after in steps(game):
        found.update(events(before, action, after))
        end = after
    assert end is not None
    return frozenset(found), end.over, end.game.scores(end), dict(game.result)


@pytest.mark.parametrize("name", GAMES)
def test_game_replays_to_its_end(name: str) -> None:
    _, over, scores, recorded = played(name)
    assert over == read_game(FOLDER / name).end_reason
    assert scores == recorded


@pytest.mark.parametrize("event", EVENTS)
def test_event_occurs_in_a_recorded_game(event: str) -> None:
    assert any(event in played(name)[0] for name in GAMES)


@pytest.mark.parametrize("end", ENDS)
def test_end_occurs_in_a_recorded_game(end: str) -> None:
    assert end in {played(name)[1] for name in GAMES}
