"""What a bonus looks like to a search: a closed vocabulary of terms.

The exact account of a bonus is :meth:`bonuses.base.Bonus.items`. A search cannot call it for every combination of
routes, so each bonus also states itself in these terms, which both search methods know how to value. The sum of a
bonus's terms over a route set is exactly what ``items`` pays; a test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from board.hexes import HexId, Layout, StopId
from board.routes import TrackPiece


@dataclass(frozen=True, slots=True)
class Touch:
    """``amount`` for each route that visits at least one stop of every group; with ``counted`` for each route that
    counts one of every group, and then ``amount`` is positive. Money."""

    groups: tuple[frozenset[StopId], ...]
    amount: int
    counted: bool = False


@dataclass(frozen=True, slots=True)
class OnTrack:
    """``amount`` for each route that runs over at least one of the pieces. Money."""

    pieces: frozenset[TrackPiece]
    amount: int


@dataclass(frozen=True, slots=True)
class Highest:
    """For each route that visits a trigger stop: the largest of ``values`` among all its visited stops. Money.

    Stops without an entry count 0.
    """

    trigger: frozenset[StopId]
    values: Mapping[StopId, int]


@dataclass(frozen=True, slots=True)
class Distance:
    """For each route of one of the trains: ``per_hex`` (money) for each hex of straight-line distance between its first
    and last visited stop among ``stops``; nothing with fewer than two of them."""

    trains: frozenset[str]
    per_hex: int
    stops: frozenset[StopId]
    layout: Layout


@dataclass(frozen=True, slots=True)
class Axis:
    """A bonus between two directions, each a set of hexes: a set of connected routes that runs through a hex of both
    earns ``amount``. Money."""

    label: str
    one: frozenset[HexId]
    other: frozenset[HexId]
    amount: int


@dataclass(frozen=True, slots=True)
class Joint:
    """The routes are parted into sets; a set hangs together by stops that two routes share, those of ``apart`` not
    counting. Each set earns each axis once; the partition that pays most is taken, or, with
    ``once_per_connected_group``, the partition into connected wholes."""

    axes: tuple[Axis, ...]
    apart: frozenset[StopId]
    once_per_connected_group: bool = False


@dataclass(frozen=True, slots=True)
class Reach:
    """``amount`` for each route that visits a stop of ``one`` and is prolonged from an end to a stop of ``other`` (or
    the other way round), over track that no route of the company uses, even through blocking cities. A route that
    visits both earns nothing here. Money."""

    one: frozenset[StopId]
    other: frozenset[StopId]
    amount: int


@dataclass(frozen=True, slots=True)
class MostStops:
    """Once a turn, for the one route that visits most of ``stops``: ``per_stop`` (money) for each of them that it
    visits. ``per_stop`` is positive, so that of all routes to choose from the best one is the right one."""

    per_stop: int
    stops: frozenset[StopId]


Term = Touch | OnTrack | Highest | Distance | Joint | Reach | MostStops

#: Terms whose amount depends on one route alone, without extension.
PER_ROUTE = (Touch, OnTrack, Highest, Distance)
