"""The one ordering that rules, leaders and the final choice share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from racing.core import objective as best
from racing.core.results import Results

COSTS = arrays(
    float,
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    elements=st.sampled_from([0.0, 1.0, 2.5, np.inf]),
)


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        ([[0, 1], [np.inf, np.nan]], True),
        ([[0, -1]], True),
        ([[1, 1]], False),
        ([[0, 0.5, 1]], False),
    ],
)
def test_answers_are_right_or_wrong(costs, expected):
    assert best.yes_or_no(np.array(costs, dtype=float)) is expected


def whole(block):
    """A race in which everybody saw everything."""
    n, m = block.shape
    return Results(block, np.ones((n, m), dtype=bool), tuple(range(1, m + 1)), np.arange(m))


def standing(block, objective):
    return best.standing(whole(block), objective)


def merits(block, objective):
    return best.merits(whole(block), objective)


@given(block=COSTS)
def test_by_rank_the_order_is_that_of_mean_ranks(block):
    ranks = rankdata(block, axis=1).mean(axis=0)
    order = standing(block, "rank")
    assert sorted(order) == list(range(block.shape[1]))
    assert np.all(np.diff(ranks[order]) >= -1e-12)


def test_costs_whose_sum_is_too_large_for_a_number_have_a_mean():
    block = np.array([[1e308, 1.5e308], [1.2e308, 1.5e308], [1.1e308, np.inf]])
    assert merits(block, "mean") == pytest.approx(np.array([[0, 1.1e308], [1, 1.5e308]]))
    assert list(standing(block, "rank")) == list(standing(block, "mean")) == [0, 1]


@given(block=COSTS)
def test_by_mean_a_failure_is_worse_than_any_number(block):
    order = standing(block, "mean")
    huge = np.where(np.isinf(block), 1e12, block).mean(axis=0)
    assert np.all(np.diff(huge[order]) >= 0)


@given(block=COSTS, objective=st.sampled_from(["rank", "mean"]), seed=st.integers(0, 99))
def test_only_identical_columns_are_told_apart_by_their_place(block, objective, seed):
    shuffle = np.random.default_rng(seed).permutation(block.shape[1])
    here = block[:, standing(block, objective)]
    there = block[:, shuffle][:, standing(block[:, shuffle], objective)]
    assert np.array_equal(here, there)


def test_equal_ranks_are_ordered_by_mean_cost():
    block = np.array([[1.0, 2.0], [9.0, 3.0]])
    assert standing(block, "rank").tolist() == [1, 0]


def test_merits_of_failures():
    block = np.array([[1.0, np.inf, np.inf], [3.0, 2.0, np.inf]])
    assert merits(block, "mean").tolist() == [[0, 2], [1, 2], [2, 0]]
    assert merits(block, "rank")[:, 0].tolist() == pytest.approx([1.5, 1.75, 2.75])
