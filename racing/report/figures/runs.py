"""Figures of runs: strips with medians, and step functions such as distributions and profiles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from racing.analysis.compare.unpaired.comparison import RunComparison
from racing.base.errors import require
from racing.report.figures.canvas import (
    FAIL,
    FONT,
    GREY,
    INK,
    SERIES,
    SMALL,
    as_file,
    label,
    save,
    shorten,
)
from racing.report.pictures.picture import Picture
from racing.report.pictures.runs import every_run

_COLUMNS = 3  # of panels
_BANDS = 4  # functions up to which their bands are drawn
_DASHES = ("-", (0, (5, 2)), (0, (1, 1.2)))  # the seventh function has the first colour, dashed
_GOLDEN = 0.6180339887  # spreads dots evenly, the same each time


def draw_strips(found: RunComparison, path: str | Path) -> Path:
    """Draw every run, medians and their intervals into a PNG, SVG or PDF file.

    Raises
    ------
    InputError
        If the file cannot be written or its ending names no format.
    MissingExtra
        If matplotlib is not installed.
    """
    file, panels = as_file(path), every_run(found).data["panels"]
    rows = max(len(panel["rows"]) for panel in panels)
    figure, grid = _grid(len(panels), height=0.9 + 0.3 * rows)
    for axes, panel in zip(grid, panels, strict=True):
        _strips(axes, panel)
    return save(figure, file)


def draw_steps(picture: Picture, path: str | Path) -> Path:
    """Draw the step functions of a picture; errors as for `draw_strips`."""
    file, data = as_file(path), picture.data
    figure, grid = _grid(len(data["panels"]), height=2.7)
    for axes, panel in zip(grid, data["panels"], strict=True):
        _steps(axes, panel, data)
    _legend(figure, grid[0])
    return save(figure, file)


def _grid(many: int, *, height: float) -> tuple[Any, list[Any]]:
    """A figure with panels side by side, and their axes."""
    module = require("matplotlib.figure", extra="plot", purpose="drawing")
    columns = min(many, _COLUMNS)
    lines = -(-many // columns)
    width = 4.8 if many == 1 else 3.2 * columns
    figure = module.Figure(figsize=(width, height * lines), layout="constrained")
    grid = []
    for at in range(many):
        axes = figure.add_subplot(lines, columns, at + 1)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.tick_params(labelsize=SMALL, colors=INK)
        grid.append(axes)
    return figure, grid


def _title(axes: Any, name: str) -> None:
    if name:
        axes.set_title(shorten(name), fontsize=FONT, color=INK, loc="left", parse_math=False)


def _strips(axes: Any, panel: dict[str, Any]) -> None:
    _title(axes, panel["name"])
    names = [f"{shorten(row['name'])} ({row['runs']})" for row in panel["rows"]]
    for y, row in enumerate(panel["rows"]):
        scores = np.array(row["scores"], dtype=np.float64)
        away = (np.arange(scores.size) * _GOLDEN % 1 - 0.5) * 0.5
        axes.plot(scores, y + away, ".", ms=4, mew=0, color=SERIES[0], alpha=0.45)
        low, high = (_inside(row[end], scores) for end in ("low", "high"))
        axes.plot([low, high], [y, y], color=INK, lw=2.2, solid_capstyle="butt")
        if isinstance(row["median"], float):
            axes.plot([row["median"]] * 2, [y - 0.32, y + 0.32], color=INK, lw=2.2)
        if row["failed"]:
            axes.annotate(
                f"{row['failed']} failed", (1.02, y), xycoords=("axes fraction", "data"),
                ha="left", va="center", fontsize=SMALL, color=FAIL,
            )  # fmt: skip
    axes.set_yticks(range(len(names)), names, fontsize=SMALL)
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    label(axes, "score")


def _inside(end: float | str | None, scores: np.ndarray) -> float:
    """An end of an interval; one that is infinite is drawn to the last of the runs."""
    if isinstance(end, float) or not scores.size:
        return end if isinstance(end, float) else np.nan
    return float(scores.min() if end == "-inf" else scores.max())


def _steps(axes: Any, panel: dict[str, Any], data: Any) -> None:
    _title(axes, panel["name"])
    if panel["log"]:
        axes.set_xscale("log")
    for at, series in enumerate(panel["series"]):
        rows = np.array(series["rows"], dtype=np.float64)
        if not len(rows):
            axes.plot([], [], label=series["name"], color=SERIES[at % len(SERIES)])
            continue
        if series["end"] is not None:
            rows = np.vstack([rows, [series["end"], *rows[-1, 1:]]])
        style = {
            "color": SERIES[at % len(SERIES)],
            "ls": _DASHES[at // len(SERIES) % len(_DASHES)],
        }
        x, y = np.append(rows[0, 0], rows[:, 0]), np.append(0.0, rows[:, 1])
        axes.step(x, y, where="post", lw=1.5, label=shorten(series["name"]), **style)
        if rows.shape[1] == 4 and len(panel["series"]) <= _BANDS:
            axes.fill_between(
                rows[:, 0], rows[:, 2], rows[:, 3], step="post", alpha=0.12, lw=0,
                color=style["color"],
            )  # fmt: skip
    axes.set_ylim(-0.02, 1.02)
    if data["reverse"]:
        axes.invert_xaxis()
    label(axes, data["x"], data["y"])


def _legend(figure: Any, axes: Any) -> None:
    """One legend for all panels, below them."""
    handles, names = axes.get_legend_handles_labels()
    found = figure.legend(
        handles, names, loc="outside lower center", ncols=min(len(names), 4), fontsize=SMALL,
        frameon=False, labelcolor=GREY,
    )  # fmt: skip
    for text in found.get_texts():
        text.set_parse_math(False)
