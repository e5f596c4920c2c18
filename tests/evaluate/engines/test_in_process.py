"""The engine in this very process: one experiment at a time, when it is waited for."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError, RaceError
from racing.core.experiment import Experiment, Outcome
from racing.evaluate.engines.in_process import InProcessPool, open_
from racing.evaluate.work import Plain
from tests.evaluate.cases import experiment


def test_experiments_run_in_order_when_they_are_waited_for() -> None:
    ran: list[int] = []

    def evaluate(one: Experiment) -> Outcome:
        ran.append(one.candidate.id)
        return one.outcome(1.0)

    with InProcessPool(Plain(evaluate)) as pool:
        for number in (3, 1, 2):
            pool.submit(experiment(number))
        assert ran == []
        assert [pool.wait()[0].candidate for _ in range(3)] == ran == [3, 1, 2]
        assert pool.wait() == []


def test_what_is_dropped_does_not_run() -> None:
    with InProcessPool(Plain(lambda one: one.outcome(1.0))) as pool:
        for number in (1, 2, 3):
            pool.submit(experiment(number))
        pool.drop([experiment(1), experiment(2)])
        assert pool.running == 1
        assert [one.candidate for one in pool.wait()] == [3]


def test_a_failed_attempt_is_repeated_as_often_as_the_work_says() -> None:
    attempts: list[int] = []

    def evaluate(one: Experiment) -> Outcome:
        attempts.append(1)
        if len(attempts) < 3:
            raise ValueError
        return one.outcome(5.0)

    with InProcessPool(Plain(evaluate, retries=2)) as pool:
        pool.submit(experiment())
        assert [one.cost for one in pool.wait()] == [5.0]
    assert len(attempts) == 3


def test_it_has_one_worker_and_takes_nothing_after_its_end() -> None:
    work = Plain(lambda one: one.outcome(1.0))
    with pytest.raises(InputError, match="jobs is 2"):
        open_(work, 2)
    pool = open_(work, 1)
    with pytest.raises(InputError, match="new size is 3"):
        pool.resize(3)
    pool.close()
    with pytest.raises(RaceError, match="cancelled"):
        pool.submit(experiment())
