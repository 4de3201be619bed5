"""How the search grows with the network: seeded boards with track of every colour, 20 to 200 links, 1 to 6 trains."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.measure import Table, milliseconds
from benchmarks.synthetic import synthetic
from routing.checker import check
from routing.explore import explore
from routing.result import Status
from routing.solve import solve

#: Links, trains, and the proven optimum (money).
GROWTH = [
    (20, 1, 390),
    (20, 3, 450),
    (20, 6, 450),
    (40, 1, 870),
    (40, 3, 1230),
    (40, 6, 1350),
    (60, 1, 800),
    (60, 3, 1210),
    (60, 6, 1460),
    (80, 1, 1050),
    (80, 3, 1570),
    (80, 6, 1940),
    (110, 1, 1190),
    (110, 3, 1860),
    (110, 6, 2420),
    (140, 1, 2130),
    (140, 3, 2620),
    (140, 6, 3060),
    (200, 1, 3930),
    (200, 3, 4590),
    (200, 6, 5180),
]


@pytest.mark.parametrize(("links", "trains", "revenue"), GROWTH)
def test_growth(links: int, trains: int, revenue: int, benchmark: BenchmarkFixture, tables: dict[str, Table]) -> None:
    problem = synthetic(links, trains)
    network = explore(problem)
    result = benchmark.pedantic(solve, args=(problem,), kwargs={"time_limit": 10.0}, rounds=1, iterations=1)
    assert check(problem, result.routes).legal
    assert (result.revenue, result.status) == (revenue, Status.PROVEN)
    columns = ("links", "stops", "trains", "revenue", "trails, states and nodes", "method", "time")
    table = tables.setdefault("growth", Table("Growth, time limit 10 s", columns))
    figures = (len(network.links), len(network.stops), trains, result.revenue, result.explored)
    table.rows.append((*map(str, figures), result.method, milliseconds(result.seconds)))
