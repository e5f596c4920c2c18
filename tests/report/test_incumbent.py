"""The incumbent: the leaders in turn, each measured by all that the run knows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from racing.report.forms import Line
from racing.report.pictures import pictures
from racing.report.pictures.course import best_so_far, incumbents
from tests.report.kit import marks, told
from tests.report.states import STATES
from tests.worlds import normal_world


def test_it_ends_with_the_winner_and_changes_at_each_step():
    run = told(normal_world(9, 30, seed=4, noise=0.3))
    found = incumbents(run)
    ids = [one.candidate for one in found]
    assert ids[-1] == run.winner.id
    assert all(one != other for one, other in pairwise(ids))
    assert [one.evaluations for one in found] == sorted(one.evaluations for one in found)


def test_a_gain_is_the_mean_over_shared_instances_without_failures():
    costs = normal_world(4, 12, seed=1, noise=0.2)
    costs[:, 0] += 5
    costs[3, 0] = np.inf
    run = told(costs, rule="none")
    last = incumbents(run)[-1]
    _, shared = run.matrices.pair(last.candidate, 1)
    shared = shared[np.isfinite(shared).all(axis=1)]
    assert last.instances == len(shared) == 11
    assert last.gain == pytest.approx((shared[:, 1] - shared[:, 0]).mean())
    assert last.cost == pytest.approx(shared[:, 0].mean())
    default, best = marks(best_so_far(run), Line)
    assert best.y[0][-1] == pytest.approx(last.gain)
    assert (best.y[1][-1], default.y[1][-1]) == pytest.approx(shared.mean(axis=0), rel=1e-5)
    assert not any(default.y[0])


def test_a_line_of_one_place_is_not_drawn_but_said():
    early = told(normal_world(6, 9, seed=4), stop_after=7, finish=False)
    found = best_so_far(early)
    assert not found.figure
    assert found.sentence.startswith("#2 has led so far; ")
    first = told(normal_world(6, 9, seed=4), stop_after=1, finish=False)
    for one in pictures(first):
        assert one.figure is None or one.figure.begun
    assert best_so_far(told(normal_world(6, 30, seed=4), rule="none")).figure


def test_before_anything_ran_there_is_none():
    assert incumbents(STATES["not begun"]()) == ()
