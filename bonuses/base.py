"""The bonus protocol: exact items, a bound that is never too low, a form for the search, and what is not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from board.hexes import StopId
from board.routes import Route
from board.trains import TrainType
from bonuses.terms import Term


@dataclass(frozen=True, slots=True)
class Run:
    """A route as a bonus sees it: the train's rules, the track, what each visited stop pays and which stops count.

    ``values`` holds every visited stop at its value in the phase (money, before multiplication).
    """

    train: TrainType
    route: Route
    values: Mapping[StopId, int]
    counted: frozenset[StopId]

    @property
    def stops(self) -> tuple[StopId, ...]:
        return self.route.stops


@dataclass(frozen=True, slots=True)
class BonusItem:
    """An amount of money earned by one or more routes, given by their places in the route set. ``where`` names the
    stop or hex that earns it."""

    label: str
    amount: int
    routes: tuple[int, ...]
    where: str = ""


class Bonus(Protocol):
    """Everything a title adds to stop values, one object for each printed rule.

    ``source`` names title and section. The three accounts of a bonus agree: ``items`` is exact; the sum of ``terms``
    over the same routes is the same amount; ``at_most`` is never below it.
    """

    @property
    def source(self) -> str: ...

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        """What the whole route set earns, item by item. Independent of the order of the routes, except for places."""
        ...

    def at_most(self, trains: Sequence[TrainType]) -> int:
        """A bound on the sum of ``items`` over any route set that these trains can run. Money."""
        ...

    def terms(self) -> tuple[Term, ...]:
        """The same bonus in the vocabulary of the search."""
        ...

    def unknown(self, runs: Sequence[Run]) -> tuple[str, ...]:
        """One sentence for each value that these runs touch and that nobody has supplied. Usually empty."""
        ...


class KnownBonus:
    """A bonus of which every value is known."""

    def unknown(self, runs: Sequence[Run]) -> tuple[str, ...]:
        return ()
