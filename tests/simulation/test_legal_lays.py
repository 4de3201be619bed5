"""The list of legal lays is complete: it holds just those that pass among all tiles, hexes and rotations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from analysis.games import problems_of
from analysis.random_play import RandomPlayer, play
from board.hexes import HexId
from rules.actions import Action
from rules.policies.track import LayPlan
from rules.state import State
from rules.steps.track import lays_of
from tests.simulation.driver import new_game, playable

#: States that are looked at in each game.
MOST = 2


def every_lay(state: State, company: str) -> Iterator[LayPlan]:
    """Every tile in every reached hex in every rotation, put to the rules."""
    game, table, edition = state.game, state.table, state.facts.edition
    for hex_id, tile, rotation in product(game.reach(state, company).sides, edition.tiles.stock, range(6)):
        copy = table.free_copy(tile)
        if hex_id not in edition.map or copy is None:
            continue
        plan = LayPlan(company, HexId(hex_id), tile, copy, rotation)
        if not list(game.lay_faults(state, plan)) and game.lay_cost(state, plan) <= state.cash_of(company):
            yield plan


@pytest.mark.parametrize("name", [title.info.name for title in playable()])
def test_lays_are_complete(name: str) -> None:
    title = next(one for one in playable() if one.info.name == name)
    game = new_game(title, title.info.players[0], (), 6)
    states: list[State] = []

    def watch(before: State, action: Action, after: State) -> None:
        if after.operator is not None and after.operator.cash and (not states or after.operator != states[-1].operator):
            states.append(after)

    play(game, RandomPlayer(6, problems_of(name)), length=250, watch=watch)
    for state in states[:: max(1, len(states) // MOST)][:MOST]:
        assert state.operator is not None
        company = state.operator.name
        assert set(lays_of(state, company)) == set(every_lay(state, company))
