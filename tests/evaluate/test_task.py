"""How many attempts an experiment has, by brute force over all short histories."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from racing import Retry
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.evaluate.answers import Attempt
from racing.evaluate.task import DIED, JITTER, LONGEST, Task, Waits, backoff

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


# --- how long racing waits for a service that is busy, and how often it calls again ---------------


def test_waits_double_up_to_the_longest() -> None:
    waits = [backoff(number, None, 0.0) for number in range(1, 2000)]
    assert waits[:7] == [1, 2, 4, 8, 16, 32, 60]
    assert set(waits[6:]) == {LONGEST}


@pytest.mark.parametrize("after", [None, 0.0, 0.2, 100.0])
def test_no_wait_is_shorter_than_the_service_says_and_chance_spreads_them(
    after: float | None,
) -> None:
    least = backoff(1, after, 0.0)
    assert least == (1.0 if after is None else after)
    assert backoff(1, after, 1.0) == least * (1 + JITTER)


def test_the_waits_of_two_experiments_differ_and_those_of_one_are_the_same() -> None:
    busy = Attempt(retry=Retry(after=1))
    one, again, other = (Waits(99, key).pause(busy) for key in [(1, 2), (1, 2), (2, 1)])
    assert one == again != other


def test_all_waits_together_stay_within_patience() -> None:
    waits, busy = Waits(100.0, (1, 2)), Attempt(retry=Retry())
    found = []
    while len(found) < 100 and (wait := waits.pause(busy)) is not None:
        found.append(wait)
    assert sum(found) <= 100 < sum(found) + LONGEST * (1 + JITTER)
    assert all(a < b for a, b in pairwise(found))
    assert waits.refused == len(found) + 1


def test_calls_that_were_turned_away_are_paid_too() -> None:
    waits = Waits(100.0, (1, 2))
    waits.pause(Attempt(retry=Retry(spent={"usd": 0.5}), spent={"usd": 0.5}))
    last = Attempt(score=3.0, spent={"usd": 0.25})
    assert waits.pause(last) is None
    told = waits.told(last)
    assert (told.spent, told.refused) == ({"usd": 0.75}, 1)
