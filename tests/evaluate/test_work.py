"""Single attempts: what is raised or wrong becomes a crashed outcome, with worker and start."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from racing.base.errors import named
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.evaluate import work
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


# --- experiments as bytes -------------------------------------------------------------------------


PLAIN = Experiment(Candidate(1, {"x": 0.5, "mode": "a", "on": True}), Instance(0, "a", 7))


@pytest.mark.parametrize("problem", ["a", 3, {"size": 4}, Decimal(2), lambda: 5])
def test_what_is_unpacked_is_what_was_packed(problem: object) -> None:
    experiment = Experiment(PLAIN.candidate, Instance(0, "i0", 7, problem))
    found = pickle.loads(work.experiment_bytes(experiment))
    if callable(problem):
        assert found.instance.problem() == problem()
    else:
        assert found == experiment


def test_plain_values_take_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "as_bytes", lambda value: b"the long way")
    assert pickle.loads(work.experiment_bytes(PLAIN)) == PLAIN
    odd = Experiment(Candidate(1, {"x": Decimal(1)}), PLAIN.instance)  # type: ignore[dict-item]
    assert work.experiment_bytes(odd) == b"the long way"
