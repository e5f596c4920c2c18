"""Differences of two algorithms in standard deviations: Cohen's d, and Akinshin's gamma, which has
medians and median absolute deviations instead, for any quantile.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import betainc
from racing.stats._checks import Floats, as_level, as_vector, one_of
from racing.stats._paired import Paired, over

Standardizer: TypeAlias = Literal["pooled", "differences"]


QuantileEstimator: TypeAlias = Literal["sample", "harrell-davis"]


_NORMAL = 1.482602218505602  # 1 / Φ⁻¹(3/4): the deviation's factor for normal costs


def cohens_d(x: ArrayLike, y: ArrayLike, *, standardizer: Standardizer = "pooled") -> float:
    """Cohen's d of x over y: (mean y − mean x)/s, positive where x has the lower costs.

    Parameters
    ----------
    x, y : vectors of finite costs, at least two each; of equal length for "differences".
    standardizer : "pooled", s² = ((n₁−1)s₁² + (n₂−1)s₂²)/(n₁+n₂−2), the classical d; "differences",
        the standard deviation of the paired differences (d_z), which shrinks where instances differ
        much and algorithms little.

    Returns
    -------
    0 where there is no difference, ±inf where there is one and no variation.

    Raises
    ------
    InputError
        If x and y are no such vectors.

    Cohen (1988), Statistical power analysis for the behavioral sciences, 2.2 and 2.3.5. The caveat:
    means and standard deviations of costs depend on the mix of instances, and a single outlier
    moves both; `akinshin_gamma` is robust.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import cohens_d
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> round(float(cohens_d(x, y)), 4)
    -1.1776
    """
    one_of(standardizer, ("pooled", "differences"), name="standardizer")
    a, b = _costs(x, "x", finite=True), _costs(y, "y", finite=True)
    if standardizer == "differences":
        pairs = Paired.of(a, b)
        d = pairs.y - pairs.x
        return float(over(d.mean(), d.std(ddof=1)))
    return float(over(b.mean() - a.mean(), _pooled(a, b, a.std(ddof=1), b.std(ddof=1))))


def akinshin_gamma(
    x: ArrayLike,
    y: ArrayLike,
    *,
    quantile: float = 0.5,
    estimator: QuantileEstimator = "sample",
) -> float:
    """γ_p = (Q_p(y) − Q_p(x)) / PMAD, positive where x has the lower costs.

    PMAD² = ((n₁−1)MAD₁² + (n₂−1)MAD₂²)/(n₁+n₂−2), each MAD times 1.4826, so that for normal costs
    γ at the median estimates the same number as Cohen's d.

    Parameters
    ----------
    x, y : vectors of costs, at least two each; failures (+inf) are allowed as long as the quantiles
        and deviations stay finite (with "sample").
    quantile : p, between 0 and 1; 0.5 compares medians.
    estimator : "sample", linear interpolation (numpy's default); "harrell-davis", the weighted mean
        of all order statistics that Akinshin uses, smoother, for finite costs.

    Returns
    -------
    0 where there is no difference, ±inf where there is one and no deviation.

    Raises
    ------
    InputError
        If x and y are no such vectors, or a quantile or deviation is infinite.

    Akinshin (2020), Nonparametric Cohen's d-consistent effect size. With "sample" this is the
    number that autorank reports.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import akinshin_gamma
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> round(float(akinshin_gamma(x, y)), 4)
    -1.349
    """
    as_level(quantile, name="quantile")
    one_of(estimator, ("sample", "harrell-davis"), name="estimator")
    a, b = (_costs(v, n, finite=estimator != "sample") for v, n in ((x, "x"), (y, "y")))
    (low, spread), (high, other) = (_summary(v, quantile, estimator) for v in (a, b))
    if not np.isfinite([low, high, spread, other]).all():
        raise InputError(
            "x and y: so many failures that a quantile or deviation is infinite; use Vargha and "
            "Delaney's A"
        )
    return float(over(high - low, _pooled(a, b, spread, other)))


def harrell_davis(x: Floats, quantile: float) -> float:
    """Σ W_i x_(i), W_i = I_{i/n}(p(n+1), (1−p)(n+1)) − I_{(i−1)/n}(…). Harrell and Davis (1982)."""
    n = x.size
    steps = betainc(quantile * (n + 1), (1 - quantile) * (n + 1), np.arange(n + 1) / n)
    return float(np.diff(steps) @ np.sort(x))


def _pooled(a: Floats, b: Floats, first: float, second: float) -> float:
    """The pooled deviation of two samples with these deviations."""
    squares = (a.size - 1) * first**2 + (b.size - 1) * second**2
    return float(np.sqrt(squares / (a.size + b.size - 2)))


def _summary(x: Floats, quantile: float, estimator: QuantileEstimator) -> tuple[float, float]:
    """The quantile, and the normalised median absolute deviation about the median."""
    centre = _quantile(x, 0.5, estimator)
    with np.errstate(invalid="ignore"):
        deviation = _NORMAL * _quantile(np.abs(x - centre), 0.5, estimator)
    return _quantile(x, quantile, estimator), deviation


def _quantile(x: Floats, quantile: float, estimator: QuantileEstimator) -> float:
    if estimator == "harrell-davis":
        return harrell_davis(x, quantile)
    if quantile == 0.5:
        return float(np.median(x))
    with np.errstate(invalid="ignore"):
        return float(np.quantile(x, quantile))


def _costs(x: ArrayLike, name: str, *, finite: bool) -> Floats:
    vector = as_vector(x, name=name)
    if vector.size < 2 or (finite and np.isinf(vector).any()):
        raise InputError(
            f"{name}: expected at least two {'finite ' * finite}costs, got {vector.size} with "
            f"{int(np.isinf(vector).sum())} failures; use Vargha and Delaney's A for failures"
        )
    return vector
