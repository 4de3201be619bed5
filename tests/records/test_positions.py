"""Position files: everything that is written is read, and every fault is named with its place."""

from __future__ import annotations

import copy
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from board.errors import InputError
from records.positions import (
    PositionRecord,
    Rejected,
    from_json,
    load_positions,
    read_positions,
    to_json,
    write_positions,
)
from records.reading import Limits
from tests.records.small_title import edition, sample


def read(data: bytes, **limits: int) -> list[PositionRecord | Rejected]:
    return list(read_positions(["-"], edition, stdin=io.BytesIO(data), limits=Limits(**limits)))


def faults(data: bytes | dict[str, object], **limits: int) -> list[tuple[str, str]]:
    """Code and place of every fault of the only document in *data*."""
    (entry,) = read(json.dumps(data).encode() if isinstance(data, dict) else data, **limits)
    assert isinstance(entry, Rejected)
    return [
        (fault.code, fault.where.removeprefix("standard input:1").removeprefix(": ")) for fault in entry.error.faults
    ]


def changed(**changes: object) -> dict[str, object]:
    return {**sample(), **changes}


class TestReading:
    def test_a_record_is_read_back_from_what_is_written(self) -> None:
        record = from_json(sample(), edition)
        assert to_json(record) == sample()
        assert from_json(to_json(record), edition) == record

    def test_keys_that_may_be_missing(self) -> None:
        small = {key: sample()[key] for key in ("title", "phase", "operator", "trains", "tiles", "tokens")}
        record = from_json(small, edition)
        assert to_json(record) == {**small, "options": []}
        assert (record.claimed, record.claimed_revenue, record.known_best_revenue) == ((), None, None)

    def test_null_is_an_absent_optional_key(self) -> None:
        assert from_json(changed(players=None, game=None, claimed=None), edition).position.edition.players is None
        assert faults(changed(phase=None)) == [("wrong-type", "phase")]

    def test_claims_keep_what_is_left_open(self) -> None:
        record = from_json(changed(claimed=[{"train": "2", "stops": ["B1.c0", "B5.c0"]}]), edition)
        (claim,) = record.claimed
        assert (claim.connections, claim.revenue, record.notes) == ((), None, ("",))

    def test_claims_may_name_extensions(self) -> None:
        claim = {"train": "2", "stops": ["B1.c0", "B5.c0"], "extensions": [["B5.c0", "B1.c0"]]}
        record = from_json(changed(claimed=[claim]), edition)
        assert record.claimed[0].extensions == (("B5.c0", "B1.c0"),)
        assert to_json(record)["claimed"] == [claim]
        for wrong, place in (([["B5.c0"]], "claimed[0].extensions[0]"), (["B5.c0"], "claimed[0].extensions[0]"),
                             ([["B5.c0", 7]], "claimed[0].extensions[0][1]")):  # fmt: skip
            assert [where for _, where in faults(changed(claimed=[{**claim, "extensions": wrong}]))] == [place]

    def test_json_lines_and_one_object_over_many_lines(self) -> None:
        line = json.dumps(sample())
        assert [entry.source for entry in read(f"{line}\n\n{line}\r\n".encode())] == [
            "standard input:1",
            "standard input:3",
        ]
        for indent in (0, 1, 4):
            (entry,) = read(b"\n" + json.dumps(sample(), indent=indent).encode())
            assert isinstance(entry, PositionRecord)
            assert entry.source == "standard input:2"

    def test_a_byte_order_mark_is_tolerated(self) -> None:
        (entry,) = read(b"\xef\xbb\xbf" + json.dumps(sample()).encode())
        assert isinstance(entry, PositionRecord)

    def test_written_lines_are_read(self, tmp_path: Path) -> None:
        record = from_json(sample(), edition)
        path = tmp_path / "two.jsonl"
        path.write_text("\n".join(write_positions([record, record])), encoding="utf-8")
        again = load_positions([path], edition)
        assert [to_json(one) for one in again] == [sample(), sample()]
        assert again[1].source == f"{path}:2"


class TestFaultsOfTheFile:
    def test_what_cannot_be_opened(self, tmp_path: Path) -> None:
        for path in (tmp_path, tmp_path / "absent", "a\0b"):
            (entry,) = read_positions([path], edition)
            assert isinstance(entry, Rejected)
            assert [fault.code for fault in entry.error.faults] == ["cannot-read"]

    @pytest.mark.parametrize("data", [b"", b"\n \r\n", b"\xef\xbb\xbf"])
    def test_a_file_without_a_position(self, data: bytes) -> None:
        (entry,) = read(data)
        assert isinstance(entry, Rejected)
        assert str(entry.error) == "standard input: holds no position"

    def test_other_encodings(self) -> None:
        (entry,) = read(json.dumps(sample()).encode("utf-16"))
        assert isinstance(entry, Rejected)
        assert "UTF-16" in str(entry.error)
        line = json.dumps(sample()).encode()
        good, bad = read(line + b'\n{"title": "\xe9"}')
        assert isinstance(good, PositionRecord)
        assert isinstance(bad, Rejected)
        assert str(bad.error) == "standard input:2: column 12: byte 0xe9 is not UTF-8 text"

    @pytest.mark.parametrize("data", [b"{", b"nonsense", b'{"title": "small"', b'{"a": 1,}', b"{]", b'"', b"{}}"])
    def test_what_is_not_json(self, data: bytes) -> None:
        ((code, place),) = faults(data)
        assert code == "malformed-json"
        assert place.startswith("column ")

    def test_the_place_in_a_document_of_many_lines(self) -> None:
        assert faults(b'{\n  "title": "small",\n  "phase" 2\n}') == [("malformed-json", "line 3 column 11")]

    def test_a_broken_line_does_not_hide_the_others(self) -> None:
        line = json.dumps(sample())
        kinds = [type(entry) for entry in read(f"{line[:50]}\n{line}\n[]\n{line}".encode())]
        assert kinds == [Rejected, PositionRecord, Rejected, PositionRecord]

    def test_limits(self) -> None:
        line = json.dumps(sample()).encode()
        assert faults(line, file_bytes=100)[0][0] == "too-large"
        assert faults(line, document_bytes=100) == [("too-large", "")]
        assert faults(line, depth=2) == [("too-deep", "")]
        assert [type(entry) for entry in read(line + b"\n" + line, documents=1)] == [PositionRecord, Rejected]
        assert faults(changed(trains=["2"] * 1001)) == [("too-many", "trains")]
        assert faults(changed(game="x" * 501)) == [("text-too-long", "game")]

    @pytest.mark.parametrize(
        "data", [b"[" * 500_000, b'{"a":' * 100_000, b'"' + b'\\"' * 400_000, b"[" * 300_000 + b"]" * 300_000]
    )
    def test_deep_nesting_is_refused_at_once(self, data: bytes) -> None:
        ((code, _),) = faults(data)
        assert code in ("too-deep", "malformed-json")

    def test_an_endless_file_is_refused(self) -> None:
        code = (
            "from records.positions import read_positions\n"
            "from records.reading import Limits\n"
            "[entry] = read_positions(['/dev/zero'], None, limits=Limits(file_bytes=1 << 20))\n"
            "print(entry.error)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout.strip() == "/dev/zero: larger than 1 MiB"


class TestFaultsOfAPosition:
    def test_all_faults_are_listed(self) -> None:
        assert faults(
            changed(
                phase="9", operator="C", trains=["2", 7, "D"], tiles={"B1": ["57", 9], "Q": ["9", 0]}, players="3",
                claimed=[{"train": "2", "stops": ["B1"], "connexions": []}], owner={},
            )
        ) == [
            ("unknown-key", ""),
            ("wrong-type", "players"),
            ("wrong-type", "trains[1]"),
            ("malformed-hex", "tiles.Q"),
            ("unknown-key", "claimed[0]"),
            ("malformed-stop", "claimed[0].stops[0]"),
            ("unknown-phase", "phase"),
            ("unknown-company", "operator"),
            ("unknown-train", "trains[1]"),
            ("bad-rotation", "tiles.B1"),
        ]  # fmt: skip

    def test_missing_keys_do_not_hide_the_rest(self) -> None:
        value = changed(trains=["D"])
        del value["phase"], value["operator"], value["tokens"]
        assert faults(value) == [
            ("missing-key", ""),
            ("missing-key", ""),
            ("missing-key", ""),
            ("unknown-train", "trains[0]"),
        ]

    def test_a_wrong_key_is_answered_with_the_right_one(self) -> None:
        with pytest.raises(InputError, match="'operater'; did you mean 'operator'"):
            from_json(changed(operater="A"), edition)

    def test_keys_written_twice(self) -> None:
        text = json.dumps(sample()).replace('"B3": ["9", 3]', '"B3": ["9", 3], "B3": ["9", 0]')
        assert faults(text.encode()) == [("duplicate-key", "tiles")]

    @pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 5000, "-" + "9" * 30, "1e15"])
    def test_numbers_that_are_none(self, number: str) -> None:
        text = json.dumps(sample()).replace('"action": 12', f'"action": {number}')
        assert faults(text.encode()) == [("bad-number", "action")]

    @pytest.mark.parametrize("key", sorted(sample()))
    @pytest.mark.parametrize(
        "value", [True, 1.5, "x", [], {}, [[]], [{}], {"B1": None}, {"": []}, {"B1": {"c0": 1}}, -1]
    )
    def test_every_type_in_every_place(self, key: str, value: object) -> None:
        (entry,) = read(json.dumps(changed(**{key: value})).encode())
        if isinstance(entry, Rejected):
            assert all(fault.where.startswith("standard input:1") for fault in entry.error.faults)
        else:
            assert from_json(to_json(entry), edition, source=entry.source) == entry

    @pytest.mark.parametrize("text", ["\ud800", "a\x1b[31m", "\u202e"])
    def test_text_that_cannot_be_printed(self, text: str) -> None:
        assert faults(changed(game=text)) == [("unprintable-text", "game")]
        listed = str(read(json.dumps({text: 1}).encode())[0].error)  # type: ignore[union-attr]
        listed.encode("utf-8")
        assert text not in listed

    def test_a_number_where_a_tile_is_named(self) -> None:
        with pytest.raises(InputError, match='must be text, not 57; write "57"'):
            from_json(changed(tiles={"B1": [57, 0]}), edition)

    @pytest.mark.parametrize(
        ("value", "told"), [(None, "null"), (True, "true"), ([None, "a"], '[null, "a"]'), ("x", "'x'")]
    )
    def test_wrong_values_are_told_as_they_are_written(self, value: object, told: str) -> None:
        with pytest.raises(InputError) as caught:
            from_json(changed(tiles=value), edition)
        assert str(caught.value).endswith(f"not {told}")

    def test_a_list_of_positions(self) -> None:
        with pytest.raises(InputError, match="one to a line"):
            from_json([sample()], edition)

    def test_a_recorded_game_is_told_apart(self) -> None:
        assert faults({"title": "1830", "players": [], "settings": {}, "actions": []}) == [("recorded-game", "")]

    def test_many_faults_are_counted(self) -> None:
        value = changed(trains=[1] * 900)
        with pytest.raises(InputError, match="further faults are not listed") as caught:
            from_json(value, edition)
        assert len(caught.value.faults) == 201

    def test_reading_changes_nothing(self) -> None:
        value = sample()
        before = copy.deepcopy(value)
        from_json(value, edition)
        assert value == before
