"""``trackage best``: what it promises about its answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import ERIE, EXAMPLES, LNWR, trackage

EXAMPLE_FILES = sorted(EXAMPLES.glob("*.json"))


def adds_up(answer: dict[str, Any]) -> bool:
    """Whether parts sum to routes, and routes and joint bonuses to the total."""
    routes = answer["routes"]
    return (
        all(route["revenue"] == sum(part["amount"] for part in route["parts"]) for route in routes)
        and sum(route["revenue"] for route in routes) + sum(item["amount"] for item in answer["bonuses"])
        == answer["revenue"]
    )


@pytest.mark.parametrize("path", EXAMPLE_FILES, ids=lambda path: path.stem)
class TestExamples:
    def test_the_answer_is_proven_and_adds_up(self, path: Path) -> None:
        called = trackage("best", path, "--json", "--top", "5")
        answer = called.object
        assert (called.status, called.err) == (0, "")
        assert answer["proven"]
        assert answer["bound"] == answer["revenue"] > 0
        assert adds_up(answer)
        assert all(adds_up(other) for other in answer["runner_ups"])

    def test_both_methods_agree(self, path: Path) -> None:
        revenues = {
            trackage("best", path, "--json", "--method", method).object["revenue"]
            for method in ("enumerate", "constraint", "auto")
        }
        assert len(revenues) == 1

    def test_the_answer_stands_up_as_a_claim(self, path: Path) -> None:
        answer = trackage("best", path, "--json").object
        value = json.loads(path.read_text())
        value["claimed"] = [
            {key: route[key] for key in ("train", "stops", "connections")} for route in answer["routes"]
        ]
        value["claimed_revenue"] = answer["revenue"]
        scored = trackage("score", "-", "--json", stdin=json.dumps(value))
        assert scored.status == 0
        assert (scored.object["legal"], scored.object["revenue"]) == (True, answer["revenue"])

    def test_the_text_adds_up_too(self, path: Path) -> None:
        out = trackage("best", path).out
        amounts = [int(found[1]) for found in re.finditer(r"^  \S+ +(\d+)  ", out, re.MULTILINE)]
        (total,) = re.findall(r"^  total +(\d+)$", out, re.MULTILINE)
        assert sum(amounts) == int(total)

    def test_each_run_as_text_can_be_pinned(self, path: Path) -> None:
        out = trackage("best", path, "--explain").out
        texts = re.findall(r"as text: (.+(?:\n {14}\S.*)*)", out)
        pins = [argument for text in texts for argument in ("--pin", " ".join(text.split()))]
        answer = trackage("best", path, "--json", *pins).object
        assert answer["price_of_pins"] == 0
        assert len(answer["pinned"]) == len(texts) > 0

    def test_runner_ups_fall_and_differ(self, path: Path) -> None:
        answer = trackage("best", path, "--json", "--top", "6").object
        sets = [answer, *answer["runner_ups"]]
        assert len(sets) == 6
        assert [entry["revenue"] for entry in sets] == sorted((entry["revenue"] for entry in sets), reverse=True)
        texts = {json.dumps(sorted(json.dumps(route) for route in entry["routes"])) for entry in sets}
        assert len(texts) == 6

    def test_the_same_answer_again(self, path: Path) -> None:
        first, second = (trackage("best", path, "--json", "--top", "3").object for _ in range(2))
        del first["seconds"], second["seconds"]
        assert first == second


class TestWishes:
    def test_a_pin_is_kept_and_its_price_told(self) -> None:
        free = trackage("best", ERIE, "--json").object
        answer = trackage("best", ERIE, "--json", "--pin", "4: E11.c1-D14").object
        assert answer["pinned"] == ["4: E11.c1-D14"]
        assert answer["price_of_pins"] == free["revenue"] - answer["revenue"] > 0
        assert ["E11.c1", "D14.c0"] in [route["stops"] for route in answer["routes"]]
        text = trackage("best", ERIE, "--pin", "4: E11.c1-D14").out
        assert "pinned: 4: E11.c1-D14" in text
        assert f"the pins cost {answer['price_of_pins']}: without them the best is {free['revenue']}" in text

    def test_a_pin_whose_track_is_open_takes_the_best_track(self) -> None:
        answer = trackage("best", ERIE, "--json").object
        stops = [f"--pin={route['train']}: {'-'.join(route['stops'])}" for route in answer["routes"]]
        assert trackage("best", ERIE, "--json", *stops).object["price_of_pins"] == 0

    def test_what_is_avoided_is_not_run(self) -> None:
        free = trackage("best", LNWR, "--json").object
        for route in free["routes"]:
            text = f"{route['train']}: {'-'.join(route['stops'])}"
            answer = trackage("best", LNWR, "--json", "--avoid", text).object
            assert answer["proven"]
            assert answer["revenue"] <= free["revenue"]
            assert (route["train"], route["stops"]) not in [(one["train"], one["stops"]) for one in answer["routes"]]
            assert (route["train"], route["stops"][::-1]) not in [
                (one["train"], one["stops"]) for one in answer["routes"]
            ]

    def test_no_route_touches_a_hex_that_is_left_out(self) -> None:
        for hex_id in ("D10", "E13", "G19"):
            answer = trackage("best", ERIE, "--json", "--without", hex_id).object
            assert answer["proven"]
            touched = {name for route in answer["routes"] for leg in route["connections"] for name in leg}
            assert hex_id not in touched

    def test_idle_trains_are_named(self) -> None:
        value = json.loads(ERIE.read_text())
        value["trains"] = ["2"] * 9
        called = trackage("best", "-", stdin=json.dumps(value))
        assert re.search(r"\d of 9 trains run; idle: 2(, 2)*", called.out)

    def test_a_time_limit_gives_a_bound(self) -> None:
        answer = trackage("best", LNWR, "--json", "--time-limit", "0").object
        assert answer["bound"] >= answer["revenue"] >= 0

    def test_many_positions_come_in_order(self) -> None:
        called = trackage("best", LNWR, ERIE, LNWR, "--json")
        assert [answer["operator"] for answer in called.objects] == ["LNWR", "ERIE", "LNWR"]

    def test_one_broken_position_does_not_hide_the_others(self) -> None:
        line = json.dumps(json.loads(ERIE.read_text()))
        called = trackage("best", "-", "--json", stdin=f"{line}\n{{}}\n{line}\n")
        assert called.status == 2
        assert ["faults" in answer for answer in called.objects] == [False, True, False]
        assert all(complaint.startswith("trackage: standard input:2: ") for complaint in called.complaints)

    def test_no_train_no_run(self) -> None:
        value = json.loads(ERIE.read_text()) | {"trains": []}
        called = trackage("best", "-", stdin=json.dumps(value))
        assert called.status == 0
        assert "total  0" in called.out

    def test_the_map_is_drawn(self, tmp_path: Path) -> None:
        svg, png = tmp_path / "runs.svg", tmp_path / "runs.PNG"
        assert trackage("best", ERIE, "--map", svg, "--map", png).status == 0
        assert svg.read_text().startswith("<svg")
        assert png.read_bytes().startswith(b"\x89PNG")
        assert sorted(tmp_path.iterdir()) == [png, svg]

    def test_further_positions_get_numbers(self, tmp_path: Path) -> None:
        assert trackage("best", ERIE, LNWR, "--map", tmp_path / "a.svg").status == 0
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a-2.svg", "a.svg"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--pin", "4: E11.c1"], "at least two stops"),
        (["--pin", "nonsense"], "1830 has no place 'nonsense'"),
        (["--avoid", "nonsense"], "not a route"),
        (["--pin", "9: E11.c1-D14"], "has no train '9'"),
        (["--avoid", "4: E11-D14"], "names 2 stops"),
        (["--pin", "4: E11.c1-D14", "--without", "d14"], "is pinned, and runs through D14, which --without forbids"),
        (["--pin", "4: E11.c1-D14", "--avoid", "4: D14-E11.c1"], "is pinned, and is one that --avoid forbids"),
        (["--pin", "4: E11.c1-E23"], "no track joins"),
        (["--pin", "4: E23-E19"], "token"),
        (["--pin", "4: E11.c1-D14", "--pin", "5: E11.c1-D14"], "used twice"),
        (["--pin", "4: E11.c1-D14", "--pin", "4: E11.c1-D10.c1"], "2 routes are pinned"),
        (["--avoid", "4: E11.c1-E23"], "no track joins"),
        (["--without", "Z9"], "has no hex Z9"),
        (["--without", "north"], "is not a hex"),
        (["--method", "guess"], "guess"),
        (["--top", "0"], "--top"),
        (["--time-limit", "-1"], "--time-limit"),
        (["--map", "runs.gif"], "must end in .svg or .png"),
        (["--map", "/nowhere/runs.svg"], "no folder"),
        (["--bonus-table", "/nowhere"], "cannot be read"),
    ],
)
def test_wrong_calls(arguments: list[str], complaint: str) -> None:
    called = trackage("best", ERIE, *arguments)
    assert called.status == 2
    assert called.out == ""
    assert complaint in called.err
    assert all(line.startswith("trackage: ") for line in called.complaints)


def test_a_pin_is_understood_as_a_claim_is() -> None:
    for text in ("4: E11-D14", "4: buffalo rochester", "4-train: Buffalo - Rochester"):
        assert trackage("best", ERIE, "--pin", text, "--json").object["pinned"] == ["4: E11.c1-D14"]


def test_hexes_may_be_told_in_small_letters() -> None:
    answers = [trackage("best", ERIE, "--without", text, "--json").object["routes"] for text in ("e19", "E19")]
    assert answers[0] == answers[1]
