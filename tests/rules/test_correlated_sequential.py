"""The correlated t-race that keeps its level over the whole race."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks.fold_rules import World, run_race, spent
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


@pytest.mark.parametrize(("alpha", "most"), [("0.1", 0.1), ("0.05", 0.05), ("0.01", 0.012)])
def test_the_level_is_kept_over_all_looks_of_a_race_of_folds(alpha, most):
    """Of two equal candidates each is dropped in α of the races, though variances are estimated."""
    share = spent(20000, 2)[alpha]
    error = 3 * math.sqrt(most * (1 - most) / 20000)
    assert 0.8 * float(alpha) < share < most + error


def lost(rule, world: World, races: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return sum(run_race(rule, world.draw(rng), rng)[0] for _ in range(races)) / races


def test_whole_races_lose_the_best_less_often_than_by_looks_at_a_level():
    world, races = World("two", 2, 30), 60
    looks = lost(CorrelatedT(), world, races, 1)
    assert lost(CorrelatedSequential(), world, races, 1) < 0.12 < looks


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
