"""Intervals: their definition, the exact coverage of order statistics, and other libraries."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, binomtest, ttest_1samp

from racing.base.errors import InputError
from racing.stats.effects import median_difference
from racing.stats.intervals import clopper_pearson, newcombe


@pytest.mark.parametrize("n", [1, 5, 6, 20, 51])
def test_the_median_lies_between_order_statistics(n: int) -> None:
    d = np.random.default_rng(n).normal(size=n)
    found, level = median_difference(0 * d, d, estimator="median"), 0.95
    low, high, coverage = found.low, found.high, found.coverage
    assert found.estimate == np.median(d)
    if n < 6:
        assert (low, high, coverage) == (-np.inf, np.inf, 1.0)
        return
    r = int(np.searchsorted(np.sort(d), low))
    assert (low, high) == (np.sort(d)[r], np.sort(d)[n - 1 - r])
    assert coverage == pytest.approx(1 - 2 * binom.cdf(r, n, 0.5))
    assert coverage >= level
    assert 1 - 2 * binom.cdf(r + 1, n, 0.5) < level, "no shorter interval will do"


def test_the_centre_of_symmetry_is_the_median_of_walsh_averages() -> None:
    d = np.random.default_rng(1).normal(0.3, 1, 40)
    found = median_difference(0 * d, d)
    walsh = [(d[i] + d[j]) / 2 for i in range(40) for j in range(i, 40)]
    assert found.estimate == pytest.approx(np.median(walsh))
    assert found.coverage >= 0.95
    student = ttest_1samp(d, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((student.low, student.high), abs=0.15)


def test_too_many_averages_are_refused() -> None:
    with pytest.raises(InputError, match="estimator='median'"):
        median_difference(np.zeros(5001), np.zeros(5001))


@pytest.mark.parametrize(("wins", "n"), [(0, 5), (3, 10), (10, 10), (40, 100)])
def test_clopper_and_pearson_is_that_of_scipy(wins: int, n: int) -> None:
    expected = binomtest(wins, n).proportion_ci(0.9, method="exact")
    assert clopper_pearson(wins, n, 0.9) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("a", [0.0, 0.3, 0.5, 1.0])
def test_newcombe_ends_where_the_equation_holds(a: float) -> None:
    m, n, z2 = 12, 20, 1.959963984540054**2
    for t in newcombe(a, m, n, 0.95):
        spread = t * (1 - t) * (1 + (m + n - 2) / 2 * ((1 - t) / (2 - t) + t / (1 + t))) / (m * n)
        assert (a - t) ** 2 == pytest.approx(z2 * spread, abs=1e-9)
