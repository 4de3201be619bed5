"""``replay``, ``round`` and ``simulate``: what is printed, and the exit status."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import ERIE, EXAMPLES, trackage

GAME = EXAMPLES / "games" / "1830-random.json"


@cache
def text() -> str:
    return GAME.read_text(encoding="utf-8")


def game() -> dict[str, Any]:
    value: dict[str, Any] = json.loads(text())
    return value


def actions(kind: str) -> list[dict[str, Any]]:
    return [one for one in game()["actions"] if one["type"] == kind]


def replayed(value: dict[str, Any], *options: str) -> Any:
    return trackage("replay", "-", *options, stdin=json.dumps(value))


class TestReplay:
    def test_a_game_agrees(self) -> None:
        called = trackage("replay", GAME, "--json")
        assert (called.status, called.err) == (0, "")
        assert called.object["differences"] == []
        assert called.object["recorded"]["result"] == {
            player: one["value"] for player, one in called.object["players"].items()
        }
        assert called.object["over"] == "bankrupt"
        assert called.object["actions"] == len(game()["actions"])

    def test_a_ledger_has_a_line_for_each_action(self) -> None:
        called = trackage("replay", GAME, "--ledger", "--json")
        assert [line["action"] for line in called.objects] == [one["id"] for one in game()["actions"]]
        assert set(called.objects[0]) >= {
            "action", "type", "entity", "round", "phase", "players", "companies",
        }  # fmt: skip
        for line in called.objects:
            assert all(set(one) == {"cash", "value"} for one in line["players"].values())
            assert all(
                set(one) == {"cash", "price", "president", "trains", "treasury", "pool"}
                for one in line["companies"].values()
            )
            money = line["bank"] + sum(one["cash"] for one in (*line["players"].values(), *line["companies"].values()))
            assert money == 12_000

    def test_every_move_of_a_price_stands_in_the_ledger_with_its_cause(self) -> None:
        prices: dict[str, int] = {}
        causes = set()
        for line in trackage("replay", GAME, "--ledger", "--json").objects:
            moved = dict(prices)
            for event in line["events"]:
                if event["kind"] == "price":
                    assert event["text"]
                    assert moved.get(event["who"], 0) == event["before"]
                    moved[event["who"]] = event["after"]
                    causes.add(event["text"].split(":")[0].split(" sold ")[-1])
            prices = {name: one["price"] for name, one in line["companies"].items()}
            assert {name: moved[name] for name in prices} == prices, line["action"]
        assert {"started", "payout", "no revenue"} <= causes

    def test_steps_of_an_emergency_are_numbered(self) -> None:
        lines = trackage("replay", GAME, "--ledger", "--json").objects
        steps = [event["step"] for event in lines[-1]["events"] if "step" in event]
        assert steps == list(range(steps[0], steps[0] + len(steps)))
        assert any("is bankrupt" in event["text"] for event in lines[-1]["events"])

    def test_the_ledger_for_people(self) -> None:
        called = trackage("replay", GAME, "--ledger")
        assert called.status == 0
        assert "phase 2" in called.out
        assert "no revenue" in called.out

    def test_up_to_an_action(self) -> None:
        called = trackage("replay", GAME, "--to", "100", "--ledger", "--json")
        assert called.objects[-1]["action"] == 100
        assert trackage("replay", GAME, "--to", "0", "--json").object["actions"] == 0
        refused = trackage("replay", GAME, "--to", "100000")
        assert refused.status == 2
        assert "--to: there is no action 100000, or it was undone; the last one is" in refused.err

    def test_positions_are_read_by_best_and_score(self) -> None:
        runs = [one for one in actions("run_routes") if one["routes"]]
        called = trackage("replay", GAME, "--position")
        assert [line["action"] for line in called.objects] == [one["id"] for one in actions("run_routes")]
        one = runs[-1]
        position = trackage("replay", GAME, "--position", "--to", str(one["id"]))
        assert position.object["claimed_revenue"] == sum(route["revenue"] for route in one["routes"])
        assert trackage("score", "-", stdin=position.out).status == 0
        assert (
            trackage("best", "-", "--json", stdin=position.out).object["revenue"]
            >= (position.object["claimed_revenue"])
        )

    def test_the_position_of_whoever_is_on_turn(self) -> None:
        first = actions("lay_tile")[0]
        called = trackage("replay", GAME, "--position", "--to", str(first["id"]))
        assert called.object["operator"] == first["entity"]
        assert called.object["tiles"]
        assert "claimed" not in called.object
        refused = trackage("replay", GAME, "--position", "--to", "1")
        assert refused.status == 2
        assert "no company is on turn there" in refused.err

    def test_a_revenue_that_is_not_what_the_rules_give_is_paid_and_reported(self) -> None:
        value = game()
        place = next(
            place for place, one in enumerate(value["actions"]) if one["type"] == "run_routes" and one["routes"]
        )
        value["actions"] = value["actions"][: place + 1]
        del value["result"], value["game_end_reason"]
        value["actions"][place]["routes"][0]["revenue"] += 10
        called = replayed(value, "--json")
        assert called.status == 1
        (difference,) = called.object["differences"]
        assert difference["kind"] == "revenue"
        assert difference["action"] == value["actions"][place]["id"]
        assert "the rules give" in difference["message"]

    def test_runs_without_revenue_are_worked_out(self) -> None:
        value = game()
        for one in value["actions"]:
            for route in one.get("routes", ()):
                for key in ("revenue", "revenue_str", "nodes", "hexes"):
                    del route[key]
        assert replayed(value, "--json").object["players"] == trackage("replay", GAME, "--json").object["players"]

    def test_other_scores_and_another_end_are_differences(self) -> None:
        value = game()
        value["result"]["1"] += 1
        value["game_end_reason"] = "bank"
        called = replayed(value, "--json")
        assert called.status == 1
        assert [one["kind"] for one in called.object["differences"]] == ["score", "end"]

    @pytest.mark.parametrize(
        ("kind", "changes", "says"),
        [
            ("bid", {"company": "XYZ"}, "XYZ is not for sale"),
            ("buy_shares", {"shares": ["PRR_99"]}, "there is no certificate PRR_99"),
            ("lay_tile", {"rotation": 5, "tile": "57-0"}, "legal here: lays"),
            ("buy_train", {"price": 3}, "legal here: buys"),
            ("dividend", {"kind": "half"}, "may payout or withhold; legal here: dividend: payout"),
            ("par", {"share_price": "70,0,6"}, "that cell says 100"),
            ("run_routes", {"entity": "XYZ"}, "there is no corporation XYZ"),
            ("pass", {"entity": 3}, "cannot pass now"),
        ],
    )
    def test_what_is_against_the_rules(self, kind: str, changes: dict[str, Any], says: str) -> None:
        value = game()
        number = next(place for place, one in enumerate(value["actions"]) if one["type"] == kind and place > 0)
        value["actions"][number] |= changes
        called = replayed(value)
        assert called.status == 2
        place = f"standard input: action {value['actions'][number]['id']}: "
        assert all(place in line for line in called.complaints)
        assert says in called.err
        last = value["actions"][number - 1]["id"]
        assert called.complaints[-1].endswith(f"--to {last}")
        assert called.err.count("--to") == 1
        assert replayed(value, "--to", str(last)).status == 0

    def test_what_cannot_be_read_leaves_the_rest_usable(self) -> None:
        value = game()
        value["actions"][50] = {"type": "fly", "id": 51, "entity": 1, "entity_type": "player"}
        called = replayed(value)
        assert called.status == 2
        assert called.complaints == [
            "trackage: standard input: action 51: 1 fly: actions of type 'fly' are not known; the game can be used up "
            "to the action before: --to 50"
        ]
        assert replayed(value, "--to", "50").status == 0
        assert replayed(value, "--json").object["faults"]

    @pytest.mark.parametrize("command", ["replay", "round"])
    def test_a_position_is_told_apart(self, command: str, tmp_path: Path) -> None:
        lines = tmp_path / "two.jsonl"
        lines.write_text(2 * (json.dumps(json.loads(ERIE.read_text())) + "\n"))
        for file in (ERIE, lines):
            called = trackage(command, file)
            assert called.status == 2
            assert called.err.endswith(
                "is a position, no recorded game; best, score, what-if, audit and show take positions\n"
            )

    def test_a_record_that_stops_before_the_end_it_tells(self) -> None:
        value = game()
        value["actions"] = value["actions"][:300]
        called = trackage("replay", "-", stdin=json.dumps(value))
        assert called.status == 1
        said = " ".join(called.out.split())
        assert "the record is not complete: it tells of an end by bankrupt, and after action 300" in said
        assert "Player 3 842) is not compared" in said
        assert "recorded 842" not in said
        answer = trackage("replay", "-", "--json", stdin=json.dumps(value)).object
        assert [one["kind"] for one in answer["differences"]] == ["incomplete"]
        del value["result"], value["game_end_reason"]
        value["status"] = "active"
        assert trackage("replay", "-", stdin=json.dumps(value)).status == 0

    def test_undone_nonsense_is_never_executed(self) -> None:
        value = game()
        value["actions"] = [
            *value["actions"][:20],
            {"type": "fly", "entity": 9},
            {"type": "lay_tile", "entity": "XYZ", "entity_type": "corporation", "hex": "?"},
            {"type": "message", "entity": 1, "entity_type": "player", "message": "no!"},
            {"type": "undo", "entity": 1, "entity_type": "player"},
            {"type": "undo", "entity": 1, "entity_type": "player"},
            *value["actions"][20:],
        ]
        called = replayed(value, "--json")
        assert (called.status, called.object["differences"]) == (0, [])

    def test_hot_seat_records_of_players_called_as_companies(self) -> None:
        names = {1: "PRR", 2: "NYC", 3: "BANK"}
        value = game()
        value["players"] = [{"name": name} for name in names.values()]
        value["result"] = {names[int(player)]: score for player, score in value["result"].items()}
        value["id"] = "hs_abcdefgh_1600037415"
        for one in value["actions"]:
            if one["entity_type"] == "player":
                one["entity"] = names[one["entity"]]
        called = replayed(value, "--json")
        assert (called.status, called.object["differences"]) == (0, [])
        assert set(called.object["players"]) == set(names.values())


class TestRound:
    def test_the_last_round(self) -> None:
        called = trackage("round", GAME, "--json")
        assert called.status == 0
        companies = [one["company"] for one in called.objects]
        assert len(companies) == len(set(companies)) >= 2
        for one in called.objects:
            assert one["best"]["proven"]
            assert {option["kind"] for option in one["options"]} <= {"payout", "withhold"}

    def test_a_turn_beside_what_was_done(self) -> None:
        number = max(actions("dividend"), key=lambda one: one["id"])["id"]
        turns = trackage("round", GAME, "--at", str(number), "--json").objects
        done = {one["company"]: one for one in turns}
        company = next(one["entity"] for one in actions("dividend") if one["id"] == number)
        turn = done[company]
        lines = {line["action"]: line for line in trackage("replay", GAME, "--ledger", "--json").objects}
        after = lines[number]["companies"][company]
        assert turn["done"]["price_after"] == after["price"]
        assert turn["shortfall"] == turn["best"]["revenue"] - turn["done"]["revenue"] >= 0
        paid = turn["done"]["receives"]
        before = lines[number - 1]
        for player, one in lines[number]["players"].items():
            if len(turns) == 1 or turns[-1]["company"] != company:
                assert one["cash"] - before["players"][player]["cash"] == paid.get(player, 0)

    def test_an_unfinished_round(self) -> None:
        value = game()
        place = next(place for place, one in enumerate(value["actions"]) if one["type"] == "lay_tile")
        value["actions"] = value["actions"][: place + 1]
        del value["result"], value["game_end_reason"]
        turns = trackage("round", "-", "--json", stdin=json.dumps(value)).objects
        assert turns[-1]["done"] is None
        assert turns[-1]["shortfall"] is None
        text = trackage("round", "-", stdin=json.dumps(value)).out
        assert "not yet done" in text

    def test_for_people(self) -> None:
        called = trackage("round", GAME)
        assert called.status == 0
        assert "best, withhold" in called.out or "best, payout" in called.out
        assert "done, " in called.out

    @pytest.mark.parametrize("at", ["1", "999999", "-5"])
    def test_no_such_round(self, at: str) -> None:
        called = trackage("round", GAME, "--at", at)
        assert called.status == 2
        assert "is in no operating round; operating rounds are actions" in called.err


class TestSimulate:
    def test_the_same_call_gives_the_same_game(self, tmp_path: Path) -> None:
        call = ("simulate", "1830", "--players", "3", "--seed", "5", "--length", "80")
        first = trackage(*call)
        assert first.status == 0
        assert first.out == trackage(*call).out
        assert json.loads(first.out) == trackage(*call, "--json").object
        path = tmp_path / "game.json"
        assert trackage(*call, "--out", path).status == 0
        assert path.read_text(encoding="utf-8") == first.out
        assert trackage("replay", path).status == 0
        other = trackage("simulate", "1830", "--players", "3", "--seed", "6", "--length", "80")
        assert other.out != first.out

    def test_options_are_kept(self) -> None:
        value = trackage("simulate", "1830", "--option", "optional_6_train", "--length", "5", "--json").object
        assert value["settings"]["optional_rules"] == ["optional_6_train"]
        assert value["game_end_reason"] == "manually_ended"
        assert len(value["actions"]) == 6

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["1822"], "there is no title"),
            (["1830", "--players", "9"], "played by 2 to 6"),
            (["1830", "--option", "x"], "no option 'x'"),
            (["1830", "--length", "0"], "--length"),
            (["1830", "--seed", "-1"], "--seed"),
        ],
    )
    def test_what_cannot_be_played(self, arguments: list[str], says: str) -> None:
        called = trackage("simulate", *arguments)
        assert called.status == 2
        assert says in called.err
        assert called.out == ""


def test_samples_are_not_changed() -> None:
    before = copy.deepcopy(game())
    replayed(game())
    assert game() == before
