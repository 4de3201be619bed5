"""Privates bought by corporations, and privates exchanged for shares. Source: title digests."""

from __future__ import annotations

from collections.abc import Iterator

from rules import trade
from rules.actions import Action, Actor, BuyPrivate, BuyShares, Pass
from rules.facts import Ability
from rules.shares import IPO, POOL, Bundle, certificate_id
from rules.state import Company, State
from rules.steps.base import NOTHING, Step
from rules.steps.track import lay_abilities


class BuyPrivates(Step):
    """A corporation buys privates from players: beside other steps (``blocks=False``) and last of all."""

    name = "buy_privates"
    title = "Buying privates"
    handles = frozenset({BuyPrivate, Pass})

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name:
            return NOTHING
        if state.game.for_sale(state, company):
            return self.handles if self.blocks else frozenset({BuyPrivate})
        if self.blocks and self.has_open_ability(state, company):
            return frozenset({Pass})
        return NOTHING

    def has_open_ability(self, state: State, company: Company) -> bool:
        """Whether a private of the company can still be used. Source: formats/18xx-games-json section 5."""
        return any(
            ability.kind == "lay_tile" and "turn_of_the_owning_corporation" in ability.when
            for private in state.privates_of(company.name)
            for _, ability in lay_abilities(state, private)
        )

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        company = state.companies[actor.name]
        for private, least, most in state.game.for_sale(state, company):
            for price in sorted({least, min(most, company.cash)}):
                yield BuyPrivate(by=actor, private=private.name, price=price)
        if self.blocks:
            yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state.done(self.key)
        assert isinstance(action, BuyPrivate)
        company, private = state.companies[action.by.name], state.privates.get(action.private)
        bounds = state.game.price_range(state, company, private) if private is not None else None
        if private is None or private.owner is None or bounds is None:
            raise state.violation("not-for-sale", f"{action.private} is not for sale to {company.name} now")
        if not bounds[0] <= action.price <= bounds[1]:
            raise state.violation(
                "wrong-price", f"{action.private} costs {bounds[0]} to {bounds[1]}, not {action.price}"
            )
        old = private.owner
        state = state.pay(company.name, old, action.price).handing_private(private.name, company.name)
        return state.game.after_private_sold(state, private.name, old, company.name).did(action)


class ExchangePrivate(Step):
    """A private given up for a share, at any time that its rules allow."""

    name = "exchange_private"
    title = "Private exchanged for a share"
    handles = frozenset({BuyShares})

    def __init__(self) -> None:
        super().__init__(blocks=False)

    def actors(self, state: State) -> tuple[Actor, ...]:
        return tuple(Actor("private", name) for name in state.privates if self.ability(state, name) is not None)

    def ability(self, state: State, private: str) -> Ability | None:
        found = state.privates.get(private)
        if found is None or found.closed or found.owner not in state.players:
            return None
        return state.private_facts(private).ability("exchange_for_share")

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        if actor.kind != "private" or self.ability(state, actor.name) is None:
            return NOTHING
        return self.handles if next(self.bundles(state, actor.name), None) is not None else NOTHING

    def bundles(self, state: State, private: str) -> Iterator[Bundle]:
        """The certificates that the owner could take."""
        ability, owner = self.ability(state, private), state.privates[private].owner
        if ability is None or owner is None:
            return
        for company in state.companies.values():
            if ability.corporations and company.name not in ability.corporations:
                continue
            if company.closed or company.kind == "minor":
                continue
            for source in (IPO, POOL):
                certificate = next((one for one in company.held(source) if not one.president), None)
                if certificate is None or not self.may_take(state, owner, company, source, certificate.percent):
                    continue
                yield Bundle(company.name, source, (certificate,), certificate.percent)

    def may_take(self, state: State, owner: str, company: Company, source: str, percent: int) -> bool:
        return state.game.may_hold(state, owner, company, percent, source)

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for bundle in self.bundles(state, actor.name):
            ids = tuple(certificate_id(bundle.company, one) for one in bundle.certificates)
            yield BuyShares(by=actor, shares=ids, percent=bundle.percent)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, BuyShares)
        bundle = trade.bundle_of(state, action.shares, action.percent)
        private = state.privates[action.by.name]
        assert private.owner is not None
        if not any(
            one.company == bundle.company and one.owner == bundle.owner and one.percent == bundle.percent
            for one in self.bundles(state, private.name)
        ):
            raise state.violation("no-exchange", f"{private.name} cannot be exchanged for {', '.join(action.shares)}")
        state = trade.transfer(state, bundle, private.owner)
        return state.game.close_private(state, private.name)
