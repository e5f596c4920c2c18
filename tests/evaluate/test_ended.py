"""What the end of a program means: its status, and whether its answer counts."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from racing.core.experiment import Status
from racing.evaluate.command import Command, judge
from racing.evaluate.process import Ended


def terms(**given: Any) -> Command:
    """A command with these limits."""
    return Command("solve", **given)


LIMITED = terms(memory=2**30)


def ended(**changes: Any) -> Ended:
    sound = {"code": 0, "stdout": "7\n", "stderr": "", "seconds": 2.0, "cpu": 1.0, "peak": 0,
             "timed_out": False}  # fmt: skip
    return Ended(**{**sound, **changes})


def test_an_answer_counts_after_success() -> None:
    found = judge(ended(), terms())
    assert (found.score, found.seconds, found.status) == (7.0, 2.0, Status.OK)
    assert judge(ended(code=10), terms(success=(10, 20))).score == 7.0
    assert judge(ended(stdout=""), terms(cost="time")).score == 0.0
    assert judge(ended(stdout=""), terms(), ()).score == 0.0


def test_a_program_may_say_what_it_took() -> None:
    told = ended(stdout='{"cost": 3, "seconds": 0.5}')
    found = judge(told, terms(output="json"))
    assert (found.score, found.seconds) == (3.0, 0.5)


@pytest.mark.parametrize(
    ("end", "limits", "status", "said"),
    [
        ({"stdout": "no"}, terms(), Status.UNREADABLE, "unreadable"),
        ({"code": 3}, terms(), Status.CRASHED, "exit status 3"),
        ({"code": 3}, terms(), Status.CRASHED, "set success: [0, 3]"),
        ({"code": -signal.SIGSEGV}, terms(), Status.CRASHED, "killed by SIGSEGV"),
        ({"code": 1, "stderr": "MemoryError"}, LIMITED, Status.OUT_OF_MEMORY, "1024 MiB"),
        ({"code": -9, "peak": 2**30}, LIMITED, Status.OUT_OF_MEMORY, "SIGKILL"),
        ({"code": 1, "stderr": "MemoryError"}, terms(), Status.CRASHED, "exit status 1"),
        ({"code": -15, "timed_out": True}, terms(timeout=2.0), Status.TIMEOUT, "after 2 s"),
        ({"seconds": 5.02}, terms(timeout=1.0), Status.TIMEOUT, "after 1 s"),
        ({"cpu": 1.5}, terms(cpu_timeout=1.0), Status.TIMEOUT, "1 s of processor time"),
    ],
)  # fmt: skip
def test_each_failure_has_its_status(
    end: dict[str, Any], limits: Command, status: Status, said: str
) -> None:
    found = judge(ended(**end), limits)
    assert found.score is None
    assert found.status is status
    assert said in found.message


def test_time_beyond_the_limit_of_processors_is_no_success() -> None:
    assert judge(ended(cpu=1.0), terms(cpu_timeout=1.0)).status is Status.OK
