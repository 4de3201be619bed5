"""Routes as values: track, stops, and the items of revenue. No rules here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from board.hexes import HexId, StopId
from board.tiles import Track


class TrackPiece(NamedTuple):
    """A piece of track on the map: the hex and the piece in map orientation (tile rotation applied)."""

    hex: HexId
    track: Track

    def __str__(self) -> str:
        return f"{self.hex}:{self.track}"


@dataclass(frozen=True, slots=True)
class Leg:
    """Track from one stop to the next, piece after piece in travel order."""

    start: StopId
    end: StopId
    pieces: tuple[TrackPiece, ...]

    @property
    def hexes(self) -> tuple[HexId, ...]:
        """The hexes run through in order, both ends included, each once in a row."""
        hexes: list[HexId] = [self.start.hex]
        for piece in self.pieces:
            if piece.hex != hexes[-1]:
                hexes.append(piece.hex)
        return tuple(hexes)

    def reversed(self) -> Leg:
        return Leg(self.end, self.start, self.pieces[::-1])


@dataclass(frozen=True)
class Route:
    """One train's run: the stops in travel order and the legs between them (one fewer than stops).

    ``extensions`` are prolongations beyond the train's range that earn an interconnection bonus (1833NE section 9);
    each starts at an end of the route, and its stops count for nothing.
    """

    train: str
    legs: tuple[Leg, ...]
    extensions: tuple[tuple[Leg, ...], ...] = ()

    @cached_property
    def stops(self) -> tuple[StopId, ...]:
        return (self.legs[0].start, *(leg.end for leg in self.legs)) if self.legs else ()

    @cached_property
    def pieces(self) -> tuple[TrackPiece, ...]:
        """Track of the legs, without extensions."""
        return tuple(piece for leg in self.legs for piece in leg.pieces)

    @cached_property
    def hexes(self) -> tuple[HexId, ...]:
        """Every hex with track of the legs, in travel order, each once."""
        hexes: dict[HexId, None] = {}
        for leg in self.legs:
            hexes[leg.start.hex] = None
            for piece in leg.pieces:
                hexes[piece.hex] = None
        return tuple(hexes)

    def reversed(self) -> Route:
        return Route(self.train, tuple(leg.reversed() for leg in reversed(self.legs)), self.extensions)


RouteSet = tuple[Route, ...]


@dataclass(frozen=True, slots=True, order=True)
class RevenueItem:
    """A named amount of money. ``where`` is the stop, hex or place that it comes from."""

    label: str
    amount: int
    where: str = ""

    def __str__(self) -> str:
        return f"{self.label} {self.amount}"


@dataclass(frozen=True, slots=True)
class ClaimedRoute:
    """A route as somebody claims it: a train, its stops in order, and for each leg the hexes of its track if told.

    ``connections`` may be shorter than the legs or hold empty entries: that track is then open. ``revenue`` is the
    amount claimed for this route (None: not told). ``extensions`` are the stops of prolongations beyond the train's
    range, each from an end of the route outwards (none: left open).
    """

    train: str
    stops: tuple[StopId, ...]
    connections: tuple[tuple[HexId, ...], ...] = ()
    revenue: int | None = None
    extensions: tuple[tuple[StopId, ...], ...] = ()
