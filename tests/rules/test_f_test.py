"""irace's F-test: Friedman, Conover against the best, and Wilcoxon for two."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from racing.rules import FTest, Reason
from tests.rules.seen import judge, noisy, out


def by_the_book(costs: np.ndarray, alpha: float) -> set[int]:
    """Conover (1999), section 5.8, on rank sums, after scipy's Friedman test."""
    n, m = costs.shape
    ranks = scipy.stats.rankdata(costs, axis=1)
    sums = ranks.sum(axis=0)
    if not scipy.stats.friedmanchisquare(*costs.T).pvalue < alpha:
        return set()
    df = (n - 1) * (m - 1)
    error = np.sqrt(2 * (n * (ranks**2).sum() - (sums**2).sum()) / df)
    far = sums - sums.min() > scipy.stats.t.ppf(1 - alpha / 2, df) * error
    return {int(j) + 1 for j in np.flatnonzero(far)}


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("ties", [False, True])
def test_it_is_friedman_and_then_conover(seed, ties):
    rng = np.random.default_rng(seed)
    costs = noisy(rng.integers(3, 9), rng.integers(5, 20), seed=seed, gap=0.3)
    costs = np.round(2 * costs) / 2 if ties else costs
    alpha = rng.choice([0.05, 0.2])
    assert out(FTest(alpha=alpha), costs) == by_the_book(costs, alpha)


def test_the_figures_are_those_that_decided():
    verdict = judge(FTest(), noisy(6, 15, seed=1))
    assert verdict.gate
    assert verdict.gate.passed
    assert verdict.eliminated
    for e in verdict.eliminated:
        assert e.against == verdict.leader
        assert e.value > e.threshold > 0
        assert e.statistic > scipy.stats.t.ppf(0.975, 14 * 5)


def test_of_two_the_one_that_is_never_better_leaves_at_once():
    assert out(FTest(), [[1.0, 2.0]]) == {2}
    assert out(FTest(), [[1.0, 1.0], [3.0, 2.0]]) == {1}
    alike = judge(FTest(), [[1.0, 1.0], [2.0, 2.0]])
    assert [e.reason for e in alike.eliminated] == [Reason.INDISTINGUISHABLE]


@pytest.mark.parametrize("seed", range(20))
def test_two_are_told_apart_by_signed_ranks(seed):
    costs = noisy(2, 14, seed=seed, gap=0.6)
    test = scipy.stats.wilcoxon(costs[:, 0], costs[:, 1])
    never = (costs[:, 0] <= costs[:, 1]).all() or (costs[:, 0] >= costs[:, 1]).all()
    assert bool(out(FTest(), costs)) == bool(never or test.pvalue < 0.05)


def test_the_leader_by_mean_cost_stays_though_its_ranks_be_worse():
    costs = noisy(4, 30, seed=3, gap=1.0)
    costs[0, 0] = 1e4  # the best by ranks has one terrible instance
    assert judge(FTest(), costs).leader == 1
    verdict = judge(FTest(), costs, "mean")
    assert verdict.leader != 1
    assert verdict.leader not in {e.candidate for e in verdict.eliminated}


def test_of_two_the_second_stays_where_signed_ranks_speak_for_it():
    """The leader wins more often, but by so much less that Wilcoxon's test prefers the second."""
    lead = np.r_[-np.arange(1.0, 22.0), np.arange(22.0, 41.0)]  # wins 21 of 40, all of them small
    costs = np.column_stack([100 + lead, np.full(40, 100.0)])
    assert scipy.stats.wilcoxon(lead).pvalue < 0.05
    verdict = judge(FTest(), costs)
    assert verdict.leader == 1
    assert not verdict.eliminated


def test_whoever_has_better_ranks_than_the_leader_in_mean_cost_stays():
    """The leader in mean cost is rarely first; the critical difference has a side."""
    often_first = np.where(np.arange(30) < 27, 1.0, 100.0)
    costs = np.column_stack([np.full(30, 2.0), often_first, np.full(30, 50.0)])
    verdict = judge(FTest(), costs, "mean")
    assert verdict.leader == 1
    assert {e.candidate for e in verdict.eliminated} == {3}
    critical = verdict.eliminated[0].threshold
    ranks = scipy.stats.rankdata(costs, axis=1).mean(axis=0)
    assert ranks[0] - ranks[1] > critical  # it is ahead by more than what makes others leave
