"""The words beside the map: heading, routes with their stops and amounts, total and how sure it is, captions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from board.drawing.lines import RouteNote, swatch
from board.drawing.svg import GLUE, INK, group, shortened, tag, width_of, words, wrapped
from board.hexes import StopId
from board.position import Position
from board.routes import RevenueItem, Route, RouteSet

HEADING: Final = 24.0
SIZE: Final = 15.0
LEADING: Final = 20.0
_SMALL: Final = 13.0
_INDENT: Final = 52.0
_SWATCH: Final = 34.0
_COLUMN: Final = 420.0
_GAP: Final = 26.0
_LONGEST: Final = 600
_PROVEN: Final = "#0b6b3a"
_OPEN: Final = "#9a4b00"


@dataclass(frozen=True, slots=True)
class Summary:
    """What the legend says about all routes together.

    ``total`` is the revenue of the set (money; None: not told) and ``bound`` what no legal set exceeds. ``proven``
    says whether the total is shown to be the best (None: not told). ``bonuses`` are amounts that no single route earns.
    """

    total: int | None = None
    bound: int | None = None
    proven: bool | None = None
    bonuses: tuple[RevenueItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Markup whose upper left corner is the origin."""

    markup: str
    height: float


def default_title(position: Position) -> str:
    """``1830, phase 5: NYC runs 5, 6``."""
    trains = f" runs {', '.join(position.trains)}" if position.trains else ""
    return f"{position.edition.title}, phase {position.phase.name}: {position.operator}{trains}"


def heading(title: str, width: float) -> Block:
    lines = wrapped(shortened(title, _LONGEST), width, HEADING, bold=True)[:3]
    markup = "".join(
        words(line, complex(0, HEADING * 0.5 + HEADING * 1.2 * place), HEADING, bold=True, anchor=None)
        for place, line in enumerate(lines)
    )
    return Block(tag("g", markup, class_="title") if markup else "", HEADING * 1.2 * len(lines))


def legend(
    position: Position,
    routes: RouteSet,
    notes: Sequence[RouteNote],
    *,
    summary: Summary,
    captions: Sequence[str],
    width: float,
) -> Block:
    """Routes in as many columns as *width* holds, below them the total, the key and the captions."""
    columns = max(1, min(len(routes), int((width + _GAP) // (_COLUMN + _GAP))))
    column = (width - _GAP * (columns - 1)) / columns
    blocks = [_route(position, route, notes[place], place, column) for place, route in enumerate(routes)]
    parts, y = [], 0.0
    for first in range(0, len(blocks), columns):
        row = blocks[first : first + columns]
        for place, block in enumerate(row):
            parts.append(_at(block.markup, place * (column + _GAP), y))
        y += max(block.height for block in row) + 8
    for block in (*_closing(routes, notes, summary, width), *_captions(captions, width)):
        parts.append(_at(block.markup, 0, y))
        y += block.height
    return Block(group(parts, class_="legend"), y)


def _at(markup: str, x: float, y: float) -> str:
    return tag("g", markup, transform=f"translate({x:.1f} {y:.1f})")


def _route(position: Position, route: Route, note: RouteNote, place: int, width: float) -> Block:
    earned = f": {note.revenue}" if note.revenue is not None else ""
    head = words(f"Train {route.train}{earned}", complex(_INDENT, LEADING / 2), SIZE, bold=True, anchor=None)
    body, height = _paragraph(route_text(position, route, note), width - _INDENT, SIZE, complex(_INDENT, LEADING))
    markup = swatch(place, complex(4, LEADING / 2), _SWATCH) + head + body
    return Block(tag("g", markup, class_="legend-route", data_route=place), LEADING + height)


def _paragraph(text: str, width: float, size: float, at: complex = 0j, *, fill: str = INK) -> tuple[str, float]:
    """Wrapped text whose first line lies below *at*; its height."""
    leading = size * LEADING / SIZE
    lines = wrapped(shortened(text, _LONGEST * 2), width, size)
    markup = "".join(
        words(line, at + 1j * leading * (place + 0.5), size, anchor=None, fill=fill) for place, line in enumerate(lines)
    )
    return markup, leading * len(lines)


def route_text(position: Position, route: Route, note: RouteNote) -> str:
    """``Montreal 40 – Ottawa 30 – (Toronto) + E–W bonus 60``: uncounted stops stand in brackets."""
    amounts: dict[str, int] = {}
    others = []
    visited = frozenset(route.stops)
    for item in note.items:
        if item.where in visited:
            amounts[item.where] = amounts.get(item.where, 0) + item.amount
        else:
            others.append(str(item))
    words_ = [_stop_text(position, stop, note, amounts) for stop in route.stops]
    text = f"{GLUE}– ".join(words_) or "runs inside one city"
    return text + "".join(f" + {other}" for other in others)


def _stop_text(position: Position, stop: StopId, note: RouteNote, amounts: dict[str, int]) -> str:
    name = position.edition.map.names.get(stop.hex) or str(stop.hex)
    if stop in note.skipped:
        return f"({name})"
    amount = amounts.get(stop)
    if amount is None:
        amount = position.value(stop) if stop in position.stops else 0
    return f"{name}{GLUE}{amount}"


def _closing(routes: RouteSet, notes: Sequence[RouteNote], summary: Summary, width: float) -> Iterator[Block]:
    """Joint bonuses, the total with how sure it is, and what rings and dotted lines mean."""
    if summary.bonuses:
        text = "Together: " + ", ".join(map(str, summary.bonuses))
        markup, height = _paragraph(text, width, SIZE)
        yield Block(markup, height)
    if summary.total is not None or summary.proven is not None:
        yield _total(summary, width)
    key = []
    if any(note.skipped for note in notes):
        key.append("dashed ring and brackets: visited, not counted")
    if any(route.extensions for route in routes):
        key.append("dotted line: beyond the train's range, counts for a bonus only")
    if key:
        markup, height = _paragraph("; ".join(key), width, _SMALL, 2j, fill="#55514a")
        yield Block(tag("g", markup, class_="key"), height + 4)


def _total(summary: Summary, width: float) -> Block:
    """The total and, beside it or below, whether it is proven."""
    text = f"Total {summary.total}" if summary.total is not None else ""
    size = SIZE + 3
    markup = words(text, complex(0, LEADING * 0.65), size, bold=True, anchor=None) if text else ""
    height = LEADING * 1.5
    if summary.proven is not None:
        verdict = "proven: no legal set of runs earns more" if summary.proven else _unproven(summary)
        x = width_of(text, size, bold=True) + 14 if text else 0.0
        y = LEADING * 0.65
        if x + width_of(verdict, SIZE, bold=True) > width:
            x, y, height = 0.0, LEADING * 1.75, LEADING * 2.5
        colour = _PROVEN if summary.proven else _OPEN
        markup += words(verdict, complex(x, y), SIZE, bold=True, anchor=None, fill=colour, class_="proof")
    return Block(tag("g", markup, class_="total"), height)


def _unproven(summary: Summary) -> str:
    if summary.bound is None:
        return "best found, not proven"
    return f"best found, not proven; no set earns more than {summary.bound}"


def _captions(captions: Sequence[str], width: float) -> Iterator[Block]:
    for caption in captions:
        markup, height = _paragraph(caption, width, _SMALL, 2j, fill="#3d3a34")
        yield Block(tag("g", markup, class_="caption"), height + 4)
