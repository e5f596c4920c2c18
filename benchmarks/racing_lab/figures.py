"""Figures of regret against evaluations, from the saved rows of the frontier."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.racing_lab.saved import Row, load

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {
    "auto": "#d62728",
    "successive-halving": "#7f7f7f",
    "sign": "#1f77b4",
    "mean-ranks": "#17becf",
    "bayes": "#9467bd",
    "f-test": "#2ca02c",
    "t-test": "#ff7f0e",
    "wilcoxon": "#8c564b",
}


def main(folder: Path) -> None:
    """Draw frontier.png."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = load("frontier", folder).rows
    cases = list(dict.fromkeys(row["case"] for row in rows))
    columns = 2
    lines = -(-len(cases) // columns)
    figure, axes = plt.subplots(
        lines, columns, figsize=(11, 3.4 * lines), layout="constrained", squeeze=False
    )
    for axis, case in zip(axes.flat, cases, strict=False):
        panel(axis, case, [row for row in rows if row["case"] == case])
    for axis in axes.flat[len(cases) :]:
        axis.set_axis_off()
    axes.flat[0].legend(fontsize=8, ncols=2)
    figure.savefig(folder / "frontier.png", dpi=110)
    plt.close(figure)


def panel(axis: Axes, case: str, rows: list[Row]) -> None:
    """One family: a curve for each rule over the levels of its parameter."""
    from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

    for rule, colour in COLOURS.items():
        points = sorted(
            (row["evaluations"], row["regret"], row["regret_se"] or 0.0)
            for row in rows
            if row["rule"].split(" @ ")[0] == rule
        )
        if points:
            x, y, error = zip(*points, strict=True)
            wide = 2.2 if rule == "auto" else 1.2
            axis.errorbar(
                x, y, error, label=rule, color=colour, marker="o", ms=3.5, lw=wide, elinewidth=0.7
            )
    axis.set_xscale("log")
    axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.xaxis.set_major_formatter(ScalarFormatter())
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.set_title(case, fontsize=9)
    axis.set_xlabel("evaluations", fontsize=8)
    axis.set_ylabel("regret", fontsize=8)
    axis.set_ylim(bottom=0)
    axis.tick_params(labelsize=8)
