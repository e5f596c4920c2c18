"""Profiles in words and tables: nothing that was stopped is said to have finished."""

from __future__ import annotations

from racing.analysis.compare.profiles import profile_blocks, profiles
from racing.analysis.compare.result_table import stopped_at
from racing.answer.document import TextTable
from racing.answer.text import text
from tests.analysis.compare.comparisons import TIMES, as_runs


def blocks(data=TIMES, cutoff=60.0, direction=None):
    table = as_runs(data, direction=direction)
    return profile_blocks(profiles(table if cutoff is None else stopped_at(table, cutoff)))


def said(*args, **how):
    return " ".join(text(blocks(*args, **how)).split())


def rows(key, **how):
    return next(b for b in blocks(**how) if isinstance(b, TextTable) and b.key == key).rows


def test_stopped_runs_are_told():
    words = said()
    assert "4 of 14 runs were stopped at the cutoff of 60" in words
    assert "a stopped run counting 10 cutoffs" in words
    assert "intervals of the bootstrap are too short" in words
    assert "All 14 runs ended before the cutoff of 100." in said(cutoff=100.0)


def test_the_numbers_of_the_tables():
    first, *_, last = rows("times")
    assert first[:4] == ("`p`", "`a`", "4", "3")
    assert first[4].startswith("151.5 [")
    assert first[5].startswith("22 [")
    assert first[6] == "2"
    assert last[:3] == ("median of each problem", "`b`", "2")
    assert rows("distributions")[0] == ("`p`", "`a`", "4", "1", "1", "2", "3", "∞")
    assert rows("performance")[0] == ("`a`", "100 %", "100 %", "100 %", "100 %", "100 %")


def test_what_is_left_out_says_why():
    one = said(TIMES["p"], cutoff=None)
    assert "No cutoff was given (cutoff=)" in one
    assert "There are no performance profiles: they compare algorithms over several" in one


def test_quantiles_of_scores_that_are_maximized():
    (a, _) = rows("distributions", data={"a": [1.0, 2, 3, 4], "b": [0.0, 1]}, cutoff=None,
                  direction="maximize")  # fmt: skip
    assert a == ("`a`", "4", "4", "4", "3", "2", "1")
