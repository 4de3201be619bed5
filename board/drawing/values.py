"""What stops pay: a small disc for a fixed value, a row of boxes for values by phase, the current one emphasised."""

from __future__ import annotations

from typing import Final, NamedTuple

from board.drawing.palette import TILE_DEEP
from board.drawing.svg import INK, fitted, tag, words
from board.phases import TILE_COLOURS, Phase
from board.tiles import Revenue

DISC: Final = 7.4
"""Radius of the disc round a value."""
_BOX: Final = 16.0
_HIGH: Final = 12.5
_CAPTION: Final = 6.0


class Cell(NamedTuple):
    """One value of several. ``caption`` is the phase where the value goes by phase."""

    amount: int
    fill: str
    current: bool
    caption: str


def cells_of(revenue: Revenue, phase: Phase) -> tuple[Cell, ...]:
    """The values by colour or by phase, in printed order; empty for a fixed value."""
    if revenue.by_phase:
        return tuple(Cell(amount, "#ffffff", name == phase.name, name) for name, amount in revenue.by_phase)
    newest = next(
        (
            colour
            for colour in reversed(TILE_COLOURS)
            if colour in phase.tile_colours and colour in dict(revenue.by_colour)
        ),
        "",
    )
    return tuple(
        Cell(amount, TILE_DEEP.get(colour, "#ffffff"), colour == newest, "") for colour, amount in revenue.by_colour
    )


def half_size(revenue: Revenue) -> tuple[float, float]:
    """Half the width and height of the drawing of this value."""
    if revenue.by_phase:
        return _BOX * len(revenue.by_phase) / 2 + 1, (_HIGH + _CAPTION) / 2 + 1
    if revenue.by_colour:
        return _BOX * len(revenue.by_colour) / 2 + 1, _HIGH / 2 + 1
    return DISC, DISC


def varies(revenue: Revenue) -> bool:
    return bool(revenue.by_colour or revenue.by_phase)


def value(revenue: Revenue, phase: Phase, at: complex) -> str:
    """The value with its middle at *at*."""
    cells = cells_of(revenue, phase)
    if not cells:
        return _disc(revenue.fixed, at)
    left = at.real - _BOX * len(cells) / 2
    middle = at.imag + (_CAPTION / 2 if cells[0].caption else 0)
    ordered = sorted(enumerate(cells), key=lambda item: item[1].current)  # the current one on top of its neighbours
    boxes = (_cell(cell, complex(left + _BOX * (place + 0.5), middle)) for place, cell in ordered)
    return tag("g", *boxes, class_="values")


def _disc(amount: int, at: complex) -> str:
    text, size = fitted(str(amount), DISC * 1.75, 8.6, 5, bold=True)
    return tag(
        "g",
        tag("circle", cx=at.real, cy=at.imag, r=DISC, fill="#ffffff", stroke=INK, stroke_width=0.8),
        words(text, at, size, bold=True),
        class_="value",
    )


def _cell(cell: Cell, at: complex) -> str:
    text, size = fitted(str(cell.amount), _BOX * 0.84, 9.6 if cell.current else 8.4, 5, bold=cell.current)
    parts = [
        tag(
            "rect", x=at.real - _BOX / 2, y=at.imag - _HIGH / 2, width=_BOX, height=_HIGH, rx=1.5, fill=cell.fill,
            stroke=INK if cell.current else "#6f6a60", stroke_width=1.9 if cell.current else 0.5,
        ),
        words(text, at, size, bold=cell.current, fill=INK if cell.current else "#4a463f"),
    ]  # fmt: skip
    if cell.caption:
        caption, small = fitted(cell.caption, _BOX, 5.6, 4)
        parts.append(words(caption, at - 1j * (_HIGH / 2 + _CAPTION / 2), small))
    return tag("g", *parts, class_="value current" if cell.current else "value")
