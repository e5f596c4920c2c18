"""The paired t-test, on absolute or relative differences.

Demšar (2006), section 3.1.2, names its weaknesses: differences must be commensurable across
instances, close to normal for fewer than about 30 of them, and free of outliers. Relative
differences, d = (y - x) / ((x + y)/2), fix only the first of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import stdtr, stdtrit
from racing.stats._checks import Floats, as_finite_costs, as_level, as_pair, one_of
from racing.stats._pairs import pair_blocks
from racing.stats.sign import Alternative

Difference: TypeAlias = Literal["absolute", "relative"]

_NOISE = 1e-12  # relative to the costs; the largest rounding error of a difference
_LARGEST = 1e150


@dataclass(frozen=True)
class PairedT:
    """Paired t-test of the first sample against the second (lower cost wins).

    `paired_t` returns it.

    Differences are second minus first, so positive where the first is better. `effect` is the
    mean difference in standard deviations of the differences (Cohen's d for paired samples).
    [`low`, `high`] holds the mean difference with confidence `level`.

    Examples
    --------
    >>> from racing.stats import paired_t
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = paired_t(x, y)
    >>> f"{found.mean:.2f}, between {found.low:.2f} and {found.high:.2f}"
    '-1.71, between -2.74 and -0.69'
    >>> f"t({found.df}) = {found.t:.2f}, d = {found.effect:.2f}"
    't(6) = -4.08, d = -1.54'
    """

    mean: float
    stderr: float
    t: float
    df: int
    pvalue: float
    effect: float
    low: float
    high: float
    level: float
    alternative: Alternative
    difference: Difference


@dataclass(frozen=True, eq=False)
class PairedTPairs:
    """Paired t-tests of all pairs of m columns; (m, m) arrays, (i, j) is column i against j.

    `paired_t_pairs` returns it.

    Examples
    --------
    >>> from racing.stats import paired_t_pairs
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = paired_t_pairs(X)
    >>> found.means[1].round(2).tolist()
    [2.5, 0.0, 1.0]
    >>> found.stderr[1].round(2).tolist()
    [0.43, 0.0, 0.52]
    """

    means: Floats
    stderr: Floats
    t: Floats
    pvalues: Floats
    df: int
    alternative: Alternative
    difference: Difference


def paired_t(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    difference: Difference = "absolute",
    level: float = 0.95,
) -> PairedT:
    """Paired t-test of x against y, (n,) vectors of finite costs on the same n >= 2 instances.

    If the differences have no variance, the sign of their mean decides (t = ±inf, p = 0 or 1);
    without any difference, t = 0 and p = 1.

    Parameters
    ----------
    alternative : "better": x has the lower mean cost; "worse": the higher.
    difference : "absolute" (y - x) or "relative" to the mean size of the two costs.
    level : confidence of the two-sided interval.

    Raises
    ------
    InputError
        If n < 2, a cost is infinite, or differences are relative and costs have both signs.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import paired_t
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = paired_t(x, y)
    >>> round(float(found.pvalue), 4)
    0.0065
    """
    _check_options(alternative, difference)
    as_level(level, name="level")
    a, b = as_pair(x, y)
    _check_costs(np.stack([a, b], axis=1), difference)
    mean, stderr = (float(v[0]) for v in _moments(a[None], b[None], difference))
    df = a.size - 1
    t = float(_t(np.array([mean]), np.array([stderr]))[0])
    half = float(stdtrit(df, 0.5 + level / 2)) * stderr
    return PairedT(
        mean=mean,
        stderr=stderr,
        t=t,
        df=df,
        pvalue=float(_pvalues(np.array([t]), df, alternative)[0]),
        effect=t / float(np.sqrt(a.size)),
        low=mean - half,
        high=mean + half,
        level=level,
        alternative=alternative,
        difference=difference,
    )


def paired_t_pairs(
    X: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    difference: Difference = "absolute",
) -> PairedTPairs:
    """Paired t-tests of all pairs of columns of X, (n, m) finite costs, n >= 2.

    Options and errors as in `paired_t`. The p-values are not corrected for their number.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import paired_t_pairs
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = paired_t_pairs(X)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0021, 0.0011], [0.0021, 1.0, 0.1106], [0.0011, 0.1106, 1.0]]
    """
    _check_options(alternative, difference)
    costs = as_finite_costs(X, purpose="the t-test")
    _check_costs(costs, difference)
    n, m = costs.shape
    columns = np.ascontiguousarray(costs.T)
    means, stderr = np.zeros((m, m)), np.zeros((m, m))
    for i, j in pair_blocks(m, n):
        means[i, j], stderr[i, j] = _moments(columns[i], columns[j], difference)
    means, stderr = means - means.T, stderr + stderr.T
    t = _t(means, stderr)
    p = _pvalues(t, n - 1, alternative)
    np.fill_diagonal(p, 1.0)
    return PairedTPairs(means, stderr, t, p, n - 1, alternative, difference)


def paired_t_p(
    a: Floats, b: Floats, *, alternative: Alternative = "two-sided", difference: Difference
) -> Floats:
    """p-values of paired t-tests of each row of a against the same row of b, (P, n) costs.

    Options and errors as in `paired_t`; for many small tests at once.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import paired_t_p
    >>> a, b = np.array([[3, 4, 5, 3, 6]]), np.array([[1, 2, 4, 2, 3]])
    >>> paired_t_p(a, b, difference="absolute").round(4).tolist()
    [0.0086]
    """
    _check_options(alternative, difference)
    _check_costs(np.concatenate([a.T, b.T], axis=1), difference)
    mean, stderr = _moments(a, b, difference)
    return _pvalues(_t(mean, stderr), a.shape[1] - 1, alternative)


def _check_options(alternative: str, difference: str) -> None:
    one_of(alternative, ("two-sided", "better", "worse"), name="alternative")
    one_of(difference, ("absolute", "relative"), name="difference")


def _check_costs(costs: Floats, difference: Difference) -> None:
    if not np.isfinite(costs).all():
        raise InputError(
            "the t-test needs finite costs: give failures a finite penalty, or use the sign or "
            "Wilcoxon's test"
        )
    if np.abs(costs).max() > _LARGEST:
        raise InputError(f"the t-test squares costs, and cannot beyond {_LARGEST}: rescale them")
    if len(costs) < 2:
        raise InputError("the t-test needs at least 2 instances, got 1: it has no variance")
    if difference == "relative" and costs.min() < 0 < costs.max():
        raise InputError(
            "difference='relative' needs costs of one sign, got some from "
            f"{costs.min()} to {costs.max()}; use difference='absolute'"
        )


def _moments(a: Floats, b: Floats, difference: Difference) -> tuple[Floats, Floats]:
    """Mean and standard error of the differences b - a of each row, free of rounding noise."""
    size = np.abs(a) / 2 + np.abs(b) / 2
    d = b - a
    d[np.abs(d) <= _NOISE * size] = 0.0
    if difference == "relative":  # Demsar (2006), section 3.1.2; 0 against 0 is no difference
        d = np.divide(d, size, out=np.zeros_like(d), where=size > 0)
        size = np.ones_like(size)
    mean, sd = d.mean(axis=1), d.std(axis=1, ddof=1)
    sd[sd <= _NOISE * size.max(axis=1)] = 0.0
    mean[~d.any(axis=1)] = 0.0
    return mean, sd / np.sqrt(d.shape[1])


def _t(mean: Floats, stderr: Floats) -> Floats:
    certain = np.where(mean == 0.0, 0.0, np.copysign(np.inf, mean))
    return np.divide(mean, stderr, out=certain, where=stderr > 0)


def _pvalues(t: Floats, df: int, alternative: Alternative) -> Floats:
    if alternative == "two-sided":
        return np.asarray(np.minimum(1.0, 2.0 * stdtr(df, -np.abs(t))))
    return np.asarray(stdtr(df, -t if alternative == "better" else t))
