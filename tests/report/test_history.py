"""The history of a run: ranks among those that ran, and the course that the race went through."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from racing.log import SQLiteLog
from racing.report import history
from racing.report.history import Matrices
from tests.report.kit import told, told_race, told_search
from tests.worlds import hard_world, normal_world

# --- ranks among those that ran, against scipy's on each row ----------------------------------


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


# --- the course of a run must be what the race went through -----------------------------------


def test_the_marks_of_a_race_follow_its_verdicts():
    run = told(normal_world(8, 30, seed=1, noise=0.3))
    alive, left = 8, {v.instances: len(v.eliminated) for v in run.race.verdicts}
    for mark in run.marks:
        alive = 8 - sum(many for at, many in left.items() if at <= mark.instances)
        assert mark.alive == alive
    assert run.marks[-1].alive == len(run.survivors)
    assert run.marks[-1].evaluations == len(run.outcomes)
    assert [mark.instances for mark in run.marks] == sorted(mark.instances for mark in run.marks)


def test_evaluations_of_a_mark_are_those_of_the_complete_instances():
    run = told(normal_world(6, 20, seed=2, noise=0.3))
    ran = run.matrices.ran
    for mark in run.marks[1:-1]:
        assert mark.evaluations == ran[: mark.instances].sum()


def test_a_run_without_outcomes_has_one_mark():
    run = history(told_race(hard_world(4, 5, seed=1), stop_after=0))
    assert [(mark.evaluations, mark.alive, mark.entered) for mark in run.marks] == [(0, 4, 4)]


def test_the_marks_of_a_search_count_its_elites(tmp_path):
    with SQLiteLog.open(told_search(tmp_path), write=False) as log:
        run = history(log)
    assert run.searching
    last = run.marks[-1]
    assert last.leader == run.winner.id
    assert last.entered == len(run.entrants) > run.marks[0].entered
    assert last.alive == len(run.survivors)
