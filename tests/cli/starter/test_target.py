"""The target of `racing init`: its cost and its moves, against definitions."""

from __future__ import annotations

import random

import pytest

from racing.cli.starter.target import JOBS, changed, lateness, problem, solve


def test_the_cost_is_the_weighted_lateness_of_every_job():
    jobs = [(3, 5, 2), (4, 5, 1), (2, 4, 10)]
    ends = [3, 7, 9]
    late = [max(end - due, 0) * weight for end, (_, due, weight) in zip(ends, jobs, strict=True)]
    assert lateness(jobs) == sum(late) == 2 + 50


def test_an_instance_is_the_same_each_time_and_differs_from_others():
    assert problem("day-1") == problem("day-1") != problem("day-2")
    assert len(problem("day-1")) == JOBS


@pytest.mark.parametrize("move", ["swap", "insert", "reverse"])
def test_a_move_keeps_the_jobs_and_changes_their_order(move):
    jobs = problem("day-1")
    rng = random.Random(4)
    for _ in range(50):
        neighbour = changed(jobs, move, rng)
        assert sorted(neighbour) == sorted(jobs)
        assert neighbour is not jobs


def test_the_answer_is_no_worse_than_the_given_order_and_follows_the_seed():
    values = {"start": 50.0, "end": 0.5, "move": "insert"}
    cost = solve(values, "day-3", 7)
    assert cost == solve(values, "day-3", 7)
    assert 0 <= cost <= lateness(problem("day-3"))
