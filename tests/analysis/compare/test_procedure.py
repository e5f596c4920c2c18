"""Comparisons: the defaults, degenerate tables, repetitions."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare
from racing.stats import bergmann_hommel, holm, shaffer, wilcoxon
from tests.analysis.compare.comparisons import kinds, said, some
from tests.stats.columns import of_every_pair


def test_all_pairs_by_default_are_wilcoxon_with_bergmann_hommel(demsar):
    c = compare(demsar)
    p = of_every_pair(wilcoxon, demsar.costs).pvalue
    np.testing.assert_array_equal(c.pvalues, p)
    np.testing.assert_allclose(c.adjusted, bergmann_hommel(p))
    assert c.choices.omnibus == "iman-davenport"
    assert c.omnibus.ties == "corrected"
    assert [tuple(c.names[i] for i in g) for g in c.groups] == [
        ("C4.5+m+cf", "C4.5+m", "C4.5+cf"),
        ("C4.5+cf", "C4.5"),
    ]


def test_many_algorithms_get_shaffer_and_a_control_gets_holm(demsar):
    many = compare(some(m=16, n=8))
    np.testing.assert_allclose(many.family.adjusted, shaffer(many.family.pvalues))
    c = compare(demsar, control="C4.5")
    np.testing.assert_allclose(c.family.adjusted, holm(c.family.pvalues))
    assert c.groups is None
    assert {c.names[j] for j in c.family.second} == {"C4.5"}


def test_two_algorithms_get_a_posterior_and_no_omnibus_test(demsar):
    table = as_table(demsar.costs[:, :2])
    c = compare(table)
    assert c.omnibus is None
    assert c.posterior.test == "signed-rank"
    assert c.posterior.better[1, 0] > 0.9


@pytest.mark.parametrize(
    "scores",
    [
        np.zeros((5, 3)),
        np.ones((1, 2)),
        np.tile(np.arange(4.0), (6, 1)),
        np.full((4, 3), np.inf),
        np.where(np.eye(5, 3, dtype=bool), np.inf, 1.0),
        np.array([[1e75, -1e75, 0.0], [1e-308, 5e-324, 0.0], [1e308, 1e76, 0.0]]),
    ],
    ids=["constant", "single", "rows alike", "all failed", "some failed", "huge and tiny"],
)
@pytest.mark.parametrize("test", ["wilcoxon", "sign", "mean-ranks", "nemenyi", "conover"])
def test_degenerate_tables_have_answers_without_nan(scores, test):
    c = compare(scores, test=test)
    assert not np.isnan(c.adjusted).any()
    assert "nan" not in said(c)


def test_repetitions_are_averaged_or_used():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(8, 3, 10)) + np.arange(3)[:, None]
    averaged = compare(scores)
    np.testing.assert_array_equal(
        averaged.family.pvalues, compare(scores.mean(axis=2)).family.pvalues
    )
    assert "repetitions" in kinds(averaged)
    used = compare(scores, repetitions="correlated-t", rho=0.1)
    assert used.posterior.test == "correlated-t"
    assert used.posterior.better[0, 2] > 0.99
    np.testing.assert_allclose(
        used.posterior.better + used.posterior.better.T + used.posterior.rope, 1.0
    )
