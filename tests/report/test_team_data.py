"""A team on unseen instances, as data and in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from racing.analysis.portfolio.unseen import UnseenTeam
from racing.core.candidate import Candidate
from racing.core.gain import gain
from racing.report.team_data import unseen_team_data

A, B, DEFAULT = Candidate(4, {"x": 1}), Candidate(7, {"x": 2}), Candidate(1, {"x": 0}, "default")


def found(costs, single=A, default=DEFAULT, other=2.0):
    best = costs.min(axis=1)
    pairs = np.column_stack([best, np.full(len(best), other)])
    over = gain(pairs, pairs[:0])
    return UnseenTeam(
        team=(A, B), single=single, default=default, instances=tuple(map(str, range(len(costs)))),
        costs=costs, over_single=over, over_default=None if default is None else over,
    )  # fmt: skip


COSTS = np.abs(np.random.default_rng(1).normal(size=(12, 2)))


def test_a_gain_is_called_one_where_its_interval_is_above_0():
    data = unseen_team_data(found(COSTS), "minimize")
    assert len(data["answer"]) == 2
    assert (
        "the run has not seen, the team #4 and #7 is better than one run of #4 by 1."
        in data["answer"][0]
    )
    assert "is better than one run of default by 1." in data["answer"][1]
    assert data["mean"] == COSTS.min(axis=1).mean()
    said = unseen_team_data(found(COSTS, other=0.4), "minimize")["answer"][0]
    assert "is not shown to be better than one run of #4: " in said


def test_beside_one_run_it_is_said_that_the_team_has_several():
    said = unseen_team_data(found(COSTS), "minimize")["answer"][0]
    assert said.endswith("the best of several runs cannot be worse than one of them.")


def test_a_gain_over_as_many_runs_comes_before_that_over_one():
    once = found(COSTS)
    again = gain(np.column_stack([COSTS.min(axis=1), COSTS.min(axis=1) + 0.1]), COSTS[:0])
    told = replace(once, single_repeated=again, default_repeated=again)
    data = unseen_team_data(told, "minimize")
    assert "is better than the best of 2 runs of #4 by 0.1 on average" in data["answer"][0]
    assert "Beside one run it is 1." in data["answer"][1]
    assert data["over_single_repeated"]["mean"] == again.mean
    assert told.shown
    none = replace(again, low=-0.1)
    assert not replace(told, single_repeated=none).shown, "though beside one run it is"


def test_the_default_is_told_once_and_only_if_it_is_there():
    assert len(unseen_team_data(found(COSTS, default=None), "minimize")["answer"]) == 1
    assert len(unseen_team_data(found(COSTS, single=DEFAULT), "minimize")["answer"]) == 1


def test_scores_are_in_the_users_direction_and_failures_are_counted():
    costs = -COSTS
    costs[0] = np.inf
    data = unseen_team_data(found(costs), "maximize")
    assert data["failures"] == 1
    assert data["mean"] == -costs[1:].min(axis=1).mean()
    assert "the team failed 1 time, " in data["answer"][0]
    assert data["costs"][1]["scores"] == COSTS[1].tolist()
