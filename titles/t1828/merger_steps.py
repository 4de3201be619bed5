"""The decisions of a merger: partner, tokens, shares. Source: 1828 section 9."""

from __future__ import annotations

from collections.abc import Iterator

from rules.actions import Action, Actor, Choose, FailedMerge, Merge, RemoveToken
from rules.state import Pending, State
from rules.steps.base import NOTHING
from rules.steps.pending import PendingStep
from titles.t1828 import mergers
from titles.t1828.mergers import Merger, Option
from titles.t1828.policies import rules_of
from titles.t1828.systems import BLOCK

#: Kinds of pending decision.
PARTNER = "merger_partner"
TOKENS = "merger_tokens"


class _Pending(PendingStep):
    """A decision that interrupts the stock round."""

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        pending = self.pending(state)
        return self.handles if pending is not None and actor.name == pending.who.name else NOTHING

    def merger(self, pending: Pending) -> Merger:
        found = pending.marks["merger"]
        assert isinstance(found, Merger)
        return found


class SelectPartner(_Pending):
    """The corporation that survives names the one that it takes in. Source: 1828 section 9.1."""

    name = "merger_partner"
    title = "Merger"
    handles = frozenset({Merge})
    awaits = PARTNER

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        player = state.round.current
        assert player is not None
        for partner in rules_of(state).partners(state, player, actor.name):
            yield Merge(by=actor, corporation=partner)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, Merge)
        pending, player = self.pending(state), state.round.current
        assert pending is not None
        assert player is not None
        before = pending.marks["before"]
        assert isinstance(before, State)
        rules = rules_of(state)
        if fault := rules.merger_fault(state, player, action.by.name, action.corporation):
            raise state.violation("no-merger", fault)
        state, system = rules.create_system(self.without(state, pending), action.by.name, action.corporation)
        hexes = rules.hexes_with_two_tokens(state, system)
        merger = Merger(action.by.name, action.corporation, system, player, before)
        if not hexes:
            return mergers.begin(state, merger)
        marks = {"merger": merger}
        choice = Pending(TOKENS, Actor("system", system), system, hexes, marks)
        return state.but(pending=(*state.pending, choice))


class RemoveSystemToken(_Pending):
    """Of two tokens in one hex one leaves for a blocking token. Source: 1828 section 9.2."""

    name = "merger_tokens"
    title = "Tokens of a merger"
    handles = frozenset({RemoveToken})
    awaits = TOKENS

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        assert pending is not None
        for stop in state.table.stops_of(actor.name):
            if stop.hex in pending.hexes:
                tile, part = state.table.record_of(stop)
                slot = state.table.tokens_in(stop.hex, stop.part).index(actor.name)
                yield RemoveToken(by=actor, tile=tile, part=part, slot=slot)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, RemoveToken)
        pending = self.pending(state)
        assert pending is not None
        name, stop = action.by.name, state.table.city_of_record(action.tile, action.part)
        if stop is None or stop.hex not in pending.hexes or stop not in state.table.stops_of(name):
            raise state.violation("wrong-token", f"a token of {name} leaves {', '.join(pending.hexes)}")
        company = state.companies[name]
        tokens = tuple(token for token in company.tokens if token.at != stop)
        state = state.with_company(company.but(tokens=tokens))
        state = self.without(state.but(table=state.table.replacing_token(name, BLOCK, stop)), pending)
        hexes = tuple(hex_id for hex_id in pending.hexes if hex_id != stop.hex)
        if hexes:
            return state.but(pending=(pending.but(hexes=hexes), *state.pending))
        return mergers.begin(state, self.merger(pending))


class ChooseInMerger(_Pending):
    """What a player decides about old shares. Source: 1828 section 9.3, steps 1 and 2."""

    name = "merger_choice"
    title = "Exchange of shares"
    handles = frozenset({Choose})
    awaits = mergers.CHOICE

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        assert pending is not None
        for option in self.merger(pending).options:
            yield Choose(by=actor, choice=option.text)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, Choose)
        pending = self.pending(state)
        assert pending is not None
        merger = self.merger(pending)
        option = chosen(merger.options, action.choice)
        if option is None:
            choices = ", ".join(repr(one.text) for one in merger.options)
            raise state.violation("unknown-choice", f"{action.choice!r} is none of the choices: {choices}")
        return mergers.choose(state, merger, option)


def chosen(options: tuple[Option, ...], text: str) -> Option | None:
    """The option that a record means: its text, else the only one that contains it or begins with the same word
    before the amount (amounts may be written otherwise). Source: formats/18xx-games-json section 4, ``choose``."""
    for option in options:
        if text in (option.text, option.key):
            return option
    found = [option for option in options if text and text in option.text]
    if not found:
        word = text.partition(" (")[0]
        found = [option for option in options if word and word == option.text.partition(" (")[0]]
    return found[0] if len(found) == 1 else None


class AcknowledgeFailure(_Pending):
    """A merger whose president would hold too few shares is taken back. Source: 1828 section 9.3, step 5."""

    name = "merger_failed"
    title = "Failed merger"
    handles = frozenset({FailedMerge})
    awaits = mergers.FAILED

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        assert pending is not None
        merger = self.merger(pending)
        yield FailedMerge(by=actor, corporations=(merger.survivor, merger.other))

    def apply(self, state: State, action: Action) -> State:
        pending = self.pending(state)
        assert isinstance(action, FailedMerge)
        assert pending is not None
        merger = self.merger(pending)
        if set(action.corporations) != {merger.survivor, merger.other}:
            raise state.violation("wrong-merger", f"{merger.survivor} and {merger.other} failed to merge")
        return mergers.taken_back(merger).did(action)
