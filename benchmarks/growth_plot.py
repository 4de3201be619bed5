"""Draws how the time of a proven answer grows with the network::

python -m benchmarks.growth_plot docs/growth.svg
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from matplotlib import rc_context
from matplotlib.figure import Figure

from analysis.plots import COLOURS
from benchmarks.synthetic import synthetic
from routing.explore import explore
from routing.solve import solve

LINKS: Final = tuple(range(20, 201, 20))
TRAINS: Final = (1, 2, 3, 4, 6)
#: Times are the best of so many runs.
RUNS: Final = 3


def measured() -> dict[int, list[tuple[int, float, bool]]]:
    """For each number of trains the links of the networks, seconds to the answer, and whether it was proven."""
    found: dict[int, list[tuple[int, float, bool]]] = {}
    for trains in TRAINS:
        for links in LINKS:
            problem = synthetic(links, trains)
            results = [solve(problem, time_limit=10.0) for _ in range(RUNS)]
            best = min(results, key=lambda result: result.seconds)
            found.setdefault(trains, []).append((len(explore(problem).links), best.seconds, best.bound == best.revenue))
    return found


def draw(times: dict[int, list[tuple[int, float, bool]]]) -> Figure:
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    for colour, (trains, points) in zip(COLOURS, times.items(), strict=False):
        label = f"{trains} train{'s' if trains > 1 else ''}"
        axes.plot([at for at, _, _ in points], [1000 * seconds for _, seconds, _ in points], color=colour, label=label)
        for at, seconds, proven in points:
            axes.plot(at, 1000 * seconds, marker="o" if proven else "x", color=colour)
    axes.set(xlabel="links of the network", ylabel="milliseconds to the checked answer", yscale="log")
    axes.grid(visible=True, color="#dddddd")
    axes.legend(frameon=False)
    return figure


if __name__ == "__main__":
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "growth", "font.family": "sans-serif"}):
        draw(measured()).savefig(Path(sys.argv[1]), metadata={"Date": None})
