"""A process that answers one question after another: it reads messages from its input and writes to its output.

It is started and, where an answer is no longer wanted or takes too long, killed by :mod:`service.pool`. It keeps
nothing but the games that it has played last.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from typing import BinaryIO, Final

from board.errors import Fault, TrackageError
from service.faults import error_value, plain_faults, status_of
from service.frames import Frame, head_of, packed


class Outlet:
    """Where an answer goes: any number of messages of progress, then the answer."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def progress(self, value: Mapping[str, object]) -> None:
        self._say({"kind": "progress"}, written(value))

    def done(self, value: object, *, status: int = 200, keep: bool = False, media: str = "application/json") -> None:
        body = value if isinstance(value, bytes) else written(value)
        self._say({"kind": "done", "status": status, "keep": keep, "media": media}, body)

    def _say(self, head: Mapping[str, object], body: bytes) -> None:
        self._stream.write(packed(Frame(head, body)))
        self._stream.flush()


def written(value: object) -> bytes:
    """A JSON value as UTF-8 text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def answer(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """Answer one question; whatever goes wrong becomes an answer too."""
    from service.questions import QUESTIONS

    try:
        QUESTIONS[str(head["question"])](head, body, outlet)
    except TrackageError as error:
        status = status_of(error)
        outlet.done(error_value(status, plain_faults(error)), status=status)
    except Exception as error:
        if os.environ.get("TRACKAGE_TRACEBACK"):
            sys.excepthook(*sys.exc_info())
        message = f"a fault of this program, {type(error).__name__}; please report it, with the input"
        outlet.done(error_value(500, (Fault("internal", message),)), status=500)


def _end_with(parent: int) -> None:
    """End this process when the service is gone, also in the middle of a search."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main() -> None:
    """Answer questions until the input ends."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from service.questions import QUESTIONS

    assert QUESTIONS  # loaded before the first question comes
    source: Final = io.BufferedReader(io.FileIO(os.dup(0)))
    outlet = Outlet(io.BufferedWriter(io.FileIO(os.dup(1), "w")))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what libraries print is no message
    while line := source.readline():
        head, length = head_of(line)
        answer(head, source.read(length), outlet)


if __name__ == "__main__":
    main()
