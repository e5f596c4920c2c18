"""The values of parameters."""

from __future__ import annotations

import sys

Value = str | int | float | bool
Values = dict[str, Value]


def is_number(value: object) -> bool:
    """Whether this is a finite int or float, and not a bool."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max


def same(a: object, b: object) -> bool:
    """Whether two values are equal as choices: True is not 1, but 1.0 is 1."""
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def identity(value: object) -> tuple[bool, object]:
    """A key that is equal exactly for values that are `same`."""
    return isinstance(value, bool), value
