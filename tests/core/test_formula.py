"""Formulas of metrics, and limits on means."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import ExpressionError
from racing.core.formula import Formula, Limit

NAMES = ("time", "success")


def test_a_formula_has_the_value_of_the_same_python() -> None:
    formula = Formula("time + 10 * (1 - success)", NAMES)
    assert formula({"time": 2.0, "success": 0.5}) == 7
    columns = {"time": np.array([1.0, 2.0]), "success": np.array([1.0, 0.0])}
    assert formula(columns).tolist() == [1, 12]
    assert formula.alone is None
    assert Formula(" time ", NAMES).alone == "time"


def test_what_has_no_value_is_nan_without_a_warning() -> None:
    assert np.isnan(Formula("log(time)", NAMES)({"time": -1.0, "success": 0.0}))


@pytest.mark.parametrize(
    ("text", "said", "offset"),
    [
        ("tim + 1", "unknown name 'tim'; did you mean 'time'", 0),
        ("time +", "must be a name, a number or a bracket", 6),
        ("time > 1", "this must be a number; got a condition", 0),
        ("", "the expression is empty", 0),
        ("3", "it names no metric, so that all are equal; known: time, success", 0),
    ],
)
def test_what_is_no_formula_is_refused_at_its_place(text: str, said: str, offset: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        Formula(text, NAMES)
    assert said in caught.value.reason
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    ("text", "violations"),
    [
        ("success >= 0.8", [0.25, 0, 0]),
        ("0.8 <= success", [0.25, 0, 0]),
        ("success > 0.8", [0.25, 0, 0]),
        ("success <= 0.8", [0, 0, 0.25]),
        ("success - 0.8 >= 0", [0.2, 0, 0.0]),
        ("10 * success >= -8", [0, 0, 0]),
        ("success <= -0.6", [2, 7 / 3, 8 / 3]),
    ],
)
def test_a_limit_is_missed_by_a_share_of_its_number(text: str, violations: list[float]) -> None:
    limit = Limit(text, NAMES)
    means = limit.value({"success": np.array([0.6, 0.8, 1.0]), "time": np.zeros(3)})
    assert np.allclose(limit.violation(means), violations)


def test_a_mean_that_does_not_exist_misses_every_limit() -> None:
    assert Limit("time <= 5", NAMES).violation(np.array([np.nan])).tolist() == [np.inf]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("success == 1", "one comparison by <= or >="),
        ("success >= 0.5 and time <= 1", "one comparison by <= or >="),
        ("success", "this must be a condition; got a number"),
        ("success >= time", "one side of the comparison must be a number"),
        ("1 >= 0", "one side of the comparison must be a number"),
        ("success >= 1 / 0", "the number must be finite"),
        ("sucess >= 1", "did you mean 'success'"),
    ],
)
def test_what_is_no_limit_is_refused(text: str, said: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        Limit(text, NAMES)
    assert said in caught.value.reason
