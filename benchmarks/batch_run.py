"""A large batch as an analyst runs it: time and memory, kill -9 at random moments, and a cluster that loses a worker.

    python -m benchmarks.batch_run WORK [SOURCES] [--simulated 1000] [--jobs 2] [--kills 3] [--dask 0]

Writes so many games of ``trackage simulate``, of all titles and options, to the folder WORK/games (those that are there
already are kept), and works through them and SOURCES (default: ../shared/games). Each run's dataset must be the same
bytes as that of the uninterrupted one; the exit status is 1 where it is not. Prints a line of JSON for each run:
seconds, seconds of processor time, and the most memory that the program and its workers took together.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from analysis.batch import Progress, run_batch
from analysis.tables import NOT_REPEATABLE
from benchmarks.measure import ROOT, SHARED
from cli.simulate import run as simulate
from tests.simulation.driver import Case, cases

#: Seconds between two looks at memory.
_EVERY = 0.25


def write_games(folder: Path, number: int, jobs: int) -> None:
    """Random games of all titles, numbers of players and options in turn."""
    folder.mkdir(parents=True, exist_ok=True)
    files = ((case, folder / f"{place:04}-{case.title}.json") for place, case in enumerate(cases(number), start=1))
    missing = [(case, file) for case, file in files if not file.is_file()]
    if missing:
        with ProcessPoolExecutor(jobs) as pool:
            list(pool.map(_write, *zip(*missing, strict=True)))


def _write(case: Case, file: Path) -> None:
    with contextlib.redirect_stderr(io.StringIO()):
        simulate(case.title, players=case.players, seed=case.seed, options=case.options, length=2_500, out=file)


def digests(dataset: Path) -> dict[str, str]:
    """SHA-256 of every file of a dataset that can be repeated."""
    return {
        str(file.relative_to(dataset)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(dataset.rglob("*.parquet"))
        if file.relative_to(dataset).parts[0] not in NOT_REPEATABLE
    }


class Memory:
    """The most memory that a process and everything it started took together, in MiB; what they share counts once."""

    def __init__(self, pid: int) -> None:
        self.most = 0
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(_EVERY):
            self.most = max(self.most, sum(_kibibytes(pid) for pid in _family(self._pid)) >> 10)


def _family(pid: int) -> Iterator[int]:
    yield pid
    with contextlib.suppress(OSError):
        for file in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in file.read_text().split():
                yield from _family(int(child))


def _kibibytes(pid: int) -> int:
    """The proportional set size of a process; 0 where it has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def started(sources: Sequence[str], out: Path, jobs: int, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "cli", "batch", *sources, "--out", str(out), "--jobs", str(jobs), "--json", *more]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def uninterrupted(sources: Sequence[str], out: Path, jobs: int, *more: str) -> dict[str, Any]:
    """A run to its end: what it said of itself, with seconds, processor seconds and memory."""
    used, begin = _processor_seconds(), time.monotonic()
    process = started(sources, out, jobs, *more)
    with Memory(process.pid) as memory:
        said, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"the batch ended with status {process.returncode}")
    told = json.loads(said)
    return {
        "games": told["games"], "kept": told["kept"], "errors": told["errors"], "runs": told["rows"]["company_turns"],
        "seconds": round(time.monotonic() - begin, 1), "processor_seconds": round(_processor_seconds() - used, 1),
        "memory_mib": memory.most,
    }  # fmt: skip


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def killed(sources: Sequence[str], out: Path, jobs: int, after: float) -> dict[str, Any]:
    """A run that is killed after so many seconds; how many games it left finished."""
    process = started(sources, out, jobs, "--resume")
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(after)
    ended = process.poll() is not None
    process.kill()
    process.communicate()
    return {"killed_after": round(after, 1), "had_ended": ended, "finished": len(list(out.rglob("*.part")))}


def on_a_cluster(sources: Sequence[str], out: Path, workers: int, games: int) -> dict[str, Any]:
    """A run on a local Dask cluster of several processes, one of which is killed at half-time."""
    from distributed import LocalCluster

    gone: list[int] = []
    begin = time.monotonic()
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]

        def kill(progress: Progress) -> None:
            if progress.done >= games // 2 and not gone:
                gone.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        outcome = run_batch(sources, out, scheduler=cluster.scheduler_address, watch=kill)
    return {
        "games": outcome.games, "errors": outcome.errors, "workers": workers, "killed": len(gone),
        "seconds": round(time.monotonic() - begin, 1),
    }  # fmt: skip


def main() -> int:
    """Read the call and run; 1 where a dataset is not as that of the uninterrupted run."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("work", type=Path)
    reader.add_argument("sources", nargs="*", default=[str(SHARED / "games")] if SHARED.is_dir() else [])
    reader.add_argument("--simulated", type=int, default=1000, metavar="N")
    reader.add_argument("--jobs", type=int, default=2, metavar="N")
    reader.add_argument("--kills", type=int, default=3, metavar="N")
    reader.add_argument("--dask", type=int, default=0, metavar="N", help="worker processes of a Dask cluster; 0: none")
    reader.add_argument("--seed", type=int, default=None, help="what decides when the program is killed")
    call = reader.parse_args()
    chance = random.Random(call.seed)
    write_games(call.work / "games", call.simulated, call.jobs)
    sources = [*call.sources, *([str(call.work / "games")] if call.simulated else [])]
    for name in ("whole", "killed", "cluster"):
        shutil.rmtree(call.work / name, ignore_errors=True)

    same = True
    whole = uninterrupted(sources, call.work / "whole", call.jobs)
    wanted = digests(call.work / "whole")
    _say("uninterrupted", **whole)
    if call.kills:
        for _ in range(call.kills):
            after = whole["seconds"] * chance.uniform(0.05, 0.95) / max(1, call.kills - 0.5)
            _say("killed", **killed(sources, call.work / "killed", call.jobs, after))
        rest = uninterrupted(sources, call.work / "killed", call.jobs, "--resume")
        equal = digests(call.work / "killed") == wanted
        _say("resumed", **rest, equal=equal)
        same &= equal
    if call.dask:
        figures = on_a_cluster(sources, call.work / "cluster", call.dask, whole["games"])
        equal = digests(call.work / "cluster") == wanted
        _say("cluster", **figures, equal=equal)
        same &= equal
    return 0 if same else 1


def _say(run: str, **figures: object) -> None:
    print(json.dumps({"run": run, **figures}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
