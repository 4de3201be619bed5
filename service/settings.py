"""What the service is willing to do. Every limit has a clear answer; ``docs/service.md`` lists them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path


def default_folder() -> Path:
    """Where games are kept unless told: the data folder of the user."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "trackage"


@dataclass(frozen=True)
class Settings:
    """Limits and place of the service.

    ``folder`` holds the store, ``token`` is asked of every call of the API (empty: none). ``hosts`` are the names under
    which the service may be called (empty: any), so that a foreign page cannot reach it under a name of its own. Sizes
    are in bytes, times in seconds. ``workers`` is the number of processes that search, ``waiting`` the calls that may
    wait for one of them, ``per_client`` the calls of one address at the same time.
    """

    folder: Path = field(default_factory=default_folder)
    token: str = ""
    hosts: frozenset[str] = frozenset({"localhost", "127.0.0.1", "[::1]", "testserver"})
    workers: int = 2
    waiting: int = 128
    per_client: int = 64
    position_bytes: int = 1 << 20
    game_bytes: int = 16 << 20
    search_seconds: float = 30.0
    most_search_seconds: float = 120.0
    grace_seconds: float = 15.0
    waiting_seconds: float = 60.0
    games: int = 2_000
    cache_bytes: int = 32 << 20
