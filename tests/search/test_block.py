"""Blocks of a search: scores, and what decides between two candidates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from racing.core.aims import aim_of
from racing.core.goal import Goal
from racing.core.metric import Metric
from racing.search.block import (
    MARGIN,
    Block,
    Lag,
    agreement,
    block_scores,
    differences,
    pooled_noise,
    probability_better,
)

GOAL = Goal({"time": Metric(), "success": Metric(direction="maximize")}, None)
ASKED: dict[str, Any] = {
    "constraint": {"minimize": "time", "subject_to": ["success >= 0.7"]},
    "two constraints": {"minimize": "time", "subject_to": ["success >= 0.7", "time <= 1.5"]},
    "order": {"order": [{"success": 0.1}, "time"]},
}


def block(asked: str, time: Any, success: Any) -> Block:
    """A block of rows of times and of right answers; NaN = failed."""
    goal = Goal(GOAL.metrics, aim_of(ASKED[asked]))
    metrics = np.stack([np.array(time, float), -np.array(success, float)], axis=2)
    failed = np.isnan(metrics).any(axis=2)
    metrics[failed] = np.inf
    cost = metrics[:, :, 1 if asked == "order" else 0]
    return Block(cost, "mean", metrics, goal)


def drawn(asked: str, rng: np.random.Generator, n: int, k: int, failing: float = 0.1) -> Block:
    """A block at random, with ties."""
    time = rng.integers(1, 4, (n, k)) + 0.5 * rng.integers(0, 3, k)
    success = rng.random((n, k)) < rng.choice([0.4, 0.7, 1.0], k)
    failed = rng.random((n, k)) < failing
    return block(asked, np.where(failed, np.nan, time), np.where(failed, np.nan, success))


@pytest.mark.parametrize("asked", ASKED)
def test_one_is_behind_another_exactly_where_the_order_says_so(asked: str) -> None:
    rng = np.random.default_rng(4)
    seen = set()
    for _ in range(2000):
        both = drawn(asked, rng, int(rng.integers(2, 8)), 2, failing=0.0)
        if both.goal.violations(both.results((1, 2)), margin=MARGIN)[:, :1].any():
            continue  # the first meets no limit surely: see below
        merits = both.goal.merits(both.results((1, 2)))
        behind = both.lags()[0].behind
        first, second = merits.tolist()
        assert np.sign(behind) == np.sign(
            next((b - a for a, b in zip(first, second, strict=True) if round(a - b, 12)), 0.0)
        ), (merits, behind)
        seen.add(int(np.sign(behind)))
    assert seen >= ({1} if asked == "two constraints" else {-1, 1})


@pytest.mark.parametrize("asked", ASKED)
def test_challengers_are_ordered_beside_the_best_as_among_themselves(asked: str) -> None:
    """But for tolerances, which are distances from the best of all."""
    rng = np.random.default_rng(5)
    for _ in range(100):
        whole = drawn("constraint" if asked == "order" else asked, rng, 6, 5, failing=0.0)
        order = [int(column) for column in whole.order()]
        ranked = whole.take(order)
        behind = [lag.behind for lag in ranked.lags()]
        feasible = not whole.goal.violations(ranked.results(range(5)), margin=MARGIN)[:, 0].any()
        if feasible:  # else two that meet the limits are compared with one that does not
            assert behind == sorted(behind)


def test_a_constraint_decides_before_the_cost() -> None:
    slow, fast = [3.0] * 10, [1.0] * 10
    reliable, risky = [1] * 10, [1] * 5 + [0] * 5
    both = block("constraint", np.column_stack([slow, fast]), np.column_stack([reliable, risky]))
    assert both.order().tolist() == [0, 1]
    (lag,) = both.lags()
    assert lag.rest == 2
    assert 2 < lag.behind < 3
    assert probability_better(lag.d, lag.noise, 4.0) < 0.2
    plain = Block(both.costs, "mean")
    assert plain.order().tolist() == [1, 0]


def test_among_those_that_meet_all_limits_the_cost_decides() -> None:
    times = np.column_stack([[2.0, 4.0, 3.0], [1.0, 2.0, 3.0]])
    both = block("constraint", times, np.ones((3, 2)))
    (lag,) = both.lags()
    assert lag.d.tolist() == [-1, -2, 0]
    assert (lag.rest, lag.behind) == (1, -1 - 1 / 2)


def test_one_bad_instance_of_one_drops_none_at_the_default_level() -> None:
    both = block("constraint", [[1.0, 1.0]], [[1, 0]])
    (lag,) = both.lags()
    assert lag.rest == 2
    assert 0.2 < probability_better(lag.d, lag.noise, 4.0) < 0.5


def test_a_failure_decides_first() -> None:
    both = block("constraint", [[1.0, 0.5], [1.0, np.nan]], [[0, 1], [0, np.nan]])
    (lag,) = both.lags()
    assert lag.rest == 3
    assert lag.d.tolist() == [0, 1]


@pytest.mark.parametrize("asked", ASKED)
def test_a_failure_that_the_best_shares_says_nothing(asked: str) -> None:
    """Some instances are too hard for all: no challenger that begins there may leave for it."""
    failed, others = [np.nan, np.nan], [[1.0, 1.2], [1.0, 1.3], [1.1, 1.0]]
    elites = block(asked, [*others, failed], [[1, 1], [1, 0], [1, 1], failed])
    alike = block(asked, [[np.nan]], [[np.nan]])
    lag = elites.lag(alike, [3], elites.noise())
    assert (lag.d.tolist(), lag.behind) == ([0.0], 0.0)
    assert probability_better(lag.d, lag.noise, 4.0) == 0.5
    nobody = block(asked, [failed, failed], [failed, failed])
    assert nobody.lag(alike, [0], nobody.noise()).behind == 0.0


def test_elites_meet_a_limit_with_a_margin_and_the_final_choice_without() -> None:
    fast, slow = [1.0] * 20, [2.0] * 20
    just, surely = [1] * 15 + [0] * 5, [1] * 20
    both = block("constraint", np.column_stack([fast, slow]), np.column_stack([just, surely]))
    assert both.order().tolist() == [0, 1]
    assert both.order(2.0).tolist() == [1, 0]


def test_a_limit_that_is_met_exactly_is_met() -> None:
    values = [[1, 1]] * 7 + [[1, 0]] * 3
    both = block("constraint", [[2.0, 1.0]] * 10, values)
    assert both.lags()[0].rest == 1


def test_one_that_just_meets_a_limit_gives_way_to_the_more_reliable() -> None:
    """Of many that seem to meet it, the fastest is a lucky one."""
    lucky, reliable = [1] * 7 + [0] * 3, [1] * 10
    both = block("constraint", [[1.0, 2.0]] * 10, np.column_stack([lucky, reliable]))
    (lag,) = both.lags()
    assert lag.rest == 2
    assert lag.behind < -2


def test_instances_agree_by_the_criterion_in_which_they_agree_least() -> None:
    rng = np.random.default_rng(1)
    times = np.arange(6.0) + rng.normal(size=(8, 6)) / 100
    noise = rng.random((8, 6)) < 0.5
    assert block("constraint", times, np.ones((8, 6))).agreement() > 0.9
    assert block("constraint", times, noise).agreement() < 0.6


def test_with_one_cost_nothing_is_different() -> None:
    rng = np.random.default_rng(2)
    costs = rng.normal(size=(9, 4))
    one = Block(costs, "mean")
    for column, lag in enumerate(one.lags(), start=1):
        np.testing.assert_array_equal(lag.d, costs[:, column] - costs[:, 0])
        assert (lag.noise, lag.rest) == (one.noise(), 0)
    assert Lag(np.array([1.0, 3.0]), 1.0).behind == 2.0


COSTS = np.array([[1.0, 3.0, 2.0], [5.0, 5.0, 7.0]])


def test_the_mean_takes_costs_as_they_are():
    assert block_scores(COSTS, "mean") is COSTS


def test_ranks_are_shares_of_those_in_the_block_and_ties_share():
    expected = np.array([[1, 3, 2], [1.5, 1.5, 3]]) / 3
    np.testing.assert_allclose(block_scores(COSTS, "rank"), expected)


def test_a_failure_is_one_range_worse_than_the_worst():
    costs = np.array([[1.0, np.inf], [3.0, 2.0]])
    np.testing.assert_array_equal(block_scores(costs, "mean"), [[1, 5], [3, 2]])


@pytest.mark.parametrize("fill", [np.inf, 0.0, 7.0])
@pytest.mark.parametrize("objective", ["mean", "rank"])
def test_equal_columns_have_equal_finite_scores(fill, objective):
    scores = block_scores(np.full((3, 4), fill), objective)
    assert np.isfinite(scores).all()
    assert (scores == scores[0, 0]).all()


def test_differences_are_to_the_best_elite():
    own, block = np.array([2.0, 1.0]), np.array([[1.0, 9.0], [4.0, 9.0]])
    np.testing.assert_array_equal(differences(own, block, "mean"), [1, -3])
    np.testing.assert_allclose(differences(own, block, "rank"), [1 / 3, -1 / 3])


def test_a_challenger_that_fails_where_the_best_does_not_is_far_behind():
    d = differences(np.array([np.inf, 1.0]), np.array([[1.0], [2.0]]), "mean")
    assert d[0] == 2 - 1 + 1
    assert d[1] == -1


def test_the_noise_is_the_variance_of_differences_to_the_first():
    expected = np.mean([np.var([2, 0], ddof=1), np.var([1, 2], ddof=1)])
    assert pooled_noise(COSTS, "mean") == pytest.approx(expected)


@pytest.mark.parametrize("shape", [(1, 3), (3, 1)])
def test_the_noise_is_unknown_from_one_row_or_one_column(shape):
    assert pooled_noise(np.ones(shape), "mean") == 0.0


SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)
"""Shrout and Fleiss (1979), table 2: six targets by four judges."""


def test_agreement_is_the_published_reliability():
    assert agreement(SHROUT_FLEISS.T, "mean") == pytest.approx(0.91, abs=0.005)  # ICC(3, 4)


def test_agreement_is_cronbachs_alpha():
    costs = np.random.default_rng(1).normal(size=(5, 30)) + np.linspace(0, 2, 30)
    n = len(costs)
    alpha = n / (n - 1) * (1 - costs.var(axis=1, ddof=1).sum() / costs.sum(axis=0).var(ddof=1))
    assert agreement(costs, "mean") == pytest.approx(alpha)


def test_levels_of_instances_and_the_unit_do_not_matter():
    shifted = 3 * (SHROUT_FLEISS.T + np.array([[0.0], [100.0], [-5.0], [7.0]]))
    assert agreement(shifted, "mean") == pytest.approx(agreement(SHROUT_FLEISS.T, "mean"))


def test_instances_that_see_the_same_differences_agree_fully():
    assert agreement(np.arange(5.0) + np.array([[0.0], [10.0]]), "mean") == pytest.approx(1)


def test_noise_agrees_on_average_in_nothing():
    rng = np.random.default_rng(2)
    found = [agreement(rng.normal(size=(4, 40)), "mean") for _ in range(400)]
    error = np.std(found) / 20
    # F = MS_configurations / MS_residual, so 1 − 1/F has the mean 1 − (k − 1)/(k − 3)
    assert abs(np.mean(found) - (1 - 39 / 37)) < 4 * error


def test_to_agreement_a_failure_is_one_range_above_the_worst():
    costs = np.array([[1.0, 2, 3, np.inf], [1, 2, 3, np.inf]])
    assert agreement(costs, "mean") == pytest.approx(1)


@pytest.mark.parametrize("costs", [[[1, 2, 3]], [[1, 2], [1, 2]], [[1, 1, 1], [2, 2, 2]]])
def test_agreement_is_0_where_it_says_nothing(costs):
    assert agreement(np.array(costs, float), "mean") == 0
    assert agreement(np.array(costs, float), "rank") == 0


def test_the_probability_is_that_of_the_formula():
    d = np.array([0.3, -0.1, 0.5])
    v = (4 * 0.2 + ((d - d.mean()) ** 2).sum()) / (3 + 3)
    expected = norm.cdf(-d.mean() / math.sqrt(v / 3))
    assert probability_better(d, 0.2, 4.0) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("d", "expected"), [([1.0], 0.0), ([-1.0, -1.0], 1.0), ([0.0], 0.5)])
def test_without_any_noise_the_sign_decides(d, expected):
    assert probability_better(np.array(d), 0.0, 4.0) == expected


def test_without_a_prior_it_is_the_plain_normal_statistic():
    d = np.array([0.3, -0.1, 0.5, 0.2])
    expected = norm.cdf(-d.mean() / math.sqrt(d.var(ddof=1) / 4))
    assert probability_better(d, 123.0, 0.0) == pytest.approx(expected)


def test_an_equal_challenger_is_dropped_at_a_look_about_as_often_as_the_level():
    rng = np.random.default_rng(1)
    for n in (1, 4, 16):
        out = [probability_better(rng.normal(size=n), 1.0, 4.0) <= 0.1 for _ in range(4000)]
        assert abs(np.mean(out) - 0.1) < 0.025
