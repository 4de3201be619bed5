"""``trackage simulate``: a random legal game, written as a recorded game."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.games import problems_of
from analysis.random_play import RandomPlayer, play, recorded
from cli.errors import DONE
from cli.screen import say
from cli.written import write_file, write_json
from records.games_18xx import game_text, game_to_json
from titles.registry import get_title


def run(
    name: str,
    *,
    players: int | None,
    seed: int,
    options: Sequence[str] = (),
    length: int,
    out: Path | None = None,
    as_json: bool = False,
) -> int:
    """Play a game and print or write it; returns the exit status.

    Raises :class:`InputError` for a title, options or a number of players that there are no rules for.
    """
    title = get_title(name)
    number = title.info.players[0] if players is None else players
    seats = [str(seat) for seat in range(1, number + 1)]
    game = title.game(seats, options=options, names={seat: f"Player {seat}" for seat in seats}, seed=seed)
    actions, end = play(game, RandomPlayer(seed, problems_of(name)), length=length)
    played = recorded(title.info.name, f"{title.info.name}-{number}-{seed}", game, actions, end)
    price = game.facts.market.price
    if out is not None:
        write_file(out, game_text(played, price).encode())
        print(f"{out}: {len(actions)} actions, ended by {end.over}", file=sys.stderr)
    elif as_json:
        write_json(game_to_json(played, price))
    else:
        say(game_text(played, price).rstrip("\n"))
    return DONE
