"""A real local Dask cluster of several worker processes gives the same dataset, also when a worker is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from analysis.batch import Progress, run_batch
from board.errors import InputError
from tests.analysis.recorded_games import contents, folder_of_games

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'trackage[dask]'")


def test_a_cluster_gives_the_same_dataset_when_a_worker_is_killed(tmp_path: Path) -> None:
    games = folder_of_games(tmp_path / "games")
    run_batch([str(games)], tmp_path / "here")
    killed: list[int] = []
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        workers = [worker.pid for worker in cluster.workers.values()]

        def kill(progress: Progress) -> None:
            """Kills a worker process after the second game, while others are under way."""
            if progress.done == 2 and not killed:
                killed.append(workers[0])
                os.kill(workers[0], signal.SIGKILL)

        outcome = run_batch([str(games)], tmp_path / "there", scheduler=cluster.scheduler_address, watch=kill)
    assert killed
    assert (outcome.games, outcome.errors) == (7, 0)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_an_address_without_a_scheduler_is_told(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("{}")
    with pytest.raises(InputError, match="no Dask scheduler"):
        run_batch([str(tmp_path / "game.json")], tmp_path / "out", scheduler="nonsense://nowhere:1")
