"""The Bayesian correlated t-race."""

from __future__ import annotations

import numpy as np
import pytest

from racing.rules import CorrelatedBayes, Reason
from racing.stats.t_tests import correlated_t
from tests.rules.seen import judge, noisy, out


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
