"""Rows of a CSV file and their lines, and cells read as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare.sheets import read_sheet
from racing.base.errors import TableError


def test_blank_lines_are_skipped_but_counted(file):
    sheet = read_sheet(file("name,A,B\n\nx,1,2\n,,\ny,3,4\n"))
    assert sheet.header == ["name", "A", "B"]
    assert sheet.rows == [["x", "1", "2"], ["y", "3", "4"]]
    assert sheet.lines == [3, 5]
    assert sheet.separator == ","


@pytest.mark.parametrize("word", ["", "NA", "n/a", "NaN", "null", "?", "-"])
def test_words_for_a_missing_score_are_not_numbers(file, word):
    sheet = read_sheet(file("name,A,B\n\nx,1,2\n"))
    found = sheet.numbers(["1", word], ["A", "B"])
    np.testing.assert_array_equal(found, [[1.0, np.nan]])


def test_true_and_false_are_one_and_zero(file):
    sheet = read_sheet(file("name,A,B\n\nx,1,2\n"))
    np.testing.assert_array_equal(sheet.numbers(["True", "false"], ["A", "B"]), [[1.0, 0.0]])


def test_an_error_names_file_line_and_column(file):
    sheet = read_sheet(file("name,A,B\n\nx,1,2\n"))
    with pytest.raises(TableError, match=r't\.csv:3: "soon" in column "B" is not a number'):
        sheet.numbers(["1", "soon"], ["A", "B"])
