"""Cells are run where they can change the team, and nowhere else."""

from __future__ import annotations

import numpy as np

from racing.analysis.portfolio.fill import next_cells, potentials
from tests.analysis.portfolio.kit import NAN, types_world


def half_known():
    """#1 and #2 are complete; #3 is best on half of what it ran, #4 was always bad."""
    rng = np.random.default_rng(1)
    costs = 0.1 * rng.normal(size=(40, 4)) + [1.0, 1.2, 0.0, 3.0]
    costs[::2, 2] = 2.0
    costs[10:, 2:] = NAN
    return costs


def test_what_was_good_where_it_ran_comes_first_and_what_was_bad_has_no_potential():
    found = potentials(half_known(), 2, "mean")
    assert np.isinf(found[:2]).all()
    assert found[2] > 0 > found[3]


def test_only_missing_cells_are_chosen_and_no_more_than_may_be():
    costs = half_known()
    cells = next_cells(costs, 2, "mean", 100)
    assert cells == [(row, 2) for row in range(10, 14)]
    assert next_cells(costs, 2, "mean", 3) == cells[:3]


def test_a_complete_matrix_needs_none():
    assert next_cells(types_world(20, 5, types=2, seed=1), 2, "mean", 100) == []


def test_a_candidate_that_never_ran_is_tried():
    costs = np.column_stack([np.arange(9.0), np.arange(9.0)[::-1], np.full(9, NAN)])
    assert next_cells(costs, 1, "rank", 2) == [(0, 2), (1, 2)]


def test_doubt_counts_in_favour():
    costs = np.column_stack([np.ones(60), np.full(60, 2.0), np.full((60,), NAN)])
    costs[:, 0] += 0.01 * np.arange(60)
    few, many = costs.copy(), costs.copy()
    few[:4, 2] = [0.5, 1.5, 1.6, 1.7]
    many[:40, 2] = [0.5, 1.5, 1.6, 1.7] * 10
    few_bound, many_bound = (potentials(one, 1, "mean")[2] for one in (few, many))
    assert few_bound / 56 > many_bound / 20
