"""Adjusted p-values for several hypotheses at once, from a plain vector of p-values.

The same functions serve "against a control" and "all pairs": give the p-values of those pairs. An
adjusted p-value is the smallest level at which the procedure rejects that hypothesis.

    controls            under any dependence           needs independence or PRDS (Simes)
    family-wise error   bonferroni, holm               sidak, hochberg, hommel, finner, li, rom
    false discoveries                                  benjamini-hochberg

Corrections of the p-values of all pairs, which use that equality is transitive.

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

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError, must_be
from racing.base.quantities import Count, Level
from racing.base.records.kinds import argument
from racing.base.records.leaves import choice
from racing.base.special import comb, xlog1py
from racing.stats._bergmann_hommel import adjust_by_intervals, adjust_by_subsets
from racing.stats._checks import Floats, Ints, as_reals, as_shares, as_vector, checked, misshapen
from racing.stats.intervals import last_inside

_MOST_ROM = 1000  # hypotheses; the work grows with their square
_ALL_TERMS = 60  # critical values up to which no term of the sum is left out; then below 1e-15
_TERMS = 25
_HIGHEST, _NODES = 0.9, 48  # 1.9 to the power of -48 is 4e-14


def adjust(p: ArrayLike, method: str) -> Floats:
    """Adjusted p-values, in the order given.

    Parameters
    ----------
    p
        p-values of shape (h,); may be empty.
    method
        A key of `METHODS`.

    Raises
    ------
    InputError
        If `method` is unknown or `p` is no vector of numbers from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import adjust
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> adjust(p, "holm").round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    return METHODS[argument(choice(tuple(METHODS)), method, "method")](p)


def none(p: ArrayLike) -> Floats:
    """The p-values unchanged: no correction."""
    return as_pvalues(p).copy()


def bonferroni(p: ArrayLike) -> Floats:
    """h·p: family-wise, single step, any dependence.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import bonferroni
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> bonferroni(p).round(4).tolist()
    [0.03, 0.12, 0.09]
    """
    values = as_pvalues(p)
    return np.minimum(values.size * values, 1.0)


def sidak(p: ArrayLike) -> Floats:
    """1 − (1 − p)^h: family-wise, single step, exact for independent p-values.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import sidak
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> sidak(p).round(4).tolist()
    [0.0297, 0.1153, 0.0873]
    """
    values = as_pvalues(p)
    adjusted: Floats = -np.expm1(xlog1py(values.size, -values))
    return np.maximum(adjusted, values)  # equal for h = 1, up to rounding


def holm(p: ArrayLike) -> Floats:
    """Holm (1979), step-down: family-wise, any dependence; never worse than Bonferroni.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import holm
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> holm(p).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    # Garcia and Herrera (2008), section 3: max{(h − j + 1) p_j : j <= i}
    return in_order(p, lambda ascending, left: np.maximum.accumulate(left * ascending))


def hochberg(p: ArrayLike) -> Floats:
    """Hochberg (1988), step-up: family-wise under Simes' inequality.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import hochberg
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> hochberg(p).round(4).tolist()
    [0.03, 0.04, 0.04]
    """
    # min{(h − j + 1) p_j : j >= i}; Garcia and Herrera (2008) misprint the min as a max.
    return in_order(p, lambda ascending, left: running_minimum(left * ascending))


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Benjamini and Hochberg (1995), step-up: false discovery rate under independence or PRDS.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import benjamini_hochberg
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> benjamini_hochberg(p).round(4).tolist()
    [0.03, 0.04, 0.04]
    """

    return in_order(p, lambda ascending, left: running_minimum(left[0] / left[::-1] * ascending))


def finner(p: ArrayLike) -> Floats:
    """Finner (1993), step-down: family-wise error for independent p-values.

    The i-th smallest of h p-values becomes max over j ≤ i of 1 − (1 − p_j)^(h/j).

    Parameters
    ----------
    p
        p-values of shape (h,); may be empty.

    Returns
    -------
    Adjusted p-values in the order given.

    Raises
    ------
    InputError
        If `p` is no vector of numbers from 0 to 1.

    Finner (1993), On a monotonicity problem in step-down multiple test procedures, JASA 88;
    adjusted as in García et al. (2010), section 4.2. The caveat: p-values of pairs that share an
    algorithm are not independent; Holm's procedure needs no such assumption.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import finner
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> finner(p).round(4).tolist()
    [0.0297, 0.0447, 0.0447]
    """

    def step_down(ascending: Floats, left: Floats) -> Floats:
        # exact for tiny p: 1 − (1 − p)^(h/j) = −expm1((h/j)·log1p(−p))
        return np.maximum.accumulate(-np.expm1(xlog1py(left[0] / left[::-1], -ascending)))

    return in_order(p, step_down)


def li(p: ArrayLike) -> Floats:
    """Li (2008), two steps: family-wise error for independent p-values.

    All hypotheses are rejected if the largest p-value p_h is at most α; else those with
    p_i ≤ α(1 − p_h)/(1 − α). So the adjusted p-value is p_i/(p_i + 1 − p_h).

    Parameters
    ----------
    p
        p-values of shape (h,); may be empty.

    Returns
    -------
    Adjusted p-values in the order given. If the largest p-value is 1, all but zeros are 1.

    Raises
    ------
    InputError
        If `p` is no vector of numbers from 0 to 1.

    Li (2008), A two-step rejection procedure for testing multiple hypotheses, J. Statist. Plann.
    Inference 138; adjusted as in García et al. (2010), section 4.2. The caveat: the largest p-value
    decides for all, so one pair of equals costs every other comparison its power.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import li
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> li(p).round(4).tolist()
    [0.0103, 0.04, 0.0303]
    """

    def two_steps(ascending: Floats, left: Floats) -> Floats:
        room = ascending + (1.0 - ascending[-1])
        return np.asarray(np.divide(ascending, room, out=0 * ascending, where=room > 0))

    return in_order(p, two_steps)


def hommel(p: ArrayLike) -> Floats:
    """Hommel (1988): closed testing with Simes' tests; never worse than Hochberg. O(h²).

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import hommel
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> hommel(p).round(4).tolist()
    [0.03, 0.04, 0.04]
    """
    return in_order(p, _hommel)


def rom(p: ArrayLike) -> Floats:
    """Rom (1990), step-up: family-wise error for independent p-values, at its exact level.

    Like Hochberg's procedure, with critical values that are slightly larger than α/l. The adjusted
    p-value is the smallest α at which the hypothesis is rejected, found by solving for it; beyond
    0.9 it is Hochberg's. (García et al., 2010, multiply p by α/c_l at one α instead, which
    is the same to the digits that matter.)

    Parameters
    ----------
    p
        p-values of shape (h,), at most 1000; may be empty.

    Returns
    -------
    Adjusted p-values in the order given; never above Hochberg's.

    Raises
    ------
    InputError
        If `p` is no vector of numbers from 0 to 1, or longer than 1000.

    Rom (1990), A sequentially rejective test procedure based on a modified Bonferroni inequality,
    Biometrika 77; the recursion as in García et al. (2010), section 4.2. The caveat: its level is
    proved for independent p-values; pairs that share an algorithm do not give such p-values.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import rom
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> rom(p).round(4).tolist()
    [0.0298, 0.04, 0.04]
    """
    if np.ndim(p) == 1 and np.size(p) > _MOST_ROM:
        raise InputError(
            f"p must be at most {_MOST_ROM} p-values for rom; got {np.size(p)}; use hochberg or "
            "hommel, which differ little for so many"
        )
    return in_order(p, lambda ascending, left: running_minimum(_levels(ascending, left)))


@checked
def rom_critical_values(h: Count, alpha: Level) -> Floats:
    """Critical values c_1 > … > c_h; c_l is for the l-th largest p-value. Rom (1990), table 1.

    Raises
    ------
    InputError
        If h is no whole number from 1 or alpha no number between 0 and 1.

    Examples
    --------
    >>> from racing.stats import rom_critical_values
    >>> rom_critical_values(4, 0.05).round(4).tolist()
    [0.05, 0.025, 0.0169, 0.0127]
    """
    return np.asarray(_critical(h, np.array([alpha]))[:, 0])


def as_pvalues(p: ArrayLike) -> Floats:
    """A checked vector of p-values, shape (h,)."""
    if np.ndim(p) == 1 and np.size(p) == 0:
        return np.empty(0)
    return as_shares(as_vector(p, name="p"), "p", "p-values")


def in_order(p: ArrayLike, procedure: Callable[[Floats, Floats], Floats]) -> Floats:
    """Apply a procedure to the sorted p-values and the number of hypotheses left at each."""
    values = as_pvalues(p)
    if values.size == 0:
        return values
    order = np.argsort(values, kind="stable")
    left = np.arange(values.size, 0, -1, dtype=np.float64)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(procedure(values[order], left), 1.0)
    return np.maximum(adjusted, values)  # never below p, not even by rounding


def running_minimum(x: Floats) -> Floats:
    """min over j >= i."""
    return np.minimum.accumulate(x[::-1])[::-1]


def _hommel(ascending: Floats, left: Floats) -> Floats:
    """max_j min(j·p_i, a_j), where a_j is Simes' p-value of the j largest.

    The worst intersection of size j that holds hypothesis i is i and the largest others. `left` is
    h, h − 1, .., 1. Replacing a_j by the largest a_l, l >= j, changes no maximum and lets the
    crossing of the rising j·p_i with the falling a_j be found by bisection.
    """
    h = ascending.size
    sizes = left[::-1]
    falling = np.append(np.maximum.accumulate(_simes_of_largest(ascending)[::-1])[::-1], 0.0)
    crossing = np.searchsorted(-falling[:-1] / sizes, -ascending, side="right")
    crossing = np.clip(crossing, 1, h)
    at_crossing = np.minimum(crossing * ascending, falling[crossing - 1])
    return np.asarray(np.maximum(at_crossing, falling[crossing]))


def _simes_of_largest(ascending: Floats) -> Floats:
    """a_j = min_i j·p_(h−j+i)/i for j = 1 .. h."""
    h = ascending.size
    places = np.arange(1.0, h + 1)
    # Multiplied by a quotient that is exactly 1 where the largest p-value counts: its p-value is
    # then returned as it is, and equals a level that it equals.
    return np.array([(ascending[h - j :] * (j / places[:j])).min() for j in range(1, h + 1)])


def _critical(h: int, alpha: Floats) -> Floats:
    """(h, k) critical values for k levels.

    c_1 = α, c_i = [Σ_{j=1}^{i−1} α^j − Σ_{j=1}^{i−2} C(i, j) c_{j+1}^{i−j}] / i.
    """
    c = np.empty((h, alpha.size))
    c[0] = alpha
    powers = alpha.copy()  # Σ α^j, j < i
    power = alpha.copy()
    for i in range(2, h + 1):
        first = 1 if i <= _ALL_TERMS else i - _TERMS
        j = np.arange(first, i - 1)
        terms = comb(i, j)[:, None] * c[j] ** (i - j)[:, None]
        c[i - 1] = (powers - terms.sum(axis=0)) / i
        power = power * alpha
        powers = powers + power
    return c


def _levels(ascending: Floats, left: Floats) -> Floats:
    """The α at which each p-value equals its own critical value; l·p where that is above 0.9.

    l·c_l(α)/α is smooth in α, so it is computed at Chebyshev's points of [0, 0.9] and interpolated.
    """
    h = ascending.size
    nodes = _HIGHEST * (1 - np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)) / 2
    factor = np.arange(1, h + 1)[:, None] * _critical(h, nodes) / nodes
    factor = factor[left.astype(np.intp) - 1]  # the smallest p-value has the last value
    upper = ascending * left
    alpha = last_inside(
        lambda a: a * _interpolated(factor, nodes, a) < upper, np.zeros(h), np.full(h, _HIGHEST)
    )
    exact = upper / _interpolated(factor, nodes, alpha)  # also for tiny ones
    return np.where(alpha < _HIGHEST, exact, np.minimum(upper, 1.0))


def _interpolated(values: Floats, nodes: Floats, at: Floats) -> Floats:
    """Interpolate each row of values at its own place, by the barycentric formula."""
    signs = (-1.0) ** np.arange(_NODES) * np.sin(np.pi * (np.arange(_NODES) + 0.5) / _NODES)
    away = at[:, None] - nodes
    weights = signs / np.where(away == 0.0, 1e-300, away)
    return np.asarray((weights * values).sum(axis=1) / weights.sum(axis=1))


_ALL = (none, bonferroni, sidak, holm, hochberg, hommel, finner, li, rom, benjamini_hochberg)
METHODS: Mapping[str, Callable[[ArrayLike], Floats]] = MappingProxyType(
    {procedure.__name__.replace("_", "-"): procedure for procedure in _ALL}
)


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
    sets = [1]  # S(k) with the number x as bit x: adding C(j,2) to all numbers is a shift
    for size in range(1, k + 1):
        sets.append(0)
        for j in range(1, size + 1):
            sets[size] |= sets[size - j] << math.comb(j, 2)
    return np.flatnonzero(np.array([c == "1" for c in reversed(f"{sets[k]:b}")]))


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
    bell = [1]
    for n in range(k):
        bell.append(sum(math.comb(n, i) * number for i, number in enumerate(bell)))
    return bell[k] - 1


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
    array = vector = as_reals(pvalues, "pvalues")
    if array.ndim == 2 and array.shape[0] == array.shape[1]:
        upper = np.triu_indices(len(array), 1)
        vector = array[upper]
        if not np.array_equal(vector, array.T[upper]):
            raise InputError("pvalues must be symmetric, as a matrix of all pairs")
    k = (1 + math.isqrt(1 + 8 * vector.size)) // 2
    if vector.ndim != 1 or vector.size != k * (k - 1) // 2 or k < 2:
        allowed = "k(k-1)/2 numbers (1, 3, 6, 10, ...) or a symmetric (k, k) matrix, k >= 2"
        raise misshapen(array, "pvalues", allowed)
    return as_shares(vector, "pvalues", "numbers"), k


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
        at = np.asarray(positions)
        if at.shape != (k,) or at.dtype.kind not in "iuf" or not np.isfinite(at).all():
            raise InputError(must_be("positions", f"{k} finite numbers", positions))
        order = np.argsort(at.astype(np.float64), kind="stable")
    ordered = p[np.ix_(order, order)]
    falls = np.triu(ordered[:, 1:] > ordered[:, :-1])
    rises = np.triu(ordered[:-1] > ordered[1:], 1)
    return None if falls.any() or rises.any() else order


def _check_size(k: int, algorithm: Algorithm, *, by_intervals: bool) -> None:
    if algorithm == "intervals" and not by_intervals:
        raise InputError(
            "algorithm='intervals' needs p-values that fall with distance in some order of the "
            "algorithms; give the mean ranks as `positions`, or use algorithm='auto'"
        )
    most = MOST_INTERVALS if by_intervals else MOST_SUBSETS
    time = "k^5 even for mean ranks" if by_intervals else "3^k on arbitrary p-values"
    ranks = ", or, if these are p-values of mean ranks, give the ranks as `positions`"
    if k > most:
        raise InputError(
            f"k must be at most {most} for Bergmann-Hommel, which takes time {time}; got {k}; use "
            "Shaffer's static procedure or Holm's, compare fewer algorithms"
            f"{'' if by_intervals else ranks}"
        )


def _running_maximum(p: Floats, adjusted: Floats) -> Floats:
    """The largest adjusted value among the pairs with at most this p, which is equal for ties."""
    order = np.argsort(p, kind="stable")
    highest = np.maximum.accumulate(adjusted[order])
    return highest[np.searchsorted(p[order], p, side="right") - 1]
