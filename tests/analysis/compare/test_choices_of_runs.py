"""Tests of runs: the defaults, and what does not go together."""

from __future__ import annotations

import pytest

from racing.analysis.compare.choices import resolve
from racing.analysis.compare.unpaired import TESTS
from racing.base.errors import InputError, TableError
from tests.analysis.compare.comparisons import as_runs

THREE = as_runs({"a": [1, 2, 3], "b": [2, 3, 4], "c": [3, 4, 5]})
TWO = as_runs({"a": [1, 2, 3], "b": [2, 3, 4]})
ASKED = {
    **dict.fromkeys(("omnibus", "test", "correction", "control", "bayes", "bound", "s")),
    "alpha": 0.05,
    "rope": 0.0,
    "seed": 1,
}


def test_the_defaults():
    three, two = (resolve(table, **ASKED).choices for table in (THREE, TWO))
    assert (three.omnibus, three.test, three.correction) == ("kruskal", "brunner-munzel", "holm")
    assert (three.posterior, three.bound, three.s) == ("kruskal", "lower", 0.25)
    assert (two.omnibus, two.posterior) == ("none", "rank-sum")
    assert three.given == ()
    assert resolve(THREE, **ASKED | {"rope": 0.06}).choices.posterior == "rank-sum"
    assert resolve(THREE, **ASKED | {"test": "dunn", "correction": "bh"}).choices.given == (
        "test", "correction",
    )  # fmt: skip


def test_each_test_is_taken():
    for test in TESTS:
        control = "a" if test == "steel" else None
        found = resolve(THREE, **ASKED | {"test": test, "control": control})
        assert found.choices.test == test


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "wilcoxon"}, r"which is for a paired table \(paired=True"),
        ({"test": "foo"}, '[^;]*; got "foo"$'),
        ({"omnibus": "friedman"}, "which is for a paired table"),
        ({"bayes": "signed-rank"}, "which is for a paired table"),
        ({"test": "steel"}, "steel needs a control .*steel-dwass"),
        ({"test": "steel-dwass", "control": "a"}, "against a control use steel"),
        ({"test": "steel-dwass", "correction": "holm"}, "corrects by itself, leave out holm"),
        ({"correction": "nemenyi"}, "correction must be none, bonferroni"),
        ({"correction": "shaffer", "control": "a"}, "is for all pairs"),
        ({"rope": 0.5}, "rope must be below 0.5.*in units of A"),
        ({"rope": 0.1, "bayes": "kruskal"}, "must go with bayes='rank-sum'; got"),
        ({"alpha": 0.7}, "alpha must be a number above 0 and below 0.5"),
    ],
)
def test_what_does_not_go_together(options, message):
    with pytest.raises(InputError, match=message):
        resolve(THREE, **ASKED | options)


def test_a_control_that_is_not_there():
    with pytest.raises(TableError, match='no algorithm is called "d"'):
        resolve(THREE, **ASKED | {"control": "d"})
