"""The one mapping from what may go wrong to the exit status, and the last resort.

====== ==========================================================================================
status meaning
====== ==========================================================================================
0      done, and nothing to complain about
1      done, and the answer is a complaint: an illegal claim, a wrong revenue
2      the input or the call is wrong; standard error holds one line for each fault
3      a fault of this program: please report it
130    interrupted (Ctrl-C)
141    whoever read the output has gone away
====== ==========================================================================================
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import typer

from board.errors import InputError, LimitExceeded, RuleViolation, SolverError, TrackageError

DONE: Final = 0
COMPLAINT: Final = 1
WRONG_INPUT: Final = 2
OUR_FAULT: Final = 3
INTERRUPTED: Final = 130
READER_GONE: Final = 141

#: The exit status of each kind of error; a kind stands for those that descend from it.
STATUS: Final[dict[type[TrackageError], int]] = {
    InputError: WRONG_INPUT,
    RuleViolation: WRONG_INPUT,
    LimitExceeded: WRONG_INPUT,
    SolverError: OUR_FAULT,
}

#: Set this variable to see the Python traceback of a fault of the program.
TRACEBACK_VARIABLE: Final = "TRACKAGE_TRACEBACK"

#: What the system says where standard output takes no more, or never took anything.
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

#: The root of the errors that the command-line parser raises: BadParameter < UsageError < ClickException.
_CallError: Final = typer.BadParameter.__mro__[2]


def status_of(error: TrackageError) -> int:
    """The exit status for *error*."""
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), OUR_FAULT)


def report(error: TrackageError) -> int:
    """Print one line for each fault to standard error; returns the exit status."""
    for fault in error.faults:
        _complain(str(fault))
    return status_of(error)


def guarded(run: Callable[[], object]) -> int:
    """Run a command and turn everything that may come out of it into an exit status; never lets a traceback through."""
    if sys.stdout is None:
        _complain("standard output is closed: there is nowhere to answer")
        return WRONG_INPUT
    try:
        try:
            outcome = run()
            sys.stdout.flush()
            return outcome if isinstance(outcome, int) else DONE
        except TrackageError as error:
            return report(error)
    except (KeyboardInterrupt, typer.Abort):
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_what_is_buffered()
        return READER_GONE
    except typer.Exit as ended:
        return ended.exit_code
    except Exception as error:
        if isinstance(error, _CallError):
            return _wrong_call(error)
        if isinstance(error, OSError) and error.errno in _NO_ROOM and not error.filename:
            _drop_what_is_buffered()
            _complain(f"standard output: cannot be written: {os.strerror(error.errno)}")
            return WRONG_INPUT
        if os.environ.get(TRACEBACK_VARIABLE):
            traceback.print_exc()
        _complain(
            f"a fault of this program, {type(error).__name__}: {' '.join(str(error).split())[:200]}; please report it, "
            f"with the input (set {TRACEBACK_VARIABLE}=1 for details)"
        )
        return OUR_FAULT


def _drop_what_is_buffered() -> None:
    """Standard output takes no more; what is still buffered would fail again when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _wrong_call(error: Exception) -> int:
    """A call that the parser does not understand: one line, and where to look."""
    message = getattr(error, "format_message", lambda: str(error))()
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "trackage"
    _complain(f"{' '.join(message.split())} Try: {command} --help")
    return WRONG_INPUT


def _complain(text: str) -> None:
    """One line on standard error, whatever its encoding."""
    encoding = getattr(sys.stderr, "encoding", None) or "ascii"
    with suppress(BrokenPipeError, ValueError):
        print(f"trackage: {text}".encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr, flush=True)
