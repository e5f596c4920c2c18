"""The quadratures against closed forms, scipy, published tables and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, stdtr

from racing.stats import _range
from racing.stats._range import (
    dunnett_isf,
    dunnett_sf,
    studentized_range_isf,
    studentized_range_sf,
)

FEW = np.array([0.0, 0.3, 1.0, 2.0, 3.5, 5.0, 8.0])


@pytest.mark.parametrize("k", [2, 3, 10, 200])
def test_scipy_agrees_at_infinite_df(k: int) -> None:
    from scipy.stats import studentized_range

    np.testing.assert_allclose(
        studentized_range_sf(FEW, k, np.inf), studentized_range.sf(FEW, k, np.inf), atol=1e-9
    )


@pytest.mark.parametrize(("k", "df"), [(2, 1), (3, 2), (4, 39), (10, 13), (50, 5), (5, 400)])
def test_scipy_agrees_at_finite_df(k: int, df: int) -> None:
    from scipy.stats import studentized_range

    q = FEW[2:]
    np.testing.assert_allclose(
        studentized_range_sf(q, k, df), studentized_range.sf(q, k, df), atol=1e-9
    )


def test_two_normals_keep_their_digits_far_out() -> None:
    w = np.array([1.0, 10.0, 30.0, 45.0])
    np.testing.assert_allclose(
        studentized_range_sf(w, 2, np.inf), 2 * ndtr(-w / np.sqrt(2)), rtol=1e-12
    )


@pytest.mark.parametrize("df", [1, 2, 10, 100, 10_000, 1e7])
def test_one_comparison_is_the_t_test(df: float) -> None:
    t = np.array([0.5, 2.0, 5.0, 10.0])
    expected = 2 * stdtr(df, -t)
    np.testing.assert_allclose(dunnett_sf(t, 1, df), expected, rtol=3e-8)
    np.testing.assert_allclose(studentized_range_sf(t * np.sqrt(2), 2, df), expected, rtol=3e-8)


@pytest.mark.parametrize("k", [2, 20, 200])
def test_the_table_changes_nothing(k: int) -> None:
    w = np.linspace(0, 30, 3000)
    direct = _range._range_tail(w, k)
    np.testing.assert_allclose(studentized_range_sf(w, k, np.inf), direct, rtol=1e-9)
    np.testing.assert_array_equal(
        studentized_range_sf(w.reshape(30, 100), k, np.inf).ravel(),
        studentized_range_sf(w, k, np.inf),
    )


def test_beyond_a_hundred_million_df_is_infinite() -> None:
    expected = 2 * ndtr(-FEW[1:])
    np.testing.assert_array_equal(dunnett_sf(FEW[1:], 1, 1e9), dunnett_sf(FEW[1:], 1, np.inf))
    np.testing.assert_allclose(dunnett_sf(FEW[1:], 1, 1e9), expected, rtol=1e-12)


def test_ends() -> None:
    w = np.array([0.0, 1e-300, 49.9, 60.0, np.inf])
    for tail in (
        studentized_range_sf(w, 3, np.inf),
        studentized_range_sf(w, 3, 1e9),
        studentized_range_sf(w, 3, 5),
        dunnett_sf(w, 3, 5),
    ):
        assert tail[0] == pytest.approx(1.0)
        assert tail[-1] == 0.0
        assert (np.diff(tail) <= 0).all()
        assert ((tail >= 0) & (tail <= 1)).all()
    assert studentized_range_sf(np.array([np.inf]), 3, 5).tolist() == [0.0]
    assert studentized_range_sf(np.empty(0), 3, np.inf).size == 0


@pytest.mark.parametrize("alpha", [0.999, 0.1, 0.05, 1e-3, 1e-12])
def test_critical_values_invert_their_tails(alpha: float) -> None:
    for k in (2, 7, 200):
        assert studentized_range_sf(np.array([studentized_range_isf(alpha, k, np.inf)]), k, np.inf)[
            0
        ] == pytest.approx(alpha, rel=1e-9)
        q = studentized_range_isf(alpha, k, 12.0)
        assert studentized_range_sf(np.array([q]), k, 12)[0] == pytest.approx(alpha, rel=1e-8)
        d = dunnett_isf(alpha, k, 12.0)
        assert dunnett_sf(np.array([d]), k, 12)[0] == pytest.approx(alpha, rel=1e-8)


# Dunnett's two-sided 5 % points as in the textbooks: df, then k = 1, 2, 3, 4, 9 comparisons.
DUNNETT = [
    (5, [2.57, 3.03, 3.29, 3.48, 3.97]),
    (10, [2.23, 2.57, 2.76, 2.89, 3.24]),
    (20, [2.09, 2.38, 2.54, 2.65, 2.95]),
    (60, [2.00, 2.27, 2.41, 2.51, 2.77]),
    (1e9, [1.96, 2.21, 2.35, 2.44, 2.69]),
]


@pytest.mark.parametrize(("df", "points"), DUNNETT)
def test_dunnetts_table(df: float, points: list[float]) -> None:
    computed = [dunnett_isf(0.05, k, df) for k in (1, 2, 3, 4, 9)]
    np.testing.assert_allclose(computed, points, atol=0.0051)


def test_tukeys_table() -> None:
    printed = {5: [3.64, 4.60, 5.22], 20: [2.95, 3.58, 3.96], 60: [2.83, 3.40, 3.74]}
    for df, points in printed.items():
        computed = [studentized_range_isf(0.05, k, df) for k in (2, 3, 4)]
        np.testing.assert_allclose(computed, points, atol=0.0051)


def test_dunnett_by_simulation() -> None:
    """200,000 draws: standard error of a tail of .1 is .0007."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200_000, 5))
    s = np.sqrt(rng.chisquare(8, 200_000) / 8)
    t = np.abs(x[:, 1:] - x[:, :1]).max(axis=1) / np.sqrt(2) / s
    for d in (1.5, 2.5, 3.5):
        assert dunnett_sf(np.array([d]), 4, 8)[0] == pytest.approx(np.mean(t > d), abs=0.0045)
