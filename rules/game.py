"""A game: the facts of a title, its rules as overridable methods, and its rounds. Titles subclass :class:`Game`.

The engine asks the game wherever titles differ. What a title may override is grouped in ``rules.policies``; the steps
of its rounds are listed in :meth:`Game.rounds`. See ``docs/rules_engine.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from board.position import Position, PrivateState
from rules.actions import Action, RunRoutes
from rules.facts import CorporationFacts, GameFacts
from rules.policies.dividends import DividendRules
from rules.policies.ending import EndRules
from rules.policies.privates import PrivateRules
from rules.policies.shares import ShareRules
from rules.policies.track import TrackRules
from rules.policies.trains import TrainRules
from rules.randomness import Draws
from rules.rounds.base import RoundKind
from rules.shares import IPO, issue
from rules.state import Company, Depot, Player, Private, Round, State, Token
from rules.table import Table

#: Works out what routes earn: the state, the company, the action. Passed in by whoever knows how to score routes.
Scorer = Callable[[State, str, RunRoutes], int]


class Game(ShareRules, TrackRules, TrainRules, DividendRules, PrivateRules, EndRules):
    """The rules of one title for given facts and players.

    ``seats``: player ids in seat order; ``names``: what they are called. ``scorer``: see :data:`Scorer` (None: runs
    must tell their revenue). ``strict_readings``: options of the title that follow the printed word where the
    recording site does not.
    """

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
        self.facts = self.facts_under(facts, options)
        self.seats = tuple(seats)
        self.names = {seat: (names or {}).get(seat, seat) for seat in seats}
        self.seed = seed
        self.options = options
        self.scorer = scorer

    @staticmethod
    def facts_under(facts: GameFacts, options: frozenset[str]) -> GameFacts:
        """The facts as options change them beyond what their tables say."""
        return facts

    # --- rounds ------------------------------------------------------------------------------------------------

    def rounds(self) -> tuple[RoundKind, ...]:
        """The kinds of round of the title; the first one opens the game."""
        raise NotImplementedError

    @cached_property
    def round_kinds(self) -> dict[str, RoundKind]:
        return {kind.name: kind for kind in self.rounds()}

    def next_round(self, state: State) -> State:
        """The round that follows a finished one: auction, then stock round and its set in turn. Source: COMMON 6."""
        kind = state.kind
        if kind.role == "opening":
            return self.begin_round(state.but(order=self.order_after_opening(state)), "Stock", 1)
        if kind.role == "stock":
            state = state.but(order=self.next_players(state), set_length=self.operating_rounds(state))
            return self.begin_round(state, "Operating", 1)
        if state.round.number < state.set_length:
            return self.begin_round(state, "Operating", state.round.number + 1)
        return self.begin_round(state.but(turn_number=state.turn_number + 1), "Stock", 1)

    def begin_round(self, state: State, kind: str, number: int) -> State:
        return self.round_kinds[kind].begin(state, number)

    def order_after_opening(self, state: State) -> tuple[str, ...]:
        """Who starts the first stock round: the player after the last normal actor. Source: COMMON section 6.1."""
        return self.next_players(state)

    def operating_rounds(self, state: State) -> int:
        """Rounds of the set that begins now. Source: COMMON section 6."""
        return state.phase.operating_rounds

    def operating_order(self, state: State) -> tuple[str, ...]:
        """Floated minors, then floated corporations by price. Source: COMMON section 5."""
        minors = [
            name for name, one in state.companies.items() if one.kind == "minor" and one.floated and not one.closed
        ]
        others = [one for one in state.companies.values() if one.kind != "minor" and one.floated and not one.closed]
        others.sort(key=lambda one: self.operating_rank(state, one))
        return (*minors, *(one.name for one in others))

    def operating_rank(self, state: State, company: Company) -> tuple[int, int, int, int, str]:
        cell = company.price
        if cell is None:
            return (0, 0, 0, company.arrival, company.name)
        return (-self.facts.market.price(cell), -cell.column, cell.row, company.arrival, company.name)

    def before_operating_round(self, state: State) -> State:
        """The start of an operating round: privates pay. Source: COMMON section 6.3."""
        return self.pay_incomes(state)

    def before_stock_round(self, state: State) -> State:
        """The start of a stock round."""
        return state

    def after_operating_round(self, state: State) -> State:
        """The end of an operating round, before its end is checked (18GB exports a train)."""
        return state

    def after_action(self, state: State, action: Action) -> State:
        """Called after every action of an operating round."""
        return state

    def may_operate(self, state: State, company: Company) -> bool:
        """Whether a company in the order still takes its turn."""
        return not company.closed

    def before_operating_turn(self, state: State, company: str) -> State:
        """The start of a company's turn, after its home tokens."""
        return state

    def after_operating_turn(self, state: State, company: str) -> State:
        """The end of a company's turn."""
        return state

    # --- set-up ------------------------------------------------------------------------------------------------

    def opening(self) -> State:
        """The state before the first action."""
        facts = self.facts
        state = State(
            game=self,
            players={seat: Player(seat, self.names[seat], facts.settings.cash) for seat in self.seats},
            order=self.seats,
            companies={
                **{name: self.new_minor(one) for name, one in facts.minors.items()},
                **{name: self.new_company(one) for name, one in facts.corporations.items()},
            },
            privates={name: Private(name, income=one.income, value=one.value) for name, one in facts.privates.items()},
            table=Table.opening(facts.edition),
            depot=Depot(upcoming=self.stock()),
            bank=None if facts.settings.bank is None else facts.settings.bank - facts.settings.cash * len(self.seats),
            phase_name=next(iter(facts.edition.phases)),
            round=Round(kind=next(iter(self.round_kinds))),
        )
        state = self.set_up(state, Draws(self.seed))
        return self.begin_round(state, next(iter(self.round_kinds)), 1)

    def new_company(self, facts: CorporationFacts) -> Company:
        return Company(
            name=facts.name,
            kind="corporation",
            holdings={IPO: issue(facts.shares)},
            unit=min(facts.shares),
            float_percent=facts.float_percent,
            tokens=tuple(Token(price) for price in facts.token_prices),
        )

    def new_minor(self, facts: CorporationFacts) -> Company:
        return Company(name=facts.name, kind="minor", tokens=tuple(Token(price) for price in facts.token_prices))

    def set_up(self, state: State, draws: Draws) -> State:
        """Random draws and whatever else the title does before the first action. Source: COMMON section 13, title."""
        return state

    def company_facts(self, company: str) -> CorporationFacts:
        """Facts of a company (1828 systems override)."""
        found = self.facts.corporations.get(company) or self.facts.minors.get(company)
        if found is None:
            raise KeyError(company)
        return found

    # --- routes ------------------------------------------------------------------------------------------------

    def has_route(self, state: State, company: Company) -> bool:
        """Two connected stops exist from one token. Source: COMMON section 11, "Forced purchase"."""
        return self.reach(state, company.name).route

    def markers(self, state: State, company: str) -> Mapping[str, object]:
        """Title-specific markers of a position."""
        return {}

    def trains_to_run(self, state: State, company: Company) -> tuple[str, ...]:
        """Names of the trains that run, as a position lists them (18GB: a leased one)."""
        return tuple(state.face_of(train) for train in self.runnable(state, company))

    def position(self, state: State, company: str) -> Position:
        """Everything that decides the run of *company* now. Players are called P0, P1, … in their present order."""
        label = {player: f"P{place}" for place, player in enumerate(state.order)}
        return Position.build(
            self.facts.edition,
            phase=state.phase_name,
            operator=company,
            trains=self.trains_to_run(state, state.companies[company]),
            tiles=state.table.placements(),
            tokens=state.table.tokens,
            owners={
                name: label[one.president]
                for name, one in state.companies.items()
                if one.president in label and not one.closed
            },
            privates={
                name: PrivateState(label.get(one.owner, one.owner), not self.is_used_up(one))
                for name, one in state.privates.items()
                if one.owner is not None and not one.closed
            },
            markers=self.markers(state, company),
        )

    def is_used_up(self, private: Private) -> bool:
        """Whether the owner has closed a private that still stands for its ability (18GB)."""
        return False
