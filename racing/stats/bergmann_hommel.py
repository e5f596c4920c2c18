"""Bergmann and Hommel's procedure: adjusted p-values that use all logic of pairs.

If a = b and b = c then a = c, so the hypotheses that can be true together ("exhaustive sets") are
those of a partition of the algorithms into blocks of equals. A set I that is wholly true survives
the test at level alpha if min p over I > alpha / |I|; a hypothesis is rejected when no surviving
set holds it. Its adjusted p-value is therefore the maximum of |I| min p over the partitions that
put the two algorithms into one block (García and Herrera, 2008, section 3).

There are Bell(k) - 1 exhaustive sets, 7·10^11 for k = 18; this module lists none of them. For a
threshold t, the largest |I| with min p >= t is the best clique partition of the graph of the pairs
with p >= t, and there are at most k(k-1)/2 thresholds. Two exact algorithms find it for all of
them:

- "intervals" when the algorithms have an order in which p falls with distance, as p-values of mean
  ranks always do; polynomial, k = 50 in about half a second;
- "subsets" for any p-values, time 3^k: k = 15 in about half a second, 18 in some.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._bh_intervals import adjust_by_intervals
from racing.stats._bh_subsets import adjust_by_subsets
from racing.stats._checks import Floats, Ints, as_count, one_of
from racing.stats._pairs import as_pair_pvalues, like

Algorithm: TypeAlias = Literal["auto", "intervals", "subsets"]

MOST_SUBSETS = 18  # 2^k k^2/2 bytes and 3^k steps: each one more takes three times as long
MOST_INTERVALS = 100  # k^5 steps, about a minute if all distances differ


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
    one_of(algorithm, ("auto", "intervals", "subsets"), name="algorithm")
    p, k = as_pair_pvalues(pvalues)
    matrix = like(np.empty((k, k)), p, k)
    order = None if algorithm == "subsets" else _order(matrix, positions)
    if order is None:
        _check_subsets(k, algorithm)
        adjusted = adjust_by_subsets(matrix)
    else:
        _check_intervals(k)
        back = np.argsort(order)
        adjusted = adjust_by_intervals(matrix[np.ix_(order, order)])[np.ix_(back, back)]
    vector = np.minimum(adjusted[np.triu_indices(k, 1)], 1.0)
    return like(pvalues, _running_maximum(p, vector) if monotone else vector, k)


def exhaustive_set_count(k: int) -> int:
    """The number of sets of hypotheses of equality of k algorithms that can be true: Bell(k) - 1.

    García and Herrera (2008), Table 1, print it for k = 4..9; the empty set is not counted.

    Examples
    --------
    >>> from racing.stats import exhaustive_set_count
    >>> exhaustive_set_count(4)
    14
    """
    row = [1]
    for _ in range(as_count(k, name="k") - 1):
        below = [row[-1]]
        for number in row:
            below.append(below[-1] + number)
        row = below
    return row[-1] - 1


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
        raise InputError(f"positions: expected {k} finite numbers, got {positions!r}")
    return array.astype(np.float64)


def _check_subsets(k: int, algorithm: Algorithm) -> None:
    if algorithm == "intervals":
        raise InputError(
            "algorithm='intervals' needs p-values that fall with distance in some order of the "
            "algorithms; give the mean ranks as `positions`, or use algorithm='auto'"
        )
    if k > MOST_SUBSETS:
        raise InputError(
            f"Bergmann-Hommel for arbitrary p-values takes time 3^k, so k <= {MOST_SUBSETS}; got "
            f"k = {k}. Use Shaffer's static procedure or Holm's, compare fewer algorithms, or, if "
            "these are p-values of mean ranks, give the mean ranks as `positions`"
        )


def _check_intervals(k: int) -> None:
    if k > MOST_INTERVALS:
        raise InputError(
            f"Bergmann-Hommel takes time k^5 even for mean ranks, so k <= {MOST_INTERVALS}; got "
            f"k = {k}. Use Shaffer's static procedure or Holm's"
        )


def _running_maximum(p: Floats, adjusted: Floats) -> Floats:
    """The largest adjusted value among the pairs with at most this p, which is equal for ties."""
    order = np.argsort(p, kind="stable")
    highest = np.maximum.accumulate(adjusted[order])
    return highest[np.searchsorted(p[order], p, side="right") - 1]
