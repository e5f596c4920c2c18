"""The words and tables of a report: no more than was shown, and readable at any length."""

from __future__ import annotations

import numpy as np
import pytest

import racing
from racing.analysis.compare import compare
from racing.analysis.compare.report import document, left_out, marks
from racing.answer.document import Heading, TextTable
from racing.answer.markdown import markdown
from racing.answer.tables import latex, write_tables
from racing.answer.text import text
from racing.stats.effects import magnitude
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


def runs(k=3, n=14, problems=1, seed=0, **options):
    rng = np.random.default_rng(seed)
    data = {f"p{q}": {f"A{i}": rng.normal(i, 1, n + i) for i in range(k)} for q in range(problems)}
    return racing.compare(data["p0"] if problems == 1 else data, paired=False, **options)


def told(c, **how):
    return " ".join(text(document(c, **how)).split())


def tables(c):
    return {b.key: b for b in document(c) if isinstance(b, TextTable)}


def test_one_problem_reads_as_one_report():
    words = told(runs(direction="minimize"))
    assert "3 algorithms, 14 to 16 runs of each; the runs are unpaired; lower" in words
    assert "Kruskal and Wallis' test: χ²(2) = " in words
    assert "compared by Brunner and Munzel's test (3 comparisons, two-sided)" in words
    assert "Design: unpaired" in words
    assert "Pairs: brunner-munzel (it looks at the two algorithms alone" in words
    assert "Pairs: dunn (as asked for)" in told(runs(test="dunn"))
    assert "Problem" not in words
    assert "None" not in words


def test_the_side_of_the_better_one():
    """Rows are turned so that the one ahead comes first: A above 1/2, and U counts its wins."""
    c = racing.compare(
        {"bad": [5.0, 6, 7, 9], "good": [1, 2, 3, 8]}, paired=False, test="mann-whitney"
    )
    (row,) = tables(c)["comparisons"].rows
    assert row[0] == "`good` – `bad`"
    assert row[1] == "13"
    assert row[3] == "0.81 [0.24, 1.00]"
    t = racing.compare({"bad": [5.0, 6, 7, 9], "good": [1, 2, 3, 8]}, paired=False)
    assert float(tables(t)["comparisons"].rows[0][1]) > 0


@pytest.mark.parametrize(
    ("a", "word"),
    [(0.5, "negligible"), (0.559, "negligible"), (0.56, "small"), (0.36, "medium"),
     (0.64, "medium"), (0.71, "large"), (0.0, "large")],
)  # fmt: skip
def test_the_words_of_vargha_and_delaney(a, word):
    assert magnitude(a) == word


def test_the_bayesian_sections():
    two = runs(k=2)
    assert "The posterior probability that A, the chance that a run of the first" in told(two)
    assert "over all priors" in told(two)
    assert "practically equal" in told(runs(k=2, rope=0.06))
    three = runs()
    assert "exclude 1/2, so there is a difference" in told(three)
    assert "`A0` is better than `A2`." in str(document(three))
    equal = racing.compare({n: [1.0, 2, 3, 4, 5] * 3 for n in "abc"}, paired=False)
    assert "none excludes 1/2, so by itself it shows no difference" in told(equal)
    assert "By the posterior, no statement that one is better can be believed" in told(equal)
    assert "can be believed" not in told(runs(bayes="none"))


def test_no_section_says_that_nothing_was_shown_where_a_pair_was():
    rng = np.random.default_rng(14)
    runs = {"a": rng.normal(size=12), "b": rng.normal(0.5, 1, 12), "c": rng.normal(1.15, 1, 12)}
    found = racing.compare(runs, paired=False)
    (one,) = found.problems
    assert one.omnibus.pvalue > 0.05
    assert one.significant.any()
    words = told(found)
    assert "shown to be better than" in words
    assert "By itself it shows no difference; comparisons of pairs do." in words
    assert "No difference was shown" not in words


def test_several_problems_have_a_section_each_and_one_together():
    c = runs(problems=2)
    found = tables(c)
    assert {"ranks-1", "comparisons-1", "ranks-2", "comparisons-2", "over"} == set(found)
    assert "2 problems show nothing about others" in told(c)
    assert Heading("Problem `p1`") in document(c)
    many = runs(problems=6)
    assert "The relative effects as scores, with a problem as an instance" in told(many)
    assert len(found["over"].rows) == 3
    assert sum(int(row[3]) for row in found["over"].rows) == 2


def test_a_caveat_is_said_once_with_its_problems():
    rng = np.random.default_rng(1)
    data = {p: {n: rng.normal(size=m) for n in "ab"} for p, m in (("p", 5), ("q", 20), ("r", 5))}
    words = told(racing.compare(data, paired=False))
    assert words.count("fewer than ten runs") == 1
    assert "On p and r: Every algorithm has fewer than ten runs" in words


def test_other_forms_and_long_tables(tmp_path):
    c = runs(k=12, n=10)
    assert "21 further comparisons with larger p-values" in told(c)
    assert "further comparisons" not in told(c, most_rows=None)
    assert r"\label{tab:comparisons}" in latex(document(c))
    assert "| algorithm |" in markdown(document(c))
    files = {path.name for path in write_tables(document(c, most_rows=None), tmp_path)}
    assert files == {"ranks.csv", "comparisons.csv"}
    assert len((tmp_path / "comparisons.csv").read_text().splitlines()) == 67


def test_a_control():
    words = told(runs(control="A1"))
    assert "were shown to be worse" in words or "was shown to be worse" in words
    assert "against the control" in words


def test_a_comparison_of_runs_prints_as_its_report():
    found = racing.compare({"a": [1.0, 2.0, 3.0], "b": [2.0, 4.0, 5.0, 6.0]}, paired=False)
    assert str(found) == repr(found) == text(document(found)).rstrip()


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
