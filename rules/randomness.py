"""The generator of set-up draws, so that a recorded seed gives the recorded set-up. Source: COMMON section 13."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeVar

_MODULUS: Final = 2**31
T = TypeVar("T")


def seed_of(seed: object, game_id: object) -> int:
    """``settings.seed``; where it is missing or empty, the first run of digits in the game id (0 if there is none)."""
    if isinstance(seed, int) and not isinstance(seed, bool):
        return seed
    if isinstance(seed, str) and re.fullmatch(r"-?[0-9]{1,18}", seed):
        return int(seed)
    found = re.search(r"[0-9]{1,18}", str(game_id))
    return int(found[0]) if found else 0


class Draws:
    """A run of the generator; each call moves it on."""

    def __init__(self, seed: int) -> None:
        self.state = seed % _MODULUS

    def number(self) -> int:
        self.state = (1103515245 * self.state + 12345) % _MODULUS
        return self.state

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """One number for each item in list order; the items by rising number."""
        numbered = [(self.number(), place) for place, _ in enumerate(items)]
        return [items[place] for _, place in sorted(numbered)]
