"""Performance profiles by their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from racing.base.errors import InputError
from racing.stats import empirical_distribution, performance_profile

TABLES = st.tuples(st.integers(1, 6), st.integers(1, 4)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([1.0, 2.0, 3.0, 8.0, np.inf]))
)


@given(TABLES)
def test_by_definition(T):
    found = performance_profile(T)
    best = T.min(axis=1)
    for tau in (0.5, 1.0, 1.5, 2.0, 4.0, 100.0):
        for s in range(T.shape[1]):
            within = [t <= tau * b for t, b in zip(T[:, s], best, strict=True) if np.isfinite(b)]
            assert found.at(tau)[s] == pytest.approx(sum(within) / len(T))
    for place, tau in enumerate(found.taus):
        assert (found.shares[:, place] == found.at(tau)).all()
    assert (np.diff(found.shares, axis=1) >= 0).all()


def test_by_hand():
    """Three problems: the first ties for best, is twice the best, and fails."""
    found = performance_profile([[1, 1], [4, 2], [np.inf, 7]])
    assert found.ratios.tolist() == [[1, 1], [2, 1], [np.inf, 1]]
    assert found.taus.tolist() == [1, 2]
    assert found.best == pytest.approx([1 / 3, 1])
    assert found.solved == pytest.approx([2 / 3, 1])


def test_a_problem_that_nobody_solves():
    found = performance_profile([[np.inf, np.inf], [1, 2]])
    assert found.solved.tolist() == [0.5, 0.5]
    nobody = performance_profile([[np.inf, np.inf]])
    assert (nobody.taus.tolist(), nobody.solved.tolist()) == ([1], [0, 0])


def test_units_do_not_matter():
    T = np.random.default_rng(1).random((9, 3)) + 0.1
    scaled = T * np.random.default_rng(2).integers(1, 9, (9, 1))
    assert performance_profile(scaled).ratios == pytest.approx(performance_profile(T).ratios)


@pytest.mark.parametrize(
    ("T", "says"),
    [
        ([[1, 0]], "above 0; got 0 at row 0, column 1"),
        ([[1, 2], [-3, 1]], "got -3 at row 1, column 0"),
        ([[1, np.nan]], "NaN"),
        ([1, 2], "table"),
    ],
)
def test_refusals(T, says):
    with pytest.raises(InputError, match=says):
        performance_profile(T)


def test_a_ratio_at_the_boundary_counts_whatever_its_rounding():
    T = np.outer([1.1, 2.2, 0.3, 0.1, 0.7], [1.0, 1.0, 1.5])
    T[:, 2] = [1.65, 3.3, 0.45, 0.15, 1.05]
    found = performance_profile(T)
    assert (found.ratios > 1.5).any()
    assert found.at(1.5).tolist() == [1.0, 1.0, 1.0]
    assert found.at(1.4999).tolist() == [1.0, 1.0, 0.0]
    assert found.shares[2, found.taus >= 1.4999].tolist() == [1.0] * (found.taus >= 1.4999).sum()


# --- empirical distributions: SciPy, failures, the band ------------------------------------------


def test_scipy_agrees():
    x = np.round(np.random.default_rng(1).normal(size=40), 1)
    ours, theirs = empirical_distribution(x), stats.ecdf(x).cdf
    assert ours.values == pytest.approx(theirs.quantiles)
    assert ours.shares == pytest.approx(theirs.probabilities)


@given(st.lists(st.sampled_from([0.0, 1.0, 2.5, np.inf]), min_size=1, max_size=8))
def test_by_definition_of_empirical(x):
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


def test_refusals_of_empirical():
    with pytest.raises(InputError, match="NaN"):
        empirical_distribution([np.nan])
