"""The whole state of a game, immutable. Changing it gives a new one; what did not change is shared.

Money moves only through :meth:`State.pay`, certificates only through :meth:`State.with_company` by way of
``rules.trade``, so that nothing is ever created or lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from board.errors import Fault, RuleViolation
from board.hexes import HexId, StopId
from board.phases import Phase
from rules.actions import Action, Actor
from rules.facts import CorporationFacts, GameFacts, PrivateFacts, TrainFacts
from rules.prices import Cell
from rules.record import Record
from rules.shares import IPO, POOL, Certificate, Holdings, percent
from rules.table import Table

if TYPE_CHECKING:
    from board.position import Position
    from rules.game import Game
    from rules.rounds.base import RoundKind

#: The bank as a party to payments.
BANK: Final = "BANK"
#: Faults that a recorded game may hold: the recording site does not check reach and use of track when it loads a game.
#: Source: formats/18xx-games-json section 7, point 4.
FORGIVEN: Final = frozenset({"not-connected"})


@dataclass(frozen=True)
class Player(Record):
    id: str
    name: str
    cash: int = 0
    bankrupt: bool = False


@dataclass(frozen=True)
class Token(Record):
    """A token of a company: its price, and where it stands (None: on the charter)."""

    price: int
    at: StopId | None = None
    used: bool = False


@dataclass(frozen=True)
class Company(Record):
    """A corporation, minor or system. Titles may subclass it to keep more; ``marks`` holds small title-specific values.

    ``president``: the player who decides (None: not started, or in receivership). ``price``/``arrival``: cell of the
    chart and order of entering it. ``par``: the price at which it was started. ``unit``: percent of an ordinary share.
    """

    name: str
    kind: str = "corporation"
    cash: int = 0
    president: str | None = None
    receivership: bool = False
    holdings: Holdings = field(default_factory=dict)
    unit: int = 10
    price: Cell | None = None
    arrival: int = 0
    par: int | None = None
    float_percent: int = 60
    floated: bool = False
    operated: bool = False
    closed: bool = False
    trains: tuple[str, ...] = ()
    tokens: tuple[Token, ...] = ()
    marks: Mapping[str, object] = field(default_factory=dict)

    @property
    def started(self) -> bool:
        return self.par is not None

    def percent_of(self, holder: str) -> int:
        return percent(self.holdings, holder)

    def held(self, holder: str) -> tuple[Certificate, ...]:
        return self.holdings.get(holder, ())

    @property
    def president_percent(self) -> int:
        """Percent of the president's certificate."""
        for certificates in self.holdings.values():
            for certificate in certificates:
                if certificate.president:
                    return certificate.percent
        return 2 * self.unit

    @property
    def total_shares(self) -> int:
        """Number of ordinary shares that the whole company is worth."""
        return 100 // self.unit

    def with_mark(self, name: str, value: object) -> Self:
        return self.but(marks={**self.marks, name: value})


@dataclass(frozen=True)
class Private(Record):
    """A private in play. ``used`` counts the uses of its abilities by their place in the facts."""

    name: str
    owner: str | None = None
    income: int = 0
    value: int = 0
    closed: bool = False
    used: Mapping[int, int] = field(default_factory=dict)
    marks: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Depot(Record):
    """Train cards that nobody owns: ``upcoming`` in order, and ``pool``, discarded and for sale."""

    upcoming: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lay(Record):
    """A tile laid this turn; ``extra`` lays do not count as tile actions."""

    hex: HexId
    tile: str
    upgrade: bool
    extra: bool = False


@dataclass(frozen=True)
class Turn(Record):
    """What happened in the turn of the player or company whose turn it is.

    ``done``: keys of the steps that are over. ``acts``: actions taken (not passes). ``revenue``: None until the trains
    have run. ``raised``: money that sales brought in an emergency this turn. ``marks``: title-specific values.
    """

    done: frozenset[str] = frozenset()
    acts: tuple[Action, ...] = ()
    lays: tuple[Lay, ...] = ()
    tokened: bool = False
    revenue: int | None = None
    routes: Action | None = None
    bought: tuple[str, ...] = ()
    last_sale: int | None = None
    marks: Mapping[str, object] = field(default_factory=dict)

    def finished(self, key: str) -> Self:
        return self.but(done=self.done | {key})


@dataclass(frozen=True)
class Round(Record):
    """A round in progress. ``kind`` names its :class:`~rules.rounds.base.RoundKind`; ``number`` counts within the set;
    ``order`` are the players or companies that take turns, ``at`` whose turn it is."""

    kind: str
    number: int = 1
    order: tuple[str, ...] = ()
    at: int = 0
    turn: Turn = field(default_factory=Turn)
    marks: Mapping[str, object] = field(default_factory=dict)

    @property
    def current(self) -> str | None:
        return self.order[self.at] if self.at < len(self.order) else None


@dataclass(frozen=True)
class AuctionRound(Round):
    """``bids``: for each private the bids on it, highest last, one a player. ``passed``: who passed in succession.
    ``contested``: the private that is being auctioned among its bidders. ``prices``: reduced prices."""

    bids: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    passed: frozenset[str] = frozenset()
    contested: str | None = None
    prices: Mapping[str, int] = field(default_factory=dict)
    ever_bought: bool = False


@dataclass(frozen=True)
class StockRound(Round):
    """``passed``: who passed since last acting, in order of passing. ``sold``: what each player sold this round."""

    passed: tuple[str, ...] = ()
    sold: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class OperatingRound(Round):
    """``ran``: trains that may not run (again) this round; ``at_start``: no action has been taken yet."""

    ran: frozenset[str] = frozenset()
    at_start: bool = True


@dataclass(frozen=True)
class Pending(Record):
    """Something that must be decided before play goes on. ``who`` decides; ``details`` depend on the kind."""

    kind: str
    who: Actor
    company: str | None = None
    hexes: tuple[HexId, ...] = ()
    marks: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Ending(Record):
    """Triggers of the end that have happened: reason to the timing; ``last_turn`` for one more full set."""

    triggers: Mapping[str, str] = field(default_factory=dict)
    last_turn: int | None = None


@dataclass(frozen=True)
class Event(Record):
    """Something that an action brought, for the ledger: ``kind`` is price, sale or emergency, ``who`` the party that
    it concerns, ``text`` a sentence with the cause. ``before`` and ``after`` are share prices."""

    kind: str
    who: str
    text: str
    before: int = 0
    after: int = 0


@dataclass(frozen=True)
class State(Record):
    """A game at one moment. ``order`` is the present order of the players (priority first); ``turn_number`` counts
    stock rounds with their operating rounds; ``set_length`` is the number of operating rounds of the current set;
    ``over`` is the reason why the game has ended. ``events`` and ``notices`` belong to the last action; ``cause`` says
    why prices move at this moment."""

    game: Game = field(repr=False, compare=False)
    players: Mapping[str, Player]
    order: tuple[str, ...]
    companies: Mapping[str, Company]
    privates: Mapping[str, Private]
    table: Table = field(repr=False)
    depot: Depot
    bank: int | None
    phase_name: str
    round: Round
    turn_number: int = 1
    set_length: int = 1
    pending: tuple[Pending, ...] = ()
    obsolete: frozenset[str] = frozenset()
    faces: Mapping[str, str] = field(default_factory=dict)
    arrivals: int = 0
    bank_broken: bool = False
    ending: Ending = field(default_factory=Ending)
    over: str = ""
    lenient: bool = False
    notices: tuple[Fault, ...] = ()
    events: tuple[Event, ...] = ()
    cause: str = field(default="", compare=False)
    marks: Mapping[str, object] = field(default_factory=dict)
    #: What has been worked out about this state; a changed copy starts with nothing.
    memo: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    def but(self, **changes: Any) -> Self:
        """The same state with the named fields changed."""
        return super().but(memo={}, **changes)

    # --- facts -------------------------------------------------------------------------------------------------

    @property
    def facts(self) -> GameFacts:
        return self.game.facts

    @property
    def phase(self) -> Phase:
        return self.game.facts.edition.phases[self.phase_name]

    @property
    def kind(self) -> RoundKind:
        """The kind of the current round: its steps and how it goes on."""
        return self.game.round_kinds[self.round.kind]

    def facts_of(self, company: str) -> CorporationFacts:
        return self.game.company_facts(company)

    def private_facts(self, private: str) -> PrivateFacts:
        return self.game.facts.privates[private]

    def train_facts(self, train: str) -> TrainFacts:
        """The kind of card of a train id (``3+D-1``)."""
        return self.game.facts.trains[train.rpartition("-")[0]]

    def face_of(self, train: str) -> str:
        """The name under which the train runs: the side that was bought."""
        return self.faces.get(train) or train.rpartition("-")[0]

    # --- reading -----------------------------------------------------------------------------------------------

    def company(self, name: str) -> Company:
        return self.companies[name]

    @property
    def operator(self) -> Company | None:
        """The company whose operating turn it is."""
        current = self.round.current
        return self.companies.get(current) if isinstance(self.round, OperatingRound) and current else None

    def price_of(self, company: Company) -> int:
        """Current price of a share; 0 for a company without one."""
        return self.game.facts.market.price(company.price) if company.price is not None else 0

    def cash_of(self, party: str) -> int:
        if party in self.players:
            return self.players[party].cash
        return self.companies[party].cash

    def called(self, party: str) -> str:
        """What people call a player or a company."""
        return self.players[party].name if party in self.players else party

    def privates_of(self, owner: str) -> tuple[Private, ...]:
        """The open privates that a player or company owns, in order of acquisition."""
        return tuple(private for private in self.privates.values() if private.owner == owner and not private.closed)

    def owner_of_train(self, train: str) -> str | None:
        return next((company.name for company in self.companies.values() if train in company.trains), None)

    def seats_from(self, player: str) -> tuple[str, ...]:
        """The other players clockwise from the left of *player*, then the player. Source: COMMON section 3."""
        seats = self.game.seats
        if player not in seats:
            return seats
        place = seats.index(player) + 1
        return (*seats[place:], *seats[:place])

    def actor(self, company: Company) -> Actor:
        return Actor(company.kind, company.name)

    def value_of(self, player: str) -> int:
        """Cash, shares at market price and privates, as the title scores them. Source: COMMON section 12."""
        return self.game.value_of(self, player)

    def position(self, company: str) -> Position:
        """The board as the route search needs it, for a run of *company* now."""
        return self.game.position(self, company)

    # --- changing ----------------------------------------------------------------------------------------------

    def with_player(self, player: Player) -> State:
        return self.but(players={**self.players, player.id: player})

    def with_company(self, company: Company) -> State:
        return self.but(companies={**self.companies, company.name: company})

    def with_private(self, private: Private) -> State:
        return self.but(privates={**self.privates, private.name: private})

    def handing_private(self, name: str, owner: str | None) -> State:
        """The private given to another owner, behind those that the owner already has."""
        others = {key: private for key, private in self.privates.items() if key != name}
        return self.but(privates={**others, name: self.privates[name].but(owner=owner)})

    def with_turn(self, **changes: Any) -> State:
        return self.but(round=self.round.but(turn=self.round.turn.but(**changes)))

    def with_round(self, **changes: Any) -> State:
        return self.but(round=self.round.but(**changes))

    def with_mark(self, name: str, value: object) -> State:
        return self.but(marks={**self.marks, name: value})

    def done(self, key: str) -> State:
        """The step is over for this turn."""
        return self.but(round=self.round.but(turn=self.round.turn.finished(key)))

    def did(self, action: Action) -> State:
        return self.with_turn(acts=(*self.round.turn.acts, action))

    def pay(self, payer: str, payee: str, amount: int) -> State:
        """Money handed over. A payer without enough is refused; the bank may break (COMMON section 12)."""
        if amount == 0 or payer == payee:
            return self
        if amount < 0:
            return self.pay(payee, payer, -amount)
        state = self
        if payer == BANK:
            if state.bank is not None:
                state = state.but(bank=state.bank - amount, bank_broken=state.bank_broken or state.bank < amount)
        elif payer in state.players:
            player = state.players[payer]
            if player.cash < amount:
                raise self.violation("not-enough-money", f"{player.name} has {player.cash} and needs {amount}")
            state = state.with_player(player.but(cash=player.cash - amount))
        else:
            company = state.companies[payer]
            if company.cash < amount:
                raise self.violation(
                    "not-enough-money", f"the treasury of {payer} holds {company.cash} and {amount} is needed"
                )
            state = state.with_company(company.but(cash=company.cash - amount))
        if payee == BANK:
            return state if state.bank is None else state.but(bank=state.bank + amount)
        if payee in state.players:
            player = state.players[payee]
            return state.with_player(player.but(cash=player.cash + amount))
        company = state.companies[payee]
        return state.with_company(company.but(cash=company.cash + amount))

    def moving_price(self, name: str, cell: Cell) -> State:
        """The share-price marker set on a cell, behind those already there; noted with the cause of the moment."""
        company = self.companies[name]
        price = self.game.facts.market.price
        old = price(company.price) if company.price is not None else 0
        event = Event("price", name, self.cause, old, price(cell))
        if company.price == cell:
            return self.but(events=(*self.events, event))
        moved = company.but(price=cell, arrival=self.arrivals + 1)
        return self.but(
            companies={**self.companies, name: moved}, arrivals=self.arrivals + 1, events=(*self.events, event)
        )

    def because(self, cause: str) -> State:
        """The state in which prices move for this reason."""
        return self.but(cause=cause)

    def noting(self, kind: str, who: str, text: str) -> State:
        """The state with an event for the ledger."""
        return self.but(events=(*self.events, Event(kind, who, text)))

    # --- faults ------------------------------------------------------------------------------------------------

    def violation(self, code: str, message: str) -> RuleViolation:
        return RuleViolation(Fault(code, message))

    def object_to(self, faults: Iterable[Fault]) -> State:
        """Refuse for these faults. Where a recorded game is read leniently, those of :data:`FORGIVEN` are noted."""
        found = tuple(faults)
        if not found:
            return self
        if self.lenient and all(fault.code in FORGIVEN for fault in found):
            return self.but(notices=(*self.notices, *found))
        raise RuleViolation(found)


__all__ = [
    "BANK", "FORGIVEN", "IPO", "POOL", "AuctionRound", "Company", "Depot", "Ending", "Event", "Lay", "OperatingRound",
    "Pending", "Player", "Private", "Round", "State", "StockRound", "Token", "Turn",
]  # fmt: skip
