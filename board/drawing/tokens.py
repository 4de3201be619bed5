"""Cities, towns and tokens: what lies on the track."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from typing import Final

from board.drawing.geometry import number, pair
from board.drawing.palette import TRACK, text_on
from board.drawing.shape import SLOT, TOWN, PlacedPart
from board.drawing.svg import INK, fitted, hover, tag, words
from board.position import BLOCK

FRAME: Final = SLOT + 1.9
"""Half the width of a city's frame round a slot."""
_BAR: Final = 7.5
_UNKNOWN: Final = "#555555"


def city(
    placed: PlacedPart,
    tokens: Sequence[str | None],
    places_beside: Sequence[complex] = (),
    reserved: Sequence[str] = (),
    *,
    colours: Mapping[str, str],
    operator: str,
) -> str:
    """A city: its frame, its slots, the tokens in and beside them, and who a free slot is kept for."""
    parts = [tag("path", d=outline(placed.slots, FRAME), fill="#ffffff", stroke=TRACK, stroke_width=1.3)]
    waiting = [company for company in reserved if company not in tokens]
    for place, centre in enumerate(placed.slots):
        company = tokens[place] if place < len(tokens) else None
        if company is not None:
            parts.append(token(company, centre, colours, own=company == operator))
        else:
            parts.append(_slot(centre, waiting.pop(0) if waiting else ""))
    beside = [company for company in tokens[len(placed.slots) :] if company is not None]
    for spot, company in zip(places_beside, beside, strict=False):
        parts.append(token(company, spot, colours, own=company == operator))
    return "".join(parts)


def _slot(centre: complex, kept_for: str) -> str:
    circle = tag(
        "circle", cx=centre.real, cy=centre.imag, r=SLOT - 0.6, fill="#ffffff", stroke="#9b968a", stroke_width=0.7,
        stroke_dasharray="2 1.6" if kept_for else None,
    )  # fmt: skip
    if not kept_for:
        return circle
    text, size = fitted(kept_for, SLOT * 1.7, 7, 4.4)
    return circle + words(text, centre, size, fill="#77736a", class_="reserved")


def token(company: str, centre: complex, colours: Mapping[str, str], *, own: bool) -> str:
    """A token: a disc in the company's colour; two halves for a system of two; a cross for a blocking token."""
    radius = SLOT - 0.7
    if company == BLOCK:
        return _blocking(centre, radius)
    halves = company.split("-") if company not in colours and "-" in company else [company]
    fills = [colours.get(half, _UNKNOWN) for half in halves[:2]]
    disc = tag(
        "circle", cx=centre.real, cy=centre.imag, r=radius, fill=fills[0],
        stroke=INK, stroke_width=2.2 if own else 0.9,
    )  # fmt: skip
    ring = tag(
        "circle", cx=centre.real, cy=centre.imag, r=radius - 1.7, fill="none", stroke="#ffffff", stroke_width=0.9
    )
    if len(fills) == 2:
        lower = f"M{pair(centre - radius)}A{number(radius)} {number(radius)} 0 0 0 {pair(centre + radius)}Z"
        disc += tag("path", d=lower, fill=fills[1])
    label = _token_label(halves[:2], fills, centre)
    return tag(
        "g", hover(f"token of {company}" if company != BLOCK else "blocking token"), disc, ring if own else "", label,
        class_="token own" if own else "token", data_company=company,
    )  # fmt: skip


def _token_label(halves: Sequence[str], fills: Sequence[str], centre: complex) -> str:
    if len(halves) == 1:
        text, size = fitted(halves[0], SLOT * 1.62, 8.2, 4.6, bold=True)
        return words(text, centre, size, bold=True, fill=text_on(fills[0]))
    parts = []
    for half, fill, shift in zip(halves, fills, (-3.9, 3.9), strict=True):
        text, size = fitted(half, SLOT * 1.5, 6.4, 4.2, bold=True)
        parts.append(words(text, centre + 1j * shift, size, bold=True, fill=text_on(fill)))
    return "".join(parts)


def _blocking(centre: complex, radius: float) -> str:
    arm = radius * 0.55
    cross = "".join(
        f"M{pair(centre - arm * turn)}L{pair(centre + arm * turn)}"
        for turn in (cmath.rect(1, math.pi / 4), cmath.rect(1, -math.pi / 4))
    )
    return tag(
        "g",
        hover("blocking token"),
        tag("circle", cx=centre.real, cy=centre.imag, r=radius, fill="#3b3b3b", stroke=INK, stroke_width=0.9),
        tag("path", d=cross, fill="none", stroke="#ffffff", stroke_width=3, stroke_linecap="round"),
        class_="token block",
    )


def town(placed: PlacedPart) -> str:
    """A town: a bar across its track, or a dot where tracks meet or none comes."""
    if placed.bar:
        across = placed.heading * 1j * _BAR
        line = f"M{pair(placed.at - across)}L{pair(placed.at + across)}"
        return tag("path", d=line, stroke="#ffffff", stroke_width=7.4, fill="none") + tag(
            "path", d=line, stroke=TRACK, stroke_width=5, fill="none"
        )
    return tag(
        "circle", cx=placed.at.real, cy=placed.at.imag, r=TOWN + 1, fill=TRACK, stroke="#ffffff", stroke_width=1.8
    )


def outline(centres: Sequence[complex], distance: float) -> str:
    """A closed path at *distance* round points: a circle, a capsule, a rounded polygon."""
    hull = _hull(centres)
    radius = number(distance)
    if len(hull) == 1:
        left, right = hull[0] - distance, hull[0] + distance
        return f"M{pair(left)}A{radius} {radius} 0 1 1 {pair(right)}A{radius} {radius} 0 1 1 {pair(left)}Z"
    commands: list[str] = []
    for here, there in zip(hull, hull[1:] + hull[:1], strict=True):
        outwards = (there - here) / abs(there - here) * -1j * distance
        commands.append(
            f"A{radius} {radius} 0 0 1 {pair(here + outwards)}L{pair(there + outwards)}"
            if commands
            else f"M{pair(here + outwards)}L{pair(there + outwards)}"
        )
    first = hull[0] + (hull[1] - hull[0]) / abs(hull[1] - hull[0]) * -1j * distance
    return "".join(commands) + f"A{radius} {radius} 0 0 1 {pair(first)}Z"


def _hull(points: Sequence[complex]) -> list[complex]:
    """The convex hull, clockwise as seen on the screen."""
    ordered = sorted(points, key=lambda point: (round(point.real, 6), round(point.imag, 6)))
    if len(ordered) < 3:
        return ordered

    def half(chain: Sequence[complex]) -> list[complex]:
        kept: list[complex] = []
        for point in chain:
            while len(kept) > 1 and ((kept[-1] - kept[-2]).conjugate() * (point - kept[-1])).imag <= 1e-9:
                kept.pop()
            kept.append(point)
        return kept

    return half(ordered)[:-1] + half(ordered[::-1])[:-1]
