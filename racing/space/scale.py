"""Scales: intervals ↔ [0, 1], vectorised over values and over bounds.

On the linear scale equal differences are equally likely, on the logarithmic one equal ratios, on
the logit one equal ratios of p/(1 − p).
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

Scale = Literal["linear", "log", "logit"]

PLACES = 12  # decimal places that a drawn number keeps, counted from the width of its interval
_EXACT = 22  # 10^22 is the largest power of ten that a float holds exactly


def to_unit(x: Any, low: Any, high: Any, scale: Scale) -> Any:
    """Values → their place in [0, 1]; ½ where the interval is a single point."""
    a, b, y = (_warp(each, scale) for each in (low, high, x))
    with np.errstate(invalid="ignore", divide="ignore"):
        place = (y - a) / (b - a)
    return np.where(b > a, np.clip(place, 0.0, 1.0), np.where(y == y, 0.5, np.nan))


def from_unit(u: Any, low: Any, high: Any, scale: Scale) -> Any:
    """Places in [0, 1] → values, within the bounds."""
    a, b = _warp(low, scale), _warp(high, scale)
    y = a * (1.0 - u) + b * u
    if scale == "log":
        y = np.exp(y)
    elif scale == "logit":
        y = 1.0 / (1.0 + np.exp(-y))
    return np.clip(y, low, high)


def _warp(x: Any, scale: Scale) -> Any:
    if scale == "log":
        return np.log(x)
    if scale == "logit":
        return np.log(x) - np.log1p(-np.asarray(x))
    return np.asarray(x, dtype=float)


def shorten(x: Any, low: Any, high: Any, scale: Scale) -> Any:
    """Values to `PLACES` decimal places of the interval, so that they print short.

    What is left out is far below any effect, and above the rounding errors of `to_unit` and
    `from_unit`: so a shortened value survives them unchanged.
    """
    x, low, high = (np.asarray(each, dtype=float) for each in (x, low, high))
    with np.errstate(divide="ignore", invalid="ignore"):
        places = _places(x, low, high, scale)
        coarse = (high - low) * 10.0 ** np.clip(places, -300, 300) < 1000
    short = np.clip(round_places(x, np.where(x == x, places, 0)), low, high)
    return np.where(coarse, x, short)


def _places(x: Any, low: Any, high: Any, scale: Scale) -> Any:
    if scale == "linear":
        wide = PLACES - _magnitude(high - low)
        return np.minimum(wide, PLACES + 2 - _magnitude(np.maximum(np.abs(low), np.abs(high))))
    small = x if scale == "log" else np.minimum(x, 1 - x)
    far = np.maximum(np.abs(np.log(low)), np.abs(np.log(high))) > 50
    places = np.where(far, PLACES - 3, PLACES - 1) - _magnitude(small)
    return places if scale == "log" else np.minimum(places, PLACES + 2)


def _magnitude(x: Any) -> Any:
    """⌊log₁₀ x⌋."""
    found = np.floor(np.log10(x))
    return np.where(np.isfinite(found), found, 0)


def round_places(x: Any, places: Any) -> Any:
    """x to so many decimal places (negative: tens, hundreds, …), ties to even."""
    x, places = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(places, dtype=float))
    power = 10.0 ** np.abs(np.clip(places, -_EXACT, _EXACT))
    rounded = np.where(places >= 0, np.rint(x * power) / power, np.rint(x / power) * power)
    if np.all(np.abs(places) <= _EXACT):
        return rounded
    slow = [
        round(float(a), int(p)) if a == a else a for a, p in zip(x.flat, places.flat, strict=True)
    ]
    return np.where(np.abs(places) <= _EXACT, rounded, np.reshape(slow, x.shape))


def cell_to_unit(k: Any, low: Any, step: float, cells: Any, scale: Scale) -> Any:
    """Cell k of `cells` → its middle in [0, 1]; the cell is [low + k·step, low + (k + 1)·step)."""
    if scale == "linear":
        return (k + 0.5) / cells
    a, b = np.log(low), np.log(low + cells * step)
    return (np.log(low + k * step) + np.log(low + (k + 1) * step) - 2 * a) / (2 * (b - a))


def cell_from_unit(u: Any, low: Any, step: float, cells: Any, scale: Scale) -> Any:
    """A place in [0, 1] → the cell that holds it."""
    if scale == "linear":
        return np.clip(np.floor(u * cells), 0, cells - 1)
    a, b = np.log(low), np.log(low + cells * step)
    return np.clip(np.floor((np.exp(a + u * (b - a)) - low) / step), 0, cells - 1)
