"""Names, probabilities and reasons in sentences."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import compare, methods, words
from racing.analysis.compare.words import reasons


def test_names_are_listed_and_many_cut_short():
    assert methods.listed(["A"]) == "`A`"
    assert methods.listed(["A", "B", "C"]) == "`A`, `B` and `C`"
    assert methods.listed("ABCDEFGHI").endswith("`F`, `G` and 2 others")


@pytest.mark.parametrize(
    ("p", "printed"),
    [(1.0, "1.000"), (0.25, "0.250"), (0.05, "0.0500"), (0.001, "0.0010"), (0.0004, "4.0e-04")],
)
def test_p_values_are_never_printed_as_nothing(p, printed):
    assert words.p_value(p) == printed


def test_a_p_value_too_small_for_a_float_has_a_bound():
    assert words.p_is(0.0) == "p <1e-300"
    assert words.p_is(0.25) == "p = 0.250"


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
