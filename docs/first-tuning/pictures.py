"""Draw the pictures of the tutorial from the tables beside this file.

    python docs/first-tuning/pictures.py

`race.csv` and `test.csv` are `matrix.csv` of `racing export`, of the tutorial's race and of its
test on held-out formulas.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from racing.report.figures import save

HERE = Path(__file__).resolve().parent
BLUE, GREY = "#2f6db5", "#9a9a9a"
SHADES = LinearSegmentedColormap.from_list("shades", ["#08306b", "#c9def0"])  # white: not evaluated


def table(path: Path) -> tuple[list[str], NDArray[np.float64]]:
    """(names of the candidates, costs of shape (instances, candidates)); NaN = not evaluated."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    costs = [[float(cell) if cell else np.nan for cell in row[1:]] for row in rows]
    return header[1:], np.array(costs)


def draw_race(names: list[str], costs: NDArray[np.float64]) -> Figure:
    """One square for each evaluation: its cost over the least on that instance."""
    ratio = costs / np.nanmin(costs, axis=1, keepdims=True)
    ran = ~np.isnan(costs)
    order = np.lexsort((np.nanmedian(ratio, axis=0), -ran.sum(axis=0)))
    figure = Figure(figsize=(7, 5.2), layout="constrained")
    axes = figure.add_subplot()
    extent = (0.5, len(costs) + 0.5, len(names) - 0.5, -0.5)
    image = axes.imshow(
        ratio[:, order].T, cmap=SHADES, aspect="auto", vmin=1, vmax=2, extent=extent
    )
    axes.set_yticks(range(len(names)), [names[i] for i in order], fontsize=6)
    axes.set_xlabel("instance (formula), in the order of the race")
    axes.set_ylabel("candidate")
    figure.colorbar(image, ticks=[1, 1.5, 2], extend="max", label="conflicts / fewest conflicts")
    _bare(axes)
    return figure


def draw_test(names: list[str], costs: NDArray[np.float64]) -> Figure:
    """One point for each held-out formula: what the winner needs against what the default needs."""
    y, x = costs[:, names.index("winner")], costs[:, names.index("against")]
    figure = Figure(figsize=(4.6, 4.4), layout="constrained")
    axes = figure.add_subplot()
    ends = (0.0, 1.05 * costs.max())
    axes.plot(ends, ends, color=GREY, linewidth=1)
    axes.text(0.93 * ends[1], 0.95 * ends[1], "equal ", ha="right", color=GREY, fontsize=8)
    axes.scatter(x, y, color=BLUE, s=22)
    axes.set(xlim=ends, ylim=ends, aspect="equal")
    axes.set_xlabel("conflicts with clasp's default")
    axes.set_ylabel("conflicts with the winner")
    _bare(axes)
    return figure


def _bare(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def main() -> None:
    """Write race.svg and test.svg beside this file."""
    save(draw_race(*table(HERE / "race.csv")), HERE / "race.svg")
    save(draw_test(*table(HERE / "test.csv")), HERE / "test.svg")


if __name__ == "__main__":
    main()
