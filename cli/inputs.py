"""What commands are given: position files, a bonus table, hexes and routes as text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from board.edition import Edition
from board.errors import Fault, InputError, LimitExceeded
from records.positions import PositionRecord, Rejected, read_positions
from records.reading import LIMITS
from titles.registry import get_title


def edition_of(title: str, options: Iterable[str], players: int | None) -> Edition:
    """The facts of a title for position files. Raises :class:`InputError` for what no title has."""
    return get_title(title).edition(options, players)


def positions_in(sources: Sequence[str]) -> Iterator[PositionRecord | Rejected]:
    """The positions of the files in order; ``-`` is standard input, which can be read once."""
    if sources.count("-") > 1:
        raise InputError(Fault("twice", "standard input can be read only once", "-"))
    return read_positions(sources, edition_of)


def bonus_table(path: Path | None) -> Mapping[str, object] | None:
    """The values that a user supplies for a title (TOML). Raises :class:`InputError` with file and place."""
    if path is None:
        return None
    try:
        with path.open("rb") as stream:
            data = stream.read(LIMITS.document_bytes + 1)
        if len(data) > LIMITS.document_bytes:
            raise LimitExceeded(Fault("too-large", f"larger than {LIMITS.document_bytes >> 20} MiB", str(path)))
        return tomllib.loads(data.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        if isinstance(error, RecursionError):
            reason = "nested too deeply"
        raise InputError(Fault("bad-bonus-table", f"cannot be read: {reason}", str(path))) from error
