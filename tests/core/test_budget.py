"""What may be spent, and what is left."""

from __future__ import annotations

import math
from dataclasses import fields

import pytest

from racing.base.errors import InputError
from racing.core.budget import Budget, Left, Spent

LIMITS = [field.name for field in fields(Budget)]


def test_without_limits_everything_is_left():
    assert Budget().unlimited
    assert Budget().left(Spent(evaluations=10**9, target_time=1e9)) == Left()
    assert all(getattr(Left(), name) == math.inf for name in LIMITS)


@pytest.mark.parametrize("name", LIMITS)
def test_what_is_left_is_the_limit_less_what_was_spent_and_never_below_zero(name):
    budget = Budget(**{name: 10})
    assert not budget.unlimited
    assert getattr(budget.left(Spent()), name) == 10
    assert getattr(budget.left(Spent(**{name: 4})), name) == 6
    assert getattr(budget.left(Spent(**{name: 40})), name) == 0
    others = set(LIMITS) - {name}
    assert all(getattr(budget.left(Spent(**{name: 4})), other) == math.inf for other in others)


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("value", [0, -1, math.nan])
def test_a_limit_must_be_above_zero(name, value):
    with pytest.raises(InputError, match=f"{name} must be a .*; got {value!r}"):
        Budget(**{name: value})


def test_budget_spent_and_left_speak_of_the_same_things():
    assert [f.name for f in fields(Spent)] == [*LIMITS, "reused"]
    assert [f.name for f in fields(Left)] == LIMITS
