"""The history of a search: what decided configurations came to, beside the elites."""

from __future__ import annotations

import math

import numpy as np
import pytest

from racing.search.history import History, Past


def history(objective: str = "mean", dimension: int = 2) -> History:
    return History(dimension, objective, rows=lambda points: points)  # type: ignore[arg-type]


def filled(objective: str, n: int, seed: int = 1):
    """A history of n, and what was added."""
    rng, made, added = np.random.default_rng(seed), history(objective), []
    for _ in range(n):
        steps = rng.permutation(90)[: rng.integers(1, 12)].tolist()
        costs = rng.normal(size=len(steps))
        point = rng.random(2)
        made.add(point, steps, costs)
        added.append((point, steps, costs))
    return made, added


@pytest.mark.parametrize("objective", ["mean", "rank"])
@pytest.mark.parametrize("count", [1, 64, 150])
def test_scores_are_those_of_a_plain_loop(objective, count):
    made, added = filled(objective, 150)
    block = np.random.default_rng(2).normal(size=(70, 4))
    scores, met = made.behind(count, block)
    for i, (point, steps, costs) in enumerate(added[:count]):
        seen = [(step, cost) for step, cost in zip(steps, costs, strict=True) if step < 70]
        if objective == "mean":
            each = [cost - block[step].mean() for step, cost in seen]
        else:
            each = [(block[step] < cost).mean() for step, cost in seen]
        assert met[i] == len(seen)
        assert scores[i] == pytest.approx(np.mean(each) if each else 0.0)
        assert made.points(count)[i].tolist() == point.tolist()


def test_ties_with_the_block_count_half():
    made = history("rank")
    made.add(np.zeros(2), [0], np.array([1.0]))
    assert made.behind(1, np.array([[0.0, 1.0, 2.0, 3.0]]))[0].tolist() == [0.375]


@pytest.mark.parametrize("others", [[0.0, 2.0], [1.0], []])
def test_who_failed_is_one_range_behind_the_last(others):
    made = history()
    for cost in (*others, math.inf):
        made.add(np.zeros(2), [0], np.array([cost]))
    scores = made.behind(len(made), np.zeros((1, 4)))[0]
    low, high = (min(others), max(others)) if others else (0.0, 0.0)
    assert scores[-1] == high + ((high - low) or 1.0)


def test_elites_that_fail_on_an_instance_do_not_set_its_level():
    made = history()
    made.add(np.zeros(2), [0, 1], np.array([3.0, 5.0]))
    block = np.array([[1.0, math.inf], [math.inf, math.inf]])
    assert made.behind(1, block)[0].tolist() == [(2 + 5) / 2]


def test_elites_may_have_met_more_instances_than_anybody_here():
    made = history()
    made.add(np.zeros(2), [3], np.array([2.0]))
    for instances in (4, 64, 65, 400):
        scores, met = made.behind(1, np.ones((instances, 2)))
        assert (scores.tolist(), met.tolist()) == ([1.0], [1])


def test_a_past_does_not_change_when_the_history_grows():
    made, _ = filled("mean", 64)
    past, block = Past(made, len(made)), np.zeros((20, 3))
    points, scores = past.points.copy(), past.behind(block)[0]
    for step in range(100, 300, 10):
        made.add(np.ones(2), [step], np.array([0.5]))
    assert len(past) == 64
    assert np.array_equal(past.points, points)
    assert np.array_equal(past.behind(block)[0], scores)
