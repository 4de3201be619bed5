"""The table of tile upgrades: known rows, and every lay of recorded games."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.games import opening
from analysis.upgrades import UpgradeTable, upgrade_table
from board.hexes import HexId
from records.games_18xx import read_game
from records.replay import replay
from rules.actions import LayTile
from tests.cli.calling import EXAMPLES, trackage
from titles.registry import get_title

SHARED = Path(__file__).resolve().parents[3] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded games in ../shared are not there")


def table_of(title: str) -> UpgradeTable:
    table = upgrade_table(get_title(title))
    assert table is not None
    return table


@pytest.mark.parametrize(
    ("title", "tile", "after"),
    [
        ("1830", "57", "14 15"),
        ("1830", "59", "64 65 66 67 68"),
        ("1830", "58", ""),
        ("1894", "15", "X19 X20 X21"),
        ("18GB", "G02", "G04 G05 G08 G09 G10"),
        ("18GB", "G04", "G13 G15"),
        ("1846", "611", "51"),
        ("1828", "57", "14 15 205 206"),
        ("1833NE", "N40", "N60 N61 N62"),
    ],
)
def test_known_rows(title: str, tile: str, after: str) -> None:
    assert table_of(title).tiles[tile] == tuple(after.split())


def test_hexes_as_printed() -> None:
    on = {hex_id: first for hexes, first in table_of("1830").prints for hex_id in hexes}
    assert (on[HexId("E19")], on[HexId("G19")], on[HexId("E11")]) == (("57",), ("54",), ("59",))
    assert HexId("F2") not in on
    assert {hex_id: first for hexes, first in table_of("1828").prints for hex_id in hexes}[HexId("K13")] == ("4",)


def lays_stand_in_the_table(path: Path, exceptions: list[tuple[int, str]]) -> None:
    """Every lay by the ordinary rules is one that the table knows; *exceptions* are lays (action, tile) that a company
    has at its home."""
    game = read_game(path)
    table = table_of(game.title)
    first = {hex_id: tiles for hexes, tiles in table.prints for hex_id in hexes}
    number = 0
    unknown: list[tuple[int | None, str]] = []
    for carried in replay(game, opening(game)):
        for action in carried.entry.actions:
            if not isinstance(action, LayTile) or action.by.kind == "company":
                continue  # privates lay what they like
            before = carried.before.table.laid.get(action.hex)
            known = table.tiles[before.tile] if before is not None else first[action.hex]
            number += 1
            unknown += [(carried.entry.id, action.tile)] if action.tile not in known else []
    assert number > 5
    assert unknown == exceptions


def test_lays_of_an_own_game() -> None:
    lays_stand_in_the_table(EXAMPLES / "games" / "1830-random.json", [])


@needs_shared
@pytest.mark.parametrize(
    ("name", "exceptions"),
    [
        ("1830/26855", []),
        ("1846/20381", []),
        ("18GB/18gb-3p", [(36, "G36"), (46, "G38"), (51, "G38")]),  # green homes before their time
        ("1894/green_city_upgrades", []),
        ("1828/23366", []),
    ],
)
def test_lays_of_recorded_games(name: str, exceptions: list[tuple[int, str]]) -> None:
    lays_stand_in_the_table(SHARED / "games" / f"{name}.json", exceptions)


def test_titles_shows_the_table() -> None:
    assert "57  ×4  yellow  14 15\n" in trackage("titles", "1830").out
    answer = trackage("titles", "1830", "--json").object
    assert answer["tiles"]["57"] == {"colour": "yellow", "number": 4, "becomes": ["14", "15"]}
    assert {"hexes": ["E23", "I15"], "tiles": ["53"]} in answer["prints"]
