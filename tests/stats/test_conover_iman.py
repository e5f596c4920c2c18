"""Conover and Iman's comparisons: printed numbers, ANOVA of the ranks, samples without mixture."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import InputError
from racing.stats import conover_iman, holm, kruskal
from tests.stats.independent_samples import INSECT_SPRAYS, POSTHOCS


def test_the_example_of_scikit_posthocs():
    """Its documentation prints .00119517, .00278329 and .18672227, corrected by Holm."""
    p = holm(conover_iman(POSTHOCS).pvalues[np.triu_indices(3, 1)])
    assert [f"{each:.8f}" for each in p] == ["0.00119517", "0.00278329", "0.18672227"]


def test_the_formula_with_h():
    """Conover (1999), 5.2: S²(N − 1 − H)/(N − k) · (1/n_i + 1/n_j)."""
    ranks, h = stats.rankdata(np.concatenate(INSECT_SPRAYS)), kruskal(INSECT_SPRAYS).statistic
    s2 = np.var(ranks, ddof=1)
    error = np.sqrt(s2 * (71 - h) / 66 * (2 / 12))
    found = conover_iman(INSECT_SPRAYS)
    assert found.df == 66
    assert found.standard_error[0, 1] == pytest.approx(error)
    t = (found.means[0] - found.means[3]) / error
    assert found.statistic[0, 3] == pytest.approx(t)
    assert found.pvalues[0, 3] == pytest.approx(2 * stats.t.sf(abs(t), 66))


def test_two_samples_are_students_t_of_the_ranks():
    x, y = [1.0, 4.0, 2.5, 9.0], [3.0, 5.0, 2.0, 8.0, 7.0]
    ranks = stats.rankdata(x + y)
    theirs = stats.ttest_ind(ranks[:4], ranks[4:])
    found = conover_iman([x, y])
    assert found.statistic[0, 1] == pytest.approx(theirs.statistic)
    assert found.pvalues[0, 1] == pytest.approx(theirs.pvalue)


def test_a_control_is_a_column_of_all_pairs():
    pairs, one = conover_iman(INSECT_SPRAYS), conover_iman(INSECT_SPRAYS, control=1)
    assert (one.statistic == pairs.statistic[:, 1]).all()
    assert (one.pvalues == pairs.pvalues[:, 1]).all()


def test_equal_runs_within_the_samples():
    """The share of the labels that leave every sample on one rank, by counting."""
    samples = [[1, 1], [2, 2], [3, 3]]
    labels = set(permutations([0, 0, 1, 1, 2, 2]))
    pure = [one for one in labels if all(one[i] == one[i + 1] for i in (0, 2, 4))]
    found = conover_iman(samples)
    assert found.statistic[1, 0] == np.inf
    assert found.pvalues[1, 0] == pytest.approx(len(pure) / len(labels))
    assert found.pvalues[0, 1] == found.pvalues[1, 0]


def test_nothing_to_tell():
    assert (conover_iman([[1, 1], [1]]).pvalues == 1).all()
    assert (conover_iman([[1], [2], [3]]).pvalues == 1).all()


def test_refusals():
    with pytest.raises(InputError, match="control"):
        conover_iman([[1], [2]], control=-1)
