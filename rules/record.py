"""Frozen records that are copied with changes; the one thing that every part of the game's state is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Record:
    """A frozen dataclass with a fast copy. It must not have cached properties: the copy would inherit their values."""

    def but(self, **changes: Any) -> Self:
        """The same record with the named fields changed."""
        cls = type(self)
        if not changes.keys() <= cls.__dataclass_fields__.keys():
            unknown = sorted(changes.keys() - cls.__dataclass_fields__.keys())
            raise TypeError(f"{cls.__name__} has no field {', '.join(unknown)}")
        new = object.__new__(cls)
        values = new.__dict__
        values.update(self.__dict__)
        values.update(changes)
        return new
