"""Reading JSON that somebody else wrote: bounded, with a place for every fault, and never a crash.

A file holds one JSON object (it may spread over lines) or many as JSON Lines. Nothing is parsed before its size and its
nesting have been looked at, so that neither a huge nor a deeply nested document can exhaust memory or the stack.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from board.errors import Fault, InputError, LimitExceeded, TrackageError

#: The name that stands for standard input.
STDIN: Final = "-"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read. Sizes in bytes, ``depth`` in nested brackets, ``digits`` in digits of a number, ``text`` in
    characters of a string, ``entries`` in entries of one list or object, ``documents`` for each file. ``what`` is what
    people call a document."""

    file_bytes: int = 64 << 20
    document_bytes: int = 1 << 20
    depth: int = 16
    digits: int = 15
    text: int = 500
    entries: int = 1000
    documents: int = 100_000
    what: str = "position"


LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON value of a file and its place, ``file:line``; or the error that says why there is none."""

    place: str
    value: object = None
    error: TrackageError | None = None


class Unusable:
    """Stands in a document for a number that is no number: NaN, an infinity, too many digits."""

    def __init__(self, text: str) -> None:
        self.text = text if len(text) <= 24 else f"{text[:12]}… ({len(text)} characters)"


class JsonObject(dict[str, object]):
    """A JSON object that remembers which keys were written more than once."""

    twice: tuple[str, ...] = ()


def _s(number: int) -> str:
    return "" if number == 1 else "s"


def documents(source: str | Path, *, stdin: BinaryIO | None = None, limits: Limits = LIMITS) -> Iterator[Document]:
    """The JSON values of a file, or of standard input where *source* is ``-``, in order.

    What cannot be read comes as a document with an ``error``: an :class:`InputError` (``cannot-read``, ``not-utf-8``,
    ``malformed-json``, ``empty-file``) or a :class:`LimitExceeded` (``too-large``, ``too-deep``, ``too-many``). Never
    raises anything else.
    """
    name = "standard input" if str(source) == STDIN else str(source) or "''"
    try:
        data = read_bytes(source, stdin, limits)
    except TrackageError as error:
        yield Document(name, error=error.at(name))
        return
    number = 0
    for line, piece in pieces(data, limits):
        place = f"{name}:{line}"
        number += 1
        if number > limits.documents:
            too_many = Fault(
                "too-many", f"more than {limits.documents:,} {limits.what}{_s(limits.documents)}; split the file", place
            )
            yield Document(place, error=LimitExceeded(too_many))
            return
        try:
            yield Document(place, parse(piece, limits))
        except TrackageError as refused:
            yield Document(place, error=refused.at(place))
    if not number:
        yield Document(name, error=InputError(Fault("empty-file", f"holds no {limits.what}", name)))


def value_of(data: bytes, limits: Limits = LIMITS) -> object:
    """The one JSON value that *data* holds. Raises as the errors of :func:`documents`."""
    if len(data) > limits.document_bytes:
        raise LimitExceeded(Fault("too-large", f"{len(data):,} bytes; at most {limits.document_bytes:,} are read"))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(Fault("not-utf-8", "is UTF-16 text; save it as UTF-8"))
    return parse(data.removeprefix(b"\xef\xbb\xbf"), limits)


def read_bytes(source: str | Path, stdin: BinaryIO | None = None, limits: Limits = LIMITS) -> bytes:
    """The bytes of a file or of standard input, without a byte order mark. Raises :class:`InputError` for what cannot
    be read, :class:`LimitExceeded` for what is larger than the limit."""
    try:
        if str(source) == STDIN:
            data = (stdin or sys.stdin.buffer).read(limits.file_bytes + 1)
        else:
            with Path(source).open("rb") as stream:
                data = stream.read(limits.file_bytes + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(Fault("cannot-read", f"cannot be read: {reason}")) from error
    if len(data) > limits.file_bytes:
        raise LimitExceeded(Fault("too-large", f"larger than {limits.file_bytes >> 20} MiB"))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(Fault("not-utf-8", "is UTF-16 text; save it as UTF-8"))
    return data.removeprefix(b"\xef\xbb\xbf")


def pieces(data: bytes, limits: Limits) -> Iterator[tuple[int, bytes]]:
    """The documents of a file as bytes, each with the number of its first line."""
    lines = [(number, line.strip(b" \t\r")) for number, line in enumerate(data.split(b"\n"), start=1)]
    filled = [(number, line) for number, line in lines if line]
    if not filled:
        return
    number, first = filled[0]
    if len(filled) > 1 and not _looks_like_json_lines(first, [line for _, line in filled[1:]], limits):
        yield number, data
    else:
        yield from filled


def _looks_like_json_lines(first: bytes, others: list[bytes], limits: Limits) -> bool:
    """Whether each line is a document: the first one is whole, or it holds more than a bracket and another is whole."""
    if _whole(first, limits):
        return True
    return len(first) > 1 and any(line.startswith(b"{") and _whole(line, limits) for line in others)


def _whole(line: bytes, limits: Limits) -> bool:
    if len(line) > limits.document_bytes:
        return True
    depth, _ = _depth(line.decode("utf-8", "replace"))
    return depth == 0


_TOKENS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)


def _depth(text: str) -> tuple[int, int]:
    """The nesting left open at the end of *text*, and the deepest in it. Brackets within strings do not count."""
    depth = deepest = 0
    for found in _TOKENS.finditer(text):
        token = found[0]
        if token in ("[", "{"):
            depth += 1
            deepest = max(deepest, depth)
        elif token in ("]", "}"):
            depth -= 1
    return depth, deepest


def parse(piece: bytes, limits: Limits) -> object:
    """The JSON value of one document. Raises :class:`InputError` or :class:`LimitExceeded`, never anything else."""
    if len(piece) > limits.document_bytes:
        raise LimitExceeded(
            Fault(
                "too-large", f"a {limits.what} of {len(piece):,} bytes; one may take {limits.document_bytes >> 20} MiB"
            )
        )
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError as error:
        line = piece.count(b"\n", 0, error.start) + 1
        column = error.start - piece.rfind(b"\n", 0, error.start)
        raise InputError(
            Fault("not-utf-8", f"byte 0x{piece[error.start]:02x} is not UTF-8 text", _place(line, column))
        ) from error
    if _depth(text)[1] > limits.depth:
        raise LimitExceeded(Fault("too-deep", f"brackets nested deeper than {limits.depth}"))
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=lambda digits: int(digits) if len(digits) <= limits.digits else Unusable(digits),
            parse_float=_float,
            parse_constant=Unusable,
        )
    except json.JSONDecodeError as error:
        reason = "ends in the middle of JSON" if _breaks_off(text, error) else f"is not JSON: {error.msg}"
        raise InputError(Fault("malformed-json", reason, _place(error.lineno, error.colno))) from error


def _breaks_off(text: str, error: json.JSONDecodeError) -> bool:
    """Whether what is wrong with the text is that there is no more of it, rather than nonsense."""
    begun = text.lstrip()[:1] in ("{", "[")
    return begun and (error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"))


def _place(line: int, column: int) -> str:
    return f"column {column}" if line == 1 else f"line {line} column {column}"


def _object(pairs: list[tuple[str, object]]) -> JsonObject:
    found = JsonObject(pairs)
    if len(found) < len(pairs):
        found.twice = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return found


def _float(text: str) -> float | Unusable:
    number = float(text)
    return number if abs(number) < 1e15 else Unusable(text)


def unsound(value: object, limits: Limits = LIMITS) -> Iterator[Fault]:
    """What no document of any kind may hold: keys written twice, numbers that are none, text that cannot be printed,
    more entries or longer text than is read. Places are paths as ``tiles.E16[1]``."""
    pending: list[tuple[str, object]] = [("", value)]
    while pending:
        path, here = pending.pop()
        if isinstance(here, Unusable):
            yield Fault("bad-number", f"{here.text} is not a number that can be used", path)
        elif isinstance(here, str):
            yield from _unsound_text(here, path, limits)
        elif isinstance(here, (dict, list)) and len(here) > limits.entries:
            yield Fault("too-many", f"{len(here):,} entries; at most {limits.entries:,} are read", path)
        elif isinstance(here, dict):
            for key in getattr(here, "twice", ()):
                yield Fault("duplicate-key", f"the key {shortened(key)} is written more than once", path)
            for key in here:
                yield from _unsound_text(key, path, limits)
            pending += [(joined(path, key), inner) for key, inner in reversed(here.items())]
        elif isinstance(here, list):
            pending += [(f"{path}[{place}]", inner) for place, inner in reversed(list(enumerate(here)))]


def _unsound_text(text: str, path: str, limits: Limits) -> Iterator[Fault]:
    if len(text) > limits.text:
        yield Fault("text-too-long", f"{len(text):,} characters; at most {limits.text:,} are read", path)
    elif not text.isprintable() and any(not character.isprintable() for character in text if character not in "\t\n"):
        yield Fault("unprintable-text", f"{shortened(text)} holds characters that cannot be printed", path)


def joined(path: str, key: str) -> str:
    """The path of *key* inside the object at *path*."""
    shown = key if len(key) <= 40 and key.isprintable() else shortened(key)
    return f"{path}.{shown}" if path else shown


def shortened(value: object) -> str:
    """*value* as it stands in the file (texts in single quotes), cut to a length that fits a message."""
    if isinstance(value, Unusable):
        return value.text
    if isinstance(value, (dict, list)) and len(value) > 5:
        return f"{'an object' if isinstance(value, dict) else 'a list'} with {len(value):,} entries"
    if isinstance(value, str):
        text = repr(value) if value.isprintable() else ascii(value)
    else:
        text = json.dumps(value, ensure_ascii=True, default=lambda unusable: unusable.text)
    return text if len(text) <= 60 else f"{text[:50]}… ({len(text)} characters)"
