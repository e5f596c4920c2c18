"""Gibbs sampling of the hierarchical test: its prior, and calibration on simulated data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2, gamma

from racing.stats import HierarchicalPrior
from racing.stats._hierarchical_gibbs import _LOG_NU, Folds, log_prior_nu, sample
from tests.stats.correlated_folds import RHO, correlated

PRIOR = HierarchicalPrior(location=1.0, sigma=2.0, scale=1.0)


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
    found = sample(Folds.of(d, RHO), PRIOR, rng=rng, chains=sets, draws=thin * kept, warmup=40)
    for truth, draws in ((mu0, found.mu0), (sigma0, found.sigma0), (nu, found.nu)):
        place = (draws[:, thin - 1 :: thin] < truth[:, None]).sum(axis=1)
        counts = np.bincount(place // 5, minlength=4)
        assert chi2.sf(((counts - sets / 4) ** 2 / (sets / 4)).sum(), 3) > 1e-3
