"""One search on one landscape, and what it came to."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import records
from benchmarks.search_lab.figures import scale
from benchmarks.search_lab.landscapes import Landscape
from benchmarks.search_lab.spaces import configuration, row, space_of
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.search import IteratedRacing, Search, SearchBase
from racing.space import Configuration

SCHEMES: dict[str, type[SearchBase]] = {"continuous": Search, "irace": IteratedRacing}
"""The contenders: the continuous search, and iterated racing."""

TUNED = 500_000
"""Added to a search's seed for the search that finds its default."""


@dataclass(frozen=True)
class Run:
    """What a search came to.

    Attributes
    ----------
    regret
        Of the winner's true cost; see `figures.Scale`.
    gain, low, high, truth
        By how much the best configuration found is better than the default: as confirmed, with its
        interval, and in truth; in shares of the distance from the default to the best that is
        known. It is the winner, unless the default is.
    training
        The same as measured on the instances that chose it.
    milliseconds
        The search's own processor time for each evaluation.
    kept
        Whether what was found is the winner.
    worse
        The probability, by the search, that what was found is truly worse than the default; NaN if
        it found nothing else.
    """

    family: str
    landscape: int
    seed: int
    budget: int
    regret: float
    evaluations: int
    candidates: int
    instances: int
    gain: float
    low: float
    high: float
    training: float
    truth: float
    milliseconds: float
    kept: bool = True
    worse: float = math.nan


def run(
    name: str,
    number: int,
    *,
    budget: int,
    seed: int,
    scheme: str = "continuous",
    tuned: int | None = None,
    **options: object,
) -> Run:
    """Search a landscape. The instances come again with new seeds; the default is known.

    Parameters
    ----------
    tuned
        The default is what another search with so many evaluations found, in place of that of the
        landscape. It is hard to improve. The unit of all figures stays the same.
    scheme
        One of `SCHEMES`.
    options
        Of `racing.Search`, or of `racing.IteratedRacing`.
    """
    land, own = Landscape(name, number), 1000 * number + seed
    default = configuration(land.family, land.default)
    if tuned is not None:
        first = begun(land, default, budget=tuned, seed=own + TUNED)
        default = _found(first, land)
    search = begun(land, default, budget=budget, seed=own, scheme=scheme, **options)
    milliseconds = 1000 * drive(search, land) / budget
    assert search.winner is not None
    found = land.truth(row(land.family, search.winner.values))
    known, gain = scale(name, number), search.gain
    best = land.truth(row(land.family, (search.found or search.winner).values))
    base, unit = land.truth(row(land.family, default)), known.default - known.best
    chosen = gain.chosen.estimate if gain and gain.chosen else None
    told = [gain.estimate, gain.low, gain.high, chosen] if gain else 4 * [None]
    confirmed, low, high, training = (math.nan if one is None else one / unit for one in told)
    return Run(
        family=name,
        landscape=number,
        seed=seed,
        budget=budget,
        regret=known.regret(found),
        evaluations=search.spent.evaluations,
        candidates=len(search.candidates),
        instances=search.instances_seen,
        gain=confirmed,
        low=low,
        high=high,
        training=training,
        truth=(base - best) / unit,
        milliseconds=milliseconds,
        kept=search.winner == search.found,
        worse=math.nan if search.worse is None else search.worse,
    )


def _found(search: SearchBase, land: Landscape) -> Configuration:
    """What a search finds beside its default."""
    drive(search, land)
    best = search.found or search.winner
    assert best is not None
    return best.values


def begun(
    land: Landscape,
    default: Configuration,
    *,
    budget: int,
    seed: int,
    scheme: str = "continuous",
    **options: object,
) -> SearchBase:
    """A search on a landscape before its first evaluation; see `run`."""
    return SCHEMES[scheme](
        space_of(land.family),
        Instances(land.instances, repeat=True),
        budget=Budget(evaluations=budget),
        seed=seed,
        known=[default],
        **options,  # type: ignore[arg-type]
    )


def drive(search: SearchBase, land: Landscape) -> float:
    """Drive a search to its end; returns the seconds of processor time that it took itself."""
    return sum(seconds for _, seconds in driven(search, land))


def driven(search: SearchBase, land: Landscape) -> Iterator[tuple[int, float]]:
    """Drive a search to its end: the number of outcomes told at once, and its own seconds."""
    rows: dict[int, np.ndarray] = {}
    while not search.done:
        begun = time.process_time()
        experiments = search.ask()
        left = time.process_time()
        for one in experiments:
            if one.candidate.id not in rows:
                rows[one.candidate.id] = row(land.family, one.candidate.values)
        costs = land.costs(
            np.array([rows[one.candidate.id] for one in experiments]),
            [one.instance.problem for one in experiments],
            [one.instance.seed for one in experiments],
        ).tolist()
        back = time.process_time()
        for one, cost in zip(experiments, costs, strict=True):
            search.tell(one.outcome(cost))
        yield len(experiments), left - begun + time.process_time() - back


def save(runs: Iterable[Run], file: Path) -> Iterator[Run]:
    """Pass runs on, each written to a CSV file as it comes; what the file has is kept."""
    return records.save(runs, Run, file)


def load(file: Path) -> list[Run]:
    """The runs in a file."""
    return records.load(Run, file)
