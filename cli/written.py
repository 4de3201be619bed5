"""What commands write: JSON Lines on standard output, and files that are either whole or not there."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from board.errors import Fault, InputError


def write_json(value: object) -> None:
    """One object on one line of standard output; ASCII, so that any terminal and any program can take it."""
    print(json.dumps(value, separators=(", ", ": ")))


def write_file(path: Path, data: bytes) -> None:
    """Write *path* at once: an interrupted or failed write leaves what was there before.

    A link is followed, and what is no file (``/dev/null``, a pipe) is written to and not replaced. Raises
    :class:`InputError` (``cannot-write``) where the system refuses.
    """
    temporary: str | None = None
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
        temporary = None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(Fault("cannot-write", f"cannot be written: {reason}", str(path))) from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
