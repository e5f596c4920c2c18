"""Simulates a search on an artificial target with a simulated clock.

The real code of `Search` is run. Costs are the distance of a configuration to one that is drawn
at random, with noise; run times are log-normal. So counts (challengers, instances, the share of the
workers' time in use) are those of a search of this budget and window, except for the effect of how
the real target separates configurations.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from itertools import count

import numpy as np

from racing.base.seeds import Purpose, stream
from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome
from racing.core.instances import Instances
from racing.search.base import SearchBase
from racing.search.iterated import IteratedRacing, IteratedSettings
from racing.search.search import Search
from racing.search.settings import Settings
from racing.space import Real, Space


@dataclass(frozen=True, kw_only=True)
class Simulated:
    """The counts of a simulated search.

    Attributes
    ----------
    evaluations, initial, challengers, instances
        Numbers of runs, initial configurations, challengers, and instances that the elites met.
    by_part
        Part of the search → runs started in it.
    makespan
        Its duration, in mean run times.
    use
        Share of the workers' time in use, from 0 to 1.
    """

    evaluations: int
    initial: int
    challengers: int
    instances: int
    by_part: dict[str, int]
    makespan: float
    use: float


def simulate(
    budget: Budget,
    *,
    window: int,
    workers: int,
    instances: Instances | None = None,
    settings: Settings | IteratedSettings | None = None,
    parameters: int = 10,
    spread: float = 1.0,
    seed: int = 1,
) -> Simulated:
    """Run a search on artificial costs with this many workers.

    Parameters
    ----------
    budget
        Evaluations must be limited; other limits are left out.
    window, settings
        Of the search; with `IteratedSettings` it is iterated racing, which has no window.
    spread
        Standard deviation of the logarithm of run times, whose mean is 1.
    """
    search = a_search(
        budget,
        window=window,
        instances=instances,
        settings=settings,
        parameters=parameters,
        seed=seed,
    )
    now, busy, parts = _drive(search, MadeUp(parameters, spread, seed), workers)
    return Simulated(
        evaluations=search.spent.evaluations,
        initial=sum(one.origin not in ("model", "uniform") for one in search.entrants),
        challengers=sum(one.origin in ("model", "uniform") for one in search.entrants),
        instances=search.instances_seen,
        by_part=parts,
        makespan=now,
        use=min(busy / (workers * now), 1.0) if now else 0.0,
    )


def a_search(
    budget: Budget,
    *,
    window: int,
    instances: Instances | None = None,
    settings: Settings | IteratedSettings | None = None,
    parameters: int = 10,
    seed: int = 1,
) -> SearchBase:
    """The search that `simulate` runs, before its first evaluation."""
    space = Space({f"x{i}": Real(0, 1, default=0.9) for i in range(parameters)})
    stream_of_instances = instances or Instances(range(100), repeat=True)
    limits = Budget(evaluations=budget.evaluations, instances=budget.instances)
    if isinstance(settings, IteratedSettings):
        return IteratedRacing(
            space, stream_of_instances, budget=limits, seed=seed, settings=settings
        )
    return Search(
        space, stream_of_instances, budget=limits, seed=seed, window=window, settings=settings
    )


def _drive(search: SearchBase, target: MadeUp, workers: int) -> tuple[float, float, dict[str, int]]:
    """Drive the search; return its duration, the busy time of all workers, and runs by part."""
    now, busy, order = 0.0, 0.0, count()
    running: list[tuple[float, int, Outcome]] = []
    parts: dict[str, int] = {}
    while not search.done:
        for experiment in search.ask(workers - len(running)):
            outcome = target(experiment)
            busy += outcome.seconds
            parts[search.phase] = parts.get(search.phase, 0) + 1
            heapq.heappush(running, (now + outcome.seconds, next(order), outcome))
        if search.done:
            break
        now, _, outcome = heapq.heappop(running)
        search.tell(outcome)
    return now, busy, parts


class MadeUp:
    """The artificial target: noisy costs and log-normal run times, by candidate and instance."""

    def __init__(self, parameters: int, spread: float, seed: int) -> None:
        self._best = stream(seed, Purpose.EVALUATE, 0).random(parameters)
        self._spread, self._seed = spread, seed

    def __call__(self, experiment: Experiment) -> Outcome:
        """The outcome of an experiment."""
        rng = stream(self._seed, Purpose.EVALUATE, *experiment.key)
        x = np.array(list(experiment.candidate.values.values()), dtype=float)
        cost = float(np.abs(x - self._best).mean()) + 0.05 * float(rng.normal())
        seconds = math.exp(self._spread * float(rng.normal()) - self._spread**2 / 2)
        return experiment.outcome(cost, seconds=seconds)
