"""A sample of random games; ``make simulate`` plays a thousand."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from analysis.games import problems_of
from analysis.random_play import TEMPERS, RandomPlayer, play
from board.hexes import StopId
from rules.actions import Actor
from rules.state import Pending
from tests.cli.calling import ROOT
from tests.simulation.driver import Case, cases, new_game, outcome, playable, sample
from tests.simulation.invariants import problems, snapshot
from titles.registry import get_title

#: Short games that end by themselves, and by what.
ENDS = [
    (Case("1830", 3, (), 3), "bankrupt"),
    (Case("1894", 3, (), 6), "bankrupt"),
    (Case("18GB", 3, (), 1), "final_train"),
    (Case("1846", 3, (), 1), "bankrupt"),
    (Case("1846", 4, ("first_ed",), 5), "bank"),
    (Case("1833NE", 5, (), 3), "all_closed"),
    (Case("1830", 2, (), 35), "manually_ended"),
]
#: Actions that are played of each game of the sample.
LENGTH = 150
#: Games of each title that two processes play.
APART = 3
NAMES = [title.info.name for title in playable()]
SAMPLE = list(sample(2 * len(NAMES)))


@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_sample(case: Case) -> None:
    found = outcome(case, closely=30, length=LENGTH)
    assert found.problems == ()
    assert found.over


@pytest.mark.parametrize(("case", "reason"), [one for one in ENDS if one[0].title in NAMES], ids=str)
def test_games_end_by_themselves(case: Case, reason: str) -> None:
    found = outcome(case, closely=100)
    assert found.problems == ()
    assert found.over, "a renewed seed: python -m tests.simulation lists the shortest game for each end"
    assert found.over == reason, "a renewed seed: python -m tests.simulation lists the shortest game for each end"


def test_the_sample_is_spread_over_titles_numbers_of_players_and_options() -> None:
    chosen = SAMPLE
    assert {case.title for case in chosen} == set(NAMES)
    assert len({case.players for case in chosen}) > 2
    assert len({len(case.options) for case in chosen}) > 1


def test_seeds_are_spread_over_titles_and_numbers_of_players() -> None:
    chosen = list(cases(80 * len(NAMES)))
    for title in playable():
        least, most = title.info.players
        mine = [case for case in chosen if case.title == title.info.name]
        assert {case.players for case in mine} == set(range(least, most + 1))
        assert {option for case in mine for option in case.options} == set(title.info.options)


@pytest.mark.parametrize("temper", TEMPERS, ids=lambda one: one.name)
def test_every_temper_plays(temper: object) -> None:
    game = new_game(get_title("1830"), 2, (), 1)
    player = RandomPlayer(1, problems_of("1830"), temper)  # type: ignore[arg-type]
    actions, end = play(game, player, length=60)
    assert len(actions) in range(1, 62)
    assert end.over


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_games_in_another_process(name: str) -> None:
    """Sets of names come in another order in each process; neither a game nor what it offers may depend on it."""
    chosen = list(cases(50, name))[:: 50 // APART][:APART]
    code = (
        "from tests.simulation.driver import Case, written\n"
        f"print('\\n'.join(written(case, {LENGTH}) for case in {chosen!r}))"
    )  # fmt: skip
    texts = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(texts) == 1, "the two processes play differently"
    (text,) = texts
    assert all(str(case) in text for case in chosen)
    assert len(text) > 10_000 * APART


def test_playing_changes_no_earlier_state() -> None:
    game = new_game(get_title("1830"), 3, (), 4)
    states: list[tuple[object, str]] = []

    def watch(before: object, action: object, after: object) -> None:
        if len(states) < 40:
            states.append((after, snapshot(after)))  # type: ignore[arg-type]

    play(game, RandomPlayer(4, problems_of("1830")), length=200, watch=watch)  # type: ignore[arg-type]
    assert all(snapshot(state) == text for state, text in states)  # type: ignore[arg-type]


def test_two_tokens_in_a_hex_are_wrong_unless_it_is_asked_which_one_goes() -> None:
    state = new_game(get_title("1830"), 3, (), 1).opening()
    here = [StopId.of("G19", city) for city in ("c0", "c1")]
    table = state.table.with_token("NYNH", here[0], 0).with_token("NYNH", here[1], 0)
    company = state.companies["NYNH"]
    tokens = tuple(token.but(at=at, used=True) for token, at in zip(company.tokens, here, strict=True))
    state = state.but(table=table).with_company(company.but(tokens=tokens))
    assert "NYNH has 2 tokens in G19" in list(problems(state))
    pending = Pending("merger_tokens", Actor("corporation", "NYNH"), "NYNH", (here[0].hex,))
    assert list(problems(state.but(pending=(pending,)))) == []
