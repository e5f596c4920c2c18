"""Wins and shares: the sign test, and differences of shares of 0 and 1."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.stats import share_difference
from racing.stats.sign import (
    add_rows,
    group_means,
    no_wins,
    sign_counts,
    sign_p,
    sign_test,
    with_rows,
)
from racing.stats.wilcoxon import wilcoxon
from tests.stats.columns import columns, of_every_pair

# Demsar (2006), Table 3: n = 5..25
TABLE_3 = {
    0.05: (5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 18, 18),
    0.10: (5, 6, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 14, 15, 16, 16, 17),
}


def critical_wins(n: int, alpha: float, **options: str) -> int:
    """The least number of wins out of n that is significant."""
    wins = np.arange(n // 2 + 1, n + 1)
    return int(wins[np.argmax(sign_p(wins, n - wins, **options) <= alpha)])


class TestPublished:
    def test_demsar_table_2(self):
        plain, tuned = columns("demsar_2006_table2.csv", "C4.5", "C4.5+m")
        result = sign_test(tuned, plain)
        assert (result.wins, result.ties, result.losses) == (10, 2, 2)
        assert (result.statistic, result.n_used) == (11, 14)  # "11 out of 14"
        assert result.pvalue == pytest.approx(0.0574, abs=5e-5)  # exact and two-sided
        assert sign_test(tuned, plain, method="normal").pvalue < 0.05  # as the paper says

    def test_demsar_table_3_is_the_exact_one_sided_table(self):
        """All but n = 23, 24 at .05, where the print has the two-sided numbers."""
        for alpha, printed in TABLE_3.items():
            exact = [critical_wins(n, alpha, alternative="better") for n in range(5, 26)]
            off = [n for n, a, b in zip(range(5, 26), exact, printed, strict=True) if a != b]
            assert off == ([23, 24] if alpha == 0.05 else [])
        assert [critical_wins(n, 0.05) for n in (23, 24)] == [17, 18]

    def test_demsar_table_3_by_the_formula_of_the_text(self):
        """w = N/2 + z sqrt(N)/2 gives the table but for the named entries, which differ by one."""
        for alpha, printed in TABLE_3.items():
            normal = [critical_wins(n, alpha, method="normal") for n in range(5, 26)]
            off = {
                n: a - b for n, a, b in zip(range(5, 26), normal, printed, strict=True) if a != b
            }
            expected = {13: 1, 18: 1, 24: -1} if alpha == 0.05 else {14: 1, 19: 1, 21: 1, 24: 1}
            assert off == expected
            z = stats.norm.isf(alpha / 2)
            by_text = [int(np.ceil(n / 2 + z * np.sqrt(n) / 2)) for n in range(5, 26)]
            assert normal == by_text

    def test_benavoli_2015_table_1(self):
        assert sign_p(20, 10, alternative="better") == pytest.approx(0.0494, abs=5e-5)
        assert sign_p(15, 15, alternative="better") == pytest.approx(0.5722, abs=5e-5)
        assert sign_p(30, 0, alternative="better") < 5e-5

    def test_benavoli_2016_example_1(self):
        a, b = np.repeat([50, 80], 10), np.repeat([80, 50], 10)
        assert sign_test(a, b).pvalue == 1.0

    def test_benavoli_2016_example_2(self):
        """Power .94 of the two-sided sign test by the normal approximation."""
        rng = np.random.default_rng(2016)
        draws = 20_000
        a, b = rng.normal(0, 1, (draws, 20)), rng.normal(1.5, 1, (draws, 20))
        wins = np.count_nonzero(a < b, axis=1)
        power = np.mean(sign_p(wins, 20 - wins, method="normal") < 0.05)
        assert power == pytest.approx(0.942, abs=3 * np.sqrt(0.942 * 0.058 / draws) + 5e-4)

    def test_benavoli_2016_example_3(self):
        hnb, nb = columns("benavoli_2016_table2.csv", "HNB", "NB")
        result = sign_test(hnb, nb)
        assert (result.wins, result.ties, result.losses) == (37, 1, 16)
        assert result.pvalue == pytest.approx(0.0055, abs=5e-5)  # whatever the pool


class TestCounts:
    @given(
        st.lists(
            st.lists(st.sampled_from([0.0, 1.0, 2.0, np.inf]), min_size=3, max_size=3),
            min_size=1,
            max_size=12,
        )
    )
    def test_by_definition(self, rows):
        X = np.array(rows)
        expected = [[int(np.sum(X[:, i] < X[:, j])) for j in range(3)] for i in range(3)]
        assert sign_counts(X).tolist() == expected

    @pytest.mark.parametrize("shape", [(1, 1), (1, 40), (300, 7), (7, 300), (600, 601), (3, 3)])
    def test_both_ways_of_counting_agree(self, shape):
        X = np.random.default_rng(1).integers(0, 5, shape).astype(float)
        expected = (
            np.sum(X[:, :, None] < X[:, None, :], axis=0, dtype=int) if X.size < 1e5 else None
        )
        wins = sign_counts(X)
        if expected is not None:
            np.testing.assert_array_equal(wins, expected)
        j = shape[1] // 2
        np.testing.assert_array_equal(wins[:, j], np.sum(X[:, [j]] > X, axis=0))
        assert np.all(np.diag(wins) == 0)


class TestExact:
    @pytest.mark.parametrize("n", [1, 2, 5, 8])
    def test_all_sign_patterns(self, n):
        patterns = np.array(list(product([0, 1], repeat=n))).sum(axis=1)
        for wins in range(n + 1):
            upper, lower = np.mean(patterns >= wins), np.mean(patterns <= wins)
            assert sign_p(wins, n - wins, alternative="better") == pytest.approx(upper)
            assert sign_p(wins, n - wins, alternative="worse") == pytest.approx(lower)
            two_sided = min(1.0, 2 * min(upper, lower))
            assert sign_p(wins, n - wins) == pytest.approx(two_sided)

    def test_agrees_with_scipy(self):
        for wins, losses in [(10, 0), (0, 10), (7, 3), (500, 400), (1, 0)]:
            for ours, theirs in [
                ("two-sided", "two-sided"),
                ("better", "greater"),
                ("worse", "less"),
            ]:
                expected = stats.binomtest(wins, wins + losses, alternative=theirs).pvalue
                assert sign_p(wins, losses, alternative=ours) == pytest.approx(expected)

    def test_table_and_direct_evaluation_agree(self):
        rng = np.random.default_rng(3)
        wins, losses = rng.integers(0, 12, (2, 60, 60))
        direct = [
            [sign_p(w, v) for w, v in zip(*row, strict=True)]
            for row in zip(wins, losses, strict=True)
        ]
        np.testing.assert_array_equal(sign_p(wins, losses), direct)

    def test_far_tail_keeps_its_digits(self):
        assert sign_p(1000, 0, alternative="better") == pytest.approx(2.0**-1000, rel=1e-9)


class TestTies:
    @pytest.mark.parametrize(
        ("ties", "n_used", "statistic"), [(0, 5, 4), (1, 5, 4), (4, 9, 6), (5, 9, 6)]
    )
    def test_split_evenly_one_dropped_if_odd(self, ties, n_used, statistic):
        x = np.r_[np.zeros(4), 2.0, np.ones(ties)]
        result = sign_test(x, np.ones(5 + ties))
        assert (result.n_used, result.statistic) == (n_used, statistic)
        assert result.pvalue == sign_p(statistic, n_used - statistic)

    def test_dropped(self):
        assert sign_p(4, 1, 100, tie_rule="drop") == sign_p(4, 1)

    @pytest.mark.parametrize("tie_rule", ["split", "drop"])
    @pytest.mark.parametrize("method", ["exact", "normal"])
    def test_nothing_but_ties_is_no_evidence(self, tie_rule, method):
        for ties in (0, 1, 7):
            assert sign_p(0, 0, ties, tie_rule=tie_rule, method=method) == 1.0

    @pytest.mark.parametrize("tie_rule", ["split", "drop"])
    def test_keeps_its_level_with_ties(self, tie_rule):
        """Exact: the sizes are computed, not simulated. n = 20, P(tie) = .3."""
        n, share = 20, 0.3
        size = 0.0
        for ties in range(n + 1):
            wins = np.arange(n - ties + 1)
            p = sign_p(wins, n - ties - wins, ties, tie_rule=tie_rule)
            chance = stats.binom.pmf(wins, n - ties, 0.5) * stats.binom.pmf(ties, n, share)
            size += chance[p <= 0.05].sum()
        assert size <= 0.05


class TestPairs:
    @given(st.integers(0, 2**32 - 1))
    def test_relabelling_relabels(self, seed):
        rng = np.random.default_rng(seed)
        X, order = rng.integers(0, 3, (6, 4)).astype(float), rng.permutation(4)
        np.testing.assert_array_equal(
            of_every_pair(sign_test, X[:, order]).pvalue,
            of_every_pair(sign_test, X).pvalue[np.ix_(order, order)],
        )

    def test_constant_identical_and_single_columns(self):
        assert np.all(of_every_pair(sign_test, np.ones((9, 4))).pvalue == 1.0)
        assert of_every_pair(sign_test, [[1.0]]).pvalue.tolist() == [[1.0]]
        assert of_every_pair(sign_test, [[1.0, 2.0]]).pvalue.tolist() == [[1.0, 1.0], [1.0, 1.0]]
        assert np.all(of_every_pair(sign_test, np.full((3, 2), np.inf)).pvalue == 1.0)


class TestRefusals:
    @pytest.mark.parametrize(
        "counts", [(-1, 2), (1.5, 2), ("3", 2), (np.nan, 1), (1, np.inf), (True, 1)]
    )
    def test_counts(self, counts):
        with pytest.raises(InputError, match="whole numbers"):
            sign_p(*counts)

    def test_empty_arrays_of_counts_give_empty_answers(self):
        assert sign_p(np.zeros((0, 3), int), np.zeros((0, 3), int)).shape == (0, 3)


# --- wins of every column over every other agree with counting, however the rows are added -------


def counted(costs: np.ndarray) -> np.ndarray:
    return (costs[:, :, None] < costs[:, None, :]).sum(axis=0)


@pytest.mark.parametrize("block", [1, 1 << 18])
@pytest.mark.parametrize("n", [1, 5, 300])
def test_counts_are_those_of_the_definition(
    monkeypatch: pytest.MonkeyPatch, block: int, n: int
) -> None:
    monkeypatch.setattr(sys.modules["racing.stats.sign"], "_BLOCK", block)
    costs = np.random.default_rng(n).integers(0, 6, (n, 7)).astype(float)  # with ties
    costs[0, :2] = np.inf
    wins = with_rows(no_wins(7), n)
    add_rows(wins, costs)
    assert (wins == counted(costs)).all()


def test_rows_can_be_added_in_parts() -> None:
    costs = np.random.default_rng(1).random((600, 4))
    wins = no_wins(4)
    for end in (100, 255, 256, 600):
        wins = with_rows(wins, end)
        start = {100: 0, 255: 100, 256: 255, 600: 256}[end]
        add_rows(wins, costs[start:end])
        assert (wins == counted(costs[:end])).all()


def test_cells_are_as_wide_as_the_rows_need_and_never_get_narrower() -> None:
    assert with_rows(no_wins(2), 255).dtype == np.uint8
    wide = with_rows(no_wins(2), 256)
    assert wide.dtype == np.uint16
    assert with_rows(wide, 3).dtype == np.uint16


def answers(both: int, first: int, second: int, neither: int) -> tuple[np.ndarray, np.ndarray]:
    """Costs of two sides: so many items that both, only one, or neither has right."""
    x = np.repeat([0, 0, 1, 1], [both, first, second, neither])
    return x, np.repeat([0, 1, 0, 1], [both, first, second, neither])


def test_bonett_and_price_by_hand():
    found = share_difference(*answers(1, 7, 3, 9))
    p, q = 8 / 22, 4 / 22
    half = 1.959964 * np.sqrt((p + q - (p - q) ** 2) / 22)
    assert (found.difference, found.wins, found.losses) == (0.2, 7, 3)
    np.testing.assert_allclose([found.low, found.high], [p - q - half, p - q + half], rtol=1e-6)


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (5, 0), (7, 3), (30, 12)])
def test_mcnemar_is_the_binomial_test_of_what_is_decided(wins, losses):
    found = share_difference(*answers(20, wins, losses, 4))
    expected = scipy.stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert found.pvalue == pytest.approx(expected)


def test_scores_that_are_maximized_give_the_same():
    right, other = answers(5, 6, 2, 4)
    one = share_difference(right, other)
    assert share_difference(-(1 - right), -(1 - other)) == one
    assert share_difference(other, right).difference == -one.difference


def test_the_clustered_error_is_the_double_sum():
    """Miller (2024), section 3: the variance, and products of items in one group."""
    rng = np.random.default_rng(1)
    x, y = (rng.integers(0, 2, 60) for _ in range(2))
    x[:20] = 0  # groups differ
    groups = np.repeat(np.arange(12), 5)
    e = (y - x) - (y - x).mean()
    same = groups[:, None] == groups
    expected = np.sqrt(12 / 11 * (np.outer(e, e) * same).sum()) / 60
    found = share_difference(x, y, groups=groups.tolist())
    assert found.groups == 12
    assert found.standard_error == pytest.approx(expected)
    assert found.high - found.low == pytest.approx(2 * scipy.stats.t.ppf(0.975, 11) * expected)


def test_copies_of_items_in_one_group_are_no_news():
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 2, 80), rng.integers(0, 2, 80)
    alone = share_difference(x, y, groups=range(80))
    copied = share_difference(np.repeat(x, 9), np.repeat(y, 9), groups=np.repeat(range(80), 9))
    assert copied.standard_error == pytest.approx(alone.standard_error, rel=0.02)
    careless = share_difference(np.repeat(x, 9), np.repeat(y, 9))
    assert careless.standard_error < 0.4 * copied.standard_error


@pytest.mark.parametrize(
    ("one", "other", "groups"), [(1, "1", 6), (1, 1.0, 5), (None, "None", 6), (2, 2, 5)]
)
def test_labels_are_one_group_where_they_are_equal(one, other, groups):
    x, y = np.random.default_rng(1).integers(0, 2, (2, 12))
    labels = [one, other, *"abcd"] * 2
    assert share_difference(x, y, groups=labels).groups == groups
    assert len(group_means(np.column_stack([x, y]).astype(float), labels)) == groups


@pytest.mark.parametrize("groups", [None, 30])
def test_intervals_hold_the_difference(groups):
    rng = np.random.default_rng(3)
    held = []
    for _ in range(400):
        shared = rng.random(groups or 90)
        luck = np.repeat(shared, 90 // len(shared))
        x = (0.3 * luck + 0.7 * rng.random(90) > 0.6).astype(int)
        y = (rng.random(90) > 0.5).astype(int)
        labels = np.repeat(range(groups), 90 // groups) if groups else None
        found = share_difference(x, y, groups=labels)
        held.append(found.low <= _truth() <= found.high)
    assert 0.92 <= np.mean(held) <= 0.99


def _truth() -> float:
    """P(y = 1) − P(x = 1), by quadrature over what a group shares."""
    shared = (np.arange(10_000) + 0.5) / 10_000
    wrong = np.clip(1 - (0.6 - 0.3 * shared) / 0.7, 0, 1).mean()
    return 0.5 - float(wrong)


def test_one_group_says_nothing():
    found = share_difference(*answers(3, 4, 2, 1), groups=["a"] * 10)
    assert (found.low, found.high) == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("x", "y", "groups", "message"),
    [
        ([0, 2], [0, 1], None, "two numbers that are 1 apart"),
        ([0.5, 1], [0, 1], None, "two numbers that are 1 apart"),
        ([0, 1], [1, 1], ["a"], "2 labels, one per item"),
    ],
)
def test_refused(x, y, groups, message):
    with pytest.raises(InputError, match=message):
        share_difference(x, y, groups=groups)


# --- means of groups: a test of them holds its level where one of instances does not -------------


INF = np.inf


def test_means_by_hand():
    costs = np.array([[1.0, 2.0], [3.0, 5.0], [0.0, 4.0]])
    assert group_means(costs, ["a", "b", "a"]).tolist() == [[0.5, 3.0], [3.0, 5.0]]


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        ([[1.0, INF], [3.0, 5.0]], [3.0, INF]),  # the second failed more often
        ([[1.0, INF], [INF, 5.0], [2.0, 4.0]], [2.0, 4.0]),  # both once: in no mean
        ([[INF, INF]], [INF, INF]),
        ([[1.0, INF]], [0.0, INF]),
        ([[1.0, INF], [INF, 2.0]], [INF, INF]),  # nothing is left to tell them apart
    ],
    ids=["more", "alike", "both", "one", "none left"],
)
def test_a_group_is_lost_by_what_failed_in_it_more_often(costs, expected):
    assert group_means(np.array(costs), ["g"] * len(costs)).tolist() == [expected]


def test_each_instance_needs_its_group():
    with pytest.raises(InputError, match="groups must be 2, one per instance; got 1"):
        group_means(np.ones((2, 2)), ["a"])


def test_the_level_holds_where_instances_of_a_group_are_alike():
    """20 documents with 10 questions, ρ = .5, and no difference: 5 % are to be rejected."""
    rng = np.random.default_rng(4)
    groups, rejected = np.repeat(np.arange(20), 10).tolist(), np.zeros(2)
    for _ in range(400):
        document = rng.normal(size=20).repeat(10)
        d = np.column_stack([np.zeros(200), document + rng.normal(size=200)])
        means = group_means(d, groups)
        rejected += wilcoxon(*means.T).pvalue < 0.05, wilcoxon(*d.T).pvalue < 0.05
    assert 0.03 < rejected[0] / 400 < 0.07
    assert rejected[1] / 400 > 0.25
