"""How long racing waits for a service that is busy."""

from __future__ import annotations

import time
from email.utils import formatdate
from itertools import pairwise
from typing import Any

import pytest

from racing import Retry
from racing.base.errors import InputError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.attempt import Attempt
from racing.evaluate.evaluator import Evaluator, OnFailure
from racing.evaluate.function import Function
from racing.evaluate.retry import JITTER, LONGEST, Waits, backoff


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


@pytest.mark.parametrize(("after", "seconds"), [(2, 2.0), ("1.5", 1.5), (0, 0.0), (None, None)])
def test_how_long_to_wait_is_a_number_or_a_header(after: Any, seconds: float | None) -> None:
    assert Retry(after=after).after == seconds


def test_a_header_may_have_a_date() -> None:
    after = Retry(after=formatdate(time.time() + 100, usegmt=True)).after
    assert after is not None
    assert 90 < after <= 100
    assert Retry(after=formatdate(time.time() - 100, usegmt=True)).after == 0


@pytest.mark.parametrize(
    "options",
    [
        {"after": -1}, {"after": "soon"}, {"after": float("nan")}, {"after": float("inf")},
        {"after": [1]}, {"spent": {"usd": -1}}, {"spent": {"usd": "1"}}, {"spent": {1: 1}},
        {"spent": [1]},
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"^Retry: (after|spent)"):
        Retry("busy", **options)


def test_plain_functions_may_raise_it_too() -> None:
    calls: list[int] = []

    def busy_once(values: Any, instance: Any, seed: Any) -> dict[str, Any]:
        calls.append(seed)
        if len(calls) == 1:
            raise Retry("503", after=0.001, spent={"usd": 0.5})
        return {"cost": 3, "spent": {"usd": 0.25}}

    outcome = Evaluator(Function(busy_once), on_failure=OnFailure(patience=9))(
        Experiment(Candidate(1, {}), Instance(0, "a", 7))
    )
    assert (outcome.cost, outcome.refused, outcome.spent) == (3, 1, {"usd": 0.75})
