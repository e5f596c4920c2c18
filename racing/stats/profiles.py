"""Step functions of costs: performance profiles, and empirical distributions with a band.

A performance profile is the share of problems on which an algorithm is within a factor of the best.
Dolan and Moré (2002): r_ps = t_ps / min over s of t_ps, and ρ_s(τ) is the share of the problems
with r_ps <= τ. At τ = 1 it is the share of the problems on which s is (one of) the best, for large
τ the share that s solves at all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.quantities import Level
from racing.stats._checks import Floats, as_costs, as_vector, checked

_ROUNDING = 1 + 1e-12  # a ratio such as 3.3 / 2.2 comes out above 1.5


@dataclass(frozen=True, eq=False)
class PerformanceProfile:
    """Step functions of m algorithms on n problems.

    `performance_profile` returns it.

    Attributes
    ----------
    ratios
        Shape (n, m), r_ps >= 1; inf where the algorithm failed.
    taus
        Shape (T,), the factors at which any profile rises, ascending; the first is 1.
    shares
        Shape (m, T), ρ_s from each τ up to the next.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import performance_profile
    >>> found = performance_profile([[1, 2], [4, 2], [3, 9], [5, np.inf]])
    >>> found.best.tolist(), found.solved.tolist()
    ([0.75, 0.25], [1.0, 0.75])
    >>> found.at(2).tolist()
    [1.0, 0.5]
    """

    ratios: Floats
    taus: Floats
    shares: Floats

    @property
    def best(self) -> Floats:
        """Shape (m,), the share of the problems on which each is the best, alone or tied."""
        return np.asarray(self.shares[:, 0])

    @property
    def solved(self) -> Floats:
        """Shape (m,), the share of the problems that each solves."""
        return np.asarray(self.shares[:, -1])

    def at(self, tau: float) -> Floats:
        """Shape (m,), ρ_s(τ)."""
        return np.asarray(np.mean(self.ratios <= tau * _ROUNDING, axis=0))


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
    n: int

    def at(self, x: ArrayLike) -> Floats:
        """The share of the runs with a cost of at most x, elementwise."""
        steps = np.append(0.0, self.shares)
        return np.asarray(steps[np.searchsorted(self.values, np.asarray(x), side="right")])


def performance_profile(T: ArrayLike) -> PerformanceProfile:
    """Performance profiles of the columns of T.

    Parameters
    ----------
    T
        Shape (n problems, m algorithms): times, efforts or other positive costs, lower better; +inf
        is a failure. A run stopped at a cutoff is a failure, not a time.

    Raises
    ------
    InputError
        If `T` is no table of costs, or one is not positive: ratios need a true zero.

    Notes
    -----
    A problem that no algorithm solves counts as unsolved for all. The caveat: the profiles are
    relative to the best of the table. They compare the best algorithm with each other one; two
    others may change their order without the best (Gould and Scott, 2016).

    Examples
    --------
    >>> from racing.stats import performance_profile
    >>> found = performance_profile([[1, 2], [4, 2], [3, 9]])
    >>> found.ratios.round(4).tolist()
    [[1.0, 2.0], [2.0, 1.0], [1.0, 3.0]]
    """
    costs = as_costs(T, name="T")
    if not costs.min() > 0:
        row, column = np.argwhere(costs <= 0)[0].tolist()
        raise InputError(
            f"T must be costs above 0; got {costs[row, column]:g} at row {row}, column {column}; "
            "a ratio to it has no meaning"
        )
    best = costs.min(axis=1, keepdims=True)
    ratios = np.divide(costs, best, out=np.full_like(costs, np.inf), where=np.isfinite(best))
    taus = np.unique(np.append(ratios[np.isfinite(ratios)], 1.0))
    ordered = np.sort(ratios, axis=0)
    shares = [np.searchsorted(column, taus * _ROUNDING, side="right") for column in ordered.T]
    return PerformanceProfile(ratios, taus, np.array(shares) / len(costs))


@checked
def empirical_distribution(x: ArrayLike, *, level: Level = 0.95) -> EmpiricalDistribution:
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
    costs, miss = as_vector(x), 1 - level
    n = costs.size
    values, counts = np.unique(costs[np.isfinite(costs)], return_counts=True)
    shares = np.cumsum(counts) / n
    margin = math.sqrt(math.log(2 / miss) / (2 * n))
    low, high = np.maximum(shares - margin, 0.0), np.minimum(shares + margin, 1.0)
    return EmpiricalDistribution(values, shares, low, high, margin, n)
