"""Ranks among all candidates, where some did not run; and wins kept from look to look."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.core import field
from racing.core.field import Field, Wins, field_ranks
from racing.core.objective import standing
from racing.core.results import Results
from racing.stats.ranks import rank_rows


@st.composite
def races(draw):
    """Costs with ties, failures and gaps, and survivors who saw most rows."""
    n, m = draw(st.integers(0, 8)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    costs = rng.choice([*range(draw(st.integers(1, 12))), np.inf], size=(n, m)).astype(float)
    left = np.where(rng.random(m) < draw(st.sampled_from([0, 0.7])), rng.integers(0, n + 1, m), n)
    costs[np.arange(n)[:, None] >= left] = np.nan
    costs[rng.random((n, m)) < draw(st.sampled_from([0, 0, 0.1]))] = np.nan
    survivors = np.flatnonzero(left == n)
    return (costs, survivors) if len(survivors) else (full(costs), np.arange(m))


def full(costs):
    return np.nan_to_num(costs, nan=2.0, posinf=np.inf)


def by_the_book(costs, survivors):
    """The definition, cell by cell."""
    costs = costs[~np.isnan(costs[:, survivors]).any(axis=1)]
    others = np.delete(costs, survivors, axis=1)
    last = max(np.flatnonzero(~np.isnan(others).all(axis=1)), default=-1)
    ranks = np.full((len(costs), len(survivors)), 0.5)
    for j, i in np.ndindex(ranks.shape):
        rows = range(max(last, j) + 1)
        pool = costs[: len(rows)][~np.isnan(costs[: len(rows)])]
        level = {c: ((pool < c).sum() + (pool <= c).sum() + 1) / 2 for c in pool}
        centre = [np.median([level[c] for c in costs[r, survivors]]) for r in rows]
        mine = costs[j, survivors[i]]
        for d in range(costs.shape[1]):
            if not np.isnan(costs[j, d]):
                ranks[j, i] += beats(costs[j, d], mine)
                continue
            seen = [r for r in rows if not np.isnan(costs[r, d])]
            gaps = np.array([centre[r] - centre[j] for r in seen]) / len(pool)
            weights = np.exp(-((gaps / field._NEAR) ** 2) / 2) + field._LEAST
            behind = [level[costs[r, d]] - centre[r] for r in seen]
            chances = [beats(b, level[mine] - centre[j]) for b in behind]
            ranks[j, i] += np.average(chances, weights=weights) if seen else 0.0
    return ranks


def beats(a, b):
    return 1.0 if a < b else 0.5 if a == b else 0.0


@given(race=races())
def test_they_are_as_defined(race):
    assert field_ranks(*race) == pytest.approx(by_the_book(*race), abs=1e-9)


@given(race=races(), block=st.integers(1, 50))
def test_however_little_memory_there_is(race, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(field, "_BLOCK", block)
        assert field_ranks(*race) == pytest.approx(by_the_book(*race), abs=1e-9)


@given(race=races())
def test_with_everybody_there_they_are_the_ranks_of_the_row(race):
    costs, survivors = race
    costs = full(costs)
    assert np.array_equal(
        field_ranks(costs, survivors), rank_rows(costs, check=False)[:, survivors]
    )


@given(race=races(), seed=st.integers(0, 2**32))
def test_what_is_remembered_from_look_to_look_is_what_is_made_anew(race, seed):
    """Looks at ever more rows, by ever fewer survivors, and at cells that were filled in late."""
    costs, survivors = race
    rng, memory = np.random.default_rng(seed), Field()
    late = np.where(rng.random(costs.shape) < 0.1, np.nan, costs)
    for rows in range(len(costs) + 1):
        if len(survivors) > 1 and rng.random() < 0.3:
            survivors = np.sort(rng.permutation(survivors)[1:])
        for table in (late[:rows], costs[:rows]) if rng.random() < 0.3 else (costs[:rows],):
            looked = memory.ranks(table, survivors)
            assert np.array_equal(looked, field_ranks(table, survivors))


@given(race=races())
def test_monotone_transforms_of_all_costs_do_not_matter(race):
    costs, survivors = race
    assert np.array_equal(field_ranks(np.exp(costs) - 7, survivors), field_ranks(costs, survivors))


@given(race=races(), seed=st.integers(0, 99))
def test_the_order_of_candidates_does_not_matter(race, seed):
    costs, survivors = race
    order = np.random.default_rng(seed).permutation(costs.shape[1])
    shuffled = field_ranks(costs[:, order], np.argsort(order)[survivors])
    assert shuffled == pytest.approx(field_ranks(costs, survivors), abs=1e-9)


@given(race=races())
def test_twins_have_the_same_ranks(race):
    costs, survivors = race
    twins = np.hstack([costs, costs[:, survivors[:1]]])
    ranks = field_ranks(twins, np.append(survivors, costs.shape[1]))
    assert np.array_equal(ranks[:, 0], ranks[:, -1])


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
    assert results.field_ranks.mean(axis=0) == pytest.approx(truth[:2], abs=1.5)


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
        estimate = field_ranks(costs, np.arange(5)).mean(axis=0)
        missed.append(estimate - truth)
        spread.append(truth - truth.mean())
    error = np.std(missed)
    assert abs(np.mean(missed)) < 3 * error / np.sqrt(40)  # candidates of a race share an error
    assert error < np.std(spread)


# --- wins ----------------------------------------------------------------------------------------


def counted(block):
    """The definition."""
    return (block[:, :, None] < block[:, None, :]).sum(axis=0)


def random_costs(rng, n, m):
    return rng.choice([*range(6), np.inf], size=(n, m)).astype(float)


@given(seed=st.integers(0, 2**32))
def test_looks_at_more_rows_by_fewer_survivors(seed):
    rng, memory = np.random.default_rng(seed), Wins()
    costs, columns = random_costs(rng, 12, 7), np.arange(7)
    for rows in np.sort(rng.integers(0, 13, 8)):
        if len(columns) > 1 and rng.random() < 0.4:
            columns = np.sort(rng.permutation(columns)[1:])
        block = costs[:rows][:, columns]
        assert np.array_equal(memory.of(block, columns), counted(block))


@given(seed=st.integers(0, 2**32), change=st.sampled_from(["cost", "order", "joined", "fewer"]))
def test_whatever_else_changed_is_noticed(seed, change):
    rng, memory = np.random.default_rng(seed), Wins()
    costs, columns = random_costs(rng, 8, 5), np.array([0, 2, 3])
    memory.of(costs[:, columns], columns)
    if change == "cost":
        costs[rng.integers(8), 2] = -1.0
    elif change == "order":
        costs = costs[::-1]
    elif change == "joined":
        columns = np.array([0, 1, 2, 3, 4])
    else:
        costs = costs[:5]
    block = costs[:, columns]
    assert np.array_equal(memory.of(block, columns), counted(block))


@pytest.mark.parametrize("looks", [(254, 255, 256, 257, 600), (700,)])
def test_more_rows_than_a_byte_counts(looks):
    costs, memory = np.tile([0.0, 1.0, 1.0], (700, 1)), Wins()
    for rows in looks:
        wins = memory.of(costs[:rows], np.arange(3))
        assert wins.tolist() == [[0, rows, rows], [0, 0, 0], [0, 0, 0]]


def test_what_is_remembered_cannot_be_written_to():
    wins = Wins().of(np.array([[1.0, 2.0]]), np.arange(2))
    with pytest.raises(ValueError, match="read-only"):
        wins[0, 1] = 5
