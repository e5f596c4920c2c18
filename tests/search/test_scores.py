"""Costs as scores over a complete block."""

from __future__ import annotations

import numpy as np
import pytest

from racing.search.scores import block_scores, differences, pooled_noise

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
