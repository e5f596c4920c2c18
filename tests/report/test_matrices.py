"""Ranks among those that ran, against scipy's on each row."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from racing.report.history import Matrices
from tests.report.kit import told
from tests.worlds import hard_world


def holed(seed: int) -> np.ndarray:
    costs = hard_world(7, 12, seed=seed)
    costs[np.random.default_rng(seed).random(costs.shape) < 0.3] = np.nan
    return costs


def test_ranks_are_those_of_scipy_on_what_was_run():
    for seed in range(5):
        costs = holed(seed)
        ranks = Matrices(ids=tuple(range(12)), costs=costs).ranks
        for row, got in zip(costs, ranks, strict=True):
            ran = ~np.isnan(row)
            np.testing.assert_array_equal(got[ran], rankdata(row[ran]))
            assert np.isnan(got[~ran]).all()


def test_relative_places_lie_between_best_and_worst():
    costs = np.array([[3.0, 1.0, 2.0, np.nan], [np.nan, 5.0, np.nan, np.nan], [1.0, 1.0, 9.0, 4.0]])
    found = Matrices(ids=(1, 2, 3, 4), costs=costs)
    np.testing.assert_allclose(found.relative[0, :3], [1, 0, 0.5])
    assert found.relative[1, 1] == 0.5
    np.testing.assert_allclose(found.relative[2], [1 / 6, 1 / 6, 1, 2 / 3])
    np.testing.assert_allclose(found.standing, [2.5 / 5, 0.5 / 5, 4 / 5, 2 / 3])


def test_a_standing_is_the_share_of_comparisons_that_were_lost():
    costs = holed(7)
    costs[:, 0] = np.nan
    costs[1:, 1] = np.nan
    costs[0, 2:] = np.nan  # the second ran alone
    found = Matrices(ids=tuple(range(12)), costs=costs)
    for k, standing in enumerate(found.standing):
        others = [
            (row[k], other)
            for row in costs
            for j, other in enumerate(row)
            if j != k and not np.isnan([row[k], other]).any()
        ]
        lost = [1.0 if other < own else 0.5 if other == own else 0.0 for own, other in others]
        np.testing.assert_allclose(standing, np.mean(lost) if lost else [np.nan, 0.5][k])


def test_the_matrix_of_a_race_is_what_it_was_told():
    costs = hard_world(5, 9, seed=3)
    run = told(costs, rule="none")
    order = [run.race.instance(step).problem for step in range(9)]
    np.testing.assert_array_equal(run.matrices.costs, costs[[int(name) for name in order]])
    steps, pair = run.matrices.pair(2, 4)
    assert len(steps) == 9
    np.testing.assert_array_equal(pair, run.matrices.costs[:, [1, 3]])


def test_an_empty_matrix_has_no_ranks():
    assert Matrices(ids=(1, 2, 3), costs=np.empty((0, 3))).ranks.shape == (0, 3)


def test_a_place_among_all_does_not_get_worse_because_others_left():
    costs = np.array([[1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, np.nan, np.nan, np.nan]])
    found = Matrices(ids=(1, 2, 3, 4, 5), costs=costs)
    assert found.among_all[0].tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert found.among_all[1, :2].tolist() == [0.25, 0]
    assert np.isnan(found.among_all[1, 2:]).all()
    assert found.relative[1, 0] == 1
