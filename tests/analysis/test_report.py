"""The report: each table and each bar against rows counted by hand, maps of illegal runs, and the chronicle."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analysis.batch import run_batch
from analysis.plots import mark_id
from analysis.questions import Dataset
from analysis.report import report_on
from analysis.report_questions import OF_A_GAME, QUESTIONS
from board.errors import InputError
from cli.main import run as cli
from tests.analysis.recorded_games import random_game

ROOT = Path(__file__).parents[2]
#: The run of the example that is made illegal here: its second route takes the track of the first.
SPOILT = 419
NAME = '<script>alert("$x_1$")</script>'


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("report")
    value = json.loads((ROOT / "docs" / "examples" / "games" / "1830-random.json").read_text(encoding="utf-8"))
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


@pytest.fixture(scope="module")
def page(dataset: Dataset) -> str:
    return report_on(dataset)


class _Tables(HTMLParser):
    """The rows of each table of a page, by the question that it answers; elements must be balanced."""

    VOID = frozenset({"meta", "br", "!doctype"})

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.open: list[str] = []
        self.ids: list[str] = []
        self._cell: list[str] | None = None
        self._rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids += [str(values["id"])] if "id" in values else []
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "table":
            self._rows = self.tables[str(values["data-question"])] = []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in ("td", "th") and self._cell is not None:
            self._rows[-1].append("".join(self._cell))
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)


def _read(page: str) -> _Tables:
    found = _Tables()
    found.feed(page)
    assert found.open == []
    return found


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def test_every_table_shows_the_answer_to_its_question(dataset: Dataset, page: str) -> None:
    tables = _read(page).tables
    (game,) = dataset.all(QUESTIONS["games"] + " OFFSET 0")[:1]
    answers = {name: dataset.all(question) for name, question in QUESTIONS.items()}
    answers |= {
        name: dataset.all(OF_A_GAME[name], [game["source"]]) for name in ("result", "revenue", "prices", "worth")
    }
    for name, rows in answers.items():
        if not rows:
            assert f'<p data-question="{name}">None.</p>' in page
            continue
        columns = [one for one in rows[0] if not (name == "illegal" and one == "run")]
        shown = tables[name][1:]
        assert len(shown) == len(rows), name
        for row, cells in zip(rows, shown, strict=True):
            for column, cell in zip(columns, cells, strict=True):
                if column == "source":
                    assert str(row[column]).endswith(cell)
                elif column != "seconds":
                    assert cell == _shown(row[column]), (name, column)


def test_numbers_are_those_counted_by_hand(dataset: Dataset, page: str) -> None:
    """From the plain rows of the dataset, without SQL that sums."""
    tables = _read(page).tables
    turns = dataset.all("SELECT * FROM company_turns")
    by_title: dict[str, list[dict[str, Any]]] = defaultdict(list)
    by_phase: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in turns:
        by_title[row["title"]].append(row)
        if row["best"]:
            by_phase[row["title"], row["phase"]].append(row)
    for cells in tables["titles"][1:]:
        rows = by_title[cells[0]]
        earning = [row for row in rows if row["best"]]
        found = [row for row in earning if row["best"] <= row["claimed"] and row["legal"]]
        left = sum(max(0, row["best"] - row["claimed"]) for row in rows)
        assert [int(cell) for cell in (*cells[2:5], cells[6])] == [len(rows), len(earning), len(found), left]
        assert float(cells[5]) == pytest.approx(100 * len(found) / len(earning), abs=0.06)
        assert cells[8] == str(sum(not row["legal"] for row in rows))
    assert {(cells[0], cells[1]): int(cells[2]) for cells in tables["phases"][1:]} == {
        key: len(rows) for key, rows in by_phase.items()
    }
    assert [cells[1] for cells in tables["errors"][1:]] == ["malformed-json"]


def test_every_bar_has_the_value_of_its_row(dataset: Dataset, page: str) -> None:
    ids = _read(page).ids
    for name, label, value in (
        ("phases", "phase", "percent_found"),
        ("trains", "train", "back"),
        ("dividends", "dividend", "mean_step"),
    ):
        rows = dataset.all(QUESTIONS[name])
        assert rows
        for row in rows:
            assert mark_id(f"{name}-{row['title']}", str(row[label]), float(row[value] or 0)) in ids
    players = dataset.all(QUESTIONS["players"])
    assert sum(one.startswith("players-") for one in ids) == len(players) > 0


def test_illegal_runs_are_listed_and_drawn(dataset: Dataset, page: str) -> None:
    (row,) = dataset.all(QUESTIONS["illegal"])
    assert (row["action"], row["company"]) == (SPOILT, "C&O")
    section = page[page.index('id="illegal"') : page.index('id="slowest"')]
    assert section.count('class="trackage-map"') == 1
    assert row["reason"] in unescape(section)


def test_the_page_stands_for_itself(page: str) -> None:
    outside = [link for link in re.findall(r'(?:href|src)="([^"]*)"', page) if not link.startswith("#")]
    assert outside == []
    assert "<script" not in page
    assert "url(http" not in page
    assert NAME in unescape(page)
    read = _read(page)
    for reference in re.findall(r'href="#([^"]*)"', page):
        assert reference in read.ids


def test_the_same_dataset_gives_the_same_page(dataset: Dataset, page: str) -> None:
    assert report_on(dataset) == page


def test_the_chronicle_has_every_run_with_the_map_and_the_best(dataset: Dataset) -> None:
    page = report_on(dataset, "spoilt")
    _read(page)
    runs = dataset.all("SELECT * FROM company_turns WHERE title = '1830' ORDER BY run")
    sections = page.split('<section class="turn" data-run="')[1:]
    assert len(sections) == len(runs)
    for row, section in zip(runs, sections, strict=True):
        assert f"ran for <b>{row['claimed']}</b>" in section
        better = row["shortfall"] > 0 or not row["legal"]
        assert section.count('class="trackage-map"') == 1 + better
        if better:
            best = section[section.rindex("<figure>") :]
            routes = [int(money) for money in re.findall(r"<li><b>[^<]*</b> (\d+):", best)]
            assert sum(routes) == row["best"]
            assert f"the best: {row['best']}" in best


def test_games_are_found_by_name_and_id(dataset: Dataset, tmp_path: Path) -> None:
    assert report_on(dataset, "1894-5") == report_on(dataset, "other")
    with pytest.raises(InputError, match="no game"):
        report_on(dataset, "nothing")
    out = tmp_path / "page.html"
    assert cli(["report", str(dataset.folder), "--out", str(out), "--game", "other.json"]) == 2
    assert cli(["report", str(dataset.folder), "--out", str(out), "--game", "other"]) == 0
    assert "1894" in out.read_text(encoding="utf-8")
    assert cli(["report", str(dataset.folder), "--out", str(tmp_path / "no" / "page.html")]) == 2
    assert cli(["report", str(tmp_path), "--out", str(out)]) == 2
