"""The caveats of a comparison, of rows and of runs, found from their numbers."""

from __future__ import annotations

import numpy as np

import racing
from racing.analysis.compare import as_table, compare
from racing.analysis.compare.notes import looks_paired, spreads_differ
from racing.analysis.compare.result_table import stopped_at
from tests.analysis.compare.comparisons import DATA, as_runs, kinds, said, some


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


def normal(n, *, centre=0.0, sd=1.0, seed=0):
    return np.random.default_rng(seed).normal(centre, sd, n)


def kinds_of_runs(data, **options):
    c = racing.compare(data, paired=False, **options)
    found = [note for one in c.problems for note in one.notes] + list(c.notes)
    for note in found:
        assert note.text.endswith(".")
    return {note.kind for note in found}


def test_scores_that_go_up_and_down_together_look_paired():
    shared = normal(20, sd=5)
    paired = {name: shared + normal(20, seed=i + 1) for i, name in enumerate("ab")}
    assert "looks-paired" in kinds_of_runs(paired)
    assert not looks_paired([normal(20), normal(20, seed=1)])
    assert not looks_paired([shared, shared[:-1]])
    assert not looks_paired([np.ones(8), np.ones(8)])


def test_how_seldom_independent_samples_look_paired():
    """The level is .005: 2,000 samples, so at most twenty or so."""
    rng = np.random.default_rng(5)
    seen = sum(looks_paired(list(rng.normal(size=(3, 12)))) for _ in range(2_000))
    assert seen <= 20


def test_fewer_than_ten_runs():
    few = {"a": normal(9), "b": normal(30, seed=1)}
    assert "few-runs" in kinds_of_runs(few)
    assert "few-runs" not in kinds_of_runs({"a": normal(10), "b": normal(30, seed=1)})
    assert "no-power-runs" in kinds_of_runs({"a": [1, 2, 3.5], "b": [4, 5, 6]})
    assert "no-power-runs" not in kinds_of_runs({"a": [1, 2, 3.5, 3.7], "b": [4, 5, 6, 7]})


def test_unequal_spreads():
    wide = {"a": normal(15, sd=8), "b": normal(40, seed=1)}
    assert "unequal-spreads" in kinds_of_runs(wide, test="mann-whitney")
    assert not {k for k in kinds_of_runs(wide) if k.startswith("unequal")}  # no test that minds
    three = {**wide, "c": normal(40, seed=2)}
    assert "unequal-spreads-omnibus" in kinds_of_runs(three)
    assert spreads_differ([normal(30), normal(30, seed=1)]) is None
    assert spreads_differ([np.array([1.0, 2, np.inf, np.inf]), normal(9)]) is None
    assert spreads_differ([normal(40, sd=8), normal(40, seed=1)]) > 4
    assert spreads_differ([normal(30), normal(30, centre=9, seed=1)]) is None
    assert spreads_differ([np.zeros(30), normal(30)]) == np.inf


def test_all_equal_says_so_and_nothing_else():
    c = racing.compare({"a": [2.0] * 12, "b": [2.0] * 20}, paired=False, direction="minimize")
    assert [note.kind for note in c.only.notes] == ["all-equal"]
    assert c.only.family.pvalues.tolist() == [1]


def test_a_pile_at_the_worst_score_may_be_a_cutoff():
    piled = {"a": [*normal(12, centre=9), 60, 60], "b": [*normal(12, centre=9, seed=1), 60, 60]}
    assert "pile" in kinds_of_runs(piled)
    assert "pile" not in kinds_of_runs({name: x[:-2] for name, x in piled.items()})
    known = kinds_of_runs(stopped_at(as_runs(piled), 60))
    assert "stopped" in known
    assert not {"pile", "failures"} & known


def test_notes_of_the_table_and_of_the_choices():
    two = {p: {n: normal(12, seed=3 * i + j) for j, n in enumerate("abc")}
           for i, p in enumerate("pq")}  # fmt: skip
    assert {"problems", "effects-pool", "assumed-direction"} <= kinds_of_runs(two)
    assert "pool-of-runs" in kinds_of_runs(two["p"], test="dunn")
    assert "logic" in kinds_of_runs(two["p"], correction="shaffer")
    assert "logic" not in kinds_of_runs(two["p"], correction="shaffer", test="mann-whitney")
    assert "uncorrected" in kinds_of_runs(two["p"], correction="none")
    assert "conover-gate" in kinds_of_runs(two["p"], test="conover-iman")
    assert "failures" in kinds_of_runs({"a": [1, 2, np.inf], "b": [2, 3, 4]})
