"""``trackage show`` and ``trackage titles``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.calling import ERIE, LNWR, trackage
from titles.registry import titles


def test_titles_are_listed() -> None:
    called = trackage("titles")
    assert called.status == 0
    assert all(title.info.name in called.out and title.info.full_name in called.out for title in titles())


def test_a_title_is_described() -> None:
    called = trackage("titles", "18gb")
    assert called.status == 0
    for part in ("two_player_ew", "4X", "4 cities or off-boards and any number of towns", "sources", "rules summary"):
        assert part in called.out


def test_titles_for_programs() -> None:
    called = trackage("titles", "--json")
    assert [answer["title"] for answer in called.objects] == [title.info.name for title in titles()]
    assert all(answer["sources"] and answer["phases"] and answer["trains"] for answer in called.objects)


def test_an_unknown_title() -> None:
    called = trackage("titles", "1899")
    assert (called.status, called.out) == (2, "")
    assert "there is no title '1899'" in called.err


def test_maps_are_drawn_with_claims(tmp_path: Path) -> None:
    value = json.loads(ERIE.read_text())
    value["claimed"] = [{"train": "4", "stops": ["E11.c1", "D14.c0"]}]
    plain, claimed = tmp_path / "plain.svg", tmp_path / "claimed.svg"
    assert trackage("show", ERIE, "--out", plain).out.split() == [str(plain)]
    called = trackage("show", "-", "--out", claimed, "--json", stdin=json.dumps(value))
    assert called.object["files"] == [str(claimed)]
    assert len(claimed.read_text()) > len(plain.read_text())


def test_show_needs_a_place() -> None:
    assert trackage("show", LNWR).status == 2
    assert trackage("show", LNWR, "--out", "map.pdf").status == 2
    assert trackage("show", "absent.json", "--out", "map.svg").status == 2
