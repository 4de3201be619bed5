"""Colours: of tiles, companies and routes; made to be told apart in print and by colour-blind readers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

TILE: Final[Mapping[str, str]] = {
    "white": "#f7f4ea",
    "yellow": "#f6df8b",
    "green": "#9cc79a",
    "brown": "#cba57f",
    "gray": "#c3c3bf",
    "red": "#e3a196",
    "blue": "#b5d3e6",
}
"""Fill of a hex by tile colour."""
TILE_DEEP: Final[Mapping[str, str]] = {
    "white": "#ffffff",
    "yellow": "#f9d849",
    "green": "#71b56e",
    "brown": "#c08a55",
    "gray": "#a9a9a6",
    "red": "#db7f70",
    "blue": "#86bfe0",
}
"""Stronger shades of the same, for the small boxes of values by phase."""
UNKNOWN_TILE: Final = "#e8e4da"

TRACK: Final = "#1c1c1c"
EDGE: Final = "#8d887c"
IMPASSABLE: Final = "#3a1f4d"
BORDERS: Final[Mapping[str, str]] = {"water": "#2c6ea6", "mountain": "#7a4a1e"}

#: Discs of companies without a colour of their own: light and dark in turn, none too close to a tile.
_COMPANIES: Final = (
    "#1f4e9c", "#b3202a", "#0f7a4d", "#6b2c91", "#d97700", "#00798c", "#8a1c5c", "#3f3f46", "#5c7a00", "#a0522d",
    "#2f8fd0", "#d04f86", "#705d00", "#004d40", "#4b3fbf", "#7a7a7a",
)  # fmt: skip
_COLOUR: Final = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")


class RouteStyle(NamedTuple):
    """How a route is drawn: a thick line of ``colour`` and along its middle a thin one of ``stripe`` with ``dashes``
    (None: no thin line)."""

    colour: str
    stripe: str
    dashes: str | None


#: Okabe and Ito's colours, darkest first, each with a pattern of its own.
_ROUTES: Final = (
    RouteStyle("#0072B2", "#ffffff", None),
    RouteStyle("#D55E00", "#ffffff", "7 5"),
    RouteStyle("#009E73", "#ffffff", "0.1 5"),
    RouteStyle("#CC79A7", "#ffffff", "none"),
    RouteStyle("#56B4E9", "#10202c", "7 5"),
    RouteStyle("#E69F00", "#2c1c00", "0.1 5"),
    RouteStyle("#F0E442", "#2c2c00", "none"),
    RouteStyle("#262626", "#ffffff", "9 4 0.1 4"),
)


def route_style(place: int) -> RouteStyle:
    """The style of the route at this place of a set; from the ninth on colours meet other patterns."""
    style = _ROUTES[place % len(_ROUTES)]
    lap = place // len(_ROUTES)
    if not lap:
        return style
    other = _ROUTES[(place + lap * 3) % len(_ROUTES)].dashes
    return RouteStyle(style.colour, "#000000" if style.stripe == "#ffffff" else "#ffffff", other or "3 3")


def company_colours(companies: Iterable[str], given: Mapping[str, str]) -> dict[str, str]:
    """A colour for each company: the given one where it is a hexadecimal colour, else one of a fixed row."""
    return {
        company: given[company] if _COLOUR.fullmatch(given.get(company, "")) else _COMPANIES[place % len(_COMPANIES)]
        for place, company in enumerate(sorted(companies))
    }


def text_on(colour: str) -> str:
    """Black or white, whichever reads better on *colour* (hexadecimal)."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    red, green, blue = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
    light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return "#ffffff" if light < 0.36 else "#111111"
