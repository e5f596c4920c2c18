"""Who the finalists are, and that they are drawn on what all of them ran."""

from __future__ import annotations

import numpy as np
import pytest

from racing.report.forms import Bars, Intervals, Line, Points
from racing.report.pictures.result import MOST, distributions, held_out, shared_costs, strips
from tests.report import screens
from tests.report.kit import told
from tests.worlds import normal_world


def test_survivors_come_first_and_share_all_instances():
    run = told(normal_world(12, 30, seed=2, noise=1.0), rule="none")
    ids, steps, _ = shared_costs(run)
    assert ids == [one.candidate.id for one in run.standing[:MOST]]
    assert len(steps) == 30


def test_those_who_left_last_fill_up_as_far_as_they_share_enough():
    run = told(normal_world(8, 40, seed=2, noise=0.4))
    ids, steps, costs = shared_costs(run)
    assert ids[0] == run.winner.id
    assert len(steps) >= run.race.instances_seen / 2
    assert not np.isnan(costs).any()


def test_few_instances_are_not_compared():
    assert shared_costs(told(normal_world(5, 4, seed=1), rule="none")) is None
    assert shared_costs(told(np.ones((9, 1)), rule="none")) is None


def test_boxes_have_quartiles_and_lines_shares_without_failures():
    scores = np.column_stack([np.arange(1.0, 10), np.full(9, 3.0)])
    scores[8, 0] = np.inf
    boxes, shares = distributions(["a", "b"], scores, "score")
    whiskers, box, median = boxes.marks
    assert isinstance(whiskers, Intervals)
    assert isinstance(box, Bars)
    assert isinstance(median, Points)
    own = np.quantile(np.arange(1.0, 9), [0, 0.25, 0.5, 0.75, 1])
    found = [of[0] for of in (whiskers.low[0], box.x0[0], median.x[0], box.x1[0], whiskers.high[0])]
    assert found == pytest.approx(own)
    first, second = shares.marks
    assert isinstance(first, Line)
    assert first.x[0] == tuple(np.arange(1.0, 9))
    assert first.y[0][-1] == pytest.approx(8 / 9, abs=1e-3), "one of nine failed"
    assert second.y[0][-1] == 1


def test_of_scores_to_be_large_failures_come_before_the_first_step():
    _, shares = distributions(["a"], np.array([[-np.inf], [1.0], [2.0], [3.0]]), "score")
    assert shares.marks[0].y[0] == (0.5, 0.75, 1.0)


def test_finalists_and_unseen_problems_are_drawn_as_points_boxes_and_distributions(tmp_path):
    drawn = strips(told(normal_world(8, 40, seed=2, noise=0.4)))
    assert [plot.name for plot in drawn.figure.plots] == ["points", "boxes", "distributions"]
    run = screens.tested(tmp_path, seed=1)
    drawn = held_out(run)
    assert [plot.name for plot in drawn.figure.plots] == ["each problem", "boxes", "distributions"]
    costs = run.tested("winner").costs
    medians = drawn.figure.plots[1].marks[-1].x[0]
    assert medians == pytest.approx(np.median(costs, axis=0))
