"""Finding room for text inside a hex: clear of track, slots and other text where that can be had."""

from __future__ import annotations

import cmath
import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import Final

from board.drawing.geometry import APOTHEM, RADIUS, side_direction
from board.hexes import Layout

SMALL: Final = 4.0
"""Radius up to which circles count as track, of which there are many."""
Ranked = Sequence[tuple[complex, float]]
"""Places with what it costs to choose them, cheapest first."""


class Room:
    """What is taken up in one hex: circles, and boxes placed so far. ``cost`` sums up how badly things fit."""

    def __init__(self, layout: Layout, circles: Iterable[tuple[complex, float]]) -> None:
        every = sorted((centre.real, centre.imag, radius) for centre, radius in circles)
        self._circles = [circle for circle in every if circle[2] > SMALL]
        self._small = [circle for circle in every if circle[2] <= SMALL]
        self._small_x = [circle[0] for circle in self._small]
        self._boxes: list[tuple[float, float, float, float]] = []
        self._rim = [(side_direction(layout, side).real, side_direction(layout, side).imag) for side in range(3)]
        self.cost = 0.0

    def copy(self) -> Room:
        """The same room before anything was placed in it."""
        other = copy(self)
        other._boxes, other.cost = [], 0.0
        return other

    def occupy(self, at: complex, half_width: float, half_height: float) -> None:
        self._boxes.append((at.real, at.imag, half_width, half_height))

    def find(self, places: Ranked, half_width: float, half_height: float, about: complex = 0j) -> tuple[complex, float]:
        """The best of *places* (seen from *about*) for the middle of a box of this size, and what it costs."""
        best, least = places[0][0] + about, math.inf
        for offset, cost in places:
            if cost >= least:
                break
            at = offset + about
            total = cost + self._clash(at.real, at.imag, half_width, half_height, least - cost)
            if total < least:
                best, least = at, total
        return best, least

    def place(self, places: Ranked, half_width: float, half_height: float, about: complex = 0j) -> complex:
        """The best place, which is taken up from now on."""
        at, cost = self.find(places, half_width, half_height, about)
        self.cost += cost
        self.occupy(at, half_width, half_height)
        return at

    def _clash(self, x: float, y: float, half_width: float, half_height: float, enough: float) -> float:
        """How deep the box would cut into what is there, and into the rim; stops counting at *enough*."""
        total = 0.0
        for across, down in self._rim:
            over = abs(x * across + y * down) + half_width * abs(across) + half_height * abs(down) - APOTHEM + 1.5
            if over > 0:
                total += over * 3
        if total >= enough:
            return total
        first = bisect_left(self._small_x, x - half_width - SMALL)
        last = bisect_left(self._small_x, x + half_width + SMALL)
        for other_x, other_y, radius in (*self._circles, *self._small[first:last]):
            over_x = abs(x - other_x) - half_width
            over_y = abs(y - other_y) - half_height
            if over_x >= radius or over_y >= radius:
                continue
            if over_x > 0 and over_y > 0:
                total += max(0.0, radius - math.hypot(over_x, over_y))
            else:
                total += radius - max(over_x, over_y, -radius)
            if total >= enough:
                return total
        for other_x, other_y, other_width, other_height in self._boxes:
            over_x = half_width + other_width + 1 - abs(x - other_x)
            over_y = half_height + other_height + 1.2 - abs(y - other_y)
            if over_x > 0 and over_y > 0:
                total += 2 * min(over_x, over_y) + 3
        return total


def _ranked(places: Iterable[tuple[complex, float]]) -> Ranked:
    return tuple(sorted(places, key=lambda place: (round(place[1], 6), place[0].real, place[0].imag)))


@lru_cache
def _grid(layout: Layout) -> tuple[complex, ...]:
    """Places all over a hex, the middle first."""
    first = side_direction(layout, 0)
    return (
        0j,
        *(
            first * cmath.rect(RADIUS * share, math.pi / 12 * step)
            for share, fine in ((0.22, 4), (0.38, 2), (0.52, 2), (0.66, 1), (0.76, 1))
            for step in range(0, 24, fine)
        ),
    )


@lru_cache
def name_places(layout: Layout, above: bool = False) -> Ranked:
    """For names: below the middle, above it, then anywhere."""
    sign = -1 if above else 1
    return _ranked(
        [
            (
                complex(aside, sign * down * side),
                abs(abs(down) - 24) * 0.05 + abs(aside) * 0.06 + (0.0 if side > 0 else 1.0),
            )
            for side in (1, -1)
            for down in (20, 23, 26, 30, 35)
            for aside in (0, 8, -8, 16, -16)
        ]
        + [(at, 3 + abs(at.real) * 0.05) for at in _grid(layout)]
    )


@lru_cache
def corner_places(layout: Layout, bearing: float) -> Ranked:
    """For small marks: near the rim, rather in the direction *bearing* (degrees clockwise from the right)."""
    wanted = cmath.rect(1, math.radians(bearing))
    places = []
    for at in _grid(layout):
        if abs(at) > RADIUS * 0.3:
            turn = 1 - (at / abs(at) * wanted.conjugate()).real
            places.append((at, turn * 2 + (RADIUS * 0.8 - abs(at)) * 0.05))
    return _ranked(places)


@lru_cache
def near(distance: float) -> Ranked:
    """For things that belong to another: at *distance* all round it, to the upper right first, then further off."""
    wanted = cmath.rect(1, math.radians(-50))
    return _ranked(
        (
            cmath.rect(distance + extra, math.pi / 10 * step),
            extra * 0.12 + (1 - (cmath.rect(1, math.pi / 10 * step) * wanted.conjugate()).real) * 0.3,
        )
        for extra in (0, 4, 9, 16, 25)
        for step in range(20)
    )


@lru_cache
def middle_places(layout: Layout) -> Ranked:
    """For the cost of an empty hex and whatever may stand in its middle."""
    return _ranked((at, abs(at - 6j) * 0.08) for at in _grid(layout))
