"""The script ``trackage``, also ``python -m cli``: what has to be in order before a command can be loaded."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line of this process.

    Ctrl-C while the command is still loading is an interruption like any other, and where the caller has closed
    standard error, messages go nowhere instead of among the answers.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open until the process ends)
    try:
        from cli.main import run
    except KeyboardInterrupt:
        print("trackage: interrupted", file=sys.stderr)
        sys.exit(130)
    sys.exit(run())


if __name__ == "__main__":
    main()
