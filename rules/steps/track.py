"""Track: the tile actions of a turn, and lays by privates. Source: COMMON section 7, title digests."""

from __future__ import annotations

from collections.abc import Iterator

from board.errors import Fault
from rules.actions import Action, Actor, LayTile, Pass
from rules.facts import Ability, TileAction
from rules.policies.track import NEXT_COLOUR, LayPlan
from rules.state import BANK, Company, Pending, Private, State
from rules.steps.base import NOTHING, Step

_TURN: frozenset[type[Action]] = frozenset({LayTile, Pass})


def checked_plan(state: State, company: str, action: LayTile, ability: Ability | None = None,
                 private: str | None = None) -> LayPlan:  # fmt: skip
    """The lay as a plan. Raises a refusal where hex, tile, copy or rotation do not exist."""
    edition = state.facts.edition
    if action.hex not in edition.map:
        raise state.violation("unknown-hex", f"the map has no hex {action.hex}")
    if action.tile not in edition.tiles:
        raise state.violation("unknown-tile", f"the title has no tile {action.tile}")
    if action.rotation not in range(6):
        raise state.violation("bad-rotation", f"a rotation is 0 to 5, not {action.rotation}")
    count = edition.tiles.count(action.tile)
    if (count is not None and action.copy >= count) or action.copy in state.table.copies_laid(action.tile):
        raise state.violation("no-tile-left", f"tile {action.tile}-{action.copy} is not in the supply")
    return LayPlan(company, action.hex, action.tile, action.copy, action.rotation, ability, private)


def carry_out(state: State, plan: LayPlan, *, extra: bool = False) -> State:
    """Check the lay, pay for it, put the tile down, and let everything follow that it brings."""
    game = state.game
    state = state.object_to(game.lay_faults(state, plan))
    cost = game.lay_cost(state, plan)
    if cost > state.cash_of(plan.company):
        raise state.violation(
            "not-enough-money", f"the lay costs {cost}; the treasury holds {state.cash_of(plan.company)}"
        )
    old = state.table.tile_at(plan.hex)
    state = game.pay_for_lay(state, plan, cost)
    new = state.facts.edition.tiles.tile(plan.tile).rotated(plan.rotation)
    cities = game.city_map(old, new)
    state = game.lay(state, plan, extra=extra)
    state = game.moved_tokens(state, plan.hex, cities)
    return game.tile_laid(state, plan, old)


def lays_of(state: State, company: str, *, ability: Ability | None = None, private: str | None = None,
            yellow: bool = True, upgrade: bool = True) -> Iterator[LayPlan]:  # fmt: skip
    """Every legal lay of the company (by an ability of a private), with affordable cost."""
    game, table, edition = state.game, state.table, state.facts.edition
    reach = game.reach(state, company)
    hexes = sorted(reach.sides if ability is None or ability.hexes is None else ability.hexes)
    tiles = ability.tiles if ability is not None and ability.tiles else tuple(edition.tiles.stock)
    if ability is None or ability.normal_upgrade_rules:
        colours = state.phase.tile_colours
        tiles = tuple(one for one in tiles if one not in edition.tiles or edition.tiles.tile(one).colour in colours)
    box = [
        (one, tile := edition.tiles.tile(one), copy, len(tile.towns), bool(tile.cities))
        for one in tiles
        if one in edition.tiles and (copy := table.free_copy(one)) is not None
    ]
    must_join = ability is None or ability.must_be_reachable
    cash = state.cash_of(company)
    for hex_id in hexes:
        if hex_id not in edition.map:
            continue
        old = table.tile_at(hex_id)
        if not (upgrade if old.colour != "white" else yellow):
            continue
        # What fails nearly every lay is asked first, for a hex or a pair of tiles at once; then all of the rules.
        follows, towns, cities = NEXT_COLOUR.get(old.colour), len(old.towns), bool(old.cities)
        open_sides, reached = game.open_sides(state, hex_id), reach.sides_of(hex_id)
        for tile_id, tile, copy, has_towns, has_cities in box:
            if has_towns != towns or has_cities != cities:
                continue
            for rotation in game.rotations(state, hex_id, old, tile):
                new = tile.rotated(rotation)
                if not new.sides <= open_sides or (must_join and reached.isdisjoint(new.sides)):
                    continue
                plan = LayPlan(company, hex_id, tile_id, copy, rotation, ability, private)
                if tile.colour != follows and not game.colour_exception(state, plan, old, new):
                    continue
                if next(game.lay_faults(state, plan), None) is None and game.lay_cost(state, plan) <= cash:
                    yield plan


class LayTrack(Step):
    """The tile actions of an operating turn."""

    name = "track"
    title = "Track"
    handles = _TURN

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name or not self.may_lay(state, company):
            return NOTHING
        return _TURN

    def may_lay(self, state: State, company: Company) -> bool:
        """Allowed by count and the treasury covers the fee; or a private with an extra lay in this step is owned, or
        could be bought. Source: formats/18xx-games-json section 5."""
        if not state.game.may_lay_track(state, company):
            return False
        action = state.game.next_tile_action(state, company)
        if action is not None and company.tokens and company.cash >= action.cost:
            return True
        return has_extra_lay(state, company)

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        company = state.companies[actor.name]
        yield Pass(by=actor)
        allowed = state.game.next_tile_action(state, company)
        if allowed is not None and company.cash >= allowed.cost:
            for plan in lays_of(state, company.name, yellow=bool(allowed.yellow), upgrade=bool(allowed.upgrade)):
                if fits_tile_action(state, company, plan):
                    yield lay_action(actor, plan)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state.done(self.key)
        assert isinstance(action, LayTile)
        return self.lay(state, action)

    def lay(self, state: State, action: LayTile) -> State:
        company = state.companies[action.by.name]
        plan = checked_plan(state, company.name, action)
        state = spend_tile_action(state, company, plan)
        return carry_out(state, plan).did(action)


def spend_tile_action(state: State, company: Company, plan: LayPlan) -> State:
    """Check that the lay fits the next tile action of the turn, and pay its fee."""
    allowed = state.game.next_tile_action(state, company)
    if allowed is None:
        raise state.violation("no-tile-action", f"{company.name} has used its tile actions")
    state = state.object_to(_action_faults(state, company, plan, allowed))
    return state.pay(company.name, BANK, allowed.cost)


def fits_tile_action(state: State, company: Company, plan: LayPlan) -> bool:
    """Whether the lay could be the next tile action of the turn, its fee and cost paid."""
    allowed = state.game.next_tile_action(state, company)
    if allowed is None or any(True for _ in _action_faults(state, company, plan, allowed)):
        return False
    return state.game.lay_cost(state, plan) + allowed.cost <= company.cash


def _action_faults(state: State, company: Company, plan: LayPlan, allowed: TileAction) -> Iterator[Fault]:
    """What the lay has against it as the next tile action."""
    upgrade = state.table.tile_at(plan.hex).colour != "white"
    if not (allowed.upgrade if upgrade else allowed.yellow):
        yield Fault("no-tile-action", f"no {'upgrade' if upgrade else 'yellow lay'} is left in this turn")
    if allowed.fresh_hex and any(lay.hex == plan.hex for lay in state.round.turn.lays):
        yield Fault("same-hex", f"{plan.hex} was built on in this turn")
    yield from state.game.tile_action_faults(state, company, plan)


def lay_action(actor: Actor, plan: LayPlan) -> LayTile:
    return LayTile(by=actor, hex=plan.hex, tile=plan.tile, copy=plan.copy, rotation=plan.rotation)


# --- privates ------------------------------------------------------------------------------------------------------

#: The moment of an ability that may be used as long as the track step lasts.
TRACK_STEP = "track_step"
#: The moment of an ability that may be used at any time of the owner's turn.
ANY_TIME = "turn_of_the_owning_corporation"


def lay_abilities(state: State, private: Private) -> Iterator[tuple[int, Ability]]:
    """The abilities of the private to lay a tile that are not used up, with their places."""
    for place, ability in enumerate(state.private_facts(private.name).abilities):
        if ability.kind in ("lay_tile", "remote_lay_and_token") and (
            ability.uses is None or private.used.get(place, 0) < ability.uses
        ):
            if ability.kind == "remote_lay_and_token" and private.used.get(place, 0):
                continue
            yield place, ability


def has_extra_lay(state: State, company: Company) -> bool:
    """Whether the company owns an unused extra lay of the track step, or could buy a private with one."""
    candidates = [*state.privates_of(company.name), *(private for private, _, _ in state.game.for_sale(state, company))]
    return any(
        ability.kind == "lay_tile" and TRACK_STEP in ability.when and not ability.uses_a_normal_tile_action
        for private in candidates
        for _, ability in lay_abilities(state, private)
    )


class LayByPrivate(Step):
    """Lays that a private allows to the company that owns it, beside the step that waits."""

    name = "private_track"
    title = "Lay by a private"
    handles = frozenset({LayTile})

    def __init__(self) -> None:
        super().__init__(blocks=False)

    def actors(self, state: State) -> tuple[Actor, ...]:
        company = state.operator
        if company is None:
            return ()
        return tuple(Actor("private", private.name) for private in state.privates_of(company.name))

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        return self.handles if self.usable(state, actor) is not None else NOTHING

    def usable(self, state: State, actor: Actor) -> tuple[int, Ability] | None:
        """The first ability of the private that may be used now."""
        company, private = state.operator, state.privates.get(actor.name)
        if actor.kind != "private" or company is None or private is None or private.closed:
            return None
        if private.owner != company.name:
            return None
        for place, ability in lay_abilities(state, private):
            if self.is_time(state, company, ability):
                return place, ability
        return None

    def is_time(self, state: State, company: Company, ability: Ability) -> bool:
        if self.is_normal(ability):
            return self.in_track_step(state) and state.game.next_tile_action(state, company) is not None
        if TRACK_STEP in ability.when:
            return self.in_track_step(state)
        return not ability.when or ANY_TIME in ability.when

    def in_track_step(self, state: State) -> bool:
        """Whether the track step is not over yet."""
        return any(
            LayTile in step.handles and step.blocks and step.key not in state.round.turn.done
            for step in state.kind.steps
        )

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        found, company = self.usable(state, actor), state.operator
        if found is not None and company is not None:
            for plan in lays_of(state, company.name, ability=found[1], private=actor.name):
                if not self.is_normal(found[1]) or fits_tile_action(state, company, plan):
                    yield lay_action(actor, plan)

    def is_normal(self, ability: Ability) -> bool:
        """Whether the lay is one of the tile actions of the turn."""
        return ability.uses_a_normal_tile_action or ability.kind == "remote_lay_and_token"

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, LayTile)
        company, found = state.operator, self.usable(state, action.by)
        assert company is not None
        assert found is not None
        place, ability = found
        if ability.hexes is not None and action.hex not in ability.hexes:
            raise state.violation("wrong-hex", f"{action.by} builds on {', '.join(sorted(ability.hexes))} only")
        if ability.tiles and action.tile not in ability.tiles:
            raise state.violation("wrong-tile", f"{action.by} lays {', '.join(ability.tiles)} only")
        plan = checked_plan(state, company.name, action, ability, action.by.name)
        normal = self.is_normal(ability)
        if normal:
            state = spend_tile_action(state, company, plan)
        state = carry_out(state, plan, extra=not normal)
        private = state.privates[action.by.name]
        used = {**private.used, place: private.used.get(place, 0) + 1}
        state = state.with_private(private.but(used=used))
        if ability.kind == "remote_lay_and_token":
            state = self.offer_token(state, company.name, action)
        return self.used(state, action.by.name, place).did(action)

    def offer_token(self, state: State, company: str, action: LayTile) -> State:
        """The free token that may follow at once, as the token of the turn."""
        if state.round.turn.tokened or state.game.next_token(state.companies[company]) is None:
            return state
        pending = Pending("distant_token", action.by, company, (action.hex,))
        return state.but(pending=(*state.pending, pending))

    def used(self, state: State, private: str, place: int) -> State:
        """Called after the use of an ability."""
        return state
