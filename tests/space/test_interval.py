"""Intervals: what is wrong with their ends and their step, and where steps end."""

from __future__ import annotations

import pytest

from racing.space.expressions import parse
from racing.space.interval import bound_text, interval_faults, is_fixed, last_step, step_faults


@pytest.mark.parametrize(
    ("low", "high", "log", "fault"),
    [
        (0, 1, False, None),
        ("n / 2", 1, True, None),
        (1, 1, False, "below the upper"),
        (None, 1, False, "finite numbers"),
        (0, float("inf"), False, "finite numbers"),
        (0, 1, True, "above 0"),
        (1, 2, "yes", "true or false"),
    ],
)
def test_the_first_fault_is_named(low: object, high: object, log: object, fault: str) -> None:
    faults = list(interval_faults(low, high, log))
    assert len(faults) == (fault is not None)
    assert all(fault in each for each in faults)


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        (None, None),
        (0.1, None),
        (0.25, None),
        (0.3, "must be 0.9, by steps of 0.3"),
        (0, "above 0"),
        ("a", "above 0"),
    ],
)
def test_a_step_leads_to_the_end(step: object, fault: str) -> None:
    faults = list(step_faults(step, 0.0, 1.0))
    assert len(faults) == (fault is not None)
    assert all(fault in each for each in faults)


def test_the_last_step_is_not_above_the_end() -> None:
    assert last_step(1, 10, 4) == 9
    assert last_step(0.0, 0.3, 0.1) == pytest.approx(0.3), "in spite of rounding errors"


def test_only_numbers_are_fixed_bounds() -> None:
    assert is_fixed(0, 1.5)
    assert not is_fixed(0, "n")
    assert bound_text(parse("2 * n")) == "2 * n"
    assert bound_text(3) == "3"
