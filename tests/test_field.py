"""Ranks among all candidates, where some did not run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing import field
from racing.field import all_field_ranks, field_ranks
from racing.objective import standing
from racing.results import Results
from racing.stats.ranks import rank_rows


@st.composite
def races(draw):
    """Costs with ties, failures and candidates that leave, join late, and leave while late."""
    n, m = draw(st.integers(1, 8)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    costs = rng.choice([*range(draw(st.integers(1, 12))), np.inf], size=(n, m)).astype(float)
    costs[:, : m // 2] += 0.5
    came = np.where(rng.random(m) < draw(st.sampled_from([0, 0.3])), rng.integers(0, n, m), 0)
    left = np.where(rng.random(m) < draw(st.sampled_from([0, 0.7])), rng.integers(0, n, m), n)
    came[0], left[0] = 0, n  # somebody is always there
    row = np.arange(n)[:, None]
    alive = (came <= row) & (row < left)
    caught_up = (row < came) & (rng.random((n, m)) < draw(st.sampled_from([0.5, 1.0])))
    return np.where(alive | caught_up, costs, np.nan), alive


def by_the_book(costs, alive, j):
    """The definition, cell by cell."""
    m = costs.shape[1]
    pool = costs[: j + 1][alive[: j + 1]]

    def level(cost):
        return ((pool < cost).sum() + (pool <= cost).sum() + 1) / 2

    here = np.flatnonzero(alive[j])
    rows = [r for r in range(j + 1) if alive[r, here].all()]
    centre = {r: np.median([level(costs[r, i]) for i in here]) for r in rows}
    ranks = np.full(m, np.nan)
    for i in np.flatnonzero(~np.isnan(costs[j])):
        ranks[i] = 0.5
        for d in range(m):
            if not np.isnan(costs[j, d]):
                ranks[i] += beats(costs[j, d], costs[j, i])
                continue
            seen = [r for r in rows if alive[r, d]]
            if not seen:
                continue
            gaps = np.array([centre[r] - centre[j] for r in seen]) / len(pool)
            weights = np.exp(-((gaps / field._NEAR) ** 2) / 2) + field._LEAST
            mine = level(costs[j, i]) - centre[j]
            chances = [beats(level(costs[r, d]) - centre[r], mine) for r in seen]
            ranks[i] += np.average(chances, weights=weights)
    return ranks


def beats(a, b):
    return 1.0 if a < b else 0.5 if a == b else 0.0


@given(race=races())
def test_they_are_as_defined(race):
    costs, alive = race
    expected = np.array([by_the_book(costs, alive, j) for j in range(len(costs))])
    assert all_field_ranks(costs, alive) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(race=races())
def test_with_everybody_there_they_are_the_ranks_of_the_row(race):
    costs = np.nan_to_num(race[0], nan=2.0, posinf=np.inf)
    assert np.array_equal(
        all_field_ranks(costs, np.ones(costs.shape, dtype=bool)), rank_rows(costs)
    )


@given(race=races())
def test_rows_are_settled_once_they_are_complete(race):
    costs, alive = race
    whole = all_field_ranks(costs, alive)
    for j in range(len(costs)):
        part = field_ranks(costs[: j + 1], alive[: j + 1], j)
        assert np.array_equal(part, whole[j], equal_nan=True)


@given(race=races())
def test_monotone_transforms_of_all_costs_do_not_matter(race):
    costs, alive = race
    one, other = all_field_ranks(costs, alive), all_field_ranks(np.exp(costs) - 7, alive)
    assert np.array_equal(one, other, equal_nan=True)


@given(race=races(), seed=st.integers(0, 99))
def test_the_order_of_candidates_does_not_matter(race, seed):
    costs, alive = race
    order = np.random.default_rng(seed).permutation(costs.shape[1])
    shuffled = all_field_ranks(costs[:, order], alive[:, order])
    assert shuffled == pytest.approx(all_field_ranks(costs, alive)[:, order], nan_ok=True)


@given(race=races())
def test_twins_have_the_same_ranks(race):
    costs, alive = (np.hstack([table, table[:, :1]]) for table in race)
    ranks = all_field_ranks(costs, alive)
    assert np.array_equal(ranks[:, 0], ranks[:, -1], equal_nan=True)


def duel():
    """The second beats the first on three of five instances, by little, and loses by much."""
    rng = np.random.default_rng(1)
    n, m = 100, 20
    costs = rng.uniform(size=(n, m))
    costs[:, 0] = 0.30
    costs[:, 1] = np.where(np.arange(n) % 5 < 3, 0.27, 0.70)
    alive = np.ones((n, m), dtype=bool)
    alive[10:, 2:] = False
    whole = rank_rows(costs).mean(axis=0)
    return Results(np.where(alive, costs, np.nan), alive, tuple(range(m)), np.arange(2)), whole


def test_who_wins_a_duel_need_not_be_best_in_the_field():
    results, truth = duel()
    assert truth[0] + 2 < truth[1]
    assert rank_rows(results.block).mean(axis=0).argmin() == 1
    assert standing(results, "rank").tolist() == [0, 1]
    assert results.field_ranks.mean(axis=0)[:2] == pytest.approx(truth[:2], abs=1.5)


def test_estimates_come_near_the_ranks_that_they_stand_for():
    """Means uniform on [0, 1], noise 1, effects of instances; each misses the mean rank by ~1."""
    missed, spread = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        costs = (
            rng.uniform(size=20) + rng.standard_normal((100, 1)) + rng.standard_normal((100, 20))
        )
        truth = rank_rows(costs)[:, :5].mean(axis=0)
        costs[15:, 5:] = np.nan
        estimate = all_field_ranks(costs, ~np.isnan(costs))[:, :5].mean(axis=0)
        missed.append(estimate - truth)
        spread.append(truth - truth.mean())
    error = np.std(missed)
    assert abs(np.mean(missed)) < 3 * error / np.sqrt(40)  # candidates of a race share an error
    assert error < np.std(spread)
