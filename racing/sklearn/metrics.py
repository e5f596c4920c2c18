"""Selects the metric or the metrics that decide a race."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from racing.base.errors import InputError, did_you_mean, show
from racing.core.aims import Front
from racing.core.goal import Goal
from racing.core.metric import Metric
from racing.sklearn._compat import scorers_by_name

KNEE = "knee"
"""The `refit` that races the front of all metrics and chooses the best compromise."""


def knee_goal(search: Any, scorers: Any) -> Goal | None:
    """The front of all metrics, where `refit` is `"knee"` and no metric has that name; else None.

    Raises
    ------
    InputError
        If `scoring` does not name two metrics or more, or `race_metric` is given too.
    """
    names = scorers_by_name(scorers)
    if not isinstance(search.refit, str) or search.refit != KNEE:
        return None
    if callable(search.scoring) or not isinstance(names, Mapping) or len(names) < 2:
        raise InputError(
            "refit='knee' races the front of several metrics, which scoring must name: a list of "
            "names, or a dictionary from names to scorers, of two or more"
        )
    if KNEE in names:
        return None
    if search.race_metric is not None:
        raise InputError(
            f"race_metric is {search.race_metric!r}, but refit='knee' races all metrics; leave "
            "one of them out"
        )
    metrics = {str(name): Metric(direction="maximize") for name in names}
    return Goal(metrics, Front(front=tuple(metrics)))


def deciding_metric(search: Any, scorers: Any) -> str | None:
    """The name of the metric that decides; None if `scoring` gives a single score.

    It is `race_metric`, or else that of `refit`. The metrics of a callable are known only after the
    first fit.

    Raises
    ------
    InputError
        If there are several metrics and none is named, or the name is unknown.
    """
    named: str | None = search.race_metric
    if named is None and isinstance(search.refit, str):
        named = search.refit
    if callable(search.scoring):
        return named
    names = scorers_by_name(scorers)
    if not isinstance(names, Mapping):
        if search.race_metric is not None:
            raise InputError(
                f"race_metric is {search.race_metric!r}, but scoring has a single metric; leave it "
                "out, or give several in scoring"
            )
        return None
    if named is None:
        raise InputError(
            f"scoring has the metrics {', '.join(names)}; say which of them decides the race: "
            f"race_metric={next(iter(names))!r}, say"
        )
    if named not in names:
        raise InputError(f"race_metric is {show(named)}{did_you_mean(str(named), list(names))}")
    return str(named)
