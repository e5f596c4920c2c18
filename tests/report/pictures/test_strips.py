"""Strips: the advantage of each finalist over their median, by instance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from racing.report.forms import Matrix, Points
from racing.report.pictures.ranks import by_instance
from racing.report.pictures.result import (
    advantages,
    against_default,
    held_out,
    shared_costs,
    strips,
)
from tests.answer.test_run import after, on_unseen
from tests.report.kit import marks, told


def test_advantages_and_medians_are_those_of_the_costs():
    run = told(np.random.default_rng(2).normal(size=(9, 3)), rule="none")
    ids, _, costs = shared_costs(run)
    ahead = advantages(costs)
    assert ahead == pytest.approx(np.median(costs, axis=1)[:, None] - costs)
    *dots, medians = marks(strips(run), Points)
    assert medians.x[0] == pytest.approx(np.median(ahead, axis=0))
    assert medians.x[1] == pytest.approx(np.median(costs, axis=0))
    rows = [round(y) for one in dots for y in one.y[0]]
    assert sorted(rows) == [row for row in range(len(ids)) for _ in costs]
    for choice, numbers in enumerate((ahead, costs)):
        drawn = [x for one in dots for x in one.x[choice]]
        for row in range(len(ids)):
            own = [x for x, at in zip(drawn, rows, strict=True) if at == row]
            assert own == pytest.approx(numbers[:, row], rel=1e-3, abs=1e-4)


def test_scores_to_be_large_are_ahead_where_they_are_large():
    run = told(-np.random.default_rng(2).normal(size=(9, 3)), rule="none", direction="maximize")
    *dots, _ = marks(strips(run), Points)
    for one in dots:
        assert np.corrcoef(one.x[1], one.x[0])[0, 1] > 0


def test_failures_are_told_apart_also_where_most_fail():
    costs = np.random.default_rng(2).normal(size=(9, 4))
    costs[:3, 1:] = np.inf
    ahead = advantages(costs)
    assert (ahead[:3, 1:] == -np.inf).all()
    assert (ahead[:3, 0] == np.inf).all(), "the only one that did not fail"
    *dots, _ = marks(strips(told(costs, rule="none")), Points)
    (failed,) = [one for one in dots if one.name == "failed"]
    assert failed.symbol == "triangle"
    assert sorted(round(y) for y in failed.y[0]) == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_failures_with_a_penalty_are_marked_as_failures():
    costs = np.random.default_rng(2).normal(size=(9, 3))
    costs[:2, 1] = np.inf
    run = told(costs, rule="none", on_failure={"penalty": 9.0})
    assert run.winner.id != 2
    assert np.isfinite(run.race.results.costs).all()
    (failed,) = [one for one in marks(strips(run), Points) if one.name == "failed"]
    assert (failed.symbol, list(failed.x[1])) == ("triangle", [9.0, 9.0])
    assert sorted(row[-1] for row in strips(run).table.rows) == [0, 0, 2]
    (matrix,) = marks(by_instance(run), Matrix)
    assert matrix.keys[-1].label == "failed"
    assert sum(row.count(len(matrix.keys) - 1) for row in matrix.cells) == 2


def test_a_failure_with_a_penalty_is_marked_beside_the_default():
    costs = np.random.default_rng(2).normal(size=(9, 2)) - [0, 5]
    costs[:2, 0] = np.inf
    found = against_default(told(costs, rule="none", on_failure={"penalty": 9.0}))
    (failed,) = [one for one in marks(found, Points) if one.name == "failed"]
    assert (failed.symbol, list(failed.x[0])) == ("triangle", [9.0, 9.0])
    assert "#1 failed on 2." in found.sentence


def test_a_failure_with_a_penalty_is_marked_on_unseen_problems():
    run = told(np.random.default_rng(2).normal(size=(9, 2)) - [0, 5], rule="none")
    unseen = np.array([[1.0, 9.0], [2.0, 3.0], [1.5, 9.0]])
    tested = on_unseen(run.winner, run.race.baseline, unseen)
    (failed,) = [
        one
        for one in marks(held_out(after(run, replace(tested, failed=unseen == 9))), Points)
        if one.name == "failed"
    ]
    assert (failed.symbol, list(failed.x[0])) == ("triangle", [9.0, 9.0])


def test_few_shared_instances_are_too_few():
    found = strips(told(np.random.default_rng(2).normal(size=(4, 3)), rule="none"))
    assert not found.figure
    assert "five instances" in found.sentence


def test_right_or_wrong_is_no_strip():
    costs = (np.random.default_rng(2).random((20, 3)) < 0.4).astype(float)
    assert "two values" in strips(told(costs, rule="none")).sentence
