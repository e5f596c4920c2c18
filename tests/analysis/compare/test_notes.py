"""The caveats of a comparison."""

from __future__ import annotations

import numpy as np

from racing.analysis.compare import as_table, compare
from tests.analysis.compare.comparisons import DATA, kinds, said, some


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
