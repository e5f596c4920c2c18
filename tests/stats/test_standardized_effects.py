"""Cohen's d and Akinshin's gamma: definitions, published numbers, agreement for normal costs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import median_abs_deviation
from scipy.stats.mstats import hdquantiles

from racing.errors import InputError
from racing.stats import akinshin_gamma, cohens_d

X, Y = [2.0, 4.0, 7.0, 3.0, 9.0], [6.0, 8.0, 7.0, 11.0]


def test_cohen_s_d_is_the_difference_over_the_pooled_deviation():
    pooled = np.sqrt((4 * np.var(X, ddof=1) + 3 * np.var(Y, ddof=1)) / 7)
    assert cohens_d(X, Y) == pytest.approx((8.0 - 5.0) / pooled)
    assert cohens_d(X, Y) == pytest.approx(-cohens_d(Y, X))


def test_cohen_s_d_of_the_differences_is_t_over_the_root_of_n():
    from scipy.stats import ttest_rel

    x, y = np.array(X[:4]), np.array(Y)
    t = ttest_rel(y, x).statistic
    assert cohens_d(x, y, standardizer="differences") == pytest.approx(t / 2)


def test_gamma_is_the_difference_of_medians_over_the_pooled_deviation():
    a, b = (median_abs_deviation(v, scale="normal") for v in (X, Y))
    pooled = np.sqrt((4 * a**2 + 3 * b**2) / 7)
    assert akinshin_gamma(X, Y) == pytest.approx((7.5 - 4.0) / pooled)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_quantiles_of_harrell_and_davis(p):
    from racing.stats.akinshin_gamma import harrell_davis

    x = np.random.default_rng(0).normal(size=17)
    assert harrell_davis(x, p) == pytest.approx(float(hdquantiles(x, p)[0]), rel=1e-10)


@pytest.mark.parametrize("estimator", ["sample", "harrell-davis"])
def test_both_estimate_the_same_number_for_normal_costs(estimator):
    rng = np.random.default_rng(0)
    x, y = rng.normal(0.0, 2.0, 4000), rng.normal(1.0, 2.0, 4000)
    assert cohens_d(x, y) == pytest.approx(0.5, abs=0.05)
    for p in (0.3, 0.5, 0.7):
        assert akinshin_gamma(x, y, quantile=p, estimator=estimator) == pytest.approx(0.5, abs=0.1)


def test_gamma_resists_an_outlier():
    assert akinshin_gamma([*X, 1e6], [*Y, 1e6]) > 0.5
    assert abs(cohens_d([*X, 1e6], [*Y, 1e6])) < 0.2
    assert np.isfinite(akinshin_gamma([*X, np.inf], [*Y, np.inf]))


def test_edges():
    for function in (cohens_d, akinshin_gamma):
        assert function([1.0, 1.0], [1.0, 1.0]) == 0.0
        assert function([1.0, 1.0], [2.0, 2.0]) == np.inf
        with pytest.raises(InputError, match="at least two"):
            function([1.0], [1.0, 2.0])
    with pytest.raises(InputError, match="failures"):
        cohens_d([1.0, np.inf], [1.0, 2.0])
    with pytest.raises(InputError, match="Vargha"):
        akinshin_gamma([np.inf, np.inf, 1.0], [1.0, 2.0])
