"""The scale of a parameter: its domain in the space, or else the tried values.

A scale from the space is the same in every run over that space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from racing.space.parameter import Parameter, Value

_FACTOR, _LOW = 20, 0.2  # from when on an axis is logarithmic: range, and where the median lies


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The positions of a parameter's values on an axis.

    Attributes
    ----------
    ends
        The least and the largest number; None for categories.
    levels
        The categories in their order; None for numbers.
    log
        Whether the axis is logarithmic.
    """

    ends: tuple[float, float] | None
    levels: tuple[Value, ...] | None
    log: bool = False


def scale_of(values: Sequence[Value], parameter: Parameter | None = None) -> Scale:
    """The scale of a parameter, of which these values were tried.

    Parameters
    ----------
    values
        At least one.
    parameter
        Its domain; None, or one with bounds that depend on other parameters, leaves it to the
        values. Then an axis is logarithmic if they are positive, over more than an order of
        magnitude, most of them among the smallest.
    """
    levels = parameter.levels if parameter is not None else None
    if not is_numeric(values) or (levels is not None and not is_numeric(levels)):
        return Scale(ends=None, levels=levels or _in_order(values))
    if levels is not None:
        return _of_numbers([*levels, *values])
    bounds = [getattr(parameter, end, None) for end in ("low", "high")]
    if not is_numeric(bounds):
        return _of_numbers(values)
    numbers = np.array([*bounds, *values], dtype=np.float64)
    ends = float(numbers.min()), float(numbers.max())
    return Scale(ends=ends, levels=None, log=bool(getattr(parameter, "log", False)))


def is_numeric(values: Sequence[Any]) -> bool:
    """Whether all are numbers."""
    return all(map(_is_number, values))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _in_order(values: Sequence[Value]) -> tuple[Value, ...]:
    return tuple(sorted(dict.fromkeys(values), key=str))


def _of_numbers(values: Sequence[Value]) -> Scale:
    numbers = np.array(values, dtype=np.float64)
    low, high, middle = float(numbers.min()), float(numbers.max()), float(np.median(numbers))
    log = low > 0 and high >= _FACTOR * low and middle - low <= _LOW * (high - low)
    return Scale(ends=(low, high), levels=None, log=log)
