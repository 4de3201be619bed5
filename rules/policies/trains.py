"""What a title decides about trains: what is on sale, phases, rust, limits, forced purchases.

Source: COMMON section 11.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rules.facts import GameFacts, TrainFace, TrainFacts
from rules.state import Company, Depot, OperatingRound, State


@dataclass(frozen=True, slots=True)
class Offer:
    """A train that a company could buy: from the bank (``seller`` None) or another company.

    ``face`` and ``price`` say which side at what price; between companies ``price`` is the least. ``exchange``: the
    train to give in return.
    """

    train: str
    face: str
    price: int
    seller: str | None = None
    exchange: str | None = None


class TrainRules:
    facts: GameFacts

    # --- supply ------------------------------------------------------------------------------------------------

    def stock(self) -> tuple[str, ...]:
        """All cards in printed order as ids; of an unlimited kind the next one lies there."""
        return tuple(
            f"{train.name}-{copy}"
            for train in self.facts.trains.values()
            for copy in range(1 if train.count is None else train.count)
        )

    def on_sale(self, state: State) -> tuple[str, ...]:
        """Ids of the bank's trains on offer: the next kind, kinds available early, discards in the pool."""
        found: dict[str, str] = {}
        first: str | None = None
        reached = self.phases_reached(state)
        for train in state.depot.upcoming:
            kind = train.rpartition("-")[0]
            if first is None:
                first = kind
            facts = self.facts.trains[kind]
            if kind == first or (facts.available_on is not None and facts.available_on in reached):
                found.setdefault(kind, train)
        return (*found.values(), *state.depot.pool)

    def phases_reached(self, state: State) -> frozenset[str]:
        """Trains (kinds) whose phase has begun."""
        return self._phases_reached[state.phase_name]

    @cached_property
    def _phases_reached(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        reached: frozenset[str] = frozenset()
        for phase in self.facts.edition.phases.values():
            reached |= {phase.starts_with or ""}
            found[phase.name] = reached
        return found

    def bank_offers(self, state: State, company: Company) -> Iterator[Offer]:
        for train in self.on_sale(state):
            for face in self.faces_for_sale(state, train):
                yield Offer(train, face.name, face.price)

    def faces_for_sale(self, state: State, train: str) -> tuple[TrainFace, ...]:
        """The sides of a card on offer that may be bought (1833NE: a card given up keeps its side)."""
        return state.train_facts(train).faces

    def company_offers(self, state: State, company: Company) -> Iterator[Offer]:
        """Trains of other companies; the price is at least 1."""
        for other in state.companies.values():
            if other.name != company.name and not other.closed:
                for train in other.trains:
                    if train not in state.obsolete and self.may_be_traded(state, company, other, train):
                        yield Offer(train, state.face_of(train), 1, other.name)

    def may_be_traded(self, state: State, buyer: Company, seller: Company, train: str) -> bool:
        return seller.kind != "minor"

    def exchange_offers(self, state: State, company: Company) -> Iterator[Offer]:
        """Bank trains at a reduced price for a train given back."""
        for train in self.on_sale(state):
            facts = state.train_facts(train)
            for own in company.trains:
                price = facts.trade_in.get(state.face_of(own))
                if price is not None and own not in state.obsolete and self.may_exchange(state, company, own, train):
                    yield Offer(train, facts.name, price, None, own)

    def may_exchange(self, state: State, company: Company, old: str, new: str) -> bool:
        return True

    def cheapest_bank_train(self, state: State) -> tuple[str, int] | None:
        """The cheapest train that the bank offers, with its price."""
        prices = [
            (min(face.price for face in self.faces_for_sale(state, train)), place, train)
            for place, train in enumerate(self.on_sale(state))
        ]
        if not prices:
            return None
        price, _, train = min(prices)
        return train, price

    # --- limits ------------------------------------------------------------------------------------------------

    def train_limit(self, state: State, company: Company) -> int:
        limit = state.phase.train_limit
        if isinstance(limit, dict):
            return limit.get(state.facts_of(company.name).kind, 99)
        return 99 if limit is None else limit

    def trains_counted(self, state: State, company: Company) -> int:
        """Trains that count against the limit. Source: COMMON section 11, "Obsolete"."""
        if self.facts.settings.obsolete_count:
            return len(company.trains)
        return sum(train not in state.obsolete for train in company.trains)

    def has_room(self, state: State, company: Company) -> bool:
        return self.trains_counted(state, company) < self.train_limit(state, company)

    def crowded(self, state: State) -> tuple[str, ...]:
        """Companies over the limit, in the order of the box. Source: COMMON section 11, "Train limit".

        No limit is below one train.
        """
        return tuple(
            name
            for name, company in state.companies.items()
            if len(company.trains) > 1 and self.trains_counted(state, company) > self.train_limit(state, company)
        )

    # --- what a purchase brings --------------------------------------------------------------------------------

    def taken_from_depot(self, state: State, train: str) -> State:
        """The card out of the supply; the next copy of an unlimited kind takes its place."""
        depot = state.depot
        if train in depot.pool:
            return state.but(depot=depot.but(pool=tuple(one for one in depot.pool if one != train)))
        name, _, copy = train.rpartition("-")
        upcoming: list[str] = []
        for one in depot.upcoming:
            if one != train:
                upcoming.append(one)
            elif self.facts.trains[name].count is None:
                upcoming.append(f"{name}-{int(copy) + 1}")
        return state.but(depot=depot.but(upcoming=tuple(upcoming)))

    def bought_from_bank(self, state: State, face: str) -> State:
        """The first train of a kind out: phase, closures, rust, events, in this order. Source: COMMON section 11."""
        phases = list(self.facts.edition.phases.values())
        place = next(number for number, phase in enumerate(phases) if phase.name == state.phase_name)
        for number in range(place + 1, len(phases)):
            if self.starts_phase(phases[number].starts_with, face):
                state = self.enter_phase(state, phases[number].name)
                break
        first = face not in self.faces_out(state)
        if first:
            state = state.with_mark("faces_out", self.faces_out(state) | {face})
            kind = self.kind_of_face(face)
            kind_first = not any(self.kind_of_face(other) is kind for other in self.faces_out(state) if other != face)
            state = self.rust_for(state, face, kind)
            if kind_first:
                for event in kind.events:
                    state = self.event(state, event, kind.name)
        return state

    def after_train_purchase(self, state: State, company: str, train: str, seller: str) -> State:
        """What a purchase brings to its buyer: a private that closes. *seller* is BANK or a company."""
        return state.game.close_by(state, "train_purchase_of_the_named_corporation", company)

    def faces_out(self, state: State) -> frozenset[str]:
        """Train faces of which one has been bought or exported."""
        found = state.marks.get("faces_out", frozenset())
        assert isinstance(found, frozenset)
        return found

    def kind_of_face(self, face: str) -> TrainFacts:
        return next(kind for kind in self.facts.trains.values() if any(one.name == face for one in kind.faces))

    def starts_phase(self, trigger: str | None, face: str) -> bool:
        if trigger is None:
            return False
        kind = self.facts.trains.get(trigger)
        return trigger == face or (kind is not None and any(one.name == face for one in kind.faces))

    def enter_phase(self, state: State, name: str) -> State:
        """A new phase begins. Titles override for what hangs on a phase rather than on a train."""
        return state.but(phase_name=name)

    def rust_for(self, state: State, face: str, kind: TrainFacts) -> State:
        """Trains that rust or become obsolete with the first train of this kind."""
        gone = {one.name for one in self.facts.trains.values() if one.rusts_on in (face, kind.name)}
        old = {one.name for one in self.facts.trains.values() if one.obsolete_on in (face, kind.name)}
        if old:
            marked = {
                train
                for company in state.companies.values()
                for train in company.trains
                if train.rpartition("-")[0] in old and self.may_rust(state, company, train)
            }
            state = state.but(obsolete=state.obsolete | marked)
            state = self._out_of_supply(state, old)
        if gone:
            companies = {
                name: company.but(
                    trains=tuple(
                        train
                        for train in company.trains
                        if train.rpartition("-")[0] not in gone or not self.may_rust(state, company, train)
                    )
                )
                if company.trains
                else company
                for name, company in state.companies.items()
            }
            state = self._out_of_supply(state.but(companies=companies), gone)
        return state

    def may_rust(self, state: State, company: Company, train: str) -> bool:
        """Whether the train goes the way of its kind (1828's minor keeps its own)."""
        return True

    def _out_of_supply(self, state: State, kinds: set[str]) -> State:
        depot = state.depot
        return state.but(
            depot=Depot(
                upcoming=tuple(train for train in depot.upcoming if train.rpartition("-")[0] not in kinds),
                pool=tuple(train for train in depot.pool if train.rpartition("-")[0] not in kinds),
            )
        )

    def event(self, state: State, name: str, train: str) -> State:
        """What comes with the first train of a kind. Titles add theirs and hand the rest on to this one."""
        if name == "close_privates":
            return state.game.close_all_privates(state)
        return state

    # --- running -----------------------------------------------------------------------------------------------

    def runnable(self, state: State, company: Company) -> tuple[str, ...]:
        """The trains that may run now."""
        ran = state.round.ran if isinstance(state.round, OperatingRound) else frozenset[str]()
        return tuple(train for train in company.trains if train not in ran)

    def can_run(self, state: State, company: Company) -> bool:
        """Whether a run is possible: a train that may run, and two connected stops from one token."""
        return bool(self.runnable(state, company)) and state.game.has_route(state, company)

    # --- forced purchase ---------------------------------------------------------------------------------------

    def must_buy_train(self, state: State, company: Company) -> bool:
        """Whether the company has to buy a train. Source: COMMON section 11, "Forced purchase"."""
        rule = self.facts.settings.must_own_train
        if company.trains or company.kind == "minor" or rule == "never" or not self.on_sale(state):
            return False
        return rule == "always" or state.game.has_route(state, company)

    def president_helps(self, state: State, company: Company) -> bool:
        """Whether the president's money is asked for. Source: COMMON section 11, "Emergency", point 1."""
        cheapest = self.cheapest_bank_train(state)
        return cheapest is not None and company.cash < cheapest[1] and self.must_buy_train(state, company)

    def discard(self, state: State, company: Company, train: str) -> State:
        """A train given up: into the pool, or out of the game."""
        state = state.with_company(company.but(trains=tuple(one for one in company.trains if one != train)))
        return self.discarded(state, train)

    def discarded(self, state: State, train: str) -> State:
        if self.facts.settings.discards_to_pool:
            return state.but(depot=state.depot.but(pool=(*state.depot.pool, train)))
        return state
