"""Track and token in any order, as one step. Source: digests 18GB section 6 and 1846 section 7."""

from __future__ import annotations

from collections.abc import Iterator

from rules.actions import Action, Actor, LayTile, Pass, PlaceToken
from rules.state import State
from rules.steps.base import NOTHING, Step
from rules.steps.tokens import PlaceOneToken
from rules.steps.track import LayTrack


class TrackAndToken(Step):
    """Waits while a lay or a token is possible; one pass ends both."""

    name = "track_and_token"
    title = "Track and token"
    handles = frozenset({LayTile, PlaceToken, Pass})

    def __init__(self, track: LayTrack | None = None, token: PlaceOneToken | None = None) -> None:
        super().__init__()
        self.track, self.token = track or LayTrack(), token or PlaceOneToken()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        return (self.track.offers(state, actor) | self.token.offers(state, actor)) or NOTHING

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        yield Pass(by=actor)
        for step in (self.track, self.token):
            if step.offers(state, actor):
                yield from (action for action in step.legal(state, actor) if not isinstance(action, Pass))

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state.done(self.key)
        if isinstance(action, PlaceToken):
            return self.token.apply(state, action)
        return self.track.apply(state, action)
