"""Where recorded games lie: files, folders, patterns, JSON Lines and archives, in a fixed order, read in bounds.

Nothing is trusted: a file may be huge, truncated or no file at all, an archive may unpack to more than any disk holds.
What cannot be read comes as a text with an ``error``, and the others go on.
"""

from __future__ import annotations

import glob
import gzip
import os
import sys
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final, Protocol

from board.errors import Fault, InputError
from records.reading import STDIN, Limits, pieces

#: How much of one game is read. A long game of six players takes half a megabyte; nothing nests deeper than 24.
GAME: Final = Limits(
    file_bytes=8 << 20, document_bytes=8 << 20, depth=24, digits=18, text=20_000, entries=20_000, documents=1
)
#: Endings of names by which folders and archives are searched.
ENDINGS: Final = (".json", ".json.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz", ".zip")
_LINES: Final = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
#: Members of one archive, and how often its size it may unpack to. Games pack to a tenth, seldom to a thirtieth.
MOST_MEMBERS: Final = 100_000
MOST_UNPACKED: Final = 250
_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class GameText:
    """The text of one recorded game, not parsed yet, or the ``error`` that says why there is none.

    ``name`` is the place as people write it: ``games/1830.json``, ``games.jsonl:3``, ``games.zip/1830.json``. It is
    unique within a call and can be printed, whatever the name of the file.
    """

    name: str
    data: bytes = b""
    error: Fault | None = None


class _Stream(Protocol):
    """Open bytes, packed or not, of a file, a member of an archive or standard input."""

    def read(self, size: int, /) -> bytes: ...

    def readline(self, size: int, /) -> bytes: ...


def files_of(sources: Sequence[str]) -> tuple[Path | str, ...]:
    """The files that *sources* name, in order, each once; those of a folder or pattern sorted by name.

    Raises :class:`InputError` with all that is not there, or holds no file with one of :data:`ENDINGS`.
    """
    found: dict[str, Path | str] = {}
    faults: list[Fault] = []
    for source in sources:
        if source == STDIN:
            found[STDIN] = STDIN
            continue
        paths, fault = _paths(source)
        faults += fault
        for path in paths:
            found.setdefault(os.path.realpath(path), path)
    if faults:
        raise InputError(faults)
    return tuple(found.values())


def _paths(source: str) -> tuple[list[Path], list[Fault]]:
    path = Path(source)
    if path.is_dir():
        inside = sorted(_inside(path))
        endings = ", ".join(ENDINGS)
        return inside, [] if inside else [Fault("empty-folder", f"holds no file that ends in {endings}", shown(source))]
    if path.exists() or path.is_symlink():
        return [path], []
    if glob.has_magic(source):
        matching: list[Path] = []
        for name in sorted(glob.glob(source, recursive=True)):
            matching += sorted(_inside(Path(name))) if os.path.isdir(name) else [Path(name)]
        return matching, [] if matching else [Fault("cannot-read", "no file fits this pattern", shown(source))]
    return [], [Fault("cannot-read", "there is no such file or folder", shown(source))]


def _inside(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place, name) for name in names if name.lower().endswith(ENDINGS))


def shown(name: str | os.PathLike[str]) -> str:
    """A name that can be printed and written as UTF-8, whatever bytes it holds."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def count_of(files: Sequence[Path | str]) -> int:
    """How many games the files hold, as far as it can be told without unpacking them; for progress."""
    number = 0
    for file in files:
        try:
            if isinstance(file, Path) and file.is_file() and _ending(file.name) in _LINES:
                with _opened(file) as stream:
                    number += sum(1 for line in _lines(stream) if line)
                continue
            if isinstance(file, Path) and file.is_file() and _ending(file.name) == ".zip":
                with zipfile.ZipFile(file) as archive:
                    number += sum(_is_wanted(one) for one in archive.infolist()[:MOST_MEMBERS])
                continue
        except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile, NotImplementedError):
            pass
        number += 1
    return number


def texts_in(files: Sequence[Path | str], *, stdin: _Stream | None = None) -> Iterator[GameText]:
    """The texts of all games in order. Never raises for what a file holds."""
    taken: set[str] = set()
    for file in files:
        for text in _texts(file, stdin):
            name, number = text.name, 1
            while name in taken:
                number += 1
                name = f"{text.name} ({number})"
            taken.add(name)
            yield GameText(name, text.data, text.error)


def _texts(file: Path | str, stdin: _Stream | None) -> Iterator[GameText]:
    if not isinstance(file, Path):
        yield from _of_lines("standard input", stdin or sys.stdin.buffer)
        return
    name = shown(file)
    try:
        if not file.is_file():
            yield _refused(name, "cannot-read", "is no file")
        elif _ending(file.name) == ".zip":
            yield from _of_archive(name, file)
        else:
            with _opened(file) as stream:
                yield from _of_stream(name, stream)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        yield _refused(name, *_reason(error))


def _reason(error: Exception) -> tuple[str, str]:
    if isinstance(error, EOFError):
        return "truncated", "ends in the middle of packed data"
    if isinstance(error, (gzip.BadGzipFile, zlib.error)):
        return "malformed-archive", f"cannot be unpacked: {' '.join(str(error).split())[:200]}"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else " ".join(str(error).split())[:200]
    return "cannot-read", f"cannot be read: {reason}"


def _refused(name: str, code: str, message: str) -> GameText:
    return GameText(name, error=Fault(code, message, name))


def _ending(name: str) -> str:
    return next((ending for ending in ENDINGS if name.lower().endswith(ending)), "")


def _opened(file: Path) -> gzip.GzipFile | BufferedReader:
    return gzip.open(file, "rb") if file.name.lower().endswith(".gz") else file.open("rb")


def _of_stream(name: str, stream: _Stream, ending: str = "") -> Iterator[GameText]:
    """The games of an open file: one, or those of JSON Lines, whatever its name."""
    if (ending or _ending(name)) in _LINES:
        yield from _of_lines(name, stream)
        return
    data = _bounded(stream)
    if data is None:
        yield _refused(name, "too-large", f"holds more than {GAME.file_bytes >> 20} MiB; a list of games is .jsonl")
        return
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield _refused(name, "not-utf-8", "is UTF-16 text; save it as UTF-8")
        return
    found = list(pieces(data.removeprefix(b"\xef\xbb\xbf"), GAME))
    if not found:
        yield _refused(name, "empty-file", "is empty")
    for line, piece in found:
        yield GameText(name if len(found) == 1 else f"{name}:{line}", piece)


def _bounded(stream: _Stream) -> bytes | None:
    """All bytes of a stream; None where there are more than a game may have."""
    parts, size = [], 0
    while part := stream.read(_CHUNK):
        size += len(part)
        if size > GAME.file_bytes:
            return None
        parts.append(part)
    return b"".join(parts)


def _of_lines(name: str, stream: _Stream) -> Iterator[GameText]:
    """The games of JSON Lines, one at a time, so that a file may be longer than memory."""
    empty, number = True, 0
    lines = enumerate(_lines(stream), start=1)
    while True:
        place = f"{name}:{number + 1}"
        try:
            number, line = next(lines)
        except StopIteration:
            break
        except (OSError, EOFError, ValueError, zlib.error) as error:
            yield _refused(name if empty else place, *_reason(error))
            return
        if line is None:
            empty = False
            yield _refused(f"{name}:{number}", "too-large", f"a line of more than {GAME.document_bytes >> 20} MiB")
        elif line:
            empty = False
            yield GameText(f"{name}:{number}", line)
        elif empty:
            continue
    if empty:
        yield _refused(name, "empty-file", "is empty")


def _lines(stream: _Stream) -> Iterator[bytes | None]:
    """Lines without white space around; None for one that is too long."""
    first = True
    while line := stream.readline(GAME.document_bytes + 1):
        if len(line) > GAME.document_bytes:
            while line and not line.endswith(b"\n"):
                line = stream.readline(_CHUNK)
            yield None
            continue
        yield (line.removeprefix(b"\xef\xbb\xbf") if first else line).strip(b" \t\r\n")
        first = False


# --- archives --------------------------------------------------------------------------------------------------------


def _is_wanted(member: zipfile.ZipInfo) -> bool:
    return not member.is_dir() and member.filename.lower().endswith(ENDINGS)


def _of_archive(name: str, file: Path) -> Iterator[GameText]:
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            fault = _bomb(members, file.stat().st_size)
            if fault:
                yield _refused(name, *fault)
                return
            wanted = sorted((one for one in members if _is_wanted(one)), key=lambda one: one.filename)
            if not wanted:
                yield _refused(name, "empty-archive", "holds no recorded game")
            for member in wanted:
                yield from _of_member(f"{name}/{shown(member.filename)}", archive, member)
    except zipfile.BadZipFile as error:
        yield _refused(name, "malformed-archive", f"is no whole zip archive: {' '.join(str(error).split())[:200]}")


def _bomb(members: Sequence[zipfile.ZipInfo], size: int) -> tuple[str, str] | None:
    """Why an archive is not unpacked at all. Source of the bound: :data:`MOST_UNPACKED`."""
    if len(members) > MOST_MEMBERS:
        return "too-many", f"holds {len(members):,} members; at most {MOST_MEMBERS:,} are read"
    unpacked = sum(member.file_size for member in members)
    if unpacked > GAME.file_bytes and unpacked > MOST_UNPACKED * size:
        return "zip-bomb", f"{size:,} bytes that unpack to {unpacked:,}; at most {MOST_UNPACKED} times its size is read"
    return None


def _of_member(name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[GameText]:
    ending = _ending(member.filename)
    if ending == ".zip":
        yield _refused(name, "archive-within", "an archive within an archive is not read; unpack it first")
        return
    if member.flag_bits & 1:
        yield _refused(name, "encrypted", "is encrypted")
        return
    try:
        with archive.open(member) as stream:
            if ending.endswith(".gz"):
                with gzip.open(stream) as inner:
                    yield from _of_stream(name, inner, ending)
            else:
                yield from _of_stream(name, stream, ending)
    except zipfile.BadZipFile as error:
        yield _refused(name, "malformed-archive", f"cannot be unpacked: {' '.join(str(error).split())[:200]}")
    except NotImplementedError as error:
        yield _refused(name, "malformed-archive", f"is packed in a way that is not known: {error}")
    except (OSError, EOFError, ValueError, zlib.error) as error:
        yield _refused(name, *_reason(error))
