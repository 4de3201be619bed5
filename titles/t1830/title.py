"""1830: the plain case. Its groups of off-board areas are printed on the map; nothing adds to stop values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from titles.load import DataTitle

if TYPE_CHECKING:
    from rules.game import Game


class Title1830(DataTitle):
    """1830. Source: digest 1830, "Routes and revenue"."""

    def game_rules(self) -> type[Game]:
        from titles.t1830.game import Game1830

        return Game1830


TITLE = Title1830("t1830")
