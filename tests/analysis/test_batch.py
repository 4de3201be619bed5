"""Batches: what is read, what is written, and that interruptions lose nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import analysis.batch as batch_module
from analysis.batch import Progress, run_batch
from analysis.games import opening, problems_of
from analysis.parts import part_file
from analysis.questions import Dataset
from analysis.tables import TABLES, VERSION
from board.errors import InputError
from cli.batch import progress_text
from cli.main import run as cli
from records.games_18xx import read_game
from records.replay import replay
from records.sources import GameText
from routing.solve import solve
from tests.analysis.recorded_games import contents, folder_of_games, random_game

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_games(tmp_path_factory.mktemp("games") / "games")


@pytest.fixture(scope="module")
def dataset(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("batch") / "dataset"
    run_batch([str(games)], out)
    return out


def test_games_in_every_form_are_read_in_order(games: Path, dataset: Path) -> None:
    names = [row["source"] for row in Dataset(dataset).all("SELECT source FROM timings WHERE run = 0")]
    inside = ["a.json", "d.zip/inside/e.json", "d.zip/inside/f.ndjson.gz:1", "g.json", "more/b.json.gz"]
    assert names == [f"{games}/{name}" for name in (*inside, "more/c.jsonl:1", "more/c.jsonl:3")]
    assert Dataset(dataset).all("SELECT count(*) n FROM errors") == [{"n": 0}]


def test_tables_hold_what_a_replay_gives(games: Path, dataset: Path) -> None:
    """Counted by hand from the replay of one game, without any of the code that writes rows."""
    game = read_game(games / "a.json")
    bought: Counter[str] = Counter()
    runs, state = [], opening(game)
    problem_of = problems_of("1830")
    for carried in replay(game, state, problem_of):
        state = carried.after
        runs += [(carried.entry.id, check) for check in carried.runs]
        bought.update(action.by.name for action in carried.entry.actions if action.verb == "buy_train")
    ask = Dataset(dataset).all
    source = [str(games / "a.json")]
    turns = ask("SELECT * FROM company_turns WHERE source = ? ORDER BY run", source)
    assert [(row["action"], row["company"], row["claimed"]) for row in turns] == [
        (number, check.company, check.stored) for number, check in runs
    ]
    best = [solve(problem_of(check.position)).revenue for _, check in runs]
    assert [row["best"] for row in turns] == best
    assert all(row["shortfall"] == row["best"] - row["claimed"] for row in turns)
    assert {row["company"]: row["n"] for row in ask(
        "SELECT company, count(*) n FROM trains_bought WHERE source = ? GROUP BY company", source
    )} == bought  # fmt: skip
    scores = state.game.scores(state)
    assert {row["player"]: row["value"] for row in ask("SELECT * FROM players WHERE source = ?", source)} == scores
    (row,) = ask("SELECT * FROM games WHERE source = ?", source)
    assert (row["actions"], row["runs"], row["over"], row["complete"]) == (
        len(game.actions), len(runs), state.over, True,
    )  # fmt: skip


def test_parts_of_revenue_add_up(dataset: Path) -> None:
    wrong = Dataset(dataset).all("""
        WITH items AS (SELECT source, run, kind, sum(amount) AS money FROM revenue_items GROUP BY ALL)
        SELECT * FROM items JOIN company_turns USING (source, run)
        WHERE money <> CASE kind WHEN 'run' THEN revenue ELSE best END""")
    assert wrong == []
    held = Dataset(dataset).all("SELECT sum(percent) p FROM holdings GROUP BY source, turn, round_kind, round, company")
    assert {row["p"] for row in held} == {100}


def test_prices_after_dividends_are_those_of_the_chart(dataset: Path) -> None:
    ask = Dataset(dataset).all
    assert ask(
        "SELECT count(*) n FROM company_turns WHERE dividend = 'payout' AND claimed > 0 AND price_after < price"
    ) == [{"n": 0}]
    assert ask("SELECT count(*) n FROM company_turns WHERE claimed = 0 AND price_after > price") == [{"n": 0}]


def test_files_carry_schema_and_version(dataset: Path) -> None:
    for table in TABLES:
        files = list((dataset / table.name).rglob("*.parquet"))
        assert files or table.name == "errors"
        for file in files:
            schema = pq.ParquetFile(file).schema_arrow
            assert schema.metadata[b"trackage.version"] == str(VERSION).encode()
            assert schema.equals(table.arrow)
            assert all(field.metadata[b"meaning"] for field in schema)


def test_the_same_input_gives_the_same_bytes_with_any_number_of_workers(
    games: Path, dataset: Path, tmp_path: Path
) -> None:
    run_batch([str(games)], tmp_path / "again", jobs=2)
    assert contents(tmp_path / "again") == contents(dataset)


def test_killed_and_resumed_equals_uninterrupted(games: Path, dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "dataset"
    command = [sys.executable, "-m", "cli", "batch", str(games), "--out", str(out), "--jobs", "2", "--resume"]
    kept: dict[Path, int] = {}
    for wanted in (1, 3):
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 60
        while len(list(out.rglob("*.part"))) < wanted and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        now = {file: file.stat().st_mtime_ns for file in out.rglob("*.part")}
        assert {file: now[file] for file in kept} == kept  # nothing is worked out twice
        kept = now
    with pytest.raises(InputError, match="resume"):
        run_batch([str(games)], out)
    outcome = run_batch([str(games)], out, resume=True)
    assert outcome.kept == len(kept) >= 3
    assert contents(out) == contents(dataset)


def test_a_changed_file_and_a_damaged_part_are_worked_out_again(tmp_path: Path) -> None:
    first, second, out = tmp_path / "1.json", tmp_path / "2.json", tmp_path / "out"
    first.write_text(random_game("1830", 1)[0], encoding="utf-8")
    second.write_text(random_game("1830", 2)[0], encoding="utf-8")
    assert run_batch([str(tmp_path / "*.json")], out).kept == 0
    whole = contents(out)
    assert run_batch([str(tmp_path / "*.json")], out, resume=True).kept == 2
    part = part_file(out, str(second))
    part.write_bytes(part.read_bytes()[:-1])
    assert run_batch([str(tmp_path / "*.json")], out, resume=True).kept == 1
    assert contents(out) == whole
    first.write_text(random_game("1830", 4)[0], encoding="utf-8")
    assert run_batch([str(tmp_path / "*.json")], out, resume=True).kept == 1
    assert contents(out) != whole


def test_a_batch_with_other_settings_is_not_resumed(games: Path, dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="time_limit"):
        run_batch([str(games)], dataset, resume=True, time_limit=1.0)
    (tmp_path / "other").write_text("mine")
    with pytest.raises(InputError, match="something else"):
        run_batch([str(games)], tmp_path)


def _deadly(text: GameText, time_limit: float) -> bytes:
    """Dies over one game."""
    if b"1830-2" in text.data:
        os.kill(os.getpid(), signal.SIGKILL)
    return REAL(text, time_limit)


REAL = batch_module.worked_out


def test_only_the_game_over_which_workers_die_is_given_up(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_module, "worked_out", _deadly)
    sources = [str(games / "a.json"), str(games / "more")]
    outcome = run_batch(sources, tmp_path / "out", jobs=2)
    assert (outcome.games, outcome.errors) == (4, 1)
    (row,) = Dataset(tmp_path / "out").all("SELECT * FROM errors")
    assert row["code"] == "worker-died"
    assert row["source"].endswith("b.json.gz")
    monkeypatch.undo()
    again = run_batch(sources, tmp_path / "out", resume=True)
    assert (again.kept, again.errors) == (3, 0)


def test_a_game_against_the_rules_keeps_what_was_played(tmp_path: Path) -> None:
    value = json.loads(random_game("1830", 5)[1])
    place = next(place for place in range(200) if value["actions"][place]["type"] == "run_routes")
    value["actions"][place + 1 :] = [{**value["actions"][place], "id": value["actions"][place]["id"] + 1}]
    (tmp_path / "game.json").write_text(json.dumps(value), encoding="utf-8")
    run_batch([str(tmp_path)], tmp_path / "out")
    ask = Dataset(tmp_path / "out").all
    (row,) = ask("SELECT * FROM errors")
    assert (row["stage"], row["title"]) == ("play", "1830")
    assert f"action {value['actions'][-1]['id']}" in row["message"]
    (game,) = ask("SELECT * FROM games")
    assert not game["complete"]
    assert game["actions"] == place + 1


def test_command_line(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert cli(["batch", str(games / "a.json"), "--out", str(out), "--jobs", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 1
    assert cli(["query", "SELECT company, max(best) AS best FROM company_turns GROUP BY company", str(out)]) == 0
    assert capsys.readouterr().out.split()[:2] == ["company", "best"]
    assert cli(["query", "--tables"]) == 0
    assert "company_turns: a train run of a company" in capsys.readouterr().out
    assert cli(["batch", str(games / "a.json"), "--out", str(out)]) == 2
    assert cli(["batch", str(tmp_path / "nothing"), "--out", str(out)]) == 2
    assert cli(["query", "SELECT nonsense FROM games", str(out)]) == 2
    assert cli(["query", f"COPY games TO '{tmp_path}/x.csv'", str(out)]) == 2
    assert cli(["query", "SELECT * FROM read_text('/etc/hostname')", str(out)]) == 2
    assert cli(["query", "SELECT 1", str(games)]) == 2
    assert not (tmp_path / "x.csv").exists()


def test_progress_tells_rate_and_time_left() -> None:
    text = progress_text(Progress(done=130, kept=10, total=250, errors=2), 60.0)
    assert text == "[##########----------] 130 of 250 games, 2.0 a second, 60 s left, 2 with errors"
