"""trackage what-if: text, JSON, and calls that cannot be answered."""

from __future__ import annotations

import re

from tests.cli.calling import ERIE, EXAMPLES, LNWR, trackage

FRR = EXAMPLES / "1833ne-frr.json"
RANDOM = EXAMPLES / "games" / "1830-random.json"


def test_a_position() -> None:
    called = trackage("what-if", FRR, "--jobs", "1")
    assert called.status == 0
    assert "+40      190    80  token in F17 Manchester" in called.out
    assert "every cost is taken to be affordable" in " ".join(called.out.split())


def test_json() -> None:
    objects = trackage("what-if", FRR, "--jobs", "1", "--only", "token", "--json").objects
    assert objects
    for one in objects:
        assert one["kind"] == "token"
        assert one["gain"] == one["revenue"] - one["before"]
        assert one["city"].startswith(one["hex"])
    assert [one["gain"] for one in objects] == sorted((one["gain"] for one in objects), reverse=True)


def test_a_kind_of_which_nothing_is_open() -> None:
    called = trackage("what-if", LNWR, "--only", "token")
    assert called.status == 0
    assert "0 changes open" in called.out


def test_a_game() -> None:
    actions = [one["action"] for one in trackage("audit", RANDOM, "--json").objects]
    called = trackage("what-if", RANDOM, "--at", str(actions[-1]), "--json", "--jobs", "1")
    assert called.status in (0, 2)
    if called.status == 2:
        assert "no company is on turn" in called.err


def test_calls_that_cannot_be_answered() -> None:
    for arguments, said in (
        ((RANDOM,), "needs --at ACTION"),
        ((RANDOM, "--at", "0"), "no company is on turn"),
        ((RANDOM, "--at", "99999"), "there is no action 99999"),
        ((ERIE, "--at", "3"), "this holds positions"),
        ((ERIE, "--for", "B&O"), "tells the trains of ERIE only"),
        ((ERIE, "--only", "Z99"), "nothing open now is 'Z99'"),
    ):
        called = trackage("what-if", *arguments)
        assert called.status == 2
        assert said in called.err


def test_a_moment_of_no_turn_is_answered_with_the_next() -> None:
    game = EXAMPLES / "games" / "1830-random.json"
    called = trackage("what-if", game, "--at", "92")
    assert called.status == 2
    said = re.search(r"no company is on turn after action 92; (\S+) is next, after action (\d+)", called.err)
    assert said is not None
    shown = trackage("what-if", game, "--at", said[2], "--only", "train")
    assert f"1830 · {said[1]} in phase" in shown.out or "nothing open now" in shown.err
    assert "the last one is 532" in trackage("what-if", game, "--at", "9999").err
