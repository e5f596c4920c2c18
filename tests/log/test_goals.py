"""What a header says of several metrics."""

from __future__ import annotations

from typing import Any

import pytest

from racing import Race
from racing.core.failures import OnFailure
from racing.log import Header, header_of
from racing.log.headers import asked, goal_as_data, goal_in

METRICS: dict[str, Any] = {"time": "minimize", "success": {"direction": "maximize", "unit": "%"}}


def race(objective: Any) -> Race:
    return Race([{"x": 1}, {"x": 2}], range(9), metrics=METRICS, objective=objective, budget=18)


@pytest.mark.parametrize(
    ("objective", "words"),
    [
        ("mean", "minimize mean of time"),
        ({"maximize": "success / time"}, "maximize rank of success / time"),
        (
            {"minimize": "time", "subject_to": ["success >= 0.9", "time <= 5"]},
            "minimize mean of time subject to success >= 0.9 and time <= 5",
        ),
        (
            {"order": [{"success": 0.01}, "time"]},
            "order by success (within 0.01 of the best), then time",
        ),
    ],
)
def test_a_header_has_what_is_asked(objective: Any, words: str) -> None:
    one = race(objective)
    header = header_of(one)
    assert asked(header) == words
    again = Race([{"x": 1}, {"x": 2}], range(9), budget=18, **goal_in(header))
    assert (again.goal, again.objective) == (one.goal, one.objective)


def test_one_cost_is_as_ever() -> None:
    alone = Race([{"x": 1}, {"x": 2}], range(9))
    assert goal_as_data(alone).keys() == {"on_failure"}
    assert goal_in(header_of(alone)) == {"objective": "rank", "on_failure": OnFailure()}
    earlier = Header(name="race", seed=1, direction="minimize", objective="mean")
    assert goal_in(earlier)["on_failure"] == OnFailure(policy="worst")
    assert asked(Header(name="race", seed=1, direction="maximize", objective="mean")) == (
        "maximize mean"
    )
