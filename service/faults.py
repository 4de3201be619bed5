"""The one shape of errors: ``{"error": {"status": 422, "faults": [{"code", "message", "where"}]}}``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from board.errors import Fault, LimitExceeded, SolverError, TrackageError

#: Codes of faults that mean that too much was sent.
_TOO_LARGE = frozenset({"too-large"})


class Refused(Exception):
    """A call that is answered with an error."""

    def __init__(self, status: int, faults: Fault | Sequence[Fault], headers: Mapping[str, str] | None = None) -> None:
        self.status = status
        self.faults = (faults,) if isinstance(faults, Fault) else tuple(faults)
        self.headers = dict(headers or {})
        super().__init__(f"{status}: {'; '.join(str(fault) for fault in self.faults)}")


def error_value(status: int, faults: Sequence[Fault]) -> dict[str, object]:
    """The JSON value of an error."""
    listed = [{"code": fault.code, "message": fault.message, "where": fault.where} for fault in faults]
    return {"error": {"status": status, "faults": listed}}


def error_bytes(status: int, faults: Sequence[Fault]) -> bytes:
    return json.dumps(error_value(status, faults), ensure_ascii=False).encode("utf-8", "replace")


def status_of(error: TrackageError) -> int:
    """The status for an error of the library: 422 for wrong input, 413 for too much of it, 500 for our own fault."""
    if isinstance(error, SolverError):
        return 500
    if isinstance(error, LimitExceeded) and any(fault.code in _TOO_LARGE for fault in error.faults):
        return 413
    return 422


def plain_faults(error: TrackageError) -> tuple[Fault, ...]:
    """The faults with places as a caller of the API knows them: ``pin`` in place of the option ``--pin``."""
    return tuple(Fault(fault.code, fault.message, fault.where.removeprefix("--")) for fault in error.faults)
