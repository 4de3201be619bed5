"""Our facts against the reference files beside the checkout, and every recorded position against our facts.

Where the two differ on purpose the difference stands here and in the title's ``SOURCES.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from board.edition import Edition
from board.hexes import HexId
from board.network import build_network
from board.tiles import Part, Revenue, Tile, Track
from board.trains import StopKind
from records.positions import PositionRecord, read_positions
from titles.load import read_toml
from titles.registry import get_title

TITLES = ("1830", "1894", "18GB", "1828", "1833NE", "1846")
RECORDED = {"1830": 142, "1894": 161, "18GB": 196, "1828": 141, "1846": 177}
BOARDS = {
    "1830": [("map.json", (), 4)],
    "1894": [("map.json", (), 4)],
    "1828": [("map.json", (), 4)],
    "1833NE": [("map.json", (), 4)],
    "1846": [("map.json", (), 5)],
    "18GB": [("map.json", (), 6), ("map.2NS.json", (), 2), ("map.2EW.json", ("two_player_ew",), 2)],
}
KINDS = {"city": StopKind.CITY, "town": StopKind.TOWN, "off_board": StopKind.OFF_BOARD, "junction": None}
#: The Gulf of 1830 is one area on two hexes; the reference names its group on one of them only.
GROUPED_BY_US = {("1830", "J2"): ("Gulf",)}
#: Troy has track on three sides and may be run through; the reference has no word for that.
PASSABLE = {("1833NE", "B17")}


def _json(shared: Path, title: str, name: str) -> Any:
    return json.loads((shared / "titles" / title / name).read_text(encoding="utf-8"))


def _edition(title: str, options: tuple[str, ...] = (), players: int | None = None) -> Edition:
    """The edition for these players; else for five, or as many as the title takes: the fullest box."""
    most = get_title(title).info.players[1]
    return get_title(title).edition(options, players or min(5, most))


def _revenue(value: Any) -> Revenue:
    if isinstance(value, int):
        return Revenue(value)
    pairs = tuple(value["values"].items())
    return Revenue(by_colour=pairs) if value["by"] == "colour" else Revenue(by_phase=pairs)


def _parts(title: str, place: str, item: Any) -> tuple[Part, ...]:
    return tuple(
        Part(
            part["id"],
            KINDS[part["kind"]],
            _revenue(part.get("revenue", 0)),
            part.get("slots", 0),
            tuple(group.replace(". ", "") for group in part.get("groups", ())) or GROUPED_BY_US.get((title, place), ()),
            (title, place) in PASSABLE and part["kind"] == "off_board",
            part["seq"],
        )
        for part in item.get("parts", ())
    )


def _track(item: Any) -> frozenset[Track]:
    found = set()
    for one, other, *more in item.get("paths", ()):
        options = more[0] if more else {}
        found.add(
            Track.between(one, other, terminal=options.get("terminal", False), dual=options.get("track") == "dual")
        )
    return frozenset(found)


def _same_tile(title: str, place: str, tile: Tile, item: Any) -> bool:
    terrain = item.get("terrain", [{"kinds": [], "cost": 0}])
    return (tile.colour, tile.parts, frozenset(tile.track), tile.label, tile.cost, list(tile.terrain)) == (
        item["colour"], _parts(title, place, item), _track(item), item.get("label", ""), terrain[0]["cost"],
        terrain[0]["kinds"],
    )  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
def test_tiles(shared: Path, title: str) -> None:
    edition = _edition(title)
    reference = {item["id"]: item for item in _json(shared, title, "tiles.json")["tiles"]}
    assert set(edition.tiles.stock) == set(reference)
    for tile_id, item in reference.items():
        assert _same_tile(title, "", edition.tiles.tile(tile_id), item), tile_id
        assert edition.tiles.count(tile_id) == item["count"], tile_id


@pytest.mark.parametrize(
    ("title", "file", "options", "players"), [(title, *board) for title in TITLES for board in BOARDS[title]]
)
def test_maps(shared: Path, title: str, file: str, options: tuple[str, ...], players: int) -> None:
    edition = _edition(title, options, players)
    reference = _json(shared, title, file)
    assert edition.map.layout.value == reference["layout"]
    assert set(edition.map.hexes) == {item["hex"] for item in reference["hexes"]}
    for item in reference["hexes"]:
        printed = edition.map.hexes[HexId(item["hex"])]
        assert _same_tile(title, item["hex"], printed.tile, item), item["hex"]
        assert printed.name == item.get("name", "")
        assert printed.record == item.get("record_id", "")
        assert list(printed.blocked_by) == item.get("blocked_by", [])
        assert [(border.side, border.kind, border.cost) for border in printed.borders] == [
            (border["edge"], border["kind"], border.get("cost", 0)) for border in item.get("borders", ())
        ]
        assert [(entry.company, entry.city) for entry in printed.reservations] == [
            (company, None if entry.get("city") is None else f"c{entry['city']}")
            for entry in item.get("reserved", ())
            for company in entry["for"].split(" and ")
        ]
        assert {entry["kind"] for entry in printed.markers} == {
            entry["kind"] for entry in item.get("markers", ()) if entry["kind"] != "compass"
        }


def _faces(title: str, shared: Path) -> Iterator[tuple[Any, Any]]:
    for card in _json(shared, title, "trains.json")["trains"]:
        yield card, card
        for face in card.get("variants", ()):
            yield card, face


@pytest.mark.parametrize("title", TITLES)
def test_trains(shared: Path, title: str) -> None:
    edition = _edition(title)
    trains = read_toml(get_title(title).package, "trains.toml")["trains"]  # type: ignore[attr-defined]
    assert isinstance(trains, dict)
    faces = list(_faces(title, shared))
    assert list(edition.trains) == [face["name"] for _, face in faces]
    for card, face in faces:
        ours, rows = trains[face["name"]], edition.trains[face["name"]].rows
        assert [(row.visit, row.pay, row.multiplier) for row in rows] == [
            (group["visit"], group["pay"], group.get("multiplier", 1)) for group in face["groups"]
        ]
        assert [row.kinds for row in rows] == [
            frozenset(KINDS[kind] for kind in group["kinds"]) for group in face["groups"]
        ]
        assert ours["price"] == face["price"]
        for key in ("rusts_on", "obsolete_on", "available_on", "obsolete_in_phase", "removed_in_phase"):
            assert ours.get(key) == card.get(key)
        assert ours.get("trade_in", {}) == {old["old"]: old["price_after"] for old in card.get("trade_in", ())}
        expected = card.get("count_by_scenario", {}).get(
            "5", card.get("count_by_players", {}).get("5", card.get("count"))
        )
        assert edition.train_counts[face["name"]] == expected


@pytest.mark.parametrize("title", TITLES)
def test_phases(shared: Path, title: str) -> None:
    edition = _edition(title)
    reference = _json(shared, title, "phases.json")["phases"]
    assert list(edition.phases) == [phase["name"] for phase in reference]
    for item in reference:
        phase = edition.phases[item["name"]]
        first = item["starts_with_first_train"]
        assert phase.starts_with == (first[0] if isinstance(first, list) else first)
        assert (phase.train_limit, list(phase.tile_colours), phase.operating_rounds) == (
            item["train_limit"], item["tile_colours"], item["operating_rounds"],
        )  # fmt: skip


#: Abilities that the reference tells in the note of a private only.
TOLD_IN_A_NOTE = {("1894", "NMinorS"): ("grants_shares",)}


@pytest.mark.parametrize("title", TITLES)
def test_companies(shared: Path, title: str) -> None:
    ours: Any = read_toml(get_title(title).package, "companies.toml")  # type: ignore[attr-defined]
    reference = _json(shared, title, "corporations.json")
    for kind in ("corporations", "minors"):
        theirs = reference.get(kind, [])
        assert list(ours.get(kind, {})) == [item["sym"] for item in theirs]
        for item in theirs:
            company = ours[kind][item["sym"]]
            assert company["homes"] == [
                home["hex"] + ("" if home["city"] is None else f".c{home['city']}") for home in item["homes"]
            ]
            for key in ("name", "tokens", "float_percent", "shares", "max_percent_per_player"):
                assert company.get(key) == item.get(key), (item["sym"], key)
    theirs = _json(shared, title, "companies.json")["companies"]
    assert list(ours["privates"]) == [item["sym"] for item in theirs]
    for item in theirs:
        private = ours["privates"][item["sym"]]
        assert (private["name"], private["value"], private["income"]) == (item["name"], item["value"], item["income"])
        assert private["blocks"] == item["closes_hexes"]
        assert private.get("purchase_price", []) == item.get("purchase_price", private.get("purchase_price", []))
        kinds = [ability["kind"] for ability in private.get("abilities", ())]
        listed = [entry["ability"] for entry in item["abilities"] if entry["ability"] != "closes_hexes"]
        assert kinds == [*listed, *TOLD_IN_A_NOTE.get((title, item["sym"]), ())]


@pytest.mark.parametrize("title", TITLES)
def test_share_price_charts(shared: Path, title: str) -> None:
    ours: Any = read_toml(get_title(title).package, "market.toml")  # type: ignore[attr-defined]
    reference = _json(shared, title, "market.json")
    letters = ours["letters"]
    rows = []
    for row in ours["rows"]:
        cells: list[list[int | str] | None] = []
        for cell in row.split():
            digits = cell.rstrip("".join(letters))
            cells.append(None if cell == "." else [int(digits), *(letters[letter] for letter in cell[len(digits) :])])
        rows.append(cells)
    assert rows == reference["rows"]
    assert sorted(ours["par"].values()) == sorted(
        value for key, value in reference["par"].items() if isinstance(value, list)
    )


def _lookup(title: str, options: Any, players: int | None) -> Edition:
    return get_title(title).edition(options, players)


@pytest.mark.parametrize("title", RECORDED)
def test_every_recorded_position_is_valid_and_has_a_network(shared: Path, title: str) -> None:
    """All of them; the stops that the players visited lie in the network, and no rule of the title forbids them."""
    files = sorted((shared / "positions" / title).glob("*.jsonl"))
    records = list(read_positions(files, _lookup))
    assert len(records) == RECORDED[title]
    for record in records:
        assert isinstance(record, PositionRecord), record
        problem = get_title(title).problem(record.position)
        roots = problem.token_stops | {stop for condition in problem.rules.must_visit for stop in condition.stops}
        network = build_network(record.position, sorted(roots), closed=problem.rules.closed)
        visited = {stop for claim in record.claimed for stop in claim.stops}
        assert visited <= set(network.stops), record.source
        assert not (record.claimed and problem.rules.no_run), record.source
        for claim in record.claimed:
            assert all(condition.stops.intersection(claim.stops) for condition in problem.rules.must_visit)
