"""Predicts what a search will do with its budget, by a simulation.

The real code of `Search` is run on an artificial target with a simulated clock. Costs are the
distance of a configuration to one that is drawn at random, with noise; run times are log-normal. So
counts (challengers, instances, the share of the workers' time in use) are those of a search of this
budget and window, except for the effect of how the real target separates configurations.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np

from racing.base.errors import InputError
from racing.base.seeds import Purpose, stream
from racing.base.words import count as count_of
from racing.base.words import duration, percent
from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome
from racing.core.instances import Instances
from racing.search.confirmation import Confirmation
from racing.search.division import Division, number_aside
from racing.search.initial import initial_size
from racing.search.iterated.iterated_racing import IteratedRacing
from racing.search.iterated.settings import IteratedSettings
from racing.search.search import Search, SearchBase
from racing.search.settings import FINDS_LESS, PER_WORKER, Settings, window_for
from racing.search.single_race import why_no_search
from racing.space import Real, Space

SURE = 500
"""Below this number of evaluations, the interval of the confirmed gain is too wide to be useful."""


@dataclass(frozen=True, kw_only=True)
class SearchPlan:
    """The prediction for a search.

    Counts come from a simulation of the same code on a simulated target (`simulate`),
    with log-normal run times (σ = 1): with 500 evaluations or more, real
    ones are within 40 % of these, four times in five.

    Attributes
    ----------
    evaluations
        Runs that the budget allows.
    initial
        Configurations to begin with.
    challengers
        Configurations drawn after them.
    instances
        The number that each of the last elites will have met.
    parts
        Part of the search → runs started in it.
    hours
        Wall-clock hours; None if no run time is given.
    use
        Share of the workers' time in use.
    window, recommended_window
        As given, at most a tenth of fewer than 60 evaluations; and what a search takes for so many
        workers unless it is set (`window_for`); 0 for iterated racing, which has none.
    smaller, larger
        The same for half and for twice the budget.
    notes
        Notes for the user: that a race replaces the search, that workers will wait.
    paid
        The charge of the evaluations by name, such as `usd`; empty without a price.
    """

    evaluations: int
    initial: int
    challengers: int
    instances: int
    parts: dict[str, int]
    hours: float | None
    use: float
    window: int = 0
    recommended_window: int = 0
    smaller: SearchPlan | None = None
    larger: SearchPlan | None = None
    notes: tuple[str, ...] = ()
    paid: Mapping[str, float] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The plan as lines of text."""
        runs = ", ".join(f"{name} {n}" for name, n in self.parts.items())
        found = [
            f"{self.evaluations} evaluations: {runs}",
            f"{self.initial} initial configurations, then about {self.challengers} "
            + ("challengers" if self.window else "new ones"),
            f"each of the best is run on about {count_of(self.instances, 'instance')}",
        ]
        if self.hours is not None:
            took = duration(3600 * self.hours)
            found.append(f"about {took}; the workers are busy {percent(self.use)} of it")
        others = [other for other in (self.smaller, self.larger) if other is not None]
        found += [
            f"with {other.evaluations} evaluations: about {other.initial + other.challengers} "
            f"configurations, the best on {count_of(other.instances, 'instance')}"
            for other in others
        ]
        return [*found, *self.notes]


def plan(
    budget: Budget,
    *,
    configurations: float = math.inf,
    parameters: int = 10,
    instances: Instances | None = None,
    window: int = 10,
    workers: int = 1,
    seconds: float | None = None,
    price: Mapping[str, float] | None = None,
    settings: Settings | IteratedSettings | None = None,
    seed: int = 1,
    portfolio: int | None = None,
) -> SearchPlan:
    """Predict what a search with this budget will do.

    Parameters
    ----------
    configurations, parameters
        Their numbers in the space.
    workers, seconds
        The number of evaluations that run at once, and the mean time of one; None if unknown.
    price
        The mean charge of one by name, such as `usd`; None if unknown.
    portfolio
        The number of members of a team; the plan is then that of one of its equal shares.

    Raises
    ------
    InputError
        If only time or money is limited, and the time or the price of an evaluation is unknown.
    """
    price, settings = price or {}, settings or Settings()
    evaluations = whole = evaluations_of(budget, workers, seconds, price)
    division = None if instances is None else Division(instances, seed, settings.aside)
    if portfolio is not None and isinstance(settings, Settings):
        kept = settings.confirmed_share(whole)
        evaluations = int(whole * (1 - kept) / (portfolio + 1))
        aside = 0 if division is None else number_aside(division.problems, settings.aside)
        settings = replace(settings, confirm=0.0, set_aside=aside)

    def at(share: float) -> SearchPlan:
        limits = Budget(evaluations=max(int(evaluations * share), 2), instances=budget.instances)
        done = simulate(
            limits, window=window, workers=workers, instances=instances, settings=settings,
            parameters=parameters, seed=seed, seconds=seconds,
        )  # fmt: skip
        done = replace(done, paid={unit: done.evaluations * each for unit, each in price.items()})
        if not isinstance(settings, Settings):
            return done
        wider = window_for(workers, limits.evaluations)
        first = _first(limits, settings)
        at_once = settings.at_once(window, limits.evaluations)
        return replace(done, initial=first, window=at_once, recommended_window=wider)

    own = at(1.0)
    notes: tuple[str, ...] = ()
    if isinstance(settings, Settings):
        notes = _notes(own, evaluations, configurations, workers, settings)
    if portfolio is not None:
        notes = (
            f"this is what each of {portfolio + 1} equal shares of {whole} evaluations buys: "
            f"{portfolio} members, then the first {portfolio // 2} again; the rest confirms",
            "if the first instances all rank configurations alike, one search has the whole budget",
        )
    if division is not None:
        notes = (f"instances: {division}", *notes)
    return replace(own, smaller=at(0.5), larger=at(2.0), notes=notes)


def _notes(
    own: SearchPlan, evaluations: int, configurations: float, workers: int, settings: Settings
) -> tuple[str, ...]:
    """Notes: a race replaces the search, or workers will wait."""
    whole = Budget(evaluations=evaluations)
    why = why_no_search(whole, configurations, _first(whole, settings))
    notes = [why.format(n=int(min(configurations, evaluations)))] if why else []
    if not why and not own.parts.get(Confirmation.name):
        notes.append("nothing is left to confirm the gain on (`racing test` measures it)")
    elif not why and evaluations < SURE:
        notes.append(
            f"below {SURE} evaluations the interval of the confirmed gain is wide: it will rarely "
            "show that a winner is better than the default (`racing test` measures it further)"
        )
    if own.window < PER_WORKER * workers and own.use < 0.9:
        wider = own.recommended_window
        advice = f"{wider} keeps more of them busy" if own.window < wider else FINDS_LESS
        notes.append(
            f"{workers} workers will wait with a window of {own.window}; {advice} (`search.window`)"
        )
    return tuple(notes)


def evaluations_of(
    budget: Budget, workers: int, seconds: float | None, price: Mapping[str, float] | None = None
) -> int:
    """The number of evaluations that a budget allows, if each takes this time and is charged this.

    Raises
    ------
    InputError
        If only time or money is limited, and the time or the price of an evaluation is unknown.
    """
    times = [
        limit * share
        for limit, share in ((budget.target_time, 1), (budget.wall_time, workers))
        if limit is not None
    ]
    found = [math.inf if budget.evaluations is None else float(budget.evaluations)]
    if times and seconds is not None and seconds > 0:
        found.append(min(times) / seconds)
    found += [
        getattr(budget, unit) / each for unit in budget.paid if (each := (price or {}).get(unit))
    ]
    if math.isinf(min(found)):
        if budget.paid:
            raise InputError(
                f"budget.{budget.paid[0]} is limited: say what an evaluation is charged, such as "
                f"--price {budget.paid[0]}=0.003"
            )
        raise InputError("only time is limited: say how many seconds an evaluation takes")
    return max(int(min(found)), 2)


def _first(budget: Budget, settings: Settings) -> int:
    """The number of initial configurations."""
    kept = settings.finish + settings.confirmed_share(budget.evaluations)
    return initial_size(math.floor((budget.evaluations or 0) * (1 - kept)), settings)


# --- the simulation -----------------------------------------------------------------------------


def simulate(
    budget: Budget,
    *,
    workers: int,
    parameters: int = 10,
    spread: float = 1.0,
    seed: int = 1,
    seconds: float | None = None,
    **options: Any,
) -> SearchPlan:
    """Run a search on artificial costs with this many workers.

    Parameters
    ----------
    budget
        Evaluations must be limited; other limits are left out.
    spread
        Standard deviation of the logarithm of run times.
    seconds
        Their mean; None if unknown.
    options
        As of `a_search`.
    """
    search = a_search(budget, parameters=parameters, seed=seed, **options)
    target, order, parts = MadeUp(parameters, spread, seed), count(), Counter[str]()
    running: list[tuple[float, int, Outcome]] = []
    now = busy = 0.0
    while not search.done:
        for experiment in search.ask(workers - len(running)):
            outcome = target(experiment)
            busy += outcome.seconds
            parts[search.phase] += 1
            heapq.heappush(running, (now + outcome.seconds, next(order), outcome))
        if not search.done:
            now, _, outcome = heapq.heappop(running)
            search.tell(outcome)
    challengers = sum(one.origin in ("model", "uniform") for one in search.entrants)
    return SearchPlan(
        evaluations=search.spent.evaluations,
        initial=len(search.entrants) - challengers,
        challengers=challengers,
        instances=search.instances_seen,
        parts=dict(parts),
        hours=None if seconds is None else now * seconds / 3600,
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
    """The search that `simulate` runs, before its first evaluation.

    Parameters
    ----------
    window, settings
        Of the search; with `IteratedSettings` it is iterated racing, which has no window.
    """
    space = Space({f"x{i}": Real(0, 1, default=0.9) for i in range(parameters)})
    instances = instances or Instances(range(100), repeat=True)
    limits = Budget(evaluations=budget.evaluations, instances=budget.instances)
    if isinstance(settings, IteratedSettings):
        return IteratedRacing(space, instances, budget=limits, seed=seed, settings=settings)
    return Search(space, instances, budget=limits, seed=seed, window=window, settings=settings)


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
