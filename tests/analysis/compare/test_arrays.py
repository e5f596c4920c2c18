"""Tables from arrays, mappings and frames, of rows and of runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import racing
from racing.analysis.compare import ResultTable, as_table
from racing.base.errors import InputError, TableError
from tests.analysis.compare.comparisons import as_runs


def test_arrays_frames_and_what_they_are_not():
    frame = pd.DataFrame({"A": [1, 2], "B": [3, 4]}, index=["x", "y"])
    table = as_table(frame, direction="maximize")
    assert table.names == ("A", "B")
    assert table.instances == ("x", "y")
    np.testing.assert_array_equal(table.costs, [[-1, -3], [-2, -4]])
    assert as_table(table) is table
    for bad in ([[1, 2], [3]], [1, 2, 3], [["a", "b"]], np.zeros((2, 2, 2, 2))):
        with pytest.raises(TableError):
            as_table(bad)
    assert as_table(frame.reset_index(), direction="maximize").instances == ("x", "y")
    with pytest.raises(TableError, match=r'row 0: "x" in column "C" is not a number.*what is what'):
        as_table(frame.assign(C=["x", "y"]))
    with pytest.raises(TableError, match="A1 on 1"):
        as_table([[np.nan, 1.0]])
    with pytest.raises(TableError, match="one instance or more; got none"):
        ResultTable(names=("A", "B"), instances=(), scores=np.zeros((0, 2)))


def test_a_mapping_has_the_scores_of_each_algorithm():
    table = as_table({"a": [1.0, 2.0, 3.0], "b": np.array([4, 5, 6])})
    assert table.names == ("a", "b")
    np.testing.assert_array_equal(table.scores, [[1, 4], [2, 5], [3, 6]])
    repeated = as_table({"a": [[1.0, 3.0], [2.0, 4.0]], "b": [[5.0, 7.0], [6.0, 8.0]]})
    np.testing.assert_array_equal(repeated.scores, [[[1, 3], [5, 7]], [[2, 4], [6, 8]]])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "got nothing"),
        ({"a": 1.0, "b": 2.0}, 'got "a" no list, "b" no list'),
        (
            {"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]},
            'got "a" 2, "b" 3. Compare runs that are not paired',
        ),
        ({"a": ["x", "y"], "b": [1.0, 2.0]}, "must be numbers"),
        ({"a": np.ma.masked_array([1.0, 2.0], [True, False]), "b": [1.0, 2.0]}, "masked"),
    ],
)
def test_a_mapping_that_is_no_table_is_refused(given, message):
    with pytest.raises(TableError, match=message):
        as_table(given)


def test_masked_scores_are_refused():
    X = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], [[True, False], [False, False]])
    with pytest.raises(InputError, match="masked"):
        as_table(X)
    assert as_table(np.ma.masked_array([[1.0, 2.0]])).n == 1


def folds() -> pd.DataFrame:
    """3 data sets of 4 folds each and 2 algorithms, a line for each score."""
    return pd.DataFrame(
        [
            (d, f, a, d * 10 + f + 0.5 * (a == "b"))
            for d in (7, 8, 9)
            for f in range(4)
            for a in "ab"
        ],
        columns=["dataset", "fold", "algorithm", "score"],
    )


@pytest.mark.parametrize(
    ("index", "columns", "values"),
    [
        (["dataset", "fold"], "algorithm", "score"),
        (["fold", "dataset"], "algorithm", "score"),
        (["dataset", "fold"], ["algorithm"], ["score"]),
        ("dataset", ["algorithm", "fold"], "score"),
        ("dataset", ["fold", "algorithm"], ["score"]),
    ],
)
def test_levels_of_an_index_are_instances_and_repetitions(index, columns, values):
    frame = folds().pivot_table(index=index, columns=columns, values=values)
    table = as_table(frame)
    assert (table.names, table.instances) == (("a", "b"), ("7", "8", "9"))
    assert table.repetitions == 4
    np.testing.assert_array_equal(table.means, [[71.5, 72], [81.5, 82], [91.5, 92]])


def test_a_second_score_of_one_repetition_is_refused():
    frame = folds().pivot_table(index=["dataset", "fold"], columns="algorithm", values="score")
    with pytest.raises(TableError, match=r"row 12: a second score of a on 9, .*row 11; delete one"):
        as_table(pd.concat([frame, frame.iloc[-1:]]))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (folds().pivot_table(index=["dataset", "fold"], columns="algorithm", values="score")
         .rename_axis(index=["dataset", "noise"]), "got the levels dataset, noise. Rename them"),
        (folds().pivot_table(index="dataset", columns=["algorithm", "fold"], values="score")
         .rename_axis(columns=[None, None]), r"got the levels \(no name\), \(no name\)"),
        (pd.DataFrame({"b": [3, 4], "c": [5, 6]}, pd.Index([0.3, 0.2], name="a")),
         "the first column .*must be the names of the instances; got numbers"),
    ],
)  # fmt: skip
def test_an_index_that_does_not_say_what_it_is(frame, message):
    with pytest.raises(TableError, match=message):
        as_table(frame)


def test_the_result_of_a_run_or_its_log_is_the_table_in_its_log(tmp_path):
    def cost(values, instance, seed):
        return values["x"] + (seed % 7) / 10

    for log in (None, tmp_path / "run.sqlite"):
        found = racing.minimize(cost, [{"x": 0}, {"x": 5}], range(9), rule="none", log=log)
        expected = found.race.results.costs
        for given in (found, found.log):
            table = as_table(given)
            assert table.names == ("#1", "#2")
            assert np.array_equal(table.scores.reshape(expected.shape), expected)
        assert str(log or "the log of race") == table.source
    with pytest.raises(InputError, match="table must be the path of a log, a log, or the result"):
        as_table(found.race)


def test_a_frame_of_true_and_false_has_scores_in_every_column():
    right = [[True, False], [False, True], [True, True]]
    table = as_table(pd.DataFrame(right, columns=["a", "b"]))
    assert table.names == ("a", "b")
    assert table.scores.reshape(3, 2).tolist() == right


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
