"""What every kind of parameter can do, and the checks that the kinds share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np

from racing.errors import show

Value = str | int | float | bool
Values = dict[str, Value]


@runtime_checkable
class Parameter(Protocol):
    """One setting of the algorithm: its domain, its default, and how it is passed on.

    Kinds are frozen dataclasses, one per file; a space holds any object with these members.
    """

    @property
    def default(self) -> Value | None:
        """The value where none is given; None if it must be given."""

    @property
    def switch(self) -> str | None:
        """What a command line puts before the value; None for `--name=`."""

    @property
    def allowed(self) -> str:
        """The domain in words, for messages."""

    @property
    def size(self) -> float:
        """How many values there are; inf for a continuum."""

    def admit(self, value: object) -> Value | None:
        """The value in the parameter's own type; None if it is outside the domain."""

    def sample(self, rng: np.random.Generator, n: int) -> list[Any]:
        """`n` independent draws, as plain Python values."""


def is_number(value: object) -> bool:
    """Whether this is a finite int or float; a bool is not a number here."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max


def same(a: object, b: object) -> bool:
    """Whether two values are one and the same choice: True is not 1, but 1.0 is 1."""
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def interval_faults(low: object, high: object, log: object) -> Iterator[str]:
    """What is wrong with the ends of a numeric domain."""
    ends = [end for end in (low, high) if not is_number(end)]
    if ends:
        yield f"the ends of the interval must be finite numbers, not {show(ends[0])}"
    elif not low < high:  # type: ignore[operator]
        yield f"the lower end {low} is not below the upper end {high}"
    elif not isinstance(log, bool):
        yield f"log must be true or false, not {show(log)}"
    elif log and low <= 0:  # type: ignore[operator]
        yield f"a logarithmic scale needs a lower end above 0, not {low}"


def option_faults(parameter: Parameter) -> Iterator[str]:
    """What is wrong with the default or the switch of a parameter whose domain is sound."""
    if parameter.default is not None and parameter.admit(parameter.default) is None:
        yield f"the default {show(parameter.default)} is not {parameter.allowed}"
    if parameter.switch is not None and not isinstance(parameter.switch, str):
        yield f"the switch must be text, not {show(parameter.switch)}"
