"""Wilcoxon's signed ranks against the leader."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from racing.rules import Wilcoxon
from tests.rules.seen import judge, noisy, out


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_one_sided_test_against_the_leader(seed):
    costs = noisy(7, 14, seed=seed, gap=0.25)
    verdict = judge(Wilcoxon(alpha=0.1), costs)
    best = costs[:, verdict.leader - 1]
    p = [scipy.stats.wilcoxon(best, column, alternative="less").pvalue if column is not best else 1
         for column in costs.T if not (column == best).all()]  # fmt: skip
    others = [j for j in range(1, 8) if j != verdict.leader]
    expected = {j: value for j, value in zip(others, p, strict=True) if value < 0.1}
    assert {e.candidate: e.value for e in verdict.eliminated} == pytest.approx(expected)


def test_it_follows_the_leader_of_the_objective():
    costs = noisy(3, 30, seed=2, gap=1.0)
    costs[0, 0] = 1e4
    assert out(Wilcoxon(), costs) == {2, 3}
    assert judge(Wilcoxon(), costs, "mean").leader == 2
    assert out(Wilcoxon(), costs, "mean") == {3}


def test_ties_and_failures_are_no_evidence_but_against_a_number():
    assert not out(Wilcoxon(), np.full((20, 3), np.inf))
    assert not out(Wilcoxon(), np.ones((20, 3)))
    assert out(Wilcoxon(), np.where(np.arange(3) == 2, np.inf, np.ones((20, 3)))) == {3}
