"""Comparisons: the defaults, the options and their contradictions, the caveats, the words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from racing.compare import as_table, compare, read_table
from racing.compare.choices import CORRECTIONS, OMNIBUS, TESTS
from racing.compare.latex import escape_latex, latex
from racing.compare.plain import as_data
from racing.compare.report import document
from racing.compare.setting import markdown, text
from racing.errors import InputError, TableError
from racing.stats import bergmann_hommel, holm, shaffer, wilcoxon_pairs

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def demsar():
    return read_table(DATA / "demsar_2006_table6.csv", direction="maximize")


def some(n=12, m=5, seed=0):
    rng = np.random.default_rng(seed)
    return as_table(rng.normal(size=(n, m)) + 0.6 * np.arange(m), direction="minimize")


def kinds(c):
    return [note.kind for note in c.notes]


def said(c, form=text):
    return form(document(c))


def test_all_pairs_by_default_are_wilcoxon_with_bergmann_hommel(demsar):
    c = compare(demsar)
    p = wilcoxon_pairs(demsar.costs).pvalues
    np.testing.assert_array_equal(c.pvalues, p)
    np.testing.assert_allclose(c.adjusted, bergmann_hommel(p))
    assert c.choices.omnibus == "iman-davenport"
    assert c.omnibus.ties == "corrected"
    assert [tuple(c.names[i] for i in g) for g in c.groups] == [
        ("C4.5+m+cf", "C4.5+m", "C4.5+cf"),
        ("C4.5+cf", "C4.5"),
    ]


def test_many_algorithms_get_shaffer_and_a_control_gets_holm(demsar):
    many = compare(some(m=16, n=8))
    np.testing.assert_allclose(many.family.adjusted, shaffer(many.family.pvalues))
    c = compare(demsar, control="C4.5")
    np.testing.assert_allclose(c.family.adjusted, holm(c.family.pvalues))
    assert c.groups is None
    assert {c.names[j] for j in c.family.second} == {"C4.5"}


def test_two_algorithms_get_a_posterior_and_no_omnibus_test(demsar):
    table = as_table(demsar.costs[:, :2])
    c = compare(table)
    assert c.omnibus is None
    assert c.posterior.test == "signed-rank"
    assert c.posterior.better[1, 0] > 0.9


@pytest.mark.parametrize("control", [None, "A3"])
@pytest.mark.parametrize("test", TESTS)
def test_every_test_gives_probabilities_and_swaps_sides_with_the_direction(test, control):
    if (test == "tukey" and control) or (test == "dunnett" and not control):
        return
    table = some()
    c = compare(table, test=test, control=control)
    mirror = compare(-table.scores, direction="maximize", test=test, control=control)
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


@pytest.mark.parametrize("omnibus", OMNIBUS)
def test_every_omnibus_test_runs(omnibus):
    c = compare(some(n=6, m=4), omnibus=omnibus)
    assert (c.omnibus is None) == (omnibus == "none")
    assert said(c)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"test": "wilcoxn"}, "did you mean 'wilcoxon'"),
        ({"correction": "hulm"}, "did you mean 'holm'"),
        ({"omnibus": "f"}, "omnibus"),
        ({"control": "A9"}, "no algorithm is called"),
        ({"control": "A1", "correction": "shaffer"}, "all pairs"),
        ({"control": "A1", "test": "tukey"}, "dunnett"),
        ({"test": "dunnett"}, "needs a control"),
        ({"test": "tukey", "correction": "holm"}, "corrects by itself"),
        ({"test": "wilcoxon", "correction": "nemenyi"}, "mean ranks"),
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": 0.7}, "alpha"),
        ({"rope": -1.0}, "rope"),
        ({"seed": -1}, "seed"),
        ({"repetitions": "correlated-t"}, "at least two scores"),
        ({"repetitions": "all"}, "repetitions"),
        ({"ranked": True}, "no ranking"),
        ({"ranked": True, "test": "wilcoxon"}, "size of differences"),
        ({"bayes": "maybe"}, "bayes"),
    ],
)
def test_contradictions_are_refused(options, error):
    with pytest.raises(InputError, match=error):
        compare(some(), **options)


def test_a_table_of_ranks_names_the_row_that_is_none():
    with pytest.raises(TableError, match="x is no ranking of 3"):
        compare(as_table([[1, 2, 2]], instances=["x"]), ranked=True)


def test_mean_ranks_come_with_the_warning_and_the_pairs_that_the_pool_decides():
    path = DATA / "benavoli_2016_table2.csv"  # two data sets have one name there
    names = path.read_text(encoding="utf-8").splitlines()[0].split(",")[1:]
    scores = np.loadtxt(path, delimiter=",", skiprows=1, usecols=range(1, 8))
    table = as_table(scores, names=names, direction="maximize")
    c = compare(table, test="mean-ranks", correction="bonferroni")
    pairs = next(note.facts["pairs"] for note in c.notes if note.kind == "pool")
    assert ("HNB", "NB") in pairs  # C2 and C4 of the paper's example 3
    assert "depend on which others are in the table" in said(c).replace("\n  ", " ")
    assert "pool" not in kinds(compare(table))


def test_caveats_say_what_the_numbers_cannot():
    tiny = compare(some(n=4, m=4), correction="holm")
    assert "no-power" in kinds(tiny)
    needed = next(n.facts["needed"] for n in tiny.notes if n.kind == "no-power")
    assert 6 * 2.0 ** (1 - needed) <= 0.05 < 6 * 2.0 ** (2 - needed)
    assert "one-instance" in kinds(compare(np.array([[1.0, 2.0, 3.0]])))
    assert "failures" in kinds(compare(np.array([[1, np.inf], [2, 3.0]])))
    same = compare(np.array([[1, 1, 2.0], [3, 3, 4.0]]))
    assert "identical" in kinds(same)
    assert same.adjusted[0, 1] == 1.0
    assert "uncorrected" in kinds(compare(some(), correction="none"))
    assert "logic" in kinds(compare(some(), test="sign", correction="shaffer"))
    assert "dependence" in kinds(compare(some(), correction="hommel"))
    assert "assumed-direction" in kinds(compare(np.zeros((3, 3)) + np.arange(3)))


@pytest.mark.parametrize(
    "scores",
    [
        np.zeros((5, 3)),
        np.ones((1, 2)),
        np.tile(np.arange(4.0), (6, 1)),
        np.full((4, 3), np.inf),
        np.where(np.eye(5, 3, dtype=bool), np.inf, 1.0),
        np.array([[1e308, -1e308, 0.0], [1e-308, 5e-324, 0.0]]),
    ],
    ids=["constant", "single", "rows alike", "all failed", "some failed", "huge and tiny"],
)
@pytest.mark.parametrize("test", ["wilcoxon", "sign", "mean-ranks", "nemenyi", "conover"])
def test_degenerate_tables_have_answers_without_nan(scores, test):
    c = compare(scores, test=test)
    assert not np.isnan(c.adjusted).any()
    assert "nan" not in said(c)


@pytest.mark.parametrize("bayes", ["signed-rank", "sign"])
@pytest.mark.parametrize("rope", [0.0, 0.2])
def test_posteriors_are_probabilities_and_repeat(bayes, rope):
    c, again = (compare(some(), bayes=bayes, rope=rope) for _ in range(2))
    total = c.posterior.better + c.posterior.better.T + c.posterior.rope
    np.testing.assert_allclose(total, 1.0, atol=1e-9)
    np.testing.assert_array_equal(c.posterior.better, again.posterior.better)
    assert "How probable is it?" in said(c)


def test_joint_statements_are_listed():
    c = compare(some(n=30), bayes="joint")
    assert c.joint.accepted > 0
    assert "is better than" in said(c)


def test_repetitions_are_averaged_or_used():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(8, 3, 10)) + np.arange(3)[:, None]
    averaged = compare(scores)
    np.testing.assert_array_equal(
        averaged.family.pvalues, compare(scores.mean(axis=2)).family.pvalues
    )
    assert "repetitions" in kinds(averaged)
    used = compare(scores, repetitions="correlated-t", rho=0.1)
    assert used.posterior.test == "correlated-t"
    assert used.posterior.better[0, 2] > 0.99
    np.testing.assert_allclose(
        used.posterior.better + used.posterior.better.T + used.posterior.rope, 1.0
    )


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


def test_json_is_plain_and_complete(demsar):
    data = json.loads(json.dumps(as_data(compare(demsar, bayes="sign")), default=str))
    assert next(a["name"] for a in data["algorithms"]) == "C4.5+m+cf"
    assert len(data["comparisons"]) == 6
    assert data["comparisons"][0]["ahead"] == "C4.5+m"
    assert data["sources"]["comparisons"].startswith("T, the smaller sum")


def test_latex_escapes_names_and_sets_powers_of_ten():
    assert escape_latex("a_b & 50% of $x$") == r"a\_b \& 50\% of \$x\$"
    assert escape_latex("4.5e-07") == r"$4.5\cdot 10^{-7}$"
    assert escape_latex("x1e-5y") == "x1e-5y"
    table = as_table(some().scores, names=["a_b", "c&d", "50%", "x^2", "\\m"])
    out = latex(document(compare(table)))
    assert r"a\_b" in out
    assert r"\toprule" in out
    assert out.count(r"\begin{table}") == out.count(r"\end{table}") == 2


def test_markdown_keeps_names_as_they_are():
    table = as_table(some().scores, names=["a|b", "*c*", "d", "e", "f"])
    out = markdown(document(compare(table)))
    assert "`a\\|b`" in out
    assert "`*c*`" in out
    assert all(line.count("|") >= 2 for line in out.splitlines() if line.startswith("|"))


def test_long_reports_show_the_clearest_pairs_and_say_so():
    c = compare(some(m=12, n=10), correction="holm")
    assert "21 further comparisons" in latex(document(c))
    assert len(said(c).splitlines()) < 120
