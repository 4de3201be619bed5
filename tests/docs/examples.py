"""Finds and runs the examples of the documents: fenced ``console`` blocks whose first line is a command.

``python -m tests.docs.examples`` writes what the commands print today into the documents.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from tests.cli.calling import ROOT, trackage

DOCUMENTS = (
    ROOT / "README.md",
    *(ROOT / "docs" / name for name in ("arbiter.md", "cli.md", "faults.md", "position_format.md")),
)
_BLOCK = re.compile(r"^```console\n\$ (trackage .+)\n((?:.*\n)*?)```$", re.MULTILINE)
_SECONDS = re.compile(r"\d+\.\d\d s\b")


def examples(document: Path) -> Iterator[tuple[str, str]]:
    """The commands of a document with the output that it shows."""
    for block in _BLOCK.finditer(document.read_text(encoding="utf-8")):
        yield block[1], block[2]


def output(command: str) -> str:
    """What the command prints, with the time that it took made equal everywhere."""
    here = Path.cwd()
    os.chdir(ROOT)
    try:
        with patch.dict(os.environ, {"COLUMNS": "100"}):
            called = trackage(*shlex.split(command)[1:])
    finally:
        os.chdir(here)
    lines = [line.rstrip() for line in f"{called.out}{called.err}".splitlines()]
    return _SECONDS.sub("0.02 s", "\n".join(lines).strip("\n") + "\n")


def renew(document: Path) -> None:
    """Put the output of today into the document."""
    text = document.read_text(encoding="utf-8")
    text = _BLOCK.sub(lambda block: f"```console\n$ {block[1]}\n{output(block[1])}```", text)
    document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for path in DOCUMENTS:
        renew(path)
