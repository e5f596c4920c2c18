"""p-values of all pairs, as a vector or a matrix."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.stats.corrections import as_pair_pvalues, shaffer, true_counts


def test_a_vector_and_its_matrix_mean_the_same() -> None:
    vector = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    matrix = np.ones((4, 4))
    i, j = np.triu_indices(4, 1)
    matrix[i, j] = matrix[j, i] = vector
    for form in (vector, matrix):
        found, k = as_pair_pvalues(form)
        assert k == 4
        assert (found == vector).all()
    adjusted = shaffer(matrix)
    assert (adjusted[i, j] == shaffer(vector)).all()
    assert (adjusted == adjusted.T).all()
    assert (np.diag(adjusted) == 1).all()


@pytest.mark.parametrize(
    ("pvalues", "said"),
    [
        ([0.1, 0.2], "1, 3, 6, 10"),
        ([], "a vector or matrix|1, 3, 6, 10"),
        ([[1.0, 0.1], [0.2, 1.0]], "symmetric"),
        ([0.1, 0.2, 1.2], "from 0 to 1"),
        ([0.1, 0.2, np.nan], "from 0 to 1"),
        ([[0.1, 0.2], [0.3]], "equal length"),
        (["a"], "numbers"),
    ],
)
def test_anything_else_is_refused(pvalues: list[object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        as_pair_pvalues(pvalues)  # type: ignore[arg-type]


# --- Shaffer's static procedure against the paper, and the definition over all partitions --------


DATA = Path(__file__).parents[1] / "data"


def partitions(items: list[int]):
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for b, block in enumerate(rest):
            yield [*rest[:b], [items[0], *block], *rest[b + 1 :]]


def garcia_herrera_pvalues() -> np.ndarray:
    """p-values of Table 3, from the printed average ranks of Table 2 (C4.5, 1NN, NB, Kernel, CN2)
    with OptDigits corrected: the print gives 1-NN rank 1, its accuracy .098 has rank 5."""
    from scipy.stats import norm, rankdata

    accuracy = np.loadtxt(
        DATA / "garcia_herrera_2008_table2_accuracy.csv",
        delimiter=",",
        skiprows=1,
        usecols=range(1, 6),
    )
    ranks = rankdata(-accuracy, axis=1).mean(axis=0)
    z = (ranks[:, None] - ranks) / np.sqrt(5 * 6 / (6 * 30))
    return 2 * norm.sf(np.abs(z))


def test_garcia_herrera_table_5():
    names = ["C4.5", "1NN", "NaiveBayes", "Kernel", "CN2"]
    adjusted = shaffer(garcia_herrera_pvalues())
    table = np.genfromtxt(
        DATA / "garcia_herrera_2008_table5_apv.csv",
        delimiter=",",
        names=True,
        dtype=None,
        encoding="utf8",
    )
    for row in table:
        i, j = (names.index(name) for name in row["hypothesis"].split(" vs "))
        assert adjusted[i, j] == pytest.approx(row["shaffer"], rel=3e-4, abs=5.1e-5)


def test_garcia_herrera_table_3_divisors():
    """alpha_SH = .05 / t: .005, .0083 x 4, .0125 x 2, .0167, .025, .05."""
    tiny = np.arange(1, 11) * 1e-6
    divisors = [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]
    np.testing.assert_allclose(shaffer(tiny), np.maximum.accumulate(tiny * divisors))


@pytest.mark.parametrize("k", range(1, 9))
def test_true_counts_by_enumeration(k):
    counts = {sum(len(b) * (len(b) - 1) // 2 for b in p) for p in partitions(list(range(k)))}
    assert true_counts(k).tolist() == sorted(counts)


@given(st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_between_raw_and_holm(p):
    """Never below the raw p, never above Holm; ordered as the raw p-values are."""
    p = np.array(p)
    adjusted = shaffer(p)
    order = np.argsort(p)
    holm = np.minimum(1, np.maximum.accumulate((6 - np.arange(6)) * p[order]))
    assert np.all(adjusted[order] <= holm)
    assert np.all(adjusted >= p)
    assert np.all(np.diff(adjusted[order]) >= 0)


def test_controls_the_familywise_error():
    """All equal, 5 algorithms, 20 instances, z of mean differences known: 4,000 tables."""
    from scipy.special import ndtr

    rng = np.random.default_rng(5)
    i, j = np.triu_indices(5, 1)
    means = rng.normal(size=(4000, 5))
    p = 2 * ndtr(-np.abs(means[:, i] - means[:, j]) / np.sqrt(2))
    rate = np.mean([shaffer(row).min() <= 0.05 for row in p])
    assert rate <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


def test_vector_and_matrix_agree():
    p = garcia_herrera_pvalues()
    upper = np.triu_indices(5, 1)
    np.testing.assert_array_equal(shaffer(p)[upper], shaffer(p[upper]))
    np.testing.assert_array_equal(np.diag(shaffer(p)), 1.0)


def test_two_algorithms_and_many():
    assert shaffer([0.03]).tolist() == [0.03]
    assert shaffer([[1.0, 0.0], [0.0, 1.0]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert shaffer(np.full(200 * 199 // 2, 1e-9)).max() == pytest.approx(19900e-9)


@pytest.mark.parametrize(
    "p",
    [
        [],
        [0.1, 0.2],
        [0.1, 0.2, np.nan],
        [0.1, 0.2, 1.5],
        [-0.1, 0.2, 0.5],
        ["a", "b", "c"],
        [[1.0]],
        [[1, 0.2], [0.3, 1]],
        [[1, 0.2, 0.1]],
        0.5,
    ],
)
def test_refusals(p):
    with pytest.raises(InputError, match="pvalues"):
        shaffer(p)


def test_ties_get_equal_values():
    for pair in combinations(range(3), 2):
        p = np.full(3, 0.5)
        p[list(pair)] = 0.01
        assert len(set(shaffer(p)[list(pair)])) == 1
