"""The network in which the operator's routes lie."""

from __future__ import annotations

from dataclasses import replace

from board.hexes import HexId
from board.network import Network, build_network
from bonuses.terms import Reach
from routing.problem import RouteProblem


def explore(problem: RouteProblem, *, without: frozenset[HexId] = frozenset()) -> Network:
    """Everything that a route of the operator can reach.

    Exploration starts from the cities with its tokens; where no token is required, from the stops of which each route
    must visit one. It runs on through blocking cities only where an extension bonus can use them. Track and stops in
    the hexes ``without`` are left out. Every route visits at least one of the network's roots.
    """
    if problem.rules.no_run:
        return Network((), (), (), ())
    if problem.rules.token_required:
        roots = problem.token_stops
    else:
        roots = frozenset(stop for condition in problem.rules.must_visit for stop in condition.stops)
    banned = frozenset(stop for stop in problem.position.stops if stop.hex in without)
    network = build_network(
        problem.position,
        sorted(roots, key=lambda stop: stop.sort_key),
        closed=frozenset(problem.rules.closed) | banned,
        through_blocked=any(isinstance(term, Reach) for term in problem.terms),
    )
    if not without:
        return network
    return replace(network, links=tuple(link for link in network.links if without.isdisjoint(link.hexes)))
