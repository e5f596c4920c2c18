"""The ranking of the survivors of a race."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.plain import known
from racing.core.candidate import Candidate
from racing.core.means import plain_means
from racing.core.objective import Objective, failures, merits, standing
from racing.core.results import Results


@dataclass(frozen=True)
class Standing:
    """The standing of a survivor over the instances that all survivors have seen.

    Attributes
    ----------
    candidate
        Who.
    mean_rank
        Among all candidates of the race; 1 is best. Where some did not run, an estimate.
    mean_cost
        Lower is better; without failures; None if all runs failed.
    failures, instances
        The number of instances on which it failed, and of all instances.
    metrics
        The mean score of each metric, in its direction, where there are several; None where every
        run failed.
    limits
        Of each constraint, the mean of what it is about, and whether it is met; the mean is None
        where every run failed.

    Examples
    --------
    >>> import racing
    >>> found = racing.minimize(lambda values, *_: values["x"], [{"x": 1}, {"x": 2}], range(10))
    >>> found.ranking[0].candidate.values, found.ranking[0].mean_cost
    ({'x': 1}, 1.0)
    """

    candidate: Candidate
    mean_rank: float
    mean_cost: float | None
    failures: int
    instances: int
    metrics: Mapping[str, float | None] = field(default_factory=dict, hash=False)
    limits: Mapping[str, tuple[float | None, bool]] = field(default_factory=dict, hash=False)


def ranking(
    results: Results, candidates: Mapping[int, Candidate], objective: Objective
) -> tuple[Standing, ...]:
    """The survivors, best first; empty before the first instance that all have seen."""
    n = len(results.block)
    if n == 0:
        return ()
    ranks = merits(results, "rank")[:, 0]
    failed, means = failures(results), plain_means(results.block)
    several = _several(results, failed < n)
    return tuple(
        Standing(
            candidate=candidates[results.id(int(i))],
            mean_rank=float(ranks[i]),
            mean_cost=float(means[i]) if failed[i] < n else None,
            failures=int(failed[i]),
            instances=n,
            **several[i],
        )
        for i in standing(results, objective)
    )


def _several(results: Results, worked: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Mean scores and constraints of each survivor, in a race of several metrics."""
    goal = results.goal
    if goal is None:
        return [{}] * len(worked)
    means, limited, missed = goal.means(results), goal.limited(results), goal.violations(results)
    return [
        {
            "metrics": {
                name: score if worked[i] else None for name, score in goal.scores(means[i]).items()
            },
            "limits": {
                text: (known(limited[j, i]), bool(missed[j, i] == 0))
                for j, text in enumerate(goal.constraints)
            },
        }
        for i in range(len(worked))
    ]
