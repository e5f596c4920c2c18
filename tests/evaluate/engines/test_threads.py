"""The engine of threads: several experiments at a time, each reported once."""

from __future__ import annotations

import threading

from racing.core.experiment import Experiment, Outcome
from racing.evaluate.engines.threading import ThreadWorker, open_
from racing.evaluate.work import Plain
from racing.evaluate.workers import Report, Worker
from tests.evaluate.cases import experiment


def test_as_many_run_at_a_time_as_there_are_threads() -> None:
    together = threading.Barrier(3, timeout=60)

    def evaluate(one: Experiment) -> Outcome:
        together.wait()  # breaks unless three are here
        return one.outcome(float(one.candidate.id))

    with open_(Plain(evaluate), 3) as pool:
        for number in range(1, 4):
            pool.submit(experiment(number))
        found = [one for _ in range(3) for one in (pool.wait() if pool.running else [])]
    assert sorted(one.cost for one in found) == [1.0, 2.0, 3.0]


def test_a_thread_reports_each_attempt_and_ends() -> None:
    reports: list[tuple[str, Report]] = []
    told = threading.Event()

    def tell(worker: Worker, report: Report) -> None:
        reports.append((worker.name, report))
        told.set()

    worker = ThreadWorker(Plain(lambda one: one.outcome(2.0)), "t-1", tell)
    worker.start(experiment())
    assert told.wait(60)
    [(name, report)] = reports
    assert name == "t-1"
    assert report.outcome is not None
    assert (report.outcome.cost, report.alive, report.died) == (2.0, True, False)
    worker.end()
    worker.join(60)
    assert worker.gone()
