"""The hierarchical correlated t-test of two algorithms on many data sets, by cross-validation.

The mean differences of the data sets come from one population, a Student distribution, whose
parameters are estimated with them. So the test predicts the next data set, and the means of noisy
data sets shrink towards the others. For q data sets with n differences each (Corani et al., 2017,
section 3; `d` is first − second cost):

    d_i ~ N(1·μ_i, σ_i²[(1 − ρ)I + ρ11ᵀ]),   μ_i ~ Student(μ0, σ0, ν),
    σ_i ~ U(0, σ̄),  σ0 ~ U(0, s̄0),  μ0 ~ U(−l, l),
    ν ~ Gamma(α, rate β),  α ~ U(0.5, 5),  β ~ U(0.05, 0.15).

The bounds are vague and taken from the data: see `HierarchicalPrior`. `_hierarchical_gibbs` samples
the posterior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.quantities import Correlation, Count, Natural
from racing.base.special import stdtr
from racing.stats._checks import (
    Floats,
    Rope,
    Several,
    checked,
)
from racing.stats._hierarchical_gibbs import Draws, Folds, HierarchicalPrior, sample
from racing.stats._paired import Paired

__all__ = ["HierarchicalPrior", "HierarchicalT", "hierarchical_t"]


@dataclass(frozen=True, eq=False)
class HierarchicalT:
    """Posterior of the hierarchical correlated t-test; differences are first − second cost.

    `hierarchical_t` returns it.

    Attributes
    ----------
    p_left, p_rope, p_right
        Probability that, on the next data set, the first being practically better is the most
        likely of the three outcomes; that practical equivalence is; that the second is better.
        Without a rope `p_rope` is 0.
    next_left, next_rope, next_right
        Probability of each outcome on the next data set itself.
    standard_error
        Monte Carlo error of the first three, the largest, from the spread of the chains.
    thetas
        (D, 3) draws of the probabilities of the three outcomes, for a simplex plot.
    mu0, sigma0, nu
        (D,) draws of the population's location, scale and degrees of freedom.
    means
        (q,) posterior means of the data sets' mean differences, drawn towards each other.
    rhat
        The largest ratio of the spread between chains to that within, over μ0, log σ0 and log ν;
        near 1 if the chains agree.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import hierarchical_t
    >>> rng = np.random.default_rng(1)
    >>> x, y = rng.normal([[4], [6], [8]], 1, (3, 10)), rng.normal(0, 1, (3, 10))
    >>> found = hierarchical_t(x, y, rho=0.1, rng=rng, rope=0.5, chains=2, draws=50, warmup=9)
    >>> [round(p, 1) for p in (found.p_left, found.p_rope, found.p_right)]
    [0.0, 0.0, 1.0]
    >>> [round(p, 1) for p in (found.next_left, found.next_rope, found.next_right)]
    [0.1, 0.0, 0.9]
    >>> found.means.round().tolist(), found.thetas.shape
    ([4.0, 6.0, 8.0], (100, 3))
    """

    p_left: float
    p_rope: float
    p_right: float
    next_left: float
    next_rope: float
    next_right: float
    standard_error: float
    thetas: Floats
    mu0: Floats
    sigma0: Floats
    nu: Floats
    means: Floats
    rhat: float
    prior: HierarchicalPrior


@checked
def hierarchical_t(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rho: Correlation,
    rng: np.random.Generator,
    rope: Rope = 0.0,
    prior: HierarchicalPrior | None = None,
    chains: Several = 100,
    draws: Count = 100,
    warmup: Natural = 60,
) -> HierarchicalT:
    """Hierarchical Bayesian correlated t-test of x against y over q data sets.

    Parameters
    ----------
    x, y : (q, n) finite costs, lower is better: q ≥ 2 data sets in rows, n ≥ 2 folds in columns.
    rho : correlation of two differences on one data set, n_test / n_total: 1/k for k folds.
    rng : the random stream; the same stream and costs give the same result.
    rope : differences up to this are practically equivalent; in units of cost.
    prior : bounds; by default `HierarchicalPrior.of` the differences.
    chains, draws, warmup : the number of chains, the draws kept of each, and the draws discarded
        before these.

    Raises
    ------
    InputError
        If the costs are not finite numbers of one shape (q, n), or an option is out of range.

    Corani, Benavoli, Demšar, Mangili and Zaffalon (2017), Statistical comparison of classifiers
    through Bayesian hierarchical modelling, Machine Learning 106. The caveat: costs of different
    data sets must be commensurable; with few data sets the scale of the population is vague, and so
    is the prediction of the next one.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import hierarchical_t
    >>> rng = np.random.default_rng(1)
    >>> x, y = rng.normal(0.5, 1, (4, 10)), rng.normal(0, 1, (4, 10))
    >>> found = hierarchical_t(x, y, rho=0.1, rng=rng, chains=2, draws=200, warmup=100)
    >>> round(found.p_left + found.p_rope + found.p_right, 6)
    1.0
    """
    folds = Folds.of(_differences(x, y), rho)
    prior = HierarchicalPrior.of(folds) if prior is None else prior
    if folds.no_difference:  # equal with a rope, else undecided
        each, none = (0.0, 1.0, 0.0) if rope > 0 else (0.5, 0.0, 0.5), np.zeros(1)
        means = np.zeros(folds.mean.size)
        thetas = np.array([each])
        return HierarchicalT(
            *each, *each, 0.0, thetas, none, none, np.full(1, np.inf), means, 1.0, prior
        )
    return _summary(
        sample(folds, prior, rng=rng, chains=chains, draws=draws, warmup=warmup), rope, prior
    )


def _summary(found: Draws, rope: float, prior: HierarchicalPrior) -> HierarchicalT:
    """From draws (chains, draws) of the population to probabilities."""
    left = stdtr(found.nu, (-rope - found.mu0) / found.sigma0)
    right = stdtr(found.nu, (found.mu0 - rope) / found.sigma0)
    inside = np.maximum(0.0, 1.0 - left - right) if rope > 0 else np.zeros_like(left)
    thetas = np.stack([left, inside, right], axis=-1)
    largest = np.stack([thetas.argmax(axis=-1) == k for k in range(3)], axis=-1)
    by_chain = largest.mean(axis=1)
    error = by_chain.std(axis=0, ddof=1).max() / np.sqrt(len(by_chain))
    p, following = by_chain.mean(axis=0).tolist(), thetas.mean(axis=(0, 1)).tolist()
    logs = (found.mu0, np.log(found.sigma0), np.log(found.nu))
    draws = [np.ravel(each) for each in (found.mu0, found.sigma0, found.nu)]
    rest = [float(error), thetas.reshape(-1, 3), *draws, found.means, max(map(_rhat, logs)), prior]
    values: list[Any] = [*p, *following, *rest]
    return HierarchicalT(*values)


def _rhat(draws: Floats) -> float:
    """Gelman and Rubin (1992), without the correction for degrees of freedom."""
    n = draws.shape[1]
    within, between = draws.var(axis=1, ddof=1).mean(), draws.mean(axis=1).var(ddof=1)
    return float(np.sqrt((n - 1) / n + between / within)) if within > 0 else 1.0


def _differences(x: ArrayLike, y: ArrayLike) -> Floats:
    pairs = Paired.of(x, y)
    if np.shape(x) != np.shape(y) or len(pairs.shape) != 1 or min(*pairs.shape, pairs.n) < 2:
        raise InputError(
            "x and y must be costs of one shape (q data sets, n folds), two or more of each; got "
            f"shapes {np.shape(x)} and {np.shape(y)}"
        )
    d = pairs.x - pairs.y
    if not np.isfinite(d).all():
        raise InputError(
            "x and y must be finite for the hierarchical t-test; give failures a finite penalty, "
            "or use the Bayesian sign or signed-rank test"
        )
    return d
