"""A checked route set as text for people and as JSON for programs. The parts that are shown add up to the total."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.tracks import route_text, stop_text
from board.errors import Fault
from board.hexes import StopId
from board.position import Position
from cli.screen import GLUE, columns, hanging
from routing.checker import ScoredRoute, Verdict


def verdict_lines(verdict: Verdict, position: Position, *, explain: bool = False) -> Iterator[str]:
    """The routes with stops and amounts, what several earn together, and the total. Money adds up downwards."""
    rows: list[list[str]] = []
    for scored in verdict.routes:
        rows.append([scored.train, str(scored.revenue), _sum(scored, position)])
        rows += [["", "", line] for line in _remarks(scored, position, explain=explain)]
    for item in verdict.bonuses:
        if len(item.routes) > 1:
            trains = [verdict.routes[place].train for place in item.routes]
            rows.append([item.label, str(item.amount), f"earned together by the routes of {_listed(trains)}"])
    rows.append(["total", str(verdict.revenue), ""])
    lines = list(columns(rows, right=(1,)))
    yield from (f"  {line}" for line in lines)


def _sum(scored: ScoredRoute, position: Position) -> str:
    """``F6 Cleveland 30 – [G7 Akron & Canton] – H10 Pittsburgh 20 + mail 10``: brackets round what is not counted."""
    amounts = {part.where: part.amount for part in scored.parts}
    multiplier = _multiplier(scored, position)
    stops = []
    for stop in scored.stops:
        if stop not in amounts:
            stops.append(f"[{_named(stop, position)}]")
        elif multiplier > 1 and amounts[stop]:
            stops.append(f"{_named(stop, position)} {multiplier}×{amounts[stop] // multiplier}")
        else:
            stops.append(f"{_named(stop, position)} {amounts[stop]}")
    bonuses = [f"+ {item.label} {item.amount}" for item in scored.bonuses]
    pieces = [stop + " –" for stop in stops[:-1]] + stops[-1:] + bonuses
    return " ".join(piece.replace(" ", GLUE) for piece in pieces)


def _multiplier(scored: ScoredRoute, position: Position) -> int:
    train = position.edition.trains.get(scored.train)
    return train.multiplier if train is not None else 1


def _remarks(scored: ScoredRoute, position: Position, *, explain: bool) -> Iterator[str]:
    if scored.range_used:
        yield scored.range_used
    reasons: dict[str, list[str]] = {}
    for skipped in scored.skipped:
        reasons.setdefault(skipped.reason, []).append(_named(skipped.stop, position))
    for reason, names in reasons.items():
        yield f"{_listed(names)} {'adds' if len(names) == 1 else 'add'} nothing: {reason}"
    if scored.explanation:
        yield scored.explanation
    for legs in scored.route.extensions:
        beyond = "-".join([stop_text(legs[0].start, position), *(stop_text(leg.end, position) for leg in legs)])
        yield f"prolonged beyond its range: {beyond} over {' '.join(hex_id for leg in legs for hex_id in leg.hexes)}"
    if explain:
        yield f"as text: {route_text(scored.route, position)}"


def _named(stop: StopId, position: Position) -> str:
    name = position.edition.map.names.get(stop.hex, "")
    return f"{stop_text(stop, position)} {name}".strip()


def _listed(names: Sequence[str]) -> str:
    """``A, B and C``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def fault_lines(faults: Sequence[Fault], indent: str = "  ") -> Iterator[str]:
    """One line for each fault, wrapped."""
    for fault in faults:
        first, *others = hanging(str(fault), len(indent) + 2)
        yield f"{indent}- {first}"
        yield from others


def heading(position: Position, source: str) -> str:
    """``1830 · ERIE in phase 5 with 5, 4 · game example, action 12 · erie.json:1``."""
    trains = ", ".join(position.trains) or "no train"
    origin = ", ".join(
        filter(None, (position.game, f"action {position.action}" if position.action is not None else ""))
    )
    parts = (
        position.edition.title,
        f"{position.operator} in phase {position.phase.name} with {trains}",
        origin,
        source,
    )
    return " · ".join(filter(None, parts))
