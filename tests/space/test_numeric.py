"""Real and integer parameters: both ends, their scales, their errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.space import Integer, Numeric, Real, Space


@pytest.mark.parametrize("log", [False, True])
def test_real_draws_are_uniform_on_the_scale(log: bool) -> None:
    drawn = np.array(Real(0.5, 100, log=log).sample(np.random.default_rng(1), 20_000))
    unit = np.log(drawn / 0.5) / np.log(200) if log else (drawn - 0.5) / 99.5
    assert stats.kstest(unit, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(("low", "high"), [(1, 2), (3, 12), (1, 100)])
def test_each_whole_number_has_its_share(low: int, high: int, log: bool) -> None:
    n = 50_000
    drawn = Integer(low, high, log=log).sample(np.random.default_rng(2), n)
    numbers = np.arange(low, high + 1)
    widths = np.log((numbers + 1) / numbers) if log else np.ones(len(numbers))
    seen = np.bincount(drawn, minlength=high + 1)[low:]
    assert seen.sum() == n  # nothing outside, both ends inside
    assert stats.chisquare(seen, n * widths / widths.sum()).pvalue > 1e-3


ENDS = {Real: st.floats(1e-300, 1e300), Integer: st.integers(-(2**53), 2**53)}


@pytest.mark.parametrize(("kind", "own"), [(Real, float), (Integer, int)])
@given(data=st.data(), log=st.booleans())
def test_draws_are_within_the_ends_and_of_the_type_of_the_kind(
    kind: type[Real | Integer], own: type, data: st.DataObject, log: bool
) -> None:
    low, high = sorted([data.draw(ENDS[kind]), data.draw(ENDS[kind])])
    if low == high or (log and low <= 0):
        return
    parameter = kind(low, high, log=log)
    for value in parameter.sample(np.random.default_rng(3), 5):
        assert type(value) is own
        assert parameter.admit(value) == value
    assert parameter.size == (high - low + 1 if kind is Integer else math.inf)


@pytest.mark.parametrize(
    ("parameter", "own"), [(Real(0, 10, default=5), float), (Integer(0, 1e1, default=5.0), int)]
)
def test_numbers_are_taken_in_the_type_of_the_kind(parameter: Numeric, own: type) -> None:
    found = parameter.low, parameter.high, parameter.default, parameter.admit(7), (
        parameter.admit(7.0))  # fmt: skip
    assert found == (0, 10, 5, 7, 7)
    assert {*map(type, found)} == {own}


@pytest.mark.parametrize("value", [True, "5", None, math.nan, math.inf, -0.1, 9.1, 10**400, [0]])
def test_what_is_not_in_it(value: object) -> None:
    assert Real(0, 9).admit(value) is Integer(0, 9).admit(value) is None


def test_steps_are_counted_from_the_lower_end() -> None:
    assert [n for n in range(12) if Integer(2, 10, step=4).admit(n) is not None] == [2, 6, 10]
    assert [Real(0, 0.9, step=0.1).admit(x) for x in (0.1 + 0.2, 0.25, 0.3)] == [0.3, None, 0.3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 0, {}), "the lower end must be below the upper end, 0; got 1"),
        ((1, 1, {}), "the lower end must be below the upper end, 1; got 1"),
        ((0, math.inf, {}), "the ends of the interval must be finite numbers; got inf"),
        ((None, 1, {}), "the ends of the interval must be finite numbers; got None"),
        (("0", 1, {}), 'the ends of the interval must be finite numbers; got "0"'),
        ((False, 1, {}), "the ends of the interval must be finite numbers; got false"),
        ((0, 1, {"log": True}), "the lower end must be above 0 for a logarithmic scale; got 0"),
        ((0, 1, {"log": "no"}), 'log must be true or false; got "no"'),
        ((0, 1, {"default": 2}), "number from 0 to 1; got 2"),
        ((0, 1, {"switch": 2}), "the switch must be text; got 2"),
        ((0, 10, {"step": 3}), "the upper end must be 9, by steps of 3 from 0; got 10"),
        ((0, 1, {"step": 0}), "the step must be a number above 0; got 0"),
    ],
)
@pytest.mark.parametrize("kind", [Real, Integer])
def test_faults_of_both(
    kind: type[Real | Integer], arguments: tuple[float, float, dict[str, object]], message: str
) -> None:
    low, high, options = arguments
    with pytest.raises(InputError) as caught:
        kind(low, high, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
    kind("n / 2", 1, **{"log": True} if "log" in options else {})  # an expression is an end


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Real(-1e308, 1.7e308), "wider than a number can say"),
        (lambda: Real(0, 1, step=0.3), "the upper end must be 0.9, by steps of 0.3 from 0; got 1"),
        (lambda: Real(0, 1, step="a"), "the step must be a number above 0"),  # type: ignore[arg-type]
        (lambda: Integer(0.5, 2), "whole numbers of at most 2^53 in size; got 0.5"),
        (lambda: Integer(0, 2**60), "the ends must be whole numbers of at most 2^53 in size"),
        (lambda: Integer(1, 9, default=2.5), "the default must be a whole number from 1 to 9"),  # type: ignore[arg-type]
    ],
)
def test_faults_of_one(make: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        make()  # type: ignore[operator]
    assert message in str(caught.value)


def test_a_tiny_end_is_a_value_and_0_below_it_is_none() -> None:
    real = Real(1e-300, 1, step=0.1)
    assert real.admit(1e-300) == 1e-300
    assert min(real.sample(np.random.default_rng(1), 200)) == 1e-300
    assert Real(1e-300, 1).admit(0.0) is None


def test_0_has_no_sign() -> None:
    [value] = Space({"x": Real(0, 1e300, digits=3)}).decode(np.array([[0.0]]))
    assert str(value["x"]) == "0.0"


def test_a_bound_that_comes_to_more_than_whole_numbers_can_leaves_no_value() -> None:
    """It does so near one point only, which no check of the space meets."""
    peak = "10 ** (17 * max(0, 1 - abs(x - 0.1234567) * 1000000))"
    space = Space({"x": Real(0, 1), "y": Integer(0, peak)})
    units = np.array([[0.1234567, 0.9], [0.5, 0.9]])
    assert space.encoding.allowed(units).tolist() == [False, True]
    with pytest.raises(InputError, match="no value is possible from 0 to 1e\\+17"):
        space.check({"x": 0.1234567, "y": 3})
