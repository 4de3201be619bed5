"""Routes as people write them."""

from __future__ import annotations

import pytest

from board.catalogue import Catalogue
from board.edition import Edition
from board.errors import InputError
from board.hexes import HexId, Layout, StopId
from board.map import GameMap, MapHex
from board.phases import Phase
from board.position import Position
from board.routes import ClaimedRoute
from board.tiles import Tile
from records.claims import parse_route, parse_routes, route_text


@pytest.fixture
def position() -> Position:
    prints = {
        "B1": "city 20; track 4-c0 3-c0",
        "B3": "city 10; city 10; track 1-c0 4-c1",
        "B5": "town 10; track 1-t0",
        "A2": "track 0-5",
        "A4": "",
    }
    hexes = {HexId(name): MapHex(HexId(name), Tile.parse(name, "white", text)) for name, text in prints.items()}
    edition = Edition(
        "small", "", frozenset(), None, GameMap(Layout.POINTY, hexes), Catalogue({}), {"2": Phase("2", ("yellow",))},
        {}, frozenset({"A"}), frozenset(),
    )  # fmt: skip
    return Position.build(edition, phase="2", operator="A", trains=(), tiles={}, tokens={})


def test_a_hex_names_its_only_stop(position: Position) -> None:
    assert parse_route("2: B1-B3.c1-B5", position) == ClaimedRoute(
        "2", (StopId("B1.c0"), StopId("B3.c1"), StopId("B5.t0"))
    )


@pytest.mark.parametrize(
    "text", ["3+1:B1-B3.c0", " 3+1 :  B1 - B3.c0 ", "3+1: B1→B3.c0", "3+1: B1 – B3.c0", "3+1: B1->B3.c0"]
)
def test_ways_to_write_the_same(position: Position, text: str) -> None:
    assert parse_route(text, position) == ClaimedRoute("3+1", (StopId("B1.c0"), StopId("B3.c0")))


def test_via_belongs_to_the_leg_that_ends_there(position: Position) -> None:
    claim = parse_route("2: B5-B3.c1-B1 via A4 A2", position)
    assert claim.connections == ((), ("B3", "A4", "A2", "B1"))
    assert route_text(claim, position) == "2: B5-B3.c1-B1 via A4 A2"
    assert parse_route(route_text(claim, position), position) == claim


def test_track_written_backwards_is_turned(position: Position) -> None:
    claim = ClaimedRoute("2", (StopId("B1.c0"), StopId("B3.c0")), ((HexId("B3"), HexId("A2"), HexId("B1")),))
    assert route_text(claim, position) == "2: B1-B3.c0 via A2"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("B1-B3.c0", ["malformed-route"]),
        ("2:", ["malformed-route"]),
        (": B1-B3.c0", ["malformed-route"]),
        ("2: B1", ["malformed-route"]),
        ("2: B1 via A2-B3.c0", ["malformed-route"]),
        ("2: B1-B3", ["ambiguous-stop"]),
        ("2: B1-A2", ["no-stop"]),
        ("2: B1-B3.c2", ["no-stop"]),
        ("2: B1-B3.q0", ["malformed-stop"]),
        ("2: B1--B5", ["malformed-hex"]),
        ("2: Q9-B3-B5 via Q7", ["unknown-hex", "ambiguous-stop", "unknown-hex"]),
        ("2: B1-B5 via", []),
        ("2: " + "B1-" * 1000, ["malformed-route"]),
    ],
)
def test_faults(position: Position, text: str, codes: list[str]) -> None:
    if not codes:
        assert parse_route(text, position).connections == ()
        return
    with pytest.raises(InputError) as caught:
        parse_routes([text], position)
    assert [fault.code for fault in caught.value.faults] == codes
    assert all(fault.where.startswith("route ") for fault in caught.value.faults)
