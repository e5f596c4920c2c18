"""An integer parameter: both ends, both scales, its errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.space import Integer, Real, Space


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(("low", "high"), [(1, 2), (3, 12), (1, 100)])
def test_each_number_has_its_share(low: int, high: int, log: bool) -> None:
    n = 50_000
    drawn = Integer(low, high, log=log).sample(np.random.default_rng(2), n)
    numbers = np.arange(low, high + 1)
    widths = np.log((numbers + 1) / numbers) if log else np.ones(len(numbers))
    seen = np.bincount(drawn, minlength=high + 1)[low:]
    assert seen.sum() == n  # nothing outside, both ends inside
    assert stats.chisquare(seen, n * widths / widths.sum()).pvalue > 1e-3


@given(st.integers(-(2**53), 2**53), st.integers(-(2**53), 2**53), st.booleans())
def test_draws_are_ints_within_the_ends(a: int, b: int, log: bool) -> None:
    low, high = min(a, b), max(a, b)
    if low == high or (log and low <= 0):
        return
    integer = Integer(low, high, log=log)
    for value in integer.sample(np.random.default_rng(3), 5):
        assert type(value) is int
        assert integer.admit(value) == value
    assert integer.size == high - low + 1


def test_a_whole_float_is_the_number() -> None:
    integer = Integer(1, 1e2, default=5.0)  # type: ignore[arg-type]
    assert (integer.high, integer.default) == (100, 5)
    assert type(integer.high) is type(integer.default) is type(integer.admit(7.0)) is int


@pytest.mark.parametrize("value", [True, "5", None, math.nan, math.inf, 0, 10, 2.5, 10**400])
def test_what_is_not_in_it(value: object) -> None:
    assert Integer(1, 9).admit(value) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"low": 2, "high": 1}, "the lower end must be below the upper end, 1; got 2"),
        (
            {"low": 0.5, "high": 2},
            "the ends must be whole numbers of at most 2^53 in size; got 0.5",
        ),
        ({"low": 0, "high": 2**60}, "the ends must be whole numbers of at most 2^53 in size"),
        (
            {"low": 0, "high": 9, "log": True},
            "the lower end must be above 0 for a logarithmic scale; got 0",
        ),
        (
            {"low": 1, "high": 9, "default": 2.5},
            "the default must be a whole number from 1 to 9; got 2.5",
        ),
    ],
)
def test_faults(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Integer(**arguments)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_a_bound_that_comes_to_more_than_whole_numbers_can_leaves_no_value() -> None:
    """It does so near one point only, which no check of the space meets."""
    peak = "10 ** (17 * max(0, 1 - abs(x - 0.1234567) * 1000000))"
    space = Space({"x": Real(0, 1), "y": Integer(0, peak)})
    units = np.array([[0.1234567, 0.9], [0.5, 0.9]])
    assert space.encoding.allowed(units).tolist() == [False, True]
    with pytest.raises(InputError, match="no value is possible from 0 to 1e\\+17"):
        space.check({"x": 0.1234567, "y": 3})
