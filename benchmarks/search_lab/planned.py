"""How far `racing plan` is off: counts of the stored runs over those that it says.

Beside it what the least would say: the median count of the runs of all other families.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from benchmarks.search_lab.landscapes import Landscape
from benchmarks.search_lab.measure import Run
from benchmarks.search_lab.spaces import space_of
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.search.search_plan import plan


def rows(
    runs: Sequence[Run],
    families: Iterable[str],
    landscapes: Iterable[int],
    seeds: Iterable[int],
    budgets: Iterable[int],
) -> Iterator[str]:
    """A line for every budget: true counts over said ones, the median and the middle 80 %."""
    wanted = set(families), set(landscapes), set(seeds)
    yield "".ljust(13) + "".join(
        name.ljust(22)
        for name in ("configurations", "by others' median", "instances", "by others'")
    )
    for budget in budgets:
        mine = [r for r in runs if r.budget == budget]
        counts = {name: _counts(mine, name) for name in wanted[0]}
        said = {name: _said(name, budget) for name in wanted[0]}
        ratios = [
            (*(own := np.array([r.candidates, r.instances])) / said[r.family],
             *own / np.median(np.vstack([c for n, c in counts.items() if n != r.family]), axis=0))
            for r in mine
            if r.family in wanted[0] and r.landscape in wanted[1] and r.seed in wanted[2]
        ]  # fmt: skip
        if ratios:
            low, middle, high = np.quantile(ratios, (0.1, 0.5, 0.9), axis=0)
            cells = [f"{middle[i]:.2f}  {low[i]:.2f} – {high[i]:.2f}" for i in (0, 2, 1, 3)]
            yield f"{budget:>11}  " + "    ".join(cells)


def _counts(runs: Iterable[Run], family: str) -> np.ndarray:
    return np.array([[r.candidates, r.instances] for r in runs if r.family == family])


def _said(family: str, budget: int) -> np.ndarray:
    """The configurations and instances that the plan says."""
    land = Landscape(family, 0)
    found = plan(
        Budget(evaluations=budget),
        parameters=len(space_of(land.family)),
        instances=Instances(land.instances, repeat=True),
    )
    return np.array([found.initial + found.challengers, found.instances])
