"""How far instances agree is Cronbach's α of the configurations' mean scores."""

from __future__ import annotations

import numpy as np
import pytest

from racing.search.agreement import agreement

SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)
"""Shrout and Fleiss (1979), table 2: six targets by four judges."""


def test_it_is_the_published_reliability():
    assert agreement(SHROUT_FLEISS.T, "mean") == pytest.approx(0.91, abs=0.005)  # ICC(3, 4)


def test_it_is_cronbachs_alpha():
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


def test_a_failure_is_one_range_above_the_worst():
    costs = np.array([[1.0, 2, 3, np.inf], [1, 2, 3, np.inf]])
    assert agreement(costs, "mean") == pytest.approx(1)


@pytest.mark.parametrize("costs", [[[1, 2, 3]], [[1, 2], [1, 2]], [[1, 1, 1], [2, 2, 2]]])
def test_it_is_0_where_it_says_nothing(costs):
    assert agreement(np.array(costs, float), "mean") == 0
    assert agreement(np.array(costs, float), "rank") == 0
