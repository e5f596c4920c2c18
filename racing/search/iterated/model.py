"""The sampling model of an elite: standard deviations of numbers, probabilities of categories.

López-Ibáñez et al. (2016), section 3.2, as irace 4.4 has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.search.iterated.shape import Shape

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Model:
    """Where configurations are drawn around an elite.

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
    """Half of each domain; every category alike."""
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
        How many new configurations the race is going to have.
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
    """A model that is wider again, after configurations have become nearly the same.

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
