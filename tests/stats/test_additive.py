"""The probability of being worse: against direct computation, laws, and calibration."""

from __future__ import annotations

import numpy as np
import pytest

from racing.stats.additive import Costs, _Model, probabilities_worse


def world(
    rng: np.random.Generator, *, candidates: int = 30, gain: float = 0.0, spread: float = 0.0
) -> tuple[Costs, np.ndarray]:
    """A race of halves on 16 problems: the better half goes on after 2, 4, 8 instances."""
    theta = spread * rng.normal(size=candidates)
    theta[0], theta[1] = 0.0, -gain
    cost = rng.normal(size=16) + theta[:, None] + rng.normal(size=(candidates, 16))
    left, runs = np.arange(candidates), np.zeros((candidates, 16), dtype=bool)
    for begin, end in ((0, 2), (2, 4), (4, 8), (8, 16)):
        runs[left, begin:end] = True
        means = cost[left, :end].mean(axis=1)
        left = left[np.argsort(means)[: max(len(left) // 2, 2)]]
    who, where = np.nonzero(runs)
    costs = Costs(candidate=who, instance=where, problem=where, cost=cost[runs])
    return costs, theta


def best(costs: Costs) -> int:
    """The candidate other than 0 with the lowest mean of those that ran longest."""
    runs = np.bincount(costs.candidate)
    means = np.bincount(costs.candidate, costs.cost) / runs
    long = [c for c in range(1, len(runs)) if runs[c] == runs[1:].max()]
    return min(long, key=means.__getitem__)


def worse(costs: Costs, found: int) -> float:
    group = np.zeros(costs.candidate.max() + 1, dtype=np.intp)
    return probabilities_worse(costs, found, 0, group)[0]


def test_units_order_and_names_do_not_matter() -> None:
    costs, _ = world(np.random.default_rng(1), spread=0.5)
    found = best(costs)
    expected = worse(costs, found)
    order = np.random.default_rng(2).permutation(len(costs.cost))
    other = Costs(
        candidate=costs.candidate[order],
        instance=15 - costs.instance[order],
        problem=costs.problem[order],
        cost=1e9 + 1e3 * costs.cost[order],
    )
    assert worse(other, found) == pytest.approx(expected, abs=1e-3)


def test_the_pair_is_that_of_the_normal_model() -> None:
    """Precision and mean of the two effects, by the inverse of the whole covariance."""
    rng = np.random.default_rng(3)
    who, where = (each.ravel() for each in np.indices((5, 9)))
    kept = rng.random(45) < 0.7
    who, where = who[kept], where[kept]
    cost = rng.normal(size=len(who))
    costs = Costs(candidate=who, instance=where, problem=where % 3, cost=cost)
    model = _Model(costs, 0, np.zeros(5, dtype=np.intp))
    model.fit()
    precision, value = model._pair(1)
    c, r, p, y = costs.candidate, costs.instance, costs.problem, costs.cost
    noise, ratio = model.noise, model.ratio
    inside = (c[:, None] == c) & (p[:, None] == p)
    v = np.diag(noise[c]) + ratio * noise[c][:, None] * inside
    width = (model.part / model.width[model.group]).sum(axis=1)
    centre = (model.part * model.centre[model.group] / model.width[model.group]).sum(axis=1)
    design = np.zeros((len(y), 14))
    design[np.arange(len(y)), c] = design[np.arange(len(y)), 5 + r] = 1
    prior, told = np.zeros(14), np.zeros(14)
    prior[2:5], told[2:5], prior[5:] = width[2:], centre[2:], 1e-10 / model.pooled
    whole = design.T @ np.linalg.solve(v, design) + np.diag(prior)
    score = design.T @ np.linalg.solve(v, y) + told
    others = list(range(2, 14))
    pair, cross = np.ix_([1, 0], [1, 0]), whole[np.ix_([1, 0], others)]
    inner = whole[np.ix_(others, others)]
    assert precision == pytest.approx(
        whole[pair] - cross @ np.linalg.solve(inner, cross.T), rel=1e-4
    )
    expected = score[[1, 0]] - cross @ np.linalg.solve(inner, score[others])
    assert value == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_the_best_of_many_equals_is_seldom_called_better() -> None:
    """Of 200 worlds in which all are equal, 5 % are expected; three standard errors more pass."""
    rng = np.random.default_rng(4)
    told = [worse(costs, best(costs)) <= 0.05 for costs, _ in (world(rng) for _ in range(200))]
    assert np.mean(told) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_a_clear_gain_is_found_and_probabilities_are_calibrated() -> None:
    rng = np.random.default_rng(5)
    clear = [world(rng, gain=5.0, spread=0.3)[0] for _ in range(20)]
    assert sum(worse(costs, best(costs)) <= 0.05 for costs in clear) >= 18
    told, true = [], []
    for _ in range(200):
        costs, theta = world(rng, spread=0.7)
        found = best(costs)
        told.append(worse(costs, found))
        true.append(theta[found] > theta[0])
    sure = np.array(told) <= 0.2
    assert sure.sum() > 40
    assert np.mean(np.array(true)[sure]) <= 0.2


def test_without_noise_the_better_one_is_certain() -> None:
    who, where = (each.ravel() for each in np.indices((3, 4)))
    for cost in (np.array([2.0, 1.0, 3.0])[who], np.array([2.0, 1.0, 3.0])[who] + 10.0 * where):
        costs = Costs(candidate=who, instance=where, problem=where, cost=cost)
        assert worse(costs, 1) < 0.01
        assert worse(costs, 2) > 0.99


def test_costs_that_are_all_equal_tell_nothing() -> None:
    who, where = (each.ravel() for each in np.indices((3, 4)))
    costs = Costs(candidate=who, instance=where, problem=where, cost=np.ones(12))
    assert worse(costs, 1) == pytest.approx(0.5, abs=0.05)
