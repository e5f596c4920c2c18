"""The Bayesian Friedman test of equal mean ranks of m algorithms.

Benavoli et al. (2015), section 5.2. With a Dirichlet process prior of weight s on one atom at which
all algorithms tie, the mean ranks are w₀R₀ + Σ wⱼRⱼ with (w₀, w) ~ Dirichlet(s, 1, ..., 1). The
hypothesis "all mean ranks equal" is rejected if the point (m+1)/2, ..., (m+1)/2 lies outside the
credible ellipsoid.

The ellipsoid of eq. 19 is Hotelling's: it needs more instances than dimensions, n >= m, and its
statistic is at most (s+n+1)·n/s, so it can reject only from `minimum_instances` on. A race starts
with more candidates than instances; `gate` then uses the test of Iman and Davenport, and reports
it.

Ranks are centred at (m+1)/2 here, which puts the null hypothesis and the prior atom at 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.quantities import Count, Level
from racing.base.special import fdtrc, fdtri
from racing.stats._checks import Floats, Several, Weight, as_generator, checked
from racing.stats._prefix import draw_weights
from racing.stats.friedman import friedman
from racing.stats.ranks import ranks_of


@dataclass(frozen=True, slots=True, eq=False)
class BayesianFriedman:
    """The outcome of a Bayesian Friedman test.

    `bayesian_friedman` returns it.

    Attributes
    ----------
    statistic
        Squared Mahalanobis distance of the null hypothesis from the posterior mean; inf if the
        posterior excludes it (s = 0 only).
    threshold
        What the statistic must exceed to reject; inf where the test is not defined.
    level
        The smallest γ at which the test would reject; 1 where it is not defined.
    rejected
        Whether the mean ranks differ credibly.
    mean_ranks
        Posterior means of the mean ranks, shape (m,), lower is better; shrunk towards (m+1)/2.
    rank
        Dimensions of the posterior: m − 1, or fewer if few distinct rankings were seen.

    Examples
    --------
    >>> from racing.stats import bayesian_friedman
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = bayesian_friedman(X)
    >>> found.rejected, found.rank
    (True, 2)
    >>> f"{found.statistic:.1f} against {found.threshold:.1f}, level {found.level:.4f}"
    '48.0 against 17.4, level 0.0089'
    """

    statistic: float
    threshold: float
    level: float
    rejected: bool
    mean_ranks: Floats
    rank: int


@dataclass(frozen=True, slots=True)
class Gate:
    """The omnibus test before pairs are compared: which test it was, and its result.

    `gate` returns it.

    `statistic` is compared with `threshold`; `level` is the smallest γ that rejects (the p-value of
    Iman-Davenport, which decides where that test is exact because all instances agree).
    `minimum` is the number of instances from which the ellipsoid is used.

    Examples
    --------
    >>> from racing.stats import gate
    >>> found = gate([[3, 1, 2]] * 4)
    >>> found.test, found.rejected, found.minimum
    ('iman-davenport', True, 5)
    >>> f"{found.statistic} against {found.threshold:.2f}, level {found.level:.3f}"
    'inf against 5.14, level 0.005'
    """

    test: Literal["ellipsoid", "iman-davenport"]
    statistic: float
    threshold: float
    level: float
    rejected: bool
    minimum: int


@checked
def posterior_mean_ranks(
    X: ArrayLike, *, s: Weight = 1.0, ranked: bool = False
) -> tuple[Floats, Floats]:
    """Posterior mean, (m,), and covariance, (m, m), of the mean ranks of the columns of X.

    Parameters
    ----------
    X : (n, m) costs, lower is better, or ranks (1 = best) if `ranked`.
    s : weight of the prior atom, in instances.

    Benavoli et al. (2015), eq. 16 and 17, worked out for weights (w₀, w) ~ Dirichlet(s, 1, ..., 1).

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import posterior_mean_ranks
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> means, covariance = posterior_mean_ranks(X)
    >>> means.round(4).tolist()
    [2.8571, 1.2857, 1.8571]
    """
    R = ranks_of(X, ranked=ranked)
    n, m = R.shape
    C = R - (m + 1) / 2
    # eq. 16 and 17, centred: R0 = 0 and, for each row of the sum, E[w wᵀ] is that of a Dirichlet
    d = C.sum(axis=0) / (s + n)
    covariance = (C.T @ C / (s + n) - np.outer(d, d)) / (s + n + 1)
    return d + (m + 1) / 2, covariance


@checked
def bayesian_friedman(
    X: ArrayLike,
    *,
    gamma: Level = 0.05,
    s: Weight = 1.0,
    ranked: bool = False,
    region: Literal["ellipsoid", "monte carlo"] = "ellipsoid",
    rng: np.random.Generator | None = None,
    draws: Count = 10_000,
) -> BayesianFriedman:
    """The test by a credible ellipsoid: Benavoli et al. (2015), 5.2 and eq. 19.

    Parameters
    ----------
    X : (n, m) costs, lower is better, or ranks (1 = best) if `ranked`.
    gamma : one minus the credibility of the ellipsoid.
    s : weight of the prior atom, in instances.
    region : "ellipsoid" is Hotelling's, an approximation for large n, and without power below
        `minimum_instances`. "monte carlo" finds the ellipsoid that holds 1 − γ of the posterior by
        draws, as the paper recommends for small n; the standard error of its `level` is
        √(level·(1−level)/draws).
    rng, draws : for "monte carlo".

    Returns
    -------
    A test that never rejects where it is not defined: with no more instances than dimensions.
    Rank-deficient posteriors (few distinct rankings) are tested in the dimensions that they have.

    Raises
    ------
    InputError
        If X is no table of costs, or an option is out of its range.

    The caveats of "monte carlo": it does not allow for the error of the estimated covariance, so
    unless n is many times m it rejects equal algorithms far too often (in 42 % of tables with n =
    20, m = 10, γ = .05). No draw lies outside the observed rankings, so a contrast that is the same
    on all instances is always rejected.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import bayesian_friedman
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = bayesian_friedman(X)
    >>> found.mean_ranks.round(4).tolist()
    [2.8571, 1.2857, 1.8571]
    """
    p = _Posterior.of(ranks_of(X, ranked=ranked), s)
    threshold, level, statistic = math.inf, 1.0, p.statistic
    if region == "monte carlo":
        weights = draw_weights(as_generator(rng), draws, np.append(np.ones(p.n), s))
        if p.defined:
            distances = p.distances(weights)
            threshold = float(np.quantile(distances, 1 - gamma, method="higher"))
            level = float(np.mean(distances >= statistic))
    elif p.defined:
        scale, left = (p.n - 1) * p.rank / (p.n - p.rank), p.n - p.rank
        threshold = scale * float(fdtri(p.rank, left, 1 - gamma))
        level = float(fdtrc(p.rank, left, statistic / scale))
    rejected = statistic > threshold
    return BayesianFriedman(statistic, threshold, level, rejected, p.mean_ranks, p.rank)


@checked
def minimum_instances(m: Several, *, s: Weight = 1.0, gamma: Level = 0.05) -> int:
    """The least number of instances at which the ellipsoid test of m algorithms can reject.

    At least m, and where the largest possible statistic, (s+n+1)·n/s, exceeds the threshold.

    Examples
    --------
    >>> from racing.stats import minimum_instances
    >>> minimum_instances(5)
    8
    """
    n, r = m, m - 1
    if s > 0:
        while (s + n + 1) * n / s <= (n - 1) * r / (n - r) * fdtri(r, n - r, 1 - gamma):
            n += 1
    return n


@checked
def gate(X: ArrayLike, *, gamma: Level = 0.05, s: Weight = 1.0, ranked: bool = False) -> Gate:
    """The omnibus test of n instances and m algorithms.

    The ellipsoid from `minimum_instances` on; below, the test of Iman and Davenport, which has the
    right size for few instances and many algorithms. The choice depends on n and m only. Parameters
    and errors as in `bayesian_friedman`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import gate
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = gate(X)
    >>> round(float(found.statistic), 4)
    48.0
    """
    R = ranks_of(X, ranked=ranked)
    n, m = R.shape
    minimum = minimum_instances(max(m, 2), s=s, gamma=gamma)
    if n >= minimum:
        b = bayesian_friedman(R, gamma=gamma, s=s, ranked=True)
        return Gate("ellipsoid", b.statistic, b.threshold, b.level, b.rejected, minimum)
    f = friedman(R, reference="F", ranked=True, check=False)
    between, within = f.df
    threshold = float(fdtri(between, within, 1 - gamma)) if between * within else math.inf
    rejected = f.pvalue < gamma
    return Gate("iman-davenport", f.statistic, threshold, f.pvalue, rejected, minimum)


@dataclass(frozen=True, slots=True, eq=False)
class _Posterior:
    """The posterior of the mean ranks, in coordinates U in which Σ rⱼrⱼᵀ is the identity.

    With A = Σ rⱼrⱼᵀ / (s+n) and the mean d, Σ = (A − ddᵀ) / (s+n+1), so by Sherman and Morrison
    dᵀΣ⁺d = (s+n+1)·q/(1−q) with q = dᵀA⁺d = |Σ uⱼ|² / (s+n). Only one matrix is decomposed, the
    smaller of the two Gram matrices.
    """

    coordinates: Floats  # (n, rank), orthonormal columns
    mean_ranks: Floats
    s: float
    n: int
    rank: int

    @classmethod
    def of(cls, R: Floats, s: float) -> _Posterior:
        n, m = R.shape
        C = R - (m + 1) / 2
        wide = n <= m
        values, vectors = np.linalg.eigh(C @ C.T if wide else C.T @ C)
        kept = (values[-1] > 0) & (values > values[-1] * max(n, m) * 1e-13)
        U = vectors[:, kept] if wide else C @ vectors[:, kept] / np.sqrt(values[kept])
        return cls(U, C.sum(axis=0) / (s + n) + (m + 1) / 2, s, *U.shape)

    @property
    def defined(self) -> bool:
        return self.n > self.rank > 0

    @property
    def statistic(self) -> float:
        total = self.coordinates.sum(axis=0)
        inside = float(total @ total)  # n·q·(s+n)/n
        outside = self.n - inside
        rest = self.s + (outside if outside > 1e-9 * self.n else 0.0)
        return (self.s + self.n + 1) * inside / rest if rest > 0 else math.inf

    def distances(self, weights: np.ndarray) -> Floats:
        """Squared Mahalanobis distances of draws from the mean, for gamma weights (D, n + 1)."""
        share = weights[:, :-1] / weights.sum(axis=1, keepdims=True)
        mean = self.coordinates.sum(axis=0) / (self.s + self.n)
        y = share @ self.coordinates - mean
        # the inverse of (I/(s+n) − ddᵀ)/(s+n+1), again by Sherman and Morrison
        total = self.s + self.n
        along = total * (y @ mean) ** 2 / (1 / total - mean @ mean)
        return np.asarray((total + 1) * (total * np.einsum("ij,ij->i", y, y) + along))
