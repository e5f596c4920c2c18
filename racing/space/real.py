"""A real parameter."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np

from racing.base.errors import InputError, must_be
from racing.space.interval import (
    SLACK,
    bound_text,
    interval_faults,
    is_fixed,
    step_faults,
)  # fmt: skip
from racing.space.parameter import Bound, Clause, is_number, option_faults
from racing.space.scale import Axis, Continuous, Scale, UnitCells, places_rounding, round_to

_MOST_DIGITS = 15


@dataclass(frozen=True)
class Real:
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

    low: Bound
    high: Bound
    _: KW_ONLY
    log: bool = False
    logit: bool = False
    digits: int | None = None
    step: float | None = None
    default: float | None = None
    switch: str | None = None
    when: Clause | None = None

    levels = None
    ordered = True

    def __post_init__(self) -> None:
        for error in self._faults():
            raise InputError(error)
        for end in ("low", "high", "default", "step"):
            if is_number(getattr(self, end)):
                object.__setattr__(self, end, float(getattr(self, end)))

    def _faults(self) -> Iterator[str]:
        yield from interval_faults(self.low, self.high, self.log)
        yield from self._scale_faults()
        yield from step_faults(self.step, self.low, self.high)
        yield from self._digits_faults()
        if is_fixed(self.low, self.high) and not math.isfinite(self.high - self.low):  # type: ignore[operator]
            yield f"the interval from {self.low} to {self.high} is wider than a number can say"
        yield from option_faults(self)

    def _scale_faults(self) -> Iterator[str]:
        if not isinstance(self.logit, bool):
            yield must_be("logit", "true or false", self.logit)
        if self.log and self.logit:
            yield "log and logit are two scales; keep one"
        if self.logit and any(is_number(x) and not 0 < x < 1 for x in (self.low, self.high)):  # type: ignore[operator]
            yield f"a logit scale must have ends between 0 and 1; got {self.low} and {self.high}"
        if self.logit and self.step is not None:
            yield "a logit scale has no steps; leave out one of the two"

    def _digits_faults(self) -> Iterator[str]:
        if self.digits is None:
            return
        if isinstance(self.digits, bool) or not isinstance(self.digits, int):
            yield must_be("digits", "a whole number", self.digits)
        elif not 0 <= self.digits <= _MOST_DIGITS:
            yield must_be("digits", f"from 0 to {_MOST_DIGITS}", self.digits)
        elif self.step is not None:
            yield "digits and step both round the values; keep one"
        else:
            for end in (self.low, self.high):
                if is_number(end) and round(end, self.digits) != end:  # type: ignore[arg-type]
                    yield f"the end {end} has more than {self.digits} digits; round it"

    @property
    def scale(self) -> Scale:
        """The scale by its name."""
        return "log" if self.log else "logit" if self.logit else "linear"

    @property
    def allowed(self) -> str:
        """The domain as text."""
        steps = f" in steps of {self.step:g}" if self.step is not None else ""
        return f"a number from {bound_text(self.low)} to {bound_text(self.high)}{steps}"

    @property
    def size(self) -> float:
        """The number of values: inf without `digits` and `step`."""
        if not is_fixed(self.low, self.high):
            return math.nan
        return float(self.count(self.low, self.high))

    def between(self, low: float, high: float) -> Real:
        """The parameter with these bounds in place of its expressions."""
        whole = replace(self, low=0.25, high=0.75, step=None, digits=None, default=None)
        for name in ("low", "high", "step", "digits"):
            number = {"low": low, "high": high}.get(name, getattr(self, name))
            object.__setattr__(whole, name, number)
        return whole

    def admit(self, value: object) -> float | None:
        """The value as a float, rounded to `digits` or `step`; None if it is not in the domain."""
        if not is_number(value):
            return None
        if not is_fixed(self.low, self.high):
            return float(value)  # type: ignore[arg-type]
        number = float(value)  # type: ignore[arg-type]
        low, high = (float(end) for end in self.ends(self.low, self.high))
        if self.digits is not None:
            number = float(round_to(number, places_rounding(self.digits)))
        if not low <= number <= high:
            return None
        if self.step is None:
            return number
        nearest = float(self._cells(self.low, self.high).nth(np.rint((number - low) / self.step)))
        return nearest if abs(nearest - number) <= SLACK * self.step else None

    def sample(self, rng: np.random.Generator, n: int) -> list[float]:
        """`n` independent draws, uniform on the scale."""
        with np.errstate(all="ignore"):
            values: list[float] = self.axis(self.low, self.high).value(rng.random(n)).tolist()
        return values

    def ends(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The least and the largest value within the bounds; see `Numeric`."""
        if self.step is not None:
            return low, self._cells(low, high).nth(self.count(low, high) - 1)
        if self.digits is None:
            return low, high
        grid = 10.0**self.digits
        return np.ceil(low * grid - SLACK) / grid + 0.0, np.floor(high * grid + SLACK) / grid

    def axis(self, low: Any, high: Any) -> Axis:
        """The mapping between values and [0, 1]; see `Numeric`."""
        if self.step is not None:
            return self._cells(low, high)
        return Continuous(*self.ends(low, high), self.scale, self.digits)

    def _cells(self, low: Any, high: Any) -> UnitCells:
        assert self.step is not None
        return UnitCells(low, self.count(low, high), self.step, self.scale, whole=False)

    def count(self, low: Any, high: Any) -> Any:
        """The number of values within the bounds; see `Numeric`."""
        if self.step is not None:
            return np.maximum(np.floor((high - low) / self.step + SLACK) + 1, 0)
        least, most = self.ends(low, high)
        if self.digits is None:
            return np.where(most > least, np.inf, np.where(most == least, 1.0, 0.0))
        return np.maximum(np.rint((most - least) * 10.0**self.digits) + 1, 0)
