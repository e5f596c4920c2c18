"""The winner's gain over the baseline."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ttest_rel

from racing.answer.gain import gain, unskewed


def test_mean_and_interval_are_those_of_the_paired_t_test():
    rng = np.random.default_rng(2)
    costs = rng.normal(size=(12, 2)) + np.array([0.0, 0.4])
    told = gain(costs, costs[:5])
    interval = ttest_rel(costs[:, 1], costs[:, 0]).confidence_interval(0.95)
    assert told.mean == pytest.approx((costs[:, 1] - costs[:, 0]).mean())
    assert (told.low, told.high) == (pytest.approx(interval.low), pytest.approx(interval.high))
    assert told.pairs == 12
    assert told.training == pytest.approx((costs[:5, 1] - costs[:5, 0]).mean())
    assert told.optimism == pytest.approx(told.training - told.mean)


def test_failures_are_counted_and_left_out_of_the_mean():
    costs = np.array([[1.0, np.inf], [np.inf, 2.0], [1.0, 3.0], [1.0, 5.0]])
    told = gain(costs, np.empty((0, 2)))
    assert (told.mean, told.pairs) == (3.0, 2)
    assert (told.winner_failures, told.baseline_failures) == (1, 1)
    assert (told.training, told.optimism) == (None, None)


@pytest.mark.parametrize("n", [0, 1])
def test_with_fewer_than_two_pairs_nothing_is_certain(n):
    told = gain(np.array([[1.0, 2.0]])[:n], np.empty((0, 2)))
    assert not math.isfinite(told.low)
    assert not math.isfinite(told.high)


def test_the_interval_covers_at_its_level():
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(2000):
        costs = rng.normal(size=(10, 2)) * [1.0, 2.0] + [0.0, 0.5]
        told = gain(costs, costs)
        covered += told.low <= 0.5 <= told.high
    assert abs(covered / 2000 - 0.95) < 0.015


def test_a_problem_that_comes_again_is_one_observation():
    rng = np.random.default_rng(5)
    costs = np.repeat(rng.normal(size=(8, 2)), 4, axis=0)  # seeds change nothing
    problems = [name for name in "abcdefgh" for _ in range(4)]
    told, once = gain(costs, costs, problems=problems), gain(costs[::4], costs)
    assert (told.mean, told.low, told.high) == pytest.approx((once.mean, once.low, once.high))
    assert (told.pairs, told.problems) == (32, 8)
    assert gain(costs, costs).high < told.high


def test_with_seeds_alone_on_one_problem_nothing_is_known_of_others():
    costs = np.random.default_rng(6).normal(size=(5, 2))
    assert math.isinf(gain(costs, costs, problems=["only"] * 5).high)


def test_the_interval_covers_at_its_level_where_few_problems_come_again():
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(2000):
        effects = np.tile(rng.normal(size=10), 6)
        costs = np.column_stack([np.zeros(60), 0.5 + effects + 0.5 * rng.normal(size=60)])
        told = gain(costs, costs, problems=list(range(10)) * 6)
        covered += told.low <= 0.5 <= told.high
    assert abs(covered / 2000 - 0.95) < 0.015


@pytest.mark.parametrize("skewness", [-2.0, -0.3, 0.0, 0.7, 3.0])
@pytest.mark.parametrize("n", [4, 15, 200])
def test_quantiles_of_skewed_means_are_those_of_the_cubic(skewness, n):
    for t in (-2.1, 0.0, 2.1):
        x, scaled = unskewed(t, skewness, n), skewness / n**0.5
        assert x + scaled * (x * x / 3 + 1 / 6) + scaled**2 * x**3 / 27 == pytest.approx(
            t, abs=1e-9
        )


def test_intervals_of_skewed_gains_hold_what_is_true():
    """Half of the gains are 0; 2000 of each, so ±.010 is two standard errors."""
    rng, held = np.random.default_rng(6), np.zeros(2)
    for _ in range(2000):
        d = np.where(rng.random(12) < 0.5, 0.0, rng.exponential(2.0, 12))
        costs = np.column_stack([np.zeros(12), d])
        for skewed in (False, True):
            found = gain(costs, costs[:0], skewed=skewed)
            held[int(skewed)] += found.low <= 1 <= found.high
    assert held[0] / 2000 < 0.9
    assert abs(held[1] / 2000 - 0.95) < 0.015


def test_without_skewness_the_interval_is_students():
    costs = np.column_stack([np.zeros(8), [1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0]])
    plain, same = (gain(costs, costs[:0], skewed=skewed) for skewed in (False, True))
    assert (plain.low, plain.high) == pytest.approx((same.low, same.high))
