"""1828: coal, the minor, systems, terminals, labels. Source: digest 1828 sections 4 to 9."""

from __future__ import annotations

import pytest

from board.errors import InputError
from board.hexes import StopId
from board.position import Position
from routing.checker import check
from tests.boards import make_route, stop_set
from tests.titles.turns import run, turn
from titles.registry import get_title

TUNNEL = {"K13": ("4", 1), "K15": ("57", 1)}
"""Richmond K15 to the coalfields K11 through the Virginia Tunnel."""


def richmond(*, coal: bool, operator: str = "C&O", phase: str = "Brown") -> Position:
    return turn(
        "1828", phase, operator, "3+D", tiles=TUNNEL, tokens={"K15.c0": operator},
        markers={"coal": [operator] if coal else ["B&O"]},
    )  # fmt: skip


def test_a_marker_opens_the_coalfields_and_what_lies_behind() -> None:
    """Field case F43: C&O runs from Richmond through tunnel and coalfields once it owns the marker."""
    position = richmond(coal=True)
    verdict = run(position, ("3+D", "K15.c0 K13.t0 K11.c0"))
    assert verdict.legal
    assert verdict.revenue == 2 * (20 + 10 + 60)


def test_without_a_marker_the_coalfields_are_closed() -> None:
    """Field case F44; the reason names the marker."""
    position = richmond(coal=False)
    assert not run(position, ("3+D", "K15.c0 K13.t0 K11.c0")).legal
    reason = get_title("1828").route_rules(position).closed[StopId("K11.c0")]
    assert "coal marker" in reason
    assert "C&O" in reason


def test_a_system_owns_its_marker_by_its_own_name() -> None:
    assert not get_title("1828").route_rules(richmond(coal=True, operator="C&O-NW")).closed
    assert get_title("1828").route_rules(richmond(coal=False, operator="C&O-NW")).closed


def test_systems_are_two_different_companies() -> None:
    edition = get_title("1828").edition((), 3)
    assert edition.knows_company("GT-IC")
    assert edition.knows_company("C&P")
    assert not edition.knows_company("GT-GT")
    assert not edition.knows_company("GT-XX")
    assert not edition.knows_company("-IC")


def minor(laid: list[str] | None, tiles: dict[str, tuple[str, int]]) -> Position:
    markers: dict[str, object] = {} if laid is None else {"laid_this_turn": laid}
    return turn("1828", "Green", "C&P", "2", tiles=tiles, tokens={"C15.c0": "C&P"}, markers=markers)


@pytest.mark.parametrize("laid", [None, []])
def test_the_minor_runs_only_after_laying(laid: list[str] | None) -> None:
    rules = get_title("1828").route_rules(minor(laid, {}))
    assert "laid no tile" in rules.no_run


def test_a_plain_tile_leads_to_the_stops_on_either_side() -> None:
    """Recorded run 23366 id 73: after a lay in C13 the minor runs elsewhere from Peterborough."""
    position = minor(["C13"], {"C13": ("8", 4), "C17": ("9", 1)})
    rules = get_title("1828").route_rules(position)
    assert not rules.no_run
    assert not rules.token_required
    assert [condition.stops for condition in rules.must_visit] == [stop_set("C15.c0")]
    problem = get_title("1828").problem(position)
    assert check(problem, (make_route(position, "2", "C15.c0 C19.t0"),)).legal


def test_a_lay_in_two_directions_gives_two_stops() -> None:
    position = minor(["C17"], {"C17": ("9", 1)})
    rules = get_title("1828").route_rules(position)
    assert [condition.stops for condition in rules.must_visit] == [stop_set("C15.c0 C19.t0")]


def test_a_tile_with_a_stop_has_to_be_visited_and_counts_as_own() -> None:
    """Recorded run: after a lay in Ottawa the minor runs from there to Montreal, without its token."""
    position = minor(["B20"], {"B20": ("57", 0), "B22": ("7", 2), "C17": ("9", 1)})
    rules = get_title("1828").route_rules(position)
    assert [condition.stops for condition in rules.must_visit] == [stop_set("B20.c0")]
    assert rules.as_token == stop_set("B20.c0")
    problem = get_title("1828").problem(position)
    assert check(problem, (make_route(position, "2", "B20.c0 A23.c0"),)).legal
    assert not check(problem, (make_route(position, "2", "C15.c0 C19.t0"),)).legal


def test_a_lay_that_leads_nowhere_allows_no_run() -> None:
    position = minor(["I7"], {"I7": ("9", 1)})
    assert "leads to no stop" in get_title("1828").route_rules(position).no_run


def test_other_companies_need_their_tokens() -> None:
    rules = get_title("1828").route_rules(richmond(coal=True))
    assert rules.token_required
    assert not rules.must_visit


def test_no_route_runs_on_through_a_terminal() -> None:
    """Field case F34: A15, the home of OSH."""
    position = turn(
        "1828", "Green", "OSH", "3", tokens={"A15.c0": "OSH"},
        tiles={"C17": ("7", 1), "B16": ("9", 2), "B14": ("57", 0)},
    )  # fmt: skip
    assert run(position, ("3", "C15.c0 A15.c0")).legal
    assert run(position, ("3", "A15.c0 B14.c0")).legal
    assert not run(position, ("3", "C15.c0 A15.c0 B14.c0")).legal


def test_canada_is_visited_once() -> None:
    position = turn("1828", "Green", "OSH", "3", tokens={"A15.c0": "OSH"})
    assert position.groups(StopId("A13.o0")) == position.groups(StopId("A15.c0")) == ("Canada",)


def test_baltimore_and_boston_have_labels_of_their_own() -> None:
    tiles = get_title("1828").edition((), 4).tiles
    assert [tiles.tile(tile_id).label for tile_id in ("53", "61", "121", "997")] == ["Ba", "Ba", "Bo", "Bo"]
    assert get_title("1830").edition((), 4).tiles.tile("53").label == "B"
    with pytest.raises(InputError, match="labelled Bo"):
        turn("1828", "Green", "B&M", "2", tiles={"E27": ("53", 0)})


def test_a_blocking_token_belongs_to_nobody() -> None:
    position = turn("1828", "Purple", "B&M", "2", tokens={"E23.c0": "BLOCK"}, tiles={"E23": ("57", 0)})
    assert position.blocks(StopId("E23.c0"))


@pytest.mark.parametrize(("players", "sixes"), [(3, 3), (4, 3), (5, 4), (None, 4)])
def test_one_six_less_with_fewer_than_five_players(players: int | None, sixes: int) -> None:
    assert get_title("1828").edition((), players).train_counts["6"] == sixes
