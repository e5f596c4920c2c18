"""What the sampling models need to know of a space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.space import Integer, Parameter, Space
from racing.space.parameter import is_number

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Shape:
    """A space as the models see it: a column for each parameter, on the unit scale.

    Attributes
    ----------
    choices : (d,)
        How many levels a categorical parameter has, 0 for any other.
    widths : (d,)
        The standard deviations that numbers begin with; 0 for categorical parameters.
    parameters
        N: how many parameters there are that have more than one value.
    """

    choices: NDArray[np.intp]
    widths: Floats
    parameters: int

    @classmethod
    def of(cls, space: Space) -> Shape:
        """The shape of a space."""
        kinds = space.encoding.kinds
        categories = np.array([kind == "category" for kind in kinds])
        levels = np.array(space.encoding.levels, dtype=np.intp)
        widths = [_width(parameter) for parameter in space.values()]
        return cls(
            choices=np.where(categories, levels, 0),
            widths=np.where(categories, 0.0, widths),
            parameters=_variable(space),
        )


def _variable(space: Mapping[str, Parameter]) -> int:
    """How many parameters have more than one value."""
    return sum(_cells(parameter) != 1 for parameter in space.values())


def _width(parameter: Parameter) -> float:
    """Half of the domain: (u − l) / 2, on the unit scale.

    Whole numbers and ordered levels have a cell each there: k values lie in k cells, so that the
    domain from the first to the last value has the length (k − 1) / k. Log scales and domains that
    depend on other parameters have 1 / 2, as in irace.
    """
    cells = _cells(parameter)
    if cells == 1:
        return 0.0
    return 0.5 * (cells - 1) / cells if cells else 0.5


def _cells(parameter: Parameter) -> int:
    """How many values there are, side by side on the scale; 0 where that is no plain number."""
    if parameter.levels is not None:
        return len(parameter.levels)
    low: Any = getattr(parameter, "low", None)
    high: Any = getattr(parameter, "high", None)
    if not is_number(low) or not is_number(high):
        return 0
    if low == high:
        return 1
    if isinstance(parameter, Integer) and not parameter.log:
        return (int(high) - int(low)) // (parameter.step or 1) + 1
    return 0
