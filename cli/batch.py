"""``trackage batch``: many recorded games into one dataset."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from analysis.batch import Outcome, Progress, default_jobs, run_batch
from cli.errors import DONE
from cli.screen import say
from cli.written import write_json

#: Seconds between lines of progress where standard error is no terminal.
_SELDOM = 30.0
_OFTEN = 0.2


def run(
    sources: Sequence[str],
    out: Path,
    *,
    jobs: int | None = None,
    resume: bool = False,
    scheduler: str = "",
    time_limit: float = 60.0,
    as_json: bool = False,
) -> int:
    """Work through the games and write the dataset; returns the exit status."""
    meter = _Meter()
    try:
        outcome = run_batch(
            sources, out, jobs=jobs or default_jobs(), resume=resume, scheduler=scheduler, time_limit=time_limit,
            watch=meter.show,
        )  # fmt: skip
    except KeyboardInterrupt:
        meter.close()
        print(f"trackage: {out}: finished games are kept; go on with --resume", file=sys.stderr)
        raise
    meter.close()
    if as_json:
        write_json({"out": str(out), "games": outcome.games, "kept": outcome.kept, "errors": outcome.errors,
                    "rows": outcome.rows})  # fmt: skip
    else:
        for line in _summary(outcome, out):
            say(line)
    return DONE


def _summary(outcome: Outcome, out: Path) -> Sequence[str]:
    kept = f", {outcome.kept:,} of them from before" if outcome.kept else ""
    bad = outcome.errors
    wrong = f"; {bad:,} with an error: trackage query 'SELECT message FROM errors' {out}" if bad else ""
    rows = outcome.rows
    return (
        f"{outcome.games:,} games{kept}{wrong}",
        f"{out}: {rows['company_turns']:,} train runs, {rows['routes']:,} routes, {sum(rows.values()):,} rows in all",
    )


class _Meter:
    """Progress with rate and time left on standard error: a line that is rewritten on a terminal, else one now and
    then."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._last = self._start
        self._terminal = sys.stderr.isatty()

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last < (_OFTEN if self._terminal else _SELDOM):
            return
        self._last = now
        text = progress_text(progress, now - self._start)
        print(f"\r\033[K{text}" if self._terminal else text, end="" if self._terminal else "\n", file=sys.stderr)
        sys.stderr.flush()

    def close(self) -> None:
        if self._terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def progress_text(progress: Progress, seconds: float) -> str:
    """``[####----] 120 of 1,014 games, 2.1 a second, 7 min left, 3 with errors``."""
    share = progress.done / progress.total if progress.total else 0.0
    bar = "#" * round(20 * share)
    fresh = progress.done - progress.kept
    rate = fresh / seconds if seconds > 0 else 0.0
    left = f", {_duration((progress.total - progress.done) / rate)} left" if rate > 0 else ""
    speed = f", {rate:.1f} a second" if rate >= 1 else f", {rate * 60:.1f} a minute" if rate > 0 else ""
    wrong = f", {progress.errors:,} with errors" if progress.errors else ""
    return f"[{bar:-<20}] {progress.done:,} of {progress.total:,} games{speed}{left}{wrong}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
