"""The random forest of a run: which parameters its costs depend on."""

from __future__ import annotations

import numpy as np

from racing.errors import InputError, MissingExtra
from racing.explain import decompose, fit, levels
from racing.explanation.result import Model
from racing.explanation.source import Source


def model_of(run: Source) -> Model | None:
    """The forest and what it says; a note where there is none."""
    place = {one.id: i for i, one in enumerate(run.candidates)}
    costs = np.full((1 + max((o.step for o in run.outcomes), default=0), len(place)), np.nan)
    for outcome in run.outcomes:
        costs[outcome.step, place[outcome.candidate]] = outcome.cost
    useless = np.isinf(costs).any(axis=0) & ~np.isfinite(costs).any(axis=0)
    if useless.any() and not useless.all():
        costs[:, useless] = np.nan
    found = levels(costs, run.scenario.objective)
    ran = found.counts > 0
    points = run.space.encode([one.values for one in run.candidates])
    try:
        forest = fit(points[ran], found.values[ran], found.counts[ran], seed=run.scenario.seed)
    except (InputError, MissingExtra) as why:
        run.notes.append(f"no parameter importance: {why}")
        return None
    if np.isnan(forest.r2):
        run.notes.append("no parameter importance: all configurations cost the same")
        return None
    parts = decompose(forest.trees, run.space, near=run.winner.values, seed=run.scenario.seed)
    return Model(
        forest=forest,
        parameters=parts.parameters,
        pairs=parts.pairs,
        left_out=int(useless.sum()) if not useless.all() else 0,
    )
