"""The Gaussian process over configurations, beside scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest

from racing.search.model_sampler import Process, features, fitted, normal_scores, squares

NOISE = 0.01


def known(n: int = 12, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    points = np.random.default_rng(seed).random((n, 3))
    return points, normal_scores(np.sin(5 * points[:, 0]) + points[:, 1])


def process(*running: np.ndarray) -> Process:
    points, scores = known()
    return Process.of(np.concatenate([points, *running]), scores, np.array([3.0, 2.0, 0.7]), NOISE)


def test_mean_and_uncertainty_are_those_of_scikit_learn():
    gp = pytest.importorskip("sklearn.gaussian_process")
    ours, at = process(), np.random.default_rng(4).random((20, 3))
    kernel = gp.kernels.Matern(length_scale=1 / ours.scales, nu=2.5)
    theirs = gp.GaussianProcessRegressor(kernel, alpha=NOISE, optimizer=None)
    theirs.fit(*known())
    mean, sd = theirs.predict(at, return_std=True)
    assert ours.mean(at) == pytest.approx(mean)
    kernel_at = ours.kernel(at)
    explained = ((ours.whitening @ kernel_at.T) ** 2).sum(axis=0)
    assert np.sqrt(1 - explained) == pytest.approx(sd)


def test_the_likelihood_is_that_of_scikit_learn():
    gp = pytest.importorskip("sklearn.gaussian_process")
    ours = process()
    kernel = gp.kernels.ConstantKernel(ours.variance) * gp.kernels.Matern(1 / ours.scales, nu=2.5)
    theirs = gp.GaussianProcessRegressor(kernel, alpha=NOISE * ours.variance, optimizer=None)
    theirs.fit(*known())
    n = len(ours.features)
    rest = n / 2 * (1 + np.log(2 * np.pi))
    assert ours.misfit + rest == pytest.approx(-theirs.log_marginal_likelihood_value_)


def test_improvement_is_the_mean_of_what_is_drawn_below_the_best():
    ours, at = process(), np.random.default_rng(5).random((4, 3))
    kernel = ours.kernel(at)
    left = 1 - ((ours.whitening @ kernel.T) ** 2).sum(axis=0)
    sd = np.sqrt(ours.variance * left)
    best = ours.mean(ours.features).min()
    drawn = ours.mean(at) + sd * np.random.default_rng(6).standard_normal((400_000, 4))
    expected = np.maximum(best - drawn, 0).mean(axis=0)
    assert ours.improvement(at) == pytest.approx(expected, abs=4 * sd.max() / 400_000**0.5)


def test_pending_points_change_no_mean_and_promise_little():
    ours, rng = process(), np.random.default_rng(7)
    pending, at = rng.random((5, 3)), rng.random((20, 3))
    more = process(pending)
    assert more.mean(at) == pytest.approx(ours.mean(at))
    assert (more.improvement(pending) < ours.improvement(pending)).all()
    assert more.best == pytest.approx(ours.mean(more.features).min())


def test_distances_of_levels_and_of_inactive_parameters():
    points = np.array([[0.0, 0.2], [1.0, 0.2], [2.0, 0.9], [0.0, np.nan], [0.0, np.nan]])
    found, parameter = features(points, (3, 0))
    assert parameter.tolist() == [0, 0, 0, 0, 1, 1]
    apart = squares(found, found)
    assert apart[0, 1] == pytest.approx(0.25)  # another level
    assert apart[1, 2] == pytest.approx(0.25 + 0.7**2)
    assert apart[0, 3] == pytest.approx(0.25 + 0.3**2)  # as from the middle, and inactive
    assert apart[3, 4] == apart[0, 0] == pytest.approx(0)


def test_normal_scores_know_ranks_alone():
    costs = np.array([3.0, 1.0, np.inf, 1.0, 2.0])
    found = normal_scores(costs)
    assert found == pytest.approx(normal_scores(np.exp(costs)))
    assert found[1] == found[3] < found[4] < found[0] < found[2]


def test_the_fit_is_longer_where_a_parameter_changes_nothing():
    points = np.random.default_rng(8).random((64, 2))
    rows, parameter = features(points, (0, 0))
    found = fitted(rows, parameter, np.sin(7 * points[:, 0]), 150)
    assert found.scales[2] < found.scales[0] / 3


def test_of_many_lengths_are_fitted_to_multiples_of_16():
    points = np.random.default_rng(8).random((64, 2))
    rows, parameter = features(points, (0, 0))
    costs = np.sin(7 * points[:, 0]) + points[:, 1]
    of = {n: fitted(rows[:n], parameter, costs[:n], 150).scales.tolist() for n in range(4, 64)}
    assert of[5] != of[15]
    assert of[16] == of[31] != of[32] == of[47]


def test_of_many_the_better_half_and_a_spread_of_the_others_stay():
    costs = np.random.default_rng(9).permutation(100.0 + np.arange(100))
    points = np.random.default_rng(10).random((101, 1))  # the last one runs
    found = fitted(*features(points, (0,)), costs, 20)
    kept = [int(np.flatnonzero(points[:, 0] == one)[0]) for one in found.features[:, 0]]
    assert kept.pop() == 100
    left = sorted(costs[kept] - 100)
    assert left[:10] == list(range(10))
    assert left[10:] == [10, 20, 30, 40, 50, 59, 69, 79, 89, 99]
