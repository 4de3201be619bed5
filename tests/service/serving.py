"""The service as a test client or as a process, and what is sent to it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from service.app import create_app
from service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
GAME = (EXAMPLES / "games" / "1830-random.json").read_bytes()
TITLES = ("1828", "1830", "1833NE", "1846", "1894", "18GB")


def example(name: str) -> dict[str, Any]:
    """One of the example positions."""
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return found


@contextmanager
def client_of(folder: Path, **limits: Any) -> Iterator[TestClient]:
    """A client of a service of its own; errors of the service come as answers."""
    settings = Settings(folder=folder, **{"workers": 1, **limits})
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


class Process:
    """``trackage serve`` as a process of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "cli", "serve", "--port", "0", "--data", str(folder), *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        line = self._process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found, line
        self.url = found[0]

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """As ``kill -9`` does: nothing can be finished any more."""
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()


def until(what: Any, seconds: float = 180) -> None:
    """Wait for *what* to hold. The time is for what never comes; a loaded machine may need much of it."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)
