"""Plays random games of all titles, options and numbers of players, and says what is wrong.

``python -m tests.simulation`` plays 1,000; ``python -m tests.simulation 1830 --players 3 --seed 7`` plays one again.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from multiprocessing import Pool

from board.errors import InputError
from tests.simulation.driver import Case, Outcome, cases, outcome, playable
from titles.registry import get_title

#: Ends that every title knows beside those of its own table.
ALWAYS = ("manually_ended",)


def tried(case: Case) -> Outcome:
    """The outcome, an unexpected error included."""
    try:
        return outcome(case)
    except Exception as error:
        return Outcome(case, "error", 0, 0.0, (f"{type(error).__name__}: {error}",))


def ends_of(title: str) -> set[str]:
    """Every way for games of the title to end."""
    found: set[str] = set(ALWAYS)
    for one in playable():
        if one.info.name == title:
            seats = [str(seat) for seat in range(1, one.info.players[1] + 1)]
            found |= set(one.game(seats).facts.settings.end_of_game)
    return found


def report(outcomes: Iterable[Outcome], games: int, *, each: bool = False) -> int:
    """Prints progress and what is wrong; returns the exit status."""
    ends: dict[str, Counter[str]] = {}
    shortest: dict[tuple[str, str], Outcome] = {}
    bad = actions = 0
    seconds = 0.0
    for number, one in enumerate(outcomes, start=1):
        ends.setdefault(one.case.title, Counter())[one.over] += 1
        actions += one.actions
        seconds += one.seconds
        key = one.case.title, one.over
        if key not in shortest or one.actions < shortest[key].actions:
            shortest[key] = one
        if each:
            print(f"{one.case}: {one.over} after {one.actions} actions, {one.seconds:.1f} s", flush=True)
        for problem in one.problems[:3]:
            print(f"{one.case}: {problem}", flush=True)
        bad += bool(one.problems)
        if sys.stderr.isatty() or number % 50 == 0:
            print(f"\r{number} of {games} games, {bad} bad", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for title, counted in sorted(ends.items()):
        print(f"{title}: {', '.join(f'{reason} {number}' for reason, number in counted.most_common())}")
        for reason in counted:
            one = shortest[title, reason]
            print(f"  shortest by {reason}: {one.case} ({one.actions} actions, {one.seconds:.1f} s)")
        missing = ends_of(title) - counted.keys()
        if missing and games >= 1000:
            print(f"  never: {', '.join(sorted(missing))}")
            bad += 1
    print(f"{games} games, {actions} actions, {seconds:.0f} s of work, {bad} bad")
    return 1 if bad else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("title", nargs="?", help="play one game of this title")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="play games of this title only")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], help="with this option; may be repeated")
    parser.add_argument("--without", action="append", default=[], help="no games with this option; may be repeated")
    parser.add_argument("--each", action="store_true", help="print a line for each game")
    told = parser.parse_args()
    try:
        title = get_title(told.title or told.only).info.name if told.title or told.only else None
        if told.title:
            return report([outcome(Case(str(title), told.players, tuple(told.option), told.seed), closely=5)], 1)
    except InputError as error:
        parser.error(str(error))
    chosen = list(cases(told.games, title, told.option, told.without))
    if not chosen:
        parser.error("no title has games with these options")
    with Pool(told.jobs) as pool:
        return report(pool.imap_unordered(tried, chosen), len(chosen), each=told.each)


if __name__ == "__main__":
    sys.exit(main())
