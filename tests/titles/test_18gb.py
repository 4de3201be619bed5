"""18GB: scenarios, compass, estuaries, X-trains, privates. Source: digest 18GB sections 1, 3 and 8."""

from __future__ import annotations

import pytest

from board.errors import InputError
from board.hexes import HexId, StopId
from board.position import Position
from bonuses.over_routes import JointBonus
from tests.titles.turns import bonus_items, earned, pretended, run, turn
from titles.registry import get_title

SCENARIOS = {
    "2NS": ((), 2), "2EW": (("two_player_ew",), 2), "3": ((), 3), "4Std": ((), 4),
    "4Alt": (("four_player_alt",), 4), "5": ((), 5), "6": ((), 6),
}  # fmt: skip


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_scenario_follows_from_players_and_options(scenario: str) -> None:
    options, players = SCENARIOS[scenario]
    edition = get_title("18GB").edition(options, players)
    assert edition.scenario == scenario
    assert get_title("18GB").edition(options, players) is edition


@pytest.mark.parametrize(
    ("scenario", "numbers", "grays", "trains"),
    [
        ("2NS", (92, 6, 6), False, (4, 6)),
        ("2EW", (84, 6, 6), False, (4, 6)),
        ("3", (111, 9, 6), False, (5, 7)),
        ("4Std", (111, 9, 8), False, (7, 7)),
        ("4Alt", (111, 9, 8), False, (7, 7)),
        ("5", (111, 12, 9), True, (9, 8)),
        ("6", (111, 12, 9), True, (10, 8)),
    ],
)
def test_board_companies_and_supply_of_each_scenario(
    scenario: str, numbers: tuple[int, int, int], grays: bool, trains: tuple[int, int]
) -> None:
    """Hexes, companies and privates; gray tiles; the first and the last kind of train."""
    options, players = SCENARIOS[scenario]
    edition = get_title("18GB").edition(options, players)
    assert (len(edition.map.hexes), len(edition.companies), len(edition.privates)) == numbers
    assert ("912" in edition.tiles) is ("G31" in edition.tiles) is ("G35" in edition.tiles) is grays
    assert (edition.train_counts["2+1"], edition.train_counts["6X"]) == trains


def test_the_number_of_players_is_needed() -> None:
    with pytest.raises(InputError, match="number of players"):
        get_title("18GB").edition()


def test_an_option_for_another_number_of_players_is_refused() -> None:
    with pytest.raises(InputError, match="two_player_ew is for 2 players, not 3"):
        get_title("18GB").edition(("two_player_ew",), 3)


def east_to_plymouth(phase: str = "4X", options: tuple[str, ...] = ("two_player_ew",)) -> Position:
    """LSWR in Salisbury, with track from London to Plymouth."""
    return turn(
        "18GB", phase, "LSWR", "4X 4X", players=2, options=options,
        tiles={
            "F25": ("58", 5), "E26": ("58", 2), "D25": ("G41", 2), "C24": ("58", 5), "B25": ("8", 2), "A24": ("8", 5)
        },
        tokens={"D25.c0": "LSWR"},
    )  # fmt: skip


def test_plymouth_is_west_in_the_east_west_scenario() -> None:
    """Field case F05: a25 counts both as south and as west."""
    verdict = run(east_to_plymouth(), ("4X", "G26.o0 F25.t0 E26.t0 D25.c0 C24.t0 a25.o0"))
    assert verdict.legal
    assert sorted(bonus_items(verdict)) == [("EW", 30), ("distance 7 hexes", 70)]
    assert verdict.revenue == 60 + 10 + 40 + 70 + 30


@pytest.mark.parametrize(("phase", "amount"), [("2+1", 20), ("3+1", 20), ("4+2", 30), ("5X", 30), ("6X", 40)])
def test_the_compass_pays_by_phase(phase: str, amount: int) -> None:
    position = turn("18GB", phase, "CR", "4X", players=5)
    compass = [bonus for bonus in get_title("18GB").bonuses(position) if isinstance(bonus, JointBonus)]
    assert earned(compass, pretended(position, "4X", "G0.o0 G4.c0 G26.o0")) == {"NS": amount}
    assert earned(compass, pretended(position, "4X", "E6.o0 G4.c0 K0.o0")) == {"EW": amount}
    # Harwich and London are both east and south.
    assert earned(compass, pretended(position, "4X", "G0.o0 G4.c0 C14.o0", "J27.o0 G4.c0")) == {
        "NS": amount,
        "EW": amount,
    }


def test_directions_differ_by_scenario() -> None:
    """Plymouth is no compass hex of 2NS; Carlisle and Newcastle are the north of 2EW."""
    ns, ew = (turn("18GB", "2+1", "LNWR", "4X", players=2, options=options) for options in ((), ("two_player_ew",)))
    assert HexId("a25") not in ns.edition.map
    assert earned(get_title("18GB").bonuses(ns)[:1], pretended(ns, "4X", "E6.o0 F21.c0 K22.o0")) == {"EW": 20}
    assert earned(get_title("18GB").bonuses(ew)[:1], pretended(ew, "4X", "J11.o0 F21.c0 a25.o0")) == {"NS": 20}


def test_routes_that_meet_in_an_off_board_area_only_are_not_joined() -> None:
    """Field case F03."""
    position = turn("18GB", "2+1", "CR", "4X 4X", players=5)
    compass = get_title("18GB").bonuses(position)[:1]
    assert earned(compass, pretended(position, "4X", "E6.o0 I0.o0", "I0.o0 K22.o0")) == {}
    assert earned(compass, pretended(position, "4X", "E6.o0 G4.c0 I0.o0", "G4.c0 K22.o0")) == {"EW": 20}


def test_the_older_reading_of_the_compass_is_an_option() -> None:
    routes = "G0.o0 F21.c0 G26.o0", "I0.o0 F21.c0 D27.o0"
    for options, amount in ((), 40), (("gb_compass_once_per_connected_group",), 20):
        position = turn("18GB", "2+1", "CR", "4X 4X", players=5, options=options)
        compass = get_title("18GB").bonuses(position)[:1]
        assert earned(compass, pretended(position, "4X", *routes)) == {"NS": amount}


def test_an_x_train_measures_between_its_outermost_cities_or_off_boards() -> None:
    verdict = run(east_to_plymouth(), ("4X", "C24.t0 D25.c0 E26.t0 F25.t0 G26.o0"))
    assert bonus_items(verdict) == [("distance 3 hexes", 30)]


def test_a_plus_train_earns_nothing_for_distance() -> None:
    position = turn("18GB", "4X", "CR", "5+2", players=5)
    assert earned(get_title("18GB").bonuses(position)[1:], pretended(position, "5+2", "G26.o0 D25.c0")) == {}


def severn(rotation: int = 0) -> Position:
    return turn(
        "18GB", "4+2", "GWR", "4+2", players=4,
        tiles={"D23": ("G18", 2), "B21": ("G18", 2), "C22": ("G33", rotation)},
        tokens={"D23.c0": "GWR"},
    )  # fmt: skip


def test_the_special_track_of_an_estuary_tile_pays() -> None:
    verdict = run(severn(), ("4+2", "D23.c0 B21.c0"))
    assert verdict.legal
    assert bonus_items(verdict) == [("Severn", 30)]
    assert verdict.revenue == 20 + 20 + 30


def test_the_other_track_of_an_estuary_tile_pays_nothing() -> None:
    position = turn(
        "18GB", "4+2", "GWR", "4+2", players=4,
        tiles={"B21": ("G18", 2), "C22": ("G33", 0), "D21": ("58", 5)}, tokens={"B21.c0": "GWR"},
    )  # fmt: skip
    verdict = run(position, ("4+2", "B21.c0 D21.t0"))
    assert verdict.legal
    assert bonus_items(verdict) == []


@pytest.mark.parametrize(
    ("owner", "open_", "president", "amount"),
    [("P1", False, "P1", 10), ("P1", True, "P1", 0), ("P1", False, "P2", 0), ("P2", False, None, 0)],
)
def test_a_closed_private_pays_companies_led_by_its_owner(
    owner: str, open_: bool, president: str | None, amount: int
) -> None:
    position = turn(
        "18GB", "3+1", "NER", "2+1", players=3,
        tiles={"J13": ("G40", 1), "I14": ("G40", 4)},
        tokens={"J13.c0": "NER"},
        owners={"NER": president} if president else {},
        privates={"SD": (owner, open_)},
    )  # fmt: skip
    verdict = run(position, ("2+1", "J13.c0 I14.c0"))
    assert verdict.legal
    assert bonus_items(verdict) == ([("SD", amount)] if amount else [])
    assert verdict.revenue == 20 + amount


@pytest.mark.parametrize(("private", "stop", "amount"), [("LM", "E14.o0", 30), ("CH", "C14.o0", 20)])
def test_liverpool_and_holyhead(private: str, stop: str, amount: int) -> None:
    position = turn("18GB", "4+2", "LYR", "4+2", players=5, owners={"LYR": "P0"}, privates={private: ("P0", False)})
    found = earned(get_title("18GB").bonuses(position), pretended(position, "4+2", f"{stop} H15.c0"))
    assert found == {private: amount}


def test_two_stops_on_one_hex_pay_once() -> None:
    position = turn("18GB", "4X", "CR", "4X", players=5)
    assert get_title("18GB").route_rules(position).hex_pays_once


@pytest.mark.parametrize(("phase", "value"), [("2+1", 30), ("3+1", 40), ("4+2", 50), ("5+2", 60), ("6X", 70)])
def test_london_by_phase(phase: str, value: int) -> None:
    assert turn("18GB", phase, "CR", "", players=4).value(StopId("G26.o0")) == value
