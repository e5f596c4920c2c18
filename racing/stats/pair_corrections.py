"""Corrections of the p-values of all pairs, which use that equality is transitive.

If two algorithms differ, a third differs from at least one of them: not every number of
hypotheses can be true at once. Shaffer's static procedure is Holm's, but each step divides by the
largest number that still can.

Bergmann and Hommel's procedure uses all of this logic. If a = b and b = c then a = c, so the
hypotheses that can be true together ("exhaustive sets") are those of a partition of the algorithms
into blocks of equals. A set I that is wholly true survives the test at level alpha if min p over
I > alpha / |I|; a hypothesis is rejected when no surviving set holds it. Its adjusted p-value is
therefore the maximum of |I| min p over the partitions that put the two algorithms into one block
(García and Herrera, 2008, section 3).

There are Bell(k) - 1 exhaustive sets, 7·10^11 for k = 18; this module lists none of them. For a
threshold t, the largest |I| with min p >= t is the best clique partition of the graph of the pairs
with p >= t, and there are at most k(k-1)/2 thresholds. Two exact algorithms find it for all of
them:

- "intervals" when the algorithms have an order in which p falls with distance, as p-values of mean
  ranks always do; polynomial, k = 50 in about half a second;
- "subsets" for any p-values, time 3^k: k = 15 in about half a second, 18 in some.
"""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError, must_be
from racing.base.quantities import Count
from racing.stats._bergmann_hommel import adjust_by_intervals, adjust_by_subsets
from racing.stats._checks import Floats, Ints, as_reals, checked
from racing.stats.corrections import in_order

Algorithm: TypeAlias = Literal["auto", "intervals", "subsets"]


MOST_SUBSETS = 18  # 2^k k^2/2 bytes and 3^k steps: each one more takes three times as long


MOST_INTERVALS = 100  # k^5 steps, about a minute if all distances differ


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

    def step_down(ascending: Floats, left: Floats) -> Floats:
        # t_i: the most hypotheses that can be true if i - 1 are (Garcia and Herrera, 2008, 2.1)
        t = possible[np.searchsorted(possible, left, side="right") - 1]
        return np.maximum.accumulate(t * ascending)

    return _like(pvalues, in_order(p, step_down), k)


@checked
def bergmann_hommel(
    pvalues: ArrayLike,
    *,
    monotone: bool = True,
    algorithm: Algorithm = "auto",
    positions: ArrayLike | None = None,
) -> Floats:
    """Bergmann and Hommel's (1988) adjusted p-values for all pairs of k algorithms, exact.

    Parameters
    ----------
    pvalues : those of all pairs, a vector of length k(k-1)/2 in the order of
        `np.triu_indices(k, 1)` or a symmetric (k, k) matrix.
    monotone : True takes the running maximum in the order of the raw p-values, so that a pair with
        a larger p-value never gets a smaller adjusted one, as printed in García and Herrera
        (2008), Table 5. False is the definition as it stands: never larger, and as valid.
    algorithm : "auto" takes "intervals" where they apply, else "subsets"; the results are equal.
    positions : (k,) numbers, such as mean ranks, that order the algorithms; by default the p-values
        give an order. Only "intervals" uses it.

    Returns
    -------
    Adjusted p-values in the form of the input; a matrix has ones on its diagonal. Rejecting those
    at most alpha controls the family-wise error, whatever the dependence of the tests.

    Raises
    ------
    InputError
        If `pvalues` are not the probabilities of all pairs, "intervals" is asked for and does not
        apply, or k is beyond 18 (100 for intervals).

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import bergmann_hommel
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> bergmann_hommel(p).round(4).tolist()
    [0.03, 0.04, 0.03]
    """
    p, k = as_pair_pvalues(pvalues)
    matrix = _as_matrix(p, k)
    order = None if algorithm == "subsets" else _order(matrix, positions)
    _check_size(k, algorithm, by_intervals=order is not None)
    if order is None:
        adjusted = adjust_by_subsets(matrix)
    else:
        back = np.argsort(order)
        adjusted = adjust_by_intervals(matrix[np.ix_(order, order)])[np.ix_(back, back)]
    vector = np.minimum(adjusted[np.triu_indices(k, 1)], 1.0)
    return _like(pvalues, _running_maximum(p, vector) if monotone else vector, k)


@checked
def true_counts(k: Count) -> Ints:
    """All numbers of the k(k-1)/2 hypotheses of equality that can be true at once.

    S(k) = union over j of {C(j,2) + x : x in S(k-j)}, S(0) = {0}; Shaffer (1986), ascending.

    Examples
    --------
    >>> from racing.stats import true_counts
    >>> true_counts(4).tolist()
    [0, 1, 2, 3, 6]
    """
    bits = _true_counts_as_bits(k)
    return np.flatnonzero(np.array([c == "1" for c in reversed(f"{bits:b}")]))


@checked
def exhaustive_set_count(k: Count) -> int:
    """The number of sets of hypotheses of equality of k algorithms that can be true: Bell(k) - 1.

    García and Herrera (2008), Table 1, print it for k = 4..9; the empty set is not counted.

    Examples
    --------
    >>> from racing.stats import exhaustive_set_count
    >>> exhaustive_set_count(4)
    14
    """
    row = [1]
    for _ in range(k - 1):
        below = [row[-1]]
        for number in row:
            below.append(below[-1] + number)
        row = below
    return row[-1] - 1


def as_pair_pvalues(pvalues: ArrayLike) -> tuple[Floats, int]:
    """p-values of all pairs of k algorithms as a vector, and k.

    Parameters
    ----------
    pvalues : a vector of length k(k-1)/2 in the order of `np.triu_indices(k, 1)`, or a symmetric
        (k, k) matrix; its diagonal is ignored.

    Raises
    ------
    InputError
        If the length fits no k >= 2, the matrix is not symmetric, or an entry is no probability.
    """
    array = as_reals(pvalues, "pvalues")
    vector = array
    if array.ndim == 2 and array.shape[0] == array.shape[1]:
        upper = np.triu_indices(len(array), 1)
        vector = array[upper]
        if not np.array_equal(vector, array.T[upper]):
            raise InputError("pvalues must be symmetric, as a matrix of all pairs")
    k = (1 + isqrt(1 + 8 * vector.size)) // 2
    if vector.ndim != 1 or vector.size != k * (k - 1) // 2 or k < 2:
        raise InputError(
            "pvalues must be k(k-1)/2 numbers (1, 3, 6, 10, ...) or a symmetric (k, k) matrix, "
            f"k >= 2; got shape {array.shape}"
        )
    if not (vector.min() >= 0.0 and vector.max() <= 1.0):
        raise InputError("pvalues must be numbers from 0 to 1, without NaN")
    return vector, k


def _as_matrix(vector: Floats, k: int) -> Floats:
    """The symmetric matrix of the values of all pairs, with ones on its diagonal."""
    matrix = np.ones((k, k))
    i, j = np.triu_indices(k, 1)
    matrix[i, j] = matrix[j, i] = vector
    return matrix


def _like(pvalues: ArrayLike, vector: Floats, k: int) -> Floats:
    """`vector` in the form in which `pvalues` came."""
    return vector if np.ndim(pvalues) == 1 else _as_matrix(vector, k)


def _order(p: Floats, positions: ArrayLike | None) -> Ints | None:
    """An order of the algorithms in which p never rises with distance, or None if none is found.

    The pair with the smallest p holds both ends of any such order; p-values to one end sort the
    others, those to the other end break ties.
    """
    k = len(p)
    if positions is None:
        one_end, other_end = divmod(int(p.argmin()), k)
        order = np.lexsort((p[other_end], -p[one_end]))
    else:
        order = np.argsort(_as_positions(positions, k), kind="stable")
    ordered = p[np.ix_(order, order)]
    falls = np.triu(ordered[:, 1:] > ordered[:, :-1])
    rises = np.triu(ordered[:-1] > ordered[1:], 1)
    return None if falls.any() or rises.any() else order


def _as_positions(positions: ArrayLike, k: int) -> Floats:
    array = np.asarray(positions)
    if array.shape != (k,) or array.dtype.kind not in "iuf" or not np.isfinite(array).all():
        raise InputError(must_be("positions", f"{k} finite numbers", positions))
    return array.astype(np.float64)


def _check_size(k: int, algorithm: Algorithm, *, by_intervals: bool) -> None:
    if algorithm == "intervals" and not by_intervals:
        raise InputError(
            "algorithm='intervals' needs p-values that fall with distance in some order of the "
            "algorithms; give the mean ranks as `positions`, or use algorithm='auto'"
        )
    if by_intervals and k > MOST_INTERVALS:
        raise InputError(
            f"k must be at most {MOST_INTERVALS} for Bergmann-Hommel, which takes time k^5 even "
            f"for mean ranks; got {k}; use Shaffer's static procedure or Holm's"
        )
    if not by_intervals and k > MOST_SUBSETS:
        raise InputError(
            f"k must be at most {MOST_SUBSETS} for Bergmann-Hommel on arbitrary p-values, which "
            f"takes time 3^k; got {k}; use Shaffer's static procedure or Holm's, compare fewer "
            "algorithms, or, if these are p-values of mean ranks, give the ranks as `positions`"
        )


def _running_maximum(p: Floats, adjusted: Floats) -> Floats:
    """The largest adjusted value among the pairs with at most this p, which is equal for ties."""
    order = np.argsort(p, kind="stable")
    highest = np.maximum.accumulate(adjusted[order])
    return highest[np.searchsorted(p[order], p, side="right") - 1]


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
