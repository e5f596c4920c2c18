"""Friedman and Iman-Davenport against the papers, scipy, their definition and the null."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.stats import friedmanchisquare

from racing.base.errors import InputError
from racing.stats import durbin
from racing.stats.friedman import FriedmanTest, friedman
from racing.stats.ranks import rank_rows

iman_davenport = partial(friedman, reference="F")


Table = Callable[[str], np.ndarray]


def demsar_ranks(table: Table) -> np.ndarray:
    """Demsar (2006), Table 6: the ranks as printed (`voting` ranks more digits than it prints)."""
    ranks = rank_rows(table("demsar_2006_table6.csv"), direction="max")
    ranks[12] = [4, 1, 2, 3]
    return ranks


def test_demsar_2006_worked_example(table: Table) -> None:
    R = demsar_ranks(table)
    plain = friedman(R, ranked=True, tie_correction=False)
    assert round(plain.statistic, 2) == 9.28
    assert plain.df == (3,)
    assert plain.tied
    f = iman_davenport(R, ranked=True, tie_correction=False)
    assert round(f.statistic, 2) == 3.69
    assert f.df == (3, 39)
    assert f.pvalue < 0.05
    # The print has no tie correction; with it:
    assert round(friedman(R, ranked=True).statistic, 2) == 10.23
    # The ranks of the printed values, where `voting` is a tie, give another number:
    X = -table("demsar_2006_table6.csv")
    assert round(friedman(X, tie_correction=False).statistic, 3) == 9.857


def test_garcia_herrera_2008_case_study(table: Table) -> None:
    X = -table("garcia_herrera_2008_table2_accuracy.csv")
    assert round(friedman(X, tie_correction=False).statistic, 3) == 39.647
    assert round(iman_davenport(X, tie_correction=False).statistic, 3) == 14.309


def test_benavoli_2016_examples(table: Table) -> None:
    A, B, C, D, E = (
        [a] * 10 + [b] * 10 for a, b in [(50, 80), (80, 50), (55, 45), (60, 85), (65, 90)]
    )
    first = friedman(-np.array([A, B, C, D, E], float).T)
    assert 9.3e-10 < first.pvalue < 9.5e-10  # printed: about 1e-10
    X = -table("benavoli_2016_table2.csv")
    assert friedman(X[:, :4]).pvalue < 0.05
    pool = X[:, [0, 1, 3, 4]]
    assert round(friedman(pool).pvalue, 4) == 0.0435
    # Deviation: "Friedman rejects" for {C1, C2, C4, C5} holds only with the tie correction.
    assert round(friedman(pool, tie_correction=False).pvalue, 4) == 0.0593


@given(
    arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, min_side=3, max_side=6),
        elements=st.integers(0, 4),
    )
)
def test_scipy_agrees_where_it_answers(X: np.ndarray) -> None:
    from scipy.stats import friedmanchisquare

    ours = friedman(X)
    if (np.ptp(X, axis=1) == 0).all():  # scipy divides 0 by 0
        assert (ours.statistic, ours.pvalue) == (0.0, 1.0)
        return
    theirs = friedmanchisquare(*X.T)
    assert ours.statistic == pytest.approx(float(theirs.statistic), abs=1e-9)
    assert ours.pvalue == pytest.approx(float(theirs.pvalue), abs=1e-9)


@given(
    arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, max_side=6),
        elements=st.sampled_from([0.0, 1.0, 2.0, np.inf]),
    ),
    st.booleans(),
)
def test_laws(X: np.ndarray, corrected: bool) -> None:
    for test in (friedman, iman_davenport):
        result = test(X, tie_correction=corrected)
        assert 0 <= result.pvalue <= 1
        assert result.statistic >= 0
        assert 0 <= result.concordance <= 1
        for same in (
            test(X[::-1, ::-1], tie_correction=corrected),  # order is nothing
            test(np.exp2(X), tie_correction=corrected),  # only ranks count
            test(rank_rows(X), ranked=True, tie_correction=corrected),
            test(rank_rows(X), ranked=True, check=False, tie_correction=corrected),
        ):
            assert same.statistic == pytest.approx(result.statistic)
            assert same.pvalue == pytest.approx(result.pvalue)


@given(arrays(np.float64, (7, 4), elements=st.integers(0, 3)))
def test_f_is_the_anova_of_the_ranks(X: np.ndarray) -> None:
    R = rank_rows(X)
    columns = 7 * ((R.mean(axis=0) - 2.5) ** 2).sum()
    residual = ((R - 2.5) ** 2).sum() - columns
    expected = (columns / 3) / (residual / 18) if residual > 1e-9 else math.inf
    if columns < 1e-9:
        expected = 0.0
    assert iman_davenport(X).statistic == pytest.approx(expected)


@pytest.mark.parametrize(
    ("X", "statistic", "p"),
    [
        (np.ones((4, 3)), 0.0, 1.0),  # all tied
        (np.ones((1, 1)), 0.0, 1.0),
        (np.ones((5, 1)), 0.0, 1.0),  # one column
        (np.full((3, 3), np.inf), 0.0, 1.0),  # everything failed
        ([[1, 2], [2, 1]], 0.0, 1.0),  # perfectly balanced
    ],
)
@pytest.mark.parametrize("corrected", [True, False])
def test_nothing_to_tell_apart(X: np.ndarray, statistic: float, p: float, corrected: bool) -> None:
    for test in (friedman, iman_davenport):
        result = test(X, tie_correction=corrected)
        assert (result.statistic, result.pvalue) == (statistic, p)


def test_rows_ranked_alike_make_f_infinite_but_not_p_zero() -> None:
    three = iman_davenport([[1, 2, 3]] * 3)
    assert (three.statistic, three.concordance) == (math.inf, 1.0)
    assert three.pvalue == pytest.approx(1 / 36)
    assert iman_davenport([[1, 2]] * 2).pvalue == pytest.approx(0.5)
    assert iman_davenport([[1, 1, 2]] * 4).pvalue == pytest.approx(1 / 27)  # 3 orders of a row
    assert iman_davenport([[5, 6, 7, 9]]).pvalue == 1.0  # one instance is no evidence
    assert friedman([[5, 6, 7, 9]]).statistic == 3.0
    assert iman_davenport([list(range(200))] * 100).pvalue == 0.0  # below the smallest float


def test_one_disagreement_in_many_rows_stays_finite() -> None:
    R = np.tile(np.arange(1.0, 21.0), (20_000, 1))
    R[7, [3, 4]] = R[7, [4, 3]]
    result = iman_davenport(R)
    assert math.isfinite(result.statistic)
    assert result.statistic > 1e9


def test_garbage_is_refused() -> None:
    with pytest.raises(InputError, match="NaN at row 0, column 1"):
        friedman([[1.0, math.nan]])
    with pytest.raises(InputError, match="'a'"):
        iman_davenport([["a", "b"]])  # type: ignore[list-item]
    with pytest.raises(InputError, match="in row 0, which is not a ranking"):
        friedman([[1.0, 1.0]], ranked=True)


@pytest.mark.parametrize("levels", [3, 1000])
def test_calibration_under_the_null(levels: int) -> None:
    """Rejections at .05 over 4,000 null tables (n=12, m=6): standard error .0035."""
    rng = np.random.default_rng(levels)
    tables = rng.integers(0, levels, (4000, 12, 6)).astype(float)

    def rate(test: Callable[..., FriedmanTest], corrected: bool) -> float:
        return float(np.mean([test(X, tie_correction=corrected).pvalue <= 0.05 for X in tables]))

    assert 0.039 < rate(iman_davenport, True) < 0.061  # three standard errors
    assert 0.029 < rate(friedman, True) < 0.055  # conservative
    if levels == 3:  # without the correction, ties take the size away
        assert rate(friedman, False) < 0.03


# --- the exact Friedman test against enumeration, published tables and Monte Carlo ---------------


friedman_exact = partial(friedman, reference="exact")
friedman_permutation = partial(friedman, reference="permutation")


def p_by_enumeration(X: np.ndarray) -> float:
    """Every order of every row, counted."""
    R = rank_rows(X)
    observed = (R.sum(axis=0) ** 2).sum()
    squares = [(np.sum(rows, axis=0) ** 2).sum() for rows in product(*(permutations(r) for r in R))]
    return float(np.mean(np.array(squares) >= observed - 1e-9))


@settings(max_examples=60)
@given(
    st.sampled_from([(1, 3), (2, 2), (5, 2), (2, 3), (3, 3), (4, 3), (2, 4)]).flatmap(
        lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0.0, 1.0, 2.0, np.inf]))
    )
)
def test_every_arrangement_counted(X: np.ndarray) -> None:
    result = friedman_exact(X)
    assert result.pvalue == pytest.approx(p_by_enumeration(X), abs=1e-12)
    assert result.statistic == friedman(X).statistic
    assert result.df == ()


# Friedman's exact upper tails as printed in the textbooks: (rank sums' χ², n, m, P).
PUBLISHED = [
    (6.0, 3, 3, 0.0278),
    (6.5, 4, 3, 0.0417),
    (8.0, 4, 3, 0.0046),
    (6.4, 5, 3, 0.0394),
    (7.4, 3, 4, 0.0330),
    (9.0, 3, 4, 0.0017),
    (7.8, 4, 4, 0.0364),
]


@pytest.mark.parametrize(("chi2", "n", "m", "p"), PUBLISHED)
def test_published_tails(chi2: float, n: int, m: int, p: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20_000):  # any table with this χ² will do
        X = rng.permuted(np.tile(np.arange(m, dtype=float), (n, 1)), axis=1)
        if friedman(X).statistic == pytest.approx(chi2):
            assert round(friedman_exact(X).pvalue, 4) == p
            return
    pytest.fail("no table with this statistic was drawn")


def test_all_rows_alike() -> None:
    X = [[1, 2, 2, 3]] * 4
    assert friedman_exact(X).pvalue == pytest.approx(iman_davenport(X).pvalue)
    assert friedman_exact(np.ones((3, 4))).pvalue == 1.0
    assert friedman_exact([[1.0, 2.0, 3.0]]).pvalue == 1.0
    assert friedman_exact([[1.0]]).pvalue == 1.0


def test_larger_tables_meet_their_approximation() -> None:
    X = np.random.default_rng(3).normal(size=(60, 3)) + np.array([0, 0.2, 0.3])
    assert friedman_exact(X).pvalue == pytest.approx(iman_davenport(X).pvalue, rel=0.05)


def test_binary_outcomes_reach_further() -> None:
    X = np.random.default_rng(4).integers(0, 2, (12, 8)).astype(float)
    exact = friedman_exact(X)
    drawn = friedman_permutation(X, rng=np.random.default_rng(5), draws=20_000)
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * drawn.p_error)


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(6).integers(0, 3, (7, 4)).astype(float)
    whole = friedman_exact(X).pvalue
    monkeypatch.setattr(sys.modules["racing.stats.friedman"], "_BLOCK", 7)
    assert friedman_exact(X).pvalue == pytest.approx(whole, abs=1e-14)


@pytest.mark.parametrize("shape", [(2, 12), (5, 9), (40, 8)])
def test_too_large_is_said_at_once(shape: tuple[int, int]) -> None:
    X = np.random.default_rng(7).random(shape)
    with pytest.raises(InputError, match="reference='permutation'"):
        friedman_exact(X)


def test_permutation_pvalues() -> None:
    X = np.random.default_rng(8).normal(size=(8, 4)) + np.array([0, 0, 0.5, 1])
    exact = friedman_exact(X).pvalue
    drawn = friedman_permutation(X, rng=np.random.default_rng(9), draws=40_000)
    assert drawn.df == ()
    assert drawn.pvalue == pytest.approx(exact, abs=4 * drawn.p_error)
    again = friedman_permutation(X, rng=np.random.default_rng(9), draws=40_000)
    assert again.pvalue == drawn.pvalue
    strong = np.tile(np.arange(10.0), (9, 1))
    assert friedman_permutation(strong, rng=np.random.default_rng(1), draws=99).pvalue == 0.01
    assert friedman_permutation(np.ones((3, 4)), rng=np.random.default_rng(1), draws=9).pvalue == 1
    with pytest.raises(InputError, match="draws"):
        friedman_permutation(X, rng=np.random.default_rng(1), draws=0)


@pytest.mark.parametrize("levels", [2, 50])
def test_exact_size_under_the_null(levels: int) -> None:
    """P(p <= .05) is at most .05 whatever the ties: 2,000 tables, standard error .005."""
    rng = np.random.default_rng(10 + levels)
    ps = [friedman_exact(rng.integers(0, levels, (6, 3)).astype(float)).pvalue for _ in range(2000)]
    assert 0.01 < np.mean(np.array(ps) <= 0.05) < 0.06


# --- Durbin's test: Conover's example, Friedman's test as a special case, and permutations -------


NO = np.nan
ICE_CREAM = np.array(
    [
        [2, 3, NO, 1, NO, NO, NO], [NO, 3, 1, NO, 2, NO, NO], [NO, NO, 2, 1, NO, 3, NO],
        [NO, NO, NO, 1, 2, NO, 3], [3, NO, NO, NO, 1, 2, NO], [NO, 3, NO, NO, NO, 1, 2],
        [3, NO, 1, NO, NO, NO, 2],
    ]
)  # fmt: skip
"""Conover (1999), 5.9, example 1: seven varieties, three given to each of seven people."""


def test_conover_s_example():
    found = durbin(ICE_CREAM, reference="chi2")
    assert (found.k, found.r, found.pairs) == (3, 3, 1)
    assert found.statistic == pytest.approx(12.0)
    assert found.df == (6,)
    assert found.pvalue == pytest.approx(0.06197, abs=5e-6)
    f = durbin(ICE_CREAM)
    assert f.statistic == pytest.approx(8.0)
    assert f.df == (6, 8)


@pytest.mark.parametrize("seed", range(5))
def test_with_complete_blocks_it_is_friedman_s_test(seed):
    costs = np.round(np.random.default_rng(seed).normal(size=(6, 4)), 1)
    found = durbin(costs, reference="chi2")
    reference = friedmanchisquare(*costs.T)
    assert found.statistic == pytest.approx(reference.statistic)
    assert found.pvalue == pytest.approx(reference.pvalue)


def test_its_mean_and_level_over_all_rankings_of_a_design():
    """Over all 6⁴ rankings of 4 blocks of 3, the mean of T1 is its degrees of freedom."""
    blocks = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    statistics = []
    for rankings in product(list(permutations((1.0, 2.0, 3.0))), repeat=4):
        costs = np.full((4, 4), NO)
        for row, (block, ranks) in enumerate(zip(blocks, rankings, strict=True)):
            costs[row, list(block)] = ranks
        statistics.append(durbin(costs, reference="chi2").statistic)
    assert np.mean(statistics) == pytest.approx(3.0)


def test_only_the_order_within_a_block_matters():
    shifted = np.exp(ICE_CREAM) + 10 * np.arange(7)[:, None]
    assert durbin(shifted).statistic == pytest.approx(durbin(ICE_CREAM).statistic)


def test_failures_are_worst_and_tie():
    costs = np.array([[1.0, np.inf, NO], [1.0, NO, np.inf], [NO, np.inf, np.inf]])
    assert durbin(costs).mean_ranks.tolist() == [1.0, 1.75, 1.75]


def test_edges():
    assert durbin(np.ones((3, 3))).pvalue == 1.0
    perfect = durbin([[1.0, 2.0], [1.0, 2.0]])
    assert (perfect.statistic, perfect.pvalue) == (np.inf, 0.0)
    for bad, what in (
        ([[1.0, NO], [1.0, 2.0]], "algorithms on each instance"),
        ([[1.0, 2.0, NO], [1.0, NO, 2.0]], "instances of each algorithm"),
        ([[1, 2, NO, NO], [NO, NO, 1, 2]], "common instances"),
        ([[1.0, -np.inf]], "infinitely good"),
        ([1.0, 2.0], "must be numbers"),
        (np.ma.masked_array([[1.0, 2.0]], [[True, False]]), "masked"),
    ):
        with pytest.raises(InputError, match=what):
            durbin(bad)
