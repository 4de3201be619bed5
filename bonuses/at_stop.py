"""Bonuses of one place or of a combination of places on one route, and of a piece of track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from board.hexes import StopId
from board.routes import TrackPiece
from board.trains import TrainType
from bonuses.base import BonusItem, KnownBonus, Run
from bonuses.terms import OnTrack, Term, Touch


@dataclass(frozen=True)
class PlaceBonus(KnownBonus):
    """``amount`` for each route that visits at least one stop of every group of ``groups``.

    One group is a bonus of a place (a private's +30 at Liverpool, a ferry at New Haven); two groups are a pair of
    places (Boston and Montreal, the Netherlands and another exit). With ``counted`` the stops must be among those that
    the train counts, which a train that counts fewer stops than it visits chooses with an eye to such bonuses; their
    amount is not negative. Source: 1846 section 12.
    """

    label: str
    groups: tuple[frozenset[StopId], ...]
    amount: int
    source: str
    counted: bool = False

    def __post_init__(self) -> None:
        if self.counted and self.amount < 0:
            raise ValueError(f"{self.label}: a bonus of counted stops cannot be a loss")

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        found = []
        for place, run in enumerate(runs):
            stops = [stop for stop in run.stops if stop in run.counted] if self.counted else run.stops
            if self.amount and all(group.intersection(stops) for group in self.groups):
                where = next((str(stop) for stop in stops if stop in self.groups[0]), "")
                found.append(BonusItem(self.label, self.amount, (place,), where))
        return tuple(found)

    def at_most(self, trains: Sequence[TrainType]) -> int:
        return max(0, self.amount) * len(trains)

    def terms(self) -> tuple[Term, ...]:
        return (Touch(self.groups, self.amount, self.counted),) if self.amount else ()


@dataclass(frozen=True)
class TrackBonus(KnownBonus):
    """``amount`` for each route that runs over one of the pieces (18GB's estuary crossings)."""

    label: str
    pieces: frozenset[TrackPiece]
    amount: int
    source: str

    def items(self, runs: Sequence[Run]) -> tuple[BonusItem, ...]:
        return tuple(
            BonusItem(
                self.label, self.amount, (place,), next(piece.hex for piece in run.route.pieces if piece in self.pieces)
            )
            for place, run in enumerate(runs)
            if self.pieces.intersection(run.route.pieces)
        )

    def at_most(self, trains: Sequence[TrainType]) -> int:
        return self.amount * len(trains)

    def terms(self) -> tuple[Term, ...]:
        return (OnTrack(self.pieces, self.amount),)
