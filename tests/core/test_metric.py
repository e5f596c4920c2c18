"""Metrics: what they may be called and be."""

from __future__ import annotations

import pytest

from racing import Metric
from racing.base.errors import InputError
from racing.base.records import Errors
from racing.core.metric import MetricsKind, check_names


def read(value: object) -> tuple[object, list[str]]:
    errors = Errors(plain=True)
    return MetricsKind().read(value, "metrics", errors), list(map(str, errors.found))


def test_a_metric_is_minimized_told_and_without_a_rope_unless_it_says_otherwise() -> None:
    assert Metric() == Metric(direction="minimize", measure=None, rope=0, unit="")


def test_a_direction_alone_stands_for_a_metric() -> None:
    found, errors = read({"quality": "minimize", "success": {"direction": "maximize"}})
    assert found == {"quality": Metric(), "success": Metric(direction="maximize")}
    assert not errors
    assert list(found) == ["quality", "success"], "in the order in which values are told"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "a mapping from the names of metrics to their directions"),
        (["quality"], "a mapping from the names of metrics"),
        ({"quality": "smallest"}, "must be minimize or maximize"),
        ({"quality": {"rope": -1}}, "metrics.quality.rope must be a number, 0 or more"),
        ({"time": {"measure": "cpu"}}, "metrics.time.measure must be cpu_time, wall_time or"),
        ({"time": {"measure": "cpu_time", "direction": "maximize"}}, "less of it is better"),
        ({"quality": {"ropes": 1}}, "unknown key; did you mean 'rope'"),
        ({"two words": {}}, '"two words" cannot be the name of a metric'),
        ({"not": {}}, '"not" cannot be the name of a metric'),
        ({"seconds": {}}, "seconds cannot be the name of a metric: in an answer it has a meaning"),
    ],
)
def test_what_is_no_metric_is_refused(given: object, said: str) -> None:
    assert said in "\n".join(read(given)[1])


@pytest.mark.parametrize("name", ["1st", "a-b", "", "and", "true", "spent"])
def test_names_can_stand_in_formulas(name: str) -> None:
    with pytest.raises(InputError, match="cannot be the name of a metric"):
        check_names({name: Metric()})
    check_names({"cost": Metric(), "größe": Metric()})
