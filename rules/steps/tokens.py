"""Tokens: the turn's token, home tokens and tokens that must choose a city, the token of a distant lay.

Source: COMMON section 8.
"""

from __future__ import annotations

from collections.abc import Iterator

from board.hexes import StopId
from rules.actions import Action, Actor, Pass, PlaceToken
from rules.facts import Ability
from rules.state import BANK, Company, Pending, Private, State
from rules.steps.base import NOTHING, Step
from rules.steps.pending import PendingStep

_TURN: frozenset[type[Action]] = frozenset({PlaceToken, Pass})


def city_of(state: State, action: PlaceToken) -> StopId:
    """The city that the action names. Raises a refusal where no such tile lies on the map."""
    stop = state.table.city_of_record(action.tile, action.part)
    if stop is None:
        raise state.violation("unknown-city", f"no city {action.tile}-{action.part} lies on the map")
    return stop


def place_action(state: State, actor: Actor, stop: StopId, slot: int | None = None) -> PlaceToken:
    tile, part = state.table.record_of(stop)
    return PlaceToken(by=actor, tile=tile, part=part, slot=slot)


class PlaceOneToken(Step):
    """The one token of an operating turn."""

    name = "token"
    title = "Token"
    handles = _TURN

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name or not self.may_place(state):
            return NOTHING
        return _TURN

    def may_place(self, state: State) -> bool:
        """No token yet this turn, one left that the treasury can pay, and a city within reach that has room."""
        company = state.operator
        if company is None or state.round.turn.tokened or not state.game.may_place_tokens(state, company):
            return False
        price = state.game.token_price(state, company)
        if price is None or price > company.cash:
            return False
        return bool(state.game.token_stops(state, company.name))

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for stop in state.game.token_stops(state, actor.name):
            yield place_action(state, actor, stop, state.table.free_slot(actor.name, stop))
        yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state.done(self.key)
        assert isinstance(action, PlaceToken)
        return self.place(state, action)

    def place(self, state: State, action: PlaceToken) -> State:
        name = action.by.name
        stop = city_of(state, action)
        if not state.game.may_token(state, name, stop):
            raise state.violation("no-room", f"{name} may not put a token in {stop}: no free slot, or one in the hex")
        if stop not in state.game.reach(state, name).stops:
            state = state.object_to(state.violation("not-connected", f"{name} does not reach {stop}").faults)
        price = state.game.token_price(state, state.companies[name])
        state = state.pay(name, BANK, price or 0)
        state = state.game.put_token(state, name, stop)
        return state.with_turn(tokened=True).did(action)


class PendingTokens(PendingStep):
    """Home tokens whose city is to be chosen, and tokens that a lay left without a city."""

    name = "home_token"
    title = "Home token"
    handles = frozenset({PlaceToken})
    awaits = "token"

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        return self.handles if self.pending(state) is not None else NOTHING

    def choices(self, state: State, pending: Pending) -> tuple[StopId, ...]:
        assert pending.company is not None
        return tuple(
            StopId.of(hex_id, city.id)
            for hex_id in pending.hexes
            for city in state.table.tile_at(hex_id).cities
            if state.table.free_slot(pending.company, StopId.of(hex_id, city.id)) is not None
        )

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        if pending is not None:
            for stop in self.choices(state, pending):
                yield place_action(state, actor, stop)

    def apply(self, state: State, action: Action) -> State:
        pending = self.pending(state)
        assert isinstance(action, PlaceToken)
        assert pending is not None
        assert pending.company is not None
        stop = city_of(state, action)
        if stop not in self.choices(state, pending):
            choices = ", ".join(self.choices(state, pending))
            raise state.violation("wrong-city", f"the token of {pending.company} goes to one of: {choices}")
        place = pending.marks.get("place")
        state = self.without(state, pending)
        return state.game.put_token(state, pending.company, stop, place=place if isinstance(place, int) else None)


class TokenByPrivate(Step):
    """A token that a private allows to the company that owns it, beside the step that waits (``place_token``).

    By default it is the company's next unused token, free, and does not count as the token of the turn. Titles
    override :meth:`stops`, :meth:`price` and :meth:`put`.
    """

    name = "private_token"
    title = "Token by a private"
    handles = frozenset({PlaceToken})

    def __init__(self) -> None:
        super().__init__(blocks=False)

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = state.operator
        if company is None:
            return ()
        return tuple(Actor("private", private.name) for private in state.privates_of(company.name))

    def usable(self, state: State, actor: Actor) -> tuple[int, Ability] | None:
        """The unused ability of the private, with its place in the facts."""
        company, private = state.operator, state.privates.get(actor.name)
        if actor.kind != "private" or company is None or private is None or private.closed:
            return None
        if not self.may_use(state, company, private):
            return None
        for place, ability in enumerate(state.private_facts(private.name).abilities):
            if ability.kind == "place_token" and (ability.uses is None or private.used.get(place, 0) < ability.uses):
                return place, ability
        return None

    def may_use(self, state: State, company: Company, private: Private) -> bool:
        """Whether the operating company may use the private."""
        return private.owner == company.name

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        found = self.usable(state, actor)
        return self.handles if found is not None and self.stops(state, found[1]) else NOTHING

    def stops(self, state: State, ability: Ability) -> tuple[StopId, ...]:
        """The cities that the token may go to."""
        company = state.operator
        if company is None or state.game.next_token(company) is None:
            return ()
        return tuple(
            StopId.of(hex_id, city.id)
            for hex_id in sorted(ability.hexes or ())
            for city in state.table.tile_at(hex_id).cities
            if state.game.may_token(state, company.name, StopId.of(hex_id, city.id))
        )

    def price(self, state: State, ability: Ability, stop: StopId) -> int:
        return 0

    def put(self, state: State, company: str, ability: Ability, stop: StopId) -> State:
        return state.game.put_token(state, company, stop)

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        found, company = self.usable(state, actor), state.operator
        if found is not None and company is not None:
            for stop in self.stops(state, found[1]):
                if self.price(state, found[1], stop) <= company.cash:
                    yield place_action(state, actor, stop)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, PlaceToken)
        found, company = self.usable(state, action.by), state.operator
        assert found is not None
        assert company is not None
        place, ability = found
        stop = city_of(state, action)
        if stop not in self.stops(state, ability):
            raise state.violation("wrong-city", f"{action.by} puts a token in {', '.join(self.stops(state, ability))}")
        state = state.pay(company.name, BANK, self.price(state, ability, stop))
        state = self.put(state, company.name, ability, stop)
        private = state.privates[action.by.name]
        return state.with_private(private.but(used={**private.used, place: private.used.get(place, 0) + 1}))


class DistantToken(PendingStep):
    """The free token right after a lay by a private that needs no connection. Source: title digests."""

    name = "distant_token"
    title = "Token of a private"
    handles = _TURN
    awaits = "distant_token"

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        pending = self.pending(state)
        if pending is None or (actor != pending.who and actor.name != pending.company):
            return NOTHING
        return _TURN

    def choices(self, state: State, pending: Pending) -> tuple[StopId, ...]:
        assert pending.company is not None
        return tuple(
            StopId.of(hex_id, city.id)
            for hex_id in pending.hexes
            for city in state.table.tile_at(hex_id).cities
            if state.game.may_token(state, pending.company, StopId.of(hex_id, city.id))
        )

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        if pending is not None:
            for stop in self.choices(state, pending):
                yield place_action(state, actor, stop)
            yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        pending = self.pending(state)
        assert pending is not None
        assert pending.company is not None
        state = self.without(state, pending)
        if isinstance(action, Pass):
            return state
        assert isinstance(action, PlaceToken)
        stop = city_of(state, action)
        if stop not in self.choices(state, pending):
            raise state.violation("wrong-city", f"the token goes to {', '.join(pending.hexes)}")
        state = state.game.put_token(state, pending.company, stop)
        return state.with_turn(tokened=True)
