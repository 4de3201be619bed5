"""What the service and its workers say to each other: a line of JSON, and as many bytes after it as the line tells.

Nothing but JSON and bytes goes over the pipe; there is nothing to unpickle.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple


class Frame(NamedTuple):
    """A message: what it is about, and its content."""

    head: Mapping[str, object]
    body: bytes = b""


def packed(frame: Frame) -> bytes:
    """The bytes of a message."""
    return json.dumps({**frame.head, "length": len(frame.body)}).encode() + b"\n" + frame.body


def head_of(line: bytes) -> tuple[dict[str, object], int]:
    """The first line of a message, and the number of bytes that follow it."""
    head = json.loads(line)
    return head, int(head.pop("length"))
