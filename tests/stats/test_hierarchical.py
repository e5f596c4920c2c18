"""The hierarchical correlated t-test: calibration, quadrature of a small case, limits, edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammaincc, stdtr, stdtrit
from scipy.stats import chi2, gamma

from racing.base.errors import InputError
from racing.stats import HierarchicalPrior, hierarchical_t
from racing.stats.hierarchical import _LOG_NU, Chains, Folds, log_prior_nu
from tests.stats.correlated_folds import RHO, correlated

PRIOR = HierarchicalPrior(location=1.0, sigma=2.0, scale=1.0)


def by_quadrature(folds, rope):
    """Posterior means over a grid of (μ0, σ0, ν), every data set's mean and deviation integrated
    out: P(next < −rope), P(next > rope), E μ0, E σ0, and the same for "left is the likeliest"."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    mu0, sigma0 = nodes, (nodes + 1) / 2
    tail_nodes, tail_weights = np.polynomial.legendre.leggauss(24)
    log_nu = _LOG_NU[0] + (_LOG_NU[1] - _LOG_NU[0]) * (tail_nodes + 1) / 2
    nu = np.exp(log_nu)
    share, half = (nodes + 1) / 2, (folds.n - 1) / 2
    z = stdtrit(nu[:, None], share)  # ∫ L(μ0 + σ0·z) dF_ν(z)
    mu = mu0[:, None, None, None] + sigma0[:, None, None] * z
    log_posterior = np.log(weights)[:, None, None] + np.log(weights)[:, None]
    log_posterior = log_posterior + np.log(tail_weights) + log_nu + log_prior_nu(nu)
    for mean, squares in zip(folds.mean, folds.squares, strict=True):
        total = squares / (1 - folds.rho) + (mean - mu) ** 2 / folds.share
        likelihood = total**-half * gammaincc(half, total / (2 * PRIOR.sigma**2))
        log_posterior = log_posterior + np.log(likelihood @ (weights / 2))
    p = np.exp(log_posterior - log_posterior.max())
    p /= p.sum()
    left = stdtr(nu, (-rope - mu0[:, None, None]) / sigma0[:, None])
    right = stdtr(nu, (mu0[:, None, None] - rope) / sigma0[:, None])
    likeliest = (left > right) & (left > 1 - left - right)
    return [
        float((p * each).sum())
        for each in (left, right, mu0[:, None, None], sigma0[:, None], likeliest)
    ]


@pytest.mark.parametrize("q", [2, 4])
def test_quadrature_of_a_small_case(q):
    rng = np.random.default_rng(q)
    d = correlated(rng, rng.normal(-0.2, 0.3, q), np.full(q, 0.3), 5)
    found = hierarchical_t(
        d, np.zeros_like(d), rho=RHO, rope=0.1, prior=PRIOR, rng=rng, chains=150, draws=100
    )
    left, right, mu0, sigma0, likeliest = by_quadrature(Folds.of(d, RHO), 0.1)
    assert found.next_left == pytest.approx(left, abs=0.01)
    assert found.next_right == pytest.approx(right, abs=0.01)
    assert found.mu0.mean() == pytest.approx(mu0, abs=0.015)
    assert found.sigma0.mean() == pytest.approx(sigma0, abs=0.015)
    assert found.p_left == pytest.approx(likeliest, abs=0.03)
    assert found.rhat < 1.05


def test_signs_and_shrinkage():
    rng = np.random.default_rng(0)
    truth = rng.normal(-1.0, 0.2, 12)
    x = 10 + correlated(rng, truth, np.full(12, 1.0), 5)
    y = np.full_like(x, 10.0)
    one = hierarchical_t(x, y, rho=RHO, rope=0.05, rng=rng, draws=40)
    two = hierarchical_t(y, x, rho=RHO, rope=0.05, rng=rng, draws=40)
    assert one.p_left > 0.99
    assert two.p_right > 0.99
    assert one.p_left + one.p_rope + one.p_right == pytest.approx(1.0)
    raw = (x - y).mean(axis=1)
    assert ((one.means - truth) ** 2).mean() < ((raw - truth) ** 2).mean()
    assert (one.mu0 < 0).mean() > 0.99


def test_a_wide_rope_holds_everything_and_units_do_not_matter():
    rng = np.random.default_rng(1)
    d = correlated(rng, rng.normal(0, 0.1, 6), np.full(6, 0.1), 4)
    same = [
        hierarchical_t(unit * d, 0 * d, rho=RHO, rope=unit * 1.0, draws=30,
                       rng=np.random.default_rng(2))
        for unit in (1.0, 1e6)
    ]  # fmt: skip
    assert same[0].p_rope > 0.95
    assert same[0].p_rope == pytest.approx(same[1].p_rope, abs=0.02)


def test_the_same_stream_gives_the_same_answer():
    d = np.random.default_rng(0).normal(size=(3, 4))
    one, two = (
        hierarchical_t(d, 0 * d, rho=0.1, rng=np.random.default_rng(5), chains=4, draws=5)
        for _ in range(2)
    )
    assert one.p_left == two.p_left
    assert np.array_equal(one.thetas, two.thetas)


def test_data_sets_without_variation():
    rng = np.random.default_rng(0)
    zero = np.zeros((3, 4))
    equal = hierarchical_t(zero, zero, rho=0.1, rope=0.1, rng=rng)
    assert (equal.p_left, equal.p_rope, equal.p_right) == (0.0, 1.0, 0.0)
    open_ = hierarchical_t(zero, zero, rho=0.1, rng=rng)
    assert (open_.p_left, open_.p_rope, open_.p_right) == (0.5, 0.0, 0.5)
    known = zero + np.array([[-1.0], [-1.1], [-0.9]])
    found = hierarchical_t(known, zero, rho=0.1, rng=rng, draws=30)
    assert found.p_left > 0.9
    assert found.means == pytest.approx([-1.0, -1.1, -0.9])
    alike = hierarchical_t(zero - 1.0, zero, rho=0.1, rng=rng, draws=30)
    assert alike.p_left > 0.9


@pytest.mark.parametrize(
    ("x", "y", "options", "what"),
    [
        (np.ones((1, 4)), np.ones((1, 4)), {}, "two or more of each"),
        (np.ones((3, 1)), np.ones((3, 1)), {}, "two or more of each"),
        (np.ones((3, 4)), np.ones((4, 4)), {}, "of shapes that fit"),
        (np.full((3, 4), np.inf), np.ones((3, 4)), {}, "must be finite"),
        (np.ma.masked_array(np.ones((2, 2)), [[1, 0], [0, 0]]), np.ones((2, 2)), {}, "masked"),
    ],
)
def test_refusals(x, y, options, what):
    with pytest.raises(InputError, match=what):
        hierarchical_t(x, y, **{"rho": 0.1, "rng": np.random.default_rng(0), **options})
    with pytest.raises(InputError, match="bounds"):
        HierarchicalPrior(location=-1.0, sigma=1.0, scale=1.0)


# --- Gibbs sampling of the hierarchical test: its prior, and calibration on simulated data -------


def prior_draws(rng, size):
    """mu0, sigma0 and ν of the prior, ν cut as the sampler cuts it."""
    nu = np.empty(0)
    while nu.size < size:
        more = rng.gamma(rng.uniform(0.5, 5.0, size), 1 / rng.uniform(0.05, 0.15, size))
        nu = np.append(nu, more[(np.log(more) > _LOG_NU[0]) & (np.log(more) < _LOG_NU[1])])
    return rng.uniform(-1, 1, size), rng.uniform(0, 1, size), nu[:size]


def test_the_prior_of_the_degrees_of_freedom():
    nu, rng = np.array([0.5, 3.0, 20.0, 90.0]), np.random.default_rng(0)
    a, b = rng.uniform(0.5, 5.0, 200_000), rng.uniform(0.05, 0.15, 200_000)
    brute = [gamma.pdf(x, a, scale=1 / b).mean() for x in nu]
    assert np.exp(log_prior_nu(nu)) == pytest.approx(brute, rel=0.02)


def test_calibration_on_data_simulated_from_the_model():
    """Talts et al. (2018): where the truth lies among draws of its posterior is uniform.

    Each chain has data of its own, drawn from parameters of the prior.
    """
    sets, q, n, thin, kept = 240, 4, 5, 8, 19
    rng = np.random.default_rng(4)
    mu0, sigma0, nu = prior_draws(rng, sets)
    mu = mu0[:, None] + sigma0[:, None] * rng.standard_t(nu[:, None], (sets, q))
    d = correlated(rng, mu, rng.uniform(0, PRIOR.sigma, (sets, q)), n)
    found, _ = Chains(Folds.of(d, RHO), PRIOR, sets, rng).sample(thin * kept, warmup=40)
    for truth, draws in zip((mu0, sigma0, nu), found, strict=True):
        place = (draws[:, thin - 1 :: thin] < truth[:, None]).sum(axis=1)
        counts = np.bincount(place // 5, minlength=4)
        assert chi2.sf(((counts - sets / 4) ** 2 / (sets / 4)).sum(), 3) > 1e-3
