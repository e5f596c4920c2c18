"""A of all pairs is A of each pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.stats import vargha_delaney

SAMPLE = st.lists(st.sampled_from([0.0, 1.0, 2.0, np.inf]), min_size=1, max_size=6)


@given(st.lists(SAMPLE, min_size=1, max_size=4))
def test_each_pair(samples):
    found = vargha_delaney(samples, level=0.9, paired=False)
    for i, x in enumerate(samples):
        for j, y in enumerate(samples):
            one = vargha_delaney(x, y, paired=False, level=0.9)
            assert found.wins[i, j] == one.wins
            assert found.ties[i, j] == one.ties
            if i != j:
                ends = found.a[i, j], found.low[i, j], found.high[i, j]
                assert ends == pytest.approx((one.a, one.low, one.high), abs=1e-9)


def test_a_sample_against_itself():
    found = vargha_delaney([[1, 2], [3]], paired=False)
    assert (found.a[0, 0], found.low[0, 0], found.high[0, 0]) == (0.5, 0.5, 0.5)


def test_refusals():
    with pytest.raises(InputError, match="level"):
        vargha_delaney([[1], [2]], level=0, paired=False)
