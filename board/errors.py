"""The error tree of the whole project.

::

    TrackageError
    ├── InputError        something given cannot be read or contradicts itself; lists every fault
    ├── RuleViolation     readable, but against the rules of the title at this moment
    ├── LimitExceeded     larger or longer than this program is willing to work on
    └── SolverError       our own fault: an answer did not stand up to the checker

Everything that the program raises on purpose descends from :class:`TrackageError`. A fault says what is wrong, where,
and what would be right; the edges (``cli``, ``service``) print faults and never a traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that is wrong.

    ``code`` is stable and meant for programs (``unknown-tile``), ``message`` is one sentence for people that says what
    is wrong and what would be right, ``where`` is the place: a file and line, a JSON path, a hex, an action id.
    """

    code: str
    message: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message

    def at(self, prefix: str) -> Fault:
        """The same fault, its place set inside *prefix* (a file name, a line, an action)."""
        return Fault(self.code, self.message, f"{prefix}: {self.where}" if self.where else prefix)


class TrackageError(Exception):
    """Root of all errors that are raised on purpose; carries at least one fault."""

    def __init__(self, faults: Fault | Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def at(self, prefix: str) -> TrackageError:
        """The same error with *prefix* before the place of each fault."""
        return type(self)(fault.at(prefix) for fault in self.faults)


class InputError(TrackageError):
    """Input that cannot be read or that contradicts itself: file, key, text, position."""


class RuleViolation(TrackageError):
    """A readable action or claim that the rules do not allow here."""


class LimitExceeded(TrackageError):
    """Input or work beyond the documented bounds of size, depth or time."""


class SolverError(TrackageError):
    """The checker refused an answer of our own search; never shown as a result."""
