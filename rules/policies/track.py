"""What a title decides about track and tokens: which tile may replace which, what it costs, who may reach it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from board.errors import Fault
from board.hexes import SIDES, HexId, StopId, opposite
from board.tiles import Tile
from board.trains import StopKind
from rules.facts import Ability, GameFacts, Home, TileAction
from rules.reach import Reach
from rules.state import BANK, Company, Lay, Pending, State
from rules.table import Laid

#: The colour that follows each, on the way up. Source: COMMON section 7, point 1.
NEXT_COLOUR: Mapping[str, str] = {"white": "yellow", "yellow": "green", "green": "brown", "brown": "gray"}


@dataclass(frozen=True)
class LayPlan:
    """A lay put to the rules: who builds, where, which tile, and the private's ability that allows it, if any."""

    company: str
    hex: HexId
    tile: str
    copy: int
    rotation: int
    ability: Ability | None = None
    private: str | None = None


class TrackRules:
    facts: GameFacts

    # --- whether at all ----------------------------------------------------------------------------------------

    def may_lay_track(self, state: State, company: Company) -> bool:
        """Whether the company has a track step at all (1894: not in the last set; 18GB: not while insolvent)."""
        return True

    def may_place_tokens(self, state: State, company: Company) -> bool:
        """Whether the company has a token step at all."""
        return True

    # --- how many lays -----------------------------------------------------------------------------------------

    def tile_actions(self, state: State, company: Company) -> tuple[TileAction, ...]:
        """The tile actions of an operating turn in order."""
        return self.facts.settings.tile_actions

    def next_tile_action(self, state: State, company: Company) -> TileAction | None:
        """The tile action that comes next; None when all are used."""
        lays = [lay for lay in state.round.turn.lays if not lay.extra]
        actions = self.tile_actions(state, company)
        if len(lays) >= len(actions):
            return None
        action = actions[len(lays)]
        upgraded = any(lay.upgrade for lay in lays)
        yellow = not upgraded if action.yellow == "if_no_upgrade_yet" else bool(action.yellow)
        upgrade = not upgraded if action.upgrade == "if_no_upgrade_yet" else bool(action.upgrade)
        if not yellow and not upgrade:
            return None
        return TileAction(yellow, upgrade, action.cost, action.fresh_hex)

    def tile_action_faults(self, state: State, company: Company, plan: LayPlan) -> Iterator[Fault]:
        """What a title holds against this lay as the next tile action, beyond colour and hex (18GB: one city tile)."""
        return iter(())

    # --- which lay ---------------------------------------------------------------------------------------------

    def lay_faults(self, state: State, plan: LayPlan) -> Iterator[Fault]:
        """Everything that is wrong with a lay, in rule order. Source: COMMON section 7."""
        table = state.table
        name_of = self.facts.edition.map.name_of
        old, new = table.tile_at(plan.hex), self.facts.edition.tiles.tile(plan.tile).rotated(plan.rotation)
        normal = plan.ability is None or plan.ability.normal_upgrade_rules
        if normal and new.colour not in state.phase.tile_colours:
            yield Fault("colour-not-available", f"{new.colour} tiles are not available in phase {state.phase.name}")
        if plan.private is None and plan.hex in self._closed(state, plan.company):
            yield Fault("hex-closed", f"{name_of(plan.hex)} is closed by a private")
        reason = self.upgrade_fault(state, plan, old, new)
        if reason:
            yield Fault("no-upgrade", f"tile {plan.tile} may not be laid on {name_of(plan.hex)}: {reason}")
        for side in sorted(new.sides):
            if reason := self.side_fault(state, plan.hex, side):
                yield Fault("track-leads-nowhere", f"side {side} of tile {plan.tile} on {name_of(plan.hex)} {reason}")
        if (plan.ability is None or plan.ability.must_be_reachable) and (
            reason := self.connection_fault(state, plan, old, new)
        ):
            yield Fault("not-connected", f"tile {plan.tile} on {name_of(plan.hex)}: {reason}")

    def _closed(self, state: State, company: str) -> frozenset[HexId]:
        """The hexes closed to the company, worked out once for each state."""
        key = ("closed_hexes", company)
        found: frozenset[HexId] | None = state.memo.get(key)
        if found is None:
            found = state.memo[key] = state.game.closed_hexes(state, company)
        return found

    def upgrade_fault(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> str:
        """Why *new* may not replace *old* (both as they lie); empty where it may. Source: COMMON section 7, 1 and 3."""
        if (
            not self.facts.edition.map.hexes[plan.hex].may_be_built_on
            and old.colour not in NEXT_COLOUR
            and not (old.label and old.label == new.label)
        ):
            return f"{old.colour} hexes are fixed"
        if NEXT_COLOUR.get(old.colour) != new.colour and not self.colour_exception(state, plan, old, new):
            return f"{old.colour} becomes {NEXT_COLOUR.get(old.colour, 'nothing')}, not {new.colour}"
        if not self.labels_fit(old, new):
            return f"the label is {old.label or 'none'}, the tile's is {new.label or 'none'}"
        if len(old.towns) != len(new.towns):
            return f"the hex has {len(old.towns)} towns, the tile {len(new.towns)}"
        if len(old.cities) != len(new.cities) and not self.cities_may_change(old, new):
            return f"the hex has {len(old.cities)} cities, the tile {len(new.cities)}"
        return self.known_track_fault(old, new)

    def colour_exception(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> bool:
        """Lays that skip the order of colours (early green homes, blue tiles)."""
        return False

    def labels_fit(self, old: Tile, new: Tile) -> bool:
        return old.label == new.label

    def cities_may_change(self, old: Tile, new: Tile) -> bool:
        """Whether the number of cities may change: labelled hexes where the box holds such a tile."""
        return bool(old.label) and bool(old.cities) and bool(new.cities)

    def track_fault(self, old: Tile, new: Tile) -> str:
        """Old track must be kept and stops stay joined to the sides that they had."""
        cities = self.city_map(old, new)
        towns = _part_map(old, new, StopKind.TOWN)
        if any(
            not (old.sides_of(city.id) <= new.sides_of(cities[city.id])) for city in old.cities if city.id in cities
        ):
            return "a city would lose track"
        for town in old.towns:
            if not old.sides_of(town.id) <= new.sides_of(towns[town.id]):
                return "a town would lose track"
        if not old.sides <= new.sides:
            return "track that lies there would be lost"
        kept = {(piece.a, piece.b) for piece in new.track}
        for piece in old.track:
            if isinstance(piece.a, int) and isinstance(piece.b, int) and (piece.a, piece.b) not in kept:
                return "track that lies there would be lost"
        return ""

    def known_track_fault(self, old: Tile, new: Tile) -> str:
        """As :meth:`track_fault`, found once for two tiles."""
        found = self._track_faults.get((old, new))
        if found is None:
            found = self._track_faults[old, new] = self.track_fault(old, new)
        return found

    @cached_property
    def _track_faults(self) -> dict[tuple[Tile, Tile], str]:
        return {}

    def rotations(self, state: State, hex_id: HexId, old: Tile, tile: Tile) -> tuple[int, ...]:
        """The rotations in which the tile keeps the track that lies there; in no other can it be laid."""
        found = self._rotations.get((old, tile.id))
        if found is None:
            found = tuple(turns for turns in SIDES if not self.known_track_fault(old, tile.rotated(turns)))
            self._rotations[old, tile.id] = found
        return found

    @cached_property
    def _rotations(self) -> dict[tuple[Tile, str], tuple[int, ...]]:
        return {}

    def open_sides(self, state: State, hex_id: HexId) -> frozenset[int]:
        """The sides of the hex to which track may lead."""
        return frozenset(side for side in SIDES if not self.side_fault(state, hex_id, side))

    def city_map(self, old: Tile, new: Tile) -> dict[str, str]:
        """Which city of the new tile follows which of the old one."""
        return _part_map(old, new, StopKind.CITY)

    def side_fault(self, state: State, hex_id: HexId, side: int) -> str:
        """Why track may not lead to that side. Source: COMMON section 7, point 4."""
        game_map = self.facts.edition.map
        other = game_map.neighbour(hex_id, side)
        if other is None:
            return "leads off the map or into an impassable hexside"
        tile = state.table.tile_at(other)
        printed = game_map.hexes[other]
        if (
            printed.colour in self.facts.settings.fixed_colours
            and other not in state.table.laid
            and opposite(side) not in tile.sides
        ):
            return f"runs into {game_map.name_of(other)}, which has no track there"
        return ""

    # --- reach -------------------------------------------------------------------------------------------------

    def reach(self, state: State, company: str) -> Reach:
        """What the company reaches for building and tokens. Source: COMMON section 7, "Reachable"."""
        return state.table.reach(company, closed=self.closed_stops(state, company))

    def closed_stops(self, state: State, company: str) -> frozenset[StopId]:
        """Stops that do not exist for the company (1894 London without a ferry, 1828 coalfields)."""
        return frozenset()

    def connection_fault(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> str:
        """Why the lay does not join the company's track. Source: COMMON section 7, points 5 and 7."""
        if not self.reach(state, plan.company).sides_of(plan.hex) & new.sides:
            return f"{plan.company} does not reach it"
        rule = self.facts.settings.track_rule
        if rule == "permissive":
            return ""
        fresh = self.fresh_track(state, plan, old, new)
        if rule == "restrictive" and not fresh:
            return f"{plan.company} could not use any of its new track"
        semi = rule == "semi_restrictive" and old.colour != "white"
        if semi and not fresh and not self.new_values(state, plan, old, new):
            return f"{plan.company} could use no new track of it, and no stop that it reaches changes its value"
        return ""

    def after_lay(self, state: State, plan: LayPlan) -> State:
        """The state with the tile on the map and nothing else changed, to look at what it brings."""
        old = state.table.tile_at(plan.hex)
        new = self.facts.edition.tiles.tile(plan.tile).rotated(plan.rotation)
        laid = Laid(plan.tile, plan.copy, plan.rotation)
        return state.but(table=state.table.with_tile(plan.hex, laid, self.city_map(old, new)))

    def fresh_track(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> bool:
        """Whether the company reaches a side or stop over track of the tile that did not lie there before."""
        sides, parts = self.new_track(old, new)
        stops = {StopId.of(plan.hex, part) for part in parts}
        return any(
            not sides.isdisjoint(reached) or not stops.isdisjoint(there)
            for reached, there in self.reached_in_hex(state, plan, new)
        )

    def new_track(self, old: Tile, new: Tile) -> tuple[frozenset[int], frozenset[str]]:
        """The ends of track that did not lie there before: its stops, and the sides of track without a stop."""
        found = self._new_track.get((old, new))
        if found is None:
            before = {(piece.a, piece.b) for piece in old.track}
            cities = self.city_map(old, new)
            back = {new_id: old_id for old_id, new_id in {**cities, **_part_map(old, new, StopKind.TOWN)}.items()}
            sides: set[int] = set()
            parts: set[str] = set()
            for piece in new.track:
                a, b = (back.get(end, end) if isinstance(end, str) else end for end in (piece.a, piece.b))
                if (a, b) not in before:
                    stops = {end for end in (piece.a, piece.b) if isinstance(end, str)}
                    parts |= stops
                    if not stops:
                        sides |= {end for end in (piece.a, piece.b) if isinstance(end, int)}
            found = self._new_track[old, new] = frozenset(sides), frozenset(parts)
        return found

    @cached_property
    def _new_track(self) -> dict[tuple[Tile, Tile], tuple[frozenset[int], frozenset[str]]]:
        return {}

    def new_values(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> bool:
        """Whether the company reaches a city that changes its value."""
        changed = {
            StopId.of(plan.hex, new_id)
            for old_id, new_id in self.city_map(old, new).items()
            if (before := old.part(old_id)) and (after := new.part(new_id)) and before.revenue != after.revenue
        }
        return any(not changed.isdisjoint(there) for _, there in self.reached_in_hex(state, plan, new))

    def reached_in_hex(
        self, state: State, plan: LayPlan, new: Tile
    ) -> Iterator[tuple[frozenset[int], frozenset[StopId]]]:
        """The sides and stops of the hex that the company would reach with the lay: at first some, in the end all."""
        company, hex_id = plan.company, plan.hex
        around = state.table.around(company, hex_id, self.reach(state, company))
        after = self.after_lay(state, plan) if hex_id in state.table.tokens else state
        closed = self.closed_stops(after, company) if after is not state else around.reach.closed
        roots = after.table.stops_in(hex_id, company)
        return around.within(new, roots, closed, partial(after.table.is_end, company))

    # --- cost --------------------------------------------------------------------------------------------------

    def lay_cost(self, state: State, plan: LayPlan) -> int:
        """Terrain and hexsides that the lay pays for. Source: COMMON section 7, "Terrain cost"."""
        ability = plan.ability
        if ability is not None and ability.free:
            return ability.cost
        old = state.table.tile_at(plan.hex)
        new = self.facts.edition.tiles.tile(plan.tile).rotated(plan.rotation)
        cost = max(self.facts.settings.minimum_tile_cost, self.terrain_cost(state, plan, old))
        cost += self.side_costs(state, plan, old, new)
        if ability is not None:
            cost = max(0, cost - ability.discount) + ability.cost
        return cost

    def terrain_cost(self, state: State, plan: LayPlan, old: Tile) -> int:
        if plan.ability is not None and plan.ability.details.get("terrain_is_free"):
            return 0
        return old.cost

    def side_costs(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> int:
        """Costs of hexsides across which track meets for the first time. Source: COMMON section 7."""
        game_map = self.facts.edition.map
        printed = game_map.hexes[plan.hex]
        total = 0
        for side in new.sides - old.sides:
            other = game_map.neighbour(plan.hex, side)
            if other is None or opposite(side) not in state.table.tile_at(other).sides:
                continue
            here, there = printed.border(side), game_map.hexes[other].border(opposite(side))
            total += max(here.cost if here else 0, there.cost if there else 0)
        return total

    # --- laying ------------------------------------------------------------------------------------------------

    def lay(self, state: State, plan: LayPlan, *, extra: bool = False) -> State:
        """The tile on the map, tokens and reservations moved with their cities, and the lay noted in the turn."""
        old = state.table.tile_at(plan.hex)
        upgrade = old.colour != "white"
        state = self.after_lay(state, plan)
        lay = Lay(hex=plan.hex, tile=plan.tile, upgrade=upgrade, extra=extra)
        return state.with_turn(lays=(*state.round.turn.lays, lay))

    def pay_for_lay(self, state: State, plan: LayPlan, cost: int) -> State:
        return state.pay(plan.company, BANK, cost)

    def tile_laid(self, state: State, plan: LayPlan, old: Tile) -> State:
        """Whatever a lay brings beyond itself: a token that must choose its city, a marker, a private that closes."""
        return self.settle_token(state, plan, old)

    def settle_token(self, state: State, plan: LayPlan, old: Tile) -> State:
        """The token that waited in a hex of several cities without track chooses its city with the first tile: by the
        company that laid it, or by its owner. Source: COMMON section 8, "Home token"."""
        new = state.table.tile_at(plan.hex)
        if old.track or not new.track or len(new.cities) < 2:
            return state
        waiting = [
            (name, place)
            for name, company in state.companies.items()
            for place, token in enumerate(company.tokens)
            if token.at is not None and token.at.hex == plan.hex
        ]
        if len(waiting) != 1:
            return state
        ((name, place),) = waiting
        decider = name if self.facts.settings.owner_settles_tokens else plan.company
        return self.lift_token(state, name, place, decider)

    def lift_token(self, state: State, name: str, place: int, decider: str) -> State:
        """A token taken up; *decider* must say at once in which city of the hex it goes on."""
        company = state.companies[name]
        stop = company.tokens[place].at
        assert stop is not None
        tokens = tuple(token.but(at=None) if number == place else token for number, token in enumerate(company.tokens))
        state = state.with_company(company.but(tokens=tokens)).but(table=state.table.without_token(name, stop))
        who = state.actor(state.companies[decider])
        pending = Pending("token", who, name, (stop.hex,), {"place": place})
        return state.but(pending=(*state.pending, pending))

    # --- tokens ------------------------------------------------------------------------------------------------

    def may_token(self, state: State, company: str, stop: StopId) -> bool:
        """Whether the city has room for a token of the company, reach and money apart. Source: COMMON section 8."""
        return state.table.can_take_token(company, stop, always_block=self.facts.settings.reservations_always_block)

    def token_stops(self, state: State, company: str) -> tuple[StopId, ...]:
        """The cities where the company could put a token now, money apart."""
        table = state.table
        found = (
            stop
            for stop in self.reach(state, company).stops
            if (part := table.part(stop)) is not None
            and part.kind is StopKind.CITY
            and self.may_token(state, company, stop)
        )
        return tuple(sorted(found, key=lambda one: one.sort_key))

    def next_token(self, company: Company) -> int | None:
        """Place of the next unused token on the charter, in printed price order; None when all are used."""
        unused = [place for place, token in enumerate(company.tokens) if token.at is None and not token.used]
        return min(unused, key=lambda place: company.tokens[place].price) if unused else None

    def token_price(self, state: State, company: Company) -> int | None:
        place = self.next_token(company)
        return company.tokens[place].price if place is not None else None

    def put_token(self, state: State, name: str, stop: StopId, *, place: int | None = None, slot: int | None = None,
                  beside: bool = False) -> State:  # fmt: skip
        """A token of the company set on the map, money apart. ``place``: which token of the charter."""
        company = state.companies[name]
        if place is None:
            place = self.next_token(company)
        if place is None:
            raise state.violation("no-token", f"{name} has no token left")
        if slot is None and not beside:
            slot = state.table.free_slot(name, stop)
            if slot is None:
                raise state.violation("no-slot", f"{stop} has no free slot for {name}")
        tokens = list(company.tokens)
        tokens[place] = tokens[place].but(at=stop, used=True)
        state = state.with_company(company.but(tokens=tuple(tokens)))
        return state.but(table=state.table.with_token(name, stop, slot))

    def moved_tokens(self, state: State, hex_id: HexId, cities: Mapping[str, str]) -> State:
        """Charters brought up to date after the cities of a hex were renamed by a lay."""
        companies = dict(state.companies)
        for name, company in state.companies.items():
            if any(token.at is not None and token.at.hex == hex_id for token in company.tokens):
                tokens = tuple(
                    token.but(at=StopId.of(hex_id, cities[token.at.part]))
                    if token.at is not None and token.at.hex == hex_id and token.at.part in cities
                    else token
                    for token in company.tokens
                )
                companies[name] = company.but(tokens=tokens)
        return state.but(companies=companies)

    def place_home_tokens(self, state: State, name: str) -> State:
        """The home tokens of a company that operates for the first time. Source: COMMON section 8, "Home token"."""
        if self.facts.settings.home_token_at != "operate":
            return state
        company = state.companies[name]
        if any(token.used for token in company.tokens):
            return state
        for home in self.homes(state, name):
            state = self.place_home_token(state, name, home)
        return state

    def homes(self, state: State, name: str) -> tuple[Home, ...]:
        """Where the company starts."""
        return state.facts_of(name).homes

    def place_home_token(self, state: State, name: str, home: Home) -> State:
        """One home token put down, or its city asked for where the owner may choose."""
        stops = self.home_stops(state, name, home.hex, home.city)
        if len(stops) == 1:
            return self.put_token(state, name, stops[0])
        if stops:
            pending = Pending("token", state.actor(state.companies[name]), name, (home.hex,))
            return state.but(pending=(*state.pending, pending))
        return state

    def home_stops(self, state: State, company: str, hex_id: HexId, city: str | None) -> tuple[StopId, ...]:
        """The cities of a home hex among which the owner may choose; one where there is nothing to choose.

        In a hex of several cities without track the token waits in the first one until a tile is laid.
        Source: COMMON section 8, "Home token".
        """
        table = state.table
        tile = table.tile_at(hex_id)
        for kept in table.kept.get(hex_id, ()):
            if kept.company == company and kept.city is not None and tile.part(kept.city) is not None:
                return (StopId.of(hex_id, kept.city),)
        cities = tile.cities
        if city is not None and tile.part(city) is not None and len(cities) == 1:
            return (StopId.of(hex_id, city),)
        free = tuple(
            StopId.of(hex_id, part.id)
            for part in cities
            if table.free_slot(company, StopId.of(hex_id, part.id)) is not None
        )
        if len(cities) > 1 and not tile.track:
            return free[:1]
        return free


def _part_map(old: Tile, new: Tile, kind: StopKind) -> dict[str, str]:
    """Stops of the old tile to those of the new: where a stop has track, the one that keeps most of it."""
    before = [part for part in old.parts if part.kind is kind]
    after = [part for part in new.parts if part.kind is kind]
    if not after:
        return {}
    found: dict[str, str] = {}
    if len(after) == 1:
        return {part.id: after[0].id for part in before}
    left = [part.id for part in after]
    for part in before:
        sides = old.sides_of(part.id)
        if sides:
            best = max(left or [one.id for one in after], key=lambda one: len(sides & new.sides_of(one)))
            found[part.id] = best
            if best in left:
                left.remove(best)
    for part in before:
        if part.id not in found:
            found[part.id] = part.id if part.id in left else (left[0] if left else after[0].id)
            if found[part.id] in left:
                left.remove(found[part.id])
    return found
