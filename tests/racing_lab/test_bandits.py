"""Baselines against a slow and plain form of each."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.racing_lab.bandits import ContinuousRejects, ucb
from benchmarks.racing_lab.replay import Setting, replay


def answers(q: int, rows: int, *, seed: int) -> np.ndarray:
    """(rows, q) costs of 0 and 1."""
    rng = np.random.default_rng(seed)
    return (rng.random((rows, q)) > rng.uniform(0.2, 0.9, q)).astype(float)


@pytest.mark.parametrize("seed", range(8))
def test_upper_confidence_bounds_step_by_step(seed):
    costs = answers(5, 60, seed=seed)
    met: list[list[float]] = [[costs[0, i]] for i in range(5)]
    for t in range(5, 100):
        bounds = [
            math.inf
            if len(one) == 60
            else sum(one) / len(one) - math.sqrt(2 * math.log(t) / len(one))
            for one in met
        ]
        i = bounds.index(min(bounds))
        met[i].append(costs[len(met[i]), i])
    winner, seen = ucb(costs, 100)
    assert seen.sum(axis=0).tolist() == [len(one) for one in met]
    best = min(range(5), key=lambda i: (sum(met[i]) / len(met[i]), -len(met[i])))
    assert winner == best


def test_upper_confidence_bounds_end_where_the_instances_do():
    _, seen = ucb(answers(3, 10, seed=1), 1000)
    assert seen.all()


@pytest.mark.parametrize("seed", range(8))
def test_continuous_rejects_step_by_step(seed):
    costs, total = answers(6, 200, seed=seed), 300
    race = replay(
        costs, ContinuousRejects(), Setting(objective="mean", first_test=None, evaluations=total),
        seed=1,
    )  # fmt: skip
    alive, spent, n = list(range(6)), 0, 0
    gone: list[tuple[int, int]] = []
    while len(alive) > 1 and spent + len(alive) <= total:
        n, spent = n + 1, spent + len(alive)
        means = {i: costs[:n, i].mean() for i in alive}
        behind = max(means.values()) - (sum(means.values()) - max(means.values())) / (
            len(alive) - 1
        )
        share = 0.5 + sum(1 / j for j in range(2, len(alive) + 1))
        beta = len(alive) * n * share / (total - (spent - len(alive) * n))
        if behind >= 1 / math.sqrt(beta) - 1:
            found = next((e.candidate - 1 for m, e in race.dropped if m == n), None)
            assert found is not None
            assert means[found] == max(means.values())
            gone.append((n, found))
            alive.remove(found)
    assert [(m, e.candidate - 1) for m, e in race.dropped] == gone
    assert race.evaluations == spent
