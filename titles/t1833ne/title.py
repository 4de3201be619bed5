"""1833NE: ferries, direct connections, interconnections, and the exits of P4 and P6."""

from __future__ import annotations

from titles.load import DataTitle


class Title1833NE(DataTitle):
    """1833NE. Source: digest 1833NE."""


TITLE = Title1833NE("t1833ne")
