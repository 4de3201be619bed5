"""Text for people: wrapped columns, emphasis where a terminal shows it, progress on standard error."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

_T = TypeVar("_T")
#: A space at which no line is broken.
GLUE: Final = "\u00a0"
_LEAST, _MOST = 60, 160
_BAR: Final = 30
_STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def width() -> int:
    """Columns to write in: those of the terminal within reason, 100 where there is none."""
    return max(_LEAST, min(_MOST, shutil.get_terminal_size((100, 24)).columns))


def styled(text: str, style: str) -> str:
    """*text* in a style where standard output is a terminal that wants it (``NO_COLOR`` is respected)."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\033[{_STYLES[style]}m{text}\033[0m"


def say(text: str = "") -> None:
    """A line of the answer. Characters that standard output cannot show are written as escapes."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def hanging(text: str, indent: int) -> Iterator[str]:
    """The lines of *text* to the right of *indent* columns, the first without them. Lines break at no :data:`GLUE`."""
    lines = textwrap.wrap(text, max(20, width() - indent), break_long_words=False, break_on_hyphens=False) or [""]
    yield lines[0].replace(GLUE, " ")
    yield from (" " * indent + line.replace(GLUE, " ") for line in lines[1:])


def columns(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> Iterator[str]:
    """Rows with aligned columns, those of *right* flush right; the last column is wrapped."""
    right = frozenset(right)
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)] if rows else []
    for row in rows:
        cells = [
            cell.rjust(size) if place in right else cell.ljust(size)
            for place, (cell, size) in enumerate(zip(row, widths, strict=False))
        ]
        head = "  ".join(cells) + ("  " if cells else "")
        first, *others = hanging(row[-1], len(head))
        yield (head + first).rstrip()
        yield from others


def counted(items: Iterable[_T], what: str) -> Iterator[_T]:
    """The items, with their number so far on standard error where that is a terminal."""
    shown = sys.stderr.isatty()
    number = 0
    try:
        for number, item in enumerate(items, start=1):
            if shown and number > 1:
                print(f"\r{what} {number}", end="", file=sys.stderr, flush=True)
            yield item
    finally:
        if shown and number > 1:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def progress(items: Iterable[_T], what: str, total: int | None = None) -> Iterator[_T]:
    """The items, with a bar on standard error where that is a terminal; without a *total* it only counts."""
    if total is None or not sys.stderr.isatty():
        yield from counted(items, what)
        return
    done = 0
    try:
        for item in items:
            done += 1
            full = min(_BAR, _BAR * done // max(1, total))
            print(
                f"\r[{'#' * full}{'.' * (_BAR - full)}] {done} of {total} {what}", end="", file=sys.stderr, flush=True
            )
            yield item
    finally:
        if done:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
