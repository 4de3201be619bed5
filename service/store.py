"""The games that were sent, in one SQLite file. What was acknowledged is on the disk: it survives ``kill -9``."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from board.errors import Fault, InputError
from service.faults import Refused

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, digest TEXT NOT NULL, export BLOB NOT NULL, summary BLOB NOT NULL,
    stored REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS turns (
    game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE, action INTEGER NOT NULL, chain TEXT NOT NULL,
    answer BLOB NOT NULL, PRIMARY KEY (game, action)
) STRICT;
"""
#: Written to the file; a file of another number is not touched.
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it lies in the store: the export, and what a worker said of it."""

    id: str
    digest: str
    export: bytes
    summary: Mapping[str, object]


class Store:
    """One SQLite file in one folder, used by one process. Every method may be called from any thread."""

    def __init__(self, folder: Path, *, most_games: int) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._data = sqlite3.connect(folder / "trackage.sqlite", check_same_thread=False, isolation_level=None)
            self._data.execute("PRAGMA journal_mode=WAL")
            self._data.execute("PRAGMA synchronous=FULL")
            self._data.execute("PRAGMA foreign_keys=ON")
            self._data.execute("PRAGMA busy_timeout=5000")
            (version,) = self._data.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                message = f"was written by another version of Trackage ({version}); choose another folder"
                raise InputError(Fault("wrong-store", message, str(folder)))
            self._data.executescript(_SCHEMA)
            self._data.execute(f"PRAGMA user_version={_VERSION}")
        except (OSError, sqlite3.Error) as error:
            raise InputError(Fault("cannot-write", f"cannot keep games here: {error}", str(folder))) from error
        self._most_games = most_games
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            self._data.close()

    def put(self, game_id: str, export: bytes, summary: Mapping[str, object]) -> bool:
        """Keep a game, in place of an older export of it; answers of turns that are still the same stay. Returns
        whether the game is new. When this returns, the game is on the disk."""
        digest = hashlib.sha256(export).hexdigest()
        turns = summary.get("turns")
        chains = [str(turn["chain"]) for turn in turns] if isinstance(turns, list) else []
        values = (zlib.compress(export), zlib.compress(json.dumps(summary).encode()))
        with self._lock, _Transaction(self._data):
            old = self._data.execute("SELECT 1 FROM games WHERE id = ?", (game_id,)).fetchone()
            if old is None:
                (number,) = self._data.execute("SELECT count(*) FROM games").fetchone()
                if number >= self._most_games:
                    message = f"{number:,} games are stored, which is the most; delete some (DELETE /api/games/ID)"
                    raise Refused(507, Fault("store-full", message))
            self._data.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title,"
                " digest = excluded.digest, export = excluded.export, summary = excluded.summary,"
                " stored = excluded.stored",
                (game_id, str(summary.get("title", "")), digest, *values, time.time()),
            )
            self._data.execute(
                "DELETE FROM turns WHERE game = ? AND chain NOT IN (SELECT value FROM json_each(?))",
                (game_id, json.dumps(chains)),
            )
        return old is None

    def get(self, game_id: str) -> StoredGame | None:
        with self._lock:
            row = self._data.execute("SELECT digest, export, summary FROM games WHERE id = ?", (game_id,)).fetchone()
        if row is None:
            return None
        return StoredGame(game_id, row[0], zlib.decompress(row[1]), json.loads(zlib.decompress(row[2])))

    def delete(self, game_id: str) -> bool:
        """Forget a game; returns whether there was one."""
        with self._lock, _Transaction(self._data):
            return self._data.execute("DELETE FROM games WHERE id = ?", (game_id,)).rowcount > 0

    def games(self) -> list[dict[str, object]]:
        """What is stored, the latest first."""
        with self._lock:
            rows = self._data.execute("SELECT id, title, stored FROM games ORDER BY stored DESC, id").fetchall()
        return [{"id": row[0], "title": row[1], "stored": round(row[2], 3)} for row in rows]

    def turn(self, game_id: str, action: int) -> bytes | None:
        """The proven answer for a turn, if it was worked out before."""
        with self._lock:
            query = "SELECT answer FROM turns WHERE game = ? AND action = ?"
            row = self._data.execute(query, (game_id, action)).fetchone()
        return None if row is None else zlib.decompress(row[0])

    def put_turn(self, game_id: str, digest: str, action: int, chain: str, answer: bytes) -> None:
        """Keep the answer for a turn, unless the game has changed in the meantime."""
        with self._lock, _Transaction(self._data):
            self._data.execute(
                "INSERT OR REPLACE INTO turns SELECT id, ?, ?, ? FROM games WHERE id = ? AND digest = ?",
                (action, chain, zlib.compress(answer), game_id, digest),
            )


class _Transaction:
    """All or nothing."""

    def __init__(self, data: sqlite3.Connection) -> None:
        self._data = data

    def __enter__(self) -> None:
        self._data.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._data.execute("COMMIT" if kind is None else "ROLLBACK")
