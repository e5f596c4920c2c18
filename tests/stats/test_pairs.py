"""All pairs of columns: their order, and p-values as a vector or a matrix."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats import _pairs
from racing.stats._pairs import as_pair_pvalues, like, pair_blocks


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
def test_blocks_have_every_pair_once_in_order(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(_pairs, "_BLOCK", block)
    found = [pair for i, j in pair_blocks(6, 3) for pair in zip(i, j, strict=True)]
    assert found == list(combinations(range(6), 2))


def test_a_vector_and_its_matrix_mean_the_same() -> None:
    vector = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    matrix = like(np.eye(4), vector, 4)
    assert matrix[0, 3] == matrix[3, 0] == 0.3
    assert (np.diag(matrix) == 1).all()
    for form in (vector, matrix):
        found, k = as_pair_pvalues(form)
        assert k == 4
        assert (found == vector).all()
        assert (like(form, found, k) == form).all()


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
