"""A comparison says which tests it took, and why."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import compare
from racing.analysis.compare.words import reasons

X = np.random.default_rng(0).random((12, 3))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "Pairs: wilcoxon (it looks at the two algorithms alone and uses the size"),
        ({"test": "sign"}, "Pairs: sign (as asked for)"),
        ({}, "Correction: bergmann-hommel (equality is transitive"),
        ({"control": "A1"}, "Correction: holm (it holds under any dependence"),
        ({}, "Omnibus test: iman-davenport (it keeps its level"),
        ({}, "Design: paired."),
    ],
)
def test_of_paired_tables(options, words):
    assert words in " ".join(reasons(compare(X, **options)))


def test_what_was_left_out_has_no_reason():
    said = " ".join(reasons(compare(X[:, :2])))
    assert "Omnibus" not in said
    assert "Correction" not in said
    assert "Posterior: signed-rank (of two algorithms it says how probable" in said


def test_scores_of_0_and_1():
    said = " ".join(reasons(compare((X > 0.5).astype(float))))
    assert "Pairs: mcnemar (every score is 0 or 1" in said
