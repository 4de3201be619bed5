"""Audits of recorded games against score and best, and against what is known of the recorded games."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.audit import AuditedRun, audited_game, totals_of
from analysis.games import opening, problems_of
from cli.inputs import edition_of
from records.games_18xx import read_game
from records.positions import load_positions
from routing.claims import check_claim
from routing.solve import solve
from tests.cli.calling import EXAMPLES

SHARED = Path(__file__).resolve().parents[3] / "shared"
RANDOM = EXAMPLES / "games" / "1830-random.json"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded games in ../shared are not there")


def audit(path: Path) -> tuple[AuditedRun, ...]:
    game = read_game(path)
    return tuple(audited_game(game, opening(game), problems_of(game.title)))


def agrees(run: AuditedRun) -> None:
    """The audit says what the checker and the search say of the same position."""
    problem = problems_of(run.position.edition.title)(run.position)
    assert run.best.revenue == solve(problem).revenue
    verdict = check_claim(problem, run.routes)
    assert (run.revenue, run.legal) == (verdict.revenue, verdict.legal)
    assert run.shortfall == max(0, run.best.revenue - run.claimed)
    assert run.best.proven


def test_an_own_game_agrees_with_score_and_best() -> None:
    runs = audit(RANDOM)
    assert runs
    for run in runs:
        agrees(run)


def test_totals_add_up_in_every_way() -> None:
    runs = audit(RANDOM)
    totals = totals_of(runs)
    assert totals.all.runs == len(runs)
    for kind, sums in totals.tables().items():
        if kind != "mark":
            for field in ("runs", "claimed", "best", "shortfall", "short", "illegal", "differ"):
                assert sum(getattr(one, field) for one in sums.values()) == getattr(totals.all, field)
    assert totals.all.shortfall == sum(run.shortfall for run in runs)


@needs_shared
@pytest.mark.parametrize("name", ["1846/20381", "1830/26855", "18GB/18gb-3p"])
def test_recorded_games_agree_with_their_positions(name: str) -> None:
    """Every recorded run is a position of the same action; score and best of it are those of the audit."""
    runs = {run.position.action: run for run in audit(SHARED / "games" / f"{name}.json")}
    records = load_positions([SHARED / "positions" / f"{name}.jsonl"], edition_of)
    assert len(records) == len(runs)
    for record in records:
        run = runs[record.position.action]
        problem = problems_of(record.position.edition.title)(record.position)
        assert run.position.operator == record.position.operator
        assert run.revenue == check_claim(problem, record.claimed).revenue == record.claimed_revenue
        assert run.best.revenue == solve(problem).revenue
        agrees(run)


@needs_shared
def test_the_stored_revenue_that_differs_is_found() -> None:
    """18gb-leased_train stores 440 at action 555, where the rules give 470; seven runs use leased trains."""
    runs = audit(SHARED / "games" / "18GB" / "18gb-leased_train.json")
    differ = [run for run in runs if run.differs]
    assert [(run.position.action, run.claimed, run.revenue) for run in differ] == [(555, 440, 470)]
    assert sum(run.mark == "insolvent" for run in runs) == 7
    assert all(run.legal for run in runs)


@needs_shared
def test_the_run_of_1828_that_the_site_doubts_is_met_by_the_rules() -> None:
    (run,) = [run for run in audit(SHARED / "games" / "1828" / "23366.json") if run.position.action == 273]
    assert run.legal
    assert not run.differs
