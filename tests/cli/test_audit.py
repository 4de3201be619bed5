"""trackage audit: games, positions and claim files; tables for people and for programs; exit status."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.calling import ERIE, EXAMPLES, trackage

RANDOM = EXAMPLES / "games" / "1830-random.json"
FRR = EXAMPLES / "1833ne-frr.json"
FULL = "5,E11-D10-E7-E5-F4,190", "4,E11-D14-E19-G19,190"


def claims(folder: Path, *rows: str, heading: str = "position,company,train,stops,revenue") -> Path:
    file = folder / "claims.csv"
    file.write_text("\n".join((heading, *(f"{ERIE},ERIE,{row}" for row in rows))) + "\n")
    return file


def test_a_game() -> None:
    called = trackage("audit", RANDOM)
    assert called.status == 0
    assert "left on the table" in called.out
    assert "by company" in called.out
    strict = trackage("audit", RANDOM, "--strict", "--json")
    assert strict.status == (1 if any(one["shortfall"] for one in strict.objects) else 0)
    for one in strict.objects:
        assert one["shortfall"] == max(0, one["best"] - one["claimed"])
        assert one["proven"]
        assert one["legal"]


def test_json_csv_and_markdown_tell_the_same() -> None:
    objects = trackage("audit", RANDOM, "--json").objects
    rows = list(csv.DictReader(io.StringIO(trackage("audit", RANDOM, "--csv").out)))
    assert [int(row["shortfall"]) for row in rows] == [one["shortfall"] for one in objects]
    assert [row["company"] for row in rows] == [one["operator"] for one in objects]
    markdown = trackage("audit", RANDOM, "--markdown").out
    total = sum(one["shortfall"] for one in objects)
    assert f"| in all | {len(objects)} |" in markdown
    assert (f"{total} left on the table" if total else "no money was left on the table") in markdown


def test_only_one_form() -> None:
    called = trackage("audit", RANDOM, "--json", "--csv")
    assert called.status == 2
    assert "only one of" in called.err


def test_positions_and_claims_in_one_call(tmp_path: Path) -> None:
    called = trackage("audit", FRR, claims(tmp_path, *FULL), "--json")
    assert called.status == 1  # the claim of the position tells a wrong amount
    frr, erie = called.objects
    assert (frr["claimed"], frr["by_rules"], frr["differs"]) == (150, 140, True)
    assert (erie["claimed"], erie["best"], erie["shortfall"], erie["legal"]) == (380, 380, 0, True)


def test_a_claim_file_without_trains(tmp_path: Path) -> None:
    called = trackage("audit", claims(tmp_path, ",E11-D14-Albany,110", ",E11-Hamilton-E7-E5-F4,190"), "--json")
    assert called.status == 0
    assert (called.object["claimed"], called.object["shortfall"]) == (300, 80)
    assert called.object["notes"] == ["route 1 is understood as run by the 4", "route 2 is understood as run by the 5"]


def test_an_illegal_claim_is_a_complaint(tmp_path: Path) -> None:
    called = trackage("audit", claims(tmp_path, "4,E11-D10-E7-E5-F4,190"), "--json")
    assert called.status == 1
    assert [fault["code"] for fault in called.object["faults"]] == ["too-long"]


def test_a_claim_file_in_json(tmp_path: Path) -> None:
    rows = [
        {"position": str(ERIE), "company": "ERIE", "train": "5", "stops": ["E11", "D10", "E7"], "revenue": 110},
        {"position": str(ERIE), "company": "ERIE", "train": "4", "stops": "E11-D14", "revenue": 70},
    ]
    array, lines = tmp_path / "claims.json", tmp_path / "claims.jsonl"
    array.write_text(json.dumps(rows))
    lines.write_text("\n".join(json.dumps(row) for row in rows))
    for file in (array, lines):
        called = trackage("audit", file, "--json")
        assert (called.status, called.object["claimed"]) == (0, 180)


def test_a_claim_file_from_standard_input(tmp_path: Path) -> None:
    text = claims(tmp_path, *FULL).read_text()
    assert trackage("audit", "-", "--json", stdin=text).object["claimed"] == 380


def test_a_run_of_a_game(tmp_path: Path) -> None:
    """A row names a run of a recorded game by its action, or is asked which one is meant."""
    audited = trackage("audit", RANDOM, "--json").objects
    twice = next(one for one in audited if sum(other["operator"] == one["operator"] for other in audited) > 1)
    file = tmp_path / "claims.csv"
    file.write_text(f"game,action,company,train,stops\n{RANDOM},{twice['action']},{twice['operator']},2,A1-A2\n")
    called = trackage("audit", file)
    assert called.status == 2
    assert "no place 'A1'" in called.err
    file.write_text(f"game,company,train,stops\n{RANDOM},{twice['operator']},2,A1-A2\n")
    asked = trackage("audit", file)
    assert "name the action: action" in asked.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("positon,company,stops\nx,y,z", "no column 'positon'"),
        ("position,company,train\nx,y,z", "no column 'stops'"),
        ("position,company,stops\n,ERIE,E11-D14", "game or position is missing"),
        ("position,company,stops,revenue\nx.json,ERIE,E11-D14,many", "a whole number is meant"),
        (f"position,company,stops\n{ERIE},B&O,E11-D14", "has no run of 'B&O'"),
        ("position,company,stops\nnowhere.json,ERIE,E11-D14", "cannot be read"),
    ],
)
def test_wrong_claim_files(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "claims.csv"
    file.write_text(text)
    called = trackage("audit", file)
    assert called.status == 2
    assert said in called.err
    assert str(file) in called.err
