"""The questions of docs/questions.md run, and give what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.batch import run_batch
from analysis.questions import Dataset
from analysis.tables import TABLES

ROOT = Path(__file__).parents[2]
QUESTIONS = re.findall(r"```sql\n(.*?)```", (ROOT / "docs" / "questions.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    out = tmp_path_factory.mktemp("questions") / "dataset"
    run_batch([str(ROOT / "docs" / "examples" / "games")], out)
    return Dataset(out)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda text: " ".join(text.split())[:40])
def test_worked_questions_run(dataset: Dataset, question: str) -> None:
    rows = dataset.all(question)
    assert rows or "NOT legal" in question or "FROM errors" in question


def test_who_left_most_agrees_with_a_sum_by_hand(dataset: Dataset) -> None:
    asked = {row["name"]: row["left_on_table"] for row in dataset.all(QUESTIONS[0])}
    names = {row["player"]: row["name"] for row in dataset.all("SELECT * FROM players")}
    left: dict[str, int] = {}
    for row in dataset.all("SELECT * FROM company_turns"):
        if row["president"] is not None:
            name = names[row["president"]]
            left[name] = left.get(name, 0) + max(0, row["best"] - row["claimed"])
    assert asked == left
    assert sum(left.values()) > 0


def test_trains_pay_back_as_counted_by_hand(dataset: Dataset) -> None:
    (question,) = [text for text in QUESTIONS if "AS back" in text]
    routes = dataset.all("SELECT * FROM routes WHERE kind = 'run'")
    for row in dataset.all(question):
        bought = [
            one for one in dataset.all("SELECT * FROM trains_bought")
            if one["train"] == row["train"] and one["seller"] in ("bank", "pool")
        ]  # fmt: skip
        cards = {one["card"] for one in bought}
        earned = sum(route["revenue"] for route in routes if route["card"] in cards)
        assert row["cards"] == len(cards)
        assert row["back"] == pytest.approx(earned / sum(one["price"] for one in bought), abs=0.006)


def test_a_dataset_without_games_can_be_asked(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("[")
    run_batch([str(tmp_path)], tmp_path / "out")
    empty = Dataset(tmp_path / "out")
    for table in TABLES:
        assert len(empty.all(f"SELECT title, source, * FROM {table.name}")) == (table.name in ("errors", "timings"))
    for question in QUESTIONS:
        empty.all(question)
