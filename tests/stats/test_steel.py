"""Steel's test: its correlations by all labels, its limits, its joint distribution."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import InputError
from racing.stats import mann_whitney, steel, steel_dwass
from racing.stats._range import common_tail, dunnett_sf
from racing.stats.rank_sums import _shares
from tests.stats.independent_samples import INSECT_SPRAYS, POSTHOCS


def test_the_correlations_are_those_of_all_labels_of_the_runs():
    sizes, control = (2, 3, 2), 0
    labels = np.repeat([0, 1, 2], sizes)
    u = []
    for order in set(permutations(labels)):
        own = [np.flatnonzero(np.array(order) == i) for i in range(3)]
        u.append([np.less.outer(own[i], own[control]).sum() for i in (1, 2)])
    shares = _shares(np.array([3, 2]), 2)
    assert np.corrcoef(np.array(u).T)[0, 1] == pytest.approx(shares.prod())


def test_a_single_comparison_is_mann_whitneys():
    x, y = [1.0, 4.0, 2.5, 9.0, 2.5], [3.0, 5.0, 2.0, 8.0, 7.0, 7.5]
    found = steel([x, y], control=1)
    normal = mann_whitney(x, y, method="normal", continuity=False)
    assert found.pvalues == pytest.approx([normal.pvalue, 1])
    assert found.statistics == pytest.approx([normal.z, 0])
    assert found.a[0] == pytest.approx(normal.a)


def test_large_samples_of_one_size_are_dunnetts_with_known_variance():
    d = np.array([0.5, 1.0, 2.0, 3.0, 6.0])
    found = [common_tail(np.full(4, each), _shares(np.full(4, 10**8), 10**8))[0] for each in d]
    assert found == pytest.approx(dunnett_sf(d, 4, np.inf), rel=1e-6)


def test_unequal_sizes_are_scipys_integral_of_the_joint_distribution():
    shares = _shares(np.array([10, 20, 60]), 15)
    correlation = np.outer(shares, shares)
    np.fill_diagonal(correlation, 1)
    joint = stats.multivariate_normal(np.zeros(3), correlation)
    for d in (1.5, 2.5):
        inside = joint.cdf([d] * 3, lower_limit=[-d] * 3)
        assert common_tail(np.full(3, d), shares) == pytest.approx(np.full(3, 1 - inside), abs=1e-4)


def test_the_sign_and_the_place_of_the_control():
    runs = [[1.0, 2, 3, 4], [5.0, 6, 7, 8], [9.0, 10, 11, 12]]
    found = steel(runs, control=1)
    assert found.statistics[0] == -found.statistics[2] > 0
    assert found.pvalues[0] == found.pvalues[2] < 0.05
    assert found.a.tolist() == [1, 0.5, 0]


def test_nothing_to_tell_and_no_such_control():
    assert (steel([[1, 1], [1], [1]], control=0).pvalues == 1).all()
    with pytest.raises(InputError, match="control"):
        steel([[1, 2], [3]], control=2)


# --- Steel and Dwass' test: the formula, other programs' numbers, what a third sample may change -


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
