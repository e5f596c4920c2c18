"""Tables of runs: gaps are named or left out, and what cannot be compared is refused."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import TableError
from tests.analysis.compare.comparisons import as_runs

SCORES = {"p": {"a": [1, 2], "b": [3], "c": [6]}, "q": {"a": [4], "b": [5]}}


def made(**how):
    return as_runs(SCORES, **how)


def test_a_missing_run_is_named_with_both_ways_out():
    with pytest.raises(TableError, match="table: no run of c on q") as error:
        made()
    assert "1 of 2 problems (missing='drop-instances')" in str(error.value)
    assert "1 of 3 algorithms (missing='drop-algorithms')" in str(error.value)


def test_problems_or_algorithms_are_left_out():
    without_q = made(missing="drop-instances")
    assert (without_q.instances, without_q.names) == (("p",), ("a", "b", "c"))
    without_c = made(missing="drop-algorithms")
    assert (without_c.instances, without_c.names) == (("p", "q"), ("a", "b"))
    assert without_c.left_out == ("c",)
    assert without_c.sizes.tolist() == [[2, 1], [1, 1]]
    with pytest.raises(TableError, match=r"are left.*missing='drop-instances'"):
        as_runs({"p": {"a": [1]}, "q": {"b": [2]}}, missing="drop-algorithms")


def test_costs_are_negated_scores_where_higher_is_better():
    table = made(missing="drop-instances", direction="maximize")
    assert table.run_costs(0)[0].tolist() == [-1, -2]
    assert not table.assumed
    assert made(missing="drop-instances").assumed


def test_one_problem_can_be_chosen_by_name():
    table = made(missing="drop-algorithms")
    assert table.only("q").runs[0][0].tolist() == [4]
    with pytest.raises(TableError, match='no problem is called "r"'):
        table.only("r")
    with pytest.raises(TableError, match='no algorithm is called "z"'):
        table.column("z")


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ({"a": [1.0]}, 'two or more algorithms; got 1 ."a".'),
        ({"a": [1.0], "b": []}, "no run of b"),
        ({"a": [1.0], "b": [-np.inf]}, "b is -inf, infinitely good.*direction='maximize'"),
        ({"a": [1.0], "b": [2.0, -1e80]}, r"b is -1e\+80, infinitely good.*direction='maximize'"),
    ],
)
def test_what_cannot_be_compared(runs, message):
    with pytest.raises(TableError, match=message):
        as_runs(runs)


def test_names_that_are_the_same_are_refused():
    with pytest.raises(TableError, match='algorithm names must differ; got "a" 2 times'):
        as_runs([[1.0], [2.0]], names=["a", "a"])
