"""Runs that ended and runs that were stopped: what is taken for which, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats.running_times import Runs


def test_a_time_below_the_cutoff_is_solved():
    runs = Runs.of([3, 10, 12, np.inf, 0], cutoff=10, solved=None)
    assert runs.effort.tolist() == [3, 10, 10, 10, 0]
    assert runs.solved.tolist() == [True, False, False, False, True]


def test_without_a_cutoff_all_are_solved():
    assert Runs.of([3, 10], cutoff=None, solved=None).solved.all()


def test_told_flags():
    runs = Runs.of([3, 10, 7], cutoff=None, solved=[True, True, False])
    assert runs.effort.tolist() == [3, 10, 7]
    at_the_cutoff = Runs.of([10, 10], cutoff=10, solved=[True, False])
    assert at_the_cutoff.solved.tolist() == [True, False]


def test_a_cutoff_for_each_run():
    runs = Runs.of([5, 5, np.inf], cutoff=[4, 6, 9], solved=None)
    assert runs.effort.tolist() == [4, 5, 9]
    assert runs.solved.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("times", "cutoff", "solved", "says"),
    [
        ([-1.0], None, None, "0 or more; got -1"),
        ([np.nan], None, None, "NaN"),
        ([], None, None, "one or more"),
        ([1.0, np.inf], None, None, "position 1 is infinite; give the cutoff"),
        ([1.0], 0, None, "cutoff must be a number above 0"),
        ([1.0], [1, 2], None, "one for each of 1 runs"),
        ([1.0], np.nan, None, "cutoff"),
        ([1.0], "x", None, "cutoff"),
        ([1.0], 5, [1], "solved must be true or false"),
        ([1.0], 5, [True, False], "each of 1 runs"),
        ([7.0], 5, [True], "position 0 is solved after its cutoff: 7 > 5"),
    ],
)
def test_refusals(times, cutoff, solved, says):
    with pytest.raises(InputError, match=says):
        Runs.of(times, cutoff=cutoff, solved=solved)
