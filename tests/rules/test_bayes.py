"""The Bayesian race: which gate, how much evidence, equals, circles, and the edges."""

from __future__ import annotations

import numpy as np
import pytest

from racing.core.results import Results
from racing.rules import Bayes, Outlook, Reason
from racing.stats.dp_friedman import bayesian_friedman, minimum_instances
from tests.rules.seen import judge, noisy, out
from tests.rules.test_sign import CIRCLE, pair

PATIENT = Bayes(drop_equals=False)


# --- the gate -------------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [3, 5, 10])
def test_the_ellipsoid_is_the_gate_from_the_instances_on_where_it_can_reject(m):
    least = minimum_instances(m)
    before = judge(Bayes(), noisy(m, least - 1, seed=1)).gate
    after = judge(Bayes(), noisy(m, least, seed=1)).gate
    assert before.test == "iman-davenport"
    assert after.test == "bayesian-friedman"


def test_the_numbers_of_the_gate_are_kept():
    costs = noisy(5, 40, seed=1)
    gate, reference = judge(Bayes(), costs).gate, bayesian_friedman(costs)
    assert (gate.statistic, gate.threshold, gate.p_value, gate.passed) == (
        reference.statistic,
        reference.threshold,
        reference.level,
        True,
    )


def test_nobody_is_inferior_while_the_gate_is_shut():
    costs = noisy(10, 8, seed=3, gap=0.0)
    assert not judge(PATIENT, costs).gate.passed
    assert out(PATIENT, costs) == set()


def test_with_two_survivors_or_without_a_gate_the_comparison_stands_alone():
    assert judge(Bayes(), pair(8, 8)).gate is None
    assert judge(Bayes(gate="none"), noisy(5, 20, seed=1)).gate is None


# --- inferior -------------------------------------------------------------------------------------


def test_verdicts_carry_posterior_threshold_and_wins():
    costs = noisy(5, 40, seed=1)
    verdict = judge(PATIENT, costs)
    assert verdict.eliminated
    for gone in verdict.eliminated:
        wins = (costs[:, gone.against - 1] < costs[:, gone.candidate - 1]).sum()
        assert gone.reason is Reason.INFERIOR
        assert gone.measure == "posterior"
        assert gone.value > gone.threshold == 0.95
        assert gone.statistic == wins > 20


@pytest.mark.parametrize("s", [0.01, 1.0, 5.0])
def test_a_straight_run_is_believed_at_once_under_the_paper_s_prior(s):
    assert out(Bayes(s=s), pair(1, 1)) == {2}


def test_five_straight_wins_are_needed_against_every_prior_of_one_instance():
    cautious = Bayes(bound="lower", s=1.0)
    assert [out(cautious, pair(n, n)) for n in range(1, 7)] == [set()] * 4 + [{2}, {2}]


def test_gamma_is_the_chance_that_is_taken():
    """Six wins and two losses: P(θ > ½) = .9375 for θ ~ Beta(6, 2), the prior atom being a tie."""
    (gone,) = judge(Bayes(gamma=0.4, drop_equals=False), pair(6, 8)).eliminated
    assert gone.value == pytest.approx(0.9375)
    assert out(Bayes(gamma=0.06, drop_equals=False), pair(6, 8)) == set()
    assert out(Bayes(gamma=0.07, drop_equals=False), pair(6, 8)) == {2}


def test_a_joint_statement_needs_more_than_each_of_its_parts():
    """P(Beta(16, 4) < ½) = .0022 for each of two statements, about twice that for both."""
    worse = np.array([1.0] * 16 + [-1.0] * 4)
    costs = np.column_stack([np.zeros(20), worse, np.roll(worse, 7)])
    strict = Bayes(gate="none", gamma=0.003, drop_equals=False)
    assert out(strict, costs[:, :2]) == {2}
    assert out(strict, costs[:, [0, 2]]) == {2}
    assert len(out(strict, costs)) == 1
    assert out(Bayes(gate="none", gamma=0.007, drop_equals=False), costs) == {2, 3}


def test_a_circle_of_wins_never_drops_them_all():
    verdict = judge(Bayes(gate="none", gamma=0.49), CIRCLE)
    gone = {e.candidate for e in verdict.eliminated}
    assert verdict.leader not in gone
    assert gone


def test_the_same_stream_gives_the_same_verdict():
    costs = noisy(12, 10, seed=5, gap=0.1)
    assert judge(Bayes(), costs) == judge(Bayes(), costs)


# --- practically equal ----------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "gone"), [(1, set()), (28, set()), (29, {2, 3}), (100, {2, 3})])
def test_constant_instances_need_29_until_one_of_the_equals_is_left(n, gone):
    """Against a prior of strength 1 on one side: P(|θ − ½| < .05) > .95 from 29 ties on."""
    verdict = judge(Bayes(), np.ones((n, 3)))
    assert {e.candidate for e in verdict.eliminated} == gone
    for equal in verdict.eliminated:
        assert equal.reason is Reason.INDISTINGUISHABLE
        assert equal.against == verdict.leader == 1
        assert equal.value > equal.threshold == 0.95


def test_of_two_equals_the_one_with_the_worse_standing_leaves():
    rng = np.random.default_rng(0)
    one = rng.normal(size=60)
    other = one.copy()
    other[0] += 1e-6
    verdict = judge(Bayes(), np.column_stack([other, one]))
    assert verdict.leader == 2
    assert [(e.candidate, e.against) for e in verdict.eliminated] == [(1, 2)]


def test_equals_stay_if_told_to():
    assert out(PATIENT, np.ones((200, 3))) == set()


def test_a_wide_region_calls_more_equal():
    even = np.array([[0, 1], [1, 0]] * 30, dtype=float)
    assert out(Bayes(), even) == set(), "without ties, hundreds of instances are needed"
    assert out(Bayes(epsilon=0.2), even) == {2}
    assert out(Bayes(epsilon=0.2, confidence=0.9999), even) == set()


def test_many_equals_are_left_with_one():
    verdict = judge(Bayes(), np.ones((40, 10)))
    assert {e.candidate for e in verdict.eliminated} == set(range(2, 11))


# --- the edges ------------------------------------------------------------------------------------


def test_failures_lose_against_numbers_and_tie_with_failures():
    costs = np.column_stack([np.zeros(12), np.full(12, np.inf), np.full(12, np.inf)])
    assert out(PATIENT, costs) == {2, 3}
    assert out(PATIENT, costs[:, 1:]) == set()


@pytest.mark.parametrize("m", [1, 2, 6])
@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("fill", [1.0, np.inf])
def test_nobody_leaves_where_nothing_is_known(m, n, fill):
    assert out(Bayes(), np.full((n, m), fill)) == set()


def test_somebody_is_always_left():
    for seed in range(30):
        costs = np.round(noisy(6, 8, seed=seed))
        results = Results(costs, costs == costs, tuple(range(6)), np.arange(6))
        rng = np.random.default_rng(seed)
        verdict = Bayes(gamma=0.49, gate="none", epsilon=0.3)(results, Outlook(), rng)
        assert verdict.leader not in {e.candidate for e in verdict.eliminated}
