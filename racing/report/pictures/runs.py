"""Unpaired runs: every run beside medians, and shares of runs as step functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from racing.analysis.compare import Comparison, RunComparison
from racing.analysis.compare.methods import option
from racing.analysis.compare.profiles import MEDIANS, Profiles, censored
from racing.base.errors import InputError
from racing.base.quantities import cost_of, score_of
from racing.base.words import refer, shown
from racing.report import forms
from racing.report.forms import Axis, Intervals, Line, Points, short
from racing.report.picture import Picture, picture, some, table
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
    plots: list[forms.Plot] = []
    rows: list[tuple[Any, ...]] = []
    better = "left" if found.table.direction == "minimize" else "right"
    for one in found.problems:
        own = [medians(one, i) for i in one.order]
        plots.append(_strips(one, own, len(rows)))
        rows += [(shown(one.problem), *row) for row in own]
    level = 1 - found.choices.alpha
    return Picture(
        sentence=f"{int(found.table.sizes.sum())} runs; better ones are to the {better}.",
        reading=f"The interval holds the true median with probability {level:g}.",
        figure=forms.Figure(plots=tuple(plots), choose="Problem"),
        table=table(("problem", "algorithm", "runs", "failed", "median", "from", "to"), rows),
    )


def medians(one: Comparison, i: int) -> Row:
    """The name of an algorithm, runs, failures, the median, and the interval of that."""
    direction, scores = one.table.direction, one.table.runs[0][i]
    costs, level = cost_of(scores, direction), 1 - one.choices.alpha
    middle = median_difference(np.zeros(costs.size), costs, estimator="median", level=level)
    ends = sorted(float(score_of(x, direction)) for x in (middle.low, middle.high))
    numbers = map(short, (float(score_of(middle.estimate, direction)), *ends))
    return (shown(one.names[i]), int(scores.size), int(np.isinf(scores).sum()), *numbers)  # type: ignore[return-value]


def _strips(one: Comparison, rows: Sequence[Row], first: int) -> forms.Plot:
    """Dots of the runs, ascending; the failures are counted beside the names."""
    dots: list[tuple[float, float]] = []
    for row, i in enumerate(one.order):
        scores = np.sort(one.table.runs[0][i])
        fine = scores[np.isfinite(scores)]
        kept = enumerate(some(len(fine), _RUNS))
        dots += [(fine[k], row + forms.spread(n)) for n, k in kept]
    at = range(len(rows))
    drawn = [k if rows[k][4] != "inf" else None for k in at]
    _, _, _, middle, low, high = zip(*rows, strict=True)
    marks = (
        Points(x=[x for x, _ in dots], y=[y for _, y in dots], size=2.6, opacity=0.45, colour="c1"),
        Intervals(at=drawn, low=low, high=high, colour="ink", width=2.5),
        Points(x=middle, y=at, symbol="tick", size=9, colour="ink", name="median",
               rows=range(first, first + len(rows))),
    )  # fmt: skip
    names = [f"{refer(row[0], 24)} ({row[1]}{f', {row[2]} failed' if row[2] else ''})"
             for row in rows]  # fmt: skip
    up, height = forms.category(names, reverse=True), max(130, 34 * len(rows) + 60)
    return forms.plot(marks[not dots :], "score", up, name=shown(one.problem), height=height)


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
    panels = [[steps(score_of(of.values, found.direction), of.shares, of.low, of.high)
               for of in panel.distributions] for panel in found.panels]  # fmt: skip
    better = "left" if found.direction == "minimize" else "right"
    said = f"The share of the runs that reach a score; {found.runs} runs in all."
    said += f" Better scores are to the {better}."
    reading = f"Bands hold a whole curve with probability {found.level:g}."
    axis = Axis("score", reverse=found.direction == "maximize")
    return _profile(found, said, reading, axis, "share of runs", panels)


@picture("solved", "Share solved over time")
def solved(found: Profiles) -> Picture:
    """How many of the runs are done by a time. The curves end at the cutoff: nothing is known
    beyond.
    """
    if found.cutoff is None:
        needed = option("--cutoff TIME", "cutoff=")
        raise InputError(f"solved: needs the time at which runs were stopped ({needed})")
    panels = [[steps(of.times, of.shares, of.low, of.high) for of in panel.solved]
              for panel in found.panels]  # fmt: skip
    reading = f"Bands hold the share at one time with probability {found.level:g}."
    said, axis = censored(found), Axis("time")
    return _profile(found, said, reading, axis, "share solved", panels, end=found.cutoff)


@picture("performance", "Performance profiles")
def performance(found: Profiles) -> Picture:
    """The share of the problems on which an algorithm is within a factor of the best one (Dolan and
    Moré). At the left end: how often it is the best. At the right end: how many it solves at all.
    Two algorithms may change their order when the best is left out.
    """
    of = found.performance
    if of is None:
        raise InputError(f"performance: no performance profiles: {found.no_performance}")
    panels, end = [[steps(of.taus, shares) for shares in of.shares]], float(of.taus[-1]) * 1.05
    said = f"Over {found.problems} problems, by the median run on each."
    axis = Axis("times the best")
    return _profile(found, said, "", axis, "share of problems", panels, end=end)


Steps = tuple[tuple[float, ...], ...]
"""Columns of places, shares, and where known the low and high ends of a band."""


def steps(*columns: Any) -> Steps:
    """The steps of a function; of very many every so many, and the last."""
    kept = some(len(columns[0]), _STEPS)
    return tuple(tuple(float(of[k]) for k in kept) for of in columns)


def _profile(
    found: Profiles, said: str, reading: str, axis: Axis, up: str, panels: list[list[Steps]], *,
    end: float | None = None,
) -> Picture:  # fmt: skip
    """Step functions: a plot for each problem, a line for each algorithm; and as a table."""
    names = [""]
    if len(panels) == len(found.panels):
        many = len(panels) > 1
        names = [shown(panel.problem) or MEDIANS * many for panel in found.panels]
    named = zip(names, panels, strict=True)
    plots = tuple(_plot(name, own, found, axis, up, end) for name, own in named)
    rows = (
        (*[name] * (len(panels) > 1), shown(algorithm), at, share)
        for name, panel in zip(names, panels, strict=True)
        for algorithm, own in zip(found.names, panel, strict=True)
        for at, share in zip(own[0], own[1], strict=True)
    )
    columns = (*["problem"] * (len(panels) > 1), "algorithm", axis.name, "share")
    figure = forms.Figure(plots=plots, choose="Problem")
    return Picture(sentence=said, reading=reading, figure=figure, table=table(columns, rows))


def _plot(
    name: str, panel: list[Steps], found: Profiles, axis: Axis, up: str, end: float | None
) -> forms.Plot:
    """The functions of a plot; its axis is logarithmic where positive times lie far apart."""
    x = [v for own in panel for v in own[0]]
    if end is None and x:  # all distributions go on to the worst score of any
        end = min(x) if axis.reverse else max(x)
    named = enumerate(zip(found.names, panel, strict=True))
    lines = [
        _line(shown(of), own, k, end, len(panel) <= _BANDS) for k, (of, own) in named if own[0]
    ]
    kind: Any = "log" if forms.at_least(x, _WIDE) else "linear"
    across = Axis(axis.name, reverse=axis.reverse, kind=kind)
    return forms.plot(lines, across, Axis(up, ends=(0.0, 1.02)), name=name, height=340)


def _line(name: str, own: Steps, k: int, end: float | None, banded: bool) -> Line:
    """From 0 at its first step to its last one, and on to the end; six colours, then dashes."""
    more = [] if end is None or end == own[0][-1] else [end]
    x = [own[0][0], *own[0], *more]
    firsts = (0.0, *(of[0] for of in own[2:]))
    y, *band = ([first, *of, *(of[-1] for _ in more)]
                for of, first in zip(own[1:], firsts, strict=True))  # fmt: skip
    low, high = band if band and banded else ((), ())
    dash: Any = ("", "dashed", "dotted")[k // 6 % 3]
    return Line(x=x, y=y, low=low, high=high, step="after", colour=f"c{k % 6 + 1}", name=name,
                dash=dash, tip={"": [name] * len(x)})  # fmt: skip
