"""The paired t-test against scipy, its degenerate cases, and its calibration."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import InputError
from racing.stats.t_tests import paired_t
from tests.stats.columns import of_every_pair

SCIPY = {"two-sided": "two-sided", "better": "less", "worse": "greater"}  # x has lower costs


@pytest.mark.parametrize("alternative", SCIPY)
@pytest.mark.parametrize("n", [2, 3, 30])
def test_agrees_with_scipy(n, alternative):
    rng = np.random.default_rng(n)
    x, y = rng.normal(5, 1, n), rng.normal(5.3, 1, n)
    expected = stats.ttest_rel(x, y, alternative=SCIPY[alternative])
    result = paired_t(x, y, alternative=alternative)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
    assert result.t == pytest.approx(-expected.statistic)
    low, high = stats.ttest_rel(y, x).confidence_interval(0.95)
    assert (result.low, result.high) == pytest.approx((low, high))
    assert result.effect == pytest.approx(np.mean(y - x) / np.std(y - x, ddof=1))


def test_relative_differences():
    """d = (c1 - c2) / ((c1 + c2)/2), Demsar (2006), section 3.1.2."""
    x, y = np.array([1.0, 20.0, 300.0, 0.0]), np.array([1.2, 19.0, 350.0, 0.0])
    with np.errstate(invalid="ignore"):
        d = np.nan_to_num((y - x) / ((x + y) / 2))
    result = paired_t(x, y, difference="relative")
    assert result.pvalue == pytest.approx(stats.ttest_1samp(d, 0).pvalue)
    scaled = paired_t(x * [1, 7, 0.01, 3], y * [1, 7, 0.01, 3], difference="relative")
    assert scaled.t == pytest.approx(result.t)


def test_scores_as_negative_costs_keep_their_direction():
    accuracies = np.array([0.9, 0.8, 0.95]), np.array([0.7, 0.75, 0.9])
    result = paired_t(-accuracies[0], -accuracies[1], difference="relative")
    assert result.t > 0


def test_no_variance():
    assert paired_t([1, 2, 3], [2, 3, 4]).t == np.inf
    assert paired_t([1, 2, 3], [2, 3, 4]).pvalue == 0.0
    assert paired_t([1, 2, 3], [2, 3, 4], alternative="worse").pvalue == 1.0
    assert paired_t([2, 3, 4], [1, 2, 3]).t == -np.inf
    same = paired_t([1, 2, 3], [1, 2, 3])
    assert (same.t, same.pvalue, same.mean, same.low, same.high) == (0.0, 1.0, 0.0, 0.0, 0.0)
    one_sided = paired_t([1, 2, 3], [1, 2, 3], alternative="better")
    assert one_sided.pvalue == 0.5


def test_rounding_noise_is_no_difference():
    assert paired_t(np.full(5, 0.1) + 0.2, np.full(5, 0.3)).pvalue == 1.0
    x = np.array([0.1, 0.7, 1.3, 2.9])
    assert paired_t(x, x + 0.1).t == np.inf


def test_constant_columns():
    result = of_every_pair(paired_t, np.ones((4, 3)))
    assert np.all(result.pvalue == 1.0)
    assert of_every_pair(paired_t, [[1.0], [2.0]]).pvalue.tolist() == [[1.0]]


def test_has_its_level():
    x, y = np.random.default_rng(9).normal(size=(2, 4000, 8))
    assert np.mean(paired_t(x, y).pvalue <= 0.05) == pytest.approx(
        0.05, abs=3 * np.sqrt(0.05 * 0.95 / 4000)
    )


@pytest.mark.parametrize(
    ("x", "y", "options"),
    [
        ([1.0], [2.0], {}),
        ([1.0, np.inf], [2.0, 1.0], {}),
        ([1.0, 1e308], [2.0, -1e308], {}),
        ([1.0, -2.0], [2.0, 1.0], {"difference": "relative"}),
    ],
)
def test_refusals(x, y, options):
    with pytest.raises(InputError):
        paired_t(x, y, **options)
