"""What a search is going to do with its budget, before it is run."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from racing.budget import Budget
from racing.errors import InputError
from racing.instances import Instances
from racing.search.initial import initial_size
from racing.search.iterated.settings import IteratedSettings
from racing.search.plain import race_instead
from racing.search.settings import Settings
from racing.search.simulate import Simulated, simulate

PER_WORKER = 4
"""Challengers under way for each worker that keep all of them busy."""


@dataclass(frozen=True, kw_only=True)
class SearchPlan:
    """What is to be expected of a search.

    Counts come from a simulation of the same code on a made-up target (`racing.search.simulate`),
    with log-normal run times (σ = 1): real ones differ by some tens of percent.

    Attributes
    ----------
    evaluations
        Runs that the budget allows.
    initial
        Configurations to begin with.
    challengers
        Configurations drawn after them.
    instances
        How many each of the last elites is going to have met.
    parts
        Part of the search → runs.
    hours
        On the clock; NaN where no run time is given.
    use
        Share of the workers' time in use.
    window, recommended_window
        As given, and four times the number of workers; 0 for iterated racing, which has none.
    smaller, larger
        The same for half and for twice the budget.
    notes
        What to know: that a race is run instead, that workers are going to wait.
    """

    evaluations: int
    initial: int
    challengers: int
    instances: int
    parts: dict[str, int]
    hours: float
    use: float
    window: int
    recommended_window: int
    smaller: SearchPlan | None = None
    larger: SearchPlan | None = None
    notes: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The plan in words."""
        runs = ", ".join(f"{name} {n}" for name, n in self.parts.items())
        found = [
            f"{self.evaluations} evaluations: {runs}",
            f"{self.initial} initial configurations, then about {self.challengers} "
            + ("challengers" if self.window else "new ones"),
            f"each of the best is run on about {self.instances} instances",
        ]
        if not math.isnan(self.hours):
            took = _duration(self.hours)
            found.append(f"about {took}; the workers are busy {self.use:.0%} of it")
        others = [other for other in (self.smaller, self.larger) if other is not None]
        found += [
            f"with {other.evaluations} evaluations: about {other.initial + other.challengers} "
            f"configurations, the best on {other.instances} instances"
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
    seconds: float = math.nan,
    settings: Settings | IteratedSettings | None = None,
    seed: int = 1,
) -> SearchPlan:
    """What a search with this budget is going to do.

    Parameters
    ----------
    configurations, parameters
        How many the space has of each.
    workers, seconds
        How many evaluations run at once, and what one takes on average.

    Raises
    ------
    InputError
        If only time is limited, and it is not said what an evaluation takes.
    """
    evaluations = evaluations_of(budget, workers, seconds)
    settings = settings or Settings()

    def at(share: float) -> SearchPlan:
        limits = Budget(evaluations=max(int(evaluations * share), 2), instances=budget.instances)
        done = simulate(
            limits,
            window=window,
            workers=workers,
            instances=instances,
            settings=settings,
            parameters=parameters,
            seed=seed,
        )
        return _plan_of(done, limits, window, workers, seconds, settings)

    own = at(1.0)
    notes: tuple[str, ...] = ()
    if isinstance(settings, Settings):
        notes = _notes(own, evaluations, configurations, workers, settings)
    return replace(own, smaller=at(0.5), larger=at(2.0), notes=notes)


def _notes(
    own: SearchPlan, evaluations: int, configurations: float, workers: int, settings: Settings
) -> tuple[str, ...]:
    """That a race is run instead, or that workers are going to wait."""
    whole = Budget(evaluations=evaluations)
    why = race_instead(whole, configurations, _first(whole, settings))
    notes = [why.format(n=int(min(configurations, evaluations)))] if why else []
    if own.window < own.recommended_window and own.use < 0.9:
        notes.append(
            f"{workers} workers are going to wait with a window of {own.window}; "
            f"{own.recommended_window} would keep them busy (it is part of the scenario)"
        )
    return tuple(notes)


def evaluations_of(budget: Budget, workers: int, seconds: float) -> int:
    """How many evaluations a budget allows, if each takes this many seconds.

    Raises
    ------
    InputError
        If only time is limited, and it is not said what an evaluation takes.
    """
    times = [
        limit * share
        for limit, share in ((budget.target_time, 1), (budget.wall_time, workers))
        if limit is not None
    ]
    found = [math.inf if budget.evaluations is None else float(budget.evaluations)]
    if times and seconds > 0:
        found.append(min(times) / seconds)
    if math.isinf(min(found)):
        raise InputError("only time is limited: say how many seconds an evaluation takes")
    return max(int(min(found)), 2)


def _plan_of(
    done: Simulated,
    budget: Budget,
    window: int,
    workers: int,
    seconds: float,
    settings: Settings | IteratedSettings,
) -> SearchPlan:
    iterated = isinstance(settings, IteratedSettings)
    return SearchPlan(
        evaluations=done.evaluations,
        initial=done.initial
        if isinstance(settings, IteratedSettings)
        else _first(budget, settings),
        challengers=done.challengers,
        instances=done.instances,
        parts=done.by_part,
        hours=done.makespan * seconds / 3600,
        use=done.use,
        window=0 if iterated else window,
        recommended_window=0 if iterated else PER_WORKER * workers,
    )


def _first(budget: Budget, settings: Settings) -> int:
    """How many configurations a search begins with."""
    kept = settings.finish + settings.confirmed_share(budget)
    return initial_size(math.floor((budget.evaluations or 0) * (1 - kept)), settings)


def _duration(hours: float) -> str:
    """Hours in words for people."""
    for unit, length in (("days", 24.0), ("hours", 1.0), ("minutes", 1 / 60)):
        if hours >= 2 * length:
            return f"{hours / length:.1f} {unit}"
    return f"{hours * 3600:.0f} seconds"
