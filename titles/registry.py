"""Finds titles by name.

A title is a folder of this package that holds a ``title.py`` with ``TITLE``; the folder of 1830 is ``t1830``. The
folders are found by listing the package, and a title is imported when it is first asked for, so that adding one
touches no other file.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

import titles as package
from board.errors import Fault, InputError
from titles.base import Title
from titles.load import aliases


def titles() -> tuple[Title, ...]:
    """All titles, ordered by the name of their folder."""
    return tuple(_title(folder) for folder in _folders())


def get_title(name: str) -> Title:
    """The title called *name*, in any case (``18gb``), or under another name that it lists (``1828.Games``).

    Raises :class:`InputError` (``unknown-title``), which names the titles that there are.
    """
    wanted = name.casefold()
    for folder in _folders():
        if f"t{wanted}" == folder:
            return _title(folder)
    for folder in _folders():
        if wanted in (known.casefold() for known in (_title(folder).info.name, *aliases(folder))):
            return _title(folder)
    known = ", ".join(title.info.name for title in titles())
    raise InputError(Fault("unknown-title", f"there is no title {name!r}; the titles are {known}", "title"))


@lru_cache(maxsize=1)
def _folders() -> tuple[str, ...]:
    return tuple(sorted(found.name for found in iter_modules(package.__path__) if found.ispkg))


@lru_cache(maxsize=64)
def _title(folder: str) -> Title:
    title = import_module(f"titles.{folder}.title").TITLE
    if not isinstance(title, Title):
        raise TypeError(f"titles.{folder}.title.TITLE is not a Title")
    return title
