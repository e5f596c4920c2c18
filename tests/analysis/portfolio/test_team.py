"""What the members of a team add."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.portfolio.team import certain_scores, contributions
from tests.analysis.portfolio.kit import NAN, types_world


def test_a_member_adds_what_is_lost_without_it():
    scores = types_world(20, 5, types=2, seed=1)
    for column, added in enumerate(contributions(scores, (0, 3, 4))):
        rest = [one for place, one in enumerate((0, 3, 4)) if place != column]
        assert added == pytest.approx(
            scores[:, rest].min(1).mean() - scores[:, [0, 3, 4]].min(1).mean()
        )
    assert np.isnan(contributions(scores, (2,))).all()


def test_a_copy_adds_nothing():
    scores = types_world(20, 5, types=2, seed=1)
    scores[:, 1] = scores[:, 0]
    assert contributions(scores, (0, 1)).tolist() == [0, 0]


# --- what was not run is never better than anything that is known there ---


INF = np.inf


def test_a_cell_that_was_not_run_has_the_worst_score_known_there():
    costs = np.array([[1.0, 3.0, NAN], [5.0, NAN, NAN]])
    assert certain_scores(costs, "mean").tolist() == [[1, 3, 3], [5, 5, 5]]


def test_a_failure_is_one_range_above_the_worst_of_all():
    costs = np.array([[1.0, INF, NAN], [5.0, 4.0, 2.0]])
    assert certain_scores(costs, "mean").tolist() == [[1, 9, 9], [5, 4, 2]]


def test_places_are_among_those_that_ran_and_failures_before_what_did_not():
    costs = np.array([[4.0, 2.0, INF, NAN], [1.0, 1.0, 3.0, 5.0], [NAN, 7.0, NAN, NAN]])
    assert certain_scores(costs, "rank").tolist() == [
        [0.5, 0, 1, 1],
        [0.5 / 3, 0.5 / 3, 2 / 3, 1],
        [0.5, 0.5, 0.5, 0.5],
    ]


@pytest.mark.parametrize("objective", ["mean", "rank"])
@pytest.mark.parametrize("seed", range(5))
def test_what_is_revealed_never_makes_a_known_team_worse_on_that_instance(objective, seed):
    rng, costs = np.random.default_rng(seed), types_world(8, 6, types=3, seed=seed)
    costs[rng.random(costs.shape) < 0.4] = NAN
    costs[:, 0] = rng.normal(size=8)
    scores = certain_scores(costs, objective)
    assert np.isfinite(scores).all()
    worst = np.where(np.isnan(costs), -INF, scores).max(axis=1)
    assert (scores <= worst[:, None]).all()
