"""What if: every outcome is that of carrying the change out by the engine and solving anew, for every company."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.games import opening, problems_of
from analysis.position_states import position_after, state_of
from analysis.what_if import KINDS, LAY, TOKEN, TRAIN, UPGRADE, Outcome, changes_open, chosen, what_if
from board.errors import InputError, RuleViolation
from board.position import Position
from cli.inputs import edition_of
from records.games_18xx import read_game
from records.positions import load_positions
from records.replay import replay
from routing.solve import solve
from rules import engine
from rules.state import OperatingRound, State
from rules.steps.base import Step
from tests.cli.calling import ERIE, EXAMPLES, LNWR
from titles.registry import get_title

SHARED = Path(__file__).resolve().parents[3] / "shared"
RANDOM = EXAMPLES / "games" / "1830-random.json"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded games in ../shared are not there")


def turns(path: Path, number: int, seed: int = 1) -> list[State]:
    """Some states of the game in which a company with trains starts its turn."""
    game = read_game(path)
    found = [
        carried.after.but(lenient=False)
        for carried in replay(game, opening(game))
        if not carried.after.over
        and isinstance(carried.after.round, OperatingRound)
        and carried.after.operator is not None
        and carried.after.operator.trains
        and not carried.after.round.turn.done
    ]
    return random.Random(seed).sample(found, min(number, len(found)))


def waiting(state: State, outcome: Outcome) -> Step | None:
    """The step that takes the action now, if it is that of the outcome."""
    for step in state.kind.steps:
        if step.key in state.round.turn.done:
            continue
        if type(outcome.change.action) in step.handles and step.accepts(state, outcome.change.action):
            return step
        if step.waits(state):
            return None
    return None


def agrees(state: State, title: str, number: int = 12, seed: int = 1) -> Iterator[str]:
    """Holds a sample of the outcomes against the engine; yields the kinds that were looked at."""
    problem_of = problems_of(title)
    found = what_if(state, problem_of, jobs=1)
    assert found.before == solve(problem_of(state.position(found.builder))).revenue
    gains = [outcome.gain for outcome in found.outcomes]
    assert gains == sorted(gains, reverse=True)
    for outcome in random.Random(seed).sample(found.outcomes, min(number, len(found.outcomes))):
        if waiting(state, outcome) is outcome.change.step and not state.pending:
            after = engine.apply(state, outcome.change.action)  # the whole way, with all that follows
            if after.round.current != found.builder or after.pending:
                continue
        else:
            after = outcome.change.step.apply(state, outcome.change.action)
        revenue = solve(problem_of(after.position(found.builder))).revenue
        assert (outcome.revenue, outcome.gain) == (revenue, revenue - found.before), outcome.change
        cash = state.companies[found.builder].cash - after.companies[found.builder].cash
        assert outcome.change.kind == TRAIN or outcome.change.cost == cash
        for name, company in state.companies.items():
            if name != found.builder and company.trains and not company.closed:
                before = solve(problem_of(state.position(name))).revenue
                lost = before - solve(problem_of(after.position(name))).revenue
                assert outcome.harms.get(name, 0) == max(0, lost), (outcome.change, name)
        yield outcome.change.kind


def test_own_games_agree_with_the_engine() -> None:
    for state in turns(RANDOM, 4):
        assert set(agrees(state, "1830")) <= set(KINDS)


@needs_shared
@pytest.mark.parametrize("name", ["1830/26855", "1846/20381", "18GB/18gb-3p", "1894/green_city_upgrades", "1828/23366"])
def test_recorded_games_agree_with_the_engine(name: str) -> None:
    title = name.partition("/")[0]
    seen: set[str] = set()
    for state in turns(SHARED / "games" / f"{name}.json", 3):
        seen |= set(agrees(state, title, 6))
    assert seen


def test_processes_say_the_same() -> None:
    (state,) = turns(RANDOM, 1, seed=3)
    one = what_if(state, problems_of("1830"), jobs=1)
    two = what_if(state, problems_of("1830"), jobs=2)
    told = [[(o.change.where, o.change.tile, o.revenue, o.harms) for o in found.outcomes] for found in (one, two)]
    assert told[0] == told[1]


def test_for_another_company() -> None:
    for state in turns(RANDOM, 3):
        builder = state.operator
        assert builder is not None
        others = [name for name, one in state.companies.items() if one.trains and name != builder.name]
        for name in others[:1]:
            found = what_if(state, problems_of("1830"), company=name, jobs=1)
            assert (found.company, found.builder) == (name, builder.name)
            assert found.before == solve(problems_of("1830")(state.position(name))).revenue


def test_nobody_is_on_turn_at_the_start() -> None:
    with pytest.raises(InputError, match="no company is on turn"):
        changes_open(opening(read_game(RANDOM)))


@pytest.mark.parametrize("path", [ERIE, LNWR])
def test_a_position(path: Path) -> None:
    """The state made of a position has its board; every change is one that the checks of the engine allow."""
    (record,) = load_positions([path], edition_of)
    position = record.position
    title = get_title(position.edition.title)
    state = state_of(position)
    again = position_after(position, state, position.operator)
    assert (again.tiles, again.tokens, again.trains, again.phase) == (
        dict(position.tiles), position.tokens, position.trains, position.phase
    )  # fmt: skip

    def after(changed: State, company: str) -> Position:
        return position_after(position, changed, company)

    found = what_if(state, title.problem, position_of=after, harms=False, jobs=1)
    assert found.before == solve(title.problem(position)).revenue
    assert {outcome.change.kind for outcome in found.outcomes} >= {LAY, UPGRADE}
    for outcome in random.Random(2).sample(found.outcomes, 12):
        try:
            laid = after(outcome.change.step.apply(state, outcome.change.action), position.operator)
        except RuleViolation:
            pytest.fail(f"{outcome.change} is offered and refused")
        checked = position.with_changes(tiles=laid.tiles, tokens=laid.tokens)  # validated anew
        assert outcome.revenue == solve(title.problem(checked)).revenue


def test_changes_by_name() -> None:
    (record,) = load_positions([ERIE], edition_of)
    changes = changes_open(state_of(record.position))
    assert chosen(changes, ()) == changes
    assert {change.kind for change in chosen(changes, ("upgrade",))} == {UPGRADE}
    some = next(change for change in changes if change.kind == UPGRADE)
    assert some.tile is not None
    assert some in chosen(changes, (str(some.hex),))
    assert chosen(changes, (f"{some.hex}:{some.tile[0]}/{some.tile[1]}",)) == (some,)
    assert all(change.kind == TOKEN for change in chosen(changes, ("token",)))
    with pytest.raises(InputError, match="nothing open now is 'Z99'"):
        chosen(changes, ("Z99",))
