"""Steel and Dwass' test: the formula, other programs' numbers, what a third sample may change."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from racing.stats import mann_whitney, steel_dwass
from tests.stats.independent_samples import INSECT_SPRAYS, POSTHOCS


def test_the_formula():
    """√2·|z| without continuity against the range of k normals, as in SAS' manual of NPAR1WAY."""
    found = steel_dwass(INSECT_SPRAYS)
    for i in range(6):
        for j in range(i):
            z = mann_whitney(INSECT_SPRAYS[i], INSECT_SPRAYS[j]).z
            assert found.statistics[i, j] == pytest.approx(np.sqrt(2) * z)
            p = stats.studentized_range.sf(np.sqrt(2) * abs(z), 6, np.inf)
            assert found.pvalues[i, j] == pytest.approx(p, abs=1e-9)


def test_scikit_posthocs():
    """What `posthoc_dscf` of version 0.17.1 computes for its documentation's example."""
    p = steel_dwass(POSTHOCS).pvalues[np.triu_indices(3, 1)]
    assert [f"{each:.4f}" for each in p] == ["0.0632", "0.0239", "0.4533"]


def test_two_samples_are_mann_whitneys():
    x, y = [1.0, 4.0, 2.5, 9.0], [3.0, 5.0, 2.0, 8.0, 7.0]
    normal = mann_whitney(x, y, method="normal", continuity=False)
    found = steel_dwass([x, y])
    assert found.pvalues[0, 1] == pytest.approx(normal.pvalue)
    assert found.a[0, 1] == pytest.approx(normal.a)
    assert (found.statistics == -found.statistics.T).all()


def test_a_third_sample_counts_by_its_number_only():
    x, y = [1.0, 4.0, 2.5, 9.0], [3.0, 5.0, 2.0, 8.0, 7.0]
    near, far = (steel_dwass([x, y, third]).pvalues[0, 1] for third in ([4.0, 5.0], [99.0]))
    assert near == far > steel_dwass([x, y]).pvalues[0, 1]


def test_nothing_to_tell():
    assert (steel_dwass([[1, 1], [1], [1]]).pvalues == 1).all()
    assert steel_dwass([[1, 2]]).pvalues.tolist() == [[1]]
