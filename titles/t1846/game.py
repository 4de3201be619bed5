"""The rules of whole games of 1846. Source: digest 1846; what it does not name is as in COMMON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from board.hexes import HexId, StopId, opposite
from board.tiles import Tile
from rules.actions import Action
from rules.facts import Ability
from rules.policies.track import LayPlan
from rules.randomness import Draws
from rules.rounds.base import RoundKind
from rules.rounds.operating import OperatingRounds
from rules.rounds.stock import StockRounds
from rules.state import BANK, Company, OperatingRound, Private, State, Token
from rules.steps.discard import DiscardTrains
from rules.steps.dividend import PayDividend
from rules.steps.emergency_issue import GoBankruptAndOut
from rules.steps.issue import IssueOrRedeem
from rules.steps.joint_lays import forfeit
from rules.steps.receivership import StockTurnWithReceivership
from rules.steps.routes import Run
from rules.steps.track import lay_abilities
from rules.steps.track_and_token import TrackAndToken
from rules.treasury import TreasuryGame
from titles.t1846.draft import DECK, RANDOM, Draft, DraftCards, pass_card
from titles.t1846.steps import (
    AT_START,
    MOST_TRAINS_WITH_A_MINOR,
    AssignMarker,
    BuyPrivates1846,
    BuyTrains1846,
    ExtraToken,
    LayByPrivate1846,
    LayTrack1846,
    MoveMarkers,
    PlaceOneToken1846,
)

#: By option a corporation in receivership without a train falls one step only. Source: 1846, "Where the sources
#: differ", point 5.
SINGLE_DROP: Final = "r46_single_drop"
#: Marks of the state: hex to markers, company to markers.
ON_HEXES, OF_COMPANIES = "assigned", "assigned_companies"


class Game1846(TreasuryGame):
    """1846. Marks of the state: ``assigned`` and ``assigned_companies``, where markers lie and who may use them."""

    def rounds(self) -> tuple[RoundKind, ...]:
        """Source: 1846 sections 2, 6 and 7."""
        return (
            Draft("Draft", (DraftCards(),)),
            StockRounds("Stock", (DiscardTrains(), StockTurnWithReceivership())),
            OperatingRounds(
                "Operating",
                (
                    MoveMarkers(),
                    LayByPrivate1846(),
                    GoBankruptAndOut(BuyTrains1846),
                    AssignMarker(),
                    ExtraToken(),
                    BuyPrivates1846(blocks=False),
                    IssueOrRedeem(),
                    TrackAndToken(LayTrack1846(), PlaceOneToken1846()),
                    Run(),
                    PayDividend(),
                    DiscardTrains(),
                    BuyTrains1846(),
                    BuyPrivates1846(),
                ),
            ),
        )

    # --- set-up ------------------------------------------------------------------------------------------------

    def set_up(self, state: State, draws: Draws) -> State:
        """The draws in their order, what they remove, and the minors. Source: 1846 section 1."""
        deck: list[str] = []
        gone: list[str] = []
        for draw in _tables(self.facts.setup.get("draws")):
            names = [name for name in _names(draw.get("names")) if name not in self._left_out(draw)]
            if draw.get("purpose") == "draft_deck":
                passes = [pass_card(number) for number in range(1, len(self.seats) + 1)]
                deck = draws.shuffled([*names, *passes])
                state = state.but(privates={name: one for name, one in state.privates.items() if name in names})
            else:
                gone += draws.shuffled(names)[: self._taken(draw)]
        state = state.but(privates={name: one for name, one in state.privates.items() if name not in gone})
        for name in gone:
            if name in state.companies:
                state = self._remove_corporation(state, name)
        for name in self.facts.minors:
            state = self._equip_minor(state, name)
        state = state.with_mark(DECK, tuple(card for card in deck if card not in gone))
        return state.with_mark(RANDOM, draws.state)

    def _left_out(self, draw: Mapping[str, object]) -> frozenset[str]:
        by_option = draw.get("left_out")
        assert isinstance(by_option, Mapping)
        return frozenset(name for option in self.options if option in by_option for name in by_option[option])

    def _taken(self, draw: Mapping[str, object]) -> int:
        """How many are removed for this number of players."""
        keys = [f"takes_by_players_{option}" for option in sorted(self.options)]
        table = next((draw[key] for key in keys if key in draw), draw["takes_by_players"])
        assert isinstance(table, Mapping)
        return int(table[str(len(self.seats))])

    def _remove_corporation(self, state: State, name: str) -> State:
        """A removed corporation leaves its home token on the map and plays no further part. Source: 1846 section 1."""
        for home in self.homes(state, name):
            state = self.place_home_token(state, name, home)
        company = state.companies[name].but(closed=True, holdings={})
        return state.with_company(company).but(table=state.table.without_reservations(name))

    def _equip_minor(self, state: State, name: str) -> State:
        """Its trains and its token, before the draft. Source: 1846 section 1."""
        for home in self.homes(state, name):
            state = self.place_home_token(state, name, home)
        for kind in _names(self.facts.minors[name].details.get("trains")):
            train = next(one for one in state.depot.upcoming if one.rpartition("-")[0] == kind)
            state = self.taken_from_depot(state, train)
            company = state.companies[name]
            state = state.with_company(company.but(trains=(*company.trains, train)))
        return state

    def open_minor(self, state: State, private: str, player: str) -> State:
        """The minor of a card paid for, with its money. Source: 1846 sections 2 and 4."""
        if private not in self.facts.minors:
            return state
        state = state.with_company(state.companies[private].but(president=player, floated=True))
        cash = self.facts.minors[private].details.get("starting_cash", 0)
        assert isinstance(cash, int)
        return state.pay(BANK, private, cash)

    def order_after_opening(self, state: State) -> tuple[str, ...]:
        """The first seat begins. Source: 1846 section 2."""
        return self.seats

    # --- starting ----------------------------------------------------------------------------------------------

    def after_start(self, state: State, player: str, company: str) -> State:
        """IC is paid its par price once more. Source: 1846 section 5."""
        found = state.companies[company]
        if self.facts.corporations[company].details.get("start_bonus") == "par_price":
            state = state.pay(BANK, company, found.par or 0)
        return super().after_start(state, player, company)

    # --- track -------------------------------------------------------------------------------------------------

    def may_lay_track(self, state: State, company: Company) -> bool:
        return not company.receivership and not company.closed

    def may_place_tokens(self, state: State, company: Company) -> bool:
        return self.decides(company)

    def money_of_minors(self, state: State, company: Company) -> int:
        """What the minors that players own would bring to the treasury if they were bought for 1. Source: 1846
        section 7, M."""
        if not self.decides(company) or not company.cash or len(company.trains) > MOST_TRAINS_WITH_A_MINOR:
            return 0
        minors = [state.companies[name] for name in self.facts.minors]
        return sum(one.cash - 1 for one in minors if one.floated and not one.closed and one.cash)

    def has_free_lay(self, state: State, company: Company) -> bool:
        """IC while one of its hexes is unbuilt; an unused right to lay while one of its hexes shows its print.
        Source: 1846 section 7."""
        if not self.decides(company):
            return False
        own = [ability for ability in self.facts.corporations[company.name].abilities if ability.kind == "lay_tile"]
        rights = [
            ability for private in state.privates_of(company.name) for _, ability in lay_abilities(state, private)
        ]
        return any(hex_id not in state.table.laid for ability in (*own, *rights) for hex_id in ability.hexes or ())

    def lay_cost(self, state: State, plan: LayPlan) -> int:
        """IC's own hexes are 20 cheaper with its tiles. Source: 1846 section 10."""
        cost = super().lay_cost(state, plan)
        if plan.ability is not None or plan.company not in self.facts.corporations:
            return cost
        for ability in self.facts.corporations[plan.company].abilities:
            if ability.kind == "lay_tile" and plan.hex in (ability.hexes or ()) and plan.tile in ability.tiles:
                return max(0, cost - ability.discount)
        return cost

    def _discount(self, state: State, company: str, terrain: str) -> int:
        """What a private of the company takes off this kind of terrain (TBC)."""
        return sum(
            ability.discount
            for private in state.privates_of(company)
            for ability in state.private_facts(private.name).abilities
            if ability.kind == "terrain_discount" and ability.details.get("terrain") == terrain
        )

    def terrain_cost(self, state: State, plan: LayPlan, old: Tile) -> int:
        """TBC takes 20 off a hex whose terrain is mountain alone. Source: 1846 section 9."""
        cost = super().terrain_cost(state, plan, old)
        if cost and len(set(old.terrain)) == 1:
            cost = max(0, cost - self._discount(state, plan.company, old.terrain[0]))
        return cost

    def side_costs(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> int:
        """TBC takes 20 off every completed mountain side. Source: 1846 section 9."""
        total = super().side_costs(state, plan, old, new)
        game_map = self.facts.edition.map
        for side in new.sides - old.sides:
            other = game_map.neighbour(plan.hex, side)
            if other is None or opposite(side) not in state.table.tile_at(other).sides:
                continue
            borders = (game_map.hexes[plan.hex].border(side), game_map.hexes[other].border(opposite(side)))
            printed = next((one for one in borders if one is not None and one.cost), None)
            if printed is not None:
                total -= min(printed.cost, self._discount(state, plan.company, printed.kind))
        return total

    def track_fault(self, old: Tile, new: Tile) -> str:
        """The cities of Chicago keep their sides: its tiles lie in one rotation only. Source: 1846 section 9."""
        if len(old.cities) > 1:
            for before, after in zip(old.cities, new.cities, strict=False):
                if not old.sides_of(before.id) <= new.sides_of(after.id):
                    return "a city would lose its side"
        return super().track_fault(old, new)

    def city_map(self, old: Tile, new: Tile) -> dict[str, str]:
        if len(old.cities) > 1 and len(old.cities) == len(new.cities):
            return {before.id: after.id for before, after in zip(old.cities, new.cities, strict=True)}
        return super().city_map(old, new)

    def after_action(self, state: State, action: Action) -> State:
        """Joint lays end with any other action; an operator has begun. Source: 1846 sections 3 and 10."""
        if not state.round.marks.get("begun") and not self.is_marker_at_start(state, action):
            state = state.with_round(marks={**state.round.marks, "begun": True})
        return forfeit(state, action)

    def is_marker_at_start(self, state: State, action: Action) -> bool:
        private = self.facts.privates.get(action.by.name)
        return (
            action.by.kind == "private"
            and private is not None
            and state.privates[private.name].owner in state.players
            and any(AT_START in ability.when for ability in private.abilities)
        )

    # --- tokens ------------------------------------------------------------------------------------------------

    def special_tokens(self, company: Company) -> tuple[Ability, ...]:
        """The special prices of the corporation that are not used up. Source: 1846 sections 5 and 11."""
        if company.name not in self.facts.corporations:
            return ()
        return tuple(
            ability
            for ability in self.facts.corporations[company.name].abilities
            if ability.kind == "place_token" and not company.marks.get(_used(ability))
        )

    def special_used(self, state: State, name: str, stop: StopId) -> State:
        """A special price that is good for one token is used up by it."""
        company = state.companies[name]
        for ability in self.special_tokens(company):
            if stop.hex in (ability.hexes or ()) and ability.uses is not None:
                company = company.with_mark(_used(ability), True)
        return state.with_company(company)

    def token_stops(self, state: State, company: str) -> tuple[StopId, ...]:
        """Reached cities, and those that a special token may go to without connection. Source: 1846 section 11."""
        found = super().token_stops(state, company)
        far = tuple(
            stop
            for ability in self.special_tokens(state.companies[company])
            if "price_when_not_connected" in ability.details
            for stop in self._cities(state, ability)
            if stop not in found and self.may_token(state, company, stop)
        )
        return (*found, *far)

    def _cities(self, state: State, ability: Ability) -> Iterator[StopId]:
        for hex_id in sorted(ability.hexes or ()):
            for city in state.table.tile_at(hex_id).cities:
                yield StopId.of(hex_id, city.id)

    def price_in(self, state: State, company: Company, stop: StopId) -> int:
        """What a token costs there. Source: 1846 section 11."""
        for ability in self.special_tokens(company):
            if stop.hex in (ability.hexes or ()):
                connected = stop in self.reach(state, company.name).stops
                key = "price_when_connected" if connected else "price_when_not_connected"
                price = ability.details.get(key, ability.details.get("price_when_connected"))
                if isinstance(price, int):
                    return price
        private = self.extra_token(state, company.name)
        if private is not None and stop in self.stops_of_extra_token(state, private):
            return 0
        return self.token_price(state, company) or 0

    def extra_token(self, state: State, company: str) -> Private | None:
        """The private of the company with an unused additional token; none while it has one in that hex. Source: 1846
        section 11, C&WI."""
        for private in state.privates_of(company):
            for place, ability in enumerate(state.private_facts(private.name).abilities):
                unused = ability.kind == "place_token" and private.used.get(place, 0) < (ability.uses or 0)
                if unused and not any(state.table.has_token_on(hex_id, company) for hex_id in ability.hexes or ()):
                    return private
        return None

    def stops_of_extra_token(self, state: State, private: Private) -> tuple[StopId, ...]:
        """The city that the private names."""
        ability = state.private_facts(private.name).ability("place_token")
        assert ability is not None
        cities = list(self._cities(state, ability))
        number = ability.details.get("city")
        return (cities[number],) if isinstance(number, int) else tuple(cities)

    def put_extra_token(self, state: State, company: str, stop: StopId, private: Private) -> State:
        """The additional token where the corporation puts its token of the turn there. Source: 1846 section 11."""
        places = enumerate(state.private_facts(private.name).abilities)
        place = next(place for place, ability in places if ability.kind == "place_token")
        used = {**private.used, place: private.used.get(place, 0) + 1}
        return self.add_token(state.with_private(private.but(used=used)), company, stop)

    def add_token(self, state: State, company: str, stop: StopId) -> State:
        """A token beyond the printed ones, put on the map."""
        found = state.companies[company]
        state = state.with_company(found.but(tokens=(*found.tokens, Token(0))))
        return self.put_token(state, company, stop, place=len(found.tokens))

    # --- minors ------------------------------------------------------------------------------------------------

    def dividend_kinds(self, state: State, company: Company) -> tuple[str, ...]:
        return ("half",) if company.kind == "minor" else super().dividend_kinds(state, company)

    def automatic_dividend(self, state: State, company: Company) -> str:
        """A minor shares with its owner. Source: 1846 section 4."""
        return "half" if company.kind == "minor" else super().automatic_dividend(state, company)

    def kept_of(self, state: State, company: Company, kind: str, revenue: int) -> int:
        return revenue // 2 if company.kind == "minor" else super().kept_of(state, company, kind, revenue)

    def shares_paid(self, state: State, company: Company, paid: int) -> dict[str, int]:
        if company.kind == "minor":
            return {company.president: paid} if company.president is not None else {}
        return super().shares_paid(state, company, paid)

    def steps_down(self, state: State, company: Company) -> int:
        return 1 if SINGLE_DROP in self.options else super().steps_down(state, company)

    def buy_minor(self, state: State, name: str, buyer: str) -> State:
        """Money, train and token go to the buyer; the train has run. Source: 1846 section 4."""
        minor = state.companies[name]
        state = state.pay(name, buyer, minor.cash)
        company = state.companies[buyer]
        tokens = list(company.tokens)
        for token in minor.tokens:
            if token.at is None:
                continue
            if buyer in state.table.tokens_in(token.at.hex, token.at.part):
                state = state.but(table=state.table.without_token(name, token.at))
            else:
                state = state.but(table=state.table.replacing_token(name, buyer, token.at))
                tokens.append(Token(0, token.at, used=True))
        state = state.with_company(company.but(trains=(*company.trains, *minor.trains), tokens=tuple(tokens)))
        if isinstance(state.round, OperatingRound):
            state = state.with_round(ran=state.round.ran | set(minor.trains))
        return self._minor_gone(state, name)

    def close_minor(self, state: State, name: str) -> State:
        """Token off the map, money to the bank, train out of the game. Source: 1846 section 4, "Phase III"."""
        state = self.lift_tokens(state, name)
        state = state.pay(name, BANK, state.companies[name].cash)
        return self._minor_gone(state, name)

    def _minor_gone(self, state: State, name: str) -> State:
        """A marker of the minor is lost."""
        tokens = tuple(token.but(at=None) for token in state.companies[name].tokens)
        gone = state.companies[name].but(closed=True, floated=False, president=None, trains=(), tokens=tokens)
        return self._without_company(state.with_company(gone), name)

    # --- privates ----------------------------------------------------------------------------------------------

    def might_buy_privates(self, state: State, company: Company) -> bool:
        """Whether a private or minor of a player could be sold to the corporation, the train limit apart. Source: 1846
        section 7, "Last private step"."""
        return (
            self.decides(company)
            and company.cash >= 1
            and "corporations_may_buy_privates" in state.phase.status
            and not self.must_own_train_first(state, company)
            and any(one.owner in state.players and not one.closed for one in state.privates.values())
        )

    def price_range(self, state: State, company: Company, private: Private) -> tuple[int, int] | None:
        """Source: 1846 sections 3 and 4."""
        if not self.decides(company) or self.must_own_train_first(state, company):
            return None
        if private.name in self.facts.minors and not self.has_room(state, company):
            return None
        return super().price_range(state, company, private)

    def after_private_sold(self, state: State, private: str, old_owner: str, new_owner: str) -> State:
        """Minors join their buyer, reservations end, markers are the buyer's. Source: 1846 sections 3 and 4."""
        state = super().after_private_sold(state, private, old_owner, new_owner)
        if private in self.facts.minors:
            return self.buy_minor(state, private, new_owner)
        state = state.but(table=state.table.without_reservations(private))
        for ability in state.private_facts(private).abilities:
            if ability.kind == "assign_to_corporation" and "sale_to_a_corporation" in ability.when:
                state = self.assign(state, private, new_owner, to_hex=False)
        return state

    def close_private(self, state: State, name: str) -> State:
        return super().close_private(state, name).but(table=state.table.without_reservations(name))

    def leave_privates(self, state: State, player: str) -> State:
        """Minors close first. Source: 1846 section 16, point 4."""
        for name in self.facts.minors:
            if not state.companies[name].closed and state.companies[name].president == player:
                state = self.close_minor(state, name)
        return super().leave_privates(state, player)

    def close_all_privates(self, state: State) -> State:
        """Minors, then privates. Markers of those that a player owns leave the map. Source: 1846 sections 3 and 4."""
        for name in self.facts.minors:
            if not state.companies[name].closed:
                state = self.close_minor(state, name)
        for private in state.privates.values():
            if not private.closed and private.owner in state.players:
                state = self._without_marker(state, private.name)
        return super().close_all_privates(state)

    def closes_with_the_others(self, state: State, private: Private) -> bool:
        """The mail stays with a corporation. Source: 1846 section 3, "Phase III"."""
        ability = state.private_facts(private.name).ability("closes")
        stays = ability is not None and ability.details.get("on_phase") == "never"
        return not (stays and private.owner in state.companies)

    def close_corporation(self, state: State, name: str) -> State:
        return self._without_company(super().close_corporation(state, name), name)

    # --- phases ------------------------------------------------------------------------------------------------

    def event(self, state: State, name: str, train: str) -> State:
        """Source: 1846 section 14, phase IV."""
        if name == "remove_bonus_markers":
            return state.with_mark(ON_HEXES, {}).with_mark(OF_COMPANIES, {})
        if name == "remove_reservations":
            table = state.table
            for corporation in self.facts.corporations.values():
                for ability in corporation.abilities:
                    if ability.kind == "reserves_space":
                        table = table.without_reservations(corporation.name, HexId(str(ability.details["hex"])))
            return state.but(table=table)
        return super().event(state, name, train)

    # --- markers -----------------------------------------------------------------------------------------------

    def markers(self, state: State, company: str) -> Mapping[str, object]:
        found = {key: _markers(state, key) for key in (ON_HEXES, OF_COMPANIES)}
        return {key: table for key, table in found.items() if table}

    def hex_of_marker(self, state: State, name: str) -> str | None:
        return next((one for one, names in _markers(state, ON_HEXES).items() if name in names), None)

    def company_of_marker(self, state: State, name: str) -> str | None:
        return next((one for one, names in _markers(state, OF_COMPANIES).items() if name in names), None)

    def assign(self, state: State, name: str, target: str, *, to_hex: bool) -> State:
        """The private's marker to another hex or company."""
        key = ON_HEXES if to_hex else OF_COMPANIES
        table = _without(_markers(state, key), name)
        return state.with_mark(key, {**table, target: (*table.get(target, ()), name)})

    def _without_marker(self, state: State, name: str) -> State:
        for key in (ON_HEXES, OF_COMPANIES):
            state = state.with_mark(key, _without(_markers(state, key), name))
        return state

    def _without_company(self, state: State, name: str) -> State:
        table = {one: names for one, names in _markers(state, OF_COMPANIES).items() if one != name}
        return state.with_mark(OF_COMPANIES, table)


def _used(ability: Ability) -> str:
    return f"token in {', '.join(sorted(ability.hexes or ()))}"


def _markers(state: State, key: str) -> dict[str, tuple[str, ...]]:
    found = state.marks.get(key)
    return dict(found) if isinstance(found, Mapping) else {}


def _without(table: Mapping[str, tuple[str, ...]], name: str) -> dict[str, tuple[str, ...]]:
    left = {one: tuple(other for other in names if other != name) for one, names in table.items()}
    return {one: names for one, names in left.items() if names}


def _tables(value: object) -> tuple[Mapping[str, object], ...]:
    return tuple(one for one in value if isinstance(one, Mapping)) if isinstance(value, (list, tuple)) else ()


def _names(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, (list, tuple)) else ()
