"""Dependence of the mean-ranks test of two algorithms on the others in the table.

Benavoli, Corani and Mangili (2016) show that A and B may differ significantly beside C and D and
not beside E and F. This module gives, for every pair, the extremes of the test over all choices of
others.

No table is ranked again: the mean rank of a in a pool is 1 plus, summed over the pool's others x,
the share of instances that x wins from a (ties half). So the distance of a and b is a sum with
one term per other algorithm, and its extremes over pools of a size are sums of sorted terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.base.quantities import Level
from racing.stats._checks import Bools, Floats, Ints, Several, Whole, as_column, as_costs, checked
from racing.stats.mean_ranks import bonferroni_dunn_q, nemenyi_q, standard_error
from racing.stats.sign import sign_counts

Correction = Literal["bonferroni", "nemenyi", "none"]


@dataclass(frozen=True, slots=True, eq=False)
class PoolDependence:
    """Extremes of the mean-ranks z of every pair over all pools of every size.

    `pool_dependence` returns it.

    Attributes
    ----------
    pairs
        Shape (h, 2), the columns i < j of each pair.
    sizes
        Shape (s,): the pool sizes looked at, the two compared included: 2, 3, .., m.
    lowest, highest
        Shape (h, s): the least and the greatest z of the pair over the pools of a size. z > 0
        says that i is worse than j.
    critical
        Shape (s,): the z from which a difference counts as significant in a pool of that size.
    correction
        How `critical` accounts for the number of pairs in the pool.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import pool_dependence
    >>> rng = np.random.default_rng(2)
    >>> X = rng.normal(size=(20, 5)) + [0.0, 0.5, 1.0, 1.5, 2.0]
    >>> found = pool_dependence(X)
    >>> found.sizes.tolist()
    [2, 3, 4, 5]
    >>> found.affected.tolist()
    [[0, 3]]
    """

    pairs: Ints
    sizes: Ints
    lowest: Floats
    highest: Floats
    critical: Floats
    alpha: float
    correction: Correction

    @property
    def depends(self) -> Bools:
        """Shape (h, s): whether the decision (better, worse, neither) varies within a size."""
        low, high, c = self.lowest, self.highest, self.critical
        return np.asarray(((low >= c) != (high >= c)) | ((low <= -c) != (high <= -c)))

    @property
    def affected(self) -> Ints:
        """The pairs with a decision that depends on the pool, shape (a, 2)."""
        return np.asarray(self.pairs[self.depends.any(axis=1)])


@checked
def pool_dependence(
    X: ArrayLike, *, alpha: Level = 0.05, correction: Correction = "bonferroni"
) -> PoolDependence:
    """For every pair of columns, the extremes of the mean-ranks test over the choice of the others.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better.
    alpha
        Family-wise level, two-sided, within each pool.
    correction
        "bonferroni" over the pairs of the pool, as in the paper; "nemenyi"; or "none".

    Raises
    ------
    InputError
        If `X` is no table of costs, or has fewer than two columns.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import pool_dependence
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = pool_dependence(X)
    >>> type(found).__name__
    'PoolDependence'
    """
    costs = as_costs(X)
    n, m = costs.shape
    if m < 2:
        raise InputError(f"X must be two or more columns, to compare; got {m}")
    wins = _doubled_wins(costs)
    extremes = (_extremes(wins, first) for first in range(m - 1))
    lowest, highest = (np.concatenate(ends) for ends in zip(*extremes, strict=True))
    sizes = np.arange(2, m + 1)
    unit = np.array([2 * n * standard_error(size, n) for size in sizes.tolist()])
    critical = np.array([_critical(size, alpha, correction) for size in sizes.tolist()])
    pairs = np.column_stack(np.triu_indices(m, 1))
    return PoolDependence(pairs, sizes, lowest / unit, highest / unit, critical, alpha, correction)


@checked
def pool_counts(
    X: ArrayLike,
    first: int,
    second: int,
    size: Several,
    *,
    alpha: Level = 0.05,
    correction: Correction = "bonferroni",
) -> tuple[int, int]:
    """Numbers of pools of `size` columns: those in which two columns differ, and all.

    The entries of Table 1 of Benavoli et al. (2016), whose "Card" is `size` − 2. Counted exactly,
    by adding the other columns one by one, not by listing the pools.

    Parameters and errors as for `pool_dependence`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import pool_counts
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> pool_counts(X, 0, 1, 3)
    (1, 1)
    """
    costs = as_costs(X)
    n, m = costs.shape
    first, second = (as_column(c, m, name="column") for c in (first, second))
    if first == second or size > m:
        raise InputError(
            f"first and second must be different columns, and size from 2 to {m}; "
            f"got {first}, {second} and {size}"
        )
    wins = _doubled_wins(costs)
    start = int(wins[second, first] - wins[first, second])
    others = np.delete(wins[:, first] - wins[:, second], [first, second])
    sums, counts = _subset_sums(others, size - 2)
    z = (start + sums) / (2 * n * standard_error(size, n))
    significant = np.abs(z) >= _critical(size, alpha, correction)
    return int(sum(counts[significant].tolist())), int(sum(counts.tolist()))


def _doubled_wins(costs: Floats) -> Whole:
    """Shape (m, m): twice the instances where x is better than a, plus those where they tie."""
    wins = sign_counts(costs).astype(np.int64)
    return len(costs) + wins - wins.T


def _extremes(wins: Whole, first: int) -> tuple[Whole, Whole]:
    """For the pairs (first, j), j > first: the least and greatest distance, shape (pairs, m − 1).

    In units of 1/2n of a mean rank; one column for every number of others, 0 to m − 2.
    """
    m = wins.shape[0]
    rivals = np.arange(first + 1, m)
    terms = wins[:, first] - wins.T[rivals]  # what each other column adds to the distance
    is_other = np.ones(terms.shape, dtype=np.bool_)
    is_other[:, first] = False
    is_other[np.arange(rivals.size), rivals] = False
    terms = np.sort(terms[is_other].reshape(rivals.size, m - 2), axis=1)
    alone = (wins[rivals, first] - wins[first, rivals])[:, None]
    low = np.hstack([alone, alone + np.cumsum(terms, axis=1)])
    high = np.hstack([alone, alone + np.cumsum(terms[:, ::-1], axis=1)])
    return low, high


def _critical(size: int, alpha: float, correction: Correction) -> float:
    """The two-sided critical z for all pairs of a pool."""
    if correction == "nemenyi":
        return nemenyi_q(size, alpha=alpha)
    pairs = size * (size - 1) // 2 if correction == "bonferroni" else 1
    return bonferroni_dunn_q(1 + pairs, alpha=alpha)  # α/m(m−1), Benavoli et al. (2016), eq. 4


def _subset_sums(terms: Whole, size: int) -> tuple[Whole, NDArray[np.object_]]:
    """All sums of `size` of the terms, and how many subsets give each (as exact integers)."""
    low = int(np.minimum(terms, 0).sum())
    width = int(np.abs(terms).sum()) + 1
    counts = np.zeros((size + 1, width), dtype=object)
    counts[0, -low] = 1
    for term in terms.tolist():
        for taken in range(size, 0, -1):
            counts[taken] += np.roll(counts[taken - 1], term)  # never wraps: width holds all sums
    return np.arange(width) + low, counts[size]
