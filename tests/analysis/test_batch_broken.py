"""Two hundred broken files: one clear row for each, and bounded memory."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from analysis.questions import Dataset
from tests.analysis.recorded_games import random_game

ROOT = Path(__file__).parents[2]
#: Kibibytes that the process may take; it takes about half of that.
MEMORY = 800_000


def _zip(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def _cases() -> dict[str, tuple[str, str, bytes]]:
    """By a word for the name of the file: its ending, the code of the error that is expected, and its content."""
    game = random_game("1830", 1)[0].encode()
    value = json.loads(game)

    def changed(**changes: object) -> bytes:
        return json.dumps({**value, **changes}).encode()

    packed = gzip.compress(game)
    archive = _zip({"game.json": game})
    return {
        "empty": (".json", "empty-file", b""),
        "blank": (".json", "empty-file", b" \n\n"),
        "truncated": (".json", "malformed-json", game[: len(game) // 2]),
        "text": (".json", "malformed-json", b"Dear diary, today we played 1830."),
        "binary": (".json", "not-utf-8", bytes(range(128, 256)) * 30),
        "utf16": (".json", "not-utf-8", game.decode().encode("utf-16")),
        "number": (".json", "not-a-game", b"18"),
        "list": (".json", "not-a-game", b"[1, 2, 3]"),
        "no-title": (".json", "no-title", b"{}"),
        "title": (".json", "unknown-title", changed(title="1899 \u2620")),
        "players": (".json", "no-players", changed(players=[])),
        "actions": (".json", "bad-actions", changed(actions="none")),
        "deep": (".json", "too-deep", b"[" * 100_000),
        "huge": (".json", "too-large", b'{"title": "' + b"x" * (9 << 20)),
        "many": (".json", "not-a-game", b"[" + b"0," * 100_000 + b"0]"),
        "not-packed": (".json.gz", "malformed-archive", game),
        "half-packed": (".json.gz", "truncated", packed[: len(packed) // 2]),
        "bomb": (".json.gz", "too-large", gzip.compress(b" " * (40 << 20), 9)),
        "zip-bomb": (".zip", "zip-bomb", _zip({f"{place}.json": b"0" * (10 << 20) for place in range(4)})),
        "no-zip": (".zip", "malformed-archive", b"PK\x03\x04 but no more"),
        "half-zip": (".zip", "malformed-archive", archive[: len(archive) // 2]),
        "empty-zip": (".zip", "empty-archive", _zip({"readme.txt": b"nothing"})),
        "nested": (".zip", "archive-within", _zip({"inner.zip": archive})),
        "spoilt": (".zip", "malformed-archive", archive[:200] + b"\0" * 50 + archive[250:]),
        "lines": (".jsonl", "malformed-json", b"{]\n"),
        "long-line": (".jsonl", "too-large", b"x" * (9 << 20)),
    }  # fmt: skip


#: Names that files may have, before the ending.
NAMES = ("plain", "with space", "quote'\"", "new\nline", "tab\t", "b\udcffd byte", "⛔ жд", "$(rm -rf)", "a;b|c", "-x",
         "*", "[a]", "%s{0}", "..x", "\x1b[31mred")  # fmt: skip


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The folder, and the expected code by the number with which a name begins."""
    folder = tmp_path_factory.mktemp("broken")
    cases = list(_cases().items())
    expected = {}
    for number in range(200):
        word, (ending, code, data) = cases[number % len(cases)]
        name = f"{number:03} {NAMES[number % len(NAMES)]} {word}{ending}"
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name.encode("utf-8", "surrogateescape"))).write_bytes(data)
        expected[f"{number:03}"] = code
    return folder, expected


def test_each_broken_file_becomes_one_row(broken: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    folder, expected = broken
    (folder / "999 good.json").write_text(random_game("1830", 1)[0], encoding="utf-8")
    program = "import sys, resource; from cli.main import run; status = run(sys.argv[1:]); " \
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss); sys.exit(status)"  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", program, "batch", str(folder), "--out", str(tmp_path / "out"), "--jobs", "1"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout.split()[-1]) < MEMORY
    ask = Dataset(tmp_path / "out").all
    rows = ask("SELECT * FROM errors ORDER BY source")
    found = {row["source"].removeprefix(f"{folder}/")[:3]: row for row in rows}
    assert len(rows) == 200
    assert {number: row["code"] for number, row in found.items()} == expected
    for row in rows:
        assert row["message"].isprintable()
        assert row["message"].startswith(str(folder))
        assert len(row["message"]) < 1_000
        assert "fault of this program" not in row["message"]
    assert [row["source"] for row in ask("SELECT source FROM games")] == [f"{folder}/999 good.json"]
