"""Effect sizes: Vargha and Delaney's A, median difference, differences in standard deviations.

All are oriented so that larger means that the first side is better (has the lower costs). A and the
median difference have a confidence interval; the result names its construction. Cohen's d is in
standard deviations; Akinshin's gamma has medians and median absolute deviations instead, for any
quantile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.base.quantities import Level
from racing.base.special import bdtr, betainc, ndtri
from racing.stats._checks import Floats, Ints, as_costs, as_vector, checked
from racing.stats._samples import Groups, OneOrMany, Paired, Placements, differences, over
from racing.stats.intervals import clopper_pearson
from racing.stats.wilcoxon import sum_distribution

Estimator: TypeAlias = Literal["hodges-lehmann", "median"]
Standardizer: TypeAlias = Literal["pooled", "differences"]
QuantileEstimator: TypeAlias = Literal["sample", "harrell-davis"]

EXACT_RANKS = 200  # differences up to which the signed-rank quantile is exact
_NORMAL = 1.482602218505602  # 1 / Φ⁻¹(3/4): the deviation's factor for normal costs
_MOST_WALSH = 5000  # differences whose n(n+1)/2 averages still fit in memory


@dataclass(frozen=True, eq=False)
class Superiority:
    """Vargha and Delaney's A: the chance that the first side is better, ties counted half.

    `vargha_delaney` returns it, with one entry for each pair.

    Examples
    --------
    >>> from racing.stats import vargha_delaney
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = vargha_delaney(x, y, paired=True)
    >>> f"{found.wins} wins, {found.ties} ties, {found.losses} losses: {found.magnitude}"
    '0 wins, 1 ties, 6 losses: large'
    >>> round(float(found.low), 2), round(float(found.high), 2)
    (0.0, 0.5)
    """

    interval: str
    a: Floats
    low: Floats
    high: Floats
    wins: Ints
    ties: Ints
    losses: Ints

    @property
    def magnitude(self) -> NDArray[np.str_]:
        """Vargha and Delaney's (2000) words for A; their bounds are conventions, not tests."""
        return magnitude(self.a)


@dataclass(frozen=True, eq=False)
class MedianDifference:
    """Location of the paired differences second - first; positive where the first is better.

    `median_difference` returns it, with one entry for each pair.

    `coverage` is the confidence that the interval has at least (exact unless `interval` says
    otherwise): order statistics come in steps, so it is rarely `level` itself.

    Examples
    --------
    >>> from racing.stats import median_difference
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = median_difference(x, y)
    >>> f"{found.estimate}, between {found.low} and {found.high} with at least {found.coverage:.3f}"
    '-1.75, between -3.0 and -0.5 with at least 0.953'
    """

    interval: str
    estimate: Floats
    low: Floats
    high: Floats
    coverage: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ContrastEstimation:
    """Estimated differences of m algorithms, in units of cost; positive where costs are lower.

    `contrast_estimation` returns it.

    Attributes
    ----------
    advantages
        Shape (m,): how much lower the costs of each are than those of the average algorithm.
    contrasts
        Shape (m, m): `contrasts[i, j]` = advantages[i] − advantages[j], positive where i is better.
        They add up: contrasts[i, j] + contrasts[j, k] = contrasts[i, k].
    medians
        Shape (m, m): the median over the instances of how much lower the costs of i are than those
        of j. These need not add up.

    Examples
    --------
    >>> from racing.stats import contrast_estimation
    >>> X = [[3, 1, 2], [4, 2, 2], [5, 1, 4], [3, 2, 0], [6, 3, 4]]
    >>> found = contrast_estimation(X)
    >>> found.medians[1].tolist()
    [2.0, 0.0, 1.0]
    >>> found.contrasts[1].round(2).tolist()
    [2.33, 0.0, 0.67]
    """

    advantages: Floats
    contrasts: Floats
    medians: Floats


@checked
def vargha_delaney(
    x: OneOrMany, y: ArrayLike | None = None, *, paired: bool, level: Level = 0.95
) -> Superiority:
    """Vargha and Delaney's A of x over y, costs of two algorithms or of many pairs.

    Parameters
    ----------
    x, y : with `paired`, costs on the same n instances, (n,), or many pairs, (..., n). Without, two
        vectors of any lengths; or x alone, a sequence of k vectors, for all their pairs: (k, k),
        entry (i, j) is i over j.
    paired : True compares x[i] with y[i] only (same instances): A = (wins + ties/2) / n, with the
        Clopper-Pearson interval, ties split. False compares every x with every y (independent
        results), with Newcombe's (2006) interval, method 5, which stays sensible at A = 0 and 1.
    level : confidence of each interval.

    Raises
    ------
    InputError
        If x and y are no costs, or paired and of different lengths.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import vargha_delaney
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = vargha_delaney(x, y, paired=True)
    >>> round(float(found.a), 4)
    0.0714
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> vargha_delaney(samples, paired=False).a.tolist()
    [[0.5, 0.875, 1.0], [0.125, 0.5, 1.0], [0.0, 0.0, 0.5]]
    """
    if paired:
        pairs = Paired.of(x, () if y is None else y)
        wins, ties, losses = pairs.wins_ties_losses()
        low, high = clopper_pearson(wins + ties / 2, pairs.n, level)
        a = (wins + ties / 2) / pairs.n
        return Superiority("Clopper-Pearson, ties split", a, low, high, wins, ties, losses)
    placed = Placements.of(Groups.of(x, y))
    ties = np.rint(placed.ties()).astype(np.intp)
    wins, a = np.rint(placed.u() - ties / 2).astype(np.intp), placed.a()
    found = (a, *placed.interval(level), wins, ties, wins.T)
    return Superiority("Newcombe (2006), method 5", *map(placed.groups.told, found))


def magnitude(a: ArrayLike) -> NDArray[np.str_]:
    """Vargha and Delaney's (2000) word for each A."""
    distance = np.round(np.abs(np.asarray(a) - 0.5), 9)
    words = {"large": 0.21, "medium": 0.14, "small": 0.06}
    return np.select([distance >= bound for bound in words.values()], list(words), "negligible")


@checked
def median_difference(
    x: ArrayLike, y: ArrayLike, *, estimator: Estimator = "hodges-lehmann", level: Level = 0.95
) -> MedianDifference:
    """Location of the differences y - x of (n,) costs on the same instances, or many, (..., n).

    Parameters
    ----------
    estimator : "hodges-lehmann", the median of the Walsh averages (d_i + d_j)/2, i <= j, with the
        interval that inverts Wilcoxon's test (symmetric differences assumed); or "median", the
        sample median with the interval that inverts the sign test (nothing assumed).
    level : confidence of each interval.

    A failure against a finite cost is an infinite difference, two failures are none; halfway
    between -inf and +inf is 0. With few instances an end may be infinite: no finite interval of
    that level exists.

    Raises
    ------
    InputError
        If x and y are no paired costs, or "hodges-lehmann" is asked of more than 5000 instances.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import median_difference
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = median_difference(x, y)
    >>> round(float(found.estimate), 4)
    -1.75
    """
    located = _by_order if estimator == "median" else _by_walsh_averages

    def of_rows(a: Floats, b: Floats) -> tuple[NDArray[Any], ...]:
        rows = [located(d, level) for d in differences(a, b)]
        return tuple(np.array(rows).reshape(-1, 4).T)

    pairs = Paired.of(x, y)
    normal = ", normal approximation" if pairs.n > EXACT_RANKS else ""
    kind = "order statistics" if estimator == "median" else f"Walsh averages{normal}"
    return MedianDifference(kind, *pairs.each(of_rows))


def contrast_estimation(X: ArrayLike) -> ContrastEstimation:
    """Contrast estimation based on medians.

    Z_ij is the median over the instances of cost_j − cost_i, the unadjusted estimate;
    Z_i = Σ_j Z_ij / m, and the contrast of i and j is Z_i − Z_j.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better, of one scale over all instances.
        Failures (+inf) are refused.

    Raises
    ------
    InputError
        If `X` is no table of finite costs.

    Doksum (1967), Robust procedures for some linear models with one observation per cell, Ann.
    Math. Statist. 38; García et al. (2010), section 5. The caveat: an estimate without an interval.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import contrast_estimation
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = contrast_estimation(X)
    >>> found.advantages.round(4).tolist()
    [-1.3333, 1.1667, 0.1667]
    """
    costs = as_costs(X, means_for="contrast estimation")
    columns = np.ascontiguousarray(costs.T)
    medians = np.array([np.median(columns - column, axis=1) for column in columns])
    advantages = medians.mean(axis=1)
    return ContrastEstimation(advantages, advantages[:, None] - advantages, medians)


def _by_order(d: Floats, level: float) -> tuple[float, float, float, float]:
    """(estimate, low, high, coverage) of the median, by order statistics."""
    counts = np.arange(d.size // 2 + 1)
    tail = bdtr(counts.astype(float), d.size, 0.5)  # P(B <= c), B ~ Binomial(n, 1/2)
    return _order_interval(np.sort(d), tail, level)


def _by_walsh_averages(d: Floats, level: float) -> tuple[float, float, float, float]:
    """(estimate, low, high, coverage) of the centre of symmetry, by Walsh averages."""
    n = d.size
    if n > _MOST_WALSH:
        raise InputError(
            f"n must be at most {_MOST_WALSH} for estimator='hodges-lehmann', which holds all "
            f"n(n+1)/2 averages; got {n}; use estimator='median'"
        )
    i, j = np.triu_indices(n)
    walsh = np.sort(_midpoint(d[i], d[j]))
    if n <= EXACT_RANKS:
        tail = np.cumsum(sum_distribution(np.arange(1, n + 1)))  # P(T+ <= t)
        return _order_interval(walsh, tail[: walsh.size // 2 + 1], level)
    spread = np.sqrt(n * (n + 1.0) * (2 * n + 1) / 24)
    drop = max(0, int(np.floor(n * (n + 1) / 4 + float(ndtri((1 - level) / 2)) * spread)))
    return _middle(walsh), float(walsh[drop]), float(walsh[-1 - drop]), level


def _order_interval(
    ordered: Floats, tail: Floats, level: float
) -> tuple[float, float, float, float]:
    """Interval between the order statistics number r + 1 from both ends.

    It misses the parameter with probability 2 * tail[r]; r is the largest for which that is at
    most 1 - level. If r = 0 is not small enough, the interval is the whole line.
    """
    r = int(np.searchsorted(2 * tail, 1 - level + 1e-12, side="right")) - 1
    if r < 0:
        return _middle(ordered), -np.inf, np.inf, 1.0
    coverage = float(1 - 2 * tail[r])
    return _middle(ordered), float(ordered[r]), float(ordered[-1 - r]), coverage


def _middle(ordered: Floats) -> float:
    n = ordered.size
    return float(_midpoint(ordered[[(n - 1) // 2]], ordered[[n // 2]])[0])


def _midpoint(a: Floats, b: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        middle: Floats = a / 2 + b / 2
    middle[np.isnan(middle)] = 0.0  # between -inf and +inf
    return middle


@checked
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
    a, b = _costs(x, "x", finite=True), _costs(y, "y", finite=True)
    if standardizer == "differences":
        pairs = Paired.of(a, b)
        d = pairs.y - pairs.x
        return float(over(d.mean(), d.std(ddof=1)))
    return float(over(b.mean() - a.mean(), _pooled(a, b, a.std(ddof=1), b.std(ddof=1))))


@checked
def akinshin_gamma(
    x: ArrayLike, y: ArrayLike, *, quantile: Level = 0.5, estimator: QuantileEstimator = "sample"
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
            f"{name} must be two or more {'finite ' * finite}costs; got {vector.size} with "
            f"{int(np.isinf(vector).sum())} failures; use Vargha and Delaney's A for failures"
        )
    return vector
