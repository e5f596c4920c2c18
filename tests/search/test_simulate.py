"""The made-up clock."""

from __future__ import annotations

import pytest

from racing.core.budget import Budget
from racing.search.search_plan import simulate


def test_one_worker_never_waits():
    done = simulate(Budget(evaluations=120), window=5, workers=1)
    assert done.use == pytest.approx(1.0)
    assert done.evaluations == sum(done.parts.values())


def test_what_is_decided_does_not_depend_on_the_workers():
    one = simulate(Budget(evaluations=200), window=12, workers=1, seconds=2.0)
    many = simulate(Budget(evaluations=200), window=12, workers=7, seconds=2.0)
    assert (one.evaluations, one.challengers, one.instances) == (
        many.evaluations,
        many.challengers,
        many.instances,
    )
    assert many.hours < one.hours / 3


def test_a_window_of_four_per_worker_keeps_two_busy():
    assert simulate(Budget(evaluations=600), window=8, workers=2).use > 0.93
