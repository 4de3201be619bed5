"""The steps of 1833NE: auction, homes of one's choice, track with station and ferry, lays by P2 and P3, the luxury
ferry, privates. Source: digest 1833NE sections 2 to 7."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, cast

from board.errors import Fault
from board.hexes import HexId, opposite
from rules.actions import Action, Actor, ChooseAbility, LayTile, Pass, PlaceToken, SpecialBuy
from rules.facts import Ability
from rules.policies.track import LayPlan
from rules.state import BANK, Company, State
from rules.steps.base import NOTHING, Step
from rules.steps.emergency_issue import GoBankruptAndOut
from rules.steps.issue import IssueOrRedeem
from rules.steps.joint_lays import LayTogether, chain_of
from rules.steps.pending import PendingStep
from rules.steps.privates import BuyPrivates
from rules.steps.receivership import StockTurnWithReceivership
from rules.steps.tokens import PlaceOneToken, city_of, place_action
from rules.steps.track import LayTrack, fits_tile_action, lay_abilities, lay_action, lays_of
from rules.steps.track_and_token import TrackAndToken
from rules.steps.waterfall import WaterfallAuction, auction
from titles.t1833ne.facts import LEFT_SHARES_PAY, ON_PURCHASE, facts_1833ne

if TYPE_CHECKING:
    from titles.t1833ne.game import Game1833NE

#: The condition of lays that join each other and what the private names beside.
JOIN: Final = "tiles_join_each_other"
#: Mark of the auction round while bids are resolved because everybody has passed.
RESOLVING: Final = "resolving"
#: The pending choice of a home by a corporation of free home.
FREE_HOME: Final = "free_home"


def rules_of(state: State) -> Game1833NE:
    return cast("Game1833NE", state.game)


# --- auction -------------------------------------------------------------------------------------------------------


class Auction1833NE(WaterfallAuction):
    """The first bid on a private may be its face value; prices never fall. Source: 1833NE section 2."""

    def least_bid(self, state: State, private: str) -> int:
        if not auction(state).bids.get(private):
            return self.price(state, private)
        return super().least_bid(state, private)

    def all_passed(self, state: State) -> State:
        """All bids are resolved, then every owned private pays twice. Source: 1833NE section 2."""
        return self.resolve(state.with_round(marks={**state.round.marks, RESOLVING: True}))

    def resolve(self, state: State) -> State:
        if not state.round.marks.get(RESOLVING):
            return super().resolve(state)
        while True:
            current = auction(state)
            private = next((name for name in self.unsold(state) if current.bids.get(name)), None)
            if private is None:
                break
            if len(current.bids[private]) > 1:
                return state.with_round(contested=private)
            state = self.sell(state, private, *current.bids[private][0])
        state = state.with_round(contested=None, marks={**state.round.marks, RESOLVING: False})
        return state.game.pay_incomes(state.game.pay_incomes(state))


# --- starting ------------------------------------------------------------------------------------------------------


class ChooseFreeHome(PendingStep):
    """The home of a corporation that may choose it, paid by its treasury. Source: 1833NE section 4."""

    name = "free_home"
    title = "Home of one's choice"
    handles = frozenset({PlaceToken})
    awaits = FREE_HOME

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for stop in rules_of(state).homes_within(state, actor.name):
            yield place_action(state, actor, stop, state.table.free_slot(actor.name, stop))

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, PlaceToken)
        pending, name, game = self.pending(state), action.by.name, rules_of(state)
        assert pending is not None
        stop = city_of(state, action)
        if stop not in game.free_homes(state, name):
            raise state.violation("no-room", f"{stop} is no free and unreserved city slot for {name}")
        if stop not in game.homes_within(state, name):
            price, least = game.home_price(state, stop), facts_1833ne().late_lowest
            raise state.violation(
                "home-too-dear", f"a home in {stop} costs {price} and a starting price of at least {least}"
            )
        state = self.without(state, pending)
        state = state.pay(
            game.payer_of_home(state, name, state.companies[name].president), BANK, game.home_price(state, stop)
        )
        return game.put_token(state, name, stop)


class StockTurn1833NE(StockTurnWithReceivership):
    def start_fault(self, state: State, player: str, company: str, cost: int) -> str:
        """Where the president pays for a free home, the cheapest one must be in reach. Source: SOURCES.md."""
        game = rules_of(state)
        if game.is_free_home(company) and game.payer_of_home(state, company, player) == player:
            cost += min((game.home_price(state, stop) for stop in game.free_homes(state, company)), default=0)
        return super().start_fault(state, player, company, cost)


# --- issuing -------------------------------------------------------------------------------------------------------


class IssueFirst(IssueOrRedeem):
    """The first step of a turn; by option at any time before the dividend. Source: 1833NE section 6."""

    def why_not(self, state: State, action: Action) -> str:
        company = state.operator
        if company is not None and action.by == state.actor(company) and rules_of(state).has_begun(state):
            return "shares are issued and redeemed before track, station, ferry and routes"
        return super().why_not(state, action)


# --- track, station, ferry -----------------------------------------------------------------------------------------


class LayTrack1833NE(LayTrack):
    def may_lay(self, state: State, company: Company) -> bool:
        """A tile action is left, and the treasury covers the least cost, with what it could issue; or Lowell is free.
        Source: 1833NE section 6."""
        game = rules_of(state)
        if not game.may_lay_track(state, company) or game.next_tile_action(state, company) is None:
            return False
        return game.spendable(state, company) >= state.facts.settings.minimum_tile_cost or any(
            lay_is_due(state, private.name, ability)
            for private in state.privates_of(company.name)
            for _, ability in lay_abilities(state, private)
        )


class PlaceOneToken1833NE(PlaceOneToken):
    """One station a turn; in Worcester it costs Boston & Worcester 40. Source: 1833NE section 4."""

    def may_place(self, state: State) -> bool:
        company, game = state.operator, rules_of(state)
        if company is None or state.round.turn.tokened or not game.may_place_tokens(state, company):
            return False
        if game.next_token(company) is None:
            return False
        money = game.spendable(state, company)
        return any(
            (game.price_in(state, company, stop) or 0) <= money for stop in game.token_stops(state, company.name)
        )

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        game, company = rules_of(state), state.companies[actor.name]
        for stop in game.token_stops(state, actor.name):
            if (game.price_in(state, company, stop) or 0) <= company.cash:
                yield place_action(state, actor, stop, state.table.free_slot(actor.name, stop))
        yield Pass(by=actor)

    def place(self, state: State, action: PlaceToken) -> State:
        name, game = action.by.name, rules_of(state)
        stop = city_of(state, action)
        if not game.may_token(state, name, stop):
            raise state.violation("no-room", f"{name} may not put a token in {stop}: no free slot, or one in the hex")
        if stop not in game.reach(state, name).stops:
            state = state.object_to((Fault("not-connected", f"{name} does not reach {stop}"),))
        state = state.pay(name, BANK, game.price_in(state, state.companies[name], stop) or 0)
        return game.put_token(state, name, stop).with_turn(tokened=True).did(action)


class TrackTokenFerry(TrackAndToken):
    """Track, one station and one ferry in any order; one pass ends all. Source: 1833NE sections 6 and 7."""

    name = "track_token_ferry"
    title = "Track, station and ferry"
    handles = frozenset({LayTile, PlaceToken, SpecialBuy, Pass})

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        found = super().offers(state, actor)
        company = state.operator
        if company is None or actor != state.actor(company):
            return found
        if self.may_buy(state, company):
            found |= {SpecialBuy, Pass}
        return found

    def may_buy(self, state: State, company: Company) -> bool:
        game = rules_of(state)
        price = facts_1833ne().ferry_price
        return game.spendable(state, company) >= price and bool(game.ferries_for_sale(state, company))

    def why_not(self, state: State, action: Action) -> str:
        company = state.operator
        if company is None or not isinstance(action, SpecialBuy) or action.by.name != company.name:
            return ""
        reached = "" if rules_of(state).ferries_need_no_way() else ", to a city that it reaches"
        return f"no ferry is for sale to {company.name} now: one a turn, until phase IV{reached}"

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        yield from super().legal(state, actor)
        company, price = state.companies[actor.name], facts_1833ne().ferry_price
        if company.cash >= price and self.may_buy(state, company):
            for name in rules_of(state).ferries_for_sale(state, company):
                yield SpecialBuy(by=actor, what=name, cost=price)

    def apply(self, state: State, action: Action) -> State:
        if not isinstance(action, SpecialBuy):
            return super().apply(state, action)
        company, game, price = state.companies[action.by.name], rules_of(state), facts_1833ne().ferry_price
        for_sale = game.ferries_for_sale(state, company)
        if action.what not in for_sale:
            names = ", ".join(for_sale)
            raise state.violation("no-such-ferry", f"{company.name} may buy the ferry {names}, not {action.what}")
        if action.cost != price:
            raise state.violation("wrong-price", f"a ferry costs {price}, not {action.cost}")
        return game.sell_ferry(state, company.name, action.what).did(action)


# --- privates ------------------------------------------------------------------------------------------------------


def lay_is_due(state: State, private: str, ability: Ability) -> bool:
    """Whether P2 was bought in this operating round. Source: 1833NE section 3, P2."""
    now = (state.turn_number, state.round.number)
    return ON_PURCHASE in ability.when and state.privates[private].marks.get("bought") == now


class LayByPrivate1833NE(LayTogether):
    """P2's free tile on Lowell in the round of its purchase, P3's two extra tiles. Source: 1833NE section 3."""

    def is_time(self, state: State, company: Company, ability: Ability) -> bool:
        """P2 in the track step of that round, as one of the tile actions (by option beside them); P3 at any time."""
        if not state.game.may_lay_track(state, company):
            return False
        if ON_PURCHASE not in ability.when:
            return super().is_time(state, company, ability)
        private = next(one for one in state.privates_of(company.name) if ability in self._abilities(state, one.name))
        if not lay_is_due(state, private.name, ability) or not self.in_track_step(state):
            return False
        return not self.is_normal(ability) or state.game.next_tile_action(state, company) is not None

    def _abilities(self, state: State, private: str) -> tuple[Ability, ...]:
        return state.private_facts(private).abilities

    def comes_together(self, ability: Ability) -> bool:
        return JOIN in _words(ability, "conditions")

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        found, company = self.usable(state, actor), state.operator
        if found is not None and company is not None:
            for plan in lays_of(state, company.name, ability=found[1], private=actor.name):
                if self.join_fault(state, plan):
                    continue
                if not self.is_normal(found[1]) or fits_tile_action(state, company, plan):
                    yield lay_action(actor, plan)
        if Pass in self.offers(state, actor):
            yield Pass(by=actor)

    def join_fault(self, state: State, plan: LayPlan) -> str:
        """P3: the printed kinds of tile, C4 with Montreal, both with each other. Source: 1833NE section 3, P3."""
        ability = plan.ability
        if ability is None or not self.comes_together(ability):
            return super().join_fault(state, plan)
        by_hex = ability.details.get("tiles_by_hex")
        assert isinstance(by_hex, dict)
        allowed = by_hex.get(str(plan.hex), ())
        if plan.tile not in allowed:
            return f"{plan.private} lays {', '.join(allowed)} on {plan.hex}"
        neighbour = state.facts.edition.map.neighbour
        sides = state.facts.edition.tiles.tile(plan.tile).rotated(plan.rotation).sides
        joined = {
            other
            for side in sides
            if (other := neighbour(plan.hex, side)) is not None and opposite(side) in state.table.tile_at(other).sides
        }
        for place, with_hex in _joins(ability):
            if plan.hex == place and with_hex not in joined:
                return f"the tile on {place} must join {with_hex}"
        for other in sorted(ability.hexes or ()):
            if other != plan.hex and other in state.table.laid and other not in joined:
                return f"the tiles that {plan.private} lays must join each other"
        if chain_of(state) is not None or any(one in state.table.laid for one in ability.hexes or ()):
            return super().join_fault(state, plan)
        return "" if self._second_is_possible(state, plan) else f"no second tile of {plan.private} could join this one"

    def _second_is_possible(self, state: State, plan: LayPlan) -> bool:
        """Whether the other tile can follow."""
        assert plan.ability is not None
        after = state.game.lay(state, plan, extra=True)
        return any(
            second.hex != plan.hex and not self.join_fault(after, second)
            for second in lays_of(after, plan.company, ability=plan.ability, private=plan.private)
        )


def _words(ability: Ability, key: str) -> tuple[str, ...]:
    found = ability.details.get(key, ())
    return tuple(str(one) for one in found) if isinstance(found, (list, tuple)) else ()


def _joins(ability: Ability) -> Iterator[tuple[HexId, HexId]]:
    """The hexes of conditions as ``C4_joins_B3``."""
    for word in _words(ability, "conditions"):
        one, _, other = word.partition("_joins_")
        if other:
            yield HexId(one), HexId(other)


class NameLuxuryFerry(Step):
    """P5 is put on one of the ferries of its corporation, for good. Source: 1833NE section 3, P5."""

    name = "luxury_ferry"
    title = "Luxury ferry"
    handles = frozenset({ChooseAbility})

    def __init__(self) -> None:
        super().__init__(blocks=False)

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = state.operator
        return tuple(Actor("private", one.name) for one in state.privates_of(company.name)) if company else ()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        if actor not in self.actors(state):
            return NOTHING
        return self.handles if rules_of(state).luxury_choices(state, state.privates[actor.name]) else NOTHING

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for ferry in rules_of(state).luxury_choices(state, state.privates[actor.name]):
            yield ChooseAbility(by=actor, choice=ferry)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, ChooseAbility)
        choices = rules_of(state).luxury_choices(state, state.privates[action.by.name])
        if action.choice not in choices:
            raise state.violation("no-such-ferry", f"{action.by} doubles one of {', '.join(choices)}")
        return state.with_mark("luxury_ferry", action.choice).did(action)


class BuyPrivates1833NE(BuyPrivates):
    """Beside other steps and last of all. Source: 1833NE section 3."""

    def has_open_ability(self, state: State, company: Company) -> bool:
        """Extra tiles that may still be laid, a ferry that P5 has not been put on."""
        game = rules_of(state)
        return game.decides(company) and any(
            game.luxury_choices(state, private)
            or any(ON_PURCHASE not in ability.when for _, ability in lay_abilities(state, private))
            for private in state.privates_of(company.name)
        )


class GoBankrupt1833NE(GoBankruptAndOut):
    """The corporation has the money that was raised; for what is left nobody pays, but by option. Source: 1833NE
    section 12, point 4."""

    def pays_for_what_is_left(self, state: State) -> bool:
        return LEFT_SHARES_PAY in state.game.options


__all__ = [
    "FREE_HOME", "Auction1833NE", "BuyPrivates1833NE", "ChooseFreeHome", "GoBankrupt1833NE", "IssueFirst",
    "LayByPrivate1833NE", "LayTrack1833NE", "NameLuxuryFerry", "PlaceOneToken1833NE", "StockTurn1833NE",
    "TrackTokenFerry",
]  # fmt: skip
