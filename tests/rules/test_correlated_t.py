"""Correlated t-tests against the leader."""

from __future__ import annotations

import numpy as np
import pytest

from racing.core.results import Results
from racing.rules import CorrelatedT
from racing.stats.corrections import adjust
from racing.stats.t_tests import correlated_t_test
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
