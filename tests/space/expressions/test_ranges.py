"""Interval arithmetic encloses what expressions really are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from racing.space.expressions import Node, condition, holds, number, parse, quantity
from racing.space.expressions.ranges import numbers, possible
from tests.space.expressions.trees import CONDITIONS, NUMBERS, PARAMETERS, ROWS, column

DOMAINS = {"x": (-3.0, 3.0), "n": (0.0, 9.0)}


@settings(max_examples=150)
@given(NUMBERS, ROWS)
def test_every_value_lies_in_the_range(tree: Node, row: dict[str, Any]) -> None:
    here = {name: column(name, row[name]) for name in PARAMETERS}
    with np.errstate(all="ignore"):
        value = float(number(quantity(tree, PARAMETERS), PARAMETERS)(here))
    low, high = numbers(tree, DOMAINS)
    slack = 1e-9 * max(1.0, abs(value)) if np.isfinite(value) else 0.0
    assert np.isnan(value) or low - slack <= value <= high + slack


@settings(max_examples=150)
@given(CONDITIONS, ROWS)
def test_what_is_impossible_never_happens(tree: Node, row: dict[str, Any]) -> None:
    here = {name: column(name, row[name]) for name in PARAMETERS}
    resolved = condition(tree, PARAMETERS)
    with np.errstate(all="ignore"):
        true = bool(holds(resolved, PARAMETERS)(here))
    found = possible(resolved, DOMAINS)
    assert found.true or not true
    assert found.other or true


@pytest.mark.parametrize(
    ("text", "true", "other"),
    [
        ("x > 3", False, True),
        ("x >= 3", True, True),
        ("x * x > 9.5", False, True),
        ("n + 1 > 0", True, False),
        ("x > 4 or n > 9", False, True),
        ("x > 0 and n == 10", False, True),
        ("abs(x) < 0", False, True),
        ("true", True, False),
        ("n + 1 > 1", True, True),
        ("n >= 0", True, False),
        ("n > 0 or x < 4", True, False),
        ("not x > 3", True, False),
        ("n != 10", True, False),
        ("n == 10", False, True),
        ("log(x) < 9", True, True),
        ("not false", True, False),
    ],
)
def test_proofs(text: str, true: bool, other: bool) -> None:
    found = possible(condition(parse(text), PARAMETERS), DOMAINS)
    assert (found.true, found.other) == (true, other)
