"""Shortline: routes follow the usual rules; nothing adds to stop values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from titles.load import DataTitle

if TYPE_CHECKING:
    from rules.game import Game


class TitleShort(DataTitle):
    """Shortline."""

    def game_rules(self) -> type[Game]:
        from titles.tshort.game import GameShort

        return GameShort


TITLE = TitleShort("tshort")
