"""Values: which are numbers, and which are one and the same choice."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from racing.space.values import identity, is_number, same

VALUES = (True, False, 1, 1.0, 0, 0.0, "1", "a", 2.5)


@pytest.mark.parametrize("value", [1, -2.5, 0, 10**300, 1.7e308])
def test_finite_numbers_are_numbers(value: object) -> None:
    assert is_number(value)


@pytest.mark.parametrize("value", [True, False, "1", None, np.inf, np.nan, 10**400, [1]])
def test_nothing_else_is(value: object) -> None:
    assert not is_number(value)


def test_true_is_not_1_but_1_is_1_0() -> None:
    assert not same(True, 1)
    assert not same(False, 0.0)
    assert same(1, 1.0)
    assert same(True, True)


def test_values_share_their_identity_exactly_if_they_are_the_same() -> None:
    for a, b in product(VALUES, repeat=2):
        assert (identity(a) == identity(b)) == same(a, b)
