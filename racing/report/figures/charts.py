"""Pictures → PNG, SVG and PDF files: a matplotlib figure of each kind of chart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from racing.base.errors import InputError
from racing.report.figures.canvas import (
    FAIL,
    FATES,
    GREY,
    REASONS,
    axes_of,
    fates,
    label,
    legend,
    numbers,
    place_colours,
    places_bar,
    save,
    whole,
)
from racing.report.figures.configurations import effects, family, parallel, sampling
from racing.report.figures.intervals import intervals
from racing.report.figures.measures import front, importance, strips, two_parameters
from racing.report.history import History
from racing.report.pictures import Picture, pictures
from racing.report.pictures.picture import in_unit


def write_figures(history: History, folder: Path, ending: str) -> list[Path]:
    """Write every picture that has something to show; returns the files.

    Parameters
    ----------
    ending
        `.png`, `.svg` or `.pdf`.

    Raises
    ------
    InputError
        If the folder cannot be written.
    MissingExtra
        If matplotlib is not installed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error
    found = ((one, figure_of(one, history)) for one in pictures(history) if one.chart)
    return [save(figure, folder / f"{one.id}{ending}") for one, figure in found if figure]


def figure_of(picture: Picture, history: History) -> Any | None:
    """The figure of a picture; None for one that is shown as a table."""
    draw = _CHARTS.get(picture.chart)
    return None if draw is None else draw(picture, history)


def _survivors(picture: Picture, history: History) -> Any:
    figure, axes = axes_of()
    rows = np.array(picture.data["rows"], dtype=np.float64)
    if picture.data["searching"]:
        axes.step(rows[:, 1], rows[:, 4], where="post", color=GREY, label="configurations tried")
        axes.step(rows[:, 1], rows[:, 3], where="post", color=FATES["survivor"], label="elites")
        legend(axes)
        label(axes, "evaluations", "configurations")
    else:
        axes.step(rows[:, 0], rows[:, 3], where="post", color=FATES["survivor"])
        whole(axes, "x")
        label(axes, "instances", "candidates left")
    axes.set_ylim(bottom=0)
    return figure


def _incumbent(picture: Picture, history: History) -> Any:
    figure, axes = axes_of()
    rows = [row for row in picture.data["rows"] if isinstance(row[4], float)]
    if not rows:
        return None
    x, y = [row[0] for row in rows], [row[4] for row in rows]
    axes.plot(x, y, "o", ms=4, color=FATES["winner"])
    end = picture.data["end"][0]
    axes.step([*x, end], [*y, y[-1]], where="post", lw=1.6, color=FATES["winner"])
    axes.axhline(0, ls="--", lw=0.8, color="#6b6b6b")
    name = in_unit(f"mean improvement over {picture.data['default']}", picture.data["unit"])
    label(axes, "evaluations", picture.data.get("measure", name))
    return figure


def _pairs(picture: Picture, history: History) -> Any:
    figure, axes = axes_of(3.6, 3.6)
    names, rows = picture.data["names"], picture.data["rows"]
    x, y = (np.array(numbers(row[k] for row in rows)) for k in (1, 2))
    sign = 1 if picture.data["better"] == "above" else -1
    won = sign * (y - x) > 0
    axes.scatter(x[won], y[won], s=14, color=FATES["winner"], label="winner better")
    if not won.all():
        axes.scatter(x[~won], y[~won], s=14, color=FATES["dropped"], label="no gain")
    legend(axes)
    both = np.concatenate([x, y])
    both = both[np.isfinite(both)]
    if len(both):
        ends = [float(both.min()), float(both.max())]
        axes.plot(ends, ends, "--", lw=0.8, color="#6b6b6b", zorder=0)
        if 0 < 200 * ends[0] < ends[1]:
            axes.set_xscale("log")
            axes.set_yscale("log")
    unit = picture.data["unit"]
    label(axes, in_unit(names[0], unit), in_unit(names[1], unit))
    return figure


def _band(picture: Picture, history: History) -> Any:
    figure, axes = axes_of()
    colour = FATES["winner"]
    for line, one in zip(("-", "--"), picture.data["series"], strict=False):
        n, middle, low, high = (numbers(row[k] for row in one["rows"]) for k in range(4))
        axes.plot(n, middle, ls=line, color=colour, lw=1.4, label=one["label"])
        axes.fill_between(n, low, high, color=colour, alpha=0.13, lw=0)
    axes.axhline(0, ls="--", lw=0.8, color="#6b6b6b")
    label(axes, "instances", in_unit("improvement", picture.data["unit"]))
    legend(axes)
    return figure


def _density(picture: Picture, history: History) -> Any:
    figure, axes = axes_of()
    data = picture.data
    colour = FATES["winner"]
    for which, line, side in (("lower", "--", 1), ("upper", "-", 0)):
        if which not in data:
            continue
        name = f"prior for {data['names'][side]}"
        axes.plot(data["x"], data[which], ls=line, color=colour, lw=1.4, label=name)
        axes.fill_between(data["x"], data[which], color=colour, alpha=0.12, lw=0)
    axes.axvline(0.5, ls="--", lw=0.8, color="#6b6b6b")
    axes.set_yticks([])
    label(axes, f"share of instances that {data['names'][0]} wins")
    legend(axes)
    return figure


def _heat(picture: Picture, history: History) -> Any:
    data = picture.data
    many, wide = len(data["ids"]), len(data["steps"])
    figure, axes = axes_of(min(3.4 + 0.12 * wide, 9.0), min(1.6 + 0.13 * many, 9.0))
    places = np.full((many, wide), np.nan)
    for k, row in enumerate(data["rows"]):
        at = range(len(row["places"])) if row["at"] is None else row["at"]
        places[k, list(at)] = row["places"]
    lost = _lost(data, many, wide)
    drawn = axes.imshow(
        np.where(lost, np.nan, places) / 100, cmap=place_colours(), vmin=0, vmax=1, aspect="auto",
        interpolation="none",
    )  # fmt: skip
    y, x = np.nonzero(lost)
    axes.scatter(x, y, marker="s", s=6, color=FAIL)
    if lost.any():
        fates(figure, (), {"failed": (FAIL, "s")})
    places_bar(figure, axes, drawn, "place among all")
    step = -(-many // 60)
    names = [str(history.candidates[id]) for id in data["ids"]][::step]
    axes.set_yticks(range(0, many, step), [name[:24] for name in names], fontsize=6)
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.set_xticks([])
    label(axes, "instances")
    return figure


def _lost(data: Any, many: int, wide: int) -> Any:
    """(many, wide) which cells are failures."""
    lost = np.zeros((many, wide), dtype=bool)
    for k, row in enumerate(data["rows"]):
        at = range(len(row["places"])) if row["at"] is None else row["at"]
        for column, score in zip(at, row["scores"], strict=True):
            lost[k, column] = isinstance(score, str)
    return lost


def _dropped(picture: Picture, history: History) -> Any:
    figure, axes = axes_of()
    heights: dict[int, int] = {}
    points: dict[str, list[tuple[int, int]]] = {name: [] for name in picture.data["reasons"]}
    for after, _, _, reason, *_ in picture.data["dots"]:
        heights[after] = heights.get(after, 0) + 1
        points[reason].append((after, heights[after]))
    for k, (name, own) in enumerate(points.items()):
        x, y = zip(*own, strict=True) if own else ((), ())
        axes.scatter(x, y, s=12, color=REASONS[k % len(REASONS)], label=name)
    whole(axes, "x")
    label(axes, "instances judged by", "candidates")
    legend(axes)
    return figure


def _timeline(picture: Picture, history: History) -> Any:
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
    some_failed = {"failed": (FAIL, "o")} if any(bar[5] for bar in data["bars"]) else {}
    fates(figure, (history.fate(bar[3]) for bar in data["bars"]), some_failed)
    return figure


def _budget(picture: Picture, history: History) -> Any:
    figure, axes = axes_of(5.2, 1.7)
    rows = picture.data["rows"]
    parts = {"evaluations": 2, "target time": 3}
    parts |= {unit: 5 + k for k, unit in enumerate(picture.data["units"])}
    totals = [sum(row[k] for row in rows) or 1 for k in parts.values()]
    done = np.zeros(len(parts))
    for row, colour in zip(rows, _shades(rows), strict=True):
        given = zip(parts.values(), totals, strict=True)
        share = np.array([100 * row[k] / total for k, total in given])
        axes.barh(list(parts), share, left=done, color=colour, label=row[0])
        done += share
    axes.invert_yaxis()
    label(axes, "%")
    legend(axes, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.35))
    return figure


def _shades(rows: Any) -> list[str]:
    known = {"winner": FATES["winner"], "other survivors": FATES["survivor"]}
    return [known.get(row[0], "#8a949e" if "later" in row[0] else "#c3cad1") for row in rows]


def _diagram(picture: Picture, history: History) -> Any:
    from racing.report.figures.critical_difference import figure_of as diagram_figure
    from racing.report.figures.diagram import diagram
    from racing.report.finalists import finalists

    found = finalists(history)
    return None if found is None else diagram_figure(diagram(found))


def _intervals(picture: Picture, history: History) -> Any:
    return intervals(picture.data)


_CHARTS: dict[str, Callable[[Picture, History], Any]] = {
    "survivors": _survivors,
    "incumbent": _incumbent,
    "pairs": _pairs,
    "band": _band,
    "density": _density,
    "heat": _heat,
    "parallel": parallel,
    "effects": effects,
    "sampling": sampling,
    "family": family,
    "dropped": _dropped,
    "timeline": _timeline,
    "budget": _budget,
    "importance": importance,
    "map": two_parameters,
    "front": front,
    "strips": strips,
    "diagram": _diagram,
    "intervals": _intervals,
}
