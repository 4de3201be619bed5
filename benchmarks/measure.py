"""What the benchmarks share: positions, a reference loop that makes days comparable, and the table at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from board.edition import Edition
from records.positions import PositionRecord, load_positions
from routing.problem import RouteProblem
from titles.registry import get_title

ROOT: Final = Path(__file__).resolve().parents[1]
SHARED: Final = ROOT.parent / "shared"
EXAMPLES: Final = ROOT / "docs" / "examples"

#: Titles with recorded positions beside the checkout.
RECORDED: Final = ("1830", "1894", "18GB", "1828", "1846")


def lookup(title: str, options: Iterable[str], players: int | None) -> Edition:
    return get_title(title).edition(options, players)


def recorded(title: str) -> list[PositionRecord]:
    """The recorded positions of a title; empty where ``../shared`` is not there."""
    folder = SHARED / "positions" / title
    return list(load_positions(sorted(folder.glob("*.jsonl")), lookup)) if folder.is_dir() else []


def problem_of(record: PositionRecord) -> RouteProblem:
    return get_title(record.position.edition.title).problem(record.position)


def reference_seconds() -> float:
    """Seconds for a fixed loop of plain Python, the best of five: the unit in which days and machines compare."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        total = 0
        for number in range(300_000):
            total = (total * 31 + number) & 0xFFFFF
        best = min(best, time.perf_counter() - start)
    assert total >= 0
    return best


@dataclass
class Timings:
    """Seconds of many runs of one kind."""

    seconds: list[float] = field(default_factory=list)

    def time(self, work: Callable[[], object]) -> None:
        start = time.perf_counter()
        work()
        self.seconds.append(time.perf_counter() - start)

    def quantile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


@dataclass
class Table:
    """Rows that are printed when all benchmarks have run."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        widths = [max(len(row[place]) for row in (self.columns, *self.rows)) for place in range(len(self.columns))]
        yield self.title
        for row in (self.columns, *self.rows):
            yield "  " + "  ".join(
                cell.ljust(width) if place == 0 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            )


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms"
