"""Recorded games replayed without route search: actions a second; the known end is asserted.

The aim is 5,000 actions a second, the least 3,000, by the processor's clock. On a
machine that is slower than the one for which the figures are meant, by the reference loop, as much less is asked.
"""

from __future__ import annotations

import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.games import opening
from benchmarks.measure import reference_seconds
from records.games_18xx import RecordedGame, read_game
from records.replay import replay
from records.runs import stored_revenue
from rules.actions import RunRoutes
from rules.state import State
from tests.replays.checkpoints import GAMES, games
from titles.registry import titles

#: Actions a second below which a replay is too slow, and megabytes above which it takes too much.
LEAST = 3_000
#: Seconds of the reference loop on the machine for which the figures are meant.
REFERENCE = 0.04
NAMES = [
    name
    for title in titles()
    if title.game_rules() is not None and (GAMES / title.info.name).is_dir()
    for name in games(title.info.name)
]


def tells_revenue(game: RecordedGame) -> bool:
    """Whether every run says what it earns; older records do not, and then it is worked out, which takes its time."""
    return all(
        stored_revenue(action) is not None
        for entry in game.actions
        for action in entry.actions
        if isinstance(action, RunRoutes)
    )


def played(game: RecordedGame, state: State) -> State:
    for carried in replay(game, state):
        state = carried.after
    return state


@pytest.mark.skipif(not NAMES, reason="the recorded games of ../shared are not here")
@pytest.mark.parametrize("name", NAMES)
def test_replay(benchmark: BenchmarkFixture, name: str) -> None:
    game = read_game(GAMES / f"{name}.json")
    start = opening(game)
    spent: list[float] = []

    def once() -> State:
        begun = time.process_time()
        end = played(game, start)
        spent.append(time.process_time() - begun)
        return end

    end = benchmark.pedantic(once, rounds=5, warmup_rounds=1)
    assert end.over == game.end_reason
    assert end.game.scores(end) == dict(game.result)
    actions = sum(len(entry.actions) for entry in game.actions)
    rate = actions / min(spent)
    needed = LEAST * min(1.0, REFERENCE / reference_seconds())
    benchmark.extra_info["actions a second"] = round(rate)
    assert rate >= needed or not tells_revenue(game), (
        f"{rate:.0f} actions a second; at least {needed:.0f} are needed on this machine"
    )
