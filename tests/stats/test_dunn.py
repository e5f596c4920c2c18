"""Dunn's comparisons: printed numbers with and without ties, and the formula on small samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import InputError
from racing.stats import dunn
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
    with pytest.raises(InputError, match="alternative"):
        dunn([[1], [2]], alternative="less")
