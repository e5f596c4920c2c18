"""Answers with several metrics: what is read, and what is refused and says which."""

from __future__ import annotations

import json

import numpy as np
import pytest

from racing.evaluate.answers import Unreadable, json_object, last_line, returned

NAMES = ("quality", "time")


@pytest.mark.parametrize(
    "text",
    [
        "3.5 2",
        "3.5, 2",
        "[3.5, 2]",
        "log\n\n3.5 2\n \n",
        "quality=3.5 time=2",
        "time=2 quality=3.5",
        "time: 2".replace(" ", "") + " quality:3.5",
        "(quality=3.5, time=2)",
        "quality=3.5 time=2 gap=0.1",
        '{"quality": 3.5, "time": 2, "who": "me"}',
    ],
)
def test_the_last_line_has_a_number_for_each_metric(text: str) -> None:
    assert last_line(text, NAMES).metrics == {"quality": 3.5, "time": 2.0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "stdout must end in quality and time; got nothing"),
        ("3.5", "the last line must be 2 numbers, which are quality and time"),
        ("1 2 3", "the last line must be 2 numbers"),
        ("quality 3.5", "the last line must be 2 numbers"),
        ("quality=3.5", "the answer must have time; got 'quality'"),
        ("quality=3.5 2", 'a word of the last line must be name=number; got "2"'),
        ("quality=3,5 time=2", 'name=number; got "quality=3,5"'),
        ("quality=3.5 time=2 time=3", "the last line has time twice"),
        ("quality=3.5 time=inf", "metric time must be a number from -1e+75 to 1e+75; got inf"),
        ("quality=-1e76 time=3", "metric quality must be a number from -1e+75 to 1e+75; got"),
        ("nan 2", "metric quality must be a number; got nan"),
        ('{"quality": 3.5}', "the answer must have time; got 'quality'"),
        ('{"quality": 3.5, "time": "2"}', 'metric time must be a number; got "2"'),
        ('{"quality": 3.5, "time": null}', "metric time must be a number; got None"),
        ('{"quality": 3.5,', "stdout's last line must be JSON"),
        ("7" * 200 + " 2", "the last line must be quality and time"),
    ],
)
def test_any_other_line_is_unreadable_and_says_why(text: str, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        last_line(text, NAMES)
    assert said in str(caught.value)


def test_a_json_object_may_say_what_it_took_and_what_was_paid() -> None:
    answer = {"quality": 1, "time": True, "seconds": 2.5, "spent": {"usd": 0.5}}
    found = json_object(json.dumps(answer), NAMES)
    assert found == ({"quality": 1.0, "time": 1.0}, 2.5, {"usd": 0.5})
    assert returned(answer, NAMES) == found
    with pytest.raises(Unreadable, match="must be JSON"):
        json_object("quality=1 time=2", NAMES)


def test_a_function_may_return_the_numbers_in_their_order() -> None:
    assert returned((1, 2.5), NAMES).metrics == {"quality": 1.0, "time": 2.5}


@pytest.mark.parametrize("answer", [3.5, np.float64(3.5), (3.5,), {"quality": 3.5}])
def test_a_function_may_return_the_only_number_that_racing_does_not_measure(answer: object) -> None:
    assert returned(answer, ("quality",)).metrics == {"quality": 3.5}


@pytest.mark.parametrize("answer", [None, "3.5", [1, 2], float("inf")])
def test_the_only_metric_is_a_finite_number(answer: object) -> None:
    with pytest.raises(Unreadable, match="quality"):
        returned(answer, ("quality",))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (3.5, "the result must be a mapping with quality and time, or these numbers in"),
        ((1, 2, 3), "must be a mapping with quality and time"),
        ({"quality": 1}, "the answer must have time; got 'quality'"),
        ({}, "the answer must have quality and time; got no keys"),
        ({"quality": 1, "time": float("-inf")}, "metric time must be a number from"),
        ({"quality": 1, "time": 10**400}, "metric time is too large"),
    ],
)
def test_what_a_function_may_not_return(answer: object, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        returned(answer, NAMES)
    assert said in str(caught.value)
