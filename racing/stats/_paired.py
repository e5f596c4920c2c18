"""Pairs of samples of costs on the same instances: one pair, or many at once.

A pair is two vectors of n costs. Many pairs are two arrays of shape (..., n), the instances last,
whose leading axes are broadcast against each other. What a test returns has that leading shape: it
is a number for one pair. For all pairs of columns of a table X, (n, m), take
`i, j = np.triu_indices(m, 1)`, x = X.T[i] and y = X.T[j].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.stats._checks import Alternative, Floats, as_reals, refuse_nan_and_minus_inf

_BLOCK = 1 << 18  # numbers handled at once: hides numpy's overhead, stays in cache
_POWERS = np.array([float(f"1e{e}") for e in range(309)])  # correctly rounded, unlike 10.0**e


@dataclass(frozen=True, eq=False)
class Paired:
    """P pairs of samples on n instances.

    Attributes
    ----------
    x, y
        Shape (P, n), costs; lower is better.
    shape
        The leading shape of what was given, of which P is the size.
    """

    x: Floats
    y: Floats
    shape: tuple[int, ...]

    @classmethod
    def of(cls, x: Any, y: Any) -> Paired:
        """Checked pairs.

        Raises
        ------
        InputError
            If x or y holds no costs, or they differ in the number of instances.
        """
        first, second = _as_samples(x, "x"), _as_samples(y, "y")
        shapes = f"got shapes {first.shape} and {second.shape}"
        if first.shape[-1] != second.shape[-1]:
            raise InputError(f"x and y must be of equal length, as they are paired; {shapes}")
        try:
            if first.shape != second.shape:
                first, second = np.broadcast_arrays(first, second)
        except ValueError as error:
            raise InputError(f"x and y must be of shapes that fit, as pairs; {shapes}") from error
        n = first.shape[-1]
        return cls(first.reshape(-1, n), second.reshape(-1, n), first.shape[:-1])

    @property
    def n(self) -> int:
        return int(self.x.shape[1])

    def each(self, test: Callable[[Floats, Floats], tuple[NDArray[Any], ...]]) -> tuple[Any, ...]:
        """What `test` finds for blocks of pairs, (p, n) each, in the shape of the pairs."""
        step = max(1, _BLOCK // self.n)
        if len(self.x) <= step:
            return tuple(map(self.shaped, test(self.x, self.y)))
        starts = range(0, len(self.x), step)
        found = [test(self.x[at : at + step], self.y[at : at + step]) for at in starts]
        return tuple(self.shaped(np.concatenate(parts)) for parts in zip(*found, strict=True))

    def shaped(self, values: NDArray[Any]) -> Any:
        """(P, ...) values in the shape of the pairs: numbers for one pair."""
        return values.reshape(self.shape + values.shape[1:])[()]


def p_value(t: Floats, cdf: Callable[[Floats], Floats], alternative: Alternative) -> Floats:
    """p-values of statistics that are large where the first is better, and symmetric around 0."""
    if alternative == "two-sided":
        return np.minimum(2.0 * cdf(-np.abs(t)), 1.0)
    return cdf(-t if alternative == "better" else t)


def over(difference: Floats | float, error: Floats | float) -> Floats:
    """Difference over its standard error, which leaves 0 or ±inf where it is 0."""
    away, some = np.asarray(difference, dtype=np.float64), np.asarray(error) > 0
    certain = 0.0 if some.all() else np.where(away == 0.0, 0.0, np.copysign(np.inf, away))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        t: Floats = np.where(some, away / error, certain)[()]
    return t


def differences(a: Floats, b: Floats, digits: int | None = None) -> Floats:
    """b − a, positive where a is better; 0 for two failures.

    With `digits`, rounded to so many significant digits of the larger of the two costs, so that
    0.3 − 0.2 and 0.2 − 0.1 tie.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        d: Floats = b - a
    d[np.isnan(d)] = 0.0
    if digits is None:
        return d
    larger = np.maximum(np.abs(a), np.abs(b))
    larger[(larger == 0.0) | np.isinf(larger)] = 1.0
    decimals = digits - 1 - np.floor(np.log10(larger)).astype(np.intp)
    # Only one of the two powers differs from 1, and dividing a whole number by a power of ten
    # gives the float nearest to that decimal: equal decimals become equal floats.
    up, down = _POWERS[np.clip(decimals, 0, 308)], _POWERS[np.clip(-decimals, 0, 308)]
    with np.errstate(over="ignore"):
        return np.asarray(np.rint(d * up / down) / up * down)


def _as_samples(samples: Any, name: str) -> Floats:
    array = as_reals(samples, name)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise InputError(f"{name} must be a vector of one or more numbers; got shape {array.shape}")
    if array.size:
        refuse_nan_and_minus_inf(array, name)
    return array
