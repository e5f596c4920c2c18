"""Figures of configurations: parallel coordinates, effects, sampling, the family tree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from racing.core.view import default_of
from racing.report.figures.canvas import FATES, INK, axes_of, categories, fates, label, write
from racing.report.history import History
from racing.report.pictures import Picture

_PANELS = 6  # parameters that are drawn side by side


_MEAN_PLACE = {"name": "mean place", "column": 2, "ends": (0.0, 1.0), "levels": None, "log": False}


def parallel(picture: Picture, history: History) -> Any:
    """A line for each configuration over the parameters that vary; 0 to 1 on every axis."""
    table, scales = picture.table, [_MEAN_PLACE, *picture.data["axes"]]
    assert table is not None
    scaled = np.array([_unit([row[one["column"]] for row in table.rows], one) for one in scales])
    scaled[0] = 1 - scaled[0]
    figure, axes = axes_of(1.0 + 0.75 * len(scales), 3.4)
    default = default_of(history.race).id
    for id, row, line in reversed(
        list(zip(picture.data["ids"], table.rows, scaled.T, strict=True))
    ):
        gone = row[1] == "dropped"
        wide = 0.5 if gone else 2.0 if row[1] == "winner" else 1.2
        axes.plot(line, color=FATES[row[1]], lw=wide, alpha=0.4 if gone else 0.95)
        if id == default:
            axes.plot(line, color=INK, lw=1.2, ls="--", zorder=4)
    for k, one in enumerate(scales):
        axes.axvline(k, color="#6b6b6b", lw=0.6)
        write(axes, k, -0.06, one["name"][:18], fontsize=6.5, rotation=25, ha="right", va="top")
        for place, text in _ticks(one):
            at = 1 - place if k == 0 else place
            write(axes, k + 0.03, at, text[:12], fontsize=5.5, ha="left", va="center")
    axes.axis("off")
    fates(figure, (row[1] for row in table.rows), {"default (dashed)": (INK, "_")})
    return figure


def _ticks(scale: Any) -> list[tuple[float, str]]:
    """The labels of an axis from 0 to 1: the ends of numbers, or every category."""
    if scale["levels"] is not None:
        levels = scale["levels"]
        return [(k / max(len(levels) - 1, 1), str(name)) for k, name in enumerate(levels)]
    return [(float(k), f"{end:.4g}") for k, end in enumerate(scale["ends"])]


def _unit(cells: list[Any], scale: Any) -> list[float]:
    """Cells from 0 to 1: numbers by their scale, categories evenly; NaN for nothing."""
    if scale["levels"] is not None:
        levels = scale["levels"]
        most = max(len(levels) - 1, 1)
        return [math.nan if cell is None else levels.index(cell) / most for cell in cells]
    low, high = scale["ends"]
    if scale["log"]:
        low, high = math.log(low), math.log(high)
        cells = [None if cell is None else math.log(cell) for cell in cells]
    span = (high - low) or 1
    return [math.nan if cell is None else (cell - low) / span for cell in cells]


def effects(picture: Picture, history: History) -> Any:
    """The parameters most associated with the standing, one panel each."""
    parameters = picture.data["parameters"][:_PANELS]
    return _panels(
        parameters,
        history,
        lambda point: (point[1], point[2], point[0]),
        ylabel="mean place (top is best)",
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
        which = "x" if ylabel else "y"
        if (levels := one["levels"]) is not None:
            categories(axes, which, levels)
            x, y = (_at(x, levels), y) if ylabel else (x, _at(y, levels))
        elif one["log"]:
            getattr(axes, f"set_{which}scale")("log")
        colours = [FATES[history.fate(id)] for id in ids]
        axes.scatter(x, y, s=9, c=colours, alpha=0.8, lw=0, clip_on=False, zorder=3)
        axes.tick_params(labelsize=6)
        if ylabel:
            axes.set_ylim(1, 0)
        label(axes, one["name"] if ylabel else "order of entry", ylabel or one["name"])
        axes.xaxis.label.set_size(7)
        axes.yaxis.label.set_size(7)
    fates(figure, {history.fate(place(each)[2]) for one in parameters for each in one["points"]})
    return figure


def _at(cells: Any, levels: Any) -> Any:
    return [levels.index(cell) for cell in cells]


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
    fates(figure, (history.fate(id) for id in rows))
    return figure
