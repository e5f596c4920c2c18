"""Random sampling plus a race, beside the search with the same budget: what the search is worth.

The default and budget / `EACH` configurations, drawn uniformly from the space, run a race by mean
costs with the default rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from benchmarks.search_lab.figures import scale
from benchmarks.search_lab.landscapes import Landscape
from benchmarks.search_lab.measure import Run, drive
from benchmarks.search_lab.spaces import configuration, row, space_of
from racing.core.instances import Instances
from racing.race import Race

EACH = 5
"""Evaluations for each configuration; 10 and 20 were tried too, on landscapes 20–25."""


def regret(name: str, number: int, *, budget: int, seed: int) -> float:
    """The winner's regret of a race between the default and random configurations."""
    land = Landscape(name, number)
    space, own = space_of(land.family), 1000 * number + seed
    drawn = space.sample(np.random.default_rng(own), budget // EACH)
    race = Race(
        [configuration(land.family, land.default), *drawn],
        Instances(land.instances, repeat=True),
        budget=budget,
        seed=own,
        objective="mean",
    )
    drive(race, land)
    assert race.winner is not None
    return scale(name, number).regret(land.truth(row(land.family, race.winner.values)))


def rows(
    runs: Iterable[Run],
    families: Iterable[str],
    landscapes: Iterable[int],
    seeds: Iterable[int],
    budgets: Iterable[int],
) -> Iterator[str]:
    """A line for each budget and family, paired with stored runs of the search."""
    yield "| evaluations | family | pairs | search | sampling plus a race | difference |"
    yield "| ---: | --- | ---: | ---: | ---: | ---: |"
    stored = {(one.family, one.landscape, one.seed, one.budget): one.regret for one in runs}
    for budget in budgets:
        for name in families:
            keys = [(name, n, seed, budget) for n in landscapes for seed in seeds]
            keys = [key for key in keys if key in stored]
            if not keys:
                continue
            ours = np.array([stored[key] for key in keys])
            theirs = np.array([regret(name, n, budget=budget, seed=s) for _, n, s, _ in keys])
            means = f"{ours.mean():.3f} | {theirs.mean():.3f}"
            yield f"| {budget} | {name} | {len(keys)} | {means} | {_paired(theirs - ours)} |"


def _paired(differences: np.ndarray) -> str:
    """Their mean with its standard error."""
    error = differences.std(ddof=1) / np.sqrt(len(differences)) if len(differences) > 1 else np.nan
    return f"{differences.mean():+.3f} ({error:.3f})".replace("-", "−")
