"""Scores become costs once, and failures are tried again as often as told."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import pytest

from racing.base.errors import InputError
from racing.core.experiment import Status
from racing.core.failures import OnFailure
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from tests.evaluate.cases import experiment


def constant(score: float, direction: Any) -> Any:
    return Evaluator(Function(python=lambda *_: score), direction=direction)(experiment())


@pytest.mark.parametrize(
    ("score", "direction", "cost", "status"),
    [
        (3, "minimize", 3, Status.OK),
        (3, "maximize", -3, Status.OK),
        (-2.5, "maximize", 2.5, Status.OK),
        (math.inf, "minimize", math.inf, Status.UNREADABLE),
        (-math.inf, "maximize", math.inf, Status.UNREADABLE),
        (math.inf, "maximize", math.inf, Status.UNREADABLE),
        (-math.inf, "minimize", math.inf, Status.UNREADABLE),
    ],
)
def test_direction(score: float, direction: str, cost: float, status: Status) -> None:
    outcome = constant(score, direction)
    assert (outcome.cost, outcome.status) == (cost, status)


def test_nothing_to_maximize_is_plain_zero() -> None:
    assert math.copysign(1, constant(0.0, "maximize").cost) == 1


def test_retries_end_with_success() -> None:
    answers = iter(["no", None, {"cost": 4, "seconds": 1}])
    target = Function(python=lambda *_: next(answers))
    outcome = Evaluator(target, on_failure=OnFailure(retries=5))(experiment())
    assert (outcome.cost, outcome.status, outcome.attempts) == (4, "ok", 3)
    assert outcome.seconds >= 1
    assert outcome.message == (
        'attempt 1 of 3: unreadable: the result must be a number; got "no"\n'
        "attempt 2 of 3: unreadable: the result must be a number; got None"
    )


def test_retries_run_out() -> None:
    answers = iter([math.nan, -math.inf, "no"])
    target = Function(python=lambda *_: next(answers))
    outcome = Evaluator(target, on_failure=OnFailure(policy="stop", retries=2))(experiment())
    assert (outcome.cost, outcome.status, outcome.attempts) == (math.inf, "unreadable", 3)
    assert [line[:15] for line in outcome.message.splitlines()] == [
        f"attempt {number} of 3:" for number in (1, 2, 3)
    ]


def test_the_time_of_all_attempts_counts(tmp_path: Path) -> None:
    target = Command(command="sh -c 'sleep 0.05; exit 1'")
    outcome = Evaluator(target, on_failure=OnFailure(retries=2))(experiment())
    assert outcome.attempts == 3
    assert outcome.seconds >= 0.15


def test_it_is_sent_without_what_runs() -> None:
    evaluator = Evaluator(
        Command(command="echo {parameters}"), direction="maximize", switches={"alpha": "-a "}
    )
    evaluator.cancel()
    for again in (pickle.loads(pickle.dumps(evaluator)), evaluator.guarded()):
        assert again == evaluator
        assert hash(again) == hash(evaluator)
        assert again(experiment(alpha=5)).cost == -5
        again.close()


def test_refused() -> None:
    with pytest.raises(InputError, match='direction must be minimize or maximize; got "up"'):
        Evaluator(Function(python="a:b"), direction="up")  # type: ignore[arg-type]
    with pytest.raises(InputError, match='policy must be worst, rate or stop; got "ignore"'):
        OnFailure(policy="ignore")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="retries must be a whole number, 0 or more; got -1"):
        OnFailure(retries=-1)
