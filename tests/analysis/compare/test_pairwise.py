"""What pairs are compared by: p-values of every test, and their corrections."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare
from racing.analysis.compare.methods import CORRECTIONS
from racing.analysis.compare.paired import TESTS
from racing.analysis.compare.verdicts import pairs_of
from racing.base.errors import InputError
from racing.stats import (
    adjust,
    aligned_ranks,
)
from tests.analysis.compare.comparisons import said, said_of, some

NAMES = ["A", "B", "C", "D"]


X = np.random.default_rng(0).normal(size=(20, 4)) + np.array([0.0, 0.3, 1.0, 2.0])


@pytest.mark.parametrize("control", [None, "A3"])
@pytest.mark.parametrize("test", TESTS)
def test_every_test_gives_probabilities_and_swaps_sides_with_the_direction(test, control):
    if (test == "tukey" and control) or (test == "dunnett" and not control):
        return
    table = as_table(some().scores > 0) if test == "mcnemar" else some()
    c = compare(table, test=test, control=control)
    turned = 1 - table.scores if test == "mcnemar" else -table.scores
    mirror = compare(turned, direction="maximize", test=test, control=control)
    assert np.all((c.family.pvalues >= 0) & (c.family.adjusted <= 1))
    assert np.all(c.family.adjusted >= c.family.pvalues)
    np.testing.assert_allclose(mirror.family.adjusted, c.family.adjusted)
    np.testing.assert_array_equal(mirror.family.favours, c.family.favours)
    ahead = c.effects.wins - c.effects.losses
    assert np.all((np.sign(ahead) == c.family.favours)[np.abs(ahead) > 6])


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_every_correction_runs(correction):
    test = "mean-ranks" if correction == "nemenyi" else "wilcoxon"
    c = compare(some(), test=test, correction=correction)
    assert np.all(c.family.adjusted >= c.family.pvalues - 1e-15)
    assert said(c)


def test_aligned_ranks_of_all_pairs_and_against_a_control():
    table = as_table(X, names=NAMES)
    c = compare(table, omnibus="aligned-ranks", test="aligned-ranks")
    found = aligned_ranks(X)
    assert c.omnibus.pvalue == found.pvalue
    assert c.choices.correction == "holm"
    assert c.pvalues == pytest.approx(found.comparisons.pvalues)
    assert "depend on which others are in the table" in said_of(c)
    c = compare(table, test="aligned-ranks", control="B", correction="finner")
    against = np.delete(aligned_ranks(X, control=1).comparisons.pvalues, 1)
    assert c.family.adjusted == pytest.approx(adjust(against, "finner"))


@pytest.mark.parametrize("correction", ["finner", "li", "rom"])
def test_the_added_corrections(correction):
    c = compare(X, correction=correction)
    assert c.family.adjusted == pytest.approx(adjust(c.family.pvalues, correction))
    said = said_of(c)
    assert correction.capitalize() + "'s" in said
    assert "assumes independence" in said


@pytest.mark.parametrize("paired", [True, False])
def test_more_pairs_than_can_be_read_are_refused_but_not_against_a_control(paired):
    scores = {f"a{k}": [float(k % 7), k % 5, k % 3, 1] for k in range(400)}
    options = {} if paired else {"paired": False, "omnibus": "none"}
    with pytest.raises(InputError, match="400 algorithms are 79800 pairs, and at most 50000"):
        compare(scores, **options)
    assert len(pairs_of(400, 3)[0]) == 399
    assert len(pairs_of(316, None)[0]) == 49770
