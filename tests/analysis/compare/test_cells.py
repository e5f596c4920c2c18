"""Rows of a CSV file and their lines, and cells read as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare.cells import read_rows
from racing.base.errors import TableError


def test_blank_lines_are_skipped_but_counted(file):
    header, rows, lines, cells = read_rows(file("name,A,B\n\nx,1,2\n,,\ny,3,4\n"))
    assert header == ["name", "A", "B"]
    assert rows == [["x", "1", "2"], ["y", "3", "4"]]
    assert lines == [3, 5]
    assert cells.separator == ","


@pytest.mark.parametrize("word", ["", "NA", "n/a", "NaN", "null", "?", "-"])
def test_words_for_a_missing_score_are_not_numbers(file, word):
    cells = read_rows(file("name,A,B\nx,1,2\n"))[3]
    found = cells.numbers(["1", word], [2], ["A", "B"])
    np.testing.assert_array_equal(found, [[1.0, np.nan]])


def test_true_and_false_are_one_and_zero(file):
    cells = read_rows(file("name,A,B\nx,1,2\n"))[3]
    np.testing.assert_array_equal(cells.numbers(["True", "false"], [2], ["A", "B"]), [[1.0, 0.0]])


def test_an_error_names_file_line_and_column(file):
    cells = read_rows(file("name,A,B\nx,1,2\n"))[3]
    with pytest.raises(TableError, match=r't\.csv:7: "soon" in column "B" is not a number'):
        cells.numbers(["1", "soon"], [7], ["A", "B"])
