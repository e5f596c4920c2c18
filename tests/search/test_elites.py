"""Who are the best."""

from __future__ import annotations

import numpy as np
import pytest

from racing.search import Settings
from racing.search.block import Block
from racing.search.elites import without_inferior

BLOCK = np.array([[3.0, 1.0, 2.0], [3.0, 2.0, 1.5], [9.0, 1.0, 1.0]])


def test_the_best_come_first_by_mean_cost():
    assert Block(BLOCK, "mean").order().tolist() == [1, 2, 0]


def test_ranks_do_not_look_at_sizes():
    block = np.array([[1.0, 2.0], [1.0, 2.0], [900.0, 2.0]])
    assert Block(block, "rank").order().tolist() == [0, 1]
    assert Block(block, "mean").order().tolist() == [1, 0]


def test_who_fails_less_is_better_by_mean():
    block = np.array([[1.0, np.inf], [100.0, 1.0]])
    assert Block(block, "mean").order().tolist() == [0, 1]


@pytest.mark.parametrize("objective", ["mean", "rank"])
def test_equals_keep_their_order(objective):
    assert Block(np.ones((4, 5)), objective).order().tolist() == [0, 1, 2, 3, 4]


def test_one_is_the_best_of_one():
    assert Block(np.ones((2, 1)), "rank").order().tolist() == [0]


def test_the_clearly_inferior_retire_and_the_first_never_does():
    rng = np.random.default_rng(3)
    costs = rng.normal(size=(30, 1)) + 0.1 * rng.normal(size=(30, 3)) + [0.0, 0.01, 1.0]
    stay, block, verdict = without_inferior([4, 5, 6], Block(costs, "mean"), Settings())
    assert len(stay) == block.costs.shape[1] == 2
    [gone] = verdict.eliminated
    assert (gone.candidate, gone.against, gone.threshold) == (6, stay[0], 0.02)
    assert gone.value < 0.02
    assert gone.statistic > 0.8
    assert without_inferior([4], Block(costs[:, :1], "mean"), Settings())[2] is None
