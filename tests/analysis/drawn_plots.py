"""Reads plots back from the SVG of a page: what each bar and line shows, by the scale that its axis prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_LINK = "{http://www.w3.org/1999/xlink}href"
_SVG = re.compile(r'<svg class="plot".*?</svg>', re.DOTALL)
_PAIR = re.compile(r"[ML] (-?[\d.]+) (-?[\d.]+)")

Point = tuple[float, float]
Scale = Callable[[float], float]


@dataclass
class Plot:
    """What is drawn, in units of the picture: corners of bars and points of lines by their ids, and marks of the axes
    with their words."""

    bars: dict[str, tuple[Point, Point]] = field(default_factory=dict)
    lines: dict[str, list[Point]] = field(default_factory=dict)
    across: list[tuple[float, str]] = field(default_factory=list)
    upward: list[tuple[float, str]] = field(default_factory=list)


def plots_of(page: str) -> Iterator[Plot]:
    """The plots of a page, in its order."""
    for found in _SVG.finditer(page):
        plot = Plot()
        _read(ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", found[0])), plot)
        yield plot


def _read(element: Element, plot: Plot) -> None:
    name = element.get("id", "")
    if element.tag == "g" and name:
        uses = [use for use in element.iter("use") if _LINK in use.attrib]
        (path, *_) = element.findall("path")
        corners = [(float(x), float(y)) for x, y in _PAIR.findall(path.get("d", ""))]
        if uses:
            plot.lines[name] = [(float(use.get("x", "")), float(use.get("y", ""))) for use in uses]
            # the stroke goes through its points
            assert {corners[0], corners[-1]} <= set(plot.lines[name])
        else:
            plot.bars[name] = min(corners), max(corners)
        return
    mark, word = element.find("g/g/use"), element.find("g/text")
    if mark is not None and word is not None:
        # letters below an axis are centred on their marks, those beside one end at it
        style = word.get("style", "")
        if "text-anchor: middle" in style:
            plot.across.append((float(mark.get("x", "")), word.text or ""))
        elif "text-anchor: end" in style:
            plot.upward.append((float(mark.get("y", "")), word.text or ""))
        return
    for child in element:
        _read(child, plot)


def scale(marks: list[tuple[float, str]], value_of: Callable[[str], float] | None = None) -> Scale:
    """What a place on an axis stands for, by its printed marks; they must stand evenly."""
    known = [(place, value_of(text) if value_of else float(text.replace("−", "-"))) for place, text in marks]
    (first, low), (last, high) = known[0], known[-1]
    found: Scale = lambda place: low + (place - first) * (high - low) / (last - first)  # noqa: E731
    for place, value in known:
        assert abs(found(place) - value) < 1e-3 * abs(high - low)
    return found
