"""A real parameter: its interval, its scale, its errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.space import Real, Space


@pytest.mark.parametrize("log", [False, True])
def test_draws_are_uniform_on_the_scale(log: bool) -> None:
    drawn = np.array(Real(0.5, 100, log=log).sample(np.random.default_rng(1), 20_000))
    unit = np.log(drawn / 0.5) / np.log(200) if log else (drawn - 0.5) / 99.5
    assert stats.kstest(unit, "uniform").pvalue > 1e-3


@given(st.floats(1e-300, 1e300), st.floats(1e-300, 1e300), st.booleans(), st.integers(0, 9))
def test_draws_are_floats_within_the_ends(a: float, b: float, log: bool, seed: int) -> None:
    if a == b:
        return
    real = Real(min(a, b), max(a, b), log=log)
    for value in real.sample(np.random.default_rng(seed), 5):
        assert type(value) is float
        assert real.admit(value) == value


def test_whole_numbers_are_taken_as_floats() -> None:
    real = Real(0, 1, default=1)
    assert (real.low, real.high, real.default) == (0.0, 1.0, 1.0)
    assert all(type(x) is float for x in (real.low, real.high, real.default, real.admit(1)))
    assert real.size == math.inf


@pytest.mark.parametrize("value", [True, "0.5", None, math.nan, math.inf, -0.1, 1.1, 10**400, [0]])
def test_what_is_not_in_it(value: object) -> None:
    assert Real(0, 1).admit(value) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"low": 1, "high": 0}, "the lower end must be below the upper end, 0; got 1"),
        ({"low": 1, "high": 1}, "the lower end must be below the upper end, 1; got 1"),
        ({"low": 0, "high": math.inf}, "the ends of the interval must be finite numbers; got inf"),
        ({"low": "0", "high": 1}, 'the ends of the interval must be finite numbers; got "0"'),
        ({"low": False, "high": 1}, "the ends of the interval must be finite numbers; got false"),
        ({"low": -1e308, "high": 1.7e308}, "wider than a number can say"),
        ({"low": 0, "high": 1, "log": True}, "the lower end must be above 0 for"),
        ({"low": 0, "high": 1, "log": "no"}, 'log must be true or false; got "no"'),
        ({"low": 0, "high": 1, "default": 2}, "the default must be a number from 0 to 1; got 2"),
        ({"low": 0, "high": 1, "switch": 2}, "the switch must be text; got 2"),
    ],
)
def test_faults(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Real(**arguments)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_a_tiny_end_is_a_value_and_0_below_it_is_none() -> None:
    real = Real(1e-300, 1, step=0.1)
    assert real.admit(1e-300) == 1e-300
    assert min(real.sample(np.random.default_rng(1), 200)) == 1e-300
    assert Real(1e-300, 1).admit(0.0) is None


def test_0_has_no_sign() -> None:
    [value] = Space({"x": Real(0, 1e300, digits=3)}).decode(np.array([[0.0]]))
    assert str(value["x"]) == "0.0"
