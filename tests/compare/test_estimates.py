"""What is estimated besides, the hierarchical test, and the added tests, through `compare`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from racing.compare import as_table, compare
from racing.compare.plain import as_data
from racing.compare.report import document
from racing.compare.setting import text
from racing.errors import InputError
from racing.stats import (
    adjust,
    akinshin_gamma,
    aligned_ranks,
    cohens_d,
    contrast_estimation,
    hierarchical_t,
    plackett_luce,
)

NAMES = ["A", "B", "C", "D"]
ALSO = ["contrasts", "plackett-luce", "cohens-d", "akinshin-gamma"]


def said_of(c):
    """The report on one line."""
    return " ".join(text(document(c)).split())


X = np.random.default_rng(0).normal(size=(20, 4)) + np.array([0.0, 0.3, 1.0, 2.0])


def test_estimates_are_those_of_the_statistics():
    c = compare(as_table(X, names=NAMES), also=ALSO)
    assert np.array_equal(c.estimates.contrasts.contrasts, contrast_estimation(X).contrasts)
    assert np.array_equal(c.estimates.worths.worths, plackett_luce(X).worths)
    for k, (i, j) in enumerate(zip(c.family.first, c.family.second, strict=True)):
        assert c.estimates.cohens_d[k] == cohens_d(X[:, i], X[:, j])
        assert c.estimates.akinshin_gamma[k] == akinshin_gamma(X[:, i], X[:, j])
    said = said_of(c)
    for head in ("advantage over the mean", "worth (chance to be best)", "Cohen's d", "γ"):
        assert head in said
    data = json.loads(json.dumps(as_data(c)["estimates"]))
    assert set(data) == {"contrasts", "plackett_luce", "cohens_d", "akinshin_gamma"}


def test_directions_agree_with_who_is_ahead():
    """Higher is better: the best has the largest advantage and d is positive where it is first."""
    c = compare(as_table(-X, names=NAMES, direction="maximize"), also=ALSO)
    assert c.estimates.contrasts.advantages.argmax() == 0
    assert c.estimates.worths.worths.argmax() == 0
    assert c.estimates.cohens_d[2] > 0


def test_nothing_is_estimated_unless_asked_for():
    c = compare(as_table(X, names=NAMES))
    assert c.estimates.worths is None
    assert as_data(c)["estimates"] == {}
    with pytest.raises(InputError, match="also"):
        compare(X, also=["cohen-d"])
    with pytest.raises(InputError, match="in a list"):
        compare(X, also="cohens-d")
    with pytest.raises(InputError, match="ranks do not hold"):
        compare(np.array([[1.0, 2.0], [2.0, 1.0]]), ranked=True, also=["cohens-d"])


def test_aligned_ranks_of_all_pairs_and_against_a_control():
    table = as_table(X, names=NAMES)
    c = compare(table, omnibus="aligned-ranks", test="aligned-ranks")
    found = aligned_ranks(X)
    assert c.omnibus.pvalue == found.pvalue
    assert c.choices.correction == "holm"
    assert c.pvalues == pytest.approx(found.pvalues)
    assert "depend on which others are in the table" in said_of(c)
    c = compare(table, test="aligned-ranks", control="B", correction="finner")
    against = np.delete(aligned_ranks(X, control=1).pvalues, 1)
    assert c.family.adjusted == pytest.approx(adjust(against, "finner"))


@pytest.mark.parametrize("correction", ["finner", "li", "rom"])
def test_the_added_corrections(correction):
    c = compare(X, correction=correction)
    assert c.family.adjusted == pytest.approx(adjust(c.family.pvalues, correction))
    said = said_of(c)
    assert correction.capitalize() + "'s" in said
    assert "assumes independence" in said


def test_the_hierarchical_test_of_folds():
    rng = np.random.default_rng(1)
    folds = (
        rng.normal(size=(6, 1, 5))
        + np.array([0.0, 1.0])[:, None]
        + rng.normal(scale=0.2, size=(6, 2, 5))
    )
    c = compare(folds, bayes="hierarchical", rope=0.05, seed=3)
    found = hierarchical_t(
        folds[:, 0], folds[:, 1], rho=0.2, rope=0.05, rng=np.random.default_rng(3)
    )
    assert c.posterior.better[0, 1] == found.p_left
    assert c.posterior.rope[0, 1] == found.p_rope
    said = said_of(c)
    assert "most likely outcome on the next instance" in said
    assert "Corani et al. (2017)" in said
    with pytest.raises(InputError, match="folds of cross-validation"):
        compare(X, bayes="hierarchical")
    with pytest.raises(InputError, match="bound"):
        compare(folds, bayes="hierarchical", bound="lower")


def test_two_hundred_algorithms_stay_readable():
    rng = np.random.default_rng(0)
    many = rng.normal(size=(30, 200)) + np.linspace(0, 2, 200)
    c = compare(many, test="nemenyi")
    lines = text(document(c)).splitlines()
    assert len(lines) < 160
    assert max(map(len, lines)) < 120
    assert "155 further algorithms with worse mean ranks are not shown" in " ".join(lines)
    assert "19855 further comparisons" in " ".join(lines)
