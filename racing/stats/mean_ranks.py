"""Comparisons of algorithms by their mean ranks.

The result for two algorithms depends on the others in the table, see `pool_dependence`; Benavoli,
Corani and Mangili (2016) advise against it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import ndtr, ndtri
from racing.stats._checks import Floats, as_column, as_count, as_level, one_of
from racing.stats._range import range_isf, range_sf
from racing.stats.ranks import ranks_of

Alternative = Literal["two-sided", "better", "worse"]
_ALTERNATIVES = ("two-sided", "better", "worse")


@dataclass(frozen=True, slots=True, eq=False)
class MeanRanksTest:
    """Comparisons of mean ranks.

    `mean_ranks_test` and `nemenyi` return it.

    Attributes
    ----------
    mean_ranks
        Shape (m,), lower is better.
    z
        All pairs: shape (m, m), `z[i, j] > 0` if i is worse than j (its mean rank is higher).
        Against a control: shape (m,), `z[i] > 0` if i is worse than the control.
    pvalues
        Same shape as `z`; 1 for an algorithm against itself.
    standard_error
        Of a difference of two mean ranks.
    control
        The control's column, or None for all pairs.
    alternative
        "two-sided"; or "better" / "worse": p-values for i being better / worse than j.
    adjustment
        "none" (correct the p-values yourself, see `corrections`) or "nemenyi" (family-wise).
    tie_correction
        Whether the standard error accounts for ties (the papers' formula does not).

    Examples
    --------
    >>> from racing.stats import mean_ranks_test
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = mean_ranks_test(X, control=1)
    >>> found.mean_ranks.round(2).tolist()
    [3.0, 1.17, 1.83]
    >>> found.z.round(2).tolist()
    [3.18, 0.0, 1.15]
    """

    mean_ranks: Floats
    z: Floats
    pvalues: Floats
    standard_error: float
    n: int
    m: int
    control: int | None
    alternative: Alternative
    adjustment: Literal["none", "nemenyi"]
    tie_correction: bool


def mean_ranks_test(
    X: ArrayLike,
    *,
    control: int | None = None,
    alternative: Alternative = "two-sided",
    tie_correction: bool = False,
    ranked: bool = False,
    check: bool = True,
) -> MeanRanksTest:
    """z tests of mean ranks, all pairs or against a control column; p-values not adjusted.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better.
    control
        Column that all others are compared with; None compares all pairs.
    alternative
        "better": p-values for "the row (or: the column of X) is better than the other"; "worse"
        for the reverse.
    tie_correction
        Lower the standard error by the ties in `X`; the papers do not, which is conservative.
    ranked, check
        As for `friedman`.

    Raises
    ------
    InputError
        If `X` is no table of costs or `control` no column of it.

    Notes
    -----
    A normal approximation, for n > 10 or so (Benavoli et al., 2016, eq. 4).

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import mean_ranks_test
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = mean_ranks_test(X)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0015, 0.0433], [0.0015, 1.0, 0.2482], [0.0433, 0.2482, 1.0]]
    """
    one_of(alternative, _ALTERNATIVES, name="alternative")
    ranks = ranks_of(X, ranked=ranked, check=check)
    n, m = ranks.shape
    means = ranks.sum(axis=0) / n
    error = _tied_error(ranks) if tie_correction else standard_error(m, n)
    column = None if control is None else as_column(control, m)
    z = _over(means[:, None] - means if column is None else means - means[column], error)
    p = p_from_z(z, alternative)
    p[np.eye(m, dtype=np.bool_) if column is None else column] = 1.0
    return MeanRanksTest(means, z, p, error, n, m, column, alternative, "none", tie_correction)


def nemenyi(X: ArrayLike, *, ranked: bool = False, check: bool = True) -> MeanRanksTest:
    """Nemenyi's test of all pairs: p-values of |z|√2 as the range of m normals (family-wise).

    The same decisions as comparing the differences of mean ranks with `nemenyi_cd`. Demšar (2006)
    uses this form; what García and Herrera (2008) call Nemenyi is Bonferroni over all pairs.

    Parameters and errors as for `mean_ranks_test`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import nemenyi
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = nemenyi(X)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0043, 0.1072], [0.0043, 1.0, 0.4804], [0.1072, 0.4804, 1.0]]
    """
    ranks = ranks_of(X, ranked=ranked, check=check)
    n, m = ranks.shape
    means = ranks.sum(axis=0) / n
    error = standard_error(m, n)
    z = _over(means[:, None] - means, error)
    p = np.ones((m, m))
    above = np.triu_indices(m, 1)
    if m > 1:
        p[above] = range_sf(math.sqrt(2) * np.abs(z[above]), m)
        p.T[above] = p[above]
    return MeanRanksTest(means, z, p, error, n, m, None, "two-sided", "nemenyi", False)


def standard_error(m: int, n: int) -> float:
    """Standard error of a difference of two mean ranks, m algorithms on n instances, no ties.

    Examples
    --------
    >>> from racing.stats import standard_error
    >>> round(float(standard_error(5, 30)), 4)
    0.4082
    """
    m, n = as_count(m, name="m"), as_count(n, name="n")
    return float(np.sqrt(m * (m + 1) / (6 * n)))  # Demsar (2006), section 3.2.2


def nemenyi_q(m: int, *, alpha: float = 0.05) -> float:
    """Critical value for all pairs of m algorithms: studentized range, infinite df, over √2.

    Examples
    --------
    >>> from racing.stats import nemenyi_q
    >>> round(float(nemenyi_q(5)), 4)
    2.7278
    """
    m = as_count(m, name="m", least=2)
    return float(range_isf(as_level(alpha), m) / math.sqrt(2))  # Demsar (2006), Table 5(a)


def bonferroni_dunn_q(m: int, *, alpha: float = 0.05) -> float:
    """Critical value for m − 1 algorithms against a control, two-sided.

    Examples
    --------
    >>> from racing.stats import bonferroni_dunn_q
    >>> round(float(bonferroni_dunn_q(5)), 4)
    2.4977
    """
    m = as_count(m, name="m", least=2)
    return -float(ndtri(as_level(alpha) / (2 * (m - 1))))  # Demsar (2006), Table 5(b)


def nemenyi_cd(m: int, n: int, *, alpha: float = 0.05) -> float:
    """Critical difference of mean ranks for all pairs of m algorithms on n instances.

    Examples
    --------
    >>> from racing.stats import nemenyi_cd
    >>> round(float(nemenyi_cd(5, 30)), 4)
    1.1136
    """
    return nemenyi_q(m, alpha=alpha) * standard_error(m, n)


def bonferroni_dunn_cd(m: int, n: int, *, alpha: float = 0.05) -> float:
    """Critical difference of mean ranks to a control, m algorithms with the control, n instances.

    Examples
    --------
    >>> from racing.stats import bonferroni_dunn_cd
    >>> round(float(bonferroni_dunn_cd(5, 30)), 4)
    1.0197
    """
    return bonferroni_dunn_q(m, alpha=alpha) * standard_error(m, n)


def p_from_z(z: Floats, alternative: Alternative = "two-sided") -> Floats:
    """Normal p-values; `z > 0` is evidence for "worse"."""
    if alternative == "two-sided":
        p: Floats = 2 * ndtr(-np.abs(z))
    else:
        p = ndtr(z if alternative == "better" else -z)
    return p


def _tied_error(ranks: Floats) -> float:
    """The standard error under random orders of each row's own, tied, ranks."""
    n, m = ranks.shape
    if m == 1:
        return 0.0
    spread = float(np.vdot(ranks, ranks)) - n * m * (m + 1) ** 2 / 4
    return float(np.sqrt(2 * spread / (m - 1)) / n)


def _over(differences: Floats, error: float) -> Floats:
    return differences / error if error > 0 else np.zeros_like(differences)
