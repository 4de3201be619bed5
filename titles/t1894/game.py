"""The rules of whole games of 1894. Source: digest 1894; what it does not name is as in COMMON."""

from __future__ import annotations

from collections.abc import Mapping

from board.hexes import SIDES, HexId, StopId
from board.tiles import Tile
from rules import trade
from rules.actions import Actor
from rules.facts import CorporationFacts, Home
from rules.game import Game
from rules.policies.track import LayPlan
from rules.prices import Cell
from rules.randomness import Draws
from rules.rounds.base import RoundKind
from rules.rounds.opening import OpeningRound
from rules.rounds.operating import OperatingRounds
from rules.rounds.stock import StockRounds
from rules.shares import IPO, POOL, Bundle, Certificate, moved
from rules.state import Company, Pending, Private, State, Token
from rules.steps.discard import DiscardTrains
from rules.steps.dividend import PayDividend
from rules.steps.pending_par import PendingPar
from rules.steps.routes import Run
from rules.steps.stock_turn import StockTurn
from rules.steps.tokens import DistantToken, PendingTokens, TokenByPrivate
from rules.steps.track import LayTrack
from rules.steps.trains import BuyTrains, GoBankrupt
from rules.steps.waterfall import WaterfallAuction
from rules.table import Kept, Table
from titles.t1894.facts import Split, facts_1894
from titles.t1894.steps import (
    BuyFerry,
    BuyPrivates1894,
    ChooseLateHome,
    DisplacedTokens,
    LayInTrackStep,
    PlaceOneToken1894,
    RedeemOrReissue,
    displaced,
)

#: The private of the French starting corporation is kept, of the two 50 F privates one is removed.
FRENCH, REMOVED = "french_starting_corporation", "removed_privates"


class Game1894(Game):
    """1894. Marks of the state: ``drawn``, the French starting corporation; ``late``, whether LF and LB may start.
    Marks of a company: ``ferry``; ``home``, the home that a late corporation chose."""

    def rounds(self) -> tuple[RoundKind, ...]:
        """Source: 1894 sections 2 to 4."""
        return (
            OpeningRound("Auction", (PendingPar(), WaterfallAuction())),
            StockRounds("Stock", (ChooseLateHome(), StockTurn())),
            OperatingRounds(
                "Operating",
                (
                    GoBankrupt(),
                    TokenByPrivate(),
                    DistantToken(),
                    LayInTrackStep(),
                    BuyPrivates1894(blocks=False),
                    BuyFerry(),
                    PendingTokens(),
                    RedeemOrReissue(),
                    LayTrack(),
                    PlaceOneToken1894(),
                    Run(),
                    PayDividend(),
                    DiscardTrains(),
                    BuyTrains(),
                    BuyPrivates1894(),
                    DisplacedTokens(),
                ),
            ),
        )

    # --- set-up ------------------------------------------------------------------------------------------------

    def set_up(self, state: State, draws: Draws) -> State:
        """The draws in their order, privates out of the game, and the free shares. Source: 1894 section 1."""
        for draw in facts_1894().draws:
            order = draws.shuffled(draw.names)
            if draw.purpose == FRENCH:
                state = state.with_mark("drawn", order[0])
                gone = {private for name, private in draw.privates.items() if name != order[0]}
            else:
                gone = {order[0]}
            state = state.but(privates={name: one for name, one in state.privates.items() if name not in gone})
        for player in self.seats:
            state = self._free_shares(state, player, facts_1894().free_percent)
        if len(self.seats) == 3:
            state = self._free_shares(state, POOL, facts_1894().pool_percent_of_three)
        return state

    def _free_shares(self, state: State, holder: str, percent: int) -> State:
        """Shares of both starting corporations, from the end of their IPO. Source: 1894 section 1."""
        for name in sorted(self.starters(state), reverse=True):
            company = state.companies[name]
            given: list[Certificate] = []
            for certificate in reversed(company.held(IPO)):
                if sum(one.percent for one in given) < percent:
                    given.append(certificate)
            state = state.with_company(company.but(holdings=moved(company.holdings, given, IPO, holder)))
        return state

    def starters(self, state: State) -> frozenset[str]:
        """The two starting corporations: Belge and the one drawn. Source: 1894 section 1."""
        return frozenset((*facts_1894().always_starts, str(state.marks["drawn"])))

    def new_company(self, facts: CorporationFacts) -> Company:
        """By option the first token that is not free costs the same for all. Source: 1894, differences, point 4."""
        company = super().new_company(facts)
        if "first_token_40" in self.options:
            paid = [place for place, token in enumerate(company.tokens) if token.price]
            if paid:
                price = facts_1894().equal_token_price
                tokens = tuple(
                    Token(price) if place == paid[0] else token for place, token in enumerate(company.tokens)
                )
                company = company.but(tokens=tokens)
        return company

    def grant_shares(self, state: State, private: str, player: str) -> State:
        """The Nord share of NMinorS is the last of the IPO and never moves the presidency. Source: 1894 section 2."""
        if private not in facts_1894().last_of_ipo:
            return super().grant_shares(state, private, player)
        ability = state.private_facts(private).ability("grants_shares")
        for name, _ in ability.shares if ability is not None else ():
            ordinary = [one for one in state.companies[name].held(IPO) if not one.president]
            if ordinary:
                bundle = Bundle(name, IPO, (ordinary[-1],), ordinary[-1].percent)
                state = trade.transfer(state, bundle, player, president_may_change=False)
        return state

    # --- shares ------------------------------------------------------------------------------------------------

    def par_values(self, state: State, company: str) -> frozenset[int] | None:
        """100 is for the starting corporations only. Source: 1894 sections 2 and 3."""
        return facts_1894().par_of_starters if company in self.starters(state) else facts_1894().par_of_all

    def may_start(self, state: State, player: str, company: str) -> str:
        """Late corporations wait for the first 5+1, and need a home. Source: 1894 sections 1 and 3."""
        if company in facts_1894().late_homes and not state.companies[company].started:
            if not state.marks.get("late"):
                phase = self.facts.corporations[company].details.get("available_from_phase")
                return f"{company} may be started from the {phase} phase on"
            if not self.late_homes(state, company):
                return f"no city has room for the home of {company}"
        return super().may_start(state, player, company)

    def after_start(self, state: State, player: str, company: str) -> State:
        """A late corporation chooses its home at once. Source: 1894 section 3."""
        if company not in facts_1894().late_homes:
            return state
        pending = Pending("late_home", Actor("player", player), company, self.late_homes(state, company))
        return state.but(pending=(*state.pending, pending))

    def sold_out(self, state: State, company: Company) -> bool:
        """Players and the corporation's own redeemed shares make 100 %. Source: 1894 section 3."""
        own = company.percent_of(company.name)
        return own + sum(company.percent_of(player) for player in state.players) == 100

    def sold_out_steps(self, state: State, company: Company) -> int:
        """One row more in the gray zone, and one more where president and corporation hold eight shares.
        Source: 1894 section 3."""
        held = company.percent_of(company.name) + company.percent_of(company.president or "")
        return 1 + self.in_gray_zone(company) + (held // company.unit >= EIGHT_SHARES)

    def in_gray_zone(self, company: Company) -> bool:
        return company.price is not None and self.facts.market.allows(company.price, "extra_step_when_sold_out")

    # --- dividends ---------------------------------------------------------------------------------------------

    def receives_for(self, company: Company, holder: str) -> str | None:
        """IPO and redeemed shares pay the corporation, the pool's nobody. Source: 1894 section 8."""
        return company.name if holder in (IPO, company.name) else None

    def price_after_dividend(self, state: State, company: Company, kind: str, revenue: int) -> Cell | None:
        """By option a price in the gray zone rises twice. Source: 1894 section 8; differences, point 1."""
        cell = super().price_after_dividend(state, company, kind, revenue)
        rises = revenue > self.kept_of(state, company, kind, revenue)
        if cell is not None and rises and "gray_extra_on_dividend" in self.options and self.in_gray_zone(company):
            return self.facts.market.step(cell, "right")
        return cell

    def after_dividend(self, state: State, company: str) -> State:
        """A major shareholding closes with the first turn of its corporation. Source: 1894 section 2."""
        return self.close_by(state, "first_operation_of_the_named_corporation", company)

    def place_home_tokens(self, state: State, name: str) -> State:
        """By option the major shareholding closes before that. Source: 1894, differences, point 3."""
        if "major_shareholding_closes_at_start" in self.options:
            state = self.close_by(state, "first_operation_of_the_named_corporation", name)
        return super().place_home_tokens(state, name)

    # --- privates ----------------------------------------------------------------------------------------------

    def income_of(self, state: State, private: Private) -> int:
        """SQG pays by the colour of its hex. Source: 1894 section 2."""
        colours = state.private_facts(private.name).details.get("income_by_tile_colour")
        if not isinstance(colours, Mapping):
            return super().income_of(state, private)
        income = colours.get(state.table.tile_at(HexId(str(colours["hex"]))).colour, private.income)
        return income if isinstance(income, int) else private.income

    def closes_with_the_others(self, state: State, private: Private) -> bool:
        """SQG stays until its own phase. Source: 1894 section 2."""
        return self._closing_phase(private.name) is None

    def enter_phase(self, state: State, name: str) -> State:
        """SQG closes when the purple phase begins. Source: 1894 section 2."""
        state = super().enter_phase(state, name)
        for private in state.privates.values():
            if not private.closed and self._closing_phase(private.name) == name:
                state = self.close_private(state, private.name)
        return state

    def _closing_phase(self, private: str) -> str | None:
        for ability in self.facts.privates[private].abilities:
            if ability.kind == "closes" and (phase := ability.details.get("on_phase")) is not None:
                return str(phase)
        return None

    # --- trains ------------------------------------------------------------------------------------------------

    def may_exchange(self, state: State, company: Company, old: str, new: str) -> bool:
        """Once in a corporation's turn. Source: 1894 section 9."""
        return not any(getattr(act, "exchange", None) is not None for act in state.round.turn.acts)

    def event(self, state: State, name: str, train: str) -> State:
        """The 5+1 opens the late corporations, the D announces the last set. Source: 1894 sections 9 and 11."""
        if name == "late_corporations_open":
            return state.with_mark("late", True)
        if name == "announce_last_set":
            return self.trigger_end(state, "final_phase")
        return super().event(state, name, train)

    # --- last set ----------------------------------------------------------------------------------------------

    def in_last_set(self, state: State) -> bool:
        """Whether the operating rounds are those after the stock round that follows the first D. Source: 1894
        section 11."""
        last = state.ending.last_turn
        return last is not None and state.turn_number >= last

    def may_lay_track(self, state: State, company: Company) -> bool:
        return not self.in_last_set(state)

    def may_place_tokens(self, state: State, company: Company) -> bool:
        return not self.in_last_set(state)

    # --- London ------------------------------------------------------------------------------------------------

    def closed_stops(self, state: State, company: str) -> frozenset[StopId]:
        """Without a ferry London does not exist for the corporation. Source: 1894 section 7."""
        if state.companies[company].marks.get("ferry"):
            return frozenset()
        return frozenset(self.london(state))

    def london(self, state: State) -> tuple[StopId, ...]:
        hex_id = facts_1894().ferry.london
        return tuple(StopId.of(hex_id, city.id) for city in state.table.tile_at(hex_id).cities)

    def reaches_london(self, state: State, company: str) -> bool:
        """Whether track leads from the corporation's tokens to London. Source: 1894 section 7."""
        return any(stop in state.table.reach(company).stops for stop in self.london(state))

    def has_route(self, state: State, company: Company) -> bool:
        """London is no stop without a ferry. The recording site counts it as one: a record is read like that.
        Source: 1894 sections 7 and 10."""
        return super().has_route(state, company) or (state.lenient and state.table.reach(company.name).route)

    def ferries_left(self, state: State) -> int:
        taken = sum(bool(company.marks.get("ferry")) for company in state.companies.values())
        return facts_1894().ferry.markers - taken

    def ferry_price(self, state: State, company: Company) -> int:
        """Cheaper for the owner of London shipping. Source: 1894 sections 2 and 7."""
        ferry = facts_1894().ferry
        private = state.privates.get(ferry.private)
        owns = private is not None and not private.closed and private.owner == company.name
        return ferry.price_for_owner if owns else ferry.price

    def markers(self, state: State, company: str) -> Mapping[str, object]:
        """The corporations with a ferry. Source: positions of 1894."""
        return {"ferry": tuple(name for name, one in state.companies.items() if one.marks.get("ferry"))}

    # --- track -------------------------------------------------------------------------------------------------

    def split_of(self, state: State, hex_id: HexId) -> Split | None:
        """What the green city on the hex splits into; None where no such tile lies. Source: 1894 section 6."""
        laid = state.table.laid.get(hex_id)
        return facts_1894().splits.get(laid.tile) if laid is not None else None

    def upgrade_fault(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> str:
        """Green cities split into two on the same sides; brown Paris keeps PLM's city. Source: 1894 section 6."""
        split = self.split_of(state, plan.hex)
        if split is not None:
            if state.phase_name == split.not_in_phase:
                return f"green cities stay green in the {split.not_in_phase} phase"
            if plan.tile not in split.tiles:
                return f"{old.id} becomes one of {', '.join(sorted(split.tiles))}"
            if split.same_exits and new.sides != old.sides:
                return "a split city keeps exactly its sides"
            return ""
        if reason := super().upgrade_fault(state, plan, old, new):
            return reason
        if plan.hex == facts_1894().two_cities:
            city = self.city_of_plm(state)
            if (
                new.colour == "brown"
                and city is not None
                and old.sides_of(city) != new.sides_of(facts_1894().kept_city)
            ):
                return f"the city of {facts_1894().kept_company} must stay on its sides"
            if self.takes_kept_place(state, old, new):
                return f"another token would take the place kept for {facts_1894().kept_company}"
        return ""

    def rotations(self, state: State, hex_id: HexId, old: Tile, tile: Tile) -> tuple[int, ...]:
        """A split need not keep the track. Source: 1894 section 6."""
        return super().rotations(state, hex_id, old, tile) if self.split_of(state, hex_id) is None else tuple(SIDES)

    def takes_kept_place(self, state: State, old: Tile, new: Tile) -> bool:
        """Whether a lay in Paris moves a token into the city in which PLM, not yet there, has its place."""
        facts, table = facts_1894(), state.table
        if all(kept.company != facts.kept_company for kept in table.kept.get(facts.two_cities, ())):
            return False
        cities = self.city_map(old, new)
        return any(
            any(tokens) and cities.get(city) == facts.kept_city
            for city, tokens in table.tokens.get(facts.two_cities, {}).items()
        )

    def city_of_plm(self, state: State) -> str | None:
        """The city of Paris that holds PLM's token, or is reserved for it."""
        facts = facts_1894()
        for city, tokens in state.table.tokens.get(facts.two_cities, {}).items():
            if facts.kept_company in tokens:
                return city
        return next(
            (
                kept.city
                for kept in state.table.kept.get(facts.two_cities, ())
                if kept.company == facts.kept_company and kept.city is not None
            ),
            None,
        )

    def after_lay(self, state: State, plan: LayPlan) -> State:
        """A split lifts the tokens and turns reservations of the city into ones of the hex; the place reserved for PLM
        is printed on the tiles of Paris. Source: 1894 section 6."""
        table = state.table
        if self.split_of(state, plan.hex) is not None:
            for city, tokens in table.tokens.get(plan.hex, {}).items():
                for name in filter(None, tokens):
                    table = table.without_token(name, StopId.of(plan.hex, city))
            kept = tuple(one._replace(city=None, slot=0) for one in table.kept.get(plan.hex, ()))
            return super().after_lay(state.but(table=table.but(kept={**table.kept, plan.hex: kept})), plan)
        state = super().after_lay(state, plan)
        if plan.hex == facts_1894().two_cities:
            return state.but(table=_printed_reservations(state.table, plan.hex))
        return state

    def tile_laid(self, state: State, plan: LayPlan, old: Tile) -> State:
        """Tokens lifted by a split: the builder's goes back at once, the others at the end of the turn. In Paris
        nothing is chosen. Source: 1894 section 6."""
        if old.colour != "green" or len(old.cities) != 1 or len(state.table.tile_at(plan.hex).cities) != 2:
            return state
        waiting = dict(displaced(state))
        for name, company in state.companies.items():
            place = next((place for place, one in enumerate(company.tokens) if one.at and one.at.hex == plan.hex), None)
            if place is None:
                continue
            tokens = tuple(one.but(at=None) if number == place else one for number, one in enumerate(company.tokens))
            state = state.with_company(company.but(tokens=tokens))
            if name == plan.company:
                pending = Pending("token", state.actor(company), name, (plan.hex,), {"place": place})
                state = state.but(pending=(*state.pending, pending))
            else:
                waiting[name] = (plan.hex, place)
        return state.with_turn(marks={**state.round.turn.marks, "displaced": waiting})

    # --- tokens ------------------------------------------------------------------------------------------------

    def may_token(self, state: State, company: str, stop: StopId) -> bool:
        """Never in London. Source: 1894 section 7."""
        return stop.hex != facts_1894().ferry.london and super().may_token(state, company, stop)

    def put_token(self, state: State, name: str, stop: StopId, *, place: int | None = None, slot: int | None = None,
                  beside: bool = False) -> State:  # fmt: skip
        """A reservation of a split hex settles in the last city with room. Source: 1894 section 6."""
        state = super().put_token(state, name, stop, place=place, slot=slot, beside=beside)
        return state.but(table=_settled(state.table, stop.hex))

    def homes(self, state: State, name: str) -> tuple[Home, ...]:
        """Where the corporation starts; of a late one, what it chose. Source: 1894 sections 3 and 12."""
        home = state.companies[name].marks.get("home")
        return (home,) if isinstance(home, Home) else super().homes(state, name)

    def late_homes(self, state: State, company: str) -> tuple[HexId, ...]:
        """Hexes that a late corporation may choose: no hex reservation, a free unreserved slot, and as long as there
        are such hexes without track only those (by option with track as well). Source: 1894 section 3; differences,
        point 8."""
        table = state.table
        free = tuple(
            hex_id
            for hex_id in facts_1894().late_homes.get(company, ())
            if not any(kept.city is None for kept in table.kept.get(hex_id, ()))
            and any(
                table.free_slot(company, StopId.of(hex_id, city.id)) is not None
                for city in table.tile_at(hex_id).cities
            )
        )
        bare = tuple(hex_id for hex_id in free if table.tile_at(hex_id).colour == "white")
        return free if not bare or "late_home_with_track" in self.options else bare

    def with_late_home(self, state: State, company: str, hex_id: HexId) -> State:
        """The chosen home, with its place reserved. Source: 1894 section 3."""
        table = state.table
        cities = table.tile_at(hex_id).cities
        slots = {city.id: table.free_slot(company, StopId.of(hex_id, city.id)) for city in cities}
        free = [city for city, slot in slots.items() if slot is not None]
        city: str | None = free[0]
        if len(cities) > 1:
            if hex_id == facts_1894().two_cities:
                city = next((one for one in free if one != facts_1894().kept_city), free[0])
            elif len(free) > 1:
                city = None
        slot = slots[city] if city is not None else None
        state = state.but(table=table.with_reservation(hex_id, Kept(company, city, slot or 0)))
        return state.with_company(state.companies[company].with_mark("home", Home(hex_id, city)))


#: President's and redeemed shares that bring a further step. Source: 1894 section 3.
EIGHT_SHARES = 8


def _printed_reservations(table: Table, hex_id: HexId) -> Table:
    """On every tile of Paris the place kept for PLM is in its city; another home reserved there goes to the other."""
    facts = facts_1894()
    other = next(city.id for city in table.tile_at(hex_id).cities if city.id != facts.kept_city)
    places = table.kept.get(hex_id, ())
    if all(kept.company != facts.kept_company for kept in places):
        return table
    kept = tuple(one._replace(city=facts.kept_city if one.company == facts.kept_company else other) for one in places)
    return table.but(kept={**table.kept, hex_id: kept})


def _settled(table: Table, hex_id: HexId) -> Table:
    """A reservation of the hex as a whole becomes one of the only city that still has room."""
    waiting = [kept for kept in table.kept.get(hex_id, ()) if kept.city is None]
    for kept in waiting:
        slots = {
            city.id: slot
            for city in table.tile_at(hex_id).cities
            if (slot := table.free_slot(kept.company, StopId.of(hex_id, city.id))) is not None
        }
        if len(slots) == 1:
            ((city, slot),) = slots.items()
            places = tuple(Kept(one.company, city, slot) if one == kept else one for one in table.kept[hex_id])
            table = table.but(kept={**table.kept, hex_id: places})
    return table
