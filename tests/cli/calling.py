"""Calls the command line in this process and keeps what it prints."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from cli.main import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
ERIE = EXAMPLES / "1830-erie.json"
LNWR = EXAMPLES / "18gb-lnwr.json"


@dataclass(frozen=True)
class Called:
    """Exit status and output of a call."""

    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Standard output as JSON Lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def object(self) -> dict[str, Any]:
        (only,) = self.objects
        return only

    @property
    def complaints(self) -> list[str]:
        """The lines of standard error."""
        return self.err.splitlines()


def trackage(*arguments: str | Path, stdin: bytes | str = b"") -> Called:
    """Run ``trackage`` with these arguments."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = io.StringIO(), io.StringIO()
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")),
    ):
        status = run([str(argument) for argument in arguments])
    return Called(status, out.getvalue(), err.getvalue())
