"""F-race with sign tests: critical values, the gate, ties, circles, and the edges."""

from __future__ import annotations

import tracemalloc
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2, friedmanchisquare

from racing.core.objective import standing
from racing.rules import Reason, Sign
from racing.rules import sign as sign_rule
from racing.rules.f_race import dominated
from racing.stats.sign import sign_counts, sign_p
from tests.rules.seen import judge, noisy, out, seen

# Instances → wins that are enough at .05 (Demšar, 2006, table 3, up to 22: there called two-tailed,
# but the values are those of the one-sided test that races use).
CRITICAL = {
    5: 5, 6: 6, 7: 7, 8: 7, 9: 8, 10: 9, 11: 9, 12: 10, 13: 10, 14: 11, 15: 12, 16: 12, 17: 13,
    18: 13, 19: 14, 20: 15, 21: 15, 22: 16,
}  # fmt: skip

CIRCLE = np.repeat([[1, 2, 3], [2, 3, 1], [3, 1, 2]], 10, axis=0)
"""Each beats the next on 20 of 30 instances, p = .049, and all have the same mean rank."""


def pair(wins: int, n: int, ties: int = 0) -> np.ndarray:
    """(n, 2) costs: the first wins so many, the second what is left."""
    return np.array([[0, 1]] * wins + [[0, 0]] * ties + [[1, 0]] * (n - wins - ties), dtype=float)


@pytest.mark.parametrize(("n", "wins"), CRITICAL.items())
def test_two_candidates_need_the_published_number_of_wins(n, wins):
    assert out(Sign(), pair(wins, n)) == {2}
    assert out(Sign(), pair(wins - 1, n)) == set()


@pytest.mark.parametrize(("n", "wins"), [(5, 5), (12, 10), (22, 16)])
def test_the_p_value_is_the_exact_binomial_tail(n, wins):
    (gone,) = judge(Sign(), pair(wins, n)).eliminated
    assert gone.value == pytest.approx(sum(comb(n, k) for k in range(wins, n + 1)) / 2**n)
    assert (gone.measure, gone.threshold, gone.statistic) == ("p-value", 0.05, wins)
    assert (gone.candidate, gone.against, gone.reason) == (2, 1, Reason.INFERIOR)


def test_ties_are_split_evenly_and_an_odd_one_is_dropped():
    assert out(Sign(), pair(12, 20, ties=6)) == {2}, "15 of 20, as without ties"
    assert out(Sign(), pair(12, 20, ties=4)) == set(), "14 of 20"
    assert out(Sign(), pair(12, 21, ties=7)) == {2}, "one tie left out: 15 of 20"


def test_the_gate_is_friedman_s_test_and_its_numbers_are_kept():
    costs = noisy(6, 15, seed=1)
    gate = judge(Sign(), costs).gate
    assert gate is not None
    reference = friedmanchisquare(*costs.T)
    assert gate.test == "friedman"
    assert gate.statistic == pytest.approx(reference.statistic)
    assert gate.p_value == pytest.approx(reference.pvalue)
    assert gate.threshold == pytest.approx(chi2.ppf(0.95, 5))
    assert gate.passed


def test_nobody_leaves_while_the_gate_is_shut():
    rng = np.random.default_rng(0)
    costs = np.column_stack([pair(6, 6), rng.normal(size=(6, 12))])
    shut = judge(Sign(), costs)
    assert shut.gate is not None
    assert not shut.gate.passed
    assert shut.eliminated == ()
    assert 2 in out(Sign(gate="none"), costs)
    assert judge(Sign(gate="none"), costs).gate is None


def test_with_two_survivors_the_pair_stands_alone():
    assert judge(Sign(), pair(5, 5)).gate is None
    costs = noisy(6, 15, seed=1)
    verdict = judge(Sign(), seen(costs, survivors=[0, 5]))
    assert verdict.gate is None
    assert {e.candidate for e in verdict.eliminated} == {6}


def test_the_level_is_the_one_that_was_given():
    assert out(Sign(alpha=0.03), pair(5, 5)) == set()
    assert out(Sign(alpha=0.04), pair(5, 5)) == {2}


def test_a_circle_of_wins_never_drops_them_all():
    verdict = judge(Sign(gate="none"), CIRCLE)
    gone = {e.candidate for e in verdict.eliminated}
    assert gone == {1, 2, 3} - {verdict.leader}
    assert len(gone) == 2


def test_each_is_recorded_against_whoever_beats_it_most_clearly():
    costs = np.array([[0, 1, 2]] * 9 + [[1, 0, 2]])
    gone = {e.candidate: e for e in judge(Sign(), costs).eliminated}
    assert gone[2].against == 1
    assert gone[3].value == pytest.approx(1 / 2**10)


@pytest.mark.parametrize("costs", [np.ones((20, 4)), np.full((20, 4), np.inf)])
def test_constant_instances_tell_nobody_apart(costs):
    verdict = judge(Sign(), costs)
    assert verdict.eliminated == ()
    assert verdict.leader == 1


def test_identical_candidates_leave_together_or_stay_together():
    costs = noisy(4, 20, seed=3)
    costs = costs[:, [0, 0, 3, 3]]
    assert out(Sign(), costs) == {3, 4}


def test_a_failure_is_a_loss_against_any_number_and_a_tie_with_a_failure():
    costs = np.column_stack([np.full(6, 1e300), np.full(6, np.inf), np.full(6, np.inf)])
    assert out(Sign(), costs) == {2, 3}
    assert out(Sign(), costs[:, 1:]) == set()


@pytest.mark.parametrize("n", range(1, 5))
def test_fewer_than_five_instances_decide_nothing(n):
    assert out(Sign(), pair(n, n)) == set()
    assert out(Sign(), np.tile(np.arange(8.0), (n, 1))) == set()


# --- many candidates ------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.05, 0.3, 0.9])
@pytest.mark.parametrize("seed", range(12))
def test_in_blocks_it_is_the_test_of_every_pair(seed, alpha, monkeypatch):
    """Everybody but the leader, against whoever has the smallest p-value; the better of equals."""
    monkeypatch.setattr(sign_rule, "_BLOCK", 30)
    monkeypatch.setattr(sign_rule, "_TILE", 4)
    costs = np.round(noisy(9, 5 + seed, seed=seed, gap=0.2))
    results = seen(costs)
    order = standing(results, "rank")
    wins = sign_counts(costs)
    p = sign_p(wins.T, wins, len(costs) - wins - wins.T, alternative="better")
    expected = {e.candidate: e for e in dominated(results, order, p, wins.T, alpha=alpha)}
    found = judge(Sign(alpha=alpha, gate="none"), costs).eliminated
    assert [e.candidate for e in found] == list(expected)
    for e in found:
        assert (e.against, e.statistic) == (
            expected[e.candidate].against,
            expected[e.candidate].statistic,
        )
        assert e.value == pytest.approx(expected[e.candidate].value, rel=1e-12)


def test_a_look_at_many_candidates_needs_a_few_bytes_a_pair():
    """Matrices of counts and p-values of all pairs took 70 bytes each, 7 GB at 10,000."""
    costs = noisy(3000, 6, seed=0, gap=0.001)
    results = seen(costs)
    tracemalloc.start()
    judge(Sign(alpha=1e-9, gate="none"), results)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * 3000**2
