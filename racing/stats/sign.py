"""The sign test of two columns: does one win more often?

The weakest assumption of all two-sample tests here: instances are independent. Magnitudes are not
used, so scores need not be commensurable, and +inf (a failure) is just another loss.

Ties are split evenly between the two sides and one is dropped if their number is odd (Demšar,
2006, section 3.1.4). A tie is evidence for equality, so splitting is conservative;
`tie_rule="drop"` gives the classical test on the untied instances instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import bdtrc, ndtr
from racing.stats._checks import Floats, Ints, as_costs, as_pair, one_of
from racing.stats._win_counts import add_rows, no_wins, with_rows

Alternative: TypeAlias = Literal["two-sided", "better", "worse"]
SignMethod: TypeAlias = Literal["exact", "normal"]
TieRule: TypeAlias = Literal["split", "drop"]


@dataclass(frozen=True)
class SignTest:
    """Sign test of the first sample against the second (lower cost wins).

    `sign_test` returns it.

    `statistic` is the number of wins that the test used, out of `n_used`, after `tie_rule`.

    Examples
    --------
    >>> from racing.stats import sign_test
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = sign_test(x, y)
    >>> found.wins, found.ties, found.losses
    (0, 1, 6)
    >>> found.statistic, found.n_used, found.tie_rule
    (0, 6, 'split')
    """

    wins: int
    ties: int
    losses: int
    statistic: int
    n_used: int
    pvalue: float
    alternative: Alternative
    method: SignMethod
    tie_rule: TieRule


@dataclass(frozen=True, eq=False)
class SignTestPairs:
    """Sign tests of all pairs of m columns: entry (i, j) tests column i against column j.

    `sign_test_pairs` returns it.

    `wins` and `ties` are (m, m) counts, `pvalues` is (m, m) with ones on the diagonal.

    Examples
    --------
    >>> from racing.stats import sign_test_pairs
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = sign_test_pairs(X)
    >>> f"1 beats 2 on {found.wins[1, 2]} of {found.n}, p = {found.pvalues[1, 2]:.2f}"
    '1 beats 2 on 5 of 6, p = 0.22'
    """

    wins: Ints
    ties: Ints
    pvalues: Floats
    n: int
    alternative: Alternative
    method: SignMethod
    tie_rule: TieRule


def sign_counts(X: ArrayLike) -> Ints:
    """Count, for every ordered pair of columns, the instances on which the first is better.

    Parameters
    ----------
    X : (n, m) costs, lower is better. +inf is a failure: worst, and tied with other failures.

    Returns
    -------
    (m, m) integers: `wins[i, j]` counts the rows with X[:, i] < X[:, j].
    The ties are `n - wins - wins.T`.

    Raises
    ------
    InputError
        If X is not a table of numbers, or has NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import sign_counts
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> sign_counts(X).tolist()
    [[0, 0, 0], [6, 0, 5], [6, 1, 0]]
    """
    costs = as_costs(X)
    n, m = costs.shape
    return _count_by_columns(costs) if n >= m else _count_by_rows(costs)


def sign_p(
    wins: ArrayLike,
    losses: ArrayLike,
    ties: ArrayLike = 0,
    *,
    alternative: Alternative = "two-sided",
    method: SignMethod = "exact",
    tie_rule: TieRule = "split",
) -> Floats:
    """p-values of sign tests, elementwise over arrays of counts of any (broadcastable) shape.

    Parameters
    ----------
    wins, losses, ties : counts of instances on which the first side is better, worse, equal.
    alternative : "better": the first side wins more often; "worse": less often.
    method : "exact" is the binomial tail; "normal" is Demšar's approximation
        z = (w - n/2) / (sqrt(n)/2), which has no continuity correction and is too liberal for small
        n.
    tie_rule : "split" evenly, one dropped if odd (Demšar, 2006); "drop" tests untied instances.

    Returns
    -------
    p-values in (0, 1], 1 where no counts remain.

    Raises
    ------
    InputError
        If a count is negative or no integer, or an option is unknown.

    Examples
    --------
    >>> from racing.stats import sign_p
    >>> round(float(sign_p(8, 2, 1)), 4)
    0.1094
    """
    one_of(alternative, ("two-sided", "better", "worse"), name="alternative")
    one_of(method, ("exact", "normal"), name="method")
    one_of(tie_rule, ("split", "drop"), name="tie_rule")
    w, n = _shares(
        _as_counts(wins, "wins"), _as_counts(losses, "losses"), _as_counts(ties, "ties"), tie_rule
    )
    tail = _exact_tail if method == "exact" else _normal_tail
    if alternative == "better":
        return tail(w, n)
    if alternative == "worse":
        return tail(n - w, n)
    return np.minimum(2.0 * tail(np.maximum(w, n - w), n), 1.0)


def sign_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: SignMethod = "exact",
    tie_rule: TieRule = "split",
) -> SignTest:
    """Sign test of x against y, two (n,) vectors of costs on the same instances.

    Options and errors as in `sign_p`. Demšar (2006), section 3.1.4.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import sign_test
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = sign_test(x, y)
    >>> round(float(found.pvalue), 4)
    0.0312
    """
    a, b = as_pair(x, y)
    wins, losses = int(np.count_nonzero(a < b)), int(np.count_nonzero(b < a))
    ties = a.size - wins - losses
    p = sign_p(wins, losses, ties, alternative=alternative, method=method, tie_rule=tie_rule)
    half = ties // 2 if tie_rule == "split" else 0
    used, n = wins + half, wins + losses + 2 * half
    return SignTest(wins, ties, losses, used, n, float(p), alternative, method, tie_rule)


def sign_test_pairs(
    X: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: SignMethod = "exact",
    tie_rule: TieRule = "split",
) -> SignTestPairs:
    """Sign tests of all pairs of columns of X, (n, m) costs. Options and errors as in `sign_p`.

    The p-values are not corrected for their number.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import sign_test_pairs
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = sign_test_pairs(X)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0312, 0.0312], [0.0312, 1.0, 0.2188], [0.0312, 0.2188, 1.0]]
    """
    wins = sign_counts(X)
    n = np.shape(X)[0]
    ties = n - wins - wins.T
    p = np.array(
        sign_p(wins, wins.T, ties, alternative=alternative, method=method, tie_rule=tie_rule)
    )
    np.fill_diagonal(p, 1.0)
    return SignTestPairs(wins, ties, p, n, alternative, method, tie_rule)


def _count_by_columns(costs: Floats) -> Ints:
    """One pass over the table per column: few columns, many rows."""
    columns = np.ascontiguousarray(costs.T)
    return np.array([np.count_nonzero(column < columns, axis=1) for column in columns])


def _count_by_rows(costs: Floats) -> Ints:
    """One comparison of all pairs per row: many columns, few rows."""
    wins = with_rows(no_wins(costs.shape[1]), len(costs))
    add_rows(wins, costs)
    return wins.astype(np.intp)


def _as_counts(counts: ArrayLike, name: str) -> Ints:
    array = np.asarray(counts)
    whole = array.dtype.kind in "iu" or (
        array.dtype.kind == "f" and bool(np.all((array == np.rint(array)) & (array < 2.0**53)))
    )
    if not whole or (array.size and array.min() < 0):
        raise InputError(f"{name}: expected counts (whole numbers from 0), got {counts!r}")
    return array.astype(np.intp)


def _shares(wins: Ints, losses: Ints, ties: Ints, rule: TieRule) -> tuple[Ints, Ints]:
    """(wins, trials) of the test, after the tie rule, in one common shape."""
    half = ties // 2 if rule == "split" else np.zeros_like(ties)
    n = wins + losses + 2 * half
    return wins + half + np.zeros_like(n), n


def _exact_tail(w: Ints, n: Ints) -> Floats:
    """P(B >= w) for B ~ Binomial(n, 1/2).

    A race computes a million of these at once, with only (n+1)^2 different arguments.
    """
    if w.size == 0:
        return np.ones(w.shape)
    most = int(n.max())
    if w.size <= (most + 1) ** 2:
        return np.where(w > 0, bdtrc(w - 1.0, n, 0.5), 1.0)
    counts = np.arange(most + 1)
    table = np.where(counts > 0, bdtrc(counts - 1.0, counts[:, None], 0.5), 1.0)
    return table[n, w]


def _normal_tail(w: Ints, n: Ints) -> Floats:
    # Demsar (2006), section 3.1.4: wins ~ N(n/2, sqrt(n)/2)
    return np.asarray(ndtr((n - 2.0 * w) / np.sqrt(np.maximum(n, 1))))
