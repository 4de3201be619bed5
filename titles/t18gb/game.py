"""The rules of whole games of 18GB. Source: digest 18GB; what it does not name is as in COMMON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from board.errors import Fault
from board.hexes import HexId, StopId
from board.tiles import Tile
from rules import trade
from rules.facts import Ability, GameFacts
from rules.game import Game, Scorer
from rules.policies.track import LayPlan
from rules.policies.trains import Offer
from rules.prices import Cell
from rules.randomness import Draws
from rules.rounds.base import RoundKind
from rules.rounds.opening import OpeningRound
from rules.rounds.operating import OperatingRounds
from rules.rounds.stock import StockRounds
from rules.shares import IPO, POOL, Bundle, Certificate, moved
from rules.state import BANK, Company, OperatingRound, Private, State, StockRound, Token
from rules.steps.discard import DiscardTrains
from titles.load import read_toml
from titles.t18gb.facts import (
    ENDS_WITH_LAST_TRAIN_ON_SALE,
    FIFTH,
    HILLS_BY_SECTION,
    LAST_TRAINS,
    MOST_FROM_IPO,
    OBSOLETE_ONCE_MORE,
    ONLY_UNSTARTED_CHANGE,
    OPEN_PRIVATES_ALWAYS_BLOCK,
    OPENED,
    OPENER,
    SCORE_WITHOUT_PRIVATES,
    TENTH,
)
from titles.t18gb.steps import (
    BuyConvertedShare,
    BuyTrains18GB,
    CloseByOwner,
    LayByClosedPrivate,
    PayDividend18GB,
    RunOrLease,
    SimultaneousAuction,
    StockTurn18GB,
    TokenByClosedPrivate,
    TrackAndToken18GB,
)


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


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(one for one in value if isinstance(one, int)) if isinstance(value, (list, tuple)) else ()


def _names(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, (list, tuple)) else ()


class Game18GB(Game):
    """18GB."""

    def __init__(
        self,
        facts: GameFacts,
        seats: Sequence[str],
        *,
        names: Mapping[str, str] | None = None,
        seed: int = 0,
        options: frozenset[str] = frozenset(),
        scorer: Scorer | None = None,
    ) -> None:
        if OBSOLETE_ONCE_MORE in options:
            trains = {
                name: replace(train, rusts_on=None, obsolete_on=train.rusts_on) for name, train in facts.trains.items()
            }
            facts = replace(facts, trains=trains)
        super().__init__(facts, seats, names=names, seed=seed, options=options, scorer=scorer)

    def rounds(self) -> tuple[RoundKind, ...]:
        """Source: 18GB section 6; excess trains of an earlier turn are given up after the dividend."""
        return (
            OpeningRound("Auction", (SimultaneousAuction(),)),
            StockRounds("Stock", (CloseByOwner(), DiscardTrains(), StockTurn18GB())),
            OperatingRounds(
                "Operating",
                (
                    CloseByOwner(),
                    LayByClosedPrivate(),
                    TokenByClosedPrivate(),
                    TrackAndToken18GB(),
                    RunOrLease(),
                    PayDividend18GB(),
                    DiscardTrains(),
                    BuyTrains18GB(),
                    BuyConvertedShare(),
                ),
            ),
        )

    # --- set-up ------------------------------------------------------------------------------------------------

    @property
    def scenario(self) -> Mapping[str, object]:
        found = self.facts.setup["scenario"]
        assert isinstance(found, Mapping)
        return found

    def set_up(self, state: State, draws: Draws) -> State:
        """The drawn corporation, tiers, home tokens; nothing is kept for who is not in play. Source: 18GB section 1."""
        candidates = _names(self.scenario.get("one_drawn_from"))
        drawn = draws.shuffled(candidates)[:1]
        in_play = {*_names(self.scenario.get("corporations")), *drawn}
        names = [name for name in self.facts.corporations if name in in_play]
        state = state.but(companies={name: state.companies[name] for name in names})
        table = state.table
        for name in {one.company for places in table.kept.values() for one in places} - {*names, *state.privates}:
            table = table.without_reservations(name)
        state = state.but(table=table)
        second = [name for name in draws.shuffled(names) if name != OPENED]
        number = self.scenario.get("tier_2_count")
        for name in second[: number if isinstance(number, int) else 0]:
            state = state.with_company(state.companies[name].with_mark("tier", 2))
        for name in names:
            for home in self.homes(state, name):
                state = self.put_token(state, name, StopId.of(home.hex, home.city or "c0"))
        return state

    def order_after_opening(self, state: State) -> tuple[str, ...]:
        """Who has least money starts; among equals who has more privates; then seats. Source: 18GB section 2."""
        return tuple(
            sorted(self.seats, key=lambda player: (state.players[player].cash, -len(state.privates_of(player))))
        )

    # --- privates ----------------------------------------------------------------------------------------------

    def is_used_up(self, private: Private) -> bool:
        """Whether the owner has closed it; its ability stands. Source: 18GB section 3."""
        return bool(private.marks.get("closed_by_owner"))

    def may_close_private(self, state: State, private: Private) -> bool:
        """At any time in operating rounds, and in stock rounds from the second on. Source: 18GB section 3."""
        if private.owner not in state.players or private.closed or self.is_used_up(private):
            return False
        return isinstance(state.round, OperatingRound) or (
            isinstance(state.round, StockRound) and state.turn_number > 1
        )

    def close_by_owner(self, state: State, name: str) -> State:
        """The last income, then neither income nor value; the ability starts. Source: 18GB section 3."""
        private = state.privates[name]
        if private.owner is not None:
            state = state.pay(BANK, private.owner, self.income_of(state, private))
        marks = {**private.marks, "closed_by_owner": True}
        return state.with_private(private.but(income=0, value=0, marks=marks))

    def closed_hexes(self, state: State, builder: str) -> frozenset[HexId]:
        """Hexes of open privates, until blue tiles are out. Source: 18GB section 3."""
        if "blue" in state.phase.tile_colours and OPEN_PRIVATES_ALWAYS_BLOCK not in self.options:
            return frozenset()
        return frozenset(
            hex_id
            for private in state.privates.values()
            if private.owner is not None and not private.closed and not self.is_used_up(private)
            for hex_id in state.private_facts(private.name).blocks
        )

    def enter_phase(self, state: State, name: str) -> State:
        """With blue tiles the slots kept for privates are free. Source: 18GB section 3, GN and MC."""
        before = state.phase
        state = super().enter_phase(state, name)
        if "blue" in state.phase.tile_colours and "blue" not in before.tile_colours:
            table = state.table
            for private in state.privates:
                table = table.without_reservations(private)
            state = state.but(table=table)
        return state

    # --- kinds of company --------------------------------------------------------------------------------------

    def converted(self, state: State, name: str, drop: int) -> State:
        """A 5-share company becomes a 10-share company. Source: 18GB sections 5, 9 and 10.

        Of a company that has floated the new shares go to the pool, the price falls and the bank pays five times the
        new price; of another one they join the IPO.
        """
        company, facts = state.companies[name], state.facts_of(name)
        holdings = {
            holder: tuple(one._replace(percent=one.percent // 2) for one in certificates)
            for holder, certificates in company.holdings.items()
        }
        number = sum(len(certificates) for certificates in holdings.values())
        percents = _numbers(facts.details.get("shares_after_conversion"))
        fresh = tuple(Certificate(place, percents[place]) for place in range(number, len(percents)))
        target = POOL if company.floated else IPO
        holdings[target] = (*holdings.get(target, ()), *fresh)
        tokens = tuple(Token(price) for price in _numbers(facts.details.get("tokens_added_on_conversion")))
        state = state.with_company(company.but(holdings=holdings, unit=TENTH, tokens=(*company.tokens, *tokens)))
        if not company.floated or company.price is None:
            return state
        cell = self.facts.market.move(company.price, "left", drop)
        state = self.moving_price(state.because(f"{name} becomes a 10-share company"), name, cell)
        return state.pay(BANK, name, len(fresh) * state.price_of(state.companies[name]))

    def may_convert(self, state: State, player: str, company: Company) -> bool:
        """Whether the player may convert it as the start of a stock turn. Source: 18GB section 5."""
        return (
            company.president == player
            and company.unit == FIFTH
            and company.floated
            and company.operated
            and not company.closed
        )

    def may_convert_in_emergency(self, state: State, company: Company) -> bool:
        """A 5-share company without a train that cannot pay for the cheapest one. Source: 18GB section 9."""
        cheapest = self.cheapest_bank_train(state)
        return (
            company.unit == FIFTH and not company.trains and cheapest is not None and company.cash < cheapest[1]
        )  # fmt: skip

    def converted_now(self, state: State) -> str | None:
        """The company converted in this turn."""
        found = state.round.turn.marks.get("converted")
        return found if isinstance(found, str) else None

    def train_limit(self, state: State, company: Company) -> int:
        limit = state.phase.train_limit
        if isinstance(limit, dict):
            return limit["5-share" if company.unit == FIFTH else "10-share"]
        return super().train_limit(state, company)

    def event(self, state: State, name: str, train: str) -> State:
        """What happens to companies that have not floated. Source: 18GB sections 4 and 10."""
        if name == "unfloated_need_60_percent":
            for company in state.companies.values():
                if not company.floated:
                    state = state.with_company(company.but(float_percent=60))
        elif name == "unfloated_become_10_share":
            for company in tuple(state.companies.values()):
                if self.concerned(company) and company.unit == FIFTH:
                    state = self.converted(state.with_company(company.but(float_percent=60)), company.name, 0)
        elif name == "remove_unfloated":
            for company in tuple(state.companies.values()):
                if self.concerned(company):
                    state = self.removed(state, company, train)
        else:
            return super().event(state, name, train)
        return state

    def concerned(self, company: Company) -> bool:
        """Whether the events for companies that have not floated concern it: by option only those not started.
        Source: 18GB, "Where the sources differ" 17."""
        if company.closed or company.floated:
            return False
        return not company.started or ONLY_UNSTARTED_CHANGE not in self.options

    def removed(self, state: State, company: Company, train: str) -> State:
        """The company out of the game, and a train of this kind with it; its home token stays and blocks."""
        state = state.with_company(company.but(closed=True, holdings={}, president=None, receivership=False))
        last = next((one for one in reversed(state.depot.upcoming) if one.rpartition("-")[0] == train), None)
        return self.taken_from_depot(state, last) if last is not None else state

    # --- starting and floating ---------------------------------------------------------------------------------

    def may_start(self, state: State, player: str, company: str) -> str:
        """Tier 2 waits for the second stock round; LNWR belongs to the owner of LB. Source: 18GB sections 1 and 3."""
        if reason := super().may_start(state, player, company):
            return reason
        return self.tier_fault(state, company) or self.opener_fault(state, player, company)

    def tier_fault(self, state: State, company: str) -> str:
        """Why the tier of the company stands in the way of starting it. Source: 18GB section 1."""
        if state.companies[company].marks.get("tier") == 2 and state.turn_number < 2:
            return f"{company} is of tier 2 and may be started from the second stock round"
        return ""

    def opener_fault(self, state: State, player: str, company: str) -> str:
        """Why LB stands in the way of starting the company or buying shares of it. Source: 18GB section 3, LB."""
        opened, opener = state.companies.get(OPENED), state.privates.get(OPENER)
        if opened is None or opener is None or opened.started or opened.closed or opener.owner is None:
            return ""
        if company == OPENED and opener.owner != player:
            return f"only {state.called(opener.owner)}, who owns {OPENER}, may start {OPENED}"
        if company != OPENED and opener.owner == player:
            return f"who owns {OPENER} starts {OPENED} before buying shares of another company"
        return ""

    def on_float(self, state: State, company: str) -> State:
        """A 10-share company puts the rest of the IPO into the pool. Source: 18GB section 4."""
        state = super().on_float(state, company)
        found = state.companies[company]
        if found.unit == TENTH and found.held(IPO):
            holdings = moved(found.holdings, found.held(IPO), IPO, POOL)
            state = state.with_company(found.but(holdings=holdings))
        return state

    def moving_price(self, state: State, company: str, cell: Cell) -> State:
        """There is no fixed IPO price: the price of the IPO moves with the marker. Source: 18GB section 4."""
        state = super().moving_price(state, company, cell)
        found = state.companies[company]
        if found.started:
            state = state.with_company(found.but(par=state.price_of(found)))
        return state

    # --- shares ------------------------------------------------------------------------------------------------

    def may_hold(self, state: State, player: str, company: Company, more: int, source: str) -> bool:
        """60 % from the IPO, without limit from the pool. Source: 18GB section 4."""
        return source != IPO or company.percent_of(player) + more <= MOST_FROM_IPO

    def several_purchases(self, state: State, player: str, company: Company, source: str) -> int:
        """Two for who was director when the turn began. Source: 18GB section 5."""
        directed = state.round.turn.marks.get("directed")
        if isinstance(directed, frozenset) and company.name not in directed:
            return 1
        return super().several_purchases(state, player, company, source)

    def may_buy_now(self, state: State, player: str, company: Company, source: str) -> str:
        return super().may_buy_now(state, player, company, source) or self.opener_fault(state, player, company.name)

    def cost_of(self, state: State, buyer: str, bundle: Bundle) -> int:
        """The director's certificate from the pool costs one share: another one is given for it. Source: 18GB 5."""
        company = state.companies[bundle.company]
        if bundle.president is not None and bundle.owner == POOL:
            return self.unit_price(state, company, POOL)
        return super().cost_of(state, buyer, bundle)

    def sale_value(self, state: State, bundle: Bundle) -> int:
        """Half price, rounded down for each share, without a train. Source: 18GB section 5, "Half value"."""
        company = state.companies[bundle.company]
        if company.trains:
            return super().sale_value(state, bundle)
        return state.price_of(company) // 2 * (bundle.percent // company.unit)

    def holding_value(self, state: State, player: str, company: Company) -> int:
        """Half price, rounded down for each certificate, without a train. Source: 18GB section 11."""
        if company.trains:
            return super().holding_value(state, player, company)
        price = state.price_of(company)
        return sum(price * one.percent // company.unit // 2 for one in company.held(player))

    def value_of(self, state: State, player: str) -> int:
        """Open privates count at their face value; by option they do not. Source: 18GB section 11."""
        value = super().value_of(state, player)
        if SCORE_WITHOUT_PRIVATES in self.options:
            value -= sum(private.value for private in state.privates_of(player))
        return value

    def after_sale(self, state: State, bundle: Bundle, was_president: bool) -> State:
        """With gray tiles only sales by the director lower the price. Source: 18GB section 5."""
        if "only_president_sales_lower_the_price" in state.phase.status and not was_president:
            return state
        return super().after_sale(state, bundle, was_president)

    def may_give_up_presidency(self, state: State, bundle: Bundle) -> bool:
        """The whole director's certificate always; part of it if change can be given, from ordinary shares in the pool
        or by another player with more than 10 %. Source: 18GB section 5."""
        if not bundle.surplus:
            return True
        company = state.companies[bundle.company]
        needed = bundle.surplus // company.unit
        if sum(not one.president for one in company.held(POOL)) >= needed:
            return True
        others = [player for player in state.players if player != bundle.owner]
        if any(company.percent_of(player) >= company.president_percent for player in others):
            return True
        change = sum(not one.president for one in bundle.certificates)
        return change >= needed and any(company.percent_of(player) > 10 for player in others)

    def settle_presidency(self, state: State, bundle: Bundle, to: str, before: str | None) -> State:
        """As usual; the director's certificate in the pool and nobody to take it is receivership, which ends when
        a player holds enough. Source: 18GB section 5."""
        company = state.companies[bundle.company]
        held = {player: company.percent_of(player) for player in state.players}
        if bundle.surplus and bundle.owner in held:
            held[bundle.owner] += bundle.surplus
        most = max(held.values())
        if bundle.president is not None and to == POOL and most < company.president_percent:
            return self.no_president(state, bundle, to, before or "")
        if company.receivership and before is None:
            if to in held and held[to] == most >= company.president_percent:
                return trade.pass_presidency(state, bundle, to, POOL, to)
            return state
        return super().settle_presidency(state, bundle, to, before)

    def no_president(self, state: State, bundle: Bundle, to: str, before: str) -> State:
        """Receivership; without a train and the money for one the company is insolvent at once. Source: 18GB 9."""
        company = state.companies[bundle.company]
        if to != POOL or bundle.president is None:
            return state
        state = state.with_company(company.but(president=None, receivership=True))
        return self.insolvent_at_once(state, company.name)

    def takes_over(self, state: State, player: str, bundle: Bundle) -> State:
        """The director's certificate bought from the pool by a player with one certificate, who pays for one share and
        gives that certificate. Source: 18GB section 5."""
        given = state.companies[bundle.company].held(player)
        state = trade.buy(state, player, bundle)
        company = state.companies[bundle.company]
        holdings = moved(company.holdings, given, player, POOL)
        return state.with_company(company.but(holdings=holdings, president=player, receivership=False))

    # --- insolvency --------------------------------------------------------------------------------------------

    def insolvent(self, company: Company) -> bool:
        """Whether the company ended its last turn without a train. Source: 18GB section 9."""
        return bool(company.marks.get("insolvent"))

    def insolvent_at_once(self, state: State, name: str) -> State:
        """A company in receivership without a train and without the money for one. Source: 18GB section 9."""
        company, cheapest = state.companies[name], self.cheapest_bank_train(state)
        if company.receivership and company.floated and not company.trains and cheapest and company.cash < cheapest[1]:
            return state.with_company(company.with_mark("insolvent", True))
        return state

    def before_operating_turn(self, state: State, company: str) -> State:
        return self.insolvent_at_once(state, company)

    def after_operating_turn(self, state: State, company: str) -> State:
        """Insolvent is who ends a turn without a train. Source: 18GB section 9."""
        found = state.companies[company]
        if self.insolvent(found) != (not found.trains):
            state = state.with_company(found.with_mark("insolvent", not found.trains))
        return state

    def may_lay_track(self, state: State, company: Company) -> bool:
        return not self.insolvent(company) and not company.receivership

    def may_place_tokens(self, state: State, company: Company) -> bool:
        """Not while insolvent or in receivership, and not with the last trains. Source: 18GB section 6."""
        return self.may_lay_track(state, company) and not state.marks.get("no_more_tokens")

    def runnable(self, state: State, company: Company) -> tuple[str, ...]:
        """An insolvent company runs the cheapest train of the bank, if there is one. Source: 18GB section 9."""
        if not company.trains and self.insolvent(company):
            cheapest = self.cheapest_bank_train(state)
            return (cheapest[0],) if cheapest is not None else ()
        return super().runnable(state, company)

    # --- dividends ---------------------------------------------------------------------------------------------

    def dividend_kinds(self, state: State, company: Company) -> tuple[str, ...]:
        """Insolvent companies and those in receivership withhold. Source: 18GB section 9."""
        if self.insolvent(company) or company.receivership:
            return ("withhold",)
        return super().dividend_kinds(state, company)

    def receives_for(self, company: Company, holder: str) -> str | None:
        """The IPO's shares pay the company, the pool's nobody. Source: 18GB section 9."""
        return company.name if holder in (IPO, company.name) else None

    def price_after_dividend(self, state: State, company: Company, kind: str, revenue: int) -> Cell | None:
        """A step for each time that the payout covers the price, one to four. Source: 18GB section 9."""
        if company.price is None:
            return None
        paid = revenue - self.kept_of(state, company, kind, revenue)
        if paid <= 0:
            return self.facts.market.step(company.price, "left")
        return self.facts.market.move(company.price, "right", max(1, min(4, paid // state.price_of(company))))

    # --- track -------------------------------------------------------------------------------------------------

    def early_tiles(self, state: State, company: Company) -> Iterator[Ability]:
        """Green tiles that the company may lay instead of yellow: at its home by itself, and where it has the token of
        a private. Source: 18GB section 7, "Early green home"."""
        for ability in self.company_facts(company.name).abilities:
            if ability.kind == "lay_tile":
                yield ability
        privates = company.marks.get("tokens_of")
        if isinstance(privates, tuple):
            for name in privates:
                early = self.facts.privates[name].ability("early_tiles_after_token")
                if early is not None:
                    yield early

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
        if self.reach(state, plan.company).sides.get(plan.hex, frozenset()) & new.sides:
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

    # --- trains ------------------------------------------------------------------------------------------------

    def company_offers(self, state: State, company: Company) -> Iterator[Offer]:
        """None while a purchase from the bank is due after an emergency conversion. Source: 18GB section 9."""
        if self.converted_now(state) == company.name and self.must_buy_train(state, company):
            return iter(())
        return super().company_offers(state, company)

    def may_be_traded(self, state: State, buyer: Company, seller: Company, train: str) -> bool:
        """Not from receivership; not the last one of another company by a company with a train. Source: 18GB 9."""
        return not seller.receivership and (len(seller.trains) > 1 or not buyer.trains)

    def must_buy_train(self, state: State, company: Company) -> bool:
        """Without a train, and rich enough for the dearest that the bank offers. Source: 18GB section 9."""
        prices = [state.train_facts(train).price for train in self.on_sale(state)]
        return not company.trains and bool(prices) and company.cash >= max(prices)

    def president_helps(self, state: State, company: Company) -> bool:
        """No player ever adds money. Source: 18GB section 9."""
        return False

    def after_train_purchase(self, state: State, company: str, train: str, seller: str) -> State:
        """Notes that the bank sold a train in this round: nothing is exported then. Source: 18GB section 6."""
        if seller == BANK:
            state = state.with_round(marks={**state.round.marks, "bank_sold": True})
        return super().after_train_purchase(state, company, train, seller)

    def after_operating_round(self, state: State) -> State:
        """The export, the last tokens, the last train. Source: 18GB section 6."""
        if not state.round.marks.get("bank_sold") and state.depot.upcoming:
            train = state.depot.upcoming[0]
            state = self.taken_from_depot(state, train)
            state = self.bought_from_bank(state, state.face_of(train))
        left = len(state.depot.upcoming)
        if left <= (1 if ENDS_WITH_LAST_TRAIN_ON_SALE in self.options else 0):
            return self.trigger_end(state, "final_train")
        return state.with_mark("no_more_tokens", True) if left <= LAST_TRAINS else state
