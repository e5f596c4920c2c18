"""p-values of all pairs, as a vector or a matrix."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.stats.corrections import as_pair_pvalues, shaffer, true_counts
from tests.stats.garcia_herrera_2008 import adjusted, pvalues
from tests.stats.partitions import equal_pairs


def test_a_vector_and_its_matrix_mean_the_same() -> None:
    vector = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    matrix = np.ones((4, 4))
    i, j = np.triu_indices(4, 1)
    matrix[i, j] = matrix[j, i] = vector
    for form in (vector, matrix):
        found, k = as_pair_pvalues(form)
        assert k == 4
        assert (found == vector).all()
    whole = shaffer(matrix)
    assert (whole[i, j] == shaffer(vector)).all()
    assert (whole == whole.T).all()
    assert (np.diag(whole) == 1).all()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([0.1, 0.2], "1, 3, 6, 10"),
        ([], "1, 3, 6, 10"),
        ([[1.0, 0.1], [0.2, 1.0]], "symmetric"),
        ([0.1, 0.2, 1.2], "from 0 to 1"),
        ([0.1, 0.2, np.nan], "from 0 to 1"),
        ([[0.1, 0.2], [0.3]], "equal length"),
        (["a"], "numbers"),
        ([[1.0]], "symmetric"),
        ([[1.0, 0.2, 0.1]], "1, 3, 6, 10"),
        (0.5, "1, 3, 6, 10"),
    ],
)
def test_anything_else_is_refused(values: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        as_pair_pvalues(values)  # type: ignore[arg-type]


# --- Shaffer's static procedure against the paper, and the definition over all partitions --------


def test_garcia_herrera_table_5():
    found = shaffer(pvalues())
    for i, j, printed in adjusted("shaffer"):
        assert found[i, j] == pytest.approx(printed, rel=3e-4, abs=5.1e-5)


def test_garcia_herrera_table_3_divisors():
    """alpha_SH = .05 / t: .005, .0083 x 4, .0125 x 2, .0167, .025, .05."""
    tiny = np.arange(1, 11) * 1e-6
    divisors = [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]
    np.testing.assert_allclose(shaffer(tiny), np.maximum.accumulate(tiny * divisors))


@pytest.mark.parametrize("k", range(1, 9))
def test_true_counts_by_enumeration(k):
    assert true_counts(k).tolist() == sorted({len(pairs) for pairs in equal_pairs(k)})


@given(st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_between_raw_and_holm(p):
    """Never below the raw p, never above Holm; ordered as the raw p-values are."""
    p = np.array(p)
    ours = shaffer(p)
    order = np.argsort(p)
    holm = np.minimum(1, np.maximum.accumulate((6 - np.arange(6)) * p[order]))
    assert np.all(ours[order] <= holm)
    assert np.all(ours >= p)
    assert np.all(np.diff(ours[order]) >= 0)


def test_controls_the_familywise_error():
    """All equal, 5 algorithms, 20 instances, z of mean differences known: 4,000 tables."""
    from scipy.special import ndtr

    rng = np.random.default_rng(5)
    i, j = np.triu_indices(5, 1)
    means = rng.normal(size=(4000, 5))
    p = 2 * ndtr(-np.abs(means[:, i] - means[:, j]) / np.sqrt(2))
    rate = np.mean([shaffer(row).min() <= 0.05 for row in p])
    assert rate <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


def test_two_algorithms_and_many():
    assert shaffer([0.03]).tolist() == [0.03]
    assert shaffer([[1.0, 0.0], [0.0, 1.0]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert shaffer(np.full(200 * 199 // 2, 1e-9)).max() == pytest.approx(19900e-9)


def test_ties_get_equal_values():
    for pair in combinations(range(3), 2):
        p = np.full(3, 0.5)
        p[list(pair)] = 0.01
        assert len(set(shaffer(p)[list(pair)])) == 1
