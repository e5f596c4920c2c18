"""What the end of a worker process of loky's says of the attempt in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.engines.leftovers import Leftovers
from racing.evaluate.engines.loky import LokyWorker
from racing.evaluate.groups import Groups
from racing.evaluate.worker import Report

EXPERIMENT = Experiment(Candidate(1, {}), Instance(0, "a", 5))


@pytest.fixture
def worker() -> Iterator[LokyWorker]:
    """A worker that was ready, and whose process is never started."""
    running = Groups()
    found = LokyWorker("one", b"", 1.0, running, lambda worker, report: None, Leftovers())
    found._process.ready_at = 0.0
    yield found
    found.end()
    running.close()


def death(worker: LokyWorker, *, hung_in: str, stopped: bool) -> Report:
    """What is told of an attempt whose process was ended."""
    worker._process.hung_in = lambda: hung_in  # type: ignore[method-assign]
    return worker._death(EXPERIMENT, RuntimeError("it died"), stopped=stopped)


def test_a_process_that_does_not_react_to_its_alarm_timed_out(worker: LokyWorker) -> None:
    report = death(worker, hung_in="File solve.py, line 3", stopped=False)
    assert report.outcome is not None
    assert report.outcome.status == "timeout"
    assert not report.died


def test_one_that_was_stopped_with_all_others_begins_again(worker: LokyWorker) -> None:
    assert death(worker, hung_in="File solve.py, line 3", stopped=True) == Report(alive=False)


@pytest.mark.parametrize("stopped", [False, True])
def test_one_that_ends_by_itself_died(worker: LokyWorker, stopped: bool) -> None:
    report = death(worker, hung_in="", stopped=stopped)
    assert report.outcome is not None
    assert report.outcome.status == "crashed"
    assert report.died
