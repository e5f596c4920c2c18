"""Kinds of values without parts: text, flags, choices, numbers, functions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from racing.base import units
from racing.base.errors import did_you_mean, show
from racing.base.quantities import Quantity
from racing.base.records.kinds import Errors, Kind, Schema

_MOST = 1e300  # so that sums and differences of two numbers are finite


class Refused(Exception):
    """A value is not allowed; the message is a hint, or empty."""


@dataclass(frozen=True)
class Leaf(Kind):
    """A value without parts.

    Attributes
    ----------
    allowed
        As for every kind.
    convert
        The value as the record holds it; raises `Refused`.
    form
        Its JSON Schema.
    plain
        The value as plain data.
    """

    allowed: str
    convert: Callable[[Any], Any]
    form: Schema
    plain: Callable[[Any], Any] = lambda value: value

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        try:
            return self.convert(value)
        except Refused as hint:
            return self.refuse(value, at, errors, str(hint))

    def write(self, value: Any) -> Any:
        return self.plain(value)

    def schema(self) -> Schema:
        return dict(self.form)


LONGEST = 10_000
"""The most characters of a text, which messages, tables and pages repeat; values may be longer."""


def _text(value: Any) -> str:
    if isinstance(value, str):
        if len(value) > LONGEST:
            raise Refused(f"at most {LONGEST} characters; keep a longer text in a file")
        return value
    plain = isinstance(value, bool | int | float)
    raise Refused(f'write "{show(value)}" in quotes if it is text' if plain else "")


def _label(value: Any) -> str:
    if isinstance(value, str) and not value.strip():
        raise Refused
    return _text(value)


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise Refused


def _value(value: Any) -> Any:
    if isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if value is None:
        raise Refused("for a choice of nothing, write a text such as none")
    plain = isinstance(value, float | list | tuple | dict)
    raise Refused("" if plain else "name it by a text, and let the target look that up")


def _function(value: Any) -> Any:
    if isinstance(value, str) or callable(value):
        return value
    raise Refused


def _function_name(value: Any) -> str:
    """The name of a function; of another object that of its type, as what it prints may change."""
    if isinstance(value, str):
        return value
    name = getattr(value, "__qualname__", None) or f"<{type(value).__qualname__} object>"
    return f"{getattr(value, '__module__', '')}:{name}"


TEXT = Leaf("text", _text, {"type": "string"}, str)
LABEL = Leaf("text, not empty", _label, {"type": "string", "pattern": r"\S"}, str)
NAME = Leaf(
    "text, not empty, or a whole number",
    lambda value: _label(str(value) if type(value) is int else value),
    {"anyOf": [{"type": "string", "pattern": r"\S"}, {"type": "integer"}]},
    str,
)
FLAG = Leaf("true or false", _flag, {"type": "boolean"})
VALUE = Leaf(
    "text, a finite number, true or false", _value, {"type": ["string", "number", "boolean"]}
)
"""A value of a parameter of an algorithm."""
FUNCTION = Leaf(
    "text such as file.py:function or module:function",
    _function,
    {"type": "string", "pattern": ".:[^:]+$"},
    _function_name,
)
"""The place of a Python function; Python code may give the function itself."""


def choice(words: tuple[str, ...]) -> Leaf:
    """One of some words."""

    def convert(value: Any) -> str:
        if isinstance(value, str) and value in words:
            return value
        begun = [word for word in words if isinstance(value, str) and word.startswith(value)]
        if len(begun) == 1 and len(value) > 1:
            raise Refused(f"did you mean {begun[0]!r}?")
        near = did_you_mean(value, words) if isinstance(value, str) else ""
        raise Refused(near.removeprefix("; ") if "did you mean" in near else "")

    allowed = " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    return Leaf(allowed, convert, {"enum": list(words)}, str)


@dataclass(frozen=True)
class Number(Kind):
    """A number of some kind, with the units of its kind."""

    base: type[int] | type[float]
    quantity: Quantity | None = None

    @property
    def allowed(self) -> str:  # type: ignore[override]
        if self.quantity:
            return self.quantity.allowed
        return "a whole number" if self.base is int else "a number"

    @property
    def _unit(self) -> str:
        return self.quantity.unit if self.quantity else ""

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        number = value
        if isinstance(value, str):
            number = _TEXTS.get(self._unit, _none)(value)
        elif self._unit == "memory" and errors.plain:
            return self.refuse(value, at, errors, "add the unit")
        if not self._admits(number):
            return self.refuse(value, at, errors, self.hint(value))
        return self.base(number)

    def _admits(self, number: Any) -> bool:
        if isinstance(number, bool) or not isinstance(number, int | float | Real):
            return False
        plain = int(number) if isinstance(number, Integral) else float(number)
        if not abs(plain) <= _MOST or (self.base is int and plain != int(plain)):
            return False
        return self.quantity is None or self.quantity.admits(plain)

    def hint(self, value: Any) -> str:
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) > _MOST:
            return f"numbers go up to {_MOST:g}"
        if not isinstance(value, str):
            return ""
        if (meant := units.meant(value)) and _TEXTS.get(self._unit, _none)(meant):
            return f"did you mean {meant}?"
        plain = re.sub(r"(?<=\d)[,_ '](?=\d{3}(\D|$))|[,;]$", "", value)
        try:
            float(plain)
        except ValueError:
            return ""
        if self._unit in ("memory", "rate"):
            return "add the unit"
        return "remove the quotes" if plain == value else f"did you mean {plain}?"

    def write(self, value: Any) -> Any:
        return units.memory_text(value) if self._unit == "memory" else value

    def schema(self) -> Schema:
        if self._unit == "memory":
            return {"type": "string", "pattern": units.MEMORY_PATTERN}
        number: Schema = {"type": "integer" if self.base is int else "number"}
        kind = self.quantity
        if kind and kind.low > -math.inf:
            number["exclusiveMinimum" if kind.open_low else "minimum"] = kind.low
        if kind and kind.high < math.inf:
            number["exclusiveMaximum" if kind.open_high else "maximum"] = kind.high
        if kind and kind.special is not None:
            return {"anyOf": [number, {"const": kind.special}]}
        if pattern := {"time": units.TIME_PATTERN, "rate": units.RATE_PATTERN}.get(self._unit):
            return {"anyOf": [number, {"type": "string", "pattern": pattern}]}
        return number


def _none(text: str) -> None:
    """Read no text: for kinds without a unit."""


_TEXTS: dict[str, Callable[[str], float | None]] = {
    "time": units.seconds,
    "memory": units.amount,
    "rate": units.per_second,
}
"""Unit → the function that reads a text with it."""
