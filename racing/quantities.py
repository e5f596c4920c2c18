"""Kinds of numbers that a user gives: what each allows is said once, beside its name.

The annotations below stand on the fields of every record that a scenario can hold; its reader
takes the ranges and the units from them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from racing.errors import InputError, show


@dataclass(frozen=True)
class Quantity:
    """A kind of number: its range, and the unit that text such as `30m` is read in.

    `special` is a number outside the range that has a meaning of its own.
    """

    allowed: str
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    unit: Literal["", "time", "memory"] = ""
    special: float | None = None

    def admits(self, value: float) -> bool:
        """Whether a number is in the range, or the special one; NaN never is."""
        if value == self.special:
            return True
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return above and below


Count = Annotated[int, Quantity("a whole number, 1 or more", low=1)]
RunSeed = Annotated[int, Quantity(f"a whole number from 0 to {2**63 - 1}", low=0, high=2**63 - 1)]
Natural = Annotated[int, Quantity("a whole number, 0 or more", low=0)]
Jobs = Annotated[
    int, Quantity("a whole number, 1 or more, or -1 for one per processor", low=1, special=-1)
]
ExitStatus = Annotated[int, Quantity("a whole number from 0 to 255", low=0, high=255)]
Factor = Annotated[float, Quantity("a number, 1 or more", low=1)]
Level = Annotated[
    float, Quantity("a number above 0 and below 1", low=0, high=1, open_low=True, open_high=True)
]
HalfLevel = Annotated[
    float,
    Quantity("a number above 0 and below 0.5", low=0, high=0.5, open_low=True, open_high=True),
]
Positive = Annotated[float, Quantity("a number above 0", low=0, open_low=True)]
NonNegative = Annotated[float, Quantity("a number, 0 or more", low=0)]
Seconds = Annotated[
    float, Quantity("a time above 0, such as 90s, 30m, 2h or 1d", low=0, open_low=True, unit="time")
]
Bytes = Annotated[
    int, Quantity("an amount of memory, such as 512MiB or 2GiB", low=1, unit="memory")
]


class Checked:
    """A record that refuses, as it is made, what its annotations do not allow."""

    __slots__ = ()

    def __post_init__(self) -> None:
        check_fields(self)


def check_fields(record: object) -> None:
    """Refuse what the annotations of a dataclass do not allow: numbers out of range, other words.

    Raises
    ------
    InputError
        Naming the field, what it may be, and what was found.
    """
    for name, allowed, admits in _allowed(type(record)):
        value = getattr(record, name)
        if not admits(value):
            raise InputError(
                f"{name} of {type(record).__name__} must be {allowed}; got {show(value)}"
            )


_ALLOWED: dict[type, list[tuple[str, str, Any]]] = {}


def _allowed(record: type) -> list[tuple[str, str, Any]]:
    """(field, what it may be, whether a value is that) where an annotation says so."""
    if record not in _ALLOWED:
        is_record = hasattr(record, "__dataclass_fields__")
        hints = get_type_hints(record, include_extras=True) if is_record else {}
        found = ((name, _form(hint)) for name, hint in hints.items())
        _ALLOWED[record] = [(name, *form) for name, form in found if form is not None]
    return _ALLOWED[record]


def _form(hint: Any) -> tuple[str, Any] | None:
    """What a type allows, in words and as a test; None where there is nothing to check."""
    if get_origin(hint) in (Union, UnionType):
        parts = [part for part in get_args(hint) if part is not NoneType]
        form = _form(parts[0]) if len(parts) == 1 else None
        return form and (form[0], lambda value: value is None or form[1](value))
    if get_origin(hint) is Literal:
        words = get_args(hint)
        return " or ".join(map(str, words)), lambda value: value in words
    if get_origin(hint) is Annotated:
        base, *marks = get_args(hint)
        quantity = next((mark for mark in marks if isinstance(mark, Quantity)), None)
        if quantity is not None:
            admits = quantity.admits
            return quantity.allowed, lambda value: _is_number(value, base) and admits(value)
    return None


def _is_number(value: object, base: type) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return base is float or hasattr(value, "__index__")
