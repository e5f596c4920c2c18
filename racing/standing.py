"""Where the survivors of a race stand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from racing.candidate import Candidate
from racing.markup import configuration, figure, table
from racing.means import plain_means
from racing.objective import Objective, failures, merits, standing
from racing.quantities import Direction
from racing.results import Results


@dataclass(frozen=True)
class Standing:
    """Where a survivor stands, over the instances that all survivors have seen.

    Attributes
    ----------
    candidate
        Who.
    mean_rank
        Among all candidates of the race; 1 is best. Where some did not run, an estimate.
    mean_cost
        Lower is better; failures are left out, and it is NaN where nothing else is left.
    failures, instances
        How many of the instances it failed on, and how many there were.
    """

    candidate: Candidate
    mean_rank: float
    mean_cost: float
    failures: int
    instances: int


def ranking(
    results: Results, candidates: Mapping[int, Candidate], objective: Objective
) -> tuple[Standing, ...]:
    """The survivors, best first; empty while there is no instance that all of them have seen."""
    n = len(results.block)
    if n == 0:
        return ()
    ranks = merits(results, "rank")[:, 0]
    failed, means = failures(results), plain_means(results.block)
    return tuple(
        Standing(
            candidate=candidates[results.id(int(i))],
            mean_rank=float(ranks[i]),
            mean_cost=float(means[i]) if failed[i] < n else math.nan,
            failures=int(failed[i]),
            instances=n,
        )
        for i in standing(results, objective)
    )


def ranking_table(standings: Sequence[Standing], direction: Direction) -> str:
    """A ranking as an HTML table, mean scores in the direction of the race."""
    maximized = direction == "maximize"
    rows = (
        [
            place,
            one.candidate,
            configuration(one.candidate.values.items()),
            figure(0.0 - one.mean_cost if maximized else one.mean_cost),
            figure(one.mean_rank),
            one.instances,
            one.failures,
        ]
        for place, one in enumerate(standings, start=1)
    )
    score = "mean score" if maximized else "mean cost"
    columns = ["", "candidate", "configuration", score, "mean rank", "instances", "failures"]
    return table("Not dropped, best first", columns, rows, total=len(standings))
