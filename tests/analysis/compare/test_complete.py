"""Missing cells: refused, or left out row by row or column by column."""

from __future__ import annotations

import pytest

from racing.analysis.compare import as_table, read_table
from racing.base.errors import TableError


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
