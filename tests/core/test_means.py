"""Estimated means: where levels say more than costs, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from racing.core.means import estimated_costs, median, plain_means

BLOCKS = arrays(
    float, st.tuples(st.integers(1, 8), st.integers(1, 6)),
    elements=st.sampled_from([0.0, 1.0, 2.5, 1e6, np.inf]),
)  # fmt: skip


def estimated(costs, survivors=None):
    """(k,) estimated means."""
    columns = np.arange(costs.shape[1]) if survivors is None else np.asarray(survivors)
    return plain_means(estimated_costs(costs, columns)[:, columns])


def world(
    seed: int, *, m: int = 30, n: int = 100, heavy: str = ""
) -> tuple[np.ndarray, np.ndarray]:
    """((n, m) costs, (m,) true means up to a constant)."""
    rng = np.random.default_rng(seed)
    means = rng.uniform(size=m)
    costs = means + rng.normal(size=(n, 1)) + rng.normal(size=(n, m))
    if heavy == "wild":
        costs[rng.random((n, m)) < 1 / 40] = 1e6
    if heavy == "failures":
        means = rng.uniform(0, 0.1, m)
        failed = rng.random((n, m)) < means
        costs = np.where(failed, 1.0, 0.1 + 0.01 * rng.normal(size=(n, m)))
    if heavy == "units":
        costs *= 10 ** rng.uniform(0, 4, (n, 1))
    return costs, means


def regret(heavy: str, estimate, **size: int) -> float:
    """Mean regret of the choice over 30 worlds, as a share of the spread."""
    lost = []
    for seed in range(30):
        costs, truth = world(seed, heavy=heavy, **size)
        lost.append((truth[estimate(costs).argmin()] - truth.min()) / np.ptp(truth))
    return float(np.mean(lost))


def test_one_cost_of_a_million_in_forty_no_longer_decides():
    assert regret("wild", estimated) < 0.1 < 0.3 < regret("wild", lambda y: y.mean(axis=0))


def test_instances_in_other_units_no_longer_decide():
    assert regret("units", estimated) < 0.85 * regret("units", lambda y: y.mean(axis=0))


def test_with_normal_noise_nothing_changes_much():
    assert regret("", estimated) <= regret("", lambda y: y.mean(axis=0)) + 0.005


def test_rare_failures_decide_where_they_are_a_second_hump():
    size = {"m": 10, "n": 50}
    plain = regret("failures", lambda y: y.mean(axis=0), **size)
    assert regret("failures", estimated, **size) <= plain + 0.01


@pytest.mark.parametrize("wrong", [1.0, 250.0])
def test_of_two_values_the_levels_say_nothing_else(wrong):
    """Right and wrong, with failures and some that did not run: costs are averaged as they are."""
    rng = np.random.default_rng(3)
    costs = wrong * (rng.random((60, 8)) < np.linspace(0.02, 0.6, 8))
    costs[:5, 2], costs[30:, 5:] = np.inf, np.nan
    assert estimated_costs(costs, np.arange(5)) is costs


def test_a_second_hump_stays_and_wild_costs_that_vary_do_not():
    rng = np.random.default_rng(5)
    costs = rng.normal(size=(60, 10))
    wild = rng.random(costs.shape) < 0.05
    together, apart, far = (
        np.where(wild, high, costs)
        for high in (300 + 30 * rng.random(costs.shape), 10 ** rng.uniform(2, 4, costs.shape), 1e5)
    )
    assert estimated_costs(together, np.arange(10)).max() > 200
    assert estimated_costs(apart, np.arange(10)).max() < 100
    assert estimated_costs(far, np.arange(10)).max() < 100


def test_one_wild_cost_is_whose_it_was():
    costs, _ = world(1)
    costs[3, 0] = 1e6
    assert estimated(costs).argmax() == 0


def test_a_candidate_with_most_of_the_wild_costs_keeps_them():
    costs, _ = world(2, heavy="wild")
    costs[:20, 5] = 1e6
    assert estimated(costs).argmax() == 5
    assert estimated(costs)[5] > 1e5


@given(block=BLOCKS)
def test_failures_and_what_did_not_run_stay(block):
    given = block.copy()
    given[0, -1] = np.nan
    out = estimated_costs(given, np.arange(given.shape[1] - 1))
    np.testing.assert_array_equal(np.isnan(out), np.isnan(given))
    np.testing.assert_array_equal(np.isposinf(out), np.isposinf(given))


@pytest.mark.parametrize("factor", [1e-6, 3.0, 1e6])
@pytest.mark.parametrize("heavy", ["", "wild", "units"])
def test_units_and_the_order_of_candidates_do_not_matter(heavy, factor):
    costs, _ = world(3, heavy=heavy)
    shuffle = np.random.default_rng(0).permutation(costs.shape[1])
    expected = estimated(costs)
    np.testing.assert_allclose(estimated(factor * costs), factor * expected, rtol=1e-6)
    np.testing.assert_allclose(estimated(costs[:, shuffle]), expected[shuffle], rtol=1e-9)


def test_those_who_were_dropped_say_how_levels_and_costs_go_together():
    costs, _ = world(4, heavy="units")
    costs[10:, 8:] = np.nan
    few = np.arange(8)
    np.testing.assert_array_equal(np.isnan(estimated_costs(costs, few)), np.isnan(costs))
    assert np.isfinite(estimated(costs, few)).all()


@given(block=BLOCKS)
def test_plain_means_are_of_finite_costs(block):
    means = plain_means(block)
    for i, column in enumerate(block.T):
        finite = column[np.isfinite(column)]
        assert means[i] == pytest.approx(finite.mean() if len(finite) else 0.0)


@given(arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 9)), elements=st.floats(width=32)))
def test_a_median_is_that_of_numpy_to_the_last_digit(x):
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(median(x), np.median(x, axis=1, keepdims=True))
        np.testing.assert_array_equal(median(x[0])[0], np.median(x[0]))
