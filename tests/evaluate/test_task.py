"""How many attempts an experiment has, by brute force over all short histories."""

from __future__ import annotations

from itertools import product

import pytest

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.evaluate.task import DIED, Task

EXPERIMENT = Experiment(Candidate(1, {}), Instance(0, "a", 7))
ATTEMPTS = {
    "ok": EXPERIMENT.outcome(3.0, seconds=1.0),
    "fails": EXPERIMENT.failure(Status.CRASHED, "crashed: exit status 1", seconds=2.0),
    "dies": EXPERIMENT.failure(Status.CRASHED, f"{DIED} by SIGKILL(-9)", seconds=4.0),
}


def heard(history: tuple[str, ...], retries: int) -> tuple[int, Outcome | None]:
    """How many attempts of a history are made, and what comes of them."""
    task = Task(EXPERIMENT, retries)
    for number, kind in enumerate(history, start=1):
        outcome = task.hear(ATTEMPTS[kind], died=kind == "dies")
        if outcome is not None:
            return number, outcome
    return len(history), None


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_it_ends_with_success_or_when_the_attempts_are_used_up(retries: int) -> None:
    for history in product(ATTEMPTS, repeat=retries + 2):
        made, outcome = heard(history, retries)
        assert outcome is not None, "retries and one accident: never more"
        done = history[:made]
        assert all(kind != "ok" for kind in done[:-1])
        assert (outcome.status is Status.OK) == (done[-1] == "ok")
        assert outcome.attempts == made == len(outcome.earlier) + 1
        if done[-1] != "ok":
            assert made == 1 + retries + ("dies" in done)


def test_the_time_of_accidents_is_not_charged() -> None:
    assert heard(("dies", "ok"), 0)[1].seconds == 1.0  # type: ignore[union-attr]
    assert heard(("fails", "ok"), 1)[1].seconds == 3.0  # type: ignore[union-attr]
    assert heard(("dies", "dies"), 0)[1].seconds == 4.0  # type: ignore[union-attr]


def test_what_is_said() -> None:
    assert heard(("fails",), 0)[1].message == "crashed: exit status 1"  # type: ignore[union-attr]
    twice = "crashed: its worker process died twice, lastly by SIGKILL(-9)"
    assert heard(("dies", "dies"), 0)[1].message == twice  # type: ignore[union-attr]
    assert heard(("dies", "fails"), 0)[1].message == (  # type: ignore[union-attr]
        "attempt 1 of 2: crashed: its worker process died by SIGKILL(-9)\n"
        "attempt 2 of 2: crashed: exit status 1"
    )
