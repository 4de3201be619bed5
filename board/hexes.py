"""Hexes: identity, the two layouts, neighbours and straight-line distance.

Hexes are named letter then number (``E16``); a lower-case letter lies one column (or row) before ``A``. In the *flat*
layout (18GB, 1833NE) letters are columns, in the *pointy* layout (1830, 1828, 1894) they are rows. Sides are numbered
0 to 5 clockwise. Source: COMMON section 1.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import Final

from board.errors import Fault, InputError

SIDES: Final = range(6)
_HEX: Final = re.compile(r"[A-Za-z]([1-9][0-9]?|0)")


class HexId(str):
    """A hex as printed on the map, e.g. ``E16``. A string with meaning: compares, hashes and prints as its text."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> HexId:
        """The hex named *text*.

        Raises :class:`InputError` (``malformed-hex``) for anything but one letter and a number from 0 to 99.
        """
        if not isinstance(text, str) or not _HEX.fullmatch(text):
            raise InputError(Fault("malformed-hex", f"{text!r} is not a hex; a hex is a letter and a number, as E16"))
        return cls(text)

    @property
    def letter(self) -> int:
        """0 for A, 1 for B, …; -1 for a, -2 for b."""
        return ord(self[0]) - ord("A") if self[0].isupper() else ord("a") - ord(self[0]) - 1

    @property
    def number(self) -> int:
        return int(self[1:])

    @property
    def sort_key(self) -> tuple[int, int]:
        """Order for people: by letter, then by number (plain string order puts ``A10`` before ``A2``)."""
        return self.letter, self.number


class Layout(Enum):
    """Whether hexes stand on a side (``flat``) or on a corner (``pointy``)."""

    FLAT = "flat"
    POINTY = "pointy"

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """For each side the move (dx, dy) in doubled coordinates to the neighbour across it."""
        return _STEPS[self]

    def coordinates(self, hex_id: HexId) -> tuple[int, int]:
        """Doubled coordinates (x to the right, y downwards)."""
        across, along = hex_id.letter, hex_id.number - 1
        return (across, along) if self is Layout.FLAT else (along, across)

    def hex_at(self, x: int, y: int) -> HexId | None:
        """The hex with these doubled coordinates, or None where the naming scheme has none."""
        letter, number = (x, y + 1) if self is Layout.FLAT else (y, x + 1)
        if number < 0 or not -26 <= letter < 26:
            return None
        return HexId(f"{chr(ord('A') + letter) if letter >= 0 else chr(ord('a') - letter - 1)}{number}")

    def neighbour(self, hex_id: HexId, side: int) -> HexId | None:
        """The hex across *side*, whether or not the map has it; None beyond the naming scheme."""
        return _neighbour(self, hex_id, side)

    def distance(self, one: HexId, other: HexId) -> int:
        """Straight-line distance in hexes. Source: COMMON section 1, "Distance as the crow flies"."""
        (ax, ay), (bx, by) = self.coordinates(one), self.coordinates(other)
        dx, dy = abs(ax - bx), abs(ay - by)
        if self is Layout.FLAT:
            return dx + max(0, (dy - dx) // 2)
        return dy + max(0, (dx - dy) // 2)


_STEPS: Final[dict[Layout, tuple[tuple[int, int], ...]]] = {
    Layout.FLAT: ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    Layout.POINTY: ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}


@lru_cache(maxsize=4096)
def _neighbour(layout: Layout, hex_id: HexId, side: int) -> HexId | None:
    x, y = layout.coordinates(hex_id)
    dx, dy = layout.steps[side]
    return layout.hex_at(x + dx, y + dy)


def opposite(side: int) -> int:
    """The number of the same side seen from the neighbouring hex."""
    return (side + 3) % 6


class StopId(str):
    """A stop: hex and part, e.g. ``E16.c0`` (city), ``C4.t1`` (town), ``A20.o0`` (off-board)."""

    __slots__ = ()

    @classmethod
    def of(cls, hex_id: HexId, part: str) -> StopId:
        return cls(f"{hex_id}.{part}")

    @classmethod
    def parse(cls, text: str) -> StopId:
        """Raises :class:`InputError` (``malformed-stop``) unless *text* is a hex, a dot and c, t or o with a number."""
        hex_text, dot, part = text.partition(".") if isinstance(text, str) else ("", "", "")
        if not dot or not _HEX.fullmatch(hex_text) or not re.fullmatch(r"[cto][0-9]", part):
            raise InputError(
                Fault(
                    "malformed-stop", f"{text!r} is not a stop; a stop is written E16.c0 (c city, t town, o off-board)"
                )
            )
        return cls(text)

    @property
    def hex(self) -> HexId:
        return _PARTED[self][0]

    @property
    def part(self) -> str:
        return _PARTED[self][1]

    @property
    def sort_key(self) -> tuple[int, int, str]:
        return (*self.hex.sort_key, self.part)


class _Parted(dict[str, tuple[HexId, str]]):
    """Stops taken apart; every search asks again and again for those of the same maps."""

    def __missing__(self, stop: str) -> tuple[HexId, str]:
        hex_text, _, part = stop.partition(".")
        if len(self) >= _MOST_PARTED:
            self.clear()
        self[stop] = HexId(hex_text), part
        return self[stop]


_MOST_PARTED: Final = 16_384
_PARTED: Final = _Parted()
