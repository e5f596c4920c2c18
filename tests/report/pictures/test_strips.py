"""Strips: the advantage of each finalist over their median, by instance."""

from __future__ import annotations

import numpy as np
import pytest

from racing.report.forms import Points
from racing.report.pictures.result import advantages, shared_costs, strips
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


def test_few_shared_instances_are_too_few():
    found = strips(told(np.random.default_rng(2).normal(size=(4, 3)), rule="none"))
    assert not found.figure
    assert "five instances" in found.sentence


def test_right_or_wrong_is_no_strip():
    costs = (np.random.default_rng(2).random((20, 3)) < 0.4).astype(float)
    assert "two values" in strips(told(costs, rule="none")).sentence
