"""The sampling model of an elite: standard deviations of numbers, probabilities of categories.

López-Ibáñez et al. (2016), section 3.2, as in irace 4.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.space import Integer, Parameter, Space
from racing.space.parameter import is_number

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shape:
    """A space as columns on the unit scale, one for each parameter.

    Attributes
    ----------
    choices : (d,)
        The number of levels of a categorical parameter, 0 for any other.
    widths : (d,)
        The first standard deviations of numbers; 0 for categorical parameters.
    parameters
        N: the number of parameters with more than one value.
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
    """The number of parameters with more than one value."""
    return sum(_cells(parameter) != 1 for parameter in space.values())


def _width(parameter: Parameter) -> float:
    """Half of the domain: (u − l) / 2, on the unit scale.

    Whole numbers and ordered levels have one cell each there: k values lie in k cells, so the
    domain from the first to the last value has length (k − 1) / k. Log scales and domains that
    depend on other parameters have 1 / 2, as in irace.
    """
    cells = _cells(parameter)
    if cells == 1:
        return 0.0
    return 0.5 * (cells - 1) / cells if cells else 0.5


def _cells(parameter: Parameter) -> int:
    """The number of values on the scale; 0 if it is infinite or depends on other parameters."""
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


@dataclass(frozen=True, eq=False)
class Model:
    """The distribution of configurations that are drawn around an elite.

    Attributes
    ----------
    widths : (d,)
        Standard deviations on the unit scale; 0 for categorical parameters.
    weights : (d, k)
        Probabilities of the levels of categorical parameters, 0 beyond the last level; rows of
        zeros for the others.
    """

    widths: Floats
    weights: Floats


def initial(shape: Shape) -> Model:
    """The first model: half of each domain; equal probabilities for categories."""
    most = int(shape.choices.max(initial=1))
    there = np.arange(most) < shape.choices[:, None]
    return Model(shape.widths, there / np.maximum(shape.choices, 1)[:, None])


def updated(
    model: Model,
    point: Floats,
    shape: Shape,
    *,
    drawn: int,
    iteration: int,
    iterations: int,
    elitist: bool,
) -> Model:
    """The model of an elite for the next race.

    sd ← sd · (1 / new)^(1 / N); p ← p · (1 − (j − 1) / iterations), and the elite's own category
    gets (j − 1) / iterations in addition. In elitist racing, no p exceeds 0.2^(1 / N).

    Parameters
    ----------
    point : (d,)
        The elite, on the unit scale; its inactive categories (NaN) keep their probabilities.
    drawn
        The number of new configurations in the race.
    """
    widths = model.widths * (1 / max(drawn, 1)) ** (1 / shape.parameters)
    moved = min((iteration - 1) / iterations, 1.0)
    active = np.flatnonzero((shape.choices > 0) & ~np.isnan(point))
    weights = model.weights.copy()
    weights[active] *= 1 - moved
    weights[active, point[active].astype(np.intp)] += moved
    if elitist:
        weights[active] = np.minimum(weights[active], 0.2 ** (1 / shape.parameters))
    weights[active] /= weights[active].sum(axis=1, keepdims=True)
    return Model(widths, weights)


def restarted(model: Model, shape: Shape, *, drawn: int) -> Model:
    """A wider model, for use after configurations have become similar.

    sd ← min(sd · new^(2 / N), first sd · (1 / new)^(1 / N)); p ← 0.9 p + 0.1 max p, normalised.
    """
    drawn = max(drawn, 1)
    wider = model.widths * drawn ** (2 / shape.parameters)
    most = shape.widths * (1 / drawn) ** (1 / shape.parameters)
    there = np.arange(model.weights.shape[1]) < shape.choices[:, None]
    raised = 0.9 * model.weights + 0.1 * model.weights.max(axis=1, keepdims=True)
    weights = np.where(there, raised, 0.0)
    total = weights.sum(axis=1, keepdims=True)
    return Model(np.minimum(wider, most), weights / np.where(total > 0, total, 1.0))
