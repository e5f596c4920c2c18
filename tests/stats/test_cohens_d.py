"""Cohen's d: its definition, Student's t, normal costs and failures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel

from racing.base.errors import InputError
from racing.stats import cohens_d

X, Y = [2.0, 4.0, 7.0, 3.0, 9.0], [6.0, 8.0, 7.0, 11.0]


def test_it_is_the_difference_over_the_pooled_deviation():
    pooled = np.sqrt((4 * np.var(X, ddof=1) + 3 * np.var(Y, ddof=1)) / 7)
    assert cohens_d(X, Y) == pytest.approx((8.0 - 5.0) / pooled)
    assert cohens_d(X, Y) == pytest.approx(-cohens_d(Y, X))


def test_that_of_the_differences_is_t_over_the_root_of_n():
    x, y = np.array(X[:4]), np.array(Y)
    t = ttest_rel(y, x).statistic
    assert cohens_d(x, y, standardizer="differences") == pytest.approx(t / 2)


def test_it_estimates_the_difference_of_normal_means_in_deviations():
    rng = np.random.default_rng(0)
    x, y = rng.normal(0.0, 2.0, 4000), rng.normal(1.0, 2.0, 4000)
    assert cohens_d(x, y) == pytest.approx(0.5, abs=0.05)


def test_an_outlier_hides_the_difference():
    assert abs(cohens_d([*X, 1e6], [*Y, 1e6])) < 0.2


def test_edges():
    assert cohens_d([1.0, 1.0], [1.0, 1.0]) == 0.0
    assert cohens_d([1.0, 1.0], [2.0, 2.0]) == np.inf
    with pytest.raises(InputError, match="two or more"):
        cohens_d([1.0], [1.0, 2.0])
    with pytest.raises(InputError, match="failures"):
        cohens_d([1.0, np.inf], [1.0, 2.0])
