"""Who are the best; of a front, who stays, and the screening test of a challenger."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import norm

from racing.core.aims import Front
from racing.core.fronts import TradeOffs, dominated
from racing.core.goal import Goal
from racing.core.metric import Metric
from racing.core.verdict import Reason
from racing.search import Settings
from racing.search.block import Block, probability_better
from racing.search.elites import gaps_to, probability, select, spread, without_inferior

BLOCK = np.array([[3.0, 1.0, 2.0], [3.0, 2.0, 1.5], [9.0, 1.0, 1.0]])


def test_the_best_come_first_by_mean_cost():
    assert Block(BLOCK, "mean").order().tolist() == [1, 2, 0]


def test_ranks_do_not_look_at_sizes():
    block = np.array([[1.0, 2.0], [1.0, 2.0], [900.0, 2.0]])
    assert Block(block, "rank").order().tolist() == [0, 1]
    assert Block(block, "mean").order().tolist() == [1, 0]


def test_who_fails_less_is_better_by_mean():
    block = np.array([[1.0, np.inf], [100.0, 1.0]])
    assert Block(block, "mean").order().tolist() == [0, 1]


@pytest.mark.parametrize("objective", ["mean", "rank"])
def test_equals_keep_their_order(objective):
    assert Block(np.ones((4, 5)), objective).order().tolist() == [0, 1, 2, 3, 4]


def test_one_is_the_best_of_one():
    assert Block(np.ones((2, 1)), "rank").order().tolist() == [0]


def test_the_clearly_inferior_retire_and_the_first_never_does():
    rng = np.random.default_rng(3)
    costs = rng.normal(size=(30, 1)) + 0.1 * rng.normal(size=(30, 3)) + [0.0, 0.01, 1.0]
    stay, block, verdict = without_inferior([4, 5, 6], Block(costs, "mean"), Settings())
    assert len(stay) == block.costs.shape[1] == 2
    [gone] = verdict.eliminated
    assert (gone.candidate, gone.against, gone.threshold) == (6, stay[0], 0.02)
    assert gone.value < 0.02
    assert gone.statistic > 0.8
    assert without_inferior([4], Block(costs[:, :1], "mean"), Settings())[2] is None


def told(metrics: np.ndarray) -> Block:
    """The block of candidates with these metrics, (n, k, K); NaN = failed."""
    names = tuple(f"m{k}" for k in range(metrics.shape[2]))
    goal = Goal({name: Metric() for name in names}, Front(names))
    metrics = np.where(np.isnan(metrics).any(axis=2, keepdims=True), np.inf, metrics)
    return Block(metrics[:, :, 0], "mean", metrics, goal)


@pytest.mark.parametrize("seed", range(5))
def test_the_front_stays_and_all_others_are_dominated_by_one_of_it(seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(4, 12, 2))
    stay, block, verdict = select(list(range(1, 13)), told(values), most=12)
    out = dominated(values.mean(axis=0), np.zeros(2))
    assert set(stay) == {c + 1 for c in range(12) if not out[c]}
    assert {one.candidate for one in verdict.eliminated} == {c + 1 for c in range(12) if out[c]}
    means = values.mean(axis=0)
    for one in verdict.eliminated:
        assert one.reason is Reason.DOMINATED
        assert one.value > 0
        assert (means[one.against - 1] <= means[one.candidate - 1]).all()
    assert verdict.leader == stay[0]
    assert block.costs.tolist() == values[:, [one - 1 for one in stay], 0].tolist()


def test_a_short_front_is_filled_up_with_the_nearest() -> None:
    values = np.array([[[1.0, 1.0], [5.0, 5.0], [2.0, 3.0], [1.5, 1.5]]] * 3)
    values = values + np.random.default_rng(1).normal(size=(3, 1, 2))
    values = values + 0.01 * np.random.default_rng(2).normal(size=values.shape)
    stay, _, verdict = select([1, 2, 3, 4], told(values), most=4, least=3)
    assert stay == [1, 4, 3]
    assert [one.candidate for one in verdict.eliminated] == [2]


def test_who_fails_more_often_leaves_first() -> None:
    values = np.random.default_rng(3).normal(size=(4, 4, 2))
    values[0, 2] = np.nan
    values[:, 2] -= 100
    stay, _, _ = select([1, 2, 3, 4], told(values), most=4)
    assert 3 not in stay


def test_of_too_many_one_of_the_two_nearest_leaves_and_the_ends_stay() -> None:
    x = np.array([0.0, 0.1, 0.5, 0.52, 0.85, 1.0])
    means = np.column_stack([x, 1000 * (1 - x)])
    assert spread(means, 6) == list(range(6))
    assert spread(means, 5) == [0, 1, 2, 4, 5]
    assert spread(means, 4) == [0, 2, 4, 5]
    assert spread(means, 2) == [0, 5]
    assert spread(means, 3, keep=[3]) == [0, 3, 5]
    assert spread(means, 1, keep=[3]) == [3]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_kept_of_a_front_is_apart(seed: int) -> None:
    """The least distance is no less than that of most choices of as many."""
    x = np.sort(np.random.default_rng(seed).random(9))
    means = np.column_stack([x, 1 - x])

    def least(places: list[int]) -> float:
        return float(np.diff(x[sorted(places)]).min())

    kept = least(spread(means, 5))
    others = [least([0, *inner, 8]) for inner in combinations(range(1, 8), 3)]
    assert np.mean([kept >= other for other in others]) > 0.8


@pytest.mark.parametrize("seed", range(10))
def test_the_best_in_each_of_three_metrics_stays(seed: int) -> None:
    points = np.random.default_rng(seed).dirichlet(np.ones(3), size=15)
    assert set(points.argmin(axis=0).tolist()) <= set(spread(points, 4))


def test_a_front_of_one_too_many_says_so() -> None:
    values = np.array([[[0.0, 4.0], [1.0, 3.0], [1.1, 2.9], [4.0, 0.0]]] * 2)
    stay, _, verdict = select([1, 2, 3, 4], told(values), most=3)
    assert len(stay) == 3
    [gone] = verdict.eliminated
    assert gone.candidate in (2, 3)
    assert (gone.reason, gone.measure) == (Reason.SCHEDULE, "front")


def seen(values: np.ndarray, ropes: tuple[float, ...] | None = None) -> TradeOffs:
    failed = np.isnan(values[:, :, 0]).sum(axis=0)
    return TradeOffs(values, failed, np.array(ropes or np.zeros(values.shape[2])))


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_test_of_a_search_in_the_metric_that_says_most_for_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, noise = rng.normal(size=(5, 4, 2)), np.array([0.8, 1.3])
    gaps = gaps_to(seen(values), noise, prior=4.0)
    for elite in range(3):
        d = values[:, 3] - values[:, elite]
        best = max(probability_better(d[:, k], 2 * noise[k] ** 2, 4.0) for k in range(2))
        assert probability(gaps[elite]) == pytest.approx(best)
    assert probability(1.0) == pytest.approx(norm.sf(1.0))


def test_one_metric_in_which_it_is_better_is_enough() -> None:
    values = np.zeros((4, 2, 2)) + np.random.default_rng(1).normal(size=(4, 2, 2)) / 100
    values[:, 1] += [5.0, -0.5]
    [gap] = gaps_to(seen(values), np.full(2, 0.01), 4.0)
    assert probability(gap) > 0.99
    values[:, 1, 1] += 1.0
    [gap] = gaps_to(seen(values), np.full(2, 0.01), 4.0)
    assert probability(gap) < 0.01


def test_a_rope_leaves_a_metric_out() -> None:
    values = np.random.default_rng(1).normal(size=(6, 2, 2)) / 100
    values[:, 1] += [5.0, -0.5]
    noise = np.full(2, 0.01)
    [gap] = gaps_to(seen(values, (0.0, 1.0)), noise, 4.0)
    assert probability(gap) < 0.01
    [gap] = gaps_to(seen(values, (10.0, 1.0)), noise, 4.0)
    assert gap == 0.0


def test_exact_metrics_need_no_noise() -> None:
    values = np.array([[[1.0, 2.0], [2.0, 1.0], [2.0, 2.0]]])
    assert (gaps_to(seen(values), np.zeros(2), 4.0) > 1e6).all()
    values = np.array([[[1.0, 3.0], [3.0, 1.0], [2.0, 2.0]]])
    assert (gaps_to(seen(values), np.zeros(2), 4.0) < -1e6).all()
    values = np.array([[[1.0, 3.0], [1.0, 3.0]]])
    assert gaps_to(seen(values), np.zeros(2), 4.0).tolist() == [0.0]


def test_failures_come_first() -> None:
    values = np.random.default_rng(2).normal(size=(3, 3, 2))
    values[1, 2] = np.nan
    values[:, 2] -= 100
    assert gaps_to(seen(values), np.ones(2), 4.0).tolist() == [np.inf, np.inf]
    values[1, 0] = np.nan
    found = gaps_to(seen(values), np.ones(2), 4.0)
    assert found[0] < -3
    assert found[1] == np.inf or found[1] < 0
    values[:, 0] = np.nan
    assert gaps_to(seen(values), np.ones(2), 4.0)[0] == -np.inf
