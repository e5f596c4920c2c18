"""Tables from arrays and frames."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import ResultTable, as_table
from racing.base.errors import InputError, TableError


def test_arrays_frames_and_what_they_are_not():
    import pandas

    frame = pandas.DataFrame({"A": [1, 2], "B": [3, 4]}, index=["x", "y"])
    table = as_table(frame, direction="maximize")
    assert table.names == ("A", "B")
    assert table.instances == ("x", "y")
    np.testing.assert_array_equal(table.costs, [[-1, -3], [-2, -4]])
    assert as_table(table) is table
    for bad in ([[1, 2], [3]], [1, 2, 3], [["a", "b"]], np.zeros((2, 2, 2, 2))):
        with pytest.raises(TableError):
            as_table(bad)
    with pytest.raises(TableError, match="make the column of instance names its index"):
        as_table(frame.reset_index())
    with pytest.raises(TableError, match="A1 on 1"):
        as_table([[np.nan, 1.0]])
    with pytest.raises(TableError, match="no instances"):
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
        ({"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]}, 'got "a" 2, "b" 3. Runs that are not paired'),
        ({"a": ["x", "y"], "b": [1.0, 2.0]}, "expected numbers"),
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
