"""The binomial limits behind the cut, against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.stats._prefix import Statements, _allowed, find_cut


@given(st.integers(1, 5000), st.floats(1e-3, 0.999), st.sampled_from([1e-4, 0.01, 0.2]))
def test_allowed_counts(draws: int, chance: float, miss: float) -> None:
    least, estimate, most = _allowed(draws, chance, miss)
    counts = np.arange(draws + 1)
    below = stats.binom.cdf(counts, draws, chance)
    above = stats.binom.sf(counts - 1, draws, chance)
    assert least == np.count_nonzero(below < miss / 2) - 1
    assert most == np.count_nonzero(above >= miss / 2) - 1
    assert estimate < draws * chance <= estimate + 1
    assert least <= estimate <= most


@pytest.mark.parametrize("gamma", [0.01, 0.05, 0.2, 0.4])
def test_disjoint_errors_add_up(gamma: float) -> None:
    """Statements that fail one at a time: the joint error is the sum, for any cut."""
    n = 7
    signs = (1 - 2 * np.eye(n)).astype(np.int8)  # each is lost on its own instance only
    error = 2.0 ** -(n - 1)  # P(Beta(n − 1, 1) < 1/2); two weights above half cannot be
    whole = np.ones(n)
    statements = Statements((n - 1) * whole, whole, error * whole, lambda a, b: signs[a:b])
    cut = find_cut(
        statements, whole, gamma=gamma, rng=np.random.default_rng(1), draws=100, max_draws=1000,
        tolerance=0, miss=0.01,
    )  # fmt: skip
    expected = int(np.ceil(gamma / error)) - 1
    assert cut.accepted == cut.low == min(expected, n)
    assert cut.error <= cut.accepted * error + 1e-12


def test_equal_rows_count_once() -> None:
    signs = np.tile(np.array([1] * 5 + [-1], dtype=np.int8), (1000, 1))
    error = np.full(1000, 2.0**-5)
    statements = Statements(5 * np.ones(1000), np.ones(1000), error, lambda a, b: signs[a:b])
    cut = find_cut(
        statements, np.ones(6), gamma=0.05, rng=np.random.default_rng(1), draws=10, max_draws=10,
        tolerance=0, miss=0.01,
    )  # fmt: skip
    assert (cut.accepted, cut.low, cut.high, cut.error, cut.draws) == (1000, 1000, 1000, 2.0**-5, 0)
