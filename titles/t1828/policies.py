"""What 1828 decides otherwise than most titles. Source: digest 1828; what it does not name is as in COMMON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from board.hexes import HexId, StopId
from board.tiles import Tile
from rules.actions import Actor
from rules.facts import CorporationFacts, TileAction
from rules.game import Game
from rules.policies.track import LayPlan
from rules.randomness import Draws
from rules.shares import IPO, issue
from rules.state import BANK, Company, Pending, State, StockRound
from rules.steps.track import lays_of
from titles.t1828.systems import (
    BLOCK,
    System,
    joined_tokens,
    system_facts,
    system_name,
    system_price,
    tokens_joined_on_map,
)

#: What the phases add to the par prices. Source: 1828 section 3.
_PAR_KINDS: Final = {"Green": "par_green", "Blue": "par_blue", "Brown": "par_brown"}


class Rules1828(Game):
    """What 1828 decides; its rounds are in :mod:`titles.t1828.game`."""

    # --- facts of the title ------------------------------------------------------------------------------------

    def _table(self, key: str) -> Mapping[str, object]:
        found = self.facts.setup[key]
        assert isinstance(found, Mapping)
        return found

    def _number(self, table: str, key: str) -> int:
        found = self._table(table)[key]
        assert isinstance(found, int)
        return found

    @cached_property
    def coalfields(self) -> HexId:
        """Virginia Coalfields. Source: 1828 section 5."""
        return HexId(str(self._table("coal")["hex"]))

    @cached_property
    def tunnel(self) -> HexId:
        """Virginia Tunnel. Source: 1828 section 4."""
        return HexId(str(self._table("coal")["tunnel_hex"]))

    @cached_property
    def coal_price(self) -> int:
        return self._number("coal", "price")

    @cached_property
    def minor(self) -> str:
        """The minor, and the private that owns it. Source: 1828 section 8."""
        return str(self._table("minor")["name"])

    @cached_property
    def last_phase(self) -> str:
        """It begins with the first D. Source: 1828 section 10."""
        return tuple(self.facts.edition.phases)[-1]

    @cached_property
    def minor_train(self) -> str:
        return str(self._table("minor")["train_id"])

    @cached_property
    def merger_shares(self) -> tuple[int, int]:
        """How many shares a player must hold for a merger, and how many without a sale. Source: 1828 section 9.1."""
        return self._number("system", "least_shares"), self._number("system", "least_shares_without_sale")

    # --- set-up ------------------------------------------------------------------------------------------------

    def set_up(self, state: State, draws: Draws) -> State:
        """Founder privates removed, the minor with its train and token. Source: 1828 section 1."""
        for name in self.removed_privates(draws):
            state = self.close_private(state, name)
        depot = state.depot
        upcoming = tuple(train for train in depot.upcoming if train != self.minor_train)
        minor = state.companies[self.minor].but(trains=(self.minor_train,))
        state = state.with_company(minor).but(depot=depot.but(upcoming=upcoming))
        state = state.with_mark("coal_markers", self._number("coal", "markers"))
        for home in self.homes(state, self.minor):
            state = self.place_home_token(state, self.minor, home)
        return state

    def removed_privates(self, draws: Draws) -> tuple[str, ...]:
        """Source: 1828 section 1, titles/random.json."""
        (draw,) = _tables(self.facts.setup["draws"])
        names, takes = draw["names"], draw["takes_by_players"]
        assert isinstance(names, (list, tuple))
        assert isinstance(takes, Mapping)
        repeat = draw["repeat_while"]
        assert isinstance(repeat, Mapping)
        number = int(takes[str(len(self.seats))])
        while True:
            removed = tuple(draws.shuffled(names)[:number])
            unwanted = [group for option, group in repeat.items() if option in self.options]
            if not any(set(group) <= set(removed) for group in unwanted):
                return removed

    # --- companies ---------------------------------------------------------------------------------------------

    def company_facts(self, company: str) -> CorporationFacts:
        """A system has the homes and tokens of both its corporations. Source: 1828 section 9.2."""
        if company in self.facts.corporations or company in self.facts.minors:
            return super().company_facts(company)
        found = self._systems.get(company)
        if found is None:
            one, _, other = company.partition("-")
            corporations = self.facts.corporations
            found = self._systems[company] = system_facts(company, corporations[one], corporations[other])
        return found

    @cached_property
    def _systems(self) -> dict[str, CorporationFacts]:
        return {}

    def par_kinds(self, state: State) -> tuple[str, ...]:
        """Source: 1828 section 3."""
        kinds = ["par"]
        for phase in self.facts.edition.phases:
            if phase in _PAR_KINDS:
                kinds.append(_PAR_KINDS[phase])
            if phase == state.phase_name:
                break
        return tuple(kinds)

    # --- order of rounds ---------------------------------------------------------------------------------------

    def next_round(self, state: State) -> State:
        """With the end of the auction the minor acts and its certificate pays nothing. Source: 1828 section 2."""
        if state.kind.role == "opening":
            for private in state.privates.values():
                ability = state.private_facts(private.name).ability("income_changes")
                if ability is not None and "end_of_the_opening_auction" in ability.when and private.owner is not None:
                    income = ability.details["new_income"]
                    assert isinstance(income, int)
                    state = state.with_private(private.but(income=income))
        return super().next_round(state)

    def before_stock_round(self, state: State) -> State:
        """In the last phase corporations never started leave; blocking tokens fill their homes. Source: 1828
        section 3."""
        if state.phase_name != self.last_phase:
            return state
        for company in tuple(state.companies.values()):
            if company.kind == "corporation" and not company.started and not company.closed:
                state = self.remove_unstarted(state, company)
        return state

    def remove_unstarted(self, state: State, company: Company) -> State:
        stops = [
            StopId.of(home.hex, city.id)
            for home in self.homes(state, company.name)
            for city in state.table.tile_at(home.hex).cities
            if home.city is None or city.id in self.reserved_cities(state, company.name, home.hex)
        ]
        slots = [(stop, state.table.free_slot(company.name, stop)) for stop in stops]
        table = state.table.without_reservations(company.name)
        for stop, slot in slots:
            if slot is not None:
                table = table.with_token(BLOCK, stop, slot)
        return state.but(table=table).with_company(company.but(closed=True))

    def reserved_cities(self, state: State, company: str, hex_id: HexId) -> frozenset[str]:
        return frozenset(
            kept.city for kept in state.table.kept.get(hex_id, ()) if kept.company == company and kept.city is not None
        )

    def enter_phase(self, state: State, name: str) -> State:
        """The first D announces the end. Source: 1828 section 12."""
        state = super().enter_phase(state, name)
        return self.trigger_end(state, "final_phase") if name == self.last_phase else state

    # --- the end of a stock round ------------------------------------------------------------------------------

    def sold_out(self, state: State, company: Company) -> bool:
        """The treasury share of a system does not hinder. Source: 1828 section 3."""
        held = sum(company.percent_of(player) for player in state.players)
        return held + company.percent_of(company.name) == 100

    def sold_out_steps(self, state: State, company: Company) -> int:
        """One row, one more in the gray zone, one more if the president holds eight shares. Source: 1828 section 3;
        by option one alone, section "Where the sources differ" 6."""
        if "sold_out_one_row" in self.options or company.price is None:
            return 1
        gray = self.facts.market.allows(company.price, "extra_step_when_sold_out")
        return 1 + gray + (company.percent_of(company.president or "") >= 8 * company.unit)

    # --- track -------------------------------------------------------------------------------------------------

    def tile_actions(self, state: State, company: Company) -> tuple[TileAction, ...]:
        """One lay or upgrade, a system two; B&M and NYH one more yellow for 40. After the extra tile of E&K nothing is
        upgraded. Source: 1828 sections 2 and 4."""
        parts = company.parts if isinstance(company, System) else (company.name,)
        normal = self.facts.settings.tile_actions
        actions = [*normal]
        if isinstance(company, System):
            actions += normal * (self._number("system", "tile_actions") - 1)
        for part in parts:
            extra = self.facts.corporations[part].details.get("extra_tile_action") if part != self.minor else None
            if isinstance(extra, Mapping):
                actions.append(TileAction(extra["yellow"], extra["upgrade"], extra["cost"], fresh_hex=True))
        if state.round.turn.marks.get("no_upgrade"):
            actions = [TileAction(one.yellow, False, one.cost, one.fresh_hex) for one in actions]
        return tuple(actions)

    def upgrade_fault(self, state: State, plan: LayPlan, old: Tile, new: Tile) -> str:
        """The tunnel takes one kind of tile. Source: 1828 section 4."""
        only = str(self._table("coal")["tunnel_tile"])
        if plan.hex == self.tunnel and plan.tile != only:
            return f"only tile {only} fits there"
        return super().upgrade_fault(state, plan, old, new)

    def closed_hexes(self, state: State, builder: str) -> frozenset[HexId]:
        """The minor builds in its own hex. Source: 1828 section 8."""
        closed = super().closed_hexes(state, builder)
        return closed - {home.hex for home in self.homes(state, builder)} if builder == self.minor else closed

    def closed_stops(self, state: State, company: str) -> frozenset[StopId]:
        """Without a coal marker the coalfields do not exist. Source: 1828 section 5."""
        if self.has_coal(state, company):
            return frozenset()
        tile = state.table.tile_at(self.coalfields)
        return frozenset(StopId.of(self.coalfields, part.id) for part in tile.parts)

    def tile_laid(self, state: State, plan: LayPlan, old: Tile) -> State:
        """Who builds the tunnel receives a coal marker; a second one goes to the coalfields. Source: 1828
        section 4."""
        if plan.hex == self.tunnel and plan.company != self.minor:
            if self.has_coal(state, plan.company):
                state = self.with_coal_left(state, self.coal_left(state) + 1)
            else:
                state = state.with_company(state.companies[plan.company].with_mark("coal", True))
        return super().tile_laid(state, plan, old)

    def lift_token(self, state: State, name: str, place: int, decider: str) -> State:
        """Where a whole hex was kept for a home its owner chooses the city. Source: 1828 section 4, E15."""
        stop = state.companies[name].tokens[place].at
        own = stop is not None and any(home.hex == stop.hex and home.city is None for home in self.homes(state, name))
        return super().lift_token(state, name, place, name if own else decider)

    # --- coal --------------------------------------------------------------------------------------------------

    def has_coal(self, state: State, company: str) -> bool:
        return bool(state.companies[company].marks.get("coal"))

    def coal_left(self, state: State) -> int:
        """Markers at the coalfields."""
        found = state.marks["coal_markers"]
        assert isinstance(found, int)
        return found

    def with_coal_left(self, state: State, number: int) -> State:
        return state.with_mark("coal_markers", number)

    def reaches_coalfields(self, state: State, company: str) -> bool:
        """Whether track leads the company to the coalfields."""
        sides = self.reach(state, company).sides_of(self.coalfields)
        return bool(sides & state.table.tile_at(self.coalfields).sides)

    # --- tokens ------------------------------------------------------------------------------------------------

    def may_token(self, state: State, company: str, stop: StopId) -> bool:
        """The coalfields take no token. Source: 1828 section 5."""
        return stop.hex != self.coalfields and super().may_token(state, company, stop)

    # --- trains ------------------------------------------------------------------------------------------------

    def may_rust(self, state: State, company: Company, train: str) -> bool:
        """Source: 1828 section 1."""
        return train != self.minor_train

    def has_room(self, state: State, company: Company) -> bool:
        """A system has room where one of its shells has. Source: 1828 section 9.4."""
        if isinstance(company, System):
            return any(self.shell_has_room(state, company, shell) for shell in company.parts)
        return super().has_room(state, company)

    def shell_has_room(self, state: State, company: System, shell: str) -> bool:
        return len(company.trains_in(shell)) < self.train_limit(state, company)

    def crowded(self, state: State) -> tuple[str, ...]:
        """Systems come last; one that is moving trains between its shells settles them first. Source: 1828
        sections 4 and 9.4."""
        corporations: list[str] = []
        systems: list[str] = []
        busy = state.round.current if state.round.turn.marks.get("swapping") else None
        # No limit is below one train.
        for company in [one for one in state.companies.values() if len(one.trains) > 1]:
            name = company.name
            if len(company.trains) <= self.train_limit(state, company):
                continue
            if not isinstance(company, System):
                corporations.append(name)
            elif name != busy and self.crowded_shell(state, company) is not None:
                systems.append(name)
        return (*corporations, *systems)

    def crowded_shell(self, state: State, company: System) -> str | None:
        """The first shell above the limit."""
        limit = self.train_limit(state, company)
        return next((shell for shell in company.parts if len(company.trains_in(shell)) > limit), None)

    def must_buy_train(self, state: State, company: Company) -> bool:
        """By option also for a shell without a train. Source: 1828 section 11; "Where the sources differ" 5."""
        if super().must_buy_train(state, company):
            return True
        return (
            "force_train_per_shell" in self.options
            and isinstance(company, System)
            and bool(company.empty_shells)
            and bool(self.on_sale(state))
            and self.has_route(state, company)
        )

    def president_helps(self, state: State, company: Company) -> bool:
        """Also for an empty shell of a system that owns other trains. Source: 1828 section 11."""
        if super().president_helps(state, company):
            return True
        cheapest = self.cheapest_bank_train(state)
        empty = isinstance(company, System) and bool(company.empty_shells)
        return cheapest is not None and company.cash < cheapest[1] and empty

    # --- running and dividends ---------------------------------------------------------------------------------

    def has_route(self, state: State, company: Company) -> bool:
        """Track to the coalfields joins two stops, though they may not be run to without a marker."""
        return super().has_route(state, company) or self.reaches_coalfields(state, company.name)

    def can_run(self, state: State, company: Company) -> bool:
        """The minor runs after building only. Source: 1828 section 8."""
        if company.name == self.minor and not state.round.turn.lays:
            return False
        return super().can_run(state, company)

    def dividend_kinds(self, state: State, company: Company) -> tuple[str, ...]:
        return ("half",) if company.name == self.minor else super().dividend_kinds(state, company)

    def kept_of(self, state: State, company: Company, kind: str, revenue: int) -> int:
        """The minor keeps half, rounded down. Source: 1828 section 8."""
        if company.name == self.minor:
            return revenue // 2
        return super().kept_of(state, company, kind, revenue)

    def shares_paid(self, state: State, company: Company, paid: int) -> dict[str, int]:
        if company.name == self.minor:
            return {company.president: paid} if company.president is not None else {}
        return super().shares_paid(state, company, paid)

    # --- privates ----------------------------------------------------------------------------------------------

    def after_private_sold(self, state: State, private: str, old_owner: str, new_owner: str) -> State:
        """C&P hands over the minor's money and place, E&K its tile. Source: 1828 sections 2 and 8."""
        state = super().after_private_sold(state, private, old_owner, new_owner)
        if new_owner not in state.companies:
            return state
        if private == self.minor:
            return self.sell_minor(state, new_owner)
        return self.owe_tile(state, private, new_owner)

    def sell_minor(self, state: State, buyer: str) -> State:
        """The buyer receives the minor's money; a token of its own may take the place of the minor's."""
        minor = state.companies[self.minor]
        full_income = self.facts.privates[self.minor].income
        state = state.with_private(state.privates[self.minor].but(income=full_income))
        state = state.pay(minor.name, buyer, minor.cash)
        stops = state.table.stops_of(minor.name)
        state = self.close_minor(state)
        company = state.companies[buyer]
        for stop in stops:
            free = self.may_token(state, buyer, stop) and self.next_token(company) is not None
            if free and not state.round.turn.tokened:
                marks = {"stop": stop}
                pending = Pending("token_of_sold", Actor("private", self.minor), buyer, (stop.hex,), marks)
                state = state.but(pending=(*state.pending, pending))
            else:
                state = self.block(state, stop)
        return state

    def block(self, state: State, stop: StopId) -> State:
        """A blocking token in a free slot of the city."""
        slot = state.table.free_slot(BLOCK, stop)
        return state if slot is None else state.but(table=state.table.with_token(BLOCK, stop, slot))

    def close_minor(self, state: State) -> State:
        """The minor leaves with train and token; its money goes to the bank."""
        minor = state.companies[self.minor]
        table = state.table
        for stop in table.stops_of(minor.name):
            table = table.without_token(minor.name, stop)
        state = state.pay(minor.name, BANK, minor.cash)
        tokens = tuple(token.but(at=None) for token in minor.tokens)
        minor = state.companies[self.minor].but(closed=True, floated=False, trains=(), tokens=tokens)
        return state.with_company(minor).but(table=table)

    def owe_tile(self, state: State, private: str, buyer: str) -> State:
        """A tile that must be laid right after the sale."""
        for place, ability in enumerate(state.private_facts(private).abilities):
            if ability.details.get("must_be_resolved_at_once"):
                if next(lays_of(state, buyer, ability=ability, private=private), None) is None:
                    continue
                who = Actor("private", private)
                pending = Pending("tile_of_sold", who, buyer, tuple(sorted(ability.hexes or ())), {"place": place})
                state = state.but(pending=(*state.pending, pending))
        return state

    def event(self, state: State, name: str, train: str) -> State:
        """With the privates the minor closes; a blocking token stays. Source: 1828 section 8."""
        state = super().event(state, name, train)
        if name == "close_privates" and not state.companies[self.minor].closed:
            stops = state.table.stops_of(self.minor)
            state = self.close_minor(state)
            for stop in stops:
                state = self.block(state, stop)
        return state

    def close_by(self, state: State, moment: str, company: str) -> State:
        """A system counts as both its corporations. Source: 1828 section 2, founder privates."""
        found = state.companies[company]
        for name in found.parts if isinstance(found, System) else (company,):
            state = super().close_by(state, moment, name)
        return state

    def after_private_bought(self, state: State, private: str, player: str) -> State:
        """The buyer of C&P owns the minor. Source: 1828 section 8."""
        if private == self.minor:
            return state.with_company(state.companies[self.minor].but(president=player, floated=True))
        return state

    def is_founder(self, private: str) -> bool:
        """Whether the private brings a president's certificate. Source: 1828 section 2."""
        ability = self.facts.privates[private].ability("grants_shares")
        return ability is not None and any(kind == "president" for _, kind in ability.shares)

    # --- mergers -----------------------------------------------------------------------------------------------

    def merger_fault(self, state: State, player: str, survivor: str, partner: str) -> str:
        """Why the player may not merge the two corporations now (empty: may). Source: 1828 section 9.1; readings of
        the printed summary by option, section "Where the sources differ" 4 and 10."""
        one, other = state.companies.get(survivor), state.companies.get(partner)
        if one is None or other is None or one is other:
            return f"{survivor} and {partner} are not two corporations"
        for company in (one, other):
            if company.kind != "corporation" or company.closed or not company.started:
                return f"{company.name} is no corporation that has been started"
        if player not in (one.president, other.president):
            return f"{player} presides over neither {survivor} nor {partner}"
        if one.operated != other.operated:
            return f"only one of {survivor} and {partner} has operated"
        floated = (one.floated, other.floated)
        if not any(floated):
            return f"neither {survivor} nor {partner} has floated"
        if "merge_requires_both_floated" in self.options and not all(floated):
            return f"{survivor} and {partner} have not both floated"
        players = (player,) if "merger_needs_own_shares" in self.options else tuple(state.players)
        if not any(self.controls_merger(state, holder, one, other) for holder in players):
            return f"nobody holds enough shares of {survivor} and {partner}"
        return ""

    def controls_merger(self, state: State, player: str, one: Company, other: Company) -> bool:
        """Six shares of the two together, or five if none of them was sold in this round."""
        most, fewer = self.merger_shares
        held = one.percent_of(player) // one.unit + other.percent_of(player) // other.unit
        sold = state.round.sold.get(player, frozenset()) if isinstance(state.round, StockRound) else frozenset()
        return held >= most or (held == fewer and not sold & {one.name, other.name})

    def may_merge(self, state: State, player: str) -> bool:
        """Whether the player may merge any two corporations now."""
        open_ones = self.mergeable(state)
        return any(
            one.president == player
            and any(not self.merger_fault(state, player, one.name, other.name) for other in open_ones)
            for one in open_ones
        )

    def mergeable(self, state: State) -> tuple[Company, ...]:
        """The corporations in play; systems never merge again. Source: 1828 section 9.4."""
        return tuple(one for one in state.companies.values() if one.president is not None and one.kind == "corporation")

    def partners(self, state: State, player: str, survivor: str) -> tuple[str, ...]:
        """The corporations that *survivor* may take in."""
        names = (one.name for one in self.mergeable(state))
        return tuple(name for name in names if not self.merger_fault(state, player, survivor, name))

    def initiators(self, state: State, player: str) -> tuple[str, ...]:
        """The corporations with which the player may begin a merger."""
        return tuple(one.name for one in self.mergeable(state) if self.partners(state, player, one.name))

    def create_system(self, state: State, survivor: str, partner: str) -> tuple[State, str]:
        """The new system with everything that both own, and its name. Source: 1828 section 9.2."""
        one, other, name = state.companies[survivor], state.companies[partner], system_name(survivor, partner)
        assert one.price is not None
        assert other.price is not None
        facts = self.company_facts(name)
        cell = system_price(self.facts.market, one.price, other.price)
        coal = [company for company in (one, other) if company.marks.get("coal")]
        system = System(
            name=name,
            kind="system",
            cash=one.cash + other.cash,
            holdings={IPO: issue(facts.shares)},
            unit=one.unit,
            par=self.facts.market.price(cell),
            float_percent=facts.float_percent,
            trains=(*one.trains, *other.trains),
            tokens=joined_tokens(one, other),
            marks={"coal": True} if coal else {},
            parts=(survivor, partner),
            shell_of={train: company.name for company in (one, other) for train in company.trains},
        )
        if len(coal) > 1:
            state = self.with_coal_left(state, self.coal_left(state) + 1)
        state = state.with_company(system)
        for company in (one, other):
            for private in state.privates_of(company.name):
                state = state.handing_private(private.name, name)
            state = state.with_company(company.but(cash=0, trains=(), tokens=(), marks={}))
        state = tokens_joined_on_map(state, survivor, partner, name)
        return self.moving_price(state.because(f"merger of {survivor} and {partner}"), name, cell), name

    def hexes_with_two_tokens(self, state: State, name: str) -> tuple[HexId, ...]:
        """Hexes with tokens of the company in two cities, which a merger does not leave. Source: 1828 section 9.2."""
        hexes = [token.at.hex for token in state.companies[name].tokens if token.at is not None]
        return tuple(hex_id for place, hex_id in enumerate(hexes) if hex_id in hexes[:place])

    # --- positions ---------------------------------------------------------------------------------------------

    def markers(self, state: State, company: str) -> Mapping[str, object]:
        """``coal``: who owns a marker; ``laid_this_turn``: where the minor built."""
        coal = [name for name, one in state.companies.items() if one.marks.get("coal") and not one.closed]
        found: dict[str, object] = {"coal": coal}
        if company == self.minor:
            found["laid_this_turn"] = [lay.hex for lay in state.round.turn.lays]
        return found


def _tables(value: object) -> list[Mapping[str, object]]:
    assert isinstance(value, (list, tuple))
    return [one for one in value if isinstance(one, Mapping)]


def rules_of(state: State) -> Rules1828:
    """The game with the methods that only this title has."""
    assert isinstance(state.game, Rules1828)
    return state.game
