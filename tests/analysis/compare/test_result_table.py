"""Tables: columns by name, missing cells, failures and cutoffs, and what cannot be compared."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare, compare_metrics, read_table
from racing.analysis.compare.result_table import ResultTable, policy_of, stopped_at
from racing.base.errors import InputError, TableError
from tests.analysis.compare.comparisons import as_runs


def test_unknown_names_get_a_suggestion():
    table = as_table(np.zeros((2, 2)), names=["alpha", "beta"])
    with pytest.raises(InputError, match="did you mean 'alpha'"):
        table.column("alhpa")


@pytest.mark.parametrize("control", [0, 7, True, None.__class__, 1.5])
def test_a_control_that_is_no_name_is_refused(control):
    with pytest.raises(InputError, match="an algorithm must be a name"):
        compare(np.array([[1.0, 2.0], [2.0, 3.0]]), control=control)


def test_a_column_number_is_answered_with_its_name():
    with pytest.raises(InputError, match='column 0 is "A1"'):
        compare(np.array([[1.0, 2.0], [2.0, 3.0]]), control=0)


def test_a_table_on_its_side_is_refused_before_anything_is_computed():
    names = tuple(map(str, range(10_001)))
    with pytest.raises(TableError, match="at most 10000 algorithms; got 10001"):
        ResultTable(names, ("i",), np.ones((1, len(names))))


def test_missing_cells_are_left_out_by_choice(file):
    path = file("name,A,B,C\nx,1,,3\ny,4,5,6\nz,7,8,9\n")
    rows = read_table(path, missing="drop-instances")
    assert rows.instances == ("y", "z")
    assert rows.left_out == ("x",)
    columns = read_table(path, missing="drop-algorithms")
    assert columns.names == ("A", "C")
    assert columns.left_out == ("B",)
    with pytest.raises(TableError, match="drop-instances or drop-algorithms"):
        read_table(path, missing="ignore")


def test_too_little_left_is_refused(file):
    path = file("name,A,B\nx,1,\ny,,2\n")
    for missing in ("drop-instances", "drop-algorithms"):
        with pytest.raises(TableError, match="0 of 2 are left"):
            read_table(path, missing=missing)


def test_instances_of_one_name_are_numbered_on_request(file):
    path = file("name,A,B\nx,1,2\nx,3,4\ny,5,6\nx,7,8\nx (2),9,10\n")
    with pytest.raises(TableError, match="duplicates='number'"):
        read_table(path)
    table = read_table(path, duplicates="number")
    assert table.instances == ("x", "x (3)", "y", "x (4)", "x (2)")
    assert as_table([[1, 2]] * 3, instances=["a", "a", "b"], duplicates="number").instances == (
        "a",
        "a (2)",
        "b",
    )
    with pytest.raises(TableError, match="refuse or number"):
        read_table(path, duplicates="some")


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


def test_a_run_that_reaches_the_cutoff_is_a_failure():
    runs = stopped_at(as_runs({"a": [1, 60, 59.9], "b": [600, np.inf]}), 60)
    assert [x.tolist() for x in runs.runs[0]] == [[1, np.inf, 59.9], [np.inf, np.inf]]
    table = stopped_at(as_table([[1.0, 60.0], [2.0, 3.0]]), 60)
    assert table.scores.tolist() == [[1, np.inf], [2, 3]]
    assert (runs.cutoff, table.cutoff) == (60, 60)


@pytest.mark.parametrize("cutoff", [0, -1, np.inf, np.nan, "60"])
def test_what_is_no_cutoff(cutoff):
    with pytest.raises(InputError, match="cutoff must be a number above 0"):
        stopped_at(as_runs({"a": [1], "b": [2]}), cutoff)


def test_scores_that_are_no_times():
    with pytest.raises(InputError, match="one of the scores is negative: -1"):
        stopped_at(as_runs({"a": [-1], "b": [2]}), 60)
    with pytest.raises(InputError, match="lower ones are better"):
        stopped_at(as_runs({"a": [1], "b": [2]}, direction="maximize"), 60)


@pytest.mark.parametrize(
    ("given", "penalty"),
    [(10, 10.0), (np.int64(10), 10.0), ("10", 10.0), ({"penalty": 10}, 10.0), ("worst", None),
     ({"q": 10, "t": 3}, {"q": 10, "t": 3}), ("q=10, t=3", {"q": 10.0, "t": 3.0})],
)  # fmt: skip
def test_what_failures_count_as_in_all_forms(given, penalty):
    assert policy_of(given).penalty == penalty
    table = [[1.0, np.inf], [2.0, 3.0]]
    if isinstance(penalty, dict):
        found = compare_metrics({"q": table, "t": table}, on_failure=given)
        assert [one.scores[0, 1] for one in found.tables.values()] == [10, 3]
    else:
        assert compare(table, on_failure=given).table.scores[0, 1] == (penalty or np.inf)


@pytest.mark.parametrize("given", ["wrost", "time=many", True, [10]])
def test_what_failures_cannot_count_as(given):
    with pytest.raises(InputError, match=r"on_failure|penalty"):
        compare([[1.0, np.inf], [2.0, 3.0]], on_failure=given)
