"""Runs from Python: mappings, sequences, arrays and frames mean the same runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from racing.base.errors import TableError
from tests.analysis.compare.comparisons import as_runs

RUNS = {"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0]}


def same(table, problem=""):
    assert table.instances == (problem,)
    assert {n: x.tolist() for n, x in zip(table.names, table.runs[0], strict=True)} == RUNS


def test_one_problem_in_every_form():
    same(as_runs(RUNS))
    same(as_runs({"p": RUNS}), "p")
    long = [(name, score) for name, scores in RUNS.items() for score in scores]
    same(as_runs(pd.DataFrame(long, columns=["algorithm", "score"])))
    same(as_runs(pd.DataFrame({name: pd.Series(scores) for name, scores in RUNS.items()})))
    columns = np.array([[1, 4], [2, 5], [3, np.nan]])
    assert [x.tolist() for x in as_runs(columns).runs[0]] == list(RUNS.values())
    assert as_runs(list(RUNS.values())).names == ("A1", "A2")


def test_several_problems_in_a_frame():
    frame = pd.DataFrame(
        {"problem": ["p", "q", "p", "q"], "algorithm": list("aabb"), "score": [1, 2, 3, 4]}
    )
    table = as_runs(frame, direction="maximize")
    assert table.instances == ("p", "q")
    assert [[float(x[0]) for x in own] for own in table.runs] == [[1, 3], [2, 4]]


def test_an_index_of_problems_and_runs_pools_no_problems():
    runs = pd.DataFrame(
        [(p, r, a, 10 * (p == "q") + r + (a == "b")) for p in "pq" for r in (1, 2) for a in "ab"],
        columns=["problem", "run", "algorithm", "score"],
    )
    long = as_runs(runs)
    for frame in (
        runs.pivot_table(index=["problem", "run"], columns="algorithm", values="score"),
        runs.pivot_table(index="problem", columns=["algorithm", "run"], values="score"),
    ):
        table = as_runs(frame)
        assert table.instances == ("p", "q")
        assert table.names == ("a", "b")
        for own, same in zip(table.runs, long.runs, strict=True):
            np.testing.assert_array_equal(own, same)


def test_a_table_comes_back_as_it_is():
    table = as_runs(RUNS)
    assert as_runs(table) is table
    with pytest.raises(TableError, match="has names, direction and groups already"):
        as_runs(table, direction="maximize")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"p": RUNS, "q": [1, 2]}, "a mapping for each problem"),
        ("runs.csv", "runs.csv: cannot be read"),
        (7, "with a vector of scores for each algorithm"),
        (np.zeros((2, 2, 2)), "an array of 3 dimensions"),
        ({"a": ["x"], "b": [1]}, "a must be a vector of scores"),
        ({"a": [1, 2], "b": [np.nan]}, "no run of b"),
        ({"a": np.ma.masked_array([1.0, 2.0], [True, False]), "b": [1, 2]}, "a is a masked array"),
        ({"a": [[1, 2], [3, 4]], "b": [1, 2]}, "a must be a vector of scores; got shape"),
    ],
)
def test_what_is_no_table_of_runs(data, message):
    with pytest.raises(TableError, match=message):
        as_runs(data)
