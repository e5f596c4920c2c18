"""Names and probabilities in sentences; every test and correction has a name to print."""

from __future__ import annotations

import pytest

from racing.analysis.compare import methods, words


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
