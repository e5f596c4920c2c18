"""Figures of importance, of two parameters, of fronts, and of the finalists' scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from racing.analysis.compare.metrics.comparison import MetricComparison
from racing.report.figures.canvas import (
    FAIL,
    FATES,
    GREY,
    INK,
    SMALL,
    as_file,
    axes_of,
    categories,
    fates,
    label,
    legend,
    place_colours,
    places_bar,
    save,
    shorten,
)
from racing.report.history import History
from racing.report.pictures import Picture
from racing.report.pictures.metrics import front_of
from racing.report.pictures.picture import in_unit

_NAMED = 12  # algorithms up to which all have their names beside them, or all on the front


def importance(picture: Picture, history: History) -> Any:
    """A bar for each parameter, with its spread over the trees."""
    rows = picture.data["rows"]
    figure, axes = axes_of(4.8, 0.9 + 0.24 * len(rows))
    at = range(len(rows))
    alone, spread, total = (np.array([100 * row[k] for row in rows]) for k in (1, 2, 3))
    axes.barh(at, total, height=0.62, color="#cfd6de", label="with interactions")
    axes.barh(at, alone, height=0.62, color="#8a949e", label="alone")
    ends = np.stack([np.minimum(spread, alone), np.minimum(spread, 100 - alone)])
    axes.errorbar(alone, at, xerr=ends, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    axes.set_yticks(at, [row[0][:24] for row in rows], fontsize=SMALL)
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.set_xlim(0, 100)
    axes.invert_yaxis()
    label(axes, "share of the variance, % ± s.d. over the trees")
    legend(axes, loc="lower right")
    return figure


def two_parameters(picture: Picture, history: History) -> Any:
    """Configurations at their values of the first two parameters, dark where they are good."""
    figure, axes = axes_of(4.8, 3.6)
    first, second = picture.data["parameters"][:2]
    up = {id: value for id, value, _ in second["points"]}
    points = [(id, x, up[id], place) for id, x, place in first["points"] if id in up]
    places = [point[3] for point in points]
    x = _on_axis(axes, "x", first, [point[1] for point in points])
    y = _on_axis(axes, "y", second, [point[2] for point in points])
    drawn = axes.scatter(
        x, y, s=22, c=places, cmap=place_colours(), vmin=0, vmax=1, lw=0.4, edgecolors=GREY
    )
    winner = history.facts.winner
    for k, point in enumerate(points):
        if winner is not None and point[0] == winner.id:
            axes.scatter(x[k], y[k], s=90, facecolors="none", edgecolors=FATES["winner"], lw=2)
    fates(figure, ["winner"] if winner is not None else [])
    places_bar(figure, axes, drawn, "mean place")
    label(axes, first["name"], second["name"])
    return figure


def front(picture: Picture, history: History) -> Any:
    """Candidates at their means in the first two metrics; steps and intervals of the front."""
    figure, _ = _front(picture.data, lambda id: FATES[history.fate(id)])
    fates(figure, ["winner", "survivor"])
    return figure


def draw_front(found: MetricComparison, path: str | Path) -> Path:
    """Draw finished algorithms by the first two metrics into a PNG, SVG or PDF file.

    Raises
    ------
    InputError
        If the file cannot be written or its ending names no format.
    MissingExtra
        If matplotlib is not installed.
    """
    file, data = as_file(path), front_of(found).data
    marks = {"front": (FATES["survivor"], "o"), "best compromise": (FATES["winner"], "o")}
    colours = {found.knee: FATES["winner"]}
    figure, axes = _front(data, lambda id: colours.get(id, FATES["survivor"]))
    failed = [means for _, means, _, failures in data["points"] if failures]
    if failed:
        marks["failed more often"] = (FAIL, "^")
        x, y = [one[1] for one in failed], [one[0] for one in failed]
        axes.scatter(x, y, s=20, color=FAIL, marker="^", lw=0)
    _name(axes, data, found.names)
    fates(figure, [], marks)
    return save(figure, file)


def _name(axes: Any, data: Mapping[str, Any], names: Sequence[str]) -> None:
    """Names of few algorithms, else of those on the front; by three metrics of the knee only.

    Towards the middle, and before the front if they are on it.
    """
    points, several = data["points"], len(data["metrics"]) > 2
    on_front = [one for one in points if one[2]]
    of = points if len(points) <= _NAMED else on_front if len(on_front) <= _NAMED else []
    for id, means, halves, _ in of:
        if several and id != data["knee"]:
            continue
        below = bool(halves) == (data["metrics"][0]["direction"] == "minimize")
        left = axes.transAxes.inverted().transform(axes.transData.transform(means[1::-1]))[0] > 0.5
        axes.annotate(
            shorten(names[id], 18), means[1::-1], xytext=(-5 if left else 5, 0),
            textcoords="offset points", ha="right" if left else "left",
            va="top" if below else "bottom", fontsize=SMALL, color=INK if halves else GREY,
            parse_math=False,
        )  # fmt: skip


def _front(data: Mapping[str, Any], colour: Callable[[int], str]) -> tuple[Any, Any]:
    """The figure and its axes: points, the steps of the front, and intervals of its members."""
    figure, axes = axes_of(4.8, 3.6)
    metrics, points = data["metrics"][:2], data["points"]
    others = [means for _, means, halves, *failed in points if not (halves or any(failed))]
    on_front = sorted((one[1][1], one[1][0], one[2], one[0]) for one in points if one[2])
    axes.scatter([one[1] for one in others], [one[0] for one in others], s=14, color=GREY, lw=0)
    x, y = [one[0] for one in on_front], [one[1] for one in on_front]
    if len(data["metrics"]) == 2:
        where = "post" if metrics[1]["direction"] == "minimize" else "pre"
        axes.step(x, y, where=where, lw=1.2, color=FATES["survivor"])
    for across, up, halves, id in on_front:
        axes.errorbar(across, up, halves[0], halves[1], fmt="o", ms=5, lw=0.8, color=colour(id))
    for which, place in (("x", 1), ("y", 0)):
        values = [one[1][place] for one in points]
        if 0 < 50 * min(values) < max(values):
            getattr(axes, f"set_{which}scale")("log")
    label(axes, metrics[1]["name"], metrics[0]["name"])
    return figure, axes


def _on_axis(axes: Any, which: str, one: Any, values: list[Any]) -> list[float]:
    """The positions of values on an axis with the scale of their parameter."""
    if one["levels"] is None:
        if one["log"]:
            getattr(axes, f"set_{which}scale")("log")
        return [float(value) for value in values]
    levels = list(map(str, one["levels"]))
    categories(axes, which, levels)
    spread = np.random.default_rng(1).uniform(-0.2, 0.2, len(values))  # so that few are hidden
    return [levels.index(str(value)) + float(s) for value, s in zip(values, spread, strict=True)]


def strips(picture: Picture, history: History) -> Any:
    """A strip for each finalist: a point for each instance, a bar at the median."""
    found = picture.data["strips"]
    figure, axes = axes_of(5.2, 0.8 + 0.32 * len(found))
    spread = np.random.default_rng(1).uniform(-0.26, 0.26, len(picture.data["steps"]))
    finite = [a for one in found for a in one["ahead"] if isinstance(a, float)]
    worst = min(finite, default=0.0)
    for k, one in enumerate(found):
        ahead = [a if isinstance(a, float) else math.nan for a in one["ahead"]]
        axes.scatter(ahead, k + spread, s=9, lw=0, alpha=0.8, color=FATES[history.fate(one["id"])])
        lost = [place for a, place in zip(one["ahead"], k + spread, strict=True) if a == "-inf"]
        axes.scatter([worst] * len(lost), lost, s=12, marker="^", color=FAIL)
        if isinstance(one["medians"][0], float):
            axes.vlines(one["medians"][0], k - 0.34, k + 0.34, color=INK, lw=1.6)
    axes.axvline(0, ls="--", lw=0.8, color=GREY)
    axes.set_yticks(range(len(found)), [one["name"][:24] for one in found], fontsize=SMALL)
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.invert_yaxis()
    label(axes, in_unit("better than the middle finalist by", picture.data["unit"]))
    fates(figure, (history.fate(one["id"]) for one in found), {"median": (INK, "|")})
    return figure
