"""What a run is doing just now: the rate, the workers, the latest failures."""

from __future__ import annotations

import math

import pytest

from racing.core.experiment import Outcome, Status
from racing.report.watched import KEPT, WINDOW, activity


def outcome(k: int, *, elapsed: float, worker: str = "loky-1", failed: bool = False) -> Outcome:
    status = Status.CRASHED if failed else Status.OK
    cost = math.inf if failed else 1.0
    return Outcome(k, 0, cost, 2.0, status, f"no {k}", elapsed=elapsed, worker=worker)


def test_nothing_is_known_of_a_run_without_outcomes() -> None:
    found = activity([])
    assert found.rate is None
    assert (found.workers, found.failures) == ((), ())


def test_the_rate_is_that_of_the_latest_time() -> None:
    slow = [outcome(k, elapsed=100.0 * k) for k in range(10)]
    fast = [outcome(10 + k, elapsed=2000.0 + k) for k in range(int(WINDOW) + 1)]
    assert activity(slow + fast).rate == pytest.approx(1.0)
    assert activity(slow).rate == pytest.approx(0.01)


def test_workers_by_number_with_what_they_finished_last() -> None:
    told = [outcome(k, elapsed=4.0 * k, worker=f"loky-{11 - k % 11}") for k in range(22)]
    workers = activity(told).workers
    assert [one.name for one in workers] == [f"loky-{k}" for k in range(1, 12)]
    assert sum(one.evaluations for one in workers) == 22
    assert workers[0].last == told[21]
    assert workers[0].busy == pytest.approx(4.0 / 46.0)  # 2 s, then 2 of the next 44 s


def test_the_latest_failures_come_first() -> None:
    told = [outcome(k, elapsed=float(k), failed=k % 2 == 0) for k in range(12)]
    assert [one.candidate for one in activity(told).failures] == [10, 8, 6][:KEPT]
