"""Plane geometry of hexes and track: points are complex numbers, x to the right and y downwards.

A hex has circumradius :data:`RADIUS` and its centre at the origin of its own frame. Track meets a hexside at its
middle and at a right angle, so that pieces of neighbouring hexes join smoothly.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from board.hexes import SIDES, HexId, Layout

RADIUS: Final = 50.0
"""From the centre of a hex to its corners, in units of the drawing."""
APOTHEM: Final = RADIUS * math.sqrt(3) / 2
"""From the centre of a hex to the middle of its sides."""


@lru_cache
def side_direction(layout: Layout, side: int) -> complex:
    """The unit vector from the centre towards the middle of *side*."""
    return cmath.rect(1, math.radians((90 if layout is Layout.FLAT else 120) + 60 * side))


@lru_cache
def side_middle(layout: Layout, side: int) -> complex:
    return side_direction(layout, side) * APOTHEM


@lru_cache
def corner(layout: Layout, number: int) -> complex:
    """The corner between the sides *number* - 1 and *number*."""
    return side_direction(layout, number) * cmath.rect(RADIUS, -math.pi / 6)


@lru_cache
def corners(layout: Layout) -> tuple[complex, ...]:
    return tuple(corner(layout, number) for number in SIDES)


@lru_cache(maxsize=4096)
def centre_of(layout: Layout, hex_id: HexId) -> complex:
    """The centre of a hex on the map; the hex with doubled coordinates (0, 0) lies at the origin."""
    x, y = layout.coordinates(hex_id)
    if layout is Layout.FLAT:
        return complex(1.5 * RADIUS * x, APOTHEM * y)
    return complex(APOTHEM * x, 1.5 * RADIUS * y)


def number(value: float) -> str:
    """*value* as short as two decimals allow; never ``-0``."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def pair(point: complex) -> str:
    return f"{number(point.real)} {number(point.imag)}"


class Curve(Protocol):
    """A piece of line from ``start`` to ``end``."""

    @property
    def start(self) -> complex: ...

    @property
    def end(self) -> complex: ...

    def at(self, share: float) -> complex:
        """The point after *share* (0 to 1) of the way."""

    def part(self, one: float, other: float) -> Curve:
        """The stretch between two shares of the way; backwards where *one* is the larger."""

    def moved(self, by: complex) -> Curve: ...

    @property
    def command(self) -> str:
        """The SVG path command that draws it from where the pen is."""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    start: complex
    end: complex

    def at(self, share: float) -> complex:
        return self.start + (self.end - self.start) * share

    def part(self, one: float, other: float) -> Line:
        return Line(self.at(one), self.at(other))

    def moved(self, by: complex) -> Line:
        return Line(self.start + by, self.end + by)

    @property
    def command(self) -> str:
        return f"L{pair(self.end)}"


@dataclass(frozen=True, slots=True)
class Arc:
    """A part of a circle, between two angles (radians) of less than half a turn."""

    centre: complex
    radius: float
    first: float
    last: float

    @property
    def start(self) -> complex:
        return self.at(0)

    @property
    def end(self) -> complex:
        return self.at(1)

    def at(self, share: float) -> complex:
        return self.centre + cmath.rect(self.radius, self.first + (self.last - self.first) * share)

    def part(self, one: float, other: float) -> Arc:
        sweep = self.last - self.first
        return Arc(self.centre, self.radius, self.first + sweep * one, self.first + sweep * other)

    def moved(self, by: complex) -> Arc:
        return Arc(self.centre + by, self.radius, self.first, self.last)

    @property
    def command(self) -> str:
        radius = number(self.radius)
        return f"A{radius} {radius} 0 0 {int(self.last > self.first)} {pair(self.end)}"


@dataclass(frozen=True, slots=True)
class Bend:
    """A quadratic Bézier curve: leaves ``start`` towards ``control`` and reaches ``end`` from there."""

    start: complex
    control: complex
    end: complex

    def at(self, share: float) -> complex:
        rest = 1 - share
        return self.start * rest * rest + self.control * 2 * rest * share + self.end * share * share

    def part(self, one: float, other: float) -> Bend:
        rest = 1 - one
        control = (
            self.start * rest * (1 - other) + self.control * (rest * other + one * (1 - other)) + self.end * one * other
        )
        return Bend(self.at(one), control, self.at(other))

    def moved(self, by: complex) -> Bend:
        return Bend(self.start + by, self.control + by, self.end + by)

    @property
    def command(self) -> str:
        return f"Q{pair(self.control)} {pair(self.end)}"


@lru_cache
def between_sides(layout: Layout, one: int, other: int) -> Curve:
    """Track from side to side: a sharp curve round the shared corner, a gentle curve, or a straight line."""
    start, end = side_middle(layout, one), side_middle(layout, other)
    turn = (other - one) % 6
    if turn == 3:
        return Line(start, end)
    if turn in (1, 5):
        pivot = corner(layout, other if turn == 1 else one)
        radius = RADIUS / 2
    else:
        pivot = side_direction(layout, (one + (1 if turn == 2 else -1)) % 6) * 2 * APOTHEM
        radius = 1.5 * RADIUS
    first = cmath.phase(start - pivot)
    sweep = (cmath.phase(end - pivot) - first + math.pi) % math.tau - math.pi
    return Arc(pivot, radius, first, first + sweep)


def from_side(layout: Layout, side: int, target: complex) -> Curve:
    """Track from the middle of *side* to *target* inside the hex; straight where the target lies on the side's axis."""
    start, inwards = side_middle(layout, side), -side_direction(layout, side)
    way = target - start
    depth, aside = (way * inwards.conjugate()).real, (way * inwards.conjugate()).imag
    if abs(aside) < 0.5:
        return Line(start, target)
    return Bend(start, start + inwards * max(depth * 0.6, 8.0), target)


def samples(curve: Curve, steps: int) -> Iterator[complex]:
    """``steps`` + 1 points along the curve, both ends included."""
    return (curve.at(step / steps) for step in range(steps + 1))


def beside(curve: Curve, distance: float, steps: int = 12) -> tuple[complex, ...]:
    """Points of the parallel to *curve* at *distance* to its right hand (as seen in travel, y downwards)."""
    points = tuple(samples(curve, steps))
    shifted = []
    for place, point in enumerate(points):
        heading = points[min(place + 1, steps)] - points[max(place - 1, 0)]
        shifted.append(point + heading / (abs(heading) or 1.0) * 1j * distance)
    return tuple(shifted)


def polygon(points: Sequence[complex]) -> str:
    """Points as SVG lists them."""
    return " ".join(f"{number(point.real)},{number(point.imag)}" for point in points)
