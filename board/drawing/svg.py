"""Writing SVG: escaping, elements, text of known width.

Nothing here uses ids, style sheets, scripts or outside resources: looks are presentation attributes, so that a drawing
can stand in a page with a strict content policy, more than once, and be restyled by that page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from board.drawing.geometry import number

FONTS: Final = "Arimo, 'Liberation Sans', Arial, Helvetica, sans-serif"
"""Families whose letters all have the same widths: a drawing looks alike wherever one of them is found."""
INK: Final = "#1f1f1f"
GLUE: Final = "\u00a0"
"""A space at which no line is broken."""

_LONGEST: Final = 400
_ELLIPSIS: Final = "…"
#: Not allowed in XML, or able to turn text around.
_BAD: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_ESCAPES: Final = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;"}
_BREAKS: Final = re.compile(r"(?<=[ \t\n/])(?![ \t\n])")
_SPECIAL: Final = re.compile("[&<>\"']")

#: Widths of the characters from space to ~ in thousandths of the type size, regular and bold.
_REGULAR: Final = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
_BOLD: Final = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
    556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
    280, 389, 584,
)  # fmt: skip


def clean(text: str) -> str:
    """*text* fit to stand in XML, in content as in attributes, whatever it holds."""
    text = _BAD.sub("\ufffd", text)
    return text.translate(_ESCAPES) if _SPECIAL.search(text) else text


def shortened(text: str, longest: int) -> str:
    """At most *longest* characters of *text*."""
    return text if len(text) <= longest else text[: longest - 1] + _ELLIPSIS


def tag(name: str, *children: str, **attributes: str | float | None) -> str:
    """An element. Trailing underscores of attribute names fall away, inner ones become hyphens; None is left out.

    Children are markup already; attribute values are escaped.
    """
    words = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        text = clean(value) if isinstance(value, str) else number(value)
        words.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    opening = " ".join(words)
    return f"<{opening}>{''.join(children)}</{name}>" if children else f"<{opening}/>"


def group(children: Iterable[str], **attributes: str | float | None) -> str:
    """A ``g`` element, or nothing where it would be empty."""
    inner = "".join(children)
    return tag("g", inner, **attributes) if inner else ""


def hover(text: str) -> str:
    """The text that a reader sees on hovering and a screen reader speaks."""
    return f"<title>{clean(shortened(text, _LONGEST))}</title>"


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How wide *text* is in type of this size."""
    table = _BOLD if bold else _REGULAR
    total = 0
    for letter in text.replace(GLUE, " "):
        place = ord(letter) - 32
        total += table[place] if 0 <= place < 95 else (1000 if place > 0x2E00 else 620)
    return total * size / 1000


def wrapped(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """*text* in lines of at most *width*, broken at spaces and after slashes; a longer word has its own line."""
    lines: list[str] = []
    for word in _BREAKS.split(text.strip()):
        if lines and width_of((lines[-1] + word).rstrip(), size, bold=bold) <= width:
            lines[-1] += word
        else:
            lines.append(word)
    return [line.strip() for line in lines if line.strip()]


def fitted(text: str, width: float, size: float, least: float, *, bold: bool = False) -> tuple[str, float]:
    """*text* and a type size at which it fits into *width*: smaller down to *least*, then cut short."""
    wide = width_of(text, size, bold=bold)
    if wide <= width:
        return text, size
    smaller = max(least, size * width / wide)
    while len(text) > 1 and width_of(text, smaller, bold=bold) > width * 1.02:
        text = text.rstrip(_ELLIPSIS)[:-1] + _ELLIPSIS if len(text) > 2 else text[:1]
    return text, smaller


def words(
    text: str,
    at: complex,
    size: float,
    *,
    bold: bool = False,
    fill: str = INK,
    halo: str | None = None,
    anchor: str | None = "middle",
    class_: str | None = None,
) -> str:
    """Text whose letters stand centred round the height of *at*; *halo* is the colour of a rim round the letters."""
    return tag(
        "text",
        clean(text),
        class_=class_,
        x=at.real,
        y=at.imag + size * 0.36,
        font_size=size,
        font_weight="700" if bold else None,
        text_anchor=anchor,
        fill=fill,
        stroke=halo,
        stroke_width=2.4 if halo else None,
        stroke_linejoin="round" if halo else None,
        paint_order="stroke" if halo else None,
    )


def lines_of(texts: Sequence[str], at: complex, size: float, leading: float, **looks: str | bool | None) -> str:
    """Several lines of text centred round *at*."""
    first = at.imag - leading * (len(texts) - 1) / 2
    return "".join(
        words(text, complex(at.real, first + leading * place), size, **looks)  # type: ignore[arg-type]
        for place, text in enumerate(texts)
    )
