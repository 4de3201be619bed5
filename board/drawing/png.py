"""SVG to PNG without anything from the system: no graphics library, no fonts.

The drawing is rendered by resvg (a wheel without dependencies) with the letters of Arimo (a wheel that holds the font
files), so that a picture is the same on every machine. Both are loaded when the first picture is made.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Final

from board.errors import Fault, InputError, LimitExceeded

LARGEST: Final = 10_000
"""Width in pixels beyond which no picture is made."""
_FAMILY: Final = "Arimo"
_VIEW_BOX: Final = re.compile(r'<svg\b[^>]*\bviewBox="[-\d.]+[ ,]+[-\d.]+[ ,]+([\d.]+)[ ,]+([\d.]+)"')


def to_png(svg: str, *, width: int | None = None, scale: float | None = None) -> bytes:
    """The picture as PNG, *width* pixels wide or *scale* pixels for each unit of the drawing (by default 2).

    Raises :class:`InputError` (``not-a-picture``) for text that is no SVG and for a size that is not positive,
    :class:`LimitExceeded` (``picture-too-large``) for more than :data:`LARGEST` pixels.
    """
    import resvg_py

    wide, high = _natural_size(svg)
    pixels = width if width is not None else round(wide * (scale if scale is not None else 2.0))
    if pixels < 1:
        raise InputError(Fault("not-a-picture", f"a picture cannot be {pixels} pixels wide; 1 is the least"))
    if max(pixels, pixels * high / wide) > LARGEST:
        raise LimitExceeded(
            Fault("picture-too-large", f"the picture would be {pixels} pixels wide; no side may exceed {LARGEST}")
        )
    fonts = _fonts()
    try:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                width=pixels,
                skip_system_fonts=bool(fonts),
                font_files=list(fonts) or None,
                font_family=_FAMILY,
                sans_serif_family=_FAMILY if fonts else None,
            )
        )
    except ValueError as error:
        raise InputError(Fault("not-a-picture", f"the SVG cannot be drawn: {error}")) from error


def _natural_size(svg: str) -> tuple[float, float]:
    """Width and height of the drawing in its own units, from its ``viewBox``."""
    box = _VIEW_BOX.search(svg)
    if box is None:
        raise InputError(Fault("not-a-picture", "this is not an SVG with a viewBox"))
    wide, high = float(box[1]), float(box[2])
    if not (wide > 0 and high > 0):
        raise InputError(Fault("not-a-picture", "the viewBox of the SVG is empty"))
    return wide, high


@lru_cache
def _fonts() -> tuple[str, ...]:
    """The font files; empty where the font package is missing, and the system's fonts have to do."""
    try:
        package = import_module("fontpkg_arimo")
    except ImportError:
        return ()
    return tuple(str(path) for folder in package.__path__ for path in sorted(Path(folder).rglob("*.ttf")))
