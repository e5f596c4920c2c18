"""Repeated-measures ANOVA, Tukey and Dunnett against definitions, linear models and the null."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from racing.base.errors import InputError
from racing.stats.anova import anova, dunnett, tukey


def by_least_squares(X: np.ndarray) -> float:
    """F of the model row + column against the model row alone."""
    n, m = X.shape
    rows = np.kron(np.eye(n), np.ones((m, 1)))
    columns = np.kron(np.ones((n, 1)), np.eye(m))[:, 1:]
    y = X.ravel()

    def residual(design: np.ndarray) -> float:
        return float(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())

    full = residual(np.hstack([rows, columns]))
    return (residual(rows) - full) / (m - 1) / (full / ((m - 1) * (n - 1)))


@pytest.mark.parametrize("shape", [(2, 2), (5, 3), (12, 6)])
def test_f_compares_two_linear_models(shape: tuple[int, int]) -> None:
    X = np.random.default_rng(1).normal(size=shape) + np.arange(shape[1]) / 3
    result = anova(X)
    assert result.statistic == pytest.approx(by_least_squares(X))
    assert result.df == (shape[1] - 1, (shape[0] - 1) * (shape[1] - 1))
    from scipy.stats import f

    assert result.pvalue == pytest.approx(float(f.sf(result.statistic, *result.df)))


def test_two_columns_are_the_paired_t_test() -> None:
    from scipy.stats import ttest_rel

    X = np.random.default_rng(2).normal(size=(9, 2))
    t = ttest_rel(X[:, 0], X[:, 1])
    assert anova(X).statistic == pytest.approx(t.statistic**2)
    assert anova(X).epsilon == 1
    for p in (
        anova(X).pvalue,
        anova(X).pvalue_corrected,
        tukey(X).pvalues[0, 1],
        dunnett(X, control=1).pvalues[0],
    ):
        assert p == pytest.approx(t.pvalue, rel=1e-9)


def test_sphericity_by_its_definition() -> None:
    X = np.random.default_rng(3).normal(size=(15, 4)) * [1, 2, 3, 4]
    contrasts = np.linalg.svd(np.eye(4) - 0.25)[0][:, :3]
    roots = np.linalg.eigvalsh(np.cov(X @ contrasts, rowvar=False))
    result = anova(X)
    assert result.epsilon == pytest.approx(roots.sum() ** 2 / (3 * (roots**2).sum()))
    assert 1 / 3 <= result.epsilon < 1


def test_tukey_and_dunnett_by_their_statistics() -> None:
    from scipy.stats import studentized_range

    X = np.random.default_rng(4).normal(size=(8, 4)) + np.array([0, 0.5, 1, 1.5])
    n, m = X.shape
    residuals = X - X.mean(axis=1, keepdims=True) - X.mean(axis=0) + X.mean()
    error = math.sqrt(2 * (residuals**2).sum() / 21 / n)
    pairs, against = tukey(X), dunnett(X, control=0)
    assert pairs.standard_error == pytest.approx(error)
    for i in range(m):
        for j in range(m):
            q = abs(X[:, i].mean() - X[:, j].mean()) / error * math.sqrt(2)
            expected = 1.0 if i == j else float(studentized_range.sf(q, m, 21))
            assert pairs.pvalues[i, j] == pytest.approx(expected, abs=1e-9)
    np.testing.assert_allclose(against.statistic, pairs.statistic[:, 0])
    away = X.mean(axis=0) - X[:, 0].mean()
    np.testing.assert_allclose(against.statistic * error, away, atol=1e-12)
    off = np.arange(m) != 0
    assert (against.pvalues[off] < pairs.pvalues[off, 0]).all()  # fewer comparisons
    for result, p in [(pairs, pairs.pvalues[0]), (against, against.pvalues)]:
        away = np.abs(X.mean(axis=0) - X[:, 0].mean())
        assert ((p <= 0.05) == (away >= result.critical_difference())).all()
    assert round(against.critical_difference() / error, 2) == 2.53  # Dunnett's 5 % point, 3 and 21


@given(
    arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, max_side=5),
        elements=st.sampled_from([0.0, 0.1, 0.3, 7.0, -5e307, 1.7e308]),
    )
)
def test_laws(X: np.ndarray) -> None:
    result = anova(X)
    assert 0 <= result.pvalue <= 1
    assert 0 <= result.pvalue_corrected <= 1
    assert result.statistic >= 0
    assert 0 <= result.effect <= 1
    m = X.shape[1]
    assert 1 / max(m - 1, 1) - 1e-9 <= result.epsilon <= 1 + 1e-9
    pairs = tukey(X / 4)
    np.testing.assert_array_equal(pairs.pvalues, pairs.pvalues.T)
    assert (np.diag(pairs.pvalues) == 1).all()
    for p in (pairs.pvalues, dunnett(X / 4, control=0).pvalues):
        assert ((p >= 0) & (p <= 1)).all()


def test_units_do_not_matter() -> None:
    X = np.random.default_rng(5).normal(size=(6, 3))
    for scale in (1e-300, 1e-8, 1e300):
        assert anova(X * scale).statistic == pytest.approx(anova(X).statistic)
        np.testing.assert_allclose(tukey(X * scale).pvalues, tukey(X).pvalues)


def test_no_residual_variance() -> None:
    rows = np.array([[0.1], [0.7], [12.3]])
    same = rows + np.zeros(3)
    assert (anova(same).statistic, anova(same).pvalue, anova(same).effect) == (0.0, 1.0, 0.0)
    assert (tukey(same).pvalues == 1).all()
    shifted = rows + np.array([0, 0, 0.2])  # float noise is no variance
    assert (anova(shifted).statistic, anova(shifted).pvalue) == (math.inf, 0.0)
    assert tukey(shifted).pvalues.round(3).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert dunnett(shifted, control=2).pvalues.tolist() == [0, 0, 1]
    assert tukey(shifted).critical_difference() == 0


def test_one_instance_or_one_column_is_no_evidence() -> None:
    for X in ([[1.0, 2.0, 3.0]], [[1.0], [2.0]], [[0.0]]):
        result = anova(X)
        assert (result.statistic, result.pvalue, result.pvalue_corrected) == (0.0, 1.0, 1.0)
        assert (tukey(X).pvalues == 1).all()
        assert (dunnett(X, control=0).pvalues == 1).all()
        assert tukey(X).critical_difference() == math.inf


def test_failures_are_refused() -> None:
    for test in (anova, tukey, lambda X: dunnett(X, control=0)):
        with pytest.raises(InputError, match="got inf at row 1, column 0"):
            test([[1.0, 2.0], [math.inf, 1.0]])
    with pytest.raises(InputError, match="control"):
        dunnett([[1.0, 2.0]], control=2)
    with pytest.raises(InputError, match="alpha"):
        tukey([[1.0, 2.0], [2.0, 1.0]]).critical_difference(0)


def test_family_wise_error_under_the_null() -> None:
    """3,000 null tables (n=10, m=5) at .05: standard error .004."""
    rng = np.random.default_rng(6)
    drawn = rng.normal(size=(3000, 10, 5)) + 5 * rng.normal(size=(3000, 10, 1))
    assert 0.038 < np.mean([anova(X).pvalue <= 0.05 for X in drawn]) < 0.062
    first = dunnett(drawn[0], control=0)
    limit_t = tukey(drawn[0]).critical_difference() / first.standard_error
    limit_d = first.critical_difference() / first.standard_error
    away = drawn.mean(axis=1)
    centred = drawn - drawn.mean(axis=2, keepdims=True)
    residual = centred - centred.mean(axis=1, keepdims=True)
    error = np.sqrt(2 * (residual**2).sum(axis=(1, 2)) / 36 / 10)
    assert 0.038 < np.mean(np.ptp(away, axis=1) / error >= limit_t) < 0.062
    from_control = np.abs(away - away[:, :1]).max(axis=1)
    assert 0.038 < np.mean(from_control / error >= limit_d) < 0.062
