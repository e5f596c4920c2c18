"""The random forest of a run: which parameters its costs depend on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.analysis.explain.forest import Forest, fit
from racing.analysis.explain.importance import Importance, Pair, decompose
from racing.analysis.explain.levels import Scale, levels, scales
from racing.analysis.explain.source import Source
from racing.analysis.run_log import matrix
from racing.base.errors import InputError, MissingExtra
from racing.core.candidate import Candidate
from racing.core.objective import Objective
from racing.space import Space


@dataclass(frozen=True, kw_only=True)
class Model:
    """The importances of parameters by a random forest.

    Attributes
    ----------
    configurations
        To how many the forest was fitted.
    r2, poor
        The quality of the forest, and whether it says little: see `Forest`.
    parameters
        The most important first.
    interactions
        Of the most important parameters, the strongest first.
    left_out
        How many configurations are not in it, since none of their runs worked: the shares are of
        those that work, and `regions` says where the others are.
    scale
        What the forest was fitted to: of `racing.analysis.explain.levels.scales`, the one that it
        explains best.
    """

    configurations: int
    left_out: int
    scale: Scale
    r2: float
    poor: bool
    parameters: tuple[Importance, ...]
    interactions: tuple[Pair, ...]


def model_of(run: Source) -> Model | None:
    """The forest and its importances; a note if there is none."""
    rows = 1 + max((one.step for one in run.outcomes), default=0)
    try:
        return fitted(
            run.space,
            run.candidates,
            matrix(run.outcomes, run.candidates, rows),
            objective=run.scenario.score,
            near=run.winner,
            seed=run.scenario.seed,
        )
    except (InputError, MissingExtra) as why:
        run.notes.append(f"no parameter importance: {why}")
        return None


def fitted(
    space: Space,
    candidates: Sequence[Candidate],
    costs: NDArray[np.float64],
    *,
    objective: Objective,
    near: Candidate,
    seed: int,
) -> Model:
    """The forest of all configurations and its importances.

    Parameters
    ----------
    candidates
        The k configurations.
    costs : (T, k)
        Rows are instances; NaN = not run, +inf = failed.
    near
        The configuration for importance near it.

    Raises
    ------
    InputError
        If there are too few configurations, or all cost the same.
    MissingExtra
        If scikit-learn is not installed.
    """
    useless = np.isinf(costs).any(axis=0) & ~np.isfinite(costs).any(axis=0)
    some = useless.any() and not useless.all()
    points = space.encode([one.values for one in candidates])
    forest, scale = _best(
        points, np.where(useless, np.nan, costs) if some else costs, objective, seed
    )
    if forest.r2 is None:
        raise InputError("all configurations cost the same")
    parts = decompose(forest.trees, space, near=near.values, seed=seed)
    return Model(
        configurations=forest.configurations,
        left_out=int(useless.sum()) if some else 0,
        scale=scale,
        r2=forest.r2,
        poor=forest.poor,
        parameters=parts.parameters,
        interactions=parts.pairs,
    )


def _best(
    points: NDArray[np.float64], costs: NDArray[np.float64], objective: Objective, seed: int
) -> tuple[Forest, Scale]:
    """The forest that explains most of the data that it was not fitted to, over scales of costs."""
    forests = []
    for scale in scales(costs, objective):
        found = levels(costs, scale)
        ran = found.counts > 0
        forest = fit(points[ran], found.values[ran], found.counts[ran], seed=seed)
        forests.append((forest, scale))
    return max(forests, key=lambda one: -math.inf if one[0].r2 is None else one[0].r2)
