"""The finished games of a batch, one file each, and the Parquet dataset that they are merged into.

A part holds a line of JSON (what it was made from, and how many bytes follow with which SHA-256) and then the tables of
one game as Arrow streams. Parts are written beside their place and moved there, so that a part is whole or not there;
a part that does not agree with its first line counts as not there.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from analysis.game_rows import GameRows
from analysis.tables import TABLES, VERSION, TableSchema
from records.sources import GameText

#: Bytes of rows that wait for their row group while parts are merged.
_WAITING: Final = 64 << 20
#: The file that says that a dataset is whole, written last.
DATASET: Final = "dataset.json"


@dataclass(frozen=True)
class PartHead:
    """What a part says of itself. ``retry``: it tells of a failure that need not happen again."""

    name: str
    digest: str
    title: str
    errors: int
    retry: bool = False


def digest_of(text: GameText) -> str:
    """SHA-256 of the text of a game, or of the reason why there is none."""
    return hashlib.sha256(text.data if text.error is None else str(text.error).encode()).hexdigest()


def part_of(text: GameText, found: GameRows, *, retry: bool = False) -> bytes:
    """The part of a game as the bytes of its file."""
    import pyarrow as pa

    stream = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    for table in TABLES:
        rows = pa.Table.from_pylist(found.rows[table.name], schema=table.arrow)
        with pa.ipc.new_stream(stream, table.arrow, options=options) as writer:
            writer.write_table(rows)
    body = stream.getvalue()
    head = {
        "version": VERSION, "name": text.name, "digest": digest_of(text), "title": found.title,
        "errors": len(found.rows["errors"]), "retry": retry, "bytes": len(body),
        "sha256": hashlib.sha256(body).hexdigest(),
    }  # fmt: skip
    return json.dumps(head).encode() + b"\n" + body


def part_file(folder: Path, name: str) -> Path:
    key = hashlib.sha256(name.encode()).hexdigest()[:32]
    return folder / "parts" / key[:2] / f"{key}.part"


def read_part(file: Path) -> tuple[PartHead, bytes] | None:
    """A part and its tables, not unpacked yet; None where there is none that is whole."""
    try:
        line, _, body = file.read_bytes().partition(b"\n")
        head = json.loads(line)
        whole = (
            head["version"] == VERSION
            and head["bytes"] == len(body)
            and head["sha256"] == hashlib.sha256(body).hexdigest()
        )
        return (
            (PartHead(head["name"], head["digest"], head["title"], head["errors"], head["retry"]), body)
            if whole
            else None
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def finished(folder: Path, text: GameText) -> PartHead | None:
    """The head of the part of this text where it is there already; None where there is something to do."""
    found = read_part(part_file(folder, text.name))
    if found is None:
        return None
    head = found[0]
    return head if (head.name, head.digest) == (text.name, digest_of(text)) and not head.retry else None


def write_whole(file: Path, data: bytes) -> None:
    """Write a file beside its place and move it there. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        os.replace(beside, file)
    finally:
        beside.unlink(missing_ok=True)


# --- the dataset -----------------------------------------------------------------------------------------------------


def merge(folder: Path, names: Iterable[str]) -> dict[str, int]:
    """Write the dataset from the parts of the games called *names*, in this order; returns the rows of each table.

    Until it is whole, :data:`DATASET` is not there. The same parts in the same order give the same bytes.
    """
    (folder / DATASET).unlink(missing_ok=True)
    merging = folder / ".merging"
    shutil.rmtree(merging, ignore_errors=True)
    writer = _Merger(merging)
    for name in names:
        found = read_part(part_file(folder, name))
        if found is None:
            raise OSError(f"the part of {name} is gone from {folder}")
        writer.add(*found)
    counts = writer.close()
    for table in TABLES:
        shutil.rmtree(folder / table.name, ignore_errors=True)
        os.replace(merging / table.name, folder / table.name)
    shutil.rmtree(merging)
    write_whole(folder / DATASET, (json.dumps({"version": VERSION, "rows": counts}, indent=1) + "\n").encode())
    return counts


class _Merger:
    """Gathers rows into row groups. What waits is bounded; the largest heap is written first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: dict[tuple[str, str], list[Any]] = {}
        self._sizes: dict[tuple[str, str], int] = {}
        self._writers: dict[tuple[str, str], Any] = {}
        self._counts = {table.name: 0 for table in TABLES}
        self._schemas: Mapping[str, TableSchema] = {table.name: table for table in TABLES}
        for table in TABLES:
            (folder / table.name).mkdir(parents=True)

    def add(self, head: PartHead, body: bytes) -> None:
        import pyarrow as pa

        stream = io.BytesIO(body)
        for table in TABLES:
            with pa.ipc.open_stream(stream) as reader:
                rows = reader.read_all()
            if not len(rows):
                continue
            place = table.name, head.title if table.partitioned else ""
            self._counts[table.name] += len(rows)
            self._waiting.setdefault(place, []).append(rows)
            self._sizes[place] = self._sizes.get(place, 0) + rows.nbytes
        while sum(self._sizes.values()) > _WAITING:
            self._flush(max(self._sizes, key=lambda place: (self._sizes[place], place)))

    def _flush(self, place: tuple[str, str]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        name, title = place
        rows = pa.concat_tables(self._waiting.pop(place))
        del self._sizes[place]
        if place not in self._writers:
            folder = self._folder / name / f"title={title}" if title else self._folder / name
            folder.mkdir(exist_ok=True)
            self._writers[place] = pq.ParquetWriter(
                folder / "part-0.parquet", self._schemas[name].arrow, compression="zstd"
            )
        self._writers[place].write_table(rows)

    def close(self) -> dict[str, int]:
        for place in sorted(self._waiting):
            self._flush(place)
        for writer in self._writers.values():
            writer.close()
        return self._counts
