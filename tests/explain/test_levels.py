"""One value for each configuration, though they ran on different instances."""

from __future__ import annotations

import numpy as np

from racing.explain import levels

RNG = np.random.default_rng(1)


def test_instances_that_only_some_met_are_taken_out():
    own, instance = np.array([1.0, 2.0, 4.0, 8.0]), np.array([0.0, 100.0, -50.0, 7.0, 3.0])
    costs = instance[:, None] + own
    costs[2:, 3] = np.nan
    costs[:1, 2] = np.nan
    found = levels(costs)
    np.testing.assert_allclose(found.values - found.values[0], own - own[0], atol=1e-6)
    assert found.counts.tolist() == [5, 5, 4, 2]


def test_it_is_the_least_squares_fit():
    costs = RNG.normal(size=(7, 5))
    costs[RNG.random(costs.shape) < 0.3] = np.nan
    rows, columns = np.nonzero(~np.isnan(costs))
    design = np.zeros((len(rows), 12))
    design[np.arange(len(rows)), rows] = 1
    design[np.arange(len(rows)), 7 + columns] = 1
    fitted = np.linalg.lstsq(design, costs[rows, columns], rcond=None)[0][7:]
    found = levels(costs).values
    np.testing.assert_allclose(found - found.mean(), fitted - fitted.mean(), atol=1e-6)


def test_without_gaps_it_is_the_mean():
    costs = RNG.normal(size=(6, 4))
    np.testing.assert_allclose(levels(costs).values, costs.mean(axis=0))


def test_failures_are_worse_than_any_cost_and_who_never_ran_has_no_value():
    costs = np.array([[1.0, 2.0, np.inf, np.nan], [3.0, 2.0, np.inf, np.nan]])
    found = levels(costs)
    assert np.isnan(found.values[3])
    assert found.counts.tolist() == [2, 2, 2, 0]
    assert found.values[2] == 5.0
    assert np.isfinite(levels(np.full((2, 2), np.inf)).values).all()


def test_for_ranks_every_instance_has_a_scale_of_its_own():
    base = RNG.normal(size=(1, 5))
    costs = np.concatenate([base, 1000 * base, 7 + base])
    found = levels(costs, "rank").values
    expected = (base[0] - base.mean()) / base.std()
    np.testing.assert_allclose(found - found.mean(), expected, atol=1e-6)
