"""Who takes part in the last race."""

from __future__ import annotations

import itertools

import numpy as np

from racing.search.iterated.iteration import finalists


def largest(elites, missing, room, each):
    """How many fit, by trying every set of the others."""
    most = 0
    for n in range(len(missing) + 1):
        for chosen in itertools.combinations(missing, n):
            needed = sum(chosen) + (elites + n) * each
            most = max(most, elites + n) if needed <= room else most
    return most


def test_the_latest_elites_go_first_then_those_that_miss_the_fewest():
    assert finalists([5, 6], [3, 4, 1], [4, 1, 1], room=30, each_test=1) == [5, 6, 4, 1, 3]
    assert finalists([5, 6], [3, 4, 1], [4, 1, 1], room=5, each_test=1) == [5, 6, 4]


def test_no_more_elites_than_the_budget_covers():
    assert finalists([5, 6, 7], [], [], room=2, each_test=1) == [5, 6]
    assert finalists([5, 6, 7], [], [], room=5, each_test=3) == [5]
    assert finalists([5], [6], [0], room=0, each_test=1) == []


def test_sixteen_at_most():
    assert len(finalists([0], list(range(1, 40)), [0] * 39, room=1000, each_test=1)) == 16


def test_no_set_that_fits_is_larger():
    rng = np.random.default_rng(6)
    for _ in range(100):
        missing = rng.integers(0, 9, rng.integers(0, 7)).tolist()
        room, each = int(rng.integers(3, 40)), int(rng.integers(1, 3))
        found = finalists([100], list(range(len(missing))), missing, room=room, each_test=each)
        assert len(found) == largest(1, missing, room, each)
