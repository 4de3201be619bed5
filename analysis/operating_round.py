"""An operating round of a recorded game evaluated: best runs, what each dividend would bring, and what was done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from board.errors import Fault, InputError
from board.position import Position
from records.games_18xx import RecordedGame
from records.replay import Carried, replay
from records.runs import ProblemOf, RunCheck, check_run
from routing.result import Result
from routing.solve import solve
from rules.actions import Dividend, RunRoutes
from rules.evaluate import DividendOption, dividend_options, option
from rules.state import OperatingRound, State


@dataclass(frozen=True)
class CompanyTurn:
    """A company's turn: the best run on the board of that moment, what each use of its revenue would bring, and what
    was done (None where the record ends before)."""

    company: str
    state: State
    position: Position
    action: int | None
    best: Result
    options: tuple[DividendOption, ...]
    run: RunCheck | None
    done: DividendOption | None

    @property
    def shortfall(self) -> int | None:
        """Money that the run left on the table."""
        if self.done is None:
            return None
        return self.best.revenue - self.done.revenue


@dataclass
class _Turn:
    """What is gathered of a company's turn while the record is played."""

    company: str
    start: State
    entries: list[Carried] = field(default_factory=list)


def evaluated_round(
    game: RecordedGame, opening: State, problem_of: ProblemOf, *, at: int | None = None, time_limit: float = 60.0
) -> Iterator[CompanyTurn]:
    """The turns of the operating round in which action *at* falls (None: the last one), in operating order.

    Raises :class:`InputError` where there is no such action or round, :class:`RuleViolation` where the record is
    against the rules before the end of the round.
    """
    entries = _entries_of(game, opening, at)
    first, last = entries[0].before, entries[-1].after
    order = _round(entries[-1].before).order
    turns = {turn.company: turn for turn in _turns(entries)}
    played_on = _key(last) != _key(first) or bool(last.over)
    for place, company in enumerate(order):
        turn = turns.get(company)
        if turn is None:
            later = next((turns[name] for name in order[place + 1 :] if name in turns), None)
            state = later.start if later is not None else entries[-1].before if played_on else last
            yield _evaluated(_Turn(company, state), problem_of, time_limit, over=later is not None or played_on)
        else:
            over = played_on or last.round.current != company
            yield _evaluated(turn, problem_of, time_limit, over=over)


def _round(state: State) -> OperatingRound:
    assert isinstance(state.round, OperatingRound)
    return state.round


def _key(state: State) -> tuple[object, ...]:
    return state.round.kind, state.turn_number, state.round.number


def _entries_of(game: RecordedGame, opening: State, at: int | None) -> list[Carried]:
    """The entries of the operating round that was asked for."""
    found: list[Carried] = []
    rounds: list[tuple[int | None, int | None]] = []
    wanted = at is None
    for carried in replay(game, opening):
        if not isinstance(carried.before.round, OperatingRound):
            if carried.entry.id == at and isinstance(carried.after.round, OperatingRound):
                wanted, found = True, []
            continue
        if found and _key(found[-1].before) != _key(carried.before):
            if wanted and at is not None:
                return found
            found = []
        if not found:
            rounds.append((carried.entry.id, carried.entry.id))
        rounds[-1] = rounds[-1][0], carried.entry.id
        found.append(carried)
        wanted = wanted or carried.entry.id == at
    if not found or not wanted:
        raise _not_there(game, at, rounds)
    return found


def _not_there(game: RecordedGame, at: int | None, rounds: Iterable[tuple[int | None, int | None]]) -> InputError:
    spans = ", ".join(f"{first} to {last}" for first, last in rounds)
    there = f"operating rounds are actions {spans}" if spans else "no operating round is played before"
    what = f"action {at} is in no operating round" if at is not None else "there is no operating round"
    return InputError(Fault("no-operating-round", f"{what}; {there}", game.place or "game"))


def _turns(entries: Iterable[Carried]) -> Iterator[_Turn]:
    turn: _Turn | None = None
    for carried in entries:
        company = carried.before.round.current
        if company is None:
            continue
        if turn is None or turn.company != company:
            if turn is not None:
                yield turn
            turn = _Turn(company, carried.before)
        turn.entries.append(carried)
    if turn is not None:
        yield turn


def _evaluated(turn: _Turn, problem_of: ProblemOf, time_limit: float, *, over: bool) -> CompanyTurn:
    state, run, number = turn.start, None, None
    kind, paid_in = None, turn.start
    for carried in turn.entries:
        for action in carried.entry.actions:
            if isinstance(action, RunRoutes) and run is None:
                state, number = carried.before, carried.entry.id
                run = check_run(state, action, problem_of)
                over = True
                paid_in = carried.before
            elif isinstance(action, Dividend):
                kind, paid_in = action.kind, carried.before
    if run is None and turn.entries and not over:
        state = turn.entries[-1].after
    position = state.position(turn.company)
    best = solve(problem_of(position), time_limit=time_limit)
    done = None
    if over:
        stored = 0 if run is None else (run.revenue if run.stored is None else run.stored)
        done = option(paid_in, paid_in.companies[turn.company], kind or "withhold", stored)
    return CompanyTurn(
        turn.company, state, position, number, best, dividend_options(state, turn.company, best.revenue), run, done
    )
