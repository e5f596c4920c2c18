"""What follows from the p-values of a comparison: matrices, joined pairs, groups and bars."""

from __future__ import annotations

import numpy as np

from racing.analysis.compare import compare
from tests.analysis.compare.comparisons import some


def test_matrices_hold_the_p_value_of_each_pair_on_both_sides():
    c = compare(some())
    for matrix, values in ((c.pvalues, c.family.pvalues), (c.adjusted, c.family.adjusted)):
        np.testing.assert_array_equal(matrix, matrix.T)
        np.testing.assert_array_equal(matrix[c.family.first, c.family.second], values)


def test_pairs_not_shown_to_differ_are_joined():
    c = compare(some())
    np.testing.assert_array_equal(c.significant, c.family.adjusted <= c.choices.alpha)
    joined = c.joined[c.family.first, c.family.second]
    np.testing.assert_array_equal(joined, ~c.significant)


def test_the_order_is_that_of_mean_ranks_and_groups_hold_joined_pairs_only():
    c = compare(some())
    assert list(c.order) == np.argsort(c.mean_ranks, kind="stable").tolist()
    assert c.groups
    assert all(c.joined[i, j] for group in c.groups for i in group for j in group if i != j)
    assert {frozenset(bar) for bar in c.bars} <= {frozenset(group) for group in c.groups}
