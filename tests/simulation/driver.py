"""Plays one random game and watches it: states, old states, refusals, and the game as written and read back."""

from __future__ import annotations

import dataclasses
import json
import random
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, combinations, count, cycle

from analysis.games import opening, problems_of
from analysis.random_play import LENGTH, RandomPlayer, play, recorded
from board.errors import InputError, RuleViolation
from records.games_18xx import game_from, game_text
from records.replay import replay
from rules import engine
from rules.actions import Action, Actor
from rules.game import Game
from rules.state import State
from tests.simulation.invariants import problems, snapshot
from titles.base import Title
from titles.registry import get_title, titles

#: A state of so many is looked at closely: every legal action applied, wrong ones tried.
CLOSELY = 40
#: Legal actions that are applied to a state at most.
MOST_TRIED = 60
#: A state of so many has its legal actions written.
OFFERS_OF = 20
#: A game of so many is ended by agreement, after so many actions.
AGREED = 35
BRIEF = 100
#: Options that are tried together at most.
MOST_OPTIONS = 2


@dataclass(frozen=True)
class Case:
    """A game to play."""

    title: str
    players: int
    options: tuple[str, ...]
    seed: int

    def __str__(self) -> str:
        options = "".join(f" --option {option}" for option in self.options)
        return f"{self.title} --players {self.players} --seed {self.seed}{options}"


@dataclass(frozen=True)
class Outcome:
    """How a game went: the reason of its end, its length, the CPU time, and what was wrong."""

    case: Case
    over: str
    actions: int
    seconds: float
    problems: tuple[str, ...] = ()


def playable() -> tuple[Title, ...]:
    """The titles whose whole games are played."""
    return tuple(title for title in titles() if title.game_rules() is not None)


def variants(title: Title) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every number of players without options, with each option alone, and with two, as far as they go together.

    Which do is found out one by one: reading the facts of a title for hundreds of sets of options takes a while.
    """
    return (one for one in combined(title) if goes_together(title, *one))


def combined(title: Title) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every number of players with up to two options, whether or not they go together."""
    least, most = title.info.players
    for number in range(MOST_OPTIONS + 1):
        for options in combinations(sorted(title.info.options), number):
            for players in range(least, most + 1):
                yield players, options


def goes_together(title: Title, players: int, options: tuple[str, ...]) -> bool:
    try:
        new_game(title, players, options, 1)
    except InputError:
        return False
    return True


def new_game(title: Title, players: int, options: tuple[str, ...], seed: int) -> Game:
    seats = [str(seat) for seat in range(1, players + 1)]
    return title.game(seats, options=options, names={seat: f"Player {seat}" for seat in seats}, seed=seed)


def cases(
    games: int, only: str | None = None, having: Collection[str] = (), lacking: Collection[str] = ()
) -> Iterator[Case]:
    """So many games, as many of each title or all of one, spread over numbers of players and options; the seeds are
    fixed. All have the options *having* and none of *lacking*."""
    everything: list[tuple[Title, Iterator[tuple[int, tuple[str, ...]]]]] = []
    for title in playable():
        chosen = (one for one in variants(title) if fits(one[1], having, lacking))
        if only in (None, title.info.name) and (first := next(chosen, None)) is not None:
            everything.append((title, cycle(chain((first,), chosen))))
    for number in range(games if everything else 0):
        title, several = everything[number % len(everything)]
        players, options = next(several)
        yield Case(title.info.name, players, options, number + 1)


def fits(options: Collection[str], having: Collection[str], lacking: Collection[str]) -> bool:
    return set(having) <= set(options) and set(lacking).isdisjoint(options)


def sample(games: int) -> Iterator[Case]:
    """So many games, each title in turn, players and options drawn; the seeds are fixed."""
    for number in range(games):
        title, chance = playable()[number % len(playable())], random.Random(f"sample {number}")
        everything = list(combined(title))
        chance.shuffle(everything)
        players, options = next(one for one in everything if goes_together(title, *one))
        yield Case(title.info.name, players, options, number + 1)


class Watch:
    """Looks at every step of a game."""

    def __init__(self, seed: int, closely: int = CLOSELY) -> None:
        self.chance = random.Random(f"watch {seed}")
        self.closely = closely
        self.problems: list[str] = []
        self.number = 0

    def __call__(self, before: State, action: Action, after: State) -> None:
        self.number += 1
        for problem in problems(after):
            self.problems.append(f"action {self.number}, {action}: {problem}")
        if self.chance.randrange(self.closely) == 0 and not after.over:
            self.look_closely(after)

    def look_closely(self, state: State) -> None:
        """What is offered applies, what is wrong is refused, and neither changes the state."""
        text = snapshot(state)
        legal = list(engine.legal_actions(state))
        if not legal:
            self.problems.append(f"after action {self.number}: nothing is legal")
        tried = legal if len(legal) <= MOST_TRIED else self.chance.sample(legal, MOST_TRIED)
        for action in tried:
            try:
                engine.apply(state, action)
            except RuleViolation as error:
                self.problems.append(f"after action {self.number}: {action} is offered and refused: {error}")
        for action in tried[:10]:
            for wrong in spoilt(action, self.chance):
                with suppress(RuleViolation):
                    engine.apply(state, wrong)
        if snapshot(state) != text:
            self.problems.append(f"after action {self.number}: looking at legal actions changed the state")


def spoilt(action: Action, chance: random.Random) -> Iterator[Action]:
    """The action with one thing wrong: somebody else acts, a name that does not exist, numbers that do not fit."""
    yield dataclasses.replace(action, by=Actor(action.by.kind, "nobody"))
    yield dataclasses.replace(action, by=Actor("corporation", action.by.name))
    for field in dataclasses.fields(action):
        value = getattr(action, field.name)
        if field.name in ("by", "id"):
            continue
        if isinstance(value, int):
            yield dataclasses.replace(action, **{field.name: chance.choice([-1, 0, value + 1, 10**9])})
        elif type(value) is str:
            yield dataclasses.replace(action, **{field.name: f"{value}x"})
        elif isinstance(value, tuple) and value and type(value[0]) is str:
            yield dataclasses.replace(action, **{field.name: (*value, value[0])})
            yield dataclasses.replace(action, **{field.name: ()})


def outcome(case: Case, *, closely: int = CLOSELY, length: int | None = None) -> Outcome:
    """The game played, watched, written, read back and replayed; it is ended by agreement after *length* actions, after
    :data:`BRIEF` for some seeds."""
    if length is None:
        length = LENGTH if case.seed % AGREED else BRIEF
    title = get_title(case.title)
    game = new_game(title, case.players, case.options, case.seed)
    begun = time.process_time()
    watch = Watch(case.seed, closely)
    actions, end = play(game, RandomPlayer(case.seed, problems_of(case.title)), length=length, watch=watch)
    found = watch.problems
    found += read_back(case, game, actions, end)
    return Outcome(case, end.over, len(actions), time.process_time() - begun, tuple(found))


def written(case: Case, length: int) -> str:
    """The game as it is written, and what was legal in some of its states: the same bytes in every process."""
    title = get_title(case.title)
    game = new_game(title, case.players, case.options, case.seed)
    offered: list[str] = []
    seen = count()

    def watch(before: State, action: Action, after: State) -> None:
        if next(seen) % OFFERS_OF == 0:
            offered.append(repr(tuple(engine.legal_actions(after))))

    actions, end = play(game, RandomPlayer(case.seed, problems_of(case.title)), length=length, watch=watch)
    text = game_text(recorded(case.title, str(case.seed), game, actions, end), game.facts.market.price)
    return "\n".join((str(case), text, *offered))


def read_back(case: Case, game: Game, actions: tuple[Action, ...], end: State) -> list[str]:
    """What is wrong with the game as a file: it reads back to the same actions, and replays to the same end."""
    written = recorded(case.title, str(case.seed), game, actions, end)
    text = game_text(written, game.facts.market.price)
    again = game_from(json.loads(text))
    if [entry.action for entry in again.actions] != list(actions):
        return ["the game reads back to other actions"]
    state = opening(again)
    problem_of = problems_of(case.title)
    for carried in replay(again, state, problem_of):
        state = carried.after
        if carried.notices or any(run.differs for run in carried.runs):
            return [f"action {carried.entry.id} differs when it is read back: {carried.notices} {carried.runs}"]
    if snapshot(state.but(lenient=False)) != snapshot(end):
        return ["the game replays to another end"]
    return [] if dict(again.result) == state.game.scores(state) else ["the scores read back differ"]
