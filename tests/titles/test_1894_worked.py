"""The worked example of 1894, transcribed as a recorded game with the moves that it leaves to the others.

Every figure of the table holds. Followed are player J1 and Belge; seed 472674735 draws Est and removes SAC.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from board.hexes import HexId
from records.games_18xx import read_game
from rules import engine
from rules.shares import IPO
from rules.state import State
from titles.registry import get_title

GAME = Path(__file__).parents[1] / "worked" / "1894.json"

#: Step of the table, last action that belongs to it, J1's cash, Belge's treasury, its price, its trains, the phase.
TABLE: tuple[tuple[int, int, int, int, int, str, str], ...] = (
    (1, 0, 480, 0, 0, "", "Yellow"),
    (2, 14, 280, 0, 0, "", "Yellow"),
    (3, 15, 280, 1000, 100, "", "Yellow"),
    (4, 19, 180, 1000, 100, "", "Yellow"),
    (5, 32, 240, 1000, 100, "", "Yellow"),
    (6, 34, 240, 1000, 100, "", "Yellow"),
    (7, 35, 240, 1000, 93, "", "Yellow"),
    (8, 37, 240, 840, 93, "2 2", "Yellow"),
    (9, 49, 140, 840, 93, "2 2", "Yellow"),
    (10, 55, 140, 840, 93, "2 2", "Yellow"),
    (11, 58, 140, 840, 93, "2 2", "Yellow"),
    (12, 59, 185, 858, 100, "2 2", "Yellow"),
    (13, 60, 185, 738, 100, "2 2 3", "Green"),
    (14, 61, 185, 658, 100, "2 3 3", "Green"),
    (15, 69, 185, 658, 100, "2 3 3", "Green"),
)


@lru_cache(maxsize=1)
def states() -> tuple[State, ...]:
    """The opening and the state after each action, all by the rules."""
    game = read_game(GAME)
    rules = get_title(game.title).game(game.seats, options=game.options, names=game.names, seed=game.seed)
    found = [engine.start(rules.opening())]
    for entry in game.actions:
        for action in entry.actions:
            found.append(engine.apply(found[-1], action))
    return tuple(found)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"step {row[0]}")
def test_every_figure_of_the_table_holds(row: tuple[int, int, int, int, int, str, str]) -> None:
    _, after, cash, treasury, price, trains, phase = row
    state = states()[after]
    belge = state.companies["Belge"]
    assert state.players["1"].cash == cash
    assert belge.cash == treasury
    assert state.price_of(belge) == price
    assert sorted(state.face_of(train) for train in belge.trains) == trains.split()
    assert state.phase_name == phase


def test_set_up() -> None:
    """Step 1: Est is the French starting corporation, GLG is in play and SAC is not; 10 % of both for everybody."""
    state = states()[0]
    assert state.marks["drawn"] == "Est"
    assert set(state.privates) == {"LRC", "AR", "GLG", "SQG", "LS", "NMinorS", "EMS", "BMS"}
    for player in state.players.values():
        assert player.cash == 480
        assert {name: one.percent_of(player.id) for name, one in state.companies.items() if one.held(player.id)} == {
            "Belge": 10,
            "Est": 10,
        }


@pytest.mark.parametrize(("step", "percent", "ipo"), [(3, 30, 4), (4, 40, 3), (9, 50, 2), (15, 50, 2)])
def test_shares_of_belge(step: int, percent: int, ipo: int) -> None:
    """Steps 3, 4 and 9: what J1 holds and what the IPO has left; Belge floats with the par price."""
    belge = states()[_after(step)].companies["Belge"]
    assert belge.president == "1"
    assert belge.percent_of("1") == percent
    assert belge.percent_of(IPO) == 10 * ipo
    assert belge.floated


def test_major_shareholding_pays_once_and_closes_at_the_dividend() -> None:
    """Steps 5 to 7."""
    assert states()[_after(6)].privates["BMS"].owner == "1"
    assert not states()[_after(6)].privates["BMS"].closed
    assert states()[_after(7)].privates["BMS"].closed
    assert states()[_after(5)].table.tokens[HexId("E16")] == {"c0": ("Belge",)}


def test_tiles_of_belge() -> None:
    """Steps 6 and 10: yellow tiles in Mechelen, Bruxelles and Antwerpen, worth 20, 30 and 20, without terrain."""
    for step, hex_id, value in ((6, "E16", 20), (6, "F15", 30), (10, "D17", 20)):
        state = states()[_after(step)]
        (city,) = state.table.tile_at(HexId(hex_id)).cities
        assert city.revenue.in_phase(state.phase) == value
        assert state.table.tile_at(HexId(hex_id)).colour == "yellow"


def test_runs_and_dividend_of_the_second_round() -> None:
    """Steps 11 and 12: 50 + 40 is the best run; 45 to J1, 18 to the treasury for the IPO, 9 to each other player."""
    before, after = states()[_after(11)], states()[_after(12)]
    assert before.round.turn.revenue == 90
    paid = {player: after.players[player].cash - before.players[player].cash for player in after.players}
    assert paid == {"1": 45, "2": 9, "3": 9, "4": 9}
    assert after.companies["Belge"].cash - before.companies["Belge"].cash == 18


def test_first_three_and_the_exchange() -> None:
    """Steps 13 and 14: all 2-trains are sold; two operating rounds follow; the exchange costs 120 - 40."""
    before, after = states()[_after(12)], states()[_after(14)]
    assert before.depot.upcoming[0] == "3-0"
    assert after.companies["Belge"].cash == 738 - 80
    assert not any(train.startswith("2-") for train in (*after.depot.upcoming, *after.depot.pool))
    assert after.phase.operating_rounds == 2


def test_glg_could_be_bought() -> None:
    """Step 15: for 25 to 100, from its owner."""
    state = states()[_after(14)]
    game = state.game
    assert game.price_range(state, state.companies["Belge"], state.privates["GLG"]) == (25, 100)


def _after(step: int) -> int:
    return next(row[1] for row in TABLE if row[0] == step)
