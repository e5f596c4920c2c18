"""What the end of a program means: its status, and whether its answer counts."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from racing.core.experiment import Status
from racing.evaluate.ended import Ended, Terms, judge

LIMITED = Terms(memory=2**30)


def ended(**changes: Any) -> Ended:
    sound = {"code": 0, "stdout": "7\n", "stderr": "", "seconds": 2.0, "cpu": 1.0, "peak": 0,
             "timed_out": False}  # fmt: skip
    return Ended(**{**sound, **changes})


def test_an_answer_counts_after_success() -> None:
    found = judge(ended(), Terms())
    assert (found.score, found.seconds, found.status) == (7.0, 2.0, Status.OK)
    assert judge(ended(code=10), Terms(success=(10, 20))).score == 7.0
    assert judge(ended(stdout=""), Terms(output="none")).score == 0.0


def test_a_program_may_say_what_it_took() -> None:
    told = ended(stdout='{"cost": 3, "seconds": 0.5}')
    found = judge(told, Terms(output="json"))
    assert (found.score, found.seconds) == (3.0, 0.5)


@pytest.mark.parametrize(
    ("end", "terms", "status", "said"),
    [
        ({"stdout": "no"}, Terms(), Status.UNREADABLE, "unreadable"),
        ({"code": 3}, Terms(), Status.CRASHED, "exit status 3"),
        ({"code": 3}, Terms(), Status.CRASHED, "set success: [0, 3]"),
        ({"code": -signal.SIGSEGV}, Terms(), Status.CRASHED, "killed by SIGSEGV"),
        ({"code": 1, "stderr": "MemoryError"}, LIMITED, Status.OUT_OF_MEMORY, "1024 MiB"),
        ({"code": -9, "peak": 2**30}, LIMITED, Status.OUT_OF_MEMORY, "SIGKILL"),
        ({"code": 1, "stderr": "MemoryError"}, Terms(), Status.CRASHED, "exit status 1"),
        ({"code": -15, "timed_out": True}, Terms(timeout=2.0), Status.TIMEOUT, "after 2 s"),
        ({"seconds": 5.02}, Terms(timeout=1.0), Status.TIMEOUT, "after 1 s"),
        ({"cpu": 1.5}, Terms(cpu_timeout=1.0), Status.TIMEOUT, "1 s of processor time"),
    ],
)  # fmt: skip
def test_each_failure_has_its_status(
    end: dict[str, Any], terms: Terms, status: Status, said: str
) -> None:
    found = judge(ended(**end), terms)
    assert found.score is None
    assert found.status is status
    assert said in found.message


def test_time_beyond_the_limit_of_processors_is_no_success() -> None:
    assert judge(ended(cpu=1.0), Terms(cpu_timeout=1.0)).status is Status.OK
