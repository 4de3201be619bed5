"""``trackage serve``: the service for live play. It is loaded when this command is called, and by no other."""

from __future__ import annotations

from pathlib import Path

from cli.errors import DONE


def run(host: str, port: int, *, folder: Path | None, token: str, workers: int) -> int:
    """Serve until interrupted; returns the exit status."""
    from service.run import run as serve

    serve(host, port, folder=folder, token=token, workers=workers)
    return DONE
