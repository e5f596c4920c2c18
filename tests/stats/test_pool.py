"""Pool dependence against Table 1 of Benavoli et al. (2016) and against ranking every pool."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from racing.base.errors import InputError
from racing.stats.mean_ranks import mean_ranks_test
from racing.stats.pool import pool_counts, pool_dependence

Table = Callable[[str], np.ndarray]

# Benavoli et al. (2016), Table 1: pair, then the significant pools of Card = 2, 3, 4 others (sizes
# 4, 5, 6), of 10, 10 and 5; None where the print says that the pool does not matter.
TABLE_1 = {
    (2, 4): (7, 9, 3),
    (2, 7): (1, None, None),
    (3, 7): (2, None, None),
    (4, 6): (9, 5, None),
}


def test_benavoli_2016_table_1(table: Table) -> None:
    X = -table("benavoli_2016_table2.csv")
    for i, j in combinations(range(1, 8), 2):
        printed = TABLE_1.get((i, j), (None, None, None))
        for size, total, expected in zip((4, 5, 6), (10, 10, 5), printed, strict=True):
            significant, pools = pool_counts(X, i - 1, j - 1, size)
            assert pools == total
            if expected is None:
                assert significant in (0, total)
            else:
                assert significant == expected
    result = pool_dependence(X)
    assert result.sizes.tolist() == [2, 3, 4, 5, 6, 7]
    within = result.depends[:, 2:5]  # the sizes that Table 1 looks at
    found = {tuple((result.pairs[row] + 1).tolist()) for row in np.flatnonzero(within.any(axis=1))}
    assert found == set(TABLE_1)


def by_ranking(X: np.ndarray, i: int, j: int, size: int) -> list[float]:
    """z of the pair in every pool of a size, each pool ranked for itself."""
    others = [c for c in range(X.shape[1]) if c not in (i, j)]
    return [
        float(mean_ranks_test(X[:, [i, j, *rest]]).statistic[0, 1])
        for rest in combinations(others, size - 2)
    ]


@given(
    arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5),
        elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, np.inf]),
    )
)
def test_every_pool_ranked(X: np.ndarray) -> None:
    result = pool_dependence(X, alpha=0.3)
    for row, (i, j) in enumerate(result.pairs.tolist()):
        for column, size in enumerate(result.sizes.tolist()):
            z = by_ranking(X, i, j, size)
            assert result.lowest[row, column] == pytest.approx(min(z))
            assert result.highest[row, column] == pytest.approx(max(z))
            critical = result.critical[column]
            significant = sum(abs(one) >= critical for one in z)
            assert pool_counts(X, i, j, size, alpha=0.3) == (significant, len(z))
            outcomes = {int(one >= critical) - int(one <= -critical) for one in z}
            assert result.depends[row, column] == (len(outcomes) > 1)


def test_the_whole_table_is_the_ordinary_test() -> None:
    X = np.random.default_rng(1).normal(size=(20, 6)) + np.arange(6) / 4
    result = pool_dependence(X)
    z = mean_ranks_test(X).statistic[tuple(result.pairs.T)]
    np.testing.assert_allclose(result.lowest[:, -1], z)
    np.testing.assert_allclose(result.highest[:, -1], z)
    assert not result.depends[:, [0, -1]].any()  # one pool only


def test_corrections() -> None:
    X = np.random.default_rng(2).normal(size=(10, 4))
    assert pool_dependence(X, correction="bonferroni").critical.round(3).tolist() == [
        1.96,
        2.394,
        2.638,
    ]
    assert pool_dependence(X, correction="nemenyi").critical.round(2).tolist() == [1.96, 2.34, 2.57]
    assert pool_dependence(X, correction="none").critical.round(2).tolist() == [1.96] * 3


def test_example_1_is_found() -> None:
    """Alone A and B are even; beside C, D and E they differ."""
    first, second = [50, 80, 55, 60, 65], [80, 50, 45, 85, 90]
    X = -np.array([first] * 10 + [second] * 10, dtype=float)
    result = pool_dependence(X)
    assert result.pairs[0].tolist() == [0, 1]
    assert result.lowest[0, 0] == 0
    assert result.highest[0, -1] > result.critical[-1]
    assert pool_counts(X, 0, 1, 5) == (1, 1)


def test_identical_columns_and_large_tables() -> None:
    X = np.random.default_rng(3).normal(size=(30, 40))
    X[:, 7] = X[:, 3]
    result = pool_dependence(X)
    row = np.flatnonzero((result.pairs == [3, 7]).all(axis=1))[0]
    assert (result.lowest[row] == 0).all()
    assert (result.highest[row] == 0).all()
    significant, pools = pool_counts(X, 0, 1, 20)
    assert pools == 33578000610  # 38 choose 18: counted, not listed
    assert 0 <= significant <= pools
    assert result.affected.shape[1] == 2


def test_bad_arguments() -> None:
    X = np.ones((3, 3))
    with pytest.raises(InputError, match="two or more columns"):
        pool_dependence([[1.0]])
    with pytest.raises(InputError, match="correction"):
        pool_dependence(X, correction="holm")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="different columns"):
        pool_counts(X, 1, 1, 2)
    with pytest.raises(InputError, match="size from 2 to 3"):
        pool_counts(X, 0, 1, 4)
    with pytest.raises(InputError, match="NaN"):
        pool_dependence([[1.0, np.nan]])
