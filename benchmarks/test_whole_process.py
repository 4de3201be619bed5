"""The program as a whole: cold start, and memory of a long run."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.measure import EXAMPLES, ROOT, SHARED, Table, milliseconds


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )


def test_cold_start(benchmark: BenchmarkFixture, tables: dict[str, Table], reference: float) -> None:
    finished = benchmark.pedantic(
        _run, args=("best", str(EXAMPLES / "18gb-lnwr.json"), "--json"), rounds=5, iterations=1, warmup_rounds=1
    )
    assert json.loads(finished.stdout)["revenue"] == 500
    table = tables.setdefault("process", Table("Whole processes", ("command", "figure")))
    if benchmark.stats:
        table.rows.append(("best on one position, cold", milliseconds(benchmark.stats.stats.median)))


_MEMORY = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-m", "cli", *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


def test_memory(benchmark: BenchmarkFixture, tables: dict[str, Table]) -> None:
    if not SHARED.is_dir():
        pytest.skip("../shared is not there")
    files = [str(path) for path in sorted((SHARED / "positions").glob("18*/*.jsonl")) if "1846" not in str(path)]
    finished = benchmark.pedantic(
        subprocess.run,
        args=([sys.executable, "-c", _MEMORY, "best", "--json", *files],),
        kwargs={"cwd": ROOT, "capture_output": True, "text": True, "check": True},
        rounds=1,
        iterations=1,
    )
    megabytes = int(finished.stdout.split()[-1])
    assert megabytes > 0
    table = tables.setdefault("process", Table("Whole processes", ("command", "figure")))
    table.rows.append((f"best on {len(files)} files, peak memory", f"{megabytes} MB"))
    if benchmark.stats:
        table.rows.append((f"best on {len(files)} files", f"{benchmark.stats.stats.min:.1f} s"))


def test_memory_of_a_replay(benchmark: BenchmarkFixture, tables: dict[str, Table]) -> None:
    game = SHARED / "games" / "1894" / "green_city_upgrades.json"
    if not game.is_file():
        pytest.skip("../shared is not there")
    finished = benchmark.pedantic(
        subprocess.run,
        args=([sys.executable, "-c", _MEMORY, "replay", "--ledger", "--json", str(game)],),
        kwargs={"cwd": ROOT, "capture_output": True, "text": True, "check": True},
        rounds=1,
        iterations=1,
    )
    megabytes = int(finished.stdout.split()[-1])
    assert megabytes > 0
    table = tables.setdefault("process", Table("Whole processes", ("command", "figure")))
    table.rows.append(("replay of a game of 918 actions, peak memory", f"{megabytes} MB"))
