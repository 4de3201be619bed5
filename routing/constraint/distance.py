"""The straight-line distance between the outermost stops of a route, for bonuses that pay for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from board.hexes import Layout
from bonuses.terms import Distance
from routing.constraint.data import ModelData
from routing.constraint.variables import RouteVariables

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar


def distance_parts(
    model: CpModel, data: ModelData, route: RouteVariables, term: Distance
) -> Iterator[tuple[int, IntVar]]:
    """Amounts of money, each with the literal that earns it, whose sum is what the term pays for the route.

    The distance is the largest of six differences of coordinates between the last and the first measured stop, of
    which the solver chooses one; of three where the route may be turned round for it.
    """
    nodes = data.nodes_of(term.stops)
    first = _outermost(model, route, nodes, route.start, forward=True)
    last = _outermost(model, route, nodes, route.end, forward=False)
    directions = []
    for across, along in _directions(term.layout)[: 3 if data.told_by_distance(route.train) else 6]:
        directions.append(model.new_bool_var(f"direction {across} {along}"))
        for ends, sign in ((first, -1), (last, 1)):
            measured = {node: model.new_bool_var(f"measured {node}") for node in ends}
            model.add(sum(measured.values()) == directions[-1])
            for node, literal in measured.items():
                model.add_implication(literal, ends[node])
                x, y = term.layout.coordinates(data.hexes[node])
                yield sign * term.per_hex * ((across * x + along * y) // 2), literal
    model.add_at_most_one(directions)


def _outermost(
    model: CpModel, route: RouteVariables, nodes: frozenset[int], at_end: dict[int, IntVar], *, forward: bool
) -> dict[int, IntVar]:
    """For each of *nodes* a literal that holds only if the route visits none of them before it (forward) or after it.

    From that end of the route a flow runs over its arcs, past other stops, to the first of *nodes*.
    """
    into: dict[int, list[IntVar]] = {node: [at_end[node]] for node in route.train.nodes}
    out: dict[int, list[IntVar]] = {node: [] for node in route.train.nodes if node not in nodes}
    for arc, literal in route.arcs.items():
        here, there = arc if forward else arc[::-1]
        if here in out:
            flow = model.new_bool_var(f"outside {here} {there}")
            model.add_implication(flow, literal)
            out[here].append(flow)
            into[there].append(flow)
    for node, leaving in out.items():
        model.add(sum(leaving) <= sum(into[node]))
    outermost = {node: model.new_bool_var(f"outermost {node}") for node in into if node not in out}
    for node, literal in outermost.items():
        model.add(literal <= sum(into[node]))
    model.add_at_most_one(outermost.values())
    return outermost


def _directions(layout: Layout) -> tuple[tuple[int, int], ...]:
    """Factors (x, y) such that the straight-line distance is the largest half of a sum of factor times difference:
    three directions, then their opposites. Source: COMMON section 1, "Distance as the crow flies".
    """
    straight = (2, 0) if layout is Layout.FLAT else (0, 2)
    ahead = (straight, (1, 1), (1, -1))
    return (*ahead, *((-across, -along) for across, along in ahead))
