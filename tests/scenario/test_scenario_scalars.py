"""A plain scalar is read as YAML 1.2 has it, or refused where YAML 1.1 would differ."""

from __future__ import annotations

import datetime
import math
import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from racing.scenario.scalars import Trap, resolve


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001), ("1E5", 1e5), ("2e3", 2000.0), (".5", 0.5), ("5.", 5.0),
        ("-1.5e+3", -1500.0),
        ("0", 0), ("-0", 0), ("+7", 7), ("42", 42), ("0x1F", 31), ("0.10", 0.1), ("00.5", 0.5),
        ("true", True), ("True", True), ("FALSE", False), ("null", None), ("~", None), ("", None),
        (".inf", math.inf), ("-.Inf", -math.inf), ("2024-01-31", "2024-01-31"), ("nan", "nan"),
        ("inf", "inf"), ("y", "y"), ("N", "N"), ("1e", "1e"), ("e5", "e5"), ("1.2.3", "1.2.3"),
        ("--x=", "--x="), ("_1", "_1"), ("1:75", "1:75"), ("a:1", "a:1"), ("30m", "30m"),
        ("-", "-"),
        ("tRue", "tRue"), ("0x", "0x"), ("12:30:75", "12:30:75"),
    ],
)  # fmt: skip
def test_it_is_read_as(text: str, value: object) -> None:
    found = resolve(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("no", "false"), ("No", "false"), ("OFF", "false"), ("yes", "true"), ("on", "true"),
        ("012", "12"), ("-08", "-8"), ("0_1__2", "12"),
        ("0o17", "15"), ("0b101", "5"), ("1_000", "1000"), ("1_0.5", "10.5"), ("0x_1F", "0x1F"),
        ("1:30", "a time such as 90s or 1h30m"), ("12:30:45.5", "a time such as 90s or 1h30m"),
    ],
)  # fmt: skip
def test_it_is_refused(text: str, instead: str) -> None:
    expected = f'write "{text}" in quotes for text, or {instead}'
    with pytest.raises(Trap, match=re.escape(expected) + "$"):
        resolve(text)


def test_not_a_number() -> None:
    value = resolve(".nan")
    assert isinstance(value, float)
    assert math.isnan(value)


@given(st.text(alphabet="0123456789+-_.:exobXOyYnNtTrRuUaAlLsSfF~", max_size=8))
def test_what_is_accepted_means_the_same_to_a_reader_of_yaml_1_1(text: str) -> None:
    try:
        value = resolve(text)
    except Trap:
        return
    old = yaml.SafeLoader("")
    tag = old.resolve(yaml.ScalarNode, text, (True, False))
    theirs = old.construct_object(yaml.ScalarNode(tag, text))
    if isinstance(theirs, datetime.date | datetime.datetime) or isinstance(value, float):
        return  # dates stay text; 1e-3 is a number, though not to PyYAML
    assert value == theirs
    assert type(value) is type(theirs)


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_survive(number: float) -> None:
    assert resolve(repr(number)) == number
