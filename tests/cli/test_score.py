"""``trackage score``: the verdict on what is claimed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.calling import ERIE, LNWR, Called, trackage

GOOD = {"train": "4", "stops": ["E11.c1", "D14.c0", "E19.c0", "G19.c1"], "revenue": 190}


def score(claimed: list[dict[str, Any]], *arguments: str, **changes: Any) -> Called:
    value = json.loads(ERIE.read_text()) | {"claimed": claimed} | changes
    return trackage("score", "-", *arguments, stdin=json.dumps(value))


def test_a_right_claim() -> None:
    called = score([GOOD], claimed_revenue=190)
    assert (called.status, called.err) == (0, "")
    assert "legal, as claimed" in called.out
    answer = score([GOOD], "--json").object
    assert (answer["legal"], answer["revenue"], answer["claimed_revenue"]) == (True, 190, 190)
    assert answer["routes"][0]["faults"] == answer["faults"] == []


def test_a_wrong_revenue_is_a_complaint() -> None:
    called = score([GOOD | {"revenue": 200}])
    assert called.status == 1
    assert "route 1 (4): claimed 200, right 190 (-10)" in called.out
    assert "total: claimed 200, right 190 (-10)" in called.out


def test_direction_and_open_track_do_not_matter() -> None:
    turned = GOOD | {"stops": GOOD["stops"][::-1], "connections": [["E19", "F18", "G19"], [], []]}  # type: ignore[index]
    assert score([turned]).status == 0


def test_an_illegal_claim_is_scored_as_far_as_it_goes() -> None:
    twice = {"train": "5", "stops": ["E11.c1", "D14.c0"]}
    called = score([GOOD, twice], "--json")
    assert called.status == 1
    answer = called.object
    assert not answer["legal"]
    assert {fault["code"] for fault in answer["faults"]}
    assert [route["revenue"] for route in answer["routes"]] == [190, 70]
    assert "not legal: 1 fault" in score([GOOD, twice]).out


def test_a_hop_over_a_hex_without_track_is_one_fault() -> None:
    hop = {"train": "4", "stops": ["E11.c1", "E19.c0"], "connections": [["E11", "E13", "E15", "E17", "E19"]]}
    answer = score([hop, GOOD | {"train": "5"}], "--json").object
    assert [[fault["code"] for fault in route["faults"]] for route in answer["routes"]] == [["no-track"], []]
    assert "no track on E15" in answer["routes"][0]["faults"][0]["message"]


def test_a_joint_bonus_is_credited_to_the_first_route_of_its_set() -> None:
    value = json.loads(LNWR.read_text())
    best = trackage("best", LNWR, "--json").object
    (joint,) = best["bonuses"]
    value["claimed"] = [
        {key: route[key] for key in ("train", "stops", "connections", "revenue")} for route in best["routes"]
    ]
    value["claimed"][min(joint["routes"])]["revenue"] += joint["amount"]
    answer = trackage("score", "-", "--json", stdin=json.dumps(value))
    assert answer.status == 0
    assert answer.object["bonuses"] == best["bonuses"]


def test_routes_from_the_command_line_replace_those_of_the_file() -> None:
    called = trackage("score", ERIE, "--route", "4: E11.c1-D14-E19-G19.c1", "--json")
    assert (called.status, called.object["revenue"]) == (0, 190)


def test_no_run_at_all_is_a_claim_of_nothing() -> None:
    assert score([], claimed_revenue=0).status == 0
    called = score([], claimed_revenue=10)
    assert (called.status, "total: claimed 10, right 0 (-10)" in called.out) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [([], "claims no routes"), (["--route", "4: E11.c1"], "two stops"), (["--map", "x.txt"], "must end in")],
)
def test_wrong_calls(arguments: list[str], complaint: str) -> None:
    called = trackage("score", ERIE, *arguments)
    assert called.status == 2
    assert complaint in called.err
