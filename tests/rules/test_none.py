"""The rule that drops nobody."""

from __future__ import annotations

import numpy as np
import pytest

from racing.rules import Keep
from tests.rules.seen import judge, noisy


@pytest.mark.parametrize("costs", [noisy(7, 9, seed=0), np.ones((1, 1)), np.full((3, 2), np.inf)])
def test_nobody_is_dropped_and_no_test_is_made(costs):
    verdict = judge(Keep(), costs)
    assert verdict.eliminated == ()
    assert verdict.gate is None
    assert verdict.instances == len(costs)


def test_the_leader_is_the_best_by_the_objective():
    costs = np.array([[1.0, 2.0]] * 3 + [[100.0, 2.0]])
    assert judge(Keep(), costs, objective="rank").leader == 1
    assert judge(Keep(), costs, objective="mean").leader == 2
