"""Right claims as bare stops are accepted, and wrong ones made from them are refused with the right code.

A sample runs with all tests. The full set is one command, some minutes on one core::

    TRACKAGE_MUTANTS=3000 python -m pytest tests/property/test_mutants.py
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import pytest

from analysis.differences import differences
from analysis.games import opening, problems_of
from board.routes import ClaimedRoute
from cli.inputs import edition_of
from records.games_18xx import read_game
from records.positions import PositionRecord, load_positions
from records.replay import replay
from routing.claims import check_claim
from routing.problem import RouteProblem
from routing.solve import solve
from tests.cli.calling import ERIE, EXAMPLES, LNWR
from tests.property.mutants import KINDS, Mutant, bare, bonus_of, mutants
from titles.registry import get_title

MUTANTS: Final = int(os.environ.get("TRACKAGE_MUTANTS", "150"))
SHARED: Final = Path(__file__).resolve().parents[3] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded positions in ../shared are not there")


def problem_of(record: PositionRecord) -> RouteProblem:
    return get_title(record.position.edition.title).problem(record.position)


@lru_cache
def own() -> tuple[PositionRecord, ...]:
    """The examples with their best runs as claims, and every run of an own game."""
    found = []
    for record in load_positions([ERIE, LNWR], edition_of):
        best = solve(problem_of(record))
        claims = tuple(ClaimedRoute(route.train, route.stops) for route in best.routes)
        found.append(PositionRecord(record.position, claims, claimed_revenue=best.revenue, source=record.source))
    game = read_game(EXAMPLES / "games" / "1830-random.json")
    for carried in replay(game, opening(game), problems_of(game.title)):
        found += [
            PositionRecord(run.position, run.claimed, claimed_revenue=run.stored, source=str(carried.entry.id))
            for run in carried.runs
            if run.claimed
        ]
    return tuple(found)


@lru_cache
def recorded() -> tuple[PositionRecord, ...]:
    return load_positions(sorted((SHARED / "positions").glob("*/*.jsonl")), edition_of)


def sample(records: tuple[PositionRecord, ...], number: int) -> tuple[PositionRecord, ...]:
    """About *number* records, spread over all."""
    return records[:: max(1, len(records) // number)]


def mutants_of(record: PositionRecord, seed: int) -> Iterator[Mutant]:
    claimed = record.claimed
    bonuses = [bonus_of(record.position, claimed[0])] if claimed else []
    return mutants(record.position, claimed, record.claimed_revenue, bonuses, Random(f"{record.source} {seed}"))


def codes(record: PositionRecord, mutant: Mutant) -> set[str]:
    """Everything that is held against the mutant."""
    verdict = check_claim(problem_of(record), mutant.claimed)
    found = {fault.code for fault in verdict.all_faults}
    assert verdict.legal == (not found)
    return found | {fault.code for fault in differences(mutant.claimed, mutant.total, verdict)}


def refused(records: tuple[PositionRecord, ...], number: int) -> Counter[str]:
    """Holds *number* mutants of the records against their codes; counts them by kind."""
    seen: Counter[str] = Counter()

    def endless() -> Iterator[tuple[PositionRecord, Mutant]]:
        for seed in range(20):
            for record in records:
                for mutant in mutants_of(record, seed):
                    yield record, mutant

    for record, mutant in islice(endless(), number):
        assert mutant.code in codes(record, mutant), (record.source, mutant)
        seen[mutant.kind] += 1
    return seen


def accepted(record: PositionRecord) -> None:
    verdict = check_claim(problem_of(record), bare(record.claimed))
    assert verdict.legal, record.source
    assert verdict.revenue == record.claimed_revenue, record.source


def test_own_claims_are_accepted_as_bare_stops() -> None:
    for record in own():
        accepted(record)


def test_own_mutants_are_refused() -> None:
    seen = refused(own(), 80)
    assert {"swapped stop", "wrong total"} <= set(seen)


@needs_shared
def test_recorded_claims_are_accepted_as_bare_stops() -> None:
    for record in recorded() if MUTANTS > 1000 else sample(recorded(), 60):
        accepted(record)


@needs_shared
def test_recorded_mutants_are_refused() -> None:
    records = recorded() if MUTANTS > 1000 else sample(recorded(), max(1, MUTANTS // 4))
    seen = refused(records, MUTANTS)
    print(dict(seen))
    assert set(seen) == set(KINDS)
    assert sum(seen.values()) == MUTANTS
