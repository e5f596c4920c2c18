"""Wins and shares of two columns: the sign test, and the difference of shares of 0 and 1.

The sign test: does one of the two win more often? And the counts of wins that it needs.

The weakest assumption of all two-sample tests here: instances are independent. Magnitudes are not
used, so scores need not be commensurable, and +inf (a failure) is just another loss.

Ties are split evenly between the two sides and one is dropped if their number is odd (Demšar,
2006, section 3.1.4). A tie is evidence for equality, so splitting is conservative;
`tie_rule="drop"` gives the classical test on the untied instances instead.

A race counts the wins of every column over every other row by row, into one matrix (`no_wins`,
`with_rows`, `add_rows`). For few rows and many columns: ten thousand columns are 10⁸ pairs. Cells
of the matrix are only as wide as the number of rows requires, rows are compared as small whole
numbers, and the matrix is filled in blocks that stay in cache.

The difference of two shares on the same items, and instances that come in groups.

Each item is right or wrong for either side, such as the correct answers of two models. McNemar's
(1947) null hypothesis is that as many items are right for the first side only as for the second
only. The interval is that of Bonett and Price (2012); where items come in groups, such as questions
about one text, its error is clustered by group (Liang and Zeger, 1986; Miller, 2024, section 3).

Instances of one group are not independent, so that an interval or a test that counts each of them
is too sure of itself. The means of groups are independent (`group_means`). A test of these holds
its level whatever the correlation within groups is, and speaks of groups: each counts once,
whatever its size (Galbraith, Daniel and Vissel, 2010, call these summary statistics).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError, must_be
from racing.base.quantities import Level
from racing.base.special import bdtrc, ndtr, ndtri, stdtrit
from racing.stats._checks import Alternative, Floats, Ints, as_costs, blocks, checked
from racing.stats._samples import Paired
from racing.stats.intervals import numbered
from racing.stats.ranks import rank_rows

SignMethod: TypeAlias = Literal["exact", "normal"]
TieRule: TypeAlias = Literal["split", "drop"]
Counts: TypeAlias = NDArray[np.unsignedinteger]


_BLOCK = 1 << 18  # cells of the matrix that are worked on at once


@dataclass(frozen=True, eq=False)
class SignTest:
    """Sign tests of first samples against second ones (lower cost wins), one entry for each pair.

    `sign_test` returns it.

    `statistic` and `n_used` are the wins and the instances that the test counts, after the tie
    rule.

    Examples
    --------
    >>> from racing.stats import sign_test
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = sign_test(x, y)
    >>> f"{found.wins} wins, {found.losses} losses, {found.ties} ties"
    '0 wins, 6 losses, 1 ties'
    """

    wins: Ints
    ties: Ints
    losses: Ints
    statistic: Ints
    n_used: Ints
    pvalue: Floats


def sign_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: SignMethod = "exact",
    tie_rule: TieRule = "split",
) -> SignTest:
    """Sign test of x against y, (n,) costs on the same instances, or many pairs, (..., n).

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
    wins, ties, losses = Paired.of(x, y).wins_ties_losses()
    p = sign_p(wins, losses, ties, alternative=alternative, method=method, tie_rule=tie_rule)
    used, n = _shares(wins, losses, ties, tie_rule)
    return SignTest(wins, ties, losses, used, n, p)


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
    wins = with_rows(no_wins(costs.shape[1]), len(costs))
    add_rows(wins, costs)
    return wins.astype(np.intp)


@checked
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
    w, n = _shares(
        _as_counts(wins, "wins"), _as_counts(losses, "losses"), _as_counts(ties, "ties"), tie_rule
    )
    tail = _exact_tail if method == "exact" else _normal_tail
    if alternative == "better":
        return tail(w, n)
    if alternative == "worse":
        return tail(n - w, n)
    return np.minimum(2.0 * tail(np.maximum(w, n - w), n), 1.0)


def no_wins(m: int) -> Counts:
    """(m, m) counts before the first row: all zero."""
    return np.zeros((m, m), dtype=np.uint8)


def with_rows(wins: Counts, rows: int) -> Counts:
    """The same counts in cells wide enough for so many rows."""
    width = np.min_scalar_type(max(rows, 1))
    return wins.astype(width) if width.itemsize > wins.dtype.itemsize else wins


def add_rows(wins: Counts, costs: Floats) -> None:
    """Count the rows of (n, m) costs into `wins`, whose cells must be wide enough.

    `wins[i, j]` grows by the number of rows with costs[:, i] < costs[:, j].
    """
    m = costs.shape[1]
    # average ranks are halves, and twice a rank fits into two bytes for up to 32,767 columns
    codes = (2 * rank_rows(costs, check=False)).astype(np.min_scalar_type(2 * m))
    for part in blocks(m, m, _BLOCK):
        for row in codes:
            wins[part] += row[part, None] < row


def _as_counts(counts: ArrayLike, name: str) -> Ints:
    array = np.asarray(counts)
    whole = array.dtype.kind in "iu" or (
        array.dtype.kind == "f" and bool(np.all((array == np.rint(array)) & (array < 2.0**53)))
    )
    if not whole or (array.size and array.min() < 0):
        raise InputError(must_be(name, "counts (whole numbers, 0 or more)", counts))
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
    most = int(n.max(initial=0))
    if w.size <= (most + 1) ** 2:
        return np.where(w > 0, bdtrc(w - 1.0, n, 0.5), 1.0)
    counts = np.arange(most + 1)
    table = np.where(counts > 0, bdtrc(counts - 1.0, counts[:, None], 0.5), 1.0)
    return table[n, w]


def _normal_tail(w: Ints, n: Ints) -> Floats:
    # Demsar (2006), section 3.1.4: wins ~ N(n/2, sqrt(n)/2)
    return np.asarray(ndtr((n - 2.0 * w) / np.sqrt(np.maximum(n, 1))))


@dataclass(frozen=True)
class ShareDifference:
    """By how much the share of the first side is better than that of the second.

    `share_difference` returns it.

    [`low`, `high`] holds the difference with confidence `level`, `standard_error` is that of the
    interval. `wins` and `losses` count the items that only the first, or only the second, has
    right; `pvalue` is McNemar's, exact and two-sided, and takes items as independent. `groups` is
    None where items are.

    Examples
    --------
    >>> from racing.stats import share_difference
    >>> x, y = [1, 0, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1]
    >>> found = share_difference(x, y)
    >>> found.wins, found.losses, found.n
    (0, 2, 6)
    >>> f"{found.difference:.2f}, between {found.low:.2f} and {found.high:.2f}"
    '-0.33, between -0.71 and 0.21'
    """

    difference: float
    standard_error: float
    low: float
    high: float
    wins: int
    losses: int
    n: int
    groups: int | None
    pvalue: float


@checked
def share_difference(
    x: ArrayLike, y: ArrayLike, *, groups: Sequence[Hashable] | None = None, level: Level = 0.95
) -> ShareDifference:
    """Compare x with y, (n,) costs of the same items, each one of two numbers that are 1 apart.

    Lower costs win: with 0 for right and 1 for wrong, the difference is positive where the first
    side is right more often.

    Parameters
    ----------
    groups : (n,) labels of the groups that items come in; None if items are independent. With fewer
        than about 20 groups, the standard error is unreliable.
    level : confidence of the interval.

    Raises
    ------
    InputError
        If costs are no two such numbers, or there is not a label for each item.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import share_difference
    >>> x, y = np.array([1, 0, 1, 1, 0, 1]), np.array([0, 0, 1, 0, 0, 1])
    >>> found = share_difference(x, y)
    >>> round(float(found.pvalue), 4)
    0.5
    """
    pairs = Paired.of(x, y)
    if pairs.shape or not is_yes_or_no(np.stack([pairs.x, pairs.y])):
        raise InputError("costs must be two numbers that are 1 apart, such as 0 and 1, for shares")
    d = (pairs.y - pairs.x)[0]
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    # Bonett and Price (2012): one item more of either kind
    first, second = (wins + 1) / (d.size + 2), (losses + 1) / (d.size + 2)
    centre = first - second
    error = float(np.sqrt((first + second - centre**2) / (d.size + 2)))
    quantile = float(ndtri(0.5 + level / 2))
    number = None
    if groups is not None:
        number, clustered = _clustered(d, groups)
        # if no group differs, the error would be too small
        centre, error = float(d.mean()), max(clustered, error)
        quantile = float(stdtrit(number - 1, 0.5 + level / 2)) if number > 1 else np.inf
    low, high = max(centre - quantile * error, -1.0), min(centre + quantile * error, 1.0)
    p = float(sign_p(wins, losses))
    return ShareDifference(float(d.mean()), error, low, high, wins, losses, d.size, number, p)


def is_yes_or_no(costs: Floats) -> bool:
    """Whether all costs are 0 or 1, or all are 0 or -1 (negated scores)."""
    return bool(np.isin(costs, (0, 1)).all() or np.isin(costs, (0, -1)).all())


def group_means(costs: Floats, groups: Sequence[Hashable]) -> Floats:
    """(G, 2) the mean costs of two candidates on each group, in the order of appearance.

    Parameters
    ----------
    costs : (n, 2)
        Lower is better, +inf = failed. Instances on which one failed are in no mean; in a group
        where one failed more often than the other, its cost is +inf, and both have +inf where no
        instance is left.
    groups : (n,)
        The label of each instance.

    Raises
    ------
    InputError
        If there is not a label for each instance.
    """
    if len(groups) != len(costs):
        raise InputError(f"groups must be {len(costs)}, one per instance; got {len(groups)}")
    rows: dict[Hashable, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    return np.array([_mean(costs[members]) for members in rows.values()]).reshape(-1, 2)


def _clustered(d: Floats, groups: Sequence[Hashable]) -> tuple[int, float]:
    """How many groups there are, and the standard error of the mean clustered by them.

    √(G/(G−1) · Σ_g (Σ_{i in g} d_i − d̄)²) / n: Miller (2024), section 3, with the usual correction
    for the number of groups.
    """
    if len(groups) != d.size:
        raise InputError(f"groups must be {d.size} labels, one per item; got {len(groups)}")
    sums = np.bincount(numbered(groups), weights=d - d.mean())
    g = sums.size
    return g, float(np.sqrt(g / max(g - 1, 1) * (sums**2).sum())) / d.size


def _mean(costs: Floats) -> Floats:
    failures = np.isinf(costs).sum(axis=0)
    finite = costs[np.isfinite(costs).all(axis=1)]
    if failures[0] == failures[1] and len(finite):
        return np.asarray(finite.mean(axis=0))
    worse = failures >= failures[::-1]
    return np.where(worse, np.inf, finite.mean(axis=0) if len(finite) else 0.0)
