"""Scales between intervals and [0, 1], vectorised over values and over bounds.

On the linear scale equal differences are equally likely, on the logarithmic one equal ratios, on
the logit one equal ratios of p/(1 − p). An axis is a scale between two bounds, with precomputed
constants.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np

Scale = Literal["linear", "log", "logit"]

PLACES = 12  # decimal places that a drawn number keeps, counted from the width of its interval


class Axis(Protocol):
    """The mapping between the values of an interval and [0, 1]."""

    def unit(self, values: Any) -> Any:
        """Values → [0, 1]."""

    def value(self, units: Any) -> Any:
        """[0, 1] → values."""

    def nth(self, k: Any) -> Any:
        """Value k of finitely many, from 0."""

    def log_share(self, k: Any) -> Any:
        """The logarithm of the share of value k."""


class Continuous:
    """A continuum, rounded to `digits` places, or to `PLACES` without them.

    Parameters
    ----------
    low, high
        The bounds: numbers, or arrays that broadcast with the values.
    scale
        The scale.
    digits
        Decimal places of the values. Without it they have `PLACES`, counted from the width of the
        interval: finer than any effect, but coarser than the rounding errors of the mapping to [0,
        1] and back, so a rounded value does not change.
    """

    def __init__(self, low: Any, high: Any, scale: Scale, digits: int | None = None) -> None:
        self._low = low = np.asarray(low, dtype=float)
        self._high = high = np.asarray(high, dtype=float)
        self._scale, self._digits = scale, digits
        self._a, self._b = _warp(low, scale), _warp(high, scale)
        self._wide = bool(np.all(self._b > self._a))
        if digits is not None:
            self._rounding: Any = _rounding(np.asarray(digits))
        elif scale == "linear":
            self._rounding = _rounding(_linear_places(low, high))
        else:
            self._rounding = None
            far = np.maximum(np.abs(np.log(low)), np.abs(np.log(high))) > 50
            self._significant = np.where(far, PLACES - 3, PLACES - 1)
        # an interval with few rounded values inside, such as one between neighbouring floats
        self._fine = digits is not None or (high - low) > 1e-9 * np.maximum(abs(low), abs(high))
        self._all_fine = bool(np.all(self._fine))

    def unit(self, values: Any) -> Any:
        """Values → [0, 1]; ½ where the interval is a single point."""
        y = _warp(values, self._scale)
        if self._wide:
            return np.minimum(np.maximum((y - self._a) / (self._b - self._a), 0.0), 1.0)
        place = np.clip((y - self._a) / (self._b - self._a), 0.0, 1.0)
        return np.where(self._b > self._a, place, np.where(y == y, 0.5, np.nan))

    def value(self, units: Any) -> Any:
        """[0, 1] → values, within the bounds."""
        x = self._a * (1.0 - units) + self._b * units
        if self._scale == "log":
            x = np.exp(x)
        elif self._scale == "logit":
            x = 1.0 / (1.0 + np.exp(-x))
        rounding = self._rounding if self._rounding is not None else _rounding(self._places(x))
        short = round_to(x, rounding)
        if not self._all_fine:
            short = np.where(self._fine, short, x)
        return np.minimum(np.maximum(short, self._low), self._high)

    def nth(self, k: Any) -> Any:
        """Value k of those with so many digits; without digits, the only one."""
        if self._digits is None:
            return self._low
        return round_to(self._low + k / 10.0**self._digits, self._rounding)

    def log_share(self, k: Any) -> Any:
        """The logarithm of the share of value k: half a step to either side."""
        if self._digits is None:
            return np.zeros(len(k))
        values, half = self.nth(k), 0.5 / 10.0**self._digits
        upper = self.unit(np.minimum(values + half, self._high))
        lower = self.unit(np.maximum(values - half, self._low))
        return np.where(self._high > self._low, np.log(upper - lower), 0.0)

    def _places(self, x: Any) -> Any:
        """Significant places, of the smaller of p and 1 − p on the logit scale."""
        if self._scale == "log":
            return self._significant - np.floor(np.log10(x))
        small = np.minimum(x, 1.0 - x)
        return np.minimum(self._significant - np.floor(np.log10(small)), PLACES + 2)


class UnitCells:
    """Values low, low + step, …; value k has the share of [low + k·step, low + (k + 1)·step).

    Parameters
    ----------
    low, cells
        The first value, and the number of values: numbers, or arrays that broadcast with the
        values.
    step
        The distance of two values.
    scale
        The scale of the shares: linear or logarithmic.
    whole
        Whether the values are whole numbers, so that sums of steps are exact.
    """

    def __init__(self, low: Any, cells: Any, step: float, scale: Scale, *, whole: bool) -> None:
        self._low, self._cells = np.asarray(low, dtype=float), np.asarray(cells, dtype=float)
        self._step, self._scale = float(step), scale
        self._high = self._low + self._cells * self._step
        self._rounding = None if whole else _rounding(_linear_places(self._low, self._high))
        if scale == "log":
            self._a, self._b = np.log(self._low), np.log(self._high)

    def unit(self, values: Any) -> Any:
        """Values → the middle of their cells in [0, 1]."""
        k = np.rint((values - self._low) / self._step)
        if self._scale == "linear":
            return (k + 0.5) / self._cells
        edge = self._low + k * self._step
        middle = 0.5 * (np.log(edge) + np.log(edge + self._step))
        return (middle - self._a) / (self._b - self._a)

    def value(self, units: Any) -> Any:
        """[0, 1] → the value of its cell."""
        if self._scale == "linear":
            k = np.floor(units * self._cells)
        else:
            x = np.exp(self._a + units * (self._b - self._a))
            k = np.floor((x - self._low) / self._step)
        return self.nth(np.minimum(np.maximum(k, 0.0), self._cells - 1.0))

    def nth(self, k: Any) -> Any:
        """Value k, from 0, without the rounding errors of a sum."""
        x = self._low + k * self._step
        if self._rounding is None:
            return x
        return np.maximum(round_to(x, self._rounding), self._low)  # a tiny end would round to 0

    def log_share(self, k: Any) -> Any:
        """The logarithm of the share of value k."""
        if self._scale == "linear":
            return np.zeros_like(k, dtype=float) - np.log(self._cells)
        edge = self._low + k * self._step
        return np.log((np.log(edge + self._step) - np.log(edge)) / (self._b - self._a))


def round_to(x: Any, rounding: tuple[Any, Any]) -> Any:
    """x to the nearest multiple of a power of ten, ties to even."""
    up, down = rounding
    return np.rint(x * up / down) * down / up


_FARTHEST = 300
_EXPONENTS = np.arange(-float(_FARTHEST), _FARTHEST + 1.0)
_UP, _DOWN = 10.0 ** np.maximum(_EXPONENTS, 0.0), 10.0 ** np.maximum(-_EXPONENTS, 0.0)


def _rounding(places: Any) -> tuple[Any, Any]:
    """10^places as a factor up and one down, one of them 1: both exact up to 10^22.

    Powers come from a table, because computing them is slow.
    """
    places = np.minimum(np.maximum(np.nan_to_num(places), -_FARTHEST), _FARTHEST)
    index = np.asarray(places + _FARTHEST, dtype=np.intp)
    return _UP[index], _DOWN[index]


def places_rounding(digits: int) -> tuple[Any, Any]:
    """The factors of `round_to` for so many decimal places."""
    return _rounding(np.asarray(digits))


def _linear_places(low: Any, high: Any) -> Any:
    wide = PLACES - _magnitude(high - low)
    return np.minimum(wide, PLACES + 2 - _magnitude(np.maximum(np.abs(low), np.abs(high))))


def _magnitude(x: Any) -> Any:
    """⌊log₁₀ x⌋; 0 where undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.floor(np.log10(x))
    return np.where(np.isfinite(found), found, 0.0)


def _warp(x: Any, scale: Scale) -> Any:
    if scale == "log":
        return np.log(x)
    if scale == "logit":
        return np.log(x) - np.log1p(-np.asarray(x))
    return np.asarray(x, dtype=float)
