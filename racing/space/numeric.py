"""Parameters that are numbers from an interval: real ones, and whole ones."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from copy import copy
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np

from racing.base.errors import must_be
from racing.base.records import INVALID, Errors, Kind, Schema
from racing.base.records.leaves import Number
from racing.space.expressions.nodes import Node
from racing.space.expressions.render import number_text, render
from racing.space.parameter import CLAUSE, Clause, Parameter, When, is_clause
from racing.space.scale import Axis, Continuous, Scale, UnitCells, places_rounding, round_to
from racing.space.values import is_number

SLACK = 1e-9  # tolerance for the rounding of a computed bound, relative to a step
LARGEST = 2**53  # beyond it, floats cannot represent all whole numbers
_MOST_DIGITS = 15


@dataclass(frozen=True)
class End(Kind):
    """One end of an interval: a number, or an expression over other parameters."""

    number: Number

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"{self.number.allowed} or an expression"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if isinstance(value, str | Node):
            return CLAUSE.read(value, at, errors)
        found = self.number.read(value, at, Errors())
        if found is not INVALID:
            return found
        return self.refuse(value, at, errors, self.number.hint(value))

    def write(self, value: Any) -> Any:
        return CLAUSE.write(value)

    def schema(self) -> Schema:
        return {"anyOf": [self.number.schema(), CLAUSE.schema()]}


Bound: TypeAlias = float | Clause
RealEnd: TypeAlias = Annotated[Bound, End(Number(float))]
WholeEnd: TypeAlias = Annotated[Bound, End(Number(int))]


class Numeric(Parameter):
    """A parameter with two bounds, each a number or an expression over other parameters.

    Attributes
    ----------
    low, high
        The ends of the interval.
    log
        Whether the scale is logarithmic.
    step
        The distance of the values; None for all in the interval.

    Examples
    --------
    >>> from racing.space import Integer
    >>> parameter = Integer(1, "ants / 2")
    >>> parameter.low, parameter.high
    (1, 'ants / 2')
    >>> parameter.between(1, 10).allowed
    'a whole number from 1 to 10'
    """

    low: Bound
    high: Bound
    log: bool
    logit: bool = False
    digits: int | None = None
    step: float | None
    ordered = True
    _type: type[float] = float

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("low", "high", "default", "step"):
            if is_number(value := getattr(self, name)):
                object.__setattr__(self, name, self._type(value))

    @property
    def is_fixed(self) -> bool:
        """Whether both bounds are numbers."""
        return is_number(self.low) and is_number(self.high)

    @property
    def scale(self) -> Scale:
        """The scale by its name."""
        return "log" if self.log else "logit" if self.logit else "linear"

    @property
    def allowed(self) -> str:
        """The domain as text."""
        low, high = (render(x) if isinstance(x, Node) else x for x in (self.low, self.high))
        steps = f" in steps of {number_text(self.step)}" if self.step is not None else ""
        return f"{'a whole' if self._type is int else 'a'} number from {low} to {high}{steps}"

    @property
    def size(self) -> float:
        """The number of values: inf for a continuum, NaN if it depends on others."""
        return float(self.count(self.low, self.high)) if self.is_fixed else math.nan

    def between(self, low: float, high: float) -> Numeric:
        """The parameter with these bounds in place of its expressions."""
        bounded = copy(self)
        object.__setattr__(bounded, "low", self._type(low))
        object.__setattr__(bounded, "high", self._type(high))
        return bounded

    def sample(self, rng: np.random.Generator, n: int) -> list[Any]:
        """`n` independent draws, uniform on the scale."""
        with np.errstate(all="ignore"):
            drawn = self.axis(self.low, self.high).value(rng.random(n))
        return [*map(self._type, drawn)]

    @abstractmethod
    def ends(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The least and the largest value within bounds: arrays of one shape, or numbers."""

    def too_large(self, low: Any, high: Any) -> Any:
        """Where bounds are larger or further apart than values can be; False where NaN."""
        largest = LARGEST if self._type is int else np.finfo(float).max
        with np.errstate(all="ignore"):
            return (np.maximum(np.abs(low), np.abs(high)) > largest) | np.isinf(high - low)

    def empty(self, low: Any, high: Any) -> Any:
        """Where bounds leave no value on the scale; False where NaN."""
        with np.errstate(all="ignore"):
            empty = (self.count(low, high) < 1) & (low == low) & (high == high)
        empty = empty | self.too_large(low, high)
        if self.scale != "linear":
            empty = empty | (low <= 0)
        return empty | (high >= 1) if self.logit else empty

    def _faults(self) -> Iterator[str]:
        low: Any = self.low
        high: Any = self.high
        ends = [end for end in (low, high) if not (is_number(end) or is_clause(end))]
        if ends:
            yield must_be("the ends of the interval", "finite numbers", ends[0])
        elif self.is_fixed and not low < high:
            yield f"the lower end must be below the upper end, {high}; got {low}"
        elif not isinstance(self.log, bool):
            yield must_be("log", "true or false", self.log)
        elif self.log and is_number(low) and low <= 0:
            yield f"the lower end must be above 0 for a logarithmic scale; got {low}"
        yield from self._own_faults([end for end in (low, high) if is_number(end)])
        if self.step is not None and (not is_number(self.step) or self.step <= 0):
            yield must_be("the step", "a number above 0", self.step)
        elif self.step is not None and self.is_fixed:
            last = low + np.floor((high - low) / self.step + SLACK) * self.step
            if abs(last - high) > SLACK * self.step:
                yield f"the upper end must be {last:g}, by steps of {self.step} from {low}; " + (
                    f"got {high}")  # fmt: skip
        yield from super()._faults()

    @abstractmethod
    def _own_faults(self, ends: list[Any]) -> Iterator[str]:
        """The errors of what only this kind has; `ends` are those that are numbers."""


@dataclass(frozen=True)
class Real(Numeric):
    """A number from a closed interval.

    Attributes
    ----------
    low, high
        The ends of the interval; both are allowed. Text is an expression over other parameters.
    log
        Whether the scale is logarithmic: equal ratios are equally likely. Needs `low` > 0.
    logit
        Whether the scale is that of log p/(1 − p), for probabilities. Needs 0 < `low`, `high` < 1.
    digits
        Decimal places that a value is rounded to. By default, given values are not rounded, and
        drawn ones have 12 significant places of the interval.
    step
        Distance between the allowed values, counted from `low`; each is equally likely.
    default
        The value if none is given.
    switch
        The text before the value on a command line; `--name=` by default. With a space at its end,
        switch and value are two arguments.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.

    Examples
    --------
    >>> from racing.space import Real
    >>> Real(0.001, 10, log=True).allowed
    'a number from 0.001 to 10.0'
    >>> Real(0, 1, digits=2).admit(0.456)
    0.46
    """

    low: RealEnd
    high: RealEnd
    _: KW_ONLY
    log: bool = False
    logit: bool = False
    digits: int | None = None
    step: float | None = None
    default: float | None = None
    switch: str | None = None
    when: When = None

    def _own_faults(self, ends: list[Any]) -> Iterator[str]:
        if not isinstance(self.logit, bool):
            yield must_be("logit", "true or false", self.logit)
        if self.log and self.logit:
            yield "log and logit are two scales; keep one"
        if self.logit and any(not 0 < end < 1 for end in ends):
            yield f"a logit scale must have ends between 0 and 1; got {self.low} and {self.high}"
        if self.logit and self.step is not None:
            yield "a logit scale has no steps; leave out one of the two"
        yield from self._digits_faults(ends) if self.digits is not None else ()
        if len(ends) == 2 and not math.isfinite(float(ends[1]) - float(ends[0])):
            yield f"the interval from {self.low} to {self.high} is wider than a number can say"

    def _digits_faults(self, ends: list[Any]) -> Iterator[str]:
        if isinstance(self.digits, bool) or not isinstance(self.digits, int):
            yield must_be("digits", "a whole number", self.digits)
        elif not 0 <= self.digits <= _MOST_DIGITS:
            yield must_be("digits", f"from 0 to {_MOST_DIGITS}", self.digits)
        elif self.step is not None:
            yield "digits and step both round the values; keep one"
        else:
            for end in ends:
                if round(end, self.digits) != end:
                    yield f"the end {end} has more than {self.digits} digits; round it"

    def admit(self, value: object) -> float | None:
        """The value as a float, rounded to `digits` or `step`; None if it is not in the domain."""
        if not is_number(value):
            return None
        number = float(value)  # type: ignore[arg-type]
        if not self.is_fixed:
            return number
        low, high = (float(end) for end in self.ends(self.low, self.high))
        if self.digits is not None:
            number = float(round_to(number, places_rounding(self.digits)))
        if not low <= number <= high:
            return None
        if self.step is None:
            return number
        nearest = float(self._cells(self.low, self.high).nth(np.rint((number - low) / self.step)))
        return nearest if abs(nearest - number) <= SLACK * self.step else None

    def count(self, low: Any, high: Any) -> Any:
        """The number of values within bounds; see `Parameter`."""
        if self.step is not None:
            return np.maximum(np.floor((high - low) / self.step + SLACK) + 1, 0)
        least, most = self.ends(low, high)
        if self.digits is None:
            return np.where(most > least, np.inf, np.where(most == least, 1.0, 0.0))
        return np.maximum(np.rint((most - least) * 10.0**self.digits) + 1, 0)

    def ends(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The least and the largest value within bounds; see `Numeric`."""
        if self.step is not None:
            return low, self._cells(low, high).nth(self.count(low, high) - 1)
        if self.digits is None:
            return low, high
        grid = 10.0**self.digits
        return np.ceil(low * grid - SLACK) / grid + 0.0, np.floor(high * grid + SLACK) / grid

    def axis(self, low: Any, high: Any) -> Axis:
        """The mapping between values and [0, 1]; see `Parameter`."""
        if self.step is not None:
            return self._cells(low, high)
        return Continuous(*self.ends(low, high), self.scale, self.digits)

    def _cells(self, low: Any, high: Any) -> UnitCells:
        assert self.step is not None
        return UnitCells(low, self.count(low, high), self.step, self.scale, whole=False)


@dataclass(frozen=True)
class Integer(Numeric):
    """A whole number from a closed interval.

    Attributes
    ----------
    low, high
        The ends of the interval; both are allowed, at most 2⁵³ in size. Text is an expression over
        other parameters; a lower end is rounded up to a whole number, an upper one down. What it
        comes to has the same limit.
    log
        Whether the scale is logarithmic: i has the share of [i, i + 1) on it, as in irace. Needs
        `low` > 0.
    step
        Distance between the allowed values, counted from `low`.
    default
        The value if none is given.
    switch
        The text before the value on a command line; `--name=` by default. With a space at its end,
        switch and value are two arguments.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.

    Examples
    --------
    >>> from racing.space import Integer
    >>> Integer(1, 100, log=True, default=10).size
    100
    >>> Integer(1, 9).admit(3.0), Integer(1, 9).admit(12)
    (3, None)
    """

    low: WholeEnd
    high: WholeEnd
    _: KW_ONLY
    log: bool = False
    step: int | None = None
    default: int | None = None
    switch: str | None = None
    when: When = None

    _type = int

    def _own_faults(self, ends: list[Any]) -> Iterator[str]:
        for end in ends:
            if end != int(end) or abs(end) > LARGEST:
                yield f"the ends must be whole numbers of at most 2^53 in size; got {end!r}"
        if self.step is not None and (not is_number(self.step) or self.step != int(self.step)):
            yield must_be("the step", "a whole number", self.step)

    @property
    def size(self) -> float:
        """The number of values; NaN if it depends on others."""
        low: Any = self.low
        return (self.high - low) // (self.step or 1) + 1 if self.is_fixed else math.nan

    def between(self, low: float, high: float) -> Numeric:
        """The parameter with these bounds in place of its expressions."""
        return super().between(*self.ends(low, high))

    def admit(self, value: object) -> int | None:
        """The value as an int (10.0 is 10); None if it is not in the domain or not whole."""
        number: Any = value
        if not is_number(value) or number != int(number):
            return None
        number, low, high = int(number), self.low, self.high
        if self.is_fixed and (not low <= number <= high or (number - low) % (self.step or 1)):
            return None
        return int(number)

    def count(self, low: Any, high: Any) -> Any:
        """The number of values within bounds; see `Parameter`."""
        width = np.floor(high + SLACK) - np.ceil(low - SLACK)
        return np.maximum(np.floor(width / (self.step or 1)) + 1, 0)

    def ends(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The least and the largest value within bounds; see `Numeric`."""
        least = np.ceil(low - SLACK)
        return least, least + (self.count(low, high) - 1) * (self.step or 1)

    def axis(self, low: Any, high: Any) -> Axis:
        """The mapping between whole numbers, as floats, and [0, 1]; see `Parameter`."""
        least = np.ceil(low - SLACK)
        return UnitCells(least, self.count(low, high), self.step or 1, self.scale, whole=True)
