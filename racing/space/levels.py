"""What parameters with a list of values share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np

from racing.errors import show
from racing.space.parameter import Value, is_number, same

_SHOWN = 8


class Levels(ABC):
    """Behaviour over `levels`, which a subclass has."""

    @property
    @abstractmethod
    def levels(self) -> tuple[Value, ...]:
        """The values in their order."""

    @property
    def allowed(self) -> str:
        """The domain in words."""
        shown = [_text(value) for value in self.levels[:_SHOWN]]
        many = len(self.levels)
        more = f", … ({many} values)" if many > len(shown) else ""
        return f"one of {', '.join(shown)}{more}"

    @property
    def size(self) -> float:
        """How many values there are."""
        return len(self.levels)

    def admit(self, value: object) -> Value | None:
        """The value as it stands in the list; None if it is not there."""
        return next((own for own in self.levels if same(own, value)), None)

    def sample(self, rng: np.random.Generator, n: int) -> list[Value]:
        """`n` independent draws, every value equally likely."""
        return [self.levels[i] for i in rng.integers(len(self.levels), size=n)]


def value_faults(values: Sequence[Value]) -> Iterator[str]:
    """What is wrong with a list of values."""
    if not values:
        yield "there are no values to choose from; give at least one"
    for place, value in enumerate(values):
        if not isinstance(value, str | bool) and not is_number(value):
            yield f"a value must be text, a finite number, true or false, not {show(value)}"
        if any(same(value, earlier) for earlier in values[:place]):
            yield f"the value {show(value)} stands twice"


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
