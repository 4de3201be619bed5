"""Steps of 18GB. Source: digest 18GB."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from board.errors import Fault
from board.hexes import StopId
from rules import trade
from rules.actions import (
    Action,
    Actor,
    Bid,
    BuyShares,
    BuyTrain,
    Choose,
    ChooseAbility,
    Convert,
    LayTile,
    Par,
    Pass,
    RunRoutes,
)
from rules.facts import Ability
from rules.shares import IPO, POOL, Bundle, certificate_id
from rules.state import Company, OperatingRound, Private, State, StockRound, Token
from rules.steps.base import NOTHING, Step
from rules.steps.dividend import PayDividend
from rules.steps.routes import Run
from rules.steps.stock_turn import StockTurn
from rules.steps.tokens import TokenByPrivate
from rules.steps.track import (
    LayByPrivate,
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
from rules.steps.waterfall import WaterfallAuction, auction
from titles.t18gb.facts import (
    CLOSE,
    CONVERSION_DROP,
    CONVERT,
    EMERGENCY_CONVERSION_DUE,
    EMERGENCY_DROP,
    REDUCTION,
    TRACK_STEP_OF_OWNER,
)

if TYPE_CHECKING:
    from titles.t18gb.game import Game18GB


def rules_of(state: State) -> Game18GB:
    from titles.t18gb.game import Game18GB

    assert isinstance(state.game, Game18GB)
    return state.game


# --- auction -------------------------------------------------------------------------------------------------------


class SimultaneousAuction(WaterfallAuction):
    """All privates are on offer at once. Source: 18GB section 2."""

    name = "simultaneous_auction"
    title = "Auction of all privates"

    def may_purchase(self, state: State, private: str) -> bool:
        """Nothing is bought outright."""
        return False

    def least_bid(self, state: State, private: str) -> int:
        bids = auction(state).bids.get(private, ())
        if not bids:
            return self.price(state, private)
        return max(price for _, price in bids) + state.facts.settings.bid_increment

    def leader(self, state: State, private: str) -> tuple[str, int] | None:
        bids = auction(state).bids.get(private, ())
        return max(bids, key=lambda bid: bid[1]) if bids else None

    def pass_fault(self, state: State, player: str) -> str:
        """Why the player may not pass (empty: may). Who cannot bid any more may always pass."""
        unsold = self.unsold(state)
        leaders = [self.leader(state, private) for private in unsold]
        if all(leaders) or auction(state).prices:
            return ""
        needed = rules_of(state).scenario.get("bids_to_pass", 1)
        assert isinstance(needed, int)
        if sum(one is not None and one[0] == player for one in leaders) >= needed:
            return ""
        if all(self.bid_fault(state, player, one, self.least_bid(state, one)) for one in unsold):
            return ""
        return (
            f"passing needs {needed} leading bid{'s' if needed != 1 else ''}, a bid on every private, or a price "
            "that has fallen"
        )

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for private in self.unsold(state):
            price = self.least_bid(state, private)
            if not self.bid_fault(state, actor.name, private, price):
                yield Bid(by=actor, private=private, price=price)
        if not self.pass_fault(state, actor.name):
            yield Pass(by=actor)

    def pass_turn(self, state: State, action: Action) -> State:
        if fault := self.pass_fault(state, action.by.name):
            raise state.violation("no-pass", fault)
        return super().pass_turn(state, action)

    def all_passed(self, state: State) -> State:
        """Leaders get their privates; the others become cheaper, and for nothing the next player must take them."""
        for private in self.in_box_order(state):
            leader = self.leader(state, private)
            if leader is not None:
                state = self.sell(state, private, *leader)
        for private in self.in_box_order(state):
            price = max(0, self.price(state, private) - REDUCTION)
            state = state.with_round(prices={**auction(state).prices, private: price})
            if price == 0:
                player = self.current_player(state)
                state = self.next_player(self.with_bid(state, private, player, 0))
        return state

    def in_box_order(self, state: State) -> tuple[str, ...]:
        unsold = self.unsold(state)
        return tuple(name for name in state.facts.privates if name in unsold)


# --- privates ------------------------------------------------------------------------------------------------------


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


def stock_sales(state: State, player: str) -> frozenset[str]:
    """The companies whose shares the player sold in this stock round."""
    return state.round.sold.get(player, frozenset()) if isinstance(state.round, StockRound) else frozenset()


# --- stock rounds --------------------------------------------------------------------------------------------------


class StockTurn18GB(StockTurn):
    """Sell, then buy; or convert a company and buy shares of it. Source: 18GB section 5."""

    handles = StockTurn.handles | {Choose}

    def further_offers(self, state: State, player: str) -> Iterator[type[Action]]:
        if next(self.convertible(state, player), None) is not None:
            yield Choose

    def convertible(self, state: State, player: str) -> Iterator[str]:
        """The companies that the player may convert: before anything else in the turn."""
        if not state.round.turn.acts:
            for name, company in state.companies.items():
                if rules_of(state).may_convert(state, player, company):
                    yield name

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        if Choose in self.offers(state, actor):
            for name in self.convertible(state, actor.name):
                yield Choose(by=actor, choice=f"{CONVERT}{name}")
        yield from super().legal(state, actor)

    def apply(self, state: State, action: Action) -> State:
        marks = state.round.turn.marks
        if "directed" not in marks:
            directed = frozenset(name for name, one in state.companies.items() if one.president == action.by.name)
            state = state.with_turn(marks={**marks, "directed": directed})
        if isinstance(action, Choose):
            return self.acted(self.convert(state, action), action)
        return super().apply(state, action)

    def convert(self, state: State, action: Choose) -> State:
        names = {f"{CONVERT}{name}": name for name in self.convertible(state, action.by.name)}
        name = names.get(action.choice)
        if name is None:
            raise state.violation("unknown-choice", f"the choices are {', '.join(names)}, not {action.choice!r}")
        state = rules_of(state).converted(state, name, CONVERSION_DROP)
        return state.with_turn(marks={**state.round.turn.marks, "converted": name})

    # --- buying ------------------------------------------------------------------------------------------------

    def buy_fault(self, state: State, player: str, bundle: Bundle) -> str:
        game, company = rules_of(state), state.companies[bundle.company]
        converted = game.converted_now(state)
        if converted is not None and converted != company.name:
            return f"after its conversion only shares of {converted} may be bought in this turn"
        if bundle.president is None or bundle.owner != POOL:
            return super().buy_fault(state, player, bundle)
        if reason := game.may_buy_now(state, player, company, POOL):
            return reason
        if reason := self.purchase_fault(state, player, company, POOL):
            return reason
        if len(company.held(player)) != 1:
            return f"the director's certificate of {company.name} goes to a player with exactly one certificate of it"
        if (cost := game.cost_of(state, player, bundle)) > state.players[player].cash:
            return f"the director's certificate of {company.name} costs {cost}"
        return ""

    def can_buy_any(self, state: State, player: str) -> bool:
        """The turn also waits for purchases that only the 60 % of the IPO, a conversion or LB forbid: recorded games
        pass there."""
        return super().can_buy_any(state, player) or any(
            self.affordable(state, player, company, source)
            for company in state.companies.values()
            if company.started and not company.closed
            for source in (IPO, POOL)
        )

    def affordable(self, state: State, player: str, company: Company, source: str) -> bool:
        """Time, money and the certificate limit would allow an ordinary share from there."""
        return (
            any(not one.president for one in company.held(source))
            and company.name not in stock_sales(state, player)
            and not self.purchase_fault(state, player, company, source)
            and self.room_for(state, player, company)
            and state.game.unit_price(state, company, source) <= state.players[player].cash
        )

    def buy(self, state: State, action: BuyShares) -> State:
        bundle = trade.bundle_of(state, action.shares, action.percent)
        if bundle.president is None:
            return super().buy(state, action)
        if fault := self.buy_fault(state, action.by.name, bundle):
            raise state.violation("illegal-purchase", fault)
        return rules_of(state).takes_over(state, action.by.name, bundle)

    def start_fault(self, state: State, player: str, company: str, cost: int) -> str:
        converted = rules_of(state).converted_now(state)
        if converted is not None:
            return f"after its conversion only shares of {converted} may be bought in this turn"
        return super().start_fault(state, player, company, cost)

    def accepts(self, state: State, action: Action) -> bool:
        """A record may start a company of tier 2 early; see :meth:`start`."""
        if state.lenient and isinstance(action, Par) and action.by.name == state.round.current:
            return not self.must_sell(state, action.by.name)
        return super().accepts(state, action)

    def start(self, state: State, action: Par) -> State:
        """The recording site does not hold tiers against a recorded start; where one is read it is noted."""
        company = state.companies.get(action.corporation)
        if state.lenient and company is not None and (reason := rules_of(state).tier_fault(state, company.name)):
            state = state.but(notices=(*state.notices, Fault("tier-2", reason)))
            state = state.with_company(company.with_mark("tier", 1))
        return super().start(state, action)

    def sale_time_fault(self, state: State, player: str, company: Company) -> str:
        if rules_of(state).converted_now(state) is not None:
            return "no sale after a conversion"
        return super().sale_time_fault(state, player, company)


# --- operating rounds ----------------------------------------------------------------------------------------------


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
