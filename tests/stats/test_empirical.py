"""Empirical distributions: SciPy, failures, the band."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.stats import empirical_distribution


def test_scipy_agrees():
    x = np.round(np.random.default_rng(1).normal(size=40), 1)
    ours, theirs = empirical_distribution(x), stats.ecdf(x).cdf
    assert ours.values == pytest.approx(theirs.quantiles)
    assert ours.shares == pytest.approx(theirs.probabilities)


@given(st.lists(st.sampled_from([0.0, 1.0, 2.5, np.inf]), min_size=1, max_size=8))
def test_by_definition(x):
    found = empirical_distribution(x)
    for t in (-1.0, 0.0, 1.0, 2.0, 2.5, 99.0):
        assert found.at(t) == pytest.approx(np.mean(np.array(x) <= t))
    assert (found.low <= found.shares).all()
    assert (found.shares <= found.high).all()


def test_failures_keep_it_below_one():
    found = empirical_distribution([1, np.inf, 3, np.inf])
    assert found.shares.tolist() == [0.25, 0.5]
    assert empirical_distribution([np.inf]).values.size == 0
    assert empirical_distribution([np.inf]).at(5.0) == 0


def test_the_band_holds_the_whole_function():
    """Uniform costs, n = 15, 2,000 times: at least .95 − 3 · .005."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(2000):
        found = empirical_distribution(rng.random(15))
        above = np.all(found.shares - found.margin <= found.values)
        below = np.all(found.shares - 1 / 15 + found.margin >= found.values)
        held += bool(above and below)
    assert held / 2000 >= 0.935


def test_the_margin():
    assert empirical_distribution(np.arange(50.0)).margin == pytest.approx(0.19206, abs=1e-5)


def test_refusals():
    with pytest.raises(InputError, match="NaN"):
        empirical_distribution([np.nan])
    with pytest.raises(InputError, match="level"):
        empirical_distribution([1.0], level=2)
