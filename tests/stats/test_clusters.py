"""Means of groups: a test of them holds its level where one of instances does not."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats.shares import group_means
from racing.stats.wilcoxon import wilcoxon

INF = np.inf


def test_means_by_hand():
    costs = np.array([[1.0, 2.0], [3.0, 5.0], [0.0, 4.0]])
    assert group_means(costs, ["a", "b", "a"]).tolist() == [[0.5, 3.0], [3.0, 5.0]]


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        ([[1.0, INF], [3.0, 5.0]], [3.0, INF]),  # the second failed more often
        ([[1.0, INF], [INF, 5.0], [2.0, 4.0]], [2.0, 4.0]),  # both once: in no mean
        ([[INF, INF]], [INF, INF]),
        ([[1.0, INF]], [0.0, INF]),
        ([[1.0, INF], [INF, 2.0]], [INF, INF]),  # nothing is left to tell them apart
    ],
    ids=["more", "alike", "both", "one", "none left"],
)
def test_a_group_is_lost_by_what_failed_in_it_more_often(costs, expected):
    assert group_means(np.array(costs), ["g"] * len(costs)).tolist() == [expected]


def test_each_instance_needs_its_group():
    with pytest.raises(InputError, match="1 groups for 2 instances"):
        group_means(np.ones((2, 2)), ["a"])


def test_the_level_holds_where_instances_of_a_group_are_alike():
    """20 documents with 10 questions, ρ = .5, and no difference: 5 % are to be rejected."""
    rng = np.random.default_rng(4)
    groups, rejected = np.repeat(np.arange(20), 10).tolist(), np.zeros(2)
    for _ in range(400):
        document = rng.normal(size=20).repeat(10)
        d = np.column_stack([np.zeros(200), document + rng.normal(size=200)])
        means = group_means(d, groups)
        rejected += wilcoxon(*means.T).pvalue < 0.05, wilcoxon(*d.T).pvalue < 0.05
    assert 0.03 < rejected[0] / 400 < 0.07
    assert rejected[1] / 400 > 0.25
