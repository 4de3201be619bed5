"""Many pictures of one map in a page: what repeats from picture to picture is written once and referred to."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

_SVG: Final = "{http://www.w3.org/2000/svg}"
#: Characters from which on a repeated piece is referred to.
_WORTH: Final = 200


class PictureStore:
    """Takes SVG pictures, and gives them back as markup for one page, together with the pieces that they share."""

    def __init__(self) -> None:
        self._roots: list[Element] = []
        self._texts: dict[int, str] = {}
        self._counts: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self._shared: list[str] = []

    def add(self, svg: str) -> int:
        """Takes a picture; returns its number."""
        root = ElementTree.fromstring(svg)
        self._roots.append(root)
        self._count(root)
        return len(self._roots) - 1

    def _count(self, element: Element) -> str:
        """The markup of an element with everything in it, counted."""
        inner = "".join(self._count(child) + escape(child.tail or "") for child in element)
        text = _tag(element, escape(element.text or "") + inner)
        self._texts[id(element)] = text
        if len(text) >= _WORTH:
            self._counts[text] += 1
        return text

    def picture(self, number: int) -> str:
        """The markup of a picture."""
        root = self._roots[number]
        return _tag(root, self._inside(root))

    def _inside(self, element: Element) -> str:
        return escape(element.text or "") + "".join(self._piece(child) + escape(child.tail or "") for child in element)

    def _piece(self, element: Element) -> str:
        text = self._texts[id(element)]
        if self._counts[text] < 2:
            return _tag(element, self._inside(element))
        name = self._names.get(text)
        if name is None:
            name = self._names[text] = "piece-" + hashlib.sha256(text.encode()).hexdigest()[:10]
            # what is inside a repeated piece repeats with it, and often elsewhere too
            self._shared.append(f'<g id="{name}">{_tag(element, self._inside(element))}</g>')
        return f'<use href="#{name}"/>'

    def shared(self) -> str:
        """The pieces that the pictures given back so far refer to; stands once in the page."""
        if not self._shared:
            return ""
        return (
            '<svg aria-hidden="true" width="0" height="0" style="position:absolute"><defs>'
            f"{''.join(self._shared)}</defs></svg>"
        )


def _tag(element: Element, inner: str) -> str:
    name = element.tag.removeprefix(_SVG)
    attributes = "".join(f" {key}={quoteattr(value)}" for key, value in element.attrib.items())
    return f"<{name}{attributes}>{inner}</{name}>" if inner else f"<{name}{attributes}/>"
