"""Predicts what a search will do with its budget."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from racing.base.errors import InputError
from racing.base.words import duration, percent
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.search.division import Division
from racing.search.initial import initial_size
from racing.search.iterated.settings import IteratedSettings
from racing.search.settings import FINDS_LESS, PER_WORKER, Settings, window_for
from racing.search.simulate import Simulated, simulate
from racing.search.single_race import why_no_search


@dataclass(frozen=True, kw_only=True)
class SearchPlan:
    """The prediction for a search.

    Counts come from a simulation of the same code on a simulated target (`racing.search.simulate`),
    with log-normal run times (σ = 1): real ones differ by some tens of per cent.

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
        Part of the search → runs.
    hours
        Wall-clock hours; None if no run time is given.
    use
        Share of the workers' time in use.
    window, recommended_window
        As given, and what a search takes for so many workers unless it is set (`window_for`); 0 for
        iterated racing, which has none.
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
    window: int
    recommended_window: int
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
            f"each of the best is run on about {self.instances} instances",
        ]
        if self.hours is not None:
            took = duration(3600 * self.hours)
            found.append(f"about {took}; the workers are busy {percent(self.use)} of it")
        others = [other for other in (self.smaller, self.larger) if other is not None]
        found += [
            f"with {other.evaluations} evaluations: about {other.initial + other.challengers} "
            f"configurations, the best on {other.instances} instances"
            for other in others
        ]
        return [*found, *self.notes]


SURE = 500
"""Below this number of evaluations, the interval of the confirmed gain is too wide to be useful."""


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
    price = price or {}
    evaluations = evaluations_of(budget, workers, seconds, price)
    settings = settings or Settings()
    whole = evaluations
    if portfolio is not None and isinstance(settings, Settings):
        kept = settings.confirmed_share(whole)
        evaluations = int(whole * (1 - kept) / (portfolio + 1))
        settings = replace(settings, confirm=0.0)

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
        found = _plan_of(done, limits, window, workers, seconds, settings)
        return replace(found, paid={unit: found.evaluations * p for unit, p in price.items()})

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
    if instances is not None:
        notes = (f"instances: {Division(instances, seed, settings.aside)}", *notes)
    return replace(own, smaller=at(0.5), larger=at(2.0), notes=notes)


def _notes(
    own: SearchPlan, evaluations: int, configurations: float, workers: int, settings: Settings
) -> tuple[str, ...]:
    """Notes: a race replaces the search, or workers will wait."""
    whole = Budget(evaluations=evaluations)
    why = why_no_search(whole, configurations, _first(whole, settings))
    notes = [why.format(n=int(min(configurations, evaluations)))] if why else []
    if not why and evaluations < SURE:
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


def _plan_of(
    done: Simulated,
    budget: Budget,
    window: int,
    workers: int,
    seconds: float | None,
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
        hours=None if seconds is None else done.makespan * seconds / 3600,
        use=done.use,
        window=0 if iterated else window,
        recommended_window=0 if iterated else window_for(workers, budget.evaluations),
    )


def _first(budget: Budget, settings: Settings) -> int:
    """The number of initial configurations."""
    kept = settings.finish + settings.confirmed_share(budget.evaluations)
    return initial_size(math.floor((budget.evaluations or 0) * (1 - kept)), settings)
