"""Selects the metric that decides a race."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from racing.base.errors import InputError, did_you_mean, show
from racing.sklearn._compat import scorers_by_name


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
