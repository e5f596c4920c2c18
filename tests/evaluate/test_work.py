"""Single attempts: what is raised or wrong becomes a crashed outcome, with worker and start."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from racing.base.errors import named
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.groups import Cancelled
from racing.evaluate.work import Plain, attempt
from tests.evaluate.cases import experiment


def raising(error: BaseException) -> Callable[[Experiment, str], Outcome]:
    def evaluate(_: Any) -> Any:
        raise error

    return Plain(evaluate).once


def test_an_outcome_has_its_worker_and_its_start() -> None:
    before = time.time()
    found = attempt(Plain(lambda one: one.outcome(3.0)).once, experiment(), "w-1")
    assert (found.cost, found.worker) == (3.0, "w-1")
    assert before <= found.started <= time.time()


@pytest.mark.parametrize("error", [ValueError("no\nwhy"), SystemExit(2), MemoryError()])
def test_what_is_raised_is_a_crash(error: BaseException) -> None:
    found = attempt(raising(error), experiment(), "w-1")
    assert found.status is Status.CRASHED
    assert found.message == f"crashed: {named(error)}"
    assert "\n" not in found.message


@pytest.mark.parametrize("error", [Cancelled(), KeyboardInterrupt()])
def test_what_the_user_ends_is_no_outcome(error: BaseException) -> None:
    with pytest.raises(type(error)):
        attempt(raising(error), experiment(), "w-1")


def test_what_is_not_the_outcome_of_this_experiment_is_a_crash() -> None:
    for answer in (None, 3.0, experiment(2).outcome(1.0)):
        found = attempt(Plain(lambda _, a=answer: a).once, experiment(1), "w-1")  # type: ignore[misc]
        assert found.status is Status.CRASHED
        assert "not its outcome" in found.message
