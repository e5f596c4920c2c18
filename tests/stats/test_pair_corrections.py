"""p-values of all pairs, as a vector or a matrix."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats.pair_corrections import as_pair_pvalues, shaffer


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
