"""Brunner and Munzel's statistic under other labels, one label at a time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from racing.stats import brunner_munzel
from racing.stats.brunner_munzel import relabelled_tails


def one_by_one(x, y):
    pooled, n = np.concatenate([x, y]), len(x)
    t = []
    for chosen in combinations(range(pooled.size), n):
        first = np.isin(np.arange(pooled.size), chosen)
        t.append(brunner_munzel(pooled[first], pooled[~first]).statistic)
    return np.array(t)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1.0, 4.0, 2.0], [3.0, 9.0, 5.0, 7.0]),
        ([1.0, 1.0, 2.0, 3.0], [2.0, 2.0, 3.0]),
        ([1.0, 2.0], [3.0, 4.0, np.inf]),
        ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0]),
    ],
)
def test_all_labels(x, y):
    every, t = one_by_one(x, y), brunner_munzel(x, y).statistic
    found = relabelled_tails(np.array(x), np.array(y), t, np.random.default_rng(1), 999)
    slack = 1e-9 * (abs(t) if np.isfinite(t) else 0)
    expected = (
        np.mean(np.abs(every) >= abs(t) - slack),
        np.mean(every >= t - slack),
        np.mean(every <= t + slack),
    )
    assert tuple(found.values()) == pytest.approx(expected)


def test_random_labels_come_near_all_of_them():
    x, y = np.array([1.0, 4.0, 2.0, 8.0, 3.5]), np.array([3.0, 9.0, 5.0, 7.0, 6.0])
    t = brunner_munzel(x, y).statistic
    rng = np.random.default_rng(1)
    exact = list(relabelled_tails(x, y, t, rng, 9999).values())
    every = [list(relabelled_tails(x, y, t, rng, 200).values()) for _ in range(60)]
    drawn = np.mean(every, axis=0)
    assert drawn == pytest.approx(exact, abs=0.02)


def test_no_p_is_zero():
    x, y = np.arange(20.0), np.arange(20.0) + 100
    found = relabelled_tails(x, y, np.inf, np.random.default_rng(1), 99)
    assert tuple(found.values()) == (0.01, 0.01, 1.0)
