"""Wins that are remembered from look to look are those of a count from scratch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.core.field import Wins


def counted(block):
    """The definition."""
    return (block[:, :, None] < block[:, None, :]).sum(axis=0)


def random_costs(rng, n, m):
    return rng.choice([*range(6), np.inf], size=(n, m)).astype(float)


@given(seed=st.integers(0, 2**32))
def test_looks_at_more_rows_by_fewer_survivors(seed):
    rng, memory = np.random.default_rng(seed), Wins()
    costs, columns = random_costs(rng, 12, 7), np.arange(7)
    for rows in np.sort(rng.integers(0, 13, 8)):
        if len(columns) > 1 and rng.random() < 0.4:
            columns = np.sort(rng.permutation(columns)[1:])
        block = costs[:rows][:, columns]
        assert np.array_equal(memory.of(block, columns), counted(block))


@given(seed=st.integers(0, 2**32), change=st.sampled_from(["cost", "order", "joined", "fewer"]))
def test_whatever_else_changed_is_noticed(seed, change):
    rng, memory = np.random.default_rng(seed), Wins()
    costs, columns = random_costs(rng, 8, 5), np.array([0, 2, 3])
    memory.of(costs[:, columns], columns)
    if change == "cost":
        costs[rng.integers(8), 2] = -1.0
    elif change == "order":
        costs = costs[::-1]
    elif change == "joined":
        columns = np.array([0, 1, 2, 3, 4])
    else:
        costs = costs[:5]
    block = costs[:, columns]
    assert np.array_equal(memory.of(block, columns), counted(block))


@pytest.mark.parametrize("looks", [(254, 255, 256, 257, 600), (700,)])
def test_more_rows_than_a_byte_counts(looks):
    costs, memory = np.tile([0.0, 1.0, 1.0], (700, 1)), Wins()
    for rows in looks:
        wins = memory.of(costs[:rows], np.arange(3))
        assert wins.tolist() == [[0, rows, rows], [0, 0, 0], [0, 0, 0]]


def test_what_is_remembered_cannot_be_written_to():
    wins = Wins().of(np.array([[1.0, 2.0]]), np.arange(2))
    with pytest.raises(ValueError, match="read-only"):
        wins[0, 1] = 5
