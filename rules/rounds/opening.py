"""The round that opens a game: an auction or a draft of the privates."""

from __future__ import annotations

from rules.rounds.base import RoundKind
from rules.state import AuctionRound, State, Turn


class OpeningRound(RoundKind):
    """Lasts as long as any of its steps waits. Who is on turn is up to the step (``round.at``)."""

    role = "opening"

    def begin(self, state: State, number: int) -> State:
        return state.but(round=AuctionRound(kind=self.name, number=number, order=state.order))

    def turn_over(self, state: State) -> State:
        return state.with_round(marks={**state.round.marks, "over": True}, turn=Turn())

    def finished(self, state: State) -> bool:
        return bool(state.round.marks.get("over"))
