"""The picture of a position: what must be in it, whatever it looks like."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board.drawing import RouteNote, Summary, draw_map
from board.drawing.palette import company_colours, route_style, text_on
from board.drawing.svg import clean, fitted, width_of, wrapped
from board.edition import Edition
from board.hexes import HexId, Layout, StopId
from board.position import Position
from board.routes import RevenueItem, Route
from tests.boards import line, make_edition, make_position, make_route
from titles.registry import titles

SVG = "{http://www.w3.org/2000/svg}"
BOARD = {
    **line("city 20 slots=2", "town 10", "", "city 30", "offboard yellow=40,brown=70"),
    "C1": "white city 0; city 0; label OO; cost 80 water",
    "C3": "blue",
    "D2": "city 10; track 1-c0 4-c0 1-4",
}
HOSTILE = "</title><script>alert('x')</script> & \"quotes\" \x00\x1b \u202e"


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def with_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


@pytest.fixture
def position() -> Position:
    return make_position(BOARD, trains="3 3", tokens={"A1.c0": "A B", "A7.c0": "C"})


@pytest.fixture
def route(position: Position) -> Route:
    return make_route(position, "3", "A1.c0 A3.t0 A7.c0")


class TestMap:
    def test_shows_every_hex_once_with_a_title(self, position: Position) -> None:
        hexes = with_class(parse(draw_map(position)), "hex")
        assert sorted(element.get("data-hex", "") for element in hexes) == sorted(position.edition.map.hexes)
        for element in hexes:
            title = element.find(f"{SVG}title")
            assert title is not None
            assert (title.text or "").startswith(element.get("data-hex", "?"))

    def test_shows_every_stop_with_its_value(self, position: Position) -> None:
        stops = with_class(parse(draw_map(position)), "stop")
        found = {element.get("data-stop"): element.get("data-value") for element in stops}
        assert found == {stop: str(position.value(stop)) for stop in position.stops}

    def test_shows_tokens_in_their_cities(self, position: Position) -> None:
        stops = {element.get("data-stop"): element for element in with_class(parse(draw_map(position)), "stop")}
        held = [token.get("data-company") for token in with_class(stops["A1.c0"], "token")]
        assert held == ["A", "B"]
        assert len(with_class(stops["A1.c0"], "own")) == 1

    def test_names_every_hex_and_shows_labels_and_costs(self, position: Position) -> None:
        shown = texts(parse(draw_map(position)))
        assert set(position.edition.map.hexes) <= set(shown)
        assert {"OO", "80"} <= set(shown)

    def test_emphasises_the_value_of_the_phase(self) -> None:
        for phase, value in (("yellow", "40"), ("gray", "70")):
            root = parse(draw_map(make_position(BOARD, phase=phase)))
            assert [texts(cell) for cell in with_class(root, "current")] == [[value]]

    def test_draws_each_piece_of_track(self, position: Position) -> None:
        layer = with_class(parse(draw_map(position)), "track")[0]
        drawn = {group.get("data-hex"): len(list(group)) for group in layer}
        for hex_id, tile in position.layout_of.items():
            assert drawn.get(hex_id, 0) >= len(tile.track)

    def test_draws_an_impassable_side_once(self) -> None:
        edition = make_edition(line("city 20", "city 20"), impassable=[("A1", 4), ("A3", 1)])
        assert len(with_class(parse(draw_map(make_position(edition))), "impassable")) == 1

    def test_points_out_hexes(self, position: Position) -> None:
        root = parse(draw_map(position, highlight=[HexId("C1"), HexId("Z9")]))
        assert [element.get("data-hex") for element in with_class(root, "highlight")] == ["C1"]

    def test_takes_colours_of_companies(self, position: Position) -> None:
        svg = draw_map(position, colours={"A": "#123456", "B": "url(http://example.org/x)"})
        assert "#123456" in svg
        assert "example.org" not in svg

    def test_shows_blocking_tokens_and_tokens_beside_slots(self) -> None:
        edition = make_edition({"A1": "city 20; track 0-c0"}, tokens_beside_slots=True)
        root = parse(draw_map(make_position(edition, tokens={"A1.c0": "BLOCK A B"})))
        assert len(with_class(root, "block")) == 1
        assert [token.get("data-company") for token in with_class(root, "token")][1:] == ["A", "B"]

    @pytest.mark.parametrize("layout", list(Layout))
    def test_draws_both_layouts(self, layout: Layout) -> None:
        edition = make_edition({"C3": "city 20; track 0-c0 3-c0", "C5": "town 10; track 0-t0"}, layout=layout)
        root = parse(draw_map(make_position(edition)))
        assert root.get("data-layout") == layout.value
        assert len(with_class(root, "hex")) == 2


@pytest.mark.parametrize("title", titles(), ids=lambda title: title.info.name)
def test_draws_the_opening_of_every_title(title) -> None:  # type: ignore[no-untyped-def]
    edition: Edition = title.edition((), title.info.players[1])
    phase, operator = next(iter(edition.phases)), min(edition.companies)
    position = Position.build(edition, phase=phase, operator=operator, trains=(), tiles={}, tokens={})
    root = parse(draw_map(position))
    assert len(with_class(root, "hex")) == len(edition.map.hexes)
    words = " ".join(texts(root))
    for name in edition.map.names.values():
        assert name.split()[0][:4] in words


class TestRoutes:
    def test_follow_their_pieces(self, position: Position, route: Route) -> None:
        legs = with_class(parse(draw_map(position, (route,))), "leg")
        drawn = [leg.get("data-pieces", "").split() for leg in legs]
        assert drawn == [[str(piece) for piece in leg.pieces] for leg in route.legs]
        assert all(leg.get("d", "").startswith("M") for leg in legs)

    def test_run_without_a_gap(self, position: Position, route: Route) -> None:
        for leg in with_class(parse(draw_map(position, (route,))), "leg"):
            assert leg.get("d", "").count("M") == 1

    def test_run_from_stop_to_stop_in_either_direction(self, position: Position, route: Route) -> None:
        def ends(one: Route) -> tuple[str, str]:
            numbers = re.findall(r"-?[\d.]+", with_class(parse(draw_map(position, (one,))), "leg")[0].get("d", ""))
            return " ".join(numbers[:2]), " ".join(numbers[-2:])

        last_leg_back = Route("3", route.legs[:1]).reversed()
        assert ends(Route("3", route.legs[:1])) == ends(last_leg_back)[::-1]

    def test_ring_their_stops(self, position: Position, route: Route) -> None:
        note = RouteNote(skipped=frozenset({StopId("A3.t0")}))
        root = parse(draw_map(position, (route,), notes=(note,)))
        stops = {element.get("data-stop"): element for element in with_class(root, "stop")}
        assert with_class(stops["A1.c0"], "counted")
        assert with_class(stops["A3.t0"], "skipped")
        assert not with_class(stops["A3.t0"], "counted")
        assert not with_class(stops["A9.o0"], "ring")
        assert "not counted" in "".join(stops["A3.t0"].itertext())

    def test_look_different(self, position: Position, route: Route) -> None:
        other = make_route(position, "3", "A7.c0 A9.o0")
        legs = with_class(parse(draw_map(position, (route, other))), "leg")
        assert len({leg.get("stroke") for leg in legs}) == 2

    def test_lie_side_by_side_on_shared_track(self, position: Position, route: Route) -> None:
        legs = with_class(parse(draw_map(position, (route, route.reversed()))), "leg")
        assert len({leg.get("d") for leg in legs}) == len(legs)

    def test_show_extensions_apart(self, position: Position) -> None:
        longer = make_route(position, "2", "A1.c0 A3.t0", extensions=("A3.t0 A7.c0",))
        root = parse(draw_map(position, (longer,)))
        assert with_class(root, "extension")
        assert len(with_class(root, "leg")) == 1

    def test_may_run_inside_one_city(self, position: Position) -> None:
        assert "runs inside one city" in " ".join(texts(parse(draw_map(position, (Route("3", ()),)))))

    def test_may_be_wrong(self, position: Position, route: Route) -> None:
        """A claim over track that does not lie there is drawn as far as possible."""
        bare = make_position(dict.fromkeys(BOARD, "white"))
        parse(draw_map(bare, (route,)))

    def test_styles_never_run_out(self) -> None:
        assert len({route_style(place)[:3] for place in range(12)}) == 12


class TestLegend:
    def test_tells_what_each_route_earns(self, position: Position, route: Route) -> None:
        items = (RevenueItem("A1", 20, "A1.c0"), RevenueItem("A7", 30, "A7.c0"), RevenueItem("East to West", 60))
        note = RouteNote(110, frozenset({StopId("A3.t0")}), items)
        svg = draw_map(position, (route,), notes=(note,), summary=Summary(total=110, bound=110, proven=True))
        words = " ".join(texts(parse(svg))).replace("\u00a0", " ")
        assert "Train 3: 110" in words
        assert "A1 20 – (A3) – A7 30 + East to West 60" in words
        assert "Total 110" in words
        assert "proven" in words

    def test_tells_when_nothing_is_proven(self, position: Position, route: Route) -> None:
        summary = Summary(total=60, bound=90, proven=False, bonuses=(RevenueItem("Compass", 40),))
        words = " ".join(texts(parse(draw_map(position, (route,), summary=summary))))
        assert "not proven; no set earns more than 90" in words
        assert "Compass 40" in words

    def test_may_be_left_out(self, position: Position, route: Route) -> None:
        root = parse(draw_map(position, (route,), legend_at="none"))
        assert not with_class(root, "legend")
        assert with_class(root, "leg")

    def test_changes_the_shape_of_the_picture(self, position: Position, route: Route) -> None:
        def size(place: str) -> list[float]:
            svg = draw_map(position, (route,), legend_at=place)  # type: ignore[arg-type]
            return [float(word) for word in parse(svg).get("viewBox", "").split()[2:]]

        assert size("right")[0] > size("below")[0]
        assert size("right")[1] < size("below")[1]

    def test_has_title_and_captions(self, position: Position) -> None:
        words = texts(parse(draw_map(position, title="Evening game", captions=["The bonus table is not complete."])))
        assert "Evening game" in words
        assert "The bonus table is not complete." in words


class TestSafety:
    def test_hostile_text_stays_text(self) -> None:
        edition = make_edition(line("city 20", "city 30"), names={"A1": HOSTILE})
        position = make_position(edition, tokens={"A1.c0": "A"})
        run = make_route(position, HOSTILE, "A1.c0 A3.c0")
        svg = draw_map(
            position, (run,), title=HOSTILE, captions=[HOSTILE], notes=[RouteNote(50, items=(RevenueItem(HOSTILE, 5),))]
        )
        root = parse(svg)
        assert not list(root.iter(f"{SVG}script"))
        assert "<script" not in svg
        assert not re.search("[\x00\x1b\u202e]", svg)

    @given(st.text(max_size=60))
    def test_any_text_can_stand_in_it(self, text: str) -> None:
        assert ElementTree.fromstring(f'<a b="{clean(text)}">{clean(text)}</a>').tag == "a"

    def test_endless_text_is_cut(self, position: Position) -> None:
        assert len(draw_map(position, title="x" * 100_000, captions=["y" * 100_000])) < 200_000

    def test_needs_nothing_from_outside(self, position: Position, route: Route) -> None:
        svg = draw_map(position, (route,))
        assert not re.search(r"\b(href|src|style|on\w+)=|<style|<script|<image|url\(|@import", svg)
        assert svg.count("http") == 1  # the name of the SVG language

    def test_can_stand_in_a_page_twice(self, position: Position) -> None:
        assert " id=" not in draw_map(position)

    def test_same_input_same_bytes(self, route: Route) -> None:
        def draw(names: list[str]) -> str:
            tokens = {name: {"A1.c0": "A B", "A7.c0": "C"}[name] for name in names}
            return draw_map(make_position(BOARD, trains="3 3", tokens=tokens), (route,), colours={"B": "#222222"})

        assert draw(["A1.c0", "A7.c0"]) == draw(["A7.c0", "A1.c0"])

    def test_speaks_to_screen_readers(self, position: Position, route: Route) -> None:
        root = parse(draw_map(position, (route,), notes=(RouteNote(60),)))
        assert root.get("role") == "img"
        assert root.get("aria-label") == "test, phase yellow: A runs 3, 3"
        description = root.find(f"{SVG}desc")
        assert description is not None
        assert "Train 3 earns 60" in (description.text or "")

    def test_scales(self, position: Position) -> None:
        root = parse(draw_map(position))
        assert root.get("viewBox")
        assert root.get("width") is None


class TestWords:
    def test_wrap_at_spaces(self) -> None:
        lines = wrapped("New Haven & Hartford", 60, 8.8)
        assert len(lines) == 2
        assert " ".join(lines) == "New Haven & Hartford"
        assert all(width_of(text, 8.8) <= 60 for text in lines)

    def test_shrink_before_they_are_cut(self) -> None:
        assert fitted("ab", 50, 8, 5) == ("ab", 8)
        text, size = fitted("Maritime Provinces", 60, 8, 5)
        assert text == "Maritime Provinces"
        assert 5 <= size < 8
        text, size = fitted("Maritime Provinces" * 3, 60, 8, 5)
        assert text.endswith("…")
        assert size == 5


class TestColours:
    def test_are_the_same_each_time(self) -> None:
        assert company_colours({"B", "A"}, {}) == company_colours(["A", "B"], {})

    def test_letters_stand_out(self) -> None:
        assert text_on("#ffffff") == "#111111"
        assert text_on("#123") == "#ffffff"
