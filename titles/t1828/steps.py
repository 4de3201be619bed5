"""Steps that only 1828 has, or has otherwise. Source: digest 1828."""

from __future__ import annotations

from collections.abc import Iterator

from board.hexes import StopId
from rules import trade
from rules.actions import (
    Action,
    Actor,
    BuyShares,
    BuyTrain,
    Choose,
    DiscardTrain,
    FailedMerge,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    SpecialBuy,
    SwapTrain,
)
from rules.facts import Ability
from rules.rounds.operating import OperatingRounds
from rules.shares import IPO, POOL, Bundle
from rules.state import BANK, Company, OperatingRound, Pending, State, StockRound
from rules.steps.base import NOTHING, Step
from rules.steps.discard import DiscardTrains
from rules.steps.dividend import PayDividend
from rules.steps.pending import PendingStep
from rules.steps.pending_par import PendingPar
from rules.steps.privates import ExchangePrivate
from rules.steps.stock_turn import PURCHASES, StockTurn
from rules.steps.tokens import PlaceOneToken, city_of, place_action
from rules.steps.track import (
    TRACK_STEP,
    LayByPrivate,
    LayTrack,
    carry_out,
    checked_plan,
    lay_abilities,
    lay_action,
    lays_of,
)
from rules.steps.trains import BuyTrains, GoBankrupt
from titles.t1828.merger_steps import PARTNER
from titles.t1828.policies import rules_of
from titles.t1828.systems import System

#: The par price owed for a president's certificate taken for a private.
EXCHANGE_PAR = "exchange_par"
#: How records call the coal marker.
COAL_MARKER = "Coal Marker"


# --- stock rounds ----------------------------------------------------------------------------------------------------


class StockTurn1828(StockTurn):
    """The turn's purchase may be a merger or the exchange of M&H instead. Source: 1828 sections 3 and 9.1."""

    handles = StockTurn.handles | {Choose, FailedMerge}

    def further_offers(self, state: State, player: str) -> Iterator[type[Action]]:
        if self.purchases(state):
            return
        if rules_of(state).may_merge(state, player):
            yield Choose
            yield FailedMerge
        for step in state.kind.steps:
            if isinstance(step, ExchangeMohawk) and any(step.offers(state, actor) for actor in step.actors(state)):
                yield BuyShares

    def purchases(self, state: State) -> tuple[Action, ...]:
        return tuple(act for act in state.round.turn.acts if isinstance(act, (*PURCHASES, Choose, FailedMerge)))

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        if Choose in self.offers(state, actor):
            for corporation in rules_of(state).initiators(state, actor.name):
                yield Choose(by=actor, choice=corporation)
        yield from super().legal(state, actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Choose):
            return self.begin_merger(state, action)
        if isinstance(action, FailedMerge):
            return self.acted(self.failed(state, action), action)
        return super().apply(state, action)

    def begin_merger(self, state: State, action: Choose) -> State:
        """The corporation that is to survive; the other one is named next."""
        rules, player = rules_of(state), action.by.name
        possible = rules.initiators(state, player)
        if action.choice not in possible:
            raise state.violation("no-merger", f"a merger may be begun with {', '.join(possible)}")
        marks = {"before": state}
        pending = Pending(PARTNER, Actor("corporation", action.choice), action.choice, marks=marks)
        return self.acted(state, action).but(pending=(*state.pending, pending))

    def failed(self, state: State, action: FailedMerge) -> State:
        """Records keep of a merger that failed and was taken back that it was tried."""
        if len(action.corporations) != 2:
            raise state.violation("no-merger", "a merger is of two corporations")
        one, other = action.corporations
        if fault := rules_of(state).merger_fault(state, action.by.name, one, other):
            raise state.violation("no-merger", fault)
        return state


class ExchangeMohawk(ExchangePrivate):
    """M&H for a share of any corporation, regardless of 60 %: in the owner's own stock turn in place of a purchase, in
    operating rounds at any time. Source: 1828 section 3."""

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        if actor.kind != "private" or self.ability(state, actor.name) is None or not self.is_time(state, actor.name):
            return NOTHING
        return super().offers(state, actor)

    def is_time(self, state: State, private: str) -> bool:
        if not isinstance(state.round, StockRound):
            return True
        step = next(step for step in state.kind.steps if isinstance(step, StockTurn1828))
        return state.round.current == state.privates[private].owner and not step.purchases(state)

    def why_not(self, state: State, action: Action) -> str:
        name = action.by.name
        if action.by.kind != "private" or self.ability(state, name) is None or self.is_time(state, name):
            return ""
        return f"{name} is exchanged in its owner's own turn, in place of a purchase"

    def bundles(self, state: State, private: str) -> Iterator[Bundle]:
        """A share from IPO or pool; of a corporation not yet started the president's certificate."""
        owner = state.privates[private].owner
        if self.ability(state, private) is None or owner is None:
            return
        for company in state.companies.values():
            if company.closed or company.kind == "minor":
                continue
            for source in (IPO, POOL):
                certificate = next((one for one in company.held(source) if one.president != company.started), None)
                if certificate is not None and (company.started or self.may_start(state, owner, company)):
                    yield Bundle(company.name, source, (certificate,), certificate.percent)

    def may_start(self, state: State, owner: str, company: Company) -> bool:
        return not state.game.may_start(state, owner, company.name) and bool(
            affordable_pars(state, owner, company.name)
        )

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, BuyShares)
        bundle = trade.bundle_of(state, action.shares, action.percent)
        private = state.privates[action.by.name]
        owner = private.owner
        assert owner is not None
        same = (
            one
            for one in self.bundles(state, private.name)
            if (one.company, one.owner, one.percent) == (bundle.company, bundle.owner, bundle.percent)
        )
        if next(same, None) is None:
            raise state.violation("no-exchange", f"{private.name} cannot be exchanged for {', '.join(action.shares)}")
        state = state.game.close_private(state, private.name)
        if isinstance(state.round, StockRound):
            state = state.did(action)
        if bundle.president is not None:
            pending = Pending(EXCHANGE_PAR, Actor("player", owner), bundle.company)
            return state.but(pending=(*state.pending, pending))
        floated = state.companies[bundle.company].floated
        state = trade.transfer(state, bundle, owner)
        if isinstance(state.round, OperatingRound) and state.round.at_start and not floated:
            state = self.join_round(state, bundle.company)
        return state

    def join_round(self, state: State, company: str) -> State:
        """A corporation that floats before the first action of an operating round takes part in it."""
        kind = state.kind
        assert isinstance(kind, OperatingRounds)
        return kind.begin_turns(state) if state.companies[company].floated else state


def affordable_pars(state: State, player: str, company: str) -> tuple[object, ...]:
    """Par prices that the player can pay for one share."""
    cash = state.players[player].cash
    return tuple(cell for cell in state.game.par_cells(state, company) if state.facts.market.price(cell) <= cash)


class ParAfterExchange(PendingPar):
    """The par price of a corporation whose president's certificate was taken for M&H; one share is paid.
    Source: 1828 section 3."""

    name = "exchange_par"
    title = "Par price after the exchange of a private"
    awaits = EXCHANGE_PAR

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for action in super().legal(state, actor):
            assert isinstance(action, Par)
            if action.cell in affordable_pars(state, actor.name, action.corporation):
                yield action

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, Par)
        state = super().apply(state, action)
        return state.pay(action.by.name, BANK, state.facts.market.price(action.cell))


# --- operating rounds ------------------------------------------------------------------------------------------------


class _ForSold(PendingStep):
    """What follows at once from the sale of a private to a corporation."""

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        pending = self.pending(state)
        if pending is None or actor.name not in (pending.who.name, pending.company):
            return NOTHING
        return self.handles


class LayBySold(_ForSold):
    """The tile of E&K in E7, right after the sale. Source: 1828 section 2."""

    name = "tile_of_sold"
    title = "Tile of a private just sold"
    handles = frozenset({LayTile})
    awaits = "tile_of_sold"

    def ability(self, state: State, pending: Pending) -> tuple[int, Ability]:
        place = pending.marks["place"]
        assert isinstance(place, int)
        return place, state.private_facts(pending.who.name).abilities[place]

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        assert pending is not None
        assert pending.company is not None
        _, ability = self.ability(state, pending)
        for plan in lays_of(state, pending.company, ability=ability, private=pending.who.name):
            yield lay_action(actor, plan)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, LayTile)
        pending = self.pending(state)
        assert pending is not None
        assert pending.company is not None
        name = pending.who.name
        place, ability = self.ability(state, pending)
        if action.hex not in pending.hexes or action.tile not in ability.tiles:
            raise state.violation(
                "wrong-tile", f"{name} lays {', '.join(ability.tiles)} on {', '.join(pending.hexes)} at once"
            )
        plan = checked_plan(state, pending.company, action, ability, name)
        state = carry_out(self.without(state, pending), plan, extra=True)
        private = state.privates[name]
        return state.with_private(private.but(used={**private.used, place: private.used.get(place, 0) + 1}))


class TokenOfSold(_ForSold):
    """A token in the place of the minor's, or a blocking token. Source: 1828 section 8."""

    name = "token_of_sold"
    title = "Token in the place of the minor"
    handles = frozenset({PlaceToken, Pass})
    awaits = "token_of_sold"

    def stop(self, pending: Pending) -> StopId:
        found = pending.marks["stop"]
        assert isinstance(found, StopId)
        return found

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        assert pending is not None
        yield place_action(state, actor, self.stop(pending))
        yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        pending = self.pending(state)
        assert pending is not None
        assert pending.company is not None
        stop = self.stop(pending)
        state = self.without(state, pending)
        if isinstance(action, Pass):
            return rules_of(state).block(state, stop)
        assert isinstance(action, PlaceToken)
        if city_of(state, action) != stop:
            raise state.violation("wrong-city", f"the token goes to {stop}")
        return state.game.put_token(state, pending.company, stop).with_turn(tokened=True)


class LayByPrivate1828(LayByPrivate):
    """E&K's extra tile: not after an upgrade, and no upgrade after it. Source: 1828 section 2."""

    def is_time(self, state: State, company: Company, ability: Ability) -> bool:
        if TRACK_STEP in ability.when and any(lay.upgrade for lay in state.round.turn.lays if not lay.extra):
            return False
        return super().is_time(state, company, ability)

    def why_not(self, state: State, action: Action) -> str:
        private = state.privates.get(action.by.name) if action.by.kind == "private" else None
        if private is None or state.operator is None or private.owner != state.operator.name:
            return ""
        extra = any(TRACK_STEP in ability.when for _, ability in lay_abilities(state, private))
        upgraded = any(lay.upgrade for lay in state.round.turn.lays if not lay.extra)
        return f"{private.name} lays no tile after an upgrade" if extra and upgraded else ""

    def in_track_step(self, state: State) -> bool:
        return any(isinstance(step, LayTrack) and step.key not in state.round.turn.done for step in state.kind.steps)

    def used(self, state: State, private: str, place: int) -> State:
        if TRACK_STEP in state.private_facts(private).abilities[place].when:
            return state.with_turn(marks={**state.round.turn.marks, "no_upgrade": True})
        return state


class BuyCoalMarker(Step):
    """A marker for 120 by a corporation that track leads to the coalfields. Source: 1828 section 5."""

    name = "coal"
    title = "Coal marker"
    handles = frozenset({SpecialBuy})

    def __init__(self) -> None:
        super().__init__(blocks=False)

    def fault(self, state: State, company: Company) -> str:
        """Why the company may not buy a marker, its way to the coalfields apart."""
        rules = rules_of(state)
        if company.kind == "minor":
            return f"{company.name} is no corporation"
        if rules.has_coal(state, company.name):
            return f"{company.name} has a coal marker"
        if rules.coal_left(state) < 1:
            return "no coal marker is left"
        if company.cash < rules.coal_price:
            return f"a coal marker costs {rules.coal_price}; the treasury of {company.name} holds {company.cash}"
        return ""

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name or self.fault(state, company):
            return NOTHING
        reached = rules_of(state).reaches_coalfields(state, company.name)
        return self.handles if reached else NOTHING

    def accepts(self, state: State, action: Action) -> bool:
        company = state.operator
        return isinstance(action, SpecialBuy) and company is not None and action.by.name == company.name

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        yield SpecialBuy(by=actor, what=COAL_MARKER, cost=rules_of(state).coal_price)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, SpecialBuy)
        rules, company = rules_of(state), state.operator
        assert company is not None
        if action.what != COAL_MARKER or action.cost != rules.coal_price:
            raise state.violation("unknown-item", f"{COAL_MARKER} is for sale for {rules.coal_price}")
        if fault := self.fault(state, company):
            raise state.violation("no-coal-marker", fault)
        if not rules.reaches_coalfields(state, company.name):
            fields = state.facts.edition.map.name_of(rules.coalfields)
            fault = f"no track leads {company.name} to {fields}"
            state = state.object_to(state.violation("not-connected", fault).faults)
        state = state.pay(company.name, BANK, rules.coal_price)
        state = state.with_company(state.companies[company.name].with_mark("coal", True))
        return rules.with_coal_left(state, rules.coal_left(state) - 1)


class Token1828(PlaceOneToken):
    """Waits also where only the coalfields would have room, which take no token, as records do."""

    def may_place(self, state: State) -> bool:
        if super().may_place(state):
            return True
        company = state.operator
        if company is None or state.round.turn.tokened:
            return False
        price = state.game.token_price(state, company)
        return price is not None and price <= company.cash and rules_of(state).reaches_coalfields(state, company.name)


class PayDividend1828(PayDividend):
    """The minor's half pay happens by itself. Source: 1828 section 8."""

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        return NOTHING if company is None or company.kind == "minor" else super().offers(state, actor)

    def skip(self, state: State) -> State:
        company = state.operator
        if company is not None and company.kind == "minor":
            return self.carry_out(state, company.name, "half", state.round.turn.revenue or 0)
        return super().skip(state)


class SwapTrains(Step):
    """Trains of a system go from shell to shell; in the end both are within the limit. Source: 1828 section 9.4."""

    name = "swap_trains"
    title = "Trains between shells"
    handles = frozenset({SwapTrain, Pass})

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if not isinstance(company, System) or actor.name != company.name or not company.trains:
            return NOTHING
        over = rules_of(state).crowded_shell(state, company) is not None
        return frozenset({SwapTrain}) if over else self.handles

    def why_not(self, state: State, action: Action) -> str:
        company = state.operator
        if not isinstance(action, Pass) or not isinstance(company, System) or not self.waits(state):
            return ""
        shell = rules_of(state).crowded_shell(state, company)
        return f"the shell {shell} holds more trains than the limit" if shell is not None else ""

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for train in state.companies[actor.name].trains:
            yield SwapTrain(by=actor, train=train)
        if Pass in self.offers(state, actor):
            yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state.with_turn(marks={**state.round.turn.marks, "swapping": False}).done(self.key)
        assert isinstance(action, SwapTrain)
        system = state.operator
        assert isinstance(system, System)
        if action.train not in system.trains:
            raise state.violation("no-such-train", f"{system.name} owns {', '.join(system.trains)}")
        one, other = system.parts
        shell = other if system.shell_of.get(action.train) == one else one
        system = system.but(shell_of={**system.shell_of, action.train: shell})
        return state.with_company(system).with_turn(marks={**state.round.turn.marks, "swapping": True})


class DiscardOfShell(DiscardTrains):
    """A system gives up trains of the shell that is above the limit; it leaves the game. Source: 1828 section 9.4."""

    def choices(self, state: State, name: str) -> tuple[str, ...]:
        company = state.companies[name]
        if isinstance(company, System):
            shell = rules_of(state).crowded_shell(state, company)
            return company.trains_in(shell) if shell is not None else ()
        return company.trains

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for train in self.choices(state, actor.name):
            yield DiscardTrain(by=actor, train=train)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, DiscardTrain)
        choices = self.choices(state, action.by.name)
        if action.train not in choices:
            raise state.violation("no-such-train", f"{action.by} gives up one of {', '.join(choices)}")
        return super().apply(state, action)


class BuyTrains1828(BuyTrains):
    """A system names the shell that takes the train; for an empty shell the president may help. Source: 1828
    sections 9.4 and 11."""

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        found = super().offers(state, actor)
        if company is None or actor.name != company.name or company.kind == "minor":
            return found
        game = state.game
        if game.must_buy_train(state, company) or not game.president_helps(state, company):
            return found
        if state.round.turn.last_sale is not None and (
            next(self.purchases(state, actor, company), None) is not None or self.can_sell_any(state, company)
        ):
            return frozenset({BuyTrain})
        return frozenset({BuyTrain, Pass})

    def purchases(self, state: State, actor: Actor, company: Company) -> Iterator[Action]:
        if not isinstance(company, System):
            yield from super().purchases(state, actor, company)
            return
        game = state.game
        offers = [*game.bank_offers(state, company), *game.company_offers(state, company)]
        for shell in company.parts:
            for offer in offers:
                prices = {offer.price, company.cash} if offer.seller is not None and company.cash else {offer.price}
                for price in sorted(prices):
                    action = BuyTrain(by=actor, train=offer.train, price=price, face=offer.face, shell=shell)
                    if not self.purchase_fault(state, company, action):
                        yield action

    def purchase_fault(self, state: State, company: Company, action: BuyTrain) -> str:
        if isinstance(company, System):
            if action.shell not in company.parts:
                return f"the train goes to a shell of {company.name}: {' or '.join(company.parts)}"
            if not rules_of(state).shell_has_room(state, company, action.shell):
                return f"the shell {action.shell} has no room for another train"
        elif action.shell is not None:
            return f"{company.name} has no shells"
        return super().purchase_fault(state, company, action)

    def help_fault(self, state: State, company: Company, action: BuyTrain, seller: str) -> str:
        """Money of the president goes to a system without a train, or to an empty shell."""
        if (
            isinstance(company, System)
            and (company.trains or not state.game.must_buy_train(state, company))
            and action.shell not in company.empty_shells
        ):
            return f"the president helps an empty shell only, not {action.shell}"
        return super().help_fault(state, company, action, seller)

    def emergency_fault(self, state: State, company: Company, bundle: Bundle, *, all_of_it: bool = False) -> str:
        """Help that is not forced must reach its end: shares are sold for it only if they bring enough."""
        free = not all_of_it and not state.game.must_buy_train(state, company)
        if free and state.round.turn.last_sale is None and Bankruptcy1828().cannot_pay(state, company):
            return "all that may be sold does not bring the price of a train"
        return super().emergency_fault(state, company, bundle, all_of_it=all_of_it)

    def receive(self, state: State, name: str, action: BuyTrain) -> State:
        state = super().receive(state, name, action)
        company = state.companies[name]
        if isinstance(company, System):
            assert action.shell is not None
            state = state.with_company(company.but(shell_of={**company.shell_of, action.train: action.shell}))
        return state


class Bankruptcy1828(GoBankrupt):
    """Only where a purchase is forced; help for an empty shell is free. Source: 1828 section 11."""

    def __init__(self) -> None:
        super().__init__(BuyTrains1828)

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or not state.game.must_buy_train(state, company):
            return NOTHING
        return super().offers(state, actor)

    def why_not(self, state: State, action: Action) -> str:
        company = state.operator
        if company is not None and not state.game.must_buy_train(state, company):
            return f"nothing forces {company.name} to buy a train"
        return super().why_not(state, action)
