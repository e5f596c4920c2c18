"""Options: the defaults, unknown words, and what makes no sense; of rows and of runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from racing.analysis.compare import as_table, compare, compare_metrics
from racing.analysis.compare.choices import resolve
from racing.analysis.compare.unpaired import TESTS
from racing.base.errors import InputError, TableError
from tests.analysis.compare.comparisons import as_runs, some


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"test": "wilcoxn"}, "did you mean 'wilcoxon'"),
        ({"correction": "hulm"}, "did you mean 'holm'"),
        ({"omnibus": "f"}, "omnibus"),
        ({"test": "foo"}, '[^;]*; got "foo"$'),
        ({"test": ["sign"]}, "test must be .*; got a list"),
        ({"correction": {}}, "correction must be .*; got an empty mapping"),
        ({"test": "brunner-munzel"}, r"is for runs that nothing pairs \(paired=False"),
        ({"rope": 0.3}, r"rope must go with .*; got 0.3 without posterior"),
        (
            {"s": 3.0},
            "s must go with bayes='signed-rank' or bayes='sign' or .*'joint';",
        ),
        ({"rho": 0.3, "bayes": "sign"}, "rho.* must go with bayes='hierarchical' or repetitions="),
        ({"rope": 0.3, "bayes": "joint"}, "got 0.3 with joint"),
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
        ({"ranked": True}, "must be average ranks of 5"),
        ({"ranked": True, "test": "wilcoxon"}, "size of differences"),
        ({"bayes": "maybe"}, "bayes"),
    ],
)
def test_contradictions_are_refused(options, error):
    with pytest.raises(InputError, match=error):
        compare(some(), **options)


def test_a_table_of_ranks_names_the_row_that_is_none():
    with pytest.raises(TableError, match="x must be average ranks of 3"):
        compare(as_table([[1, 2, 2]], instances=["x"]), ranked=True)


def test_a_bound_needs_a_posterior_that_has_one():
    X = np.random.default_rng(0).normal(size=(5, 3))
    with pytest.raises(InputError, match="bound"):
        compare(X, bound="lower")
    with pytest.raises(InputError, match="lower"):
        compare(X, bayes="sign", bound="lowest")


def test_of_one_instance_there_is_no_omnibus_test():
    assert compare(some(n=1)).omnibus is None
    with pytest.raises(InputError, match="omnibus: friedman must have two instances or more"):
        compare(some(n=1), omnibus="friedman")


def test_instances_of_one_name_can_be_numbered():
    table = as_table([[1.0, 2.0], [3.0, 4.0]])
    frame = pd.DataFrame(table.scores, ["x", "x"])
    with pytest.raises(TableError, match="number them"):
        compare(frame)
    assert compare(frame, duplicates="number").table.instances == ("x", "x (2)")
    found = compare_metrics({"q": frame, "t": frame}, duplicates="number")
    assert found.first.instances == ("x", "x (2)")


@pytest.mark.parametrize("function", [compare, compare_metrics])
def test_what_is_no_option_is_refused_with_the_name_of_the_function(function):
    with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) got an unexpected .*'bets'"):
        function({}, bets=1)


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
