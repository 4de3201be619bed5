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
import contextlib, io, resource, sys
from cli.main import main
sys.argv = ["trackage", "best", "--json", *sys.argv[1:]]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def test_memory(benchmark: BenchmarkFixture, tables: dict[str, Table]) -> None:
    if not SHARED.is_dir():
        pytest.skip("../shared is not there")
    files = [str(path) for path in sorted((SHARED / "positions").glob("18*/*.jsonl")) if "1846" not in str(path)]
    finished = benchmark.pedantic(
        subprocess.run,
        args=([sys.executable, "-c", _MEMORY, *files],),
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
