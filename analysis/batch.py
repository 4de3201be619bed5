"""Batches: many recorded games, each replayed and audited by workers, written as one Parquet dataset.

The work on a game is one pure function of its text, :func:`worked_out`. Who calls it is exchangeable: this process, a
pool of processes, or a Dask cluster. What comes back is kept as one file a game (``analysis.parts``), so that an
interruption loses only the games that are under way.
"""

from __future__ import annotations

import json
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, Final

from analysis.game_rows import GameRows, rows_of
from analysis.parts import finished, merge, part_file, part_of, read_part, write_whole
from analysis.tables import VERSION
from board.errors import Fault, InputError
from records.sources import GameText, count_of, files_of, texts_in

#: The file that says how a batch was begun.
SETTINGS: Final = "batch.json"
#: Games after which a worker process is replaced, which gives back whatever memory it has gathered.
_LIFE: Final = 250
#: Games that each worker has in hand or waiting.
_AHEAD: Final = 2


@dataclass(frozen=True)
class Progress:
    """How far a batch is: games ``done``, of them ``kept`` from before, ``total`` as far as it is known beforehand,
    and how many came with an error."""

    done: int
    kept: int
    total: int
    errors: int


@dataclass(frozen=True)
class Outcome:
    """What a batch has brought: games looked at, those kept from before, those with an error, and rows by table."""

    games: int
    kept: int
    errors: int
    rows: dict[str, int]


def worked_out(text: GameText, time_limit: float) -> bytes:
    """The part of a game: everything that the batch keeps of it. What a worker does, wherever it is."""
    return part_of(text, rows_of(text, time_limit=time_limit))


def run_batch(
    sources: Sequence[str],
    out: Path,
    *,
    jobs: int = 1,
    resume: bool = False,
    scheduler: str = "",
    time_limit: float = 60.0,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Outcome:
    """Work through all games of *sources* and write the dataset to the folder *out*.

    *jobs* is the number of worker processes (1: this process does the work), *scheduler* the address of a Dask
    scheduler that is used instead. *resume* goes on with a batch that *out* holds. *time_limit* is in seconds for the
    best of each run. Raises :class:`InputError` for sources that are not there, for a folder that cannot be used, and
    for a cluster that cannot be reached.
    """
    files = files_of(sources)
    try:
        with _locked(_prepared(out, resume, time_limit)):
            crew = _Cluster(scheduler, time_limit) if scheduler else _Pool(jobs, time_limit) if jobs > 1 else None
            return _worked(files, out, crew, time_limit, watch)
    except OSError as error:
        raise InputError(Fault("cannot-write", f"cannot be written: {error.strerror or error}", str(out))) from error


def _prepared(out: Path, resume: bool, time_limit: float) -> Path:
    """The folder of the batch, with its settings written. Refuses one that holds something else."""
    settings = {"version": VERSION, "trackage": _program(), "time_limit": time_limit}
    file = out / SETTINGS
    if out.exists() and not out.is_dir():
        raise InputError(Fault("cannot-write", "is no folder", str(out)))
    if not file.is_file():
        if out.is_dir() and any(out.iterdir()):
            raise InputError(
                Fault("not-empty", "the folder holds something else; choose an empty or a new one", str(out))
            )
        write_whole(file, (json.dumps(settings, indent=1) + "\n").encode())
        return out
    if not resume:
        raise InputError(Fault("not-empty", "holds a batch already; --resume goes on with it", str(out)))
    try:
        begun = json.loads(file.read_bytes())
    except ValueError:
        begun = None
    if begun != settings:
        told = ", ".join(f"{key} {value}" for key, value in begun.items()) if isinstance(begun, dict) else "unknown"
        now = ", ".join(f"{key} {value}" for key, value in settings.items())
        raise InputError(Fault("other-settings", f"was begun with {told}; now {now}. Choose another folder", str(out)))
    return out


def _program() -> str:
    try:
        return version("trackage")
    except PackageNotFoundError:
        return ""


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps a second batch out of the folder; the system lifts the lock with the process."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        yield
        return
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(Fault("in-use", "another batch is writing to this folder", str(folder))) from error
        yield


def _worked(
    files: Sequence[Path | str],
    out: Path,
    crew: Crew | None,
    time_limit: float,
    watch: Callable[[Progress], None],
) -> Outcome:
    total = count_of(files)
    names: list[str] = []
    done = kept = errors = 0

    def unfinished() -> Iterator[GameText]:
        nonlocal done, kept, errors
        for text in texts_in(files):
            names.append(text.name)
            head = finished(out, text)
            if head is None:
                yield text
                continue
            done, kept, errors = done + 1, kept + 1, errors + bool(head.errors)
            watch(Progress(done, kept, max(total, len(names)), errors))

    results = _by_itself(unfinished(), time_limit) if crew is None else crew.results(unfinished())
    for text, part in results:
        file = part_file(out, text.name)
        write_whole(file, part)
        found = read_part(file)
        done, errors = done + 1, errors + bool(found and found[0].errors)
        watch(Progress(done, kept, max(total, len(names)), errors))
    return Outcome(done, kept, errors, merge(out, names))


def _by_itself(texts: Iterable[GameText], time_limit: float) -> Iterator[tuple[GameText, bytes]]:
    for text in texts:
        yield text, worked_out(text, time_limit)


class Crew:
    """Workers who are given a few games at a time and hand back parts in the order in which they are ready.

    Games that were under way when a worker died are tried again one by one, so that only the game which kills its
    worker is given up; it comes back as an error.
    """

    def __init__(self, time_limit: float) -> None:
        self._limit = time_limit

    def start(self) -> Executor:
        raise NotImplementedError

    def window(self) -> int:
        """How many games may be with the workers at a time; bounds memory."""
        raise NotImplementedError

    def died(self, error: BaseException) -> bool:
        """Whether this is how the end of a worker shows. Raises what cannot be worked on with."""
        return isinstance(error, BrokenExecutor)

    #: Whether the executor goes on after a worker has died, and has tried the game elsewhere already.
    lasting = False

    def results(self, texts: Iterator[GameText]) -> Iterator[tuple[GameText, bytes]]:
        executor = self.start()
        running: dict[Future[bytes], GameText] = {}
        suspects: deque[GameText] = deque()
        more = True
        try:
            while more or running or suspects:
                while more and not suspects and len(running) < self.window():
                    text = next(texts, None)
                    if text is None:
                        more = False
                    elif text.error is not None:
                        yield text, worked_out(text, self._limit)
                    elif not self._submit(executor, text, running):
                        suspects.append(text)
                if suspects and not running:
                    text = suspects.popleft()
                    executor = self._fresh(executor)
                    alone: dict[Future[bytes], GameText] = {}
                    part = self._outcome(next(iter(alone))) if self._submit(executor, text, alone) else None
                    yield text, part if part is not None else _given_up(text)
                    continue
                if not running:
                    continue
                ready, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in ready:
                    text = running.pop(future)
                    part = self._outcome(future)
                    if part is not None:
                        yield text, part
                    elif self.lasting:
                        yield text, _given_up(text)
                    else:
                        suspects.append(text)
        finally:
            for future in running:
                future.cancel()
            self.stop(executor)

    def _submit(self, executor: Executor, text: GameText, running: dict[Future[bytes], GameText]) -> bool:
        try:
            running[executor.submit(worked_out, text, self._limit)] = text
        except BrokenExecutor:
            return False
        return True

    def _fresh(self, executor: Executor) -> Executor:
        self.stop(executor)
        return self.start()

    def _outcome(self, future: Future[bytes]) -> bytes | None:
        """The part; None where the worker died."""
        error = future.exception()
        if error is None:
            return future.result()
        if self.died(error):
            return None
        raise error

    def stop(self, executor: Executor) -> None:
        executor.shutdown(wait=False, cancel_futures=True)


def _given_up(text: GameText) -> bytes:
    found = GameRows(text.name)
    message = f"{text.name}: the worker died over this game, again and again; it may need more memory than there is"
    found.add("errors", title=None, game=None, stage="program", code="worker-died", message=message)
    return part_of(text, found, retry=True)


class _Pool(Crew):
    """Processes of this machine."""

    def __init__(self, jobs: int, time_limit: float) -> None:
        super().__init__(time_limit)
        self._jobs = jobs

    def window(self) -> int:
        return self._jobs * _AHEAD

    def start(self) -> Executor:
        self._others = frozenset(active_children())
        return ProcessPoolExecutor(
            self._jobs, mp_context=get_context("spawn"), initializer=_begin_work, max_tasks_per_child=_LIFE
        )

    def stop(self, executor: Executor) -> None:
        """End the processes, also those that are in the middle of a game."""
        executor.shutdown(wait=False, cancel_futures=True)
        processes = frozenset(active_children()) - self._others
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(5)


def _begin_work() -> None:
    """A worker leaves Ctrl-C to the process that reads the call, and ends when that one does, however it ended."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _Cluster(Crew):
    """The workers of a Dask scheduler. A game whose worker dies is given to another one by the scheduler."""

    lasting = True

    def __init__(self, address: str, time_limit: float) -> None:
        super().__init__(time_limit)
        try:
            import distributed
        except ImportError as error:
            message = "--scheduler needs Dask; install trackage[dask]"
            raise InputError(Fault("no-dask", message, address)) from error
        try:
            client: Any = distributed.Client
            self._client: Any = client(address, timeout=15)
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split())[:200]
            raise InputError(Fault("no-scheduler", f"no Dask scheduler answers there: {reason}", address)) from error

    def window(self) -> int:
        threads: int = sum(self._client.nthreads().values())
        return max(1, threads) * _AHEAD

    def start(self) -> Executor:
        executor: Executor = self._client.get_executor(pure=False, retries=3)
        return executor

    def died(self, error: BaseException) -> bool:
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return True
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        raise InputError(Fault("cluster-failed", f"the cluster failed: {reason}", "--scheduler")) from error

    def stop(self, executor: Executor) -> None:
        executor.shutdown(wait=False)
        self._client.close()


def default_jobs() -> int:
    """Processors that this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
