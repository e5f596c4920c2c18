"""Friedman and Iman-Davenport against the papers, scipy, their definition and the null."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from racing.base.errors import InputError
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


def test_identical_columns_share_their_rank() -> None:
    result = friedman([[1, 1, 0], [4, 4, 3], [2, 2, 9]])
    assert result.mean_ranks[0] == result.mean_ranks[1]


def test_garbage_is_refused() -> None:
    with pytest.raises(InputError, match="NaN at row 0, column 1"):
        friedman([[1.0, math.nan]])
    with pytest.raises(InputError, match="'a'"):
        iman_davenport([["a", "b"]])  # type: ignore[list-item]
    with pytest.raises(InputError, match="row 0 is not a ranking"):
        friedman([[1.0, 1.0]], ranked=True)


def test_a_result_cannot_be_changed() -> None:
    result = friedman([[1.0, 2.0]])
    with pytest.raises(AttributeError):
        result.pvalue = 0.0  # type: ignore[misc]


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
