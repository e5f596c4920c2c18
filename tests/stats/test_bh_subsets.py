"""Bergmann and Hommel's adjusted p-values for any p-values, against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.stats._bergmann_hommel import adjust_by_subsets
from tests.stats.partitions import by_definition


@st.composite
def pair_values(draw):
    """A symmetric matrix of p-values of all pairs of 2 to 6 algorithms, often with ties."""
    k = draw(st.integers(2, 6))
    some = st.sampled_from([0.0, 0.01, 0.02, 0.3, 1.0]) | st.floats(0, 1)
    p = np.ones((k, k))
    for i, j in zip(*np.triu_indices(k, 1), strict=True):
        p[i, j] = p[j, i] = draw(some)
    return p


@settings(max_examples=60)
@given(pair_values())
def test_it_is_the_largest_size_times_least_p_value_of_exhaustive_sets(p):
    assert adjust_by_subsets(p) == pytest.approx(by_definition(p))


def test_two_algorithms_have_one_hypothesis():
    assert adjust_by_subsets(np.array([[1.0, 0.03], [0.03, 1.0]]))[0, 1] == 0.03
