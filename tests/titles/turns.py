"""Positions of real titles for tests, written short.

position = turn("1894", "Brown", "Est", "5+1", tiles={"F15": ("X2", 3)}, tokens={"E16.c0": "Belge"})
verdict = run(position, ("2", "E16.c0 F15.c0"))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from board.hexes import HexId, StopId
from board.position import Placement, Position, PrivateState
from board.routes import Leg, Route, TrackPiece
from board.tiles import Track
from bonuses.base import Bonus, Run
from routing.checker import Verdict, check
from tests.boards import make_route, make_tokens
from titles.registry import get_title


def turn(
    title: str,
    phase: str,
    operator: str,
    trains: str,
    *,
    tiles: Mapping[str, tuple[str, int]] | None = None,
    tokens: Mapping[str, str] | None = None,
    players: int | None = None,
    options: Iterable[str] = (),
    owners: Mapping[str, str] | None = None,
    privates: Mapping[str, tuple[str, bool]] | None = None,
    markers: Mapping[str, object] | None = None,
) -> Position:
    """A validated position of a real title."""
    return Position.build(
        get_title(title).edition(options, players),
        phase=phase,
        operator=operator,
        trains=trains.split(),
        tiles={HexId(hex_id): Placement(*placement) for hex_id, placement in (tiles or {}).items()},
        tokens=make_tokens(tokens or {}),
        owners=owners,
        privates={name: PrivateState(*state) for name, state in (privates or {}).items()},
        markers=markers,
    )


def run(
    position: Position,
    *routes: tuple[str, str],
    table: Mapping[str, object] | None = None,
    extensions: tuple[str, ...] = (),
) -> Verdict:
    """What the checker says of the routes, each a train and its stops; *extensions* prolong the first."""
    problem = get_title(position.edition.title).problem(position, table)
    made = [
        make_route(problem, train, path, extensions=extensions if not place else ())
        for place, (train, path) in enumerate(routes)
    ]
    return check(problem, tuple(made))


def bonus_items(verdict: Verdict) -> list[tuple[str, int]]:
    """Every bonus of the verdict as label and amount: of single routes in their order, then joint ones."""
    found = [item for scored in verdict.routes for item in scored.bonuses]
    found += [item for item in verdict.bonuses if item not in found]
    return [(item.label, item.amount) for item in found]


def codes(verdict: Verdict) -> set[str]:
    return {fault.code for fault in verdict.all_faults}


def pretended(position: Position, train: str, *paths: str) -> tuple[Run, ...]:
    """Runs that visit the stops of each path, whatever track lies there: for bonuses that look at stops alone."""
    runs = []
    for path in paths:
        stops = tuple(StopId.parse(word) for word in path.split())
        route = Route(train, tuple(Leg(one, other, (_piece(one), _piece(other))) for one, other in pairwise(stops)))
        values = {stop: position.value(stop) for stop in stops}
        runs.append(Run(position.edition.trains[train], route, values, frozenset(stops)))
    return tuple(runs)


def _piece(stop: StopId) -> TrackPiece:
    return TrackPiece(stop.hex, Track.between(0, stop.part))


def earned(bonuses: Iterable[Bonus], runs: tuple[Run, ...]) -> dict[str, int]:
    """What the bonuses pay for the runs together, by label."""
    found: dict[str, int] = {}
    for bonus in bonuses:
        for item in bonus.items(runs):
            found[item.label] = found.get(item.label, 0) + item.amount
    return found
