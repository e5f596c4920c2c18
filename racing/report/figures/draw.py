"""A matplotlib figure of each kind of chart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from racing.report.figures.space import effects, family, parallel, sampling
from racing.report.figures.style import (
    ACCENT,
    ACCENT2,
    FAIL,
    FATES,
    SERIES,
    axes_of,
    label,
    legend,
    numbers,
)
from racing.report.history import History
from racing.report.pictures import Picture


def figure_of(picture: Picture, history: History) -> Any | None:
    """The figure of a picture; None for one that is better read as a table."""
    draw = _CHARTS.get(picture.chart)
    return None if draw is None else draw(picture, history)


def _survivors(picture: Picture, history: History) -> Any:
    figure, axes = axes_of()
    rows = np.array(picture.data["rows"], dtype=np.float64)
    if picture.data["searching"]:
        axes.step(rows[:, 1], rows[:, 4], where="post", color=ACCENT2, label="configurations tried")
        axes.step(rows[:, 1], rows[:, 3], where="post", color=ACCENT, label="elites")
        legend(axes)
        label(axes, "evaluations", "configurations")
    else:
        axes.step(rows[:, 0], rows[:, 3], where="post", color=ACCENT)
        label(axes, "instances", "candidates left")
    axes.set_ylim(bottom=0)
    return figure


def _pairs(picture: Picture, history: History) -> Any:
    figure, axes = axes_of(3.6, 3.6)
    names, rows = picture.data["names"], picture.data["rows"]
    x, y = (np.array(numbers(row[k] for row in rows)) for k in (1, 2))
    sign = 1 if picture.data["better"] == "above" else -1
    won = sign * (y - x) >= 0
    axes.scatter(x[won], y[won], s=14, color=FATES["winner"])
    axes.scatter(x[~won], y[~won], s=14, color=FAIL, marker="^")
    both = np.concatenate([x, y])
    both = both[np.isfinite(both)]
    if len(both):
        ends = [float(both.min()), float(both.max())]
        axes.plot(ends, ends, "--", lw=0.8, color="#6b6b6b", zorder=0)
    label(axes, names[0], names[1])
    return figure


def _band(picture: Picture, history: History) -> Any:
    figure, axes = axes_of()
    for colour, one in zip((ACCENT, ACCENT2), picture.data["series"], strict=False):
        n, middle, low, high = (numbers(row[k] for row in one["rows"]) for k in range(4))
        axes.plot(n, middle, color=colour, lw=1.4, label=one["label"])
        axes.fill_between(n, low, high, color=colour, alpha=0.18, lw=0)
    axes.axhline(0, ls="--", lw=0.8, color="#6b6b6b")
    label(axes, "instances", "improvement")
    legend(axes)
    return figure


def _density(picture: Picture, history: History) -> Any:
    figure, axes = axes_of()
    data = picture.data
    for which, colour, side in (("lower", ACCENT, 1), ("upper", ACCENT2, 0)):
        name = f"prior for {data['names'][side]}"
        axes.plot(data["x"], data[which], color=colour, lw=1.4, label=name)
        axes.fill_between(data["x"], data[which], color=colour, alpha=0.15, lw=0)
    axes.axvline(0.5, ls="--", lw=0.8, color="#6b6b6b")
    axes.set_yticks([])
    label(axes, f"share of instances that {data['names'][0]} wins")
    legend(axes)
    return figure


def _heat(picture: Picture, history: History) -> Any:
    data = picture.data
    many, wide = len(data["ids"]), len(data["steps"])
    figure, axes = axes_of(min(2 + 0.12 * wide, 9.0), min(1 + 0.13 * many, 9.0))
    places = np.full((many, wide), np.nan)
    for k, row in enumerate(data["rows"]):
        at = range(len(row["places"])) if row["at"] is None else row["at"]
        places[k, list(at)] = row["places"]
    out = np.array([history.fate(id) == "dropped" for id in data["ids"]])[:, None]
    for rows, colours in ((~out, "Blues_r"), (out, "Greys_r")):
        shown = np.where(rows, places, np.nan)
        axes.imshow(shown, cmap=colours, vmin=-20, vmax=115, aspect="auto", interpolation="none")
    step = -(-many // 60)
    names = [str(history.candidates[id]) for id in data["ids"]][::step]
    axes.set_yticks(range(0, many, step), [name[:24] for name in names], fontsize=6)
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.set_xticks([])
    label(axes, "instances")
    return figure


def _dropped(picture: Picture, history: History) -> Any:
    figure, axes = axes_of()
    heights: dict[int, int] = {}
    points: dict[str, list[tuple[int, int]]] = {name: [] for name in picture.data["reasons"]}
    for after, _, _, reason, *_ in picture.data["dots"]:
        heights[after] = heights.get(after, 0) + 1
        points[reason].append((after, heights[after]))
    for k, (name, own) in enumerate(points.items()):
        x, y = zip(*own, strict=True) if own else ((), ())
        axes.scatter(x, y, s=12, color=SERIES[k % len(SERIES)], label=name)
    label(axes, "instances judged by", "candidates")
    legend(axes)
    return figure


def _lanes(picture: Picture, history: History) -> Any:
    data = picture.data
    if not data["bars"]:
        return None
    figure, axes = axes_of(6.5, 0.9 + 0.22 * len(data["workers"]))
    for worker, start, seconds, id, _, failed in data["bars"]:
        colour = FAIL if failed else FATES[history.fate(id)]
        axes.barh(worker, seconds, left=start, height=0.72, color=colour, lw=0)
    axes.set_yticks(range(len(data["workers"])), data["workers"], fontsize=7)
    axes.invert_yaxis()
    label(axes, "seconds")
    return figure


def _budget(picture: Picture, history: History) -> Any:
    figure, axes = axes_of(5.2, 1.7)
    rows = picture.data["rows"]
    totals = [sum(row[k] for row in rows) or 1 for k in (2, 3)]
    done = np.zeros(2)
    for row, colour in zip(rows, _shades(rows), strict=True):
        share = np.array([100 * row[k] / total for k, total in zip((2, 3), totals, strict=True)])
        axes.barh(["evaluations", "target time"], share, left=done, color=colour, label=row[0])
        done += share
    axes.invert_yaxis()
    label(axes, "%")
    legend(axes, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.35))
    return figure


def _shades(rows: Any) -> list[str]:
    known = {"winner": FATES["winner"], "other survivors": FATES["survivor"]}
    return [known.get(row[0], "#8a949e" if "later" in row[0] else "#c3cad1") for row in rows]


def _diagram(picture: Picture, history: History) -> Any:
    from racing.plot.critical_difference import figure_of as diagram_figure
    from racing.plot.diagram import diagram
    from racing.report.finalists import finalists

    found = finalists(history)
    return None if found is None else diagram_figure(diagram(found))


_CHARTS: dict[str, Callable[[Picture, History], Any]] = {
    "survivors": _survivors,
    "pairs": _pairs,
    "band": _band,
    "density": _density,
    "heat": _heat,
    "parallel": parallel,
    "effects": effects,
    "sampling": sampling,
    "family": family,
    "dropped": _dropped,
    "lanes": _lanes,
    "budget": _budget,
    "diagram": _diagram,
}
