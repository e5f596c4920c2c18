"""A few random faults; `python -m tests.chaos` has many."""

from __future__ import annotations

import sys

import pytest

from tests.chaos.check import check


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds processes in /proc")
@pytest.mark.parametrize("search", [False, True], ids=["race", "search"])
def test_a_disturbed_run_comes_to_the_same_end(tmp_path, search):
    tally = check(tmp_path, search=search, faults=4, evaluations=80, seed=8, engine="loky")
    assert sum(tally.faults.values()) > 0
