"""Costs as scores over a complete block."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from racing.search.block import (
    agreement,
    block_scores,
    differences,
    pooled_noise,
    probability_better,
)

COSTS = np.array([[1.0, 3.0, 2.0], [5.0, 5.0, 7.0]])


def test_the_mean_takes_costs_as_they_are():
    assert block_scores(COSTS, "mean") is COSTS


def test_ranks_are_shares_of_those_in_the_block_and_ties_share():
    expected = np.array([[1, 3, 2], [1.5, 1.5, 3]]) / 3
    np.testing.assert_allclose(block_scores(COSTS, "rank"), expected)


def test_a_failure_is_one_range_worse_than_the_worst():
    costs = np.array([[1.0, np.inf], [3.0, 2.0]])
    np.testing.assert_array_equal(block_scores(costs, "mean"), [[1, 5], [3, 2]])


@pytest.mark.parametrize("fill", [np.inf, 0.0, 7.0])
@pytest.mark.parametrize("objective", ["mean", "rank"])
def test_equal_columns_have_equal_finite_scores(fill, objective):
    scores = block_scores(np.full((3, 4), fill), objective)
    assert np.isfinite(scores).all()
    assert (scores == scores[0, 0]).all()


def test_differences_are_to_the_best_elite():
    own, block = np.array([2.0, 1.0]), np.array([[1.0, 9.0], [4.0, 9.0]])
    np.testing.assert_array_equal(differences(own, block, "mean"), [1, -3])
    np.testing.assert_allclose(differences(own, block, "rank"), [1 / 3, -1 / 3])


def test_a_challenger_that_fails_where_the_best_does_not_is_far_behind():
    d = differences(np.array([np.inf, 1.0]), np.array([[1.0], [2.0]]), "mean")
    assert d[0] == 2 - 1 + 1
    assert d[1] == -1


def test_the_noise_is_the_variance_of_differences_to_the_first():
    expected = np.mean([np.var([2, 0], ddof=1), np.var([1, 2], ddof=1)])
    assert pooled_noise(COSTS, "mean") == pytest.approx(expected)


@pytest.mark.parametrize("shape", [(1, 3), (3, 1)])
def test_the_noise_is_unknown_from_one_row_or_one_column(shape):
    assert pooled_noise(np.ones(shape), "mean") == 0.0


SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)
"""Shrout and Fleiss (1979), table 2: six targets by four judges."""


def test_agreement_is_the_published_reliability():
    assert agreement(SHROUT_FLEISS.T, "mean") == pytest.approx(0.91, abs=0.005)  # ICC(3, 4)


def test_agreement_is_cronbachs_alpha():
    costs = np.random.default_rng(1).normal(size=(5, 30)) + np.linspace(0, 2, 30)
    n = len(costs)
    alpha = n / (n - 1) * (1 - costs.var(axis=1, ddof=1).sum() / costs.sum(axis=0).var(ddof=1))
    assert agreement(costs, "mean") == pytest.approx(alpha)


def test_levels_of_instances_and_the_unit_do_not_matter():
    shifted = 3 * (SHROUT_FLEISS.T + np.array([[0.0], [100.0], [-5.0], [7.0]]))
    assert agreement(shifted, "mean") == pytest.approx(agreement(SHROUT_FLEISS.T, "mean"))


def test_instances_that_see_the_same_differences_agree_fully():
    assert agreement(np.arange(5.0) + np.array([[0.0], [10.0]]), "mean") == pytest.approx(1)


def test_noise_agrees_on_average_in_nothing():
    rng = np.random.default_rng(2)
    found = [agreement(rng.normal(size=(4, 40)), "mean") for _ in range(400)]
    error = np.std(found) / 20
    # F = MS_configurations / MS_residual, so 1 − 1/F has the mean 1 − (k − 1)/(k − 3)
    assert abs(np.mean(found) - (1 - 39 / 37)) < 4 * error


def test_to_agreement_a_failure_is_one_range_above_the_worst():
    costs = np.array([[1.0, 2, 3, np.inf], [1, 2, 3, np.inf]])
    assert agreement(costs, "mean") == pytest.approx(1)


@pytest.mark.parametrize("costs", [[[1, 2, 3]], [[1, 2], [1, 2]], [[1, 1, 1], [2, 2, 2]]])
def test_agreement_is_0_where_it_says_nothing(costs):
    assert agreement(np.array(costs, float), "mean") == 0
    assert agreement(np.array(costs, float), "rank") == 0


def test_the_probability_is_that_of_the_formula():
    d = np.array([0.3, -0.1, 0.5])
    v = (4 * 0.2 + ((d - d.mean()) ** 2).sum()) / (3 + 3)
    expected = norm.cdf(-d.mean() / math.sqrt(v / 3))
    assert probability_better(d, 0.2, 4.0) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("d", "expected"), [([1.0], 0.0), ([-1.0, -1.0], 1.0), ([0.0], 0.5)])
def test_without_any_noise_the_sign_decides(d, expected):
    assert probability_better(np.array(d), 0.0, 4.0) == expected


def test_without_a_prior_it_is_the_plain_normal_statistic():
    d = np.array([0.3, -0.1, 0.5, 0.2])
    expected = norm.cdf(-d.mean() / math.sqrt(d.var(ddof=1) / 4))
    assert probability_better(d, 123.0, 0.0) == pytest.approx(expected)


def test_an_equal_challenger_is_dropped_at_a_look_about_as_often_as_the_level():
    rng = np.random.default_rng(1)
    for n in (1, 4, 16):
        out = [probability_better(rng.normal(size=n), 1.0, 4.0) <= 0.1 for _ in range(4000)]
        assert abs(np.mean(out) - 0.1) < 0.025
