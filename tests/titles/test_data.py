"""The data files of all titles, and the loader that reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from board.catalogue import standard_tiles
from board.edition import Edition, MarkerShape
from board.errors import InputError
from board.hexes import HexId, opposite
from board.phases import TILE_COLOURS
from board.tiles import Tile
from board.trains import StopKind
from titles import load
from titles.load import load_edition, read_toml
from titles.registry import titles


def editions() -> Iterator[Edition]:
    """Every title for every number of players, and with every option that changes what lies on the table."""
    for title in titles():
        least, most = title.info.players
        for players in range(least, most + 1):
            yield title.edition((), players)
        for option in title.info.options:
            for players in range(least, most + 1):
                try:
                    yield title.edition((option,), players)
                except InputError:
                    continue


EDITIONS = list({id(edition): edition for edition in editions()}.values())
NAMES = [f"{edition.title}-{edition.scenario or edition.players}-{len(edition.options)}" for edition in EDITIONS]
each_edition = pytest.mark.parametrize("edition", EDITIONS, ids=NAMES)


@each_edition
def test_every_tile_and_print_survives_its_notation(edition: Edition) -> None:
    for entry in edition.tiles.stock.values():
        tile = entry.tile
        assert Tile.parse(tile.id, tile.colour, tile.notation) == tile
    for printed in edition.map:
        assert Tile.parse(printed.tile.id, printed.tile.colour, printed.tile.notation) == printed.tile


@each_edition
def test_every_phase_knows_its_colours_and_values(edition: Edition) -> None:
    for phase in edition.phases.values():
        assert phase.tile_colours == tuple(colour for colour in TILE_COLOURS if colour in phase.tile_colours)
        assert phase.operating_rounds in (1, 2, 3, 4)
        assert phase.train_limit
    stops = [part for printed in edition.map for part in printed.tile.parts if part.kind is not None]
    for part in stops:
        for name, _ in part.revenue.by_phase:
            assert name in edition.phases
        first = next(iter(edition.phases.values()))
        if part.revenue.by_colour:
            assert "yellow" in dict(part.revenue.by_colour)
            assert part.revenue.in_phase(first) == dict(part.revenue.by_colour)["yellow"]


@each_edition
def test_homes_and_reservations_lie_on_the_map(edition: Edition) -> None:
    for printed in edition.map:
        for reservation in printed.reservations:
            assert reservation.city is None or printed.tile.part(reservation.city) is not None
        assert not printed.record or printed.tile.cities
        assert bool(printed.tile.cities) is any(part.kind is StopKind.CITY for part in printed.tile.parts)


@each_edition
def test_printed_track_meets_or_ends_on_purpose(edition: Edition) -> None:
    """Track of a fixed print runs to the rim nowhere; the board of 2EW keeps two loose ends in I10."""
    for printed in edition.map:
        for side in printed.tile.sides:
            other = edition.map.layout.neighbour(printed.id, side)
            if other not in edition.map:
                assert printed.id in {"I14", "J25"} or (edition.scenario, printed.id) == ("2EW", "I10"), printed.id


@each_edition
def test_neighbours_agree(edition: Edition) -> None:
    for printed in edition.map:
        for side in range(6):
            other = edition.map.neighbour(printed.id, side)
            if other is not None:
                assert edition.map.neighbour(other, opposite(side)) == printed.id


def test_the_same_question_gets_the_same_object() -> None:
    for title in titles():
        players = title.info.players[1]
        assert title.edition((), players) is title.edition([], players)


def test_a_title_says_who_it_is_and_where_its_facts_come_from() -> None:
    for title in titles():
        assert title.info.name
        assert title.info.full_name
        assert title.info.sources
        assert all(meaning for meaning in title.info.options.values())
        for name in ("map", "tiles", "trains", "companies", "market", "setup"):
            data = read_toml(title.package, f"{name}.toml")  # type: ignore[attr-defined]
            assert re.fullmatch(rf"trackage-{name}-1", str(data["format"]))
            assert data["source"]


def test_markers_of_each_title() -> None:
    shapes = {title.info.name: title.edition((), title.info.players[1]).markers for title in titles()}
    assert shapes["1894"] == {"ferry": MarkerShape.COMPANIES}
    assert shapes["1828"] == {"coal": MarkerShape.COMPANIES, "laid_this_turn": MarkerShape.HEXES}
    assert set(shapes["1833NE"]) == {"ferries", "new_ferry", "last_ferry", "luxury_ferry"}
    assert shapes["1846"] == {
        "assigned": MarkerShape.HEX_TO_NAMES,
        "assigned_companies": MarkerShape.COMPANY_TO_NAMES,
    }
    assert not shapes["1830"]
    assert not shapes["18GB"]


def test_every_standard_tile_is_used_and_can_be_read() -> None:
    used = {tile_id for edition in EDITIONS for tile_id in edition.tiles.stock}
    for tile_id, standard in standard_tiles().items():
        assert tile_id in used
        assert standard.tile(tile_id).notation == standard.notation


def test_a_tile_shared_by_titles_is_the_same_but_for_its_label() -> None:
    seen: dict[str, Tile] = {}
    for edition in EDITIONS:
        for tile_id in standard_tiles():
            if tile_id in edition.tiles:
                tile = edition.tiles.tile(tile_id)
                other = seen.setdefault(tile_id, tile)
                assert (tile.parts, tile.track, tile.colour) == (other.parts, other.track, other.colour)


def test_unknown_options_and_wrong_numbers_of_players_are_listed_together() -> None:
    for title in titles():
        with pytest.raises(InputError) as caught:
            title.edition(("nonsense", "more"), 9)
        assert [fault.code for fault in caught.value.faults] == [
            "unknown-option", "unknown-option", "wrong-number-of-players",
        ]  # fmt: skip


# --- faults ----------------------------------------------------------------------------------------------------------

GOOD: dict[str, Mapping[str, object]] = {
    "setup.toml": {"format": "trackage-setup-1", "source": "here", "name": "T", "markers": {"coal": "companies"}},
    "companies.toml": {
        "format": "trackage-companies-1", "source": "here",
        "corporations": {"A": {}, "B": {}}, "privates": {"P": {}},
    },
    "tiles.toml": {"format": "trackage-tiles-1", "source": "here", "standard": {"7": 2}},
    "map.toml": {
        "format": "trackage-map-1", "source": "here", "layout": "flat", "blank": ["A1"],
        "hexes": {"A3": {"colour": "white", "print": "city 0", "reserved": [{"company": "A", "city": "c0"}]}},
    },
    "trains.toml": {
        "format": "trackage-trains-1", "source": "here",
        "trains": {"2": {"price": 80, "count": 4, "rows": ["any 2"]}},
        "phases": {"2": {"train_limit": 4, "tile_colours": ["yellow"], "operating_rounds": 1}},
    },
}  # fmt: skip


def loaded(monkeypatch: pytest.MonkeyPatch, **changes: Mapping[str, object]) -> Edition:
    files = {**GOOD, **{f"{name}.toml": {**GOOD[f"{name}.toml"], **change} for name, change in changes.items()}}
    monkeypatch.setattr(load, "read_toml", lambda package, file: files[file])
    return load_edition.__wrapped__("tt", frozenset(), None)


def test_a_small_title_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = loaded(monkeypatch)
    assert set(edition.map.hexes) == {"A1", "A3"}
    assert edition.train_counts == {"2": 4}


def test_every_fault_is_listed_with_file_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError) as caught:
        loaded(
            monkeypatch,
            setup={"format": "other", "source": 3, "markers": {"coal": "heap"}, "joined_companies": "yes"},
            tiles={
                "standard": {"7": "some", "1000": 1},
                "labels": {"8": "X"},
                "tiles": {
                    "X1": {"colour": "pink", "count": 1, "print": "city 20; track 0-c0 0-c0"},
                    "X2": {"colour": "green", "count": 1, "print": "city 20 slots=0; track 0-c1", "weight": 3},
                },
                "only_in_scenarios": {"X9": ["5"]},
                "restrictions": [{"hex": "A1", "only": ["X8"]}],
                "more": 1,
            },
            map={
                "layout": "round",
                "blank": ["A1", "?"],
                "hexes": {
                    "A1": {"colour": "white"},
                    "A3": {
                        "colour": "blueish",
                        "borders": ["3 impassable", "9 impassable", "4 water", "1"],
                        "reserved": [{"company": "Z"}, {"company": "A", "city": "c4"}],
                        "blocked_by": ["Q"],
                    },
                    "44": {"colour": "white"},
                },
            },
            trains={
                "trains": {"2": {"rows": ["two"], "rusts_on": "9", "count": -1}, "3": {"count": 2, "rows": []}},
                "phases": {"2": {"tile_colours": ["mauve"], "operating_rounds": 1, "starts_with": "9", "mood": "good"}},
            },
        )
    faults = caught.value.faults
    assert all(fault.code == "bad-title-data" and fault.where.startswith("tt/") for fault in faults)
    text = str(caught.value)
    for expected in (
        "tt/setup.toml: format: is not a format",
        "tt/setup.toml: source: 3 is not a text",
        "tt/setup.toml: markers.coal: is not one of",
        "tt/setup.toml: joined_companies: 'yes' is not true or false",
        "tt/tiles.toml: standard.7: 'some' is not a number",
        "tt/tiles.toml: standard.1000: no standard tile",
        "tt/tiles.toml: labels.8: is not among the standard tiles",
        "tt/tiles.toml: tiles.X1.colour: 'pink'",
        "tt/tiles.toml: tiles.X1.print: the track 0-c0 is written twice",
        "tt/tiles.toml: tiles.X2.print: track 0-c1 names c1",
        "tt/tiles.toml: tiles.X2.weight: unknown key",
        "tt/tiles.toml: only_in_scenarios.X9: is not a tile",
        "tt/tiles.toml: restrictions[0]: 'X8' is not a tile",
        "tt/tiles.toml: more: unknown key",
        "tt/map.toml: layout: is not one of flat, pointy",
        "tt/map.toml: blank[1]: '?' is not a hex",
        "tt/map.toml: hexes.A1: is also in blank",
        "tt/map.toml: hexes.A3.colour: 'blueish'",
        "tt/map.toml: hexes.A3.borders: side 3 is impassable, but A1 does not say so",
        "tt/map.toml: hexes.A3.borders: 9 is not a side",
        "tt/map.toml: hexes.A3.borders[2]: '4 water' is not a side and a kind with its cost",
        "tt/map.toml: hexes.A3.borders[3]: '1' is not a side",
        "tt/map.toml: hexes.A3.reserved: no company or private is called 'Z'",
        "tt/map.toml: hexes.A3.reserved: A3 has no city 'c4'",
        "tt/map.toml: hexes.A3.blocked_by: no private is called 'Q'",
        "tt/map.toml: hexes.44: '44' is not a hex",
        "tt/trains.toml: trains.2.rows[0]: 'two' is not a row",
        "tt/trains.toml: trains.2.rows: a train needs at least one row",
        "tt/trains.toml: trains.2.rusts_on: no train is called '9'",
        "tt/trains.toml: trains.2.count: -1 is not a number",
        "tt/trains.toml: phases.2.tile_colours: 'mauve'",
        "tt/trains.toml: phases.2.starts_with: no train is called '9'",
        "tt/trains.toml: phases.2.train_limit: missing",
        "tt/trains.toml: phases.2.mood: unknown key",
    ):
        assert expected in text, expected


def test_a_file_that_is_not_toml_is_a_fault_of_that_file() -> None:
    with pytest.raises(InputError, match=r"t1830/nothing\.toml: cannot be read"):
        read_toml("t1830", "nothing.toml")


def test_a_hex_named_in_two_titles_is_two_hexes() -> None:
    """Field case F28: what one title says of a hex holds in no other."""
    by_title = {edition.title: edition for edition in EDITIONS}
    for hex_id in ("A12", "E16", "G6", "K0", "K11", "A10", "I4"):
        prints = {title: edition.map.hexes.get(HexId(hex_id)) for title, edition in by_title.items()}
        assert len({str(printed and printed.tile.notation) for printed in prints.values()}) > 1
