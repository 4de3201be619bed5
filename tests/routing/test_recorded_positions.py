"""Every recorded run of ../shared/positions, judged again from the board: 817 lines of five titles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from board.edition import Edition
from board.hexes import HexId
from board.routes import ClaimedRoute
from records.positions import PositionRecord, load_positions
from routing.checker import credited
from routing.claims import check_claim
from routing.problem import RouteProblem
from tests.routing.helpers import codes, everything
from titles.registry import get_title

SHARED = Path(__file__).resolve().parents[3] / "shared" / "positions"
LINES = {"1830": 142, "1894": 161, "18GB": 196, "1828": 141, "1846": 177}

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded positions of ../shared are not here")


def edition(title: str, options: Iterable[str], players: int | None) -> Edition:
    return get_title(title).edition(options, players)


_READ: dict[str, tuple[tuple[PositionRecord, RouteProblem], ...]] = {}


def lines(title: str) -> tuple[tuple[PositionRecord, RouteProblem], ...]:
    """All lines of a title with the question that each puts, read once."""
    if title not in _READ:
        records = load_positions(sorted((SHARED / title).glob("*.jsonl")), edition)
        _READ[title] = tuple((record, get_title(title).problem(record.position)) for record in records)
    return _READ[title]


@pytest.mark.parametrize("title", LINES)
class TestClaims:
    def test_each_claim_is_legal_and_earns_what_was_recorded(self, title: str) -> None:
        assert len(lines(title)) == LINES[title]
        for record, problem in lines(title):
            verdict = check_claim(problem, record.claimed)
            assert verdict.legal, f"{record.source}: {verdict.all_faults}"
            assert credited(verdict) == tuple(claim.revenue for claim in record.claimed), record.source
            assert verdict.revenue == record.claimed_revenue, record.source
            assert sum(item.amount for item in everything(verdict)) == verdict.revenue

    def test_order_and_direction_do_not_matter(self, title: str) -> None:
        rng = Random(title)
        for record, problem in lines(title):
            claimed = [_turned(claim) if rng.randrange(2) else claim for claim in record.claimed]
            rng.shuffle(claimed)
            verdict = check_claim(problem, claimed)
            assert (verdict.legal, verdict.revenue) == (True, record.claimed_revenue), record.source

    def test_track_left_open_is_resolved_in_the_claimants_favour(self, title: str) -> None:
        for record, problem in lines(title):
            verdict = check_claim(problem, [replace(claim, connections=()) for claim in record.claimed])
            assert verdict.legal, f"{record.source}: {verdict.all_faults}"
            assert verdict.revenue >= (record.claimed_revenue or 0), record.source

    def test_the_same_train_does_not_run_twice(self, title: str) -> None:
        for record, problem in lines(title)[::7]:
            if record.claimed:
                verdict = check_claim(problem, [record.claimed[0], record.claimed[0], *record.claimed[1:]])
                assert "track-twice" in codes(verdict), record.source

    def test_a_company_without_tokens_does_not_run(self, title: str) -> None:
        for record, problem in lines(title)[::7]:
            if record.claimed and problem.rules.token_required and not problem.rules.as_token:
                operator = problem.position.operator
                tokens = {
                    hex_id: {
                        city: tuple(None if company == operator else company for company in companies)
                        for city, companies in cities.items()
                    }
                    for hex_id, cities in problem.position.tokens.items()
                }
                bare = replace(problem, position=problem.position.with_changes(tokens=tokens))
                assert codes(check_claim(bare, record.claimed)).count("no-own-token") == len(record.claimed)

    def test_a_hop_over_a_hex_without_its_tile(self, title: str) -> None:
        """F36, on real boards: one tile of the run is taken away."""
        told = 0
        for record, problem in lines(title)[::5]:
            for claim in record.claimed:
                position = problem.position
                middle = [hex_id for hexes in claim.connections for hex_id in hexes[1:-1] if hex_id in position.tiles]
                bare = [hex_id for hex_id in middle if not position.edition.map.hexes[hex_id].tile.track]
                if bare:
                    tiles = {hex_id: tile for hex_id, tile in position.tiles.items() if hex_id != bare[0]}
                    without = replace(problem, position=position.with_changes(tiles=tiles))
                    verdict = check_claim(without, [claim])
                    assert f"no track on {bare[0]}" in {fault.message for fault in verdict.all_faults}, record.source
                    told += 1
        assert told


def _turned(claim: ClaimedRoute) -> ClaimedRoute:
    return replace(
        claim,
        stops=claim.stops[::-1],
        connections=tuple(hexes[::-1] for hexes in claim.connections[::-1]),
    )


@pytest.mark.parametrize(("title", "marker", "hex_id"), [("1828", "coal", "K11"), ("1894", "ferry", "A10")])
def test_without_its_marker_a_stop_is_closed(title: str, marker: str, hex_id: str) -> None:
    """F43, F44: the same run with and without the marker; the fault names it."""
    runs = 0
    for record, problem in lines(title):
        if any(stop.hex == HexId(hex_id) for claim in record.claimed for stop in claim.stops):
            markers = {**problem.position.markers, marker: ()}
            bare = get_title(title).problem(replace(problem.position, markers=markers))
            faults = check_claim(bare, record.claimed).all_faults
            assert {fault.code for fault in faults} == {"closed-stop"}
            assert all(marker in fault.message for fault in faults)
            runs += 1
    assert runs


def test_the_older_reading_of_the_compass_bonus() -> None:
    """18GB, "Where the sources differ" 9: two routes that each join east and west and share stops are paid twice; with
    the option once, as this game was paid at its time."""
    record, problem = next(
        (record, problem)
        for record, problem in lines("18GB")
        if (record.position.game, record.position.action) == ("18gb-leased_train", 555)
    )
    assert check_claim(problem, record.claimed).revenue == 270 + 200
    title = get_title("18GB")
    position = record.position
    older = title.edition({*position.edition.options, "gb_compass_once_per_connected_group"}, position.edition.players)
    assert check_claim(title.problem(replace(position, edition=older)), record.claimed).revenue == 270 + 170


def test_the_ends_of_the_canadian_group_are_terminal() -> None:
    """F34: 1828 A15, home of OSH, is an end even for OSH."""
    problem = lines("1828")[0][1]
    city = problem.position.edition.map.hexes[HexId("A15")].tile
    assert all(piece.terminal for piece in city.track)
    assert problem.position.edition.map.hexes[HexId("A13")].tile.parts[0].groups == city.parts[0].groups
