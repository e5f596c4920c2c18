"""Unpaired runs: every run beside medians, and shares of runs as step functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from racing.analysis.compare import Comparison, RunComparison
from racing.analysis.compare.profiles import MEDIANS, Panel, Profiles, censored
from racing.base.errors import InputError
from racing.base.quantities import cost_of, score_of
from racing.base.words import refer, shown
from racing.report.forms import (
    Axis,
    Figure,
    Intervals,
    Line,
    Mark,
    Plot,
    Points,
    at_least,
    category,
    short,
    spread,
)
from racing.report.pictures.picture import DataTable, Picture, picture, table
from racing.stats.effects import median_difference

_RUNS = 300  # of an algorithm that a picture shows
_STEPS = 400  # of a function that a picture shows
_WIDE = 50  # times its smallest a time is, where a logarithmic axis helps
_BANDS = 4  # functions up to which their bands are drawn

Row = tuple[str, int, int, Any, Any, Any]


@picture("runs", "Runs")
def every_run(found: RunComparison) -> Picture:
    """A dot is a run; how high it stands within its row means nothing. The tick is the median, the
    line its interval. Failed runs are not drawn: the table counts them.
    """
    plots: list[Plot] = []
    rows: list[tuple[Any, ...]] = []
    better = "left" if found.table.direction == "minimize" else "right"
    for one in found.problems:
        own = [medians(one, i) for i in one.order]
        plots.append(_strips(one, shown(one.problem), own, len(rows)))
        rows += [(shown(one.problem), *row) for row in own]
    level = 1 - found.choices.alpha
    return Picture(
        sentence=f"{int(found.table.sizes.sum())} runs; better ones are to the {better}.",
        reading=f"The interval holds the true median with probability {level:g}.",
        figure=Figure(plots=tuple(plots), choose="Problem"),
        table=table(("problem", "algorithm", "runs", "failed", "median", "from", "to"), rows),
    )


def medians(one: Comparison, i: int) -> Row:
    """The name of an algorithm, runs, failures, the median, and the interval of that."""
    direction, scores = one.table.direction, one.table.runs[0][i]
    costs = cost_of(scores, direction)
    level = 1 - one.choices.alpha
    middle = median_difference(np.zeros(costs.size), costs, estimator="median", level=level)
    ends = sorted(float(score_of(x, direction)) for x in (middle.low, middle.high))
    lost = int(np.isinf(scores).sum())
    numbers = (short(float(score_of(middle.estimate, direction))), *map(short, ends))
    return (shown(one.names[i]), int(scores.size), lost, *numbers)  # type: ignore[return-value]


def _strips(one: Comparison, name: str, rows: Sequence[Row], first: int) -> Plot:
    """Dots of the runs, ascending; the failures are counted beside the names."""
    x: list[float] = []
    y: list[float] = []
    for row, i in enumerate(one.order):
        scores = one.table.runs[0][i]
        finite = np.sort(scores[np.isfinite(scores)])
        kept = np.unique(np.linspace(0, max(finite.size - 1, 0), _RUNS).astype(int))
        x += finite[kept].tolist() if finite.size else []
        y += [row + spread(k) for k in range(len(kept) if finite.size else 0)]
    at = range(len(rows))
    finite_ends = [[v if isinstance(v, float) else None for v in row[3:]] for row in rows]
    drawn = tuple(float(k) if rows[k][4] != "inf" else None for k in at)
    middle, low, high = zip(*finite_ends, strict=True)
    marks: tuple[Mark, ...] = (
        Points(x=(tuple(x),), y=(tuple(y),), size=2.6, opacity=0.45, colour="c1"),
        Intervals(at=(drawn,), low=(low,), high=(high,), colour="ink", width=2.5),
        Points(x=(middle,), y=(tuple(map(float, at)),), symbol="tick", size=9, colour="ink",
               name="median", rows=tuple(first + k for k in at)),
    )  # fmt: skip
    names = [f"{refer(row[0], 24)} ({row[1]}{f', {row[2]} failed' if row[2] else ''})"
             for row in rows]  # fmt: skip
    return Plot(x=(Axis(name="score"),), y=(category(names, reverse=True),), marks=marks, name=name,
                height=max(130, 34 * len(rows) + 60))  # fmt: skip


def profile_pictures(found: Profiles) -> list[Picture]:
    """Every picture of profiles with data."""
    return [
        distributions(found),
        *([solved(found)] if found.cutoff is not None else []),
        *([performance(found)] if found.performance is not None else []),
    ]


@picture("distributions", "Distribution of the scores")
def distributions(found: Profiles) -> Picture:
    """A curve that lies more to the better side and higher is better. Curves that cross belong to
    algorithms of which neither is better throughout. Runs that failed keep a curve below 1.
    """
    panels = {
        _named(panel, found): [
            steps(score_of(of.values, found.direction), of.shares, of.low, of.high)
            for of in panel.distributions
        ]
        for panel in found.panels
    }
    better = "left" if found.direction == "minimize" else "right"
    axis = Axis(name="score", reverse=found.direction == "maximize")
    drawn, rows = _profile(found, axis, "share of runs", panels)
    return Picture(
        sentence=f"The share of the runs that reach a score; {found.runs} runs in all. Better "
        f"scores are to the {better}.",
        reading=f"Bands hold a whole curve with probability {found.level:g}.",
        figure=drawn,
        table=rows,
    )


@picture("solved", "Share solved over time")
def solved(found: Profiles) -> Picture:
    """How many of the runs are done by a time. The curves end at the cutoff: nothing is known
    beyond.
    """
    if found.cutoff is None:
        raise InputError("solved: needs the time at which runs were stopped (--cutoff TIME)")
    panels = {
        _named(panel, found): [steps(of.times, of.shares, of.low, of.high) for of in panel.solved]
        for panel in found.panels
    }
    drawn, rows = _profile(found, Axis(name="time"), "share solved", panels, end=found.cutoff)
    return Picture(
        sentence=censored(found),
        reading=f"Bands hold the share at one time with probability {found.level:g}.",
        figure=drawn,
        table=rows,
    )


@picture("performance", "Performance profiles")
def performance(found: Profiles) -> Picture:
    """The share of the problems on which an algorithm is within a factor of the best one (Dolan and
    Moré). At the left end: how often it is the best. At the right end: how many it solves at all.
    Two algorithms may change their order when the best is left out.
    """
    of = found.performance
    if of is None:
        raise InputError(f"performance: no performance profiles: {found.no_performance}")
    panels, end = {"": [steps(of.taus, shares) for shares in of.shares]}, float(of.taus[-1]) * 1.05
    drawn, rows = _profile(found, Axis(name="times the best"), "share of problems", panels, end=end)
    said = f"Over {found.problems} problems, by the median run on each."
    return Picture(sentence=said, figure=drawn, table=rows)


Steps = tuple[tuple[float, ...], ...]
"""Columns of places, shares, and where known the low and high ends of a band."""


def steps(*columns: Any) -> Steps:
    """The steps of a function; of very many every so many, and the last."""
    kept = np.unique(np.linspace(0, max(len(columns[0]) - 1, 0), _STEPS).astype(int))
    kept = kept[: len(columns[0])]
    return tuple(tuple(float(of[k]) for k in kept) for of in columns)


def _named(panel: Panel, found: Profiles) -> str:
    return shown(panel.problem) or (MEDIANS if len(found.panels) > 1 else "")


def _profile(
    found: Profiles, axis: Axis, up: str, panels: dict[str, list[Steps]], *,
    end: float | None = None,
) -> tuple[Figure, DataTable]:  # fmt: skip
    """Step functions: a plot for each problem, a line for each algorithm; and as a table."""
    plots = tuple(_plot(name, own, found, axis, up, end) for name, own in panels.items())
    named = len(panels) > 1
    rows = (
        (*[name] * named, shown(algorithm), at, share)
        for name, panel in panels.items()
        for algorithm, own in zip(found.names, panel, strict=True)
        for at, share in zip(own[0], own[1], strict=True)
    )
    columns = (*["problem"] * named, "algorithm", axis.name, "share")
    return Figure(plots=plots, choose="Problem"), table(columns, rows)


def _plot(
    name: str, panel: list[Steps], found: Profiles, axis: Axis, up: str, end: float | None
) -> Plot:
    """The functions of a plot; its axis is logarithmic where positive times lie far apart."""
    x = [v for own in panel for v in own[0]]
    if end is None and x:  # all distributions go on to the worst score of any
        end = min(x) if axis.reverse else max(x)
    lines = tuple(
        _step_line(shown(name), own, k, end, up, len(panel))
        for k, (name, own) in enumerate(zip(found.names, panel, strict=True))
        if own[0]
    )
    log = at_least(x, _WIDE)
    across = Axis(name=axis.name, reverse=axis.reverse, kind="log" if log else "linear")
    return Plot(x=(across,), y=(Axis(name=up, ends=(0.0, 1.02)),), marks=lines, name=name,
                height=340)  # fmt: skip


def _step_line(name: str, own: Steps, k: int, end: float | None, up: str, of: int) -> Line:
    """From 0 at its first step to its last one, and on to the end; six colours, then dashes."""
    x, share, *band = own
    more = end is not None and end != x[-1]
    x = (x[0], *x, *((float(end),) if more and end is not None else ()))
    y = (0.0, *share, *((share[-1],) if more else ()))
    low, high = (((one[0], *one, *((one[-1],) if more else ())),) for one in band or ((0.0,),) * 2)
    dashes: tuple[Any, ...] = ("", "dashed", "dotted")
    banded: dict[str, Any] = {"low": low, "high": high} if band and of <= _BANDS else {}
    return Line(x=(x,), y=(y,), step="after", colour=f"c{k % 6 + 1}", name=name,
                dash=dashes[k // 6 % 3], tip=(("", (name,) * len(x)),), **banded)  # fmt: skip
