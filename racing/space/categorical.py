"""A categorical parameter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from racing.errors import InputError, show
from racing.space.parameter import Value, is_number, option_faults, same


@dataclass(frozen=True)
class Categorical:
    """One of a list of values; a single value is a fixed parameter.

    Attributes
    ----------
    values
        Text, numbers or booleans, each once; their order is kept.
    default
        The value where none is given.
    switch
        What a command line puts before the value; `--name=` by default. One that ends in a space
        makes two arguments.
    """

    values: Sequence[Value]
    _: KW_ONLY
    default: Value | None = None
    switch: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.values, str) or not isinstance(self.values, Sequence):
            raise InputError(f"the values must be a list, not {show(self.values)}")
        object.__setattr__(self, "values", tuple(self.values))
        for fault in self._faults():
            raise InputError(fault)

    def _faults(self) -> Iterator[str]:
        if not self.values:
            yield "there are no values to choose from; give at least one"
        for place, value in enumerate(self.values):
            if not isinstance(value, str | bool) and not is_number(value):
                yield f"a value must be text, a finite number, true or false, not {show(value)}"
            if any(same(value, earlier) for earlier in self.values[:place]):
                yield f"the value {show(value)} stands twice"
        yield from option_faults(self)

    @property
    def allowed(self) -> str:
        """The domain in words."""
        shown = [_text(value) for value in self.values[:8]]
        more = f", … ({len(self.values)} values)" if len(self.values) > len(shown) else ""
        return f"one of {', '.join(shown)}{more}"

    @property
    def size(self) -> float:
        """How many values there are."""
        return len(self.values)

    def admit(self, value: object) -> Value | None:
        """The value as it stands in the list; None if it is not there."""
        return next((own for own in self.values if same(own, value)), None)

    def sample(self, rng: np.random.Generator, n: int) -> list[Value]:
        """`n` independent draws, every value equally likely."""
        return [self.values[i] for i in rng.integers(len(self.values), size=n)]


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
