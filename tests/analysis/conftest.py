"""A small dataset with something of everything that a report shows, and its page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.batch import run_batch
from analysis.questions import Dataset
from analysis.report import report_on
from tests.analysis.recorded_games import NAME, SPOILT, random_game

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "games" / "1830-random.json"


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """A game with an illegal run and a player with a nasty name, one of another title, and a broken file."""
    folder = tmp_path_factory.mktemp("report")
    value = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    value["players"][0]["name"] = NAME
    (action,) = [one for one in value["actions"] if one["id"] == SPOILT]
    first, second = action["routes"]
    action["routes"] = [first, {**first, "train": second["train"], "revenue": second["revenue"]}]
    games = folder / "games"
    games.mkdir()
    (games / "spoilt.json").write_text(json.dumps(value), encoding="utf-8")
    (games / "other.json").write_text(random_game("1894", 5)[1], encoding="utf-8")
    (games / "broken.json").write_text("{", encoding="utf-8")
    run_batch([str(games)], folder / "dataset")
    return Dataset(folder / "dataset")


@pytest.fixture(scope="session")
def page(reported: Dataset) -> str:
    """The report on the whole dataset."""
    return report_on(reported)
