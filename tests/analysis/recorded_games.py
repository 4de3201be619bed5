"""Short random games as files, for batches."""

from __future__ import annotations

import gzip
import json
import zipfile
from functools import lru_cache
from pathlib import Path

from analysis.games import problems_of
from analysis.random_play import RandomPlayer, play, recorded
from records.games_18xx import game_text, game_to_json
from titles.registry import get_title

#: The run of the example game that is made illegal for reports: its second route takes the track of the first.
SPOILT = 419
#: The name of a player of that game, which no page may take for markup.
NAME = '<script>alert("$x_1$")</script>'


@lru_cache(maxsize=64)
def random_game(title: str, seed: int, length: int = 200) -> tuple[str, str]:
    """A random game as the text of a file, and on one line."""
    found = get_title(title)
    seats = [str(seat) for seat in range(1, found.info.players[0] + 1)]
    game = found.game(seats, names={seat: f"Player {seat}" for seat in seats}, seed=seed)
    actions, end = play(game, RandomPlayer(seed, problems_of(title)), length=length)
    played, price = recorded(title, f"{title}-{seed}", game, actions, end), game.facts.market.price
    return game_text(played, price), json.dumps(game_to_json(played, price))


def folder_of_games(folder: Path) -> Path:
    """Seven games in every form that a batch reads."""
    (folder / "more").mkdir(parents=True)
    (folder / "a.json").write_text(random_game("1830", 5)[0], encoding="utf-8")
    (folder / "more" / "b.json.gz").write_bytes(gzip.compress(random_game("1830", 2)[0].encode()))
    lines = [random_game("1894", 3)[1], "", random_game("1830", 13)[1]]
    (folder / "more" / "c.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with zipfile.ZipFile(folder / "d.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inside/e.json", random_game("1830", 6)[0])
        archive.writestr("inside/f.ndjson.gz", gzip.compress(random_game("1894", 6)[1].encode()))
        archive.writestr("readme.txt", "not a game")
    (folder / "g.json").write_text(random_game("1830", 7)[1] + "\n", encoding="utf-8")
    (folder / "notes.txt").write_text("not a game", encoding="utf-8")
    return folder


def contents(dataset: Path) -> dict[str, bytes]:
    """The bytes of every table of a dataset that can be repeated."""
    return {
        str(file.relative_to(dataset)): file.read_bytes()
        for file in sorted(dataset.rglob("*.parquet"))
        if file.relative_to(dataset).parts[0] != "timings"
    }
