"""Kruskal and Wallis' test: SciPy, published examples, all assignments, laws."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.stats import kruskal, mann_whitney
from racing.stats.rank_sums import between_groups, deal, exact_tail, steps
from tests.stats.independent_samples import INSECT_SPRAYS, MUCOCILIARY

SAMPLES = st.lists(
    st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, np.inf]), min_size=1, max_size=4),
    min_size=2,
    max_size=4,
)


@pytest.mark.parametrize("digits", [8, 0])
def test_scipy_agrees(digits):
    rng = np.random.default_rng(digits)
    for k in (2, 3, 6):
        samples = [np.round(rng.normal(0, 2, rng.integers(2, 15)), digits) for _ in range(k)]
        ours, theirs = kruskal(samples, method="chi2"), stats.kruskal(*samples)
        assert ours.statistic == pytest.approx(theirs.statistic)
        assert ours.pvalue == pytest.approx(theirs.pvalue)


def test_hollander_and_wolfe():
    """R's help of kruskal.test prints chi-squared = 0.77143, df = 2, p-value = 0.68."""
    found = kruskal(MUCOCILIARY, method="chi2")
    assert f"{found.statistic:.5f}" == "0.77143"
    assert found.df == 2
    assert f"{found.pvalue:.2f}" == "0.68"


def test_insect_sprays():
    """R prints chi-squared = 54.691, df = 5, p-value = 1.511e-10: heavily tied."""
    found = kruskal(INSECT_SPRAYS)
    assert f"{found.statistic:.3f}" == "54.691"
    assert f"{found.pvalue:.3e}" == "1.511e-10"
    assert (found.df, found.method, found.tied) == (5, "chi2", True)


def test_the_effect_is_the_share_between():
    """ε² = H/(N − 1) is the share of the sum of squares of the ranks."""
    found = kruskal(INSECT_SPRAYS)
    ranks = stats.rankdata(np.concatenate(INSECT_SPRAYS)).reshape(6, 12)
    between = 12 * np.sum((ranks.mean(axis=1) - ranks.mean()) ** 2)
    assert found.effect == pytest.approx(between / np.sum((ranks - ranks.mean()) ** 2))
    assert found.mean_ranks == pytest.approx(ranks.mean(axis=1))


def test_two_samples_are_mann_whitneys():
    """H = z² for two samples, ties included, and the exact p-values agree without ties."""
    x, y = [1.0, 4.0, 2.5, 9.0], [3.0, 5.0, 2.0, 8.0, 7.0]
    assert kruskal([x, y]).statistic == pytest.approx(mann_whitney(x, y).z ** 2)
    assert kruskal([x, y]).pvalue == pytest.approx(mann_whitney(x, y).pvalue)
    x, y = [1, 1, 2, 2], [2, 3, 3, 1]
    assert kruskal([x, y]).statistic == pytest.approx(mann_whitney(x, y).z ** 2)


@pytest.mark.filterwarnings("error")
def test_hundreds_of_samples_are_too_many_to_count():
    assert kruskal(list(np.arange(6000.0).reshape(300, 20))).method == "chi2"


def test_auto_is_exact_where_small():
    small, large = [[1, 5, 9]] * 3, [list(range(12))] * 3
    assert (kruskal(small).method, kruskal(large).method) == ("exact", "chi2")


def test_random_labels_come_near_the_exact_p():
    rng = np.random.default_rng(5)
    samples = [np.round(rng.normal(i / 2, 1, 5), 1) for i in range(3)]
    exact = kruskal(samples, method="exact").pvalue
    drawn = kruskal(samples, method="permutation", rng=rng, draws=20_000)
    assert drawn.pvalue == pytest.approx(exact, abs=4 * drawn.p_error)
    assert drawn.p_error > 0


def test_no_p_of_random_labels_is_zero():
    samples = [np.arange(8.0) + 20 * i for i in range(3)]
    found = kruskal(samples, method="permutation", rng=np.random.default_rng(1), draws=99)
    assert found.pvalue == pytest.approx(0.01)


def test_ties_left_out_of_the_variance_make_it_careful():
    plain = kruskal(INSECT_SPRAYS, tie_correction=False)
    assert plain.statistic < kruskal(INSECT_SPRAYS).statistic
    assert not plain.tie_correction


@given(SAMPLES)
def test_laws(samples):
    found = kruskal(samples)
    assert 0 <= found.pvalue <= 1
    assert -1e-9 <= found.effect <= 1 + 1e-9
    turned = kruskal(samples[::-1])
    assert turned.statistic == pytest.approx(found.statistic)
    assert turned.pvalue == pytest.approx(found.pvalue)
    increasing = kruskal([[2 * x + 1 for x in sample] for sample in samples])
    assert increasing.statistic == pytest.approx(found.statistic)


def test_nothing_to_tell():
    for samples in ([[1, 1], [1, 1, 1]], [[1, 2, 3]], [[4]], [[1], [1]]):
        assert (kruskal(samples).statistic, kruskal(samples).pvalue) == (0, 1)


def test_refusals():
    with pytest.raises(InputError, match="must be a numpy"):
        kruskal([[1], [2]], method="permutation")
    with pytest.raises(InputError, match="permutation"):
        kruskal([np.arange(50) + i for i in range(4)], method="exact")


# --- the exact distribution of H: all assignments one by one, and Kruskal and Wallis' own table --


def enumerated(sizes, ranks):
    """P(between >= observed) over all orders of the ranks."""
    starts = np.cumsum(sizes) - sizes
    every = np.array(list(permutations(ranks)))
    between = between_groups(np.add.reduceat(every, starts, axis=1), sizes)
    observed = between_groups(np.add.reduceat(np.asarray(ranks), starts), sizes)
    return np.mean(between >= observed - 1e-9)


@pytest.mark.parametrize("sizes", [(1, 2), (3, 4), (2, 2, 2), (3, 2, 2), (1, 1, 5), (2, 2, 2, 2)])
def test_all_assignments(sizes):
    rng = np.random.default_rng(sum(sizes))
    n, sizes = sum(sizes), np.array(sizes)
    for ranks in (rng.permutation(n) + 1.0, rng.permutation([1.5, 1.5, *range(3, n + 1)])):
        assert exact_tail(sizes, ranks) == pytest.approx(enumerated(sizes, ranks))


# Kruskal and Wallis (1952), Table 6.1, some rows: H and the probability of at least that.
TABLE = {
    (2, 2, 2): [(4.5714, ".067")],
    (3, 2, 1): [(4.2857, ".100")],
    (3, 3, 3): [(7.2, ".004"), (6.4889, ".011"), (5.6889, ".029"), (5.6, ".050"),
                (5.0667, ".086"), (4.6222, ".100")],
    (5, 5, 5): [(8.0, ".009"), (5.78, ".049"), (5.66, ".051"), (4.56, ".100"), (4.5, ".102")],
}  # fmt: skip


@pytest.mark.parametrize("sizes", TABLE)
def test_the_published_table(sizes):
    n, groups = sum(sizes), np.sort(sizes)
    totals, ways = deal(groups, 2 * np.arange(1, n + 1))
    h = between_groups(totals / 2, groups) / (n * (n + 1) / 12)
    for value, printed in TABLE[sizes]:
        tail = ways[h >= value - 5e-5].sum() / ways.sum()
        assert f"{tail:.3f}".removeprefix("0") == printed, value


def test_too_many_states():
    assert steps(np.array([5, 5, 5])) < steps(np.array([6, 6, 6]))
    with pytest.raises(InputError, match="at most 2e\\+09 steps"):
        exact_tail(np.array([50, 50, 50]), np.arange(1.0, 151))
    with pytest.raises(InputError, match="so many groups"):
        deal(np.ones(40, dtype=int), 2 * np.arange(1, 41))
