"""Wilcoxon's signed-ranks test of two columns: are their differences symmetric around zero?

Differences are ranked by size; `r_plus` sums the ranks of the instances on which the first side
is better (has the lower cost), `r_minus` those on which it is worse. The test assumes that larger
differences mean more also across instances, and that under equality they are symmetric. A failure
(+inf) against a finite cost is a difference larger than any finite one; two failures are equal.

Three choices:

- zeros (`zero_rule`): "split" ranks them and gives half of their ranks to each side, one dropped
  if their number is odd (Demšar, 2006); "pratt" ranks them and then drops their ranks; "wilcox"
  drops them before ranking.
- ties and exactness: "exact" is the permutation distribution of the observed ranks, average ranks
  of ties included, given the zeros; "normal" approximates it with its own variance, which is a tie
  correction. "auto" is exact up to 50 non-zero differences.
- rounding (`digits`): a difference is rounded to 9 significant digits of the larger of its two
  costs, so that 0.3 - 0.2 and 0.2 - 0.1 tie.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Bools, Floats, Ints, as_costs, as_count, as_pair, one_of
from racing.stats._pairs import pair_blocks
from racing.stats._signed_ranks import (
    WilcoxonMethod,
    ZeroRule,
    rounded_differences,
    signed_rank_sums,
    tail_probabilities,
)
from racing.stats.sign import Alternative

# Rows of what `tail_probabilities` returns, for (i, j) and for (j, i).
_TAIL = {"two-sided": 0, "better": 1, "worse": 2}
_MIRRORED_TAIL = {"two-sided": 0, "better": 2, "worse": 1}


@dataclass(frozen=True)
class SignedRanks:
    """Wilcoxon's test of the first sample against the second (lower cost wins).

    `wilcoxon` returns it.

    `statistic` is Demšar's T, the smaller rank sum; `z` its standardised form (positive when the
    first is better); `effect` the matched-pairs rank-biserial correlation (R+ - R-) / (R+ + R-);
    `method` is the method used, "exact" or "normal"; `n_used` counts the ranked differences.

    Examples
    --------
    >>> from racing.stats import wilcoxon
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = wilcoxon(x, y)
    >>> f"R+ = {found.r_plus}, R- = {found.r_minus}, {found.zeros} without difference"
    'R+ = 0.0, R- = 21.0, 1 without difference'
    >>> found.method, found.effect
    ('exact', -1.0)
    """

    r_plus: float
    r_minus: float
    statistic: float
    z: float
    pvalue: float
    effect: float
    n_used: int
    zeros: int
    alternative: Alternative
    method: str
    zero_rule: ZeroRule
    tie_correction: bool
    digits: int | None


@dataclass(frozen=True, eq=False)
class SignedRanksPairs:
    """Wilcoxon's tests of all pairs of m columns: entry (i, j) tests column i against column j.

    `wilcoxon_pairs` returns it.

    All arrays are (m, m); R- is `r_plus.T`. `exact` says where the p-value is exact. The diagonal
    is a column against itself: p = 1.

    Examples
    --------
    >>> from racing.stats import wilcoxon_pairs
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = wilcoxon_pairs(X)
    >>> found.r_plus.tolist()
    [[10.5, 0.0, 0.0], [21.0, 10.5, 18.0], [21.0, 3.0, 10.5]]
    >>> found.effects[1].round(2).tolist()
    [1.0, 0.0, 0.71]
    """

    r_plus: Floats
    z: Floats
    pvalues: Floats
    effects: Floats
    zeros: Ints
    exact: Bools
    n: int
    alternative: Alternative
    zero_rule: ZeroRule
    tie_correction: bool
    digits: int | None


def wilcoxon(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: WilcoxonMethod = "auto",
    zero_rule: ZeroRule = "split",
    tie_correction: bool = True,
    digits: int | None = 9,
) -> SignedRanks:
    """Wilcoxon's signed-ranks test of x against y, (n,) vectors of costs on the same instances.

    Parameters
    ----------
    alternative : "better": x tends to have the lower costs; "worse": the higher.
    method, zero_rule, digits : see the head of this module. `digits=None` rounds nothing.
    tie_correction : False gives the variance of untied ranks in the normal approximation, as
        printed in Demšar (2006); with ties or zeros it is too large, so the test is conservative.

    Raises
    ------
    InputError
        If x and y are no paired costs, an option is unknown, or "exact" is asked of more than
        2000 non-zero differences.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import wilcoxon
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = wilcoxon(x, y)
    >>> round(float(found.pvalue), 4)
    0.0312
    """
    _check_options(alternative, method, zero_rule, digits)
    a, b = as_pair(x, y)
    ranked = signed_rank_sums(rounded_differences(a[None], b[None], digits), zero_rule)
    exact = ranked.exact(method)
    p = tail_probabilities(ranked, exact, tie_correction)[_TAIL[alternative]]
    plus, minus = float(ranked.plus[0]), float(ranked.minus[0])
    return SignedRanks(
        r_plus=plus,
        r_minus=minus,
        statistic=min(plus, minus),
        z=float(ranked.z(tie_correction)[0]),
        pvalue=float(p[0]),
        effect=float(ranked.effect()[0]),
        n_used=int(ranked.n_used[0]),
        zeros=int(ranked.zeros[0]),
        alternative=alternative,
        method="exact" if exact[0] else "normal",
        zero_rule=zero_rule,
        tie_correction=tie_correction,
        digits=digits,
    )


def wilcoxon_pairs(
    X: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: WilcoxonMethod = "auto",
    zero_rule: ZeroRule = "split",
    tie_correction: bool = True,
    digits: int | None = 9,
) -> SignedRanksPairs:
    """Wilcoxon's signed-ranks tests of all pairs of columns of X, (n, m) costs.

    Options and errors as in `wilcoxon`. The p-values are not corrected for their number.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import wilcoxon_pairs
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = wilcoxon_pairs(X)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0312, 0.0312], [0.0312, 1.0, 0.1875], [0.0312, 0.1875, 1.0]]
    """
    _check_options(alternative, method, zero_rule, digits)
    costs = as_costs(X)
    n, m = costs.shape
    columns = np.ascontiguousarray(costs.T)
    r_plus, z, effects = (np.zeros((m, m)) for _ in range(3))
    p, zeros, exact = np.ones((m, m)), np.full((m, m), n), np.ones((m, m), dtype=bool)
    np.fill_diagonal(r_plus, _half_of_all_zeros(n, zero_rule))
    for i, j in pair_blocks(m, n):
        ranked = signed_rank_sums(rounded_differences(columns[i], columns[j], digits), zero_rule)
        r_plus[i, j], r_plus[j, i] = ranked.plus, ranked.minus
        z[i, j] = ranked.z(tie_correction)
        effects[i, j] = ranked.effect()
        zeros[i, j] = zeros[j, i] = ranked.zeros
        exact[i, j] = exact[j, i] = ranked.exact(method)
        tails = tail_probabilities(ranked, exact[i, j], tie_correction)
        p[i, j], p[j, i] = tails[_TAIL[alternative]], tails[_MIRRORED_TAIL[alternative]]
    z, effects = z - z.T, effects - effects.T
    return SignedRanksPairs(
        r_plus, z, p, effects, zeros, exact, n, alternative, zero_rule, tie_correction, digits
    )


def wilcoxon_p(
    a: Floats,
    b: Floats,
    *,
    alternative: Alternative = "two-sided",
    method: WilcoxonMethod = "auto",
    zero_rule: ZeroRule = "split",
    tie_correction: bool = True,
    digits: int | None = 9,
) -> Floats:
    """p-values of Wilcoxon's tests of each row of a against the same row of b, (P, n) costs.

    Options and errors as in `wilcoxon`; for many small tests at once.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import wilcoxon_p
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> wilcoxon_p(x[None], y[None]).round(4).tolist()
    [0.0312]
    """
    _check_options(alternative, method, zero_rule, digits)
    ranked = signed_rank_sums(rounded_differences(a, b, digits), zero_rule)
    tails = tail_probabilities(ranked, ranked.exact(method), tie_correction)
    return np.asarray(tails[_TAIL[alternative]])


def _check_options(alternative: str, method: str, zero_rule: str, digits: int | None) -> None:
    one_of(alternative, ("two-sided", "better", "worse"), name="alternative")
    one_of(method, ("auto", "exact", "normal"), name="method")
    one_of(zero_rule, ("split", "pratt", "wilcox"), name="zero_rule")
    if digits is not None and as_count(digits, name="digits") > 15:
        raise InputError(f"digits: a float has 15 significant decimals, got {digits}")


def _half_of_all_zeros(n: int, zero_rule: ZeroRule) -> float:
    return float(signed_rank_sums(np.zeros((1, n)), zero_rule).plus[0])
