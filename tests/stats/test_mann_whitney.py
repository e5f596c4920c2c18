"""Mann and Whitney's test: SciPy, R's printed numbers, all labels, laws."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.stats import mann_whitney, vargha_delaney
from tests.stats.independent_samples import PAIN

SCIPY = {"two-sided": "two-sided", "better": "less", "worse": "greater"}
COSTS = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, np.inf]), min_size=1, max_size=5)


def all_labels(x, y):
    """(two-sided, better, worse) by counting."""
    pooled = np.concatenate([x, y])
    ranks = stats.rankdata(pooled)
    sums = np.array([ranks[list(c)].sum() for c in combinations(range(pooled.size), len(x))])
    observed = ranks[: len(x)].sum()
    better, worse = np.mean(sums <= observed), np.mean(sums >= observed)
    return {"two-sided": min(1, 2 * min(better, worse)), "better": better, "worse": worse}


@pytest.mark.parametrize("alternative", SCIPY)
@pytest.mark.parametrize("continuity", [True, False])
def test_scipy_agrees_on_the_normal_p(alternative, continuity):
    rng = np.random.default_rng(3)
    for digits in (8, 0):
        x, y = np.round(rng.normal(0, 2, 15), digits), np.round(rng.normal(1, 1, 9), digits)
        ours = mann_whitney(
            x, y, alternative=alternative, method="normal", continuity=continuity
        ).pvalue
        theirs = stats.mannwhitneyu(
            x, y, method="asymptotic", use_continuity=continuity, alternative=SCIPY[alternative]
        ).pvalue
        assert ours == pytest.approx(theirs)


@pytest.mark.parametrize("alternative", SCIPY)
def test_scipy_agrees_on_the_exact_p_without_ties(alternative):
    rng = np.random.default_rng(4)
    for n, m in ((1, 3), (4, 9), (30, 20), (60, 70)):
        x, y = rng.normal(size=n), rng.normal(0.3, 1, m)
        ours = mann_whitney(x, y, alternative=alternative, method="exact").pvalue
        theirs = stats.mannwhitneyu(x, y, method="exact", alternative=SCIPY[alternative]).pvalue
        assert ours == pytest.approx(theirs)


@given(COSTS, COSTS)
def test_exact_with_ties(x, y):
    counted = all_labels(x, y)
    for alternative, p in counted.items():
        assert mann_whitney(x, y, alternative=alternative).pvalue == pytest.approx(p)


def test_pain_scores():
    """R's wilcox.test: W = 32.5, p-value = 0.007741, continuity corrected, with ties.

    Printed in the vignette of the R package brunnermunzel (2019), from which also PAIN is taken.
    """
    found = mann_whitney(*PAIN, method="normal")
    assert 14 * 11 - found.u == 32.5
    assert f"{found.pvalue:.6f}" == "0.007741"
    assert f"{found.z:.4f}" == "2.6934"  # of coin's exact test, there Z = -2.6934


def test_the_normal_p_comes_near_the_exact_one():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=40), rng.normal(0.5, 1, 45)
    exact, normal = (mann_whitney(x, y, method=m).pvalue for m in ("exact", "normal"))
    assert normal == pytest.approx(exact, rel=0.02)


@given(COSTS, COSTS)
def test_laws(x, y):
    for method in ("exact", "normal"):
        one, back = mann_whitney(x, y, method=method), mann_whitney(y, x, method=method)
        assert one.u + back.u == len(x) * len(y)
        assert one.z == pytest.approx(-back.z)
        assert one.pvalue == pytest.approx(back.pvalue)
        assert one.a == pytest.approx(vargha_delaney(x, y, paired=False).a)
        sides = [mann_whitney(x, y, method=method, alternative=a) for a in ("better", "worse")]
        assert sum(side.pvalue for side in sides) >= 1 - 1e-9


def test_ties_and_words():
    found = mann_whitney([1, 1, np.inf], [1, np.inf])
    assert (found.ties, found.exact) == (3, True)


def test_equal_runs():
    for method in ("exact", "normal"):
        for alternative in SCIPY:
            found = mann_whitney([2, 2], [2, 2, 2], method=method, alternative=alternative)
            assert (found.z, found.pvalue, found.a) == (0, 1, 0.5)


def test_refusals():
    with pytest.raises(InputError, match="at most 400"):
        mann_whitney(np.arange(250), np.arange(250), method="exact")
