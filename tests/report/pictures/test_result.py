"""Who won: the last pair, the finalists, and what is drawn of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from racing.report.forms import Bars, Intervals, Line, Matrix, Points
from racing.report.pictures.ranks import by_instance
from racing.report.pictures.result import (
    MOST,
    advantages,
    against_default,
    distributions,
    held_out,
    last_pair,
    second_of,
    shared_costs,
    strips,
)
from tests.answer.test_run import after, on_unseen
from tests.report import screens
from tests.report.kit import marks, told
from tests.worlds import normal_world

# --- the last pair: the winner, and the closest other -----------------------------------------


def test_it_counts_wins_on_shared_instances():
    run = told(normal_world(5, 20, seed=3), rule="none")
    second, wins, losses = last_pair(run)
    assert second == run.standing[1].candidate.id
    assert wins + losses == 20


def test_one_candidate_has_no_second():
    assert last_pair(told(np.ones((4, 1)), rule="none")) is None


def test_the_second_is_the_next_of_the_standing_or_the_last_to_leave():
    run = told(normal_world(6, 8, seed=9), rule="none")
    assert second_of(run) == run.standing[1].candidate.id
    single = told(normal_world(5, 60, seed=2, noise=0.2))
    assert len(single.survivors) == 1
    last = max(one.after for one in single.dropped)
    latest = [one.candidate.id for one in single.dropped if one.after == last]
    assert second_of(single) in latest


# --- who the finalists are, and that they are drawn on what all of them ran -------------------


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


# --- strips: the advantage of each finalist over their median, by instance --------------------


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
