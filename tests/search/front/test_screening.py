"""The screening test of a challenger for a front."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from racing.core.fronts import TradeOffs
from racing.search.block import probability_better
from racing.search.elites import gaps_to, probability


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
