"""Which parameters the costs of a run depend on: the forest of `racing explain`, from a history."""

from __future__ import annotations

import numpy as np

from racing.analysis.explain.model import Model, fitted
from racing.base.errors import InputError
from racing.report.history import History

MOST = 3000
"""Configurations beyond which a page does not wait for a forest; `racing explain` does."""


def importance(history: History) -> Model:
    """The forest of all configurations of a finished run, and its importances.

    Raises
    ------
    InputError
        If there is none: why.
    MissingExtra
        If scikit-learn is not installed.
    """
    facts, space, winner = history.facts, history.space, history.facts.winner
    if space is None:
        raise InputError("the scenario has no space")
    if facts.stopped is None or winner is None:
        raise InputError("it is measured when the run is over and has a winner")
    candidates = tuple(history.candidates.values())
    if len(candidates) > MOST:
        raise InputError(
            f"{len(candidates)} configurations take too long for a page; use `racing explain`"
        )
    return fitted(
        space,
        candidates,
        _costs(history),
        objective=facts.header.objective,
        near=winner,
        seed=facts.header.seed,
    )


def _costs(history: History) -> np.ndarray:
    """(T, k) every outcome by instance and candidate; NaN = not run."""
    outcomes, place = history.outcomes, {id: k for k, id in enumerate(history.candidates)}
    rows = 1 + int(outcomes.step.max(initial=0))
    costs = np.full((rows, len(place)), np.nan)
    columns = [place[id] for id in outcomes.candidate.tolist()]
    costs[outcomes.step, columns] = outcomes.cost
    return costs
