"""``trackage report``: one HTML page about the dataset of a batch."""

from __future__ import annotations

import sys
from pathlib import Path

from analysis.questions import Dataset
from analysis.report import report_on
from board.errors import Fault, InputError
from cli.errors import DONE
from cli.written import write_file


def run(folder: Path, out: Path, *, game: str = "") -> int:
    """Write the page; returns the exit status."""
    if not out.parent.is_dir():
        raise InputError(Fault("cannot-write", f"there is no folder {out.parent}", "--out"))
    page = report_on(Dataset(folder), game).encode("utf-8")
    write_file(out, page)
    print(f"{out}: {len(page) / 1e6:.1f} MB", file=sys.stderr)
    return DONE
