"""1830: the plain case. Its groups of off-board areas are printed on the map; nothing adds to stop values."""

from __future__ import annotations

from titles.load import DataTitle


class Title1830(DataTitle):
    """1830. Source: digest 1830, "Routes and revenue"."""


TITLE = Title1830("t1830")
