"""The public class of iterated racing, driven by ask and tell like any search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, must_be
from racing.base.quantities import Direction
from racing.core.aims import Aim
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.failures import OnFailure
from racing.core.instances import Instances
from racing.core.metric import Metric
from racing.core.objective import Objective
from racing.rules.f_test import FTest
from racing.rules.rule import Rule
from racing.rules.t_test import TTest
from racing.search import arguments
from racing.search.base import SearchBase
from racing.search.iterated.scheme import Scheme
from racing.search.iterated.settings import IteratedSettings
from racing.search.phase import Phase
from racing.search.settings import Settings
from racing.space import Configuration, Space

Floats = NDArray[np.float64]


class IteratedRacing(SearchBase):
    """Elitist iterated racing as in irace 4.4, driven by ask and tell like any search::

        search = IteratedRacing(space, instances, budget=1000)
        while not search.done:
            for experiment in search.ask():
                search.tell(experiment, cost_of(experiment))
        search.winner

    Races follow one another. The first one has known configurations, the default and a Sobol
    sequence; its best are the elites. Each race after it has the elites and new configurations,
    drawn around them by models that become narrower from race to race. A last race compares the
    elites of all races. This is the scheme of López-Ibáñez et al. (2016), The irace package,
    Operations Research Perspectives 3, 43–58. `Search` is usually better at the same budget, and
    keeps more workers busy; see `docs/iterated.md`.

    Its result is a function of the arguments and of the outcomes, not of their order.
    Where irace refuses a small budget, there are fewer races, and `notes` says so.

    Parameters
    ----------
    space, instances, budget, seed, known, direction, metrics, on_failure
        As for `Search`.
    objective
        What "best" means; `rank` by default, `mean` with the rule `t-test`.
    rule
        Drops configurations in the races; `f-test` by default, `t-test` where runs are capped.
    settings
        How the budget is spent.

    Raises
    ------
    InputError
        If an argument is invalid, or no limit ends the search.

    Examples
    --------
    >>> import racing
    >>> from racing.space import Real, Space
    >>> space = Space({"x": Real(0, 1, default=0.9)})
    >>> search = racing.IteratedRacing(space, range(50), budget=300)
    >>> while not search.done:
    ...     for experiment in search.ask():
    ...         search.tell(experiment, abs(experiment.candidate.values["x"] - 0.3))
    >>> abs(search.winner.values["x"] - 0.3) < 0.05
    True
    """

    def __init__(
        self,
        space: Space,
        instances: Instances | Sequence[object],
        *,
        budget: Budget | int | Mapping[str, float],
        seed: int = 1,
        known: Iterable[Configuration | Candidate] = (),
        objective: Objective | Aim | Mapping[str, object] | None = None,
        direction: Direction = "minimize",
        rule: Rule | str | Mapping[str, object] | None = None,
        settings: IteratedSettings | None = None,
        metrics: Mapping[str, Metric | Mapping[str, Any] | str] | None = None,
        on_failure: OnFailure | Mapping[str, Any] | str = "rate",
    ) -> None:
        settings = settings or IteratedSettings()
        if not isinstance(settings, IteratedSettings):
            raise InputError(must_be("settings", "IteratedSettings(...)", settings))
        if settings.bound is not None and metrics is not None:
            raise InputError("bound stops runs at a bound of their one cost, and there are metrics")
        self.options = settings
        default = FTest() if settings.bound is None else TTest()
        judge = arguments.judging(rule) or default
        score: Objective = "mean" if isinstance(judge, TTest) else "rank"
        super().__init__(
            space,
            instances,
            budget=budget,
            seed=seed,
            known=known,
            objective=objective,
            direction=direction,
            metrics=metrics,
            default=score,
            settings=Settings(
                finish=0.0,
                confirm=settings.confirm,
                set_aside=settings.set_aside,
                risk=settings.risk,
            ),
            rule=judge,
            serves=settings.serves,
            on_failure=on_failure,
        )
        self._scheme = Scheme(self._context, settings, judge)

    @property
    def iterations(self) -> int:
        """The number of completed races, without the last race of all elites."""
        return self._scheme.generation.races

    def _costs(self, elites: Sequence[int]) -> Floats:
        """(steps, elites) costs; a run that reached its bound counts as the largest."""
        capping, trials = self._scheme.capping, self._context.trials
        if capping is None:
            return trials.costs(elites, self._rows)
        return capping.costs(trials, elites, self._rows)

    def _first(self) -> Phase:
        return self._scheme.first()

    def _after(self, phase: Phase) -> Phase:
        return self._scheme.after(phase)

    def _extension(self, phase: Phase) -> Phase:
        return self._scheme.extension(phase)
