"""Cases from the field about recorded games, each with its whole kind. Source: field/CASES.md."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from analysis.games import opening, problems_of
from board.errors import TrackageError
from board.hexes import HexId
from records.games_18xx import game_from
from records.replay import replay
from records.runs import check_run, claimed_route
from rules import engine
from rules.actions import Actor, RecordedRoute, RunRoutes
from rules.policies.track import LayPlan
from rules.state import State
from tests.cli.calling import EXAMPLES, trackage
from tests.rules.states import A, B, operating_round, with_company, with_tile, with_token, with_trains
from tests.rules.states import opening as fresh

GAME = json.loads((EXAMPLES / "games" / "1830-random.json").read_text(encoding="utf-8"))


def running(*tiles: tuple[str, str, int]) -> State:
    """B&O with a 3 and a 2 in Baltimore, and these tiles on the map."""
    state = with_company(fresh(), "B&O", {A: 60}, par=67, cash=0)
    for hex_id, tile, rotation in tiles:
        state = with_tile(state, hex_id, tile, rotation)
    return with_trains(operating_round(state), "B&O", "3-0", "2-0")


def ran(*routes: RecordedRoute) -> RunRoutes:
    return RunRoutes(by=Actor("corporation", "B&O"), routes=routes)


class TestF35:
    """Recorded runs are re-scored from the board; stored and recomputed differ, or the run is illegal: said apart."""

    def test_stored_and_recomputed(self) -> None:
        state = running(("J14", "57", 0))
        found = check_run(state, ran(RecordedRoute("2-0", (("I15", "J14"),), revenue=70)), problems_of("1830"))
        assert (found.stored, found.revenue, found.differs) == (70, 50, True)
        assert found.verdict is not None
        assert found.verdict.legal
        assert "70 in the record, 50 by the rules" in str(found)

    def test_an_illegal_run_with_its_right_value(self) -> None:
        state = running(("J14", "57", 0))
        same = RecordedRoute("2-0", (("I15", "J14"),), revenue=50)
        found = check_run(state, ran(same, RecordedRoute("3-0", (("I15", "J14"),), revenue=50)), problems_of("1830"))
        assert found.verdict is not None
        assert not found.verdict.legal
        assert not found.differs

    def test_the_replay_goes_on_with_the_stored_money(self) -> None:
        value = copy.deepcopy(GAME)
        place = next(place for place, one in enumerate(value["actions"]) if one["type"] == "dividend")
        run = next(one for one in reversed(value["actions"][:place]) if one["type"] == "run_routes")
        run["routes"][0]["revenue"] += 20
        value["actions"] = value["actions"][: place + 1]
        del value["result"], value["game_end_reason"]
        called = trackage("replay", "-", "--ledger", "--json", stdin=json.dumps(value))
        assert called.status == 1
        assert len(called.objects) == place + 1
        assert "the rules give" in called.err


class TestF36:
    """A hop over a hex without a tile: one fault that names it, and the other routes are scored."""

    def test_no_track(self) -> None:
        state = running(("J14", "57", 0))
        good = RecordedRoute("2-0", (("I15", "J14"),), revenue=50)
        bad = RecordedRoute("3-0", (("I15", "H16"), ("H16", "G15", "F16")), revenue=40)
        found = check_run(state, ran(good, bad), problems_of("1830"))
        assert found.verdict is not None
        assert found.verdict.routes[0].revenue == 50
        assert any("no track" in str(fault) and "H16" in str(fault) for fault in found.verdict.all_faults)

    @pytest.mark.parametrize(
        "hops",
        [
            (("Z99", "Y98"),), (("I15",),), ((),), (("I15", "J14"), ("A9", "A11")), (("?", "J14"),),
            (("local", "I15"),), (("I15 0.0",),), (("J14", "I15"), ("I15", "J14"), ("J14", "I15")), (("", ""),),
            (("I15", "I15"),),
        ],
    )  # fmt: skip
    def test_no_hops_bring_it_down(self, hops: tuple[tuple[str, ...], ...]) -> None:
        state = running(("J14", "57", 0))
        found = check_run(state, ran(RecordedRoute("2-0", hops, revenue=10)), problems_of("1830"))
        assert found.differs or found.faults or (found.verdict is not None and not found.verdict.legal)

    def test_a_train_that_nobody_owns(self) -> None:
        state = running(("J14", "57", 0))
        found = check_run(state, ran(RecordedRoute("77", (("I15", "J14"),), revenue=50)), problems_of("1830"))
        assert found.verdict is None or not found.verdict.legal


class TestStopsOfARun:
    """Source: formats/18xx-games-json section 6: hops may run either way, and the list may start at either end."""

    TILES = (("J14", "57", 0), ("I17", "8", 2), ("H18", "59", 0))

    @pytest.mark.parametrize(
        "hops",
        [
            (("J14", "I15"), ("I15", "I17", "J16")),
            (("I15", "J14"), ("J16", "I17", "I15")),
        ],
    )
    def test_either_direction(self, hops: tuple[tuple[str, ...], ...]) -> None:
        state = running(("J14", "57", 0))
        claim = claimed_route(state.position("B&O"), RecordedRoute("3-0", hops), "3")
        assert claim.stops[:2] == ("J14.c0", "I15.c0")

    def test_of_two_cities_on_a_hex_the_one_that_track_leads_to(self) -> None:
        state = with_token(with_company(running(), "NYNH", {B: 60}), "NYNH", "G19.c0")
        state = with_tile(state, "F20", "1", 0)
        for nodes in ((), ("G19-0", "F20-1"), ("G19-1", "F20-1")):
            claim = claimed_route(state.position("NYNH"), RecordedRoute("2-0", (("G19", "F20"),), nodes=nodes), "2")
            assert claim.stops == ("G19.c0", "F20.t1")


class TestF57:
    """What a record chooses is matched by what it says; where nothing matches, the fault lists what there was."""

    def test_a_choice_that_there_is_not(self) -> None:
        value = copy.deepcopy(GAME)
        strange = {"type": "choose", "entity": 1, "entity_type": "player", "choice": "Exchange ($-40)"}
        value["actions"][30:30] = [strange]
        for one in value["actions"]:
            one.pop("id", None)
        called = trackage("replay", "-", stdin=json.dumps(value))
        assert called.status == 2
        (line,) = called.complaints
        assert "actions[30]" in line
        assert "chooses 'Exchange ($-40)'" in line
        assert " may " in line

    def test_automatic_purchases_are_carried_out(self) -> None:
        value = copy.deepcopy(GAME)
        place = next(
            place for place, one in enumerate(value["actions"])
            if one["type"] == "pass" and value["actions"][place + 1]["type"] == "buy_shares"
        )  # fmt: skip
        follower = value["actions"].pop(place + 1)
        del follower["id"]
        value["actions"][place]["auto_actions"] = [follower]
        called = trackage("replay", "-", "--json", stdin=json.dumps(value))
        assert (called.status, called.object["differences"]) == (0, [])


class TestF65:
    """The same file gives the same result, always."""

    def test_twice(self) -> None:
        first = trackage("replay", EXAMPLES / "games" / "1830-random.json", "--ledger", "--json")
        assert first.out == trackage("replay", EXAMPLES / "games" / "1830-random.json", "--ledger", "--json").out

    def test_nonsense_between_that_was_undone(self) -> None:
        value: dict[str, Any] = copy.deepcopy(GAME)
        for number in (100, 60, 20):
            value["actions"][number:number] = [
                {"type": "lay_tile", "entity": "LYR", "entity_type": "corporation", "hex": "J17", "city": "J17-2"},
                {"type": "undo", "entity": 1, "entity_type": "player"},
            ]
        assert trackage("replay", "-", stdin=json.dumps(value)).status == 0


class TestF67:
    """A two-city tile may be laid by a company that reaches only its new track."""

    def test_new_track_is_enough(self) -> None:
        state = with_company(fresh(track_rule="restrictive"), "PRR", {A: 60}, cash=500)
        state = operating_round(with_tile(state.but(phase_name="3"), "H14", "9", 1))
        state = with_token(with_tile(state, "H16", "57", 1), "PRR", "H16.c0")
        legal = [
            rotation
            for rotation in range(6)
            if not list(state.game.lay_faults(state, LayPlan("PRR", HexId("H18"), "59", 0, rotation)))
        ]
        reached = state.game.reach(state, "PRR").sides[HexId("H18")]
        tile = state.facts.edition.tiles.tile("59")
        expected = [rotation for rotation in range(6) if reached & tile.rotated(rotation).sides]
        assert legal
        assert set(legal) <= set(expected)


def test_a_game_that_is_against_the_rules_keeps_its_beginning() -> None:
    """What came before a refused action has been given, and can be worked with (wish 9)."""
    value = copy.deepcopy(GAME)
    value["actions"][80] = {"type": "bankrupt", "entity": "PRR", "entity_type": "corporation", "id": 81}
    game = game_from(value)
    played = 0
    state = opening(game)
    refused = ""
    try:
        for carried in replay(game, state):
            state = carried.after
            played += 1
    except TrackageError as error:
        refused = str(error)
    assert "action 81" in refused
    assert played == 80
    assert list(engine.legal_actions(state))
