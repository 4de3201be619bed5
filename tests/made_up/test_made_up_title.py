"""A title added as docs/adding_a_title.md says: found, described, played at random, and its games replayed.

The title is a folder that no other file of the product names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.evaluate import dividend_options
from tests.cli.calling import ROOT, trackage
from tests.made_up.installed import FOLDER, made_up_titles
from tests.simulation.driver import Case, new_game, outcome
from titles.registry import get_title, titles

GUIDE = ROOT / "docs" / "adding_a_title.md"


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with made_up_titles():
        yield


def test_the_folder_is_enough() -> None:
    assert "Shortline" in [title.info.name for title in titles()]
    assert get_title("shortline").info.players == (2, 3)
    called = trackage("titles", "Shortline")
    assert (called.status, called.err) == (0, "")
    assert "the bank holds 5,000" in called.out


def test_every_file_that_the_guide_names_is_there_and_no_other() -> None:
    named = set(re.findall(r"^\| `([a-z_]+\.[a-z]+|[A-Z]+\.md)` \|", GUIDE.read_text(encoding="utf-8"), re.M))
    there = {path.name for path in (FOLDER / "tshort").iterdir() if path.is_file()}
    assert there <= named
    assert named - there <= {"bonuses.toml", "steps.py"}


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("options", [(), ("long_bank",)])
def test_random_games(players: int, options: tuple[str, ...]) -> None:
    if options:
        # The invariant of money holds for the bank of the set-up file.
        game = new_game(get_title("Shortline"), players, options, 1)
        state = game.opening()
        assert (state.bank or 0) + sum(one.cash for one in state.players.values()) == 5000
        return
    for seed in range(3):
        found = outcome(Case("Shortline", players, options, seed), closely=15)
        assert found.over
        assert found.problems == ()


def test_commands_play_and_read_its_games(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert trackage("simulate", "Shortline", "--players", "3", "--seed", "4", "--out", path).status == 0
    assert trackage("replay", path).status == 0
    lines = [json.loads(line) for line in trackage("replay", path, "--position").out.splitlines()]
    assert lines
    assert all(line["title"] == "Shortline" for line in lines)
    best = trackage("best", "-", "--json", stdin=json.dumps(lines[-1]))
    assert best.object["proven"]
    assert best.object["revenue"] >= lines[-1]["claimed_revenue"]


def test_its_own_rule_holds() -> None:
    game = new_game(get_title("Shortline"), 2, (), 1)
    state = game.opening()
    cell = game.par_cells(state, "RED")[0]
    state = game.set_par(state, "RED", cell)
    prices = {one.kind: (one.price_after, one.kept) for one in dividend_options(state, "RED", 90)}
    assert prices == {"payout": (60, 0), "half": (50, 40), "withhold": (40, 90)}


def test_the_steps_of_the_guide_are_numbered_and_its_code_is_real() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    steps = re.findall(r"^## (\d+)\. ", text, re.M)
    assert steps == [str(number) for number in range(1, len(steps) + 1)]
    files = {path.name: path.read_text(encoding="utf-8") for path in (FOLDER / "tshort").iterdir() if path.is_file()}
    blocks = re.findall(r"```(?:toml|python|text) ([a-z]+\.[a-z]+)\n(.*?)```", text, re.S)
    assert blocks
    for name, code in blocks:
        assert code in files[name], f"docs/adding_a_title.md shows what {name} does not hold"
