"""Pictures of positions: map, tokens and routes as SVG, and SVG as PNG.

``draw_map`` writes an SVG that stands for itself: no style sheet, no script, no outside resource. Its structure is
described in ``docs/drawing.md`` so that a page can build on it.
"""

from board.drawing.legend import Summary
from board.drawing.lines import RouteNote
from board.drawing.picture import draw_map
from board.drawing.png import to_png

__all__ = ["RouteNote", "Summary", "draw_map", "to_png"]
