"""The hidden draft that opens 1846. Source: digest 1846 section 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from rules.actions import Action, Actor, Bid, Pass
from rules.randomness import Draws
from rules.rounds.opening import OpeningRound
from rules.state import BANK, Round, State
from rules.steps.base import NOTHING, Step

if TYPE_CHECKING:
    from titles.t1846.game import Game1846

#: Marks of the opening state that the round takes over.
DECK, RANDOM = "deck", "random"
#: What a pass at the open last card takes off its price.
_REDUCTION: Final = 10


@dataclass(frozen=True)
class DraftRound(Round):
    """``deck``: the cards, the top one first; ``random``: where the generator stands; ``chosen``: for each player the
    cards kept, in order; ``reduction``: what has been taken off the price of the open last card."""

    deck: tuple[str, ...] = ()
    random: int = 0
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reduction: int = 0


def draft(state: State) -> DraftRound:
    assert isinstance(state.round, DraftRound)
    return state.round


def rules_of(state: State) -> Game1846:
    return cast("Game1846", state.game)


class Draft(OpeningRound):
    """The last seat begins, then backwards, again and again."""

    def begin(self, state: State, number: int) -> State:
        deck, random = state.marks[DECK], state.marks[RANDOM]
        assert isinstance(deck, tuple)
        assert isinstance(random, int)
        order = tuple(reversed(state.order))
        marks = {key: value for key, value in state.marks.items() if key not in (DECK, RANDOM)}
        return state.but(
            round=DraftRound(kind=self.name, number=number, order=order, deck=deck, random=random), marks=marks
        )


def pass_card(number: int) -> str:
    return f"Pass ({number})"


class DraftCards(Step):
    """Keep one of the top cards, or buy the open last one or pass."""

    name = "draft"
    title = "Draft"
    handles = frozenset({Bid, Pass})

    def actors(self, state: State) -> tuple[Actor, ...]:
        current = draft(state)
        return (Actor("player", current.order[current.at]),) if current.deck else ()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        if actor not in self.actors(state):
            return NOTHING
        return self.handles if self.open_card(state) is not None else frozenset({Bid})

    def open_card(self, state: State) -> str | None:
        """The one card that is left, if it is a private."""
        deck = draft(state).deck
        return deck[0] if len(deck) == 1 and deck[0] in state.privates else None

    def top(self, state: State) -> tuple[str, ...]:
        return draft(state).deck[: len(state.players) + 2]

    def price(self, state: State, private: str) -> int:
        """Face value, with the debt that a minor's card brings, less the reduction of the open last card."""
        facts = state.private_facts(private)
        debt = facts.details.get("extra_price", 0)
        assert isinstance(debt, int)
        less = draft(state).reduction if self.open_card(state) == private else 0
        return facts.value + debt - less

    def floor(self, state: State, private: str) -> int:
        """The price at which the next player takes the open last card: 0, for a minor its debt."""
        debt = state.private_facts(private).details.get("extra_price", 0)
        assert isinstance(debt, int)
        return debt

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for card in self.top(state):
            yield Bid(by=actor, private=card, price=self.price(state, card) if card in state.privates else 0)
        if self.open_card(state) is not None:
            yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        current = draft(state)
        card = self.open_card(state)
        if isinstance(action, Pass):
            assert card is not None
            state = self.next_player(state.with_round(reduction=current.reduction + _REDUCTION))
            if self.price(state, card) > self.floor(state, card):
                return state
            return self.take(state, self.actors(state)[0].name, card)
        assert isinstance(action, Bid)
        shown = self.top(state)
        if action.private not in shown:
            raise state.violation("not-shown", f"{action.private} is not among {', '.join(shown)}")
        if card is not None:
            return self.take(state, action.by.name, card)
        draws = Draws(current.random)
        below = [one for one in draws.shuffled(shown) if one != action.private]
        deck = (*current.deck[len(shown) :], *below)
        state = self.keep(state, action.by.name, action.private).with_round(random=draws.state, deck=deck)
        if not deck or (len(deck) < len(state.players) + 2 and not any(one in state.privates for one in deck)):
            return self.settle(state)
        return self.next_player(state)

    def keep(self, state: State, player: str, card: str) -> State:
        chosen = draft(state).chosen
        return state.with_round(chosen={**chosen, player: (*chosen.get(player, ()), card)})

    def take(self, state: State, player: str, card: str) -> State:
        """The open last card at its reduced price, which ends the draft."""
        return self.settle(self.keep(state, player, card))

    def settle(self, state: State) -> State:
        """Everybody pays for what they chose. Source: 1846 section 2."""
        chosen = draft(state).chosen
        prices = {
            card: self.price(state, card) for cards in chosen.values() for card in cards if card in state.privates
        }
        state = state.with_round(deck=(), reduction=0)
        for player, cards in chosen.items():
            for card in cards:
                if card in prices:
                    state = state.pay(player, BANK, prices[card]).handing_private(card, player)
                    state = rules_of(state).open_minor(state, card, player)
        return state

    def next_player(self, state: State) -> State:
        current = draft(state)
        return state.with_round(at=(current.at + 1) % len(current.order))
