"""What the examples tune: Holt's linear exponential smoothing, over a set of time series.

Holt (1957) forecasts a series by a level and a trend, which follow the data at the rates `level`
and `trend`. Which rates are best differs from series to series, so they are tuned over many.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

SPACE = {"level": {"real": [0.01, 1]}, "trend": {"real": [0.001, 1], "log": True}}
LENGTH = 80


@cache
def series(number: int) -> np.ndarray:
    """A series of `LENGTH` values: a random walk with a changing trend, seen with noise."""
    rng = np.random.default_rng(number)
    trend = 0.1 + np.cumsum(rng.normal(0, 0.05, LENGTH))
    level = np.cumsum(trend + rng.normal(0, 0.3, LENGTH))
    return np.asarray(level + rng.normal(0, 1.5, LENGTH))


def error(values: Mapping[str, Any], instance: int, seed: int = 0) -> float:
    """Mean absolute error of forecasts one step ahead, on the series of this number."""
    y = series(instance)
    level, trend, errors = y[0], 0.0, []
    for value in y[1:]:
        forecast = level + trend
        errors.append(abs(value - forecast))
        last, level = level, forecast + values["level"] * (value - forecast)
        trend += values["trend"] * (level - last - trend)
    return float(np.mean(errors[10:]))  # the first ones are spent on finding level and trend


def true_error(values: Mapping[str, Any]) -> float:
    """Mean error on 300 series that no search here has seen."""
    return float(np.mean([error(values, 10_000 + number) for number in range(300)]))
