"""Contrast estimation: differences of algorithms in cost, from medians."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats, as_finite_costs


@dataclass(frozen=True, slots=True, eq=False)
class ContrastEstimation:
    """Estimated differences of m algorithms, in units of cost; positive where costs are lower.

    `contrast_estimation` returns it.

    Attributes
    ----------
    advantages
        Shape (m,): how much lower the costs of each are than those of the average algorithm.
    contrasts
        Shape (m, m): `contrasts[i, j]` = advantages[i] − advantages[j], positive where i is better.
        They add up: contrasts[i, j] + contrasts[j, k] = contrasts[i, k].
    medians
        Shape (m, m): the median over the instances of how much lower the costs of i are than those
        of j. These need not add up.

    Examples
    --------
    >>> from racing.stats import contrast_estimation
    >>> X = [[3, 1, 2], [4, 2, 2], [5, 1, 4], [3, 2, 0], [6, 3, 4]]
    >>> found = contrast_estimation(X)
    >>> found.medians[1].tolist()
    [2.0, 0.0, 1.0]
    >>> found.contrasts[1].round(2).tolist()
    [2.33, 0.0, 0.67]
    """

    advantages: Floats
    contrasts: Floats
    medians: Floats


def contrast_estimation(X: ArrayLike) -> ContrastEstimation:
    """Contrast estimation based on medians.

    Z_ij is the median over the instances of cost_j − cost_i, the unadjusted estimate;
    Z_i = Σ_j Z_ij / m, and the contrast of i and j is Z_i − Z_j.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better, of one scale over all instances.
        Failures (+inf) are refused.

    Raises
    ------
    InputError
        If `X` is no table of finite costs.

    Doksum (1967), Robust procedures for some linear models with one observation per cell, Ann.
    Math. Statist. 38; García et al. (2010), section 5. The caveat: an estimate without an interval.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import contrast_estimation
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = contrast_estimation(X)
    >>> found.advantages.round(4).tolist()
    [-1.3333, 1.1667, 0.1667]
    """
    costs = as_finite_costs(X, purpose="contrast estimation")
    columns = np.ascontiguousarray(costs.T)
    medians = np.array([np.median(columns - column, axis=1) for column in columns])
    advantages = medians.mean(axis=1)
    return ContrastEstimation(advantages, advantages[:, None] - advantages, medians)
