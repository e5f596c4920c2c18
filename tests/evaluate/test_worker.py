"""What reports of workers lead to: one that the pool keeps, repeats, or ends with."""

from __future__ import annotations

import pytest

from racing.base.errors import RaceError
from racing.core.experiment import Experiment, Status
from racing.evaluate.workers import Report, Tell, Worker, WorkerPool
from tests.evaluate.cluster_kit import experiments


class Scripted:
    """A worker that reports what a script says, one line for each attempt of all workers."""

    def __init__(self, name: str, tell: Tell, script: list[Report]) -> None:
        self.name, self._tell, self._script = name, tell, script
        self.ended = False

    def start(self, experiment: Experiment) -> None:
        report = self._script.pop(0) if self._script else Report(experiment.outcome(1.0))
        self._tell(self, report)

    def kill(self) -> None: ...

    def end(self) -> None:
        self.ended = True

    def join(self, seconds: float) -> None: ...

    def gone(self) -> bool:
        return True


def pool_of(*script: Report, retries: int = 0) -> tuple[WorkerPool, list[Scripted]]:
    """A pool with one place, and all workers that it has started."""
    workers: list[Scripted] = []
    lines = list(script)

    def spawn(name: str, tell: Tell) -> Worker:
        workers.append(Scripted(name, tell, lines))
        return workers[-1]

    pool = WorkerPool(1, retries=retries, engine="scripted", spawn=spawn, release=lambda: None)
    return pool, workers


ONE = experiments(0.0)[0]
FAILED = ONE.failure(Status.CRASHED, "crashed: no luck")


def outcome_of(*script: Report, retries: int = 0) -> tuple[str, int, int]:
    """Status and attempts of the outcome, and how many workers there were."""
    pool, workers = pool_of(*script, retries=retries)
    with pool:
        pool.submit(ONE)
        [outcome] = pool.wait(10)
    assert all(worker.ended for worker in workers)
    return str(outcome.status), outcome.attempts, len(workers)


@pytest.mark.parametrize(
    ("script", "retries", "expected"),
    [
        ((Report(ONE.outcome(2.0)),), 0, ("ok", 1, 1)),
        ((Report(FAILED),), 0, ("crashed", 1, 1)),
        ((Report(FAILED), Report(FAILED)), 2, ("ok", 3, 1)),
        ((Report(FAILED, alive=False),), 1, ("ok", 2, 2)),
        ((Report(FAILED, alive=False, died=True),), 0, ("ok", 2, 2)),  # that may be an accident
        ((Report(FAILED, alive=False, died=True),) * 2, 0, ("crashed", 2, 2)),
        ((Report(), Report()), 0, ("ok", 1, 1)),  # never started, so it is no attempt
        ((Report(alive=False, unborn="killed"),), 0, ("ok", 1, 2)),
    ],
)
def test_what_a_report_leads_to(
    script: tuple[Report, ...], retries: int, expected: tuple[str, int, int]
) -> None:
    assert outcome_of(*script, retries=retries) == expected


def test_an_engine_that_is_broken_ends_the_pool_with_the_reason() -> None:
    pool, _ = pool_of(Report(alive=False, broken=RaceError("the executor is shut down")))
    with pool:
        pool.submit(ONE)
        with pytest.raises(RaceError, match="the executor is shut down"):
            pool.wait(10)
