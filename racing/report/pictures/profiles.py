"""Profiles as pictures: distributions of scores, share solved over time, performance profiles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from racing.analysis.compare.profiles.blocks import MEDIANS, censored
from racing.analysis.compare.profiles.data import Panel, Profiles
from racing.base.errors import InputError
from racing.base.quantities import score_of
from racing.report.pictures.picture import Picture, shown, table

_POINTS = 400  # steps of a function that a page holds
_WIDE = 50  # times its smallest a time is, where a logarithmic axis helps

Row = list[float]


def profile_pictures(found: Profiles) -> list[Picture]:
    """Every picture with data."""
    return [
        distributions(found),
        *([solved(found)] if found.cutoff is not None else []),
        *([performance(found)] if found.performance is not None else []),
    ]


def distributions(found: Profiles) -> Picture:
    """Empirical distribution functions of the scores, a panel for each problem."""
    panels = [
        _panel(
            panel,
            found,
            [
                _steps(score_of(of.values, found.direction), of.shares, of.low, of.high)
                for of in panel.distributions
            ],
        )
        for panel in found.panels
    ]
    better = "left" if found.direction == "minimize" else "right"
    return Picture(
        id="distributions",
        title="Distribution of the scores",
        sentence=f"The share of the runs that reach a score; {found.runs} runs in all.",
        reading=(
            f"A curve that lies more to the {better} and higher is better. Curves that cross "
            "belong to algorithms of which neither is better throughout. Runs that failed keep a "
            f"curve below 1. Bands hold a whole curve with probability {found.level:g}."
        ),
        chart="steps",
        data={
            "x": "score",
            "y": "share of runs",
            "reverse": found.direction == "maximize",
            "panels": panels,
        },
        table=_table(panels, "score"),
    )


def solved(found: Profiles) -> Picture:
    """The share of the runs solved over time.

    Raises
    ------
    InputError
        If no cutoff was given.
    """
    if found.cutoff is None:
        raise InputError("solved: needs the time at which runs were stopped (--cutoff TIME)")
    panels = [
        _panel(
            panel,
            found,
            [_steps(of.times, of.shares, of.low, of.high) for of in panel.solved],
            found.cutoff,
        )
        for panel in found.panels
    ]
    return Picture(
        id="solved",
        title="Share solved over time",
        sentence=censored(found),
        reading=(
            "How many of the runs are done by a time. The curves end at the cutoff: nothing is "
            f"known beyond. Bands hold the share at one time with probability {found.level:g}."
        ),
        chart="steps",
        data={"x": "time", "y": "share solved", "reverse": False, "panels": panels},
        table=_table(panels, "time"),
    )


def performance(found: Profiles) -> Picture:
    """Dolan and Moré's performance profiles.

    Raises
    ------
    InputError
        If there are none: one problem, costs that are not positive, or higher scores are better.
    """
    if found.performance is None:
        raise InputError(f"performance: no performance profiles: {found.no_performance}")
    of = found.performance
    end = float(of.taus[-1]) * 1.05
    series = [
        {"name": shown(name), "rows": _steps(of.taus, shares), "end": end}
        for name, shares in zip(found.names, of.shares, strict=True)
    ]
    panels = [{"name": "", "log": bool(of.taus[-1] > _WIDE), "series": series}]
    return Picture(
        id="performance",
        title="Performance profiles",
        sentence=f"Over {found.problems} problems, by the median run on each.",
        reading=(
            "The share of the problems on which an algorithm is within a factor of the best one. "
            "At the left end: how often it is the best. At the right end: how many it solves at "
            "all. Two algorithms may change their order when the best is left out."
        ),
        chart="steps",
        data={"x": "times the best", "y": "share of problems", "reverse": False, "panels": panels},
        table=_table(panels, "times the best"),
    )


def _panel(
    panel: Panel, found: Profiles, rows: list[list[Row]], end: float | None = None
) -> dict[str, Any]:
    """The functions of a panel; its axis is logarithmic where positive times lie far apart."""
    x = [row[0] for each in rows for row in each]
    log = bool(x) and min(x) > 0 and max(x) > _WIDE * min(x)
    if end is None and x:  # all distributions go on to the worst score of any
        end = max(x) if found.direction == "minimize" else min(x)
    return {
        "name": shown(panel.problem) or (MEDIANS if len(found.panels) > 1 else ""),
        "log": log,
        "series": [
            {"name": shown(name), "rows": own, "end": end}
            for name, own in zip(found.names, rows, strict=True)
        ],
    }


def _steps(x: Any, *columns: Any) -> list[Row]:
    """[x, share, low, high] at each step; of very many every so many, and the last."""
    if not len(x):
        return []
    kept = np.unique(np.linspace(0, len(x) - 1, _POINTS).astype(int))
    return [[_round(float(of[at])) for of in (x, *columns)] for at in kept]


def _round(value: float) -> float:
    return float(f"{value:.6g}") if math.isfinite(value) else value


def _table(panels: Sequence[dict[str, Any]], x: str) -> Any:
    named = len(panels) > 1

    def rows() -> Iterable[list[Any]]:
        for panel in panels:
            for series in panel["series"]:
                for row in series["rows"]:
                    yield [*([panel["name"]] if named else []), series["name"], row[0], row[1]]

    return table((*(["problem"] if named else []), "algorithm", x, "share"), rows())
