"""The graph of states holds exactly the trails that are listed one by one, and finds the best of them under prices."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from board.trains import ANY_STOP, Row, TrainType
from routing.explore import explore
from routing.frontier import Tariff, TooWideError, TrailGraph
from routing.trails import Trails, enumerate_trails, trails_along
from tests.strategies import random_problem

ANY_LENGTH = TrainType("any", (Row(ANY_STOP, None, None),))
BOARDS = range(400)


def track_of(trails: Trails) -> dict[frozenset[int], int]:
    """The links of every trail, with its row."""
    numbers = {frozenset(link.leg.pieces): number for number, link in enumerate(trails.network.links)}
    return {
        frozenset(numbers[frozenset(leg.pieces)] for leg in trails.legs_of(row)): row
        for row in range(len(trails))
        if trails.parent[row] >= 0
    }


@pytest.fixture(scope="module")
def boards() -> list[Trails]:
    found = []
    for seed in BOARDS:
        problem = random_problem(Random(seed))
        network = explore(problem)
        if network.links:
            found.append(enumerate_trails(problem, network, trains=(ANY_LENGTH,)))
    return found


def test_it_holds_every_trail_once_and_no_other(boards: list[Trails]) -> None:
    for trails in boards:
        graph = TrailGraph(trails.network, trails.plan)
        free = Tariff(np.zeros(len(trails.network.stops)), np.zeros(len(trails.network.links)))
        near = graph.near(free, -1.0, most=10**6)
        assert near is not None
        assert len(near) == len(set(near))
        assert {frozenset(links) for links in near} == set(track_of(trails))


def test_the_best_under_prices_is_that_of_the_list(boards: list[Trails]) -> None:
    random = Random(7)
    for trails in boards:
        pay = np.array([10.0 * random.randrange(9) for _ in trails.network.stops])
        price = np.array([float(random.randrange(40)) for _ in trails.network.links])
        worth = {
            track: sum(pay[node] for node in {end for link in track for end in ends(trails, link)})
            - sum(price[link] for link in track)
            for track in track_of(trails)
        }
        graph = TrailGraph(trails.network, trails.plan)
        best, links = graph.best(Tariff(pay, price))
        if not worth:
            assert (best, links) == (-np.inf, ())
            continue
        assert best == max(worth.values()) == worth[frozenset(links)]
        needed = sorted(worth.values())[-1 - len(worth) // 3]
        near = graph.near(Tariff(pay, price), needed, most=10**6)
        assert near is not None
        assert {frozenset(one) for one in near} == {track for track, value in worth.items() if value >= needed}
        assert graph.near(Tariff(pay, price), needed, most=len(near) - 1) is None


def ends(trails: Trails, link: int) -> tuple[int, int]:
    return trails.network.links[link].a, trails.network.links[link].b


def test_trails_along_track_are_those_that_were_listed(boards: list[Trails]) -> None:
    for trails in boards:
        known = track_of(trails)
        wanted = sorted(known, key=sorted)[::3]
        again = trails_along(trails.problem, trails.network, [sorted(track) for track in wanted], (ANY_LENGTH,))
        found = track_of(again)
        assert set(wanted) <= set(found) <= set(known)
        for track in wanted:
            row, other = found[track], known[track]
            assert again.legs_of(row) == trails.legs_of(other)
            assert [word[row] for word in again.words] == [word[other] for word in trails.words]
            assert (again.kinds[row], again.pay[row]) == (trails.kinds[other], trails.pay[other])


def test_a_network_with_too_many_states_is_refused(boards: list[Trails], monkeypatch: pytest.MonkeyPatch) -> None:
    trails = max(boards, key=len)
    states = TrailGraph(trails.network, trails.plan).states
    monkeypatch.setattr("routing.frontier._MOST_STATES", states // 2)
    with pytest.raises(TooWideError):
        TrailGraph(trails.network, trails.plan)
