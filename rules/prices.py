"""The share-price chart: cells, what they allow, and how a marker moves.

Source: COMMON section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

#: Where a step has no cell the marker takes a step in the direction named here, or stays. Source: COMMON section 4.
GRID_RIM: Final = {"right": "up", "left": "down", "up": "stay", "down": "stay"}
LINE_RIM: Final = {"right": "stay", "left": "stay", "up": "right", "down": "left"}
_STEPS: Final = {"right": (0, 1), "left": (0, -1), "up": (-1, 0), "down": (1, 0)}


class Cell(NamedTuple):
    """A place on the chart; row 0 is on top."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class PriceCell:
    """What is printed in a cell: the price and the kinds of the cell (``par``, ``unlimited``, ``end_of_game``, …)."""

    price: int
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Market:
    """A chart. ``effects``: for each kind of cell what it allows. ``rim``: where the marker goes when a step has no
    cell; on a chart of one row up means right and down means left by its rim.
    """

    rows: tuple[tuple[PriceCell | None, ...], ...]
    rim: Mapping[str, str] = field(default_factory=lambda: GRID_RIM)
    effects: Mapping[str, frozenset[str]] = field(default_factory=dict)
    _by_kinds: dict[tuple[str, ...], tuple[Cell, ...]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def printed(self) -> Mapping[Cell, PriceCell]:
        """Every cell there is."""
        return {
            Cell(row, column): cell
            for row, cells in enumerate(self.rows)
            for column, cell in enumerate(cells)
            if cell is not None
        }

    def at(self, cell: Cell) -> PriceCell | None:
        return self.printed.get(cell)

    def price(self, cell: Cell) -> int:
        return self.printed[cell].price

    def kinds(self, cell: Cell) -> frozenset[str]:
        found = self.printed.get(cell)
        return found.kinds if found is not None else frozenset()

    @cached_property
    def _allowed(self) -> Mapping[Cell, frozenset[str]]:
        return {
            cell: frozenset(effect for kind in printed.kinds for effect in self.effects.get(kind, ()))
            for cell, printed in self.printed.items()
        }

    def allows(self, cell: Cell, effect: str) -> bool:
        """Whether the kind of the cell brings *effect* (``no_certificate_limit``, ``no_holding_limit``, …)."""
        return effect in self._allowed[cell]

    def step(self, cell: Cell, direction: str) -> Cell:
        """Where the marker stands after one step. Source: COMMON section 4."""
        tried: set[str] = set()
        while direction != "stay" and direction not in tried:
            tried.add(direction)
            down, right = _STEPS[direction]
            there = Cell(cell.row + down, cell.column + right)
            if self.at(there) is not None:
                return there
            direction = self.rim.get(direction, "stay")
        return cell

    def move(self, cell: Cell, direction: str, steps: int = 1) -> Cell:
        for _ in range(steps):
            cell = self.step(cell, direction)
        return cell

    def of_kind(self, kinds: tuple[str, ...]) -> tuple[Cell, ...]:
        """The cells of any of these kinds, from the top row down."""
        found = self._by_kinds.get(kinds)
        if found is None:
            wanted = frozenset(kinds)
            found = tuple(cell for cell, printed in self.printed.items() if printed.kinds & wanted)
            self._by_kinds[kinds] = found
        return found
