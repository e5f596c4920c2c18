"""What a rule sees of a race."""

from __future__ import annotations

import numpy as np
import pytest

from racing.race.table import CostTable


def a_table() -> CostTable:
    """Three candidates, 7, 8 and 9; the second left after one row, the third came late."""
    table = CostTable()
    for id in (7, 8):
        table.add_column(id)
    table.put(0, [7, 8], [1.0, 2.0])
    table.put(1, [7], [3.0])
    table.add_column(9)
    table.put(1, [9], [4.0], late=True)
    return table


def test_the_block_has_the_survivors_on_what_all_of_them_have_seen():
    results = a_table().results([7, 9])
    assert results.candidates == (7, 8, 9)
    assert results.block.tolist() == [[3.0, 4.0]]
    assert [results.id(k) for k in range(2)] == [7, 9]


def test_the_dropped_keep_their_costs_and_what_was_not_run_is_nan():
    results = a_table().results([7, 9])
    assert np.array_equal(results.costs, [[1.0, 2.0, np.nan], [3.0, np.nan, 4.0]], equal_nan=True)


def test_late_comers_were_not_alive_when_a_row_was_closed():
    assert a_table().results([7, 9]).alive.tolist() == [[True, True, False], [True, False, False]]


def test_rules_cannot_write_into_the_race():
    results = a_table().results([7, 9])
    for array in (results.costs, results.alive):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0


def test_rows_can_be_chosen():
    results = a_table().results([7], rows=[1, 0])
    assert results.block.tolist() == [[3.0], [1.0]]


def test_the_table_grows_without_losing_anything():
    rng = np.random.default_rng(0)
    costs = rng.random((40, 30))
    table = CostTable()
    for m in range(30):
        table.add_column(m + 1)
    for step in rng.permutation(40):
        table.put(int(step), range(1, 31), costs[step])
    assert np.array_equal(table.results(range(1, 31)).costs, costs)


def test_an_infinite_cost_is_a_cost():
    table = CostTable()
    table.add_column(1)
    table.put(0, [1], [np.inf])
    assert table.results([1]).block.tolist() == [[np.inf]]
