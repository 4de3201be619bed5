"""Steps that only 1846 has: markers, special token prices, Little Miami, minors for sale. Source: digest 1846."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from board.hexes import HexId, StopId
from board.tiles import Tile
from rules.actions import Action, Actor, Assign, BuyPrivate, Pass, PlaceToken
from rules.facts import Ability
from rules.policies.track import LayPlan
from rules.state import BANK, Company, OperatingRound, Private, State
from rules.steps.base import NOTHING, Step
from rules.steps.emergency_issue import BuyTrainsAfterIssue
from rules.steps.joint_lays import LayTogether, chain_of
from rules.steps.privates import BuyPrivates
from rules.steps.routes import Run
from rules.steps.tokens import PlaceOneToken, TokenByPrivate, city_of, place_action
from rules.steps.track import LayTrack, lay_abilities, lays_of
from rules.steps.track_and_token import TrackAndToken

if TYPE_CHECKING:
    from titles.t1846.game import Game1846

#: Kinds of ability.
TO_HEX, TO_COMPANY = "assign_to_hex", "assign_to_corporation"
#: Moments at which a marker is placed.
AT_START, IN_STEPS = "start_of_an_operating_round", "track_and_token_step"
#: Corporations with more trains than this are not helped by buying a minor. Source: 1846 section 7.
MOST_TRAINS_WITH_A_MINOR: Final = 3


def rules_of(state: State) -> Game1846:
    return cast("Game1846", state.game)


# --- markers -------------------------------------------------------------------------------------------------------


class MoveMarkers(Step):
    """Before the first operator a player's Steamboat moves its two markers, one of each. Source: 1846 section 3."""

    name = "markers_at_start"
    title = "Steamboat"
    handles = frozenset({Assign, Pass})
    interrupts = True

    def actors(self, state: State) -> tuple[Actor, ...]:
        return tuple(Actor("private", name) for name in state.privates if self.abilities(state, name))[:1]

    def abilities(self, state: State, name: str) -> tuple[Ability, ...]:
        """What the private may still do in this moment."""
        current, private = state.round, state.privates.get(name)
        if not isinstance(current, OperatingRound) or private is None or private.closed:
            return ()
        done = current.marks.get(self.name, frozenset())
        if private.owner not in state.players or not isinstance(done, frozenset):
            return ()
        return tuple(
            ability
            for ability in state.private_facts(name).abilities
            if AT_START in ability.when and (name, ability.kind) not in done and self.targets(state, name, ability)
        )

    def waits(self, state: State) -> bool:
        return self.is_start(state) and super().waits(state)

    def is_start(self, state: State) -> bool:
        """No operator has acted: only markers have been moved."""
        return isinstance(state.round, OperatingRound) and not state.round.marks.get("begun")

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        return self.handles if self.is_start(state) and actor in self.actors(state) else NOTHING

    def targets(self, state: State, name: str, ability: Ability) -> tuple[str, ...]:
        """Hexes or companies that the marker may move to."""
        game = rules_of(state)
        if ability.kind == TO_HEX:
            return tuple(str(one) for one in sorted(ability.hexes or ()) if one != game.hex_of_marker(state, name))
        old = game.company_of_marker(state, name)
        return tuple(one.name for one in state.companies.values() if one.floated and not one.closed and one.name != old)

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for ability in self.abilities(state, actor.name):
            for target in self.targets(state, actor.name, ability):
                kind = "hex" if ability.kind == TO_HEX else state.companies[target].kind
                yield Assign(by=actor, target=target, target_kind=kind)
        yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(state.round, OperatingRound)
        name = action.by.name
        done = state.round.marks.get(self.name, frozenset())
        assert isinstance(done, frozenset)
        if isinstance(action, Pass):
            done |= {(name, TO_HEX), (name, TO_COMPANY)}
            return state.with_round(marks={**state.round.marks, self.name: done})
        assert isinstance(action, Assign)
        kind = TO_HEX if action.target_kind == "hex" else TO_COMPANY
        ability = next((one for one in self.abilities(state, name) if one.kind == kind), None)
        if ability is None:
            raise state.violation("marker-moved", f"{name} has moved this marker in this round")
        if action.target not in self.targets(state, name, ability):
            targets = ", ".join(self.targets(state, name, ability))
            raise state.violation("wrong-target", f"{name} moves its marker to one of {targets}, not {action.target}")
        state = state.with_round(marks={**state.round.marks, self.name: done | {(name, kind)}})
        return rules_of(state).assign(state, name, action.target, to_hex=kind == TO_HEX)


class AssignMarker(Step):
    """The hex of a marker that a corporation owns: Steamboat once a round while it builds or runs, the others once for
    all. Source: 1846 section 3."""

    name = "marker"
    title = "Marker"
    handles = frozenset({Assign})

    def __init__(self) -> None:
        super().__init__(blocks=False)

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = state.operator
        if company is None or not rules_of(state).decides(company):
            return ()
        return tuple(Actor("private", one.name) for one in state.privates_of(company.name))

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        return self.handles if actor in self.actors(state) and self.usable(state, actor.name) else NOTHING

    def usable(self, state: State, name: str) -> Ability | None:
        """The ability that may be used now."""
        for ability in unused_markers(state, state.privates[name]):
            if IN_STEPS not in ability.when:
                return ability
            if self.building_or_running(state) and self.key_of(name) not in state.round.marks:
                return ability
        return None

    def key_of(self, name: str) -> str:
        return f"{self.name} {name}"

    def building_or_running(self, state: State) -> bool:
        """Whether the track and token step or the route step is the one that waits."""
        for step in state.kind.steps:
            if step.blocks and step.key not in state.round.turn.done and step.waits(state):
                return isinstance(step, (TrackAndToken, Run))
        return False

    def targets(self, state: State, name: str, ability: Ability) -> tuple[str, ...]:
        return tuple(
            str(one) for one in sorted(ability.hexes or ()) if one != rules_of(state).hex_of_marker(state, name)
        )

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        ability = self.usable(state, actor.name)
        for target in self.targets(state, actor.name, ability) if ability is not None else ():
            yield Assign(by=actor, target=target, target_kind="hex")

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, Assign)
        name = action.by.name
        ability = self.usable(state, name)
        assert ability is not None
        if action.target not in self.targets(state, name, ability) or action.target_kind != "hex":
            targets = ", ".join(self.targets(state, name, ability))
            raise state.violation("wrong-target", f"the marker of {name} goes to one of {targets}, not {action.target}")
        if IN_STEPS in ability.when:
            state = state.with_round(marks={**state.round.marks, self.key_of(name): True})
        else:
            private = state.privates[name]
            state = state.with_private(private.but(marks={**private.marks, "assigned": True}))
        return rules_of(state).assign(state, name, action.target, to_hex=True).did(action)


def unused_markers(state: State, private: Private) -> Iterator[Ability]:
    """The abilities of a corporation's private to put its marker on a hex that are not used up for good."""
    for ability in state.private_facts(private.name).abilities:
        if ability.kind == TO_HEX and ability.held_by == "corporation" and not private.marks.get("assigned"):
            yield ability


# --- track and tokens ----------------------------------------------------------------------------------------------


class LayTrack1846(LayTrack):
    def may_lay(self, state: State, company: Company) -> bool:
        """Two tile actions; money in sight for the least cost, or a free lay that is left. Source: 1846 section 7."""
        game = rules_of(state)
        if not game.may_lay_track(state, company) or game.next_tile_action(state, company) is None:
            return False
        money = game.spendable(state, company) + game.money_of_minors(state, company)
        if company.kind == "minor":
            money = company.cash
        return money >= state.facts.settings.minimum_tile_cost or game.has_free_lay(state, company)


class PlaceOneToken1846(PlaceOneToken):
    """Special prices, tokens without connection, and the additional token of C&WI. Source: 1846 section 11."""

    def may_place(self, state: State) -> bool:
        """Source: 1846 section 7."""
        company, game = state.operator, rules_of(state)
        if company is None or state.round.turn.tokened or not game.may_place_tokens(state, company):
            return False
        price = game.token_price(state, company)
        if price is None:
            return False
        prices = [price, *(amount for one in game.special_tokens(company) for amount in _prices(one))]
        if game.extra_token(state, company.name) is not None:
            prices.append(0)
        money = game.spendable(state, company) + game.money_of_minors(state, company)
        return min(prices) <= money and bool(game.token_stops(state, company.name))

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        game, company = rules_of(state), state.companies[actor.name]
        for stop in game.token_stops(state, actor.name):
            if game.price_in(state, company, stop) <= company.cash:
                yield place_action(state, actor, stop, state.table.free_slot(actor.name, stop))
        yield Pass(by=actor)

    def place(self, state: State, action: PlaceToken) -> State:
        name, game = action.by.name, rules_of(state)
        stop = city_of(state, action)
        if not game.may_token(state, name, stop):
            raise state.violation("no-room", f"{name} may not put a token in {stop}: no free slot, or one in the hex")
        if stop not in game.token_stops(state, name):
            state = state.object_to(state.violation("not-connected", f"{name} does not reach {stop}").faults)
        private = game.extra_token(state, name)
        if private is not None and stop in game.stops_of_extra_token(state, private):
            state = game.put_extra_token(state, name, stop, private)
        else:
            state = state.pay(name, BANK, game.price_in(state, state.companies[name], stop))
            state = game.put_token(game.special_used(state, name, stop), name, stop)
        return state.with_turn(tokened=True).did(action)


def _prices(ability: Ability) -> Iterator[int]:
    for key in ("price_when_connected", "price_when_not_connected"):
        amount = ability.details.get(key)
        if isinstance(amount, int):
            yield amount


class ExtraToken(TokenByPrivate):
    """The additional token of C&WI in Chicago, beside the turn's token. Source: 1846 section 11."""

    def may_use(self, state: State, company: Company, private: Private) -> bool:
        return super().may_use(state, company, private) and rules_of(state).decides(company)

    def stops(self, state: State, ability: Ability) -> tuple[StopId, ...]:
        company, game = state.operator, rules_of(state)
        if company is None:
            return ()
        private = game.extra_token(state, company.name)
        if private is None:
            return ()
        return tuple(
            stop for stop in game.stops_of_extra_token(state, private) if game.may_token(state, company.name, stop)
        )

    def put(self, state: State, company: str, ability: Ability, stop: StopId) -> State:
        return rules_of(state).add_token(state, company, stop)


# --- lays by privates ----------------------------------------------------------------------------------------------


class LayByPrivate1846(LayTogether):
    """MC and O&I as in :class:`LayTogether`; LM, whose tiles must join its two cities. Source: 1846 section 10."""

    interrupts = True

    def __init__(self) -> None:
        super().__init__()
        self.blocks = True

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        found = super().offers(state, actor)
        return found - {Pass} if self.waits(state) else found

    def waits(self, state: State) -> bool:
        """Only while what LM has begun does not join its cities."""
        chain = chain_of(state)
        if chain is None:
            return False
        ability = state.private_facts(chain.private).abilities[chain.place]
        return joins_cities(ability) and not cities_joined(state, ability)

    def comes_together(self, ability: Ability) -> bool:
        return joins_cities(ability) or super().comes_together(ability)

    def usable(self, state: State, actor: Actor) -> tuple[int, Ability] | None:
        """LM only while no track joins its cities, however long."""
        found, chain = super().usable(state, actor), chain_of(state)
        if found is None or not joins_cities(found[1]) or (chain is not None and chain.private == actor.name):
            return found
        return None if cities_joined(state, found[1]) else found

    def join_fault(self, state: State, plan: LayPlan) -> str:
        """When LM is finished its cities are joined, and each tile laid has brought track for a way between them."""
        if plan.ability is None or not joins_cities(plan.ability):
            return super().join_fault(state, plan)
        chain = chain_of(state)
        before = chain.laid if chain is not None and chain.private == plan.private else ()
        if any(hex_id == plan.hex for hex_id, _ in before):
            return f"{plan.private} lays one tile on each hex"
        laid = (*before, (plan.hex, state.table.tile_at(plan.hex)))
        after = state.game.after_lay(state, plan)
        if cities_joined(after, plan.ability):
            useless = [hex_id for hex_id, old in laid if not brings_a_way(after, plan.ability, hex_id, old)]
            return f"the new track on {useless[0]} is on no way between the cities" if useless else ""
        cities = " and ".join(sorted(plan.ability.hexes or ()))
        if before or not self.can_be_finished(state, plan):
            return f"{cities} would not be joined"
        return ""

    def can_be_finished(self, state: State, plan: LayPlan) -> bool:
        """Whether a second tile can join the cities after this first one."""
        old = state.table.tile_at(plan.hex)
        cost = state.game.lay_cost(state, plan)
        if cost > state.cash_of(plan.company) or plan.ability is None:
            return False
        after = state.pay(plan.company, BANK, cost)
        after = state.game.lay(after, plan, extra=True)
        for second in lays_of(after, plan.company, ability=plan.ability, private=plan.private):
            if second.hex == plan.hex:
                continue
            end = state.game.after_lay(after, second)
            laid = ((plan.hex, old), (second.hex, after.table.tile_at(second.hex)))
            if cities_joined(end, plan.ability) and all(brings_a_way(end, plan.ability, *one) for one in laid):
                return True
        return False


def joins_cities(ability: Ability) -> bool:
    """Whether the lays must join the cities of the ability's hexes (LM)."""
    return bool(ability.details.get("lays_must_join_the_hexes"))


def cities_joined(state: State, ability: Ability) -> bool:
    """Whether any track joins the cities of the ability's hexes, tokens ignored. Source: 1846 section 10, LM."""
    first, *others = _cities(state, ability)
    table = state.table.but(tokens={})
    return set(others) <= table.reach("", roots=(first,)).stops


def brings_a_way(state: State, ability: Ability, hex_id: HexId, old: Tile) -> bool:
    """Whether a way between the cities begins over track of the hex that *old* did not have."""
    tile = state.table.tile_at(hex_id)
    sides = old.sides
    fresh = tuple(piece for piece in tile.track if not {piece.a, piece.b} & sides)
    layout = {**state.table.layout, hex_id: replace(tile, track=fresh)}
    here = next(stop for stop in _cities(state, ability) if stop.hex == hex_id)
    others = {stop for stop in _cities(state, ability) if stop.hex != hex_id}
    return others <= state.table.but(tokens={}, layout=layout).reach("", roots=(here,)).stops


def _cities(state: State, ability: Ability) -> tuple[StopId, ...]:
    return tuple(
        StopId.of(hex_id, city.id)
        for hex_id in sorted(ability.hexes or ())
        for city in state.table.tile_at(hex_id).cities
    )


# --- privates and trains -------------------------------------------------------------------------------------------


class BuyPrivates1846(BuyPrivates):
    """Privates and minors, beside other steps and last of all. Source: 1846 sections 3, 4 and 7."""

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company, game = state.operator, rules_of(state)
        if company is None or actor.name != company.name or not game.decides(company):
            return NOTHING
        found: set[type[Action]] = set()
        if state.game.for_sale(state, company):
            found.add(BuyPrivate)
        if self.blocks and (game.might_buy_privates(state, company) or self.has_open_ability(state, company)):
            found.add(Pass)
        return frozenset(found)

    def has_open_ability(self, state: State, company: Company) -> bool:
        """An unused right: extra lays, the token of C&WI, a marker without its hex. Source: 1846 section 7."""
        game = rules_of(state)
        for private in state.privates_of(company.name):
            if next(lay_abilities(state, private), None) is not None:
                return True
            if any(IN_STEPS not in one.when for one in unused_markers(state, private)):
                return True
        return game.extra_token(state, company.name) is not None


class BuyTrains1846(BuyTrainsAfterIssue):
    def money_in_sight(self, state: State, company: Company) -> int:
        """A minor for sale may add to the treasury of a corporation with one or two trains. Source: 1846 section 7."""
        money = super().money_in_sight(state, company)
        if 1 <= len(company.trains) < MOST_TRAINS_WITH_A_MINOR:
            money += rules_of(state).money_of_minors(state, company)
        return money


__all__ = [
    "AssignMarker", "BuyPrivates1846", "BuyTrains1846", "ExtraToken", "LayByPrivate1846", "LayTrack1846", "MoveMarkers",
    "PlaceOneToken1846",
]  # fmt: skip
