"""The words of a report: no more than was shown, and readable at any length."""

from __future__ import annotations

import numpy as np

from racing.analysis.compare import compare
from racing.analysis.compare.report import document
from racing.answer.tables import latex
from racing.answer.text import text
from tests.analysis.compare.comparisons import said, some


def test_the_words_do_not_overclaim(demsar):
    words = said(compare(demsar))
    assert "higher scores are better" in words
    assert "14 instances" in words
    assert "was not shown to differ from" in words
    for claim in (" equal to ", "no difference between", "significantly equal", "proves"):
        assert claim not in words
    silent = said(compare(some(n=6, seed=5), alpha=0.001))
    assert "No difference was shown" in silent
    assert "Not shown to differ does not mean equal" in silent


def test_long_reports_show_the_clearest_pairs_and_say_so():
    c = compare(some(m=12, n=10), correction="holm")
    assert "21 further comparisons" in latex(document(c))
    assert len(said(c).splitlines()) < 130


def test_two_hundred_algorithms_stay_readable():
    rng = np.random.default_rng(0)
    many = rng.normal(size=(30, 200)) + np.linspace(0, 2, 200)
    c = compare(many, test="nemenyi")
    lines = text(document(c)).splitlines()
    assert len(lines) < 170
    assert max(map(len, lines)) < 120
    assert "155 further algorithms with worse mean ranks are not shown" in " ".join(lines)
    assert "19855 further comparisons" in " ".join(lines)


def test_a_comparison_prints_as_its_report():
    found = compare(some())
    assert repr(found) == text(document(found)).rstrip()
    assert str(found) == repr(found)
