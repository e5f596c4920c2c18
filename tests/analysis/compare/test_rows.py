"""The last column of a ranking, and what is said of rows that are not shown."""

from __future__ import annotations

import numpy as np

from racing.analysis.compare import compare
from racing.analysis.compare.report import left_out, marks

APART = np.random.default_rng(0).normal(size=(20, 3)) + np.array([0.0, 0.0, 9.0])


def test_algorithms_not_shown_to_differ_share_a_letter():
    head, cells, _ = marks(compare(APART))
    assert head == "groups"
    assert cells == ("a", "a", "b")


def test_a_control_is_marked_and_the_others_compared_with_it():
    head, cells, reading = marks(compare(APART, control="A1"))
    assert head == "against the control"
    assert cells == ("control", "not shown to differ", "worse")
    assert "`A1`" in reading


def test_only_rows_that_are_left_out_are_counted():
    assert left_out(0, "pair", "of little") == ()
    (one,) = left_out(1, "pair", "of little")
    (two,) = left_out(2, "pair", "of little")
    assert "1 further pair of little is not shown" in one.text
    assert "2 further pairs of little are not shown" in two.text
