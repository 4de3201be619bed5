"""Which tile may follow which: the rules of a title asked about every tile of its box.

Only the rules of upgrading are asked (colour, label, stops, track that lies there), in some rotation; whether the phase
has the colour, whether a tile is left, and whether its sides lead anywhere on the map are matters of the moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from board.errors import InputError
from board.hexes import SIDES, HexId
from board.tiles import Tile
from rules.game import Game
from rules.policies.track import LayPlan
from rules.state import State
from rules.table import Laid
from titles.base import Title


@dataclass(frozen=True, slots=True)
class UpgradeTable:
    """``prints`` are groups of hexes that take the same tiles, with these tiles; ``tiles`` the tiles that each tile may
    become, in the order of the box."""

    prints: tuple[tuple[tuple[HexId, ...], tuple[str, ...]], ...]
    tiles: Mapping[str, tuple[str, ...]]


def upgrade_table(title: Title) -> UpgradeTable | None:
    """The table for the largest number of players, without options; None where there are no rules of whole games."""
    try:
        game = title.game([str(seat) for seat in range(title.info.players[1])])
    except InputError:
        return None
    state = game.opening()
    follow: dict[str, set[str]] = {tile_id: set() for tile_id in game.facts.edition.tiles.stock}
    hexes: dict[tuple[str, ...], list[HexId]] = {}
    climbed: set[tuple[Tile, tuple[str, ...]]] = set()
    for printed in game.facts.edition.map:
        first = tuple(_followers(game, state, printed.id, printed.tile, None))
        if not first:
            continue
        hexes.setdefault(first, []).append(printed.id)
        alike = replace(printed.tile, id="", cost=0, terrain=()), first
        if alike not in climbed:
            climbed.add(alike)
            _climb(game, state, printed.id, first, follow)
    order = list(follow)
    return UpgradeTable(
        tuple((tuple(sorted(group, key=_place)), tiles) for tiles, group in hexes.items()),
        {tile_id: tuple(sorted(after, key=order.index)) for tile_id, after in follow.items()},
    )


def _place(hex_id: HexId) -> tuple[str, int]:
    return hex_id[0], int(hex_id[1:])


def _climb(game: Game, state: State, hex_id: HexId, first: tuple[str, ...], follow: dict[str, set[str]]) -> None:
    """Notes what follows on one hex, from tile to tile."""
    pending, seen = list(first), set(first)
    while pending:
        tile_id = pending.pop()
        for after in _followers(game, state, hex_id, game.facts.edition.tiles.tile(tile_id), tile_id):
            follow[tile_id].add(after)
            if after not in seen:
                seen.add(after)
                pending.append(after)


def _followers(game: Game, state: State, hex_id: HexId, old: Tile, tile_id: str | None) -> Iterator[str]:
    """The tiles that may be laid over *old* on the hex (None: over the print)."""
    if tile_id is not None:
        table = state.table
        state = state.but(
            table=table.but(layout={**table.layout, hex_id: old}, laid={**table.laid, hex_id: Laid(tile_id, 0, 0)})
        )
    for other in game.facts.edition.tiles.stock:
        tile = game.facts.edition.tiles.tile(other)
        if any(
            not game.upgrade_fault(state, LayPlan("", hex_id, other, 0, turns), old, tile.rotated(turns))
            for turns in SIDES
        ):
            yield other
