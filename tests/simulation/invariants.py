"""What holds in every state of every game. Each function lists what is wrong; nothing is good news."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from board.hexes import StopId
from rules import engine
from rules.shares import POOL
from rules.state import State
from rules.steps.discard import DiscardTrains


def problems(state: State) -> Iterator[str]:
    """Everything that is wrong with a state in which somebody is asked, or which is over."""
    yield from money(state)
    yield from certificates(state)
    yield from tokens(state)
    yield from tiles(state)
    yield from trains(state)
    yield from the_rest(state)


def money(state: State) -> Iterator[str]:
    """Money is neither made nor lost, and nobody owes any."""
    settings = state.facts.settings
    held = sum(one.cash for one in state.players.values()) + sum(one.cash for one in state.companies.values())
    if state.bank is not None and settings.bank is not None and held + state.bank != settings.bank:
        yield f"there are {held + state.bank} in the game, and {settings.bank} at its start"
    for owner in (*state.players.values(), *state.companies.values()):
        if owner.cash < 0:
            yield f"{owner.name} has {owner.cash}"
    for player in state.players.values():
        if player.bankrupt and player.cash:
            yield f"{player.name} is bankrupt with {player.cash}"


def certificates(state: State) -> Iterator[str]:
    """Every certificate is somewhere, once; the president holds the president's.

    While something interrupts (a merger) certificates may be on their way.
    """
    waiting = engine.waiting_step(state)
    settled = waiting is None or not waiting.interrupts
    for name, company in state.companies.items():
        held = [(holder, one) for holder, ones in company.holdings.items() for one in ones]
        if not held:
            continue
        numbers = Counter(one.number for _, one in held)
        if numbers.most_common(1)[0][1] > 1:
            yield f"{name}: certificates are there twice: {numbers}"
        if sum(one.percent for _, one in held) != 100:
            yield f"{name}: certificates are worth {sum(one.percent for _, one in held)} %"
        if company.closed or not settled:
            continue
        presidents = [holder for holder, one in held if one.president]
        if len(presidents) != 1:
            yield f"{name} has {len(presidents)} president's certificates"
        elif company.president is not None and presidents != [company.president]:
            yield f"{name}: {company.president} presides and {presidents[0]} holds the certificate"
        elif company.president is None and presidents[0] in state.players:
            yield f"{name} has no president and {presidents[0]} holds the certificate"
        for holder in company.holdings:
            if holder not in state.players and holder not in ("IPO", "POOL") and holder not in state.companies:
                yield f"{name}: shares are held by {holder}"
        bankrupt = any(player.bankrupt for player in state.players.values())
        if company.percent_of(POOL) > state.game.pool_limit(state, company) and not bankrupt:
            yield f"{name}: {company.percent_of(POOL)} % in the pool"


def tokens(state: State) -> Iterator[str]:
    """What stands on the map is on a charter and the other way round; slots are kept."""
    table = state.table
    placed: Counter[tuple[str, StopId]] = Counter()
    for hex_id, cities in table.tokens.items():
        on_hex: Counter[str] = Counter()
        for city, owners in cities.items():
            part = table.tile_at(hex_id).part(city)
            if part is None:
                yield f"tokens {owners} stand in {hex_id}.{city}, which is not there"
                continue
            here = [owner for owner in owners if owner is not None]
            on_hex.update(here)
            if len(owners) > part.slots and not state.facts.edition.tokens_beside_slots:
                yield f"{hex_id}.{city} has {part.slots} slots and {owners}"
            for owner in here:
                placed[owner, StopId.of(hex_id, city)] += 1
        for owner, number in on_hex.items():
            asked = any(one.company == owner and hex_id in one.hexes for one in state.pending)  # which of two is to go
            if number > 1 and owner in state.companies and not asked:
                yield f"{owner} has {number} tokens in {hex_id}"
    for name, company in state.companies.items():
        if company.closed:
            continue
        for token in company.tokens:
            if token.at is not None:
                placed[name, token.at] -= 1
    for (owner, stop), number in placed.items():
        if number and owner in state.companies and not state.companies[owner].closed:
            yield f"token of {owner} in {stop}: {'map only' if number > 0 else 'charter only'}"


def tiles(state: State) -> Iterator[str]:
    """The box is not exceeded, and what lies is what is drawn."""
    table, edition = state.table, state.facts.edition
    for tile, number in Counter(laid.tile for laid in table.laid.values()).items():
        count = edition.tiles.count(tile)
        if count is not None and number > count:
            yield f"{number} tiles {tile} of {count}"
    if len({(laid.tile, laid.copy) for laid in table.laid.values()}) != len(table.laid):
        yield "a copy of a tile lies twice"


def trains(state: State) -> Iterator[str]:
    """No card is in two places or out of nothing; nobody keeps more than the limit but to discard."""
    where = Counter(train for company in state.companies.values() for train in company.trains)
    where.update(state.depot.pool)
    where.update(state.depot.upcoming)
    for train, number in where.items():
        if number > 1:
            yield f"train {train} is in {number} places"
    for kind, number in Counter(train.rpartition("-")[0] for train in where).items():
        facts = state.facts.trains.get(kind)
        if facts is None:
            yield f"no train is called {kind}"
        elif facts.count is not None and number > facts.count:
            yield f"{number} trains {kind} of {facts.count}"
    crowded = state.game.crowded(state)
    if crowded and not state.over and not _discards_come(state):
        yield f"{', '.join(crowded)} may keep the trains above the limit"


def _discards_come(state: State) -> bool:
    """Whether the step in which trains are given up waits, or is still to come: an export at the end of a round leaves
    companies above the limit, and in some titles they keep the trains until their place in the turn."""
    steps, waiting = state.kind.steps, engine.waiting_step(state)
    return waiting is not None and any(
        isinstance(step, DiscardTrains) and steps.index(step) >= steps.index(waiting) for step in steps
    )


def the_rest(state: State) -> Iterator[str]:
    """Prices, privates, the order of players, and that somebody is asked."""
    for name, company in state.companies.items():
        if company.price is not None and state.facts.market.at(company.price) is None:
            yield f"{name} stands off the chart"
        if company.floated and company.kind == "corporation" and not company.started:
            yield f"{name} floats and was not started"
    for name, private in state.privates.items():
        known = private.owner is None or private.owner in state.players or private.owner in state.companies
        if not known:
            yield f"{name} belongs to {private.owner}"
    if sorted(state.order) != sorted(state.players):
        yield f"the order of players is {state.order}"
    if not state.over and not engine.acting(state):
        yield "nobody is asked"


def snapshot(state: State) -> str:
    """The whole state as text, to see whether it changes. The numbers of actions in a record are no part of it."""
    table = state.table
    text = f"{state!r} {table.laid!r} {table.tokens!r} {table.kept!r} {sorted(table.layout.items())!r}"
    return re.sub(r"\bid=(None|[0-9]+)\b", "id", text)
