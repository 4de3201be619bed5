"""The ledger of a game: after each action who has what, and why prices moved.

One line an action, in the values of checkpoints: cash and value of players; cash, price, president, trains and
percentages of companies. Events name the cause of every step of a price, number the steps of an emergency purchase, and
tell what happened by itself: phases, rust, closures, floating, presidencies.
"""

from __future__ import annotations

from collections.abc import Iterator

from records.games_18xx import RecordedGame
from records.replay import Carried
from rules.shares import IPO, POOL
from rules.state import Event, State


class Ledger:
    """Writes the lines of one game in order; it numbers the steps of an emergency, which may take several actions."""

    def __init__(self, game: RecordedGame) -> None:
        self.game = game
        self._turn: tuple[object, ...] = ()
        self._steps = 0

    def line(self, carried: Carried) -> dict[str, object]:
        """The line after an action, as plain values."""
        before, after, entry = carried.before, carried.after, carried.entry
        return {
            "action": entry.id,
            "type": entry.type,
            "entity": self._entity(carried),
            "round": after.round.kind,
            "turn": [after.turn_number, after.round.number],
            "phase": after.phase_name,
            "players": {
                self.game.shown_id(name): {"cash": player.cash, "value": after.value_of(name)}
                for name, player in after.players.items()
            },
            "companies": {
                name: {
                    "cash": one.cash,
                    "price": after.price_of(one),
                    "president": self.game.shown_id(one.president) if one.president is not None else None,
                    "trains": list(one.trains),
                    "treasury": one.percent_of(IPO) + one.percent_of(name),
                    "pool": one.percent_of(POOL),
                }
                for name, one in after.companies.items()
                if (one.started or one.kind != "corporation") and not one.closed
            },
            "bank": after.bank,
            "events": [*self._told(carried), *(_event(event) for event in happened(before, after))],
            "notices": [notice.message for notice in carried.notices],
        }

    def _entity(self, carried: Carried) -> str:
        action = carried.entry.actions[0]
        return self.game.shown_id(action.by.name) if action.by.kind == "player" else action.by.name

    def _told(self, carried: Carried) -> Iterator[dict[str, object]]:
        """The events of the action; the steps of an emergency purchase are numbered through the turn."""
        before = carried.before
        turn = (before.turn_number, before.round.kind, before.round.number, before.round.current)
        if turn != self._turn:
            self._turn, self._steps = turn, 0
        emergency = any(event.kind == "emergency" for event in carried.events)
        for event in carried.events:
            found = _event(event)
            if emergency and event.kind in ("emergency", "sale"):
                self._steps += 1
                found["step"] = self._steps
            yield found


def _event(event: Event) -> dict[str, object]:
    found: dict[str, object] = {"kind": event.kind, "who": event.who, "text": event.text}
    if event.kind == "price":
        found |= {"before": event.before, "after": event.after}
    return found


def event_text(event: dict[str, object]) -> str:
    """The event as a line for people."""
    if event["kind"] == "price":
        if event["before"] == event["after"]:
            return f"{event['who']} stays at {event['after']}: {event['text']}"
        start = f"{event['before']} → " if event["before"] else ""
        return f"{event['who']} {start}{event['after']}: {event['text']}"
    step = f"{event['step']}. " if "step" in event else ""
    return f"{step}{event['text']}"


def happened(before: State, after: State) -> Iterator[Event]:
    """What came about by itself between two states: phase, trains that left the game, closures, floating, presidents,
    bank and end."""
    if before.phase_name != after.phase_name:
        yield Event("phase", "", f"phase {after.phase_name} begins")
    yield from _trains(before, after)
    for name, private in after.privates.items():
        if private.closed and name in before.privates and not before.privates[name].closed:
            yield Event("closed", name, f"{name} closes")
    for name, company in after.companies.items():
        old = before.companies.get(name)
        if old is None or company is old:
            continue
        if company.floated and not old.floated:
            yield Event("floated", name, f"{name} floats with {company.cash}")
        if company.closed and not old.closed:
            yield Event("closed", name, f"{name} closes")
        if company.president != old.president:
            president = after.called(company.president) if company.president is not None else "nobody"
            yield Event("president", name, f"{president} is president of {name}")
    if after.bank_broken and not before.bank_broken:
        yield Event("bank", "", "the bank is broken")
    for reason in after.ending.triggers:
        if reason not in before.ending.triggers:
            yield Event("end", "", f"the end is near: {reason} ({after.ending.triggers[reason].replace('_', ' ')})")
    if after.over and not before.over:
        yield Event("end", "", f"the game is over: {after.over}")


def _trains(before: State, after: State) -> Iterator[Event]:
    """Trains of companies that are nowhere any more, or became obsolete."""
    here = {train for company in after.companies.values() for train in company.trains} | set(after.depot.pool)
    for name, company in before.companies.items():
        lost = [train for train in company.trains if train not in here]
        if lost:
            yield Event("trains", name, f"{name} loses {', '.join(lost)}")
    for train in sorted(after.obsolete - before.obsolete):
        owner = after.owner_of_train(train)
        yield Event("trains", owner or "", f"{train} of {owner or 'nobody'} becomes obsolete")
