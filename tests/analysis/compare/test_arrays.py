"""Tables from arrays and frames."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import racing
from racing.analysis.compare import ResultTable, as_table
from racing.base.errors import InputError, TableError


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
