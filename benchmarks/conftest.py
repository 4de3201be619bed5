"""Collects the tables of the benchmarks and prints them at the end, in units of the reference loop."""

from __future__ import annotations

import pytest

from benchmarks.measure import Table, milliseconds, reference_seconds

_TABLES: dict[str, Table] = {}


@pytest.fixture(scope="session")
def reference() -> float:
    """Seconds of the reference loop in this run."""
    seconds = reference_seconds()
    _TABLES["reference"] = Table(
        "Reference loop", ("", "seconds"), [("300,000 steps of Python", milliseconds(seconds))]
    )
    return seconds


@pytest.fixture(scope="session")
def tables() -> dict[str, Table]:
    """Tables by name; a benchmark adds its rows."""
    return _TABLES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for table in _TABLES.values():
        terminalreporter.write_line("")
        for line in table.lines():
            terminalreporter.write_line(line)
