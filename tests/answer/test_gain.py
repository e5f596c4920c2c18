"""The comparison of two: estimates, intervals, what is shown; constraints and failures."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy.stats import ttest_rel

from racing.answer.gain import FEW, Gain, by_mean, gain, unskewed
from racing.answer.words import brief, sentence, where
from racing.core.constraints import Kept
from racing.stats.effects import median_difference
from racing.stats.sign import share_difference
from racing.stats.wilcoxon import wilcoxon

NOISE = np.random.default_rng(3).normal(0, 0.1, 30)


def mean(costs: np.ndarray, **more: object) -> Gain:
    return gain(costs, mean=True, **{"of": "unseen", **more})  # type: ignore[arg-type]


def median(costs: np.ndarray) -> tuple[float, float, float]:
    found = median_difference(*costs.T)
    return found.estimate, found.low, found.high


def three(found: Gain) -> tuple[float | None, float, float]:
    return found.estimate, found.low, found.high


# --- means ------------------------------------------------------------------------------------


def test_mean_and_interval_are_those_of_the_paired_t_test():
    costs = np.random.default_rng(2).normal(size=(12, 2)) + np.array([0.0, 0.4])
    told = mean(costs)
    interval = ttest_rel(costs[:, 1], costs[:, 0]).confidence_interval(0.95)
    assert told.estimate == pytest.approx((costs[:, 1] - costs[:, 0]).mean())
    assert (told.low, told.high) == (pytest.approx(interval.low), pytest.approx(interval.high))
    assert told.pairs == 12


def test_failures_are_counted_and_left_out_of_the_mean():
    costs = np.array([[1.0, np.inf], [np.inf, 2.0], [1.0, 3.0], [1.0, 5.0]])
    told = mean(costs)
    assert (told.estimate, told.pairs) == (3.0, 2)
    assert (told.failures, told.over_failures) == (1, 1)


@pytest.mark.parametrize("n", [0, 1])
def test_with_fewer_than_two_pairs_nothing_is_certain(n):
    told = mean(np.array([[1.0, 2.0]])[:n])
    assert (told.low, told.high, told.evidence) == (-math.inf, math.inf, "few")


def test_few_problems_whose_interval_contains_0_show_nothing():
    costs = np.column_stack([np.zeros(5), [1.0, -1.0, 2.0, -2.0, 0.5]])
    assert mean(costs).evidence == "few"
    assert mean(np.tile(costs, (2, 1))).evidence == "open"
    assert mean(np.column_stack([np.zeros(3), [5.0, 5.1, 5.2]])).evidence == "better"


def test_the_interval_covers_at_its_level():
    rng, covered = np.random.default_rng(4), 0
    for _ in range(2000):
        costs = rng.normal(size=(10, 2)) * [1.0, 2.0] + [0.0, 0.5]
        told = mean(costs)
        covered += told.low <= 0.5 <= told.high
    assert abs(covered / 2000 - 0.95) < 0.015


def test_a_problem_that_comes_again_is_one_observation():
    costs = np.repeat(np.random.default_rng(5).normal(size=(8, 2)), 4, axis=0)
    problems = [name for name in "abcdefgh" for _ in range(4)]  # seeds change nothing
    told, once = mean(costs, problems=problems), mean(costs[::4])
    assert three(told) == pytest.approx(three(once))
    assert (told.pairs, told.problems, told.observations) == (32, 8, 8)
    known = mean(costs, problems=problems, of="seeds")
    assert (known.observations, known.high) == (32, mean(costs).high)
    assert known.high < told.high


def test_the_interval_covers_at_its_level_on_folds_of_known_data():
    """Costs of a group share a part with the variance ρ/(1 − ρ) of that of the rest."""
    rng, covered = np.random.default_rng(8), 0
    problems = [0] * 12 + [1] * 4
    for _ in range(2000):
        shared = np.sqrt(0.2 / 0.8) * rng.normal(size=2)[problems]
        costs = np.column_stack([np.zeros(16), 0.5 + shared + rng.normal(size=16)])
        told = mean(costs, of="group", problems=problems, correlation=0.2)
        covered += told.low <= 0.5 <= told.high
    assert abs(covered / 2000 - 0.95) < 0.015


def test_with_seeds_alone_on_one_problem_nothing_is_known_of_others():
    costs = np.random.default_rng(6).normal(size=(5, 2))
    assert math.isinf(mean(costs, problems=["only"] * 5).high)


def test_the_interval_covers_at_its_level_where_few_problems_come_again():
    rng, covered = np.random.default_rng(7), 0
    for _ in range(2000):
        effects = np.tile(rng.normal(size=10), 6)
        costs = np.column_stack([np.zeros(60), 0.5 + effects + 0.5 * rng.normal(size=60)])
        told = mean(costs, problems=list(range(10)) * 6)
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
            found = mean(costs, skewed=skewed)
            held[int(skewed)] += found.low <= 1 <= found.high
    assert held[0] / 2000 < 0.9
    assert abs(held[1] / 2000 - 0.95) < 0.015


def test_the_best_of_as_many_equal_runs_is_shown_to_be_better_as_seldom_as_told():
    """Three runs of each on 20 instances, of which one is the same: no gain on average."""
    rng, found = np.random.default_rng(7), []
    for _ in range(2000):
        team, single = rng.exponential(size=(2, 20, 3))
        single[:, 0] = team[:, 0]
        costs = np.column_stack([team.min(axis=1), single.min(axis=1)])
        found.append([mean(costs, skewed=how) for how in (True, "perhaps")])
    held = np.array([[one.low <= 0 <= one.high for one in both] for both in found]).mean(axis=0)
    assert held[0] < 0.925
    assert abs(held[1] - 0.95) < 0.015
    assert abs(np.mean([both[1].estimate for both in found])) < 0.005


def test_without_skewness_the_interval_is_students():
    costs = np.column_stack([np.zeros(8), [1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0]])
    plain, same = (mean(costs, skewed=skewed) for skewed in (False, True))
    assert (plain.low, plain.high) == pytest.approx((same.low, same.high))


# --- medians and shares -----------------------------------------------------------------------


@pytest.mark.parametrize(("shift", "evidence"), [(1.0, "better"), (-1.0, "worse"), (0.0, "open")])
def test_evidence_is_that_of_the_interval(shift, evidence):
    costs = np.column_stack([np.zeros(30), shift + NOISE - np.median(NOISE)])
    found = gain(costs)
    assert (found.evidence, three(found)) == (evidence, median(costs))
    assert gain(costs[: FEW - 1]).evidence == "few"


def test_failures_count_as_worst_and_are_in_no_figure():
    costs = np.column_stack([np.zeros(30), 1 + NOISE])
    costs[:20, 1] = np.inf
    found = gain(costs)
    assert (found.failures, found.over_failures, found.pairs) == (0, 20, 10)
    assert three(found) == median(costs[20:])
    assert (found.evidence, found.wins) == ("better", 30)


def test_the_verdict_counts_failures_though_the_number_does_not():
    gains = np.array([np.inf] * 12 + [0.5, -0.4, 0.3, -0.2, 0.1, -0.3, 0.2])
    found = gain(np.column_stack([np.zeros(19), gains]))
    assert found.evidence == "better"
    assert found.low < 0


def test_without_an_instance_on_which_both_succeed_there_is_no_estimate():
    costs = np.array([[np.inf, 1.0], [2.0, np.inf], [np.inf, 1.0]])
    found = gain(costs, name="#2", over="#1")
    assert (found.estimate, found.closed) == (None, False)
    assert "#2 and #1 never both succeeded. There #1 failed once and #2 2 times." in str(found)


def test_groups_count_once_each():
    """Ten questions about each of five texts: on one text alone the first is much better."""
    costs = np.column_stack([np.zeros(50), np.repeat([1.0, 0.01, -0.01, 0.02, -0.02], 10)])
    costs[:, 1] += NOISE.repeat(2)[:50] / 1e3
    groups = np.repeat(np.arange(5), 10).tolist()
    found, alone = gain(costs, groups=groups), gain(costs)
    assert (found.instances, found.groups, found.observations) == (50, 5, 5)
    assert (alone.groups, alone.observations) == (None, 50)
    assert found.evidence == "few"
    assert found.high > alone.high
    assert found.wins == alone.wins
    assert found.p > alone.p == wilcoxon(*costs.T).pvalue
    own = gain(costs, groups=list(range(50)))
    assert (three(own), own.p) == (three(alone), alone.p)
    assert "in 5 groups; each counts once" in sentence(found)


@pytest.mark.parametrize("as_mean", [False, True])
def test_several_seeds_of_an_unseen_problem_are_one_observation(as_mean):
    costs = np.column_stack([np.zeros(50), np.repeat([1.0, 0.01, -0.01, 0.02, -0.02], 10)])
    problems = np.repeat(np.arange(5), 10).tolist()
    found = gain(costs, mean=as_mean, of="unseen", problems=problems)
    assert (found.observations, found.evidence) == (5, "few")
    assert gain(costs, mean=as_mean, of="seeds", problems=problems).observations == 50
    if not as_mean:
        assert three(found) == three(gain(costs, groups=problems))
        assert "Each problem counts once in the interval and the test." in sentence(found)


def test_what_is_chosen_by_means_is_told_by_means():
    costs = np.column_stack([NOISE, NOISE[::-1] + 1])
    assert by_mean(costs, "mean")
    assert not by_mean(costs, "rank")
    assert not by_mean(np.sign(costs) > 0, "mean"), "right or wrong has shares"
    assert not by_mean(np.vstack([costs, [1, np.inf]]), "mean"), "a mean leaves failures out"


def test_a_difference_that_is_the_same_on_few_instances_shows_nothing():
    """Its spread is not known: 2 wins of 2 are no evidence."""
    for n, evidence in ((3, "few"), (6, "better")):
        told = gain(np.tile([0.1, 0.4], (n, 1)), mean=True, of="unseen")
        assert told.evidence == evidence
        assert told.closed == (evidence == "better")
        assert ("interval" in str(told)) == ("interval" in brief(told)) == told.closed
        assert ("it cannot be said" in str(told)) == ("too few" in brief(told)) == (n == 3)
        near = np.column_stack([NOISE[:n], NOISE[:n] + 1 + NOISE[n : 2 * n]])
        assert gain(near, mean=True).evidence == evidence, "chosen on them"
        assert gain(near, mean=True, of="unseen").better


@pytest.mark.parametrize("scores", [False, True])
def test_right_or_wrong_is_compared_by_shares(scores):
    """27 items: 14 right for both, 9 for the first only, 1 for the other only."""
    wrong = np.array([[0, 0]] * 14 + [[0, 1]] * 9 + [[1, 0]] + [[1, 1]] * 3, dtype=float)
    costs = wrong - 1 if scores else wrong  # a score of 1 is a cost of -1
    found, share = gain(costs), share_difference(*costs.T)
    assert found.right == (23 / 27, 15 / 27)
    assert three(found) == (8 / 27, share.low, share.high)
    assert (found.evidence, found.test, found.p) == ("better", "mcnemar", share.pvalue)
    assert gain(costs[:, ::-1]).evidence == "worse"
    grouped = gain(costs, groups=np.repeat(range(9), 3).tolist())
    clustered = share_difference(*costs.T, groups=np.repeat(range(9), 3).tolist())
    assert three(grouped) == (8 / 27, clustered.low, clustered.high)


def test_the_exact_test_must_agree_with_the_interval_of_shares():
    costs = np.array([[0.0, 1.0]] * 5 + [[0.0, 0.0]] * 15)
    assert gain(costs).low > 0
    assert gain(costs).evidence == "open"


def test_costs_that_are_more_than_two_numbers_or_failed_are_no_shares():
    costs = np.array([[0.0, 1.0]] * 7)
    assert gain(costs).right == (1, 0)
    for other in (2.0, 0.5, np.inf):
        assert gain(np.vstack([costs, [0.0, other]])).right is None


# --- constraints ------------------------------------------------------------------------------


def limit(middle: float, half: float) -> Kept:
    """What instances say of a limit of 0.9, by an interval around a mean."""
    low, high = middle - half, middle + half
    evidence = "met" if low >= 0.9 else "missed" if high < 0.9 else "open"
    return Kept(
        text="success >= 0.9", mean=middle, low=low, high=high, confidence=0.95,
        evidence=evidence, met=middle >= 0.9,
        missed=(max(0.9 - high, 0.0) / 0.9, max(0.9 - low, 0.0) / 0.9),
    )  # fmt: skip


def test_constraints_come_before_the_cost_unless_failures_speak_against_them():
    good, bad = (limit(0.95, 0.02),), (limit(0.5, 0.1),)
    dearer = np.column_stack([np.zeros(12), -1.5 + NOISE[:12]])
    for as_mean in (True, False):
        told = gain(dearer, mean=as_mean, limits=(good, bad), name="#2", over="#1")
        assert (told.by_cost, told.evidence) == ("worse", "better")
        assert sentence(told).startswith("By the objective alone, on 12 ")
        assert "#2 is worse than #1 by 1.5" in sentence(told)
        assert str(told).count(" misses ") == 1
        assert "better than #1, as #1 misses" in brief(told)
        assert "; by the objective alone worse by 1.5" in brief(told)
        both = gain(dearer[:, ::-1], mean=as_mean, limits=(good, bad), name="#2", over="#1")
        assert "; by the objective alone better by 1.5" in brief(both)
        assert gain(dearer, mean=as_mean, limits=(good, good)).evidence == "worse"
        failing = np.vstack([dearer, [[np.inf, 1.0]] * 3])
        assert gain(failing, mean=as_mean, limits=(good, bad)).evidence == "open"


# --- words ------------------------------------------------------------------------------------


def test_what_failed_is_among_the_instances_and_the_size_is_of_the_others():
    costs = np.column_stack([np.zeros(9), [np.inf] * 7 + [1.0, 1.1]])
    told = sentence(mean(costs, name="#2", over="#1"))
    assert told.startswith("On 9 unseen problems, #2 is better than #1 by 1.05")
    assert told.endswith(
        "There #1 failed 7 times and #2 never. The size is of the 2 on which nothing failed."
    )
    nothing = sentence(mean(costs[:7], name="#2", over="#1"))
    assert nothing.startswith("On 7 unseen problems, #2 and #1 never both succeeded.")


@pytest.mark.parametrize("as_mean", [False, True])
@pytest.mark.parametrize("of", ["unseen", "seeds", "choice"])
@pytest.mark.parametrize("n", [1, 3, 12])
@pytest.mark.parametrize("shift", [-2.0, 0.0, 2.0])
def test_a_gain_is_called_one_only_where_its_interval_is_above_0(as_mean, of, n, shift):
    costs = 5 + np.column_stack([np.zeros(n), shift + 10 * (NOISE[:n] - NOISE[:n].mean())])
    told = gain(costs, mean=as_mean, of=of, name="#2", over="#1", unit="conflicts")
    said = str(told)
    assert said.startswith(f"On {where(told)}, ")
    assert ("#2 is better than #1 by " in said) == (told.low > 0)
    assert ("#2 is worse than #1 by " in said) == (told.high < 0)
    assert "conflicts" in said
    assert "∞" not in said
    assert "nan" not in said
    assert ("it cannot be said whether" in said) == (told.evidence == "few")
    for low, high in re.findall(r"interval (\S+) to (\S+?)[),]", said):
        assert float(low.replace("−", "-")) <= float(high.replace("−", "-"))


def test_ties_alone_leave_open_how_many_problems_differ():
    ties = np.ones((20, 2))
    assert "(95 % interval 0 to 0, all are ties, but up to 14 % of" in sentence(mean(ties))
    assert "such problems may differ)" in sentence(mean(ties))
    assert "both ends of its interval are 0" in sentence(mean(ties, of="choice"))


def test_right_or_wrong_is_told_in_shares():
    """The default is wrong on 10 of 40, the winner never."""
    costs = np.array([[0.0, 1.0]] * 10 + [[0.0, 0.0]] * 30)
    assert str(gain(costs, name="#2", over="#1")) == (
        "On 40 instances of the choice, #2 is right on 100 % and #1 on 75 % (the 95 % interval of "
        "the difference is 9.34 to 38.3 points; McNemar's p = 0.002). #2 is better on 10 of 40, "
        "equal on 30."
    )


def test_where_there_is_nothing_to_compare_the_words_say_why():
    told = Gain(why="There is no default to compare with.")
    assert str(told) == "There is no default to compare with."
    assert (told.estimate, told.evidence, told.better) == (None, "few", False)


def test_instances_of_one_group_are_not_said_to_need_more_of_them():
    costs = np.column_stack([np.zeros(5), np.arange(1.0, 6)])
    said = str(gain(costs, mean=True, groups=["one data set"] * 5))
    assert "one group cannot show it; that takes 6 or more." in said
    assert "6 groups or more can decide" in str(gain(costs, mean=True, groups=list("aabbc")))
