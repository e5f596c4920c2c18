"""The correlated t-race that keeps its level over the whole race."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks.fold_rules import World, run_race
from racing.rules import CorrelatedSequential, CorrelatedT
from racing.rules.correlated_sequential import nominal_level
from tests.rules.seen import judge, noisy, out


def test_the_last_look_of_a_race_is_at_half_the_level_and_the_first_are_strict():
    assert nominal_level(0.05, 9.0, 9.0) == pytest.approx(0.025)
    levels = [nominal_level(0.05, t, 1.0) for t in np.linspace(0.05, 1, 20)]
    assert levels == sorted(levels)
    assert levels[0] < 1e-6


def test_a_brownian_motion_crosses_the_boundary_with_the_level():
    """Looks at 400 points of time; a continuous look would cross in α of the paths."""
    rng = np.random.default_rng(3)
    paths, looks, alpha = 4000, 400, 0.1
    t = np.arange(1, looks + 1) / looks
    z = np.cumsum(rng.normal(size=(paths, looks)) / math.sqrt(looks), axis=1) / np.sqrt(t)
    bound = np.array([-norm.ppf(nominal_level(alpha, one, 1.0)) for one in t])
    crossed = float((z > bound).any(axis=1).mean())
    error = 3 * math.sqrt(alpha * (1 - alpha) / paths)
    assert alpha - 0.02 - error < crossed < alpha + error


def test_without_an_end_the_mixture_is_never_crossed_more_often_than_the_level():
    rng = np.random.default_rng(4)
    paths, looks, alpha = 1000, 500, 0.1
    n = np.arange(1, looks + 1)
    z = np.cumsum(rng.normal(size=(paths, looks)), axis=1) / np.sqrt(n)
    bound = np.array([-norm.ppf(nominal_level(alpha, float(one), math.inf)) for one in n])
    crossed = float((np.abs(z) > bound).any(axis=1).mean())
    assert 0.02 < crossed < alpha


def lost(rule, world: World, races: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return sum(run_race(rule, world.draw(rng), rng)[0] for _ in range(races)) / races


def test_two_equal_candidates_over_a_whole_race_of_folds():
    """The level of the race is kept; that of a look is exceeded over a race."""
    world, races = World("two", 2, 30), 200
    error = 3 * math.sqrt(0.05 * 0.95 / races)
    assert lost(CorrelatedSequential(), world, races, 1) < 0.05 + error
    assert lost(CorrelatedT(), world, races, 1) > 0.05 + error


def test_the_level_is_divided_over_the_rivals():
    costs = noisy(8, 12, seed=3, gap=0.8)
    each, all_ = (
        judge(CorrelatedSequential(correction=c, correlation=0.1), costs, "mean", instances=10)
        for c in ("none", "bonferroni")
    )
    assert {e.candidate for e in all_.eliminated} < {e.candidate for e in each.eliminated}
    (threshold,) = {e.threshold for e in all_.eliminated}
    assert threshold < each.eliminated[0].threshold / 7


def test_who_is_far_behind_leaves_at_once_and_one_instance_decides_nothing():
    costs = noisy(3, 10, seed=1, gap=0.0)
    costs[:, 2] += 20
    assert out(CorrelatedSequential(correlation=0.1), costs, "mean", instances=20) == {3}
    assert not out(CorrelatedSequential(), [[0.0, 1.0]], "mean", instances=5)
