"""``trackage show``: the map of a position with tokens and claimed routes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.as_json import faults_to_json
from board.errors import TrackageError
from cli.drawings import write_maps
from cli.errors import DONE, report
from cli.inputs import positions_in
from cli.screen import counted, say
from cli.written import write_json
from records.positions import Rejected
from routing.claims import check_claim
from titles.registry import get_title


def run(sources: Sequence[str], out: Sequence[Path], *, as_json: bool = False) -> int:
    """Draw every position of the files; returns the exit status."""
    status = DONE
    number = 0
    for entry in counted(positions_in(sources), "position"):
        try:
            if isinstance(entry, Rejected):
                raise entry.error
            number += 1
            position = entry.position
            problem = get_title(position.edition.title).problem(position)
            verdict = check_claim(problem, entry.claimed) if entry.claimed else None
            written = write_maps(out, position, number, verdict)
        except TrackageError as error:
            status = max(status, report(error if isinstance(entry, Rejected) else error.at(entry.source)))
            if as_json:
                write_json({"source": entry.source, "faults": faults_to_json(error.faults)})
            continue
        if as_json:
            write_json({"source": entry.source, "files": [str(path) for path in written]})
        else:
            for path in written:
                say(str(path))
    return status
