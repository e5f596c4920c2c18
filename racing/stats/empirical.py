"""The empirical distribution of scores, with a simultaneous confidence band."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats, as_level, as_vector


@dataclass(frozen=True, eq=False)
class EmpiricalDistribution:
    """A step function of n costs.

    `empirical_distribution` returns it.

    `values` (V,) are the distinct finite costs, ascending; `shares` (V,) the share of the runs with
    a cost of at most each. `low` and `high` are a band that holds the whole distribution function
    with `level`, each of its steps widened by `margin`. Failures (+inf) keep the shares below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import empirical_distribution
    >>> found = empirical_distribution([3, 1, 2, 2, np.inf])
    >>> found.shares.tolist()
    [0.2, 0.6, 0.8]
    >>> found.at([0.5, 2, 100]).tolist()
    [0.0, 0.6, 0.8]
    """

    values: Floats
    shares: Floats
    low: Floats
    high: Floats
    margin: float
    level: float
    n: int

    def at(self, x: ArrayLike) -> Floats:
        """The share of the runs with a cost of at most x, elementwise."""
        steps = np.append(0.0, self.shares)
        return np.asarray(steps[np.searchsorted(self.values, np.asarray(x), side="right")])


def empirical_distribution(x: ArrayLike, *, level: float = 0.95) -> EmpiricalDistribution:
    """The empirical distribution function of a vector of costs, lower better.

    Raises
    ------
    InputError
        If x is no vector of costs, or `level` no probability.

    Notes
    -----
    The band is that of Dvoretzky, Kiefer and Wolfowitz with the constant of Massart (1990),
    √(log(2/α)/2n) on either side: for independent runs, whatever their distribution.

    Examples
    --------
    >>> from racing.stats import empirical_distribution
    >>> found = empirical_distribution([3, 1, 2, 2])
    >>> found.values.round(4).tolist()
    [1.0, 2.0, 3.0]
    """
    costs, miss = as_vector(x), 1 - as_level(level, name="level")
    n = costs.size
    values, counts = np.unique(costs[np.isfinite(costs)], return_counts=True)
    shares = np.cumsum(counts) / n
    margin = math.sqrt(math.log(2 / miss) / (2 * n))
    low, high = np.maximum(shares - margin, 0.0), np.minimum(shares + margin, 1.0)
    return EmpiricalDistribution(values, shares, low, high, margin, level, n)
