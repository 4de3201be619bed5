"""How tiles look: where parts lie and how track runs."""

from __future__ import annotations

import itertools

import pytest

from board.drawing.geometry import (
    APOTHEM,
    beside,
    between_sides,
    centre_of,
    from_side,
    samples,
    side_direction,
    side_middle,
)
from board.drawing.shape import SLOT, TileShape, shape_of
from board.hexes import SIDES, HexId, Layout
from board.tiles import Tile
from board.trains import StopKind
from titles.base import Title
from titles.registry import titles

LAYOUTS = tuple(Layout)


def tiles_of(title: Title) -> list[TileShape]:
    """The look of every tile and print of a title, in two rotations."""
    edition = title.edition((), title.info.players[1])
    every = [stock.tile for stock in edition.tiles.stock.values()] + [printed.tile for printed in edition.map]
    different = {tile.colour + tile.notation: tile for tile in every}.values()
    layout = edition.map.layout
    return [shape_of(tile.rotated(turns), layout) for tile in different for turns in (0, 1)]


def close(one: complex, other: complex) -> bool:
    return abs(one - other) < 1e-6


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("one", "other"), [(0, 1), (5, 0), (2, 4), (4, 2), (1, 5), (0, 3), (5, 2)])
class TestTrackBetweenSides:
    def test_joins_the_middles_of_the_sides(self, layout: Layout, one: int, other: int) -> None:
        curve = between_sides(layout, one, other)
        assert close(curve.start, side_middle(layout, one))
        assert close(curve.end, side_middle(layout, other))

    def test_meets_the_sides_at_a_right_angle(self, layout: Layout, one: int, other: int) -> None:
        curve = between_sides(layout, one, other)
        leaving = curve.at(0.001) - curve.start
        assert abs(leaving / abs(leaving) + side_direction(layout, one)) < 0.01

    def test_stays_inside_the_hex(self, layout: Layout, one: int, other: int) -> None:
        for point in samples(between_sides(layout, one, other), 20):
            for side in SIDES:
                assert (point * side_direction(layout, side).conjugate()).real <= APOTHEM + 1e-6

    def test_its_parts_lie_on_it(self, layout: Layout, one: int, other: int) -> None:
        curve = between_sides(layout, one, other)
        assert close(curve.part(0.2, 0.6).end, curve.at(0.6))
        assert close(curve.part(1, 0).start, curve.end)
        assert close(curve.moved(5 + 3j).at(0.5), curve.at(0.5) + 5 + 3j)

    def test_parallels_keep_their_distance(self, layout: Layout, one: int, other: int) -> None:
        curve = between_sides(layout, one, other)
        middle = len(beside(curve, 3)) // 2
        assert abs(beside(curve, 3)[middle] - curve.at(0.5)) == pytest.approx(3, abs=0.1)
        assert abs(beside(curve, 3)[middle] - beside(curve, -3)[middle]) == pytest.approx(6, abs=0.1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_track_of_neighbours_joins(layout: Layout) -> None:
    here = HexId("E6") if layout is Layout.FLAT else HexId("E7")
    for side in SIDES:
        there = layout.neighbour(here, side)
        assert there is not None
        from_here = centre_of(layout, here) + side_middle(layout, side)
        assert close(from_here, centre_of(layout, there) + side_middle(layout, (side + 3) % 6))


def test_bends_reach_their_target() -> None:
    bend = from_side(Layout.FLAT, 0, 20 - 5j)
    assert close(bend.end, 20 - 5j)
    part = bend.part(0.25, 0.75)
    assert close(part.start, bend.at(0.25))
    assert close(part.at(0.5), bend.at(0.5))


@pytest.mark.parametrize("title", titles(), ids=lambda title: title.info.name)
class TestEveryTileOfATitle:
    def test_shows_each_piece_from_end_to_end(self, title: Title) -> None:
        layout = title.edition((), title.info.players[1]).map.layout
        for shape in tiles_of(title):
            for (one, other), curve in shape.curves.items():
                for end, point in ((one, curve.start), (other, curve.end)):
                    assert close(point, side_middle(layout, end) if isinstance(end, int) else shape.parts[end].at)
                back = shape.curve(other, one)
                assert back is not None
                assert close(back.start, curve.end)

    def test_keeps_cities_and_towns_apart(self, title: Title) -> None:
        for shape in tiles_of(title):
            placed = [part for part in shape.parts.values() if part.part.kind in (StopKind.CITY, StopKind.TOWN)]
            for one, other in itertools.combinations(placed, 2):
                for (centre, radius), (centre_2, radius_2) in itertools.product(one.rings, other.rings):
                    assert abs(centre - centre_2) > (radius + radius_2) * 0.9

    def test_keeps_slots_inside_the_hex(self, title: Title) -> None:
        layout = title.edition((), title.info.players[1]).map.layout
        for shape in tiles_of(title):
            for placed in shape.parts.values():
                for centre, side in itertools.product(placed.slots, SIDES):
                    assert (centre * side_direction(layout, side).conjugate()).real < APOTHEM - SLOT * 0.85

    def test_keeps_cities_off_other_track(self, title: Title) -> None:
        for shape in tiles_of(title):
            for placed in shape.parts.values():
                foreign = [curve for ends, curve in shape.curves.items() if placed.part.id not in ends]
                for centre, curve in itertools.product(placed.slots, foreign):
                    assert min(abs(point - centre) for point in samples(curve, 20)) > SLOT * 0.75


def test_a_lone_city_stands_in_the_middle() -> None:
    tile = Tile.parse("x", "green", "city 30 slots=2; track 0-c0 1-c0 3-c0")
    assert shape_of(tile, Layout.POINTY).parts["c0"].at == 0
    assert len(shape_of(tile, Layout.POINTY).parts["c0"].slots) == 2


def test_a_lone_town_lies_on_its_curve() -> None:
    placed = shape_of(Tile.parse("x", "yellow", "town 10; track 0-t0 1-t0"), Layout.POINTY).parts["t0"]
    assert placed.bar
    assert close(placed.at, between_sides(Layout.POINTY, 0, 1).at(0.5))


def test_a_city_makes_room_for_passing_track() -> None:
    tile = Tile.parse("x", "gray", "city 10; track 1-c0 4-c0 1-4")
    assert abs(shape_of(tile, Layout.POINTY).parts["c0"].at) > SLOT


@pytest.mark.parametrize("slots", range(1, 7))
def test_slots_do_not_overlap(slots: int) -> None:
    tile = Tile.parse("x", "gray", f"city 10 slots={slots}; track 1-c0")
    centres = shape_of(tile, Layout.FLAT).parts["c0"].slots
    assert len(centres) == slots
    for one, other in itertools.combinations(centres, 2):
        assert abs(one - other) >= 2 * SLOT - 1e-6


def test_unbuilt_cities_stand_side_by_side() -> None:
    parts = shape_of(Tile.parse("x", "white", "city 0; city 0"), Layout.FLAT).parts
    assert parts["c0"].at.real < 0 < parts["c1"].at.real
    assert parts["c0"].at.imag == pytest.approx(parts["c1"].at.imag)
