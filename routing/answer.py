"""What a search method hands back, before the checker has seen it."""

from __future__ import annotations

from dataclasses import dataclass

from board.routes import RouteSet


@dataclass(frozen=True, slots=True)
class Answer:
    """The best route set that a method found and how sure it is.

    One route for each train that runs; idle trains are absent. ``revenue`` is the method's own account of it and
    ``bound`` no legal route set earns more than (both money). ``proven`` only when the method has shown that they are
    equal. ``explored`` counts the method's steps (search nodes), for orientation.
    """

    routes: RouteSet
    revenue: int
    bound: int
    proven: bool
    explored: int = 0
