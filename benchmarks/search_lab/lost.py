"""Where the regret comes from: what was tried, what was kept, and how loud the noise is.

The true cost of every configuration that a search tried says how much of the winner's regret is
lost by not trying a better one, and how much by not recognizing the best of those tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields

import numpy as np

from benchmarks.search_lab.figures import scale
from benchmarks.search_lab.landscapes import Landscape
from benchmarks.search_lab.measure import begun, drive
from benchmarks.search_lab.spaces import configuration, row

NEAR = 40
"""Of so many configurations, the best in truth, the noise is measured."""


@dataclass(frozen=True)
class Lost:
    """Regrets after a search, and the noise among the best.

    Attributes
    ----------
    winner, elites, tried, first
        The regret of the winner, and the least of the last elites, of all configurations that were
        tried, and of the initial ones.
    noise
        The standard deviation over instances of the difference between two good configurations, in
        shares of the distance from the default to the best; the median over pairs with the best.
    candidates
        How many configurations were tried.
    """

    winner: float
    elites: float
    tried: float
    first: float
    noise: float
    candidates: float


def lost(name: str, number: int, *, budget: int, seed: int) -> Lost:
    """Search a landscape, and look at the truth of all that was tried."""
    land, known = Landscape(name, number), scale(name, number)
    default = configuration(land.family, land.default)
    search = begun(land, default, budget=budget, seed=1000 * number + seed)
    drive(search, land)
    rows = {one.id: row(land.family, one.values) for one in search.candidates}
    truth = {id: land.truth(one) for id, one in rows.items()}
    first = [e.candidate.id for e in search.entrants if e.origin not in ("model", "uniform")]
    assert search.winner is not None
    best = sorted(truth, key=truth.__getitem__)[:NEAR]
    costs = np.array(
        [
            land.costs(np.array([rows[id] for id in best]), [one] * len(best), [seed] * len(best))
            for one in land.instances
        ]
    )
    apart = (costs[:, 1:] - costs[:, :1]).std(axis=0, ddof=1)
    return Lost(
        winner=known.regret(truth[search.winner.id]),
        elites=known.regret(min(truth[one.id] for one in search.elites)),
        tried=known.regret(min(truth.values())),
        first=known.regret(min(truth[id] for id in first)),
        noise=float(np.median(apart)) / (known.default - known.best),
        candidates=len(truth),
    )


def rows(
    families: Iterable[str], landscapes: Iterable[int], seeds: Iterable[int], budgets: Iterable[int]
) -> Iterator[str]:
    """A line for every budget and family: means over landscapes and seeds."""
    yield "evaluations  family  " + "  ".join(f"{one.name:>10}" for one in fields(Lost))
    for budget in budgets:
        for name in families:
            found = [
                astuple(lost(name, number, budget=budget, seed=seed))
                for number in landscapes
                for seed in seeds
            ]
            figures = "  ".join(f"{one:10.3f}" for one in np.mean(found, axis=0))
            yield f"{budget:>11}  {name:>6}  {figures}"
