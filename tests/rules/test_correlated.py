"""The correlated t-races: t-tests, their level over a whole race, and the Bayesian test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks.fold_rules import World, run_race, spent
from racing.core.results import Results
from racing.rules import CorrelatedBayes, CorrelatedSequential, CorrelatedT, Reason
from racing.rules.correlated import nominal_level
from racing.stats.corrections import adjust
from racing.stats.t_tests import correlated_t, correlated_t_test
from tests.rules.seen import judge, noisy, out


def folds(costs, groups=None) -> Results:
    """Results whose rows are folds, by default of one data set."""
    costs = np.asarray(costs, dtype=float)
    n, m = costs.shape
    codes = np.zeros(n, dtype=np.intp) if groups is None else np.asarray(groups)
    alive = np.ones((n, m), dtype=bool)
    return Results(costs, alive, tuple(range(1, m + 1)), np.arange(m), groups=codes)


@pytest.mark.parametrize("correction", ["none", "holm", "bonferroni"])
@pytest.mark.parametrize("seed", range(10))
def test_it_is_the_corrected_t_test_of_costs(seed, correction):
    costs = noisy(6, 12, seed=seed, gap=0.4)
    best = int(costs.mean(axis=0).argmin())
    p = np.array([
        1.0 if j == best else
        correlated_t_test(costs[:, best], costs[:, j], rho=0.1, alternative="better").pvalue
        for j in range(6)
    ])  # fmt: skip
    expected = {int(j) + 1 for j in np.flatnonzero(adjust(p, correction) < 0.05)}
    rule = CorrelatedT(correction=correction)
    assert out(rule, folds(costs), "mean", correlation=0.1) == expected
    own = CorrelatedT(correction=correction, correlation=0.1)
    assert out(own, costs, "mean") == expected


def test_the_correlation_of_the_instances_is_the_default():
    costs = noisy(5, 15, seed=1, gap=0.5)
    told = judge(CorrelatedT(), folds(costs), "mean", correlation=0.3)
    assert told == judge(CorrelatedT(correlation=0.3), folds(costs), "mean", correlation=0.1)
    assert told != judge(CorrelatedT(), costs, "mean")


def test_more_correlation_keeps_more():
    gone = [
        sum(len(out(CorrelatedT(correlation=rho), noisy(8, 10, seed=s, gap=0.3), "mean"))
            for s in range(20))
        for rho in (0.0, 0.1, 0.5)
    ]  # fmt: skip
    assert gone[0] > gone[1] > gone[2] > 0


def test_several_data_sets_tell_more_than_folds_of_one():
    costs = noisy(6, 12, seed=2, gap=0.4)
    rule = CorrelatedT(correlation=0.4)
    one = {e.candidate: e.value for e in judge(rule, folds(costs), "mean").eliminated}
    many = {
        e.candidate: e.value
        for e in judge(rule, folds(costs, np.arange(12) // 2), "mean").eliminated
    }
    assert set(one) < set(many)
    assert all(many[id] < p for id, p in one.items())


def test_equal_costs_and_a_single_instance_decide_nothing():
    assert not out(CorrelatedT(), [[1.0, 1.0]] * 9, "mean")
    assert not out(CorrelatedT(), [[0.0, 1.0, 2.0]], "mean")


def test_a_difference_that_never_varies_is_certain():
    (gone,) = judge(CorrelatedT(), [[0.1, 0.3], [0.2, 0.4], [0.7, 0.9]], "mean").eliminated
    assert gone.candidate == 2
    assert gone.value == 0.0


def test_a_failure_is_worse_than_any_cost():
    costs = noisy(3, 12, seed=5, gap=0.0)
    costs[::2, 2] = np.inf
    assert 3 in out(CorrelatedT(correlation=0.05), costs, "mean")


def test_one_look_at_two_equal_candidates_keeps_its_level_with_folds():
    """One candidate is dropped in α of the looks, either way; the plain t-test in far more."""
    rng = np.random.default_rng(1)
    races, rho, n = 1000, 0.1, 30
    dropped = {0.0: 0, rho: 0}
    for _ in range(races):
        costs = np.sqrt(rho) * rng.normal(size=2) + np.sqrt(1 - rho) * rng.normal(size=(n, 2))
        for told in dropped:
            dropped[told] += 1 in out(CorrelatedT(correlation=told), costs, "mean")
    error = 3 * np.sqrt(0.05 * 0.95 / races)
    assert abs(dropped[rho] / races - 0.05) < error
    assert dropped[0.0] / races > 0.05 + 2 * error


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


@pytest.mark.parametrize("seed", range(10))
def test_it_is_the_posterior_of_the_correlated_t_test(seed):
    costs = noisy(6, 12, seed=seed, gap=0.3)
    best = int(costs.mean(axis=0).argmin())
    rule = CorrelatedBayes(rope=0.2, correlation=0.1)
    found = {e.candidate: e for e in judge(rule, costs, "mean").eliminated}
    for j in range(6):
        posterior = correlated_t(costs[:, best], costs[:, j], rho=0.1, rope=0.2)
        no_better = float(posterior.p_left + posterior.p_rope)
        assert ((j + 1) in found) == (j != best and no_better > 0.9)
        if j + 1 in found:
            inferior = float(posterior.p_left)
            reason = Reason.INFERIOR if inferior > 0.9 else Reason.INDISTINGUISHABLE
            value = inferior if inferior > 0.9 else no_better
            assert found[j + 1].reason is reason
            assert found[j + 1].value == pytest.approx(value)


def test_practically_equal_candidates_leave_as_such_and_a_wider_rope_drops_more():
    rng = np.random.default_rng(2)
    costs = rng.normal(size=(30, 1)) + 0.01 * rng.normal(size=(30, 6))
    verdict = judge(CorrelatedBayes(rope=0.1, correlation=0.1), costs, "mean")
    assert {e.reason for e in verdict.eliminated} == {Reason.INDISTINGUISHABLE}
    assert len(verdict.eliminated) == 5
    sizes = [len(out(CorrelatedBayes(rope=r, correlation=0.1), costs, "mean")) for r in (0, 0.005)]
    assert sizes[0] < sizes[1] <= 5


def test_one_instance_decides_nothing():
    assert not out(CorrelatedBayes(), [[0.0, 1.0, 2.0]], "mean")
