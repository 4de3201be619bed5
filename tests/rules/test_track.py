"""Laying track and tokens. Source: COMMON sections 7 and 8."""

from __future__ import annotations

import dataclasses

import pytest

from board.hexes import HexId, StopId
from rules import engine
from rules.actions import LayTile, Pass, PlaceToken
from rules.policies.track import LayPlan
from rules.state import State
from rules.steps.tokens import place_action
from rules.table import Memo
from tests.rules.states import (
    A,
    B,
    company,
    lay,
    money,
    opening,
    operating_round,
    refusal,
    with_company,
    with_tile,
    with_token,
)


def building(name: str = "PRR", *, phase: str = "2", cash: int = 1000, **settings: object) -> State:
    """The company is about to lay track in its first turn."""
    state = with_company(opening(**settings), name, {A: 60}, par=67, cash=cash)
    return operating_round(state.but(phase_name=phase))


def faults(state: State, hex_id: str, tile: str, rotation: int, name: str = "PRR") -> list[str]:
    plan = LayPlan(name, HexId(hex_id), tile, state.table.free_copy(tile) or 0, rotation)
    return [fault.code for fault in state.game.lay_faults(state, plan)]


class TestLaying:
    def test_a_lay_beside_the_home(self) -> None:
        state = engine.apply(building(), lay("PRR", "H10", "57", 1))
        assert state.table.laid[HexId("H10")].tile == "57"
        assert state.companies["PRR"].cash == 1000

    @pytest.mark.parametrize(
        ("hex_id", "tile", "rotation", "code"),
        [
            ("H10", "57", 0, "not-connected"),  # its sides do not face the home
            ("D4", "58", 0, "not-connected"),  # far away
            ("H10", "14", 0, "colour-not-available"),
            ("H10", "8", 0, "no-upgrade"),  # a city needs a city tile
            ("H14", "57", 1, "no-upgrade"),  # and no city none
            ("H12", "57", 1, "no-upgrade"),  # gray is fixed
            ("F2", "9", 0, "no-upgrade"),  # so is red
            ("K15", "57", 0, "no-upgrade"),
        ],
    )
    def test_what_is_wrong_with_a_lay(self, hex_id: str, tile: str, rotation: int, code: str) -> None:
        assert code in faults(building(), hex_id, tile, rotation)

    def test_track_leads_to_a_hex_that_can_take_it(self) -> None:
        # E7's side 5 is impassable, J4's side 0 is the rim, H2's side 0 is red I1, which has track on side 4 only.
        state = building("C&O")
        assert "track-leads-nowhere" in faults(state, "E7", "58", 3, "C&O")
        assert "track-leads-nowhere" in faults(state, "J4", "9", 0, "C&O")
        assert "track-leads-nowhere" in faults(state, "H2", "9", 0, "C&O")
        assert "track-leads-nowhere" not in faults(state, "J4", "9", 1, "C&O")

    def test_a_hex_of_a_players_private_is_closed(self) -> None:
        state = with_company(opening(), "PRR", {A: 60}, cash=1000)
        state = state.handing_private("SV", B)
        assert "hex-closed" in faults(state, "G15", "8", 0)
        assert "hex-closed" not in faults(state.handing_private("SV", "PRR"), "G15", "8", 0)

    def test_terrain_is_paid_by_the_lay_that_covers_it(self) -> None:
        state = building("PRR", cash=119)
        plan = LayPlan("PRR", HexId("G13"), "8", 0, 0)
        assert state.game.lay_cost(state, plan) == 120
        assert state.game.lay_cost(with_tile(state, "G13", "8", 0), plan) == 0
        assert not any(isinstance(one, LayTile) and one.hex == "G13" for one in engine.legal_actions(state))

    def test_the_box_and_names_that_do_not_exist(self) -> None:
        state = building()
        assert "tile 57-9 is not in the supply" in refusal(state, lay("PRR", "H10", "57", 1, copy=9))
        assert "the map has no hex Z9" in refusal(state, lay("PRR", "Z9", "57", 1))
        assert "no tile 999" in refusal(state, lay("PRR", "H10", "999", 1))
        assert "a rotation is 0 to 5, not 6" in refusal(state, lay("PRR", "H10", "57", 6))
        taken = with_tile(state, "H16", "57", 1)
        assert "57-0 is not in the supply" in refusal(taken, lay("PRR", "H10", "57", 1, copy=0))

    def test_one_lay_a_turn(self) -> None:
        state = engine.apply(building(), lay("PRR", "H10", "57", 1))
        assert "cannot lay_tile now" in refusal(state, lay("PRR", "H14", "9", 1))

    def test_a_refused_lay_changes_nothing(self) -> None:
        state = building()
        before = (dict(state.table.laid), state.companies, state.bank)
        refusal(state, lay("PRR", "H10", "57", 0))
        assert (dict(state.table.laid), state.companies, state.bank) == before

    def test_an_upgrade_gives_the_old_tile_back(self) -> None:
        state = with_tile(building(phase="3"), "H10", "57", 1)
        state = engine.apply(state, lay("PRR", "H10", "14", 1))
        assert state.table.free_copy("57") == 0


class TestUpgrades:
    def test_old_track_and_labels_are_kept(self) -> None:
        state = with_tile(building(phase="3"), "H14", "9", 1)
        assert faults(state, "H14", "23", 1) == []
        assert faults(state, "H14", "23", 4) == []
        assert "no-upgrade" in faults(state, "H14", "23", 0)
        assert "no-upgrade" in faults(state, "H14", "26", 0)
        baltimore = building("B&O", phase="3")
        assert "no-upgrade" in faults(baltimore, "I15", "14", 0, "B&O")
        assert [rotation for rotation in range(6) if not faults(baltimore, "I15", "53", rotation, "B&O")]

    @pytest.mark.parametrize("rotation", range(6))
    def test_every_rotation_of_a_two_city_tile_keeps_what_each_city_had(self, rotation: int) -> None:
        """Source: field case F61: it is not enough that all sides are kept."""
        state = building("NYNH", phase="3")
        new = state.facts.edition.tiles.tile("54").rotated(rotation)
        old = state.table.tile_at(HexId("G19"))
        cities = state.game.city_map(old, new)
        keeps = all(old.sides_of(city.id) <= new.sides_of(cities[city.id]) for city in old.cities)
        assert ("no-upgrade" not in faults(state, "G19", "54", rotation, "NYNH")) == keeps

    def test_colours_follow_each_other(self) -> None:
        state = building(phase="5")
        assert "no-upgrade" in faults(state, "H14", "41", 1)
        assert "no-upgrade" in faults(with_tile(state, "H14", "9", 1), "H14", "41", 1)


class TestTrackRules:
    """What the new track must be to the company. Source: COMMON section 7, point 7."""

    def branch(self, rule: str) -> State:
        """H14 carries 9 from the home to H16; tile 20 adds a second line that does not touch the first."""
        return with_tile(building(phase="3", track_rule=rule), "H14", "9", 1)

    def test_permissive_asks_for_a_side_that_is_reached(self) -> None:
        assert faults(self.branch("permissive"), "H14", "20", 1) == []

    def test_restrictive_asks_for_new_track_that_can_be_used(self) -> None:
        assert faults(self.branch("restrictive"), "H14", "20", 1) == ["not-connected"]
        assert faults(self.branch("restrictive"), "H14", "23", 1) == []

    def test_semi_restrictive_takes_a_better_stop_too(self) -> None:
        state = self.branch("semi_restrictive")
        assert faults(state, "H14", "20", 1) == ["not-connected"]
        assert faults(state, "H14", "23", 1) == []
        # A city that pays more is enough, although its new track leads elsewhere.
        home = with_token(with_tile(state, "H10", "57", 1), "PRR", "H10.c0")
        assert faults(home, "H10", "14", 1) == []

    def test_a_record_may_break_reach_and_nothing_else(self) -> None:
        state = building().but(lenient=True)
        far = engine.apply(state, lay("PRR", "D4", "58", 4))
        assert [notice.code for notice in far.notices] == ["not-connected"]
        assert "green tiles are not available" in refusal(state, lay("PRR", "H10", "14", 1))

    def test_a_city_that_is_full_of_others_is_an_end(self) -> None:
        state = with_company(building(), "NYC", {B: 60}, cash=100)
        state = with_tile(with_tile(state, "H10", "57", 1), "H8", "9", 1)
        assert HexId("H6") in state.game.reach(state, "PRR").sides
        state = with_token(state, "NYC", "H10.c0")
        assert HexId("H6") not in state.game.reach(state, "PRR").sides
        assert StopId("H10.c0") in state.game.reach(state, "PRR").stops

    def test_reach_is_kept_where_nothing_changes(self) -> None:
        """What is remembered of reach equals what is walked anew."""
        state = with_company(building(), "NYC", {B: 60}, cash=100)
        state.game.reach(state, "PRR"), state.game.reach(state, "NYC")
        for hex_id, tile, rotation in (("H10", "57", 1), ("E19", "57", 1), ("H8", "9", 1), ("F20", "1", 0)):
            state = with_tile(state, hex_id, tile, rotation)
            for name in ("PRR", "NYC"):
                fresh = dataclasses.replace(state.table, memo=Memo())
                assert state.table.reach(name) == fresh.reach(name)
        state = with_token(state, "NYC", "H10.c0")
        for name in ("PRR", "NYC"):
            assert state.table.reach(name) == dataclasses.replace(state.table, memo=Memo()).reach(name)


class TestTokens:
    def reaching(self, cash: int = 500) -> State:
        state = building(cash=cash)
        state = with_tile(with_tile(state, "H10", "57", 1), "H14", "9", 1)
        return engine.apply(with_tile(state, "H16", "57", 1), Pass(by=company("PRR")))

    def test_a_token_costs_its_printed_price(self) -> None:
        state = self.reaching()
        state = engine.apply(state, place_action(state, company("PRR"), StopId("H10.c0")))
        assert state.companies["PRR"].cash == 460
        assert state.table.stops_of("PRR") == (StopId("H12.c0"), StopId("H10.c0"))

    def test_one_token_a_turn(self) -> None:
        state = self.reaching()
        state = engine.apply(state, place_action(state, company("PRR"), StopId("H10.c0")))
        assert "cannot place_token now" in refusal(state, place_action(state, company("PRR"), StopId("H16.c0")))

    def test_reach_slots_and_money(self) -> None:
        state = self.reaching()
        assert "PRR does not reach" in refusal(state, place_action(state, company("PRR"), StopId("B16.c0")))
        full = with_token(with_company(state, "NYC", {B: 60}), "NYC", "H10.c0")
        assert "no free slot" in refusal(full, place_action(full, company("PRR"), StopId("H10.c0")))
        assert "no city 57-3-0" in refusal(state, PlaceToken(by=company("PRR"), tile="57-3", part=0))
        assert not state.game.may_token(state, "PRR", StopId("H12.c0"))
        poor = money(state, PRR=39)
        assert "cannot place_token" in refusal(poor, place_action(poor, company("PRR"), StopId("H10.c0")))

    def test_a_reserved_slot_is_kept(self) -> None:
        state = self.reaching()
        assert not state.game.may_token(state, "PRR", StopId("E19.c0"))
        assert state.game.may_token(state, "NYC", StopId("E19.c0"))

    def test_a_hex_reservation_blocks_always_or_only_the_last_slots(self) -> None:
        for always, free in ((True, False), (False, True)):
            state = building(reservations_always_block=always)
            assert state.game.may_token(state, "PRR", StopId("E11.c0")) == free
        state = with_token(with_company(building(reservations_always_block=False), "NYC", {B: 60}), "NYC", "E11.c0")
        assert not state.game.may_token(state, "PRR", StopId("E11.c1"))
        assert state.game.may_token(state, "ERIE", StopId("E11.c1"))

    def test_a_home_of_two_cities_is_chosen_once_there_is_track(self) -> None:
        state = building("ERIE")
        assert state.table.stops_of("ERIE") == (StopId("E11.c0"),)
        laid = with_tile(opening().but(phase_name="3"), "E11", "59", 0)
        state = operating_round(with_company(laid, "ERIE", {A: 60}, cash=100))
        choices = {one.part for one in engine.legal_actions(state) if isinstance(one, PlaceToken)}
        assert len(choices) == 2
        state = engine.apply(state, next(one for one in engine.legal_actions(state) if isinstance(one, PlaceToken)))
        assert not state.pending

    def test_the_first_tile_under_a_waiting_token_asks_for_its_city(self) -> None:
        state = engine.apply(building("ERIE", phase="3"), lay("ERIE", "E11", "59", 0))
        (pending,) = state.pending
        assert (pending.kind, pending.company) == ("token", "ERIE")
        assert not state.table.stops_of("ERIE")
        assert "ERIE may place_token" in refusal(state, Pass(by=company("ERIE")))
