"""Hard networks: the three largest recorded ones of each title with more and longer trains than anybody owned."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.measure import Table, milliseconds, problem_of, recorded
from routing.problem import RouteProblem
from routing.result import Status
from routing.solve import solve


class Case(NamedTuple):
    """A recorded position with other trains, and its proven optimum (money)."""

    title: str
    game: str
    action: int
    trains: str
    revenue: int


HARD = [
    Case("1830", "1830_game_end_bank", 512, "D D", 750),
    Case("1830", "1830_game_end_bank", 512, "D D D", 840),
    Case("1830", "1830_game_end_bank", 512, "D D D D", 900),
    Case("1830", "1830_game_end_bank", 512, "6 5 D", 840),
    Case("1830", "1830_game_end_bank", 496, "D D D D", 930),
    Case("1830", "1830_game_end_bank", 509, "D D D D", 590),
    Case("1894", "green_city_upgrades", 1029, "D D", 1080),
    Case("1894", "green_city_upgrades", 1029, "D D D", 1190),
    Case("1894", "green_city_upgrades", 1029, "D D D D", 1280),
    Case("1894", "green_city_upgrades", 1029, "7 6 5+1", 920),
    Case("1894", "green_city_upgrades", 1093, "D D D D", 1020),
    Case("1894", "green_city_upgrades", 1083, "D D D D", 1120),
    Case("18GB", "18GB_final_train_exports_on_last_action_of_game", 782, "6X 6X", 890),
    Case("18GB", "18GB_final_train_exports_on_last_action_of_game", 782, "6X 6X 6X", 1200),
    Case("18GB", "18GB_final_train_exports_on_last_action_of_game", 782, "6X 6X 6X 6X", 1390),
    Case("18GB", "18GB_final_train_exports_on_last_action_of_game", 782, "6X 5X 4+2 5+2", 1310),
    Case("18GB", "18GB_final_train_exports_on_last_action_of_game", 763, "6X 6X", 910),
    Case("18GB", "18GB_final_train_exports_on_last_action_of_game", 763, "6X 6X 6X", 1190),
    Case("18GB", "18GB_final_train_exports_on_last_action_of_game", 763, "6X 6X 6X 6X", 1380),
    Case("18GB", "18GB_final_train_exports_on_last_action_of_game", 763, "6X 5X 4+2 5+2", 1320),
    Case("18GB", "18gb-leased_train", 832, "6X 6X 6X 6X", 840),
    Case("18GB", "18gb-leased_train", 832, "6X 5X 4+2 5+2", 810),
    Case("1828", "23366", 1000, "D D", 1010),
    Case("1828", "23366", 1000, "D D D", 1290),
    Case("1828", "23366", 1000, "D D D D", 1500),
    Case("1828", "23366", 1000, "8E D", 990),
    Case("1828", "23366", 1000, "8E 8E D", 1230),
    Case("1828", "23366", 1000, "8E 6 3+D D", 1560),
    Case("1828", "23366", 971, "D D D D", 1000),
    Case("1828", "23366", 876, "D D D D", 1060),
]


@pytest.fixture(scope="module")
def problems() -> dict[tuple[str, int | None], RouteProblem]:
    """The recorded positions of the hard set by game and action."""
    wanted = {(case.game, case.action) for case in HARD}
    return {
        (record.position.game, record.position.action): problem_of(record)
        for title in dict.fromkeys(case.title for case in HARD)
        for record in recorded(title)
        if (record.position.game, record.position.action) in wanted
    }


@pytest.mark.parametrize("case", HARD, ids=lambda case: f"{case.game}-{case.action}-{case.trains}")
def test_hard(
    case: Case,
    problems: dict[tuple[str, int | None], RouteProblem],
    benchmark: BenchmarkFixture,
    tables: dict[str, Table],
    reference: float,
) -> None:
    if (case.game, case.action) not in problems:
        pytest.skip("../shared is not there")
    problem = problems[case.game, case.action].with_trains(tuple(case.trains.split()))
    result = benchmark.pedantic(solve, args=(problem,), rounds=3, iterations=1)
    assert (result.revenue, result.status) == (case.revenue, Status.PROVEN)
    table = tables.setdefault("hard", Table("Hard set", ("position", "trains", "revenue", "best of 3", "/ reference")))
    seconds = benchmark.stats.stats.min if benchmark.stats else result.seconds
    position = f"{case.title} {case.game[:14]} {case.action}"
    table.rows.append((position, case.trains, str(case.revenue), milliseconds(seconds), f"{seconds / reference:.1f}"))
