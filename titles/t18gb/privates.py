"""Open and closed privates of 18GB. Source: digest 18GB section 3."""

from __future__ import annotations

from board.hexes import HexId
from rules.game import Game
from rules.state import BANK, OperatingRound, Private, State, StockRound
from titles.t18gb.facts import (
    OPEN_PRIVATES_ALWAYS_BLOCK,
)


class Privates18GB(Game):
    """What is exceptional about privates."""

    def is_used_up(self, private: Private) -> bool:
        """Whether the owner has closed it; its ability stands. Source: 18GB section 3."""
        return bool(private.marks.get("closed_by_owner"))

    def may_close_private(self, state: State, private: Private) -> bool:
        """At any time in operating rounds, and in stock rounds from the second on. Source: 18GB section 3."""
        if private.owner not in state.players or private.closed or self.is_used_up(private):
            return False
        return isinstance(state.round, OperatingRound) or (
            isinstance(state.round, StockRound) and state.turn_number > 1
        )

    def close_by_owner(self, state: State, name: str) -> State:
        """The last income, then neither income nor value; the ability starts. Source: 18GB section 3."""
        private = state.privates[name]
        if private.owner is not None:
            state = state.pay(BANK, private.owner, self.income_of(state, private))
        marks = {**private.marks, "closed_by_owner": True}
        return state.with_private(private.but(income=0, value=0, marks=marks))

    def closed_hexes(self, state: State, builder: str) -> frozenset[HexId]:
        """Hexes of open privates, until blue tiles are out. Source: 18GB section 3."""
        if "blue" in state.phase.tile_colours and OPEN_PRIVATES_ALWAYS_BLOCK not in self.options:
            return frozenset()
        return frozenset(
            hex_id
            for private in state.privates.values()
            if private.owner is not None and not private.closed and not self.is_used_up(private)
            for hex_id in state.private_facts(private.name).blocks
        )

    def enter_phase(self, state: State, name: str) -> State:
        """With blue tiles the slots kept for privates are free. Source: 18GB section 3, GN and MC."""
        before = state.phase
        state = super().enter_phase(state, name)
        if "blue" in state.phase.tile_colours and "blue" not in before.tile_colours:
            table = state.table
            for private in state.privates:
                table = table.without_reservations(private)
            state = state.but(table=table)
        return state
