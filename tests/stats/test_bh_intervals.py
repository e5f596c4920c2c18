"""Bergmann and Hommel's adjusted p-values where p falls with distance, against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.stats._bergmann_hommel import adjust_by_intervals, adjust_by_subsets
from tests.stats.partitions import by_definition


def falling(rng, k, levels):
    """p-values of all pairs of k algorithms in an order in which they never rise with distance."""
    raw = rng.integers(1, levels + 1, (k, k)) / levels
    p = np.ones((k, k))
    for length in range(1, k):
        for i in range(k - length):
            inner = min(p[i, i + length - 1], p[i + 1, i + length])
            p[i, i + length] = p[i + length, i] = min(inner, raw[i, i + length])
    return p


@settings(max_examples=60)
@given(seed=st.integers(0, 2**16), k=st.integers(2, 6), levels=st.sampled_from([3, 10, 1000]))
def test_it_is_the_largest_size_times_least_p_value_of_exhaustive_sets(seed, k, levels):
    p = falling(np.random.default_rng(seed), k, levels)
    assert adjust_by_intervals(p) == pytest.approx(by_definition(p))


@pytest.mark.parametrize("k", [8, 11])
def test_it_agrees_with_the_algorithm_for_any_p_values(k):
    p = falling(np.random.default_rng(k), k, 40)
    assert adjust_by_intervals(p) == pytest.approx(adjust_by_subsets(p))
