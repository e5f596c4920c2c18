"""One value for each configuration, though they ran on different instances."""

from __future__ import annotations

import numpy as np

from racing.analysis.explain.model import levels, scales

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


def test_ranks_are_shares_of_all_configurations():
    costs = np.array([[1.0, 2.0, 3.0, 4.0], [10.0, 1e9, 20.0, np.inf], [5.0, 6.0, np.nan, np.nan]])
    found = levels(costs, "rank")
    first, second = [0.25, 0.5, 0.75, 1.0], [0.25, 0.75, 0.5, 1.0]
    whole = levels(np.array([first, second, [0.25, 0.5, np.nan, np.nan]]))
    np.testing.assert_allclose(found.values, whole.values, atol=1e-9)
    assert found.scale == "rank"


def test_several_failures_share_the_last_ranks():
    found = levels(np.array([[1.0, np.inf, np.inf, np.nan]]), "rank")
    np.testing.assert_allclose(found.values[:3], [0.25, 0.625, 0.625])
    assert np.isnan(found.values[3])


def test_a_table_that_is_hardly_connected_is_solved_too():
    """A chain: each configuration shares one instance with the next; sweeps would take long."""
    own, instance = np.arange(200.0), 50.0 * RNG.normal(size=199)
    costs = np.full((199, 200), np.nan)
    for t in range(199):
        costs[t, t : t + 2] = instance[t] + own[t : t + 2]
    found = levels(costs).values
    np.testing.assert_allclose(found - found[0], own, atol=1e-6)


def test_parts_of_a_table_that_share_no_instance_have_levels_of_their_own():
    costs = np.array([[1.0, 2.0, np.nan, np.nan], [np.nan, np.nan, 7.0, 9.0]])
    found = levels(costs).values
    np.testing.assert_allclose(np.diff(found)[[0, 2]], [1.0, 2.0])
    assert np.isfinite(found).all()


def test_logarithms_of_products_are_found_exactly():
    own, instance = np.array([1.0, 3.0, 50.0, 400.0]), np.array([1.0, 9.0, 0.1, 7.0, 3.0])
    found = levels(instance[:, None] * own, "log")
    np.testing.assert_allclose(found.values - found.values[0], np.log(own), atol=1e-6)
    assert found.scale == "log"


def test_only_costs_above_zero_have_logarithms():
    costs = np.array([[1.0, np.nan], [2.0, np.inf]])
    assert scales(costs, "mean") == ("cost", "log")
    assert scales(costs, "rank") == ("rank",)
    assert scales(costs - 1, "mean") == ("cost",)
    assert scales(np.full((2, 2), np.inf), "mean") == ("cost",)


def test_a_failure_is_worse_than_any_logarithm():
    costs = np.array([[1.0, 50.0, 3000.0, np.inf], [2.0, 90.0, 9000.0, 5.0]])
    assert np.isfinite(levels(costs, "log").values).all()
    assert levels(costs[:1], "log").values.argmax() == 3
