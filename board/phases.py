"""Phases: what the game allows and pays from the first train of a kind on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

#: Tile colours in the order in which they become available; a stop pays its newest listed colour.
#: Source: COMMON section 1.
TILE_COLOURS: Final = ("yellow", "green", "blue", "brown", "gray")


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a title.

    ``tile_colours`` are the colours that may be laid, ``train_limit`` the most trains a company may keep (by kind of
    company where the title tells them apart), ``operating_rounds`` the rounds of a set, ``starts_with`` the first
    train that brings the phase (None for the opening phase), ``status`` the permissions that hold in it, ``effects``
    one sentence for each thing that happens when it begins.
    """

    name: str
    tile_colours: tuple[str, ...]
    train_limit: int | dict[str, int] | None = None
    operating_rounds: int = 1
    starts_with: str | None = None
    status: frozenset[str] = frozenset()
    effects: tuple[str, ...] = field(default=())
