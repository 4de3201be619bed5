"""Late positions of random games of the titles with rich bonuses: 1833NE, standard and Takeover, and 1846.

The games are played by seeds; their positions are kept in the folder for temporary files, under a name that changes
with the code that plays them. What is timed is the way from the position to the checked answer.
"""

from __future__ import annotations

import hashlib
import tempfile
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.games import problems_of
from analysis.random_play import TEMPERS, RandomPlayer, play
from benchmarks.measure import ROOT, Table, Timings, load_positions, lookup, milliseconds
from records.positions import PositionRecord, write_positions
from routing.result import Status
from routing.solve import solve
from rules.actions import Action, RunRoutes
from rules.state import State
from titles.registry import get_title

#: Positions of each kind, and at most so many of one game: the last ones.
POSITIONS: Final = 200
OF_A_GAME: Final = 25
#: From this place in the list of phases on a position is a late one.
LATE: Final = 2
#: With interconnections one position of so many is solved, in so many seconds at most.
OF_FEW: Final = 10
LIMIT: Final = 5.0
#: Actions after which a game is left.
LENGTH: Final = 1_200
#: Folders whose code decides how a game goes.
PLAYED_BY: Final = ("board", "bonuses", "rules", "titles", "analysis/random_play.py", "analysis/random_runs.py")
TABLE: Final = ROOT / "docs" / "example_bonus_table.toml"
COLUMNS: Final = ("kind", "positions", "median", "99 %", "slowest", "all", "median / reference")


class Kind(NamedTuple):
    """Games of a title."""

    name: str
    title: str
    options: tuple[str, ...] = ()


KINDS: Final = (
    Kind("1833NE", "1833NE"),
    Kind("1833NE Takeover", "1833NE", ("takeover_game",)),
    Kind("1846", "1846"),
)


def late_positions(kind: Kind) -> list[PositionRecord]:
    """The positions of the kind, from the kept file where there is one."""
    file = Path(tempfile.gettempdir()) / "trackage-benchmarks" / f"late-{'-'.join((kind.title, *kind.options))}.jsonl"
    file = file.with_stem(f"{file.stem}-{_digest()}")
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        lines = list(write_positions(_played(kind)))
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(load_positions([file], lookup))


def _digest() -> str:
    """Of the files that decide how a game goes."""
    found = hashlib.sha256()
    for name in PLAYED_BY:
        place = ROOT / name
        files = [place] if place.is_file() else sorted([*place.rglob("*.py"), *place.rglob("*.toml")])
        for file in files:
            found.update(file.read_bytes())
    return found.hexdigest()[:12]


def _played(kind: Kind) -> list[PositionRecord]:
    """Late positions of games with rising seeds. Those of the temper that builds and pays most come furthest."""
    title = get_title(kind.title)
    least, most = title.info.players
    temper = next(one for one in TEMPERS if one.name == "climber")
    found: list[PositionRecord] = []
    seed = 0
    while len(found) < POSITIONS:
        seed += 1
        seats = [str(seat) for seat in range(1, least + seed % (most - least + 1) + 1)]
        game = title.game(seats, options=kind.options, seed=seed)
        of_game: list[PositionRecord] = []

        def watch(before: State, action: Action, after: State, of_game: list[PositionRecord] = of_game) -> None:
            phases = list(before.facts.edition.phases)
            if isinstance(action, RunRoutes) and phases.index(before.phase_name) >= LATE:
                of_game.append(PositionRecord(before.position(action.by.name)))

        play(game, RandomPlayer(seed, problems_of(kind.title), temper), length=LENGTH, watch=watch)
        found += of_game[-OF_A_GAME:]
    return found[:POSITIONS]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_late_positions(kind: Kind, benchmark: BenchmarkFixture, tables: dict[str, Table], reference: float) -> None:
    records = late_positions(kind)
    title = get_title(kind.title)
    timings = Timings()

    def all_positions() -> None:
        for record in records:
            found = []
            timings.time(lambda record=record, found=found: found.append(solve(title.problem(record.position))))
            assert found[0].status is not Status.FEASIBLE

    benchmark.pedantic(all_positions, rounds=1, iterations=1)
    table = tables.setdefault("late", Table("Late positions of random games, position to checked answer", COLUMNS))
    table.rows.append(
        (
            kind.name,
            str(len(records)),
            milliseconds(timings.quantile(0.5)),
            milliseconds(timings.quantile(0.99)),
            milliseconds(max(timings.seconds)),
            f"{sum(timings.seconds):.2f} s",
            f"{timings.quantile(0.5) / reference:.2f}",
        )
    )


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.title == "1833NE"], ids=lambda kind: kind.name)
def test_with_interconnections(kind: Kind, benchmark: BenchmarkFixture, tables: dict[str, Table]) -> None:
    """Some of the positions with a bonus table that holds an interconnection, which trains may run beyond their range
    for. Not all are proven within the limit; the table tells how many are."""
    records = late_positions(kind)[::OF_FEW]
    bonus_table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    title = get_title(kind.title)
    timings, proven = Timings(), []

    def all_positions() -> None:
        for record in records:
            problem = title.problem(record.position, bonus_table)
            timings.time(lambda problem=problem: proven.append(solve(problem, time_limit=LIMIT).proven))

    benchmark.pedantic(all_positions, rounds=1, iterations=1)
    columns = ("kind", "positions", "proven", "median", "slowest")
    table = tables.setdefault("interconnections", Table(f"With an interconnection, {LIMIT} s at most", columns))
    median, slowest = (milliseconds(seconds) for seconds in (timings.quantile(0.5), max(timings.seconds)))
    table.rows.append((kind.name, str(len(records)), str(sum(proven)), median, slowest))
