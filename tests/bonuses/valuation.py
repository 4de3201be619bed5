"""What terms are worth, straight from their definitions: slow, plain, and written without looking at the bonuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from board.hexes import HexId, Layout, StopId
from bonuses.base import Run
from bonuses.terms import Distance, Highest, Joint, MostStops, OnTrack, Reach, Term, Touch


def worth(term: Term, runs: Sequence[Run]) -> int:
    """The money that the term adds to the route set."""
    if isinstance(term, Joint):
        return _joint(term, runs)
    if isinstance(term, MostStops):
        return max((term.per_stop * len(term.stops & set(run.stops)) for run in runs), default=0)
    return sum(_of_route(term, run) for run in runs)


def _of_route(term: Touch | OnTrack | Highest | Distance | Reach, run: Run) -> int:
    visited = set(run.stops)
    if isinstance(term, Touch):
        stops = visited & run.counted if term.counted else visited
        return term.amount if all(stops & group for group in term.groups) else 0
    if isinstance(term, OnTrack):
        return term.amount if any(piece in term.pieces for leg in run.route.legs for piece in leg.pieces) else 0
    if isinstance(term, Highest):
        return max((term.values.get(stop, 0) for stop in visited), default=0) if visited & term.trigger else 0
    if isinstance(term, Distance):
        ends = [stop for stop in run.stops if stop in term.stops]
        if run.train.name not in term.trains or len(ends) < 2:
            return 0
        return term.per_hex * hexes_apart(term.layout, ends[0].hex, ends[-1].hex)
    for here, there in ((term.one, term.other), (term.other, term.one)):
        if visited & here and not visited & there and _extension_ends(run) & there:
            return term.amount
    return 0


def _extension_ends(run: Run) -> set[StopId]:
    return {extension[-1].end for extension in run.route.extensions if extension}


def hexes_apart(layout: Layout, one: HexId, other: HexId) -> int:
    """The distance in cube coordinates: the largest of the three differences."""

    def cube(hex_id: HexId) -> tuple[int, int, int]:
        x, y = layout.coordinates(hex_id)
        q, r = (x, (y - x) // 2) if layout is Layout.FLAT else ((x - y) // 2, y)
        return q, r, -q - r

    return max(abs(a - b) for a, b in zip(cube(one), cube(other), strict=True))


def _joint(term: Joint, runs: Sequence[Run]) -> int:
    """Every partition tried; with ``once_per_connected_group`` only the one into connected wholes."""
    amounts = [
        sum(_set_earns(term, runs, part) for part in partition)
        for partition in partitions(list(range(len(runs))))
        if all(_hangs_together(term, runs, part) for part in partition)
        and not (term.once_per_connected_group and _could_be_joined(term, runs, partition))
    ]
    return max(amounts)


def partitions(places: list[int]) -> Iterator[list[list[int]]]:
    """Every way to part a list into sets."""
    if not places:
        yield []
        return
    for partition in partitions(places[1:]):
        yield [[places[0]], *partition]
        for number in range(len(partition)):
            yield [*partition[:number], [places[0], *partition[number]], *partition[number + 1 :]]


def _meet(term: Joint, one: Run, other: Run) -> bool:
    return bool((set(one.stops) & set(other.stops)) - term.apart)


def _hangs_together(term: Joint, runs: Sequence[Run], part: list[int]) -> bool:
    reached = {part[0]}
    for _ in part:
        reached |= {place for place in part if any(_meet(term, runs[place], runs[other]) for other in reached)}
    return reached == set(part)


def _could_be_joined(term: Joint, runs: Sequence[Run], partition: list[list[int]]) -> bool:
    return any(
        _meet(term, runs[one], runs[other])
        for part in partition
        for others in partition
        if part is not others
        for one in part
        for other in others
    )


def _set_earns(term: Joint, runs: Sequence[Run], part: list[int]) -> int:
    hexes = {hex_id for place in part for leg in runs[place].route.legs for hex_id in leg.hexes}
    return sum(axis.amount for axis in term.axes if hexes & axis.one and hexes & axis.other)
