"""Audits: every run of a game, a position file or a claim file put beside the best run and the rules.

A *shortfall* is money left on the table: what the best legal set of runs earns less what was claimed, never negative.
Where a search ran into its limit the best is a lower bound, so the shortfall is one too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from analysis.differences import differences
from board.errors import Fault
from board.position import Position
from board.routes import ClaimedRoute
from records.games_18xx import RecordedGame
from records.positions import PositionRecord, told_total
from records.replay import replay
from records.runs import ProblemOf, RunCheck
from routing.checker import Verdict
from routing.claims import check_claim
from routing.problem import RouteProblem
from routing.result import Result
from routing.solve import solve
from rules.actions import RunRoutes
from rules.state import State

#: What may be said of a company beside its name: nobody presides, or it runs a leased train.
RECEIVERSHIP, INSOLVENT = "receivership", "insolvent"


@dataclass(frozen=True)
class AuditedRun:
    """One operating turn's runs: what was claimed, what the rules give for it, and the best.

    ``claimed`` is what was paid or said (money; what the rules give where nothing was said), ``stored`` whether an
    amount was told at all, ``revenue`` what the rules give. ``player`` presides over the company (empty: nobody, or not
    known). ``mark`` is :data:`RECEIVERSHIP`, :data:`INSOLVENT` or empty. ``faults`` make the run illegal;
    ``differences`` are sentences about amounts that are not what the rules give; ``notes`` tell how a claim was
    understood that left something open.
    """

    position: Position
    claimed: int
    stored: bool
    revenue: int
    best: Result
    player: str = ""
    mark: str = ""
    routes: tuple[ClaimedRoute, ...] = ()
    verdict: Verdict | None = None
    faults: tuple[Fault, ...] = ()
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""

    @property
    def legal(self) -> bool:
        return not self.faults

    @property
    def differs(self) -> bool:
        """Whether an amount was told that is not what the rules give."""
        return bool(self.differences)

    @property
    def shortfall(self) -> int:
        """Money left on the table."""
        return max(0, self.best.revenue - self.claimed)


@dataclass
class Sum:
    """Runs added up: how many, money claimed, money of the best, money left on the table, and how many fall short, are
    illegal, differ from the rules, or have a best that is not proven."""

    runs: int = 0
    claimed: int = 0
    best: int = 0
    shortfall: int = 0
    short: int = 0
    illegal: int = 0
    differ: int = 0
    unproven: int = 0

    def add(self, run: AuditedRun) -> None:
        self.runs += 1
        self.claimed += run.claimed
        self.best += run.best.revenue
        self.shortfall += run.shortfall
        self.short += run.shortfall > 0
        self.illegal += not run.legal
        self.differ += run.differs
        self.unproven += not run.best.proven


@dataclass
class Totals:
    """Sums of an audit: in all, and by company (with a mark where one was), player and phase, in order of appearance.

    Companies of several titles keep apart by the title before their name as soon as there is more than one title.
    """

    all: Sum = field(default_factory=Sum)
    companies: dict[tuple[str, str], Sum] = field(default_factory=dict)
    players: dict[str, Sum] = field(default_factory=dict)
    phases: dict[tuple[str, str], Sum] = field(default_factory=dict)
    marked: dict[str, Sum] = field(default_factory=dict)

    def add(self, run: AuditedRun) -> None:
        title = run.position.edition.title
        self.all.add(run)
        self.companies.setdefault((title, run.position.operator), Sum()).add(run)
        self.players.setdefault(run.player or "nobody", Sum()).add(run)
        self.phases.setdefault((title, run.position.phase.name), Sum()).add(run)
        if run.mark:
            self.marked.setdefault(run.mark, Sum()).add(run)

    def tables(self) -> Mapping[str, Mapping[str, Sum]]:
        """The sums by ``company``, ``player``, ``phase`` and ``mark``, each by name."""
        several = len({title for title, _ in self.companies}) > 1

        def named(sums: Mapping[tuple[str, str], Sum]) -> dict[str, Sum]:
            return {f"{title} {name}" if several else name: one for (title, name), one in sums.items()}

        return {
            "company": named(self.companies),
            "player": self.players,
            "phase": named(self.phases),
            "mark": self.marked,
        }


def totals_of(runs: Iterable[AuditedRun]) -> Totals:
    totals = Totals()
    for run in runs:
        totals.add(run)
    return totals


def audited_game(
    game: RecordedGame, opening: State, problem_of: ProblemOf, *, time_limit: float = 60.0
) -> Iterator[AuditedRun]:
    """Every run of a recorded game, in order. ``time_limit`` is in seconds for the best of each run.

    Raises as :func:`records.replay.replay` does where the record cannot be played on; the runs before have been given.
    """
    for carried in replay(game, opening, problem_of):
        runs = iter(carried.runs)
        for action in carried.entry.actions:
            if isinstance(action, RunRoutes) and action.by.name in carried.before.companies:
                where = f"{game.place}: {carried.entry.place}" if game.place else carried.entry.place
                run = audited_run(carried.before, next(runs), problem_of, time_limit, where)
                yield replace(run, position=replace(run.position, game=game.id, action=carried.entry.id))


def audited_run(
    state: State, check: RunCheck, problem_of: ProblemOf, time_limit: float = 60.0, source: str = ""
) -> AuditedRun:
    """A run of a recorded game in the state before it. ``time_limit`` is in seconds for its best."""
    position = check.position
    best = solve(problem_of(position), time_limit=time_limit)
    company = state.companies[check.company]
    president = state.called(company.president) if company.president is not None else ""
    faults = check.faults if check.verdict is None else check.verdict.all_faults
    wrong: tuple[str, ...] = ()
    if check.verdict is not None:
        # Which of two routes a record credits with a joint bonus is no difference while the total is right.
        wrong = _told(differences(check.claimed, check.stored, check.verdict)) if check.differs else ()
    elif check.differs:
        wrong = (f"{check.stored} in the record; the routes cannot be found on the map",)
    return AuditedRun(
        position=position,
        claimed=check.revenue if check.stored is None else check.stored,
        stored=check.stored is not None,
        revenue=check.revenue,
        best=best,
        player=president,
        mark=mark_of(state, check.company),
        routes=check.claimed,
        verdict=check.verdict,
        faults=faults,
        differences=wrong,
        source=source,
    )


def mark_of(state: State, name: str) -> str:
    """What stands beside the name of the company. In receivership nobody presides, and the best run is due (1846
    section 16); an insolvent company runs a leased train (18GB section 9)."""
    company = state.companies[name]
    insolvent = getattr(state.game, "insolvent", None)
    if insolvent is not None and insolvent(company):
        return INSOLVENT
    return RECEIVERSHIP if company.receivership else ""


def audited_position(record: PositionRecord, problem: RouteProblem, *, time_limit: float = 60.0) -> AuditedRun:
    """The claim of a position. Raises as :func:`routing.claims.check_claim` does for track too tangled to be looked
    at."""
    position = record.position
    verdict = check_claim(problem, record.claimed)
    best = solve(problem, time_limit=time_limit)
    told = told_total(record.claimed, record.claimed_revenue)
    return AuditedRun(
        position=position,
        claimed=verdict.revenue if told is None else told,
        stored=told is not None,
        revenue=verdict.revenue,
        best=best,
        player=position.owners.get(position.operator, ""),
        routes=record.claimed,
        verdict=verdict,
        faults=verdict.all_faults,
        differences=_told(differences(record.claimed, told, verdict)),
        source=record.source,
    )


def _told(faults: Iterable[Fault]) -> tuple[str, ...]:
    return tuple(str(fault) for fault in faults)
