"""Shaffer's static procedure: Holm's, made more powerful for all pairs of k algorithms.

If two algorithms differ, a third differs from at least one of them: not every number of
hypotheses can be true at once. Each step divides by the largest number that still can.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats, Ints, as_count
from racing.stats._pairs import as_pair_pvalues, like


def shaffer(pvalues: ArrayLike) -> Floats:
    """Shaffer's (1986) static adjusted p-values for all pairs of k algorithms.

    Parameters
    ----------
    pvalues : those of all pairs, a vector of length k(k-1)/2 in the order of
        `np.triu_indices(k, 1)` or a symmetric (k, k) matrix.

    Returns
    -------
    Adjusted p-values in the form of the input; a matrix has ones on its diagonal. Rejecting those
    at most alpha controls the family-wise error, whatever the dependence of the tests.

    Raises
    ------
    InputError
        If `pvalues` are not the probabilities of all pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import shaffer
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> shaffer(p).round(4).tolist()
    [0.03, 0.04, 0.03]
    """
    p, k = as_pair_pvalues(pvalues)
    possible = true_counts(k)
    # t_i: the most hypotheses that can be true if i - 1 are false (Garcia and Herrera, 2008, 2.1)
    left = np.arange(p.size, 0, -1)
    t = possible[np.searchsorted(possible, left, side="right") - 1]
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(t * p[order]))
    return like(pvalues, adjusted, k)


def true_counts(k: int) -> Ints:
    """All numbers of the k(k-1)/2 hypotheses of equality that can be true at once.

    S(k) = union over j of {C(j,2) + x : x in S(k-j)}, S(0) = {0}; Shaffer (1986), ascending.

    Examples
    --------
    >>> from racing.stats import true_counts
    >>> true_counts(4).tolist()
    [0, 1, 2, 3, 6]
    """
    bits = _true_counts_as_bits(as_count(k, name="k"))
    return np.flatnonzero(np.array([c == "1" for c in reversed(f"{bits:b}")]))


@cache
def _true_counts_as_bits(k: int) -> int:
    """S(k) with the number x as bit x: adding C(j,2) to all numbers is a shift."""
    sets = [1]
    for size in range(1, k + 1):
        union = 0
        for j in range(1, size + 1):
            union |= sets[size - j] << (j * (j - 1) // 2)
        sets.append(union)
    return sets[k]
