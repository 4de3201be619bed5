"""The rules of whole games of 1833NE. Source: digest 1833NE; what it does not name is as in COMMON.

Marks of the state: ``new_ferry``, ``last_ferry`` and ``luxury_ferry``, names of ferries; ``sold_ferries``, all that
were sold. Marks of a company: ``ferries``, names of its ferries; ``absorbed``, how many corporations it took over.
Marks of a private: ``bought``, the round in which a corporation bought it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from board.hexes import HexId, StopId
from board.position import Position, PrivateState
from board.tiles import Tile
from board.trains import StopKind
from rules.actions import Action, RunRoutes
from rules.facts import GameFacts, TrainFace
from rules.policies.track import LayPlan
from rules.prices import Cell
from rules.randomness import Draws
from rules.reach import Reach
from rules.rounds.base import RoundKind
from rules.rounds.opening import OpeningRound
from rules.rounds.operating import OperatingRounds
from rules.rounds.stock import StockRounds
from rules.state import BANK, Company, Depot, Pending, Private, State, Token
from rules.steps.discard import DiscardTrains
from rules.steps.dividend import PayDividend
from rules.steps.emergency_issue import BuyTrainsAfterIssue
from rules.steps.joint_lays import forfeit
from rules.steps.routes import Run
from rules.table import Kept
from rules.treasury import TreasuryGame
from titles.t1833ne.bonus_table import known_table
from titles.t1833ne.facts import (
    ADDITIVE_COST,
    FERRY_ANYWHERE,
    FROM_PRESIDENT,
    HOME_BY_PRESIDENT,
    HOMES_OPEN,
    ISSUE_LATE,
    KNOWN_FERRY,
    SHARED,
    TAKEOVER,
    facts_1833ne,
    facts_for,
)
from titles.t1833ne.steps import (
    FREE_HOME,
    Auction1833NE,
    BuyPrivates1833NE,
    ChooseFreeHome,
    GoBankrupt1833NE,
    IssueFirst,
    LayByPrivate1833NE,
    LayTrack1833NE,
    NameLuxuryFerry,
    PlaceOneToken1833NE,
    StockTurn1833NE,
    TrackTokenFerry,
)
from titles.t1833ne.takeover import AnswerTakeover, ChoosePayment, TakeoverRounds, TryTakeover

#: What the table of ends calls a bankruptcy that leaves one player.
_ENDS: Final[Mapping[str, str]] = {"bankrupt": "one_solvent_player"}


class Game1833NE(TreasuryGame):
    """1833NE, standard and Takeover."""

    @staticmethod
    def facts_under(facts: GameFacts, options: frozenset[str]) -> GameFacts:
        return facts_for(facts, options)

    def rounds(self) -> tuple[RoundKind, ...]:
        """Source: 1833NE sections 2, 5, 6 and 14."""
        return (
            OpeningRound("Auction", (Auction1833NE(),)),
            StockRounds("Stock", (ChooseFreeHome(), StockTurn1833NE())),
            OperatingRounds(
                "Operating",
                (
                    LayByPrivate1833NE(),
                    GoBankrupt1833NE(),
                    NameLuxuryFerry(),
                    BuyPrivates1833NE(blocks=False),
                    IssueFirst(),
                    TrackTokenFerry(LayTrack1833NE(), PlaceOneToken1833NE()),
                    Run(),
                    PayDividend(),
                    DiscardTrains(),
                    BuyTrainsAfterIssue(),
                    BuyPrivates1833NE(),
                ),
            ),
            TakeoverRounds("Takeover", (ChoosePayment(), AnswerTakeover(), DiscardTrains(), TryTakeover())),
        )

    # --- rounds ------------------------------------------------------------------------------------------------

    def next_round(self, state: State) -> State:
        """After the second operating round takeovers, from phase II on. Source: 1833NE section 14."""
        if state.kind.role == "operating" and state.round.number >= state.set_length and self.takeovers(state):
            return self.begin_round(state, "Takeover", 1)
        if state.kind.role == "takeover":
            return self.begin_round(state.but(turn_number=state.turn_number + 1), "Stock", 1)
        return super().next_round(state)

    def takeovers(self, state: State) -> bool:
        return TAKEOVER in self.options and state.phase_name != self.first_phase

    @property
    def first_phase(self) -> str:
        return next(iter(self.facts.edition.phases))

    # --- set-up ------------------------------------------------------------------------------------------------

    def set_up(self, state: State, draws: Draws) -> State:
        """Nothing is drawn. A slot that is kept from a tile on is not kept before. Source: 1833NE section 4."""
        table = state.table
        for printed in self.facts.edition.map:
            for one in printed.reservations:
                if one.since is not None and one.city is None:
                    table = table.without_reservations(one.company, printed.id)
        return state.but(table=table)

    # --- starting ----------------------------------------------------------------------------------------------

    def is_free_home(self, company: str) -> bool:
        """Whether the corporation chooses its home when it is started. Source: 1833NE section 4."""
        return not self.facts.corporations[company].homes

    def may_start(self, state: State, player: str, company: str) -> str:
        if self.is_free_home(company) and state.phase_name == self.first_phase:
            return f"{company} may be started from the second phase on"
        if reason := super().may_start(state, player, company):
            return reason
        if not self.is_free_home(company) and not self._home_is_free(state, company):
            return f"the home of {company} has no free slot"
        return ""

    def _home_is_free(self, state: State, company: str) -> bool:
        return all(
            any(
                state.table.free_slot(company, stop) is not None
                for stop in self.home_stops(state, company, home.hex, home.city)
            )
            for home in self.homes(state, company)
        )

    def par_cells(self, state: State, company: str) -> tuple[Cell, ...]:
        """Those at which there is a home that the corporation may have. Source: 1833NE section 4."""
        cells = super().par_cells(state, company)
        if company not in self.facts.corporations or not self.is_free_home(company):
            return cells
        if state.phase_name == self.first_phase or state.companies[company].started:
            return ()
        prices = [self.home_price(state, stop) for stop in self.free_homes(state, company)]
        return tuple(
            cell for cell in cells if any(price < facts_1833ne().late_price or self._dear(cell) for price in prices)
        )

    def _dear(self, cell: Cell) -> bool:
        return self.facts.market.price(cell) >= facts_1833ne().late_lowest

    def free_homes(self, state: State, company: str) -> tuple[StopId, ...]:
        """Free slots that nobody has reserved, and no home of a corporation that may still be started. Source: 1833NE
        section 4."""
        waiting = {
            home.hex
            for name, facts in self.facts.corporations.items()
            for home in facts.homes
            if HOMES_OPEN in self.options and not state.companies[name].started and not state.companies[name].closed
        }
        return tuple(
            stop
            for hex_id in sorted(state.table.layout)
            if hex_id not in waiting
            for city in state.table.tile_at(hex_id).cities
            if self.may_token(state, company, stop := StopId.of(hex_id, city.id))
        )

    def home_price(self, state: State, stop: StopId) -> int:
        """What the home token of a corporation of free home costs there. Source: 1833NE section 4."""
        tile = state.table.tile_at(stop.hex)
        facts = facts_1833ne()
        return facts.late_price_bare if tile.colour == "gray" or not tile.track else facts.late_price

    def homes_within(self, state: State, company: str) -> tuple[StopId, ...]:
        """The homes that the starting price allows and that can be paid."""
        found = state.companies[company]
        dear = found.price is not None and self._dear(found.price)
        money = state.cash_of(self.payer_of_home(state, company, found.president))
        return tuple(
            stop
            for stop in self.free_homes(state, company)
            if (price := self.home_price(state, stop)) <= money and (dear or price < facts_1833ne().late_price)
        )

    def after_start(self, state: State, player: str, company: str) -> State:
        """A corporation of free home chooses it at once."""
        state = super().after_start(state, player, company)
        if self.is_free_home(company):
            pending = Pending(FREE_HOME, state.actor(state.companies[company]), company)
            state = state.but(pending=(*state.pending, pending))
        return state

    def payer_of_home(self, state: State, company: str, president: str | None) -> str:
        """The treasury, by option the president. Source: 1833NE section 4, SOURCES.md."""
        return president if HOME_BY_PRESIDENT in self.options and president is not None else company

    # --- issuing -----------------------------------------------------------------------------------------------

    def may_issue(self, state: State, company: Company) -> bool:
        """The first step of the turn. Source: 1833NE section 6, point 1."""
        return super().may_issue(state, company) and not self.has_begun(state)

    def has_begun(self, state: State) -> bool:
        """Whether the corporation has built or run in its turn, so that it is too late to issue; never by option."""
        turn = state.round.turn
        if ISSUE_LATE in self.options:
            return False
        built = turn.tokened or turn.marks.get("ferry") or any(not lay.extra for lay in turn.lays)
        return bool(built) or any(isinstance(act, RunRoutes) for act in turn.acts)

    # --- track -------------------------------------------------------------------------------------------------

    def held_back(self, state: State, company: str) -> HexId | None:
        """The hex that must be upgraded before Boston & Lowell runs, while no corporation has bought Lowell Merchants.
        Source: 1833NE section 3, P2."""
        for name, facts in self.facts.privates.items():
            ability = facts.ability("restricts_corporation")
            if ability is not None and company in ability.corporations:
                bought = state.privates[name].owner in state.companies
                return None if bought else HexId(str(ability.details["until_upgraded"]))
        return None

    def may_lay_track(self, state: State, company: Company) -> bool:
        """Not in receivership, and Boston & Lowell not in phase I while it is held back. Source: 1833NE sections 3 and
        12."""
        if not self.decides(company):
            return False
        return state.phase_name != self.first_phase or self.held_back(state, company.name) is None

    def may_place_tokens(self, state: State, company: Company) -> bool:
        return self.decides(company)

    def terrain_cost(self, state: State, plan: LayPlan, old: Tile) -> int:
        """By option the least cost is paid beside the terrain. Source: 1833NE section 6 and differences, point 7."""
        cost = super().terrain_cost(state, plan, old)
        return cost + self.facts.settings.minimum_tile_cost if ADDITIVE_COST in self.options else cost

    def upgrade_fault(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> str:
        """The tile for Cape Cod lies on the hex there, which bears no label, and a brown one without on Manchester.
        Source: SOURCES.md."""
        if self.facts.edition.other_labels.get(plan.tile) == plan.hex:
            old = replace(old, label=new.label)
        return super().upgrade_fault(state, plan, old, new)

    def track_fault(self, old: Tile, new: Tile) -> str:
        """The sea side of Boston and Portland keeps its place as long as there is one. Source: COMMON section 7, 3."""
        seas = [part for part in old.parts if part.kind is StopKind.OFF_BOARD]
        after = [part for part in new.parts if part.kind is StopKind.OFF_BOARD]
        for sea, other in zip(seas, after, strict=False):
            if not old.sides_of(sea.id) <= new.sides_of(other.id):
                return "the sea side would move"
        return super().track_fault(old, new)

    def closed_stops(self, state: State, company: str) -> frozenset[StopId]:
        """Sea sides are no stops; the exit of P6 is open to its owner alone. Source: 1833NE sections 3 and 7."""
        closed = set()
        for hex_id in known_table().sea:
            closed |= set(_off_board(state, hex_id))
        for name, facts in self.facts.privates.items():
            ability = facts.ability("exclusive_access")
            private = state.privates[name]
            if ability is not None and (private.closed or private.owner != company):
                for hex_id in ability.hexes or ():
                    closed |= set(_off_board(state, hex_id))
        return frozenset(closed)

    def reach(self, state: State, company: str) -> Reach:
        """Exits of P4 and P6 are like tokens of their corporation. Source: 1833NE section 3."""
        closed = self.closed_stops(state, company)
        exits = tuple(
            stop
            for private in state.privates_of(company)
            if (ability := state.private_facts(private.name).ability("acts_as_token")) is not None
            for hex_id in sorted(ability.hexes or ())
            for stop in _off_board(state, hex_id)
        )
        if not exits:
            return state.table.reach(company, closed=closed)
        return state.table.reach(company, closed=closed, roots=(*state.table.stops_of(company), *exits))

    def tile_laid(self, state: State, plan: LayPlan, old: Tile) -> State:
        """The shared token comes with the yellow tile, a slot that is kept from a tile on is kept now. Source: 1833NE
        section 4."""
        state = super().tile_laid(state, plan, old)
        colour = state.table.tile_at(plan.hex).colour
        reservations = self.facts.edition.map.hexes[plan.hex].reservations
        shared = [one.company for one in reservations if one.reason == SHARED and one.since == f"{colour} tile"]
        for company in shared:
            state = self._share_token(state, company, plan.hex)
        for one in reservations:
            due = one.city is None and one.since == f"{colour} tile" and not self._is_over(state, one.until)
            if due and not state.companies[one.company].closed and not state.table.has_token_on(plan.hex, one.company):
                state = state.but(table=state.table.with_reservation(plan.hex, Kept(one.company, None)))
        return state

    def _is_over(self, state: State, phase: str | None) -> bool:
        """Whether the phase has begun."""
        order = list(self.facts.edition.phases)
        return phase is not None and order.index(state.phase_name) >= order.index(phase)

    def _share_token(self, state: State, name: str, hex_id: HexId) -> State:
        """One token that stands for two corporations: in the slot for the first, beside it for the other."""
        company = state.companies[name]
        stop = StopId.of(hex_id, state.table.tile_at(hex_id).cities[0].id)
        if company.closed or state.table.has_token_on(hex_id, name):
            return state
        taken = bool(state.table.tokens_in(hex_id, stop.part))
        state = state.with_company(company.but(tokens=(*company.tokens, Token(0, stop, used=True))))
        return state.but(table=state.table.with_token(name, stop, None if taken else 0))

    # --- tokens ------------------------------------------------------------------------------------------------

    def price_in(self, state: State, company: Company, stop: StopId) -> int | None:
        """What the next token costs there; None without one. Boston & Worcester pays 40 in Worcester. Source: 1833NE
        section 4."""
        price = self.token_price(state, company)
        special = state.facts_of(company.name).details.get("special_token")
        if price is not None and isinstance(special, Mapping) and special["hex"] == stop.hex:
            return int(special["price"])
        return price

    # --- ferries -----------------------------------------------------------------------------------------------

    def ferries_of(self, company: Company) -> tuple[str, ...]:
        found = company.marks.get("ferries", ())
        assert isinstance(found, tuple)
        return found

    def sold_ferries(self, state: State) -> tuple[str, ...]:
        found = state.marks.get("sold_ferries", ())
        assert isinstance(found, tuple)
        return found

    def ferry_names(self) -> tuple[str, ...]:
        """All ferries of the game. Source: 1833NE section 7, SOURCES.md."""
        facts = facts_1833ne()
        return tuple(name for name in facts.ferries if KNOWN_FERRY not in self.options or name in facts.known_ferries)

    def ferries_for_sale(self, state: State, company: Company) -> tuple[str, ...]:
        """Those that the corporation may buy now, money apart: one a turn, its city within reach. Source: 1833NE
        section 7."""
        if (
            not self.decides(company)
            or state.phase_name not in known_table().ferry_phases
            or state.round.turn.marks.get("ferry")
        ):
            return ()
        sold, anywhere = self.sold_ferries(state), self.ferries_need_no_way()
        reached = {stop.hex for stop in self.reach(state, company.name).stops}
        return tuple(
            name
            for name in self.ferry_names()
            if name not in sold and (anywhere or facts_1833ne().ferries[name] in reached)
        )

    def ferries_need_no_way(self) -> bool:
        """By option a ferry may be bought wherever it is. Source: 1833NE section 7, SOURCES.md."""
        return FERRY_ANYWHERE in self.options

    def sell_ferry(self, state: State, name: str, ferry: str) -> State:
        """The New bonus moves to it; the last one of all has the Last bonus too. Source: 1833NE section 7."""
        state = state.pay(name, BANK, facts_1833ne().ferry_price)
        company = state.companies[name]
        state = state.with_company(company.with_mark("ferries", (*self.ferries_of(company), ferry)))
        sold = (*self.sold_ferries(state), ferry)
        state = state.with_mark("sold_ferries", sold).with_mark("new_ferry", ferry)
        if len(sold) == len(self.ferry_names()):
            state = state.with_mark("last_ferry", ferry)
        return state.with_turn(marks={**state.round.turn.marks, "ferry": True})

    def luxury_choices(self, state: State, private: Private) -> tuple[str, ...]:
        """The ferries that P5 may double; none once it has been named. Source: 1833NE section 3, P5."""
        ability = state.private_facts(private.name).ability("doubles_ferry")
        owner = state.companies.get(private.owner or "")
        if ability is None or private.closed or owner is None or state.marks.get("luxury_ferry"):
            return ()
        return self.ferries_of(owner)

    def lose_ferries(self, state: State, name: str) -> State:
        """The ferries of a corporation leave the game, with what lies on them."""
        company = state.companies[name]
        ferries = self.ferries_of(company)
        if not ferries:
            return state
        state = state.with_company(company.with_mark("ferries", ()))
        for mark in ("new_ferry", "last_ferry", "luxury_ferry"):
            if state.marks.get(mark) in ferries:
                state = state.with_mark(mark, "")
        return state

    def markers(self, state: State, company: str) -> Mapping[str, object]:
        found: dict[str, object] = {
            mark: state.marks[mark] for mark in ("new_ferry", "last_ferry", "luxury_ferry") if state.marks.get(mark)
        }
        owned = {name: ferries for name, one in state.companies.items() if (ferries := self.ferries_of(one))}
        return {"ferries": owned, **found} if owned else found

    # --- privates ----------------------------------------------------------------------------------------------

    def price_range(self, state: State, company: Company, private: Private) -> tuple[int, int] | None:
        """Face value at most; P6 leaves 40 for the bank. By option only from the president. Source: 1833NE section 3
        and differences, point 12."""
        if not self.decides(company) or self.must_own_train_first(state, company):
            return None
        bounds = super().price_range(state, company, private)
        if bounds is None or (FROM_PRESIDENT in self.options and private.owner != company.president):
            return None
        most = min(bounds[1], company.cash - self.extra_to_bank(private.name))
        return (bounds[0], most) if most >= bounds[0] else None

    def extra_to_bank(self, private: str) -> int:
        extra = self.facts.privates[private].details.get("extra_payment_to_bank_by_corporation", 0)
        assert isinstance(extra, int)
        return extra

    def after_private_sold(self, state: State, private: str, old_owner: str, new_owner: str) -> State:
        state = super().after_private_sold(state, private, old_owner, new_owner)
        if new_owner in state.companies:
            state = state.pay(new_owner, BANK, self.extra_to_bank(private))
        now = (state.turn_number, state.round.number)
        found = state.privates[private]
        return state.with_private(found.but(marks={**found.marks, "bought": now}))

    # --- trains ------------------------------------------------------------------------------------------------

    def train_limit(self, state: State, company: Company) -> int:
        """One more for each takeover. Source: 1833NE section 11."""
        absorbed = company.marks.get("absorbed", 0)
        assert isinstance(absorbed, int)
        return super().train_limit(state, company) + absorbed

    def faces_for_sale(self, state: State, train: str) -> tuple[TrainFace, ...]:
        """The side chosen at the purchase is final, also in the pool. Source: 1833NE section 9."""
        faces = super().faces_for_sale(state, train)
        if train in state.depot.pool:
            return tuple(face for face in faces if face.name == state.face_of(train))
        return faces

    def discarded(self, state: State, train: str) -> State:
        """To the pool, with the side that it has. Source: 1833NE section 11."""
        faces = state.faces
        return super().discarded(state, train).but(faces=faces)

    def can_run(self, state: State, company: Company) -> bool:
        """Boston & Lowell not before Boston is upgraded, while it is held back. Source: 1833NE section 3, P2."""
        place = self.held_back(state, company.name)
        return (place is None or place in state.table.laid) and super().can_run(state, company)

    # --- phases ------------------------------------------------------------------------------------------------

    def enter_phase(self, state: State, name: str) -> State:
        """Trains age, privates leave, ferries and kept slots end. Source: 1833NE sections 3, 7, 8 and 11."""
        state = super().enter_phase(state, name)
        state = self._age_trains(state, name)
        state = self._age_privates(state, name)
        if name not in known_table().ferry_phases:
            for company in state.companies:
                state = self.lose_ferries(state, company)
        return self._open_slots(state, name)

    def _age_trains(self, state: State, phase: str) -> State:
        """Cards that become obsolete, and those that leave. Nobody can buy either. Source: 1833NE section 11."""
        cards = self.facts.trains
        old = {name for name, card in cards.items() if card.details.get("obsolete_in_phase") == phase}
        gone = {name for name, card in cards.items() if card.details.get("removed_in_phase") == phase}
        obsolete = set(state.obsolete)
        for company in state.companies.values():
            kept = tuple(train for train in company.trains if train.rpartition("-")[0] not in gone)
            obsolete |= {train for train in kept if train.rpartition("-")[0] in old}
            if kept != company.trains:
                state = state.with_company(company.but(trains=kept))
        depot = state.depot
        upcoming, pool = (
            tuple(train for train in trains if train.rpartition("-")[0] not in old | gone)
            for trains in (depot.upcoming, depot.pool)
        )
        return state.but(obsolete=frozenset(obsolete), depot=Depot(upcoming=upcoming, pool=pool))

    def _age_privates(self, state: State, phase: str) -> State:
        """Those that leave close; those that pay no more close in the hands of players. Source: 1833NE section 3."""
        for name, private in tuple(state.privates.items()):
            details = self.facts.privates[name].details
            if private.closed:
                continue
            turned = details.get("income_stops_in_phase") == phase
            if details.get("removed_in_phase") == phase or (turned and private.owner not in state.companies):
                state = self.close_private(state, name)
            elif turned:
                state = state.with_private(private.but(income=0))
        return state

    def _open_slots(self, state: State, phase: str) -> State:
        """Kept slots end; by option homes too. Source: 1833NE section 8."""
        table = state.table
        for printed in self.facts.edition.map:
            for one in printed.reservations:
                if one.until == phase:
                    table = table.without_reservations(one.company, printed.id)
        if HOMES_OPEN in self.options and any(
            one.until == phase for printed in self.facts.edition.map for one in printed.reservations
        ):
            table = table.but(kept={})
        return state.but(table=table)

    # --- dividends ---------------------------------------------------------------------------------------------

    def price_after_dividend(self, state: State, company: Company, kind: str, revenue: int) -> Cell | None:
        """Half the price is not rounded. Source: 1833NE section 10."""
        cell = super().price_after_dividend(state, company, kind, revenue)
        paid = revenue - self.kept_of(state, company, kind, revenue)
        if (
            cell is not None
            and cell == company.price
            and paid < state.price_of(company)
            and 2 * paid < state.price_of(company)
        ):
            return self.facts.market.move(cell, "left")
        return cell

    def steps_down(self, state: State, company: Company) -> int:
        """One, in receivership too. Source: 1833NE section 10."""
        return 1

    # --- closing and end ---------------------------------------------------------------------------------------

    def close_private(self, state: State, name: str) -> State:
        """With P5 its marker goes."""
        if self.facts.privates[name].ability("doubles_ferry") is not None and state.marks.get("luxury_ferry"):
            state = state.with_mark("luxury_ferry", "")
        return super().close_private(state, name)

    def close_corporation(self, state: State, name: str) -> State:
        """With its ferries; a token that it shared is the other's alone. Source: 1833NE section 5."""
        state = self.lose_ferries(state, name)
        return self.close_gaps(super().close_corporation(state, name))

    def all_closed(self, state: State) -> bool:
        """Whether every corporation has closed; privates do not matter. Source: 1833NE section 13."""
        return all(one.closed for one in state.companies.values())

    def close_gaps(self, state: State) -> State:
        """The shared token stands in the slot."""
        table = state.table
        for hex_id, cities in tuple(table.tokens.items()):
            if not any(one.reason == SHARED for one in self.facts.edition.map.hexes[hex_id].reservations):
                continue
            for city, tokens in cities.items():
                if None in tokens:
                    left = tuple(token for token in tokens if token is not None)
                    table = table.but(tokens={**table.tokens, hex_id: {**cities, city: left}})
        return state.but(table=table)

    def trigger_end(self, state: State, reason: str) -> State:
        return super().trigger_end(state, _ENDS.get(reason, reason))

    # --- actions and positions ---------------------------------------------------------------------------------

    def after_action(self, state: State, action: Action) -> State:
        """The second tile of P3 follows at once. Source: 1833NE section 3, P3."""
        return forfeit(state, action)

    def position(self, state: State, company: str) -> Position:
        """A private that holds Boston & Lowell back does so after it has left the game unsold. Source: 1833NE section
        3, P2."""
        found = super().position(state, company)
        for name, facts in self.facts.privates.items():
            private = state.privates[name]
            if (
                facts.ability("restricts_corporation") is not None
                and private.closed
                and private.owner in state.players
                and private.owner in state.order
            ):
                owner = f"P{state.order.index(private.owner)}"
                found = replace(found, privates={**found.privates, name: PrivateState(owner, open=False)})
        return found


def _off_board(state: State, hex_id: HexId) -> tuple[StopId, ...]:
    return tuple(
        StopId.of(hex_id, part.id) for part in state.table.tile_at(hex_id).parts if part.kind is StopKind.OFF_BOARD
    )
