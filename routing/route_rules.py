"""A title's choices about routes as one frozen record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from board.hexes import StopId


@dataclass(frozen=True, slots=True)
class MustVisit:
    """Every route must visit at least one of ``stops``; ``reason`` says why, for people."""

    stops: frozenset[StopId]
    reason: str


@dataclass(frozen=True)
class RouteRules:
    """What the title and the state of the game say about the operator's routes this turn.

    - ``as_token``: stops that count as holding an own token (1833NE's P4 and P6).
    - ``token_required``: whether a route must visit an own token (1828's Cobourg & Peterborough need not).
    - ``closed``: stops that no route may touch, with the reason (1894 London without a ferry).
    - ``groups``: further names, beside printed groups, of which a route may visit one stop (1894 Paris).
    - ``must_visit``: conditions that each route must meet.
    - ``pays_only_with``: stops that pay nothing on a route that does not also visit one of the stops named with them
      (1833NE's Delaware & Hudson exit without Montreal).
    - ``hex_pays_once``: of several stops of a route on one hex only one pays; they are worth the same (18GB).
    - ``no_run``: why the operator may not run at all this turn; empty where it may.
    - ``source``: title and digest section.
    """

    as_token: frozenset[StopId] = frozenset()
    token_required: bool = True
    closed: Mapping[StopId, str] = field(default_factory=dict)
    groups: Mapping[StopId, tuple[str, ...]] = field(default_factory=dict)
    must_visit: tuple[MustVisit, ...] = ()
    pays_only_with: Mapping[StopId, frozenset[StopId]] = field(default_factory=dict)
    hex_pays_once: bool = False
    no_run: str = ""
    source: str = ""
