"""The result of a search as it is shown: routes, revenue as the checker scored it, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from html import escape

from board.routes import RouteSet
from routing.checker import Verdict


class Status(Enum):
    """How sure a result is."""

    PROVEN = "proven"
    """No legal route set earns more: bound and revenue are equal."""
    FEASIBLE = "feasible"
    """The best found before a limit; ``bound`` says what is still possible."""
    NO_ROUTE = "no route"
    """Proven: nothing earns anything."""


@dataclass(frozen=True, slots=True)
class Result:
    """The best runs of one operating turn.

    ``revenue`` is money as :mod:`routing.checker` scored it, ``bound`` money that no legal route set exceeds.
    ``method`` names what found it (``enumerate`` or ``constraint``), ``seconds`` is how long the search took.
    ``runner_ups`` are the next best sets in falling order, ties first. ``pinned`` are the routes that were kept by
    request, and ``price_of_pins`` is what keeping them costs (money), where that was asked.
    """

    verdict: Verdict
    bound: int
    status: Status
    method: str
    seconds: float
    idle: tuple[str, ...] = ()
    runner_ups: tuple[Verdict, ...] = ()
    pinned: RouteSet = ()
    price_of_pins: int | None = None
    explored: int = 0

    @property
    def routes(self) -> RouteSet:
        return tuple(scored.route for scored in self.verdict.routes)

    @property
    def revenue(self) -> int:
        return self.verdict.revenue

    @property
    def proven(self) -> bool:
        return self.status is not Status.FEASIBLE

    def _repr_html_(self) -> str:
        """The routes with what each stop and bonus pays, and how sure the total is, for notebooks."""
        rows = []
        for scored in self.verdict.routes:
            amounts = [(part.label, part.amount) for part in scored.parts]
            amounts += [(item.label, item.amount) for item in scored.bonuses]
            told = " – ".join(f"{label} {amount}" for label, amount in amounts)
            rows.append((scored.train, scored.revenue, told))
        rows += [("", item.amount, f"{item.label}, together") for item in self.verdict.bonuses if len(item.routes) > 1]
        cells = "".join(
            f"<tr><td>{escape(one)}</td><td>{money}</td><td>{escape(text)}</td></tr>" for one, money, text in rows
        )
        sure = "proven: nothing earns more" if self.proven else f"not proven: at most {self.bound}"
        total = f"<tr><th>total</th><th>{self.revenue}</th><th>{sure}</th></tr>"
        return f"<table><tr><th>train</th><th>revenue</th><th>stops and bonuses</th></tr>{cells}{total}</table>"
