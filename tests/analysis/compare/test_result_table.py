"""Columns by name."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare
from racing.analysis.compare.result_table import ResultTable
from racing.base.errors import InputError, TableError


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
