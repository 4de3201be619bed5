"""1833NE: the tables of the digest, as the title has them. Each test holds a sentence or a table, whose section is in
the heading."""

from __future__ import annotations

import pytest

from board.hexes import HexId, StopId
from board.trains import StopKind
from rules.shares import IPO
from tests.titles.games_1833ne import TITLE, holding, new, rules, started, stock
from titles.t1833ne.facts import facts_1833ne

EDITION = TITLE.edition()
TILES = tuple(one.tile for one in EDITION.tiles.stock.values())

# --- set-up (section 1) --------------------------------------------------------------------------------------------

LIMITS = {
    3: [35, 33, 30, 28, 26, 24, 22, 19, 16, 14, 14],
    4: [26, 25, 23, 21, 20, 18, 16, 14, 12, 10, 10],
    5: [21, 20, 18, 17, 16, 14, 13, 11, 10, 8, 8],
}


@pytest.mark.parametrize("players", LIMITS)
def test_certificate_limit_for_fourteen_to_four_corporations(players: int) -> None:
    state = new(players, ["takeover_game"])
    found = []
    for name in list(state.companies)[: len(LIMITS[players])]:
        found.append(rules(state).certificate_limit(state, "1"))
        state = rules(state).close_corporation(state, name)
    assert found == LIMITS[players]


@pytest.mark.parametrize("players", [2, 6])
def test_three_to_five_players(players: int) -> None:
    assert TITLE.info.players == (3, 5)
    with pytest.raises(Exception, match="players"):
        new(players)


# --- privates (section 3) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "face", "income", "blocks"),
    [
        ("P1", 15, 5, "H23"), ("P2", 40, 10, "G20"), ("P3", 50, 10, "C4 C6"), ("P4", 60, 15, ""), ("P5", 70, 15, ""),
        ("P6", 80, 30, ""),
    ],
)  # fmt: skip
def test_face_income_and_blocked_hexes_of_the_privates(name: str, face: int, income: int, blocks: str) -> None:
    state = new()
    private = state.privates[name]
    assert (private.value, private.income) == (face, income)
    assert {str(one) for one in state.facts.privates[name].blocks} == set(blocks.split())


def test_granite_railway_has_no_ability() -> None:
    assert new().facts.privates["P1"].abilities == ()


# --- corporations (section 4) --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "home"),
    [
        ("B&W", "G22.c0"), ("B&P", "F25.c0"), ("B&L", "G22.c1"), ("FRR", "E20.c0"), ("HR", "C24.c0"), ("RR", "C12.c0"),
        ("CV", "C8.c0"), ("StL&A", "B3.c1"), ("A&StL", "I14.c0"),
    ],
)  # fmt: skip
def test_home_of_each_corporation_is_free_and_placed_when_it_is_started(name: str, home: str) -> None:
    state = started(stock(P2="HR"), "1", name)
    assert state.table.stops_of(name) == (StopId.parse(home),)
    assert state.companies[name].cash == 200


@pytest.mark.parametrize("options", [(), ("takeover_game",)])
def test_presidents_certificate_of_20_percent_and_eight_of_10(options: tuple[str, ...]) -> None:
    for company in new(3, options).companies.values():
        assert [one.percent for one in company.held(IPO)] == [20, *[10] * 8]
        assert [one.president for one in company.held(IPO)] == [True, *[False] * 8]


# --- ferries (section 7) -------------------------------------------------------------------------------------------


def test_five_ferries_for_40_at_new_haven_and_where_the_sea_is_drawn() -> None:
    facts = facts_1833ne()
    assert facts.ferry_price == 40
    assert {str(one) for one in facts.ferries.values()} == {"C26", "E26", "G22", "I14", "I26"}
    for name in ("C28", "E28"):
        printed = EDITION.map.hexes[HexId(name)]
        assert [marker["kind"] for marker in printed.markers] == ["port"]
        assert [part.kind for part in printed.tile.parts] == [StopKind.OFF_BOARD]
    (dead_end,) = EDITION.map.hexes[HexId("J25")].tile.track
    assert dead_end.terminal


# --- track and cities (section 8) ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "colours"),
    [
        ("I", ("yellow",)), ("II", ("yellow", "green")), ("III", ("yellow", "green")),
        ("IV", ("yellow", "green", "brown")), ("V", ("yellow", "green", "brown")),
    ],
)  # fmt: skip
def test_yellow_then_green_in_phase_two_and_brown_in_phase_four(phase: str, colours: tuple[str, ...]) -> None:
    assert EDITION.phases[phase].tile_colours == colours


@pytest.mark.parametrize(
    ("label", "yellow", "green", "brown", "cities"),
    [("B", 30, 50, 90, (2, 2, 1)), ("Mo", 30, 50, 80, (2, 2, 1)), ("Po", 30, 40, 70, (1, 2, 1)),
     ("Pr", 20, 40, 80, (1, 1, 1)), ("Ma", 30, 40, 60, (1, 1, 1))],
)  # fmt: skip
def test_values_of_boston_montreal_portland_providence_and_manchester(
    label: str, yellow: int, green: int, brown: int, cities: tuple[int, ...]
) -> None:
    printed = [one.tile for one in EDITION.map if one.tile.label == label]
    tiles = [one for one in TILES if one.label == label]
    if label == "Ma":
        tiles.append(EDITION.tiles.tile("N50"))
    found: dict[str, set[tuple[int, int]]] = {}
    for tile in (*printed, *tiles):
        (value,) = {city.revenue.fixed for city in tile.cities}
        found.setdefault(tile.colour, set()).add((value, len(tile.cities)))
    assert found == {
        "yellow": {(yellow, cities[0])}, "green": {(green, cities[1])}, "brown": {(brown, cities[2])},
    }  # fmt: skip


def test_brown_boston_is_one_city_with_four_slots() -> None:
    (city,) = EDITION.tiles.tile("N33").cities
    assert city.slots == 4


@pytest.mark.parametrize(("colour", "value"), [("yellow", 10), ("green", 20), ("brown", 30)])
def test_small_towns_gain_value_by_upgrades(colour: str, value: int) -> None:
    towns = [one for one in TILES if one.colour == colour and not one.label and not one.cities and one.parts]
    assert towns
    assert {part.revenue.fixed for one in towns for part in one.parts} == {value}


# --- routes and revenue (section 9) --------------------------------------------------------------------------------

OFF_BOARDS = {
    "A6": (10, 30, 10), "A12": (40, 70, 80), "A20": (40, 30, 0), "A24": (10, 40, 30), "A28": (0, 20, 90),
    "B17": (30, 50, 40), "G2": (30, 20, 0), "J11": (20, 30, 20),
}  # fmt: skip


@pytest.mark.parametrize("name", OFF_BOARDS)
def test_off_board_values_change_in_phases_three_and_five(name: str) -> None:
    (part,) = EDITION.map.hexes[HexId(name)].tile.parts
    found = [part.revenue.in_phase(phase) for phase in EDITION.phases.values()]
    early, middle, late = OFF_BOARDS[name]
    assert found == [early, early, middle, middle, late]


def test_troy_alone_may_be_run_through() -> None:
    through = {
        str(printed.id) for printed in EDITION.map for part in printed.tile.parts
        if part.kind is StopKind.OFF_BOARD and part.through
    }  # fmt: skip
    assert through == {"B17"}
    assert len(EDITION.map.hexes[HexId("B17")].tile.sides) == 3


# --- trains and phases (section 11) --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "faces", "number", "takeover", "phase"),
    [
        ("2", {"2": 75, "2+1": 100}, 8, 8, "I"), ("3/5", {"3/5": 180, "2+2": 140}, 5, 5, "II"),
        ("4/7", {"4/7": 320, "3+3": 230}, 6, 6, "III"), ("6/9", {"6/9": 750, "5+3": 640}, 3, 5, "IV"),
        ("7+3", {"7+3": 1000}, None, None, "V"),
    ],
)  # fmt: skip
def test_faces_prices_and_numbers_of_the_cards(
    card: str, faces: dict[str, int], number: int | None, takeover: int | None, phase: str
) -> None:
    for options, count in (((), number), (("takeover_game",), takeover)):
        state = new(3, options)
        facts = state.facts.trains[card]
        assert {one.name: one.price for one in facts.faces} == faces
        assert facts.count == count
        left = [one for one in state.depot.upcoming if one.rpartition("-")[0] == card]
        assert len(left) == (count or 1)
    assert EDITION.phases[phase].starts_with == (None if phase == "I" else card)


# --- prices (section 15) -------------------------------------------------------------------------------------------


def test_row_of_prices_from_0_to_730() -> None:
    market = new().facts.market
    assert [market.price(cell) for cell in market.printed] == [
        0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 112, 124, 137, 150, 165, 180, 195, 212, 230, 250, 270, 295, 320,
        345, 375, 405, 440, 475, 510, 550, 590, 630, 680, 730,
    ]  # fmt: skip


def test_price_stays_at_the_right_end() -> None:
    state = holding(started(stock(), "1", "HR"), "HR", p1=10)
    last = list(state.facts.market.printed)[-1]
    assert state.facts.market.move(last, "right", 3) == last
