"""How long racing waits for a service that is busy, and how often it calls again."""

from __future__ import annotations

from itertools import pairwise

import pytest

from racing import Retry
from racing.evaluate.answers import Attempt
from racing.evaluate.task import JITTER, LONGEST, Waits, backoff


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
