"""Wilcoxon's signed ranks against printed numbers, all sign patterns, scipy, and calibration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.stats.wilcoxon import wilcoxon
from tests.stats.columns import columns, of_every_pair

ZERO_RULES = ("split", "pratt", "wilcox")


def costs_with(differences: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """x, y with y - x as given: positive where x is better."""
    d = np.array(differences, dtype=float)
    return np.zeros(d.size), d


def rank_sums(d: np.ndarray, zero_rule: str) -> tuple[float, float]:
    """R+ and R-, straight from the definitions."""
    if zero_rule == "wilcox":
        d = d[d != 0]
    if zero_rule == "split" and np.sum(d == 0) % 2:
        d = np.delete(d, np.flatnonzero(d == 0)[0])
    ranks = stats.rankdata(np.abs(d)) if d.size else d
    half = ranks[d == 0].sum() / 2 if zero_rule == "split" else 0.0
    return ranks[d > 0].sum() + half, ranks[d < 0].sum() + half


class TestPublished:
    def test_demsar_table_2(self):
        plain, tuned = columns("demsar_2006_table2.csv", "C4.5", "C4.5+m")
        result = wilcoxon(tuned, plain)
        assert (result.r_plus, result.r_minus, result.statistic) == (93.0, 12.0, 12.0)
        assert (result.n_used, result.zeros) == (14, 2)
        assert result.pvalue < 0.05

    def test_demsar_z(self):
        """z = (T - N(N+1)/4) / sqrt(N(N+1)(2N+1)/24), section 3.1.3, for T = 12 and N = 14."""
        plain, tuned = columns("demsar_2006_table2.csv", "C4.5", "C4.5+m")
        result = wilcoxon(tuned, plain, method="normal", tie_correction=False)
        z = (12 - 14 * 15 / 4) / np.sqrt(14 * 15 * 29 / 24)
        assert result.z == pytest.approx(-z)
        assert result.pvalue == pytest.approx(2 * stats.norm.cdf(z))

    def test_demsar_critical_value(self):
        """N = 14: significant at .05 if T <= 21, not at 22."""
        ranks = np.arange(1.0, 15)
        for smaller, significant in [(21, True), (22, False)]:
            signs = np.ones(14)
            signs[[7, smaller - 8 - 1]] = -1  # ranks 8 and smaller - 8
            result = wilcoxon(*costs_with(ranks * signs))
            assert result.statistic == smaller
            assert (result.pvalue <= 0.05) == significant

    def test_benavoli_2016_example_1(self):
        a, b = np.repeat([50, 80], 10), np.repeat([80, 50], 10)
        assert wilcoxon(a, b).pvalue == 1.0

    def test_benavoli_2016_example_3(self):
        """C2 against C4: p = .0002 whatever the pool."""
        hnb, nb = columns("benavoli_2016_table2.csv", "HNB", "NB")
        for zero_rule in ZERO_RULES:
            result = wilcoxon(hnb, nb, zero_rule=zero_rule)
            assert result.pvalue == pytest.approx(0.0002, abs=5e-5)


class TestExact:
    @pytest.mark.parametrize("zero_rule", ZERO_RULES)
    @pytest.mark.parametrize(
        "d",
        [
            [1.0, -2.0, 3.0, 4.0, -5.0],
            [1.0, 1.0, -1.0, 2.0, 2.0, 3.0],  # ties
            [0.0, 0.0, 1.0, -1.0, 2.0, 5.0, 5.0],  # ties and an even number of zeros
            [0.0, 0.0, 0.0, 1.0, -4.0, 2.0],  # an odd number
            [0.0, 3.0],
            [-2.0],
        ],
    )
    def test_all_sign_patterns(self, d, zero_rule):
        d = np.array(d)
        observed = rank_sums(d, zero_rule)[0]
        sums = np.array(
            [
                rank_sums(np.abs(d) * signs, zero_rule)[0]
                for signs in product([-1, 1], repeat=d.size)
            ]
        )
        upper, lower = np.mean(sums >= observed), np.mean(sums <= observed)
        x, y = costs_with(d)
        better = wilcoxon(x, y, zero_rule=zero_rule, alternative="better")
        assert (better.r_plus, better.r_minus) == rank_sums(d, zero_rule)
        assert better.exact
        assert better.pvalue == pytest.approx(upper)
        worse = wilcoxon(x, y, zero_rule=zero_rule, alternative="worse")
        assert worse.pvalue == pytest.approx(lower)
        two_sided = min(1.0, 2 * min(upper, lower))
        assert wilcoxon(x, y, zero_rule=zero_rule).pvalue == pytest.approx(two_sided)

    @pytest.mark.parametrize("n", [1, 5, 20, 49, 120])
    @pytest.mark.parametrize(
        ("ours", "theirs"), [("two-sided", "two-sided"), ("better", "greater"), ("worse", "less")]
    )
    def test_agrees_with_scipy_without_ties(self, n, ours, theirs):
        d = np.random.default_rng(n).normal(0.2, 1, n)
        expected = stats.wilcoxon(d, alternative=theirs, method="exact").pvalue
        assert wilcoxon(*costs_with(d), method="exact", alternative=ours).pvalue == pytest.approx(
            expected, rel=1e-9
        )

    def test_far_tail_keeps_its_digits(self):
        x, y = costs_with(np.arange(1.0, 301))
        p = wilcoxon(x, y, alternative="better", method="exact").pvalue
        assert p == pytest.approx(2.0**-300, rel=1e-9)


class TestNormal:
    @pytest.mark.parametrize(("zero_rule", "theirs"), [("wilcox", "wilcox"), ("pratt", "pratt")])
    def test_agrees_with_scipy_with_ties_and_zeros(self, zero_rule, theirs):
        d = np.random.default_rng(8).integers(-4, 6, 80).astype(float)
        expected = stats.wilcoxon(d, zero_method=theirs, method="asymptotic", correction=False)
        result = wilcoxon(*costs_with(d), zero_rule=zero_rule, method="normal")
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9)

    @pytest.mark.parametrize("zero_rule", ZERO_RULES)
    def test_tie_correction_vanishes_without_ties(self, zero_rule):
        """Zeros still count for "split": Demsar's variance takes them for ordinary ranks."""
        d = np.r_[np.random.default_rng(2).normal(size=60), 0.0]
        with_it = wilcoxon(*costs_with(d), zero_rule=zero_rule, method="normal")
        without = wilcoxon(
            *costs_with(d), zero_rule=zero_rule, method="normal", tie_correction=False
        )
        assert with_it.z == pytest.approx(without.z)

    def test_auto_changes_over_at_50_nonzero_differences(self):
        d = np.random.default_rng(4).normal(size=51)
        assert wilcoxon(*costs_with(d[:50])).exact
        assert not wilcoxon(*costs_with(d)).exact
        assert wilcoxon(*costs_with(np.r_[d[:50], np.zeros(9)])).exact
        near = wilcoxon(*costs_with(d), method="exact").pvalue
        assert wilcoxon(*costs_with(d)).pvalue == pytest.approx(near, abs=0.01)

    def test_exact_refuses_what_would_take_gigabytes(self):
        with pytest.raises(InputError, match="use 'normal'"):
            wilcoxon(*costs_with(np.arange(1.0, 2500)), method="exact")


class TestCalibration:
    @pytest.mark.parametrize("zero_rule", ZERO_RULES)
    def test_exact_keeps_its_level_with_ties_and_zeros(self, zero_rule):
        """4,000 experiments of 12 rounded differences; three standard errors allowed."""
        rng = np.random.default_rng(17)
        x, y = rng.integers(0, 5, (2, 4000, 12)).astype(float)
        p = wilcoxon(x, y, zero_rule=zero_rule).pvalue
        for alpha in (0.01, 0.05, 0.10):
            assert np.mean(p <= alpha) <= alpha + 3 * np.sqrt(alpha / 4000)

    @pytest.mark.parametrize("zero_rule", ZERO_RULES)
    def test_normal_has_its_level_at_n_100(self, zero_rule):
        rng = np.random.default_rng(18)
        x, y = rng.integers(0, 8, (2, 4000, 100)).astype(float)
        p = wilcoxon(x, y, zero_rule=zero_rule).pvalue
        assert np.mean(p <= 0.05) == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 4000))


class TestRounding:
    def test_float_noise_makes_no_differences(self):
        x, y = np.array([0.3, 0.2, 0.1 + 0.2]), np.array([0.2, 0.1, 0.3])
        result = wilcoxon(x, y)  # differences .1, .1 and nothing
        assert (result.zeros, result.r_minus) == (1, 3.0)
        as_given = wilcoxon(x, y, digits=None)
        assert as_given.zeros == 0

    @given(
        st.lists(st.integers(-30, 30), min_size=1, max_size=12),
        st.sampled_from([1e-200, 1e-9, 0.01, 0.1, 1.0, 1000.0, 1e200]),
    )
    def test_decimal_scores_behave_like_integers(self, d, unit):
        """Scores 1000 + d units, with the float noise of decimal fractions."""
        whole = np.array(d, dtype=float)
        a, b = np.full(whole.size, 1000.0), 1000.0 + whole
        assert wilcoxon(a * unit, b * unit).pvalue == wilcoxon(a, b).pvalue


class TestFailures:
    def test_largest_and_tied_among_each_other(self):
        inf = np.inf
        result = wilcoxon([1, 2, inf, inf, 3], [5, inf, 7, inf, inf])
        # differences 4, inf, -inf, 0, inf; the zero is odd and dropped: ranks 1, 3, 3, 3
        assert (result.r_plus, result.r_minus, result.zeros) == (7.0, 3.0, 1)
        expected = wilcoxon(*costs_with([1.0, 9.0, -9.0, 0.0, 9.0]))
        assert result.pvalue == expected.pvalue

    def test_beyond_the_largest_float(self):
        result = wilcoxon([1.7e308, 0.0], [-1.7e308, 1e308])
        assert (result.r_plus, result.r_minus) == (1.0, 2.0)


class TestPairs:
    @settings(max_examples=30, deadline=None)
    @given(st.integers(0, 2**32 - 1))
    def test_relabelling_and_reordering(self, seed):
        rng = np.random.default_rng(seed)
        X, order = rng.integers(0, 5, (9, 4)).astype(float), rng.permutation(4)
        p = of_every_pair(wilcoxon, X).pvalue
        np.testing.assert_array_equal(p, p.T)
        np.testing.assert_array_equal(
            of_every_pair(wilcoxon, rng.permutation(X)[:, order]).pvalue, p[np.ix_(order, order)]
        )

    def test_constant_identical_and_single_columns(self):
        for X in (np.ones((9, 4)), np.full((3, 2), np.inf), [[1.0]], [[2.0, 2.0]]):
            result = of_every_pair(wilcoxon, X)
            assert np.all(result.pvalue == 1.0)
            assert np.all(result.z == 0.0)
            assert np.all(result.effect == 0.0)
        assert wilcoxon([1.0], [2.0]).pvalue == 1.0
        assert wilcoxon([1.0], [1.0]).effect == 0.0
