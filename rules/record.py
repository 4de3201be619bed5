"""Frozen records that are copied with changes; the one thing that every part of the game's state is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Record:
    """A frozen dataclass with a fast copy. It must not have cached properties: the copy would inherit their values."""

    def but(self, **changes: Any) -> Self:
        """The same record with the named fields changed."""
        new = object.__new__(type(self))
        values = new.__dict__
        values.update(self.__dict__)
        values.update(changes)
        if len(values) != len(self.__dict__):
            raise TypeError(f"{type(self).__name__} has no field {', '.join(sorted(changes.keys() - self.__dict__))}")
        return new
