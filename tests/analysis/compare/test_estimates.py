"""Contrasts, strengths and standardized differences of a comparison."""

from __future__ import annotations

import json

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare
from racing.answer.json import as_data
from racing.base.errors import InputError
from racing.stats import (
    akinshin_gamma,
    cohens_d,
    contrast_estimation,
    plackett_luce,
)
from tests.analysis.compare.comparisons import said_of

NAMES = ["A", "B", "C", "D"]
ALSO = ["contrasts", "plackett-luce", "cohens-d", "akinshin-gamma"]


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
    data = json.loads(json.dumps(as_data(c.facts())["estimates"]))
    assert len(data["contrasts"]["advantages"]) == len(data["worths"]["worths"]) == 4
    assert len(data["cohens_d"]) == len(data["akinshin_gamma"]) == 6


def test_directions_agree_with_who_is_ahead():
    """Higher is better: the best has the largest advantage and d is positive where it is first."""
    c = compare(as_table(-X, names=NAMES, direction="maximize"), also=ALSO)
    assert c.estimates.contrasts.advantages.argmax() == 0
    assert c.estimates.worths.worths.argmax() == 0
    assert c.estimates.cohens_d[2] > 0


def test_nothing_is_estimated_unless_asked_for():
    c = compare(as_table(X, names=NAMES))
    assert c.estimates.worths is None
    assert set(as_data(c.facts())["estimates"].values()) == {None}
    with pytest.raises(InputError, match="also"):
        compare(X, also=["cohen-d"])
    with pytest.raises(InputError, match="a list of names"):
        compare(X, also="cohens-d")
    with pytest.raises(InputError, match="ranks do not hold"):
        compare(np.array([[1.0, 2.0], [2.0, 1.0]]), ranked=True, also=["cohens-d"])
