"""What every step of a round offers to the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from rules.actions import Action, Actor

if TYPE_CHECKING:
    from rules.state import State


class Step:
    """One step of a turn. Steps hold no state of the game.

    ``name`` identifies it, ``title`` is what people read, ``handles`` are the actions it can carry out. A step that
    ``blocks`` holds the turn up while it waits; one that does not lets its actions be taken beside the waiting step.
    A step that ``interrupts`` is never over: it waits whenever its condition holds again (discards, pending tokens).
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    handles: ClassVar[frozenset[type[Action]]] = frozenset()
    interrupts: bool = False
    key: str = ""

    def __init__(self, *, blocks: bool = True) -> None:
        self.blocks = blocks

    def actors(self, state: State) -> tuple[Actor, ...]:
        """Who is asked in this step now: by default the company or player whose turn it is."""
        company = state.operator
        if company is not None:
            return (Actor(company.kind, company.name),)
        current = state.round.current
        return (Actor("player", current),) if current is not None else ()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        """Kinds of action open to *actor* in this step now; empty: none."""
        return frozenset()

    def accepts(self, state: State, action: Action) -> bool:
        """Whether the step takes the action: its kind is open to the one who acts."""
        return type(action) in self.open_to(state, action.by)

    def open_to(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        """The offers, worked out once for each state."""
        key = (self, actor)
        found: frozenset[type[Action]] | None = state.memo.get(key)
        if found is None:
            found = state.memo[key] = self.offers(state, actor)
        return found

    def waits(self, state: State) -> bool:
        """Whether the turn stands still for this step."""
        if self.blocks:
            for actor in self.actors(state):
                if self.asks(state, actor):
                    return True
        return False

    def asks(self, state: State, actor: Actor) -> bool:
        """Whether anything is open to *actor* in this step now; a step that can tell without all offers does so."""
        return bool(self.open_to(state, actor))

    def apply(self, state: State, action: Action) -> State:
        raise NotImplementedError

    def skip(self, state: State) -> State:
        """What happens by itself when the step does not wait."""
        return state

    def why_not(self, state: State, action: Action) -> str:
        """Why an action that the step handles is not open now, where that can be said; empty otherwise."""
        return ""

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        """Actions that would be accepted."""
        return iter(())


NOTHING: frozenset[type[Action]] = frozenset()
