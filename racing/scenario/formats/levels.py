"""Finds the listed values of parameters by their text or number in files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property

from racing.space.parameter import Value


@dataclass(frozen=True)
class Alternatives:
    """The values of one parameter, in their order."""

    values: tuple[Value, ...]

    @cached_property
    def _by_text(self) -> dict[str, int]:
        return {text_of(value): i for i, value in reversed([*enumerate(self.values)])}

    @cached_property
    def _by_number(self) -> dict[float, int]:
        numbers = [(number_of(value), i) for i, value in enumerate(self.values)]
        return {number: i for number, i in reversed(numbers) if number is not None}

    def of_text(self, texts: Collection[str]) -> Value | None:
        """The first value with one of these texts."""
        places = [self._by_text[text] for text in texts if text in self._by_text]
        return self.values[min(places)] if places else None

    def of_number(self, number: float | None) -> Value | None:
        """The first value that equals this number, or whose text does."""
        place = None if number is None else self._by_number.get(number)
        return None if place is None else self.values[place]


def levels_of(texts: Sequence[str]) -> tuple[Value, ...]:
    """Listed values: numbers if Python writes all of them so, else text."""
    values = [_value(text) for text in texts]
    numbers = [value for value in values if not isinstance(value, str)]
    if len(numbers) < len(values) or len(set(numbers)) < len(numbers):
        return tuple(texts)  # 1 and 1.0 differ only as text
    return tuple(numbers)


def _value(text: str) -> Value:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    for kind in (int, float):
        if number.is_finite() and abs(number) < 10**15 and str(kind(number)) == text:
            return kind(number)
    return text


def text_of(value: object) -> str:
    """A value as irace writes it."""
    return str(value).upper() if isinstance(value, bool) else str(value)


def number_of(value: object) -> float | None:
    """The number of a value or its text; None without one."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
