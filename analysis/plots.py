"""Plots of a report, drawn by matplotlib as SVG for inlining.

No script, sharp on a phone and on paper, the same bytes for the same numbers; text stays text. Each bar and each line
is a group with an id, so that a test can read back what was drawn.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

#: Colours of Okabe and Ito, which stay apart for colour-blind readers.
COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8C6D00", "#333333")
_STYLES: Final = ("-", "--", ":", "-.")
_SETTINGS: Final[Mapping[str, Any]] = {
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10, "axes.spines.top": False,
    "axes.spines.right": False, "axes.axisbelow": True, "axes.grid": True, "grid.color": "#dddddd",
    "legend.frameon": False,
}  # fmt: skip

#: Inches across: letters that are large enough where a phone shrinks the plot to its width.
_WIDTH: Final = 4.4
#: Marks along an axis at most, and characters of labels in one line of a legend.
_MARKS: Final = 8
_LEGEND: Final = 40

Series = Mapping[str, Sequence[tuple[float, float]]]
"""Lines by name, each a list of places and values."""


def bars(name: str, values: Sequence[tuple[str, float]], *, unit: str) -> str:
    """One bar for each label, with its value at the end. Bars lie, which leaves room for long labels."""
    from matplotlib.figure import Figure

    with _settings(name):
        figure = Figure(figsize=(_WIDTH, 0.6 + 0.25 * max(1, len(values))), layout="constrained")
        axes = figure.subplots()
        places = range(len(values))
        amounts = [value for _, value in values]
        drawn = axes.barh(places, amounts, color=COLOURS[0])
        for patch, (label, value) in zip(drawn, values, strict=True):
            patch.set_gid(mark_id(name, label, value))
        axes.bar_label(drawn, labels=[_number(value) for value in amounts], padding=2, fontsize=9)
        axes.margins(x=0.14, y=0.02)
        axes.set_yticks(places, [_shortened(label) for label, _ in values])
        axes.invert_yaxis()
        axes.set_xlabel(unit)
        axes.grid(visible=False, axis="y")
        return _svg(figure)


def lines(name: str, series: Series, *, across: str, unit: str, ticks: Mapping[float, str] | None = None) -> str:
    """Lines over a common axis, told apart by colour and by dashes, with a legend below where there are several."""
    from matplotlib.figure import Figure

    with _settings(name):
        labels = [_shortened(label) for label in series]
        columns = max(1, min(5, _LEGEND // (5 + max(map(len, labels), default=0))))
        rows = -(-len(labels) // columns) if len(labels) > 1 else 0
        figure = Figure(figsize=(_WIDTH, 2.8 + 0.2 * rows), layout="constrained")
        axes = figure.subplots()
        for place, (label, points) in enumerate(series.items()):
            (drawn,) = axes.plot(
                [x for x, _ in points], [y for _, y in points], label=labels[place], linewidth=1.6,
                color=COLOURS[place % len(COLOURS)], linestyle=_STYLES[place // len(COLOURS) % len(_STYLES)],
                marker="o", markersize=2.5,
            )  # fmt: skip
            drawn.set_gid(line_id(name, label))
        axes.set_xlabel(across)
        axes.set_ylabel(unit)
        if ticks:
            step = -(-len(ticks) // _MARKS)
            shown = list(ticks.items())[::step]
            axes.set_xticks([place for place, _ in shown], [text for _, text in shown])
        if rows:
            figure.legend(loc="outside lower center", ncols=columns, fontsize=9)
        return _svg(figure)


def mark_id(name: str, label: str, value: float) -> str:
    """The id of the group of a bar: the plot, what it stands for, and its value."""
    return f"{name}-{re.sub(r'[^A-Za-z0-9]+', '_', label)}-{_number(value)}"


def line_id(name: str, label: str) -> str:
    """The id of the group of a line: the plot, and what it stands for."""
    return f"{name}-line-{re.sub(r'[^A-Za-z0-9]+', '_', label)}"


def _number(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.1f}"


def _shortened(text: str) -> str:
    # an underscore in front would hide a line from the legend, a dollar begins mathematics
    text = text.replace("$", r"\$").lstrip("_") or "-"
    return text if len(text) <= 28 else f"{text[:26]}…"


def _settings(name: str) -> Any:
    import matplotlib as mpl

    settings: Any = {**_SETTINGS, "svg.hashsalt": name}
    return mpl.rc_context(settings)


def _svg(figure: Any) -> str:
    """The plot as an element of a page, as wide as there is room, without ids of matplotlib's that would repeat."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' id="[A-Za-z.]+[0-9]?[A-Za-z]*_[0-9]+"', "", text)
    # a style sheet would reach beyond the plot
    text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
    text = text.replace("<svg ", '<svg class="plot" style="stroke-linejoin:round;stroke-linecap:butt" ', 1)
    return re.sub(r'(<svg [^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg [^>]*?) height="[^"]*"', r"\1", text, count=1),
                  count=1)  # fmt: skip
