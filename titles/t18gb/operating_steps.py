"""Track, runs, dividends, trains and the share after a conversion. Source: digest 18GB sections 6 to 9."""

from __future__ import annotations

from collections.abc import Iterator

from rules import trade
from rules.actions import (
    Action,
    Actor,
    BuyShares,
    BuyTrain,
    Convert,
    LayTile,
    Pass,
    RunRoutes,
)
from rules.facts import Ability
from rules.shares import Bundle, certificate_id
from rules.state import Company, OperatingRound, State
from rules.steps.base import NOTHING, Step
from rules.steps.dividend import PayDividend
from rules.steps.routes import Run
from rules.steps.track import (
    LayTrack,
    carry_out,
    checked_plan,
    lay_abilities,
    lay_action,
    lays_of,
    spend_tile_action,
)
from rules.steps.track_and_token import TrackAndToken
from rules.steps.trains import BuyTrains
from titles.t18gb.facts import (
    EMERGENCY_CONVERSION_DUE,
    EMERGENCY_DROP,
    TRACK_STEP_OF_OWNER,
    rules_of,
)
from titles.t18gb.stock_steps import StockTurn18GB


def _lasts_with_track(ability: Ability) -> bool:
    return TRACK_STEP_OF_OWNER in ability.when and not ability.uses_a_normal_tile_action


class LayTrack18GB(LayTrack):
    """Two tile actions; green cities that may come early. Source: 18GB sections 6 and 7."""

    def may_lay(self, state: State, company: Company) -> bool:
        """Also while the director has an extra lay left: of AF even while it is open. Source: formats section 5."""
        if not state.game.may_lay_track(state, company):
            return False
        return super().may_lay(state, company) or self.has_lay_left(state, company)

    def has_lay_left(self, state: State, company: Company, *, besides: bool = False) -> bool:
        """An extra lay of the director's is left; *besides*: one that lasts with track and token, as that of AF."""
        if company.president is None:
            return False
        return any(
            (state.game.is_used_up(private) and not besides) or _lasts_with_track(ability)
            for private in state.privates_of(company.president)
            for _, ability in lay_abilities(state, private)
        )

    def early(self, state: State, action: LayTile) -> Ability | None:
        """The ability by which the tile may come before its colour."""
        if state.facts.edition.tiles.tile(action.tile).colour != "green" or action.hex in state.table.laid:
            return None
        company = state.companies[action.by.name]
        return next(
            (
                ability
                for ability in rules_of(state).early_tiles(state, company)
                if action.hex in (ability.hexes or ()) and action.tile in ability.tiles
            ),
            None,
        )

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        company = state.companies[actor.name]
        if state.game.next_tile_action(state, company) is not None:
            for ability in rules_of(state).early_tiles(state, company):
                for plan in lays_of(state, company.name, ability=ability):
                    if plan.hex not in state.table.laid and not any(
                        True for _ in state.game.tile_action_faults(state, company, plan)
                    ):
                        yield lay_action(actor, plan)
        yield from super().legal(state, actor)

    def lay(self, state: State, action: LayTile) -> State:
        company = state.companies[action.by.name]
        checked_plan(state, company.name, action)
        plan = checked_plan(state, company.name, action, self.early(state, action))
        state = spend_tile_action(state, company, plan)
        return carry_out(state, plan).did(action)


class TrackAndToken18GB(TrackAndToken):
    """Track and token in any order. Source: 18GB section 6."""

    def __init__(self) -> None:
        self.lays = LayTrack18GB()
        super().__init__(track=self.lays)

    def apply(self, state: State, action: Action) -> State:
        """The lay that uses up the tile actions after the token ends the step, unless the director has AF's extra lay
        left; with that of LS it goes on only after a token. So recorded games have it."""
        company = state.operator
        state = super().apply(state, action)
        if (
            isinstance(action, LayTile)
            and company is not None
            and state.round.turn.tokened
            and state.game.next_tile_action(state, company) is None
            and not self.lays.has_lay_left(state, company, besides=True)
        ):
            return state.done(self.key)
        return state


class RunOrLease(Run):
    """Runs; an insolvent company leases. Source: 18GB section 9."""

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        """With an empty bank there is nothing to lease: the turn waits for an empty run, as in recorded games.
        Source: field case F60."""
        company, game = state.operator, rules_of(state)
        if company is None or actor.name != company.name:
            return NOTHING
        if game.insolvent(company) and not company.trains and game.has_route(state, company):
            return self.handles
        return super().offers(state, actor)

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        """Not to run is always possible; what else may be run has too many choices to list."""
        yield RunRoutes(by=actor)


class PayDividend18GB(PayDividend):
    """Who has to withhold is not asked. Source: 18GB section 9."""

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or len(state.game.dividend_kinds(state, company)) < 2:
            return NOTHING
        return super().offers(state, actor)


class BuyTrains18GB(BuyTrains):
    """The treasury alone pays; a company without a train may convert; the bank acts for receivership, which only waits
    for a pass where the bank is empty. Source: 18GB section 9.
    """

    handles = frozenset({BuyTrain, Convert, Pass})

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = state.operator
        return (state.actor(company),) if company is not None else ()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company, game = state.operator, rules_of(state)
        if company is None or actor.name != company.name:
            return NOTHING
        if company.receivership:
            idle = not company.trains and not game.on_sale(state) and self.can_buy(state, company)
            return frozenset({Pass}) if idle else NOTHING
        found = super().offers(state, actor)
        if game.may_convert_in_emergency(state, company):
            found |= {Convert} if self.conversion_due(state) else {Convert, Pass}
            if self.conversion_due(state):
                found -= {Pass}
        return found

    def conversion_due(self, state: State) -> bool:
        """By option a company that could convert has to, or to buy a train of another one. Source: 18GB, "Where the
        sources differ" 5."""
        return EMERGENCY_CONVERSION_DUE in state.game.options

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        offers, company = self.offers(state, actor), state.operator
        if Convert in offers:
            yield Convert(by=actor)
        if BuyTrain in offers and company is not None:
            yield from self.purchases(state, actor, company)
        if Pass in offers:
            yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Convert):
            return self.convert(state, action.by.name).did(action)
        return super().apply(state, action)

    def convert(self, state: State, name: str) -> State:
        state = rules_of(state).converted(state, name, EMERGENCY_DROP)
        return state.with_turn(marks={**state.round.turn.marks, "converted": name})

    def can_buy(self, state: State, company: Company) -> bool:
        """Room, and money for the bank's cheapest train or 1 where another company has one; not whether that one may
        be had. Source: formats/18xx-games-json section 5."""
        if not state.game.has_room(state, company):
            return False
        others = (one for one in state.companies.values() if one.name != company.name and not one.closed)
        cheapest = state.game.cheapest_bank_train(state)
        return (cheapest is not None and company.cash >= cheapest[1]) or (
            company.cash >= 1 and any(one.trains for one in others)
        )

    def trade_price_fault(self, state: State, company: Company, action: BuyTrain) -> str:
        """From 1 to twice the face value."""
        face = state.train_facts(action.train).price
        if not 1 <= action.price <= 2 * face:
            return f"{action.train} of another company costs 1 to {2 * face}, not {action.price}"
        return ""

    def purchases(self, state: State, actor: Actor, company: Company) -> Iterator[Action]:
        """The least price between companies, the face value and the most that is allowed and affordable."""
        for action in super().purchases(state, actor, company):
            yield action
            assert isinstance(action, BuyTrain)
            if self.seller_of(state, action.train) in state.companies and action.price == 1:
                face = state.train_facts(action.train).price
                for price in sorted({face, min(2 * face, company.cash)} - {1, company.cash}):
                    if price <= company.cash:
                        yield BuyTrain(by=actor, train=action.train, price=price, face=action.face)

    def skip(self, state: State) -> State:
        """The bank acts for a company in receivership without a train: it converts a 5-share company that cannot pay
        for the cheapest train, and buys the dearest that costs less than the treasury. Source: 18GB section 9."""
        company, game = state.operator, rules_of(state)
        if company is None or not company.receivership or company.trains:
            return state
        if game.may_convert_in_emergency(state, company):
            state = self.convert(state, company.name)
            company = state.companies[company.name]
        prices = [(state.train_facts(train).price, train) for train in game.on_sale(state)]
        price, train = max(((price, train) for price, train in prices if price < company.cash), default=(0, ""))
        if not train:
            return state
        action = BuyTrain(by=state.actor(company), train=train, price=price, face=state.face_of(train))
        return self.buy(state, company, action)


class BuyConvertedShare(Step):
    """After an emergency conversion the director may buy a share of the company. Source: 18GB section 9."""

    name = "converted_share"
    title = "Share of the converted company"
    handles = frozenset({BuyShares, Pass})

    def __init__(self) -> None:
        super().__init__()
        self.stock = StockTurn18GB()

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = self.company(state)
        return (Actor("player", company.president),) if company is not None and company.president is not None else ()

    def company(self, state: State) -> Company | None:
        company = state.operator
        return company if company is not None and rules_of(state).converted_now(state) == company.name else None

    def bundles(self, state: State, player: str) -> Iterator[Bundle]:
        company = self.company(state)
        if company is not None and company.president == player and isinstance(state.round, OperatingRound):
            for bundle in self.stock.candidates(state, company):
                if not self.stock.buy_fault(state, player, bundle):
                    yield bundle

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        return self.handles if next(self.bundles(state, actor.name), None) is not None else NOTHING

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for bundle in self.bundles(state, actor.name):
            ids = tuple(certificate_id(bundle.company, one) for one in bundle.certificates)
            yield BuyShares(by=actor, shares=ids, percent=bundle.percent)
        yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state.done(self.key)
        assert isinstance(action, BuyShares)
        bundle = trade.bundle_of(state, action.shares, action.percent)
        company = self.company(state)
        assert company is not None
        if bundle.company != company.name:
            raise state.violation("illegal-purchase", f"a share of {company.name} may be bought now")
        return self.stock.buy(state, action).did(action)
