"""The probability of being worse: against direct computation, laws, and calibration."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from racing.stats.additive import Costs, _Model, probability_worse


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
    near = np.zeros(costs.candidate.max() + 1, dtype=bool)
    return probability_worse(costs, found, 0, near)


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
    width = 1 / model.width[model.group]
    centre = model.centre[model.group] * width
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


def test_bad_luck_of_a_base_that_was_dropped_is_no_gain_of_its_equals() -> None:
    """It was the worst of ten equals on ten instances, and met none of the other thirty."""
    told = []
    for world in range(60):
        cost = np.random.default_rng([8, world]).normal(size=(10, 40))
        base = int(cost[:, :10].mean(axis=1).argmax())
        cost[[0, base]] = cost[[base, 0]]
        cost[0, 10:] = np.nan
        who, where = np.nonzero(np.isfinite(cost))
        costs = Costs(candidate=who, instance=where, problem=where, cost=cost[who, where])
        told.append(worse(costs, 1 + int(cost[1:].mean(axis=1).argmin())))
    assert np.mean(np.array(told) <= 0.05) < 0.15


def test_of_few_equal_candidates_the_fitted_spread_is_not_none() -> None:
    for seed in range(8):
        cost = np.random.default_rng([6, seed]).normal(size=(3, 12))
        who, where = (each.ravel() for each in np.indices(cost.shape))
        costs = Costs(candidate=who, instance=where, problem=where, cost=cost.ravel())
        model = _Model(costs, 0, np.zeros(3, dtype=np.intp))
        model.fit()
        assert model.width[0] > 0.03 * model.pooled


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


def searched(rng: np.random.Generator, gap: float) -> tuple[Costs, int, np.ndarray]:
    """A search on eight problems that repeat; others cost more than the default by `gap`.

    Each configuration has its own luck on each problem, a smooth function of five parameters. After
    60 from the whole space 140 are drawn near the best. Who is not far behind after two runs meets
    all problems, and who is better than the best meets each six times.
    """
    waves, phases = 4 * rng.normal(size=(30, 5)), rng.uniform(0, 2 * np.pi, size=(8, 30))

    def run(x: np.ndarray, gap: float) -> np.ndarray:
        luck = np.sqrt(2 / 30) * np.cos(waves @ x + phases).sum(axis=1)
        return np.tile(luck, 6) + gap + 0.3 * rng.normal(size=48)

    best, least, found = np.full(5, 0.5), np.inf, 0
    runs = [run(best, 0.0)]
    for step in range(200):
        near = best + 0.5 * np.exp(-step / 100) * rng.normal(size=5)
        x = rng.uniform(size=5) if step < 60 else np.clip(near, 0, 1)
        costs = run(x, gap)
        if costs[:8].mean() > least:
            costs = costs[:2] if costs[:2].mean() > 0.3 else costs[:8]
        elif costs.mean() < least:
            best, least, found = x, costs.mean(), len(runs)
        runs.append(costs)
    who = np.repeat(np.arange(201), [len(costs) for costs in runs])
    where = np.concatenate([np.arange(len(costs)) for costs in runs])
    cost = np.concatenate(runs) + rng.normal(size=48)[where]
    near_best = np.arange(201) > 60
    return Costs(candidate=who, instance=where, problem=where % 8, cost=cost), found, near_best


def test_what_is_drawn_near_the_best_shares_its_luck() -> None:
    """As `test_the_best_of_many_equals_…`; without heeding it, most leave a better default."""
    rng = np.random.default_rng(6)
    worlds = [searched(rng, 0.1) for _ in range(60)]
    told = [probability_worse(costs, found, 0, near) <= 0.05 for costs, found, near in worlds]
    assert np.mean(told) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 60)
    blind = [worse(costs, found) <= 0.05 for costs, found, _ in worlds[:10]]
    assert np.mean(blind) >= 0.3


def test_a_gain_that_is_large_beside_the_luck_is_found() -> None:
    rng = np.random.default_rng(7)
    worlds = [searched(rng, -1.5) for _ in range(10)]
    told = [probability_worse(costs, found, 0, near) <= 0.05 for costs, found, near in worlds]
    assert sum(told) >= 8


def test_the_luck_is_that_of_the_best_of_all_tried() -> None:
    """The expected least of n normal draws by simulation, on the problems of the choice.

    Without repeats it cannot be told: .3 of the variance of a run counts as luck.
    """
    rng = np.random.default_rng(8)
    who, where = (each.ravel() for each in np.indices((41, 12)))
    costs = Costs(
        candidate=who, instance=where, problem=where % 6,
        cost=rng.normal(size=(41, 6))[who, where % 6] + 0.5 * rng.normal(size=len(who)),
    )  # fmt: skip
    near = np.arange(41) > 20
    model = _Model(costs, 0, near.astype(np.intp))
    model.fit()
    assert model.ratio * model.pooled == pytest.approx(1.0, rel=0.2)
    spread = np.sqrt(model.ratio * model.noise[3] / 6)
    least = -rng.normal(size=(20_000, 40)).min(axis=1).mean()
    assert model._luck(3) == pytest.approx(least * spread, rel=0.02)
    once = _Model(replace(costs, problem=where), 0, near.astype(np.intp))
    once.fit()
    assert once.ratio == 0.0
    assert once._luck(3) == pytest.approx(least * np.sqrt(0.3 * once.noise[3] / 12), rel=0.02)
    alone = (where < 9) | (who == 3) | (who == 0)  # three problems met by these two only
    part = Costs(candidate=who[alone], instance=where[alone], problem=where[alone],
                 cost=costs.cost[alone])  # fmt: skip
    fresh = _Model(part, 0, near.astype(np.intp))
    fresh.fit()
    expected = least * np.sqrt(0.3 * fresh.noise[3] / 9) * 9 / 12
    assert fresh._luck(3) == pytest.approx(expected, rel=0.02)


def test_few_candidates_do_not_hide_a_real_gain() -> None:
    """Nine others, of which one is better by twice the noise of a run, on 16 problems."""
    rng = np.random.default_rng(9)
    told = []
    for _ in range(40):
        costs, _ = world(rng, candidates=10, gain=2.0)
        told.append(worse(costs, best(costs)) <= 0.05)
    assert np.mean(told) >= 0.6


def test_a_mean_over_correlated_problems_is_no_surer_with_more_of_them() -> None:
    """Nadeau and Bengio: of n folds with correlation ρ the variance is σ² · (1/n + ρ/(1 − ρ))."""
    rng = np.random.default_rng(10)
    who, where = (each.ravel() for each in np.indices((2, 200)))
    cost = rng.normal(size=400) - 0.5 * who
    ahead = cost[who == 0].mean() - cost[who == 1].mean()
    costs = Costs(candidate=who, instance=where, problem=where, cost=cost)
    told = [probability_worse(costs, 1, 0, np.zeros(2, dtype=bool), rho) for rho in (0.0, 0.2)]
    assert told[0] < 0.01
    assert told[1] == pytest.approx(norm.cdf(-ahead / np.sqrt(2 * (1 / 200 + 0.25))), abs=0.02)
