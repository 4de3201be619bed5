"""Track of 18GB: early green cities, blue tiles, hills, waiting tokens. Source: digest 18GB sections 3 and 7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from board.errors import Fault
from board.hexes import StopId
from board.tiles import Tile
from rules.facts import Ability
from rules.policies.track import LayPlan
from rules.state import Company, State
from titles.load import read_toml
from titles.t18gb.facts import (
    HILLS_BY_SECTION,
)
from titles.t18gb.privates import Privates18GB


@lru_cache(maxsize=1)
def _blue_tiles() -> Mapping[str, tuple[tuple[str, ...], int]]:
    """Hexes that take certain tiles only, in a fixed rotation. Source: 18GB section 7, "Blue tiles"."""
    found = {}
    for one in _tables(read_toml("t18gb", "tiles.toml").get("restrictions")):
        only, rotation = one.get("only"), one.get("rotation")
        assert isinstance(only, list)
        assert isinstance(rotation, int)
        found[str(one["hex"])] = (tuple(map(str, only)), rotation)
    return found


def _tables(value: object) -> tuple[Mapping[str, object], ...]:
    return tuple(one for one in value if isinstance(one, Mapping)) if isinstance(value, list) else ()


class Track18GB(Privates18GB):
    """What is exceptional about track."""

    def early_tiles(self, state: State, company: Company) -> Iterator[Ability]:
        """Green tiles that the company may lay instead of yellow: at its home by itself, and where it has the token of
        a private. Source: 18GB section 7, "Early green home"."""
        for ability in self.company_facts(company.name).abilities:
            if ability.kind == "lay_tile":
                yield ability
        privates = company.marks.get("tokens_of")
        if isinstance(privates, tuple):
            for name in privates:
                token = self.facts.privates[name].ability("place_token")
                assert token is not None
                tiles = token.details["early_tiles"]
                assert isinstance(tiles, (list, tuple))
                yield replace(token, tiles=tuple(tiles), normal_upgrade_rules=False, must_be_reachable=True)

    def colour_exception(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> bool:
        """Early green cities, and blue tiles on their hexes. Source: 18GB section 7."""
        if plan.hex in _blue_tiles():
            return plan.hex not in state.table.laid
        ability = plan.ability
        return (
            ability is not None
            and not ability.normal_upgrade_rules
            and old.colour == "white"
            and ability.hexes is not None
            and plan.hex in ability.hexes
            and plan.tile in ability.tiles
        )

    def upgrade_fault(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> str:
        if plan.hex in _blue_tiles():
            only, rotation = _blue_tiles()[plan.hex]
            if plan.tile not in only or plan.rotation != rotation:
                return f"the hex takes tile {' or '.join(only)} in rotation {rotation}"
        return super().upgrade_fault(state, plan, old, new)

    def connection_fault(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> str:
        """A lay by a private has to be within reach, and nothing more. Source: 18GB section 3, AF and LS."""
        if plan.private is None:
            return super().connection_fault(state, plan, old, new)
        if self.reach(state, plan.company).sides_of(plan.hex) & new.sides:
            return ""
        return f"{plan.company} does not reach it"

    def tile_action_faults(self, state: State, company: Company, plan: LayPlan) -> Iterator[Fault]:
        """One tile action a turn may be on a city. Source: 18GB section 6."""
        tiles = self.facts.edition.tiles
        if tiles.tile(plan.tile).cities and any(
            tiles.tile(lay.tile).cities for lay in state.round.turn.lays if not lay.extra
        ):
            yield Fault("one-city", "one tile action of a turn may be on a city")

    def side_costs(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> int:
        """Each marked side of the hex that is laid, when its track first crosses it; by option each section of track.
        Source: 18GB section 7, "Hills"."""
        printed = self.facts.edition.map.hexes[plan.hex]
        costs = {side: border.cost for side in new.sides - old.sides if (border := printed.border(side)) is not None}
        if HILLS_BY_SECTION in self.options:
            for piece in new.track:
                if piece.a in costs and piece.b in costs and isinstance(piece.b, int):
                    costs[piece.b] = 0
        return sum(costs.values())

    def tile_laid(self, state: State, plan: LayPlan, old: Tile) -> State:
        """The token of a hex of two cities finds its city; a private whose hex is built on closes.

        Source: 18GB sections 3 and 7.
        """
        state = self.place_waiting_token(state, plan, old)
        for private in tuple(state.privates.values()):
            if (
                plan.hex in state.private_facts(private.name).blocks
                and private.owner is not None
                and not private.closed
                and not self.is_used_up(private)
            ):
                state = self.close_by_owner(state, private.name)
        return state

    def place_waiting_token(self, state: State, plan: LayPlan, old: Tile) -> State:
        """The home token goes into the connected city if its own company lays the first tile, else into the other one.
        Source: 18GB section 7."""
        new = state.table.tile_at(plan.hex)
        if old.track or len(new.cities) < 2:
            return state
        joined = [city.id for city in new.cities if new.sides_of(city.id)]
        apart = [city.id for city in new.cities if not new.sides_of(city.id)]
        for name in sorted({one for tokens in state.table.tokens.get(plan.hex, {}).values() for one in tokens if one}):
            goal = (joined if name == plan.company else apart)[:1]
            company = state.companies[name]
            for place, token in enumerate(company.tokens):
                if goal and token.at is not None and token.at.hex == plan.hex and token.at.part != goal[0]:
                    state = state.but(table=state.table.without_token(name, token.at))
                    state = self.put_token(state, name, StopId.of(plan.hex, goal[0]), place=place)
        return state
