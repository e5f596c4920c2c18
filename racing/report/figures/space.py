"""Figures of configurations: parallel coordinates, effects, sampling, the family tree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from racing.plot.canvas import write
from racing.report.figures.style import FATES, axes_of, label
from racing.report.history import History
from racing.report.pictures import Picture

_PANELS = 6  # parameters that are drawn side by side


def parallel(picture: Picture, history: History) -> Any:
    """A line for each configuration over the parameters that vary; 0 to 1 on every axis."""
    axes_data, table = picture.data["axes"], picture.table
    assert table is not None
    columns = [2, *(one["column"] for one in axes_data)]
    logs = [False, *(one["log"] for one in axes_data)]
    scaled = np.array(
        [_unit([row[k] for row in table.rows], log) for k, log in zip(columns, logs, strict=True)]
    )
    scaled[0] = 1 - scaled[0]
    figure, axes = axes_of(1.0 + 0.75 * len(columns), 3.4)
    for row, line in reversed(list(zip(table.rows, scaled.T, strict=True))):
        gone = row[1] == "dropped"
        wide = 0.5 if gone else 2.0 if row[1] == "winner" else 1.2
        axes.plot(line, color=FATES[row[1]], lw=wide, alpha=0.4 if gone else 0.95)
    for k, name in enumerate(["mean place", *(one["name"] for one in axes_data)]):
        axes.axvline(k, color="#6b6b6b", lw=0.6)
        write(axes, k, -0.06, name[:18], fontsize=6.5, rotation=25, ha="right", va="top")
    axes.axis("off")
    return figure


def _unit(cells: list[Any], log: bool) -> list[float]:
    """Cells from 0 to 1: numbers by their range, categories evenly; NaN for nothing."""
    if log:
        cells = [None if cell is None else math.log(cell) for cell in cells]
    if any(isinstance(cell, str) for cell in cells):
        levels = sorted({str(cell) for cell in cells if cell is not None})
        most = max(len(levels) - 1, 1)
        return [np.nan if c is None else levels.index(str(c)) / most for c in cells]
    known = [cell for cell in cells if cell is not None]
    low, high = min(known, default=0), max(known, default=1)
    span = (high - low) or 1
    return [np.nan if cell is None else (cell - low) / span for cell in cells]


def effects(picture: Picture, history: History) -> Any:
    """The parameters that go most with the standing, one panel each."""
    parameters = picture.data["parameters"][:_PANELS]
    return _panels(
        parameters,
        history,
        lambda point: (point[1], point[2], point[0]),
        ylabel="mean place (low is good)",
    )


def sampling(picture: Picture, history: History) -> Any:
    """Values in the order of entry, one panel for each parameter."""
    parameters = picture.data["parameters"][:_PANELS]
    return _panels(parameters, history, lambda point: (point[0], point[1], point[2]), ylabel="")


def _panels(parameters: Any, history: History, place: Any, *, ylabel: str) -> Any:
    across = min(len(parameters), 3)
    down = -(-len(parameters) // across)
    figure, first = axes_of(2.4 * across, 2.2 * down)
    first.remove()
    for number, one in enumerate(parameters, start=1):
        axes = figure.add_subplot(down, across, number)
        x, y, ids = zip(*map(place, one["points"]), strict=True)
        for which, cells in (("x", x), ("y", y)):
            if any(isinstance(cell, str) for cell in cells):
                getattr(axes, f"set_{which}ticks")(*_levels(cells))
        if one["log"]:
            getattr(axes, "set_xscale" if ylabel else "set_yscale")("log")
        colours = [FATES[history.fate(id)] for id in ids]
        axes.scatter(_places(x), _places(y), s=8, c=colours, alpha=0.8, lw=0)
        axes.tick_params(labelsize=6)
        label(axes, one["name"] if ylabel else "order of entry", ylabel or one["name"])
        axes.xaxis.label.set_size(7)
        axes.yaxis.label.set_size(7)
    return figure


def _levels(cells: Any) -> tuple[range, list[str]]:
    levels = sorted({str(cell) for cell in cells})
    return range(len(levels)), [level[:10] for level in levels]


def _places(cells: Any) -> list[float]:
    if not any(isinstance(cell, str) for cell in cells):
        return [float(cell) for cell in cells]
    levels = sorted({str(cell) for cell in cells})
    return [float(levels.index(str(cell))) for cell in cells]


def family(picture: Picture, history: History) -> Any:
    """Configurations by entry and generation, joined to their parents."""
    figure, axes = axes_of(6.0, 3.0)
    rows = {row[1]: row for row in picture.data["rows"]}
    for number, _, parent, generation, line in rows.values():
        if parent in rows:
            ends = [rows[parent][0], number], [rows[parent][3], generation]
            colour = FATES["winner"] if line else FATES["dropped"]
            axes.plot(*ends, color=colour, lw=1.8 if line else 0.4, zorder=2 if line else 1)
    for number, id, _, generation, line in rows.values():
        colour = FATES["winner"] if line else FATES[history.fate(id)]
        axes.plot(number, generation, "o", ms=5 if line else 2.5, mew=0, color=colour, zorder=3)
    axes.invert_yaxis()
    label(axes, "order of entry", "generation")
    return figure
