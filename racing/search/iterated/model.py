"""The sampling model of an elite, the draws from it, and which of them are nearly the same.

It has standard deviations of numbers and probabilities of categories. López-Ibáñez et al. (2016),
sections 3.2 and 3.4, as in irace 4.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.search.sampler import truncated_normal
from racing.space import Integer, Parameter, Space
from racing.space.parameter import is_number

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


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
        categories = np.array([kind == "category" for kind in space.encoding.kinds])
        levels = np.array(space.encoding.levels, dtype=np.intp)
        widths = [_width(parameter) for parameter in space.values()]
        return cls(
            choices=np.where(categories, levels, 0),
            widths=np.where(categories, 0.0, widths),
            parameters=sum(_cells(parameter) != 1 for parameter in space.values()),
        )


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


# --- draws --------------------------------------------------------------------------------------


def parent_weights(elites: int) -> Floats:
    """(m,) (m − z + 1) / (m (m + 1) / 2) for the z-th elite: better ones are drawn more often."""
    return np.arange(elites, 0, -1) / (elites * (elites + 1) / 2)


def around(
    points: Floats, models: Sequence[Model], shape: Shape, n: int, rng: np.random.Generator
) -> tuple[Floats, Places]:
    """`n` points of the unit cube, and the place of each one's parent among the elites.

    Numbers come from a normal around the parent's value, truncated to the domain; categories by
    their probabilities. Parameters that are inactive in the parent are uniform, categories by their
    probabilities. Every column gets a value; inactive ones are removed afterwards.

    Parameters
    ----------
    points : (m, d)
        The elites on the unit scale, the best first; NaN = inactive.
    models
        Of the elites.
    """
    parents = rng.choice(len(points), size=n, p=parent_weights(len(points)))
    fresh = rng.random((n, len(shape.choices)))
    widths = np.array([model.widths for model in models])[parents]
    moved = truncated_normal(points[parents], widths, fresh)
    found = np.where(np.isnan(moved), fresh, moved)
    for column in np.flatnonzero(shape.choices):
        weights = np.array([model.weights[column] for model in models])[parents]
        level = (fresh[:, [column]] >= weights.cumsum(axis=1)).sum(axis=1)
        count = shape.choices[column]
        found[:, column] = (np.minimum(level, count - 1) + 0.5) / count
    return found, parents


def similar(points: Floats, shape: Shape, threshold: float) -> NDArray[np.bool_]:
    """(n,) whether there is another configuration that is nearly the same.

    Two are similar if the same parameters are active, the categories are equal, and no number
    differs by more than `threshold` on the unit scale.

    Parameters
    ----------
    points : (n, d)
        On the unit scale, NaN = inactive.
    """
    found = np.zeros(len(points), dtype=bool)
    categories = shape.choices > 0
    groups: dict[bytes, list[int]] = {}
    for row, point in enumerate(points):
        key = np.isnan(point).tobytes() + np.nan_to_num(point[categories]).tobytes()
        groups.setdefault(key, []).append(row)
    for rows in groups.values():
        numbers = np.nan_to_num(points[rows][:, ~categories])
        for place, row in enumerate(rows[:-1]):
            distance = np.abs(numbers[place + 1 :] - numbers[place]).max(axis=1, initial=0.0)
            near = np.array(rows[place + 1 :])[distance <= threshold]
            found[near] = True
            found[row] |= len(near) > 0
    return found
