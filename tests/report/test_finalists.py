"""Who the finalists are, and that they are compared on what all of them ran."""

from __future__ import annotations

import numpy as np

from racing.report.pictures.finalists import MOST, _distinct, finalists
from tests.report.kit import told
from tests.worlds import normal_world


def test_survivors_come_first_and_share_all_instances():
    run = told(normal_world(12, 30, seed=2, noise=1.0), rule="none")
    found = finalists(run)
    best = [str(one.candidate) for one in run.standing[:MOST]]
    assert list(found.names) == best
    assert found.table.n == 30


def test_those_who_left_last_fill_up_as_far_as_they_share_enough():
    run = told(normal_world(8, 40, seed=2, noise=0.4))
    found = finalists(run)
    assert found.names[0] == str(run.winner)
    assert found.table.n >= run.race.instances_seen / 2
    assert not np.isnan(found.table.costs).any()


def test_few_instances_are_not_compared():
    assert finalists(told(normal_world(5, 4, seed=1), rule="none")) is None
    assert finalists(told(np.ones((9, 1)), rule="none")) is None


def test_names_are_told_apart():
    assert _distinct(["a", "b", "a", "a"]) == ["a", "b", "a (2)", "a (3)"]
