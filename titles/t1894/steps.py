"""Steps that only 1894 has: redeeming and reissuing, late homes, ferries, displaced tokens. Source: digest 1894."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from board.errors import Fault
from board.hexes import HexId, StopId
from rules import trade
from rules.actions import Action, Actor, BuyShares, Choose, LayTile, Pass, PlaceToken, SellShares, SpecialBuy
from rules.shares import IPO, POOL, Bundle, certificate_id, moved
from rules.state import BANK, Company, OperatingRound, State
from rules.steps.base import NOTHING, Step
from rules.steps.pending import PendingStep
from rules.steps.privates import BuyPrivates
from rules.steps.tokens import PlaceOneToken, city_of, place_action
from rules.steps.track import LayByPrivate
from titles.t1894.facts import facts_1894

if TYPE_CHECKING:
    from titles.t1894.game import Game1894

_HEX_IN_PARENTHESES = re.compile(r"\(([A-Z][0-9]+)\)\s*$")


def rules_of(state: State) -> Game1894:
    return cast("Game1894", state.game)


class RedeemOrReissue(Step):
    """One redemption from the pool, or the reissue of all redeemed shares. Source: 1894 section 5."""

    name = "redeem_or_reissue"
    title = "Redeeming or reissuing"
    handles = frozenset({BuyShares, SellShares, Pass})

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name or company.name in rules_of(state).starters(state):
            return NOTHING
        found: set[type[Action]] = set()
        if next(self.redeemable(state, company), None) is not None:
            found.add(BuyShares)
        if self.reissuable(company) is not None:
            found.add(SellShares)
        return frozenset({*found, Pass}) if found else NOTHING

    def redeemable(self, state: State, company: Company) -> Iterator[Bundle]:
        """What the treasury can buy back: up to two shares in the first round of a set, else one."""
        assert isinstance(state.round, OperatingRound)
        facts = facts_1894()
        most = facts.redeem_first if state.round.number == 1 else facts.redeem_later
        shares = company.held(POOL)
        for number in range(1, min(most, len(shares)) + 1):
            bundle = Bundle(
                company.name, POOL, shares[:number], sum(certificate.percent for certificate in shares[:number])
            )
            if state.game.sale_value(state, bundle) <= company.cash:
                yield bundle

    def reissuable(self, company: Company) -> Bundle | None:
        """All redeemed shares, if they are more than those left in the IPO."""
        own = company.held(company.name)
        if len(own) <= len(company.held(IPO)):
            return None
        return Bundle(company.name, company.name, own, sum(certificate.percent for certificate in own))

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        company = state.companies[actor.name]
        for bundle in self.redeemable(state, company):
            yield BuyShares(by=actor, shares=_ids(bundle), percent=bundle.percent)
        whole = self.reissuable(company)
        if whole is not None:
            price = facts_1894().reissue_price
            yield SellShares(by=actor, shares=_ids(whole), percent=whole.percent, price=price)
        yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, BuyShares):
            state = self.redeem(state, action).did(action)
        elif isinstance(action, SellShares):
            state = self.reissue(state, action).did(action)
        return state.done(self.key)

    def redeem(self, state: State, action: BuyShares) -> State:
        """The bank is paid the current price; the shares are set aside. No price moves."""
        bundle = trade.bundle_of(state, action.shares, action.percent)
        company = state.companies[action.by.name]
        if bundle.company != company.name or bundle.owner != POOL:
            raise state.violation("illegal-redemption", f"{company.name} redeems its own shares from the pool only")
        possible = [one.percent for one in self.redeemable(state, company)]
        if bundle.percent not in possible:
            raise state.violation(
                "illegal-redemption",
                f"{company.name} may redeem {_alternatives(possible)} of itself now, not {bundle.percent} %",
            )
        state = state.pay(company.name, BANK, state.game.sale_value(state, bundle))
        company = state.companies[company.name]
        return state.with_company(
            company.but(holdings=moved(company.holdings, bundle.certificates, POOL, company.name))
        )

    def reissue(self, state: State, action: SellShares) -> State:
        """The bank pays for each share; they are IPO shares again, at a new par for all. No price moves."""
        company = state.companies[action.by.name]
        whole = self.reissuable(company)
        bundle = trade.bundle_of(state, action.shares, action.percent)
        if whole is None or bundle.owner != company.name or set(bundle.certificates) != set(whole.certificates):
            raise state.violation(
                "illegal-reissue",
                f"{company.name} reissues all its redeemed shares at once, if they are more than the IPO holds",
            )
        price = facts_1894().reissue_price
        if action.price not in (None, price):
            raise state.violation("illegal-reissue", f"shares are reissued for {price} each, not {action.price}")
        state = state.pay(BANK, company.name, price * trade.units(state, bundle))
        company = state.companies[company.name]
        holdings = moved(company.holdings, bundle.certificates, company.name, IPO)
        return state.with_company(company.but(holdings=holdings, par=price))


class ChooseLateHome(PendingStep):
    """The home of a late corporation, right after it was started. Source: 1894 section 3."""

    name = "late_home"
    title = "Home of a late corporation"
    handles = frozenset({Choose})
    awaits = "late_home"

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        for hex_id in pending.hexes if pending is not None else ():
            yield Choose(by=actor, choice=choice_of(state, hex_id))

    def apply(self, state: State, action: Action) -> State:
        pending = self.pending(state)
        assert isinstance(action, Choose)
        assert pending is not None
        assert pending.company is not None
        found = _HEX_IN_PARENTHESES.search(action.choice)
        hex_id = HexId(found[1] if found else action.choice.strip())
        if hex_id not in pending.hexes:
            raise state.violation(
                "wrong-home",
                f"{pending.company} may choose {', '.join(choice_of(state, one) for one in pending.hexes)}, "
                f"not {action.choice}",
            )
        state = self.without(state, pending)
        return rules_of(state).with_late_home(state, pending.company, hex_id).did(action)


def choice_of(state: State, hex_id: HexId) -> str:
    """As records name a home: ``Amiens (E6)``."""
    name = state.facts.edition.map.hexes[hex_id].name
    return f"{name} ({hex_id})" if name else f"({hex_id})"


class BuyFerry(Step):
    """A ferry marker, at any time of the corporation's turn. Source: 1894 section 7, "Ferry"."""

    name = "ferry"
    title = "Ferry"
    handles = frozenset({SpecialBuy})

    def __init__(self) -> None:
        super().__init__(blocks=False)

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name or self.fault(state, company):
            return NOTHING
        if not rules_of(state).reaches_london(state, company.name) and not state.lenient:
            return NOTHING
        return self.handles

    def fault(self, state: State, company: Company) -> str:
        """Why the corporation gets no ferry, reach apart (empty: it does)."""
        rules = rules_of(state)
        if company.marks.get("ferry"):
            return f"{company.name} has a ferry; one is the limit"
        if rules.ferries_left(state) <= 0:
            return f"all {facts_1894().ferry.markers} ferries are sold"
        price = rules.ferry_price(state, company)
        return f"a ferry costs {price}; {company.name} has {company.cash}" if price > company.cash else ""

    def why_not(self, state: State, action: Action) -> str:
        company = state.operator
        if company is None or action.by.name != company.name:
            return ""
        return self.fault(state, company) or f"{company.name} does not reach London"

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        company = state.companies[actor.name]
        yield SpecialBuy(by=actor, what=facts_1894().ferry.what, cost=rules_of(state).ferry_price(state, company))

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, SpecialBuy)
        company, rules = state.companies[action.by.name], rules_of(state)
        price = rules.ferry_price(state, company)
        if action.what != facts_1894().ferry.what:
            raise state.violation("unknown-item", f"{facts_1894().ferry.what} is for sale, not {action.what}")
        if action.cost != price:
            raise state.violation("wrong-price", f"the ferry costs {company.name} {price}, not {action.cost}")
        if not rules.reaches_london(state, company.name):
            state = state.object_to((Fault("not-connected", f"{company.name} does not reach London"),))
        state = state.pay(company.name, BANK, price)
        return state.with_company(state.companies[company.name].with_mark("ferry", True)).did(action)


class LayInTrackStep(LayByPrivate):
    """The lays of LRC, GLG and SAC: while the corporation is asked for track. Source: 1894 section 2."""

    def in_track_step(self, state: State) -> bool:
        for step in state.kind.steps:
            if step.blocks and step.key not in state.round.turn.done and step.waits(state):
                return LayTile in step.handles
        return False


class BuyPrivates1894(BuyPrivates):
    """Waits also while London shipping could still put its token. Source: formats/18xx-games-json section 5."""

    def has_open_ability(self, state: State, company: Company) -> bool:
        for private in state.privates_of(company.name):
            for place, ability in enumerate(state.private_facts(private.name).abilities):
                if ability.kind == "place_token" and not private.used.get(place, 0):
                    return True
        return super().has_open_ability(state, company)


# --- tokens --------------------------------------------------------------------------------------------------------


def displaced(state: State) -> Mapping[str, tuple[HexId, int]]:
    """The tokens that a split lifted in this turn: company to the hex and the place on its charter."""
    found = state.round.turn.marks.get("displaced", {})
    assert isinstance(found, dict)
    return found


def waiting_fault(state: State, hex_id: HexId) -> str:
    """Why nobody else may put a token in a hex whose tokens were lifted (empty: may). Source: 1894 section 6."""
    number = sum(at == hex_id for at, _ in displaced(state).values())
    reserved = any(kept.city is None for kept in state.table.kept.get(hex_id, ()))
    if number >= 2 or (number == 1 and reserved):
        return f"the tokens lifted from {state.facts.edition.map.name_of(hex_id)} go back first"
    return ""


class PlaceOneToken1894(PlaceOneToken):
    """The token of the turn; not where lifted tokens still need the room. Source: 1894 section 6.

    It waits also where London is the only city within reach: the recording site asks there too, though London never
    holds a token.
    """

    def may_place(self, state: State) -> bool:
        if super().may_place(state):
            return True
        company = state.operator
        if company is None or state.round.turn.tokened or not state.game.may_place_tokens(state, company):
            return False
        price = state.game.token_price(state, company)
        return price is not None and price <= company.cash and rules_of(state).reaches_london(state, company.name)

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for action in super().legal(state, actor):
            if not isinstance(action, PlaceToken) or not waiting_fault(state, city_of(state, action).hex):
                yield action

    def place(self, state: State, action: PlaceToken) -> State:
        stop = city_of(state, action)
        if stop.hex == facts_1894().ferry.london:
            raise state.violation("no-room", "London never holds a token")
        if fault := waiting_fault(state, stop.hex):
            raise state.violation("tokens-waiting", fault)
        return super().place(state, action)


class DisplacedTokens(Step):
    """Tokens of others lifted by a split go back at the end of the turn, in operating order, into either city, beside
    the slots of a full one. Source: 1894 section 6."""

    name = "displaced_tokens"
    title = "Displaced tokens"
    handles = frozenset({PlaceToken})

    def next_company(self, state: State) -> str | None:
        waiting = displaced(state)
        if not waiting:
            return None
        return min(waiting, key=lambda name: state.game.operating_rank(state, state.companies[name]))

    def actors(self, state: State) -> tuple[Actor, ...]:
        name = self.next_company(state)
        return (state.actor(state.companies[name]),) if name is not None else ()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        name = self.next_company(state)
        return self.handles if name is not None and actor.name == name else NOTHING

    def choices(self, state: State, company: str) -> tuple[StopId, ...]:
        hex_id, _ = displaced(state)[company]
        return tuple(StopId.of(hex_id, city.id) for city in state.table.tile_at(hex_id).cities)

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        name = self.next_company(state)
        if name is not None:
            for stop in self.choices(state, name):
                yield place_action(state, actor, stop, self.slot(state, name, stop))

    def slot(self, state: State, company: str, stop: StopId) -> int | None:
        return state.table.free_slot(company, stop)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, PlaceToken)
        name = action.by.name
        stop = city_of(state, action)
        choices = self.choices(state, name)
        if stop not in choices:
            raise state.violation("wrong-city", f"the token of {name} goes to one of: {', '.join(choices)}")
        waiting = dict(displaced(state))
        _, place = waiting.pop(name)
        state = state.with_turn(marks={**state.round.turn.marks, "displaced": waiting})
        beside = self.slot(state, name, stop) is None
        return state.game.put_token(state, name, stop, place=place, beside=beside)


def _ids(bundle: Bundle) -> tuple[str, ...]:
    return tuple(certificate_id(bundle.company, one) for one in bundle.certificates)


def _alternatives(percents: list[int]) -> str:
    return " or ".join(f"{percent} %" for percent in percents) or "nothing"
