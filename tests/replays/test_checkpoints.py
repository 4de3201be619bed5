"""Recorded games replay to the last dollar: every value at every action. Source: shared/checkpoints/FORMAT.md."""

from __future__ import annotations

import pytest

from tests.replays.checkpoints import CHECKPOINTS, GAMES, differences, games
from titles.registry import titles

#: Titles whose whole games are played, and of which there are recorded games.
TITLES = tuple(
    title.info.name for title in titles() if title.game_rules() is not None and (GAMES / title.info.name).is_dir()
)
NAMES = [name for title in TITLES for name in games(title)]

needs_records = pytest.mark.skipif(not GAMES.is_dir(), reason="the recorded games of ../shared are not here")


@needs_records
@pytest.mark.parametrize("title", TITLES)
def test_every_recorded_game_has_checkpoints(title: str) -> None:
    """An empty folder, or a game without its checkpoints, is a failure."""
    assert games(title)
    for name in games(title):
        assert (CHECKPOINTS / f"{name}.jsonl").is_file()


@needs_records
@pytest.mark.parametrize("name", NAMES)
def test_replay_agrees_with_every_checkpoint(name: str) -> None:
    """Stops at the first difference and names it."""
    first = next(differences(name), None)
    assert first is None, first
