"""Dunn's comparisons: printed numbers with and without ties, and the formula on small samples."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import InputError
from racing.stats import conover_iman, dunn, holm, kruskal
from tests.stats.independent_samples import INSECT_SPRAYS, POSTHOCS


def test_insect_sprays():
    """Printed in the vignette of the R package PMCMR (Pohlert, 2014), p-values not adjusted."""
    printed = {
        (1, 0): ".75448", (2, 0): "1.8e-06", (2, 1): "3.6e-07", (3, 0): ".00182",
        (3, 1): ".00060", (3, 2): ".09762", (4, 0): ".00012", (4, 1): "3.1e-05",
        (4, 2): ".35572", (4, 3): ".46358", (5, 0): ".68505", (5, 1): ".92603",
        (5, 2): "2.2e-07", (5, 3): ".00043", (5, 4): "2.1e-05",
    }  # fmt: skip
    p = dunn(INSECT_SPRAYS).pvalues
    for (i, j), text in printed.items():
        shown = f"{p[i, j]:.1e}" if "e" in text else f"{p[i, j]:.5f}".removeprefix("0")
        assert shown == text, (i, j)


def test_the_example_of_scikit_posthocs():
    """Its documentation prints .01764845, ...: Holm's correction without the correction for ties.

    Version 0.17.1 computes the numbers with it.
    """
    from racing.stats import holm

    upper = np.triu_indices(3, 1)
    plain = holm(dunn(POSTHOCS, tie_correction=False).pvalues[upper])
    assert f"{plain[0]:.8f}" == "0.01764845"
    tied = holm(dunn(POSTHOCS).pvalues[upper])
    assert [f"{p:.5f}" for p in tied] == ["0.01724", "0.04062", "0.45195"]


def test_by_hand():
    samples = [[1, 2], [2, 4, 5], [7]]
    ranks, n = stats.rankdata(np.concatenate(samples)), 6
    variance = n * (n + 1) / 12 - (2**3 - 2) / (12 * (n - 1))
    z = (ranks[:2].mean() - ranks[2:5].mean()) / np.sqrt(variance * (1 / 2 + 1 / 3))
    found = dunn(samples)
    assert found.statistic[0, 1] == pytest.approx(z)
    assert found.pvalues[0, 1] == pytest.approx(2 * stats.norm.sf(abs(z)))
    assert found.standard_error[0, 1] == pytest.approx(np.sqrt(variance * (1 / 2 + 1 / 3)))


def test_a_control_is_a_column_of_all_pairs():
    for alternative in ("two-sided", "better", "worse"):
        pairs = dunn(INSECT_SPRAYS, alternative=alternative)
        one = dunn(INSECT_SPRAYS, control=2, alternative=alternative)
        assert (one.statistic == pairs.statistic[:, 2]).all()
        assert (one.pvalues == pairs.pvalues[:, 2]).all()
        assert one.pvalues[2] == 1


def test_the_lower_cost_is_better():
    found = dunn([[1, 2, 3], [7, 8, 9]], alternative="better")
    assert found.statistic[0, 1] < 0
    assert found.pvalues[0, 1] < 0.05 < 0.9 < found.pvalues[1, 0]


def test_nothing_to_tell():
    assert (dunn([[1, 1], [1]]).pvalues == 1).all()
    assert dunn([[1, 2]]).pvalues.tolist() == [[1]]


def test_refusals():
    with pytest.raises(InputError, match="0 to 1"):
        dunn([[1], [2]], control=2)


# --- Conover and Iman's comparisons: printed numbers, ANOVA of the ranks, samples without mixture


def test_the_example_of_scikit_posthocs_of_conover_iman():
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


def test_a_control_is_a_column_of_all_pairs_of_conover_iman():
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


def test_nothing_to_tell_of_conover_iman():
    assert (conover_iman([[1, 1], [1]]).pvalues == 1).all()
    assert (conover_iman([[1], [2], [3]]).pvalues == 1).all()


def test_refusals_of_conover_iman():
    with pytest.raises(InputError, match="control"):
        conover_iman([[1], [2]], control=-1)
