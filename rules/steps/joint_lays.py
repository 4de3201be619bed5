"""Extra lays by a private that come together: the second must follow at once and join the first.

Source: 1846 section 10 (MC, O&I), 1833NE section 3 (P3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from board.hexes import HexId, opposite
from board.tiles import Tile
from rules.actions import Action, Actor, LayTile, Pass
from rules.facts import Ability
from rules.policies.track import LayPlan
from rules.state import State
from rules.steps.base import NOTHING
from rules.steps.track import LayByPrivate, carry_out, checked_plan, lay_action, lays_of

#: What a mark of the turn with this name holds is a :class:`Chain`, or nothing.
CHAIN = "joint_lays"


@dataclass(frozen=True)
class Chain:
    """Lays of a private that the next action may continue: its name, the place of the ability, and the hexes built on
    with the tiles that lay there before."""

    private: str
    place: int
    laid: tuple[tuple[HexId, Tile], ...]


def chain_of(state: State) -> Chain | None:
    found = state.round.turn.marks.get(CHAIN)
    return found if isinstance(found, Chain) else None


def forfeit(state: State, action: Action) -> State:
    """Called after every action: any action but the next lay of the same private ends its lays for good.

    Titles with such privates call it from ``Game.after_action``.
    """
    chain = chain_of(state)
    if chain is None or (action.by == Actor("private", chain.private) and isinstance(action, LayTile)):
        return state
    private = state.privates[chain.private]
    uses = state.private_facts(chain.private).abilities[chain.place].uses or 0
    state = state.with_private(private.but(used={**private.used, chain.place: uses}))
    return state.with_turn(marks={**state.round.turn.marks, CHAIN: None})


class LayTogether(LayByPrivate):
    """Lays by privates; those whose facts say ``second_lay_must_join_the_first`` come together."""

    handles = frozenset({LayTile, Pass})

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        chain = chain_of(state)
        if chain is not None and actor == Actor("private", chain.private):
            return self.handles
        return frozenset({LayTile}) if self.usable(state, actor) is not None else NOTHING

    def usable(self, state: State, actor: Actor) -> tuple[int, Ability] | None:
        company = state.operator
        if company is None or company.receivership or company.closed:
            return None
        return super().usable(state, actor)

    def comes_together(self, ability: Ability) -> bool:
        return bool(ability.details.get("second_lay_must_join_the_first"))

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        found, company = self.usable(state, actor), state.operator
        if found is not None and company is not None:
            for plan in lays_of(state, company.name, ability=found[1], private=actor.name):
                if not self.join_fault(state, plan):
                    yield lay_action(actor, plan)
        if Pass in self.offers(state, actor):
            yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state
        assert isinstance(action, LayTile)
        company, found = state.operator, self.usable(state, action.by)
        if company is None or found is None or not self.comes_together(found[1]):
            return super().apply(state, action)
        place, ability = found
        chain = chain_of(state)
        plan = checked_plan(state, company.name, action, ability, action.by.name)
        if ability.hexes is not None and action.hex not in ability.hexes:
            raise state.violation("wrong-hex", f"{action.by} builds on {', '.join(sorted(ability.hexes))} only")
        if ability.tiles and action.tile not in ability.tiles:
            raise state.violation("wrong-tile", f"{action.by} lays {', '.join(ability.tiles)} only")
        if reason := self.join_fault(state, plan):
            raise state.violation("not-joined", reason)
        old = state.table.tile_at(plan.hex)
        state = carry_out(state, plan, extra=True)
        private = state.privates[action.by.name]
        used = private.used.get(place, 0) + 1
        state = state.with_private(private.but(used={**private.used, place: used}))
        laid = (*(chain.laid if chain is not None else ()), (plan.hex, old))
        more = ability.uses is None or used < ability.uses
        going_on = Chain(action.by.name, place, laid) if more else None
        return state.with_turn(marks={**state.round.turn.marks, CHAIN: going_on}).did(action)

    def join_fault(self, state: State, plan: LayPlan) -> str:
        """Why the lay does not go with those before it: track of one must join track of the other."""
        chain = chain_of(state)
        if chain is None or chain.private != plan.private:
            return ""
        new = state.facts.edition.tiles.tile(plan.tile).rotated(plan.rotation)
        if any(plan.hex == hex_id for hex_id, _ in chain.laid):
            return f"{plan.private} lays one tile on each hex"
        if not any(self._joins(state, plan.hex, new, hex_id) for hex_id, _ in chain.laid):
            return f"the tiles that {plan.private} lays must join each other"
        return ""

    def _joins(self, state: State, hex_id: HexId, new: Tile, other: HexId) -> bool:
        game_map = state.facts.edition.map
        return any(
            game_map.neighbour(hex_id, side) == other and opposite(side) in state.table.tile_at(other).sides
            for side in new.sides
        )
