"""The functions of expressions, each vectorised; outside its domain a result is NaN: unknown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Function:
    """A function of numbers.

    Attributes
    ----------
    compute
        The function of numbers or arrays; float64.
    least, most
        The number of arguments; `most` is None without a limit.
    rising
        Whether it is non-decreasing in each argument.
    """

    compute: Callable[..., Any]
    least: int = 1
    most: int | None = 1
    rising: bool = True

    def error(self, count: int) -> str | None:
        """The error for this number of arguments, if any."""
        if count >= self.least and (self.most is None or count <= self.most):
            return None
        some = "argument" if self.least == 1 else "arguments"
        return f"must have {'at least ' if self.most is None else ''}{self.least} {some}"


FUNCTIONS: Mapping[str, Function] = {
    "min": Function(lambda *xs: reduce(np.minimum, xs), least=2, most=None),
    "max": Function(lambda *xs: reduce(np.maximum, xs), least=2, most=None),
    "abs": Function(np.abs, rising=False),
    "round": Function(np.rint),  # ties to even, as in Python and R
    "floor": Function(np.floor),
    "ceil": Function(np.ceil),
    "trunc": Function(np.trunc),
    "sqrt": Function(np.sqrt),
    "exp": Function(np.exp),
    "log": Function(np.log),
    "log2": Function(np.log2),
    "log10": Function(np.log10),
}
