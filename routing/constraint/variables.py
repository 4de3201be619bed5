"""The decisions of the model: for each train one circuit through a depot and the stops that its route visits.

A route is a directed circuit that leaves the depot to its first stop and returns from its last; a stop that it leaves
out has a loop, and so has the depot of an idle train. Parallel links between two stops share one arc in each direction,
and further literals choose among them (several arcs between the same two nodes are unsafe in the solver).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from routing.constraint.data import ModelData, TrainData

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar
    from ortools.sat.python.cp_model_helper import Literal


class ExtensionVariables:
    """A prolongation from one end of a train's route: a flow over links from that end to a partner place.

    Literals: ``on``: there is one; ``source`` and ``sink``: it leaves the route, ends at the node; ``flows``: it runs
    over the link from the node (key: link, node).
    """

    def __init__(self, model: CpModel, data: ModelData, route: RouteVariables, ends: dict[int, IntVar]) -> None:
        self.route = route
        self.ends = ends
        self.on: IntVar = model.new_bool_var("extension")
        self.source: dict[int, IntVar] = {node: model.new_bool_var(f"source {node}") for node in ends}
        self.sink: dict[int, IntVar] = {node: model.new_bool_var(f"sink {node}") for node in sorted(data.partners)}
        self.flows: dict[tuple[int, int], IntVar] = {
            (number, node): model.new_bool_var(f"flow {number} {node}")
            for number, link in enumerate(data.network.links)
            for node in (link.a, link.b)
        }

    def leaving(self, data: ModelData, node: int) -> list[IntVar]:
        """The literals of running on from *node*."""
        return [self.flows[number, node] for number in data.network.links_at[node]]

    def arriving(self, data: ModelData, node: int) -> list[IntVar]:
        """The literals of running to *node*."""
        links = data.network.links
        return [self.flows[number, links[number].other(node)] for number in data.network.links_at[node]]


class RouteVariables:
    """The literals of one train.

    - ``idle``: the train does not run.
    - ``start``, ``end``: the route begins, ends at the node; ``skips``: the node is not on the route.
    - ``arcs``: the route runs from one node to the next, over whichever link.
    - ``uses``: for each link the literals of which one is true where the route runs over it.
    """

    def __init__(self, model: CpModel, data: ModelData, train: TrainData) -> None:
        self.train = train
        self.idle: IntVar = model.new_bool_var(f"idle {train.place}")
        self.start: dict[int, IntVar] = {node: model.new_bool_var(f"start {node}") for node in train.nodes}
        self.end: dict[int, IntVar] = {node: model.new_bool_var(f"end {node}") for node in train.nodes}
        self.skips: dict[int, IntVar] = {node: model.new_bool_var(f"skip {node}") for node in train.nodes}
        self.visits: dict[int, Literal] = {node: skip.negated() for node, skip in self.skips.items()}
        self.links_between: dict[tuple[int, int], tuple[int, ...]] = {}
        for number in train.links:
            link = data.network.links[number]
            self.links_between[link.a, link.b] = (*self.links_between.get((link.a, link.b), ()), number)
        self.arcs: dict[tuple[int, int], IntVar] = {}
        self.arcs_at: dict[int, tuple[IntVar, ...]] = dict.fromkeys(train.nodes, ())
        self.uses: dict[int, tuple[IntVar, ...]] = {}
        for (a, b), links in self.links_between.items():
            both = (model.new_bool_var(f"arc {a} {b}"), model.new_bool_var(f"arc {b} {a}"))
            self.arcs[a, b], self.arcs[b, a] = both
            self.arcs_at[a] += both
            self.arcs_at[b] += both
            for number in links:
                self.uses[number] = both if len(links) == 1 else (model.new_bool_var(f"link {number}"),)

    def visited(self, nodes: Iterable[int]) -> list[Literal]:
        """The literals of those *nodes* that the train can visit."""
        return [self.visits[node] for node in sorted(nodes) if node in self.visits]

    def used(self, links: Iterable[int]) -> list[IntVar]:
        """The literals of running over those *links* that the train can use; their sum counts the used links."""
        return [literal for link in links for literal in self.uses.get(link, ())]


class Variables:
    """The literals of all trains, and of two extensions a route (one from each end) where a bonus asks for any."""

    def __init__(self, model: CpModel, data: ModelData) -> None:
        self.routes: tuple[RouteVariables, ...] = tuple(RouteVariables(model, data, train) for train in data.trains)
        self.extensions: tuple[ExtensionVariables, ...] = ()
        if data.partners:
            self.extensions = tuple(
                ExtensionVariables(model, data, route, ends)
                for route in self.routes
                for ends in (route.start, route.end)
            )

    def extensions_of(self, route: RouteVariables) -> tuple[ExtensionVariables, ...]:
        return tuple(extension for extension in self.extensions if extension.route is route)

    def used(self, link: int) -> list[IntVar]:
        """Every literal that uses up *link*, of routes and of extensions."""
        nodes = {node for extension in self.extensions for number, node in extension.flows if number == link}
        return [
            *(literal for route in self.routes for literal in route.uses.get(link, ())),
            *(extension.flows[link, node] for extension in self.extensions for node in sorted(nodes)),
        ]
