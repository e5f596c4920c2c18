"""Numbers, counts and times in sentences."""

from __future__ import annotations

import pytest

from racing.base import words
from racing.base.words import moment, percent
from racing.log.records import now


def test_a_moment_is_told_to_the_minute_and_anything_else_as_it_is() -> None:
    assert moment("2024-05-01T10:09:59.999+00:00") == "2024-05-01 10:09 UTC"
    assert moment(now()).endswith(" UTC")
    assert moment("2024-05-01T10:09+02:00") == "2024-05-01T10:09+02:00"
    assert moment("<b>") == "<b>"


@pytest.mark.parametrize(
    ("share", "digits", "said"),
    [
        (1.0, 0, "100 %"), (0.9999, 0, "> 99 %"), (0.996, 0, "> 99 %"), (0.994, 0, "99 %"),
        (0.0, 0, "0 %"), (1e-9, 0, "< 1 %"), (0.004, 0, "< 1 %"), (0.006, 0, "1 %"),
        (0.99951, 1, "> 99.9 %"), (0.9994, 1, "99.9 %"), (1e-9, 1, "< 0.1 %"),
    ],
)  # fmt: skip
def test_no_share_is_0_or_100_per_cent_by_rounding(share: float, digits: int, said: str) -> None:
    assert percent(share, digits) == said


@pytest.mark.parametrize(
    ("value", "threshold", "said"),
    [
        (49.93, 49.91, "49.93 > 49.91"),
        (0.01, 0.05, "0.01 < 0.05"),
        (2.0, 2.0, "2, equal to the threshold"),
        (1e6 + 1, 1e6, "1000001 > 1000000"),
        (1.15e-80, 0.05, "under 0.0001 < 0.05"),
        (5.98e-07, 8.56e-07, "5.98e-07 < 8.56e-07"),
        (float("inf"), 3.0, "∞ > 3"),
    ],
)
def test_two_numbers_that_are_compared_can_be_told_apart(value, threshold, said):
    assert words.versus(value, threshold) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0001, "<1ms"), (0.04, "40ms"), (0.5, "0.5s"), (42, "42s"), (200, "3m 20s"),
        (7500, "2h 05m"), (273600, "3d 04h"),
    ],
)  # fmt: skip
def test_a_duration_has_two_units_at_most(seconds, said):
    assert words.duration(seconds) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(None, "–"), (True, "true"), (-0.123456, "-0.1235"), (-0.0, "0"), ("a", "a")],
)
def test_values_of_parameters_can_be_copied(value, said):
    assert words.value_text(value) == said
