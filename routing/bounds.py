"""A bound on revenue that costs nothing: for networks too large for a better one."""

from __future__ import annotations

from board.trains import TrainType
from routing.explore import explore
from routing.problem import RouteProblem


def loose_bound(problem: RouteProblem) -> int:
    """No legal route set earns more than this (money): each train takes the best stops that its range allows, as if it
    could reach them all and track were free, and every bonus pays its most."""
    network = explore(problem)
    if not network.links:
        return 0
    position = problem.position
    stops = sorted(((position.value(stop), position.stops[stop].kind) for stop in network.stops), key=lambda s: -s[0])
    total = sum(bonus.at_most(position.train_types) for bonus in problem.bonuses)
    for train in position.train_types:
        total += _most(train, [value for value, kind in stops if kind is not None and train.pays_for(kind)])
    return total


def _most(train: TrainType, values: list[int]) -> int:
    places = 0
    for row in train.rows:
        if row.pay is None:
            return sum(values) * train.multiplier
        places += row.pay
    return sum(values[:places]) * train.multiplier
