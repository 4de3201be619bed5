"""A position drawn with the runs of a verdict: what each earns, and how sure the total is."""

from __future__ import annotations

from typing import Literal

from board.drawing import RouteNote, Summary, draw_map
from board.position import Position
from board.routes import RevenueItem
from routing.checker import Verdict
from routing.result import Result


def picture_of(
    position: Position,
    verdict: Verdict | None = None,
    result: Result | None = None,
    *,
    title: str = "",
    legend_at: Literal["auto", "none"] = "auto",
) -> str:
    """The map as SVG, with the routes of *verdict* where there is one."""
    if verdict is None:
        return draw_map(position, title=title, legend_at=legend_at)
    notes = [
        RouteNote(
            scored.revenue,
            frozenset(skipped.stop for skipped in scored.skipped),
            (*scored.parts, *(RevenueItem(item.label, item.amount, item.where) for item in scored.bonuses)),
        )
        for scored in verdict.routes
    ]
    joint = tuple(RevenueItem(item.label, item.amount) for item in verdict.bonuses if len(item.routes) > 1)
    summary = Summary(
        total=verdict.revenue,
        bound=result.bound if result is not None else None,
        proven=result.proven if result is not None else None,
        bonuses=joint,
    )
    routes = tuple(scored.route for scored in verdict.routes)
    return draw_map(
        position, routes, title=title, captions=verdict.notices, notes=notes, summary=summary, legend_at=legend_at
    )
