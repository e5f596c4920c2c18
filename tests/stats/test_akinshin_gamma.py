"""Akinshin's gamma: its definition, quantiles of Harrell and Davis, outliers and failures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import median_abs_deviation
from scipy.stats.mstats import hdquantiles

from racing.base.errors import InputError
from racing.stats import akinshin_gamma
from racing.stats.effects import harrell_davis

X, Y = [2.0, 4.0, 7.0, 3.0, 9.0], [6.0, 8.0, 7.0, 11.0]


def test_it_is_the_difference_of_medians_over_the_pooled_deviation():
    a, b = (median_abs_deviation(v, scale="normal") for v in (X, Y))
    pooled = np.sqrt((4 * a**2 + 3 * b**2) / 7)
    assert akinshin_gamma(X, Y) == pytest.approx((7.5 - 4.0) / pooled)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_quantiles_of_harrell_and_davis(p):
    x = np.random.default_rng(0).normal(size=17)
    assert harrell_davis(x, p) == pytest.approx(float(hdquantiles(x, p)[0]), rel=1e-10)


@pytest.mark.parametrize("estimator", ["sample", "harrell-davis"])
def test_it_estimates_what_cohen_s_d_does_for_normal_costs(estimator):
    rng = np.random.default_rng(0)
    x, y = rng.normal(0.0, 2.0, 4000), rng.normal(1.0, 2.0, 4000)
    for p in (0.3, 0.5, 0.7):
        assert akinshin_gamma(x, y, quantile=p, estimator=estimator) == pytest.approx(0.5, abs=0.1)


def test_it_resists_outliers_and_failures():
    assert akinshin_gamma([*X, 1e6], [*Y, 1e6]) > 0.5
    assert np.isfinite(akinshin_gamma([*X, np.inf], [*Y, np.inf]))


def test_edges():
    assert akinshin_gamma([1.0, 1.0], [1.0, 1.0]) == 0.0
    assert akinshin_gamma([1.0, 1.0], [2.0, 2.0]) == np.inf
    with pytest.raises(InputError, match="two or more"):
        akinshin_gamma([1.0], [1.0, 2.0])
    with pytest.raises(InputError, match="Vargha"):
        akinshin_gamma([np.inf, np.inf, 1.0], [1.0, 2.0])
