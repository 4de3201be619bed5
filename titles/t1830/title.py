"""1830: the plain case. Its groups of off-board areas are printed on the map; nothing adds to stop values."""

from __future__ import annotations

from rules.game import Game
from titles.load import DataTitle


class Title1830(DataTitle):
    """1830. Source: digest 1830, "Routes and revenue"."""

    def game_rules(self) -> type[Game]:
        from titles.t1830.game import Game1830

        return Game1830


TITLE = Title1830("t1830")
