"""The report: each table and each bar against rows counted by hand, maps of illegal runs, and the chronicle."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analysis.plots import line_id
from analysis.questions import Dataset
from analysis.report import report_on
from analysis.report_questions import OF_A_GAME, QUESTIONS
from board.errors import InputError
from cli.main import run as cli
from tests.analysis.counted_by_hand import OF_ALL, OF_ONE
from tests.analysis.drawn_plots import plots_of, scale
from tests.analysis.recorded_games import NAME, SPOILT

ROOT = Path(__file__).parents[2]


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


#: Decimal places to which a number of a report is rounded; other fractions have two.
DECIMALS = {"percent_found": 1, "mean_step": 1, ("phases", "mean_left"): 1}


def _near(name: str, column: str, value: float) -> Any:
    places = DECIMALS.get((name, column), DECIMALS.get(column, 2))
    return pytest.approx(value, abs=0.5 * 10**-places + 1e-9)


def _counted(reported: Dataset) -> dict[str, list[dict[str, Any]]]:
    """Every table of the page as it comes out when it is counted by hand."""
    answers = {name: count(reported) for name, count in OF_ALL.items()}
    source = answers["games"][0]["source"]
    return answers | {name: count(reported, source) for name, count in OF_ONE.items()}


def test_every_number_of_every_table_is_as_counted_by_hand(reported: Dataset, page: str) -> None:
    tables = _read(page).tables
    counted = _counted(reported)
    assert set(tables) == set(counted)
    for name, rows in counted.items():
        assert rows
        shown = tables[name][1:]
        assert len(shown) == len(rows), name
        for row, cells in zip(rows, shown, strict=True):
            row.pop("ended", None)
            for (column, value), cell in zip(row.items(), cells, strict=True):
                if column == "source":
                    assert str(value).endswith(cell)
                elif isinstance(value, bool):
                    assert cell == ("yes" if value else "no")
                elif isinstance(value, float):
                    assert float(cell) == _near(name, column, value), (name, column)
                else:
                    assert cell == ("" if value is None else str(value)), (name, column)


def test_questions_give_what_is_counted_by_hand(reported: Dataset) -> None:
    """So that whoever asks them with ``trackage query`` finds the numbers of the page."""
    counted = _counted(reported)
    source = counted["games"][0]["source"]
    answers = {name: reported.all(question) for name, question in QUESTIONS.items()}
    answers |= {name: reported.all(OF_A_GAME[name], [source]) for name in OF_ONE}
    for name, rows in answers.items():
        plain = sorted(counted[name], key=lambda row: str(row["title"])) if name in ("phases", "trains") else None
        if plain is None:
            assert [[row[column] for column in counted[name][0]] for row in rows] == [
                [_near(name, column, value) if isinstance(value, float) else value for column, value in row.items()]
                for row in counted[name]
            ]
        else:  # the page puts these in the order of the rule books
            assert len(rows) == len(plain)
            assert {tuple(row.values())[:4:2] for row in rows} == {tuple(row.values())[:4:2] for row in plain}


def test_every_bar_is_as_long_as_its_number_by_hand(reported: Dataset, page: str) -> None:
    counted = _counted(reported)
    wanted: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for name, label, value in (
        ("phases", "phase", "percent_found"), ("trains", "train", "back"), ("dividends", "dividend", "mean_step"),
    ):  # fmt: skip
        for row in counted[name]:
            wanted[f"{name}-{row['title']}"].append((row[label], row[value]))
    for row in counted["players"]:
        game = Path(row["source"]).name.removesuffix(".json")
        wanted["players"].append((f"{row['player']}, {game}", row["left_on_table"]))
    drawn = [plot for plot in plots_of(page) if plot.bars]
    assert len(drawn) == len(wanted)
    for plot, (name, values) in zip(drawn, sorted(wanted.items(), key=_place_of(page)), strict=True):
        value_at = scale(plot.across)
        assert len(plot.bars) == len(values)
        for (key, (low, high)), (label, value), (place, word) in zip(
            plot.bars.items(), values, plot.upward, strict=True
        ):
            assert key.startswith(f"{name}-")
            assert sorted((0.0, value)) == pytest.approx([value_at(low[0]), value_at(high[0])], abs=0.06)
            assert low[1] < place < high[1]
            assert word == label or (word.endswith("…") and label.startswith(word[:-1].replace("\\$", "$")))


def _place_of(page: str) -> Callable[[tuple[str, object]], int]:
    return lambda one: page.index(f'<g id="{one[0]}-')


def test_every_line_goes_through_its_numbers_by_hand(reported: Dataset, page: str) -> None:
    counted = _counted(reported)
    wanted: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    marks: dict[str, dict[str, float]] = {"worth": {}, "revenue": {}, "left": {}}
    for row in counted["time"]:
        wanted["time"][row["title"]].append((row["tenth"], row["mean_left"]))
    for row in counted["worth"]:
        wanted["worth"][row["player"]].append((row["ended"], row["value"]))
        marks["worth"][f"{row['round_kind'][0]}{row['turn']}.{row['round']}"] = row["ended"]
    left: dict[float, float] = defaultdict(float)
    for row in counted["revenue"]:
        text = f"{row['turn']}.{row['round']}"
        place = marks["revenue"].setdefault(text, len(marks["revenue"]))
        wanted["revenue"][row["company"]].append((place, row["claimed"]))
        left[place] += row["best"] - row["claimed"]
    wanted["left"]["all companies"], marks["left"] = list(left.items()), marks["revenue"]
    for row in counted["prices"]:
        wanted["prices"][row["company"]].append((row["action"], row["price"]))
    drawn = [plot for plot in plots_of(page) if plot.lines]
    for plot, (name, series) in zip(drawn, wanted.items(), strict=True):
        across = scale(plot.across, marks[name].__getitem__ if name in marks else None)
        upward = scale(plot.upward)
        assert list(plot.lines) == [line_id(name, label) for label in series]
        for points, numbers in zip(plot.lines.values(), series.values(), strict=True):
            assert [across(x) for x, _ in points] == pytest.approx([x for x, _ in numbers], abs=0.02)
            high = max(abs(y) for _, y in numbers)
            assert [upward(y) for _, y in points] == pytest.approx([y for _, y in numbers], abs=0.006 + 1e-3 * high)


def test_illegal_runs_are_listed_and_drawn(reported: Dataset, page: str) -> None:
    (row,) = reported.all(QUESTIONS["illegal"])
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


def test_the_same_dataset_gives_the_same_page(reported: Dataset, page: str) -> None:
    assert report_on(reported) == page


def test_the_chronicle_has_every_run_with_the_map_and_the_best(reported: Dataset) -> None:
    page = report_on(reported, "spoilt")
    _read(page)
    runs = reported.all("SELECT * FROM company_turns WHERE title = '1830' ORDER BY run")
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


def test_games_are_found_by_name_and_id(reported: Dataset, tmp_path: Path) -> None:
    assert report_on(reported, "1894-5") == report_on(reported, "other")
    with pytest.raises(InputError, match="no game"):
        report_on(reported, "nothing")
    out = tmp_path / "page.html"
    assert cli(["report", str(reported.folder), "--out", str(out), "--game", "other.json"]) == 2
    assert cli(["report", str(reported.folder), "--out", str(out), "--game", "other"]) == 0
    assert "1894" in out.read_text(encoding="utf-8")
    assert cli(["report", str(reported.folder), "--out", str(tmp_path / "no" / "page.html")]) == 2
    assert cli(["report", str(tmp_path), "--out", str(out)]) == 2
