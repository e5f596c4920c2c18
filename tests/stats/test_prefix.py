"""The binomial limits behind the cut, against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.stats._checks import batches
from racing.stats._prefix import (
    Statements,
    _allowed,
    beta_below_half,
    condition,
    draw_weights,
    find_cut,
    first_false,
)


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


# --- Dirichlet draws: conditional ones against rejection, and the search against its definition --


def rng(*key: int) -> np.random.Generator:
    return np.random.default_rng([7, *key])


@pytest.mark.parametrize(
    ("a", "b"), [(20, 10), (200, 160), (5, 0.3), (1, 0.5), (3, 3), (50, 1), (2.5, 1.7), (9, 0.01)]
)
def test_beta_below_half(a: float, b: float) -> None:
    v = beta_below_half(rng(1), np.full(4000, float(a)), np.full(4000, float(b)))
    below = stats.beta.cdf(0.5, a, b)
    assert 0 <= v.min() <= v.max() <= 0.5
    assert stats.kstest(v, lambda x: stats.beta.cdf(x, a, b) / below).pvalue > 1e-3


def test_conditional_draws_are_the_draws_that_fail() -> None:
    signs = np.array([1, 1, 1, 1, -1, -1, 0, 0, -1], dtype=np.int8)
    shapes = np.append(np.ones(8), 0.4)
    plain = draw_weights(rng(1), 200_000, shapes)
    failed = plain[plain @ signs < 0]
    ones = np.ones(len(failed))
    moved = condition(
        rng(2), draw_weights(rng(3), len(failed), shapes), np.tile(signs, (len(failed), 1)),
        4.0 * ones, 2.4 * ones,
    )  # fmt: skip
    assert (moved @ signs <= 1e-4).all()
    for draws in (failed, moved):
        draws /= draws.sum(axis=1, keepdims=True)
    for column in range(9):
        assert stats.ks_2samp(failed[:, column], moved[:, column]).pvalue > 1e-3
    error = 5 * failed.std(axis=0) * np.sqrt(2 / len(failed))
    assert (np.abs(failed.mean(axis=0) - moved.mean(axis=0)) < error).all()


def test_a_weight_of_zero_can_be_rescaled() -> None:
    shapes = np.append(np.ones(3), 1e-4)  # gamma variates that underflow
    signs = np.tile(np.array([1, 1, 1, -1], dtype=np.int8), (500, 1))
    moved = condition(
        rng(1), draw_weights(rng(2), 500, shapes), signs, np.full(500, 3.0), np.full(500, 1e-4)
    )
    assert np.isfinite(moved).all()
    assert ((moved * signs).sum(axis=1) <= 1e-4 * moved.sum(axis=1)).all()


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(0, 1200), st.integers(1, 40))
def test_first_false_is_the_first(seed: int, n: int, statements: int, draws: int) -> None:
    g = rng(seed)
    signs = g.integers(-1, 2, size=(statements, n), dtype=np.int8)
    signs[:, 0] |= 1  # so that most statements hold for a while
    weights = draw_weights(g, draws, np.ones(n)) * 1000
    weights[:, 0] *= 3
    weights = np.rint(weights).astype(np.float32)
    limits = g.integers(0, statements + 1, size=draws)
    first = first_false(signs, weights, limits, enough=draws)
    for d in range(draws):
        false = np.flatnonzero(weights[d].astype(np.int64) @ signs.T.astype(np.int64) <= 0)
        margins = np.abs(weights[d].astype(np.int64) @ signs.T.astype(np.int64))
        if margins.size and (margins > n).all():  # else the grid may decide
            expected = min([*false.tolist(), limits[d]])
            assert first[d] == min(expected, limits[d])


def test_enough_is_enough_but_complete() -> None:
    g = rng(3)
    signs = np.where(g.random((3000, 12)) < 0.8, 1, -1).astype(np.int8)
    weights = draw_weights(g, 400, np.ones(12))
    limits = np.full(400, 3000)
    whole = np.sort(first_false(signs, weights, limits, enough=400))
    part = np.sort(first_false(signs, weights, limits, enough=20))
    assert part[:20].tolist() == whole[:20].tolist()


def test_batches_add_up() -> None:
    assert sum(batches(1000, 10**7, 2**24)) == 1000
    assert max(batches(1000, 10**7, 2**24)) == 1
    assert list(batches(1000, 10, 2**24)) == [1000]
