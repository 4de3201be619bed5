"""The edges of the program: exit status, streams, interruption, and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from board.errors import Fault, InputError, LimitExceeded, RuleViolation, SolverError, TrackageError
from cli.errors import STATUS, guarded, status_of
from tests.cli.calling import ERIE, ROOT, trackage

COMMAND = [sys.executable, "-m", "cli"]


def spawn(*arguments: str | Path, **options: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        cwd=ROOT,
        text=True,
        stdin=options.get("stdin", subprocess.DEVNULL),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_every_kind_of_error_has_a_status() -> None:
    assert {kind: status_of(kind(Fault("x", "y"))) for kind in STATUS} == {
        InputError: 2,
        RuleViolation: 2,
        LimitExceeded: 2,
        SolverError: 3,
    }
    assert set(TrackageError.__subclasses__()) == set(STATUS)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["unknown"],
        ["best"],
        ["best", "--unknown", "x"],
        ["show", "x"],
        ["best", "x", "--top", "many"],
        ["best", "x", "--time-limit", "nan"],
    ],
)
def test_wrong_calls_are_told_in_a_line(arguments: list[str]) -> None:
    called = trackage(*arguments)
    assert called.status == 2
    if arguments:
        assert called.out == ""
        assert len(called.complaints) == 1


def test_help_and_version() -> None:
    assert trackage("--help").status == 0
    assert trackage("best", "-h").status == 0
    called = trackage("--version")
    assert (called.status, called.out.startswith("trackage ")) == (0, True)


def test_standard_input_is_read_once() -> None:
    called = trackage("best", "-", "-")
    assert (called.status, "only once" in called.err) == (2, True)


def test_the_last_resort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRACKAGE_TRACEBACK", raising=False)
    with patch("analysis.best_runs.solve", side_effect=ZeroDivisionError("a\nb")):
        called = trackage("best", ERIE)
    assert called.status == 3
    (complaint,) = called.complaints
    assert complaint.startswith("trackage: a fault of this program, ZeroDivisionError: a b; please report it")
    with patch("analysis.best_runs.solve", side_effect=SolverError(Fault("differ", "the checker refused", "ERIE"))):
        called = trackage("best", ERIE, ERIE)
    assert (called.status, len(called.complaints)) == (3, 2)


def test_interruption_in_process() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    assert guarded(interrupted) == 130


def test_python_m_cli() -> None:
    done = subprocess.run([*COMMAND, "titles"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "1830" in done.stdout


def test_ctrl_c_ends_at_once_and_quietly(tmp_path: Path) -> None:
    pipe = tmp_path / "position.json"
    os.mkfifo(pipe)
    process = spawn("best", str(pipe))
    writing = open_when_read(pipe, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    os.close(writing)
    assert process.returncode == 130
    assert err == "trackage: interrupted\n"


def open_when_read(pipe: Path, process: subprocess.Popen[str]) -> int:
    """The pipe opened for writing, once the process has opened it for reading."""
    while process.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads yet
            time.sleep(0.01)
    raise AssertionError(f"the command ended with {process.returncode} before it read the file")


def test_a_reader_that_goes_away() -> None:
    process = spawn("best", *[ERIE] * 40, "--json")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=60) == 141


def test_ctrl_c_while_the_command_loads() -> None:
    code = (
        "import sys\nfrom cli.__main__ import main\n"
        "class Pressed:\n    def find_spec(self, name, *_):\n        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Pressed())\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code, "titles"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "trackage: interrupted\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_finds_no_room() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "titles"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith("trackage: standard output: cannot be written")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("closed", "status", "told"), [(1, 2, "standard output is closed"), (2, 2, "")])
def test_streams_that_the_caller_closed(closed: int, status: int, told: str) -> None:
    shell = f'exec "$0" -m cli best "$1" "no such file" --json {closed}>&-'
    done = subprocess.run(
        ["sh", "-c", shell, sys.executable, str(ERIE)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, told in done.stderr) == (status, True)
    assert all(line.startswith("{") for line in done.stdout.splitlines())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_terminal(encoding: str) -> None:
    done = subprocess.run(
        [*COMMAND, "best", str(ERIE), "no such file \u2192"],
        cwd=ROOT,
        capture_output=True,
        env={"PYTHONIOENCODING": encoding, "PATH": ""},
        check=False,
    )
    assert done.returncode == 2
    assert b"total  380" in done.stdout
    assert b"Traceback" not in done.stderr


def test_small_commands_load_nothing_heavy() -> None:
    code = (
        "import sys\nfrom cli.main import run\nrun(sys.argv[1:])\n"
        "heavy = 'ortools scipy pyarrow networkx numpy resvg_py rich matplotlib duckdb fastapi'.split()\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    score = ["score", str(ERIE), "--route", "4: E11.c1-D14"]
    for arguments, needed in ((["titles"], []), (["titles", "18GB"], []), (["--help"], []), (score, ["numpy"])):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == str(needed), arguments
