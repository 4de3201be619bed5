"""Privates of 18GB: closed by their owners, then of use to companies of theirs. Source: digest 18GB section 3."""

from __future__ import annotations

from collections.abc import Iterator

from board.hexes import StopId
from rules.actions import (
    Action,
    Actor,
    ChooseAbility,
)
from rules.facts import Ability
from rules.state import Company, Private, State, Token
from rules.steps.base import NOTHING, Step
from rules.steps.tokens import TokenByPrivate
from rules.steps.track import (
    LayByPrivate,
    lay_abilities,
)
from titles.t18gb.facts import (
    CLOSE,
    TRACK_STEP_OF_OWNER,
    rules_of,
)


class CloseByOwner(Step):
    """The owner closes a private, beside whatever waits. Source: 18GB section 3."""

    name = "close_private"
    title = "Closing a private"
    handles = frozenset({ChooseAbility})

    def __init__(self) -> None:
        super().__init__(blocks=False)

    def actors(self, state: State) -> tuple[Actor, ...]:
        game = rules_of(state)
        return tuple(
            Actor("private", one.name) for one in state.privates.values() if game.may_close_private(state, one)
        )

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        private = state.privates.get(actor.name) if actor.kind == "private" else None
        return self.handles if private is not None and rules_of(state).may_close_private(state, private) else NOTHING

    def why_not(self, state: State, action: Action) -> str:
        private = state.privates.get(action.by.name)
        if private is None:
            return f"there is no private {action.by}"
        if rules_of(state).is_used_up(private):
            return f"{private.name} has been closed already"
        return "privates are closed in operating rounds, and in stock rounds from the second on"

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        yield ChooseAbility(by=actor, choice=CLOSE)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, ChooseAbility)
        if action.choice != CLOSE:
            raise state.violation("unknown-choice", f"{action.by} offers the choice {CLOSE!r}, not {action.choice!r}")
        return rules_of(state).close_by_owner(state, action.by.name)


def closed_privates(state: State, company: Company) -> Iterator[Private]:
    """The privates whose abilities the company may use: closed ones of its director. Source: 18GB section 3."""
    if company.president is not None:
        for private in state.privates_of(company.president):
            if state.game.is_used_up(private):
                yield private


def _still_open(state: State, private: str) -> str:
    """The reason that an ability cannot be used: its private is open. Source: field case F64."""
    found, company = state.privates.get(private), state.operator
    if found is None or found.owner is None:
        return ""
    if not state.game.is_used_up(found):
        return f"{private} has not been closed; its ability starts with that"
    if company is not None and company.president != found.owner:
        return f"{private} serves companies led by {state.called(found.owner)}"
    return f"the ability of {private} is used up or does not fit here"


class LayByClosedPrivate(LayByPrivate):
    """AF, LS and TV. Source: 18GB section 3."""

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = state.operator
        return () if company is None else tuple(Actor("private", one.name) for one in closed_privates(state, company))

    def usable(self, state: State, actor: Actor) -> tuple[int, Ability] | None:
        company = state.operator
        if actor.kind != "private" or company is None or not state.game.may_lay_track(state, company):
            return None
        for private in closed_privates(state, company):
            if private.name == actor.name:
                for place, ability in lay_abilities(state, private):
                    if self.is_time(state, company, ability):
                        return place, ability
        return None

    def is_time(self, state: State, company: Company, ability: Ability) -> bool:
        if TRACK_STEP_OF_OWNER in ability.when and not self.in_track_step(state):
            return False
        return not ability.uses_a_normal_tile_action or super().is_time(state, company, ability)

    def why_not(self, state: State, action: Action) -> str:
        return _still_open(state, action.by.name) if action.by.kind == "private" else ""


class TokenByClosedPrivate(TokenByPrivate):
    """GN and MC: an additional token, which is the token of the turn. Source: 18GB section 3."""

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = state.operator
        return () if company is None else tuple(Actor("private", one.name) for one in closed_privates(state, company))

    def may_use(self, state: State, company: Company, private: Private) -> bool:
        return (
            private.owner == company.president
            and state.game.is_used_up(private)
            and not state.round.turn.tokened
            and state.game.may_place_tokens(state, company)
        )

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company, found = state.operator, self.usable(state, actor)
        if company is None or found is None:
            return NOTHING
        stops = self.stops(state, found[1])
        return self.handles if any(self.price(state, found[1], stop) <= company.cash for stop in stops) else NOTHING

    def why_not(self, state: State, action: Action) -> str:
        return _still_open(state, action.by.name) if action.by.kind == "private" else ""

    def stops(self, state: State, ability: Ability) -> tuple[StopId, ...]:
        company = state.operator
        if company is None:
            return ()
        return tuple(
            StopId.of(hex_id, city.id)
            for hex_id in sorted(ability.hexes or ())
            if not state.table.has_token_on(hex_id, company.name)
            for city in state.table.tile_at(hex_id).cities
            if self.slot(state, ability, StopId.of(hex_id, city.id)) is not None
        )

    def slot(self, state: State, ability: Ability, stop: StopId) -> int | None:
        """The slot kept for the private, else a free one."""
        return state.table.free_slot(self.private_of(state, ability), stop)

    def private_of(self, state: State, ability: Ability) -> str:
        return next(name for name, facts in state.facts.privates.items() if ability in facts.abilities)

    def price(self, state: State, ability: Ability, stop: StopId) -> int:
        """Free if the company reaches the city, else 50."""
        company = state.operator
        assert company is not None
        reached = stop in state.game.reach(state, company.name).stops
        price = ability.details["price_when_connected" if reached else "price_when_not_connected"]
        assert isinstance(price, int)
        return price

    def put(self, state: State, company: str, ability: Ability, stop: StopId) -> State:
        private = self.private_of(state, ability)
        slot = self.slot(state, ability, stop)
        found = state.companies[company]
        known = found.marks.get("tokens_of")
        privates = (*(known if isinstance(known, tuple) else ()), private)
        found = found.but(tokens=(*found.tokens, Token(0))).with_mark("tokens_of", privates)
        state = state.with_company(found).but(table=state.table.without_reservations(private))
        state = state.game.put_token(state, company, stop, place=len(found.tokens) - 1, slot=slot)
        return state.with_turn(tokened=True)
