"""Sizes of differences: counts of wins, and effects equal to those of the statistics."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare
from racing.analysis.compare.paired import counts
from racing.stats import median_difference, vargha_delaney

X = np.array([[1.0, 2.0, 2.0], [3.0, 1.0, 5.0], [4.0, 4.0, 6.0], [0.0, 3.0, 1.0]])


@pytest.mark.parametrize("pairs", [([0], [1]), ([0, 0, 1], [1, 2, 2])], ids=["one", "all"])
def test_wins_ties_and_losses_count_every_instance_once(pairs):
    first, second = (np.array(each) for each in pairs)
    won, tied, lost = counts(as_table(X), first, second)
    a, b = X[:, first], X[:, second]
    np.testing.assert_array_equal(won, (a < b).sum(axis=0))
    np.testing.assert_array_equal(tied, (a == b).sum(axis=0))
    np.testing.assert_array_equal(lost, (a > b).sum(axis=0))


def test_effects_are_those_of_the_statistics():
    found = compare(X, control="A1").effects
    other = vargha_delaney(X[:, 1], X[:, 0], paired=True)
    assert found.a[0] == pytest.approx(other.a)
    assert found.a_low[0] == pytest.approx(other.low)
    located = median_difference(X[:, 1], X[:, 0], estimator="hodges-lehmann")
    assert found.difference[0] == pytest.approx(located.estimate)


def test_ranks_have_no_difference_of_scores():
    ranks = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0], [1.0, 2.0, 3.0]])
    found = compare(ranks, ranked=True).effects
    assert np.isnan(found.difference).all()
    assert not np.isnan(found.a).any()
