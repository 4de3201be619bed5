"""Puts the made-up titles of this folder beside those of the package, as a folder inside ``titles/`` would be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import titles
from titles import registry

FOLDER = Path(__file__).parent


@contextmanager
def made_up_titles() -> Iterator[None]:
    """While it lasts, the registry finds the made-up titles."""
    titles.__path__.append(str(FOLDER))
    registry._folders.cache_clear()
    try:
        yield
    finally:
        titles.__path__.remove(str(FOLDER))
        registry._folders.cache_clear()
