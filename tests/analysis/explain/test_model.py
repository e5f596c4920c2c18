"""A level for each configuration, a forest of these, and the scale that it explains best."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from racing.analysis.explain.importance import decompose
from racing.analysis.explain.model import _best, fit, levels, scales
from racing.base.errors import InputError, MissingExtra
from racing.space import Boolean, Categorical, Real, Space

SPACE = Space({"x": Real(0, 1), "y": Real(0, 1)})
N, INSTANCES = 120, 6
RNG = np.random.default_rng(1)


@pytest.fixture
def points() -> np.ndarray:
    """Configurations on the unit scale."""
    pytest.importorskip("sklearn", reason="forests need the extra racing[sklearn]")
    return SPACE.encoding.draw(np.random.default_rng(1), N)


def table(points: np.ndarray, noise: float) -> np.ndarray:
    """Costs that are a sum of effects."""
    rng = np.random.default_rng(2)
    hard = rng.normal(size=(INSTANCES, 1))
    return 4 * points[:, 0] + hard + noise * rng.normal(size=(INSTANCES, N))


def test_costs_that_are_products_are_fitted_by_their_logarithms(points):
    forest = _best(points, np.exp(2 * table(points, 0.5)), "mean", 1)
    assert forest.scale == "log"
    assert forest.r2 > 0.8


def test_costs_that_are_sums_are_fitted_as_they_are(points):
    """Some are near 0, where logarithms are mostly noise."""
    costs = np.abs(table(points, 0.1) - table(points, 0.1).min()) + 1e-9
    forest = _best(points, costs, "mean", 1)
    assert forest.scale == "cost"
    assert forest.r2 > 0.8


def test_ranks_are_fitted_where_they_decide(points):
    assert _best(points, table(points, 0.5), "rank", 1).scale == "rank"


def test_costs_that_are_all_the_same_have_a_forest_without_quality(points):
    forest = _best(points, np.ones((INSTANCES, N)), "mean", 1)
    assert (forest.r2, forest.scale) == (None, "cost")


# --- a forest says how good it is, by configurations that it was not fitted to ---


CONDITIONAL = Space(
    {
        "kind": Categorical(["p", "q", "r"]),
        "x": Real(0, 1),
        "heat": Real(0, 1, when="kind == q"),
        "never": Boolean(when="x > 0.999999"),
    }
)


@pytest.fixture(scope="module")
def rows():
    pytest.importorskip("sklearn", reason="forests need the extra racing[sklearn]")
    return CONDITIONAL.encoding.draw(np.random.default_rng(3), 300)


def truth(rows):
    return 2.0 * (rows[:, 0] == 1) * np.nan_to_num(rows[:, 2]) + rows[:, 1]


def test_a_known_function_is_found_with_its_conditions(rows):
    forest = fit(rows, truth(rows), np.ones(len(rows)))
    assert forest.r2 > 0.8
    assert np.isnan(rows[:, 3]).all()
    exact = {one.name: one for one in decompose([truth], CONDITIONAL)[0]}
    found = {one.name: one for one in decompose(forest.trees, CONDITIONAL)[0]}
    for name, one in found.items():
        assert abs(one.total - exact[name].total) < 0.15, name
    assert found["never"].total < 0.02


def test_noise_is_told_from_knowledge(rows):
    noise = np.random.default_rng(4).normal(size=len(rows))
    forest = fit(rows, noise, np.ones(len(rows)))
    assert forest.r2 < 0.1
    assert np.corrcoef(np.mean([t(rows) for t in forest.trees], axis=0), noise)[0, 1] > 0.5


def test_a_configuration_that_ran_often_is_judged_like_any_other(rows):
    """Wherever the costs begin; scikit-learn predicts 0 out of bag for what is in every bag."""
    weights = np.where(np.arange(len(rows)) < 5, 500.0, 1.0)
    assert fit(rows, 1000 + truth(rows), weights).r2 > 0.7


def test_it_follows_from_its_seed(rows):
    first, again = (fit(rows, truth(rows), np.ones(len(rows)), seed=5) for _ in range(2))
    assert first.r2 == again.r2
    assert first.r2 != fit(rows, truth(rows), np.ones(len(rows)), seed=6).r2


def test_values_that_do_not_differ_have_no_quality(rows):
    forest = fit(rows[:20], np.ones(20), np.ones(20))
    assert forest.r2 is None


def test_too_few_configurations_and_a_missing_library_are_refused(rows, monkeypatch):
    with pytest.raises(InputError, match="9 configurations are too few"):
        fit(rows[:9], truth(rows[:9]), np.ones(9))
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(MissingExtra, match=r"racing\[sklearn\]"):
        fit(rows, truth(rows), np.ones(len(rows)))


# --- one value for each configuration, though they ran on different instances ---


def test_instances_that_only_some_met_are_taken_out():
    own, instance = np.array([1.0, 2.0, 4.0, 8.0]), np.array([0.0, 100.0, -50.0, 7.0, 3.0])
    costs = instance[:, None] + own
    costs[2:, 3] = np.nan
    costs[:1, 2] = np.nan
    found = levels(costs)
    np.testing.assert_allclose(found[0] - found[0][0], own - own[0], atol=1e-6)
    assert found[1].tolist() == [5, 5, 4, 2]


def test_it_is_the_least_squares_fit():
    costs = RNG.normal(size=(7, 5))
    costs[RNG.random(costs.shape) < 0.3] = np.nan
    rows, columns = np.nonzero(~np.isnan(costs))
    design = np.zeros((len(rows), 12))
    design[np.arange(len(rows)), rows] = 1
    design[np.arange(len(rows)), 7 + columns] = 1
    fitted = np.linalg.lstsq(design, costs[rows, columns], rcond=None)[0][7:]
    found = levels(costs)[0]
    np.testing.assert_allclose(found - found.mean(), fitted - fitted.mean(), atol=1e-6)


def test_without_gaps_it_is_the_mean():
    costs = RNG.normal(size=(6, 4))
    np.testing.assert_allclose(levels(costs)[0], costs.mean(axis=0))


def test_failures_are_worse_than_any_cost_and_who_never_ran_has_no_value():
    costs = np.array([[1.0, 2.0, np.inf, np.nan], [3.0, 2.0, np.inf, np.nan]])
    found = levels(costs)
    assert np.isnan(found[0][3])
    assert found[1].tolist() == [2, 2, 2, 0]
    assert found[0][2] == 5.0
    assert np.isfinite(levels(np.full((2, 2), np.inf))[0]).all()


def test_ranks_are_shares_of_all_configurations():
    costs = np.array([[1.0, 2.0, 3.0, 4.0], [10.0, 1e9, 20.0, np.inf], [5.0, 6.0, np.nan, np.nan]])
    found = levels(costs, "rank")
    first, second = [0.25, 0.5, 0.75, 1.0], [0.25, 0.75, 0.5, 1.0]
    whole = levels(np.array([first, second, [0.25, 0.5, np.nan, np.nan]]))
    np.testing.assert_allclose(found[0], whole[0], atol=1e-9)


def test_several_failures_share_the_last_ranks():
    found = levels(np.array([[1.0, np.inf, np.inf, np.nan]]), "rank")
    np.testing.assert_allclose(found[0][:3], [0.25, 0.625, 0.625])
    assert np.isnan(found[0][3])


def test_a_table_that_is_hardly_connected_is_solved_too():
    """A chain: each configuration shares one instance with the next; sweeps would take long."""
    own, instance = np.arange(200.0), 50.0 * RNG.normal(size=199)
    costs = np.full((199, 200), np.nan)
    for t in range(199):
        costs[t, t : t + 2] = instance[t] + own[t : t + 2]
    found = levels(costs)[0]
    np.testing.assert_allclose(found - found[0], own, atol=1e-6)


def test_parts_of_a_table_that_share_no_instance_have_levels_of_their_own():
    costs = np.array([[1.0, 2.0, np.nan, np.nan], [np.nan, np.nan, 7.0, 9.0]])
    found = levels(costs)[0]
    np.testing.assert_allclose(np.diff(found)[[0, 2]], [1.0, 2.0])
    assert np.isfinite(found).all()


def test_logarithms_of_products_are_found_exactly():
    own, instance = np.array([1.0, 3.0, 50.0, 400.0]), np.array([1.0, 9.0, 0.1, 7.0, 3.0])
    found = levels(instance[:, None] * own, "log")
    np.testing.assert_allclose(found[0] - found[0][0], np.log(own), atol=1e-6)


def test_only_costs_above_zero_have_logarithms():
    costs = np.array([[1.0, np.nan], [2.0, np.inf]])
    assert scales(costs, "mean") == ("cost", "log")
    assert scales(costs, "rank") == ("rank",)
    assert scales(costs - 1, "mean") == ("cost",)
    assert scales(np.full((2, 2), np.inf), "mean") == ("cost",)


def test_a_failure_is_worse_than_any_logarithm():
    costs = np.array([[1.0, 50.0, 3000.0, np.inf], [2.0, 90.0, 9000.0, 5.0]])
    assert np.isfinite(levels(costs, "log")[0]).all()
    assert levels(costs[:1], "log")[0].argmax() == 3
