"""Recorded games read and written: every form that occurs is read, and every fault is told with its place."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board.errors import InputError, TrackageError
from board.hexes import HexId
from records.actions_18xx import read_action, write_action
from records.games_18xx import LIMITS, MOST_ACTIONS, RecordedGame, game_from, game_text, game_to_json, read_game
from rules import actions as act
from rules.actions import VERBS, Action, Actor
from rules.prices import Cell

A, B = {"id": 7, "name": "Ann"}, {"id": 9, "name": "Bob"}


def game(actions: list[dict[str, Any]] = [], **further: Any) -> RecordedGame:  # noqa: B006
    return game_from({"title": "1830", "players": [A, B], "actions": actions, **further}, where="game.json")


def passing(number: int, player: object = 7, **further: Any) -> dict[str, Any]:
    return {"type": "pass", "entity": player, "entity_type": "player", "id": number, **further}


def refusal(*arguments: Any, **further: Any) -> str:
    with pytest.raises(TrackageError) as caught:
        game(*arguments, **further)
    return str(caught.value)


def kept(*actions: dict[str, Any]) -> list[int | None]:
    return [entry.id for entry in game(list(actions)).actions]


class TestPlayers:
    def test_ids_are_numbers_texts_or_missing(self) -> None:
        assert game().players == (("7", "Ann"), ("9", "Bob"))
        hot_seat = game(players=[{"name": "Ann"}, {"name": "Bob"}])
        assert hot_seat.players == (("@Ann", "Ann"), ("@Bob", "Bob"))
        assert game(players=[{"id": "0", "name": "Ann"}, {"id": "x", "name": "Ann"}]).seats == ("0", "@x")
        assert game(players=["Ann", "Bob"]).seats == ("@Ann", "@Bob")

    def test_a_player_called_as_a_company_is_no_company(self) -> None:
        found = game([passing(1, "PRR")], players=[{"id": "PRR", "name": "PRR"}, {"name": "BANK"}])
        assert found.seats == ("@PRR", "@BANK")
        assert found.actions[0].actions[0].by == Actor("player", "@PRR")
        assert found.shown_id("@PRR") == "PRR"

    def test_older_records_act_by_name(self) -> None:
        assert game([passing(1, "Bob")]).actions[0].actions[0].by == Actor("player", "9")

    def test_a_name_of_two_players_is_nobodys(self) -> None:
        found = game([passing(1, "Ann")], players=[A, {"id": 9, "name": "Ann"}])
        assert "there is no player 'Ann'" in str(found.actions[0].faults[0])

    def test_the_result_is_by_id_or_name(self) -> None:
        assert game(result={"7": 10, "Bob": 20.0}).result == {"7": 10, "9": 20}
        assert "nobody has the id 'Eve'" in refusal(result={"Eve": 1})
        assert "not a whole number" in refusal(result={"7": "many"})

    @pytest.mark.parametrize("players", [None, [], {}, [[]], [None], [True], [{"id": {}}], [{}], [A, A], [1] * 40])
    def test_no_players(self, players: object) -> None:
        assert "game.json: players" in refusal(players=players)


class TestUndo:
    """Source: formats/18xx-games-json section 3.1."""

    def test_undo_takes_the_last_kept_action_but_no_message(self) -> None:
        undo = {"type": "undo", "id": 4, "entity": 7, "entity_type": "player"}
        message = {"type": "message", "id": 3, "entity": 7, "entity_type": "player", "message": "hi"}
        assert kept(passing(1), passing(2), message, undo) == [1, 3]

    def test_undo_to_an_action_keeps_it(self) -> None:
        assert kept(passing(1), passing(2), passing(3), {"type": "undo", "id": 4, "action_id": 1}) == [1]
        assert kept(passing(1), passing(2), {"type": "undo", "id": 3, "action_id": 0}) == []

    def test_an_action_that_is_gone_stands_for_the_one_before_it(self) -> None:
        assert kept(passing(1), passing(4), {"type": "undo", "id": 5, "action_id": 3}) == [1]

    def test_redo_puts_the_last_group_back(self) -> None:
        undo, redo = {"type": "undo", "action_id": 1}, {"type": "redo"}
        assert kept(passing(1), passing(2), passing(3), undo, redo) == [1, 2, 3]
        assert kept(passing(1), passing(2), passing(3), {"type": "undo"}, {"type": "undo"}, redo) == [1, 2]
        assert kept(passing(1), passing(2), {"type": "undo"}, {"type": "undo"}, redo, redo) == [1, 2]

    def test_whatever_is_done_makes_redo_impossible(self) -> None:
        assert "redo without an undo before it" in refusal(
            [passing(1), {"type": "undo", "id": 2}, passing(3), {"type": "redo", "id": 4}]
        )
        program = {"type": "program_share_pass", "id": 3, "entity": 7, "entity_type": "player"}
        assert "action 4" in refusal([passing(1), {"type": "undo", "id": 2}, program, {"type": "redo", "id": 4}])

    def test_a_message_between_does_not(self) -> None:
        message = {"type": "message", "entity": 7, "entity_type": "player", "message": "oh"}
        assert kept(passing(1), {"type": "undo"}, message, {"type": "redo"}) == [1, None]

    def test_undone_actions_are_never_looked_at(self) -> None:
        nonsense = {"type": "fly", "entity": {}, "id": 2, "price": 10**9}
        assert kept(passing(1), nonsense, {"type": "undo", "id": 3}) == [1]

    @pytest.mark.parametrize("number", [5, 99, -1, True, "1", [], 1.5])
    def test_undo_to_what_is_not_before_it(self, number: object) -> None:
        assert "action 5: undo: undo to action" in refusal([passing(1), {"type": "undo", "id": 5, "action_id": number}])


class TestActions:
    def test_automatic_actions_follow_their_parent(self) -> None:
        program = {
            "type": "program_buy_shares", "id": 1, "entity": 7, "entity_type": "player",
            "auto_actions": [{"type": "pass", "entity": 9, "entity_type": "player"}],
        }  # fmt: skip
        (entry,) = game([program]).actions
        assert entry.actions == (act.Pass(by=Actor("player", "9")),)

    def test_what_says_nothing_about_the_game_has_no_effect(self) -> None:
        for kind in ("message", "log", "program_disable", "program_of_the_future"):
            (entry,) = game([{"type": kind, "id": 1, "message": "a\u200db\n"}]).actions
            assert (entry.actions, entry.faults) == ((), ())

    @pytest.mark.parametrize(
        ("action", "says"),
        [
            ({"type": "fly"}, "actions of type 'fly' are not known"),
            ({"type": "bid", "price": 5}, "company is missing"),
            ({"type": "bid", "company": "SV", "price": "5"}, "price is missing or no number"),
            ({"type": "bid", "company": "SV", "price": 10**12}, "price is missing or no number"),
            ({"type": "buy_shares", "shares": "PRR_1"}, "shares is missing or no list"),
            ({"type": "buy_shares", "shares": ["PRR_1"], "percent": 0}, "percent is 0"),
            ({"type": "lay_tile", "hex": "E1", "tile": "57", "rotation": 0}, "is no tile"),
            ({"type": "lay_tile", "hex": "?", "tile": "57-0", "rotation": 0}, "'?'"),
            ({"type": "par", "corporation": "PRR", "share_price": "100"}, "is not price,row,column"),
            ({"type": "run_routes", "routes": {}}, "routes are a list"),
            ({"type": "run_routes", "routes": [{}]}, "with a train"),
            ({"type": "run_routes", "routes": [{"train": "2-0", "connections": [1]}]}, "lists of hexes"),
            ({"type": "pass", "entity": 3}, "there is no player 3"),
            ({"type": "pass", "entity_type": "ghost"}, "entity_type is 'ghost'"),
            ({"type": "pass", "entity": []}, "entity is []"),
            ({"type": "pass", "auto_actions": {}}, "auto_actions are a list"),
            ({"type": "pass", "auto_actions": [5]}, "auto_actions[0]"),
        ],
    )
    def test_a_fault_names_the_action_and_keeps_the_rest_usable(self, action: dict[str, Any], says: str) -> None:
        found = game([passing(1), {"id": 2, "entity": 7, "entity_type": "player", **action}])
        assert found.actions[0].faults == ()
        (fault,) = found.actions[1].faults
        assert fault.where == "action 2"
        assert says in fault.message

    def test_numbers_that_are_none_and_keys_written_twice_belong_to_their_action(self) -> None:
        from records.reading import JsonObject, Unusable

        twice = JsonObject(passing(2))
        twice.twice = ("entity",)
        found = game([passing(1, price=Unusable("NaN")), twice])
        assert [entry.faults[0].code for entry in found.actions] == ["bad-number", "duplicate-key"]
        assert "action 1: 7 pass: price" in str(found.actions[0].faults[0])

    def test_ids_rise(self) -> None:
        assert "the id 1 comes after 2" in refusal([passing(2), passing(1)])
        assert "the id true is not a number" in refusal([{"type": "pass", "id": True}])
        assert "an action is an object" in refusal([5])
        assert "names its type" in refusal([{"id": 3}])


class TestTheWhole:
    @pytest.mark.parametrize(
        ("further", "says"),
        [
            ({"title": None}, "title"),
            ({"settings": []}, "settings are an object"),
            ({"settings": {"optional_rules": "x"}}, "settings.optional_rules"),
            ({"settings": {"optional_rules": [1]}}, "settings.optional_rules"),
            ({"actions": {}}, "actions are a list"),
            ({"actions": [{}] * (MOST_ACTIONS + 1)}, "at most"),
            ({"id": []}, "the id of a game"),
            ({"game_end_reason": 5}, "reason of the end"),
            ({"note\x00": "x"}, "cannot be printed"),
        ],
    )
    def test_faults(self, further: dict[str, Any], says: str) -> None:
        assert says in refusal(**further)

    def test_what_is_missing_has_its_usual_value(self) -> None:
        found = game_from({"title": "1830", "players": [A]})
        assert (found.options, found.seed, found.actions, found.id) == ((), 0, (), "")
        assert game(settings=None, result=None, game_end_reason=None, id=None).seed == 0

    def test_the_seed_is_told_or_the_first_digits_of_the_id(self) -> None:
        assert game(settings={"seed": 5}).seed == 5
        assert game(settings={"seed": ""}, id="hs_abc_1600037415").seed == 1600037415
        assert game(id=26855).seed == 26855

    def test_remarks_may_hold_any_text(self) -> None:
        assert game(description="a\u202eb" + "x" * 30_000, user_settings={"note": "\x07"}).title == "1830"

    def test_a_file_holds_one_game(self, tmp_path: Path) -> None:
        path = tmp_path / "games.json"
        for text, says in (
            ("", "holds no recorded game"),
            ('{"title":"1830"}\n{"title":"1830"}', "more than 1 recorded game"),
            ('{"title":"1830"}\n{', "more than 1 recorded game"),
            ("nonsense", "is not JSON"),
            ('{"title": "1830", "actions": [', "ends in the middle of JSON"),
            ('{"title": "18', "ends in the middle of JSON"),
            ('{"title": }', "is not JSON"),
        ):
            path.write_text(text, encoding="utf-8")
            with pytest.raises(TrackageError) as caught:
                read_game(path)
            assert says in str(caught.value)
            assert str(path) in str(caught.value)

    def test_limits_are_told(self) -> None:
        assert LIMITS.entries == MOST_ACTIONS


NAMES = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=8)
COUNTS = st.integers(0, 10**6)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "hex": st.sampled_from(["A1", "E11", "a25", "K30"]).map(HexId), "tile": NAMES, "copy": st.integers(0, 99),
    "rotation": st.integers(0, 5), "part": st.integers(0, 9), "slot": st.none() | st.integers(0, 9),
    "cell": st.builds(Cell, st.integers(0, 12), st.integers(0, 20)), "shares": st.lists(NAMES, max_size=4).map(tuple),
    "percent": st.integers(0, 100), "token_of": st.none() | NAMES, "face": st.none() | NAMES, "kind": NAMES,
    "exchange": st.none() | NAMES, "shell": st.none() | NAMES, "corporations": st.lists(NAMES, max_size=3).map(tuple),
    "routes": st.lists(
        st.builds(
            act.RecordedRoute,
            train=NAMES,
            connections=st.lists(st.lists(NAMES, min_size=1, max_size=3).map(tuple), max_size=3).map(tuple),
            nodes=st.lists(NAMES, max_size=3).map(tuple),
            hexes=st.lists(NAMES, max_size=3).map(tuple),
            revenue=st.none() | COUNTS,
            note=NAMES,
        ),
        max_size=3,
    ).map(tuple),
    "private": NAMES, "corporation": NAMES, "train": NAMES, "choice": NAMES, "what": NAMES, "target": NAMES,
    "target_kind": NAMES, "cost": COUNTS, "extra_revenue": COUNTS, "subsidy": COUNTS,
}  # fmt: skip
ACTORS = st.builds(Actor, st.sampled_from(["player", "corporation", "private", "minor", "system"]), NAMES)


def values_of(kind: type[Action], name: str) -> st.SearchStrategy[Any]:
    if name == "price":
        return st.none() if kind is act.Par else COUNTS if kind not in (act.BuyShares, act.SellShares) else (
            st.none() | st.integers(1, 999)
        )  # fmt: skip
    return FIELDS[name]


class TestWriting:
    """Whatever can be done is written and read back as it was."""

    @pytest.mark.parametrize("kind", sorted(VERBS, key=lambda one: one.__name__))
    def test_every_kind_of_action_with_every_field(self, kind: type[Action]) -> None:
        names = [field.name for field in dataclasses.fields(kind) if field.name not in ("by", "id")]

        @given(st.fixed_dictionaries({name: values_of(kind, name) for name in names}), ACTORS)
        def check(values: dict[str, Any], by: Actor) -> None:
            action = kind(by=by, **values)
            written = json.loads(json.dumps(write_action(action, lambda cell: 100, lambda actor: actor.name)))
            assert read_action(written, by, None) == action

        check()

    def test_a_game_is_written_as_it_was_read(self) -> None:
        first = game(
            [passing(1), passing(2), {"type": "undo", "id": 3}, passing(4, 9, auto_actions=[passing(5)])],
            settings={"seed": 3, "optional_rules": ["x"]}, result={"7": 1}, game_end_reason="bank", status="finished",
        )  # fmt: skip
        text = game_text(first, lambda cell: 0)
        again = game_from(json.loads(text))
        assert [entry.actions for entry in again.actions] == [entry.actions for entry in first.actions]
        assert dataclasses.replace(again, actions=()) == dataclasses.replace(first, actions=())
        assert game_text(again, lambda cell: 0) == text

    def test_ids_of_players_are_written_as_they_were_read(self) -> None:
        players = [{"id": 3, "name": "Ann"}, {"id": "PRR", "name": "Bob"}]
        found = game([passing(1, "PRR")], players=players)
        value = game_to_json(found, lambda cell: 0)
        assert value["players"] == players
        assert value["actions"] == [passing(1, "PRR")]

    def test_a_game_with_an_unreadable_action_is_not_written(self) -> None:
        with pytest.raises(InputError, match="action 1"):
            game_to_json(game([{"type": "fly", "id": 1}]), lambda cell: 0)
