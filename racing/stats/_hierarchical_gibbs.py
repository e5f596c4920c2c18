"""Gibbs sampling for `hierarchical`: many chains side by side, as arrays of shape (chains, q).

A Student variable is a normal one with a random precision, so with weights w_i ~ Gamma(ν/2, ν/2),
μ_i ~ N(μ0, σ0²/w_i), and everything but ν and σ0 has a textbook distribution. One sweep:

1. (σ0, μ0, μ) given σ and w, as one block: the means of the folds are N(μ0, c·σ_i² + σ0²/w_i),
   where c = (1 + (n − 1)ρ)/n is what averaging leaves of a fold's variance. σ0 is drawn with μ0 and
   μ integrated out (given them it would hardly move), then μ0, then μ.
2. σ_i given μ_i: 1/σ_i² is a gamma variable.
3. (ν, w) given μ, as one block: ν with w integrated out, then w.

σ0 and ν are drawn by slice sampling on a logarithmic scale (Neal, 2003), for all chains at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from racing.base.errors import InputError
from racing.base.special import gammaln, log_ndtr, ndtr, ndtri
from racing.stats._checks import Floats

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
    def no_difference(self) -> bool:
        """Whether all differences are zero."""
        return self.largest == 0.0

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


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of the population, (chains, draws), and posterior means of the data sets' means."""

    mu0: Floats
    sigma0: Floats
    nu: Floats
    means: Floats


@dataclass(eq=False)
class _State:
    mu: Floats  # (chains, q)
    sigma: Floats
    weights: Floats
    mu0: Floats  # (chains, 1)
    sigma0: Floats
    nu: Floats


def sample(
    folds: Folds,
    prior: HierarchicalPrior,
    *,
    rng: np.random.Generator,
    chains: int,
    draws: int,
    warmup: int,
) -> Draws:
    """Run the chains; the first `warmup` sweeps are discarded."""
    state = _start(folds, prior, chains, rng)
    kept = np.empty((3, chains, draws))
    total = np.zeros_like(state.mu)
    for at in range(-warmup, draws):
        _population(state, folds, prior, rng)
        _deviations(state, folds, prior, rng)
        _tails(state, rng)
        if at >= 0:
            kept[:, :, at] = state.mu0[:, 0], state.sigma0[:, 0], state.nu[:, 0]
            total += state.mu
    return Draws(kept[0], kept[1], kept[2], total.mean(axis=0) / draws)


def _start(folds: Folds, prior: HierarchicalPrior, chains: int, rng: np.random.Generator) -> _State:
    """Start the chains apart, with tails and scales from their whole plausible range."""
    shape = (chains, folds.mean.shape[-1])
    mean = np.broadcast_to(folds.mean, shape)
    sigma = np.broadcast_to(np.sqrt(folds.squares / (folds.n - 1)), shape)
    column = (chains, 1)
    spread = np.maximum(mean.std(axis=1, keepdims=True), 1e-6 * prior.scale)
    sigma0 = np.clip(spread * np.exp(rng.normal(size=column)), _LEAST * prior.scale, prior.scale)
    nu = np.exp(rng.uniform(0.0, 4.0, column))
    return _State(
        mean.copy(), np.minimum(sigma, prior.sigma), np.ones(shape),
        mean.mean(axis=1, keepdims=True), sigma0, nu,
    )  # fmt: skip


def _population(
    state: _State, folds: Folds, prior: HierarchicalPrior, rng: np.random.Generator
) -> None:
    """Step 1: σ0, μ0 and the means of the data sets."""
    noise = folds.share * state.sigma**2
    mean, weights = folds.mean, state.weights

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
    state.sigma0 = np.exp(slice_draw(np.log(state.sigma0), log_density, support, rng))
    variance, precision, centre = moments(state.sigma0)
    state.mu0 = _cut_normal(centre, precision, prior.location, rng)
    between = state.sigma0**2 / weights
    pull = between / variance
    spread = np.sqrt(noise * pull)
    state.mu = state.mu0 + pull * (mean - state.mu0) + spread * rng.normal(size=state.mu.shape)


def _log_mass(centre: Floats, precision: Floats, bound: float) -> Floats:
    """The logarithm of P(|N(centre, 1/precision)| < bound)."""
    root = np.sqrt(precision)
    low, high = (-bound - centre) * root, (bound - centre) * root
    away = np.maximum(low, -high)  # beyond the bound by so much: the mass is in one tail
    middle = np.maximum(ndtr(high) - ndtr(low), 1e-300)
    return np.asarray(np.where(away > 5.0, log_ndtr(-away), np.log(middle)))


def _cut_normal(
    centre: Floats, precision: Floats, bound: float, rng: np.random.Generator
) -> Floats:
    """Normal draws between −bound and bound, by the inverse of the distribution function."""
    root = np.sqrt(precision)
    low, high = ndtr((-bound - centre) * root), ndtr((bound - centre) * root)
    u = low + (high - low) * rng.uniform(size=centre.shape)
    draws = centre + ndtri(np.clip(u, 1e-300, 1.0 - 1e-16)) / root
    return np.clip(draws, -bound, bound)


def _deviations(
    state: _State, folds: Folds, prior: HierarchicalPrior, rng: np.random.Generator
) -> None:
    """Step 2: σ_i, which is 0 where all differences are the same.

    dᵀM⁻¹d = squares/(1 − ρ) + (mean − μ)²/share, and with σ uniform 1/σ² is Gamma((n − 1)/2).
    """
    total = folds.squares / (1.0 - folds.rho) + (folds.mean - state.mu) ** 2 / folds.share
    known = np.broadcast_to(folds.squares == 0.0, state.mu.shape)
    sigma = np.full(state.mu.shape, np.inf)
    again = ~known
    for _ in range(1000):  # the bound is far away, so few draws are rejected
        if not again.any():
            break
        gamma = rng.standard_gamma((folds.n - 1) / 2, size=state.mu.shape)
        drawn = np.sqrt(0.5 * total / gamma)
        sigma[again] = drawn[again]
        again = again & (sigma > prior.sigma)
    state.sigma = np.where(known, 0.0, np.minimum(sigma, prior.sigma))


def _tails(state: _State, rng: np.random.Generator) -> None:
    """Step 3: degrees of freedom and weights."""
    squares = ((state.mu - state.mu0) / state.sigma0) ** 2

    def log_density(log_nu: Floats) -> Floats:
        nu = np.exp(log_nu)
        constant = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * np.log(nu)
        each = constant - (nu + 1) / 2 * np.log1p(squares / nu)
        return np.asarray(each.sum(axis=1, keepdims=True) + log_nu + log_prior_nu(nu))

    state.nu = np.exp(slice_draw(np.log(state.nu), log_density, _LOG_NU, rng))
    rate = (state.nu + squares) / 2
    state.weights = rng.standard_gamma((state.nu + 1) / 2, size=squares.shape) / rate


def slice_draw(
    x: Floats,
    log_density: Callable[[Floats], Floats],
    support: tuple[float, float],
    rng: np.random.Generator,
) -> Floats:
    """One slice-sampling step of each chain, (chains, 1): step out, then shrink. Neal (2003)."""
    level = log_density(x) - rng.standard_exponential(x.shape)
    low = x - _WIDTH * rng.uniform(size=x.shape)
    high = low + _WIDTH
    low = _step_out(low, -_WIDTH, level, log_density, support)
    high = _step_out(high, _WIDTH, level, log_density, support)
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


def _step_out(
    end: Floats,
    step: float,
    level: Floats,
    log_density: Callable[[Floats], Floats],
    support: tuple[float, float],
) -> Floats:
    """Move an end of the slices outwards until it is below the level, or at the support's end."""
    end = np.clip(end, *support)
    bound = support[0] if step < 0 else support[1]
    while (inside := (log_density(end) >= level) & (end != bound)).any():
        end = np.where(inside, np.clip(end + step, *support), end)
    return end


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
