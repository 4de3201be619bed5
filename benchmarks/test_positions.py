"""Every recorded position, from the parsed position to the checked answer."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.measure import (
    EXAMPLES,
    RECORDED,
    Table,
    Timings,
    load_positions,
    lookup,
    milliseconds,
    problem_of,
    recorded,
)
from routing.result import Status
from routing.solve import solve

#: The sum of the proven optima of each recorded game's positions. Money.
KNOWN_TOTALS = {
    "1830_game_end_bank": 23690,
    "26855": 8850,
    "1894_game_end_final_phase": 15700,
    "green_city_upgrades": 31390,
    "18GB_final_train_exports_on_last_action_of_game": 18770,
    "18gb-3p": 14410,
    "18gb-leased_train": 17860,
    "1828Games_game_end_bankrupt": 9030,
    "23366": 36150,
    "1846_game_end_reason_all_closed": 13670,
    "1846_game_end_reason_bankrupt": 4290,
    "20381": 3580,
    "3099": 27570,
    "hs_sudambau_1600037415": 280,
}
COLUMNS = ("title", "positions", "median", "99 %", "slowest", "all", "median / reference")


@pytest.mark.parametrize("title", RECORDED)
def test_recorded_positions(
    title: str, benchmark: BenchmarkFixture, tables: dict[str, Table], reference: float
) -> None:
    records = recorded(title)
    if not records:
        pytest.skip("../shared is not there")
    timings, totals = Timings(), dict.fromkeys((record.position.game for record in records), 0)

    def all_positions() -> None:
        for record in records:
            found = []
            timings.time(lambda record=record, found=found: found.append(solve(problem_of(record))))
            result = found[0]
            assert result.status is not Status.FEASIBLE
            assert result.revenue >= max(record.claimed_revenue or 0, record.known_best_revenue or 0)
            totals[record.position.game] += result.revenue

    benchmark.pedantic(all_positions, rounds=1, iterations=1)
    assert all(total == KNOWN_TOTALS.get(game, total) for game, total in totals.items())
    table = tables.setdefault("positions", Table("Recorded positions, parsed position to checked answer", COLUMNS))
    table.rows.append(
        (
            title,
            str(len(records)),
            milliseconds(timings.quantile(0.5)),
            milliseconds(timings.quantile(0.99)),
            milliseconds(max(timings.seconds)),
            f"{sum(timings.seconds):.2f} s",
            f"{timings.quantile(0.5) / reference:.2f}",
        )
    )


@pytest.mark.parametrize(("example", "revenue"), [("18gb-lnwr.json", 500), ("1830-erie.json", 380)])
def test_examples(example: str, revenue: int, benchmark: BenchmarkFixture) -> None:
    problem = problem_of(load_positions([EXAMPLES / example], lookup)[0])
    result = benchmark(solve, problem)
    assert (result.revenue, result.status) == (revenue, Status.PROVEN)
