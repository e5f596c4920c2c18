"""Differences of shares: published numbers, brute force, coverage."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from racing.base.errors import InputError
from racing.stats import share_difference
from racing.stats.sign import group_means
from racing.stats.wilcoxon import wilcoxon


def answers(both: int, first: int, second: int, neither: int) -> tuple[np.ndarray, np.ndarray]:
    """Costs of two sides: so many items that both, only one, or neither has right."""
    x = np.repeat([0, 0, 1, 1], [both, first, second, neither])
    return x, np.repeat([0, 1, 0, 1], [both, first, second, neither])


def test_bonett_and_price_by_hand():
    found = share_difference(*answers(1, 7, 3, 9))
    p, q = 8 / 22, 4 / 22
    half = 1.959964 * np.sqrt((p + q - (p - q) ** 2) / 22)
    assert (found.difference, found.wins, found.losses) == (0.2, 7, 3)
    np.testing.assert_allclose([found.low, found.high], [p - q - half, p - q + half], rtol=1e-6)


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (5, 0), (7, 3), (30, 12)])
def test_mcnemar_is_the_binomial_test_of_what_is_decided(wins, losses):
    found = share_difference(*answers(20, wins, losses, 4))
    expected = scipy.stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert found.pvalue == pytest.approx(expected)


def test_scores_that_are_maximized_give_the_same():
    right, other = answers(5, 6, 2, 4)
    one = share_difference(right, other)
    assert share_difference(-(1 - right), -(1 - other)) == one
    assert share_difference(other, right).difference == -one.difference


def test_the_clustered_error_is_the_double_sum():
    """Miller (2024), section 3: the variance, and products of items in one group."""
    rng = np.random.default_rng(1)
    x, y = (rng.integers(0, 2, 60) for _ in range(2))
    x[:20] = 0  # groups differ
    groups = np.repeat(np.arange(12), 5)
    e = (y - x) - (y - x).mean()
    same = groups[:, None] == groups
    expected = np.sqrt(12 / 11 * (np.outer(e, e) * same).sum()) / 60
    found = share_difference(x, y, groups=groups.tolist())
    assert found.groups == 12
    assert found.standard_error == pytest.approx(expected)
    assert found.high - found.low == pytest.approx(2 * scipy.stats.t.ppf(0.975, 11) * expected)


def test_copies_of_items_in_one_group_are_no_news():
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 2, 80), rng.integers(0, 2, 80)
    alone = share_difference(x, y, groups=range(80))
    copied = share_difference(np.repeat(x, 9), np.repeat(y, 9), groups=np.repeat(range(80), 9))
    assert copied.standard_error == pytest.approx(alone.standard_error, rel=0.02)
    careless = share_difference(np.repeat(x, 9), np.repeat(y, 9))
    assert careless.standard_error < 0.4 * copied.standard_error


@pytest.mark.parametrize(
    ("one", "other", "groups"), [(1, "1", 6), (1, 1.0, 5), (None, "None", 6), (2, 2, 5)]
)
def test_labels_are_one_group_where_they_are_equal(one, other, groups):
    x, y = np.random.default_rng(1).integers(0, 2, (2, 12))
    labels = [one, other, *"abcd"] * 2
    assert share_difference(x, y, groups=labels).groups == groups
    assert len(group_means(np.column_stack([x, y]).astype(float), labels)) == groups


@pytest.mark.parametrize("groups", [None, 30])
def test_intervals_hold_the_difference(groups):
    rng = np.random.default_rng(3)
    held = []
    for _ in range(400):
        shared = rng.random(groups or 90)
        luck = np.repeat(shared, 90 // len(shared))
        x = (0.3 * luck + 0.7 * rng.random(90) > 0.6).astype(int)
        y = (rng.random(90) > 0.5).astype(int)
        labels = np.repeat(range(groups), 90 // groups) if groups else None
        found = share_difference(x, y, groups=labels)
        held.append(found.low <= _truth() <= found.high)
    assert 0.92 <= np.mean(held) <= 0.99


def _truth() -> float:
    """P(y = 1) − P(x = 1), by quadrature over what a group shares."""
    shared = (np.arange(10_000) + 0.5) / 10_000
    wrong = np.clip(1 - (0.6 - 0.3 * shared) / 0.7, 0, 1).mean()
    return 0.5 - float(wrong)


def test_one_group_says_nothing():
    found = share_difference(*answers(3, 4, 2, 1), groups=["a"] * 10)
    assert (found.low, found.high) == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("x", "y", "groups", "message"),
    [
        ([0, 2], [0, 1], None, "two numbers that are 1 apart"),
        ([0.5, 1], [0, 1], None, "two numbers that are 1 apart"),
        ([0, 1], [1, 1], ["a"], "2 labels, one per item"),
    ],
)
def test_refused(x, y, groups, message):
    with pytest.raises(InputError, match=message):
        share_difference(x, y, groups=groups)


# --- means of groups: a test of them holds its level where one of instances does not -------------


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
    with pytest.raises(InputError, match="groups must be 2, one per instance; got 1"):
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
