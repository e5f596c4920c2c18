"""Gibbs sampling for `hierarchical`: many chains side by side, as arrays of shape (chains, q).

A Student variable is a normal one with a random precision, so with weights w_i ~ Gamma(ν/2, ν/2),
μ_i ~ N(μ0, σ0²/w_i), and everything but ν and σ0 has a textbook distribution. One sweep:

1. (σ0, μ0, μ) given σ and w, as one block: the means of the folds are N(μ0, c·σ_i² + σ0²/w_i),
   where c = (1 + (n − 1)ρ)/n is what averaging leaves of a fold's variance. σ0 is drawn with μ0 and
   μ integrated out (given them it would hardly move), then μ0, then μ.
2. σ_i given μ_i: 1/σ_i² is a gamma variable.
3. (ν, w) given μ, as one block: ν with w integrated out, then w.

σ0 and ν are drawn by slice sampling on a logarithmic scale (Neal, 2003), for all chains at once.

The hierarchical correlated t-test of two algorithms on many data sets, by cross-validation.

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

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.quantities import Correlation, Count, Natural
from racing.base.special import gammaln, log_ndtr, ndtr, ndtri, stdtr
from racing.stats._checks import Floats, Rope, Several, checked
from racing.stats._samples import Paired

_ALPHA, _BETA = (0.5, 5.0), (0.05, 0.15)  # hyperpriors of ν, Corani et al. (2017)
_LOG_NU = (np.log(1e-2), np.log(1e3))  # the prior leaves less than 1e-3 outside
_WIDTH = 2.5  # of the first slice, in logarithms
_LEAST = 1e-9  # of the bound of σ0: a smaller scale counts as none


@dataclass(frozen=True, eq=False)
class Folds:
    """The mean and the squared deviations of the differences, per data set.

    Arrays have shape (q,), or (chains, q) where every chain has data of its own.
    """

    mean: Floats
    squares: Floats  # Σ (d − mean)²
    largest: float  # |d|
    n: int
    rho: float

    @classmethod
    def of(cls, d: Floats, rho: float) -> Folds:
        """From differences (..., q, n)."""
        mean = d.mean(axis=-1)
        squares = ((d - mean[..., None]) ** 2).sum(axis=-1)
        # differences that vary less than their rounding are all the same
        noise = (8 * np.finfo(np.float64).eps * np.abs(d).max(axis=-1)) ** 2 * d.shape[-1]
        return cls(mean, np.where(squares <= noise, 0.0, squares), float(np.abs(d).max()),
                   d.shape[-1], rho)  # fmt: skip

    @property
    def share(self) -> float:
        """The variance of a mean of n correlated differences, in units of σ²."""
        return (1.0 + (self.n - 1) * self.rho) / self.n


@dataclass(frozen=True)
class HierarchicalPrior:
    """Bounds of the uniform priors, in units of cost.

    `hierarchical_t` takes it.

    Attributes
    ----------
    location
        l: μ0 lies between −l and l.
    sigma
        σ̄: the largest standard deviation of the differences on a data set.
    scale
        s̄0: the largest scale of the population.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import HierarchicalPrior, hierarchical_t
    >>> prior = HierarchicalPrior(location=5, sigma=10, scale=20)
    >>> rng = np.random.default_rng(1)
    >>> x, y = rng.normal(1, 1, (3, 10)), rng.normal(0, 1, (3, 10))
    >>> found = hierarchical_t(x, y, rho=0.1, rng=rng, prior=prior, chains=2, draws=10, warmup=9)
    >>> bool(abs(found.mu0).max() < prior.location)
    True
    """

    location: float
    sigma: float
    scale: float

    def __post_init__(self) -> None:
        if not all(np.isfinite(v) and v >= 0 for v in (self.location, self.sigma, self.scale)):
            raise InputError(f"prior must be finite bounds, 0 or more; got {self}")

    @classmethod
    def of(cls, folds: Folds) -> HierarchicalPrior:
        """The authors' choice: 1000 times the mean standard deviation within data sets, and 1000
        times that of the means; μ0 within the largest difference. Where all means agree, the error
        of a mean stands for their standard deviation.
        """
        within = float(np.sqrt(folds.squares / (folds.n - 1)).mean())
        among = float(folds.mean.std(ddof=1))
        among = among if among > 0 else within * np.sqrt(folds.share) or folds.largest
        return cls(folds.largest, 1000.0 * within, 1000.0 * among)


class Chains:
    """Many chains: mu, sigma and weights of shape (chains, q); mu0, sigma0 and nu of (chains, 1).

    They start apart, with tails and scales from their whole plausible range.
    """

    def __init__(self, folds: Folds, prior: HierarchicalPrior, chains: int, rng: Generator) -> None:
        self.folds, self.prior, self.rng = folds, prior, rng
        shape, column = (chains, folds.mean.shape[-1]), (chains, 1)
        mean = np.broadcast_to(folds.mean, shape)
        sigma = np.broadcast_to(np.sqrt(folds.squares / (folds.n - 1)), shape)
        self.mu, self.sigma = mean.copy(), np.minimum(sigma, prior.sigma)
        self.weights: Floats = np.ones(shape)
        self.mu0 = mean.mean(axis=1, keepdims=True)
        spread = np.maximum(mean.std(axis=1, keepdims=True), 1e-6 * prior.scale)
        sigma0 = spread * np.exp(rng.normal(size=column))
        self.sigma0 = np.clip(sigma0, _LEAST * prior.scale, prior.scale)
        self.nu = np.exp(rng.uniform(0.0, 4.0, column))

    def sample(self, draws: int, warmup: int) -> tuple[Floats, Floats]:
        """(3, chains, draws) of μ0, σ0 and ν, and the mean of each data set's mean, (q,).

        The first `warmup` sweeps are discarded.
        """
        kept, total = np.empty((3, len(self.mu), draws)), np.zeros_like(self.mu)
        for at in range(-warmup, draws):
            self.population()
            self.deviations()
            self.freedom()
            if at >= 0:
                kept[:, :, at] = self.mu0[:, 0], self.sigma0[:, 0], self.nu[:, 0]
                total += self.mu
        return kept, total.mean(axis=0) / draws

    def population(self) -> None:
        """Step 1: σ0, μ0 and the means of the data sets."""
        noise = self.folds.share * self.sigma**2
        mean, weights, prior = self.folds.mean, self.weights, self.prior

        def moments(sigma0: Floats) -> tuple[Floats, Floats, Floats]:
            variance = noise + sigma0**2 / weights
            precision = (1.0 / variance).sum(axis=1, keepdims=True)
            centre = (mean / variance).sum(axis=1, keepdims=True) / precision
            return variance, precision, centre

        def log_density(log_sigma0: Floats) -> Floats:
            """Log density of log σ0, with μ0 integrated out, without the bounds of its prior."""
            variance, precision, centre = moments(np.exp(log_sigma0))
            fit = np.log(variance) + (mean - centre) ** 2 / variance
            inside = _log_mass(centre, precision, prior.location)
            total = fit.sum(axis=1, keepdims=True) + np.log(precision)
            return np.asarray(log_sigma0 - 0.5 * total + inside)  # + log σ0: uniform in σ0

        support = np.log(_LEAST * prior.scale), np.log(prior.scale)
        self.sigma0 = np.exp(slice_draw(np.log(self.sigma0), log_density, support, self.rng))
        variance, precision, centre = moments(self.sigma0)
        self.mu0 = self._cut_normal(centre, precision)
        pull = self.sigma0**2 / weights / variance
        spread = np.sqrt(noise * pull)
        self.mu = self.mu0 + pull * (mean - self.mu0) + spread * self.rng.normal(size=self.mu.shape)

    def _cut_normal(self, centre: Floats, precision: Floats) -> Floats:
        """Normal draws between the bounds of μ0, by the inverse of the distribution function."""
        root, bound = np.sqrt(precision), self.prior.location
        low, high = ndtr((-bound - centre) * root), ndtr((bound - centre) * root)
        u = low + (high - low) * self.rng.uniform(size=centre.shape)
        draws = centre + ndtri(np.clip(u, 1e-300, 1.0 - 1e-16)) / root
        return np.clip(draws, -bound, bound)

    def deviations(self) -> None:
        """Step 2: σ_i, which is 0 where all differences are the same.

        dᵀM⁻¹d = squares/(1 − ρ) + (mean − μ)²/share, and with σ uniform 1/σ² is Gamma((n − 1)/2).
        """
        folds = self.folds
        total = folds.squares / (1.0 - folds.rho) + (folds.mean - self.mu) ** 2 / folds.share
        known = np.broadcast_to(folds.squares == 0.0, self.mu.shape)
        sigma = np.full(self.mu.shape, np.inf)
        again = ~known
        for _ in range(1000):  # the bound is far away, so few draws are rejected
            if not again.any():
                break
            gamma = self.rng.standard_gamma((folds.n - 1) / 2, size=self.mu.shape)
            drawn = np.sqrt(0.5 * total / gamma)
            sigma[again] = drawn[again]
            again = again & (sigma > self.prior.sigma)
        self.sigma = np.where(known, 0.0, np.minimum(sigma, self.prior.sigma))

    def freedom(self) -> None:
        """Step 3: degrees of freedom and weights."""
        squares = ((self.mu - self.mu0) / self.sigma0) ** 2

        def log_density(log_nu: Floats) -> Floats:
            nu = np.exp(log_nu)
            constant = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * np.log(nu)
            each = constant - (nu + 1) / 2 * np.log1p(squares / nu)
            return np.asarray(each.sum(axis=1, keepdims=True) + log_nu + log_prior_nu(nu))

        self.nu = np.exp(slice_draw(np.log(self.nu), log_density, _LOG_NU, self.rng))
        rate = (self.nu + squares) / 2
        self.weights = self.rng.standard_gamma((self.nu + 1) / 2, size=squares.shape) / rate


def _log_mass(centre: Floats, precision: Floats, bound: float) -> Floats:
    """The logarithm of P(|N(centre, 1/precision)| < bound)."""
    root = np.sqrt(precision)
    low, high = (-bound - centre) * root, (bound - centre) * root
    away = np.maximum(low, -high)  # beyond the bound by so much: the mass is in one tail
    middle = np.maximum(ndtr(high) - ndtr(low), 1e-300)
    return np.asarray(np.where(away > 5.0, log_ndtr(-away), np.log(middle)))


def slice_draw(
    x: Floats, log_density: Callable[[Floats], Floats], support: tuple[float, float], rng: Generator
) -> Floats:
    """One slice-sampling step of each chain, (chains, 1): step out, then shrink. Neal (2003)."""
    level = log_density(x) - rng.standard_exponential(x.shape)
    low = x - _WIDTH * rng.uniform(size=x.shape)
    ends = []
    for end, step, bound in zip((low, low + _WIDTH), (-_WIDTH, _WIDTH), support, strict=True):
        end = np.clip(end, *support)
        while (inside := (log_density(end) >= level) & (end != bound)).any():
            end = np.where(inside, np.clip(end + step, *support), end)
        ends.append(end)
    low, high = ends
    drawn = x.copy()
    left = np.ones(x.shape, dtype=bool)
    while left.any():
        proposal = np.where(left, low + (high - low) * rng.uniform(size=x.shape), drawn)
        taken = left & (log_density(proposal) >= level)
        drawn[taken] = proposal[taken]
        left &= ~taken
        low = np.where(left & (proposal < x), proposal, low)
        high = np.where(left & (proposal >= x), proposal, high)
        left &= high - low > 1e-14  # only the old value is left
    return drawn


def log_prior_nu(nu: Floats) -> Floats:
    """log p(ν), with α and β integrated out; from a fine table, linear in log ν."""
    return np.interp(np.log(nu), _TABLE_AT, _TABLE)


def _prior_table() -> tuple[Floats, Floats]:
    """∫∫ Gamma(ν; α, rate β) dα dβ over the two uniform hyperpriors, by Gauss-Legendre."""
    at = np.linspace(*_LOG_NU, 2001)
    nodes, node_weights = np.polynomial.legendre.leggauss(24)
    a = _ALPHA[0] + (_ALPHA[1] - _ALPHA[0]) * (nodes[:, None] + 1) / 2
    b = _BETA[0] + (_BETA[1] - _BETA[0]) * (nodes[None, :] + 1) / 2
    weights = node_weights[:, None] * node_weights[None, :] / 4
    nu = np.exp(at)[:, None, None]
    density = np.exp(a * np.log(b) - gammaln(a) + (a - 1) * np.log(nu) - b * nu)
    return at, np.log((weights * density).sum(axis=(1, 2)))


_TABLE_AT, _TABLE = _prior_table()


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
    rng: Generator,
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
    if folds.largest == 0:  # equal with a rope, else undecided
        each, none = (0.0, 1.0, 0.0) if rope > 0 else (0.5, 0.0, 0.5), np.zeros(1)
        means = np.zeros(folds.mean.size)
        thetas = np.array([each])
        return HierarchicalT(
            *each, *each, 0.0, thetas, none, none, np.full(1, np.inf), means, 1.0, prior
        )
    kept, means = Chains(folds, prior, chains, rng).sample(draws, warmup)
    mu0, sigma0, nu = kept
    left, right = stdtr(nu, (-rope - mu0) / sigma0), stdtr(nu, (mu0 - rope) / sigma0)
    inside = np.maximum(0.0, 1.0 - left - right) if rope > 0 else np.zeros_like(left)
    thetas = np.stack([left, inside, right], axis=-1)
    largest = np.stack([thetas.argmax(axis=-1) == k for k in range(3)], axis=-1)
    by_chain = largest.mean(axis=1)
    error = by_chain.std(axis=0, ddof=1).max() / np.sqrt(len(by_chain))
    p, following = by_chain.mean(axis=0).tolist(), thetas.mean(axis=(0, 1)).tolist()
    rhat = max(map(_rhat, (mu0, np.log(sigma0), np.log(nu))))
    values: list[Any] = [
        *p, *following, float(error), thetas.reshape(-1, 3), *map(np.ravel, kept), means, rhat,
        prior,
    ]  # fmt: skip
    return HierarchicalT(*values)


def _rhat(draws: Floats) -> float:
    """Gelman and Rubin (1992), without the correction for degrees of freedom."""
    n = draws.shape[1]
    within, between = draws.var(axis=1, ddof=1).mean(), draws.mean(axis=1).var(ddof=1)
    return float(np.sqrt((n - 1) / n + between / within)) if within > 0 else 1.0


def _differences(x: ArrayLike, y: ArrayLike) -> Floats:
    pairs = Paired.of(x, y, means_for="the hierarchical t-test")
    if np.shape(x) != np.shape(y) or len(pairs.shape) != 1 or min(*pairs.shape, pairs.n) < 2:
        raise InputError(
            "x and y must be costs of one shape (q data sets, n folds), two or more of each; got "
            f"shapes {np.shape(x)} and {np.shape(y)}"
        )
    return pairs.x - pairs.y
