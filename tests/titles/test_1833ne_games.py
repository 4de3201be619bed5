"""Whole recorded games of 1833NE, standard and Takeover: they replay to the end that they tell, and in them together
every phase, every kind of exceptional event and every end occurs. What occurs is looked up in the states of the replay.

Source: digest 1833NE sections 3, 4, 7 and 11 to 14.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import cast

import pytest

from board.hexes import HexId, StopId
from records.games_18xx import RecordedGame, read_game
from rules import engine
from rules.actions import (
    Action,
    Bankrupt,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    ChooseAbility,
    DiscardTrain,
    LayTile,
    PlaceToken,
    RunRoutes,
    SellShares,
    SpecialBuy,
)
from rules.shares import IPO, POOL
from rules.state import State
from titles.registry import get_title
from titles.t1833ne.game import Game1833NE
from titles.t1833ne.takeover import may_refuse

FOLDER = Path(__file__).parents[1] / "worked"
GAMES = tuple(sorted(path.name for path in FOLDER.glob("1833NE_*.json")))
#: No game of the repository is to be larger. Bytes.
MOST_BYTES = 100_000

#: The card of each phase.
CARDS = {"I": "2", "II": "3/5", "III": "4/7", "IV": "6/9", "V": "7+3"}

#: The exits that are like tokens to the owner of a private.
EXITS = {"P4": "A6", "P6": "A12"}

#: What occurs in the games.
EVENTS = (
    "phase II", "phase III", "phase IV", "phase V",
    "trains of phase I obsolete", "trains of phase II obsolete", "trains of phase III obsolete",
    "an obsolete train leaves after its last run", "trains of phase I removed with phase IV",
    "trains of phase II removed with phase V", "excess trains discarded",
    "P1 bought", "P2 bought", "P3 bought", "P4 bought", "P5 bought", "P6 bought, 40 more for the bank",
    "Lowell laid free by P2", "two tiles laid by P3", "P4 builds from A6", "P4 runs from A6",
    "P5 put on a ferry", "P6 builds from A12", "P6 runs from A12",
    "privates of players removed", "P1 and P2 of corporations removed", "P3 to P6 pay no more",
    "P3 to P5 removed, P6 kept",
    "first ferry", "New moves on", "Last ferry", "ferries removed with phase IV", "luxury ferry removed",
    "shared token in Sherbrooke", "kept slots end",
    "issue", "redemption", "emergency issue", "president pays", "president sells", "bankrupt, the game goes on",
    "shares of a bankrupt player above the limit of the pool", "new president must buy the train", "receivership",
    "receivership buys a train", "closed by a sale", "closed by a dividend", "closed by the end of a stock round",
    "certificate limit falls", "bank broken",
    "free home for 80", "free home for 120", "takeover for cash", "takeover for shares", "takeover accepted",
    "takeover refused", "takeover that could not be refused", "card of phase IV removed", "train limit grows",
    "ferries inherited",
)  # fmt: skip
ENDS = ("bank", "one_solvent_player", "all_closed")


def steps(game: RecordedGame) -> Iterator[tuple[State, Action, State]]:
    rules = get_title(game.title).game(game.seats, options=game.options, names=game.names, seed=game.seed)
    state = engine.start(rules.opening())
    for entry in game.actions:
        for action in entry.actions:
            after = engine.apply(state, action)
            yield state, action, after
            state = after


def rules_of(state: State) -> Game1833NE:
    return cast(Game1833NE, state.game)


def owned(state: State, card: str = "") -> set[str]:
    trains = {train for company in state.companies.values() for train in company.trains}
    return {train for train in trains if not card or train.rpartition("-")[0] == card}


def events(before: State, action: Action, after: State) -> Iterator[str]:
    """What the action brought, with everything that followed by itself."""
    yield from phase_events(before, after)
    yield from private_events(before, action, after)
    yield from ferry_events(before, action, after)
    yield from money_events(before, action, after)
    yield from closing_events(before, action, after)
    yield from takeover_events(before, action, after)


def phase_events(before: State, after: State) -> Iterator[str]:
    for phase in ("I", "II", "III"):
        if any(train.rpartition("-")[0] == CARDS[phase] for train in after.obsolete - before.obsolete):
            yield f"trains of phase {phase} obsolete"
    if before.phase_name == after.phase_name:
        if before.obsolete & owned(before) - owned(after) and before.round.kind == "Operating":
            yield "an obsolete train leaves after its last run"
        return
    yield f"phase {after.phase_name}"
    for phase, end in (("I", "IV"), ("II", "V")):
        if after.phase_name == end and owned(before, CARDS[phase]) - owned(after):
            yield f"trains of phase {phase} removed with phase {end}"
    places = {hex_id for hex_id, kept in before.table.kept.items() if len(kept) > len(after.table.kept.get(hex_id, ()))}
    if after.phase_name == "IV" and HexId("E22") in places:
        yield "kept slots end"


def private_events(before: State, action: Action, after: State) -> Iterator[str]:
    owners = {name: (one.owner, after.privates[name].closed) for name, one in before.privates.items() if not one.closed}
    gone = {name for name, (_, closed) in owners.items() if closed}
    if after.phase_name == "III" != before.phase_name:
        if any(owners[name][0] in before.players for name in gone):
            yield "privates of players removed"
        if {"P1", "P2"} & {name for name in gone if owners[name][0] in before.companies}:
            yield "P1 and P2 of corporations removed"
        if any(one.owner in after.companies and not one.closed and not one.income for one in after.privates.values()):
            yield "P3 to P6 pay no more"
    if after.phase_name == "IV" != before.phase_name and {"P3", "P4", "P5"} & gone and not after.privates["P6"].closed:
        yield "P3 to P5 removed, P6 kept"
    if isinstance(action, BuyPrivate):
        yield from bought(before, action, after)
    if isinstance(action, LayTile):
        company = before.operator
        assert company is not None
        if action.by.name == "P2" and company.cash == after.companies[company.name].cash:
            yield "Lowell laid free by P2"
        if action.by.name == "P3" and {HexId("C4"), HexId("C6")} <= after.table.laid.keys():
            yield "two tiles laid by P3"
        yield from (
            f"{name} builds from {place}" for name, place in EXITS.items() if opens(before, action, name, place)
        )
    if isinstance(action, RunRoutes):
        tokens = {stop.hex for stop in before.table.stops_of(action.by.name)}
        for route in action.routes:
            for name, place in EXITS.items():
                if place in route.hexes and not tokens & {HexId(one) for one in route.hexes}:
                    yield f"{name} runs from {place}"


def opens(before: State, action: LayTile, private: str, place: str) -> bool:
    """Whether the hex is reached from the exit that the private makes a token, and from no token of the company."""
    company = before.operator
    if company is None or before.privates[private].owner != company.name or action.by.kind != "corporation":
        return False
    closed = rules_of(before).closed_stops(before, company.name)
    stop = StopId(f"{place}.o0")
    return (
        action.hex not in before.table.reach(company.name, closed=closed).sides
        and action.hex in before.table.reach(company.name, closed=closed, roots=(stop,)).sides
    )


def bought(before: State, action: BuyPrivate, after: State) -> Iterator[str]:
    """The private, and what the buyer paid beside its price where nothing else happened to its treasury."""
    turns = [(state.turn_number, state.round.number, state.round.current) for state in (before, after)]
    more = before.companies[action.by.name].cash - after.companies[action.by.name].cash - action.price
    if turns[0] == turns[1] and more:
        yield f"{action.private} bought, {more} more for the bank"
    else:
        yield f"{action.private} bought"


def ferry_events(before: State, action: Action, after: State) -> Iterator[str]:
    if isinstance(action, SpecialBuy):
        yield "New moves on" if before.marks.get("new_ferry") else "first ferry"
        if after.marks.get("last_ferry") == after.marks["new_ferry"] == action.what:
            yield "Last ferry"
    if isinstance(action, ChooseAbility):
        yield "P5 put on a ferry"
    if after.phase_name == "IV" != before.phase_name:
        if before.marks.get("new_ferry") and not any(map(rules_of(after).ferries_of, after.companies.values())):
            yield "ferries removed with phase IV"
        if before.marks.get("luxury_ferry") and not after.marks.get("luxury_ferry"):
            yield "luxury ferry removed"
    place = HexId("F5")
    if not before.table.tokens.get(place) and {"StL&A", "A&StL"} <= set(
        after.table.tokens.get(place, {}).get("c0", ())
    ):
        yield "shared token in Sherbrooke"


def money_events(before: State, action: Action, after: State) -> Iterator[str]:
    operating = before.round.kind == "Operating"
    company = before.operator
    if isinstance(action, SellShares) and operating:
        forced = after.round.turn.marks.get("emergency_issued")
        yield "president sells" if action.by.kind == "player" else "emergency issue" if forced else "issue"
    if isinstance(action, BuyShares) and operating:
        yield "redemption"
    payer = company.president if isinstance(action, BuyTrain) and company is not None else None
    if payer is not None and after.players[payer].cash < before.players[payer].cash:
        yield "president pays"
    if isinstance(action, Bankrupt) and not after.over:
        yield "bankrupt, the game goes on"
        assert company is not None
        heir = after.companies[company.name].president
        if heir not in (None, company.president) and rules_of(after).must_buy_train(
            after, after.companies[company.name]
        ):
            yield "new president must buy the train"
        if any(one.percent_of(POOL) > 50 for one in after.companies.values()):
            yield "shares of a bankrupt player above the limit of the pool"
    if isinstance(action, DiscardTrain):
        yield "excess trains discarded"
    for name, one in after.companies.items():
        if one.receivership and not before.companies[name].receivership:
            yield "receivership"
        if one.receivership and len(one.trains) > len(before.companies[name].trains):
            yield "receivership buys a train"
    if after.bank_broken and not before.bank_broken:
        yield "bank broken"


def closing_events(before: State, action: Action, after: State) -> Iterator[str]:
    closed = [name for name, one in after.companies.items() if one.closed and not before.companies[name].closed]
    if not closed:
        return
    limits = [rules_of(state).certificate_limit(state, state.order[0]) for state in (before, after)]
    if limits[1] < limits[0]:
        yield "certificate limit falls"
    if before.round.kind == "Takeover":
        return
    for event in after.events:
        if event.kind == "price" and event.before and not event.after:
            how = "a sale" if " sold " in event.text else "a dividend"
            yield f"closed by {'the end of a stock round' if 'end of the stock round' in event.text else how}"


def takeover_events(before: State, action: Action, after: State) -> Iterator[str]:
    if isinstance(action, PlaceToken) and before.round.kind == "Stock":
        yield f"free home for {before.companies[action.by.name].cash - after.companies[action.by.name].cash}"
    if before.round.kind != "Takeover":
        return
    closed = [name for name, one in after.companies.items() if one.closed and not before.companies[name].closed]
    asked = next((one for one in before.pending if one.kind == "takeover_answer"), None)
    if asked is not None and not closed:
        yield "takeover refused"
    if not closed:
        return
    (gone,) = closed
    taker = next(
        name
        for name, one in after.companies.items()
        if one.marks.get("absorbed", 0) != before.companies[name].marks.get("absorbed", 0)
    )
    treasuries = [state.companies[taker].percent_of(IPO) for state in (before, after)]
    yield "takeover for shares" if treasuries[1] < treasuries[0] else "takeover for cash"
    if asked is not None:
        yield "takeover accepted"
    elif not may_refuse(before, before.companies[gone]):
        yield "takeover that could not be refused"
    if after.marks.get("removed_cards", 0) != before.marks.get("removed_cards", 0):
        yield "card of phase IV removed"
    game = rules_of(after)
    if game.train_limit(after, after.companies[taker]) > game.train_limit(before, before.companies[taker]):
        yield "train limit grows"
    if set(game.ferries_of(before.companies[gone])) & set(game.ferries_of(after.companies[taker])):
        yield "ferries inherited"


@lru_cache(maxsize=len(GAMES))
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
    assert (FOLDER / name).stat().st_size <= MOST_BYTES


@pytest.mark.parametrize("event", EVENTS)
def test_event_occurs_in_a_recorded_game(event: str) -> None:
    assert any(event in played(name)[0] for name in GAMES)


@pytest.mark.parametrize("end", ENDS)
def test_end_occurs_in_a_recorded_game(end: str) -> None:
    assert end in {played(name)[1] for name in GAMES}
