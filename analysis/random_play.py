"""Random legal play: a seeded player who takes any legal action, and games in the recorded-game format.

A game has a temper, drawn from the seed, that says how gladly each kind of action is taken; so that over many seeds
games end in every way that their title knows. The same seed gives the same game on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from analysis.random_runs import random_runs
from board.errors import Fault, SolverError
from records.games_18xx import RecordedAction, RecordedGame
from records.runs import ProblemOf
from rules import actions as act
from rules import engine
from rules.actions import Action, Actor
from rules.game import Game
from rules.state import State
from rules.steps.base import Step
from rules.steps.routes import Run

#: Actions after which a game is ended by agreement where it has not ended by itself.
LENGTH: Final = 2_500

#: How gladly each kind of action is taken where several are open; 1 for those that are not listed.
_USUAL: Final[Mapping[type[Action], float]] = {
    act.Bid: 2, act.Pass: 1, act.Par: 3, act.BuyShares: 4, act.SellShares: 0.3, act.LayTile: 4, act.PlaceToken: 1,
    act.BuyTrain: 3, act.BuyPrivate: 0.1, act.Dividend: 1, act.RunRoutes: 1, act.EndGame: 0,
}  # fmt: skip


@dataclass(frozen=True)
class Temper:
    """A way to play: weights that differ from the usual ones, how gladly revenue is paid rather than kept, how gladly
    trains are bought from the bank rather than from others, and how many runs are tried for each train."""

    name: str
    weights: Mapping[type[Action], float]
    payout: float = 4.0
    fresh_trains: float = 1.0
    walks: int = 3


#: Tempers and how often they are drawn.
TEMPERS: Final[tuple[Temper, ...]] = (
    Temper("even", {}),
    Temper("builder", {act.LayTile: 12, act.Pass: 0.4, act.BuyTrain: 6}),
    Temper("payer", {act.BuyTrain: 5, act.SellShares: 0.05, act.LayTile: 8}, payout=30.0),
    Temper("looter", {act.SellShares: 3, act.BuyTrain: 1, act.Dividend: 1}, payout=30.0),
    Temper("hoarder", {act.BuyTrain: 12, act.SellShares: 0.1}, payout=0.3),
    Temper("idler", {act.Pass: 8, act.Par: 0.3, act.BuyShares: 0.5}),
    Temper("racer", {act.BuyTrain: 15, act.LayTile: 8, act.SellShares: 0.05}, payout=1.0, fresh_trains=50.0, walks=12),
    Temper(
        "climber",
        {act.LayTile: 15, act.SellShares: 0.01, act.BuyShares: 8, act.BuyTrain: 2, act.Pass: 0.5},
        payout=100.0,
        fresh_trains=10.0,
        walks=20,
    ),
)


class RandomPlayer:
    """Chooses legal actions by chance."""

    def __init__(self, seed: int, problem_of: ProblemOf, temper: Temper | None = None) -> None:
        self.chance = random.Random(seed)
        drawn = self.chance.choice(TEMPERS)
        self.temper = temper or drawn
        self._problem_of = problem_of

    def choose(self, state: State) -> Action:
        """A legal action. Raises :class:`SolverError` where somebody is asked and nothing is legal: a fault of the
        rules of the title."""
        open_kinds = list(_open(state))
        while open_kinds:
            weights = [self._weight(kind) for _, _, kind in open_kinds]
            if not any(weights):
                weights = [1.0] * len(weights)
            (place,) = self.chance.choices(range(len(open_kinds)), weights)
            step, actor, kind = open_kinds.pop(place)
            found = self._one_of(state, step, actor, kind)
            if found is not None:
                return found
        who = " or ".join(str(actor) for actor in engine.acting(state)) or "nobody"
        waiting = engine.waiting_step(state)
        title = waiting.title if waiting is not None else state.round.kind
        raise SolverError(Fault("nothing-legal", f"{title}: {who} must act, and nothing is legal"))

    def _weight(self, kind: type[Action]) -> float:
        return self.temper.weights.get(kind, _USUAL.get(kind, 1.0))

    def _one_of(self, state: State, step: Step, actor: Actor, kind: type[Action]) -> Action | None:
        if kind is act.RunRoutes and isinstance(step, Run):
            trains = [(train, state.face_of(train)) for train in step.allowed(state)]
            problem = self._problem_of(state.position(actor.name))
            return act.RunRoutes(by=actor, routes=random_runs(problem, trains, self.chance, self.temper.walks))
        if kind is act.Pass:
            if act.LayTile in step.open_to(state, actor):
                return act.Pass(by=actor)  # without listing all the lays before it
            return next((action for action in step.legal(state, actor) if type(action) is act.Pass), None)
        legal = [action for action in step.legal(state, actor) if type(action) is kind]
        if not legal:
            return None
        if kind is act.Dividend:
            gladness = [self.temper.payout if getattr(one, "kind", "") == "payout" else 1.0 for one in legal]
            return self.chance.choices(legal, gladness)[0]
        if kind is act.BuyTrain:
            owned = {train for company in state.companies.values() for train in company.trains}
            gladness = [1.0 if getattr(one, "train", "") in owned else self.temper.fresh_trains for one in legal]
            return self.chance.choices(legal, gladness)[0]
        return self.chance.choice(legal)


def _open(state: State) -> Iterator[tuple[Step, Actor, type[Action]]]:
    """What is open to whom: as :func:`rules.engine.legal_actions`, without listing the actions themselves."""
    for step in state.kind.steps:
        if step.key in state.round.turn.done:
            continue
        for actor in step.actors(state):
            for kind in sorted(step.open_to(state, actor), key=lambda one: one.__name__):
                yield step, actor, kind
        if step.waits(state):
            return


def play(
    game: Game,
    player: RandomPlayer,
    *,
    length: int = LENGTH,
    watch: Callable[[State, Action, State], None] | None = None,
) -> tuple[tuple[Action, ...], State]:
    """A game from its opening to its end, with its actions; *watch* sees every step. After *length* actions the players
    end it by agreement."""
    state = engine.start(game.opening())
    done: list[Action] = []
    while not state.over:
        over_length = len(done) >= length
        action = act.EndGame(by=Actor("player", state.order[0])) if over_length else player.choose(state)
        after = engine.apply(state, action)
        if watch is not None:
            watch(state, action, after)
        done.append(action)
        state = after
    return tuple(done), state


def recorded(name: str, game_id: str, game: Game, actions: Iterable[Action], end: State) -> RecordedGame:
    """A game that was played here as a recorded game."""
    entries = tuple(
        RecordedAction(number, action.verb, action.by.name, f"action {number}", action)
        for number, action in enumerate(actions, start=1)
    )
    return RecordedGame(
        title=name,
        id=game_id,
        players=tuple((seat, game.names[seat]) for seat in game.seats),
        options=tuple(sorted(game.options)),
        seed=game.seed,
        actions=entries,
        result=game.scores(end) if end.over else {},
        end_reason=end.over,
        finished=bool(end.over),
        ids={seat: int(seat) if seat.isdecimal() else seat for seat in game.seats},
    )
